//! The inputs and the results of a sitting.

use super::library::Library;
use super::searcher::SearchFunction;
use crate::view::Theme;
use crate::{Message, Session};
use endpaper_text::corpus::BookId;
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, RwLock};
use std::time::Duration;

/// The background pass over the corpus. It sends entries and progress, replaces the counts of the library, and ends soon
/// after the flag is set. Heavy work waits for the first book.
pub type CorpusPass =
    Box<dyn FnOnce(Sender<Message>, Arc<RwLock<Library>>, Arc<AtomicBool>, FirstBook) + Send>;

/// Remembers the book on screen, so that the next sitting can begin with it. Runs on the saving thread.
pub type RememberBook = Box<dyn FnMut(&BookId) + Send>;

/// Inputs of a sitting.
pub struct SittingSetup {
    /// The session, before any message.
    pub session: Session,
    /// The resolved themes, in the order of [`crate::SessionOptions::themes`]; never empty.
    pub themes: Vec<Theme>,
    /// Books, counts, records.
    pub library: Arc<RwLock<Library>>,
    /// The background pass over the corpus.
    pub corpus_pass: Option<CorpusPass>,
    /// Searches all books.
    pub search: Option<SearchFunction>,
    /// Remembers the book on screen.
    pub remember: Option<RememberBook>,
    /// The editor; `None`: `$VISUAL`, then `$EDITOR`.
    pub editor: Option<String>,
    /// The first messages: [`Message::Entries`] with what is already known.
    pub first: Vec<Message>,
}

/// Signals that the first book is on screen.
pub struct FirstBook(pub(super) Receiver<Infallible>);

impl FirstBook {
    /// Waits for the first book, but not long: heavy work would compete with reading it.
    pub fn wait(&self) {
        let _ = self.0.recv_timeout(FIRST_BOOK);
    }
}

/// Results of a sitting, printed at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SittingOutcome {
    /// Number of books decided.
    pub decided: usize,
    /// Number of books whose cuts were moved.
    pub corrected: usize,
    /// Number of books marked hard.
    pub hard: usize,
    /// Number of decided books that came from a propagation.
    pub propagated: usize,
    /// Second looks: number of lines by which each differs from the earlier decision; `None` if the kind differs.
    pub second_looks: Vec<Option<u32>>,
    /// Files written, relative to the truth folder.
    pub files: Vec<PathBuf>,
    /// What is left of the corpus, or how far the sample is; `None` where neither is known or may be shown.
    pub left: Option<String>,
    /// A collection that no profile knew was learned.
    pub learned_collection: bool,
    /// Number of books whose record could not be saved.
    pub unsaved: usize,
    /// The terminal is gone: nothing can be printed (`println!` would panic).
    pub hung_up: bool,
}

const FIRST_BOOK: Duration = Duration::from_millis(300);
