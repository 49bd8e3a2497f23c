//! Table 10: the journals, series and proceedings that books cite most.

use super::outlined_corpus::OutlinedCorpus;
use super::table;
use crate::figures::report::{Compared, Figure, FigureData};

/// Rows of the table, as in the paper.
const ROWS: usize = 20;

/// The paper's first venues: books that cite them, citations, and an abbreviated spelling.
const PAPER: [(&str, u32, u32); 6] = [
    ("Communications of the ACM", 6431, 13_297),
    ("LNCS", 3618, 34_740),
    ("Theoretical Computer Science", 2893, 10_167),
    ("Physical Review Letters", 2425, 32_877),
    ("Science", 2565, 6886),
    (
        "IEEE Transactions on Pattern Analysis and Machine Intelligence",
        2246,
        10_274,
    ),
];

/// Lists the venues cited by most documents.
pub(super) fn table_10(corpus: &OutlinedCorpus) -> Figure {
    let venues = corpus.citations.venues();
    let mut data = FigureData::new(["venue", "spellings", "cited_by", "citations"]);
    for venue in venues.iter().take(ROWS) {
        data.row([
            venue.name.clone(),
            venue.spellings.to_string(),
            venue.cited_by.to_string(),
            venue.citations.to_string(),
        ]);
    }
    let compared = PAPER.map(|(name, cited_by, citations)| {
        let here = venues
            .iter()
            .find(|venue| venue.name.eq_ignore_ascii_case(name));
        let here = here.map_or_else(
            || "not cited".to_owned(),
            |venue| format!("{} ({})", venue.cited_by, venue.citations),
        );
        Compared::new(name, format!("{cited_by} ({citations})"), here)
    });
    let about = "The journals, series and proceedings that most documents cite; below, those of the paper's list.";
    Figure {
        compared: compared.into(),
        ..table(
            "outlines-table10",
            "Table 10: most cited venues",
            about.to_owned(),
            data,
        )
    }
}
