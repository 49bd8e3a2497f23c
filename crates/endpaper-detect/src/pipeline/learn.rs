//! Learning during a review: weights that are fitted to the verdicts so far, and their proposals for the undecided
//! books.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;

use super::parallel::{RunContext, catch_panic};
use super::{AnalysisOptions, AnalysisStep, ScanReader, background_threads};
use crate::frequency::Frequencies;
use crate::posterior::{self, Example, Penalty, Profile, Regularisation};
use crate::{Cuts, Detection, Reason, SecondOpinions, propose};
use endpaper_text::corpus::Book;
use endpaper_text::scan::Scan;

/// Factor of the penalty that holds weights to their prior values, relative to a first fit. Determined with
/// `--example sitting`.
pub const STRENGTH: f64 = 10.0;

/// Weight of the agreement with the former weights on undecided books. Determined in the same way.
pub const DISTILLATION_WEIGHT: f32 = 1.0;

/// Most undecided books on which the new weights are held to the former ones. Each takes about 100 KB.
const MAX_UNDECIDED: usize = 150;

/// A verdict to learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// The index of the book.
    pub book: usize,
    /// The cuts that were decided.
    pub cuts: Cuts,
    /// Size in bytes of the text that was decided.
    pub bytes: u64,
    /// Its number of lines.
    pub lines: u32,
}

/// The proposal of learned weights for a book.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearnedProposal {
    /// The cuts.
    pub cuts: Cuts,
    /// The probability that at least one cut is wrong, from 0 to 1.
    pub doubt: f32,
    /// The weightiest reason for doubt.
    pub reason: Option<Reason>,
}

/// The result of learning.
#[derive(Clone, Debug)]
pub struct LearningResult {
    /// The new weights.
    pub weights: Arc<Profile>,
    /// Number of verdicts that were learned from: those whose texts are unchanged.
    pub verdicts: usize,
    /// The proposals for the undecided books, except for those that cannot be read.
    pub proposals: Vec<(usize, LearnedProposal)>,
}

impl Lesson {
    /// The training example; `None` if the text has changed.
    fn example(&self, scan: &Scan, frequencies: &Frequencies) -> Option<Example> {
        let same = scan.bytes == self.bytes && scan.lines == self.lines;
        let (first, last) = self.cuts.body(self.lines);
        let example = || Example::new(scan, frequencies, first, last);
        same.then(|| catch_panic(example).ok()).flatten()
    }
}

impl LearnedProposal {
    fn of(found: &Detection) -> LearnedProposal {
        LearnedProposal {
            cuts: found.cuts,
            doubt: found.doubt,
            reason: found.reasons.first().copied(),
        }
    }
}

/// Learns from verdicts and proposes cuts for the `undecided` books (by index), with second `opinions` by book, if they are
/// known. Every call starts from the weights of
/// `options` and uses one core fewer than there are. `cancel` ends it between two books.
///
/// # Errors
///
/// [`super::Cancelled`], or weights that cannot be fitted.
pub fn learn(
    books: &[Book],
    lessons: &[Lesson],
    undecided: &[usize],
    frequencies: &Frequencies,
    opinions: &[SecondOpinions],
    options: &AnalysisOptions,
    cancel: &AtomicBool,
) -> Result<LearningResult> {
    let run = RunContext::new(background_threads(), &|_| {}, cancel)?;
    let scans = || ScanReader::open(books, options);
    let example = |scans: &mut ScanReader, at: usize| {
        let lesson = lessons.get(at)?;
        let scan = scans.scan(books.get(lesson.book)?).ok()?;
        lesson.example(&scan, frequencies)
    };
    let (_, examples) = run.par_map(AnalysisStep::Reading, lessons.len(), scans, example)?;
    let examples: Vec<&Example> = examples.iter().flatten().collect();
    let step = undecided.len().div_ceil(MAX_UNDECIDED).max(1);
    let other = |scans: &mut ScanReader, at: usize| {
        let scan = scans.scan(books.get(*undecided.get(at * step)?)?).ok()?;
        catch_panic(|| Example::unlabelled(&scan, frequencies)).ok()
    };
    let count = undecided.len().div_ceil(step);
    let (_, others) = run.par_map(AnalysisStep::Reading, count, scans, other)?;
    let others: Vec<&Example> = others.iter().flatten().collect();
    let known = options.parameters.weights();
    let caution = Regularisation {
        penalty: Penalty::default().times(STRENGTH),
        distillation: DISTILLATION_WEIGHT,
    };
    let fit = || posterior::fit_from_prior(&examples, &others, known, &caution);
    let weights = Arc::new(run.pool.install(fit)?);
    let mut parameters = options.parameters.clone();
    parameters.weights = Some(weights.clone());
    let proposal = |scans: &mut ScanReader, at: usize| {
        let book = *undecided.get(at)?;
        let scan = scans.scan(books.get(book)?).ok()?;
        let mut found = catch_panic(|| propose(&scan, frequencies, &parameters)).ok()?;
        if let Some(opinions) = opinions.get(book) {
            found.add_opinions(opinions, scan.lines, &parameters);
        }
        Some((book, LearnedProposal::of(&found)))
    };
    let (_, proposals) = run.par_map(AnalysisStep::Detecting, undecided.len(), scans, proposal)?;
    Ok(LearningResult {
        weights,
        verdicts: examples.len(),
        proposals: proposals.into_iter().flatten().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_text::corpus::{ListingRequest, list};

    #[test]
    fn verdicts_of_other_texts_teach_nothing_and_the_weights_stay() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.txt", "b.txt"] {
            let text =
                format!("*** START OF THIS EBOOK ***\n\n\n{name}\n\nA body of a few words\n");
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let request = ListingRequest {
            roots: vec![folder.path().to_owned()],
            ..ListingRequest::default()
        };
        let books = list(&request).unwrap().books;
        let lesson = |lines: u32| Lesson {
            book: 0,
            cuts: Cuts {
                preamble_end: 1,
                epilogue_start: None,
            },
            bytes: books[0].read(u64::MAX).unwrap().len() as u64,
            lines,
        };
        let learn = |lesson: Lesson, cancel: bool| {
            let (options, cancel) = (AnalysisOptions::default(), AtomicBool::new(cancel));
            let frequencies = Frequencies::default();
            super::learn(
                &books,
                &[lesson],
                &[1, 7],
                &frequencies,
                &[],
                &options,
                &cancel,
            )
        };
        let same = learn(lesson(6), false).unwrap();
        assert_eq!(same.verdicts, 1);
        let changed = learn(lesson(9), false).unwrap();
        assert_eq!(changed.verdicts, 0);
        assert_eq!(&*changed.weights, Profile::shipped());
        // A book that does not exist is left out.
        let proposed: Vec<usize> = changed.proposals.iter().map(|(book, _)| *book).collect();
        assert_eq!(proposed, [1]);
        let error = learn(lesson(6), true).unwrap_err();
        assert!(error.is::<super::super::Cancelled>(), "{error:#}");
    }
}
