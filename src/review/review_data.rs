//! The inputs of a sitting.

use super::args::Args;
#[cfg(feature = "search")]
use crate::corpus_search::CorpusSearcher;
use crate::queue_entries::{
    entries_of_listing, entries_of_report, mark_recorded, opinions_of_listing, read_status,
    read_statuses,
};
use crate::sample;
use anyhow::Result;
use endpaper_command::common::list_books;
use endpaper_command::overwrite::refuse_stdout;
use endpaper_command::user::UserFolders;
use endpaper_detect::frequency::built_in;
use endpaper_detect::pipeline::{self, CorpusReport, background_threads};
use endpaper_evaluate::sample::{InspectionSide, Inspections, SamplePositions};
use endpaper_review::QueueEntry;
use endpaper_review::adjudication::Adjudication;
use endpaper_review::sampling::SampleSitting;
use endpaper_review::terminal::{self, DecisionLog, Library, LoggedRecords, Records};
use endpaper_text::config::ConfigProblem;
use endpaper_text::corpus::{Book, BookLocation, Listing, ListingRequest, Skipped};
use endpaper_truth::check::ListedBooks;
use endpaper_truth::{Announcement, Store};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

/// A corpus of at most this many books is analysed before the first frame,
pub(super) const AT_ONCE: usize = 50;

/// if it is no larger than this, in bytes.
pub(super) const AT_ONCE_BYTES: u64 = 8 << 20;

/// With more books than this the cache is read after the first frame: it would take longer than listing the corpus.
pub(super) const CACHED_AT_ONCE: usize = 2000;

/// The inputs of a sitting: books, records, and the results available before the first frame.
pub(super) struct ReviewData {
    pub(super) folder: PathBuf,
    pub(super) store: Arc<Store>,
    /// Where decisions are logged.
    pub(super) log: Option<Arc<DecisionLog>>,
    pub(super) announced: Option<Announcement>,
    pub(super) request: ListingRequest,
    pub(super) listing: Arc<Listing>,
    pub(super) adjudication: Option<Adjudication>,
    pub(super) options: pipeline::AnalysisOptions,
    pub(super) sampling: Option<SampleSitting>,
    pub(super) report: Option<CorpusReport>,
    /// Books and files that could not be read, as far as known.
    pub(super) skipped: Arc<Mutex<Vec<Skipped>>>,
}

impl ReviewData {
    /// Reads settings, records and the listing, and whatever of an earlier analysis is cached.
    pub(super) fn load(args: &Args, user: &UserFolders) -> Result<ReviewData> {
        let folder = user.truth(args.truth.as_deref(), args.demo);
        let store = Arc::new(Store::open(&folder)?);
        let announced = (!args.read_only && folder.is_dir()).then(|| store.announce());
        let log = match &args.log {
            Some(path) => {
                refuse_stdout(path)?;
                let log = DecisionLog::open(path, &super::curator(args, user))?;
                Some(Arc::new(log))
            }
            None => None,
        };
        let mut request = args.corpus.request(Some(folder.clone()));
        request.demo = args.demo;
        let mut listing = list_books(&request)?;
        let adjudication = args.adjudicate.limit(&store, &mut listing)?;
        let mut options = args.corpus.options()?;
        args.detector.apply(&mut options)?;
        // The few disputed books of an adjudication are not a corpus.
        options.opinions &= adjudication.is_none();
        if args.corpus.threads == 0 {
            options.threads = background_threads();
        }
        let sample = match &args.sample {
            Some(file) => Some(SampleReview::of(args, file, &store, &listing, &options)?),
            None => None,
        };
        let (sampling, surveyed) = sample.map_or((None, None), |sample| {
            (Some(sample.sampling), Some(sample.survey))
        });
        let known = surveyed.or_else(|| initial_report(&listing, &options));
        Ok(ReviewData {
            folder,
            store,
            log,
            announced,
            request,
            skipped: Arc::new(Mutex::new(listing.skipped.clone())),
            listing: Arc::new(listing),
            adjudication,
            options,
            sampling,
            report: known,
        })
    }

    /// Whether the status of books comes from their records. In an adjudication every disputed book counts as undecided.
    pub(super) fn uses_records(&self) -> bool {
        self.adjudication.is_none()
    }

    /// The queue for the first frame.
    pub(super) fn entries(&self, decided: bool, resume: Option<&str>) -> Vec<QueueEntry> {
        let mut entries = match &self.report {
            Some(survey) => entries_of_report(&self.listing, survey),
            None => entries_of_listing(&self.listing),
        };
        if self.uses_records() {
            mark_recorded(&mut entries, &self.store);
        }
        if decided || self.sampling.is_some() {
            // The records decide which books are shown.
            read_statuses(&mut entries, &self.store);
        }
        if let Some(id) = resume.filter(|_| self.uses_records()) {
            read_status(&mut entries, &self.store, id);
        }
        entries
    }

    /// The most urgent warning for the curator: another review of the same folder, or problems in the user's files.
    pub(super) fn warning(&self, problems: Vec<&ConfigProblem>) -> Option<String> {
        let other = self
            .announced
            .as_ref()
            .and_then(Announcement::other_process);
        let warning = other.map(|pid| {
            format!(
                "another review (process {pid}) uses '{}' too: both are kept",
                self.folder.display()
            )
        });
        warning.or_else(|| brief(problems))
    }

    /// The books, counts and records that the screen reads from.
    pub(super) fn library(&mut self) -> Library {
        let frequencies = self.report.as_ref().map_or_else(
            || built_in().frequencies.clone(),
            |survey| survey.model.frequencies.clone(),
        );
        let records: Arc<dyn Records> = match &self.adjudication {
            Some(adjudication) => Arc::new(adjudication.records(self.store.clone())),
            None => self.store.clone(),
        };
        let records = match &self.log {
            Some(log) => Arc::new(LoggedRecords::new(records, log.clone())),
            None => records,
        };
        let mut library = Library::new(
            self.listing.books.clone(),
            frequencies,
            self.options.parameters.clone(),
            records,
            self.options.max_size,
        );
        library.analysis_options = Arc::new(self.options.clone());
        library.usual_encoding = self.listing.usual_encoding;
        library.request = Arc::new(self.request.clone());
        if let Some(report) = &self.report {
            let counts = report.model.frequencies.clone();
            library.replace_frequencies(counts, report.profiles.clone());
        }
        let known = self.report.as_ref();
        if let Some((report, found)) =
            known.and_then(|report| Some((report, report.opinions.as_ref()?)))
        {
            let opinions = opinions_of_listing(&self.listing, &report.books, &found.books);
            library.replace_opinions(opinions, Some(found.frequent.clone()));
        } else if !self.options.opinions {
            library.replace_grams(None);
        }
        if let Some(adjudication) = &self.adjudication {
            library.disputes = adjudication.disputes.clone();
        }
        library
    }

    /// The function that searches all books.
    #[cfg(feature = "search")]
    pub(super) fn search(&self, surveyed: &Arc<AtomicBool>) -> Option<terminal::SearchFunction> {
        let mut search = CorpusSearcher {
            listing: self.listing.clone(),
            options: self.options.clone(),
            store: self.store.clone(),
            request: self.request.clone(),
            is_analysed: surveyed.clone(),
            index: None,
        };
        Some(Box::new(move |text, to, cancel| {
            search.search(text, to, cancel)
        }))
    }

    /// Searching is not compiled in.
    #[cfg(not(feature = "search"))]
    pub(super) fn search(&self, _: &Arc<AtomicBool>) -> Option<terminal::SearchFunction> {
        None
    }
}

/// The analysis available before the first frame: cached, or made now for a corpus so small that the delay is not noticed.
pub(super) fn initial_report(
    listing: &Listing,
    options: &pipeline::AnalysisOptions,
) -> Option<CorpusReport> {
    let small = listing.books.len() <= AT_ONCE
        && listing
            .books
            .iter()
            .map(|book| book.stamp.size)
            .sum::<u64>()
            <= AT_ONCE_BYTES;
    if listing.books.len() > CACHED_AT_ONCE {
        return None;
    }
    // Extracting the text of a document may take minutes, and the screen must appear before.
    let extracted = |book: &Book| matches!(book.location, BookLocation::Document { .. });
    let small = small && !listing.books.iter().any(extracted);
    match CorpusReport::load_cached(listing, options) {
        None if small => {
            let options = options.without_opinions();
            pipeline::analyse(listing, &options, &|_| {}, &AtomicBool::new(false)).ok()
        }
        known => known,
    }
}

/// The problems in the user's files, in one line.
pub(super) fn brief(problems: Vec<&ConfigProblem>) -> Option<String> {
    let first = problems.first()?.brief();
    Some(match problems.len() {
        1 => first,
        count => format!("{first} (and {} more, on standard error)", count - 1),
    })
}

/// The inputs of a sitting over a sample.
pub(super) struct SampleReview {
    sampling: SampleSitting,
    survey: CorpusReport,
}

impl SampleReview {
    /// Analyses the corpus, finds the books of the sample in it, and reads existing inspections.
    fn of(
        args: &Args,
        file: &Path,
        store: &Store,
        listing: &Listing,
        options: &pipeline::AnalysisOptions,
    ) -> Result<SampleReview> {
        let sample = sample::read(file)?;
        // Second opinions change no cut, and would delay the first frame: they follow in the background.
        let survey = match CorpusReport::load_cached(listing, options) {
            Some(survey) => survey,
            None => args.corpus.analyse(listing, &options.without_opinions())?,
        };
        let places = SamplePositions::find(&sample, listing, &survey)?;
        let found = Inspections::read(
            &sample,
            store,
            &ListedBooks::new(listing, options.max_size),
            &survey,
        )?;
        let (drawn, planted) = (
            places.positions(&sample.books),
            places.positions(&sample.controls),
        );
        let looked = drawn.iter().zip(&found.by_book);
        let looked = looked.chain(planted.iter().zip(&found.controls));
        let bad = looked.filter_map(|(&book, look)| {
            let look = look.as_ref()?;
            Some((book, look.is_bad(InspectionSide::Either, sample.tolerated)))
        });
        let sampling = SampleSitting {
            review_tag: sample.review_tag(),
            population: sample.population,
            plan: sample.plan,
            tolerated: sample.tolerated,
            bad: bad.collect(),
            second_opinions: Default::default(),
            books: places.positions(sample.sitting()),
            controls: planted.into_iter().collect(),
        };
        Ok(SampleReview { sampling, survey })
    }
}
