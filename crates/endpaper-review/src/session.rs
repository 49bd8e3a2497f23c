//! The state of the screen, divided into parts that each hold related data and methods.

mod after_verdict;
mod background;
mod bulk;
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
pub(crate) use bulk::{BulkRun, BulkTally, BulkUndo, BulkWork, LeftOut};
pub use document::{OpenDocument, PaneState};
pub(crate) use keys::PendingKeys;
pub use modes::ModeState;
pub(crate) use modes::Replay;
pub(crate) use notice::{
    Anchoring, BlindNotice, BulkNotice, CutNotice, DisputeNotice, FileChange, KeyNotice,
    MarkNotice, ModeRefusal, News, Notice, PageNotice, QueueNotice, RecordNotice, ReplayNotice,
    SaveNotice, SavedAs, Tone, UndoNotice,
};
pub(crate) use saves::{AfterSave, BulkSave, Deferred, PendingSave, SaveOutcome, SaveQueue};
pub use screen::ScreenState;
pub use sitting::SittingTally;
pub(crate) use sitting::{IDLE_LIMIT, SittingLog};
pub(crate) use waits::{PendingJump, Waiting, Waits};

/// Options that are constant during a sitting.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// Name of the curator.
    pub curator: String,
    /// Name of the sitting, for the reviews.
    pub sitting: String,
    /// Whether nothing is ever saved.
    pub read_only: bool,
    /// Name of the detector, for the reviews.
    pub detector: String,
    /// Digest of the model, for the reviews.
    pub model: String,
    /// The labelling policy, for the records: which kinds of blocks belong to the book.
    pub policy: Policy,
    /// Names of the themes, in the order that `t` cycles through.
    pub themes: Vec<String>,
    /// Id of the first book to show: the last one of the previous sitting.
    pub resume: Option<String>,
    /// Whether the sitting adjudicates, which its reviews record.
    pub adjudicates: bool,
    /// Whether the sitting begins with blind review.
    pub blind: bool,
    /// Whether decided books come up again, for a blind second look.
    pub re_review: bool,
    /// Whether the mouse is captured at the start.
    pub mouse: bool,
    /// Whether the detector learns from verdicts.
    pub learning: bool,
}

/// The whole state of the screen. `view` reads its fields, and only [`super::update()`] writes them.
#[derive(Clone, Debug)]
pub struct Session {
    /// Options of the sitting.
    pub(crate) options: SessionOptions,
    /// The key bindings.
    pub(crate) keymap: Keymap,
    /// All books, in id order.
    pub(crate) entries: Vec<QueueEntry>,
    /// The books that come up, in order.
    pub(crate) queue: Queue,
    /// Index of the book on screen, or of the one being opened.
    pub(crate) current: usize,
    /// The open document.
    pub doc: OpenDocument,
    /// The screen.
    pub screen: ScreenState,
    /// Pending key input.
    pub(crate) keys: PendingKeys,
    /// The modes that differ from normal review.
    pub modes: ModeState,
    /// Records being saved.
    pub(crate) saves: SaveQueue,
    /// A mark being set on many books, or taken back.
    pub(crate) bulk: Option<BulkWork>,
    /// Answers that the session waits for.
    pub(crate) waits: Waits,
    /// Requests to the background workers, and their results.
    pub background: BackgroundWork,
    /// Results of the sitting.
    pub(crate) sitting: SittingLog,
    /// The clock, milliseconds since 1970; set before each message.
    pub now: u64,
    /// By how much the system clock lags behind `now`, which is monotonic: reviews carry the system time.
    pub(crate) clock_lag: u64,
}

/// The contents of the header line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Headline {
    /// Position in the queue, from 1; 0 if the filter hides the book.
    pub position: usize,
    /// Number of books in the queue.
    pub total: usize,
    /// Short name of the file.
    pub name: String,
    /// Title.
    pub title: String,
    /// Producer of the file.
    pub producer: String,
    /// Rank of its template; 0 if it has none.
    pub template: u32,
    /// Number of books of the template, including this one.
    pub siblings: usize,
    /// Number of decided books of the template.
    pub decided: usize,
    /// Whether there are several decided books of the template, and they agree.
    pub agree: bool,
    /// Number of near copies in the corpus, and how many of them are decided.
    pub copies: (usize, usize),
    /// What a curator must see before all else: conflicts, disagreements, a hard case, a changed file.
    pub warnings: Vec<String>,
    /// The profile that the open book is cut by; empty while that is hidden, and for a detector without profiles.
    pub profile: String,
    /// Doubt.
    pub doubt: Option<f32>,
    /// Number of the two cuts that have been on screen.
    pub ends_seen: usize,
    /// Save state: saved, draft, unsaved ...
    pub saved: &'static str,
    /// Verdict, kind and flags, for a decided or flagged book.
    pub status: String,
    /// For a propagated proposal: the name of the decided book, the index of this book in the batch, and the size of the batch.
    pub propagation: Option<(String, usize, usize)>,
}

impl Session {
    /// A session without books; [`super::Message::Entries`] adds them.
    pub fn new(options: SessionOptions, queue: Queue, keymap: Keymap) -> Session {
        Session {
            // An adjudicator needs to see the opinions.
            modes: ModeState::new(!options.adjudicates && (options.blind || options.re_review)),
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
            bulk: None,
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

    /// Other books with the line of the cursor, if they have been searched for.
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

    /// The book as one line of a list: its status, its doubt if it may be shown, its names.
    pub fn list_label(&self, book: usize) -> String {
        let entry = self.visible_entry(book);
        entry.map_or_else(String::new, |entry| entry.list_label(!self.modes.blind))
    }

    /// A book as lists show it. For an unexamined book of the sample the earlier decision is hidden: it would reveal whether the book
    /// is a control, and the decision to repeat.
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

    /// Number of books with a verdict, and of books that can be decided.
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

    /// Removes the notice that a book takes long to open, as it is open or another one was requested.
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

    /// Time spent on the open book in this sitting, in milliseconds: all its visits up to now, each pause between two inputs
    /// counted for at most [`IDLE_LIMIT`].
    pub(super) fn time_on_screen(&self) -> u64 {
        let before = self
            .sitting
            .time_on_screen
            .get(&self.current)
            .copied()
            .unwrap_or(0);
        let now = |open: &BookState| self.now.saturating_sub(open.timed_from).min(IDLE_LIMIT);
        before + self.doc.open.as_ref().map_or(0, now)
    }

    /// Adds up the time on screen of the open book: at each input, and when it is left or read again.
    pub(super) fn note_time(&mut self) {
        let total = self.time_on_screen();
        if let Some(open) = &mut self.doc.open {
            open.timed_from = self.now;
            self.sitting.time_on_screen.insert(self.current, total);
        }
    }

    /// Whether no book is being opened and nothing is being saved, so that keys take effect at once.
    pub fn is_idle(&self) -> bool {
        !self.is_waiting() && self.has_nothing_underway()
    }

    /// Whether keys wait for a book, a save or a mark of many books.
    pub(crate) fn is_waiting(&self) -> bool {
        self.waits.waiting.is_some() || self.saves.deferred().is_some() || self.bulk.is_some()
    }

    /// Whether nothing is being saved.
    pub fn has_nothing_underway(&self) -> bool {
        let undoing = matches!(self.bulk, Some(BulkWork::Undoing(_)));
        self.saves.is_empty() && !self.waits.for_disk() && !undoing
    }

    /// Shows a notice in the message line.
    pub(crate) fn notify(&mut self, notice: impl Into<Notice>) {
        self.screen.notice = Some(notice.into());
    }

    /// Requests a book.
    pub(super) fn ask_for(&mut self, book: usize, goto: Option<PendingJump>) -> Vec<Effect> {
        self.forget_slow();
        let ticket = self.waits.for_book(book, goto, self.now);
        vec![Effect::Open { ticket, book }]
    }
}
