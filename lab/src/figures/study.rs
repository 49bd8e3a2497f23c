//! Studies beside Figure 8: Algorithm 1 over other counts, or other rules, for the same labelled books.

use anyhow::Result;

use super::errors::{LabelledErrors, by_book, further};
use super::report::FigureData;
use endpaper_detect::frequency::Frequencies;
use endpaper_detect::pipeline::CorpusReport;
use endpaper_detect::{Cuts, End, Parameters};
use endpaper_evaluate::report::{LabelledBook, SystemScores};
use endpaper_evaluate::system::{System, with_counts};
use endpaper_text::corpus::{BookText, Unreadable};

/// A system with the cells that say what it is in the table of its study.
#[derive(Debug)]
pub(super) struct StudySystem {
    pub system: System,
    pub cells: Vec<String>,
}

/// The labelled books, and what is needed to cut them.
pub(super) struct LabelledCorpus<'a> {
    pub survey: &'a CorpusReport,
    pub parameters: &'a Parameters,
    pub labelled: &'a [LabelledBook],
    pub max_size: u64,
}

impl LabelledCorpus<'_> {
    /// Algorithm 1 over these counts.
    pub fn algorithm_1(
        &self,
        name: String,
        frequencies: &Frequencies,
        threshold: u64,
        heuristics: bool,
    ) -> Result<System> {
        let parameters = Parameters {
            heuristics,
            threshold,
            ..self.parameters.clone()
        };
        Ok(System {
            name,
            note: None,
            cuts: with_counts(self.survey, frequencies, &parameters, self.labelled)?,
        })
    }

    /// Cuts that are computed from the texts.
    pub fn over_texts(&self, name: &str, cuts_of: impl Fn(&BookText) -> Cuts) -> Result<System> {
        let cuts = self.labelled.iter().map(|label| {
            let text = self.survey.books[label.book].book.text(self.max_size)?;
            // Tools of rules do not doubt.
            Ok((label.book, (cuts_of(&text), 0.0)))
        });
        let cuts: Result<_, Unreadable> = cuts.collect();
        Ok(System {
            name: name.to_owned(),
            note: None,
            cuts: cuts?,
        })
    }
}

/// The columns after those of the study.
const SCORES: [&str; 10] = [
    "start_exact",
    "end_exact",
    "both_exact",
    "both_within_10",
    "start_further_off",
    "start_most_lines",
    "end_further_off",
    "end_most_lines",
    "lines_removed",
    "lines_left",
];

/// The table of a study: in how many books each end is right, in how many it is further off than with exact counts (and by how
/// many lines at most), and the lines removed and left in all of them.
pub(super) fn study_data(
    errors: &LabelledErrors,
    columns: &[&str],
    systems: &[(&[String], &SystemScores)],
) -> FigureData {
    let columns = columns.iter().chain(&SCORES);
    let mut data = FigureData::new(columns.copied());
    for (cells, scored) in systems {
        let summary = &scored.summary;
        let [start, end] = &summary.ends;
        let both = &summary.both;
        let hits = [start.exact, end.exact, both.exact, both.near[2]];
        let hits = hits.map(|share| share.hits);
        let further = [End::Start, End::End].map(|end| {
            let (share, most) = further(scored, errors.exact(), end);
            [share.hits, most]
        });
        let lines = lines_off(scored);
        let numbers = hits.into_iter().chain(further.into_iter().flatten());
        let numbers = numbers.chain(lines).map(|number| number.to_string());
        data.row(cells.iter().cloned().chain(numbers));
    }
    data
}

/// Physical lines removed and lines left, at both ends of all books.
pub(super) fn lines_off(scored: &SystemScores) -> [u64; 2] {
    let ends = [End::Start, End::End];
    let errors = ends.into_iter().flat_map(|end| by_book(scored, end));
    errors.fold([0, 0], |mut sums, (_, error)| {
        sums[usize::from(error > 0)] += error.unsigned_abs();
        sums
    })
}
