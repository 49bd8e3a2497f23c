//! Splits text into words for comparison: runs of letters and digits, in lower case and without accents.
//!
//! Quotation marks, dashes, italics and 7-bit editions therefore make no difference. An ideograph is a word.

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// The first ideograph; scripts from here on have no blanks between words.
const IDEOGRAPHS: char = '\u{2E80}';

/// The lower-case letter or the digit of each ASCII byte; 0 for all others.
const LETTERS: [u8; 128] = {
    let mut letters = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        if (byte as u8).is_ascii_alphanumeric() {
            letters[byte] = (byte as u8).to_ascii_lowercase();
        }
        byte += 1;
    }
    letters
};

/// Splits a text that comes in pieces into words.
#[derive(Clone, Debug, Default)]
pub(super) struct WordSplitter {
    /// Hash of the current word; `None` between words.
    word: Option<u64>,
}

impl WordSplitter {
    /// Calls `each` with the hash of every word that ends in a piece of text.
    pub fn push(&mut self, text: &str, mut each: impl FnMut(u64)) {
        for (is_ascii, run) in runs(text) {
            match is_ascii {
                true => self.push_ascii(run.as_bytes(), &mut each),
                false => run.chars().for_each(|c| self.push_other(c, &mut each)),
            }
        }
    }

    /// [`WordSplitter::push`] for ASCII.
    fn push_ascii(&mut self, text: &[u8], each: &mut impl FnMut(u64)) {
        let mut word = self.word;
        for &byte in text {
            match LETTERS[usize::from(byte & 0x7F)] {
                0 => {
                    if let Some(word) = word.take() {
                        each(word);
                    }
                }
                letter => word = Some(step(word.unwrap_or(0), letter.into())),
            }
        }
        self.word = word;
    }

    /// [`WordSplitter::push`] for a character that is not ASCII.
    fn push_other(&mut self, c: char, each: &mut impl FnMut(u64)) {
        if is_combining_mark(c) {
            // Belongs to the letter before it.
        } else if !c.is_alphanumeric() {
            self.end(each);
        } else if c >= IDEOGRAPHS {
            self.end(&mut *each);
            self.push_letter(c.into());
            self.end(each);
        } else {
            // 7-bit editions left the accents out.
            decompose_canonical(c, |part| {
                if !is_combining_mark(part) {
                    let lower = part.to_lowercase();
                    lower.for_each(|lower| self.push_letter(lower.into()));
                }
            });
        }
    }

    /// Ends the current word, if any, and calls `each` with its hash.
    pub fn end(&mut self, each: impl FnOnce(u64)) {
        if let Some(word) = self.word.take() {
            each(word);
        }
    }

    /// Appends a letter or digit to the hash of the current word.
    fn push_letter(&mut self, letter: u32) {
        let hash = self.word.unwrap_or(0);
        self.word = Some(step(hash, letter.into()));
    }
}

/// The longest pieces of a text that are ASCII as a whole, and those without any; whether a piece is ASCII comes first.
pub(super) fn runs(text: &str) -> impl Iterator<Item = (bool, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let is_ascii = rest.bytes().next()?.is_ascii();
        let end = rest.bytes().position(|byte| byte.is_ascii() != is_ascii);
        let (run, more) = rest.split_at(end.unwrap_or(rest.len()));
        rest = more;
        Some((is_ascii, run))
    })
}

/// The hash of a sequence that is extended by `next`.
pub(super) fn step(hash: u64, next: u64) -> u64 {
    (hash.rotate_left(5) ^ next).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
