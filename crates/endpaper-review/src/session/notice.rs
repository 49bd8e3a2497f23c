//! The messages of the message line. Their text is in [`crate::view::notices`].

use super::bulk::BulkTally;
use crate::action::Action;
use crate::alerts::CutAlert;
use crate::bulk::BulkMark;
use crate::chord::Chord;
use crate::decision::ReadOnly;
use crate::dispute::Untakable;
use crate::entry::ReviewStatus;
use crate::outlook::Outlook;
use crate::queue::QueueOrder;
use endpaper_detect::End;
use endpaper_truth::Verdict;
use endpaper_truth::anchor::Refusal;

/// What kind of news a message is, which determines its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    /// Something was saved.
    Good,
    Warning,
    Error,
}

macro_rules! notices {
    ($($(#[$doc:meta])* $variant:ident($type:ty),)*) => {
        /// The message line.
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) enum Notice {
            $($(#[$doc])* $variant($type),)*
            /// News, shown after the notice before it.
            WithNews(Option<Box<Notice>>, News),
            /// A message from outside the session.
            External(String),
        }

        $(impl From<$type> for Notice {
            fn from(notice: $type) -> Notice {
                Notice::$variant(notice)
            }
        }

        impl From<$type> for Box<Notice> {
            fn from(notice: $type) -> Box<Notice> {
                Box::new(Notice::$variant(notice))
            }
        })*
    };
}

notices! {
    /// The current mode refuses an action.
    Refused(ModeRefusal),
    /// About keys and clicks.
    Key(KeyNotice),
    /// About the queue and its books.
    Queue(QueueNotice),
    /// About movement and display.
    Page(PageNotice),
    /// About the cuts.
    Cut(CutNotice),
    /// About a book's annotations.
    Mark(MarkNotice),
    /// About marks for many books.
    Bulk(BulkNotice),
    /// About hidden proposals.
    Blind(BlindNotice),
    /// About the opinions of an adjudication.
    Dispute(DisputeNotice),
    /// About saving.
    Save(SaveNotice),
    /// About undo and redo.
    Undo(UndoNotice),
    /// About the record of the book that was opened.
    Record(RecordNotice),
    /// About a replay.
    Replay(ReplayNotice),
}

/// News that is added to the previous notice instead of replacing it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum News {
    /// The decision on `name`, now with `status`, would also be right in `copies` copies and `others` other books.
    Propagates {
        name: String,
        status: ReviewStatus,
        copies: usize,
        others: usize,
        /// Whether their start and their end would move.
        moved: [bool; 2],
    },
    /// Learning from `verdicts` verdicts changed `cuts` proposed cuts.
    Learned {
        cuts: usize,
        verdicts: usize,
        /// Two copies that are now cut at other words because a proposal moved, and the number of such pairs.
        apart: Option<([String; 2], usize)>,
        /// How many of the last verdicts kept the proposed cuts, and of how many.
        kept: Option<(usize, usize)>,
        /// Another cut is proposed for the open book, which keeps the one on screen until it is opened again.
        is_open_book_behind: bool,
    },
    NotLearned(String),
}

/// Why an action is refused in the present mode (replay, adjudication, sample, blind review).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ModeRefusal {
    ReplayIsReadOnly,
    /// A second look cannot be corrected in a replay.
    NotCorrected,
    /// An adjudicator needs to see the opinions.
    AdjudicationIsOpen,
    /// Nothing to undo since this decision was picked up for correction; older edits belong to other decisions.
    NothingChangedSince,
    /// The heat map always shows the cuts of all books.
    MapShowsCuts,
    /// The most doubtful book would show the doubt of the detector.
    DoubtIsHidden,
    CutIsHidden,
    /// Candidates are hidden: the cut must be placed with the cursor.
    CandidatesHidden(End),
    /// A sample cannot be filtered or reordered.
    SampleIsWhole,
    SampleIsBlind,
    SecondLookIsBlind,
    /// A second look records only the cuts.
    OnlyCuts,
    NoPropagation,
    /// In a measurement, a replay or an adjudication, marks are set in one book at a time.
    OneByOne,
    /// The record of the open book cannot be written, with the reason.
    ReadOnly(ReadOnly),
    /// The heat map does not support this action.
    NotOnMap(Action),
}

/// A change to the file, or to the reader that extracted its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileChange {
    Bytes,
    /// The text was extracted by another reader.
    Reader {
        decided: String,
        now: String,
    },
}

/// Result of relocating the cuts of a record in a changed text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Anchoring {
    NotTried(FileChange),
    /// Both cuts were found with this confidence; `lost` other marks were not.
    Found {
        change: FileChange,
        confidence: f32,
        lost: usize,
    },
    /// The cut of one end was not found.
    CutLost(FileChange, End, Refusal),
    /// Neither cut was found.
    CutsLost(FileChange, Refusal),
}

/// Messages about keys and clicks that had no effect or await more.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum KeyNotice {
    TypedTooEarly(String),
    ClickedTooEarly,
    Unknown(String),
    TakesNoCount(Action),
    OnlyOnMap,
    OnlyInLists(Action),
    NotBesideEdition(Chord),
    CountBegun,
    NoLineNumber(String),
}

/// Messages about the queue of books.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum QueueNotice {
    /// There is no other book of this kind.
    NoOther(&'static str),
    /// The queue was filtered or ordered.
    Arranged {
        count: usize,
        what: String,
        order: QueueOrder,
        by_terms: bool,
    },
    Empty {
        what: String,
    },
    OnlyBook,
    /// The undecided book with the highest doubt is opened, or is open.
    MostDoubtful {
        is_open: bool,
        outlook: Option<Outlook>,
    },
    /// It is opened, but is not doubtful.
    NoneDoubtful(Outlook),
    /// No undecided book has a known doubt.
    NoDoubtKnown,
    /// No note, flag or alternative was given in this sitting.
    NothingMarked,
    /// No book is left to decide; carries the message about the last save.
    NoneLeft {
        saved: Option<Box<Notice>>,
        this_is_open: bool,
        decided: usize,
        readable: usize,
    },
    NoneUndecidedOnMap,
    HiddenOnMap,
    ProposedAgain,
    Slow {
        name: String,
        seconds: u64,
    },
    /// No profile knows the collection, of which this many books are decided.
    UnknownCollection {
        decided: usize,
    },
    StillLookingForCopies,
    NothingToBringUp,
    DecidedMeanwhile,
    /// Two decided copies are cut at other words: the first or last lines of their bodies.
    CopiesDisagree {
        names: [String; 2],
        at_end: bool,
        lines: [u32; 2],
    },
    BroughtUp {
        copies: usize,
        others: usize,
        /// Marks inside the bodies of these books.
        marks: usize,
        /// Whether their start and their end move.
        moved: [bool; 2],
    },
    Searching(String),
    SearchFailed(String),
    NotFound(String),
    Found(String),
}

/// Messages about moving, searching and folding in the open book, and about its display.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PageNotice {
    NothingSearched,
    NoMatch(String),
    Match {
        text: String,
        at: usize,
        count: usize,
    },
    Folded,
    Unfolded,
    BlankLine,
    /// Lines with the same skeleton were asked for, which only the posterior detector computes.
    NoSkeletons,
    NoOtherBook,
    NoJump,
    /// A jump to a line, or to a book.
    Jumped(Option<u32>),
    CameBack,
    NoOutline,
    OutlineEmpty,
    /// The book, or all books, are read in this encoding from now on; `None`: as if none had been chosen.
    EncodingKept {
        name: Option<String>,
        for_all: bool,
    },
    /// No encoding can be chosen now: changes are unsaved, or a book is still being opened.
    EncodingLater,
    EncodingReadOnly,
    /// Decided books would get other line numbers.
    EncodingOfDecided,
    OnlyEdition,
    NoEditionYet,
    /// No further difference from the other edition in that direction, in the comparison at this end.
    NothingDiffers(End),
    NoGrams,
    /// Lines are shaded, by how often they occur.
    ShadedByLine,
    /// Characters are shaded that frequent n-grams of this length cover.
    ShadedByGrams(u32),
    AllLinesShown,
    Theme(String),
    /// A line was copied; `None`: the book's id.
    Copied(Option<u32>),
    Mouse(bool),
}

/// Messages about moving a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CutNotice {
    /// There are only this many candidates.
    Candidates(usize),
    /// The action has no position to move the cut to.
    Nowhere(Action),
    AlreadyThere,
    NoBodyLeft,
    NotSeenYet,
    /// This line contradicts the cut, and had not been on screen.
    Contradicted(CutAlert),
}

/// Messages about a book's annotations: hard, alternative cuts, boilerplate inside the body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MarkNotice {
    /// Marked as hard, with the reasons.
    Hard(Vec<String>),
    /// No longer marked as hard, with the reasons that remain.
    NotHard(Vec<String>),
    /// A flag was set or removed; the flags that the book has now.
    Flagged(Vec<String>),
    AlternativeIsCut,
    AlternativeAdded,
    AlternativeDropped,
    InsideUnmarked,
    NotInside,
    InsideMarked {
        lines: (u32, u32),
        kind: String,
    },
    MoreInside(usize),
    NoneProposedInside,
    ProposedInside {
        lines: (u32, u32),
        kind: String,
        at: usize,
        of: usize,
    },
}

/// Messages about marks for all books of the filtered queue.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum BulkNotice {
    /// The queue is not filtered: it has this many books.
    NotFiltered(usize),
    /// The mark is being set.
    Marking {
        mark: BulkMark,
        done: usize,
        total: usize,
    },
    Marked {
        mark: BulkMark,
        tally: BulkTally,
    },
    Undone {
        mark: BulkMark,
        tally: BulkTally,
    },
}

/// About the opinions of an adjudication; each has its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DisputeNotice {
    /// Nothing is chosen, so nothing can be kept.
    ChooseFirst,
    Taken(usize),
    /// There are only this many opinions.
    NoSuch(usize),
    Untakable(usize, Untakable),
}

/// Messages about proposals that are hidden for independent reviews.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum BlindNotice {
    FromNextBook,
    ShownAgain,
    ShownAgainHere,
    NothingHidden,
    Revealed,
    PlaceCut(End),
    Placed,
    BothPlaced,
    /// A second look was saved: by how many lines it differs, and the earlier verdict.
    SecondLook {
        name: String,
        lines: Option<u32>,
        before: Verdict,
    },
    /// Every book of the sample is reviewed.
    SampleDone(String),
    /// No book is left for a second look; carries the previous notice.
    NoneLeft {
        before: Option<Box<Notice>>,
        looked: usize,
    },
}

/// What a saved record states: a verdict, a verdict with the lines of the body, or a book of a sample.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SavedAs {
    Verdict(Verdict),
    Body(Verdict, (u32, u32)),
    Sample(String),
}

/// Messages about saving.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SaveNotice {
    Nothing,
    Saved { name: String, as_what: SavedAs },
    AfterAll(String),
    Conflict(String),
    Failed(String),
    KeptInMemory,
    ShownAsLeft,
}

/// Messages about undo and redo.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum UndoNotice {
    Nothing,
    BeingSaved,
    Failed(String),
    Undid { book: String, what: String },
    NothingToRedo,
    RedoHere,
    SecondOpinion(String),
    Redid { book: String, what: String },
}

/// Messages about the open book's record and other versions of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RecordNotice {
    /// The same text is already decided under another id.
    Elsewhere {
        book: String,
        verdict: Verdict,
    },
    /// The record cannot be written, with the reason.
    ReadOnly(ReadOnly),
    /// The file or its text changed since the decision.
    Changed(Anchoring),
    /// Number of other versions of the record.
    ConflictCopies(usize),
    NoVersions,
    ConflictCopiesWait,
    SettleAgain,
    NothingToKeep,
    OfOtherBytes,
}

/// Messages about a replay of earlier decisions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ReplayNotice {
    NothingDecided,
    First,
    Shown {
        at: usize,
        of: usize,
        verdict: Verdict,
        body: Option<(u32, u32)>,
    },
    PutRight,
    Over,
}

impl Notice {
    /// The notice shown before this one: the message about the last save, if no book is left.
    pub(crate) fn previous_notice(&self) -> Option<&Notice> {
        match self {
            Notice::Queue(QueueNotice::NoneLeft { saved: before, .. })
            | Notice::Blind(BlindNotice::NoneLeft { before, .. }) => before.as_deref(),
            _ => None,
        }
    }

    /// What kind of news the message is.
    pub(crate) fn tone(&self) -> Tone {
        match self {
            Notice::Refused(refusal) => refusal.tone(),
            Notice::Key(notice) => notice.tone(),
            Notice::Queue(notice) => notice.tone(),
            Notice::Page(PageNotice::NoMatch(_)) => Tone::Warning,
            Notice::Cut(
                CutNotice::Candidates(_)
                | CutNotice::Nowhere(_)
                | CutNotice::NoBodyLeft
                | CutNotice::Contradicted(_),
            ) => Tone::Warning,
            Notice::Mark(MarkNotice::AlternativeIsCut | MarkNotice::NotInside) => Tone::Warning,
            Notice::Page(_) | Notice::Cut(_) | Notice::Mark(_) | Notice::Replay(_) => Tone::Plain,
            Notice::Bulk(notice) => notice.tone(),
            Notice::Blind(notice) => notice.tone(),
            Notice::Dispute(DisputeNotice::Taken(_)) => Tone::Plain,
            Notice::Dispute(_) => Tone::Warning,
            Notice::Save(notice) => notice.tone(),
            Notice::Undo(notice) => notice.tone(),
            Notice::Record(notice) => notice.tone(),
            Notice::WithNews(_, News::Propagates { .. }) => Tone::Good,
            Notice::WithNews(_, News::Learned { apart: Some(_), .. }) => Tone::Warning,
            Notice::WithNews(..) => Tone::Plain,
            Notice::External(_) => Tone::Warning,
        }
    }

    /// Whether it is a warning or an error, which news does not replace.
    pub(crate) fn is_warning(&self) -> bool {
        matches!(self.tone(), Tone::Warning | Tone::Error)
    }
}

impl KeyNotice {
    /// What kind of news the message is.
    fn tone(&self) -> Tone {
        match self {
            KeyNotice::OnlyOnMap | KeyNotice::OnlyInLists(_) | KeyNotice::CountBegun => Tone::Plain,
            _ => Tone::Warning,
        }
    }
}

impl QueueNotice {
    /// What kind of news the message is.
    fn tone(&self) -> Tone {
        match self {
            QueueNotice::NoneLeft { .. } => Tone::Good,
            QueueNotice::Empty { .. }
            | QueueNotice::HiddenOnMap
            | QueueNotice::CopiesDisagree { .. }
            | QueueNotice::SearchFailed(_) => Tone::Warning,
            _ => Tone::Plain,
        }
    }
}

impl BulkNotice {
    /// What kind of news the message is.
    fn tone(&self) -> Tone {
        match self {
            BulkNotice::NotFiltered(_) => Tone::Warning,
            BulkNotice::Marking { .. } => Tone::Plain,
            BulkNotice::Marked { tally, .. } | BulkNotice::Undone { tally, .. } => {
                match (tally.unsaved, tally.left_out.len()) {
                    (1.., _) => Tone::Error,
                    (0, 1..) => Tone::Warning,
                    (0, 0) => Tone::Good,
                }
            }
        }
    }
}

impl BlindNotice {
    /// What kind of news the message is.
    fn tone(&self) -> Tone {
        match self {
            BlindNotice::PlaceCut(_) => Tone::Warning,
            BlindNotice::SecondLook { .. }
            | BlindNotice::SampleDone(_)
            | BlindNotice::NoneLeft { .. } => Tone::Good,
            _ => Tone::Plain,
        }
    }
}

impl SaveNotice {
    /// What kind of news the message is.
    fn tone(&self) -> Tone {
        match self {
            SaveNotice::Nothing => Tone::Plain,
            SaveNotice::Saved { .. } | SaveNotice::AfterAll(_) => Tone::Good,
            SaveNotice::ShownAsLeft => Tone::Warning,
            SaveNotice::Conflict(_) | SaveNotice::Failed(_) | SaveNotice::KeptInMemory => {
                Tone::Error
            }
        }
    }
}

impl UndoNotice {
    /// What kind of news the message is.
    fn tone(&self) -> Tone {
        match self {
            UndoNotice::BeingSaved => Tone::Warning,
            UndoNotice::Failed(_) => Tone::Error,
            _ => Tone::Plain,
        }
    }
}

impl RecordNotice {
    /// What kind of news the message is.
    fn tone(&self) -> Tone {
        match self {
            RecordNotice::NoVersions => Tone::Plain,
            RecordNotice::ReadOnly(_) => Tone::Error,
            _ => Tone::Warning,
        }
    }
}

impl ModeRefusal {
    /// What kind of news the message is.
    fn tone(&self) -> Tone {
        match self {
            ModeRefusal::ReadOnly(_) => Tone::Error,
            ModeRefusal::NothingChangedSince
            | ModeRefusal::SampleIsBlind
            | ModeRefusal::SecondLookIsBlind
            | ModeRefusal::AdjudicationIsOpen
            | ModeRefusal::NoPropagation => Tone::Plain,
            _ => Tone::Warning,
        }
    }
}
