//! Keeping a search index up to date with an analysis, and hits with excerpts.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use rayon::prelude::*;
use serde::Serialize;

use super::{
    Chapter, HitExcerpt, IndexDocument, IndexProblem, Language, Query, SearchHits, SearchIndex,
    excerpt,
};
use endpaper_detect::Cuts;
use endpaper_detect::pipeline::{
    AnalysisProgress, AnalysisStep, BookReport, RunContext, catch_panic,
};
use endpaper_outline::{Metadata, MetadataValue, Outline, outline};
use endpaper_text::checksum::crc64;
use endpaper_text::checksum::sha256;
use endpaper_text::corpus::{
    Book, BookText, Encoding, Listing, ListingRequest, Skipped, Unreadable,
};
use endpaper_text::scan::scan;
use endpaper_truth::{Record, Store, StoredRecord};

/// Must change when another outline or scan of the same book is possible, and with what is stored of a book.
const READER_VERSION: u32 = 2;

/// Options for updating an index.
#[derive(Clone, Copy, Debug)]
pub struct IndexUpdater<'a> {
    /// Number of threads; 0 for one per core.
    pub threads: usize,
    /// Largest text that is indexed, in bytes; larger ones are skipped.
    pub max_size: u64,
    /// Records whose decided cuts override detected ones.
    pub truth: Option<&'a Store>,
}

/// Result of an index update.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexUpdate {
    /// Number of books that were indexed, new or again.
    pub indexed: usize,
    /// Number of books removed because they are no longer in the corpus.
    pub removed: usize,
    /// Number of unchanged books.
    pub unchanged: usize,
    /// Size of the indexed texts in bytes.
    pub bytes: u64,
    /// Books that could not be read.
    pub skipped: Vec<Skipped>,
}

/// The folder of the index of a corpus: one in the cache folder for each combination of roots and globs.
pub fn search_folder(cache: &Path, request: &ListingRequest, listing: &Listing) -> PathBuf {
    let mut roots: Vec<Vec<u8>> = request
        .roots
        .iter()
        .map(|root| canonical_bytes(root))
        .collect();
    if roots.is_empty() && !request.demo && request.files_from.is_none() {
        roots.push(canonical_bytes(Path::new(".")));
    }
    roots.sort();
    // A list can hold any files, and stdin can be read only once: its books are the key.
    let listed = request.files_from.iter().flat_map(|_| &listing.books);
    let listed: Vec<&str> = listed.map(|book| book.id.as_str()).collect();
    let key = (
        roots,
        (&request.include, &request.exclude),
        listed,
        (request.demo, request.html),
    );
    let key = postcard::to_allocvec(&key).map_or(0, |key| crc64(&key));
    cache.join(format!("{key:016x}.search"))
}

/// The canonical path of a root as bytes; if it cannot be resolved, the absolute path, else the path as given.
fn canonical_bytes(root: &Path) -> Vec<u8> {
    let absolute = fs::canonicalize(root).or_else(|_| std::path::absolute(root));
    let absolute = absolute.unwrap_or_else(|_| root.to_owned());
    absolute.into_os_string().into_encoded_bytes()
}

/// Updates an index with an analysis: new and changed books (by their bytes or cuts) are indexed, and books that are gone are
/// removed. No other book is read or written. After a run was killed or cancelled, the next one continues where it stopped.
///
/// # Errors
///
/// [`endpaper_detect::pipeline::Cancelled`], or an [`IndexProblem`], such as another process writing the index. A bad
/// book is not an error but a [`Skipped`].
pub fn update_index(
    index: &SearchIndex,
    books: &[BookReport],
    feeding: IndexUpdater<'_>,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<IndexUpdate> {
    let records = records(books, feeding.truth)?;
    // Another process may have indexed the books since this one opened the index.
    index.reload()?;
    if OutdatedBooks::find(index, books, &records)?.is_empty() {
        return Ok(IndexUpdate {
            unchanged: books.len(),
            ..IndexUpdate::default()
        });
    }
    let run = RunContext::new(feeding.threads, progress, cancel)?;
    let writer = index.writer(feeding.threads)?;
    // It may also have done so until the writer had the lock; from here on no other process writes.
    index.reload()?;
    let OutdatedBooks { todo, gone } = OutdatedBooks::find(index, books, &records)?;
    let mut fed = IndexUpdate {
        unchanged: books.len() - todo.len(),
        ..IndexUpdate::default()
    };
    gone.iter().for_each(|id| writer.remove(id));
    fed.removed = gone.len();
    let each = |bytes: &mut u64, at: usize| {
        let (book, print) = todo[at];
        let record = records.get(book.book.id.as_str());
        let made = catch_panic(|| document(book, record, print, feeding.max_size));
        let made = made.unwrap_or_else(|why| Err(Unreadable::Io(why)));
        let failed = match made {
            Ok(document) => {
                *bytes += document.bytes() as u64;
                if let Err(problem) = writer.put(document) {
                    run.fail(problem.into());
                }
                None
            }
            Err(reason) => {
                // Its old document is out of date.
                writer.remove(book.book.id.as_str());
                Some(reason)
            }
        };
        failed.map(|reason| Skipped {
            id: book.book.id.clone(),
            reason,
        })
    };
    let done = run.par_map(AnalysisStep::Indexing, todo.len(), || 0, each);
    let (bytes, skipped) = match done {
        Ok(done) => done,
        Err(error) => {
            // Keeps what was indexed so far. The first error is the one to return.
            let _ = writer.commit();
            return Err(error);
        }
    };
    writer.finish()?;
    index.reload()?;
    fed.bytes = bytes.iter().sum();
    fed.skipped = skipped.into_iter().flatten().collect();
    fed.indexed = todo.len() - fed.skipped.len();
    Ok(fed)
}

/// The books for which an index differs from an analysis.
struct OutdatedBooks<'a> {
    /// New and changed books, each with the fingerprint it is to have.
    todo: Vec<(&'a BookReport, u64)>,
    /// Ids of indexed books that are no longer in the corpus.
    gone: Vec<String>,
}

impl<'a> OutdatedBooks<'a> {
    fn find(
        index: &SearchIndex,
        books: &'a [BookReport],
        records: &HashMap<String, Record>,
    ) -> Result<OutdatedBooks<'a>, IndexProblem> {
        let mut known = index.fingerprints()?;
        let todo = books.iter().filter_map(|book| {
            let id = book.book.id.as_str();
            let print = fingerprint(book, records.get(id));
            (known.remove(id) != Some(print)).then_some((book, print))
        });
        let todo = todo.collect();
        Ok(OutdatedBooks {
            todo,
            gone: known.into_keys().collect(),
        })
    }

    fn is_empty(&self) -> bool {
        self.todo.is_empty() && self.gone.is_empty()
    }
}

/// The decided records with cuts, by book id.
fn records(books: &[BookReport], truth: Option<&Store>) -> Result<HashMap<String, Record>> {
    let Some(store) = truth else {
        return Ok(HashMap::new());
    };
    let existing = store.existing()?;
    let mut records = HashMap::new();
    for book in books {
        let id = book.book.id.as_str();
        if !Store::is_among(&existing, id) {
            continue;
        }
        if let StoredRecord::Record(record) = store.load(id)?.0
            && record.verdict.has_cuts()
        {
            records.insert(id.to_owned(), *record);
        }
    }
    Ok(records)
}

/// Hash of the inputs of a document that are known without reading the book.
fn fingerprint(book: &BookReport, record: Option<&Record>) -> u64 {
    /// The inputs of a document. A document is indexed again if their hash changes.
    #[derive(Serialize)]
    struct PreparedDocument<'a> {
        reading: u32,
        crc: u64,
        bytes: u64,
        encoding: Encoding,
        cuts: Cuts,
        decided: Option<(Cuts, &'a str)>,
    }
    let summary = &book.summary;
    let made = PreparedDocument {
        reading: READER_VERSION,
        crc: summary.crc,
        bytes: summary.bytes,
        encoding: summary.encoding,
        cuts: summary.detection.cuts,
        decided: record.map(|record| (record.cuts, record.source.sha256.as_str())),
    };
    postcard::to_allocvec(&made).map_or(0, |made| crc64(&made))
}

/// Reads a book and makes its document.
fn document(
    book: &BookReport,
    record: Option<&Record>,
    fingerprint: u64,
    max_size: u64,
) -> Result<IndexDocument, Unreadable> {
    let text = book.book.text(max_size)?;
    let scanned = scan(text.bytes(), endpaper_text::scan::WindowOptions::of(&text));
    let found = outline(&text, &scanned);
    let decided = record.filter(|record| {
        record.source.lines == text.lines() && record.is_decided_on(&sha256(text.bytes()))
    });
    let cuts = decided.map_or(book.summary.detection.cuts, |record| record.cuts);
    Ok(IndexDocument {
        fingerprint,
        ..make_document(book.book.id.as_str(), text, &found, cuts)
    })
}

/// Makes the document of a book from its outline and cuts.
pub fn make_document(id: &str, text: BookText, outline: &Outline, cuts: Cuts) -> IndexDocument {
    let about = &outline.metadata;
    IndexDocument {
        number: about.number.as_ref().map(|number| number.value),
        title: about.title.as_ref().map(|title| title.value.clone()),
        authors: names(&about.authors),
        other_people: other_people(about),
        isbns: about
            .isbns
            .iter()
            .map(|isbn| isbn.value.as_str().to_owned())
            .collect(),
        published: about.published.as_ref().map(|year| year.value),
        released: about.released.as_ref().map(|date| date.value.year),
        language: about
            .language
            .as_ref()
            .map_or(Language::Plain, |name| Language::of(&name.value)),
        chapters: outline
            .headings()
            .map(|(line, _, title)| Chapter { line, title })
            .collect(),
        contents: outline
            .lists
            .iter()
            .map(|list| (list.first, list.last))
            .collect(),
        references: outline
            .bibliographies
            .iter()
            .map(|list| (list.line, list.last))
            .collect(),
        preamble_end: cuts.preamble_end,
        epilogue_start: cuts.epilogue_start,
        ..IndexDocument::new(id, text)
    }
}

/// The values without their sources.
fn names(values: &[MetadataValue<String>]) -> Vec<String> {
    values.iter().map(|value| value.value.clone()).collect()
}

/// The names of editors, translators and illustrators.
fn other_people(about: &Metadata) -> Vec<String> {
    let people = [&about.editors, &about.translators, &about.illustrators];
    people
        .into_iter()
        .flat_map(|people| names(people))
        .collect()
}

/// The best books for a query, with excerpts, which are read on all threads. `book` returns the current book with an id.
///
/// # Errors
///
/// The index cannot be read.
pub fn find_with_excerpts(
    index: &SearchIndex,
    query: &Query,
    limit: usize,
    max_size: u64,
    book: &(dyn Fn(&str) -> Option<Book> + Sync),
) -> Result<SearchHits, IndexProblem> {
    let mut hits = index.find(query, limit)?;
    hits.hits.par_iter_mut().for_each(|hit| {
        if hit.position.is_none() {
            return;
        }
        let gone = || HitExcerpt::Unreadable("it is no longer in the corpus".to_owned());
        hit.excerpt = book(&hit.book).map_or_else(gone, |book| {
            let read = catch_panic(|| {
                let text = book.text(max_size)?;
                Ok::<_, Unreadable>(excerpt(hit, &text))
            });
            match read {
                Ok(Ok(excerpt)) => excerpt,
                Ok(Err(reason)) => HitExcerpt::Unreadable(reason.to_string()),
                Err(why) => HitExcerpt::Unreadable(why),
            }
        });
    });
    Ok(hits)
}
