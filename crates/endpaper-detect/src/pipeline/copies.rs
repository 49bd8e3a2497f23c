//! Near copies in a corpus or between two: fingerprints in parallel and cached, pairs of them, and a comparison of the
//! phrases of the two books of each pair.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use anyhow::Result;

use super::cache::{CorpusCache, FingerprintCache, FingerprintKey};
use super::parallel::{RunContext, catch_panic};
use super::{AnalysisOptions, AnalysisProgress, AnalysisStep, BookReport};
use crate::copies::{
    Fingerprint, FingerprintBits, FingerprintPair, FingerprintShape, Fingerprinter, Phrases,
    ReleaseDate, bands, fingerprint_lines, pairs, release_date,
};
use endpaper_text::corpus::{Book, BookText, MAX_SIZE, Skipped, Unreadable};

/// Default memory for the phrases of books, in bytes.
const PHRASES_MEMORY: usize = 1 << 30;

/// Memory for the phrases in bytes during an analysis or in the background of a screen.
pub const LITTLE_MEMORY: usize = 24 << 20;

/// Number of books that are compared with the others at a time, as the pairs of all books would fill the memory.
const ROWS: usize = 1024;

/// The largest distance of a pair that is confirmed by its phrases, by default: a quarter of the bits, 32 of 128.
///
/// Of 430 pairs of 1,033 real books that have at least half of their phrases in common, 426 are within 32 bits and 423 within
/// 24. Only 906 of 332,520 pairs of different books are within 32 bits: to look at their phrases costs little.
pub fn default_distance(bits: FingerprintBits) -> u32 {
    bits.count() / 4
}

/// The largest distance of a pair of which nothing but the fingerprints is known, by default: an eighth of the bits, 16 of 128.
///
/// The best F1 over 408 different books, each with a version of 0 to 10 % corruption, is at 25 bits. But wrong pairs grow with the
/// square of a library, and right ones do not: 24 bits have 12 to 23 of 166,056 wrong pairs, 16 bits 0 to 3. Within 16 bits are
/// 96 % of the pairs of real editions, within 24 bits 98 to 99 %. `lab figures --copies` has the table.
pub fn default_unconfirmed_distance(bits: FingerprintBits) -> u32 {
    bits.count() / 8
}

/// Pairs with a smaller share of common phrases are rejected.
///
/// Among the same books, editions of one text have at least 53 % of their phrases in common (German with *ae* for *ä*),
/// and mostly nearly all. Other pairs have at most 42 % (two collections that share stories), then 25 % (a novel and
/// the story that it was made from), and the rest below 10 %. A volume and the whole that it is part of are joined,
/// because the share is that of the shorter book.
pub const OVERLAP: f64 = 0.5;

/// The part of a book that is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ComparedPart {
    /// The lines between the detected cuts.
    #[default]
    Body,
    /// The whole file, licence included.
    Whole,
    /// The lines between the cuts, or the whole file if they are less than a tenth of it. If a corpus has more copies
    /// of a book than a frequent line needs, every line of the book is frequent, and cuts from such counts leave
    /// nothing.
    BodyOrWhole,
}

/// Options for finding near copies.
#[derive(Clone, Debug, PartialEq)]
pub struct CopyOptions {
    /// The shape of fingerprints.
    pub shape: FingerprintShape,
    /// The part of each book that is fingerprinted.
    pub part: ComparedPart,
    /// Largest number of bits in which the fingerprints of a pair may differ.
    pub distance: u32,
    /// Width of a band in bits: only pairs that are equal in one band are examined; `None`: all pairs.
    pub bands: Option<u32>,
    /// A pair counts as copies if the shorter book has at least this share (0 to 1) of its phrases in common with the other.
    pub overlap: f64,
    /// Number of threads; 0: one per core.
    pub threads: usize,
    /// The cache folder; `None` for no cache.
    pub cache: Option<PathBuf>,
    /// Largest size of a text in bytes; larger ones are skipped.
    pub max_size: u64,
    /// Memory for the phrases of books in bytes, in addition to about 1,000 bytes for each book. Beyond it, phrases
    /// are read again for each pair that a sample of its phrases does not decide.
    pub memory: usize,
}

impl Default for CopyOptions {
    fn default() -> Self {
        CopyOptions {
            shape: FingerprintShape::default(),
            part: ComparedPart::default(),
            distance: default_distance(FingerprintBits::default()),
            bands: None,
            overlap: OVERLAP,
            threads: 0,
            cache: None,
            max_size: MAX_SIZE,
            memory: PHRASES_MEMORY,
        }
    }
}

impl CopyOptions {
    /// The defaults, with the threads, cache and largest size of an analysis.
    pub fn of(options: &AnalysisOptions) -> CopyOptions {
        CopyOptions {
            threads: options.threads,
            cache: options.cache.clone(),
            max_size: options.max_size,
            ..CopyOptions::default()
        }
    }
}

/// Two books with similar fingerprints, by index: first the books of the first list, then those of the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CopyLink {
    /// The first book.
    pub a: u32,
    /// The second book.
    pub b: u32,
    /// Number of bits that differ.
    pub distance: u32,
    /// The share of the phrases of the shorter book that the other contains.
    pub overlap: f64,
}

/// The result of [`find_copies`].
#[derive(Clone, Debug, PartialEq)]
pub struct NearCopies {
    /// The fingerprint of each book; `None` if its text is too short, or if it can no longer be read.
    pub fingerprints: Vec<Option<Fingerprint>>,
    /// Pairs of near copies, in the order of their indexes.
    pub links: Vec<CopyLink>,
    /// Number of pairs with similar fingerprints but too few common phrases.
    pub refused: usize,
    /// The release dates of books, where the header states one: of all books of the examined pairs, and of others that were read.
    pub release_dates: HashMap<u32, ReleaseDate>,
    /// Books that can no longer be read.
    pub skipped: Vec<Skipped>,
    /// Minor problems, one sentence each.
    pub notes: Vec<String>,
}

/// What else is done with the text of a book that is read for its fingerprint.
pub(super) type TextVisitor<'a> = dyn Fn(&BookReport, &BookText) + Sync + 'a;

/// Finds near copies among the books of one analysis; with a second list, pairs with one book of each list.
///
/// `progress` is called for every book and then for every pair, from any thread. Setting `cancel` ends the run within
/// one of them.
///
/// # Errors
///
/// [`super::Cancelled`], or a width of bands that does not fit the fingerprints.
pub fn find_copies(
    ours: &[&BookReport],
    theirs: Option<&[&BookReport]>,
    options: &CopyOptions,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<NearCopies> {
    let caches = [ours, theirs.unwrap_or_default()].map(|books| {
        let listed = books.iter().map(|book| &book.book);
        CorpusCache::of(options.cache.as_deref(), listed)
    });
    find_copies_cached(&caches, ours, theirs, options, &|_, _| {}, progress, cancel)
}

/// Like [`find_copies`], with the caches of the corpora of the books, and a visitor of every text that is read for a
/// fingerprint that is not cached.
pub(super) fn find_copies_cached(
    [our_cache, their_cache]: &[Option<CorpusCache>; 2],
    ours: &[&BookReport],
    theirs: Option<&[&BookReport]>,
    options: &CopyOptions,
    visit: &TextVisitor<'_>,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<NearCopies> {
    if let Some(width) = options.bands {
        bands::check(options.shape.bits, width).map_err(anyhow::Error::msg)?;
    }
    let mut finder = CopyFinder::new(options, progress, cancel)?;
    let books: Vec<&BookReport> = ours
        .iter()
        .chain(theirs.unwrap_or_default())
        .copied()
        .collect();
    let features = PairReader::new(&books, options, true);
    let (all_ours, all_theirs) = (0..ours.len(), ours.len()..books.len());
    let mut prints = finder.fingerprint_all(all_ours, our_cache.as_ref(), &features, visit)?;
    prints.extend(finder.fingerprint_all(all_theirs, their_cache.as_ref(), &features, visit)?);
    let (links, refused) = finder.find_links(&prints, theirs.map(|_| ours.len()), &features)?;
    let (released, unreadable) = features.finish();
    finder.skipped.extend(unreadable);
    finder.skipped.sort_by(|a, b| a.id.cmp(&b.id));
    finder.skipped.dedup();
    Ok(NearCopies {
        fingerprints: prints,
        links,
        refused,
        release_dates: released,
        skipped: finder.skipped,
        notes: finder.notes,
    })
}

/// The result of [`fingerprint_books`].
#[derive(Clone, Debug, PartialEq)]
pub struct BookFingerprints {
    /// The fingerprint of each book; `None` if its text is too short, or if it can no longer be read.
    pub fingerprints: Vec<Option<Fingerprint>>,
    /// Books that can no longer be read.
    pub skipped: Vec<Skipped>,
    /// Minor problems, one sentence each.
    pub notes: Vec<String>,
}

/// The fingerprints of books, without a search for pairs.
///
/// `progress` is called for every book, from any thread. Setting `cancel` ends the run within one of them.
///
/// # Errors
///
/// [`super::Cancelled`].
pub fn fingerprint_books(
    books: &[&BookReport],
    options: &CopyOptions,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<BookFingerprints> {
    let listed = books.iter().map(|book| &book.book);
    let cache = CorpusCache::of(options.cache.as_deref(), listed);
    let mut finder = CopyFinder::new(options, progress, cancel)?;
    let features = PairReader::new(books, options, false);
    let visit = |_: &BookReport, _: &BookText| {};
    let fingerprints = finder.fingerprint_all(0..books.len(), cache.as_ref(), &features, &visit)?;
    Ok(BookFingerprints {
        fingerprints,
        skipped: finder.skipped,
        notes: finder.notes,
    })
}

/// Fingerprints of books in the corpus. Those for earlier cuts and other shapes are kept too, unless there are many.
fn prune_fingerprints(mut known: FingerprintCache, now: &[FingerprintKey]) -> FingerprintCache {
    const TIMES: usize = 8;
    let books: HashSet<(u64, u64)> = now.iter().map(|key| (key.crc, key.bytes)).collect();
    known.retain(|key, _| books.contains(&(key.crc, key.bytes)));
    if known.len() > TIMES * books.len() {
        let now: HashSet<&FingerprintKey> = now.iter().collect();
        known.retain(|key, _| now.contains(key));
    }
    known
}

/// First and last line of the compared part of a book, from 1.
pub fn part_of(book: &BookReport, part: ComparedPart) -> (u32, u32) {
    let (lines, cuts) = (book.summary.lines, book.summary.detection.cuts);
    match part {
        ComparedPart::Whole => (1, lines),
        ComparedPart::Body => cuts.body(lines),
        ComparedPart::BodyOrWhole => match cuts.body(lines) {
            (first, last) if last.saturating_add(1).saturating_sub(first) < lines / 10 => {
                (1, lines)
            }
            body => body,
        },
    }
}

/// The text of a book of at most `max_size` bytes.
pub(super) fn read(book: &Book, max_size: u64) -> Result<BookText, Unreadable> {
    book.text(max_size)
}

/// A book that is left out, with the reason.
fn skipped(book: &Book, reason: Unreadable) -> Skipped {
    Skipped {
        id: book.id.clone(),
        reason,
    }
}

/// A search for near copies in progress, with the books it skips and the notes for the user that it collects.
struct CopyFinder<'a> {
    options: &'a CopyOptions,
    run: RunContext<'a>,
    skipped: Vec<Skipped>,
    notes: Vec<String>,
}

impl<'a> CopyFinder<'a> {
    /// A search that has not begun.
    fn new(
        options: &'a CopyOptions,
        progress: &'a (dyn Fn(AnalysisProgress) + Sync),
        cancel: &'a AtomicBool,
    ) -> Result<CopyFinder<'a>> {
        Ok(CopyFinder {
            options,
            run: RunContext::new(options.threads, progress, cancel)?,
            skipped: Vec::new(),
            notes: Vec::new(),
        })
    }

    /// What the fingerprint of a book depends on: the key of the cache.
    fn key(&self, book: &BookReport) -> FingerprintKey {
        FingerprintKey {
            crc: book.summary.crc,
            bytes: book.summary.bytes,
            encoding: book.book.encoding,
            lines: part_of(book, self.options.part),
            shape: self.options.shape,
        }
    }

    /// The fingerprints of some of the books, from the cache where it has them. Books that are read for it leave what pairs of
    /// them need in `features`: nearly every book is in a pair that is to be confirmed.
    fn fingerprint_all(
        &mut self,
        places: Range<usize>,
        cache: Option<&CorpusCache>,
        features: &PairReader<'_>,
        visit: &TextVisitor<'_>,
    ) -> Result<Vec<Option<Fingerprint>>> {
        let books = &features.books[places.clone()];
        let mut known: FingerprintCache = cache
            .map(CorpusCache::load_fingerprints)
            .unwrap_or_default();
        let missing: Vec<usize> = places
            .filter(|&place| !known.contains_key(&self.key(features.books[place])))
            .collect();
        let printer = || Fingerprinter::new(self.options.shape);
        let each = |printer: &mut Fingerprinter, at: usize| {
            let made = catch_panic(|| features.fingerprint(missing[at], printer, visit));
            made.map_err(Unreadable::Io).flatten()
        };
        let (_, made) = self
            .run
            .par_map(AnalysisStep::Reading, missing.len(), printer, each)?;
        let mut failed = Vec::new();
        for (&place, made) in missing.iter().zip(made) {
            let book = features.books[place];
            match made {
                Ok(print) => {
                    known.insert(self.key(book), print);
                }
                Err(reason) => failed.push(skipped(&book.book, reason)),
            }
        }
        let keys: Vec<FingerprintKey> = books.iter().map(|book| self.key(book)).collect();
        let prints = keys.iter().map(|key| known.get(key).copied().flatten());
        let prints = prints.collect();
        if let Some(cache) = cache.filter(|_| failed.len() < missing.len())
            && let Err(error) = cache.store_fingerprints(&prune_fingerprints(known, &keys))
        {
            self.notes
                .push(format!("the cache cannot be written: {error:#}"));
        }
        self.skipped.extend(failed);
        Ok(prints)
    }

    /// The pairs of near copies by index, and the number of rejected pairs. `split` is the start of the second list, if
    /// there is one.
    fn find_links(
        &self,
        prints: &[Option<Fingerprint>],
        split: Option<usize>,
        features: &PairReader<'_>,
    ) -> Result<(Vec<CopyLink>, usize)> {
        let numbered = (0u32..).zip(prints);
        let (places, known): (Vec<u32>, Vec<Fingerprint>) = numbered
            .filter_map(|(place, print)| Some((place, (*print)?)))
            .unzip();
        let middle = split.map(|split| places.partition_point(|&place| (place as usize) < split));
        let rows = match self.options.bands {
            Some(_) => known.len(),
            None => ROWS,
        };
        let end = middle.unwrap_or(known.len());
        let (mut links, mut refused) = (Vec::new(), 0);
        for first in (0..end).step_by(rows.max(1)) {
            self.run.report(AnalysisStep::Comparing, first, end);
            let last = end.min(first + rows);
            let pairs = self
                .run
                .pool
                .install(|| self.pairs(&known, first..last, middle));
            let each = |_: &mut (), at: usize| {
                let pair: FingerprintPair = pairs[at];
                let place = |at: u32| places[at as usize];
                features.link(FingerprintPair {
                    a: place(pair.a),
                    b: place(pair.b),
                    ..pair
                })
            };
            let (_, looked) = self
                .run
                .par_map_with_progress(pairs.len(), |_| {}, || (), each)?;
            for link in looked.into_iter().flatten() {
                match link.overlap >= self.options.overlap {
                    true => links.push(link),
                    false => refused += 1,
                }
            }
        }
        self.run.report(AnalysisStep::Comparing, end, end);
        links.sort_unstable_by_key(|link| (link.a, link.b));
        Ok((links, refused))
    }

    /// The pairs of the fingerprints in `rows` with later ones, or with those from `middle` on.
    fn pairs(
        &self,
        known: &[Fingerprint],
        rows: Range<usize>,
        middle: Option<usize>,
    ) -> Vec<FingerprintPair> {
        let distance = self.options.distance;
        if let Some(width) = self.options.bands {
            // Bands treat both lists as one.
            let mut found = bands::within(known, width, distance);
            let apart = |pair: &FingerprintPair, middle: usize| {
                (pair.a as usize) < middle && middle <= pair.b as usize
            };
            found.retain(|pair| middle.is_none_or(|middle| apart(pair, middle)));
            return found;
        }
        let (first, others) = (rows.start as u32, middle.unwrap_or(rows.end));
        let mut found = pairs::between(&known[rows.clone()], &known[others..], distance);
        found.iter_mut().for_each(|pair| pair.b += others as u32);
        if middle.is_none() {
            let mut among = pairs::within(&known[rows], distance);
            among.iter_mut().for_each(|pair| pair.b += first);
            found.append(&mut among);
        }
        found.iter_mut().for_each(|pair| pair.a += first);
        found
    }
}

/// The books of pairs, read when they are first needed.
struct PairReader<'a> {
    books: &'a [&'a BookReport],
    options: &'a CopyOptions,
    /// Whether a book that is read for its fingerprint leaves its phrases.
    keeps_phrases: bool,
    short_sketches: Vec<OnceLock<Phrases>>,
    phrases: Vec<OnceLock<Arc<Phrases>>>,
    release_dates: Vec<OnceLock<Option<ReleaseDate>>>,
    failed: Vec<OnceLock<Unreadable>>,
    memory: AtomicUsize,
}

impl<'a> PairReader<'a> {
    /// A reader of pairs of these books, with nothing read yet.
    fn new(
        books: &'a [&'a BookReport],
        options: &'a CopyOptions,
        keeps_phrases: bool,
    ) -> PairReader<'a> {
        /// A reader of pairs of these books, with nothing read yet.
        fn empty<T>(len: usize) -> Vec<OnceLock<T>> {
            std::iter::repeat_with(OnceLock::new).take(len).collect()
        }
        PairReader {
            books,
            options,
            keeps_phrases,
            short_sketches: empty(books.len()),
            phrases: empty(books.len()),
            release_dates: empty(books.len()),
            failed: empty(books.len()),
            memory: AtomicUsize::new(0),
        }
    }

    /// A pair with the overlap of its phrases; `None` if one of the books cannot be read.
    fn link(&self, pair: FingerprintPair) -> Option<CopyLink> {
        let places = [pair.a as usize, pair.b as usize];
        let [ours, theirs] = [self.short_sketch(places[0])?, self.short_sketch(places[1])?];
        let overlap = match ours.overlap_if_below(theirs, self.options.overlap) {
            Some(overlap) => overlap,
            None => self.phrases(places[0])?.overlap(&*self.phrases(places[1])?),
        };
        Some(CopyLink {
            a: pair.a,
            b: pair.b,
            distance: pair.distance,
            overlap,
        })
    }

    /// The sample of the phrases of a book, read if necessary.
    fn short_sketch(&self, place: usize) -> Option<&Phrases> {
        if self.short_sketches[place].get().is_none() {
            // Most books need no more, so half of the memory is left for those that do.
            self.read(place, self.options.memory / 2)?;
        }
        self.short_sketches[place].get()
    }

    /// All phrases of a book: those in memory, else read from its file.
    fn phrases(&self, place: usize) -> Option<Arc<Phrases>> {
        let known = self.phrases[place].get().cloned();
        known.or_else(|| self.read(place, self.options.memory))
    }

    /// The fingerprint of the compared part of a book, `None` if it is too short, and in the same reading its phrases.
    fn fingerprint(
        &self,
        place: usize,
        printer: &mut Fingerprinter,
        visit: &TextVisitor<'_>,
    ) -> Result<Option<Fingerprint>, Unreadable> {
        let book = self.books[place];
        let text = read(&book.book, self.options.max_size)?;
        let (first, last) = part_of(book, self.options.part);
        let print = fingerprint_lines(printer, &text, first, last);
        if print.is_some() && self.keeps_phrases {
            self.keep(place, &text, self.options.memory / 2);
        }
        visit(book, &text);
        Ok(print)
    }

    /// Reads a book. Its phrases are kept while those of all books take less than `memory` bytes.
    fn read(&self, place: usize, memory: usize) -> Option<Arc<Phrases>> {
        let read = || -> Result<Arc<Phrases>, Unreadable> {
            let text = read(&self.books[place].book, self.options.max_size)?;
            Ok(self.keep(place, &text, memory))
        };
        let phrases = catch_panic(read).map_err(Unreadable::Io).flatten();
        phrases
            .map_err(|reason| self.failed[place].set(reason))
            .ok()
    }

    /// Keeps the release date and the sample of the phrases of a book, and all of these while those of all books take less
    /// than `memory` bytes.
    fn keep(&self, place: usize, text: &BookText, memory: usize) -> Arc<Phrases> {
        let (first, last) = part_of(self.books[place], self.options.part);
        let phrases = Arc::new(Phrases::of_lines(text, first, last));
        // Another thread may have read it at the same time, with the same result.
        let _ = self.short_sketches[place].set(phrases.brief());
        let _ = self.release_dates[place].set(release_date(text));
        if self.memory.fetch_add(phrases.memory(), Ordering::Relaxed) < memory {
            let _ = self.phrases[place].set(phrases.clone());
        } else {
            self.memory.fetch_sub(phrases.memory(), Ordering::Relaxed);
        }
        phrases
    }

    /// Release dates by index, and the books that could not be read.
    fn finish(self) -> (HashMap<u32, ReleaseDate>, Vec<Skipped>) {
        let released = (0..)
            .zip(self.release_dates)
            .filter_map(|(place, date)| Some((place, date.into_inner()??)));
        let failed = self.books.iter().zip(self.failed);
        let failed =
            failed.filter_map(|(book, reason)| Some(skipped(&book.book, reason.into_inner()?)));
        (released.collect(), failed.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_text::corpus::EncodingChoice;

    #[test]
    fn fingerprints_of_books_that_are_gone_are_not_kept_nor_too_many_of_old_cuts() {
        let key = |crc: u64, last: u32| FingerprintKey {
            crc,
            bytes: 7,
            encoding: EncodingChoice::Guessed,
            lines: (1, last),
            shape: FingerprintShape::default(),
        };
        let known = |keys: &[FingerprintKey]| -> FingerprintCache {
            keys.iter().map(|&key| (key, None)).collect()
        };
        let now = [key(1, 10), key(2, 10)];
        let old = known(&[now[0], now[1], key(1, 9), key(3, 10)]);
        let kept = prune_fingerprints(old, &now);
        assert_eq!(kept, known(&[now[0], now[1], key(1, 9)]));
        let many: Vec<FingerprintKey> = (10..30).map(|last| key(1, last)).collect();
        assert_eq!(prune_fingerprints(known(&many), &now), known(&now[..1]));
    }
}
