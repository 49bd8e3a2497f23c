//! Second opinions on the cuts of every book of an analysis: by the alternation detector, by tables of contents, and by
//! near copies.
//!
//! The texts are read once more for all of them. The results of the first two are cached as long as no book changes; the
//! clusters of near copies ([`find_clusters`]) depend on the cuts and are cached with them.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::cache::CorpusCache;
use super::clusters::{TextContent, cached_clusters, find_clusters_visiting, text_content};
use super::gram_cuts::cuts_of;
use super::parallel::{RunContext, catch_panic};
use super::{
    AnalysisOptions, AnalysisProgress, AnalysisStep, BookReport, CopyClusters, CopyOptions,
    CorpusReport, LEARN_FROM, LITTLE_MEMORY, find_clusters, learn_grams,
};
use crate::alternation::{END_BYTES, FrequentGrams, START_OF_BOOKS};
use crate::{Cuts, Parameters, SecondOpinions};
use endpaper_outline::{MAX_OUTLINED_BYTES, tables_of_contents};
use endpaper_text::corpus::{Book, BookText, Unreadable};
use endpaper_text::scan::{WindowOptions, scan};

/// Second opinions on the cuts of all books of an analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct CorpusOpinions {
    /// The n-grams that are frequent at the ends of the books.
    pub frequent: Arc<FrequentGrams>,
    /// All opinions on each book, those of near copies included, in the order of the analysis.
    pub books: Vec<SecondOpinions>,
}

/// Changes whenever the same texts may give other opinions.
const VERSION: u32 = 1;

/// The second opinions that depend on the text of a book and not on its cuts.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct TextOpinion {
    alternation: Cuts,
    contents: Vec<(u32, u32)>,
}

/// What the texts of all books say, as it is cached: the n-grams, and one entry for each book.
type TextOpinions = (String, Vec<Option<TextOpinion>>);

/// Finds second opinions on the cuts of books.
///
/// # Errors
///
/// [`super::Cancelled`], or the threads cannot be started. On a book that cannot be read again there is no opinion.
pub fn find_opinions(
    books: &[&BookReport],
    options: &AnalysisOptions,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<CorpusOpinions> {
    let copy_options = copy_options(options);
    if let Some((frequent, texts)) = cached_texts(books, options) {
        let clusters = find_clusters(books, &copy_options, progress, cancel)?;
        return Ok(joined(frequent, texts, clusters));
    }
    let listed: Vec<&Book> = books.iter().map(|book| &book.book).collect();
    let frequent = learn_grams(&listed, LEARN_FROM, options, progress, cancel)?;
    let examiner = TextExaminer::new(&frequent, options);
    // Should this fail, the book is read again and left without an opinion.
    let visit = |book: &BookReport, text: &BookText| {
        let _ = catch_panic(|| examiner.examine(book, text));
    };
    let clusters = find_clusters_visiting(books, &copy_options, &visit, progress, cancel)?;
    let texts = examiner.finish(books, progress, cancel)?;
    if let Some(cache) = cache_of(books, options).filter(|_| texts.iter().all(Option::is_some)) {
        let stored: TextOpinions = (frequent.to_text(), texts.clone());
        // If this fails, the next run examines the books again, which is not worth a note.
        let _ = cache.store_keyed("opinions", VERSION, &key(books, options), &stored);
    }
    Ok(joined(frequent, texts, clusters))
}

/// The opinions that an earlier run found for the same books with the same cuts; `None` if one of them is missing.
fn cached_opinions(books: &[&BookReport], options: &AnalysisOptions) -> Option<CorpusOpinions> {
    let (frequent, texts) = cached_texts(books, options)?;
    let clusters = cached_clusters(books, &copy_options(options))?;
    Some(joined(frequent, texts, clusters))
}

impl CorpusReport {
    /// Finds second opinions on the cuts and adds them to reasons and doubt. To be called once.
    ///
    /// # Errors
    ///
    /// Those of [`find_opinions`].
    pub(super) fn add_opinions(
        &mut self,
        options: &AnalysisOptions,
        progress: &(dyn Fn(AnalysisProgress) + Sync),
        cancel: &AtomicBool,
    ) -> Result<()> {
        let books: Vec<&BookReport> = self.books.iter().collect();
        let found = find_opinions(&books, options, progress, cancel)?;
        let parameters = self.parameters(&options.parameters);
        self.apply_opinions(found, &parameters);
        Ok(())
    }

    /// Adds the opinions of an earlier run; `false` if they are not cached.
    pub(super) fn add_cached_opinions(&mut self, options: &AnalysisOptions) -> bool {
        let books: Vec<&BookReport> = self.books.iter().collect();
        let found = cached_opinions(&books, options);
        let is_known = found.is_some();
        if let Some(found) = found {
            let parameters = self.parameters(&options.parameters);
            self.apply_opinions(found, &parameters);
        }
        is_known
    }

    /// Lets the second opinions change the doubt of the books, and keeps them.
    fn apply_opinions(&mut self, found: CorpusOpinions, parameters: &Parameters) {
        found.apply(&mut self.books, parameters);
        self.opinions = Some(found);
    }
}

impl CorpusOpinions {
    /// Adds the opinions to reasons and doubt of the books that they were found for. To be called once.
    pub fn apply(&self, books: &mut [BookReport], parameters: &Parameters) {
        for (book, opinions) in books.iter_mut().zip(&self.books) {
            let summary = &mut book.summary;
            (summary.detection).add_opinions(opinions, summary.lines, parameters);
        }
    }
}

/// The options for finding near copies in an analysis.
fn copy_options(options: &AnalysisOptions) -> CopyOptions {
    CopyOptions {
        memory: options.scan_memory.max(LITTLE_MEMORY),
        ..CopyOptions::of(options)
    }
}

/// The opinions of one kind by book, joined to all opinions of each book.
fn joined(
    frequent: Arc<FrequentGrams>,
    texts: Vec<Option<TextOpinion>>,
    clusters: CopyClusters,
) -> CorpusOpinions {
    let copies = clusters.cluster_of.into_iter().zip(clusters.agree);
    let books = texts
        .into_iter()
        .zip(copies)
        .map(|(text, (cluster, copies_agree))| {
            let (alternation, contents) = match text {
                Some(text) => (Some(text.alternation), text.contents),
                None => (None, Vec::new()),
            };
            SecondOpinions {
                alternation,
                contents,
                cluster,
                copies_agree,
            }
        });
    CorpusOpinions {
        frequent,
        books: books.collect(),
    }
}

/// The key of the cached opinions: everything that determines them.
fn key<'a>(books: &[&'a BookReport], options: &AnalysisOptions) -> impl Serialize + use<'a> {
    let read: Vec<_> = books
        .iter()
        .map(|book| (book.book.id.as_str(), book.book.stamp, book.book.encoding))
        .collect();
    let windows = (options.parameters.head, options.parameters.tail);
    let fixed = (LEARN_FROM, END_BYTES, START_OF_BOOKS, MAX_OUTLINED_BYTES);
    (read, windows, options.max_size, fixed)
}

/// The cache of the corpus of these books.
fn cache_of(books: &[&BookReport], options: &AnalysisOptions) -> Option<CorpusCache> {
    let listed = books.iter().map(|book| &book.book);
    CorpusCache::of(options.cache.as_deref(), listed)
}

/// The cached frequent n-grams and opinions, if no book changed.
fn cached_texts(
    books: &[&BookReport],
    options: &AnalysisOptions,
) -> Option<(Arc<FrequentGrams>, Vec<Option<TextOpinion>>)> {
    let cache = cache_of(books, options)?;
    let (frequent, texts): TextOpinions =
        cache.load_keyed("opinions", VERSION, &key(books, options))?;
    let frequent = FrequentGrams::from_text(&frequent).ok()?;
    (texts.len() == books.len()).then(|| (Arc::new(frequent), texts))
}

/// Examines texts, identical ones once: those that are read for another purpose, then the others.
struct TextExaminer<'a> {
    frequent: &'a FrequentGrams,
    options: &'a AnalysisOptions,
    found: Mutex<HashMap<TextContent, TextOpinion>>,
}

impl<'a> TextExaminer<'a> {
    /// An examiner that has seen no text.
    fn new(frequent: &'a FrequentGrams, options: &'a AnalysisOptions) -> TextExaminer<'a> {
        TextExaminer {
            frequent,
            options,
            found: Mutex::default(),
        }
    }

    /// What has been found so far.
    fn found(&self) -> MutexGuard<'_, HashMap<TextContent, TextOpinion>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Examines the text of a book, unless an identical one was.
    fn examine(&self, book: &BookReport, text: &BookText) {
        let content = text_content(book);
        if self.found().contains_key(&content) {
            return;
        }
        let opinion = TextOpinion {
            alternation: cuts_of(text, self.frequent).1,
            contents: contents(text, self.options.scanning_of(&book.book)),
        };
        self.found().insert(content, opinion);
    }

    /// The opinions of all books, after reading those that were not examined; `None` for books that cannot be read again.
    fn finish(
        self,
        books: &[&BookReport],
        progress: &(dyn Fn(AnalysisProgress) + Sync),
        cancel: &AtomicBool,
    ) -> Result<Vec<Option<TextOpinion>>> {
        let mut missing: HashMap<TextContent, &BookReport> = HashMap::new();
        for &book in books {
            missing.entry(text_content(book)).or_insert(book);
        }
        missing.retain(|content, _| !self.found().contains_key(content));
        let missing: Vec<&BookReport> = missing.into_values().collect();
        let run = RunContext::new(self.options.threads, progress, cancel)?;
        let each = |_: &mut (), at: usize| {
            let book = missing[at];
            let read = || -> Result<(), Unreadable> {
                self.examine(book, &book.book.text(self.options.max_size)?);
                Ok(())
            };
            catch_panic(read).map_err(Unreadable::Io).flatten()
        };
        run.par_map(AnalysisStep::Comparing, missing.len(), || (), each)?;
        let found = self.found();
        let of = |book: &&BookReport| found.get(&text_content(book)).cloned();
        Ok(books.iter().map(of).collect())
    }
}

/// First and last line of each table of contents of a text; none of an extremely long one.
fn contents(text: &BookText, windows: WindowOptions) -> Vec<(u32, u32)> {
    if text.bytes().len() > MAX_OUTLINED_BYTES {
        return Vec::new();
    }
    let lists = tables_of_contents(text, &scan(text.bytes(), windows)).into_iter();
    lists.map(|list| (list.first, list.last)).collect()
}
