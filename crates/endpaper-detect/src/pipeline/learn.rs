//! Learning while a corpus is reviewed: weights drawn towards the verdicts there are, and what they propose for the books
//! that have none.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;

use super::parallel::{RunContext, catch_panic};
use super::{AnalysisOptions, AnalysisStep, ScanReader, background_threads};
use crate::frequency::Frequencies;
use crate::posterior::{self, Example, Penalty, Regularisation, Weights};
use crate::{Cuts, Detection, Reason, propose};
use endpaper_text::corpus::Book;
use endpaper_text::scan::Scan;

/// How many times as strongly as in a fit from nothing weights are held where they were. Found by `--example sitting`.
pub const STRENGTH: f64 = 10.0;

/// How much it counts that weights say of an undecided book what they said before. Found in the same way.
pub const OTHERS_COUNT: f32 = 1.0;

/// Undecided books at most of which the new weights are to say what the old ones say: each takes about 100 KB.
const MAX_UNDECIDED: usize = 150;

/// A verdict to learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// Its place among the books.
    pub book: usize,
    /// The cuts that were decided.
    pub cuts: Cuts,
    /// Bytes of the text that was decided.
    pub bytes: u64,
    /// Its lines.
    pub lines: u32,
}

/// What weights propose for a book.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearnedProposal {
    /// The cuts.
    pub cuts: Cuts,
    /// 0..1: how likely it is that one of them is wrong.
    pub doubt: f32,
    /// Weightiest reason for doubt.
    pub reason: Option<Reason>,
}

/// What came of learning.
#[derive(Clone, Debug)]
pub struct LearningResult {
    /// The new weights.
    pub weights: Arc<Weights>,
    /// Verdicts that were learned from: those of texts that are still the same.
    pub verdicts: usize,
    /// What the weights propose for the books that were asked for, without those that cannot be read.
    pub proposals: Vec<(usize, LearnedProposal)>,
}

impl Lesson {
    /// What there is to learn; nothing if the text is another one now.
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

/// Learns from verdicts and proposes cuts for the `undecided` books (places among the books) again, starting each time from
/// the weights of `options`, on one core fewer than there are. `cancel` ends it between two books.
///
/// # Errors
///
/// [`super::Cancelled`], or weights that cannot be fitted.
pub fn learn(
    books: &[Book],
    lessons: &[Lesson],
    undecided: &[usize],
    frequencies: &Frequencies,
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
        distillation: OTHERS_COUNT,
    };
    let fit = || posterior::fit_from_prior(&examples, &others, known, &caution);
    let weights = Arc::new(run.pool.install(fit)?);
    let mut parameters = options.parameters.clone();
    parameters.weights = Some(weights.clone());
    let proposal = |scans: &mut ScanReader, at: usize| {
        let book = *undecided.get(at)?;
        let scan = scans.scan(books.get(book)?).ok()?;
        let found = catch_panic(|| propose(&scan, frequencies, &parameters)).ok()?;
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
            super::learn(&books, &[lesson], &[1, 7], &frequencies, &options, &cancel)
        };
        let same = learn(lesson(6), false).unwrap();
        assert_eq!(same.verdicts, 1);
        let changed = learn(lesson(9), false).unwrap();
        assert_eq!(changed.verdicts, 0);
        assert_eq!(&*changed.weights, Weights::shipped());
        // A book that is not there is left out.
        let proposed: Vec<usize> = changed.proposals.iter().map(|(book, _)| *book).collect();
        assert_eq!(proposed, [1]);
        let error = learn(lesson(6), true).unwrap_err();
        assert!(error.is::<super::super::Cancelled>(), "{error:#}");
    }
}
