//! Outlines of many books: read on all threads, handed over one after another in the order of the listing.

use anyhow::{Result, bail};
use rayon::prelude::*;

use super::common::CorpusArgs;
use super::output::complain_of_skipped;
use super::progress::Bar;
use endpaper_detect::pipeline::{Progress, Step};
use endpaper_outline::{Outline, outline};
use endpaper_text::corpus::{Book, Skipped, Unreadable};
use endpaper_text::panics::caught;
use endpaper_text::scan::{Options, scan};

/// Books that each thread reads before they are handed over.
const CHUNK: usize = 16;

/// A book and its outline.
pub(super) struct Outlined<'a> {
    pub book: &'a Book,
    pub lines: u32,
    pub bytes: u64,
    /// How the bytes are read, as endpaper sees it.
    pub encoding: endpaper_text::corpus::Encoding,
    pub outline: Outline,
}

/// Reads the books of a corpus and hands each to `each`. Gives those that could not be read.
///
/// # Errors
///
/// A corpus that cannot be listed or has no book that can be read, and what `each` fails with.
pub(super) fn each(
    args: &CorpusArgs,
    mut each: impl FnMut(&Outlined<'_>) -> Result<()>,
) -> Result<Vec<Skipped>> {
    let listing = args.list(None)?;
    let mut skipped = listing.skipped;
    let listed_skipped = skipped.len();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads)
        .build()?;
    let max_size = args.max_size.saturating_mul(1 << 20);
    let bar = Bar::new(args.quiet);
    let total = listing.books.len();
    let mut done = 0;
    for chunk in listing
        .books
        .chunks(CHUNK * pool.current_num_threads().max(1))
    {
        bar.show(Progress {
            step: Step::Reading,
            done,
            total,
        });
        let read: Vec<Result<Outlined<'_>, Unreadable>> = pool.install(|| {
            chunk
                .par_iter()
                .map(|book| guarded(book, max_size))
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
        complain_of_skipped(&skipped);
        bail!("no book could be read");
    }
    Ok(skipped)
}

/// A panic is a fault of ours that must not take the other books along.
fn guarded(book: &Book, max_size: u64) -> Result<Outlined<'_>, Unreadable> {
    let read = caught(|| read(book, max_size));
    read.unwrap_or_else(|_| {
        let why = "endpaper itself failed on it; please report this with the file";
        Err(Unreadable::Io(why.to_owned()))
    })
}

fn read(book: &Book, max_size: u64) -> Result<Outlined<'_>, Unreadable> {
    let text = book.text(max_size)?;
    let scanned = scan(text.bytes(), Options::default());
    Ok(Outlined {
        book,
        lines: text.lines(),
        bytes: scanned.bytes,
        encoding: text.encoding(),
        outline: outline(&text, &scanned),
    })
}
