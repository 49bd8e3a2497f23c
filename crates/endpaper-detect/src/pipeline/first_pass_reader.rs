//! The first pass: every book is read once, scanned and counted, and its Scan is stored for the second pass.

use std::path::Path;

use anyhow::{Context, Result};

use super::cache::CachedScans;
use super::first_pass::{FirstPass, ScannedBook, book_digest, split_skipped};
use super::one_copy::OneCopy;
use super::ordered::OrderedTally;
use super::parallel::{RunContext, catch_panic};
use super::scan_store::{ScanStore, StoredScan};
use super::sink::CountSink;
use super::source::BookSource;
use super::{AnalysisOptions, AnalysisStep};
use crate::frequency::{
    Accumulate, BookLines, Counter, EndCounters, Frequencies, LineTexts, PART_TEXTS, PartHead,
    StructureVisitor, write_part,
};
use crate::has_known_lines;
use endpaper_text::atomic::Existing;
use endpaper_text::corpus::{Book, Listing, Skipped, Unreadable};

/// The inputs of the first pass. Reading and counting are one visitor of a [`crate::frequency::Structure`].
pub(super) struct FirstPassReader<'a> {
    pub run: &'a RunContext<'a>,
    pub listing: &'a Listing,
    pub options: &'a AnalysisOptions,
    /// Scans of an earlier run, used for files that have not changed.
    pub cached: Option<&'a CachedScans>,
    /// The near copies that are not counted.
    pub one_copy: Option<&'a OneCopy>,
    /// Where Scans are stored; `None` if lines are only counted.
    pub store: Option<&'a ScanStore>,
    /// What the lines are used for.
    pub goal: ReadGoal<'a>,
}

/// What the lines of a corpus are used for.
#[derive(Clone, Copy, Debug)]
pub(super) enum ReadGoal<'a> {
    /// Nothing: they are not counted.
    Scans,
    /// Counts for this run: rarer lines may be left out, and no texts are kept.
    Frequencies {
        /// Lines that occur fewer times may be left out.
        below: u64,
    },
    /// A model with texts.
    Model {
        /// Lines that occur fewer times may be left out.
        below: u64,
    },
    /// A part file with texts.
    Part(&'a Path, Existing),
    /// Rows, by a counter that needs all texts itself.
    Rows,
}

impl ReadGoal<'_> {
    /// Whether lines are counted.
    fn counts_lines(self) -> bool {
        !matches!(self, ReadGoal::Scans)
    }

    /// Whether document frequencies are needed. Parts have none, as document frequencies cannot be merged exactly.
    fn needs_document_frequencies(self) -> bool {
        matches!(self, ReadGoal::Frequencies { .. } | ReadGoal::Model { .. })
    }

    /// Whether the result holds texts of lines, from a sample of the books. A counter that needs the texts of all books
    /// says so itself ([`Accumulate::WANTS_TEXT`]).
    fn stores_sample_texts(self) -> bool {
        matches!(self, ReadGoal::Model { .. } | ReadGoal::Part(..))
    }
}

/// Number of books, spread evenly over the corpus, that texts are taken from.
const SAMPLE: usize = 256;

impl StructureVisitor for FirstPassReader<'_> {
    type Output = Result<FirstPass>;

    fn build<C: Counter>(self, new: impl Fn(usize) -> Result<C> + Sync) -> Result<FirstPass> {
        let found = self.read(new, |books, skipped, sink| {
            self.finish(books, skipped, sink)
        })?;
        found.check_not_empty()?;
        Ok(found)
    }
}

impl<'a> FirstPassReader<'a> {
    /// A reader for one goal that neither stores Scans nor uses those of an earlier run.
    pub fn only(
        run: &'a RunContext<'a>,
        listing: &'a Listing,
        options: &'a AnalysisOptions,
        goal: ReadGoal<'a>,
    ) -> FirstPassReader<'a> {
        FirstPassReader {
            run,
            listing,
            options,
            cached: None,
            one_copy: None,
            store: None,
            goal,
        }
    }

    /// Reads all books and produces the result for the goal. Fails if there is no book.
    pub fn run_to_end(self) -> Result<FirstPass> {
        let counting = self.options.counting;
        let shards = self.run.pool.current_num_threads() * counting.ends().len();
        counting.structure.dispatch(shards, self)
    }

    /// Whether document frequencies are wanted and the goal stores them.
    fn builds_document_frequencies(&self) -> bool {
        self.options.document_frequencies && self.goal.needs_document_frequencies()
    }

    /// Reads all books and calls `finish` on the threads of the run.
    pub fn read<C: Accumulate, T: Send>(
        &self,
        new: impl Fn(usize) -> Result<C> + Sync,
        finish: impl FnOnce(Vec<(Book, ScannedBook)>, Vec<Skipped>, CountSink<C>) -> Result<T> + Send,
    ) -> Result<T> {
        let tally = || {
            let counts = self.goal.counts_lines();
            let tally = counts.then(|| EndCounters::new(self.options.counting, &new))?;
            tally.map_err(|error| self.run.fail(error)).ok()
        };
        let ordered = C::IN_ORDER.then(tally).flatten().map(OrderedTally::new);
        let state = || ReadWorker {
            source: BookSource::new(
                self.options,
                self.store.is_some() || self.builds_document_frequencies(),
                self.cached,
            ),
            sink: CountSink::new(
                ordered.is_none().then(tally).flatten(),
                self.builds_document_frequencies(),
            ),
            lines: BookLines::default(),
            packed: Vec::new(),
        };
        let total = self.listing.books.len();
        let each =
            |worker: &mut ReadWorker<'_, C>, index| worker.book(self, index, ordered.as_ref());
        let (workers, books) = self
            .run
            .par_map(AnalysisStep::Reading, total, state, each)?;
        self.run.report(AnalysisStep::Counting, 0, total);
        let all = CountSink::new(ordered.map(OrderedTally::into_tally), false);
        let finish = || {
            let mut sinks = workers.into_iter().map(|worker| worker.sink);
            let sink = sinks.try_fold(all, CountSink::merge)?;
            let (books, skipped) = split_skipped(self.listing, books);
            finish(books, skipped, sink)
        };
        let finished = self.run.pool.install(finish)?;
        self.run.report(AnalysisStep::Counting, total, total);
        self.run.check()?;
        Ok(finished)
    }

    /// Makes the result of the books read and of what was counted.
    fn finish<C: Counter>(
        &self,
        books: Vec<(Book, ScannedBook)>,
        skipped: Vec<Skipped>,
        sink: CountSink<C>,
    ) -> Result<FirstPass> {
        let counted = books.iter().filter(|(book, _)| self.is_counted(book));
        let mut found = FirstPass {
            counted_books: counted
                .map(|(book, read)| book_digest(book, read))
                .collect(),
            books,
            skipped,
            lines: sink.tally.as_ref().map_or(0, EndCounters::lines),
            frequencies: Frequencies::default(),
            line_texts: LineTexts::default(),
            notes: sink.notes(),
        };
        match self.goal {
            ReadGoal::Frequencies { below } => (found.frequencies, _) = sink.finish(below)?,
            ReadGoal::Model { below } => {
                let (frequencies, sample) = sink.finish(below)?;
                (found.frequencies, found.line_texts) = (frequencies, sample.all());
            }
            // Without books, nothing is written, and the caller reports why.
            ReadGoal::Part(path, existing) if !found.books.is_empty() => {
                let head = PartHead {
                    parameters: self.options.counted(&found.counted_books, found.lines),
                    books: found.counted_books.clone(),
                    line_texts: sink.sample.most_frequent(PART_TEXTS),
                };
                let tally = sink.tally.context("nothing was counted")?;
                write_part(path, existing, &head, tally)?;
            }
            ReadGoal::Scans | ReadGoal::Part(..) | ReadGoal::Rows => {}
        }
        Ok(found)
    }

    /// Whether the lines of a book are counted, and not those of a copy of it.
    fn is_counted(&self, book: &Book) -> bool {
        self.one_copy.is_none_or(|copies| copies.is_counted(book))
    }

    /// The data of a book whose Scan can stay in the file of an earlier run: if lines are not counted and no new file
    /// is written.
    fn unchanged_book(&self, book: &Book) -> Option<ScannedBook> {
        if self.goal.counts_lines() || self.store?.keeps_all_in_file() {
            return None;
        }
        let entry = self.cached?.entry(book)?;
        Some(ScannedBook {
            bytes: entry.bytes,
            crc: Some(entry.crc),
            lines_digest: entry.lines_digest,
            has_known_lines: entry.has_known_lines,
            stored_scan: Some(StoredScan::Cached(entry.span)),
            was_read: false,
        })
    }
}

/// One thread of the first pass: reads books and passes their lines to a counter.
struct ReadWorker<'a, C> {
    source: BookSource<'a>,
    sink: CountSink<C>,
    /// The lines of the current book.
    lines: BookLines,
    /// Buffer for packed Scans.
    packed: Vec<u8>,
}

impl<C: Accumulate> ReadWorker<'_, C> {
    /// Reads, scans and counts the book with this index of the listing; with `ordered`, it is counted when its turn
    /// comes.
    fn book(
        &mut self,
        reading: &FirstPassReader<'_>,
        index: usize,
        ordered: Option<&OrderedTally<C>>,
    ) -> Result<ScannedBook, Unreadable> {
        let book = &reading.listing.books[index];
        if let Some(read) = reading.unchanged_book(book) {
            return Ok(read);
        }
        let sampled = reading.goal.stores_sample_texts()
            && index.is_multiple_of(reading.listing.books.len().div_ceil(SAMPLE));
        let with_texts = sampled || (C::WANTS_TEXT && reading.goal.counts_lines());
        let counts = reading.is_counted(book);
        let read = catch_panic(|| self.read(book, with_texts, counts, reading.store));
        let read = read.map_err(Unreadable::Io).flatten();
        let counted = (read.is_ok() && counts).then_some(&self.lines);
        self.sink.count_book(index, counted, ordered, reading.run);
        if sampled && read.is_ok() {
            self.sink.sample.add(index, &self.lines);
        }
        read
    }

    /// Reads a book: puts its lines into `lines`, its forms into the sink if `counts`, and its Scan into the scan
    /// store.
    fn read(
        &mut self,
        book: &Book,
        with_texts: bool,
        counts: bool,
        store: Option<&ScanStore>,
    ) -> Result<ScannedBook, Unreadable> {
        let given = self.source.read_lines(book, with_texts, &mut self.lines)?;
        if let Some(scan) = given.scan.as_ref().filter(|_| counts) {
            self.sink.add_scan(scan);
        }
        Ok(ScannedBook {
            bytes: given.bytes,
            crc: given.scan.as_ref().map(|scan| scan.crc),
            lines_digest: self.lines.digest(),
            has_known_lines: given.scan.as_ref().is_some_and(has_known_lines),
            stored_scan: store
                .zip(given.scan.as_ref())
                .map(|(store, scan)| store.store(scan, &mut self.packed)),
            was_read: given.was_read,
        })
    }
}
