//! Reading the bytes of one book: plain files, gzip, members of zip archives.
//!
//! Inflated size is limited while reading, so that a decompression bomb costs no more than the limit. Names inside
//! archives are never used as paths.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use zip::ZipArchive;
use zip::result::ZipError;

use super::decode::is_utf32;
use super::guess::utf16;
use super::inflate::inflate_at_once;
use super::text::count_line_ends;
use super::{Book, BookLocation, BookText, EncodingChoice, FileStamp, Unreadable, demo};
use crate::files::open_regular;
use crate::lanes::count;

/// Default limit for the size of a text, in bytes (inflated).
pub const MAX_SIZE: u64 = 256 << 20;

/// Most lines of a text: otherwise the data kept per line would far outgrow the text.
pub const MAX_LINES: u32 = 5_000_000;

/// How much of a gzip file is inflated at a time, in bytes: after each piece, the last 32 KiB of the text are copied.
const GZIP_BUFFER: usize = 128 << 10;

/// No text may be larger, whatever the curator allows: line offsets are 32 bits wide.
pub(super) const HARD_LIMIT: u64 = u32::MAX as u64;

impl Book {
    /// Reads (and inflates) the book, at most `max_size` bytes.
    ///
    /// # Errors
    ///
    /// The reason why it is not a readable text.
    pub fn read(&self, max_size: u64) -> Result<Vec<u8>, Unreadable> {
        let mut reader = BookReader::default();
        reader.read(self, max_size)?;
        let mut bytes = reader.buffer;
        bytes.truncate(reader.len);
        Ok(bytes)
    }

    /// Reads the book like [`Book::read`], and splits it into lines.
    ///
    /// # Errors
    ///
    /// The reason why it is not a readable text.
    pub fn text(&self, max_size: u64) -> Result<BookText, Unreadable> {
        let text = BookText::in_encoding(self.read(max_size)?, self.encoding);
        Ok(text.extracted_by(self.location.extractor()))
    }
}

/// The first and the last bytes of a book.
#[derive(Clone, Copy, Debug)]
pub struct ReadEnds<'a> {
    /// Size of the whole book in bytes.
    pub size: u64,
    /// Its first bytes.
    pub first: &'a [u8],
    /// Its last bytes.
    pub last: &'a [u8],
}

/// Reads books one after another into one buffer: fresh memory for every book would cost as much as reading it.
#[derive(Debug, Default)]
pub struct BookReader {
    /// The bytes of the book, then those that longer books left.
    buffer: Vec<u8>,
    len: usize,
    /// Compressed bytes of a member of an archive.
    compressed: Vec<u8>,
}

impl BookReader {
    /// Reads (and inflates) a book, at most `max_size` bytes.
    ///
    /// # Errors
    ///
    /// The reason why it is not a readable text.
    pub fn read(&mut self, book: &Book, max_size: u64) -> Result<&[u8], Unreadable> {
        let limit = max_size.min(HARD_LIMIT);
        match &book.location {
            BookLocation::File(path) => {
                let (mut file, size) = open(path, limit)?;
                self.len =
                    read_into(&mut file, size, limit, &mut self.buffer).map_err(unreadable_from)?;
            }
            BookLocation::Gzip(path) => {
                let (file, _) = open(path, u64::MAX)?;
                let text = MultiGzDecoder::new(io::BufReader::with_capacity(GZIP_BUFFER, file));
                self.len = read_into(text, 0, limit, &mut self.buffer).map_err(broken_from)?;
            }
            BookLocation::Member { archive, index } => {
                let (compressed, buffer) = (&mut self.compressed, &mut self.buffer);
                self.len = with_archive(archive, |open| {
                    read_member(open, *index, limit, compressed, buffer)
                })?;
            }
            BookLocation::Document { path, extraction } => {
                let (_, _) = open(path, u64::MAX)?;
                self.buffer = extraction.read(path, limit)?;
                self.len = self.buffer.len();
            }
            BookLocation::Demo { index } => {
                let archive = ZipArchive::new(Cursor::new(demo::ARCHIVE));
                let mut archive = archive.map_err(|error| zip_reason(&error))?;
                let (compressed, buffer) = (&mut self.compressed, &mut self.buffer);
                self.len = read_member(&mut archive, *index, limit, compressed, buffer)?;
            }
            BookLocation::Given(bytes) => {
                let (text, size) = (&bytes[..], bytes.len() as u64);
                self.len =
                    read_into(text, size, limit, &mut self.buffer).map_err(unreadable_from)?;
            }
        }
        check(&self.buffer[..self.len], book.encoding)
    }

    /// The first bytes of a text, at most `part`; `None` if they cannot be read.
    pub(super) fn read_start(&mut self, book: &Book, part: usize) -> Option<&[u8]> {
        let most = part as u64;
        let read = |source: &mut dyn Read, buffer: &mut Vec<u8>| {
            buffer.clear();
            source.take(most).read_to_end(buffer).ok()
        };
        self.len = match &book.location {
            BookLocation::File(path) => read(&mut open_regular(path).ok()?, &mut self.buffer)?,
            BookLocation::Gzip(path) => {
                let file = io::BufReader::new(open_regular(path).ok()?);
                read(&mut MultiGzDecoder::new(file), &mut self.buffer)?
            }
            BookLocation::Member { archive, index } => with_archive(archive, |open| {
                let mut member = open.by_index(*index).map_err(|error| zip_reason(&error))?;
                Ok(read(&mut member, &mut self.buffer).unwrap_or(0))
            })
            .ok()?,
            BookLocation::Given(bytes) => read(&mut &bytes[..], &mut self.buffer)?,
            BookLocation::Document { .. } | BookLocation::Demo { .. } => return None,
        };
        Some(&self.buffer[..self.len])
    }

    /// Reads the first and the last `part` bytes of a book that is a plain file and longer than both together.
    /// Returns `None` for other books, and if the first part is blank.
    ///
    /// # Errors
    ///
    /// The reason why it is not a readable text.
    pub fn read_ends(
        &mut self,
        book: &Book,
        max_size: u64,
        part: usize,
    ) -> Result<Option<ReadEnds<'_>>, Unreadable> {
        let BookLocation::File(path) = &book.location else {
            return Ok(None);
        };
        let (mut file, size) = open(path, max_size.min(HARD_LIMIT))?;
        if size <= 2 * part as u64 {
            return Ok(None);
        }
        if self.buffer.len() < 2 * part {
            self.buffer.resize(2 * part, 0);
        }
        let (first, last) = self.buffer[..2 * part].split_at_mut(part);
        let read = file
            .read_exact(first)
            .and_then(|()| file.seek(SeekFrom::Start(size - part as u64)))
            .and_then(|_| file.read_exact(last));
        read.map_err(|error| io_reason(&error))?;
        // A blank first part says nothing about the rest.
        match check(first, book.encoding) {
            Ok(first) => Ok(Some(ReadEnds { size, first, last })),
            Err(Unreadable::Empty) => Ok(None),
            Err(reason) => Err(reason),
        }
    }
}

/// Why the bytes of a book could not be read.
enum ReadFailure {
    /// The text has more bytes than this limit.
    TooLarge(u64),
    /// Reading or inflating failed.
    Io(io::Error),
}

/// The reason for a failure to read compressed data: the file is broken.
fn broken_from(failure: ReadFailure) -> Unreadable {
    match failure {
        ReadFailure::TooLarge(limit) => too_large(limit),
        ReadFailure::Io(error) => Unreadable::Broken(error.to_string()),
    }
}

/// The text is larger than `limit` bytes.
fn too_large(limit: u64) -> Unreadable {
    Unreadable::TooLarge { limit }
}

/// Reading failed.
fn io_reason(error: &io::Error) -> Unreadable {
    Unreadable::Io(error.to_string())
}

/// The reason for a failure to read a plain file: the disk, or the permission to read, is at fault.
fn unreadable_from(failure: ReadFailure) -> Unreadable {
    match failure {
        ReadFailure::TooLarge(limit) => too_large(limit),
        ReadFailure::Io(error) => io_reason(&error),
    }
}

/// Opens a regular file of at most `limit` bytes and returns it with its size.
fn open(path: &Path, limit: u64) -> Result<(File, u64), Unreadable> {
    let file = open_regular(path).map_err(|error| io_reason(&error))?;
    let facts = file.metadata().map_err(|error| io_reason(&error))?;
    if facts.len() > limit {
        return Err(too_large(limit));
    }
    Ok((file, facts.len()))
}

/// An open archive, with the stamp of its file.
type OpenArchive = (PathBuf, FileStamp, ZipArchive<io::BufReader<File>>);

thread_local! {
    /// The archive that this thread read last: its directory is read once, not for each of thousands of members.
    static LAST: RefCell<Option<OpenArchive>> = const { RefCell::new(None) };
}

/// Runs `read` on the archive at `path`, which stays open for the next member.
fn with_archive<T>(
    path: &Path,
    read: impl FnOnce(&mut ZipArchive<io::BufReader<File>>) -> Result<T, Unreadable>,
) -> Result<T, Unreadable> {
    let stamp = FileStamp::of(path).map_err(|error| io_reason(&error))?;
    let last = LAST.take();
    let (path, stamp, mut archive) = match last.filter(|last| last.0 == path && last.1 == stamp) {
        Some(open) => open,
        None => {
            let file = open_regular(path).map_err(|error| io_reason(&error))?;
            let archive = ZipArchive::new(io::BufReader::new(file));
            let archive = archive.map_err(|error| zip_reason(&error))?;
            (path.to_owned(), stamp, archive)
        }
    };
    let found = read(&mut archive);
    LAST.set(Some((path, stamp, archive)));
    found
}

/// Reads the member `index` of an open archive into the buffer, and returns its size. `compressed` is for its compressed bytes.
fn read_member<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    index: usize,
    limit: u64,
    compressed: &mut Vec<u8>,
    buffer: &mut Vec<u8>,
) -> Result<usize, Unreadable> {
    let entry = archive.by_index_data(index);
    let size = entry.map_err(|error| zip_reason(&error))?.size();
    if size > limit {
        return Err(too_large(limit));
    }
    if let Some(size) = inflate_at_once(archive, index, compressed, buffer) {
        return Ok(size);
    }
    let member = archive
        .by_index(index)
        .map_err(|error| zip_reason(&error))?;
    // Not a byte more than the archive states: its total was checked by that.
    read_into(member, size, size, buffer).map_err(|failure| match failure {
        ReadFailure::TooLarge(_) => Unreadable::Broken(WRONG_SIZE.to_owned()),
        other => broken_from(other),
    })
}

const WRONG_SIZE: &str = "it is longer than the archive says; pack it again";

/// Reads at most `limit` bytes to the front of a buffer and returns their number. `expected` sizes the buffer but is
/// not trusted.
fn read_into(
    mut source: impl Read,
    expected: u64,
    limit: u64,
    buffer: &mut Vec<u8>,
) -> Result<usize, ReadFailure> {
    // One more byte, to notice the end.
    let expected = expected.min(limit).min(16 << 20) as usize + 1;
    let mut len = 0;
    loop {
        if len == buffer.len() || buffer.len() < expected {
            // Never far beyond the limit: `resize` writes the whole buffer.
            let most = usize::try_from(limit.saturating_add(1)).unwrap_or(usize::MAX);
            let larger = (buffer.len() * 2).max(1 << 16).min(most);
            let larger = larger.max(expected).max(len + 1);
            buffer.resize(larger, 0);
        }
        match source.read(&mut buffer[len..]) {
            Ok(0) => return Ok(len),
            Ok(read) => len += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(ReadFailure::Io(error)),
        }
        if len as u64 > limit {
            return Err(ReadFailure::TooLarge(limit));
        }
    }
}

/// The reason to report for an error of the zip reader.
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

/// Refuses bytes that are blank, UTF-32, of too many lines, or binary.
fn check(bytes: &[u8], encoding: EncodingChoice) -> Result<&[u8], Unreadable> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Unreadable::Empty);
    }
    // Half of the bytes of such a text look like those of a binary file.
    let is_utf16 = matches!(encoding, EncodingChoice::Forced(forced) if forced.is_utf16());
    if !is_utf16 && is_utf32(bytes) {
        return Err(Unreadable::Utf32);
    }
    // Every line takes at least one byte.
    if bytes.len() > MAX_LINES as usize && count_line_ends(bytes) > MAX_LINES as usize {
        return Err(Unreadable::TooManyLines { limit: MAX_LINES });
    }
    match binary(bytes) {
        Some(why) if !is_utf16 => Err(Unreadable::Binary(why)),
        _ => Ok(bytes),
    }
}

/// Why bytes are not text, or `None` if they are: at least one byte in a hundred of the first 48 KiB, and more than
/// 8, are NULs or control characters that no text uses (form feed, tab, escape and the DOS end of file are used).
pub(super) fn binary(bytes: &[u8]) -> Option<String> {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    if utf16(sample).is_some() {
        return None;
    }
    for (magic, what) in MAGIC {
        if sample.starts_with(magic) {
            return Some((*what).to_owned());
        }
    }
    let odd = |byte: u8| {
        (byte <= 0x08) | (byte.wrapping_sub(0x0E) <= 0x0B) | (byte.wrapping_sub(0x1C) <= 0x03)
    };
    let count = count(sample, odd);
    let share = count * 100 / sample.len().max(1);
    (share >= 1 && count > 8).then(|| format!("{share} % of it are control characters"))
}

/// How much of a book is examined to decide whether it is text, in bytes: no more than is read of a long book that is
/// only counted, so that both ways agree.
const SAMPLE: usize = 48 << 10;

/// First bytes of binary formats that may hold few control characters.
const MAGIC: &[(&[u8], &str)] = &[
    (b"%PDF-", "a PDF file"),
    (b"{\\rtf", "an RTF file"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\x1F\x8B", "a gzip file"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8]) -> Result<&[u8], Unreadable> {
        super::check(bytes, EncodingChoice::Guessed)
    }

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
            assert_eq!(check(text), Ok(text));
        }
        assert_eq!(check(b" \r\n\t\n"), Err(Unreadable::Empty));
        assert_eq!(
            check(b"%PDF-1.4 text"),
            Err(Unreadable::Binary("a PDF file".into()))
        );
        let noise: Vec<u8> = (0..2000u32).map(|n| (n * 7919 % 251) as u8).collect();
        assert!(matches!(check(&noise), Err(Unreadable::Binary(_))));
        let wide: Vec<u8> = "\u{feff}text"
            .chars()
            .flat_map(|c| u32::from(c).to_le_bytes())
            .collect();
        assert_eq!(check(&wide), Err(Unreadable::Utf32));
    }

    #[test]
    fn a_text_of_too_many_lines_is_refused_with_the_limit() {
        let refused = Err(Unreadable::TooManyLines { limit: MAX_LINES });
        for ending in ["\n", "\r", "\r\n"] {
            let most = format!("a{ending}").repeat(MAX_LINES as usize);
            assert!(check(most.as_bytes()).is_ok());
            assert_eq!(
                check(format!("{most}a{ending}").as_bytes()),
                refused,
                "{ending:?}"
            );
        }
    }

    #[test]
    fn reading_stops_at_the_limit() {
        let mut buffer = Vec::new();
        assert!(read_into(io::repeat(b'x'), u64::MAX, 1000, &mut buffer).is_err());
        assert_eq!(read_into(&b"short"[..], 0, 1000, &mut buffer).ok(), Some(5));
        assert_eq!(&buffer[..5], b"short");
        // No more memory is allocated than the limit requires.
        let (mut buffer, limit) = (Vec::new(), (1 << 20) + 1);
        assert!(read_into(io::repeat(b'x'), 0, limit, &mut buffer).is_err());
        assert_eq!(buffer.len() as u64, limit + 1);
    }
}
