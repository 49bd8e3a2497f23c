//! A thread that finds books in which the cuts of a decision would also be right: copies of the book, by their words, and
//! after a correction other books, in the scans of the last analysis or in the books.
//!
//! A newer request ends the older one between two books. One answer is sent after all books were searched; it omits
//! unreadable books.

use std::cell::LazyCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::sync::{Arc, RwLock};

use super::library::Library;
use super::worker::{LatestWorker, WorkTurn};
use crate::Message;
use crate::propagation::{PropagationSource, PropagationTarget, transfer_inside};
use endpaper_detect::copies::WordIndex;
use endpaper_detect::pipeline::{ScanReader, transfer_cuts_to_copy};
use endpaper_detect::{Correction, Cuts};
use endpaper_text::corpus::BookText;
use endpaper_text::scan::Scan;

/// A request to search books.
pub struct PropagationRequest {
    /// Returned in the answer.
    pub epoch: u64,
    /// The decision to propagate.
    pub source: PropagationSource,
    /// The books to search.
    pub books: Vec<PropagationTarget>,
}

/// The thread. It ends when this is dropped, after the current book.
pub type Propagator = LatestWorker<PropagationRequest>;

/// Starts the thread.
pub fn start(library: Arc<RwLock<Library>>, answers: Sender<Message>) -> Propagator {
    let work = move |request: &PropagationRequest, turn: &WorkTurn<'_, PropagationRequest>| {
        if let Some(books) = find_targets(request, &Library::current(&library), turn) {
            let epoch = request.epoch;
            turn.answer(Message::PropagationTargets { epoch, books });
        }
    };
    let failed = |_: &PropagationRequest, why| {
        Message::Notice(format!("no book like it can be found: {why}"))
    };
    LatestWorker::start(answers, work, failed)
}

/// Searches the books; `None` if the request was cancelled.
fn find_targets(
    request: &PropagationRequest,
    library: &Library,
    turn: &WorkTurn<'_, PropagationRequest>,
) -> Option<Vec<PropagationTarget>> {
    // Cancel promptly, for a newer request or the end of the program.
    let goes_on = || turn.is_wanted().then_some(());
    let decided = &request.source;
    let words = LazyCell::new(|| words_of(library, decided.book));
    let mut looked: Vec<(PropagationTarget, Option<Cuts>)> =
        Vec::with_capacity(request.books.len());
    for alike in &request.books {
        goes_on()?;
        let copied = || cuts_in_copy(library, (words.as_ref()?, decided.cuts), alike);
        let cuts = alike.is_copy.then(copied).flatten();
        looked.push((alike.clone(), cuts));
    }
    // The words around the cuts of a copy may differ although the block at the cuts is the same.
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
    let mut found = Vec::new();
    for (alike, cuts) in looked {
        let Some(cuts) = cuts else { continue };
        goes_on()?;
        let marks = || {
            let theirs = words_of(library, alike.book)?;
            let ours = (words.as_ref()?, decided.cuts);
            Some(transfer_inside(ours, &decided.inside, (&theirs, cuts)))
        };
        let inside = (!decided.inside.is_empty()).then(marks).flatten();
        found.push(PropagationTarget {
            cuts,
            inside: inside.unwrap_or_default(),
            ..alike
        });
    }
    Some(found)
}

/// The words of a book; `None` if it cannot be read.
fn words_of(library: &Library, book: usize) -> Option<WordIndex> {
    // One bad book must not end the thread.
    let read = AssertUnwindSafe(|| text(library, book).map(|text| WordIndex::of(&text)));
    catch_unwind(read).ok().flatten()
}

/// The text of a book, if it can be read.
fn text(library: &Library, book: usize) -> Option<BookText> {
    let book = library.books.get(book)?;
    book.text(library.max_size).ok()
}

/// The cuts of a copy at the same words as in the decided book.
fn cuts_in_copy(
    library: &Library,
    ours: (&WordIndex, Cuts),
    alike: &PropagationTarget,
) -> Option<Cuts> {
    let look = AssertUnwindSafe(|| {
        transfer_cuts_to_copy(ours, &text(library, alike.book)?, alike.detected)
    });
    // One bad book must not end the thread.
    catch_unwind(look).ok().flatten()
}
