//! Outlines of many books, read on all threads and returned in the order of the listing.

use anyhow::{Result, bail};
use rayon::prelude::*;

use endpaper_command::common::CorpusArgs;
use endpaper_command::output::warn_of_skipped;
use endpaper_command::progress::ProgressBar;
use endpaper_detect::pipeline::{AnalysisProgress, AnalysisStep};
use endpaper_outline::BookOutline;
use endpaper_text::corpus::{Skipped, Unreadable};

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
    let mut skipped = listing.skipped;
    let listed_skipped = skipped.len();
    let pool = args.pool()?;
    let max_size = args.max_size.0;
    let bar = ProgressBar::new(args.quiet);
    let total = listing.books.len();
    let mut done = 0;
    for chunk in listing
        .books
        .chunks(CHUNK * pool.current_num_threads().max(1))
    {
        bar.show_progress(AnalysisProgress {
            step: AnalysisStep::Reading,
            done,
            total,
        });
        let read: Vec<Result<BookOutline<'_>, Unreadable>> = pool.install(|| {
            chunk
                .par_iter()
                .map(|book| BookOutline::read(book, max_size))
                .collect()
        });
        for (book, read) in chunk.iter().zip(read) {
            match read {
                Ok(outlined) => each(&outlined)?,
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
