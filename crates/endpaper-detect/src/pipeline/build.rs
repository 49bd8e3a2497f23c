//! Building a model or a part, which needs the first pass only.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::Result;

use super::first_pass::FirstPass;
use super::first_pass_reader::{FirstPassReader, ReadGoal};
use super::one_copy::OneCopy;
use super::parallel::{RunContext, catch_panic};
use super::{AnalysisOptions, AnalysisProgress, ModelChoice, analyse};
use crate::frequency::{BookLines, Counting, LineTexts, Model, ModelParameters, TextSampler};
use endpaper_text::atomic::Existing;
use endpaper_text::corpus::{Book, BookReader, Listing, Skipped};
use endpaper_text::line::Key;
use endpaper_text::scan::{BookBytes, Scanner};

/// What a model contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelSize {
    /// Lines that occur fewer times are left out.
    pub min_count: u64,
    /// Number of most frequent lines whose texts are kept.
    pub texts: usize,
}

impl Default for ModelSize {
    /// Most lines of a corpus occur once and are never looked up, so they are left out.
    fn default() -> Self {
        ModelSize {
            min_count: 2,
            texts: 1000,
        }
    }
}

/// A model with the problems that occurred.
#[derive(Clone, Debug, PartialEq)]
pub struct BuiltModel {
    /// The model.
    pub model: Model,
    /// Books that could not be read, in id order.
    pub skipped: Vec<Skipped>,
    /// Remarks, one sentence each.
    pub notes: Vec<String>,
}

/// Counts a whole corpus without detection and without the cache, so no Scans are stored. With
/// [`crate::frequency::Counting::one_copy`], an analysis comes first to find the copies; it uses the cache.
///
/// # Errors
///
/// [`super::Cancelled`]; no readable book.
pub fn build_model(
    listing: &Listing,
    options: &AnalysisOptions,
    size: ModelSize,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<BuiltModel> {
    let below = size.min_count;
    let mut notes = Vec::new();
    let mut left = None;
    if options.counting.one_copy {
        let once = find_copies_first(listing, options, progress, cancel)?;
        left = Some(once.counted_listing(listing));
        notes.push(once.copy_counts.to_string());
        notes.extend(once.notes);
    }
    let listing = left.as_ref().unwrap_or(listing);
    let mut found = count(
        listing,
        options,
        ReadGoal::Model { below },
        progress,
        cancel,
    )?;
    notes.append(&mut found.notes);
    let mut model = found.take_model(options);
    let missing = find_missing_texts(&model, size);
    if !missing.is_empty() {
        let run = RunContext::new(options.threads, progress, cancel)?;
        let texts = texts_of(missing, &listing.books, options, &run)?;
        model.line_texts = model.line_texts.union(texts);
    }
    model.line_texts = model
        .line_texts
        .trimmed(&model.frequencies, size.texts, size.min_count);
    Ok(BuiltModel {
        model,
        skipped: found.skipped,
        notes,
    })
}

/// The near copies between the cuts that the default detector finds in an analysis of the corpus, with the counts of the
/// corpus itself if it is large enough.
fn find_copies_first(
    listing: &Listing,
    options: &AnalysisOptions,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<OneCopy> {
    let first = AnalysisOptions {
        counting: Counting::default(),
        model: ModelChoice::Auto,
        document_frequencies: true,
        opinions: false,
        keep_scans: false,
        ..options.clone()
    };
    let report = analyse(listing, &first, progress, cancel)?;
    OneCopy::find_in(&report.books, &first, progress, cancel)
}

/// The lines that should have a text but occur in none of the sampled books.
fn find_missing_texts(model: &Model, size: ModelSize) -> HashSet<Key> {
    let top = model.top(size.texts);
    let lines = top.iter().flat_map(|(_, lines)| lines);
    let wanted = lines.filter(|line| line.text.is_none() && line.count >= size.min_count);
    wanted.map(|line| line.key).collect()
}

/// Number of books that are searched for missing texts at a time.
const BLOCK: usize = 1024;

/// The texts of these lines, each from the first book that contains it.
fn texts_of(
    mut missing: HashSet<Key>,
    books: &[Book],
    options: &AnalysisOptions,
    run: &RunContext<'_>,
) -> Result<LineTexts> {
    let mut found = TextSampler::default();
    for (block, books) in books.chunks(BLOCK).enumerate() {
        if missing.is_empty() {
            break;
        }
        let state = || (BookReader::default(), TextSampler::default());
        let each = |(reader, sample): &mut (BookReader, TextSampler), at: usize| {
            let mut lines = BookLines::default();
            // Unreadable books have been reported already.
            let _ = catch_panic(|| {
                let bytes = reader.read(&books[at], options.max_size).ok()?;
                let bytes = BookBytes::Whole(bytes);
                Scanner::default().for_each_line(
                    bytes,
                    options.scanning_of(&books[at]),
                    |window, line| {
                        if missing.contains(&line.key()) {
                            lines.push(line.key(), window, Some(line.text));
                        }
                    },
                )
            });
            sample.add(block * BLOCK + at, &lines);
        };
        let (workers, _) = run.par_map_with_progress(books.len(), |_| {}, state, each)?;
        for (_, sample) in workers {
            found = found.merge(sample);
        }
        missing.retain(|key| !found.has(*key));
    }
    Ok(found.all())
}

/// Counts a whole corpus into a part file. Returns the parameters of the part, and the books that were skipped.
///
/// # Errors
///
/// [`super::Cancelled`]; no readable book; a file that cannot be written.
pub fn count_part(
    listing: &Listing,
    options: &AnalysisOptions,
    out: &Path,
    existing: Existing,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<(ModelParameters, Vec<Skipped>)> {
    let goal = ReadGoal::Part(out, existing);
    let found = count(listing, options, goal, progress, cancel)?;
    let parameters = options.counted(&found.counted_books, found.lines);
    Ok((parameters, found.skipped))
}

/// Runs the first pass for a model or part and reports its progress.
fn count(
    listing: &Listing,
    options: &AnalysisOptions,
    goal: ReadGoal<'_>,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<FirstPass> {
    let run = RunContext::new(options.threads, progress, cancel)?;
    FirstPassReader::only(&run, listing, options, goal).run_to_end()
}
