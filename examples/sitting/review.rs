//! One sitting over one corpus.

use std::sync::Arc;

use anyhow::Result;
use endpaper::detect::posterior::{Caution, Example, Penalty, Plan, Sample, Weights, cross, learn};
use endpaper::detect::{Cuts, Parameters, propose};
use endpaper::frequency::Frequencies;
use endpaper::pipeline::Surveyed;
use endpaper::review::{Entry, Order, Queue, Standing};
use endpaper::scan::Scan;
use endpaper::truth::Verdict;

/// Parts of the corpus after whose review the errors left are counted, in percent.
pub const SHARES: [usize; 6] = [0, 5, 10, 20, 30, 50];

/// Books that keep their places in the queue.
const HELD: usize = 3;

/// A labelled book.
pub struct Book<'a> {
    pub surveyed: &'a Surveyed,
    pub scan: &'a Scan,
    pub example: Example,
    pub work: u64,
    pub template_rank: u32,
    /// First line of the body.
    pub first: u32,
    /// Last line of the body.
    pub last: u32,
}

impl Book<'_> {
    /// Both cuts stand where the label has them; a label between the windows is never met.
    fn is_right(&self, cuts: Cuts) -> bool {
        let rows = |line: u32| self.scan.rows.partition_point(|row| row.line < line);
        let seen = |line: u32| {
            self.scan
                .rows
                .binary_search_by_key(&line, |row| row.line)
                .is_ok()
        };
        let start = cuts
            .epilogue_start
            .unwrap_or(self.scan.lines.saturating_add(1));
        seen(self.first)
            && seen(self.last)
            && rows(cuts.preamble_end + 1) == rows(self.first)
            && rows(start) == rows(self.last + 1)
    }
}

/// Weights fitted to labelled books, with the temperature that suits books they never saw.
pub fn known(books: &[&Book<'_>], frequencies: &Frequencies) -> Result<Weights> {
    let samples: Vec<Sample> = books
        .iter()
        .map(|book| Sample {
            example: Example::new(book.scan, frequencies, book.first, book.last),
            labelled: true,
            work: book.work,
        })
        .collect();
    let plan = Plan {
        folds: 3,
        inner: 0,
        sure: None,
        ..Plan::default()
    };
    Ok(cross(&samples, &plan)?.weights)
}

/// How a sitting learns.
#[derive(Clone, Copy)]
pub struct Learning {
    pub strength: f64,
    /// How much undecided books count.
    pub others: f32,
    /// Verdicts between two fits.
    pub every: usize,
}

/// What came of a sitting.
pub struct Sitting {
    /// Books still wrong after each of [`SHARES`].
    pub wrong: [usize; SHARES.len()],
    /// Cuts of undecided books that learning put right.
    pub mended: usize,
    /// Cuts of undecided books that it put wrong.
    pub broken: usize,
}

impl Sitting {
    /// Reviews the books.
    pub fn hold(
        books: &[&Book<'_>],
        known: &Weights,
        frequencies: &Frequencies,
        order: Order,
        learning: Option<Learning>,
    ) -> Result<Sitting> {
        let mut sitting = Sitting {
            wrong: [0; SHARES.len()],
            mended: 0,
            broken: 0,
        };
        let mut entries: Vec<Entry> = books
            .iter()
            .map(|book| Entry {
                template_rank: book.template_rank,
                ..Entry::default()
            })
            .collect();
        let mut right = vec![false; books.len()];
        let detect = |entries: &mut [Entry], right: &mut [bool], weights: &Weights| {
            let parameters = Parameters {
                weights: Some(Arc::new(weights.clone())),
                ..Parameters::default()
            };
            let mut changed = [0, 0];
            for (at, book) in books.iter().enumerate() {
                if entries[at].standing != Standing::Undecided {
                    continue;
                }
                let found = propose(book.scan, frequencies, &parameters);
                let now = book.is_right(found.cuts);
                changed[0] += usize::from(now && !right[at]);
                changed[1] += usize::from(!now && right[at]);
                (entries[at].doubt, right[at]) = (Some(found.doubt), now);
            }
            changed
        };
        detect(&mut entries, &mut right, known);
        let mut queue = Queue {
            order,
            ..Queue::default()
        };
        queue.arrange(&entries);
        for done in 0..=books.len() {
            for (at, share) in SHARES.iter().enumerate() {
                if done == (books.len() * share).div_ceil(100) {
                    sitting.wrong[at] = right.iter().filter(|right| !**right).count();
                }
            }
            let Some(&next) = queue.books.get(done) else {
                break;
            };
            entries[next].standing = Standing::Decided(Verdict::Confirmed);
            right[next] = true;
            let Some(learning) = learning.filter(|learning| (done + 1) % learning.every == 0)
            else {
                continue;
            };
            let decided: Vec<&Example> = queue.books[..=done]
                .iter()
                .map(|&book| &books[book].example)
                .collect();
            let caution = Caution {
                penalty: Penalty::default().times(learning.strength),
                others: learning.others,
            };
            let ahead = queue.books[done + 1..].iter();
            let others: Vec<&Example> = ahead.map(|&book| &books[book].example).collect();
            let weights = learn(&decided, &others, known, &caution)?;
            let [mended, broken] = detect(&mut entries, &mut right, &weights);
            sitting.mended += mended;
            sitting.broken += broken;
            queue.arrange_behind(done + 1 + HELD, &entries);
        }
        Ok(sitting)
    }
}
