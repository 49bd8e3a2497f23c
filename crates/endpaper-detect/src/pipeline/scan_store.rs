//! The scan store keeps Scans between counting and detecting: in memory up to a budget, and beyond it in a file.
//!
//! With a cache, every Scan is written to a file, which becomes the cache file. Without one, a temporary file is
//! created when the budget is exhausted and removed with the store. If a file cannot be written, Scans that do not fit
//! into memory are not kept, and their books are read again.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::packed_scan;
use endpaper_text::checksum::crc64;
use endpaper_text::scan::Scan;

/// The position of an encoded Scan in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ScanSpan {
    pub offset: u64,
    pub len: u32,
    /// CRC-64/XZ of the bytes.
    pub crc: u64,
}

/// A Scan that can be retrieved.
#[derive(Debug)]
pub(super) enum StoredScan {
    /// It was added to the scan store.
    Stored {
        /// The packed Scan.
        memory: Option<Box<[u8]>>,
        /// Its position in the store's file, if it was written.
        span: Option<ScanSpan>,
    },
    /// It is in the cache file of an earlier run.
    Cached(ScanSpan),
}

impl StoredScan {
    /// Its position in the store's file.
    pub fn span(&self) -> Option<ScanSpan> {
        match self {
            StoredScan::Stored { span, .. } => *span,
            StoredScan::Cached(_) => None,
        }
    }
}

/// Stores the Scan of each book during the first pass, in memory up to `budget` bytes, then in a file.
#[derive(Debug)]
pub(super) struct ScanStore {
    file: Mutex<Option<Spill>>,
    /// Whether every Scan is written to the file.
    keep_all_in_file: bool,
    budget: usize,
    used: AtomicUsize,
    /// The first write error, after which nothing more is written.
    failure: OnceLock<std::io::Error>,
}

/// The file that Scans are written to, and the offset in bytes at which the next begins.
#[derive(Debug)]
struct Spill {
    writer: BufWriter<NamedTempFile>,
    offset: u64,
}

impl ScanStore {
    /// A store in memory that spills to a temporary file.
    pub fn in_memory(budget: usize) -> ScanStore {
        ScanStore {
            file: Mutex::new(None),
            keep_all_in_file: false,
            budget,
            used: AtomicUsize::new(0),
            failure: OnceLock::new(),
        }
    }

    /// A store that writes every Scan to a file, which [`ScanStore::into_file`] returns.
    pub fn in_file(file: NamedTempFile, budget: usize) -> ScanStore {
        let writer = BufWriter::with_capacity(1 << 18, file);
        ScanStore {
            file: Mutex::new(Some(Spill { writer, offset: 0 })),
            keep_all_in_file: true,
            ..ScanStore::in_memory(budget)
        }
    }

    /// Stores a Scan in memory if it fits, or in the file. `buffer` is for its bytes.
    pub fn store(&self, scan: &Scan, buffer: &mut Vec<u8>) -> StoredScan {
        buffer.clear();
        if let Err(error) = packed_scan::pack(scan, buffer) {
            self.record_failure(std::io::Error::other(error));
            return StoredScan::Stored {
                memory: None,
                span: None,
            };
        }
        let used = self.used.fetch_add(buffer.len(), Ordering::Relaxed) + buffer.len();
        let fits = used <= self.budget;
        let to_file = (self.keep_all_in_file || !fits) && self.failure.get().is_none();
        let span = to_file.then(|| {
            self.write_bytes(buffer)
                .map_err(|error| self.record_failure(error))
        });
        StoredScan::Stored {
            memory: fits.then(|| (**buffer).into()),
            span: span.and_then(Result::ok),
        }
    }

    /// Keeps the first error of writing.
    fn record_failure(&self, error: std::io::Error) {
        // Later failures follow from the first.
        let _ = self.failure.set(error);
    }

    /// The first write error, if not every Scan could be written.
    pub fn failure(&self) -> Option<&std::io::Error> {
        self.failure.get()
    }

    /// Writes a packed Scan to the file and returns where it is.
    fn write_bytes(&self, bytes: &[u8]) -> std::io::Result<ScanSpan> {
        let crc = crc64(bytes);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let spill = match &mut *file {
            Some(spill) => spill,
            none => none.insert(Spill {
                writer: BufWriter::with_capacity(1 << 18, NamedTempFile::new()?),
                offset: 0,
            }),
        };
        spill.writer.write_all(bytes)?;
        let span = ScanSpan {
            offset: spill.offset,
            len: u32::try_from(bytes.len()).map_err(std::io::Error::other)?,
            crc,
        };
        spill.offset += u64::from(span.len);
        Ok(span)
    }

    /// Whether every Scan is written to the file.
    pub fn keeps_all_in_file(&self) -> bool {
        self.keep_all_in_file
    }

    /// A reader of the store and of the cache file of an earlier run, one per thread. It may not find Scans that are
    /// added later.
    pub fn reader(&self, old: Option<SpanReader>) -> ScanStoreReader {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let file = file.as_mut().and_then(|spill| {
            if self.failure.get().is_none()
                && let Err(error) = spill.writer.flush()
            {
                self.record_failure(error);
            }
            // What was written before a failure can still be read.
            spill.writer.get_ref().reopen().ok()
        });
        ScanStoreReader {
            file: file.map(SpanReader::new),
            old,
        }
    }

    /// The file with every Scan and its length. `None` if the store does not write all Scans to the file, an error if
    /// not all could be written.
    pub fn into_file(self) -> std::io::Result<Option<(NamedTempFile, u64)>> {
        if let Some(error) = self.failure.into_inner() {
            return Err(error);
        }
        let file = self.file.into_inner();
        match file.unwrap_or_else(PoisonError::into_inner) {
            Some(spill) if self.keep_all_in_file => {
                let file = spill
                    .writer
                    .into_inner()
                    .map_err(|error| error.into_error());
                Ok(Some((file?, spill.offset)))
            }
            _ => Ok(None),
        }
    }
}

/// Reads stored Scans again for the second pass: from the file of this run, or from that of an earlier one.
#[derive(Debug)]
pub(super) struct ScanStoreReader {
    file: Option<SpanReader>,
    old: Option<SpanReader>,
}

impl ScanStoreReader {
    /// The Scan, read from its file if it is not in memory.
    pub fn scan(&mut self, kept: &StoredScan) -> std::io::Result<Scan> {
        let (span, file) = match kept {
            StoredScan::Stored {
                memory: Some(bytes),
                ..
            } => return unpacked(bytes),
            StoredScan::Stored { span, .. } => (*span, &mut self.file),
            StoredScan::Cached(span) => (Some(*span), &mut self.old),
        };
        match (span, file) {
            (Some(span), Some(file)) => file.read(span),
            _ => Err(std::io::Error::other("a kept scan is gone")),
        }
    }
}

/// Reads encoded Scans from a file.
#[derive(Debug)]
pub(super) struct SpanReader {
    file: File,
    buffer: Vec<u8>,
}

impl SpanReader {
    /// Opens a file of Scans.
    pub fn open(path: &Path) -> std::io::Result<SpanReader> {
        File::open(path).map(SpanReader::new)
    }

    /// A reader of the Scans in an open file.
    fn new(file: File) -> SpanReader {
        SpanReader {
            file,
            buffer: Vec::new(),
        }
    }

    /// The Scan at a position. Fails if the bytes were changed.
    pub fn read(&mut self, span: ScanSpan) -> std::io::Result<Scan> {
        self.file.seek(SeekFrom::Start(span.offset))?;
        self.buffer.clear();
        let mut part = (&mut self.file).take(span.len.into());
        part.read_to_end(&mut self.buffer)?;
        if crc64(&self.buffer) != span.crc {
            return Err(std::io::Error::other("a kept scan was changed"));
        }
        unpacked(&self.buffer)
    }
}

/// The Scan of these bytes.
fn unpacked(bytes: &[u8]) -> std::io::Result<Scan> {
    packed_scan::unpack(bytes).ok_or_else(|| std::io::Error::other("these bytes are no scan"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frequency::tests::scan_of;

    fn store_all(store: &ScanStore, scans: &[Scan]) -> Vec<StoredScan> {
        let buffer = &mut Vec::new();
        scans.iter().map(|scan| store.store(scan, buffer)).collect()
    }

    #[test]
    fn scans_come_back_the_same_within_and_above_the_budget() {
        let scans: Vec<Scan> = (0..40)
            .map(|n| scan_of(&[&format!("line {n}"), "and the next one"]))
            .collect();
        for budget in [0, 2000, 32 << 20] {
            let file = NamedTempFile::new().unwrap();
            for store in [
                ScanStore::in_memory(budget),
                ScanStore::in_file(file, budget),
            ] {
                let kept = store_all(&store, &scans);
                let mut reader = store.reader(None);
                for (scan, kept) in scans.iter().zip(kept) {
                    assert_eq!(reader.scan(&kept).unwrap(), *scan, "budget {budget}");
                }
            }
        }
    }

    #[test]
    fn a_changed_file_is_an_error() {
        let file = NamedTempFile::new().unwrap();
        let path = file.path().to_owned();
        let store = ScanStore::in_file(file, 0);
        let kept = store.store(&scan_of(&["a line"]), &mut Vec::new());
        let mut reader = store.reader(None);
        std::fs::write(path, b"something else altogether").unwrap();
        assert!(reader.scan(&kept).is_err());
    }

    /// A file on a device that is always full.
    #[cfg(target_os = "linux")]
    fn full() -> NamedTempFile {
        let device = File::options().write(true).open("/dev/full").unwrap();
        let path = NamedTempFile::new().unwrap().into_temp_path();
        NamedTempFile::from_parts(device, path)
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn full_disk_fails_once_and_loses_nothing_that_is_in_memory() {
        let scans: Vec<Scan> = (0..9).map(|n| scan_of(&[&format!("line {n}")])).collect();
        for budget in [0, 1 << 20] {
            let store = ScanStore::in_file(full(), budget);
            let kept = store_all(&store, &scans);
            let mut reader = store.reader(None);
            for (scan, kept) in scans.iter().zip(&kept) {
                // A missing Scan is an error, never another Scan.
                match reader.scan(kept) {
                    Ok(read) => assert_eq!(read, *scan),
                    Err(_) => assert_eq!(budget, 0),
                }
            }
            let kind = std::io::ErrorKind::StorageFull;
            assert_eq!(store.failure().map(std::io::Error::kind), Some(kind));
            assert_eq!(store.into_file().unwrap_err().kind(), kind);
        }
    }
}
