//! Document frequency: in how many books a form of a line occurs, and by how many producers and authors.
//!
//! A line that one producer puts into books of many authors is the producer's; one that occurs only in the books of one
//! author is the author's. Forms are the exact line, its skeleton and its first words, heads and tails apart.
//!
//! A book that is examined within its own corpus is one of the books counted. A book from outside a model's corpus is
//! not, and nothing is added for it: its producer and its author are most likely among those that the form is known
//! from, and one more book says little. A model that was scaled ([`super::Model::scaled_to`]) has its books multiplied
//! and rounded up, which makes up for that book.

mod builder;
mod bytes;
mod note_file;

use std::ops::Range;

use endpaper_text::line::KeyKind;
use serde::{Deserialize, Serialize};

pub use builder::DocumentFrequencyBuilder;

/// A form of a line at one end of books, in 35 bits: half of the key, then its kind, then the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LineForm(u64);

const FORM_BITS: u32 = 35;
/// Bits for the numbers of books, producers and authors.
const REST_BITS: u32 = u64::BITS - FORM_BITS;

impl LineForm {
    /// The form with this half of a key, in heads (`tail` false) or in tails.
    pub fn new(kind: KeyKind, tail: bool, half: u32) -> LineForm {
        LineForm(u64::from(half) << 3 | (kind as u64) << 1 | u64::from(tail))
    }

    /// As a number, which [`LineForm::from_number`] turns back.
    pub fn number(self) -> u64 {
        self.0
    }

    /// The form with this number; `None` if there is none.
    pub fn from_number(number: u64) -> Option<LineForm> {
        (number >> FORM_BITS == 0).then_some(LineForm(number))
    }
}

/// In how many books a form occurs, and by how many producers and authors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentFrequency {
    /// Books that contain it, up to 131,071.
    pub books: u32,
    /// Producers of these books, up to 63.
    pub producers: u32,
    /// Authors of these books, up to 63.
    pub authors: u32,
}

/// The value of a form that no other book contains.
const SINGLE_BOOK: DocumentFrequency = DocumentFrequency {
    books: 1,
    producers: 1,
    authors: 1,
};

/// Bits for a number of producers or of authors.
const NAME_BITS: u32 = 6;
/// Limit up to which producers and authors are distinguished.
const MOST_NAMES: u32 = (1 << NAME_BITS) - 1;
/// Limit up to which books are counted.
const MOST_BOOKS: u32 = (1 << (REST_BITS - 2 * NAME_BITS)) - 1;

/// Packs a form and its document frequency into one number; numbers sort by form.
fn pack(form: LineForm, document_frequency: DocumentFrequency) -> u64 {
    let books = u64::from(document_frequency.books.min(MOST_BOOKS));
    let producers = u64::from(document_frequency.producers.min(MOST_NAMES));
    let authors = u64::from(document_frequency.authors.min(MOST_NAMES));
    form.0 << REST_BITS | books << (2 * NAME_BITS) | producers << NAME_BITS | authors
}

/// The form and the numbers that are packed in an entry.
fn unpack(entry: u64) -> (LineForm, DocumentFrequency) {
    let names = |entry: u64| entry as u32 & MOST_NAMES;
    let document_frequency = DocumentFrequency {
        books: (entry >> (2 * NAME_BITS)) as u32 & MOST_BOOKS,
        producers: names(entry >> NAME_BITS),
        authors: names(entry),
    };
    (LineForm(entry >> REST_BITS), document_frequency)
}

/// The document frequencies of the forms of a corpus. Forms of a single book are left out.
///
/// A form takes eight bytes, and two to four for the lookup index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentFrequencies {
    books: u64,
    /// Ascending.
    entries: Vec<u64>,
    /// Start of the entries with each value of the leading `bits` bits, and the end of the last.
    starts: Vec<u32>,
    /// Number of leading bits that index `starts`.
    bits: u32,
}

impl DocumentFrequencies {
    /// From ascending entries of distinct forms.
    fn from_sorted(books: u64, entries: Vec<u64>) -> DocumentFrequencies {
        let bits = entries.len().checked_ilog2().unwrap_or(0).clamp(1, 30);
        let mut starts = Vec::new();
        if !entries.is_empty() {
            starts.reserve_exact((1 << bits) + 1);
            for (at, entry) in entries.iter().enumerate() {
                let bucket = (entry >> (u64::BITS - bits)) as usize;
                // Empty buckets begin where the next bucket begins.
                if starts.len() <= bucket {
                    starts.resize(bucket + 1, at as u32);
                }
            }
            starts.resize((1 << bits) + 1, entries.len() as u32);
        }
        DocumentFrequencies {
            books,
            entries,
            starts,
            bits,
        }
    }

    /// The document frequency of a form: at least the one book that it was found in.
    pub fn get(&self, form: LineForm) -> DocumentFrequency {
        self.find(form, self.bucket(form))
    }

    /// The document frequencies of many forms; faster than one by one, as the lookups overlap their memory accesses.
    pub fn get_all(&self, forms: impl Iterator<Item = LineForm>) -> Vec<DocumentFrequency> {
        let buckets: Vec<(LineForm, Range<u32>)> =
            forms.map(|form| (form, self.bucket(form))).collect();
        let found = buckets.into_iter();
        found
            .map(|(form, bucket)| self.find(form, bucket))
            .collect()
    }

    /// The range of entries whose leading bits are those of a form.
    fn bucket(&self, form: LineForm) -> Range<u32> {
        if self.entries.is_empty() {
            return 0..0;
        }
        let bucket = (form.0 >> (FORM_BITS - self.bits)) as usize;
        self.starts[bucket]..self.starts[bucket + 1]
    }

    /// The document frequency of a form among the entries of its bucket; that of a single book if it has no entry.
    fn find(&self, form: LineForm, bucket: Range<u32>) -> DocumentFrequency {
        let entries = &self.entries[bucket.start as usize..bucket.end as usize];
        // Mostly one entry or none; hostile models may have many.
        let at = entries.partition_point(|entry| entry >> REST_BITS < form.0);
        let found = entries.get(at).map(|&entry| unpack(entry));
        found.map_or(SINGLE_BOOK, |(of, document_frequency)| {
            if of == form {
                document_frequency
            } else {
                SINGLE_BOOK
            }
        })
    }

    /// Number of forms that occur in more than one book.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no form occurs in more than one book.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Number of books that were counted; 0 if document frequencies were not.
    pub fn books(&self) -> u64 {
        self.books
    }

    /// All forms with their document frequencies, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = (LineForm, DocumentFrequency)> {
        self.entries.iter().map(|&entry| unpack(entry))
    }

    /// The document frequencies of both corpora together, which must have no book in common. The names of producers and
    /// authors are not stored: their numbers are added, which is too many where both corpora share some.
    pub fn sum(&self, other: &DocumentFrequencies) -> DocumentFrequencies {
        let (mut ours, mut theirs) = (self.iter().peekable(), other.iter().peekable());
        let mut entries = Vec::with_capacity(self.len().max(other.len()));
        loop {
            let (form, document_frequency) = match (ours.peek(), theirs.peek()) {
                (None, None) => break,
                (Some(&(a, left)), Some(&(b, right))) if a == b => {
                    ours.next();
                    theirs.next();
                    let document_frequency = DocumentFrequency {
                        books: left.books + right.books,
                        producers: left.producers + right.producers,
                        authors: left.authors + right.authors,
                    };
                    (a, document_frequency)
                }
                (Some(&(a, left)), right) if right.is_none_or(|right| a < right.0) => {
                    ours.next();
                    (a, left)
                }
                (_, Some(&right)) => {
                    theirs.next();
                    right
                }
                (Some(_), None) => break,
            };
            entries.push(pack(form, document_frequency));
        }
        entries.shrink_to_fit();
        DocumentFrequencies::from_sorted(self.books.saturating_add(other.books), entries)
    }

    /// A copy without the forms that occur in fewer than `below` books.
    pub fn pruned(&self, below: u64) -> DocumentFrequencies {
        let kept = self.iter().filter(|form| u64::from(form.1.books) >= below);
        let entries = kept
            .map(|(form, document_frequency)| pack(form, document_frequency))
            .collect();
        DocumentFrequencies::from_sorted(self.books, entries)
    }

    /// A copy with its numbers of books multiplied by `to / from`, rounded up. Producers and authors are unchanged.
    pub fn scaled(&self, from: u64, to: u64) -> DocumentFrequencies {
        let scale = |books: u32| {
            let scaled = (u128::from(books) * u128::from(to)).div_ceil(u128::from(from.max(1)));
            u32::try_from(scaled).unwrap_or(u32::MAX).max(2)
        };
        let scaled = self.iter().map(|(form, document_frequency)| {
            let books = scale(document_frequency.books);
            pack(
                form,
                DocumentFrequency {
                    books,
                    ..document_frequency
                },
            )
        });
        DocumentFrequencies::from_sorted(self.books, scaled.collect())
    }
}

#[cfg(test)]
mod tests;
