//! Building a model or a part: the first pass alone.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::Result;

use super::one_copy::OneCopy;
use super::parallel::{Run, guarded};
use super::reading::{Goal, Reading, Sorted};
use super::{Options, Progress};
use crate::frequency::{Keyed, Known, Model, ModelParameters, Sample};
use endpaper_text::atomic::Existing;
use endpaper_text::corpus::{Book, Listing, Reader, Skipped};
use endpaper_text::line::{Key, PREPROCESSING_VERSION};
use endpaper_text::scan::{Bytes, Scanner};

/// What of the counts goes into a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelSize {
    /// Lines that occur fewer times are left out.
    pub min_count: u64,
    /// Most frequent lines whose texts are kept.
    pub texts: usize,
}

impl Default for ModelSize {
    /// Most lines of a corpus occur once and are never asked for: they stay out.
    fn default() -> Self {
        ModelSize {
            min_count: 2,
            texts: 1000,
        }
    }
}

/// A model that was built.
#[derive(Clone, Debug, PartialEq)]
pub struct Built {
    /// The model.
    pub model: Model,
    /// What could not be read, in id order.
    pub skipped: Vec<Skipped>,
    /// What was found out on the way: one sentence each.
    pub notes: Vec<String>,
}

/// Counts a whole corpus, without detecting and without the cache: no Scan is kept. Where one copy of a book is enough
/// ([`crate::frequency::Counting::one_copy`]), a survey before it finds the copies, with the cache.
///
/// # Errors
///
/// [`super::Cancelled`]; no book that can be read.
pub fn build_model(
    listing: &Listing,
    options: &Options,
    size: ModelSize,
    progress: &(dyn Fn(Progress) + Sync),
    cancel: &AtomicBool,
) -> Result<Built> {
    let below = size.min_count;
    let mut notes = Vec::new();
    let mut left = None;
    if options.counting.one_copy {
        let once = OneCopy::of_build(listing, options, progress, cancel)?;
        left = Some(once.left_of(listing));
        notes.push(once.found.to_string());
        notes.extend(once.notes);
    }
    let listing = left.as_ref().unwrap_or(listing);
    let mut sorted = count(listing, options, Goal::Model { below }, progress, cancel)?;
    let skipped = std::mem::take(&mut sorted.skipped);
    let mut model = model_of(options, &sorted);
    model.known = sorted.known;
    let missing = missing(&model, size);
    if !missing.is_empty() {
        let run = Run::new(options.threads, progress, cancel)?;
        let found = texts_of(missing, &listing.books, options, &run)?;
        model.known = model.known.union(found);
    }
    model.known = model
        .known
        .trimmed(&model.frequencies, size.texts, size.min_count);
    Ok(Built {
        model,
        skipped,
        notes,
    })
}

/// The lines whose texts are wanted and stand in none of the books whose texts were remembered.
fn missing(model: &Model, size: ModelSize) -> HashSet<Key> {
    let top = model.top(size.texts);
    let lines = top.iter().flat_map(|(_, lines)| lines);
    let wanted = lines.filter(|line| line.text.is_none() && line.count >= size.min_count);
    wanted.map(|line| line.key).collect()
}

/// Books that are looked through for missing texts before it is seen whether any are still missing.
const BLOCK: usize = 1024;

/// The texts of these lines, each from the first book that has it.
fn texts_of(
    mut missing: HashSet<Key>,
    books: &[Book],
    options: &Options,
    run: &Run<'_>,
) -> Result<Known> {
    let mut found = Sample::default();
    for (block, books) in books.chunks(BLOCK).enumerate() {
        if missing.is_empty() {
            break;
        }
        let state = || (Reader::default(), Sample::default());
        let each = |(reader, sample): &mut (Reader, Sample), at: usize| {
            let mut lines = Keyed::default();
            // A book that cannot be read has been named.
            let _ = guarded(|| {
                let bytes = reader.read(&books[at], options.max_size).ok()?;
                let bytes = Bytes::Whole(bytes);
                Scanner::default().count_with(bytes, options.scanning(), |window, line| {
                    if missing.contains(&line.key()) {
                        lines.push(line.key(), window, Some(line.text));
                    }
                })
            });
            sample.add(block * BLOCK + at, &lines);
        };
        let (workers, _) = run.each_told(books.len(), |_| {}, state, each)?;
        for (_, sample) in workers {
            found = found.merge(sample);
        }
        missing.retain(|key| !found.has(*key));
    }
    Ok(found.all())
}

/// Counts a whole corpus and writes everything that was counted to a part file. Gives what the part was made from.
///
/// # Errors
///
/// [`super::Cancelled`]; no book that can be read; a file that cannot be written.
pub fn count_part(
    listing: &Listing,
    options: &Options,
    out: &Path,
    existing: Existing,
    progress: &(dyn Fn(Progress) + Sync),
    cancel: &AtomicBool,
) -> Result<(ModelParameters, Vec<Skipped>)> {
    let sorted = count(
        listing,
        options,
        Goal::Part(out, existing),
        progress,
        cancel,
    )?;
    let parameters = parameters_of(options, sorted.books.len(), sorted.lines, sorted.digest);
    Ok((parameters, sorted.skipped))
}

fn count(
    listing: &Listing,
    options: &Options,
    goal: Goal<'_>,
    progress: &(dyn Fn(Progress) + Sync),
    cancel: &AtomicBool,
) -> Result<Sorted> {
    let run = Run::new(options.threads, progress, cancel)?;
    let counting = options.counting;
    let found = counting.structure.dispatch(
        run.pool.current_num_threads() * counting.ends().len(),
        Reading::only(&run, listing, options, goal),
    )?;
    found.sort(listing, None)
}

/// The model of what was counted, without texts.
pub(super) fn model_of(options: &Options, sorted: &Sorted) -> Model {
    let parameters = parameters_of(options, sorted.counted, sorted.lines, sorted.digest);
    Model::new(parameters, sorted.frequencies.clone(), Default::default())
}

/// The parameters of counts of which nothing was left out.
pub(super) fn parameters_of(
    options: &Options,
    books: usize,
    lines: u64,
    corpus: u64,
) -> ModelParameters {
    ModelParameters {
        head: options.parameters.head,
        tail: options.parameters.tail,
        preprocessing: PREPROCESSING_VERSION,
        counting: options.counting,
        books: books as u64,
        lines,
        corpus,
        pruned_below: 0,
        scaled_to: 0,
    }
}
