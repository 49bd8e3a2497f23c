//! The first pass: every book is read once, scanned, counted, and its Scan kept for the second.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use super::build::parameters_of;
use super::cache::OldScans;
use super::parallel::{Run, guarded};
use super::shelf::{Kept, Shelf, SpanReader};
use super::{Options, Step};
use crate::corpus::{Book, Listing, Skipped, Text, Unreadable};
use crate::frequency::{
    BookMark, Books, Build, Counter, Frequencies, Keyed, Known, PartHead, Sample, Tally, Texts,
    write_part,
};
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
    /// What becomes of the lines.
    pub goal: Goal<'a>,
}

/// What becomes of the lines of a corpus.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal<'a> {
    /// They are not counted.
    Scans,
    /// They are counted for this run: the rarer ones may be left out, and no texts are kept.
    Frequencies {
        /// Lines that occur fewer times may be left out.
        below: u64,
    },
    /// They become a model, with texts.
    Model {
        /// Lines that occur fewer times may be left out.
        below: u64,
    },
    /// They become a part file, with texts.
    Part(&'a Path),
}

impl Goal<'_> {
    fn counts(self) -> bool {
        !matches!(self, Goal::Scans)
    }

    fn wants_texts(self) -> bool {
        matches!(self, Goal::Model { .. } | Goal::Part(_))
    }
}

/// Texts come from so many books, spread evenly over the corpus.
const SAMPLE: usize = 256;

/// Texts that a part keeps. A line that is frequent in the whole may be less so in a part.
const PART_TEXTS: usize = 4000;

/// What the first pass found.
pub(super) struct Found {
    /// For each book of the listing.
    pub books: Vec<Result<Read, Unreadable>>,
    /// The frequencies, if lines were counted and not written to a part.
    pub frequencies: Option<Frequencies>,
    /// Lines counted, with repetitions.
    pub lines: u64,
    /// Texts of lines, if they were wanted.
    pub known: Known,
}

/// The same, with the books that were read apart from those that were not.
pub(super) struct Sorted {
    /// Books that were read, in id order.
    pub books: Vec<(Book, Read)>,
    /// Books that were not, with what the listing had left out, in id order.
    pub skipped: Vec<Skipped>,
    /// The frequencies; empty if lines were not counted.
    pub frequencies: Frequencies,
    /// Lines counted, with repetitions.
    pub lines: u64,
    /// Texts of lines.
    pub known: Known,
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
        let marks = books.iter().map(|(book, read)| mark(book, read));
        Ok(Sorted {
            digest: Books::from_iter(marks).digest(),
            books,
            skipped,
            frequencies: self.frequencies.unwrap_or_default(),
            lines: self.lines,
            known: self.known,
        })
    }
}

impl Build for Reading<'_> {
    type Output = Result<Found>;

    fn build<C: Counter>(self, new: impl Fn(usize) -> Result<C> + Sync) -> Result<Found> {
        let tally = || {
            let counts = self.goal.counts();
            let tally = counts.then(|| Tally::new(self.options.counting, &new))?;
            tally.map_err(|error| self.run.fail(error)).ok()
        };
        let state = || Worker::new(tally(), self.old);
        let (workers, books) = self.run.each(
            Step::Reading,
            self.books.len(),
            state,
            |worker: &mut Worker<C>, index| worker.book(&self, index),
        )?;
        let total = self.books.len();
        self.run.report(Step::Counting, 0, total);
        // What a structure does in parallel is done by the run's threads.
        let found = self.run.pool.install(|| self.finish(workers, books))?;
        self.run.report(Step::Counting, total, total);
        self.run.check()?;
        Ok(found)
    }
}

impl Reading<'_> {
    /// Brings together what the threads counted.
    fn finish<C: Counter>(
        &self,
        workers: Vec<Worker<C>>,
        books: Vec<Result<Read, Unreadable>>,
    ) -> Result<Found> {
        let (mut tally, mut sample) = (None::<Tally<C>>, Sample::default());
        for worker in workers {
            tally = match (tally, worker.tally) {
                (Some(ours), Some(theirs)) => Some(ours.merge(theirs)?),
                (ours, theirs) => ours.or(theirs),
            };
            sample = sample.merge(worker.sample);
        }
        let mut found = Found {
            lines: tally.as_ref().map_or(0, Tally::lines),
            books,
            frequencies: None,
            known: Known::default(),
        };
        match self.goal {
            Goal::Scans => {}
            Goal::Frequencies { below } => found.frequencies = finished(tally, below)?,
            Goal::Model { below } => {
                found.frequencies = finished(tally, below)?;
                found.known = sample.all();
            }
            Goal::Part(path) => {
                let head = self.part_head(&found, sample.most_frequent(PART_TEXTS));
                // That there is no book is said with the reason, by whoever sorts them.
                if !head.books.is_empty() {
                    let tally = tally.context("nothing was counted")?;
                    write_part(path, &head, tally)?;
                }
            }
        }
        Ok(found)
    }

    fn part_head(&self, found: &Found, known: Known) -> PartHead {
        let read = self.books.iter().zip(&found.books);
        let marks = read.filter_map(|(book, read)| Some(mark(book, read.as_ref().ok()?)));
        let books = Books::from_iter(marks);
        PartHead {
            parameters: parameters_of(self.options, books.len(), found.lines, books.digest()),
            books,
            known,
        }
    }
}

fn finished<C: Counter>(tally: Option<Tally<C>>, below: u64) -> Result<Option<Frequencies>> {
    tally.map(|tally| tally.finish(below)).transpose()
}

fn mark(book: &Book, read: &Read) -> BookMark {
    BookMark::new(book.id.as_str(), read.bytes, read.crc)
}

/// What one thread works with.
struct Worker<C> {
    tally: Option<Tally<C>>,
    sample: Sample,
    keyed: Keyed,
    texts: Texts,
    old: Option<SpanReader>,
}

impl<C: Counter> Worker<C> {
    fn new(tally: Option<Tally<C>>, old: Option<&OldScans>) -> Worker<C> {
        Worker {
            tally,
            sample: Sample::default(),
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
        let sampled = reading.goal.wants_texts()
            && index.is_multiple_of(reading.books.len().div_ceil(SAMPLE));
        let with_texts = sampled || (C::WANTS_TEXT && self.tally.is_some());
        let scanned = guarded(|| self.scan(reading, book, with_texts));
        let (scan, fresh) = scanned.map_err(Unreadable::Io).flatten()?;
        self.count(&scan, reading, with_texts);
        if sampled {
            self.sample.add(&self.keyed);
        }
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
        if self.tally.is_some() || reading.shelf?.writes_all() {
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
    fn scan(
        &mut self,
        reading: &Reading<'_>,
        book: &Book,
        with_texts: bool,
    ) -> Result<(Scan, bool), Unreadable> {
        if !with_texts {
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

    fn count(&mut self, scan: &Scan, reading: &Reading<'_>, with_texts: bool) {
        let Some(tally) = &mut self.tally else {
            return;
        };
        if with_texts {
            self.keyed.fill_with_texts(scan, &self.texts);
        } else {
            self.keyed.fill(scan);
        }
        if let Err(error) = tally.add_book(&self.keyed) {
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
