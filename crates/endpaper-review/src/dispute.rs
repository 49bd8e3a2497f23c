//! What several curators decided about one book, on its page for adjudication.
//!
//! Opinions are numbered, not named, so that the choice depends on the book and not on who decided. Their order is derived
//! from the book's id, so the first opinion does not always come from the same person.

mod panel;

use std::sync::Arc;

use crate::decision::{BookState, Decision};
use crate::page::BookPage;
use endpaper_detect::{Cuts, End};
use endpaper_text::line::Key;
use endpaper_text::wording::plural;
use endpaper_truth::merge::{MergeConflict, joined_notes};
use endpaper_truth::{Record, RecordKind, Snapshot, Verdict, yaml};

/// The decision of one curator, or of several who agree.
#[derive(Clone, Debug, PartialEq)]
pub struct CuratorOpinion {
    /// Its name on the screen.
    pub name: String,
    /// The record as they left it.
    pub record: Record,
    /// The record that results if they are right.
    pub outcome: Record,
}

/// A book that curators decided differently.
#[derive(Clone, Debug, PartialEq)]
pub struct Dispute {
    /// The opinions, in the order of their numbers.
    pub opinions: Vec<CuratorOpinion>,
    /// The undecided record with every review and note, and with what is agreed on.
    pub draft: Record,
}

impl Dispute {
    /// Numbers the versions of a conflict in an order derived from the book's id; `named` adds the last curator's name.
    pub fn new(conflict: &MergeConflict, named: bool) -> Dispute {
        let mut records = conflict.opinions.clone();
        let first = Key::of(&conflict.draft.book).0 % records.len().max(1) as u64;
        records.rotate_left(first as usize);
        let mut draft = conflict.draft.clone();
        take_back_disputed(&mut draft, |field| conflict.is_disputed(field));
        if conflict.is_disputed("note") {
            draft.note = joined_notes(records.iter().map(|record| record.note.as_str()));
        }
        let opinion = |(at, record): (usize, Record)| {
            let by = record.reviews.last().map(|last| last.by.as_str());
            let name = match by.filter(|_| named) {
                Some(by) => format!("opinion {} ({by})", at + 1),
                None => format!("opinion {}", at + 1),
            };
            let outcome = conflict.outcome_of(&record);
            CuratorOpinion {
                name,
                record,
                outcome,
            }
        };
        Dispute {
            opinions: records.into_iter().enumerate().map(opinion).collect(),
            draft,
        }
    }
}

/// Before an opinion is chosen, none of them has marked anything.
fn take_back_disputed(draft: &mut Record, is_disputed: impl Fn(&str) -> bool) {
    if is_disputed("cuts") {
        draft.kind = RecordKind::Book;
    }
    if is_disputed("hard") {
        draft.hard = false;
    }
    if is_disputed("flags") {
        draft.flags.clear();
    }
    if is_disputed("alternatives") {
        draft.alternatives.clear();
    }
    if is_disputed("inside") {
        draft.inside.clear();
    }
}

/// The annotations of a record, without a verdict and cuts.
fn undecided(record: &Record) -> Decision {
    Decision {
        cuts: Cuts::default(),
        verdict: Verdict::Open,
        unplaced: [true; 2],
        ..Decision::of(record)
    }
}

/// Why an opinion cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untakable {
    /// It is about another text of the book.
    OtherText,
    /// It is a draft, without a verdict.
    Draft,
}

impl CuratorOpinion {
    /// The decision that taking this opinion gives; Enter then gives the verdict. A verdict without cuts places none.
    ///
    /// # Errors
    ///
    /// The opinion is a draft, or about another text.
    pub fn decision(&self, page: &BookPage) -> Result<Decision, Untakable> {
        let outcome = &self.outcome;
        if !outcome.is_decided_on(&page.sha256) {
            return Err(Untakable::OtherText);
        }
        let cuts = page.snap_cuts(outcome.cuts);
        match outcome.verdict {
            Verdict::Open => Err(Untakable::Draft),
            Verdict::Confirmed | Verdict::Corrected => Ok(Decision {
                cuts,
                verdict: Verdict::Open,
                ..Decision::of(outcome)
            }),
            Verdict::Undecidable | Verdict::NotABook => Ok(Decision {
                cuts,
                unplaced: [true; 2],
                ..Decision::of(outcome)
            }),
        }
    }

    /// The line before which it cuts an end; `None` without cuts of this text.
    pub fn position(&self, page: &BookPage, end: End) -> Option<u32> {
        let record = &self.record;
        let has_cuts = record.is_decided_on(&page.sha256) && record.verdict.has_cuts();
        has_cuts.then(|| page.cut_position(page.snap_cuts(record.cuts), end))
    }

    /// What it says: verdict and cuts, then annotations, each in a few words.
    pub fn words(&self, page: &BookPage) -> Vec<String> {
        let record = &self.record;
        let mut words = vec![match record.verdict {
            Verdict::Open => "draft, not decided".to_owned(),
            verdict => verdict.to_string(),
        }];
        if !record.is_decided_on(&page.sha256) {
            words.push("about another text of this book".to_owned());
        } else if record.verdict.has_cuts() {
            let cuts = page.snap_cuts(record.cuts);
            words.extend([End::Start, End::End].map(|end| cut_in_words(page, cuts, end)));
        }
        if !matches!(record.kind, RecordKind::Book | RecordKind::NotABook) {
            words.push(record.kind.to_string());
        }
        if record.hard {
            words.push("hard".to_owned());
        }
        words.extend(record.flags.iter().cloned());
        for other in &record.alternatives {
            let why = match other.why.as_str() {
                "" => String::new(),
                why => format!(" ({why})"),
            };
            words.push(format!("or {}{why}", other.line));
        }
        for block in &record.inside {
            words.push(format!(
                "inside {}-{} {}",
                block.first, block.last, block.kind
            ));
        }
        words
    }

    /// Its note, if it has one.
    pub fn note(&self) -> Option<&str> {
        Some(self.record.note.as_str()).filter(|note| !note.is_empty())
    }
}

/// Describes a cut: `body starts 260`, `no epilogue`.
fn cut_in_words(page: &BookPage, cuts: Cuts, end: End) -> String {
    let place = page.cut_position(cuts, end);
    match end {
        End::Start if cuts.preamble_end == 0 => "no preamble".to_owned(),
        End::Start => format!("body starts {place}"),
        End::End if cuts.epilogue_start.is_none() => "no epilogue".to_owned(),
        End::End => format!("epilogue starts {place}"),
    }
}

impl BookState {
    /// The opinions to choose from; empty outside an adjudication.
    pub fn curator_opinions(&self) -> &[CuratorOpinion] {
        self.dispute
            .as_ref()
            .map_or(&[], |dispute| &dispute.opinions)
    }

    /// Whether an opinion has to be chosen, or both cuts placed, before the book can be kept.
    pub fn awaits_choice(&self) -> bool {
        let chosen = self.decision.is_placed() || self.decision.verdict.is_decided();
        self.dispute.is_some() && !chosen
    }

    /// Indices of the opinions that the decision on screen repeats; notes do not count.
    pub fn chosen_opinions(&self) -> Vec<usize> {
        let own = without_note(self.decision.clone());
        let same = |opinion: &CuratorOpinion| {
            let taken = opinion.decision(&self.page).map(without_note);
            taken.is_ok_and(|taken| taken == own)
        };
        self.opinions_where(same)
    }

    /// Indices of the opinions that cut an end before a line.
    pub fn opinions_at(&self, end: End, line: u32) -> Vec<usize> {
        self.opinions_where(|opinion| opinion.position(&self.page, end) == Some(line))
    }

    /// The digit of the line: the number of the only opinion that cuts here.
    pub fn opinion_digit(&self, line: u32) -> Option<usize> {
        let here = [End::Start, End::End].map(|end| self.opinions_at(end, line));
        match here.concat()[..] {
            [opinion] => Some(opinion + 1),
            _ => None,
        }
    }

    /// The indices of the opinions for which `holds` is true.
    fn opinions_where(&self, holds: impl Fn(&CuratorOpinion) -> bool) -> Vec<usize> {
        let all = self.curator_opinions().iter().enumerate();
        let held = all.filter(|(_, opinion)| holds(opinion));
        held.map(|(at, _)| at).collect()
    }

    /// The first end that opinions cut at different lines.
    pub fn first_disputed_end(&self) -> Option<End> {
        let ends = [End::Start, End::End].into_iter();
        ends.into_iter().find(|&end| {
            let opinions = self.curator_opinions().iter();
            let mut lines = opinions.filter_map(|opinion| opinion.position(&self.page, end));
            let first = lines.next();
            lines.any(|line| Some(line) != first)
        })
    }
}

/// The parts of a decision that an opinion settles. Whether cuts were confirmed or corrected depends on what had been proposed.
fn without_note(decision: Decision) -> Decision {
    let verdict = match decision.verdict {
        verdict if verdict.has_cuts() => Verdict::Open,
        verdict => verdict,
    };
    Decision {
        note: String::new(),
        verdict,
        unplaced: [false; 2],
        ..decision
    }
}

/// The decision to begin an adjudication with: nothing is chosen. `None` if the record is already adjudicated, or a draft that
/// the adjudicator left on disk.
pub fn first_decision(record: Option<&Record>, file: &Snapshot) -> Option<Decision> {
    let record = record?;
    let on_disk = file.0.as_deref() == Some(yaml::write(record).as_bytes());
    let is_begun = record.verdict.is_decided() || on_disk;
    (!is_begun).then(|| undecided(record))
}

/// `opinion 1`, `opinions 1 and 2`.
pub fn numbers_in_words(opinions: &[usize]) -> String {
    let numbers: Vec<String> = opinions.iter().map(|at| (at + 1).to_string()).collect();
    let word = plural(numbers.len(), "opinion");
    format!("{word} {}", numbers.join(" and "))
}

/// Disputes by book id.
pub type Disputes = std::collections::HashMap<String, Arc<Dispute>>;

pub use panel::{
    PANEL_MARGIN, fitted_rows, how_to_choose, is_side_by_side, opinion_count, opinion_rows,
    opinion_width, panel_height,
};

#[cfg(test)]
mod tests;
