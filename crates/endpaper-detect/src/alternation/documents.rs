//! The documents of a corpus, folded, one after another.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use foldhash::fast::FixedState;

use super::fold::{OffsetMap, fold};
use endpaper_text::corpus::Encoding;

/// Follows every document; never a byte of UTF-8.
pub(super) const END: u8 = 0xFF;

/// All folded text together is shorter than this, in bytes: an offset takes 31 bits, and one bit is a mark.
pub const LARGEST: usize = 1 << 31;

/// The documents have too much text to be examined together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the documents together have more than {} MiB of text; give fewer of them at a time",
    LARGEST >> 20
)]
pub struct TooMuchText;

/// Folded documents in the order they were added. The sources are not kept.
#[derive(Clone, Debug, Default)]
pub struct FoldedDocuments {
    /// UTF-8, each document followed by [`END`].
    text: Vec<u8>,
    all: Vec<FoldedDocument>,
}

/// Where a folded document is in the common text, its length in characters, and the map of its offsets to those of the
/// source.
#[derive(Clone, Debug)]
struct FoldedDocument {
    span: Range<usize>,
    chars: usize,
    map: OffsetMap,
}

impl FoldedDocuments {
    /// Folds the bytes of a file and adds them as a document.
    ///
    /// # Errors
    ///
    /// [`TooMuchText`] if all folded text would reach [`LARGEST`] bytes; nothing is added.
    pub fn push(&mut self, source: &[u8]) -> Result<(), TooMuchText> {
        self.push_in(source, Encoding::guess(source))
    }

    /// The same for bytes of which the encoding is known.
    ///
    /// # Errors
    ///
    /// As [`FoldedDocuments::push`].
    pub fn push_in(&mut self, source: &[u8], encoding: Encoding) -> Result<(), TooMuchText> {
        let start = self.text.len();
        // Limits the memory for folding, which at most triples the bytes (windows-1252 to UTF-8).
        if start + source.len() >= LARGEST {
            return Err(TooMuchText);
        }
        let map = fold(source, encoding, &mut self.text);
        let span = start..self.text.len();
        if span.end + 1 >= LARGEST {
            self.text.truncate(start);
            return Err(TooMuchText);
        }
        let chars = self.text[span.clone()].iter().filter(|byte| begins(**byte));
        let chars = chars.count();
        self.text.push(END);
        self.all.push(FoldedDocument { span, chars, map });
        Ok(())
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Some of the documents, in this order, without what maps them to their sources.
    pub(super) fn texts_of(&self, documents: &[usize]) -> FoldedDocuments {
        let mut some = FoldedDocuments::default();
        for document in documents.iter().filter_map(|at| self.all.get(*at)) {
            let start = some.text.len();
            some.text.extend(&self.text[document.span.clone()]);
            some.all.push(FoldedDocument {
                span: start..some.text.len(),
                chars: document.chars,
                map: OffsetMap::default(),
            });
            some.text.push(END);
        }
        some
    }

    /// Number of different folded texts.
    pub fn different(&self) -> usize {
        let all = self.all.iter();
        let texts: HashSet<&[u8], FixedState> = all
            .map(|document| &self.text[document.span.clone()])
            .collect();
        texts.len()
    }

    /// Whether `source` is still the source of a document.
    pub fn is_of(&self, document: usize, source: &[u8], encoding: Encoding) -> bool {
        let mut text = Vec::with_capacity(source.len());
        fold(source, encoding, &mut text);
        source.len() == self.source_len(document) && text == self.text[self.span(document)]
    }

    /// Number of characters of all folded documents.
    pub fn chars(&self) -> usize {
        self.all.iter().map(|document| document.chars).sum()
    }

    /// The folded text of a document; empty if there is no such document.
    pub fn folded(&self, document: usize) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.text[self.span(document)])
    }

    /// All folded text, each document followed by [`END`].
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    /// The range of a document in [`FoldedDocuments::text`]; empty if there is no such document.
    pub(super) fn span(&self, document: usize) -> Range<usize> {
        let document = self.all.get(document);
        document.map_or(0..0, |document| document.span.clone())
    }

    /// Whether every character of a document is one byte.
    pub(super) fn is_ascii(&self, document: usize) -> bool {
        let document = self.all.get(document);
        document.is_none_or(|document| document.chars == document.span.len())
    }

    /// Number of n-grams of all documents, repetitions included. No n-gram spans two documents.
    pub(super) fn grams(&self, n: u32) -> u64 {
        let all = self.all.iter();
        all.map(|document| (document.chars + 1).saturating_sub(n as usize) as u64)
            .sum()
    }

    /// Number of characters of the longest document.
    pub(super) fn longest(&self) -> usize {
        let all = self.all.iter().map(|document| document.chars);
        all.max().unwrap_or(0)
    }

    /// The bytes of the source for a range of the document's folded text.
    pub(super) fn source(&self, document: usize, folded: Range<usize>) -> Range<usize> {
        let Some(FoldedDocument { span, map, .. }) = self.all.get(document) else {
            return 0..0;
        };
        let end = if folded.end >= span.len() {
            map.source_len()
        } else {
            map.source_of(folded.end)
        };
        map.source_of(folded.start).min(end)..end
    }

    /// Length of the source of a document in bytes; 0 if there is no such document.
    pub fn source_len(&self, document: usize) -> usize {
        let document = self.all.get(document);
        document.map_or(0, |document| document.map.source_len())
    }
}

/// Whether the byte begins a character of UTF-8.
pub(super) fn begins(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}
