//! Reading the bytes of one book: plain files, gzip, members of zip archives.
//!
//! Inflated size is capped while reading, so that a bomb costs no more than the limit. Names inside archives are never
//! used as paths.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use zip::ZipArchive;
use zip::result::ZipError;

use super::{Book, Encoding, Place, Stamp, Unreadable, demo};

/// Largest text that is read unless told otherwise, in bytes (inflated).
pub const MAX_SIZE: u64 = 256 << 20;

/// No text may be larger, whatever the curator allows: offsets of lines are kept in 32 bits.
const HARD_LIMIT: u64 = u32::MAX as u64;

impl Book {
    /// Reads (and inflates) the book, at most `max_size` bytes.
    ///
    /// # Errors
    ///
    /// The reason why it is no readable text.
    pub fn read(&self, max_size: u64) -> Result<Vec<u8>, Unreadable> {
        let limit = max_size.min(HARD_LIMIT);
        let bytes = match &self.place {
            Place::File(path) => plain(path, limit)?,
            Place::Gzip(path) => {
                let file = File::open(path).map_err(|error| io_reason(&error))?;
                capped(MultiGzDecoder::new(io::BufReader::new(file)), limit, 0).map_err(broken)?
            }
            Place::Member { archive, index } => member_of(archive, *index, limit)?,
            Place::Demo { index } => {
                let archive = ZipArchive::new(Cursor::new(demo::ARCHIVE));
                member(
                    &mut archive.map_err(|error| zip_reason(&error))?,
                    *index,
                    limit,
                )?
            }
        };
        check(bytes)
    }
}

/// Too large, or what went wrong while reading.
enum Trouble {
    TooLarge(u64),
    Io(io::Error),
}

fn broken(trouble: Trouble) -> Unreadable {
    match trouble {
        Trouble::TooLarge(limit) => too_large(limit),
        Trouble::Io(error) => Unreadable::Broken(error.to_string()),
    }
}

fn too_large(limit: u64) -> Unreadable {
    Unreadable::TooLarge { limit: limit >> 20 }
}

fn io_reason(error: &io::Error) -> Unreadable {
    Unreadable::Io(error.to_string())
}

fn plain(path: &Path, limit: u64) -> Result<Vec<u8>, Unreadable> {
    let file = File::open(path).map_err(|error| io_reason(&error))?;
    let size = file.metadata().map_err(|error| io_reason(&error))?;
    if !size.is_file() {
        return Err(Unreadable::Io("it is no regular file".to_owned()));
    }
    capped(file, limit, size.len()).map_err(|trouble| match trouble {
        Trouble::TooLarge(limit) => too_large(limit),
        Trouble::Io(error) => io_reason(&error),
    })
}

/// An archive that stays open, with the state of its file.
type Archive = (PathBuf, Stamp, ZipArchive<io::BufReader<File>>);

thread_local! {
    /// The archive a thread read last. Its directory is read once, not again for each of thousands of members.
    static LAST: RefCell<Option<Archive>> = const { RefCell::new(None) };
}

/// Reads a member of an archive on disk.
fn member_of(path: &Path, index: usize, limit: u64) -> Result<Vec<u8>, Unreadable> {
    let stamp = Stamp::of(path).map_err(|error| io_reason(&error))?;
    let last = LAST.take();
    let (path, stamp, mut archive) = match last.filter(|last| last.0 == path && last.1 == stamp) {
        Some(open) => open,
        None => {
            let file = File::open(path).map_err(|error| io_reason(&error))?;
            let archive = ZipArchive::new(io::BufReader::new(file));
            let archive = archive.map_err(|error| zip_reason(&error))?;
            (path.to_owned(), stamp, archive)
        }
    };
    let bytes = member(&mut archive, index, limit);
    LAST.set(Some((path, stamp, archive)));
    bytes
}

fn member<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    index: usize,
    limit: u64,
) -> Result<Vec<u8>, Unreadable> {
    let member = archive
        .by_index(index)
        .map_err(|error| zip_reason(&error))?;
    let size = member.size();
    capped(member, limit, size).map_err(broken)
}

/// Reads at most `limit` bytes; `expected` sizes the buffer but is not trusted.
fn capped(source: impl Read, limit: u64, expected: u64) -> Result<Vec<u8>, Trouble> {
    let mut bytes = Vec::with_capacity(expected.min(limit).min(16 << 20) as usize + 1);
    source
        .take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(Trouble::Io)?;
    if bytes.len() as u64 > limit {
        return Err(Trouble::TooLarge(limit));
    }
    Ok(bytes)
}

/// What an error of an archive means for a book.
pub(super) fn zip_reason(error: &ZipError) -> Unreadable {
    match error {
        ZipError::UnsupportedArchive(what) if *what == ZipError::PASSWORD_REQUIRED => {
            Unreadable::Encrypted
        }
        ZipError::InvalidPassword => Unreadable::Encrypted,
        ZipError::Io(error) => Unreadable::Broken(error.to_string()),
        other => Unreadable::Broken(other.to_string()),
    }
}

/// A text holds something, and not what no text holds.
fn check(bytes: Vec<u8>) -> Result<Vec<u8>, Unreadable> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Unreadable::Empty);
    }
    match binary(&bytes) {
        Some(why) => Err(Unreadable::Binary(why)),
        None => Ok(bytes),
    }
}

/// Why bytes are no text, if they are none: more than one byte in a hundred of the first 64 KiB is a NUL or a control
/// character that no text uses (form feed, tab, escape and the DOS end of file are used).
pub(super) fn binary(bytes: &[u8]) -> Option<String> {
    let sample = &bytes[..bytes.len().min(1 << 16)];
    if Encoding::guess(sample).is_utf16() {
        return None;
    }
    for (magic, what) in MAGIC {
        if sample.starts_with(magic) {
            return Some((*what).to_owned());
        }
    }
    let odd = |byte: &&u8| matches!(byte, 0x00..=0x08 | 0x0E..=0x19 | 0x1C..=0x1F);
    let count = sample.iter().filter(odd).count();
    let share = count * 100 / sample.len().max(1);
    (share >= 1 && count > 8).then(|| format!("{share} % of it are control characters"))
}

/// First bytes of files that hold few control characters and are no text all the same.
const MAGIC: &[(&[u8], &str)] = &[
    (b"%PDF-", "a PDF file"),
    (b"{\\rtf", "an RTF file"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\x1F\x8B", "a gzip file"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_pass_and_other_files_are_refused_with_what_they_are() {
        let wide: Vec<u8> = "A line of text"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        for text in [
            &b"a text\x0C with a form feed\x1A"[..],
            b"caf\xE9",
            &wide,
            b"\x1B[31mred\x1B[0m",
        ] {
            assert_eq!(check(text.to_vec()), Ok(text.to_vec()));
        }
        assert_eq!(check(b" \r\n\t\n".to_vec()), Err(Unreadable::Empty));
        assert_eq!(
            check(b"%PDF-1.4 text".to_vec()),
            Err(Unreadable::Binary("a PDF file".into()))
        );
        let noise: Vec<u8> = (0..2000u32).map(|n| (n * 7919 % 251) as u8).collect();
        assert!(matches!(check(noise), Err(Unreadable::Binary(_))));
    }

    #[test]
    fn reading_stops_at_the_limit() {
        assert!(capped(io::repeat(b'x'), 1000, u64::MAX).is_err());
        assert_eq!(capped(&b"short"[..], 1000, 0).ok(), Some(b"short".to_vec()));
    }
}
