//! Building a model: the first pass alone.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;

use super::parallel::Run;
use super::reading::{Reading, Sorted};
use super::{Options, Progress};
use crate::corpus::{Listing, Skipped};
use crate::frequency::{Model, ModelParameters};
use crate::line::PREPROCESSING_VERSION;

/// Counts a whole corpus, without detecting and without the cache: no Scan is kept.
///
/// # Errors
///
/// [`super::Cancelled`]; no book that can be read.
pub fn build_model(
    listing: &Listing,
    options: &Options,
    progress: &(dyn Fn(Progress) + Sync),
    cancel: &AtomicBool,
) -> Result<(Model, Vec<Skipped>)> {
    let run = Run::new(options.threads, progress, cancel)?;
    let found = options.structure.dispatch(
        run.pool.current_num_threads(),
        Reading {
            run: &run,
            books: &listing.books,
            options,
            old: None,
            shelf: None,
            count: true,
        },
    )?;
    let sorted = found.sort(listing)?;
    Ok((model_of(options, &sorted), sorted.skipped))
}

/// The model of what was counted.
pub(super) fn model_of(options: &Options, sorted: &Sorted) -> Model {
    let books = sorted.books.len();
    Model {
        counts: Arc::clone(&sorted.counts),
        parameters: parameters_of(options, books, sorted.lines, sorted.digest),
        sections: Vec::new(),
    }
}

/// The parameters of a model that is not pruned.
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
        structure: options.structure,
        books: books as u64,
        lines,
        corpus,
        pruned_below: 0,
    }
}
