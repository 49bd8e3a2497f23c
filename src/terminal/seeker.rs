//! A thread that looks for books in which a correction would be right too: in the Scans of the last survey, or in the
//! books.
//!
//! A newer request ends the older one between two books. One answer comes when all books were looked through. A book that
//! cannot be read is not among them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::sync::{Arc, RwLock};

use super::desk::{Desk, Front};
use super::library::Library;
use crate::detect::Correction;
use crate::pipeline::Scans;
use crate::review::Message;
use crate::review::runs::{Alike, Corrected};

/// What is asked for.
struct Task {
    epoch: u64,
    corrected: Corrected,
    books: Vec<Alike>,
}

/// The newest request that is not begun.
#[derive(Default)]
struct Wanted(Option<Task>);

/// The thread. It ends when this is dropped, after the book it is at.
pub struct Seeker {
    desk: Front<Wanted>,
}

/// Starts the thread.
pub fn start(library: Arc<RwLock<Library>>, answers: Sender<Message>) -> Seeker {
    let desk = Front::<Wanted>::new();
    let back = desk.back();
    std::thread::spawn(move || {
        while let Some(task) = back.wait(|wanted| wanted.0.take()) {
            let epoch = task.epoch;
            let Some(books) = look(&back, &Library::now(&library), task) else {
                continue;
            };
            if answers.send(Message::Alike { epoch, books }).is_err() {
                return;
            }
        }
    });
    Seeker { desk }
}

impl Seeker {
    /// Asks for the books in which a correction would be right too; what was asked before is dropped.
    pub fn ask(&self, epoch: u64, corrected: Corrected, books: Vec<Alike>) {
        self.desk.put(|wanted| {
            wanted.0 = Some(Task {
                epoch,
                corrected,
                books,
            });
        });
    }
}

/// Looks the books through; `None` if something else is wanted meanwhile.
fn look(desk: &Desk<Wanted>, library: &Library, task: Task) -> Option<Vec<Alike>> {
    let mut scans = Scans::open(&library.books, &library.survey);
    let Some(correction) = correction(library, &mut scans, task.corrected) else {
        return Some(Vec::new());
    };
    let mut found = Vec::new();
    for alike in task.books {
        // Neither a newer request nor the end of the program waits.
        desk.take(|wanted| wanted.0.is_none().then_some(()))?;
        found.extend(applied(library, &mut scans, &correction, alike));
    }
    Some(found)
}

fn correction(library: &Library, scans: &mut Scans, corrected: Corrected) -> Option<Correction> {
    let book = library.books.get(corrected.book)?;
    let find = AssertUnwindSafe(|| {
        let scan = scans.scan(book).ok()?;
        Correction::of(&scan, corrected.detected, corrected.cuts)
    });
    catch_unwind(find).ok().flatten()
}

/// The book with the change, if it is right there.
fn applied(
    library: &Library,
    scans: &mut Scans,
    correction: &Correction,
    alike: Alike,
) -> Option<Alike> {
    let book = library.books.get(alike.book)?;
    let apply = AssertUnwindSafe(|| {
        let scan = scans.scan(book).ok()?;
        let cuts = correction.applied(&scan, alike.detected)?;
        Some(Alike { cuts, ..alike })
    });
    catch_unwind(apply).ok().flatten()
}
