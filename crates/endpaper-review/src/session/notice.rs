//! What the message line can say. The view words it: [`crate::view::notices`].

use crate::action::Action;
use crate::chord::Chord;
use crate::decision::ReadOnly;
use crate::entry::ReviewStatus;
use crate::queue::QueueOrder;
use endpaper_detect::End;
use endpaper_truth::Verdict;
use endpaper_truth::anchor::Refusal;

/// How serious a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// What happened.
    Plain,
    /// Something was saved.
    Good,
    /// Something to look at.
    Warning,
    /// Something failed.
    Error,
}

macro_rules! notices {
    ($($(#[$doc:meta])* $variant:ident($type:ty),)*) => {
        /// The message line.
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) enum Notice {
            $($(#[$doc])* $variant($type),)*
            /// Something that is worth a line, behind what was said before.
            Behind(Option<Box<Notice>>, News),
            /// What the program outside wants to say.
            Outside(String),
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
    /// The mode refuses something.
    Refused(ModeRefusal),
    /// Of keys and clicks.
    Key(KeyNotice),
    /// Of the queue and its books.
    Queue(QueueNotice),
    /// Of moving and looking.
    Page(PageNotice),
    /// Of the cuts.
    Cut(CutNotice),
    /// Of all else that is said of a book.
    Mark(MarkNotice),
    /// Of what is hidden.
    Blind(BlindNotice),
    /// Of the way to the disk.
    Save(SaveNotice),
    /// Of undo and redo.
    Undo(UndoNotice),
    /// Of the record of a book that comes on screen.
    Record(RecordNotice),
    /// Of a replay.
    Replay(ReplayNotice),
}

/// News that stay behind what was said before.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum News {
    /// The cuts of a decision would be right in so many copies and other books. Its book, and how that is decided now.
    Propagates {
        name: String,
        status: ReviewStatus,
        copies: usize,
        others: usize,
    },
    /// So many cuts changed after so many verdicts.
    Learned { cuts: usize, verdicts: usize },
    /// Learning failed.
    NotLearned(String),
}

/// Why something is not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ModeRefusal {
    /// The replay only looks.
    ReplayIsReadOnly,
    /// A second look cannot be taken up from a replay.
    NotCorrected,
    /// What came before a decision was taken up is another decision.
    NothingChangedSince,
    /// The heat map shows the cuts of all books.
    MapShowsCuts,
    /// The detector's cut is hidden.
    CutIsHidden,
    /// Candidates are hidden: the cut is placed by the cursor.
    CandidatesHidden(End),
    /// All books of a sample come up.
    SampleIsWhole,
    /// A sample is always blind.
    SampleIsBlind,
    /// A second look is always blind.
    SecondLookIsBlind,
    /// A second look says nothing else.
    OnlyCuts,
    /// Nothing is proposed from other books.
    NoPropagation,
    /// The open book is not written: why.
    ReadOnly(ReadOnly),
    /// The heat map has no such action.
    NotOnMap(Action),
}

/// The file itself changed, or the reader that made its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileChange {
    /// Its bytes are other ones.
    Bytes,
    /// Its text was made by another reader.
    Reader { decided: String, now: String },
}

/// What became of the cuts of a record in a text that changed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Anchoring {
    /// They were not looked for.
    NotTried(FileChange),
    /// Both were found again, with this much confidence; so many other marks were not.
    Found {
        change: FileChange,
        confidence: f32,
        lost: usize,
    },
    /// The cut of one end was not found.
    CutLost(FileChange, End, Refusal),
    /// Neither was.
    CutsLost(FileChange, Refusal),
}

/// Of keys and clicks.
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

/// Of the queue and its books.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum QueueNotice {
    /// What there is no other of.
    NoOther(&'static str),
    /// The queue was narrowed, widened or ordered.
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
    /// No book is left to decide; what was saved before.
    NoneLeft {
        saved: Option<Box<Notice>>,
        this_is_open: bool,
        decided: usize,
        readable: usize,
    },
    NoneUndecidedOnMap,
    HiddenOnMap,
    ProposedAgain,
    /// A book takes long to be read.
    Slow {
        name: String,
        seconds: u64,
    },
    StillLookingForCopies,
    NothingToBringUp,
    DecidedMeanwhile,
    BroughtUp {
        copies: usize,
        others: usize,
    },
    Searching(String),
    SearchFailed(String),
    NotFound(String),
    Found(String),
}

/// Of moving and looking.
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
    NoSkeletons,
    NoOtherBook,
    NoJump,
    /// Where a jump led to: a line, or a book.
    Jumped(Option<u32>),
    CameBack,
    NoOutline,
    OutlineEmpty,
    OnlyEdition,
    NoEditionYet,
    NothingDiffers(End),
    NoGrams,
    ShadedByLine,
    ShadedByGrams(u32),
    AllLinesShown,
    Theme(String),
    /// A line was copied, or the book's id.
    Copied(Option<u32>),
    Mouse(bool),
}

/// Of the cuts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CutNotice {
    /// There are fewer candidates.
    Candidates(usize),
    /// The action leads nowhere.
    Nowhere(Action),
    AlreadyThere,
    NoBodyLeft,
    NotSeenYet,
}

/// Of all else that is said of a book.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MarkNotice {
    /// With the reasons.
    Hard(Vec<String>),
    /// With the reasons that stay.
    NotHard(Vec<String>),
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

/// Of what is hidden.
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
    /// A second look was saved: the lines it differs by, and what was decided before.
    SecondLook {
        name: String,
        lines: Option<u32>,
        before: Verdict,
    },
    /// Every book of the sample was looked at.
    SampleDone(String),
    /// No book is left for a second look; what was said before.
    NoneLeft {
        before: Option<Box<Notice>>,
        looked: usize,
    },
}

/// How a saved book was decided.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SavedAs {
    Verdict(Verdict),
    Body(Verdict, (u32, u32)),
    Sample(String),
}

/// Of the way to the disk.
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

/// Of undo and redo.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum UndoNotice {
    Nothing,
    BeingSaved,
    Failed(String),
    Undid(String),
    NothingToRedo,
    RedoHere,
    Redid(String),
}

/// Of the record of a book that comes on screen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RecordNotice {
    /// The same text is decided under another id.
    Elsewhere {
        book: String,
        verdict: Verdict,
    },
    /// Nothing can be written: why.
    ReadOnly(ReadOnly),
    /// The file or its text changed since it was decided.
    Changed(Anchoring),
    /// So many other versions of the record.
    ConflictCopies(usize),
    NoVersions,
    ConflictCopiesWait,
    SettleAgain,
    NothingToKeep,
    OfOtherBytes,
}

/// Of a replay.
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
    /// What was said before and is to be said once more in front of this: the word on a save, where no book is left.
    pub(crate) fn previous_notice(&self) -> Option<&Notice> {
        match self {
            Notice::Queue(QueueNotice::NoneLeft { saved: before, .. })
            | Notice::Blind(BlindNotice::NoneLeft { before, .. }) => before.as_deref(),
            _ => None,
        }
    }

    /// How serious it is.
    pub(crate) fn tone(&self) -> Tone {
        match self {
            Notice::Refused(refusal) => refusal.tone(),
            Notice::Key(notice) => notice.tone(),
            Notice::Queue(notice) => notice.tone(),
            Notice::Page(PageNotice::NoMatch(_)) => Tone::Warning,
            Notice::Cut(
                CutNotice::Candidates(_) | CutNotice::Nowhere(_) | CutNotice::NoBodyLeft,
            ) => Tone::Warning,
            Notice::Mark(MarkNotice::AlternativeIsCut | MarkNotice::NotInside) => Tone::Warning,
            Notice::Page(_) | Notice::Cut(_) | Notice::Mark(_) | Notice::Replay(_) => Tone::Plain,
            Notice::Blind(notice) => notice.tone(),
            Notice::Save(notice) => notice.tone(),
            Notice::Undo(notice) => notice.tone(),
            Notice::Record(notice) => notice.tone(),
            Notice::Behind(_, News::Propagates { .. }) => Tone::Good,
            Notice::Behind(..) => Tone::Plain,
            Notice::Outside(_) => Tone::Warning,
        }
    }

    /// A warning or an error: no news take its place.
    pub(crate) fn is_warning(&self) -> bool {
        matches!(self.tone(), Tone::Warning | Tone::Error)
    }
}

impl KeyNotice {
    fn tone(&self) -> Tone {
        match self {
            KeyNotice::OnlyOnMap | KeyNotice::OnlyInLists(_) | KeyNotice::CountBegun => Tone::Plain,
            _ => Tone::Warning,
        }
    }
}

impl QueueNotice {
    fn tone(&self) -> Tone {
        match self {
            QueueNotice::NoneLeft { .. } => Tone::Good,
            QueueNotice::Empty { .. } | QueueNotice::HiddenOnMap | QueueNotice::SearchFailed(_) => {
                Tone::Warning
            }
            _ => Tone::Plain,
        }
    }
}

impl BlindNotice {
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
    fn tone(&self) -> Tone {
        match self {
            UndoNotice::BeingSaved => Tone::Warning,
            UndoNotice::Failed(_) => Tone::Error,
            _ => Tone::Plain,
        }
    }
}

impl RecordNotice {
    fn tone(&self) -> Tone {
        match self {
            RecordNotice::NoVersions => Tone::Plain,
            RecordNotice::ReadOnly(_) => Tone::Error,
            _ => Tone::Warning,
        }
    }
}

impl ModeRefusal {
    fn tone(&self) -> Tone {
        match self {
            ModeRefusal::ReadOnly(_) => Tone::Error,
            ModeRefusal::NothingChangedSince
            | ModeRefusal::SampleIsBlind
            | ModeRefusal::SecondLookIsBlind
            | ModeRefusal::NoPropagation => Tone::Plain,
            _ => Tone::Warning,
        }
    }
}
