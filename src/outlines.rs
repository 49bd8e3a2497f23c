//! Outlines of many books, read on all threads and returned in the order of the listing.

use std::path::Path;

use anyhow::{Result, bail};
use rayon::prelude::*;

use endpaper_command::common::CorpusArgs;
use endpaper_command::output::warn_of_skipped;
use endpaper_command::overwrite::refuse_book;
use endpaper_command::progress::ProgressBar;
use endpaper_detect::pipeline::{AnalysisProgress, AnalysisStep};
use endpaper_outline::BookOutline;
use endpaper_text::corpus::{Book, BookText, Skipped, Unreadable};

/// Books that each thread reads per chunk.
const CHUNK: usize = 16;

/// Reads the books of a corpus and calls `each` with every outline. Returns the skipped books.
///
/// # Errors
///
/// The corpus cannot be listed, no book can be read, or `each` fails.
pub(super) fn each(
    args: &CorpusArgs,
    mut each: impl FnMut(&BookOutline<'_>) -> Result<()>,
) -> Result<Vec<Skipped>> {
    let listing = args.list(None)?;
    let made = |_, _: &BookText, outlined| outlined;
    each_of(args, &listing.books, listing.skipped, made, |outlined| {
        each(&outlined)
    })
}

/// Reads the books of a corpus, and calls `each` with what `make` makes of the text and the outline of every book, and of its
/// position in the corpus. `make` runs on all threads. Returns the skipped books.
///
/// # Errors
///
/// As [`each`], and if the file `out`, which is written from all this, is one of the corpus.
pub(super) fn each_made<T: Send>(
    args: &CorpusArgs,
    out: &Path,
    make: impl Fn(usize, &BookText, BookOutline<'_>) -> T + Sync,
    each: impl FnMut(T) -> Result<()>,
) -> Result<Vec<Skipped>> {
    let listing = args.list(None)?;
    refuse_book(&listing, out)?;
    each_of(args, &listing.books, listing.skipped, make, each)
}

/// As [`each_made`] for these books.
fn each_of<'b, T: Send>(
    args: &CorpusArgs,
    books: &'b [Book],
    mut skipped: Vec<Skipped>,
    make: impl Fn(usize, &BookText, BookOutline<'b>) -> T + Sync,
    mut each: impl FnMut(T) -> Result<()>,
) -> Result<Vec<Skipped>> {
    let listed_skipped = skipped.len();
    let pool = args.pool()?;
    let max_size = args.max_size.0;
    let bar = ProgressBar::new(args.quiet);
    let total = books.len();
    let mut done = 0;
    for chunk in books.chunks(CHUNK * pool.current_num_threads().max(1)) {
        bar.show_progress(AnalysisProgress {
            step: AnalysisStep::Reading,
            done,
            total,
        });
        let read_one = |(at, book): (usize, &'b Book)| {
            BookOutline::read_with(book, max_size, |text, outlined| {
                make(done + at, text, outlined)
            })
        };
        let read: Vec<Result<T, Unreadable>> =
            pool.install(|| chunk.par_iter().enumerate().map(read_one).collect());
        for (book, read) in chunk.iter().zip(read) {
            match read {
                Ok(made) => each(made)?,
                Err(reason) => skipped.push(Skipped {
                    id: book.id.clone(),
                    reason,
                }),
            }
        }
        done += chunk.len();
    }
    drop(bar);
    if skipped.len() == total + listed_skipped {
        warn_of_skipped(&skipped);
        bail!("no book could be read");
    }
    Ok(skipped)
}
