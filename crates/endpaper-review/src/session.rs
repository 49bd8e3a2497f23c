//! All that the screen shows, made of parts: each keeps what belongs together, and what it can answer alone.

mod document;
mod keys;
mod screen;
mod waits;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::blind::Blind;
use super::corpus_search::CorpusSearch;
use super::decision::BookState;
use super::decision::Decision;
use super::entry::{Entry, Standing};
use super::heat::Heat;
use super::history::History;
use super::keymap::Keymap;
use super::learning::Learning;
use super::message::Effect;
use super::occurrences::{Near, Occurrences, Sought};
use super::queue::Queue;
use super::runs::Runs;
use super::sampling::Sampling;
use super::trail::Trail;
use super::update::{Goto, Held, Parcel, Replay};
use endpaper_detect::{End, Policy};
use endpaper_text::words::plain;

pub use document::{OpenDocument, Pane};
pub(crate) use keys::KeyInput;
pub use screen::{Notice, ScreenState, Tone};
pub(crate) use waits::{Waiting, Waits};

/// What does not change during a sitting.
#[derive(Clone, Debug, Default)]
pub struct Options {
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
    pub again: bool,
    /// The program begins with the mouse.
    pub mouse: bool,
    /// Verdicts of this sitting after which it is learnt from them, and after as many again; `None`: never.
    pub learn_after: Option<usize>,
}

/// How far a background pass is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is done: `reading`, `counting`, `detecting`.
    pub step: String,
    /// Books done.
    pub done: usize,
    /// Books in all.
    pub total: usize,
}

/// What this sitting brought.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Books with a verdict given in this sitting.
    pub decided: BTreeSet<usize>,
    /// Those corrected.
    pub corrected: BTreeSet<usize>,
    /// Those marked hard.
    pub hard: BTreeSet<usize>,
    /// Those that came up with the change of another book's correction.
    pub propagated: BTreeSet<usize>,
    /// Files written, relative to the truth folder.
    pub files: BTreeSet<PathBuf>,
    /// Books that were decided, each once, the newest last.
    pub recent: Vec<usize>,
    /// Second looks: by how many lines they differ from the decision before; `None`: in what the file is.
    pub again: BTreeMap<usize, Option<u32>>,
}

/// All that the screen shows. Fields are read by `view`, written only by [`super::update`].
#[derive(Clone, Debug)]
pub struct Session {
    /// What does not change.
    pub options: Options,
    /// The keys.
    pub keymap: Keymap,
    /// All books, in id order.
    pub entries: Vec<Entry>,
    /// The order in which they come up.
    pub queue: Queue,
    /// Index of the book on screen (or on its way).
    pub current: usize,
    /// The open document.
    pub doc: OpenDocument,
    /// The heat map, which covers the page while it is shown.
    pub heat: Heat,
    /// Where lines stand in the corpus.
    pub occurrences: Occurrences,
    /// What is searched for in all books.
    pub corpus_search: CorpusSearch,
    /// Where the curator was before jumps to other places.
    pub(super) trail: Trail,
    /// The screen.
    pub screen: ScreenState,
    /// What was typed.
    pub(crate) keys: KeyInput,
    /// Nothing is proposed before both cuts are placed.
    pub blind: bool,
    /// What was said of blind books that were left without a verdict.
    pub(super) veils: BTreeMap<usize, (Decision, Blind)>,
    /// Books whose proposals were on screen: they cannot be reviewed blind any more.
    pub(super) laid_open: BTreeSet<usize>,
    /// Only the books of a sample come up.
    pub sampling: Option<Sampling>,
    /// The last decisions are replayed.
    pub replay: Option<Replay>,
    /// How books were drawn that did not come up in the order of the queue.
    pub(super) drawn: BTreeMap<usize, &'static str>,
    /// Books that came up in the order of names, or are about to, because the corpus was not read yet.
    pub(super) by_name: BTreeSet<usize>,
    /// How long books were on screen that were left or read again, in milliseconds.
    pub(super) shown: BTreeMap<usize, u64>,
    /// The clock, milliseconds since 1970; set before each message.
    pub now: u64,
    /// How far the system's clock stands behind `now`, which is never put back: reviews carry the system's time.
    pub behind: u64,
    /// A background pass over the corpus.
    pub progress: Option<Progress>,
    /// What was learnt from this sitting's verdicts.
    pub(super) learning: Learning,
    /// What was corrected, looked for in other books.
    pub(super) runs: Runs,
    /// What this sitting brought.
    pub tally: Tally,
    /// Undo and redo.
    pub(super) history: History,
    /// Books whose last save failed and that were left all the same.
    pub unsaved: BTreeSet<usize>,
    /// What is waited for.
    pub(crate) waits: Waits,
    /// Records on their way to the disk.
    pub(super) parcels: Vec<Parcel>,
    /// Records that could not be saved, to be tried again.
    pub(super) failed: Vec<Parcel>,
    /// When to try again, milliseconds since 1970.
    pub(super) retry_at: u64,
    /// What waits for a draft of the current book.
    pub(super) held: Option<Held>,
    /// A failed save was reported; a second Enter goes on.
    pub(super) warned: bool,
    /// The program is to end as soon as nothing is on its way.
    pub(super) quitting: bool,
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
    pub hand: String,
    /// Rank of its template; 0: none.
    pub template: u32,
    /// Books of the template, itself included.
    pub siblings: usize,
    /// How many of them are decided.
    pub decided: usize,
    /// Whether all decided ones were decided alike; `None` with fewer than two.
    pub alike: Option<bool>,
    /// Near copies of the book in the corpus, and how many of them are decided.
    pub copies: (usize, usize),
    /// One of them is cut at other words.
    pub differ: bool,
    /// Doubt.
    pub doubt: Option<f32>,
    /// How many of the two cuts have been on screen.
    pub ends_seen: usize,
    /// Saved, draft, unsaved ...
    pub saved: &'static str,
    /// Verdict, kind and flags in words, for a decided or marked book.
    pub standing: String,
    /// The book whose correction is proposed here too, the place in its run, and how many books are in it.
    pub run: Option<(String, usize, usize)>,
}

impl Session {
    /// A session over no books yet; [`super::Message::Entries`] brings them.
    pub fn new(options: Options, queue: Queue, keymap: Keymap) -> Session {
        Session {
            screen: ScreenState::new(options.mouse),
            blind: options.blind || options.again,
            veils: BTreeMap::new(),
            laid_open: BTreeSet::new(),
            sampling: None,
            replay: None,
            drawn: BTreeMap::new(),
            by_name: BTreeSet::new(),
            shown: BTreeMap::new(),
            options,
            keymap,
            entries: Vec::new(),
            queue,
            current: 0,
            doc: OpenDocument::default(),
            heat: Heat::default(),
            occurrences: Occurrences::default(),
            corpus_search: CorpusSearch::default(),
            trail: Trail::default(),
            keys: KeyInput::default(),
            now: 0,
            behind: 0,
            progress: None,
            learning: Learning::default(),
            runs: Runs::default(),
            tally: Tally::default(),
            history: History::default(),
            unsaved: BTreeSet::new(),
            waits: Waits::default(),
            parcels: Vec::new(),
            failed: Vec::new(),
            retry_at: 0,
            held: None,
            warned: false,
            quitting: false,
        }
    }

    /// The pane of an end.
    pub fn pane(&self, end: End) -> Pane {
        match end {
            _ if self.screen.wish.whole_text => self.doc.whole,
            End::Start => self.doc.head,
            End::End => self.doc.tail,
        }
    }

    /// The active pane.
    pub(super) fn pane_mut(&mut self) -> &mut Pane {
        match self.doc.end {
            _ if self.screen.wish.whole_text => &mut self.doc.whole,
            End::Start => &mut self.doc.head,
            End::End => &mut self.doc.tail,
        }
    }

    /// The line of the cursor in the active pane.
    pub fn cursor_line(&self) -> u32 {
        let row = self.doc.rows.get(self.pane(self.doc.end).cursor);
        row.map_or(1, |row| row.first())
    }

    /// Other books with the line of the cursor, if they were looked for.
    pub fn near(&self) -> Option<&Near> {
        let near = self.occurrences.near.as_ref()?;
        let page = &self.doc.open.as_ref()?.page;
        let here = near.book == self.current;
        (here && near.sought == Sought::line(page, self.cursor_line())).then_some(near)
    }

    /// The entry of the current book.
    pub fn entry(&self) -> Option<&Entry> {
        self.entries.get(self.current)
    }

    /// A book as one line of a list: its standing, its doubt where it may be shown, its names.
    pub fn in_a_list(&self, book: usize) -> String {
        let entry = self.shown(book);
        entry.map_or_else(String::new, |entry| entry.in_a_list(!self.blind))
    }

    /// A book as lists show it. What was decided of a book of the sample before it is looked at tells which books are
    /// planted, and what to find in the others: it is not shown.
    pub fn shown(&self, book: usize) -> Option<Cow<'_, Entry>> {
        let entry = self.entries.get(book)?;
        if !self.waits_in_sample(book) || entry.unreadable.is_some() {
            return Some(Cow::Borrowed(entry));
        }
        Some(Cow::Owned(Entry {
            standing: Standing::Undecided,
            hard: false,
            flags: Vec::new(),
            ..entry.clone()
        }))
    }

    /// Whether a book is one of a sample and nobody has looked at it.
    pub fn waits_in_sample(&self, book: usize) -> bool {
        let sampling = self.sampling.as_ref();
        sampling.is_some_and(|sampling| sampling.waits(book))
    }

    /// Books with a verdict, and books that can be decided.
    pub fn done(&self) -> (usize, usize) {
        let decided = self
            .entries
            .iter()
            .filter(|entry| entry.standing.is_decided())
            .count();
        let readable = self
            .entries
            .iter()
            .filter(|entry| entry.standing != Standing::Unreadable)
            .count();
        (decided, readable)
    }

    /// The book is there, or another one is asked for: that it takes long is true no more.
    pub(super) fn forget_slow(&mut self) {
        if self.waits.slow.take().is_some_and(|slow| slow.shown) {
            self.screen.notice = None;
        }
    }

    /// How long the open book has been on screen in this sitting, in milliseconds.
    pub(super) fn on_screen(&self) -> u64 {
        let before = self.shown.get(&self.current).copied().unwrap_or(0);
        let now = |open: &BookState| self.now.saturating_sub(open.opened_at);
        before + self.doc.open.as_ref().map_or(0, now)
    }

    /// Notes how long the open book has been on screen: it is left, or read again.
    pub(super) fn note_time(&mut self) {
        let total = self.on_screen();
        if let Some(open) = &mut self.doc.open {
            open.opened_at = self.now;
            self.shown.insert(self.current, total);
        }
    }

    /// No book is on its way to the screen and nothing to the disk: keys have their effect at once.
    pub fn is_idle(&self) -> bool {
        self.waits.waiting.is_none() && self.held.is_none() && self.is_settled()
    }

    /// Nothing is on its way to the disk.
    pub fn is_settled(&self) -> bool {
        self.parcels.is_empty() && !self.waits.for_disk()
    }

    pub(super) fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.screen.notice = Some(Notice {
            tone,
            text: plain(&text.into()).into_owned(),
        });
    }

    /// Asks for a book, and its neighbours for later.
    pub(super) fn ask_for(&mut self, book: usize, goto: Option<Goto>) -> Vec<Effect> {
        self.forget_slow();
        let ticket = self.waits.for_book(book, goto, self.now);
        vec![Effect::Open { ticket, book }]
    }
}
