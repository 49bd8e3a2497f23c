//! The n-grams that a search found frequent, for use on documents that were not searched.
//!
//! The n-grams of a few megabytes serve a corpus of any size, or a single book. They are stored as the texts that
//! contain them: a template of 500 characters takes 500 characters, not 480 n-grams.

use std::collections::{HashSet, VecDeque};
use std::fmt::Write;
use std::io::Read;
use std::sync::{Arc, LazyLock};

use foldhash::fast::FixedState;

use super::documents::FoldedDocuments;
use super::fold::fold;
use super::levels::PercentLevels;
use super::part::{DocumentPart, MAX_NGRAM};
use endpaper_text::corpus::Encoding;

/// Heading of the text that [`FrequentGrams::to_text`] writes; the length of the n-grams follows.
const HEADING: &str = "endpaper frequent n-grams, n";

static BUILT_IN: &[u8] = include_bytes!("builtin.grams.gz");

/// The frequent n-grams of the ends of real Project Gutenberg books.
///
/// Found in the first and last 24 KiB ([`super::END_BYTES`]) of 100 of the books that the built-in model was made from;
/// none of them is labelled for evaluation:
///
/// ```text
/// endpaper alternation --cuts --files-from LIST --learn-from 100 --keep grams.txt && gzip -9n grams.txt
/// ```
pub fn built_in() -> Arc<FrequentGrams> {
    static FREQUENT: LazyLock<Arc<FrequentGrams>> = LazyLock::new(|| {
        let mut text = String::new();
        flate2::read::GzDecoder::new(BUILT_IN)
            .read_to_string(&mut text)
            .expect("the file is part of the program and a test reads it");
        Arc::new(FrequentGrams::from_text(&text).expect("the file is part of the program"))
    });
    FREQUENT.clone()
}

/// Why a text is not a list of frequent n-grams.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GramListError {
    /// The first line is not the heading.
    #[error("it does not begin with a line '{HEADING} NUMBER'")]
    Heading,
    /// The length of the n-grams is out of range.
    #[error("its n-grams have {0} characters; 2 to {MAX_NGRAM} are possible, write it again")]
    Length(u32),
    /// A line, given by its number, is shorter than an n-gram.
    #[error("its line {0} is shorter than an n-gram; write it again")]
    Line(usize),
}

/// Frequent n-grams of one length; all text that one of them covers is useless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrequentGrams {
    n: u32,
    grams: HashSet<u64, FixedState>,
    /// A Bloom filter of the hashes, with one bit for each: most n-grams of a book need no further lookup.
    bloom_bits: Vec<u64>,
    /// Texts that contain these n-grams and no others.
    texts: Vec<String>,
}

impl FrequentGrams {
    /// Collects the n-grams that are among the top a percent of a corpus, from these of its documents.
    pub(super) fn gather(
        documents: &FoldedDocuments,
        levels: &PercentLevels,
        a: u8,
        among: impl Iterator<Item = usize>,
    ) -> FrequentGrams {
        let mut frequent = FrequentGrams::empty(levels.n().max(1));
        for document in among {
            let text = documents.folded(document);
            let mut starts = levels.frequent(documents, document, a).peekable();
            let mut hasher = RollingHasher::new(frequent.n);
            // The text of the current unbroken run of n-grams that were not collected before.
            let mut row: Option<(usize, usize)> = None;
            for (at, c) in text.char_indices() {
                let Some((start, hash)) = hasher.push(at, c) else {
                    continue;
                };
                let is_frequent = starts.next_if_eq(&start).is_some();
                let end = at + c.len_utf8();
                if is_frequent && frequent.grams.insert(hash) {
                    row = Some((row.map_or(start, |row| row.0), end));
                } else if let Some((start, end)) = row.take() {
                    frequent.texts.push(text[start..end].to_owned());
                }
            }
            frequent
                .texts
                .extend(row.map(|(start, end)| text[start..end].to_owned()));
        }
        frequent.with_bloom_bits()
    }

    /// No n-gram, of length `n` in characters.
    fn empty(n: u32) -> FrequentGrams {
        FrequentGrams {
            n,
            grams: HashSet::default(),
            bloom_bits: Vec::new(),
            texts: Vec::new(),
        }
    }

    /// Fills the Bloom filter, in which at most one bit in 8 is set.
    fn with_bloom_bits(mut self) -> FrequentGrams {
        let words = self.grams.len().div_ceil(8).next_power_of_two();
        self.bloom_bits = vec![0; words];
        for hash in &self.grams {
            self.bloom_bits[word_of(*hash, words)] |= 1 << (hash & 63);
        }
        self
    }

    /// Reads the text that [`FrequentGrams::to_text`] writes.
    ///
    /// # Errors
    ///
    /// The heading is missing or has an impossible length, or a line is shorter than an n-gram.
    pub fn from_text(text: &str) -> Result<FrequentGrams, GramListError> {
        let mut lines = text.lines();
        let heading = lines.next().and_then(|line| line.strip_prefix(HEADING));
        let n = heading.and_then(|n| n.trim().parse().ok());
        let n: u32 = n.ok_or(GramListError::Heading)?;
        if !(2..=MAX_NGRAM).contains(&n) {
            return Err(GramListError::Length(n));
        }
        let mut frequent = FrequentGrams::empty(n);
        for (number, line) in (2..).zip(lines) {
            let mut hasher = RollingHasher::new(n);
            let mut some = false;
            for (at, c) in line.char_indices() {
                if let Some((_, hash)) = hasher.push(at, c) {
                    frequent.grams.insert(hash);
                    some = true;
                }
            }
            if !some {
                return Err(GramListError::Line(number));
            }
            frequent.texts.push(line.to_owned());
        }
        Ok(frequent.with_bloom_bits())
    }

    /// Formats the n-grams as a heading with n, then the texts that contain them, one per line. (Folded text has no
    /// line ends.)
    pub fn to_text(&self) -> String {
        let mut out = format!("{HEADING} {}\n", self.n);
        for text in &self.texts {
            let _ = writeln!(out, "{text}");
        }
        out
    }

    /// Length of the n-grams in characters.
    pub fn n(&self) -> u32 {
        self.n
    }

    /// Number of n-grams.
    pub fn len(&self) -> usize {
        self.grams.len()
    }

    /// Whether there is no n-gram: every document is useful as a whole.
    pub fn is_empty(&self) -> bool {
        self.grams.is_empty()
    }

    /// The parts of a document, useless and useful by turns, in bytes of its source.
    ///
    /// Together they are the whole source; an empty document has no parts. Takes about 5 ns per byte.
    pub fn parts(&self, source: &[u8]) -> Vec<DocumentPart> {
        self.parts_in(source, Encoding::guess(source))
    }

    /// The same for bytes of which the encoding is known.
    pub fn parts_in(&self, source: &[u8], encoding: Encoding) -> Vec<DocumentPart> {
        let mut text = Vec::with_capacity(source.len());
        let map = fold(source, encoding, &mut text);
        let text = String::from_utf8_lossy(&text);
        let mut parts = Vec::new();
        let mut done = 0;
        let mut put = |useless, end: usize, is_last: bool| {
            let end = match is_last {
                true => map.source_len(),
                false => map.source_of(end),
            };
            if end > done {
                let bytes = done..end;
                parts.push(DocumentPart { useless, bytes });
                done = end;
            }
        };
        let mut run: Option<(usize, usize)> = None;
        self.each(&text, |start, end| {
            run = Some(match run {
                Some((first, last)) if start <= last => (first, end),
                before => {
                    if let Some((first, last)) = before {
                        put(false, first, false);
                        put(true, last, false);
                    }
                    (start, end)
                }
            });
        });
        if let Some((first, last)) = run {
            put(false, first, false);
            put(true, last, last == text.len());
        }
        put(false, text.len(), true);
        parts
    }

    /// Calls `found` with the start and the end, in bytes, of every frequent n-gram of a folded text.
    fn each(&self, text: &str, mut found: impl FnMut(usize, usize)) {
        if self.is_empty() {
            return;
        }
        if text.is_ascii() {
            self.each_of_ascii(text.as_bytes(), found);
            return;
        }
        let mut hasher = RollingHasher::new(self.n);
        for (at, c) in text.char_indices() {
            if let Some((start, hash)) = hasher.push(at, c)
                && self.has(hash)
            {
                found(start, at + c.len_utf8());
            }
        }
    }

    /// The same for a text of ASCII, whose n-grams need no memory of where their characters begin.
    fn each_of_ascii(&self, text: &[u8], mut found: impl FnMut(usize, usize)) {
        let (n, highest) = (self.n as usize, FACTOR.wrapping_pow(self.n));
        let mut sum = 0u64;
        for (at, &byte) in text.iter().enumerate() {
            sum = sum.wrapping_mul(FACTOR).wrapping_add(value(byte.into()));
            if let Some(gone) = at.checked_sub(n) {
                sum = sum.wrapping_sub(value(text[gone].into()).wrapping_mul(highest));
            }
            if at + 1 >= n && self.has(mixed(sum)) {
                found(at + 1 - n, at + 1);
            }
        }
    }

    /// Whether an n-gram is frequent, by its hash.
    fn has(&self, hash: u64) -> bool {
        let bit = self.bloom_bits[word_of(hash, self.bloom_bits.len())] >> (hash & 63) & 1;
        bit == 1 && self.grams.contains(&hash)
    }
}

/// What a character adds to the sum of a [`RollingHasher`].
pub(super) fn value(c: char) -> u64 {
    (u64::from(c) + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// The index of the word of the Bloom filter that holds the bit of a hash; `words` is a power of two.
fn word_of(hash: u64, words: usize) -> usize {
    (hash >> 32) as usize & (words - 1)
}

/// A rolling hash of the n-grams of a text: the character that leaves is subtracted, the next one added.
struct RollingHasher {
    n: usize,
    /// Offset and value of each of the last n characters.
    last: VecDeque<(usize, u64)>,
    sum: u64,
    /// [`FACTOR`] to the power of n.
    highest: u64,
}

/// Odd, so that multiplication loses no information.
pub(super) const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

impl RollingHasher {
    /// A hasher of the last `n` characters pushed.
    fn new(n: u32) -> RollingHasher {
        RollingHasher {
            n: n as usize,
            last: VecDeque::with_capacity(n as usize + 1),
            sum: 0,
            highest: FACTOR.wrapping_pow(n),
        }
    }

    /// Adds the next character. Returns the offset and the hash of the n-gram that it ends.
    fn push(&mut self, at: usize, c: char) -> Option<(usize, u64)> {
        let value = value(c);
        self.sum = self.sum.wrapping_mul(FACTOR).wrapping_add(value);
        self.last.push_back((at, value));
        if self.last.len() > self.n {
            let (_, gone) = self.last.pop_front()?;
            self.sum = self.sum.wrapping_sub(gone.wrapping_mul(self.highest));
        }
        let start = self.last.front()?.0;
        (self.last.len() == self.n).then(|| (start, mixed(self.sum)))
    }
}

/// Spreads all bits of a sum over the hash: the low bits of the sum depend only on low bits of the characters.
pub(super) fn mixed(sum: u64) -> u64 {
    let sum = (sum ^ (sum >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    sum ^ (sum >> 32)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Optimum, Ties};
    use super::*;

    /// A page of a site, with its own sentence.
    fn page(number: u64, news: &str) -> String {
        format!(
            "<html><head><title>The Daily  News</title></head><body><h1>The Daily News, number {number}</h1>\n\
             <p class=\"story\">{news}</p>\n<hr>copyright by The Daily News and its authors</body></html>\n"
        )
    }

    /// Words that no other sentence has.
    fn sentence(number: u64) -> String {
        let mut words = String::new();
        for word in 0..12 {
            let hash = mixed(number * 100 + word + 1);
            let letters =
                (0..4 + hash % 4).map(|at| char::from(b'a' + (hash >> (8 * at)) as u8 % 26));
            words.extend(letters);
            words.push(' ');
        }
        words
    }

    fn pages() -> (FoldedDocuments, Vec<String>) {
        let mut documents = FoldedDocuments::default();
        let pages: Vec<String> = (0..30).map(|at| page(at, &sentence(at))).collect();
        for page in &pages {
            documents.push(page.as_bytes()).unwrap();
        }
        (documents, pages)
    }

    #[test]
    fn documents_that_were_searched_have_the_same_parts() {
        let (documents, pages) = pages();
        let found = Optimum::find(&documents, Ties::Group, |_| {});
        let frequent = found.frequent();
        assert_eq!(frequent.n(), found.best().n);
        for (document, page) in pages.iter().enumerate() {
            assert_eq!(frequent.parts(page.as_bytes()), found.parts(document));
        }
    }

    #[test]
    fn another_page_of_the_site_is_known_also_where_its_lines_are_broken_elsewhere() {
        let frequent = Optimum::find(&pages().0, Ties::Group, |_| {}).frequent();
        let page = page(0, &sentence(99)).replace(' ', "\n  ");
        let parts = frequent.parts(page.as_bytes());
        let useful: String = parts
            .iter()
            .filter(|part| !part.useless)
            .map(|part| &page[part.bytes.clone()])
            .collect();
        // The number of the page is unique, too.
        let useful = useful.trim_start_matches('0').trim();
        let words = sentence(99).replace(' ', "\n  ");
        assert!(words.contains(useful), "{useful}");
        assert!(useful.len() + 10 > words.trim().len(), "{useful}");
    }

    #[test]
    fn what_is_written_is_read_again_and_other_texts_are_refused() {
        let frequent = Optimum::find(&pages().0, Ties::Group, |_| {}).frequent();
        assert!(!frequent.is_empty());
        let text = frequent.to_text();
        assert_eq!(FrequentGrams::from_text(&text).unwrap(), frequent);
        let nothing = FrequentGrams::from_text("endpaper frequent n-grams, n 7\n").unwrap();
        assert_eq!((nothing.n(), nothing.len()), (7, 0));
        assert_eq!(nothing.parts(b"words").len(), 1);
        let bad = [
            ("", GramListError::Heading),
            ("endpaper frequent n-grams, n x\n", GramListError::Heading),
            (
                "endpaper frequent n-grams, n 1\nab",
                GramListError::Length(1),
            ),
            (
                "endpaper frequent n-grams, n 4000000000\n",
                GramListError::Length(4_000_000_000),
            ),
            (
                "endpaper frequent n-grams, n 3\nabcd\nab\n",
                GramListError::Line(3),
            ),
        ];
        for (text, error) in bad {
            assert_eq!(FrequentGrams::from_text(text), Err(error), "{text:?}");
        }
    }

    #[test]
    fn the_built_in_n_grams_know_the_licence_however_it_is_wrapped() {
        assert!(BUILT_IN.len() <= 64 << 10, "{} bytes", BUILT_IN.len());
        let frequent = built_in();
        let licence = "This eBook is for the use of anyone anywhere at no cost and with almost no restrictions whatsoever. ";
        let book = "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness.";
        for space in [" ", "\n", "\r\n    "] {
            let text = format!("{licence}{book}").replace(' ', space);
            let parts = frequent.parts(text.as_bytes());
            let useless: Vec<_> = parts.iter().filter(|part| part.useless).collect();
            assert_eq!(useless.len(), 1, "{parts:?}");
            let end = text.find("It").unwrap();
            assert!(
                useless[0].bytes.start == 0 && useless[0].bytes.end.abs_diff(end) <= 8,
                "{parts:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn parts_are_what_a_naive_look_finds(
            grams in prop::collection::vec("[ab\u{e9}]{3}", 0..6),
            source in "[ab\u{e9} \n]{0,60}",
        ) {
            let lines: Vec<String> = grams.iter().map(|gram| format!("{gram}\n")).collect();
            let frequent = FrequentGrams::from_text(&format!("{HEADING} 3\n{}", lines.concat())).unwrap();
            let mut folded = Vec::new();
            let map = fold(source.as_bytes(), Encoding::guess(source.as_bytes()), &mut folded);
            let folded = String::from_utf8(folded).unwrap();
            let chars: Vec<(usize, char)> = folded.char_indices().collect();
            let mut useless = vec![false; chars.len()];
            for (at, three) in chars.windows(3).enumerate() {
                let three: String = three.iter().map(|c| c.1).collect();
                if grams.contains(&three) {
                    useless[at..at + 3].fill(true);
                }
            }
            let parts = frequent.parts(source.as_bytes());
            let end = parts.iter().fold(0, |end, part| {
                assert!(part.bytes.start == end && part.bytes.end > end);
                part.bytes.end
            });
            prop_assert_eq!(end, source.len());
            for ((at, _), useless) in chars.iter().zip(useless) {
                let at = map.source_of(*at);
                let part = parts.iter().find(|part| part.bytes.contains(&at)).unwrap();
                prop_assert_eq!(part.useless, useless);
            }
        }
    }
}
