//! The counted lines of a corpus in memory, read once for all figures.

use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Result, ensure};
use rayon::prelude::*;

use endpaper_command::progress::ProgressBar;
use endpaper_detect::frequency::{BookLines, Counts, Structure};
use endpaper_detect::pipeline::{AnalysisProgress, AnalysisStep};
use endpaper_text::corpus::{Book, BookId, Listing, Skipped};
use endpaper_text::scan::{BookBytes, Scanner, WindowOptions};
use lab::experiments::{SampleRandom, count};

/// Maximum number of books whose line texts are kept: about 40 KB each.
const TEXTS: usize = 2_000;

/// A corpus that was read and counted, from which figures are drawn.
pub(super) struct FigureCorpus {
    /// Ids of the books.
    pub ids: Vec<BookId>,
    /// Counted lines per book: those of the head in order, then those of the tail from the end.
    pub books: Vec<BookLines>,
    /// Indices of the books with texts: all, or a random sample.
    pub with_texts: Vec<usize>,
    /// All counts, by 64-bit checksums.
    pub counts: Counts,
    /// Number of lines counted.
    pub lines: u64,
    /// Books that cannot be read.
    pub skipped: Vec<Skipped>,
}

/// The progress bar of a pass over all books.
pub(super) struct ReadingProgress {
    bar: ProgressBar,
    done: AtomicUsize,
    total: usize,
}

impl ReadingProgress {
    pub fn new(total: usize, quiet: bool) -> ReadingProgress {
        let progress = ReadingProgress {
            bar: ProgressBar::new(quiet),
            done: AtomicUsize::new(0),
            total,
        };
        progress.show(0);
        progress
    }

    pub fn book_done(&self) {
        self.show(self.done.fetch_add(1, Ordering::Relaxed) + 1);
    }

    fn show(&self, done: usize) {
        self.bar.show_progress(AnalysisProgress {
            step: AnalysisStep::Reading,
            done,
            total: self.total,
        });
    }
}

/// Reads all books of a listing. Fails if none can be read.
pub(super) fn read(listing: &Listing, max_size: u64, quiet: bool) -> Result<FigureCorpus> {
    let total = listing.books.len();
    let mut chosen: Vec<usize> = (0..total).collect();
    SampleRandom::new(2007).shuffle(&mut chosen);
    let mut with_text = vec![false; total];
    chosen
        .iter()
        .take(TEXTS)
        .for_each(|&book| with_text[book] = true);
    let progress = ReadingProgress::new(total, quiet);
    let each = listing.books.par_iter().zip(&with_text).map_init(
        Scanner::default,
        |scanner, (book, &text)| {
            let lines = lines(scanner, book, max_size, text);
            progress.book_done();
            lines.map(|lines| (&book.id, lines, text))
        },
    );
    let all: Vec<Result<(&BookId, BookLines, bool), Skipped>> = each.collect();
    let mut read = FigureCorpus {
        ids: Vec::with_capacity(total),
        books: Vec::with_capacity(total),
        with_texts: Vec::new(),
        counts: Counts::default(),
        lines: 0,
        skipped: Vec::new(),
    };
    for book in all {
        match book {
            Ok((id, lines, text)) => {
                read.ids.push(id.clone());
                if text {
                    read.with_texts.push(read.books.len());
                }
                read.lines += lines.keys().len() as u64;
                read.books.push(lines);
            }
            Err(book) => read.skipped.push(book),
        }
    }
    ensure!(
        !read.books.is_empty(),
        "none of the {total} books can be read"
    );
    read.counts = count(Structure::Crc64, &read.books)?;
    Ok(read)
}

fn lines(
    scanner: &mut Scanner,
    book: &Book,
    max_size: u64,
    text: bool,
) -> Result<BookLines, Skipped> {
    let bytes = book.read(max_size).map_err(|reason| Skipped {
        id: book.id.clone(),
        reason,
    })?;
    let mut lines = BookLines::default();
    let shared = scanner.for_each_line(
        BookBytes::Whole(&bytes),
        WindowOptions::default(),
        |window, line| {
            lines.push(line.key(), window, text.then_some(line.text));
        },
    );
    lines.repeat_in_tail(shared.unwrap_or(0));
    Ok(lines)
}
