//! Which books were counted: enough to name a corpus, and to notice a book that is counted twice.

use sha2::{Digest, Sha256};

use super::ModelError;
use super::coding::{ByteReader, put_u64};
use endpaper_text::line::Key;

/// One book: its id (as a CRC-64), its size, and a digest of its contents: for a model of the lines that count
/// ([`super::BookLines::digest`]), for a corpus the CRC-64 of its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BookDigest {
    id: u64,
    bytes: u64,
    digest: u64,
}

impl BookDigest {
    /// Of the numbers that [`BookDigest::numbers`] gave.
    pub fn from_numbers([id, bytes, digest]: [u64; 3]) -> BookDigest {
        BookDigest { id, bytes, digest }
    }

    /// CRC-64 of its id, size, digest.
    pub fn numbers(self) -> [u64; 3] {
        [self.id, self.bytes, self.digest]
    }

    /// The mark of a book with this id, size and digest.
    pub fn new(id: &str, bytes: u64, digest: u64) -> BookDigest {
        let id = Key::of(id).0;
        BookDigest { id, bytes, digest }
    }
}

/// The books of a corpus, in an order of their own, so that it is the same for a corpus counted at once and in parts.
///
/// ```
/// use endpaper_detect::frequency::{BookDigest, BookSet};
/// let (a, b) = (BookDigest::new("a.txt", 100, 7), BookDigest::new("b.txt", 200, 8));
/// let (mut first, second) = (BookSet::from_iter([b]), BookSet::from_iter([a]));
/// first.extend(second);
/// assert_eq!(first.digest(), BookSet::from_iter([a, b]).digest());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookSet {
    /// Ascending.
    marks: Vec<BookDigest>,
}

impl FromIterator<BookDigest> for BookSet {
    fn from_iter<I: IntoIterator<Item = BookDigest>>(marks: I) -> BookSet {
        let mut marks: Vec<BookDigest> = marks.into_iter().collect();
        marks.sort_unstable();
        BookSet { marks }
    }
}

impl BookSet {
    /// Number of books.
    pub fn len(&self) -> usize {
        self.marks.len()
    }

    /// Whether no books are known.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// Names the corpus: the first 64 bits of the SHA-256 over all books in ascending order.
    pub fn digest(&self) -> u64 {
        let mut hash = Sha256::new();
        for mark in &self.marks {
            for number in [mark.id, mark.bytes, mark.digest] {
                hash.update(number.to_le_bytes());
            }
        }
        let digest: [u8; 32] = hash.finalize().into();
        let first = digest.first_chunk().copied().unwrap_or_default();
        u64::from_be_bytes(first)
    }

    /// Adds the books of another corpus, those that were there already once more.
    pub fn extend(&mut self, other: BookSet) {
        self.marks.extend(other.marks);
        self.marks.sort_unstable();
    }

    /// How many books of the other are here too: the same id, size and digest.
    pub fn in_common(&self, other: &BookSet) -> usize {
        let known = |mark: &&BookDigest| self.marks.binary_search(mark).is_ok();
        other.marks.iter().filter(known).count()
    }

    /// How many books have the size and digest of another one here, under another id.
    pub fn count_duplicates(&self) -> usize {
        let mut contents: Vec<(u64, u64)> =
            self.marks.iter().map(|m| (m.digest, m.bytes)).collect();
        contents.sort_unstable();
        let runs = contents.chunk_by(|a, b| a == b);
        runs.map(|run| run.len() - 1).sum()
    }

    pub(super) fn put(&self, out: &mut Vec<u8>) {
        put_u64(out, self.marks.len() as u64);
        for mark in &self.marks {
            for number in [mark.id, mark.bytes, mark.digest] {
                put_u64(out, number);
            }
        }
    }

    pub(super) fn take(reader: &mut ByteReader<'_>) -> Result<BookSet, ModelError> {
        let len = reader.count(size_of::<BookDigest>())?;
        let mut marks = Vec::with_capacity(len);
        for _ in 0..len {
            marks.push(BookDigest {
                id: reader.u64()?,
                bytes: reader.u64()?,
                digest: reader.u64()?,
            });
        }
        if !marks.is_sorted() {
            return Err(ModelError::Malformed("the books are out of order"));
        }
        Ok(BookSet { marks })
    }
}
