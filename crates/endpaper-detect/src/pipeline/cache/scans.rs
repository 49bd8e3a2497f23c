//! The Scans of a corpus: encoded Scans, their index, and a footer with the position of the index.
//!
//! Scans are read one by one when they are needed, never all at once.

use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::super::scan_store::{ScanSpan, ScanStore, SpanReader};
use super::CorpusCache;
use endpaper_text::checksum::crc64;
use endpaper_text::corpus::{Book, BookId, Listing};
use endpaper_text::files::open_regular;
use endpaper_text::scan::{self, Scan};

/// Length of the footer: fingerprint, and offset, length and checksum of the index, as four numbers of eight bytes.
const FOOTER: usize = 32;

/// The index entry of a book.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in super::super) struct ScanEntry {
    pub book: Book,
    /// Size of the text in bytes.
    pub bytes: u64,
    /// CRC-64/XZ of the text.
    pub crc: u64,
    /// Digest of the counted lines.
    pub lines_digest: u64,
    /// Whether a shipped profile knows lines of it.
    pub has_known_lines: bool,
    pub span: ScanSpan,
}

/// The Scans of an earlier run.
#[derive(Debug)]
pub(in super::super) struct CachedScans {
    path: PathBuf,
    /// Sorted by id. Not a map, as several threads of a review session have such an index at the same time.
    entries: Vec<ScanEntry>,
}

impl CachedScans {
    /// The entry of a book, if its file has not changed.
    pub fn entry(&self, book: &Book) -> Option<&ScanEntry> {
        let found = self
            .entries
            .binary_search_by(|entry| entry.book.id.cmp(&book.id));
        let entry = &self.entries[found.ok()?];
        (entry.book == *book).then_some(entry)
    }

    /// A reader of the file, one per thread.
    pub fn reader(&self) -> Option<SpanReader> {
        SpanReader::open(&self.path).ok()
    }

    /// The Scan of a book, if its file has not changed.
    pub fn scan(&self, book: &Book, reader: &mut SpanReader) -> Option<Scan> {
        reader.read(self.entry(book)?.span).ok()
    }

    /// Number of Scans.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Id, size and digest of the lines of every book of a listing, if no file has changed.
    pub fn unchanged_books(&self, listing: &Listing) -> Option<Vec<(BookId, u64, u64)>> {
        let books = listing.books.iter().map(|book| {
            let entry = self.entry(book)?;
            Some((book.id.clone(), entry.bytes, entry.lines_digest))
        });
        books.collect()
    }
}

impl CorpusCache {
    /// A hash of all that Scans depend on, apart from the books.
    fn scans_fingerprint(&self, scanning: scan::WindowOptions) -> Option<u64> {
        self.fingerprint(&("scans", scanning))
    }

    /// The Scans of an earlier run with the same scanning options.
    pub fn load_scans(&self, scanning: scan::WindowOptions) -> Option<CachedScans> {
        let path = self.file("scans");
        let mut file = open_regular(&path).ok()?;
        let end = file.seek(SeekFrom::End(0)).ok()?;
        let footer_at = end.checked_sub(FOOTER as u64)?;
        file.seek(SeekFrom::Start(footer_at)).ok()?;
        let mut footer = [0; FOOTER];
        file.read_exact(&mut footer).ok()?;
        let [fingerprint, offset, len, crc] = numbers(&footer);
        if Some(fingerprint) != self.scans_fingerprint(scanning)
            || offset.checked_add(len) != Some(footer_at)
        {
            return None;
        }
        file.seek(SeekFrom::Start(offset)).ok()?;
        let mut index = Vec::new();
        file.take(len).read_to_end(&mut index).ok()?;
        if crc64(&index) != crc {
            return None;
        }
        let entries: Vec<ScanEntry> = postcard::from_bytes(&index).ok()?;
        let in_order = entries.is_sorted_by(|a, b| a.book.id < b.book.id);
        in_order.then_some(CachedScans { path, entries })
    }

    /// A scan store with a temporary file that can become the cache file.
    pub fn create_scan_store(&self, budget: usize) -> std::io::Result<ScanStore> {
        self.prepare()?;
        let file = endpaper_text::atomic::create_temporary_beside(&self.file("scans"))?;
        Ok(ScanStore::in_file(file, budget))
    }

    /// Completes the file of the scan store with its index and replaces the cache file by it. If the store has no file,
    /// the old cache file seemed complete and was not; it is removed, and the next run writes another.
    pub fn store_scans(
        &self,
        store: ScanStore,
        entries: &[ScanEntry],
        scanning: scan::WindowOptions,
    ) -> std::io::Result<()> {
        let fingerprint = self.scans_fingerprint(scanning);
        let (Some((mut file, offset)), Some(fingerprint)) = (store.into_file()?, fingerprint)
        else {
            return std::fs::remove_file(self.file("scans"));
        };
        let index = postcard::to_allocvec(entries).map_err(std::io::Error::other)?;
        file.write_all(&index)?;
        for number in [fingerprint, offset, index.len() as u64, crc64(&index)] {
            file.write_all(&number.to_le_bytes())?;
        }
        endpaper_text::atomic::publish_cache(file, &self.file("scans"))
    }
}

/// The four numbers of a footer.
fn numbers(footer: &[u8; FOOTER]) -> [u64; 4] {
    let mut numbers = [0; 4];
    for (number, bytes) in numbers.iter_mut().zip(footer.as_chunks::<8>().0) {
        *number = u64::from_le_bytes(*bytes);
    }
    numbers
}
