//! Whether a text is a book (Wu et al., *Searching Online Book Documents and Analyzing Book Citations*, section 3.1).

use serde::{Deserialize, Serialize};

use super::contents::ContentsList;
use super::extent::PageExtent;
use super::metadata::Metadata;
use endpaper_text::named_enum;

/// Last page on which a table of contents may begin.
const CONTENTS: u32 = 20;
/// A book has more pages than this.
const PAGES: u32 = 100;

/// How likely a text is to be a book.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum FilterStatus {
    /// No table of contents at the front, or too few pages.
    #[default]
    None,
    /// A table of contents in the first 20 pages, and more than 100 pages.
    Weak,
    /// In addition, a valid ISBN before the table of contents.
    Strong,
}

named_enum!(FilterStatus, "standing of a book", {
    None => "none",
    Weak => "weak",
    Strong => "strong",
});

/// The result of the paper's filter for books.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BookFilter {
    /// How likely the text is to be a book.
    pub book: FilterStatus,
    /// Number of pages.
    pub pages: u32,
    /// Whether the pages are estimated at 300 words each, for lack of form feeds.
    pub estimated: bool,
    /// Page of its first table of contents, from 1.
    pub contents: Option<u32>,
    /// Page of its first ISBN, from 1.
    pub isbn: Option<u32>,
}

/// Classifies a text.
pub(super) fn classify(
    extent: &PageExtent,
    metadata: &Metadata,
    lists: &[ContentsList],
) -> BookFilter {
    let contents = lists.first().map(|list| list.first);
    let isbns = metadata.isbns.iter().flat_map(|isbn| &isbn.sources);
    let isbn = isbns.filter_map(|source| source.line).min();
    let front = contents.is_some_and(|line| extent.page(line) <= CONTENTS);
    let before = isbn
        .zip(contents)
        .is_some_and(|(isbn, contents)| isbn < contents);
    let book = match (front && extent.count() > PAGES, before) {
        (false, _) => FilterStatus::None,
        (true, false) => FilterStatus::Weak,
        (true, true) => FilterStatus::Strong,
    };
    BookFilter {
        book,
        pages: extent.count(),
        estimated: extent.is_estimated(),
        contents: contents.map(|line| extent.page(line)),
        isbn: isbn.map(|line| extent.page(line)),
    }
}

impl std::fmt::Display for BookFilter {
    /// Writes it as text: `412 pages (estimated), contents on page 5, no ISBN: weak`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let estimated = if self.estimated { " (estimated)" } else { "" };
        let on = |what: &str, page: Option<u32>| {
            page.map_or(format!("no {what}"), |page| {
                format!("{what} on page {page}")
            })
        };
        let pages = endpaper_text::wording::plural(self.pages as usize, "page");
        write!(
            f,
            "{} {pages}{estimated}, {}, {}: {}",
            self.pages,
            on("contents", self.contents),
            on("ISBN", self.isbn),
            match self.book {
                FilterStatus::None => "no book by the filter",
                FilterStatus::Weak => "a book by the weak filter",
                FilterStatus::Strong => "a book by the strong filter",
            }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extent::PageCounter;
    use crate::metadata::{Isbn, MetadataValue, ValueExtractor};

    /// Classifies a text of `pages` pages of ten lines, with contents and ISBN in these lines.
    fn judged(pages: u32, contents: Option<u32>, isbn: Option<u32>) -> BookFilter {
        let mut measure = PageCounter::default();
        for line in 1..=pages * 10 {
            measure.line(line, 40, line > 1 && line % 10 == 1);
        }
        let list = |first| ContentsList {
            first,
            last: first + 5,
            entries: 3,
            linked: 3,
        };
        let isbn = isbn.map(|line| {
            MetadataValue::from_source(
                Isbn::new("0306406152").unwrap(),
                ValueExtractor::Pages,
                Some(line),
            )
        });
        let metadata = Metadata {
            isbns: isbn.into_iter().collect(),
            ..Metadata::default()
        };
        let lists: Vec<ContentsList> = contents.map(list).into_iter().collect();
        classify(&measure.finish(pages as usize * 10), &metadata, &lists)
    }

    #[test]
    fn three_rules_make_a_book() {
        let table = [
            (101, Some(191), Some(30), FilterStatus::Strong),
            (101, Some(191), Some(195), FilterStatus::Weak),
            (101, Some(200), None, FilterStatus::Weak),
            (101, Some(201), Some(30), FilterStatus::None),
            (100, Some(191), Some(30), FilterStatus::None),
            (500, None, Some(30), FilterStatus::None),
        ];
        for (pages, contents, isbn, expected) in table {
            let found = judged(pages, contents, isbn);
            assert_eq!(found.book, expected, "{pages} {contents:?} {isbn:?}");
            assert_eq!((found.pages, found.estimated), (pages, false));
        }
        let shown = judged(101, Some(195), None).to_string();
        assert_eq!(
            shown,
            "101 pages, contents on page 20, no ISBN: a book by the weak filter"
        );
    }
}
