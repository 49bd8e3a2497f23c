//! The overlap of two bodies, which confirms that two books with near fingerprints are one text.
//!
//! A simhash measures how often n-grams occur, and two long books of one language and time use them alike. They do not
//! have the same phrases: six words in a row. Lines would do as well if editions did not break them differently: of the
//! pairs of a real corpus with one e-book number, fewer than half share half of their lines.
//!
//! Of each body, the phrases with the lowest hashes are kept; two bodies are compared below the hash up to which both
//! are complete (a bottom-k sketch: all phrases are equally likely to be kept).

use super::words::{WordSplitter, step};
use endpaper_text::corpus::BookText;

/// Words per phrase.
const WORDS: usize = 6;
/// Phrases kept of each body. A share of 2,000 is within 2 % of that of all phrases, 95 times in 100.
const KEPT: usize = 2048;
/// Phrases of a brief sketch.
const BRIEF: usize = 128;
/// If none of the first `FIRST` phrases is in the other body, the others are not compared.
const FIRST: usize = 64;

/// The different phrases of a body, or a uniform sample of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phrases {
    /// Ascending.
    hashes: Vec<u64>,
    /// All phrases with a lower hash are in `hashes`.
    complete_below: u64,
}

impl Phrases {
    /// The phrases of lines `first..=last` of a book.
    pub fn of_lines(text: &BookText, first: u32, last: u32) -> Phrases {
        let mut gatherer = PhraseCollector::default();
        super::part::each_piece(text, first, last, |piece| gatherer.push(piece));
        gatherer.finish()
    }

    /// Memory of the hashes, in bytes.
    pub fn memory(&self) -> usize {
        8 * self.hashes.len()
    }

    /// A smaller sketch, enough to recognise bodies that are far from alike.
    pub fn brief(&self) -> Phrases {
        let limit = self.hashes.get(BRIEF).copied();
        Phrases {
            hashes: self.hashes[..self.hashes.len().min(BRIEF)].to_vec(),
            complete_below: limit.unwrap_or(self.complete_below),
        }
    }

    /// The overlap as estimated from these sketches, if that of all phrases is certainly less than `least`: by four
    /// standard deviations.
    pub fn overlap_if_below(&self, other: &Phrases, least: f64) -> Option<f64> {
        let (both, of) = self.compared(other);
        let share = both as f64 / of.max(1) as f64;
        (of > 0 && share + 2.0 / (of as f64).sqrt() < least).then_some(share)
    }

    /// The share of the different phrases of the shorter body that the other has, 0 to 1; 0 without phrases.
    pub fn overlap(&self, other: &Phrases) -> f64 {
        let (both, of) = self.compared(other);
        both as f64 / of.max(1) as f64
    }

    /// How many of the compared phrases both bodies have, and how many were compared.
    fn compared(&self, other: &Phrases) -> (usize, usize) {
        let below = self.complete_below.min(other.complete_below);
        let (ours, theirs) = (self.below(below), other.below(below));
        let (fewer, more) = if ours.len() <= theirs.len() {
            (ours, theirs)
        } else {
            (theirs, ours)
        };
        let first = &fewer[..fewer.len().min(FIRST)];
        if in_both(first, more) == 0 {
            return (0, fewer.len());
        }
        (in_both(fewer, more), fewer.len())
    }

    /// The hashes below a limit.
    fn below(&self, limit: u64) -> &[u64] {
        &self.hashes[..self.hashes.partition_point(|&hash| hash < limit)]
    }
}

/// Number of hashes in both of two ascending lists.
fn in_both(a: &[u64], b: &[u64]) -> usize {
    let mut others = b.iter().peekable();
    let both = |hash: &&u64| {
        while others.next_if(|other| other < hash).is_some() {}
        others.peek() == Some(hash)
    };
    a.iter().filter(both).count()
}

/// Collects the hashes of the phrases (six words in a row) of one body: all of them, or only those below a limit, as a
/// sample.
struct PhraseCollector {
    splitter: WordSplitter,
    /// The last words, the oldest first.
    last: [u64; WORDS],
    words: usize,
    hashes: Vec<u64>,
    complete_below: u64,
}

impl Default for PhraseCollector {
    fn default() -> Self {
        PhraseCollector {
            splitter: WordSplitter::default(),
            last: [0; WORDS],
            words: 0,
            hashes: Vec::new(),
            complete_below: u64::MAX,
        }
    }
}

impl PhraseCollector {
    /// Adds a piece of text, which may end within a word.
    fn push(&mut self, text: &str) {
        let mut splitter = std::mem::take(&mut self.splitter);
        splitter.push(text, |word| self.push_word(word));
        self.splitter = splitter;
    }

    /// Adds a word by its hash, and with it the phrase that it ends.
    fn push_word(&mut self, word: u64) {
        self.last.rotate_left(1);
        self.last[WORDS - 1] = word;
        self.words += 1;
        if self.words < WORDS {
            return;
        }
        let phrase = self.last.into_iter().fold(0, step);
        let hash = (phrase ^ phrase >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let hash = (hash ^ hash >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        if hash < self.complete_below {
            self.hashes.push(hash);
            if self.hashes.len() == 4 * KEPT {
                self.settle();
            }
        }
    }

    /// Keeps the [`KEPT`] lowest hashes, each once.
    fn settle(&mut self) {
        self.hashes.sort_unstable();
        self.hashes.dedup();
        if let Some(&limit) = self.hashes.get(KEPT) {
            self.complete_below = limit;
            self.hashes.truncate(KEPT);
        }
    }

    /// Adds the last word and returns the phrases.
    fn finish(mut self) -> Phrases {
        std::mem::take(&mut self.splitter).end(|word| self.push_word(word));
        self.settle();
        self.hashes.shrink_to_fit();
        Phrases {
            hashes: self.hashes,
            complete_below: self.complete_below,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    fn phrases(text: &str) -> Phrases {
        Phrases::of_lines(&BookText::new(text.as_bytes().to_vec()), 1, u32::MAX)
    }

    fn story(from: usize, to: usize) -> String {
        let words = (from..to).map(|at| format!("w{:x}", at * 7919 % 10_007));
        words.collect::<Vec<_>>().join(" ")
    }

    /// The overlap, by sets of whole phrases.
    fn naive(a: &str, b: &str) -> f64 {
        let set = |text: &str| {
            let lower = text.to_lowercase();
            let words: Vec<&str> = lower
                .split(|c: char| !c.is_alphanumeric())
                .filter(|word| !word.is_empty())
                .collect();
            words
                .windows(6)
                .map(|phrase| phrase.join(" "))
                .collect::<HashSet<String>>()
        };
        let (a, b) = (set(a), set(b));
        let fewer = a.len().min(b.len());
        if fewer == 0 {
            0.0
        } else {
            a.intersection(&b).count() as f64 / fewer as f64
        }
    }

    proptest! {
        #[test]
        fn of_short_bodies_the_share_is_exact(
            a in "([a-zж]{1,2}[ ,\n—]){0,60}",
            cut in 0..40usize,
            more in "([a-z]{1,3} ){0,40}",
        ) {
            let rest: Vec<&str> = a.split(' ').skip(cut).collect();
            let b = format!("{} {more}", rest.join(" "));
            prop_assert!((phrases(&a).overlap(&phrases(&b)) - naive(&a, &b)).abs() < 1e-9);
            prop_assert_eq!(phrases(&a).overlap(&phrases(&b)), phrases(&b).overlap(&phrases(&a)));
        }
    }

    #[test]
    fn of_long_bodies_it_is_near() {
        for (from, to) in [(0, 9000), (3000, 9000), (6000, 9500), (0, 300)] {
            let (a, b) = (story(0, 8000), story(from, to));
            let (found, right) = (phrases(&a).overlap(&phrases(&b)), naive(&a, &b));
            assert!(
                (found - right).abs() < 0.06,
                "{from}..{to}: {found}, {right}"
            );
            assert!(phrases(&b).hashes.len() <= KEPT);
        }
    }

    #[test]
    fn a_brief_sketch_refuses_only_what_is_far_from_alike() {
        let table = [
            // The words of the other body, and whether an overlap of half can be ruled out.
            ((5000, 9000), true),
            ((3600, 7600), true),
            ((2200, 6200), false),
            ((0, 4000), false),
            ((0, 40), false),
        ];
        let ours = phrases(&story(0, 4000));
        for ((from, to), refused) in table {
            let theirs = phrases(&story(from, to));
            let far = ours.brief().overlap_if_below(&theirs.brief(), 0.5);
            assert_eq!(far.is_some(), refused, "{from}..{to}: {far:?}");
            let whole = ours.overlap(&theirs);
            assert!(
                far.is_none_or(|far| (far - whole).abs() < 0.18),
                "{from}..{to}"
            );
            assert!(theirs.brief().memory() <= 8 * BRIEF);
        }
        let nothing = Phrases::default();
        assert_eq!(nothing.overlap_if_below(&ours, 0.5), None);
        assert_eq!(nothing.brief(), nothing);
    }

    #[test]
    fn lines_marks_and_case_do_not_matter_but_words_do() {
        let text = "It was the best of times, it was the worst of times, it was the age of wisdom";
        let table = [
            (
                "_It was_ the BEST of\ntimes--it was the worst of\r\n\r\ntimes; “it was” the age of wisdom.",
                1.0,
            ),
            (
                "It was the age of foolishness, it was the epoch of belief",
                0.0,
            ),
            (
                "Ít was thé best of tïmes it wàs the worst of times it was the age of wisdom",
                1.0,
            ),
            ("", 0.0),
            ("It was", 0.0),
        ];
        for (other, share) in table {
            assert_eq!(phrases(text).overlap(&phrases(other)), share, "{other}");
        }
        assert_eq!(phrases("").overlap(&phrases("")), 0.0);
        assert_eq!(
            phrases("道可道非常道名可名非常名")
                .overlap(&phrases("道可道，非常道。名可名，非常名。")),
            1.0
        );
    }
}
