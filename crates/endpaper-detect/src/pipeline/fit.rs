//! Fitting the weights of the posterior detector to the labelled books of an analysis.

use std::collections::HashMap;

use anyhow::{Context, Result, ensure};
use rayon::prelude::*;

use super::fit_doubt::JudgedLabels;
use super::{AnalysisOptions, BookReport, CorpusReport};
use crate::frequency::Frequencies;
use crate::frequency::document_frequency::DocumentFrequencyBuilder;
use crate::posterior::{
    self, CrossFitPlan, CrossFitResult, DecidedExample, Example, FactScope, GroupedExample, Profile,
};
use crate::{Cuts, Method, Parameters, Reason, propose};
use endpaper_text::scan::Scan;

/// Most unlabelled books that weights are fitted to, chosen by their work numbers. Each takes about 100 KB.
const UNLABELLED: usize = 1000;

/// Algorithm 1 is confident of a book if its doubt is below this.
const MAX_CONFIDENT_DOUBT: f32 = 0.2;

/// The labelled body of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyLabel {
    /// The index of the book in the analysis.
    pub book: usize,
    /// First line of the body.
    pub first: u32,
    /// Last line of the body.
    pub last: u32,
}

/// A labelled book as evaluated by weights that were fitted without its work.
#[derive(Clone, Debug, PartialEq)]
pub struct CrossFittedBook {
    /// The index of the book in the analysis.
    pub book: usize,
    /// The proposed cuts.
    pub cuts: Cuts,
    /// The probability that at least one cut is wrong, from 0 to 1, calibrated on the other folds.
    pub doubt: f32,
    /// The reasons for doubt, weightiest first, with those of second opinions.
    pub reasons: Vec<Reason>,
    /// Non-blank lines of the body that are lost at the start and at the end; negative: non-blank lines beyond the body
    /// that are kept.
    pub off: [i64; 2],
}

/// Fitted weights with their evaluation.
#[derive(Clone, Debug)]
pub struct FittedProfile {
    /// The weights, fitted to all labels.
    pub weights: Profile,
    /// The evaluation of every labelled book, out of fold, in the order of the analysis.
    pub cross_fitted: Vec<CrossFittedBook>,
    /// Mean log likelihood of the labels at each end, out of fold.
    pub likelihood: [f64; 2],
    /// Number of labels at each end that are within reach of the detector.
    pub within: [usize; 2],
    /// Number of unlabelled books that the weights were fitted to as well.
    pub added: usize,
}

/// Finds the books that labels refer to: by id, or by the last part of the id if only one book has it.
pub struct LabelMatcher<'a> {
    ids: HashMap<&'a str, usize>,
    /// `None`: several books have this name.
    names: HashMap<&'a str, Option<usize>>,
}

impl<'a> LabelMatcher<'a> {
    /// A matcher for the books of an analysis.
    pub fn new(books: &'a [BookReport]) -> LabelMatcher<'a> {
        let (mut ids, mut names) = (HashMap::new(), HashMap::new());
        for (at, book) in books.iter().enumerate() {
            ids.insert(book.book.id.as_str(), at);
            let name = names.entry(book.book.id.name());
            name.and_modify(|found| *found = None).or_insert(Some(at));
        }
        LabelMatcher { ids, names }
    }

    /// The index of a book in the analysis.
    pub fn find(&self, book: &str) -> Option<usize> {
        let name = book.rsplit(['/', '!']).next().unwrap_or(book);
        let by_name = || self.names.get(name).copied().flatten();
        self.ids.get(book).copied().or_else(by_name)
    }
}

/// The cuts of all books of which Algorithm 1 is confident, as labels for a corpus without labels.
///
/// # Errors
///
/// The analysis kept no Scans.
pub fn confident(survey: &CorpusReport, parameters: &Parameters) -> Result<Vec<BodyLabel>> {
    let parameters = Parameters {
        method: Method::Gap,
        ..parameters.clone()
    };
    let each = survey.books.par_iter().enumerate().map(|(at, book)| {
        let scan = scan_of(book)?;
        let found = propose(scan, &survey.model.frequencies, &parameters);
        let (first, last) = found.cuts.body(scan.lines);
        let label = BodyLabel {
            book: at,
            first,
            last,
        };
        Ok((found.doubt < MAX_CONFIDENT_DOUBT && first <= last).then_some(label))
    });
    let labels: Result<Vec<Option<BodyLabel>>> = each.collect();
    Ok(labels?.into_iter().flatten().collect())
}

/// The labelled books of an analysis that kept its Scans, as the generic profile is fitted to them, in an order that their
/// contents do not determine.
///
/// # Errors
///
/// An analysis without Scans.
pub fn collection_examples(survey: &CorpusReport, labels: &[BodyLabel]) -> Result<Vec<Example>> {
    let frequencies = frequencies(survey)?;
    let mut labels = labels.to_vec();
    let crc = |label: &BodyLabel| survey.books[label.book].summary.crc;
    labels.sort_by_key(|label| (crc(label).wrapping_mul(0x9e37_79b9_7f4a_7c15), label.book));
    let example = |label: &BodyLabel| {
        let scan = scan_of(&survey.books[label.book])?;
        let scope = FactScope::AnyLibrary;
        Ok(Example::new(
            scan,
            &frequencies,
            scope,
            label.first,
            label.last,
        ))
    };
    labels.par_iter().map(example).collect()
}

/// Fits weights to the labelled books of an analysis that kept its Scans, and evaluates each of them with weights that
/// were fitted without the books of its work. There may be at most one label per book. `options` are those of the
/// analysis; with [`AnalysisOptions::opinions`], doubt is calibrated with second opinions too.
///
/// # Errors
///
/// No labels, or labels that leave nothing to fit weights to; an analysis without Scans.
pub fn fit(
    survey: &CorpusReport,
    labels: &[BodyLabel],
    plan: &CrossFitPlan,
    options: &AnalysisOptions,
) -> Result<FittedProfile> {
    ensure!(
        !labels.is_empty(),
        "there is no labelled book to fit weights to"
    );
    let frequencies = frequencies(survey)?;
    let headers = survey.books.iter();
    let works =
        posterior::group_by_work(headers.map(|book| (&book.summary.header, book.summary.crc)));
    let mut labels: Vec<BodyLabel> = labels.to_vec();
    labels.sort_by_key(|label| label.book);
    let chosen = select_books(survey, &labels, &works, plan);
    let samples: Result<Vec<GroupedExample>> = chosen
        .into_par_iter()
        .map(|(book, label)| {
            let scan = scan_of(&survey.books[book])?;
            Ok(GroupedExample {
                example: match label {
                    Some(label) => {
                        Example::new(scan, &frequencies, plan.scope, label.first, label.last)
                    }
                    None => Example::unlabelled(scan, &frequencies, plan.scope),
                },
                labelled: label.is_some(),
                work: works[book],
            })
        })
        .collect();
    let crossed = posterior::cross_fit(&samples?, plan)?;
    let judged = JudgedLabels::new(survey, &labels, &crossed, &frequencies, options)?;
    let (calibration, books) = (judged.calibration(|_| true)?, judged.cross_fitted()?);
    let crossed = CrossFitResult {
        weights: crossed.weights.with_calibration(calibration),
        ..crossed
    };
    Ok(FittedProfile::new(survey, crossed, books))
}

/// Learns a profile from the labelled books of an analysis that kept its Scans, with `prior` as the prior: the profile that
/// [`learn`](super::learn) learns from the same books. Each of them is evaluated as [`fit`] does.
///
/// # Errors
///
/// Labels of fewer than two works; an analysis without Scans.
pub fn fit_from(
    survey: &CorpusReport,
    labels: &[BodyLabel],
    prior: &Profile,
    options: &AnalysisOptions,
) -> Result<FittedProfile> {
    let frequencies = frequencies(survey)?;
    let summary = |label: &BodyLabel| &survey.books[label.book].summary;
    let mut labels: Vec<BodyLabel> = labels.to_vec();
    labels.sort_by_key(|label| (summary(label).crc, label.book));
    let headers = labels.iter().map(&summary);
    let works = posterior::group_by_work(headers.map(|book| (&book.header, book.crc)));
    let decided = labels.par_iter().zip(works).map(|(label, work)| {
        let scan = scan_of(&survey.books[label.book])?;
        let (first, last) = (label.first, label.last);
        let example = Example::new(scan, &frequencies, prior.scope(), first, last);
        Ok(DecidedExample { example, work })
    });
    let learned = posterior::learn(&decided.collect::<Result<Vec<_>>>()?, prior)?;
    ensure!(
        learned.fold_profiles.len() >= posterior::MIN_WORKS,
        "all labelled books fall into one fold; label books of other works"
    );
    let learned = CrossFitResult {
        weights: learned.profile,
        fold_weights: learned.fold_profiles,
        fold_of: learned.fold_of.into_iter().map(Some).collect(),
        likelihood: learned.likelihood,
        within: learned.within,
        added: 0,
    };
    let judged = JudgedLabels::new(survey, &labels, &learned, &frequencies, options)?;
    Ok(FittedProfile::new(survey, learned, judged.as_detected()))
}

impl FittedProfile {
    fn new(
        survey: &CorpusReport,
        crossed: CrossFitResult,
        mut books: Vec<CrossFittedBook>,
    ) -> FittedProfile {
        books.sort_by_key(|book| book.book);
        let known = books.iter().map(|book| survey.books[book.book].summary.crc);
        let exact = books.iter().filter(|book| book.off == [0, 0]).count();
        FittedProfile {
            weights: (crossed.weights)
                .with_fitted_to(known)
                .with_out_of_fold(books.len() as u32, exact as u32),
            likelihood: crossed.likelihood,
            within: crossed.within,
            added: crossed.added,
            cross_fitted: books,
        }
    }
}

/// The labelled books, then the unlabelled ones that may be added.
fn select_books<'a>(
    survey: &CorpusReport,
    labels: &'a [BodyLabel],
    works: &[u64],
    plan: &CrossFitPlan,
) -> Vec<(usize, Option<&'a BodyLabel>)> {
    let mut others: Vec<usize> = match plan.min_probability {
        Some(_) => (0..survey.books.len()).collect(),
        None => Vec::new(),
    };
    others.retain(|book| {
        labels
            .binary_search_by_key(book, |label| label.book)
            .is_err()
    });
    // In pseudo-random order (Fibonacci hashing), since folds are remainders of the work number: the books that stay must be of all folds.
    others.sort_by_key(|&book| (works[book].wrapping_mul(0x9e37_79b9_7f4a_7c15), book));
    others.truncate(UNLABELLED);
    let labelled = labels.iter().map(|label| (label.book, Some(label)));
    labelled
        .chain(others.into_iter().map(|book| (book, None)))
        .collect()
}

/// The frequencies of an analysis, with document frequencies of its books if the model has none.
fn frequencies(survey: &CorpusReport) -> Result<Frequencies> {
    let frequencies = survey.model.frequencies.clone();
    if !frequencies.document_frequencies().is_empty() {
        return Ok(frequencies);
    }
    let mut builder = DocumentFrequencyBuilder::default();
    for book in &survey.books {
        posterior::add_line_forms(scan_of(book)?, &mut builder);
    }
    Ok(frequencies.with_document_frequencies(DocumentFrequencyBuilder::finish(vec![builder])?))
}

/// The Scan of a book; an error if the analysis dropped it.
pub(super) fn scan_of(book: &BookReport) -> Result<&Scan> {
    let scan = book.scan.as_deref();
    scan.with_context(|| format!("the analysis kept no scan of '{}'", book.book.id))
}

/// The distance of cuts from a label, as in [`CrossFittedBook::off`].
pub(super) fn off(
    book: &BookReport,
    cuts: Cuts,
    label: &BodyLabel,
    max_size: u64,
) -> Result<[i64; 2]> {
    let scan = scan_of(book)?;
    let end = cuts.epilogue_start.unwrap_or(scan.lines.saturating_add(1));
    let pairs = [
        (label.first.saturating_sub(1), cuts.preamble_end),
        (end.saturating_sub(1), label.last),
    ];
    if pairs.iter().all(|&(a, b)| is_seen(scan, a, b)) {
        let rows = |line| scan.rows.partition_point(|row| row.line <= line) as i64;
        return Ok(pairs.map(|(from, to)| rows(to) - rows(from)));
    }
    let text = book.book.text(max_size);
    let text = text.with_context(|| format!("'{}'", book.book.id))?;
    let lines = |line| (1..=line).filter(|&line| !text.is_blank(line)).count() as i64;
    Ok(pairs.map(|(from, to)| lines(to) - lines(from)))
}

/// Whether the Scan has all lines between two lines, that is, none of them is between its windows.
fn is_seen(scan: &Scan, a: u32, b: u32) -> bool {
    let head = scan.head as usize;
    let last = head.checked_sub(1).and_then(|last| scan.rows.get(last));
    match (last, scan.rows.get(head)) {
        (Some(last), Some(next)) if scan.tail >= scan.head => {
            a.max(b) <= last.line || a.min(b) >= next.line - 1
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{AnalysisOptions, analyse};
    use endpaper_text::corpus::{ListingRequest, list};

    /// Analyses one book of these lines. The folder must be kept while the book may be read again.
    fn surveyed(lines: &str) -> (CorpusReport, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, lines).unwrap();
        let request = ListingRequest {
            roots: vec![path],
            ..ListingRequest::default()
        };
        let options = AnalysisOptions {
            keep_scans: true,
            ..AnalysisOptions::default()
        };
        let never = std::sync::atomic::AtomicBool::new(false);
        let survey = analyse(&list(&request).unwrap(), &options, &|_| {}, &never).unwrap();
        (survey, folder)
    }

    fn off_by(survey: &CorpusReport, cuts: (u32, Option<u32>), label: (u32, u32)) -> [i64; 2] {
        let label = BodyLabel {
            book: 0,
            first: label.0,
            last: label.1,
        };
        let cuts = Cuts {
            preamble_end: cuts.0,
            epilogue_start: cuts.1,
        };
        off(&survey.books[0], cuts, &label, u64::MAX).unwrap()
    }

    #[test]
    fn distances_count_lines_that_are_not_blank() {
        let (survey, _folder) = surveyed("one\n\n\ntwo\nthree\n\nfour\n");
        let cases = [
            ((1, None), [0, 0]),
            ((3, None), [0, 0]),
            ((5, Some(7)), [2, 1]),
            ((0, Some(6)), [-1, 1]),
        ];
        for (cuts, expected) in cases {
            assert_eq!(off_by(&survey, cuts, (4, 7)), expected, "{cuts:?}");
        }
    }

    #[test]
    fn lines_between_the_windows_are_read_again() {
        let lines: String = (1..=2000)
            .map(|n| match n % 4 {
                0 => "\n".to_owned(),
                _ => format!("this is line number {n} of a book of many lines\n"),
            })
            .collect();
        let (survey, _folder) = surveyed(&lines);
        assert!(scan_of(&survey.books[0]).unwrap().rows.len() < 1000);
        let naive = |line: u32| i64::from(line - line / 4);
        for line in [0, 1, 299, 399, 400, 401, 1000, 1599, 1600, 1601, 2000] {
            let expected = [naive(line) - naive(9), naive(1998) - naive(line)];
            let found = off_by(&survey, (line, Some(line + 1)), (10, 1998));
            assert_eq!(found, expected, "{line}");
        }
    }
}
