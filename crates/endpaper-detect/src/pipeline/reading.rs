//! The first pass: every book is read once, scanned, counted, and its Scan kept for the second.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use super::build::parameters_of;
use super::cache::OldScans;
use super::one_copy::OneCopy;
use super::ordered::Ordered;
use super::parallel::{Run, guarded};
use super::shelf::{Kept, Shelf, SpanReader};
use super::{Options, Step};
use crate::frequency::spread::{Gatherer, Spreads};
use crate::frequency::{
    Accumulate, BookMark, Books, Build, Counter, Frequencies, Keyed, Known, PART_TEXTS, PartHead,
    Sample, Tally, write_part,
};
use crate::posterior;
use endpaper_text::atomic::Existing;
use endpaper_text::corpus::{Book, Listing, Reader, Skipped, Unreadable};
use endpaper_text::scan::{self, Bytes, PART, Scan, Scanner};

/// What is known of a book after the first pass.
#[derive(Debug)]
pub(super) struct Read {
    /// Size of the text in bytes.
    pub bytes: u64,
    /// CRC-64/XZ of the bytes; `None` if only the ends of the book were read.
    pub crc: Option<u64>,
    /// Digest of the lines that count ([`Keyed::digest`]).
    pub lines: u64,
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
    /// What is not counted of near copies.
    pub once: Option<&'a OneCopy>,
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
    Part(&'a Path, Existing),
    /// They become rows, by a counter that wants all texts itself.
    Rows,
}

impl Goal<'_> {
    fn counts(self) -> bool {
        !matches!(self, Goal::Scans)
    }

    /// Whether spreads go into what they become. A part holds no hands: what is spread cannot be added.
    fn takes_spreads(self) -> bool {
        matches!(self, Goal::Frequencies { .. } | Goal::Model { .. })
    }

    fn wants_texts(self) -> bool {
        matches!(self, Goal::Model { .. } | Goal::Part(..))
    }
}

/// Texts come from so many books, spread evenly over the corpus.
const SAMPLE: usize = 256;

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
    /// Books that count; all but near copies where one is enough.
    pub counted: usize,
    /// Digest of those, for the model.
    pub digest: u64,
}

impl Sorted {
    /// Digest of the whole contents of the books, if they were read whole.
    pub fn corpus_digest(&self) -> Option<u64> {
        let marks = self.books.iter().map(|(book, read)| {
            let crc = read.crc?;
            Some(BookMark::new(book.id.as_str(), read.bytes, crc))
        });
        Some(marks.collect::<Option<Books>>()?.digest())
    }
}

impl Found {
    /// Tells the books that were read from those that were not. An error if there are none of the first.
    pub fn sort(self, listing: &Listing, once: Option<&OneCopy>) -> Result<Sorted> {
        let (books, skipped) = apart(listing, self.books);
        if books.is_empty() && !skipped.is_empty() {
            bail!("no book can be read: {}", named(&skipped));
        }
        ensure!(!books.is_empty(), "there is no book in this corpus");
        let counted = books.iter();
        let counted = counted.filter(|(book, _)| once.is_none_or(|once| once.counts(book)));
        let counted = Books::from_iter(counted.map(|(book, read)| mark(book, read)));
        Ok(Sorted {
            counted: counted.len(),
            digest: counted.digest(),
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
        self.read(new, |read| self.finish(read))
    }
}

/// What the threads read and counted, put together.
pub(super) struct Accumulated<C> {
    /// For each book of the listing.
    pub books: Vec<Result<Read, Unreadable>>,
    /// The lines, if they were counted.
    pub tally: Option<Tally<C>>,
    gatherers: Vec<Gatherer>,
    sample: Sample,
}

impl<'a> Reading<'a> {
    /// Nothing but reading for one goal: no Scan is kept, of this run or an earlier one.
    pub fn only(
        run: &'a Run<'a>,
        listing: &'a Listing,
        options: &'a Options,
        goal: Goal<'a>,
    ) -> Reading<'a> {
        Reading {
            run,
            books: &listing.books,
            options,
            old: None,
            once: None,
            shelf: None,
            goal,
        }
    }
}

impl Reading<'_> {
    fn counts(&self, book: &Book) -> bool {
        self.once.is_none_or(|once| once.counts(book))
    }

    /// Reads all books; what is made of them in the end is made by the run's threads too.
    pub fn read<C: Accumulate, T: Send>(
        &self,
        new: impl Fn(usize) -> Result<C> + Sync,
        finish: impl FnOnce(Accumulated<C>) -> Result<T> + Send,
    ) -> Result<T> {
        let tally = || {
            let counts = self.goal.counts();
            let tally = counts.then(|| Tally::new(self.options.counting, &new))?;
            tally.map_err(|error| self.run.fail(error)).ok()
        };
        let ordered = C::IN_ORDER.then(tally).flatten().map(Ordered::new);
        let gathers = self.options.spreads && self.goal.takes_spreads();
        let state = || {
            let own = ordered.is_none().then(tally).flatten();
            Worker::new(own, gathers.then(Gatherer::default), self.old)
        };
        let (workers, books) = self.run.each(
            Step::Reading,
            self.books.len(),
            state,
            |worker: &mut Worker<C>, index| worker.book(self, index, ordered.as_ref()),
        )?;
        let total = self.books.len();
        self.run.report(Step::Counting, 0, total);
        let tally = ordered.map(Ordered::into_tally);
        let finish = || finish(Accumulated::of(workers, tally, books)?);
        let finished = self.run.pool.install(finish)?;
        self.run.report(Step::Counting, total, total);
        self.run.check()?;
        Ok(finished)
    }

    /// Makes of what was read what is wanted.
    fn finish<C: Counter>(&self, read: Accumulated<C>) -> Result<Found> {
        let Accumulated {
            books,
            tally,
            gatherers,
            sample,
        } = read;
        let mut found = Found {
            lines: tally.as_ref().map_or(0, Tally::lines),
            books,
            frequencies: None,
            known: Known::default(),
        };
        match self.goal {
            Goal::Scans | Goal::Rows => {}
            Goal::Frequencies { below } => {
                found.frequencies = finished(tally, gatherers, below)?;
            }
            Goal::Model { below } => {
                found.frequencies = finished(tally, gatherers, below)?;
                found.known = sample.all();
            }
            Goal::Part(path, existing) => {
                let head = self.part_head(&found, sample.most_frequent(PART_TEXTS));
                // That there is no book is said with the reason, by whoever sorts them.
                if !head.books.is_empty() {
                    let tally = tally.context("nothing was counted")?;
                    write_part(path, existing, &head, tally)?;
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

impl<C: Accumulate> Accumulated<C> {
    /// Brings together what the threads counted.
    fn of(
        workers: Vec<Worker<C>>,
        tally: Option<Tally<C>>,
        books: Vec<Result<Read, Unreadable>>,
    ) -> Result<Self> {
        let mut all = Accumulated {
            books,
            tally,
            gatherers: Vec::new(),
            sample: Sample::default(),
        };
        for worker in workers {
            all.gatherers.extend(worker.gatherer);
            all.tally = match (all.tally, worker.tally) {
                (Some(ours), Some(theirs)) => Some(ours.merge(theirs)?),
                (ours, theirs) => ours.or(theirs),
            };
            all.sample = all.sample.merge(worker.sample);
        }
        Ok(all)
    }
}

/// Books that were read, and those that were not with what the listing had left out, both in id order.
pub(super) fn apart(
    listing: &Listing,
    results: Vec<Result<Read, Unreadable>>,
) -> (Vec<(Book, Read)>, Vec<Skipped>) {
    let mut books = Vec::with_capacity(results.len());
    let mut skipped = listing.skipped.clone();
    for (book, result) in listing.books.iter().zip(results) {
        match result {
            Ok(read) => books.push((book.clone(), read)),
            Err(reason) => skipped.push(Skipped {
                id: book.id.clone(),
                reason,
            }),
        }
    }
    skipped.sort_by(|a, b| a.id.cmp(&b.id));
    (books, skipped)
}

/// What was skipped, with the reasons; of very many the first.
fn named(skipped: &[Skipped]) -> String {
    const MOST: usize = 20;
    let each = skipped.iter().take(MOST);
    let mut reasons: Vec<String> = each
        .map(|book| format!("'{}' {}", book.id, book.reason))
        .collect();
    if let Some(others @ 1..) = skipped.len().checked_sub(MOST) {
        reasons.push(format!("and {others} others"));
    }
    reasons.join("; ")
}

fn finished<C: Counter>(
    tally: Option<Tally<C>>,
    gatherers: Vec<Gatherer>,
    below: u64,
) -> Result<Option<Frequencies>> {
    let Some(tally) = tally else {
        return Ok(None);
    };
    // One after the other: each takes most of its memory while it is finished.
    let spreads = match gatherers.is_empty() {
        true => Spreads::default(),
        false => Gatherer::finish(gatherers),
    };
    Ok(Some(tally.finish(below)?.with_spreads(spreads)))
}

/// The mark of a book by the lines of it that count.
pub(super) fn mark(book: &Book, read: &Read) -> BookMark {
    BookMark::new(book.id.as_str(), read.bytes, read.lines)
}

/// What one thread works with.
struct Worker<C> {
    tally: Option<Tally<C>>,
    gatherer: Option<Gatherer>,
    sample: Sample,
    keyed: Keyed,
    reader: Reader,
    scanner: Scanner,
    old: Option<SpanReader>,
}

impl<C: Accumulate> Worker<C> {
    fn new(
        tally: Option<Tally<C>>,
        gatherer: Option<Gatherer>,
        old: Option<&OldScans>,
    ) -> Worker<C> {
        Worker {
            tally,
            gatherer,
            sample: Sample::default(),
            keyed: Keyed::default(),
            reader: Reader::default(),
            scanner: Scanner::default(),
            old: old.and_then(OldScans::reader),
        }
    }

    fn book(
        &mut self,
        reading: &Reading<'_>,
        index: usize,
        ordered: Option<&Ordered<C>>,
    ) -> Result<Read, Unreadable> {
        let book = &reading.books[index];
        if let Some(read) = self.left_alone(reading, book) {
            return Ok(read);
        }
        let sampled = reading.goal.wants_texts()
            && index.is_multiple_of(reading.books.len().div_ceil(SAMPLE));
        let with_texts = sampled || (C::WANTS_TEXT && reading.goal.counts());
        let read = guarded(|| match reading.shelf {
            Some(shelf) => self.read_and_keep(reading, book, shelf, with_texts),
            None if self.gatherer.is_some() => self.read_and_forget(reading, book, with_texts),
            None => self.read_lines(reading, book, with_texts),
        });
        let read = read.map_err(Unreadable::Io).flatten();
        let counted = (read.is_ok() && reading.counts(book)).then_some(&self.keyed);
        let added = match (ordered, &mut self.tally) {
            (Some(ordered), _) => ordered.put(index, counted, reading.run),
            (None, Some(tally)) => counted.map_or(Ok(()), |book| tally.add_book(book)),
            (None, None) => Ok(()),
        };
        if let Err(error) = added {
            reading.run.fail(error);
        }
        if sampled && read.is_ok() {
            self.sample.add(index, &self.keyed);
        }
        read
    }

    /// Scans a book, keeps the Scan, and leaves its lines in `keyed`.
    fn read_and_keep(
        &mut self,
        reading: &Reading<'_>,
        book: &Book,
        shelf: &Shelf,
        with_texts: bool,
    ) -> Result<Read, Unreadable> {
        let (scan, fresh) = self.scan(reading, book, with_texts)?;
        let (bytes, crc) = (scan.bytes, Some(scan.crc));
        Ok(Read {
            bytes,
            crc,
            lines: self.keyed.digest(),
            kept: Some(shelf.put(scan)),
            fresh,
        })
    }

    /// Scans a book for its spreads, and leaves its lines in `keyed`.
    fn read_and_forget(
        &mut self,
        reading: &Reading<'_>,
        book: &Book,
        with_texts: bool,
    ) -> Result<Read, Unreadable> {
        let (scan, fresh) = self.scan(reading, book, with_texts)?;
        Ok(Read {
            bytes: scan.bytes,
            crc: None,
            lines: self.keyed.digest(),
            kept: None,
            fresh,
        })
    }

    /// Leaves the lines of a book in `keyed`. Of a long book in a file of its own, only the ends are read.
    fn read_lines(
        &mut self,
        reading: &Reading<'_>,
        book: &Book,
        with_texts: bool,
    ) -> Result<Read, Unreadable> {
        let max_size = reading.options.max_size;
        let mut size = 0;
        let mut shared = None;
        if let Some(ends) = self.reader.read_ends(book, max_size, PART)? {
            size = ends.size;
            let ends = Bytes::Ends(ends.first, ends.last);
            shared = lines(
                &mut self.scanner,
                &mut self.keyed,
                ends,
                reading,
                with_texts,
            );
        }
        if shared.is_none() {
            let bytes = self.reader.read(book, max_size)?;
            size = bytes.len() as u64;
            let whole = Bytes::Whole(bytes);
            shared = lines(
                &mut self.scanner,
                &mut self.keyed,
                whole,
                reading,
                with_texts,
            );
        }
        self.keyed.share(shared.unwrap_or(0));
        Ok(Read {
            bytes: size,
            crc: None,
            lines: self.keyed.digest(),
            kept: None,
            fresh: true,
        })
    }

    /// A book whose Scan can stay in the file of an earlier run: nobody counts it, and no new file is written.
    fn left_alone(&self, reading: &Reading<'_>, book: &Book) -> Option<Read> {
        if reading.goal.counts() || reading.shelf?.writes_all() {
            return None;
        }
        let entry = reading.old?.entry(book)?;
        Some(Read {
            bytes: entry.bytes,
            crc: Some(entry.crc),
            lines: entry.lines,
            kept: Some(Kept::Old(entry.span)),
            fresh: false,
        })
    }

    /// The Scan of a book, and whether the book itself was read for it. Leaves its lines in `keyed`, and its forms with
    /// the gatherer.
    fn scan(
        &mut self,
        reading: &Reading<'_>,
        book: &Book,
        with_texts: bool,
    ) -> Result<(Scan, bool), Unreadable> {
        let (scan, fresh) = self.scan_lines(reading, book, with_texts)?;
        if let Some(gatherer) = &mut self.gatherer
            && reading.counts(book)
        {
            posterior::gather(&scan, gatherer);
        }
        Ok((scan, fresh))
    }

    fn scan_lines(
        &mut self,
        reading: &Reading<'_>,
        book: &Book,
        with_texts: bool,
    ) -> Result<(Scan, bool), Unreadable> {
        if !with_texts {
            return match self.scanned_before(reading, book) {
                Some(scan) => {
                    self.keyed.fill(&scan);
                    Ok((scan, false))
                }
                None => {
                    let bytes = self.reader.read(book, reading.options.max_size)?;
                    let scan = self.scanner.scan(bytes, reading.options.scanning());
                    self.keyed.fill(&scan);
                    Ok((scan, true))
                }
            };
        }
        let bytes = self.reader.read(book, reading.options.max_size)?;
        self.keyed.clear();
        let each = |window, key, text: &str| self.keyed.push(key, window, Some(text));
        let scan = self
            .scanner
            .scan_with(bytes, reading.options.scanning(), each);
        self.keyed.share(scan.shared());
        Ok((scan, true))
    }

    fn scanned_before(&mut self, reading: &Reading<'_>, book: &Book) -> Option<Scan> {
        let entry = reading.old?.entry(book)?;
        self.old.as_mut()?.read(entry.span).ok()
    }
}

/// Puts the lines of what is at hand of a book into `keyed`; see [`Scanner::count`].
fn lines(
    scanner: &mut Scanner,
    keyed: &mut Keyed,
    bytes: Bytes<'_>,
    reading: &Reading<'_>,
    with_texts: bool,
) -> Option<u32> {
    keyed.clear();
    let options = reading.options.scanning();
    if with_texts {
        scanner.count_with(bytes, options, |window, line| {
            keyed.push(line.key(), window, Some(line.text));
        })
    } else {
        scanner.count(bytes, options, |window, key| keyed.push(key, window, None))
    }
}

/// Reads and scans one book.
pub(super) fn scan_book(book: &Book, options: &Options) -> Result<Scan, Unreadable> {
    let bytes = book.read(options.max_size)?;
    Ok(scan::scan(&bytes, options.scanning()))
}
