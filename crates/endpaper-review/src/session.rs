//! All that the screen shows, made of parts: each keeps what belongs together, and what it can answer alone.

mod after_verdict;
mod background;
mod document;
mod keys;
mod modes;
mod notice;
mod saves;
mod screen;
mod sitting;
mod waits;

use std::borrow::Cow;

use super::decision::BookState;
use super::entry::{QueueEntry, ReviewStatus};
use super::keymap::Keymap;
use super::message::Effect;
use super::occurrences::{LineNeighbours, OccurrenceQuery};
use super::queue::Queue;
use endpaper_detect::{End, Policy};

pub use background::{BackgroundWork, PassProgress};
pub use document::{OpenDocument, PaneState};
pub(crate) use keys::PendingKeys;
pub use modes::ModeState;
pub(crate) use modes::Replay;
pub(crate) use notice::{
    Anchoring, BlindNotice, CutNotice, FileChange, KeyNotice, MarkNotice, ModeRefusal, News,
    Notice, PageNotice, QueueNotice, RecordNotice, ReplayNotice, SaveNotice, SavedAs, Tone,
    UndoNotice,
};
pub(crate) use saves::{AfterSave, Deferred, PendingSave, SaveOutcome, SaveQueue};
pub use screen::ScreenState;
pub(crate) use sitting::SittingLog;
pub use sitting::SittingTally;
pub(crate) use waits::{PendingJump, Waiting, Waits};

/// What does not change during a sitting.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// Who decides.
    pub curator: String,
    /// Name of the sitting, for the reviews.
    pub sitting: String,
    /// Nothing is ever written.
    pub read_only: bool,
    /// Name of the detector, for the reviews.
    pub detector: String,
    /// Digest of the model, for the reviews.
    pub model: String,
    /// Which kinds of blocks belong to the book, for the records.
    pub policy: Policy,
    /// Names of the themes, in the order `t` shows them.
    pub themes: Vec<String>,
    /// The book to begin with, by id: where the last sitting ended.
    pub resume: Option<String>,
    /// What others decided is settled: reviews say so.
    pub adjudicates: bool,
    /// The sitting begins with blind review.
    pub blind: bool,
    /// Decided books come up again, blind.
    pub re_review: bool,
    /// The program begins with the mouse.
    pub mouse: bool,
    /// Number of verdicts after which weights are learned from them again; `None`: never.
    pub learn_after: Option<usize>,
}

/// All that the screen shows. Fields are read by `view`, written only by [`super::update()`].
#[derive(Clone, Debug)]
pub struct Session {
    /// What does not change.
    pub(crate) options: SessionOptions,
    /// The keys.
    pub(crate) keymap: Keymap,
    /// All books, in id order.
    pub(crate) entries: Vec<QueueEntry>,
    /// The order in which they come up.
    pub(crate) queue: Queue,
    /// Index of the book on screen (or on its way).
    pub(crate) current: usize,
    /// The open document.
    pub doc: OpenDocument,
    /// The screen.
    pub screen: ScreenState,
    /// What was typed.
    pub(crate) keys: PendingKeys,
    /// What makes the sitting other than a normal one.
    pub modes: ModeState,
    /// Records between the screen and the disk.
    pub(crate) saves: SaveQueue,
    /// What is waited for.
    pub(crate) waits: Waits,
    /// What was asked of the workers.
    pub background: BackgroundWork,
    /// What the sitting brought.
    pub(crate) sitting: SittingLog,
    /// The clock, milliseconds since 1970; set before each message.
    pub now: u64,
    /// How far the system's clock is after `now`, which is never put back: reviews carry the system's time.
    pub(crate) clock_lag: u64,
}

/// What the header line says of the current book.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Headline {
    /// Place in the queue, from 1; 0 if the filter hides it.
    pub position: usize,
    /// Books in the queue.
    pub total: usize,
    /// Short name of the file.
    pub name: String,
    /// Title.
    pub title: String,
    /// Who produced the file.
    pub producer: String,
    /// Rank of its template; 0: none.
    pub template: u32,
    /// Books of the template, itself included.
    pub siblings: usize,
    /// How many of them are decided.
    pub decided: usize,
    /// Whether all decided ones were decided alike; `None` with fewer than two.
    pub is_consistent: Option<bool>,
    /// Near copies of the book in the corpus, and how many of them are decided.
    pub copies: (usize, usize),
    /// One of them is cut at other words.
    pub is_copy_cut_differently: bool,
    /// Doubt.
    pub doubt: Option<f32>,
    /// How many of the two cuts have been on screen.
    pub ends_seen: usize,
    /// Saved, draft, unsaved ...
    pub saved: &'static str,
    /// Verdict, kind and flags in words, for a decided or marked book.
    pub status: String,
    /// The book whose correction is proposed here too, the place in its run, and how many books are in it.
    pub propagation: Option<(String, usize, usize)>,
}

impl Session {
    /// A session over no books yet; [`super::Message::Entries`] brings them.
    pub fn new(options: SessionOptions, queue: Queue, keymap: Keymap) -> Session {
        Session {
            modes: ModeState::new(options.blind || options.re_review),
            screen: ScreenState::new(options.mouse),
            options,
            keymap,
            entries: Vec::new(),
            queue,
            current: 0,
            doc: OpenDocument::default(),
            keys: PendingKeys::default(),
            waits: Waits::default(),
            saves: SaveQueue::default(),
            background: BackgroundWork::default(),
            sitting: SittingLog::default(),
            now: 0,
            clock_lag: 0,
        }
    }

    /// The pane of an end.
    pub fn pane(&self, end: End) -> PaneState {
        match end {
            _ if self.screen.view_options.whole_text => self.doc.whole,
            End::Start => self.doc.head,
            End::End => self.doc.tail,
        }
    }

    /// The active pane.
    pub(super) fn pane_mut(&mut self) -> &mut PaneState {
        match self.doc.end {
            _ if self.screen.view_options.whole_text => &mut self.doc.whole,
            End::Start => &mut self.doc.head,
            End::End => &mut self.doc.tail,
        }
    }

    /// The line of the cursor in the active pane.
    pub fn cursor_line(&self) -> u32 {
        let row = self.doc.rows.get(self.pane(self.doc.end).cursor);
        row.map_or(1, |row| row.first())
    }

    /// Other books with the line of the cursor, if they were searched for.
    pub fn line_neighbours(&self) -> Option<&LineNeighbours> {
        let near = self.background.occurrences.neighbours.as_ref()?;
        let page = &self.doc.open.as_ref()?.page;
        let here = near.book == self.current;
        (here && near.query == OccurrenceQuery::line(page, self.cursor_line())).then_some(near)
    }

    /// The entry of the current book.
    pub fn entry(&self) -> Option<&QueueEntry> {
        self.entries.get(self.current)
    }

    /// A book as one line of a list: its standing, its doubt where it may be shown, its names.
    pub fn list_label(&self, book: usize) -> String {
        let entry = self.visible_entry(book);
        entry.map_or_else(String::new, |entry| entry.list_label(!self.modes.blind))
    }

    /// A book as lists show it. What was decided of a book of the sample before it is examined tells which books are
    /// control, and what to find in the others: it is not shown.
    pub fn visible_entry(&self, book: usize) -> Option<Cow<'_, QueueEntry>> {
        let entry = self.entries.get(book)?;
        if !self.modes.is_unreviewed_in_sample(book) || entry.unreadable.is_some() {
            return Some(Cow::Borrowed(entry));
        }
        Some(Cow::Owned(QueueEntry {
            status: ReviewStatus::Undecided,
            hard: false,
            flags: Vec::new(),
            ..entry.clone()
        }))
    }

    /// Books with a verdict, and books that can be decided.
    pub fn decided_and_decidable(&self) -> (usize, usize) {
        let decided = self
            .entries
            .iter()
            .filter(|entry| entry.status.is_decided())
            .count();
        let readable = self
            .entries
            .iter()
            .filter(|entry| entry.status != ReviewStatus::Unreadable)
            .count();
        (decided, readable)
    }

    /// The book is there, or another one is asked for: that it takes long is true no more.
    pub(super) fn forget_slow(&mut self) {
        if self
            .waits
            .slow
            .take()
            .is_some_and(|slow| slow.is_notice_shown)
        {
            self.screen.notice = None;
        }
    }

    /// How long the open book has been on screen in this sitting, in milliseconds.
    pub(super) fn time_on_screen(&self) -> u64 {
        let before = self
            .sitting
            .time_on_screen
            .get(&self.current)
            .copied()
            .unwrap_or(0);
        let now = |open: &BookState| self.now.saturating_sub(open.opened_at);
        before + self.doc.open.as_ref().map_or(0, now)
    }

    /// Notes how long the open book has been on screen: it is left, or read again.
    pub(super) fn note_time(&mut self) {
        let total = self.time_on_screen();
        if let Some(open) = &mut self.doc.open {
            open.opened_at = self.now;
            self.sitting.time_on_screen.insert(self.current, total);
        }
    }

    /// No book is on its way to the screen and nothing to the disk: keys have their effect at once.
    pub fn is_idle(&self) -> bool {
        !self.is_waiting() && self.has_nothing_underway()
    }

    /// Keys wait, for a book or for the disk.
    pub(crate) fn is_waiting(&self) -> bool {
        self.waits.waiting.is_some() || self.saves.deferred().is_some()
    }

    /// Nothing is on its way to the disk.
    pub fn has_nothing_underway(&self) -> bool {
        self.saves.is_empty() && !self.waits.for_disk()
    }

    /// Says something on the message line.
    pub(crate) fn notify(&mut self, notice: impl Into<Notice>) {
        self.screen.notice = Some(notice.into());
    }

    /// Asks for a book, and its neighbours for later.
    pub(super) fn ask_for(&mut self, book: usize, goto: Option<PendingJump>) -> Vec<Effect> {
        self.forget_slow();
        let ticket = self.waits.for_book(book, goto, self.now);
        vec![Effect::Open { ticket, book }]
    }
}
