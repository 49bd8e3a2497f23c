//! Full-text search over the books of a corpus.
//!
//! A [`SearchIndex`] holds one document for each book (Wu et al., *Searching Online Book Documents and Analyzing Book
//! Citations*, section 3.3): id, title, authors, headings, contents, ISBNs, years and the text, which is split at the
//! cuts and into body and references. It stores no text: the line and chapter of a [`SearchHit`] are derived from the positions of its words,
//! and [`excerpt()`] reads the few lines to show from the book itself.
//!
//! Words are compared by their stems in the language of their book ([`Language`]). A [`Query`] is parsed once and can be
//! run on any index, from any thread. [`update_index`] brings an index up to date with an analysis.
//!
//! ```
//! use endpaper_text::corpus::BookText;
//! use endpaper_search::{IndexDocument, SearchIndex, Language, Query, QueryOptions};
//!
//! let folder = tempfile::tempdir()?;
//! let index = SearchIndex::create(&folder.path().join("index"))?;
//! let writer = index.writer(1)?;
//! writer.put(IndexDocument {
//!     title: Some("Moby Dick".to_owned()),
//!     language: Language::English,
//!     preamble_end: 1,
//!     ..IndexDocument::new("moby.txt", BookText::new(b"An e-book.\nCall me Ishmael.\nThe white whales!\n".to_vec()))
//! })?;
//! writer.finish()?;
//! index.reload()?;
//! let hits = index.find(&Query::read("\"white whale\"", &QueryOptions::default())?, 10)?;
//! assert_eq!((hits.total, hits.hits[0].position.as_ref().unwrap().line), (1, 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod byte_budget;
mod document;
mod excerpt;
mod folder;
mod hits;
mod index;
mod language;
mod locate;
mod plan;
mod problem;
mod query;
mod ranking;
mod rescored;
mod schema;
mod statistics;
mod stored;
#[cfg(test)]
mod tests;
mod tokens;
mod updating;
mod words;
mod writer;

use document::bare_isbn;

pub use document::IndexDocument;
pub use excerpt::excerpt;
pub use hits::{HitExcerpt, HitPosition, SearchHit, SearchHits};
pub use index::SearchIndex;
pub use language::Language;
pub use problem::IndexProblem;
pub use query::{Query, QueryError, QueryOptions};
pub use ranking::Ranking;
pub use schema::BookPart;
pub use stored::Chapter;
pub use updating::{
    IndexUpdate, IndexUpdater, find_with_excerpts, make_document, search_folder, update_index,
};
pub use writer::IndexWriter;
