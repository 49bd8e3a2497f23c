//! The set of counted books: names a corpus and detects books that are counted twice.

use sha2::{Digest, Sha256};

use super::ModelError;
use super::coding::{ByteReader, put_u64};
use endpaper_text::line::Key;

/// One book: the CRC-64 of its id, its size and a digest of its contents. In a model the digest covers the counted
/// lines ([`super::BookLines::digest`]); in a corpus it is the CRC-64 of the file's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BookDigest {
    id: u64,
    bytes: u64,
    digest: u64,
}

impl BookDigest {
    /// Restores a digest from the numbers that [`BookDigest::numbers`] returned.
    pub fn from_numbers([id, bytes, digest]: [u64; 3]) -> BookDigest {
        BookDigest { id, bytes, digest }
    }

    /// CRC-64 of the id, size in bytes and digest.
    pub fn numbers(self) -> [u64; 3] {
        [self.id, self.bytes, self.digest]
    }

    /// The entry for a book with this id, size in bytes and digest.
    pub fn new(id: &str, bytes: u64, digest: u64) -> BookDigest {
        let id = Key::of(id).0;
        BookDigest { id, bytes, digest }
    }
}

/// The books of a corpus, sorted, so that a corpus is the same set whether it was counted whole or in parts.
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

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// The corpus digest: the first 64 bits of the SHA-256 over all books in ascending order.
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

    /// Adds the books of another set; books that are in both are then listed twice.
    pub fn extend(&mut self, other: BookSet) {
        self.marks.extend(other.marks);
        self.marks.sort_unstable();
    }

    /// Number of books of `other` that are in this set too, with the same id, size and digest.
    pub fn in_common(&self, other: &BookSet) -> usize {
        let known = |mark: &&BookDigest| self.marks.binary_search(mark).is_ok();
        other.marks.iter().filter(known).count()
    }

    /// Number of books whose size and digest equal those of another book in the set with another id.
    pub fn count_duplicates(&self) -> usize {
        let mut contents: Vec<(u64, u64)> =
            self.marks.iter().map(|m| (m.digest, m.bytes)).collect();
        contents.sort_unstable();
        let runs = contents.chunk_by(|a, b| a == b);
        runs.map(|run| run.len() - 1).sum()
    }

    /// Appends the bytes of the set to a file.
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        put_u64(out, self.marks.len() as u64);
        for mark in &self.marks {
            for number in [mark.id, mark.bytes, mark.digest] {
                put_u64(out, number);
            }
        }
    }

    /// Reads what [`BookSet::put`] wrote.
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
