//! The first pass: every book is read once, scanned, counted, and its Scan kept for the second.

use std::sync::Arc;

use anyhow::{Result, bail, ensure};

use super::cache::OldScans;
use super::digest::corpus_digest;
use super::parallel::{Run, guarded};
use super::shelf::{Kept, Shelf, SpanReader};
use super::{Options, Step};
use crate::corpus::{Book, Listing, Skipped, Text, Unreadable};
use crate::frequency::{Build, Counter, Counts, Keyed, Texts};
use crate::line::Normalised;
use crate::scan::{self, Scan};

/// What is known of a book after the first pass.
#[derive(Debug)]
pub(super) struct Read {
    /// Size of the text in bytes.
    pub bytes: u64,
    /// CRC-64/XZ of the bytes.
    pub crc: u64,
    /// Its Scan, if Scans are kept.
    pub kept: Option<Kept>,
    /// Whether the file itself was read (or else an earlier run's Scan).
    pub fresh: bool,
}

/// Everything the first pass needs. Reading and counting are one job for a [`crate::frequency::Structure`].
pub(super) struct Reading<'a> {
    pub run: &'a Run<'a>,
    pub books: &'a [Book],
    pub options: &'a Options,
    /// Scans of an earlier run, used for files that did not change.
    pub old: Option<&'a OldScans>,
    /// Where Scans are kept; `None` if counting is all.
    pub shelf: Option<&'a Shelf>,
    /// Whether lines are counted.
    pub count: bool,
}

/// What the first pass found.
pub(super) struct Found {
    /// For each book of the listing.
    pub books: Vec<Result<Read, Unreadable>>,
    /// The counts, if lines were counted.
    pub counts: Option<Counts>,
    /// Lines counted, with repetitions.
    pub lines: u64,
}

/// The same, with the books that were read apart from those that were not.
pub(super) struct Sorted {
    /// Books that were read, in id order.
    pub books: Vec<(Book, Read)>,
    /// Books that were not, with what the listing had left out, in id order.
    pub skipped: Vec<Skipped>,
    /// The counts; empty if lines were not counted.
    pub counts: Arc<Counts>,
    /// Lines counted, with repetitions.
    pub lines: u64,
    /// The corpus digest.
    pub digest: u64,
}

impl Found {
    /// Tells the books that were read from those that were not. An error if there are none of the first.
    pub fn sort(self, listing: &Listing) -> Result<Sorted> {
        let mut books = Vec::with_capacity(self.books.len());
        let mut skipped = listing.skipped.clone();
        for (book, result) in listing.books.iter().zip(self.books) {
            match result {
                Ok(read) => books.push((book.clone(), read)),
                Err(reason) => skipped.push(Skipped {
                    id: book.id.clone(),
                    reason,
                }),
            }
        }
        skipped.sort_by(|a, b| a.id.cmp(&b.id));
        if let (true, Some(first)) = (books.is_empty(), skipped.first()) {
            bail!("no book can be read: '{}' {}", first.id, first.reason);
        }
        ensure!(!books.is_empty(), "there is no book in this corpus");
        let facts = books.iter();
        let facts = facts.map(|(book, read)| (&book.id, read.bytes, read.crc));
        Ok(Sorted {
            digest: corpus_digest(facts),
            books,
            skipped,
            counts: Arc::new(self.counts.unwrap_or_default()),
            lines: self.lines,
        })
    }
}

impl Build for Reading<'_> {
    type Output = Result<Found>;

    fn build<C: Counter>(self, new: impl Fn(usize) -> Result<C> + Sync) -> Result<Found> {
        let counter = || {
            let counter = self.count.then(|| new(0))?;
            counter.map_err(|error| self.run.fail(error)).ok()
        };
        let state = || Worker::new(counter(), self.old);
        let (workers, books) = self.run.each(
            Step::Reading,
            self.books.len(),
            state,
            |worker: &mut Worker<C>, index| worker.book(&self, index),
        )?;
        let total = self.books.len();
        self.run.report(Step::Counting, 0, total);
        let lines = workers.iter().map(|worker| worker.lines).sum();
        let counters = workers.into_iter().filter_map(|worker| worker.counter);
        let merge = || -> Result<Option<Counts>> {
            let merged = counters.map(Ok).reduce(|a, b| a?.merge(b?));
            let counts = merged.transpose()?.map(|counter| counter.finish(0));
            counts.transpose()
        };
        // What a structure does in parallel is done by the run's threads.
        let counts = self.run.pool.install(merge)?;
        self.run.report(Step::Counting, total, total);
        self.run.check()?;
        Ok(Found {
            books,
            counts,
            lines,
        })
    }
}

/// What one thread works with.
struct Worker<C> {
    counter: Option<C>,
    lines: u64,
    keyed: Keyed,
    texts: Texts,
    old: Option<SpanReader>,
}

impl<C: Counter> Worker<C> {
    fn new(counter: Option<C>, old: Option<&OldScans>) -> Worker<C> {
        Worker {
            counter,
            lines: 0,
            keyed: Keyed::default(),
            texts: Texts::default(),
            old: old.and_then(OldScans::reader),
        }
    }

    fn book(&mut self, reading: &Reading<'_>, index: usize) -> Result<Read, Unreadable> {
        let book = &reading.books[index];
        if let Some(read) = self.left_alone(reading, book) {
            return Ok(read);
        }
        let scanned = guarded(|| self.scan(reading, book));
        let (scan, fresh) = scanned.map_err(Unreadable::Io).flatten()?;
        self.count(&scan, reading);
        let (bytes, crc) = (scan.bytes, scan.crc);
        let kept = reading.shelf.map(|shelf| shelf.put(scan)).transpose();
        let kept =
            kept.map_err(|error| Unreadable::Io(format!("its scan is not kept: {error}")))?;
        Ok(Read {
            bytes,
            crc,
            kept,
            fresh,
        })
    }

    /// A book whose Scan can stay in the file of an earlier run: nobody counts it, and no new file is written.
    fn left_alone(&self, reading: &Reading<'_>, book: &Book) -> Option<Read> {
        if self.counter.is_some() || reading.shelf?.writes_all() {
            return None;
        }
        let entry = reading.old?.entry(book)?;
        Some(Read {
            bytes: entry.bytes,
            crc: entry.crc,
            kept: Some(Kept::Old(entry.span)),
            fresh: false,
        })
    }

    /// The Scan of a book, and whether the book itself was read for it.
    fn scan(&mut self, reading: &Reading<'_>, book: &Book) -> Result<(Scan, bool), Unreadable> {
        if !(C::WANTS_TEXT && self.counter.is_some()) {
            return match self.scanned_before(reading, book) {
                Some(scan) => Ok((scan, false)),
                None => Ok((scan_book(book, reading.options)?, true)),
            };
        }
        let text = Text::new(book.read(reading.options.max_size)?);
        self.texts.clear();
        let each = |line, text: &Normalised<'_>| self.texts.push(line, text);
        Ok((scan::scan_with(&text, windows(reading.options), each), true))
    }

    fn scanned_before(&mut self, reading: &Reading<'_>, book: &Book) -> Option<Scan> {
        let entry = reading.old?.entry(book)?;
        self.old.as_mut()?.read(entry.span).ok()
    }

    fn count(&mut self, scan: &Scan, reading: &Reading<'_>) {
        let Some(counter) = &mut self.counter else {
            return;
        };
        if C::WANTS_TEXT {
            self.keyed.fill_with_texts(scan, &self.texts);
        } else {
            self.keyed.fill(scan);
        }
        self.lines += self.keyed.keys().len() as u64;
        if let Err(error) = counter.add_batch(&self.keyed) {
            reading.run.fail(error);
        }
    }
}

/// Reads and scans one book.
pub(super) fn scan_book(book: &Book, options: &Options) -> Result<Scan, Unreadable> {
    let text = Text::new(book.read(options.max_size)?);
    Ok(scan::scan(&text, windows(options)))
}

fn windows(options: &Options) -> scan::Options {
    scan::Options {
        head: options.parameters.head,
        tail: options.parameters.tail,
    }
}
