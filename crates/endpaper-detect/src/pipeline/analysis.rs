//! The analysis of a corpus, from the listing to the report.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;

use super::cache::{CachedScans, CorpusCache, ScanEntry};
use super::exemplars;
use super::first_pass::{FirstPass, ScannedBook};
use super::first_pass_reader::{FirstPassReader, ReadGoal};
use super::model_resolver::ModelResolver;
use super::one_copy::OneCopy;
use super::parallel::{RunContext, catch_panic};
use super::scan_store::{ScanStore, ScanStoreReader};
use super::source::scan_book;
use super::{
    AnalysisOptions, AnalysisProgress, AnalysisStep, BookReport, BookSummary, CorpusReport,
    MODEL_BOOKS, ModelChoice,
};
use crate::frequency::{BookDigest, Counting, Model, ModelParameters};
use crate::posterior::edge_forms;
use crate::{CorpusProfiles, Method, Parameters, ProfileAssignment};
use endpaper_text::corpus::{Book, Listing, Skipped, Unreadable};
use endpaper_text::scan::Scan;

/// Reads, counts and detects a whole corpus.
///
/// `progress` is called for every book, from any thread. Setting `cancel` ends the analysis within one book.
///
/// # Errors
///
/// [`super::Cancelled`]; a model file that cannot be used; no readable book. A single unreadable book is not an error
/// but a [`Skipped`].
pub fn analyse(
    listing: &Listing,
    options: &AnalysisOptions,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<CorpusReport> {
    let mut report = analyse_lines(listing, options, progress, cancel)?;
    if !options.lessons.is_empty() {
        report.learn(options, progress, cancel)?;
    }
    if options.opinions {
        report.add_opinions(options, progress, cancel)?;
    }
    Ok(report)
}

/// The analysis without second opinions.
fn analyse_lines(
    listing: &Listing,
    options: &AnalysisOptions,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<CorpusReport> {
    if let Some(report) = CorpusReport::load_cached_lines(listing, options) {
        return Ok(report);
    }
    if !options.counting.one_copy {
        return analyse_with(None, listing, options, progress, cancel);
    }
    // So that an unusable model fails before the first round.
    ModelResolver::read(options)?;
    // Both rounds need the Scans.
    let folder = options.cache.is_none().then(tempfile::tempdir);
    let folder = folder.and_then(Result::ok);
    let kept = folder.as_ref().map(|folder| folder.path().to_owned());
    let options = AnalysisOptions {
        cache: options.cache.clone().or(kept),
        ..options.clone()
    };
    let once = find_copies_first(listing, &options, progress, cancel)?;
    analyse_with(once, listing, &options, progress, cancel)
}

/// The copies found in the first of two rounds; `None` if the analysis does not count its corpus.
pub(super) fn find_copies_first(
    listing: &Listing,
    options: &AnalysisOptions,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<Option<OneCopy>> {
    let too_few = options.model == ModelChoice::Auto && listing.books.len() < MODEL_BOOKS;
    if !options.model.counts_corpus() || too_few {
        return Ok(None);
    }
    let first = AnalysisOptions {
        counting: Counting {
            one_copy: false,
            ..options.counting
        },
        keep_scans: false,
        ..options.clone()
    };
    let report = analyse_lines(listing, &first, progress, cancel)?;
    if !report.model_used.holds_corpus() {
        return Ok(None);
    }
    OneCopy::find_in(&report.books, &first, progress, cancel).map(Some)
}

/// Runs one round; books that `once` leaves out are not counted.
fn analyse_with(
    once: Option<OneCopy>,
    listing: &Listing,
    options: &AnalysisOptions,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<CorpusReport> {
    let run = RunContext::new(options.threads, progress, cancel)?;
    let analysis = Analysis {
        listing,
        options,
        run,
        cache: CorpusCache::of(options.cache.as_deref(), &listing.books),
        one_copy: once,
        notes: Vec::new(),
    };
    analysis.run_to_end()
}

impl CorpusReport {
    /// The report of an earlier analysis of the same listing with the same options, if it is still in the cache.
    ///
    /// Does not read Scans, so an analysis with [`AnalysisOptions::keep_scans`] is never found.
    pub fn load_cached(listing: &Listing, options: &AnalysisOptions) -> Option<CorpusReport> {
        if !options.lessons.is_empty() {
            return None;
        }
        let mut report = CorpusReport::load_cached_lines(listing, options)?;
        let is_whole = !options.opinions || report.add_cached_opinions(options);
        is_whole.then_some(report)
    }

    /// Like [`CorpusReport::load_cached`], without second opinions.
    fn load_cached_lines(listing: &Listing, options: &AnalysisOptions) -> Option<CorpusReport> {
        if options.keep_scans {
            return None;
        }
        CorpusCache::of(options.cache.as_deref(), &listing.books)?.load_report(listing, options)
    }

    /// The index of a book in [`CorpusReport::books`].
    pub fn index_of(&self, id: &str) -> Option<usize> {
        let by_id = |book: &BookReport| book.book.id.as_str().cmp(id);
        self.books.binary_search_by(by_id).ok()
    }
}

/// An analysis in progress: its inputs, its cache, and the notes for the user that it collects.
struct Analysis<'a> {
    listing: &'a Listing,
    options: &'a AnalysisOptions,
    run: RunContext<'a>,
    cache: Option<CorpusCache>,
    /// The near copies that are not counted.
    one_copy: Option<OneCopy>,
    notes: Vec<String>,
}

impl Analysis<'_> {
    /// Counts, detects, adds second opinions and caches: the whole analysis.
    fn run_to_end(mut self) -> Result<CorpusReport> {
        // An unusable model file is reported before the books are read.
        let chosen = ModelResolver::read(self.options)?;
        let old = self.cache.as_ref();
        let old = old.and_then(|cache| cache.load_scans(self.options.scanning()));
        let counted = self.cached_model(old.as_ref(), &chosen);
        let store = self.create_store(old.as_ref());
        let goal = match &counted {
            None if chosen.counts_corpus() => ReadGoal::Frequencies {
                below: chosen.below(),
            },
            _ => ReadGoal::Scans,
        };
        let mut found = self.read_books(old.as_ref(), &store, goal)?;
        self.notes.append(&mut found.notes);
        let changed = self.scans_changed(old.as_ref(), &found);
        // With a scan store, every book is read whole.
        let corpus_digest = found
            .corpus_digest()
            .unwrap_or(found.counted_books.digest());
        let new_model = counted.is_none();
        let books = found.counted_books.len();
        let own = || counted.unwrap_or_else(|| Arc::new(found.take_model(self.options)));
        let own = chosen.counts_corpus().then(own);
        let profiles = self.profiles(&found.books);
        let is_strange = self.options.parameters.method == Method::Posterior
            && profiles.assignment == ProfileAssignment::AllOther;
        let (model, model_used) = chosen.model(books, is_strange, own)?;
        self.notes.extend(
            self.one_copy
                .iter()
                .map(|once| once.copy_counts.to_string()),
        );
        self.notes.extend(chosen.notes(&model, &model_used));
        let detecting = Detecting {
            parameters: Parameters {
                profiles: Some(profiles.clone()),
                ..self.options.parameters.clone()
            },
            model: &model,
        };
        let (books, failed) = self.detect(&found.books, &store, old.as_ref(), &detecting)?;
        let exemplars = self.exemplars(&books, &found.books, &store, old.as_ref(), &profiles)?;
        let mut skipped = found.skipped;
        skipped.extend(failed);
        skipped.sort_by(|a, b| a.id.cmp(&b.id));
        let mut report = CorpusReport {
            books,
            skipped,
            model_digest: model.digest(),
            model,
            model_used,
            profiles,
            exemplars,
            corpus_digest: format!("{corpus_digest:016x}"),
            opinions: None,
            notes: Vec::new(),
        };
        let entries = changed.then(|| entries(&found.books));
        self.store_results(&report, store, entries, new_model);
        report.notes = self.notes;
        report
            .notes
            .extend(self.one_copy.into_iter().flat_map(|once| once.notes));
        Ok(report)
    }

    /// The cached counts of an earlier run, if no book has changed since.
    fn cached_model(
        &self,
        old: Option<&CachedScans>,
        chosen: &ModelResolver<'_>,
    ) -> Option<Arc<Model>> {
        let counted = match &self.one_copy {
            None => old?.unchanged_books(self.listing)?,
            Some(once) => old?.unchanged_books(&once.counted_listing(self.listing))?,
        };
        let marks = counted.iter();
        let marks = marks.map(|(id, bytes, lines)| BookDigest::new(id.as_str(), *bytes, *lines));
        let model = Model::read(&self.cache.as_ref()?.model_file(self.options)).ok()?;
        let made = &model.parameters;
        let wanted = ModelParameters {
            pruned_below: made.pruned_below,
            ..self.options.counted(&marks.collect(), made.lines)
        };
        // The cached model must not lack lines that this run needs.
        let complete = made.pruned_below <= chosen.below().max(1);
        let has_document_frequencies = !self.options.document_frequencies
            || model.frequencies.document_frequencies().books() > 0;
        (*made == wanted && complete && has_document_frequencies).then(|| Arc::new(model))
    }

    /// The scan store: a new cache file, or memory if there is no cache or the old file is complete.
    fn create_store(&mut self, old: Option<&CachedScans>) -> ScanStore {
        let complete = old.is_some_and(|old| {
            old.len() == self.listing.books.len() && old.unchanged_books(self.listing).is_some()
        });
        let cache = self.cache.as_ref().filter(|_| !complete);
        match cache.map(|cache| cache.create_scan_store(self.options.scan_memory)) {
            Some(Ok(store)) => return store,
            Some(Err(error)) => {
                self.notes
                    .push(format!("the cache cannot be written: {error}"));
                self.cache = None;
            }
            None => {}
        }
        ScanStore::in_memory(self.options.scan_memory)
    }

    /// Reads all books: the first pass.
    fn read_books(
        &self,
        old: Option<&CachedScans>,
        store: &ScanStore,
        goal: ReadGoal<'_>,
    ) -> Result<FirstPass> {
        let reading = FirstPassReader {
            cached: old,
            one_copy: self.one_copy.as_ref(),
            store: Some(store),
            ..FirstPassReader::only(&self.run, self.listing, self.options, goal)
        };
        reading.run_to_end()
    }

    /// Whether the Scans differ from those of the earlier run.
    fn scans_changed(&self, old: Option<&CachedScans>, found: &FirstPass) -> bool {
        old.is_none_or(|old| old.len() != found.books.len())
            || found.books.iter().any(|(_, read)| read.was_read)
    }

    /// The profiles of the corpus, by its lines unless the options say them.
    fn profiles(&self, books: &[(Book, ScannedBook)]) -> Arc<CorpusProfiles> {
        if let Some(asked) = &self.options.parameters.profiles {
            return asked.clone();
        }
        if self.options.parameters.method == Method::Gap {
            return Arc::default();
        }
        let known = books.iter().filter(|(_, read)| read.has_known_lines);
        Arc::new(CorpusProfiles::for_corpus(known.count(), books.len()))
    }

    /// The books to decide first, if at least half of the books are of a collection that no profile knows.
    fn exemplars(
        &self,
        reports: &[BookReport],
        books: &[(Book, ScannedBook)],
        store: &ScanStore,
        old: Option<&CachedScans>,
        profiles: &CorpusProfiles,
    ) -> Result<Vec<usize>> {
        let is_posterior = self.options.parameters.method == Method::Posterior;
        if !is_posterior || !profiles.other.is_for_any_library() || profiles.are_learned() {
            return Ok(Vec::new());
        }
        let unknown = reports.iter().enumerate();
        let unknown = unknown.filter(|(_, book)| !book.summary.detection.is_gutenberg);
        let unknown: Vec<(usize, u64)> = unknown.map(|(at, book)| (at, book.summary.crc)).collect();
        if 2 * unknown.len() < reports.len() {
            return Ok(Vec::new());
        }
        let compared = exemplars::sample(&unknown);
        let readers = || store.reader(old.and_then(CachedScans::reader));
        let forms = |reader: &mut ScanStoreReader, at: usize| {
            let wanted = &reports[compared[at]].book.id;
            // Books that could not be detected are missing among the reports.
            let found = books.binary_search_by(|(book, _)| book.id.cmp(wanted));
            let found = found.ok().map(|index| &books[index]);
            let scan = found.and_then(|(book, read)| self.scan(book, read, reader).ok());
            scan.map_or_else(Default::default, |scan| {
                edge_forms(&scan, exemplars::EDGE_ROWS)
            })
        };
        let (_, forms) =
            self.run
                .par_map(AnalysisStep::Detecting, compared.len(), readers, forms)?;
        let chosen = exemplars::one_of_each_kind(&forms).into_iter();
        Ok(chosen.map(|at| compared[at]).collect())
    }

    /// The second pass: proposes cuts for every book from its Scan.
    fn detect(
        &self,
        books: &[(Book, ScannedBook)],
        store: &ScanStore,
        old: Option<&CachedScans>,
        detecting: &Detecting<'_>,
    ) -> Result<(Vec<BookReport>, Vec<Skipped>)> {
        let readers = || store.reader(old.and_then(CachedScans::reader));
        let each = |reader: &mut ScanStoreReader, index: usize| {
            let (book, read): &(Book, ScannedBook) = &books[index];
            let detected = catch_panic(|| self.detect_book(book, read, reader, detecting));
            let detected = detected.map_err(Unreadable::Io).flatten();
            detected.map_err(|reason| Skipped {
                id: book.id.clone(),
                reason,
            })
        };
        let (_, results) = self
            .run
            .par_map(AnalysisStep::Detecting, books.len(), readers, each)?;
        let (mut reports, mut skipped) = (Vec::with_capacity(results.len()), Vec::new());
        for result in results {
            match result {
                Ok(book) => reports.push(book),
                Err(book) => skipped.push(book),
            }
        }
        Ok((reports, skipped))
    }

    /// Detects the cuts of a book, by its stored Scan or by reading the book again.
    fn detect_book(
        &self,
        book: &Book,
        read: &ScannedBook,
        reader: &mut ScanStoreReader,
        detecting: &Detecting<'_>,
    ) -> Result<BookReport, Unreadable> {
        let scan = self.scan(book, read, reader)?;
        let (frequencies, parameters) = (&detecting.model.frequencies, &detecting.parameters);
        let summary = BookSummary {
            lines: scan.lines,
            bytes: scan.bytes,
            crc: scan.crc,
            encoding: scan.encoding,
            header: scan.header.clone(),
            template: scan.template,
            detection: crate::propose(&scan, frequencies, parameters),
        };
        let keep = self.options.keep_scans;
        Ok(BookReport {
            book: book.clone(),
            summary,
            scan: keep.then(|| Box::new(scan)),
        })
    }

    /// The Scan of a book; one that is not stored, or damaged, is made again.
    fn scan(
        &self,
        book: &Book,
        read: &ScannedBook,
        reader: &mut ScanStoreReader,
    ) -> Result<Scan, Unreadable> {
        let kept = read.stored_scan.as_ref();
        match kept.and_then(|kept| reader.scan(kept).ok()) {
            Some(scan) => Ok(scan),
            None => scan_book(book, self.options),
        }
    }

    /// Caches the results for later runs. If the cache cannot be written, a note says so.
    fn store_results(
        &mut self,
        report: &CorpusReport,
        store: ScanStore,
        entries: Option<Vec<ScanEntry>>,
        new_model: bool,
    ) {
        let Some(cache) = &self.cache else {
            let failure = store.failure();
            self.notes.extend(failure.map(|error| {
                format!(
                    "no temporary file can be written, so that some books were read twice: {error}"
                )
            }));
            return;
        };
        let prepared = cache.prepare().map_err(anyhow::Error::from);
        // One after the other: the Scans, which take most, leave their space to the others if they do not fit.
        let scans = entries.map_or(Ok(()), |entries| {
            let stored = cache.store_scans(store, &entries, self.options.scanning());
            stored.map_err(anyhow::Error::from)
        });
        let model = match new_model && report.model_used.holds_corpus() {
            true => cache.store_model(&report.model, self.options),
            false => Ok(()),
        };
        let found = self.one_copy.as_ref().map(|once| once.copy_counts);
        let stored = cache.store_report(report, found, self.listing, self.options);
        let results = [prepared, scans, model, stored];
        // The first says why, and the others mostly the same.
        let error = results.into_iter().find_map(Result::err);
        self.notes
            .extend(error.map(|error| format!("the cache cannot be written: {error:#}")));
        cache.remove_oldest();
    }
}

/// The inputs, apart from the book, with which its cuts are proposed.
struct Detecting<'a> {
    parameters: Parameters,
    model: &'a Model,
}

/// The index entries for the cache file of Scans.
fn entries(books: &[(Book, ScannedBook)]) -> Vec<ScanEntry> {
    let entries = books.iter().filter_map(|(book, read)| {
        Some(ScanEntry {
            book: book.clone(),
            bytes: read.bytes,
            crc: read.crc?,
            lines_digest: read.lines_digest,
            has_known_lines: read.has_known_lines,
            span: read.stored_scan.as_ref()?.span()?,
        })
    });
    entries.collect()
}
