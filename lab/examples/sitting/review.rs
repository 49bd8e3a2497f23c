//! One sitting over one corpus.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::Result;
use endpaper_detect::frequency::Frequencies;
use endpaper_detect::pipeline::BookReport;
use endpaper_detect::posterior::{
    CrossFitPlan, Example, GroupedExample, Penalty, Profile, Regularisation, cross_fit,
    fit_from_prior,
};
use endpaper_detect::{Correction, Cuts, End, Method, Parameters, propose};
use endpaper_review::{Queue, QueueEntry, QueueOrder, ReviewStatus};
use endpaper_text::corpus::BookId;
use endpaper_text::scan::Scan;
use endpaper_truth::Verdict;

use super::keys::{Costs, KeyCosts};

/// Shares of the corpus, in percent, after whose review the remaining errors are counted.
pub const SHARES: [usize; 5] = [0, 5, 10, 20, 30];

/// Books that keep their positions in the queue.
const FIXED_AHEAD: usize = 3;
/// A cut is near if at most this many non-blank lines are between it and the right position.
const NEAR: usize = 10;
/// Books of another template and producer are searched for a correction from this doubt on.
const DOUBTFUL: f32 = 0.05;

pub struct SittingBook<'a> {
    pub report: &'a BookReport,
    pub scan: &'a Scan,
    pub example: Example,
    pub work: u64,
    pub template_rank: u32,
    pub first: u32,
    pub last: u32,
}

impl SittingBook<'_> {
    pub fn label(&self) -> Cuts {
        Cuts {
            preamble_end: self.first.saturating_sub(1),
            epilogue_start: Some(self.last.saturating_add(1)),
        }
    }

    /// Returns the number of Scan rows between a cut and the label; `None` for a label between the windows, which cannot be met.
    pub fn rows_off(&self, cuts: Cuts, end: End) -> Option<usize> {
        let rows = |line: u32| self.scan.rows.partition_point(|row| row.line < line);
        let (line, here, there) = match end {
            End::Start => (self.first, cuts.preamble_end.saturating_add(1), self.first),
            End::End => {
                let none = self.scan.lines.saturating_add(1);
                let start = cuts.epilogue_start.unwrap_or(none);
                (self.last, start, self.last.saturating_add(1))
            }
        };
        let seen = self.scan.rows.binary_search_by_key(&line, |row| row.line);
        seen.is_ok().then(|| rows(here).abs_diff(rows(there)))
    }

    /// Whether both cuts are at most `rows` rows from the label.
    fn is_within(&self, cuts: Cuts, rows: usize) -> bool {
        let near = |end| self.rows_off(cuts, end).is_some_and(|off| off <= rows);
        near(End::Start) && near(End::End)
    }
}

/// Fits weights to labelled books, with a temperature calibrated on held-out books.
pub fn fit_labelled(books: &[&SittingBook<'_>], frequencies: &Frequencies) -> Result<Profile> {
    let samples: Vec<GroupedExample> = books
        .iter()
        .map(|book| GroupedExample {
            example: Example::new(book.scan, frequencies, book.first, book.last),
            labelled: true,
            work: book.work,
        })
        .collect();
    let plan = CrossFitPlan {
        folds: 3,
        inner: 0,
        min_probability: None,
        ..CrossFitPlan::default()
    };
    Ok(cross_fit(&samples, &plan)?.weights)
}

#[derive(Clone, Copy)]
pub struct LearningPlan {
    pub strength: f64,
    /// Weight of undecided books relative to verdicts.
    pub distillation: f32,
    pub every: usize,
}

#[derive(Clone, Copy)]
pub struct SittingManner {
    pub method: Method,
    pub order: QueueOrder,
    pub learning: Option<LearningPlan>,
    /// Whether books with the block of a correction are always shown next.
    pub propagates: bool,
}

#[derive(Clone, Default)]
pub struct SittingCosts {
    /// Books still wrong after each of [`SHARES`].
    pub wrong: [usize; SHARES.len()],
    /// Books with a cut that is still far off.
    pub far: [usize; SHARES.len()],
    pub reviewed: usize,
    pub keys: KeyCosts,
    /// Cuts of undecided books that learning corrected.
    pub fixed: usize,
    /// Cuts of undecided books that learning made wrong.
    pub broken: usize,
    /// Books shown with the change of a correction, and how many of them were right with it.
    pub proposed: [usize; 2],
}

struct SittingDesk<'a> {
    method: Method,
    books: &'a [&'a SittingBook<'a>],
    frequencies: &'a Frequencies,
    entries: Vec<QueueEntry>,
    /// Proposed or decided cuts of each book.
    cuts: Vec<Cuts>,
    queue: Queue,
    /// Books with the change of a correction.
    proposed: HashMap<usize, Cuts>,
    sitting: SittingCosts,
}

impl SittingCosts {
    pub fn simulate<'a>(
        books: &'a [&'a SittingBook<'a>],
        known: &Profile,
        frequencies: &'a Frequencies,
        manner: SittingManner,
        costs: &Costs<'_>,
    ) -> Result<SittingCosts> {
        let mut desk = SittingDesk::new(books, frequencies, manner);
        desk.detect(known);
        (desk.sitting.fixed, desk.sitting.broken) = (0, 0);
        desk.queue.arrange(&desk.entries);
        for done in 0..=books.len() {
            desk.count(done);
            let last = (books.len() * SHARES[SHARES.len() - 1]).div_ceil(100);
            let Some(&next) = desk.queue.books.get(done).filter(|_| done < last) else {
                break;
            };
            desk.review(next, manner.propagates, done + 1, costs)?;
            let learning = manner.learning;
            let Some(learning) = learning.filter(|learning| (done + 1) % learning.every == 0)
            else {
                continue;
            };
            let weights = desk.fit_decided(done + 1, known, learning)?;
            desk.detect(&weights);
            let ahead = desk.queue.books[done + 1..].iter();
            let run = ahead.take_while(|book| desk.proposed.contains_key(book));
            let held = done + 1 + FIXED_AHEAD.max(run.count());
            desk.queue.arrange_behind(held, &desk.entries);
        }
        Ok(desk.sitting)
    }
}

impl<'a> SittingDesk<'a> {
    fn new(
        books: &'a [&'a SittingBook<'a>],
        frequencies: &'a Frequencies,
        manner: SittingManner,
    ) -> SittingDesk<'a> {
        let entry = |book: &&SittingBook<'_>| QueueEntry {
            id: Some(BookId::new(book.report.book.id.as_str())),
            template_rank: book.template_rank,
            producer: book.scan.header.producer.clone().unwrap_or_default(),
            ..QueueEntry::default()
        };
        SittingDesk {
            method: manner.method,
            books,
            frequencies,
            entries: books.iter().map(entry).collect(),
            cuts: vec![Cuts::default(); books.len()],
            queue: Queue {
                order: manner.order,
                ..Queue::default()
            },
            proposed: HashMap::new(),
            sitting: SittingCosts::default(),
        }
    }

    fn detect(&mut self, weights: &Profile) {
        let parameters = Parameters {
            weights: Some(Arc::new(weights.clone())),
            method: self.method,
            ..Parameters::default()
        };
        for (at, book) in self.books.iter().enumerate() {
            if self.entries[at].status != ReviewStatus::Undecided {
                continue;
            }
            let found = propose(book.scan, self.frequencies, &parameters);
            let before = book.is_within(self.cuts[at], 0);
            let now = book.is_within(found.cuts, 0);
            self.sitting.fixed += usize::from(now && !before);
            self.sitting.broken += usize::from(!now && before);
            (self.entries[at].doubt, self.cuts[at]) = (Some(found.doubt), found.cuts);
        }
    }

    /// Counts the errors when a share of the books has been reviewed.
    fn count(&mut self, done: usize) {
        for (at, share) in SHARES.iter().enumerate() {
            if done != (self.books.len() * share).div_ceil(100) {
                continue;
            }
            let wrong = |rows: usize| {
                let decided = |book: usize| self.entries[book].status != ReviewStatus::Undecided;
                let wrong = |&book: &usize| {
                    !decided(book) && !self.books[book].is_within(self.cuts[book], rows)
                };
                (0..self.books.len()).filter(wrong).count()
            };
            (self.sitting.wrong[at], self.sitting.far[at]) = (wrong(0), wrong(NEAR));
        }
    }

    /// Lets the curator decide a book; `next` is the queue index of the one after it.
    fn review(&mut self, at: usize, runs: bool, next: usize, costs: &Costs<'_>) -> Result<()> {
        let book = self.books[at];
        let (label, detected) = (book.label(), self.cuts[at]);
        let proposed = self.proposed.remove(&at).filter(|cuts| *cuts != detected);
        let shown = proposed.unwrap_or(detected);
        let right = book.is_within(shown, 0);
        self.sitting.proposed[0] += usize::from(proposed.is_some());
        self.sitting.proposed[1] += usize::from(proposed.is_some() && right);
        self.sitting.reviewed += 1;
        self.sitting.keys += costs.of(at, book, shown)?;
        self.entries[at].status = ReviewStatus::Decided(Verdict::Confirmed);
        self.cuts[at] = label;
        if !runs || book.is_within(detected, 0) || (right && proposed.is_some()) {
            return Ok(());
        }
        if proposed.is_some() {
            // A correction of a propagated book discards the remaining proposals.
            self.proposed.clear();
        }
        let alike = self.propagation_targets(at, detected);
        if let (false, Some(&before)) = (alike.is_empty(), self.queue.books.get(next)) {
            self.sitting.keys += KeyCosts::both(1);
            let books: Vec<usize> = alike.iter().map(|(book, _)| *book).collect();
            self.proposed.extend(alike);
            self.queue.put_before(before, &books);
        }
        Ok(())
    }

    /// Returns undecided books to which a correction applies too, found as in the program.
    fn propagation_targets(&self, from: usize, detected: Cuts) -> Vec<(usize, Cuts)> {
        let book = self.books[from];
        let Some(correction) = Correction::between(book.scan, detected, book.label()) else {
            return Vec::new();
        };
        let of = &self.entries[from];
        let doubt = |other: usize| self.entries[other].doubt.unwrap_or(0.0);
        let is_related = |other: usize| {
            let entry = &self.entries[other];
            let template = of.template_rank != 0 && entry.template_rank == of.template_rank;
            template || (!of.producer.is_empty() && entry.producer == of.producer)
        };
        let wanted = |&other: &usize| {
            let undecided = self.entries[other].status == ReviewStatus::Undecided;
            undecided && (is_related(other) || doubt(other) >= DOUBTFUL)
        };
        let mut others: Vec<usize> = (0..self.books.len()).filter(wanted).collect();
        others.sort_by(|&a, &b| {
            let related = is_related(b).cmp(&is_related(a));
            related.then(doubt(b).total_cmp(&doubt(a))).then(a.cmp(&b))
        });
        let applied = |other: usize| {
            let cuts = correction.apply_to(self.books[other].scan, self.cuts[other])?;
            Some((other, cuts))
        };
        others.into_iter().filter_map(applied).collect()
    }

    fn fit_decided(&self, done: usize, known: &Profile, learning: LearningPlan) -> Result<Profile> {
        let examples = |books: &[usize]| -> Vec<&Example> {
            books
                .iter()
                .map(|&book| &self.books[book].example)
                .collect()
        };
        let caution = Regularisation {
            penalty: Penalty::default().times(learning.strength),
            distillation: learning.distillation,
        };
        let (decided, others) = self.queue.books.split_at(done);
        fit_from_prior(&examples(decided), &examples(others), known, &caution)
    }
}
