//! Splits text into words for comparison: runs of letters and digits, in lower case and without accents.
//!
//! Quotation marks, dashes, italics and 7-bit editions therefore make no difference. An ideograph is a word.

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// The first ideograph; scripts from here on have no blanks between words.
const IDEOGRAPHS: char = '\u{2E80}';

/// Splits a text that comes in pieces into words.
#[derive(Clone, Debug, Default)]
pub(super) struct WordSplitter {
    /// Hash of the current word; `None` between words.
    word: Option<u64>,
}

impl WordSplitter {
    /// Calls `each` with the hash of every word that ends in a piece of text.
    pub fn push(&mut self, text: &str, mut each: impl FnMut(u64)) {
        for c in text.chars() {
            if c.is_ascii() {
                let byte = c as u8;
                match byte.is_ascii_alphanumeric() {
                    true => self.push_letter(byte.to_ascii_lowercase().into()),
                    false => self.end(&mut each),
                }
            } else if is_combining_mark(c) {
                // Belongs to the letter before it.
            } else if !c.is_alphanumeric() {
                self.end(&mut each);
            } else if c >= IDEOGRAPHS {
                self.end(&mut each);
                self.push_letter(c.into());
                self.end(&mut each);
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

/// The hash of a sequence that is extended by `next`.
pub(super) fn step(hash: u64, next: u64) -> u64 {
    (hash.rotate_left(5) ^ next).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
