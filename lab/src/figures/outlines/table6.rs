//! Table 6, and section 3.1: how many documents are books, and how many have a bibliography.

use super::outlined_corpus::OutlinedCorpus;
use super::{percent, table};
use crate::figures::report::{Compared, Figure, FigureData};
use endpaper_outline::FilterStatus;
use endpaper_text::wording::thousands;

/// Counts the documents of each kind.
pub(super) fn table_6(corpus: &OutlinedCorpus) -> Figure {
    let all = corpus.books.len();
    let count = |of: &dyn Fn(&super::outlined_corpus::OutlinedBook) -> bool| {
        corpus.books.iter().filter(|book| of(book)).count()
    };
    let references: usize = corpus.books.iter().map(|book| book.references()).sum();
    let citing: std::collections::BTreeSet<usize> =
        corpus.links.iter().map(|link| link.0).collect();
    let cited: std::collections::BTreeSet<usize> = corpus.links.iter().map(|link| link.1).collect();
    let rows = [
        ("documents", all, "about 3 million"),
        (
            "more than 100 pages",
            count(&|book| book.pages > 100),
            "196,425",
        ),
        (
            "200 pages and more",
            count(&|book| book.pages >= 200),
            "25,680 of the 59,207 that are indexed",
        ),
        (
            "books: also contents in the first 20 pages",
            count(&|book| book.filter != FilterStatus::None),
            "73,982",
        ),
        (
            "books: also an ISBN before them",
            count(&|book| book.filter == FilterStatus::Strong),
            "4,905",
        ),
        (
            "with a table of contents",
            count(&|book| book.has_contents),
            "-",
        ),
        (
            "with a bibliography",
            count(&|book| !book.lists.is_empty()),
            "28,714 of 73,982",
        ),
        (
            "bibliographies",
            corpus.books.iter().map(|book| book.lists.len()).sum(),
            "-",
        ),
        ("references", references, "2,501,497"),
        (
            "references to other documents of the corpus",
            corpus.links.len(),
            "-",
        ),
        ("documents that cite another one", citing.len(), "-"),
        ("documents that are cited by another one", cited.len(), "-"),
    ];
    let mut data = FigureData::new(["what", "number", "share_of_documents"]);
    for (what, number, _) in rows {
        // A document may have several bibliographies and many references.
        let of_documents = !what.starts_with("references") && !what.starts_with("bibliographies");
        let share = if of_documents {
            percent(number, all)
        } else {
            String::new()
        };
        data.row([what.to_owned(), number.to_string(), share]);
    }
    let compared = rows
        .iter()
        .filter(|(_, _, paper)| *paper != "-")
        .map(|(what, number, paper)| Compared::new(*what, *paper, thousands(*number as u64)));
    let about = "Books by the filter of section 3.1, bibliographies as in section 3.2.3, and links as in section 6.".to_owned();
    Figure {
        compared: compared.collect(),
        ..table(
            "outlines-table6",
            "Table 6: documents, books and bibliographies",
            about,
            data,
        )
    }
}
