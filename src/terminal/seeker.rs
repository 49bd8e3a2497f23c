//! A thread that looks for books in which a correction would be right too: in the Scans of the last survey, or in the
//! books.
//!
//! A newer request ends the older one between two books. One answer comes when all books were looked through. A book that
//! cannot be read is not among them.

use std::sync::mpsc::Sender;
use std::sync::{Arc, RwLock};

use super::desk::{Desk, Front};
use super::library::Library;
use crate::detect::Correction;
use crate::pipeline::Scans;
use crate::review::Message;
use crate::review::runs::{Alike, Corrected};
use crate::scan::Scan;

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
    let corrected = task.corrected;
    let find = |scan: &Scan| Correction::of(scan, corrected.detected, corrected.cuts);
    let Some(correction) = library.of_scan(&mut scans, corrected.book, find) else {
        return Some(Vec::new());
    };
    let mut found = Vec::new();
    for alike in task.books {
        // Neither a newer request nor the end of the program waits.
        desk.take(|wanted| wanted.0.is_none().then_some(()))?;
        let apply = |scan: &Scan| correction.applied(scan, alike.detected);
        let cuts = library.of_scan(&mut scans, alike.book, apply);
        found.extend(cuts.map(|cuts| Alike { cuts, ..alike }));
    }
    Some(found)
}
