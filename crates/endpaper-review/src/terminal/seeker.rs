//! A thread that looks for books in which the cuts of a decision would be right too: copies of the book, by their words,
//! and after a correction others, in the Scans of the last survey or in the books.
//!
//! A newer request ends the older one between two books. One answer comes when all books were looked through. A book that
//! cannot be read is not among them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::sync::{Arc, RwLock};

use super::desk::{Desk, Front};
use super::library::Library;
use crate::Message;
use crate::runs::{Alike, Decided};
use endpaper_detect::copies::Worded;
use endpaper_detect::pipeline::{Scans, cuts_of_copy};
use endpaper_detect::{Correction, Cuts};
use endpaper_text::corpus::Text;
use endpaper_text::scan::Scan;

/// What is asked for.
struct Task {
    epoch: u64,
    decided: Decided,
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
    /// Asks for the books in which the cuts of a decision would be right too; what was asked before is dropped.
    pub fn ask(&self, epoch: u64, decided: Decided, books: Vec<Alike>) {
        self.desk.put(|wanted| {
            wanted.0 = Some(Task {
                epoch,
                decided,
                books,
            });
        });
    }
}

/// Looks the books through; `None` if something else is wanted meanwhile.
fn look(desk: &Desk<Wanted>, library: &Library, task: Task) -> Option<Vec<Alike>> {
    // Neither a newer request nor the end of the program waits.
    let goes_on = || desk.take(|wanted| wanted.0.is_none().then_some(()));
    let decided = task.decided;
    let mut words = None;
    let mut looked: Vec<(Alike, Option<Cuts>)> = Vec::with_capacity(task.books.len());
    for alike in task.books {
        goes_on()?;
        let cuts = alike.copy.then(|| {
            let ours = words
                .get_or_insert_with(|| text(library, decided.book).map(|text| Worded::of(&text)));
            in_copy(library, (ours.as_ref()?, decided.cuts), alike)
        });
        looked.push((alike, cuts.flatten()));
    }
    // Of a copy too the words around the cuts may be other ones, and the block at them the same.
    let settled =
        |(alike, cuts): &(Alike, Option<Cuts>)| cuts.is_some_and(|cuts| cuts != alike.detected);
    if decided.cuts != decided.detected && !looked.iter().all(settled) {
        let mut scans = Scans::open(&library.books, &library.survey);
        let find = |scan: &Scan| Correction::of(scan, decided.detected, decided.cuts);
        let correction = library.of_scan(&mut scans, decided.book, find);
        for look in looked.iter_mut().filter(|look| !settled(look)) {
            goes_on()?;
            let (alike, cuts) = look;
            let apply = |scan: &Scan| correction.as_ref()?.applied(scan, alike.detected);
            *cuts = library.of_scan(&mut scans, alike.book, apply).or(*cuts);
        }
    }
    let found = looked.into_iter().filter_map(|(alike, cuts)| {
        Some(Alike {
            cuts: cuts?,
            ..alike
        })
    });
    Some(found.collect())
}

fn text(library: &Library, book: usize) -> Option<Text> {
    let book = library.books.get(book)?;
    book.text(library.max_size).ok()
}

/// The cuts of a copy at the words of the decided one's.
fn in_copy(library: &Library, ours: (&Worded, Cuts), alike: Alike) -> Option<Cuts> {
    let look = AssertUnwindSafe(|| cuts_of_copy(ours, &text(library, alike.book)?, alike.detected));
    // One bad book ends no thread.
    catch_unwind(look).ok().flatten()
}
