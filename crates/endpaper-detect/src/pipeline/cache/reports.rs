//! Cached reports: everything but the Scans and the model, in one file that is read at once.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::super::model_resolver::ModelResolver;
use super::super::one_copy::CopyCounts;
use super::super::{AnalysisOptions, BookReport, BookSummary, CorpusReport, ModelUsed};
use super::{CorpusCache, read_checksummed, stamp_of, write_checksummed};
use crate::ProfileAssignment;
use crate::frequency::Model;
use endpaper_text::atomic::write_cache;
use endpaper_text::corpus::{FileStamp, Listing, Skipped};

/// The contents of the file, with borrowed summaries for writing and owned ones for reading.
#[derive(Serialize, Deserialize)]
struct SummaryFile<S> {
    fingerprint: u64,
    /// One per book of the listing; `None` for a skipped book.
    summaries: Vec<Option<S>>,
    skipped: Vec<Skipped>,
    model_used: ModelUsed,
    copies: Option<CopyCounts>,
    model: String,
    corpus_digest: String,
    profiles: ProfileAssignment,
    exemplars: Vec<usize>,
}

impl CorpusCache {
    /// A hash of everything that determines a report, including the stamps of model files.
    fn report_key(&self, listing: &Listing, options: &AnalysisOptions) -> Option<u64> {
        let stamps = options.model.files().map(|path| stamp_of(path));
        let model_files: Vec<FileStamp> = stamps.collect::<Option<_>>()?;
        self.fingerprint(&(
            "survey",
            (&listing.books, &listing.skipped),
            (&options.parameters, options.counting, options.max_size),
            options.document_frequencies,
            (&options.model, model_files),
        ))
    }

    /// The report of an earlier analysis of the same listing with the same options.
    pub fn load_report(
        &self,
        listing: &Listing,
        options: &AnalysisOptions,
    ) -> Option<CorpusReport> {
        // In parallel, as the model of a large corpus takes as long to read as everything else.
        let (contents, counts) = rayon::join(
            || self.read_contents(listing, options),
            || {
                Model::read_bytes(&self.model_file(options))
                    .ok()
                    .and_then(decode)
            },
        );
        let contents = contents?;
        let mut notes: Vec<String> = contents.copies.iter().map(CopyCounts::to_string).collect();
        let (model, digest) = if contents.model_used.holds_corpus() {
            let (model, digest) = counts?;
            (model, digest)
        } else {
            let chosen = ModelResolver::read(options).ok()?;
            let books = contents.summaries.iter().flatten().count();
            let left_out = contents.copies.map_or(0, |found| found.left_out);
            let (model, used) = chosen
                .model(books.saturating_sub(left_out), false, None)
                .ok()?;
            notes.extend(chosen.notes(&model, &used));
            (model.clone(), model.digest())
        };
        if digest != contents.model {
            return None;
        }
        // A vector that grows would be up to twice as large.
        let mut books = Vec::with_capacity(listing.books.len());
        let pairs = listing.books.iter().zip(contents.summaries);
        books.extend(pairs.filter_map(|(book, summary)| {
            Some(BookReport {
                book: book.clone(),
                summary: summary?,
                scan: None,
            })
        }));
        Some(CorpusReport {
            books,
            skipped: contents.skipped,
            model,
            model_digest: digest,
            model_used: contents.model_used,
            corpus_digest: contents.corpus_digest,
            profiles: options.profiles(|| contents.profiles),
            exemplars: contents.exemplars,
            opinions: None,
            notes,
        })
    }

    /// The cached summaries, if they belong to these books and options.
    fn read_contents(
        &self,
        listing: &Listing,
        options: &AnalysisOptions,
    ) -> Option<SummaryFile<BookSummary>> {
        let contents: SummaryFile<BookSummary> =
            read_checksummed(&self.model_dependent_file(options, "survey"))?;
        let fits = Some(contents.fingerprint) == self.report_key(listing, options)
            && contents.summaries.len() == listing.books.len();
        fits.then_some(contents)
    }

    /// Stores a report without its model; [`CorpusCache::store_model`] stores the model of the corpus.
    pub fn store_report(
        &self,
        report: &CorpusReport,
        copies: Option<CopyCounts>,
        listing: &Listing,
        options: &AnalysisOptions,
    ) -> anyhow::Result<()> {
        let Some(fingerprint) = self.report_key(listing, options) else {
            return Ok(());
        };
        let mut books = report.books.iter().peekable();
        let summaries = listing.books.iter().map(|book| {
            let surveyed = books.next_if(|surveyed| surveyed.book.id == book.id);
            surveyed.map(|surveyed| &surveyed.summary)
        });
        let contents = SummaryFile {
            fingerprint,
            summaries: summaries.collect(),
            skipped: report.skipped.clone(),
            model_used: report.model_used.clone(),
            copies,
            model: report.model_digest.clone(),
            corpus_digest: report.corpus_digest.clone(),
            profiles: report.profiles.assignment,
            exemplars: report.exemplars.clone(),
        };
        write_checksummed(&self.model_dependent_file(options, "survey"), &contents)
    }

    /// Stores the counts of the corpus, with those that were added to them.
    pub fn store_model(&self, model: &Model, options: &AnalysisOptions) -> anyhow::Result<()> {
        write_cache(&self.model_file(options), |out| {
            out.write_all(&model.to_bytes())
        })
    }
}

/// A cached model and its digest.
fn decode(bytes: Vec<u8>) -> Option<(Arc<Model>, String)> {
    let model = Model::from_bytes(&bytes).ok()?;
    Some((Arc::new(model), Model::digest_of(&bytes)?))
}
