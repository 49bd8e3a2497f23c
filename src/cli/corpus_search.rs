//! Searching all books from the review screen: the same index as `endpaper search` has, brought up to date with the first
//! search of a sitting.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::corpus::{Listing, Request};
use crate::pipeline::{
    self, Fed, Feeding, Options, Survey, background_threads, feed, search_folder,
};
use crate::review::Message;
use crate::review::corpus_search::{FoundBook, FoundBooks};
use crate::review::session::Progress;
use crate::search::{Excerpt, Hit, Index, Problem, Query, Reading};
use crate::truth::Store;

/// Books listed at most: nobody goes through more, and the lines of each are read.
const LISTED: usize = 100;

/// What a search needs to know.
pub(super) struct CorpusSearch {
    pub listing: Listing,
    pub options: Options,
    pub store: Arc<Store>,
    pub request: Request,
    /// Set once the corpus was surveyed behind the screen: two surveys at once would take twice as long.
    pub surveyed: Arc<AtomicBool>,
    /// The index, once it is up to date.
    pub index: Option<Open>,
}

/// An index that is up to date.
pub(super) struct Open {
    index: Index,
    /// The folder of an index that nobody keeps.
    _passing: Option<TempDir>,
}

impl CorpusSearch {
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
        // What is wrong with the query is told before anything is indexed for it.
        let query = Query::read(text, &Reading::default())?;
        let found = match self.ask(&query, text, to, cancel) {
            // What is found to be damaged is not kept; it is made anew, once.
            Err(error) if is_broken(&error) => self.ask(&query, text, to, cancel),
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
            Some(open) => open,
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
        let hits = pipeline::find(index, query, LISTED, self.options.max_size, &book)?;
        self.index = Some(open);
        Ok(FoundBooks {
            query: text.to_owned(),
            total: hits.total,
            time: hits.time,
            books: hits.hits.into_iter().map(found).collect(),
        })
    }

    /// Brings the index up to date.
    fn open(&self, to: &Sender<Message>, cancel: &AtomicBool) -> Result<Open> {
        if !self.surveyed.load(Ordering::Acquire) {
            bail!("the books are still being read; search them when that is done");
        }
        let (folder, passing) = self.folder()?;
        let mut index = Index::open_or_create(&folder)?.0;
        let options = Options {
            threads: background_threads(),
            ..self.options.clone()
        };
        let survey = match Survey::load_cached(&self.listing, &options) {
            Some(survey) => survey,
            None => pipeline::survey(&self.listing, &options, &|_| {}, cancel)?,
        };
        let feeding = Feeding {
            threads: background_threads(),
            max_size: options.max_size,
            truth: Some(&self.store),
        };
        let show = |progress: pipeline::Progress| {
            // Telling every book would be more work for the screen than it is worth.
            if progress.done.is_multiple_of(16) {
                let _ = to.send(Message::Progress(Some(Progress {
                    step: "indexing".to_owned(),
                    done: progress.done,
                    total: progress.total,
                })));
            }
        };
        let mut fed = feed(&index, &survey.books, feeding, &show, cancel);
        match fed.as_ref().err().and_then(|error| error.downcast_ref()) {
            Some(Problem::Broken(_)) => {
                index = Index::create(&folder)?;
                fed = feed(&index, &survey.books, feeding, &show, cancel);
            }
            // What another process has not written yet is found by a later sitting.
            Some(Problem::Busy(_)) if index.books() > 0 => fed = Ok(Fed::default()),
            Some(Problem::Busy(_)) => {
                index.wait(cancel);
                index = Index::open_or_create(&folder)?.0;
                fed = feed(&index, &survey.books, feeding, &show, cancel);
            }
            _ => {}
        }
        let _ = to.send(Message::Progress(None));
        fed?;
        Ok(Open {
            index,
            _passing: passing,
        })
    }

    fn folder(&self) -> Result<(PathBuf, Option<TempDir>)> {
        if let Some(cache) = &self.options.cache {
            return Ok((search_folder(cache, &self.request, &self.listing), None));
        }
        let passing = tempfile::tempdir().context("there is no room for an index")?;
        Ok((passing.path().join("index"), Some(passing)))
    }
}

fn is_broken(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(Problem::Broken(_)))
}

/// A hit as the screen has it.
fn found(hit: Hit) -> FoundBook {
    let text = match hit.excerpt {
        Excerpt::Text { text, .. } => text,
        Excerpt::None => hit.authors.join(", "),
        Excerpt::Changed => "(the book changed since it was indexed)".to_owned(),
        Excerpt::Unreadable(why) => format!("({why})"),
    };
    let place = hit.place.as_ref();
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
