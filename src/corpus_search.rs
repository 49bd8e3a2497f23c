//! Searching all books from the review screen: the same index as `endpaper search` has, brought up to date with each search
//! that finds books or records changed.

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

/// Books listed at most: no one goes through more, and the lines of each are read.
const LISTED: usize = 100;

/// What a search needs to know.
pub(super) struct CorpusSearcher {
    pub listing: Listing,
    pub options: AnalysisOptions,
    pub store: Arc<Store>,
    pub request: ListingRequest,
    /// Set once the corpus was analysed after the screen: two analyses at once would take twice as long.
    pub is_analysed: Arc<AtomicBool>,
    /// The index, once it is up to date.
    pub index: Option<OpenIndex>,
}

/// An index that was up to date when it was last asked.
pub(super) struct OpenIndex {
    index: SearchIndex,
    /// The books as they were indexed.
    books: Vec<BookReport>,
    /// The files of the books and of the records as they were then.
    files: [u64; 2],
    /// The folder of an index that no one keeps.
    _temporary_folder: Option<TempDir>,
}

impl CorpusSearcher {
    /// The best books for a query, with their lines.
    pub fn search(
        &mut self,
        text: &str,
        to: &Sender<Message>,
        cancel: &AtomicBool,
    ) -> Result<FoundBooks, String> {
        self.try_search(text, to, cancel)
            .map_err(|error| format!("{error:#}"))
    }

    fn try_search(
        &mut self,
        text: &str,
        to: &Sender<Message>,
        cancel: &AtomicBool,
    ) -> Result<FoundBooks> {
        // What is wrong with the query is reported before anything is indexed for it.
        let query = Query::read(text, &QueryOptions::default())?;
        let found = match self.ask(&query, text, to, cancel) {
            // What is found to be damaged is not kept; it is made again, once.
            Err(error) if is_damaged(&error) => self.ask(&query, text, to, cancel),
            found => found,
        };
        found.inspect_err(|_| self.index = None)
    }

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

    /// Opens the index, or makes it, and brings it up to date.
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

    /// An index of the books: opened, made, or made again where it turns out to be damaged; and whether it is up to date.
    /// It is not while another process writes it.
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

    /// Brings an open index up to date with what changed since: books that were edited, and records. While another process
    /// writes it, what it had is what is searched.
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

    /// How the files of the books and those of the records are now, each as one number. The listing learns of books that
    /// changed.
    fn files(&mut self) -> [u64; 2] {
        let mut books = Vec::new();
        // The members of an archive have one file.
        let mut stamps: HashMap<PathBuf, Option<FileStamp>> = HashMap::new();
        for book in &mut self.listing.books {
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

    /// The books as they are now.
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
            // Telling every book would be more work for the screen than it is worth.
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

    fn folder(&self) -> Result<(PathBuf, Option<TempDir>)> {
        if let Some(cache) = &self.options.cache {
            return Ok((search_folder(cache, &self.request, &self.listing), None));
        }
        let passing =
            tempfile::tempdir().context("no folder for a temporary index could be created")?;
        Ok((passing.path().join("index"), Some(passing)))
    }
}

fn is_damaged(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(IndexProblem::Broken(_)))
}

/// Another process writes the index.
fn is_busy(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(IndexProblem::Busy(_)))
}

/// A hit as the screen has it.
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
