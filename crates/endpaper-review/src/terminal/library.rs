//! Data shared by the threads: books, frequencies, parameters, records.
//!
//! The analysis replaces the frequencies, and learning replaces the weights; loaders use those current when they begin.
//! Each replacement increases a generation number, so that pages made from older data are not shown.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use crate::dispute::Disputes;
use endpaper_detect::alternation::{FrequentGrams, built_in};
use endpaper_detect::frequency::Frequencies;
use endpaper_detect::pipeline::{self, ScanReader};
use endpaper_detect::{CorpusProfiles, Parameters, SecondOpinions};
use endpaper_text::corpus::{Book, BookLocation, Encoding, EncodingChoice, ListingRequest};
use endpaper_text::scan::Scan;
use endpaper_truth::{ConflictCopy, Record, SaveError, SavedRecord, Snapshot, Store, StoredRecord};

/// Storage of records. [`Store`] is the one on disk.
pub trait Records: Send + Sync {
    /// Loads the record of a book and the state of its file.
    fn load(&self, id: &str) -> anyhow::Result<(StoredRecord, Snapshot)>;
    /// Saves a record if its file is still in the state `known`.
    fn save(&self, record: &Record, known: &Snapshot) -> Result<SavedRecord, SaveError>;
    /// Restores the file of a book to `previous` if it is still in the state `known`.
    fn restore(
        &self,
        id: &str,
        previous: &Snapshot,
        known: &Snapshot,
    ) -> Result<SavedRecord, SaveError>;
    /// Conflict copies of a book's record, saved when two curators changed it at the same time.
    fn conflict_copies(&self, _id: &str) -> Vec<ConflictCopy> {
        Vec::new()
    }
    /// Saves a record that resolves conflict copies, and removes them.
    fn save_settled(
        &self,
        record: &Record,
        known: &Snapshot,
        _asides: &[PathBuf],
    ) -> Result<SavedRecord, SaveError> {
        self.save(record, known)
    }
    /// A record of the same text under another id than `id`, so that a text is not decided twice.
    fn find_same_text(&self, sha256: &str, id: &str) -> Option<Box<Record>>;
    /// Why the record of a book can be read but not saved.
    fn save_obstacle(&self, _id: &str) -> Option<String> {
        None
    }
    /// Stores the encoding that was chosen for a book, or with `None` for all books; without an encoding the choice is taken
    /// back.
    fn keep_encoding(&self, _id: Option<&str>, _encoding: Option<Encoding>) -> std::io::Result<()> {
        Err(std::io::Error::other(
            "it is kept with the records of one truth folder only",
        ))
    }
    /// Builds the index for [`Records::find_same_text`]; called once, on a separate thread.
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
        conflict_copies: &[PathBuf],
    ) -> Result<SavedRecord, SaveError> {
        Store::save_settled(self, record, known, conflict_copies)
    }

    fn find_same_text(&self, sha256: &str, id: &str) -> Option<Box<Record>> {
        let found = self.find_by_sha256(sha256).map(|(_, record)| record);
        found.filter(|record| record.book != id).map(Box::new)
    }

    fn index_texts(&self) {
        self.build_index();
    }

    fn keep_encoding(&self, id: Option<&str>, encoding: Option<Encoding>) -> std::io::Result<()> {
        Store::keep_encoding(self, id, encoding)
    }
}

/// Books, frequencies, parameters and records.
#[derive(Clone)]
pub struct Library {
    /// The books, in the order of the session's entries.
    pub books: Arc<Vec<Book>>,
    /// Parameters of the detector.
    pub parameters: Parameters,
    /// Maximum size of a text, in bytes (inflated).
    pub max_size: u64,
    /// How the encodings of books are found for which none was chosen by themselves.
    pub usual_encoding: EncodingChoice,
    /// What was listed, to find the encodings of all books again.
    pub request: Arc<ListingRequest>,
    /// The records.
    pub records: Arc<dyn Records>,
    /// What curators decided differently, to adjudicate.
    pub disputes: Arc<Disputes>,
    /// Options of the analysis, which also determine where its scans are stored.
    pub analysis_options: Arc<pipeline::AnalysisOptions>,
    frequencies: Frequencies,
    /// The profiles of the corpus before anything was learned.
    profiles: Arc<CorpusProfiles>,
    /// N-grams of the alternation detector; `None` if it is off.
    grams: Option<Arc<FrequentGrams>>,
    /// Second opinions on each book, in the order of the books; empty until they are known.
    opinions: Arc<Vec<SecondOpinions>>,
    /// Digest of the current weights, if they were learned in this sitting.
    learned_digest: Option<Arc<str>>,
    generation: u64,
}

impl Library {
    /// Returns a copy of the current state.
    pub fn current(library: &RwLock<Library>) -> Library {
        library
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Creates a library of books with the frequencies known at the start.
    pub fn new(
        books: Vec<Book>,
        frequencies: Frequencies,
        parameters: Parameters,
        records: Arc<dyn Records>,
        max_size: u64,
    ) -> Library {
        let report = pipeline::AnalysisOptions {
            parameters: parameters.clone(),
            max_size,
            ..pipeline::AnalysisOptions::default()
        };
        Library {
            books: Arc::new(books),
            analysis_options: Arc::new(report),
            profiles: parameters.profiles.clone().unwrap_or_default(),
            parameters,
            max_size,
            usual_encoding: EncodingChoice::default(),
            request: Arc::default(),
            records,
            disputes: Arc::default(),
            frequencies,
            grams: Some(built_in()),
            opinions: Arc::default(),
            learned_digest: None,
            generation: 0,
        }
    }

    /// Calls `make` with the scan of a book; `None` if the book cannot be read or `make` panics, so that one bad book does not
    /// end the thread.
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

    /// Keeps an encoding for a book and reads it so from now on, which invalidates pages; `None`: it is read as books without
    /// a choice of their own.
    ///
    /// # Errors
    ///
    /// It cannot be stored, or the text is extracted; nothing changes.
    pub fn keep_encoding(
        &mut self,
        index: usize,
        encoding: Option<Encoding>,
    ) -> std::io::Result<()> {
        let Some(book) = self.books.get(index) else {
            return Ok(());
        };
        if let BookLocation::Document { .. } | BookLocation::Demo { .. } = book.location {
            return Err(std::io::Error::other("its text is extracted, and UTF-8"));
        }
        let id = book.id.as_str();
        self.records.keep_encoding(Some(id), encoding)?;
        let choice = encoding.map_or(self.usual_encoding, EncodingChoice::Forced);
        Arc::make_mut(&mut self.books)[index].encoding = choice;
        self.generation += 1;
        Ok(())
    }

    /// Keeps an encoding for all books but those with a choice of their own, and reads them so from now on, which invalidates
    /// pages; `None`: they are read as if none had been chosen.
    ///
    /// # Errors
    ///
    /// It cannot be stored, or one was named for this sitting, which goes before it: nothing changes. Or the choices of single
    /// books cannot be read again.
    pub fn keep_usual_encoding(&mut self, encoding: Option<Encoding>) -> std::io::Result<()> {
        if let Some(named) = self.request.encoding {
            let why = format!("all books of this sitting are to be read as {named}");
            return Err(std::io::Error::other(why));
        }
        self.records.keep_encoding(None, encoding)?;
        let books = Arc::make_mut(&mut self.books);
        self.usual_encoding = self.request.set_encodings(books)?;
        self.generation += 1;
        Ok(())
    }

    /// The current frequencies.
    pub fn frequencies(&self) -> &Frequencies {
        &self.frequencies
    }

    /// Replaces the frequencies and the profiles of the corpus, which invalidates pages and what was learned.
    pub fn replace_frequencies(&mut self, frequencies: Frequencies, profiles: Arc<CorpusProfiles>) {
        self.frequencies = frequencies;
        self.profiles = profiles;
        self.forget();
    }

    /// The profiles of the corpus before anything was learned.
    pub fn profiles(&self) -> &Arc<CorpusProfiles> {
        &self.profiles
    }

    /// N-grams of the alternation detector; `None` if it is off.
    pub fn grams(&self) -> Option<&FrequentGrams> {
        self.grams.as_deref()
    }

    /// Replaces the n-grams of the alternation detector or switches it off, which invalidates pages.
    pub fn replace_grams(&mut self, grams: Option<Arc<FrequentGrams>>) {
        self.grams = grams;
        self.generation += 1;
    }

    /// Second opinions on each book, in the order of the books; empty until they are known.
    pub fn opinions(&self) -> &[SecondOpinions] {
        &self.opinions
    }

    /// Replaces the second opinions, and the n-grams behind one of them, which invalidates pages.
    pub fn replace_opinions(
        &mut self,
        opinions: Vec<SecondOpinions>,
        grams: Option<Arc<FrequentGrams>>,
    ) {
        self.opinions = Arc::new(opinions);
        self.replace_grams(grams);
    }

    /// Digest of the current weights, if they were learned in this sitting.
    pub fn learned_digest(&self) -> Option<Arc<str>> {
        self.learned_digest.clone()
    }

    /// Activates weights learned in this sitting, which invalidates pages.
    pub fn learn(&mut self, profiles: Arc<CorpusProfiles>) {
        self.learned_digest = Some(profiles.digest().into());
        self.parameters.profiles = Some(profiles);
        self.generation += 1;
    }

    /// Restores the weights from the start of the sitting.
    pub fn forget(&mut self) {
        self.learned_digest = None;
        self.parameters.profiles = Some(self.profiles.clone());
        self.generation += 1;
    }

    /// A number that changes whenever the frequencies, the weights or the n-grams change.
    pub fn generation(&self) -> u64 {
        self.generation
    }
}
