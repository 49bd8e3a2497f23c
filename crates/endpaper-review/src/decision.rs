//! What the curator says of the open book, and how far that is on disk.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::editions::EditionOffer;
use super::page::BookPage;
use super::propagation::PropagationPreview;
use endpaper_detect::{Cuts, End, InsideBlock};
use endpaper_truth::{
    Alternative, ConflictCopy, InnerBoilerplate, Record, RecordKind, Snapshot, Verdict,
};

/// Candidates of an end that have a digit.
const DIGITS: usize = 9;

/// Everything a curator can say of a book.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decision {
    /// What the file is.
    pub kind: RecordKind,
    /// The verdict; `Open` until one is given.
    pub verdict: Verdict,
    /// The cuts.
    pub cuts: Cuts,
    /// Lines a second curator could defend.
    pub alternatives: Vec<Alternative>,
    /// Boilerplate between the cuts.
    pub inside: Vec<InnerBoilerplate>,
    /// Marked hard.
    pub hard: bool,
    /// Why it is hard.
    pub flags: Vec<String>,
    /// A note.
    pub note: String,
    /// Whether the cut of each end, start and end, is still to be placed: only in a blind review.
    pub unplaced: [bool; 2],
}

impl Decision {
    /// What is before anything was said: the proposal.
    pub fn proposed(cuts: Cuts) -> Decision {
        Decision {
            cuts,
            ..Decision::default()
        }
    }

    /// What a record says.
    pub fn of(record: &Record) -> Decision {
        Decision {
            kind: record.kind,
            verdict: record.verdict,
            cuts: record.cuts,
            alternatives: record.alternatives.clone(),
            inside: record.inside.clone(),
            hard: record.hard,
            flags: record.flags.clone(),
            note: record.note.clone(),
            unplaced: [false; 2],
        }
    }

    /// The same with a verdict that fits the cuts, where it is one that speaks of cuts.
    pub fn with_fitting_verdict(mut self, detected: Cuts) -> Decision {
        if matches!(self.verdict, Verdict::Confirmed | Verdict::Corrected) {
            self.verdict = Verdict::of_cuts(self.cuts, detected);
        }
        self
    }
}

/// How far the open book is on disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SaveState {
    /// Nothing to save: as on disk, or never touched.
    #[default]
    Clean,
    /// Changed; saved as a draft when the clock passes this many milliseconds.
    Dirty {
        /// Milliseconds since 1970.
        deadline: u64,
    },
    /// On its way to the disk.
    Saving,
    /// Saved in this sitting.
    Saved,
    /// The last save failed: why, in a sentence.
    Failed(String),
}

/// Why nothing is written of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadOnly {
    /// Nothing is, in this sitting.
    Sitting,
    /// It cannot be examined for a second time.
    NoSecondLook,
    /// Its record does not parse.
    BrokenRecord {
        /// The file.
        path: PathBuf,
        /// Where and why.
        error: String,
    },
    /// The truth folder cannot be read or written: why.
    Folder(String),
}

impl fmt::Display for ReadOnly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadOnly::Sitting => f.write_str("read-only sitting: nothing is saved"),
            ReadOnly::NoSecondLook => f.write_str(
                "no second look: the file changed since it was decided, or was never decided",
            ),
            ReadOnly::BrokenRecord { path, error } => write!(
                f,
                "'{}' does not parse ({error}): fix it; nothing is saved here until then",
                path.display()
            ),
            ReadOnly::Folder(why) => f.write_str(why),
        }
    }
}

/// The open book.
#[derive(Clone, Debug)]
pub struct BookState {
    /// Its text and what was computed from it.
    pub page: Arc<BookPage>,
    /// What is said of it now.
    pub decision: Decision,
    /// The saved cuts, flags and verdict; the proposal if there is no record.
    pub on_disk: Decision,
    /// Its record as last read or written.
    pub record: Option<Box<Record>>,
    /// The bytes of the record's file as last read or written.
    pub snapshot: Snapshot,
    /// How far it is on disk.
    pub save: SaveState,
    /// The record was made on other bytes: shown as changed, its cuts not used as they are.
    pub changed: bool,
    /// They were found again in these bytes: with how much confidence, 0..1.
    pub anchor_confidence: Option<f32>,
    /// Versions of the record that wait to be settled.
    pub conflict_copies: Vec<ConflictCopy>,
    /// Nothing may be written (the record does not parse, or `--read-only`): why.
    pub read_only: Option<ReadOnly>,
    /// It is reviewed blind.
    pub blind: Option<BlindReview>,
    /// It is shown with the change of another book's correction.
    pub propagation: Option<PropagationPreview>,
    /// Candidates that other editions gave, once they were examined.
    pub offers: Vec<EditionOffer>,
    /// Since when it is on screen without a break, milliseconds since 1970.
    pub opened_at: u64,
}

/// Whether a line is in a proposed block.
pub fn holds(block: &InsideBlock, line: u32) -> bool {
    (block.first..=block.last).contains(&line)
}

impl BookState {
    /// The cuts that were proposed on this screen: the detector's, or those of a run.
    pub fn proposed_cuts(&self) -> Cuts {
        let run = self.propagation.as_ref().map(|run| run.cuts);
        run.unwrap_or(self.page.detection.cuts)
    }

    /// Something was said of it that is not on disk.
    pub fn has_unsaved_changes(&self) -> bool {
        self.decision != self.on_disk
    }

    /// Blocks between the cuts that the detector takes for boilerplate and that are not marked, in line order. Empty while
    /// nothing may be proposed.
    pub fn proposed_inside(&self) -> impl Iterator<Item = &InsideBlock> {
        let page = &self.page;
        let start = page.cut_position(self.decision.cuts, End::Start);
        let end = page.cut_position(self.decision.cuts, End::End);
        let marked = |block: &InsideBlock| {
            let mut marked = self.decision.inside.iter();
            marked.any(|marked| marked.first <= block.last && block.first <= marked.last)
        };
        let all = page.detection.inside.iter();
        all.filter(move |block| {
            !self.hides_proposal() && block.first >= start && block.last < end && !marked(block)
        })
    }

    /// Lines before which the digits 1 to 9 would put the cut of an end, in line order: what other editions offer, and
    /// the best candidates. None while nothing may be proposed.
    pub fn digit_positions(&self, end: End) -> Vec<u32> {
        if self.hides_proposal() {
            return Vec::new();
        }
        let offers = self.offers.iter().filter(|offer| offer.end == end);
        let ranked = self.page.ranked_positions(end);
        let mut places: Vec<u32> = Vec::with_capacity(DIGITS);
        // The proposal comes first and keeps its digit.
        let first = ranked.first().copied();
        let all = first.into_iter().chain(offers.map(|offer| offer.position));
        for place in all.chain(ranked) {
            if places.len() < DIGITS && !places.contains(&place) {
                places.push(place);
            }
        }
        places.sort_unstable();
        places
    }
}

/// A book that is reviewed blind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlindReview {
    /// It is decided already, and this is a second look.
    pub is_second_look: bool,
    /// What the detector had was shown, when the curator's cuts were these.
    pub cuts_before_reveal: Option<Cuts>,
}

impl Decision {
    /// What is before anything was said in a blind review: no cut is placed.
    pub fn unplaced() -> Decision {
        Decision {
            unplaced: [true; 2],
            ..Decision::default()
        }
    }

    /// Both cuts are placed.
    pub fn is_placed(&self) -> bool {
        self.unplaced == [false; 2]
    }
}

impl BookState {
    /// What the detector proposes must not be shown.
    pub fn hides_proposal(&self) -> bool {
        self.blind
            .is_some_and(|blind| blind.cuts_before_reveal.is_none())
    }

    /// This is a second look.
    pub fn is_second_look(&self) -> bool {
        self.blind.is_some_and(|blind| blind.is_second_look)
    }

    /// Whether the proposal was never revealed, or the cuts have not moved since it was.
    pub fn is_blind(&self) -> bool {
        self.blind.is_some_and(|blind| {
            blind
                .cuts_before_reveal
                .is_none_or(|cuts| cuts == self.decision.cuts)
        })
    }

    /// Whether it can be saved as a draft: both cuts are placed, and it is not a second look, which changes no outcome.
    pub fn can_be_drafted(&self) -> bool {
        !self.is_second_look() && self.decision.is_placed()
    }
}
