//! A thread that compares the cuts of near copies by the words around them.
//!
//! Each pair is answered on its own. A newer request contains what is not answered yet, so it replaces the older one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::sync::{Arc, RwLock};

use super::library::Library;
use super::worker::{LatestWorker, WorkTurn};
use crate::Message;
use crate::copies::{CopyComparison, CopyPair};
use endpaper_detect::copies::WordIndex;
use endpaper_text::corpus::BookText;

/// The thread. It ends when this is dropped, after the current pair.
pub type CopyComparer = LatestWorker<Vec<CopyPair>>;

pub fn start(library: Arc<RwLock<Library>>, answers: Sender<Message>) -> CopyComparer {
    let work = move |pairs: &Vec<CopyPair>, turn: &WorkTurn<'_, Vec<CopyPair>>| {
        let library = Library::current(&library);
        let mut last = None;
        for &pair in pairs {
            if !turn.is_wanted() {
                return;
            }
            // One bad book must not end the thread.
            let compare = AssertUnwindSafe(|| compare(&library, pair, &mut last));
            let found = catch_unwind(compare).ok().flatten();
            let found = found.unwrap_or_else(|| CopyComparison::unknown(pair));
            turn.answer(Message::CopiesCompared(found));
        }
    };
    let failed =
        |_: &Vec<CopyPair>, why| Message::Notice(format!("copies cannot be compared: {why}"));
    LatestWorker::start(answers, work, failed)
}

/// A book that was read.
struct IndexedBook {
    book: usize,
    text: BookText,
    words: WordIndex,
}

/// Compares a pair; `None` if a book cannot be read. `last` keeps the first book of the previous pair.
fn compare(
    library: &Library,
    pair: CopyPair,
    last: &mut Option<IndexedBook>,
) -> Option<CopyComparison> {
    let read = |book: usize| {
        let text = library.books.get(book)?.text(library.max_size).ok()?;
        let words = WordIndex::of(&text);
        Some(IndexedBook { book, text, words })
    };
    let [first, second] = pair.books;
    let known = last.take().filter(|known| known.book == first);
    let ours = last.insert(known.or_else(|| read(first))?);
    let theirs = read(second)?;
    let texts = [(&ours.text, &ours.words), (&theirs.text, &theirs.words)];
    Some(CopyComparison::of(pair, texts))
}
