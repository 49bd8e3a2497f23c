//! FindOptimal: searches from (2, 1) for a cut point with the fewest alternations.

use std::ops::Range;

use serde::Serialize;

use super::correct::{Delimiters, LetterAgreement, correct_ranges};
use super::documents::FoldedDocuments;
use super::frequent::FrequentGrams;
use super::grams::RepeatedGrams;
use super::levels::{ALL, PercentLevels};
use super::part::{DocumentPart, MAX_NGRAM};
use super::site_cuts::SiteCut;
use super::ties::Ties;

/// Length of the n-grams at the first cut point.
const START: u32 = 2;

/// Length of the n-grams at the first cut point for the ends of books.
///
/// Measured on the first and last 24 KiB of 1,033 real books, 60 at a time: from (2, 1), 8 of 18 paths end at n of 2 to
/// 7 and a of 10 to 22, where nearly all text is useless; from n = 8, 12 and 16, all end at the same cut points, n of
/// 16 to 78 and a of 1 or 2.
pub const START_OF_BOOKS: u32 = 8;

/// A cut point on the path, with the alternations at the two candidates for the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SearchStep {
    /// Length of n-grams in characters.
    pub n: u32,
    /// Percentage of n-grams that are frequent.
    pub a: u8,
    /// Alternations of the corpus at (n, a).
    pub alternations: u64,
    /// Alternations at (n, a + 1); `None` if it was not tried.
    pub wider: Option<u64>,
    /// Alternations at (n + 1, a); `None` if it was not tried, or if no n-gram of that length occurs twice.
    pub longer: Option<u64>,
}

/// Why the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// Neither next cut point has fewer alternations.
    Minimum,
    /// a is 100, where the paper's loop ends.
    Everything,
    /// n is [`MAX_NGRAM`] and a + 1 is not better.
    Longest,
    /// No n-gram occurs twice: all text is useful.
    NothingRepeats,
    /// There was no search: the cut point was given.
    Given,
}

/// An optimal (or given) cut point, and the text of the documents that is useless at it.
pub struct Optimum<'a> {
    pub(super) documents: &'a FoldedDocuments,
    pub(super) levels: PercentLevels,
    pub(super) ties: Ties,
    path: Vec<SearchStep>,
    end: StopReason,
    pub(super) sites: Vec<SiteCut>,
    /// For each document the index of its site in `sites`; empty without sites.
    pub(super) site_of: Vec<Option<usize>>,
}

impl<'a> Optimum<'a> {
    /// Finds the optimal cut point; calls `report` with every step of the path.
    ///
    /// An n-gram that does not repeat is never frequent, so documents without anything in common are useful as a whole.
    pub fn find(
        documents: &'a FoldedDocuments,
        ties: Ties,
        report: impl FnMut(&SearchStep),
    ) -> Optimum<'a> {
        Optimum::find_from(documents, START, ties, report)
    }

    /// Like [`Optimum::find`], but the path begins at (`start`, 1); `start` is at least 2.
    ///
    /// Where little text is useless, the first steps from (2, 1) are a matter of chance, and paths that increase a end
    /// where nearly all text is useless: books are searched from [`START_OF_BOOKS`] on.
    pub fn find_from(
        documents: &'a FoldedDocuments,
        start: u32,
        ties: Ties,
        mut report: impl FnMut(&SearchStep),
    ) -> Optimum<'a> {
        let start = start.max(START);
        let longest = documents.longest().min(MAX_NGRAM as usize) as u32;
        let mut grams = RepeatedGrams::new(documents);
        while grams.n() < start {
            grams.lengthen();
        }
        let mut levels = PercentLevels::new(documents.text().len());
        levels.take(&grams, ties);
        let mut step = SearchStep {
            n: start,
            a: 1,
            alternations: levels.alternations(documents, 1),
            wider: None,
            longer: None,
        };
        let mut path = Vec::new();
        let mut next = PercentLevels::new(0);
        let end = loop {
            if grams.is_empty() && step.n == grams.n() {
                break StopReason::NothingRepeats;
            }
            if step.a == ALL {
                break StopReason::Everything;
            }
            if grams.n() == step.n && step.n < longest {
                grams.lengthen();
                if next.is_empty() {
                    next = PercentLevels::new(documents.text().len());
                }
                next.take(&grams, ties);
            }
            step.wider = Some(levels.alternations(documents, step.a + 1));
            let is_longer = grams.n() > step.n && !grams.is_empty();
            step.longer = is_longer.then(|| next.alternations(documents, step.a));
            match choose(&step) {
                None if step.n == MAX_NGRAM => break StopReason::Longest,
                None => break StopReason::Minimum,
                Some(better) => {
                    report(&step);
                    path.push(step);
                    if better.n > step.n {
                        std::mem::swap(&mut levels, &mut next);
                    }
                    step = better;
                }
            }
        };
        report(&step);
        path.push(step);
        Optimum {
            documents,
            levels,
            ties,
            path,
            end,
            sites: Vec::new(),
            site_of: Vec::new(),
        }
    }

    /// Uses a given cut point instead of an optimal one; `n` is clamped to 1..=[`MAX_NGRAM`], `a` to 1..=100.
    pub fn at(documents: &'a FoldedDocuments, n: u32, a: u8, ties: Ties) -> Optimum<'a> {
        let (n, a) = (n.clamp(1, MAX_NGRAM), a.clamp(1, ALL));
        let mut grams = RepeatedGrams::new(documents);
        while grams.n() < n {
            grams.lengthen();
        }
        let mut levels = PercentLevels::new(documents.text().len());
        levels.take(&grams, ties);
        let step = SearchStep {
            n,
            a,
            alternations: levels.alternations(documents, a),
            wider: None,
            longer: None,
        };
        Optimum {
            documents,
            levels,
            ties,
            path: vec![step],
            end: StopReason::Given,
            sites: Vec::new(),
            site_of: Vec::new(),
        }
    }

    /// Cut points from the first to the optimum; never empty.
    pub fn path(&self) -> &[SearchStep] {
        &self.path
    }

    /// The optimal cut point.
    pub fn best(&self) -> SearchStep {
        self.path[self.path.len() - 1]
    }

    /// Why the search ended.
    pub fn end(&self) -> StopReason {
        self.end
    }

    /// The n-grams that are frequent at the optimum, in documents without a cut point of their site.
    pub fn frequent(&self) -> FrequentGrams {
        let among = (0..self.documents.len()).filter(|document| self.site_of(*document).is_none());
        FrequentGrams::gather(self.documents, &self.levels, self.best().a, among)
    }

    /// The cut point of a document: its site's, or else the optimal one.
    pub(super) fn cut_of(&self, document: usize) -> (u32, u8) {
        let of = self.site_of(document);
        let step = of.map_or(self.best(), |site| self.sites[site].best);
        (step.n, step.a)
    }

    /// The parts of a document, useless and useful by turns. Together they are all bytes of its source; an empty
    /// document has no parts.
    pub fn parts(&self, document: usize) -> Vec<DocumentPart> {
        let mut parts = Vec::new();
        let cut = self.cut_of(document);
        self.levels
            .range_runs(self.documents, document, cut, |useless, run| {
                let bytes = self.documents.source(document, run);
                parts.push(DocumentPart { useless, bytes });
            });
        parts
    }
}

impl Optimum<'_> {
    /// The ranges of 1 in the range string of a document: its useful text, in bytes of its folded text.
    pub fn useful_ranges(&self, document: usize) -> Vec<Range<usize>> {
        let mut useful = Vec::new();
        let cut = self.cut_of(document);
        self.levels
            .range_runs(self.documents, document, cut, |useless, run| {
                if !useless {
                    useful.push(run);
                }
            });
        useful
    }

    /// How far the range string of a document agrees with the correct string of these delimiters.
    pub fn agreement(&self, document: usize, pairs: &[&Delimiters]) -> LetterAgreement {
        let text = self.documents.folded(document);
        LetterAgreement::of(
            &text,
            &correct_ranges(&text, pairs),
            &self.useful_ranges(document),
        )
    }
}

/// The next cut point as the paper's Fig. 3 chooses it; `None` at a minimum.
fn choose(step: &SearchStep) -> Option<SearchStep> {
    let [wider, longer] = [step.wider, step.longer].map(|count| count.unwrap_or(u64::MAX));
    let now = step.alternations;
    let (n, a, alternations) = if now <= wider && now <= longer {
        return None;
    } else if now > wider && wider < longer {
        (step.n, step.a + 1, wider)
    } else {
        (step.n + 1, step.a, longer)
    };
    Some(SearchStep {
        n,
        a,
        alternations,
        wider: None,
        longer: None,
    })
}
