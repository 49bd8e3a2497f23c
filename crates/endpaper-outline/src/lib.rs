//! The outline of a book: its metadata, its parts and its references.
//!
//! [`outline`] reads a book once, after its [`Scan`]: several extractors read the header and the title page and
//! vote on the [`Metadata`], whose values keep their sources; tables of contents are linked to the headings in the body, and
//! headings missing from them are recognised by their regularity (Wu et al., *Searching Online Book Documents and Analyzing
//! Book Citations*, section 3.2).
//!
//! ```
//! use endpaper_text::corpus::BookText;
//! use endpaper_outline::outline;
//! use endpaper_text::scan::{WindowOptions, scan};
//!
//! let text = BookText::new(b"Title: Emma\n\nAuthor: Jane Austen\n\n*** START OF THIS PROJECT GUTENBERG EBOOK EMMA ***\n".to_vec());
//! let found = outline(&text, &scan(text.bytes(), WindowOptions::default()));
//! let title = found.metadata.title.unwrap();
//! assert_eq!((title.value.as_str(), title.sources.len()), ("Emma", 2));
//! ```

mod bibliography;
mod book;
mod citations;
mod contents;
mod extent;
mod filter;
mod fold;
mod heading;
mod metadata;
mod numbers;
mod row;
mod rows;
mod running_heads;
#[cfg(test)]
mod tests;

use serde::Serialize;

use endpaper_text::corpus::BookText;
use endpaper_text::scan::Scan;

pub use bibliography::{Bibliography, BibliographyItem};
pub use book::BookOutline;
pub use citations::{CitationLink, CitationLinks, Citations, CitedItem, CitingReference};
pub use contents::{ContentsList, OutlineEntry};
pub use filter::{BookFilter, FilterStatus};
pub use heading::HeadingKind;
pub use metadata::{
    Isbn, Metadata, MetadataValue, PartialDate, ValueExtractor, ValueSource, same_person,
    titles_agree,
};

/// Maximum size of a text that is outlined where somebody waits for it, in bytes: a second of work.
pub const MAX_OUTLINED_BYTES: usize = 24 << 20;

/// The outline of a book.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Outline {
    /// Metadata from the header, the title page and the first pages.
    pub metadata: Metadata,
    /// Its tables of contents, in the order of their lines.
    pub lists: Vec<ContentsList>,
    /// Its parts, in the order of the body.
    pub entries: Vec<OutlineEntry>,
    /// Its lists of references.
    pub bibliographies: Vec<Bibliography>,
    /// Whether it is a book, by its pages, table of contents and ISBN.
    pub filter: BookFilter,
}

/// Reads the outline of a book. `scan` is the [`Scan`] of the same text.
pub fn outline(text: &BookText, scan: &Scan) -> Outline {
    let rows = rows::BodyRows::new(text, scan);
    let metadata = metadata::read(&rows, scan);
    let bibliographies = bibliography::read(&rows);
    let titles = folded(metadata.title.as_ref());
    let (entries, lists) = contents::read(&rows, &titles, &bibliographies);
    Outline {
        filter: filter::classify(rows.extent(), &metadata, &lists),
        metadata,
        lists,
        entries,
        bibliographies,
    }
}

/// The metadata of a text: [`Outline::metadata`] without the rest.
pub fn metadata(text: &BookText, scan: &Scan) -> Metadata {
    metadata::read(&rows::BodyRows::new(text, scan), scan)
}

/// The tables of contents of a text: [`Outline::lists`] without the rest.
pub fn tables_of_contents(text: &BookText, scan: &Scan) -> Vec<ContentsList> {
    let rows = rows::BodyRows::new(text, scan);
    let title = metadata::read_title(&rows, scan);
    contents::read(&rows, &folded(title.as_ref()), &bibliography::read(&rows)).1
}

fn folded(title: Option<&MetadataValue<String>>) -> Vec<String> {
    let titles = title.into_iter();
    titles.map(|title| fold::fold(&title.value)).collect()
}

impl Outline {
    /// Parts found in the body: line, level and title as text.
    pub fn headings(&self) -> impl Iterator<Item = (u32, u8, String)> {
        let found = self
            .entries
            .iter()
            .filter_map(|entry| Some((entry.line?, entry)));
        found.map(|(line, entry)| (line, entry.level, entry.to_string()))
    }

    /// The first table of contents that the cuts leave outside the body: one with a line at or before `preamble_end`, or at or after
    /// `epilogue_start`.
    pub fn toc_outside_body(
        &self,
        preamble_end: u32,
        epilogue_start: Option<u32>,
    ) -> Option<&ContentsList> {
        let behind = |list: &ContentsList| epilogue_start.is_some_and(|start| list.last >= start);
        self.lists
            .iter()
            .find(|list| list.first <= preamble_end || behind(list))
    }
}
