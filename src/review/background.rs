//! Background work of a sitting: the analysis, records, and second opinions.

use super::review_data::ReviewData;
use crate::queue_entries::{
    entries_of_report, mark_recorded, opinions_of_entries, opinions_of_listing, read_statuses,
};
use anyhow::Result;
use endpaper_command::common::guessed_encodings;
use endpaper_detect::Parameters;
use endpaper_detect::pipeline::{self, BookReport, CorpusReport};
use endpaper_review::session::PassProgress;
use endpaper_review::terminal::{FirstBook, Library};
use endpaper_review::{Message, QueueEntry};
use endpaper_text::corpus::{Listing, Skipped};
use endpaper_text::wording::thousands;
use endpaper_truth::Store;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// Interval between progress messages to the screen.
const PROGRESS: Duration = Duration::from_millis(100);

/// The background work of a sitting.
pub(super) struct BackgroundPass {
    /// Set when the analysis is finished.
    is_analysed: Arc<AtomicBool>,
    listing: Arc<Listing>,
    options: pipeline::AnalysisOptions,
    /// The report that the screen began with, if any.
    report: Option<CorpusReport>,
    store: Arc<Store>,
    skipped: Arc<Mutex<Vec<Skipped>>>,
    /// Shown again after the notes of the analysis, which would hide it.
    warning: Option<String>,
    /// Whether the status of books comes from their records.
    uses_records: bool,
}

impl BackgroundPass {
    /// The background work for a sitting. `surveyed` is set when the analysis is done; `warning` is shown at its start.
    pub fn of(
        table: ReviewData,
        surveyed: Arc<AtomicBool>,
        warning: Option<String>,
    ) -> BackgroundPass {
        let standings = table.uses_records();
        BackgroundPass {
            is_analysed: surveyed,
            listing: table.listing,
            options: table.options,
            report: table.report,
            store: table.store,
            skipped: table.skipped,
            warning,
            uses_records: standings,
        }
    }

    /// Analyses the corpus unless that was done before the first frame, then reads the records and finds second opinions.
    pub fn run(
        mut self,
        to: &Sender<Message>,
        library: &RwLock<Library>,
        cancel: &AtomicBool,
        first_book: &FirstBook,
    ) {
        let known = self.report.take();
        let counts_changed = known.is_none();
        if counts_changed {
            first_book.wait();
        }
        let mut survey = match known.map_or_else(|| self.analyse(to, cancel), Ok) {
            Ok(survey) => survey,
            Err(error) => {
                let _ = to.send(Message::Progress(None));
                if !cancel.load(Ordering::Relaxed) {
                    let _ = to.send(Message::Notice(format!("{error:#}")));
                }
                return;
            }
        };
        self.is_analysed.store(true, Ordering::Release);
        *self.skipped.lock().unwrap_or_else(PoisonError::into_inner) = survey.skipped.clone();
        let mut entries = entries_of_report(&self.listing, &survey);
        if counts_changed {
            let mut library = library.write().unwrap_or_else(PoisonError::into_inner);
            let counts = survey.model.frequencies.clone();
            library.replace_frequencies(counts, survey.profiles.clone());
        }
        if self.uses_records {
            mark_recorded(&mut entries, &self.store);
        }
        let model = Some(survey.model_digest.clone());
        // The few disputed books are not a corpus, and their versions are listed in place of notes.
        let notes = match self.uses_records {
            true => notes(&survey),
            false => survey.notes.clone(),
        };
        let mut books = std::mem::take(&mut survey.books);
        let parameters = survey.parameters(&self.options.parameters);
        let wants_opinions = self.options.opinions && survey.opinions.is_none();
        drop(survey);
        if counts_changed {
            let _ = to.send(Message::Entries {
                entries: entries.clone(),
                counts_changed: true,
                model: model.clone(),
            });
        }
        let _ = to.send(Message::Progress(None));
        for note in notes.into_iter().chain(self.warning.clone()) {
            let _ = to.send(Message::Notice(note));
        }
        let entries = self.read_records(entries, model, to, cancel);
        if wants_opinions {
            self.find_opinions(&entries, &mut books, &parameters, to, library, cancel);
        }
    }

    /// Runs the analysis and sends its progress to the screen.
    fn analyse(&self, to: &Sender<Message>, cancel: &AtomicBool) -> Result<CorpusReport> {
        let last = Mutex::new(Instant::now());
        let show = |progress: pipeline::AnalysisProgress| {
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if last.elapsed() < PROGRESS {
                return;
            }
            *last = Instant::now();
            let step = match progress.step {
                pipeline::AnalysisStep::Reading => "reading",
                pipeline::AnalysisStep::Counting => "counting",
                pipeline::AnalysisStep::Detecting => "detecting",
                pipeline::AnalysisStep::Comparing => "comparing",
                pipeline::AnalysisStep::Indexing => "indexing",
            };
            let progress = PassProgress {
                step: step.to_owned(),
                done: progress.done,
                total: progress.total,
            };
            let _ = to.send(Message::Progress(Some(progress)));
        };
        // The screen shows the cuts as soon as they are known.
        let options = self.options.without_opinions();
        pipeline::analyse(&self.listing, &options, &show, cancel)
    }

    /// Sets the status of every book from its record.
    fn read_records(
        &self,
        mut entries: Vec<QueueEntry>,
        model: Option<String>,
        to: &Sender<Message>,
        cancel: &AtomicBool,
    ) -> Vec<QueueEntry> {
        let wanted = self.uses_records && !cancel.load(Ordering::Relaxed);
        if wanted && read_statuses(&mut entries, &self.store) > 0 {
            let _ = to.send(Message::Entries {
                entries: entries.clone(),
                counts_changed: false,
                model,
            });
        }
        entries
    }

    /// Finds second opinions. Without cached results this takes longer than the analysis.
    fn find_opinions(
        &self,
        entries: &[QueueEntry],
        books: &mut [BookReport],
        parameters: &Parameters,
        to: &Sender<Message>,
        library: &RwLock<Library>,
        cancel: &AtomicBool,
    ) {
        let compared: Vec<&BookReport> = books.iter().collect();
        match pipeline::find_opinions(&compared, &self.options, &|_| {}, cancel) {
            Ok(found) => {
                found.apply(books, parameters);
                let changed = opinions_of_entries(entries, books, &found.books);
                let of_listing = opinions_of_listing(&self.listing, books, &found.books);
                let mut library = library.write().unwrap_or_else(PoisonError::into_inner);
                library.replace_opinions(of_listing, Some(found.frequent));
                drop(library);
                let _ = to.send(Message::Opinions(changed));
            }
            Err(error) if !cancel.load(Ordering::Relaxed) => {
                let text = format!("second opinions could not be found: {error:#}");
                let _ = to.send(Message::Notice(text));
            }
            Err(_) => {}
        }
    }
}

/// Notes on an analysis for the curator.
fn notes(survey: &CorpusReport) -> Vec<String> {
    let mut notes = survey.notes.clone();
    notes.extend(guessed_encodings(survey));
    if let pipeline::ModelUsed::TooFew(_) = survey.model_used {
        let count = thousands(survey.books.len() as u64);
        notes.push(format!(
            "{count} books are too few for a model of their own: the built-in one is used"
        ));
    }
    notes
}
