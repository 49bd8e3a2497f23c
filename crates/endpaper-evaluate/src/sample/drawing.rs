//! Drawing a sample from an analysis.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::AtomicBool;

use super::{
    BookSample, DrawnBook, SampleCandidate, SamplePlan, SamplePlanError, choose_controls,
    draw_stratified, is_control_candidate,
};
use crate::Era;
use endpaper_detect::copies;
use endpaper_detect::pipeline::{
    AnalysisOptions, AnalysisProgress, BookReport, CopyOptions, CorpusReport, find_clusters,
};
use endpaper_detect::posterior::group_by_work;
use endpaper_truth::Store;
use endpaper_truth::check::ListedBooks;

/// What the books of one stratum of a corpus have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StratifyBy {
    /// Books made by one template.
    Template,
    /// Books whose markers are of one time; the analysis must have kept its Scans.
    Era,
    /// Books made by one producer.
    Producer,
}

impl StratifyBy {
    /// Its name in sample files.
    pub fn name(self) -> &'static str {
        match self {
            StratifyBy::Template => "template",
            StratifyBy::Era => "era",
            StratifyBy::Producer => "hand",
        }
    }

    /// The name of the stratum that a book belongs to.
    fn stratum(self, book: &BookReport) -> String {
        match self {
            StratifyBy::Template => format!("{:016x}", book.summary.template.0),
            StratifyBy::Era => book
                .scan
                .as_deref()
                .map_or(Era::NoMarker, Era::of)
                .to_string(),
            StratifyBy::Producer => match book.summary.header.producer.as_deref() {
                None | Some("") => "unknown".to_owned(),
                Some(hand) => hand.to_owned(),
            },
        }
    }
}

/// The options of drawing a sample.
#[derive(Clone, Debug)]
pub struct DrawOptions {
    /// What the sample is to show.
    pub plan: SamplePlan,
    /// Number of books; `None` for as many as the plan needs.
    pub size: Option<u64>,
    /// What the order is drawn with.
    pub seed: u64,
    /// Draw from each part in proportion to its size.
    pub stratify_by: Option<StratifyBy>,
    /// The work of each book of the analysis, by [`works_of`], where one book of each is to be drawn from.
    pub works: Option<Vec<u64>>,
    /// Lines that make no book bad: of the book lost, of boilerplate left.
    pub tolerated: [u64; 2],
}

/// Why no sample is drawn.
#[derive(Debug, thiserror::Error)]
pub enum DrawError {
    /// More books than there are.
    #[error("{size} is more than the {population} that can be drawn; draw fewer")]
    TooMany {
        /// How many were wanted.
        size: u64,
        /// How many there are.
        population: u64,
    },
    /// Fewer books with known cuts than controls were asked for.
    #[error(
        "{wanted} needs as many books that are decided and not drawn, and '{folder}' has {known}: use fewer controls, or review more books first"
    )]
    TooFewControls {
        /// The number of controls asked for.
        wanted: usize,
        /// The truth folder.
        folder: String,
        /// How many could be.
        known: usize,
    },
    /// A plan that cannot be met.
    #[error(transparent)]
    Plan(#[from] SamplePlanError),
    /// A truth folder that cannot be listed.
    #[error(transparent)]
    Store(#[from] anyhow::Error),
}

impl BookSample {
    /// Draws from the books of an analysis.
    ///
    /// # Errors
    ///
    /// A size above the number of books, or a plan that cannot be met.
    pub fn draw(report: &CorpusReport, wanted: &DrawOptions) -> Result<BookSample, DrawError> {
        let stratum = |book| {
            wanted
                .stratify_by
                .map_or_else(String::new, |by| by.stratum(book))
        };
        let strata: Vec<String> = report.books.iter().map(stratum).collect();
        let work = |at: usize| wanted.works.as_ref()?.get(at).copied();
        let candidates = report.books.iter().zip(&strata).enumerate();
        let candidates: Vec<SampleCandidate> = candidates
            .map(|(at, (book, stratum))| SampleCandidate {
                id: book.book.id.as_str(),
                stratum,
                work: work(at),
            })
            .collect();
        let population = draw_stratified(&candidates, wanted.seed, 0).2;
        let size = match wanted.size {
            Some(size) if size > population => {
                return Err(DrawError::TooMany { size, population });
            }
            Some(size) => size,
            None => wanted.plan.size(population)?,
        };
        let (places, strata, population) = draw_stratified(&candidates, wanted.seed, size);
        Ok(BookSample {
            schema: BookSample::schema(),
            corpus: report.corpus_digest.clone(),
            population,
            works: wanted.works.is_some(),
            seed: wanted.seed,
            plan: wanted.plan,
            by: wanted
                .stratify_by
                .map_or_else(String::new, |by| by.name().to_owned()),
            strata,
            tolerated: wanted.tolerated,
            books: drawn(report, places),
            controls: Vec::new(),
        })
    }

    /// Puts `count` books that are not drawn and whose cuts are known among those that are.
    ///
    /// # Errors
    ///
    /// Fewer such books than `count`; a truth folder that cannot be listed.
    pub fn add_controls(
        &mut self,
        count: usize,
        store: &Store,
        report: &CorpusReport,
        shelf: &ListedBooks<'_>,
    ) -> Result<(), DrawError> {
        let known = find_control_candidates(store, report, shelf, &self.books)?;
        if known.len() < count {
            return Err(DrawError::TooFewControls {
                wanted: count,
                folder: store.folder().display().to_string(),
                known: known.len(),
            });
        }
        let ids = known.iter().map(|&at| report.books[at].book.id.as_str());
        let chosen = choose_controls(&ids.collect::<Vec<_>>(), self.seed, count);
        self.controls = drawn(report, chosen.into_iter().map(|at| known[at]));
        Ok(())
    }
}

/// The books at these indices of the report, as they are listed in a sample file.
fn drawn(report: &CorpusReport, places: impl IntoIterator<Item = usize>) -> Vec<DrawnBook> {
    let books = places.into_iter().map(|at| &report.books[at]);
    let drawn = books.map(|book| DrawnBook {
        id: book.book.id.to_string(),
        bytes: book.summary.bytes,
        crc: format!("{:016x}", book.summary.crc),
    });
    drawn.collect()
}

/// Places of the books that are not drawn and whose cuts are known, of the text as it is now.
fn find_control_candidates(
    store: &Store,
    report: &CorpusReport,
    shelf: &ListedBooks<'_>,
    drawn: &[DrawnBook],
) -> Result<Vec<usize>, DrawError> {
    let drawn: HashSet<&str> = drawn.iter().map(|book| book.id.as_str()).collect();
    let mut known = Vec::new();
    for (_, record) in store.records()? {
        let Ok(record) = record else { continue };
        if drawn.contains(record.book.as_str()) {
            continue;
        }
        let Some(at) = report.index_of(&record.book) else {
            continue;
        };
        if is_control_candidate(&record) && shelf.text_of(&record).is_some() {
            known.push(at);
        }
    }
    known.sort_unstable();
    Ok(known)
}

/// The work of each book of an analysis, by the place of one of its books: editions by what their headers say, and near
/// copies by their text.
///
/// # Errors
///
/// Those of [`find_clusters`].
pub fn works_of(
    report: &CorpusReport,
    options: &AnalysisOptions,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
) -> anyhow::Result<Vec<u64>> {
    let books: Vec<&BookReport> = report.books.iter().collect();
    let never = AtomicBool::new(false);
    let found = find_clusters(&books, &CopyOptions::of(options), progress, &never)?;
    let headers = books.iter();
    let named = group_by_work(headers.map(|book| (&book.summary.header, book.summary.crc)));
    Ok(merge_works(&named, &found.cluster_of))
}

/// Joins books that have one name, and those of one cluster (0: none).
fn merge_works(named: &[u64], clusters: &[u32]) -> Vec<u64> {
    let (mut names, mut copies) = (HashMap::new(), HashMap::new());
    let mut pairs = Vec::new();
    for (place, (name, cluster)) in (0u32..).zip(named.iter().zip(clusters)) {
        pairs.push((*names.entry(name).or_insert(place), place));
        if *cluster > 0 {
            pairs.push((*copies.entry(cluster).or_insert(place), place));
        }
    }
    let pairs = pairs.into_iter().filter(|(a, b)| a != b);
    let mut works: Vec<u64> = (0..named.len() as u64).collect();
    for group in copies::clusters::clusters(named.len(), pairs) {
        for &place in &group {
            works[place as usize] = group[0].into();
        }
    }
    works
}

#[cfg(test)]
mod tests {
    use super::merge_works;

    #[test]
    fn books_of_one_name_and_copies_under_other_names_are_one_work() {
        let table: [(&[u64], &[u32], &[u64]); 4] = [
            (&[], &[], &[]),
            (&[7, 8, 7], &[0, 0, 0], &[0, 1, 0]),
            (&[7, 8, 9], &[2, 0, 2], &[0, 1, 0]),
            // A copy has the name of another edition.
            (&[7, 8, 9, 8, 6], &[0, 1, 1, 3, 3], &[0, 1, 1, 1, 1]),
        ];
        for (named, clusters, expected) in table {
            assert_eq!(
                merge_works(named, clusters),
                expected,
                "{named:?} {clusters:?}"
            );
        }
    }
}
