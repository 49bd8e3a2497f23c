//! Searches all books from the review screen, in the same index as `endpaper search`. A search updates the index if books or records
//! have changed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use endpaper_detect::pipeline::{
    self, AnalysisOptions, BookReport, CorpusReport, background_threads,
};
use endpaper_review::Message;
use endpaper_review::corpus_search::{FoundBook, FoundBooks};
use endpaper_review::session::PassProgress;
use endpaper_search::{
    HitExcerpt, IndexProblem, IndexUpdater, Query, QueryOptions, SearchHit, SearchIndex,
    find_with_excerpts, search_folder, update_index,
};
use endpaper_text::checksum::crc64;
use endpaper_text::corpus::{FileStamp, Listing, ListingRequest};
use endpaper_truth::Store;

/// Most books listed: a user reads no more, and each costs reading its lines.
const LISTED: usize = 100;

/// State of the search in the background.
pub(super) struct CorpusSearcher {
    pub listing: Arc<Listing>,
    pub options: AnalysisOptions,
    pub store: Arc<Store>,
    pub request: ListingRequest,
    /// Set once the background analysis has finished: two analyses at once would take twice as long.
    pub is_analysed: Arc<AtomicBool>,
    /// The index, once it was opened and updated.
    pub index: Option<OpenIndex>,
}

/// An index that was up to date at the last search.
pub(super) struct OpenIndex {
    index: SearchIndex,
    /// The books as indexed.
    books: Vec<BookReport>,
    /// Checksums of the stamps of the books' files and of the records' files at that time.
    files: [u64; 2],
    /// The folder of a temporary index.
    _temporary_folder: Option<TempDir>,
}

impl CorpusSearcher {
    /// Returns the best books for a query, with their lines.
    pub fn search(
        &mut self,
        text: &str,
        to: &Sender<Message>,
        cancel: &AtomicBool,
    ) -> Result<FoundBooks, String> {
        self.try_search(text, to, cancel)
            .map_err(|error| format!("{error:#}"))
    }

    /// Answers a query, after updating the index if necessary.
    fn try_search(
        &mut self,
        text: &str,
        to: &Sender<Message>,
        cancel: &AtomicBool,
    ) -> Result<FoundBooks> {
        // An invalid query is reported before any indexing.
        let query = Query::read(text, &QueryOptions::default())?;
        let found = match self.ask(&query, text, to, cancel) {
            // A damaged index is dropped, and rebuilt once.
            Err(error) if is_damaged(&error) => self.ask(&query, text, to, cancel),
            found => found,
        };
        found.inspect_err(|_| self.index = None)
    }

    /// Queries the index and sends the hits.
    fn ask(
        &mut self,
        query: &Query,
        text: &str,
        to: &Sender<Message>,
        cancel: &AtomicBool,
    ) -> Result<FoundBooks> {
        let open = match self.index.take() {
            Some(open) => self.refresh(open, to, cancel)?,
            None => self.open(to, cancel)?,
        };
        let index = &open.index;
        let books: HashMap<&str, _> = self
            .listing
            .books
            .iter()
            .map(|book| (book.id.as_str(), book))
            .collect();
        let book = |id: &str| books.get(id).map(|book| (*book).clone());
        let hits = find_with_excerpts(index, query, LISTED, self.options.max_size, &book)?;
        self.index = Some(open);
        Ok(FoundBooks {
            query: text.to_owned(),
            total: hits.total,
            time: hits.time,
            books: hits.hits.into_iter().map(to_found_book).collect(),
        })
    }

    /// Opens or creates the index and updates it.
    fn open(&mut self, to: &Sender<Message>, cancel: &AtomicBool) -> Result<OpenIndex> {
        if !self.is_analysed.load(Ordering::Acquire) {
            bail!("the books are still being read; search them when that is done");
        }
        let (folder, passing) = self.folder()?;
        let files = self.files();
        let books = self.analyse(cancel)?;
        let (index, is_current) = self.update_index(&folder, &books, to, cancel)?;
        Ok(OpenIndex {
            index,
            books,
            files: if is_current { files } else { [0; 2] },
            _temporary_folder: passing,
        })
    }

    /// Returns an index of the books, opened, created, or rebuilt if damaged, and whether it is up to date. It is not while another
    /// process writes it.
    fn update_index(
        &self,
        folder: &Path,
        books: &[BookReport],
        to: &Sender<Message>,
        cancel: &AtomicBool,
    ) -> Result<(SearchIndex, bool)> {
        let mut index = SearchIndex::open_or_create(folder)?.0;
        let mut fed = self.feed(&index, books, to, cancel);
        match fed.as_ref().err().and_then(|error| error.downcast_ref()) {
            Some(IndexProblem::Broken(_)) => {
                index = SearchIndex::create(folder)?;
                fed = self.feed(&index, books, to, cancel);
            }
            Some(IndexProblem::Busy(_)) if index.books() > 0 => return Ok((index, false)),
            Some(IndexProblem::Busy(_)) => {
                index.wait_for_writer(cancel);
                index = SearchIndex::open_or_create(folder)?.0;
                fed = self.feed(&index, books, to, cancel);
            }
            _ => {}
        }
        fed?;
        Ok((index, true))
    }

    /// Updates an open index with books and records that changed. While another process writes it, the search uses what it has.
    fn refresh(
        &mut self,
        mut open: OpenIndex,
        to: &Sender<Message>,
        cancel: &AtomicBool,
    ) -> Result<OpenIndex> {
        let files = self.files();
        if files == open.files {
            return Ok(open);
        }
        if files[0] != open.files[0] {
            open.books = self.analyse(cancel)?;
        }
        let fed = self.feed(&open.index, &open.books, to, cancel);
        match fed {
            Err(error) if is_busy(&error) => Ok(open),
            fed => {
                fed?;
                open.files = files;
                Ok(open)
            }
        }
    }

    /// Checksums of the current stamps of the books' files and of the records' files. Also updates the stamps in the listing.
    fn files(&mut self) -> [u64; 2] {
        let mut books = Vec::new();
        // The members of an archive share one file.
        let mut stamps: HashMap<PathBuf, Option<FileStamp>> = HashMap::new();
        for book in &mut Arc::make_mut(&mut self.listing).books {
            let Some(path) = book.location.path() else {
                continue;
            };
            let known = stamps.get(path).copied();
            let stamp = known.unwrap_or_else(|| {
                let stamp = FileStamp::of(path).ok();
                stamps.insert(path.to_owned(), stamp);
                stamp
            });
            book.stamp = stamp.unwrap_or(book.stamp);
            books.push(book.stamp);
        }
        let existing = self.store.existing().unwrap_or_default();
        let stamp = |file: &PathBuf| FileStamp::of(&self.store.folder().join(file)).ok();
        let mut records: Vec<_> = existing.iter().map(|file| (file, stamp(file))).collect();
        records.sort_by_key(|(file, _)| *file);
        let number = |bytes: postcard::Result<Vec<u8>>| bytes.map_or(0, |bytes| crc64(&bytes));
        [
            number(postcard::to_allocvec(&books)),
            number(postcard::to_allocvec(&records)),
        ]
    }

    /// The current analysis of the books.
    fn analyse(&self, cancel: &AtomicBool) -> Result<Vec<BookReport>> {
        let options = AnalysisOptions {
            threads: background_threads(),
            ..self.options.clone()
        };
        Ok(match CorpusReport::load_cached(&self.listing, &options) {
            Some(report) => report.books,
            None => pipeline::analyse(&self.listing, &options, &|_| {}, cancel)?.books,
        })
    }

    /// Updates the index with the analysed books and the records.
    fn feed(
        &self,
        index: &SearchIndex,
        books: &[BookReport],
        to: &Sender<Message>,
        cancel: &AtomicBool,
    ) -> Result<()> {
        let feeding = IndexUpdater {
            threads: background_threads(),
            max_size: self.options.max_size,
            truth: Some(&self.store),
        };
        let show = |progress: pipeline::AnalysisProgress| {
            // Reporting every book would keep the screen too busy.
            if progress.done.is_multiple_of(16) {
                let _ = to.send(Message::Progress(Some(PassProgress {
                    step: "indexing".to_owned(),
                    done: progress.done,
                    total: progress.total,
                })));
            }
        };
        let fed = update_index(index, books, feeding, &show, cancel);
        let _ = to.send(Message::Progress(None));
        fed.map(|_| ())
    }

    /// The folder of the index; without a cache a temporary one, which lasts as long as its handle.
    fn folder(&self) -> Result<(PathBuf, Option<TempDir>)> {
        if let Some(cache) = &self.options.cache {
            return Ok((search_folder(cache, &self.request, &self.listing), None));
        }
        let passing =
            tempfile::tempdir().context("no folder for a temporary index could be created")?;
        Ok((passing.path().join("index"), Some(passing)))
    }
}

/// Whether an error means that the index must be rebuilt.
fn is_damaged(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(IndexProblem::Broken(_)))
}

/// Whether another process is writing the index.
fn is_busy(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(IndexProblem::Busy(_)))
}

/// Converts a hit for the screen.
fn to_found_book(hit: SearchHit) -> FoundBook {
    let text = match hit.excerpt {
        HitExcerpt::Text { text, .. } => text,
        HitExcerpt::None => hit.authors.join(", "),
        HitExcerpt::Changed => "(the book changed since it was indexed)".to_owned(),
        HitExcerpt::Unreadable(why) => format!("({why})"),
    };
    let place = hit.position.as_ref();
    FoundBook {
        id: hit.book,
        title: hit.title,
        line: place.map(|place| place.line),
        chapter: place
            .and_then(|place| place.chapter.as_ref())
            .map(|chapter| chapter.title.clone()),
        text,
    }
}
