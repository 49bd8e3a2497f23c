//! What a sitting needs and what it brought.

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

/// Called with the book on screen, so that the next sitting can begin with it. Runs on the saving thread.
pub type RememberBook = Box<dyn FnMut(&BookId) + Send>;

/// Everything a sitting needs.
pub struct SittingSetup {
    /// The session, before any message.
    pub session: Session,
    /// The themes, resolved, in the order of [`crate::SessionOptions::themes`]; never empty.
    pub themes: Vec<Theme>,
    /// Books, counts, records.
    pub library: Arc<RwLock<Library>>,
    /// The pass over the corpus that runs behind the screen.
    pub corpus_pass: Option<CorpusPass>,
    /// Searches all books.
    pub search: Option<SearchFunction>,
    /// Remembers the book on screen.
    pub remember: Option<RememberBook>,
    /// The editor; `None`: `$VISUAL`, then `$EDITOR`.
    pub editor: Option<String>,
    /// What the session is told first: [`Message::Entries`] with what is known already.
    pub first: Vec<Message>,
}

/// The first book that comes on the screen.
pub struct FirstBook(pub(super) Receiver<Infallible>);

impl FirstBook {
    /// Waits until it is there, or a moment where it is long in coming: heavy work would take the cores from reading it.
    pub fn wait(&self) {
        let _ = self.0.recv_timeout(FIRST_BOOK);
    }
}

/// What a sitting brought: quitting prints it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SittingOutcome {
    /// Books that got a verdict.
    pub decided: usize,
    /// Those whose cuts were moved.
    pub corrected: usize,
    /// Those marked hard.
    pub hard: usize,
    /// Those that came up with the change of another book's correction.
    pub propagated: usize,
    /// Second looks: by how many lines each differs from the decision before; `None`: in what the file is.
    pub second_looks: Vec<Option<u32>>,
    /// Files written, relative to the truth folder.
    pub files: Vec<PathBuf>,
    /// Books whose record could not be saved.
    pub unsaved: usize,
    /// The terminal went away: nothing can be printed any more (`println!` would panic).
    pub hung_up: bool,
}

/// The first book is waited for at most so long.
const FIRST_BOOK: Duration = Duration::from_millis(300);
