//! Table 9: the works that books cite most.

use super::outlined_corpus::OutlinedCorpus;
use super::table;
use crate::figures::report::{Compared, Figure, FigureData};
use endpaper_outline::titles_agree;

/// Rows of the table, as in the paper.
const ROWS: usize = 20;

/// The paper's first ten works: title, books that cite it, citations.
const PAPER: [(&str, u32, u32); 10] = [
    ("Introduction to Algorithms", 982, 1080),
    ("Computers and Intractability", 753, 809),
    (
        "Numerical Recipes in C: The Art of Scientific Computing",
        676,
        749,
    ),
    ("The Art of Computer Programming", 604, 1832),
    ("Digital Image Processing", 566, 844),
    ("Elements of Information Theory", 526, 563),
    ("Partial Differential Equations", 518, 1308),
    ("Graduate Texts in Mathematics", 513, 931),
    ("Communicating Sequential Processes", 474, 609),
    (
        "Genetic Algorithms in Search, Optimization and Machine Learning",
        361,
        1164,
    ),
];

/// Lists the works cited by most documents.
pub(super) fn table_9(corpus: &OutlinedCorpus) -> Figure {
    let works = corpus.citations.works();
    let mut data = FigureData::new(["title", "author", "year", "cited_by", "citations"]);
    for work in works.iter().take(ROWS) {
        data.row([
            work.name.clone(),
            work.author.clone().unwrap_or_default(),
            work.year.map_or_else(String::new, |year| year.to_string()),
            work.cited_by.to_string(),
            work.citations.to_string(),
        ]);
    }
    let compared = PAPER.map(|(title, cited_by, citations)| {
        let here = works.iter().find(|work| titles_agree(&work.name, title));
        let here = here.map_or_else(
            || "not cited".to_owned(),
            |work| format!("{} ({})", work.cited_by, work.citations),
        );
        Compared::new(title, format!("{cited_by} ({citations})"), here)
    });
    let about = "The works that most documents cite; below, documents that cite the works of the paper's list (and citations).";
    Figure {
        compared: compared.into(),
        ..table(
            "outlines-table9",
            "Table 9: most cited works",
            about.to_owned(),
            data,
        )
    }
}
