//! A thread that looks for books in which the cuts of a decision would be right too: copies of the book, by their words,
//! and after a correction others, in the Scans of the last survey or in the books.
//!
//! A newer request ends the older one between two books. One answer comes when all books were looked through. A book that
//! cannot be read is not among them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::sync::{Arc, RwLock};

use super::library::Library;
use super::worker::{LatestWorker, WorkTurn};
use crate::Message;
use crate::propagation::{PropagationSource, PropagationTarget};
use endpaper_detect::copies::WordIndex;
use endpaper_detect::pipeline::{ScanReader, transfer_cuts_to_copy};
use endpaper_detect::{Correction, Cuts};
use endpaper_text::corpus::BookText;
use endpaper_text::scan::Scan;

/// The books to be looked through.
pub struct PropagationRequest {
    /// Comes back in the answer.
    pub epoch: u64,
    /// The decision whose cuts would be right too.
    pub source: PropagationSource,
    /// The books.
    pub books: Vec<PropagationTarget>,
}

/// The thread. It ends when this is dropped, after the book it is at.
pub type Propagator = LatestWorker<PropagationRequest>;

/// Starts the thread.
pub fn start(library: Arc<RwLock<Library>>, answers: Sender<Message>) -> Propagator {
    let work = move |wish: &PropagationRequest, turn: &WorkTurn<'_, PropagationRequest>| {
        if let Some(books) = find_targets(wish, &Library::current(&library), turn) {
            let epoch = wish.epoch;
            turn.answer(Message::PropagationTargets { epoch, books });
        }
    };
    let failed = |_: &PropagationRequest, why| {
        Message::Notice(format!("no book like it can be found: {why}"))
    };
    LatestWorker::start(answers, work, failed)
}

/// Looks the books through; `None` if something else is wanted meanwhile.
fn find_targets(
    wish: &PropagationRequest,
    library: &Library,
    turn: &WorkTurn<'_, PropagationRequest>,
) -> Option<Vec<PropagationTarget>> {
    // Neither a newer request nor the end of the program waits.
    let goes_on = || turn.is_wanted().then_some(());
    let decided = wish.source;
    let mut words = None;
    let mut looked: Vec<(PropagationTarget, Option<Cuts>)> = Vec::with_capacity(wish.books.len());
    for &alike in &wish.books {
        goes_on()?;
        let cuts = alike.is_copy.then(|| {
            let ours = words.get_or_insert_with(|| {
                text(library, decided.book).map(|text| WordIndex::of(&text))
            });
            cuts_in_copy(library, (ours.as_ref()?, decided.cuts), alike)
        });
        looked.push((alike, cuts.flatten()));
    }
    // Of a copy too the words around the cuts may be other ones, and the block at them the same.
    let settled = |(alike, cuts): &(PropagationTarget, Option<Cuts>)| {
        cuts.is_some_and(|cuts| cuts != alike.detected)
    };
    if decided.cuts != decided.detected && !looked.iter().all(settled) {
        let mut scans = ScanReader::open(&library.books, &library.analysis_options);
        let find = |scan: &Scan| Correction::between(scan, decided.detected, decided.cuts);
        let correction = library.with_scan(&mut scans, decided.book, find);
        for look in looked.iter_mut().filter(|look| !settled(look)) {
            goes_on()?;
            let (alike, cuts) = look;
            let apply = |scan: &Scan| correction.as_ref()?.apply_to(scan, alike.detected);
            *cuts = library.with_scan(&mut scans, alike.book, apply).or(*cuts);
        }
    }
    let found = looked.into_iter().filter_map(|(alike, cuts)| {
        Some(PropagationTarget {
            cuts: cuts?,
            ..alike
        })
    });
    Some(found.collect())
}

fn text(library: &Library, book: usize) -> Option<BookText> {
    let book = library.books.get(book)?;
    book.text(library.max_size).ok()
}

/// The cuts of a copy at the words of the decided one's.
fn cuts_in_copy(
    library: &Library,
    ours: (&WordIndex, Cuts),
    alike: PropagationTarget,
) -> Option<Cuts> {
    let look = AssertUnwindSafe(|| {
        transfer_cuts_to_copy(ours, &text(library, alike.book)?, alike.detected)
    });
    // One bad book ends no thread.
    catch_unwind(look).ok().flatten()
}
