//! The event loop: waits for messages, updates the session, runs its effects, draws once.
//!
//! Held-down keys cannot outrun drawing: all waiting messages are handled before a frame. An idle thread sleeps, except for
//! checking every few seconds whether the terminal still exists.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::Backend;
use ratatui::layout::Rect;

use super::clock::Clock;
use super::copy_comparer::CopyComparer;
use super::editor::on_disk;
use super::heat::{self, HeatPainter};
use super::learner::{self, LearnWorker};
use super::library::Library;
use super::loader::PageLoader;
use super::occurrence_finder::OccurrenceFinder;
use super::propagator::{self, Propagator};
use super::saver::{SaveJob, Saver};
use super::screen::TerminalHost;
use super::searcher::{CorpusQuery, SearchWorker};
use super::sitting::SittingOutcome;
use crate::outlook::left;
use crate::view::{self, Theme};
use crate::{Effect, Message, Session, deadline, update};
use endpaper_text::corpus::Encoding;

/// Maximum number of messages handled before a frame, so that a flood of them cannot freeze the screen.
const BATCH: usize = 1000;
const TICK: Duration = Duration::from_millis(250);
/// How often an idle program checks whether its terminal still exists.
const ALIVE: Duration = Duration::from_secs(2);

/// The workers that run the session's effects.
pub struct Workers {
    /// Books, counts, records.
    pub library: Arc<RwLock<Library>>,
    /// Reads books.
    pub loader: PageLoader,
    /// Computes shades for the heat map.
    pub painter: HeatPainter,
    /// Finds occurrences of lines.
    pub finder: OccurrenceFinder,
    /// Searches all books; `None` if this program or sitting cannot.
    pub searcher: Option<SearchWorker>,
    /// Learns from verdicts.
    pub learner: LearnWorker,
    /// Finds books to propagate a decision to.
    pub propagator: Propagator,
    /// Compares near copies.
    pub copy_comparer: CopyComparer,
    /// Writes records; `None` after the end.
    pub saver: Option<Saver>,
    /// Dropped to tell the analysis that a book is on screen.
    pub first_book_shown: Option<Sender<Infallible>>,
}

/// The session with its screen.
pub struct Runtime<B: Backend, H: TerminalHost> {
    /// The session.
    pub session: Session,
    themes: Vec<Theme>,
    /// The screen.
    pub terminal: Terminal<B>,
    host: H,
    workers: Workers,
    clock: Clock,
    ticked: Instant,
    needs_redraw: bool,
    resized: bool,
    ended: bool,
    /// Number of frames drawn.
    pub frames: usize,
}

impl<B: Backend, H: TerminalHost> Runtime<B, H>
where
    B::Error: Send + Sync + 'static,
{
    /// Creates a runtime.
    pub fn new(
        session: Session,
        themes: Vec<Theme>,
        terminal: Terminal<B>,
        host: H,
        outside: Workers,
    ) -> Runtime<B, H> {
        Runtime {
            session,
            themes,
            terminal,
            host,
            workers: outside,
            clock: Clock::start(),
            ticked: Instant::now(),
            needs_redraw: true,
            resized: false,
            ended: false,
            frames: 0,
        }
    }

    /// Runs until the session quits. After a panic, unsaved changes are saved before the panic continues.
    pub fn run(&mut self, messages: &Receiver<Message>, first: Vec<Message>) -> anyhow::Result<()> {
        let all = AssertUnwindSafe(|| self.turns(messages, first));
        match catch_unwind(all) {
            Ok(result) => {
                if result.is_err() {
                    self.handle(Message::HangUp);
                }
                self.host.close();
                result
            }
            Err(panic) => {
                let save = AssertUnwindSafe(|| {
                    self.handle(Message::HangUp);
                    if let Some(saver) = self.workers.saver.take() {
                        saver.finish();
                    }
                });
                let _ = catch_unwind(save);
                resume_unwind(panic)
            }
        }
    }

    /// Handles messages until the session ends.
    fn turns(&mut self, messages: &Receiver<Message>, first: Vec<Message>) -> anyhow::Result<()> {
        for message in first {
            self.handle(message);
        }
        while !self.ended {
            self.turn(messages)?;
        }
        Ok(())
    }

    /// Draws changes, waits for messages, and handles them.
    pub fn turn(&mut self, messages: &Receiver<Message>) -> anyhow::Result<()> {
        self.draw()?;
        match messages.recv_timeout(self.patience()) {
            Ok(message) => self.batch(message, messages),
            Err(RecvTimeoutError::Timeout) => {}
            // The input thread holds a sender while it lives.
            Err(RecvTimeoutError::Disconnected) => self.handle(Message::HangUp),
        }
        self.poll_host()
    }

    /// Handles all waiting messages, up to [`BATCH`].
    fn batch(&mut self, first: Message, messages: &Receiver<Message>) {
        self.handle(first);
        for message in messages.try_iter().take(BATCH) {
            if self.ended {
                return;
            }
            self.handle(message);
        }
    }

    /// Handles what comes without a message: a lost terminal, a request to suspend, a resumption, and what is due by the clock.
    fn poll_host(&mut self) -> anyhow::Result<()> {
        if self.ended {
            return Ok(());
        }
        if self.host.is_gone() {
            self.handle(Message::HangUp);
            return Ok(());
        }
        if self.host.take_stop_request() {
            self.suspend()?;
        }
        if self.host.take_resumed() {
            self.redraw_all()?;
        }
        let due = deadline(&self.session).is_some_and(|due| self.clock.read().0 >= due);
        if due && self.ticked.elapsed() >= TICK {
            self.ticked = Instant::now();
            self.handle(Message::Tick);
        }
        Ok(())
    }

    /// How long to wait for a message until something is due.
    fn patience(&mut self) -> Duration {
        let Some(due) = deadline(&self.session) else {
            return ALIVE;
        };
        let left = Duration::from_millis(due.saturating_sub(self.clock.read().0));
        let pause = TICK.saturating_sub(self.ticked.elapsed());
        left.max(pause).clamp(Duration::from_millis(1), ALIVE)
    }

    /// Handles one message: reads the clock, updates the session, runs the effects.
    fn handle(&mut self, message: Message) {
        (self.session.now, self.session.clock_lag) = self.clock.read();
        let message = match message {
            Message::Resize(..) => self.resize_now(message),
            other => other,
        };
        let idle = matches!(message, Message::Tick).then(|| deadline(&self.session));
        let effects = update(&mut self.session, message);
        // A tick that triggers nothing changes nothing on screen.
        let same =
            idle.is_some_and(|before| effects.is_empty() && before == deadline(&self.session));
        self.needs_redraw |= !same;
        for effect in effects {
            self.effect(effect);
        }
    }

    /// Asks the worker for all books that match a query.
    fn search(&mut self, epoch: u64, text: String) {
        let Some(searcher) = &self.workers.searcher else {
            let result =
                Err("this endpaper was built without search (feature 'search')".to_owned());
            self.handle(Message::FoundBooks { epoch, result });
            return;
        };
        searcher.ask(CorpusQuery { epoch, text });
    }

    /// Performs a side effect.
    fn effect(&mut self, effect: Effect) {
        match effect {
            Effect::Open { ticket, book } => self.workers.loader.open(ticket, book),
            Effect::Preload(books) => self.workers.loader.preload(books),
            Effect::Align(request) => self.workers.loader.align(request),
            Effect::Heat { epoch, books } => {
                self.workers.painter.ask(heat::HeatRequest { epoch, books });
            }
            Effect::FindOccurrences(seek) => self.workers.finder.ask(seek),
            Effect::SearchCorpus { epoch, text } => self.search(epoch, text),
            Effect::Learn {
                epoch,
                decided,
                undecided,
            } => self.workers.learner.ask(learner::LearnRequest {
                epoch,
                decided,
                undecided,
            }),
            Effect::FindPropagationTargets {
                epoch,
                source: decided,
                books,
            } => self.workers.propagator.ask(propagator::PropagationRequest {
                epoch,
                source: decided,
                books,
            }),
            Effect::CompareCopies(pairs) => self.workers.copy_comparer.ask(pairs),
            Effect::Forget => self.workers.learner.forget(),
            Effect::Remember(book) => self.remember(book),
            Effect::Save(request) => self.write(SaveJob::Save(request)),
            Effect::Restore {
                ticket,
                id,
                previous,
                expected: known,
            } => self.write(SaveJob::Restore {
                ticket,
                id,
                previous,
                expected: known,
            }),
            Effect::KeepEncoding { book, encoding } => self.keep_encoding(book, encoding),
            Effect::Editor { book, line } => self.edit(book, line),
            Effect::Copy(text) => self.try_host("copy", |host| host.copy(&text)),
            Effect::Mouse(on) => self.try_host("switch the mouse", |host| host.mouse(on)),
            Effect::Suspend => {
                if let Err(error) = self.suspend() {
                    self.handle(Message::Notice(format!("cannot stop: {error:#}")));
                }
            }
            Effect::Redraw => {
                // A failure recurs at the next frame, which reports it.
                let _ = self.redraw_all();
            }
            Effect::Quit => self.ended = true,
        }
    }

    /// Calls the terminal; a failure becomes a notice.
    fn try_host(&mut self, what: &str, act: impl FnOnce(&mut H) -> std::io::Result<()>) {
        if let Err(error) = act(&mut self.host) {
            self.handle(Message::Notice(format!("cannot {what}: {error}")));
        }
    }

    /// Hands a job to the thread that writes.
    fn write(&self, job: SaveJob) {
        if let Some(saver) = &self.workers.saver {
            saver.ask(job);
        }
    }

    /// Notes the book as the last one reviewed.
    fn remember(&self, book: usize) {
        let entry = self.session.entries.get(book);
        if let Some(id) = entry.and_then(|entry| entry.id.clone()) {
            self.write(SaveJob::Remember(id));
        }
    }

    fn keep_encoding(&mut self, book: Option<usize>, encoding: Option<Encoding>) {
        let library = self.workers.library.write();
        let mut library = library.unwrap_or_else(PoisonError::into_inner);
        let kept = match book {
            Some(book) => library.keep_encoding(book, encoding),
            None => library.keep_usual_encoding(encoding),
        };
        drop(library);
        if let Err(error) = kept {
            self.handle(Message::Notice(format!(
                "cannot keep the encoding: {error:#}"
            )));
        }
    }

    /// Runs the user's editor on a book.
    fn edit(&mut self, book: usize, line: u32) {
        let library = self.library();
        let Some(book) = library.books.get(book) else {
            return;
        };
        let result =
            on_disk(book, library.max_size).and_then(|file| self.host.edit(&file.path, line));
        if let Err(error) = result {
            self.handle(Message::Notice(format!("{error:#}")));
        }
        self.returned();
    }

    /// Suspends the program as Ctrl-Z does in a shell.
    fn suspend(&mut self) -> anyhow::Result<()> {
        self.host.suspend()?;
        self.returned();
        Ok(())
    }

    /// Resumes after another program used the terminal: its size and the book may have changed.
    fn returned(&mut self) {
        self.host.take_resumed();
        let _ = self.redraw_all();
        self.handle(Message::Returned);
    }

    /// Replaces a reported size, which may be outdated, by the terminal's current one.
    fn resize_now(&mut self, said: Message) -> Message {
        self.resized = true;
        match self.terminal.size() {
            Ok(size) => Message::Resize(size.width, size.height),
            Err(_) => said,
        }
    }

    /// Measures the terminal again and draws every cell.
    fn redraw_all(&mut self) -> anyhow::Result<()> {
        let size = self.terminal.size()?;
        // Not `clear`: that asks the terminal for its cursor position and waits for the answer.
        self.terminal
            .resize(Rect::new(0, 0, size.width, size.height))?;
        self.needs_redraw = true;
        if (size.width, size.height) != self.session.screen.size {
            self.handle(Message::Resize(size.width, size.height));
        }
        Ok(())
    }

    /// Draws a frame, if anything changed.
    fn draw(&mut self) -> anyhow::Result<()> {
        if !self.needs_redraw || self.ended || self.host.is_gone() {
            return Ok(());
        }
        let count = self.themes.len().max(1);
        let Some(theme) = self.themes.get(self.session.screen.theme % count) else {
            anyhow::bail!("there is no theme");
        };
        self.host.begin_frame();
        let session = &self.session;
        // A terminal that was shrunk and restored has the size of the last frame but has lost its contents.
        let wiped = match std::mem::take(&mut self.resized) {
            true => self.terminal.size().and_then(|size| {
                let area = Rect::new(0, 0, size.width, size.height);
                self.terminal.resize(area)
            }),
            false => Ok(()),
        };
        let drawn = wiped.and_then(|()| {
            let paint = |frame: &mut ratatui::Frame<'_>| {
                let area = frame.area();
                view::draw(session, theme, area, frame.buffer_mut());
            };
            self.terminal.draw(paint).map(|_| ())
        });
        let failed = drawn.err();
        self.host.end_frame();
        self.needs_redraw = false;
        self.frames += 1;
        if self.session.doc.open.is_some() {
            self.workers.first_book_shown = None;
        }
        match failed {
            Some(error) => Err(error.into()),
            None => Ok(()),
        }
    }

    /// The corpus as it is known now.
    fn library(&self) -> Library {
        Library::current(&self.workers.library)
    }

    /// Waits until everything is written, and returns the results of the sitting.
    pub fn finish(mut self, messages: &Receiver<Message>) -> SittingOutcome {
        if let Some(saver) = self.workers.saver.take() {
            saver.finish();
        }
        for message in messages.try_iter() {
            if matches!(message, Message::Saved { .. }) {
                // The effects no longer matter; the tally does.
                let _ = update(&mut self.session, message);
            }
        }
        if self.host.is_gone() {
            // Dropping it would write to a terminal that is gone.
            std::mem::forget(self.terminal);
        }
        let tally = &self.session.sitting.tally;
        SittingOutcome {
            decided: tally.decided.len(),
            corrected: tally.corrected.len(),
            hard: tally.hard.len(),
            propagated: tally.propagated.len(),
            second_looks: tally.second_looks.values().copied().collect(),
            files: tally.files.iter().cloned().collect(),
            left: left(&self.session),
            learned_collection: self.session.has_learned_collection(),
            unsaved: self.session.saves.unsaved(),
            hung_up: false,
        }
    }
}
