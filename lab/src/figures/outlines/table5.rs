//! Table 5: precision and recall of the extractors.

use super::outlined_corpus::OutlinedCorpus;
use super::{percent, table};
use crate::figures::report::{Compared, Figure, FigureData};
use lab::experiments::outlines::FIELDS;

/// The paper's rows: extractor, documents, precision and recall.
const PAPER: [(&str, &str); 4] = [
    ("Title", "100 documents: 87 %, 89 %"),
    ("Authors", "100 documents: 90 %, 92 %"),
    ("ISBN", "300 documents: 99 %, 97 %"),
    ("Publish date", "300 documents: 95 %, 90 %"),
];

/// Compares values of the outlines with those of the manifest.
pub(super) fn table_5(corpus: &OutlinedCorpus) -> Figure {
    let mut data = FigureData::new([
        "extractor",
        "documents",
        "precision",
        "recall",
        "to_the_letter",
    ]);
    let mut compared = Vec::new();
    let rows = FIELDS.iter().zip(corpus.tallies);
    for ((_, name), tally) in rows.filter(|(_, tally)| tally.books > 0) {
        let (precision, recall) = (
            percent(tally.right, tally.found),
            percent(tally.right, tally.wanted),
        );
        let exact = percent(tally.exact, tally.wanted);
        let cells = [
            tally.books.to_string(),
            precision.clone(),
            recall.clone(),
            exact,
        ];
        data.row(std::iter::once((*name).to_owned()).chain(cells));
        let paper = PAPER.iter().find(|(of, _)| of == name);
        let here = format!("{} documents: {precision}, {recall}", tally.books);
        compared.push(Compared::new(
            *name,
            paper.map_or("-", |(_, paper)| *paper),
            here,
        ));
    }
    let about = "Values of the outlines beside those of the manifest: precision and recall.";
    Figure {
        compared,
        ..table(
            "outlines-table5",
            "Table 5: accuracy of the extractors",
            about.to_owned(),
            data,
        )
    }
}
