//! A corpus of any size made from a smaller one, in which lines occur as often as on the paper's DVD (figure 5).
//!
//! Repeating a corpus would make every line frequent, and numbering its lines would make none frequent. A made book is
//!
//! ```text
//! the preamble of a real book, as the detector cuts it
//! the next lines of that book's body, until the head window is full (300 non-trivial lines)
//! the whole body of another real book: no window sees it, it gives the book its size
//! the lines after those above, until with the epilogue the tail window is full
//! the epilogue of the real book
//! ```
//!
//! so made books share body lines only as real books do by chance (editions are excluded: slices that repeat an earlier one). Three refinements:
//!
//! - Lines of a preamble or epilogue that at most [`OWN`] real books contain (title, author, date, file name) get the number of the made book: a
//!   larger corpus of real books would have different lines there, not more occurrences of these.
//! - Nearly a quarter of the slices go into a second book, and some of these into a third, as in republished books ("nearly 10 % of the e-book files
//!   are near-duplicates", and other bodies share text too).
//! - Slices come in random order, each directly followed by its copies, so that the first n books are representative.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, bail, ensure};
use endpaper_detect::frequency::Counts;
use endpaper_detect::pipeline::{AnalysisOptions, BookReport, ModelSize, analyse, build_model};
use endpaper_text::corpus::{BookText, ListingRequest, MAX_SIZE, Newline, list};
use endpaper_text::line::{Key, Normaliser};
use hashbrown::HashSet;
use lab::experiments::SampleRandom;
use rayon::prelude::*;

use crate::arguments::CountingArguments;

const WINDOW: usize = 300;

/// Lines in at most this many real books are specific to a book.
const OWN: u64 = 2;

/// Of 1,000 slices, the number that go into a second book.
const TWICE: usize = 230;

/// Of 1,000 slices that go into a second book, the number that go into a third ("eighty e-books appear in a third version", of 700).
const THRICE: usize = 80;

/// A slice is excluded if more than 1 / `NEW` of its lines are in an earlier one.
const NEW: usize = 8;

/// Writes made books as files, `00001.txt` and so on.
pub fn write(arguments: &mut CountingArguments) -> Result<()> {
    let corpus = arguments.path("CORPUS")?;
    let folder = arguments.path("OUT")?;
    let books = arguments.books.unwrap_or(11_000);
    let made = BookRecipe::new(&corpus, books)?;
    fs::create_dir_all(&folder)?;
    let sizes = (0..books).into_par_iter().map(|index| {
        let text = made.book(index);
        fs::write(folder.join(format!("{:05}.txt", index + 1)), &text)?;
        Ok(text.len() as u64)
    });
    let bytes: u64 = sizes.sum::<Result<u64>>()?;
    println!(
        "{books} books, {} MB in '{}'",
        bytes / 1_000_000,
        folder.display()
    );
    Ok(())
}

/// The parts of real books, and their assignment to made books.
pub struct BookRecipe {
    real: Vec<RealBook>,
    /// Real book and slice of every made book.
    books: Vec<(usize, Slice)>,
}

struct RealBook {
    text: BookText,
    head: Vec<EdgeLine>,
    tail: Vec<EdgeLine>,
    /// Lines between preamble and epilogue.
    body: Range<u32>,
}

/// A line of a preamble or epilogue.
struct EdgeLine {
    bytes: Vec<u8>,
    /// Where to insert the made book's number, if the line is specific to a book.
    number: Option<usize>,
}

/// Body lines for one made book.
#[derive(Clone)]
struct Slice {
    after_head: Range<u32>,
    before_tail: Range<u32>,
    keys: Vec<Key>,
}

impl BookRecipe {
    /// Makes a recipe for `books` books from a folder or archive of real ones.
    pub fn new(corpus: &Path, books: usize) -> Result<BookRecipe> {
        let listing = list(&ListingRequest {
            roots: vec![corpus.to_owned()],
            ..ListingRequest::default()
        })?;
        let never = AtomicBool::new(false);
        let found = analyse(&listing, &AnalysisOptions::default(), &|_| {}, &never)?;
        // The report's own counts omit infrequent lines.
        let size = ModelSize {
            min_count: 1,
            texts: 0,
        };
        let built = build_model(&listing, &AnalysisOptions::default(), size, &|_| {}, &never)?;
        let counts = built.model.frequencies.head();
        let apart = found.books.par_iter().map(|book| take_apart(book, counts));
        let apart: Vec<Option<(RealBook, Vec<Slice>)>> = apart.collect::<Result<_>>()?;
        let (mut real, mut slices) = (Vec::new(), Vec::new());
        for (book, cut) in apart.into_iter().flatten() {
            slices.extend(cut.into_iter().map(|slice| (real.len(), slice)));
            real.push(book);
        }
        let available = slices.len();
        let mut random = SampleRandom::new(2007);
        random.shuffle(&mut slices);
        let mut seen = HashSet::new();
        let mut made = Vec::with_capacity(books + 2);
        for (book, mut slice) in slices {
            let keys = std::mem::take(&mut slice.keys);
            let old = keys.iter().filter(|key| seen.contains(*key)).count();
            if old * NEW > keys.len() {
                continue;
            }
            seen.extend(keys);
            let mut copies = 1;
            if random.below(1000) < TWICE {
                copies += 1 + usize::from(random.below(1000) < THRICE);
            }
            made.extend(std::iter::repeat_n((book, slice), copies));
            if made.len() >= books {
                made.truncate(books);
                return Ok(BookRecipe { real, books: made });
            }
        }
        bail!(
            "'{}' is enough for {available} slices and {} books; --books sets a smaller number",
            corpus.display(),
            made.len()
        );
    }

    pub fn len(&self) -> usize {
        self.books.len()
    }

    pub fn book(&self, index: usize) -> Vec<u8> {
        let (real, slice) = &self.books[index];
        let real = &self.real[*real];
        let filler = &self.real[index % self.real.len()];
        let size = real.text.bytes().len() / 4 + filler.text.bytes().len();
        let mut out = Vec::with_capacity(size);
        let put = |out: &mut Vec<u8>, lines: &[EdgeLine]| {
            for line in lines {
                line.put(out, index + 1);
            }
        };
        put(&mut out, &real.head);
        real.put(&mut out, &slice.after_head);
        filler.put(&mut out, &filler.body);
        real.put(&mut out, &slice.before_tail);
        put(&mut out, &real.tail);
        out
    }
}

impl RealBook {
    fn put(&self, out: &mut Vec<u8>, lines: &Range<u32>) {
        for line in lines.clone() {
            out.extend_from_slice(self.text.raw(line));
            out.extend_from_slice(b"\r\n");
        }
    }
}

impl EdgeLine {
    fn new(text: &BookText, line: u32, normaliser: &mut Normaliser, counts: &Counts) -> EdgeLine {
        let bytes = text.normaliser_input(line).into_owned();
        let normal = normaliser.line(&bytes);
        let own = !normal.trivial && counts.frequency(normal.key()) <= OWN;
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
        let number = bytes.iter().rposition(is_word).filter(|_| own);
        EdgeLine {
            number: number.map(|last| last + 1),
            bytes,
        }
    }

    fn put(&self, out: &mut Vec<u8>, number: usize) {
        match self.number {
            Some(at) => {
                out.extend_from_slice(&self.bytes[..at]);
                out.extend_from_slice(format!(" {number}").as_bytes());
                out.extend_from_slice(&self.bytes[at..]);
            }
            None => out.extend_from_slice(&self.bytes),
        }
        out.extend_from_slice(b"\r\n");
    }
}

/// Splits a book into its parts and cuts its body into slices. `None` if its bytes cannot be used line by line.
fn take_apart(book: &BookReport, counts: &Counts) -> Result<Option<(RealBook, Vec<Slice>)>> {
    let bytes = book.book.read(MAX_SIZE);
    let text = BookText::new(bytes.with_context(|| format!("'{}' cannot be read", book.book.id))?);
    if text.encoding().is_utf16() || matches!(text.newline(), Newline::Cr | Newline::None) {
        return Ok(None);
    }
    let cuts = book.summary.detection.cuts;
    let lines = text.lines();
    let body = cuts.preamble_end + 1..cuts.epilogue_start.unwrap_or(lines + 1);
    ensure!(
        body.start <= body.end && body.end <= lines + 1,
        "'{}' changed while it was read; run this again",
        book.book.id
    );
    let mut normaliser = Normaliser::default();
    // Keys of the non-trivial lines, by line.
    let keys = (1..=lines).map(|line| {
        let raw = text.normaliser_input(line);
        let normal = normaliser.line(&raw);
        (!normal.trivial).then(|| normal.key())
    });
    let keys: Vec<Option<Key>> = keys.collect();
    let counted = |lines: Range<u32>| {
        keys[lines.start as usize - 1..lines.end as usize - 1]
            .iter()
            .flatten()
    };
    let head = WINDOW.saturating_sub(counted(1..body.start).count());
    let tail = WINDOW.saturating_sub(counted(body.end..lines + 1).count());
    let mut slices = Vec::new();
    let mut next = body.start;
    // Takes the non-trivial lines that a window still needs, with the lines between them.
    let mut take = |wanted: usize| {
        let start = next;
        let mut found = 0;
        while found < wanted {
            if next >= body.end {
                return None;
            }
            found += usize::from(keys[next as usize - 1].is_some());
            next += 1;
        }
        Some(start..next)
    };
    if head + tail > 0 {
        while let (Some(after_head), Some(before_tail)) = (take(head), take(tail)) {
            let both = counted(after_head.clone()).chain(counted(before_tail.clone()));
            slices.push(Slice {
                keys: both.copied().collect(),
                after_head,
                before_tail,
            });
        }
    }
    let mut part = |lines: Range<u32>| -> Vec<EdgeLine> {
        let lines = lines.map(|line| EdgeLine::new(&text, line, &mut normaliser, counts));
        lines.collect()
    };
    let (head, tail) = (part(1..body.start), part(body.end..lines + 1));
    let real = RealBook {
        head,
        tail,
        body,
        text,
    };
    Ok(Some((real, slices)))
}
