//! A detector, never judged with weights that know the labels.

use rayon::prelude::*;

use super::{System, SystemCuts, SystemError};
use crate::report::LabelledBook;
use endpaper_detect::frequency::Frequencies;
use endpaper_detect::pipeline::{self, AnalysisOptions, BodyLabel, CorpusReport};
use endpaper_detect::posterior::CrossFitPlan;
use endpaper_detect::{Method, Parameters, propose};
use endpaper_text::wording::thousands;

/// Fewest labelled books that weights are fitted to.
const MIN_LABELLED_BOOKS: usize = 100;

/// A detector over the analysis: what it proposed there, or would propose over its Scans.
///
/// Weights are never judged by books they were fitted to: such books are judged out of fold, or left out where they are too few
/// to fit others.
///
/// # Errors
///
/// An analysis that kept no Scans.
pub fn detector(
    survey: &CorpusReport,
    options: &AnalysisOptions,
    parameters: &Parameters,
    labelled: &[LabelledBook],
) -> Result<System, SystemError> {
    let profiles = &survey.profiles;
    let known = |label: &&LabelledBook| profiles.were_fitted_to(label.crc);
    let known = match parameters.method {
        Method::Posterior => labelled.iter().filter(known).count(),
        Method::Gap => 0,
    };
    if known > 0 && labelled.len() >= MIN_LABELLED_BOOKS {
        return out_of_fold(survey, options, labelled, known);
    }
    let scored = labelled.iter();
    let scored = scored.filter(|label| known == 0 || !profiles.were_fitted_to(label.crc));
    let note = (known > 0).then(|| {
        let of = thousands(labelled.len() as u64);
        format!(
            "the weights were fitted to {known} of the {of} labelled books, which are left out (fewer than {MIN_LABELLED_BOOKS} are too few to fit others)"
        )
    });
    Ok(System {
        name: name(parameters),
        note,
        cuts: proposed_cuts(survey, options, parameters, &scored.collect::<Vec<_>>())?,
    })
}

/// The cuts that a detector proposes for the labelled books, with weights that do not know their labels.
fn proposed_cuts(
    survey: &CorpusReport,
    options: &AnalysisOptions,
    parameters: &Parameters,
    labelled: &[&LabelledBook],
) -> Result<SystemCuts, SystemError> {
    let asked = &options.parameters;
    if (parameters.method, parameters.heuristics) == (asked.method, asked.heuristics) {
        return Ok(surveyed_cuts(
            survey,
            labelled.iter().map(|label| label.book),
        ));
    }
    let frequencies = &survey.model.frequencies;
    let parameters = survey.parameters(parameters);
    propose_over_scans(survey, frequencies, &parameters, labelled.iter().copied())
}

/// The cuts that an analysis proposed for the labelled books.
pub(super) fn surveyed_cuts(
    survey: &CorpusReport,
    books: impl Iterator<Item = usize>,
) -> SystemCuts {
    let found = |at: usize| {
        let found = &survey.books[at].summary.detection;
        (at, (found.cuts, found.doubt))
    };
    books.map(found).collect()
}

/// The cuts that would be proposed for the labelled books with other parameters, from the Scans that the analysis kept.
pub(super) fn propose_over_scans<'a>(
    survey: &CorpusReport,
    frequencies: &Frequencies,
    parameters: &Parameters,
    labelled: impl Iterator<Item = &'a LabelledBook>,
) -> Result<SystemCuts, SystemError> {
    let labelled: Vec<&LabelledBook> = labelled.collect();
    let each = labelled.into_par_iter().map(|label| {
        let book = &survey.books[label.book];
        let scan = book.scan.as_deref();
        let scan = scan.ok_or_else(|| SystemError::NoScan(book.book.id.clone()))?;
        let found = propose(scan, frequencies, parameters);
        Ok((label.book, (found.cuts, found.doubt)))
    });
    each.collect()
}

/// Each labelled book judged by weights that were fitted to the labelled books of other works.
fn out_of_fold(
    survey: &CorpusReport,
    options: &AnalysisOptions,
    labelled: &[LabelledBook],
    known: usize,
) -> Result<System, SystemError> {
    let labels = labelled.iter().map(|label| {
        let lines = survey.books[label.book].summary.lines;
        let (first, last) = label.record.cuts.body(lines);
        BodyLabel {
            book: label.book,
            first,
            last,
        }
    });
    let labels: Vec<BodyLabel> = labels.collect();
    let fitted = pipeline::fit(survey, &labels, &CrossFitPlan::default(), options)?;
    let scored = fitted.cross_fitted.into_iter();
    Ok(System {
        name: "posterior, out of fold".to_owned(),
        note: Some(format!(
            "its weights were fitted to {known} of these books: each book is judged by others, fitted to the labelled books of other works"
        )),
        cuts: scored
            .map(|scored| (scored.book, (scored.cuts, scored.doubt)))
            .collect(),
    })
}

/// The name of the detector in tables.
fn name(parameters: &Parameters) -> String {
    match (parameters.method, parameters.heuristics) {
        (Method::Gap, false) => format!("{}, no markers", parameters.method.name()),
        (method, _) => method.name().to_owned(),
    }
}
