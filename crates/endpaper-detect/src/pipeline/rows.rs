//! Counting into rows, to be summed in another engine.

use std::io::Write;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, ensure};

use super::first_pass::book_digest;
use super::first_pass_reader::{FirstPassReader, ReadGoal};
use super::parallel::RunContext;
use super::{AnalysisOptions, AnalysisProgress};
use crate::frequency::rows::{RowCounter, RowParameters, write_rows};
use crate::frequency::{BookDigest, ByteSize};
use endpaper_text::corpus::{Listing, Skipped};

const LEAST_ROW_MEMORY: ByteSize = ByteSize(1 << 20);
const MOST_ROW_MEMORY: ByteSize = ByteSize(1 << 40);

/// Counts a corpus in about `memory` bytes and writes the rows of [`crate::frequency::rows`]. Returns the number of
/// counted books, and the others in id order. A corpus without readable books is not an error: its rows say so.
///
/// # Errors
///
/// [`super::Cancelled`]; an empty corpus; too little or too much memory; a failure to write, or to sort lines on disk.
pub fn count_rows(
    listing: &Listing,
    options: &AnalysisOptions,
    memory: ByteSize,
    out: &mut (dyn Write + Send),
    progress: &(dyn Fn(AnalysisProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<(usize, Vec<Skipped>)> {
    ensure!(
        memory >= LEAST_ROW_MEMORY,
        "{memory} of memory are too little for counting; give at least {LEAST_ROW_MEMORY}"
    );
    ensure!(
        memory <= MOST_ROW_MEMORY,
        "{memory} of memory are more than counting can use; give at most {MOST_ROW_MEMORY}"
    );
    ensure!(
        !listing.books.is_empty() || !listing.skipped.is_empty(),
        "there is no book in this corpus"
    );
    let run = RunContext::new(options.threads, progress, cancel)?;
    let counting = options.counting;
    let counters = run.pool.current_num_threads() * counting.ends().len();
    let share = memory.0 / counters as u64;
    let folder = std::env::temp_dir();
    let reading = FirstPassReader::only(&run, listing, options, ReadGoal::Rows);
    let windows = &options.parameters;
    let parameters = RowParameters::new(windows.head, windows.tail, counting.separate_ends);
    reading.read(
        |_| Ok(RowCounter::new(share, &folder)),
        |books, skipped, sink| {
            let books: Vec<(String, BookDigest)> = books
                .iter()
                .map(|(book, read)| (book.id.to_string(), book_digest(book, read)))
                .collect();
            let reasons = skipped.iter();
            let reasons: Vec<String> = reasons
                .map(|book| format!("'{}': {}", book.id, book.reason))
                .collect();
            let tally = sink.tally.context("nothing was counted")?;
            write_rows(out, &parameters, &books, &reasons, tally)?;
            Ok((books.len(), skipped))
        },
    )
}
