//! What the threads share: books, frequencies, parameters, records.
//!
//! The survey replaces the frequencies, and learning the weights; loaders take what is in force when they begin. Each
//! replacement has a number, so that pages made from older ones are not shown for newer ones.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use crate::record_versions::RecordVersion;
use endpaper_detect::Parameters;
use endpaper_detect::alternation::{FrequentGrams, built_in};
use endpaper_detect::frequency::Frequencies;
use endpaper_detect::pipeline::{self, ScanReader};
use endpaper_detect::posterior::Weights;
use endpaper_text::corpus::Book;
use endpaper_text::scan::Scan;
use endpaper_truth::{ConflictCopy, Record, SaveError, SavedRecord, Snapshot, Store, StoredRecord};

/// Where records are kept. [`Store`] is the one on disk.
pub trait Records: Send + Sync {
    /// The record of a book and the state of its file.
    fn load(&self, id: &str) -> anyhow::Result<(StoredRecord, Snapshot)>;
    /// Saves a record if its file still is as `known`.
    fn save(&self, record: &Record, known: &Snapshot) -> Result<SavedRecord, SaveError>;
    /// Puts the file of a book back to `previous` if it still is as `known`.
    fn restore(
        &self,
        id: &str,
        previous: &Snapshot,
        known: &Snapshot,
    ) -> Result<SavedRecord, SaveError>;
    /// Versions of a book's record that were kept aside because two people changed it at once.
    fn conflict_copies(&self, _id: &str) -> Vec<ConflictCopy> {
        Vec::new()
    }
    /// Saves a record that brings such versions together, and removes them.
    fn save_settled(
        &self,
        record: &Record,
        known: &Snapshot,
        _asides: &[PathBuf],
    ) -> Result<SavedRecord, SaveError> {
        self.save(record, known)
    }
    /// A record of the same text under another id than the given one: nobody is asked twice about one text.
    fn find_same_text(&self, sha256: &str, id: &str) -> Option<Box<Record>>;
    /// Why the record of a book can be read but not saved.
    fn save_obstacle(&self, _id: &str) -> Option<String> {
        None
    }
    /// Makes [`Records::find_same_text`] fast; called once, on a thread of its own.
    fn index_texts(&self) {}
}

impl Records for Store {
    fn load(&self, id: &str) -> anyhow::Result<(StoredRecord, Snapshot)> {
        Store::load(self, id)
    }

    fn save(&self, record: &Record, known: &Snapshot) -> Result<SavedRecord, SaveError> {
        Store::save(self, record, known)
    }

    fn restore(
        &self,
        id: &str,
        previous: &Snapshot,
        known: &Snapshot,
    ) -> Result<SavedRecord, SaveError> {
        Store::restore(self, id, previous, known)
    }

    fn save_obstacle(&self, id: &str) -> Option<String> {
        self.link_problem(id)
    }

    fn conflict_copies(&self, id: &str) -> Vec<ConflictCopy> {
        Store::conflict_copies(self, id)
    }

    fn save_settled(
        &self,
        record: &Record,
        known: &Snapshot,
        asides: &[PathBuf],
    ) -> Result<SavedRecord, SaveError> {
        Store::save_settled(self, record, known, asides)
    }

    fn find_same_text(&self, sha256: &str, id: &str) -> Option<Box<Record>> {
        let found = self.find_by_sha256(sha256).map(|(_, record)| record);
        found.filter(|record| record.book != id).map(Box::new)
    }

    fn index_texts(&self) {
        self.build_index();
    }
}

/// Books, frequencies, parameters, records.
#[derive(Clone)]
pub struct Library {
    /// The books, in the order of the session's entries.
    pub books: Arc<Vec<Book>>,
    /// Parameters of the detector.
    pub parameters: Parameters,
    /// Largest text that is read, in bytes (inflated).
    pub max_size: u64,
    /// The records.
    pub records: Arc<dyn Records>,
    /// What others decided of a book, by its id, to be chosen from.
    pub versions: Arc<HashMap<String, Vec<RecordVersion>>>,
    /// How the corpus is surveyed: where the Scans of a survey are found again.
    pub analysis_options: Arc<pipeline::AnalysisOptions>,
    frequencies: Frequencies,
    /// What the alternation detector knows; none if it is not asked.
    grams: Option<Arc<FrequentGrams>>,
    /// Digest of the weights in force, if they were learnt in this sitting.
    learned_digest: Option<Arc<str>>,
    generation: u64,
}

impl Library {
    /// What is in force now.
    pub fn current(library: &RwLock<Library>) -> Library {
        library
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// A library over books and the frequencies known at the start.
    pub fn new(
        books: Vec<Book>,
        frequencies: Frequencies,
        parameters: Parameters,
        records: Arc<dyn Records>,
        max_size: u64,
    ) -> Library {
        let survey = pipeline::AnalysisOptions {
            parameters: parameters.clone(),
            max_size,
            ..pipeline::AnalysisOptions::default()
        };
        Library {
            books: Arc::new(books),
            analysis_options: Arc::new(survey),
            parameters,
            max_size,
            records,
            versions: Arc::default(),
            frequencies,
            grams: Some(built_in()),
            learned_digest: None,
            generation: 0,
        }
    }

    /// What `make` makes of the Scan of a book; `None` if the book cannot be read, and also where making it panics: one
    /// bad book ends no thread.
    pub fn with_scan<T>(
        &self,
        scans: &mut ScanReader,
        index: usize,
        make: impl FnOnce(&Scan) -> Option<T>,
    ) -> Option<T> {
        let book = self.books.get(index)?;
        let made = AssertUnwindSafe(|| make(&scans.scan(book).ok()?));
        catch_unwind(made).ok().flatten()
    }

    /// The frequencies in force.
    pub fn frequencies(&self) -> &Frequencies {
        &self.frequencies
    }

    /// Puts other frequencies in force: pages made from the old ones are forgotten, and what was learnt with them.
    pub fn replace_frequencies(&mut self, frequencies: Frequencies) {
        self.frequencies = frequencies;
        self.forget();
    }

    /// What the alternation detector knows; none if it is not asked.
    pub fn grams(&self) -> Option<&FrequentGrams> {
        self.grams.as_deref()
    }

    /// Gives the alternation detector other n-grams, or asks it no more: pages made before are forgotten.
    pub fn replace_grams(&mut self, grams: Option<Arc<FrequentGrams>>) {
        self.grams = grams;
        self.generation += 1;
    }

    /// Digest of the weights in force, if they were learnt in this sitting.
    pub fn learned_digest(&self) -> Option<Arc<str>> {
        self.learned_digest.clone()
    }

    /// Puts weights in force that were learnt in this sitting: pages made with others are forgotten.
    pub fn learn(&mut self, weights: Arc<Weights>) {
        self.learned_digest = Some(weights.digest().into());
        self.parameters.weights = Some(weights);
        self.generation += 1;
    }

    /// Puts the weights in force that the sitting began with.
    pub fn forget(&mut self) {
        self.learned_digest = None;
        self.parameters.weights = self.analysis_options.parameters.weights.clone();
        self.generation += 1;
    }

    /// Changes whenever the frequencies, the weights or the n-grams do.
    pub fn generation(&self) -> u64 {
        self.generation
    }
}
