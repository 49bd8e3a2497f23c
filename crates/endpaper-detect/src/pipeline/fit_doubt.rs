//! Calibrates the doubt of fitted weights on the labelled books, each judged by weights that saw no book of its work.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use rayon::prelude::*;

use super::fit::{BodyLabel, CrossFittedBook, off, scan_of};
use super::{AnalysisOptions, BookReport, BookSummary, CorpusReport, find_opinions};
use crate::calibration::{Calibration, DoubtInput, JudgedBook};
use crate::frequency::Frequencies;
use crate::posterior::{CrossFitResult, Profile};
use crate::{CorpusProfiles, Detection, Method, Parameters, SecondOpinions, propose};

/// A labelled book with its judgement.
struct JudgedLabel {
    book: usize,
    fold: usize,
    detection: Detection,
    off: [i64; 2],
    judged: JudgedBook,
}

impl JudgedLabel {
    fn with_doubt(&self, doubt: f32) -> CrossFittedBook {
        CrossFittedBook {
            book: self.book,
            cuts: self.detection.cuts,
            doubt,
            reasons: self.detection.reasons.clone(),
            off: self.off,
        }
    }
}

/// The labelled books, judged out of fold.
pub(super) struct JudgedLabels {
    labels: Vec<JudgedLabel>,
    folds: usize,
}

impl JudgedLabels {
    /// Detects the cuts of every labelled book with weights that were not fitted to its work.
    pub fn new(
        survey: &CorpusReport,
        labels: &[BodyLabel],
        crossed: &CrossFitResult,
        frequencies: &Frequencies,
        options: &AnalysisOptions,
    ) -> Result<JudgedLabels> {
        let parameters = |weights: &Profile| Parameters {
            method: Method::Posterior,
            profiles: Some(Arc::new(CorpusProfiles::one(Arc::new(weights.clone())))),
            ..options.parameters.clone()
        };
        let by_fold: Vec<Parameters> = crossed.fold_weights.iter().map(parameters).collect();
        let by_all = parameters(&crossed.weights);
        let mut fold_of = vec![None; survey.books.len()];
        for (label, fold) in labels.iter().zip(&crossed.fold_of) {
            fold_of[label.book] = *fold;
        }
        let detect = |(book, fold): (&BookReport, &Option<usize>)| -> Result<BookReport> {
            let used = fold.map_or(&by_all, |fold| &by_fold[fold]);
            let detection = propose(scan_of(book)?, frequencies, used);
            Ok(BookReport {
                book: book.book.clone(),
                summary: BookSummary {
                    detection,
                    ..book.summary.clone()
                },
                scan: None,
            })
        };
        let reports = survey.books.par_iter().zip(&fold_of).map(detect);
        let reports: Vec<BookReport> = reports.collect::<Result<_>>()?;
        let opinions = match options.opinions {
            true => {
                let books: Vec<&BookReport> = reports.iter().collect();
                find_opinions(&books, options, &|_| {}, &AtomicBool::new(false))?.books
            }
            false => vec![SecondOpinions::default(); reports.len()],
        };
        let judge = |label: &BodyLabel| {
            let (book, opinions) = (&survey.books[label.book], &opinions[label.book]);
            let lines = book.summary.lines;
            let mut detection = reports[label.book].summary.detection.clone();
            let off = off(book, detection.cuts, label, options.max_size)?;
            let judged = judged(&detection, opinions, lines, off);
            // For its reasons: the doubt is calibrated from what was judged.
            detection.add_opinions(opinions, lines, &by_all);
            Ok(JudgedLabel {
                book: label.book,
                fold: fold_of[label.book].context("a labelled book fell into no fold")?,
                judged,
                detection,
                off,
            })
        };
        Ok(JudgedLabels {
            labels: labels.par_iter().map(judge).collect::<Result<_>>()?,
            folds: crossed.fold_weights.len(),
        })
    }

    /// The evaluation of every label with the doubt of its profile.
    pub fn as_detected(&self) -> Vec<CrossFittedBook> {
        let of = |label: &JudgedLabel| label.with_doubt(label.detection.doubt);
        self.labels.iter().map(of).collect()
    }

    /// The calibration on the labels of the folds that `uses` selects.
    pub fn calibration(&self, uses: impl Fn(usize) -> bool) -> Result<Calibration> {
        let used = self.labels.iter().filter(|label| uses(label.fold));
        let used: Vec<&JudgedBook> = used.map(|label| &label.judged).collect();
        Calibration::fit(&used)
    }

    /// The evaluation of every label, its doubt calibrated on the other folds.
    pub fn cross_fitted(&self) -> Result<Vec<CrossFittedBook>> {
        let calibrations: Vec<Calibration> = (0..self.folds)
            .map(|fold| self.calibration(|other| other != fold))
            .collect::<Result<_>>()?;
        let of = |label: &JudgedLabel| {
            let inputs = label.judged.inputs.iter().copied();
            let doubt = calibrations[label.fold].doubt(label.judged.posterior_doubt, inputs);
            let is_certain = label.judged.posterior_doubt >= 1.0;
            label.with_doubt(if is_certain { 1.0 } else { doubt })
        };
        Ok(self.labels.iter().map(of).collect())
    }
}

/// A book for the calibration: its detection, the second opinions, and by how many lines each cut is off.
fn judged(
    detection: &Detection,
    opinions: &SecondOpinions,
    lines: u32,
    off: [i64; 2],
) -> JudgedBook {
    let reasons = detection
        .reasons
        .iter()
        .map(|&reason| DoubtInput::Reason(reason));
    JudgedBook {
        // The weights of a fold are not calibrated: their doubt is the posterior's.
        posterior_doubt: detection.doubt,
        inputs: reasons
            .chain(opinions.inputs(detection.cuts, lines))
            .collect(),
        is_wrong: off != [0, 0],
    }
}
