//! The review screen on a real terminal: the only module that uses crossterm's input and output.
//!
//! [`run`] runs a sitting and returns its results. One thread owns the session and the screen (`runtime`). Keys
//! (`input`), signals (`signals`), books (`loader`), shades of books (`heat`), occurrences of lines
//! (`occurrence_finder`), search results (`searcher`), weights (`learner`), books to propagate to (`propagator`), near copies
//! compared (`copy_comparer`),
//! saved records (`saver`) and the analysis of the corpus all send [`Message`]s into one channel. A `worker` handles
//! only the newest request. `guard` restores the terminal however the program ends.

mod clipboard;
mod clock;
mod copy_comparer;
mod decision_log;
mod editor;
mod guard;
mod heat;
mod input;
mod job_slot;
mod learner;
mod library;
mod loader;
mod occurrence_finder;
mod propagator;
mod runtime;
mod saver;
mod screen;
mod searcher;
mod signals;
mod sitting;
#[cfg(test)]
mod tests;
mod worker;

pub use decision_log::{DecisionLog, DecisionLogError, LoggedRecords};
pub use sitting::{CorpusPass, FirstBook, RememberBook, SittingOutcome, SittingSetup};
use std::convert::Infallible;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, RwLock};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

use crate::Message;
pub use library::{Library, Records};
use runtime::{Runtime, Workers};
pub use searcher::SearchFunction;

/// Standard input or output is not a terminal, which the review screen needs. A usage error: exit status 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the review screen needs a terminal, and standard {0} is not one; run it in a terminal without pipes (`endpaper detect` needs none)"
)]
pub struct NotATerminal(pub &'static str);

/// Checks that standard input and output are terminals.
///
/// # Errors
///
/// Returns [`NotATerminal`] with the name of the first one that is not.
pub fn check() -> Result<(), NotATerminal> {
    for (there, name) in [
        (std::io::stdin().is_terminal(), "input"),
        (std::io::stdout().is_terminal(), "output"),
    ] {
        if !there {
            return Err(NotATerminal(name));
        }
    }
    Ok(())
}

/// Runs the review screen until the curator quits or the terminal goes away.
pub fn run(setup: SittingSetup) -> anyhow::Result<SittingOutcome> {
    check()?;
    let (sender, receiver) = channel();
    let (gone, cancel) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicBool::new(false)),
    );
    let library = setup.library.clone();
    let loader = loader::start(library.clone(), sender.clone());
    let painter = heat::start(library.clone(), sender.clone());
    let finder = occurrence_finder::start(library.clone(), sender.clone());
    let searcher = setup
        .search
        .map(|search| searcher::start(search, sender.clone()));
    let learner = learner::start(library.clone(), sender.clone());
    let seeker = propagator::start(library.clone(), sender.clone());
    let copy_comparer = copy_comparer::start(library.clone(), sender.clone());
    let saver = saver::start(library.clone(), sender.clone(), setup.remember);
    let report = setup
        .corpus_pass
        .map(|report| spawn_corpus_pass(report, sender.clone(), library.clone(), cancel.clone()));
    let guard = guard::TerminalGuard::enter(setup.session.screen.mouse)?;
    let signals =
        signals::Signals::watch(signals::SystemSignals::new()?, sender.clone(), gone.clone());
    let input = input::InputReader::read(sender.clone(), gone.clone());
    let screen = screen::RealTerminal::new(guard, input, signals, setup.editor, gone.clone());
    let terminal = Terminal::new(CrosstermBackend::new(std::io::stdout()))?;
    let mut first = setup.first;
    let (width, height) = ratatui::crossterm::terminal::size()?;
    first.insert(0, Message::Resize(width, height));
    let outside = Workers {
        library,
        loader,
        painter,
        finder,
        searcher,
        learner,
        propagator: seeker,
        copy_comparer,
        saver: Some(saver),
        first_book_shown: report,
    };
    let mut runtime = Runtime::new(setup.session, setup.themes, terminal, screen, outside);
    let ended = runtime.run(&receiver, first);
    cancel.store(true, Ordering::Relaxed);
    let mut outcome = runtime.finish(&receiver);
    outcome.hung_up = gone.load(Ordering::Relaxed);
    // Drawing on a terminal that is gone fails: that ends the sitting but is not an error.
    if !outcome.hung_up {
        ended?;
    }
    Ok(outcome)
}

/// Runs the analysis on a separate thread; a failure becomes a notice and does not end the program. The returned sender must
/// be dropped when a book is on screen.
fn spawn_corpus_pass(
    report: CorpusPass,
    sender: Sender<Message>,
    library: Arc<RwLock<Library>>,
    cancel: Arc<AtomicBool>,
) -> Sender<Infallible> {
    let (shown, first_book) = channel();
    std::thread::spawn(move || {
        let to = sender.clone();
        let work =
            std::panic::AssertUnwindSafe(|| report(to, library, cancel, FirstBook(first_book)));
        if let Err(panic) = std::panic::catch_unwind(work) {
            let why = guard::panic_text(&*panic);
            let text =
                format!("the analysis of the corpus failed: {why}; the screen keeps what it has");
            let _ = sender.send(Message::Progress(None));
            let _ = sender.send(Message::Notice(text));
        }
    });
    shown
}
