//! The decision on the open book, and its save state.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::dispute::Dispute;
use super::editions::EditionOffer;
use super::page::BookPage;
use super::propagation::PropagationPreview;
use endpaper_detect::{Cuts, End, InsideBlock};
use endpaper_truth::{
    Alternative, ConflictCopy, InnerBoilerplate, Record, RecordKind, Snapshot, Verdict,
};

/// Maximum number of candidates of an end that have a digit.
const DIGITS: usize = 9;

/// Everything a curator can decide about a book.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decision {
    /// What the file is.
    pub kind: RecordKind,
    /// The verdict; `Open` until one is given.
    pub verdict: Verdict,
    /// The cuts.
    pub cuts: Cuts,
    /// Lines where the cut of a second curator would be defensible too.
    pub alternatives: Vec<Alternative>,
    /// Boilerplate between the cuts.
    pub inside: Vec<InnerBoilerplate>,
    /// Marked hard.
    pub hard: bool,
    /// Why it is hard.
    pub flags: Vec<String>,
    /// A note.
    pub note: String,
    /// For each end (start, end), whether its cut has yet to be placed; only in a blind review.
    pub unplaced: [bool; 2],
}

impl Decision {
    /// The decision before any input: the proposed cuts.
    pub fn proposed(cuts: Cuts) -> Decision {
        Decision {
            cuts,
            ..Decision::default()
        }
    }

    /// The decision in a record.
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

    /// Replaces `Confirmed` or `Corrected` by the one of the two that fits the cuts.
    pub fn with_fitting_verdict(mut self, detected: Cuts) -> Decision {
        if matches!(self.verdict, Verdict::Confirmed | Verdict::Corrected) {
            self.verdict = Verdict::of_cuts(self.cuts, detected);
        }
        self
    }
}

/// Save state of the open book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SaveState {
    /// Nothing to save: equal to the file, or never changed.
    #[default]
    Clean,
    /// Changed; saved as a draft at the deadline.
    Dirty {
        /// Milliseconds since 1970.
        deadline: u64,
    },
    /// Being written.
    Saving,
    /// Saved in this sitting.
    Saved,
    /// The last save failed, for this reason.
    Failed(String),
}

/// Why nothing is saved for a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadOnly {
    /// Nothing is saved in this sitting.
    Sitting,
    /// A second look is impossible: the book is undecided, or its file has changed since.
    NoSecondLook,
    /// Its record does not parse.
    BrokenRecord {
        /// Path of the record's file.
        path: PathBuf,
        /// Where and why it does not parse.
        error: String,
    },
    /// The truth folder cannot be read or written, for this reason.
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
    /// The text, and what was computed from it.
    pub page: Arc<BookPage>,
    /// The current decision.
    pub decision: Decision,
    /// The decision in the record's file, or the proposal if there is no record.
    pub on_disk: Decision,
    /// The record as last read or written.
    pub record: Option<Box<Record>>,
    /// Contents of the record's file as last read or written.
    pub snapshot: Snapshot,
    /// Save state.
    pub save: SaveState,
    /// The record was made for other bytes; the book is shown as changed, and the record's cuts are not used as they are.
    pub changed: bool,
    /// Confidence with which the record's cuts were found in these bytes, 0 to 1.
    pub anchor_confidence: Option<f32>,
    /// Conflict copies of the record that are not settled yet.
    pub conflict_copies: Vec<ConflictCopy>,
    /// What curators decided differently, if it is adjudicated.
    pub dispute: Option<Arc<Dispute>>,
    /// Why nothing may be saved, if so.
    pub read_only: Option<ReadOnly>,
    /// The state of a blind review.
    pub blind: Option<BlindReview>,
    /// The proposal propagated from another book's decision.
    pub propagation: Option<PropagationPreview>,
    /// Candidates from examined other editions.
    pub offers: Vec<EditionOffer>,
    /// What the most useful other edition says about the cuts.
    pub edition_evidence: Vec<EditionOffer>,
    /// That edition is a near copy.
    pub is_evidence_of_copy: bool,
    /// When the book was opened, or the last input on it: time before is counted already. Milliseconds since 1970.
    pub timed_from: u64,
}

/// Whether a line is in a block.
pub fn holds(block: &InsideBlock, line: u32) -> bool {
    (block.first..=block.last).contains(&line)
}

impl BookState {
    /// The proposed cuts: the detector's, or the propagated ones.
    pub fn proposed_cuts(&self) -> Cuts {
        let run = self.propagation.as_ref().map(|run| run.cuts);
        run.unwrap_or(self.page.detection.cuts)
    }

    /// Whether the decision differs from the one on disk.
    pub fn has_unsaved_changes(&self) -> bool {
        self.decision != self.on_disk
    }

    /// Blocks between the cuts that look like boilerplate and are not marked yet, in line order. Empty while
    /// the proposal is hidden.
    pub fn proposed_inside(&self) -> impl Iterator<Item = &InsideBlock> {
        let page = &self.page;
        let start = page.cut_position(self.decision.cuts, End::Start);
        let end = page.cut_position(self.decision.cuts, End::End);
        let marked = |block: &InsideBlock| {
            let mut marked = self.decision.inside.iter();
            marked.any(|marked| marked.first <= block.last && block.first <= marked.last)
        };
        let all = page.boilerplate_blocks();
        all.filter(move |block| {
            !self.hides_proposal() && block.first >= start && block.last < end && !marked(block)
        })
    }

    /// Lines before which the digits 1 to 9 put the cut of an end: offers of other editions and the best candidates, in line order,
    /// then what the most useful other edition says.
    /// Empty while the proposal is hidden, and in an adjudication, where digits are opinions.
    pub fn digit_positions(&self, end: End) -> Vec<u32> {
        if self.hides_proposal() || self.dispute.is_some() {
            return Vec::new();
        }
        let offers = self.offers.iter().filter(|offer| offer.end == end);
        let ranked = self.page.ranked_positions(end);
        let mut places: Vec<u32> = Vec::with_capacity(DIGITS);
        // The best candidate comes first and keeps its digit.
        let first = ranked.first().copied();
        let all = first.into_iter().chain(offers.map(|offer| offer.position));
        for place in all.chain(ranked) {
            if places.len() < DIGITS && !places.contains(&place) {
                places.push(place);
            }
        }
        places.sort_unstable();
        // What comes later changes no digit that is on screen.
        let evidence = self
            .edition_evidence
            .iter()
            .filter(|offer| offer.end == end);
        for place in evidence.map(|offer| offer.position) {
            if places.len() < DIGITS && !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }

    /// What an edition says, after the digit that puts the cut there: the place may be far from what is on screen.
    pub fn words_of(&self, offer: &EditionOffer) -> String {
        let digits = self.digit_positions(offer.end);
        match digits.iter().position(|&place| place == offer.position) {
            Some(at) => format!("{}: {}", at + 1, offer.why),
            None => offer.why.clone(),
        }
    }
}

/// The state of a blind review.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlindReview {
    /// The book is already decided, and this is a second look.
    pub is_second_look: bool,
    /// The curator's cuts when the proposal was revealed; `None` while it is hidden.
    pub cuts_before_reveal: Option<Cuts>,
}

impl Decision {
    /// The decision before any input in a blind review: no cut is placed.
    pub fn unplaced() -> Decision {
        Decision {
            unplaced: [true; 2],
            ..Decision::default()
        }
    }

    /// Whether both cuts are placed.
    pub fn is_placed(&self) -> bool {
        self.unplaced == [false; 2]
    }
}

impl BookState {
    /// Whether the detector's proposal must not be shown.
    pub fn hides_proposal(&self) -> bool {
        self.blind
            .is_some_and(|blind| blind.cuts_before_reveal.is_none())
    }

    /// Whether this is a second look.
    pub fn is_second_look(&self) -> bool {
        self.blind.is_some_and(|blind| blind.is_second_look)
    }

    /// Whether the proposal was never revealed, or the cuts have not moved since.
    pub fn is_blind(&self) -> bool {
        self.blind.is_some_and(|blind| {
            blind
                .cuts_before_reveal
                .is_none_or(|cuts| cuts == self.decision.cuts)
        })
    }

    /// Whether it can be saved as a draft: both cuts are placed, and it is not a second look, which never changes the outcome.
    pub fn can_be_drafted(&self) -> bool {
        !self.is_second_look() && self.decision.is_placed()
    }
}
