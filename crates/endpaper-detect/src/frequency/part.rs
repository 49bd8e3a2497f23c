//! A part: a file of everything that was counted in some books, singletons included, which can be merged with others.
//!
//! # The file
//!
//! Numbers are little-endian.
//!
//! | what | size |
//! | --- | --- |
//! | `EPPART` and two NULs | 8 bytes |
//! | format version, now 1 | u32 |
//! | length of the head | u64 |
//! | the head: parameters, as in a model file | |
//! | ... number of books; each: CRC-64 of the id, size, CRC-64 of the bytes, ascending | u64, 3 x u64 |
//! | ... texts of frequent lines, as in a model file | |
//! | each set of counts, as its structure saves it: chunks preceded by their length, and an empty one | u32, bytes |
//! | length of the whole file | u64 |
//! | CRC-64/XZ of everything before | u64 |
//!
//! The counts are written and read as a stream, as they may be larger than memory. The checksum is verified before
//! anything else is trusted.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::coding::{ByteReader, put_u64};
use super::{BookSet, Counter, EndCounters, LineTexts, ModelError, ModelParameters, magic};
use endpaper_text::atomic::Existing;
use endpaper_text::files::open_regular;

const VERSION: u32 = 1;
/// Magic, version, length of the head.
const HEADER: u64 = 8 + 4 + 8;
/// Length and checksum.
const TRAILER: u64 = 8 + 8;

/// The description of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartHead {
    /// How and from what the lines were counted.
    pub parameters: ModelParameters,
    /// The books.
    pub books: BookSet,
    /// Texts of frequent lines.
    pub line_texts: LineTexts,
}

/// Writes a part atomically.
///
/// # Errors
///
/// If the system refuses, the file exists and must be kept, or the structure's storage fails; names the file.
pub fn write_part<C: Counter>(
    path: &Path,
    existing: Existing,
    head: &PartHead,
    tally: EndCounters<C>,
) -> Result<()> {
    endpaper_text::atomic::write(path, existing, |out| {
        let mut out = PartChecksum::new(out);
        let mut bytes = Vec::new();
        head.parameters.put(&mut bytes);
        head.books.put(&mut bytes);
        head.line_texts.put(&mut bytes);
        out.write_all(magic::PART)?;
        out.write_all(&VERSION.to_le_bytes())?;
        out.write_all(&(bytes.len() as u64).to_le_bytes())?;
        out.write_all(&bytes)?;
        tally.save(&mut out).map_err(io::Error::other)?;
        let mut trailer = Vec::new();
        put_u64(&mut trailer, out.len + TRAILER);
        out.write_all(&trailer)?;
        let checksum = out.digest.sum64();
        out.write_all(&checksum.to_le_bytes())
    })
}

/// A writer that counts the bytes and computes their checksum.
struct PartChecksum<'a> {
    out: &'a mut dyn Write,
    digest: crc64fast::Digest,
    len: u64,
}

impl<'a> PartChecksum<'a> {
    /// A checksum of everything that is written through it.
    fn new(out: &'a mut dyn Write) -> PartChecksum<'a> {
        PartChecksum {
            out,
            digest: crc64fast::Digest::new(),
            len: 0,
        }
    }
}

impl Write for PartChecksum<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.digest.write(&bytes[..written]);
        self.len += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A part whose checksum was verified and whose head was read. The counts are still in the file.
#[derive(Clone, Debug)]
pub struct ModelPart {
    /// Its file.
    pub path: PathBuf,
    /// Its description.
    pub head: PartHead,
    /// Position and length of the counts in the file.
    counts: (u64, u64),
}

impl ModelPart {
    /// Opens a part and reads it once for the checksum.
    ///
    /// # Errors
    ///
    /// The file and, in one sentence, why it is refused.
    pub fn open(path: &Path) -> Result<ModelPart> {
        let attempt = || -> Result<ModelPart> {
            let mut file = open_regular(path)?;
            let len = checked(&mut file)?;
            file.seek(SeekFrom::Start(HEADER - 8))?;
            let mut head = [0; 8];
            file.read_exact(&mut head)?;
            let head = u64::from_le_bytes(head);
            let counts = len.saturating_sub(HEADER + TRAILER).checked_sub(head);
            let counts = counts.ok_or(ModelError::Truncated)?;
            let mut bytes = Vec::new();
            (&mut file).take(head).read_to_end(&mut bytes)?;
            Ok(ModelPart {
                path: path.to_owned(),
                head: PartHead::from_bytes(&bytes)?,
                counts: (HEADER + head, counts),
            })
        };
        attempt().with_context(|| refused(path))
    }

    /// Whether a file begins like a part.
    pub fn is_part_file(path: &Path) -> bool {
        let mut begin = [0; magic::PART.len()];
        let read = open_regular(path).and_then(|mut file| file.read_exact(&mut begin));
        read.is_ok() && begin == *magic::PART
    }

    /// Loads the counts into an empty `tally` that was made for the same counting.
    ///
    /// # Errors
    ///
    /// If reading fails, or the counts are not what the structure saves; names the file.
    pub fn load<C: Counter>(&self, tally: &mut EndCounters<C>) -> Result<()> {
        let mut attempt = || -> Result<()> {
            let mut file = open_regular(&self.path)?;
            file.seek(SeekFrom::Start(self.counts.0))?;
            let mut reader = BufReader::with_capacity(1 << 16, file.take(self.counts.1));
            tally.load(self.head.parameters.lines, &mut reader)?;
            ensure!(
                reader.fill_buf()?.is_empty(),
                ModelError::Malformed("something follows the counts")
            );
            Ok(())
        };
        attempt().with_context(|| refused(&self.path))
    }
}

impl PartHead {
    /// Reads the head of a part.
    fn from_bytes(bytes: &[u8]) -> Result<PartHead, ModelError> {
        let mut reader = ByteReader::new(bytes);
        let head = PartHead {
            parameters: ModelParameters::take(&mut reader)?,
            books: BookSet::take(&mut reader)?,
            line_texts: LineTexts::take(&mut reader)?,
        };
        if reader.left() > 0 {
            return Err(ModelError::Malformed("something follows the last text"));
        }
        Ok(head)
    }
}

/// The context of an error of reading a part.
fn refused(path: &Path) -> String {
    format!("the part '{}' cannot be used", path.display())
}

/// Checks header, length and checksum of a part. Returns its length.
fn checked(file: &mut File) -> Result<u64> {
    let len = file.metadata()?.len();
    let mut begin = Vec::new();
    file.take(HEADER).read_to_end(&mut begin)?;
    header(&begin)?;
    let body = len.checked_sub(8).ok_or(ModelError::Truncated)?;
    ensure!(len >= HEADER + TRAILER, ModelError::Truncated);
    file.seek(SeekFrom::Start(len - TRAILER))?;
    let mut numbers = [0; 8];
    file.read_exact(&mut numbers)?;
    ensure!(u64::from_le_bytes(numbers) == len, ModelError::Truncated);
    file.read_exact(&mut numbers)?;
    file.seek(SeekFrom::Start(0))?;
    let mut digest = crc64fast::Digest::new();
    let mut reader = BufReader::with_capacity(1 << 18, file.take(body));
    loop {
        let bytes = reader.fill_buf()?;
        if bytes.is_empty() {
            break;
        }
        digest.write(bytes);
        let len = bytes.len();
        reader.consume(len);
    }
    let fits = digest.sum64() == u64::from_le_bytes(numbers);
    ensure!(fits, ModelError::Checksum);
    Ok(len)
}

/// Checks that a file begins as a part does.
fn header(begin: &[u8]) -> Result<(), ModelError> {
    if begin.starts_with(magic::MODEL) {
        return Err(ModelError::IsAModel);
    }
    let first = &begin[..begin.len().min(magic::PART.len())];
    if first.is_empty() || !magic::PART.starts_with(first) {
        return Err(ModelError::NotAPart);
    }
    let mut reader = ByteReader::new(begin);
    reader.bytes(magic::PART.len())?;
    let (found, expected) = (reader.u32()?, VERSION);
    if found != expected {
        return Err(ModelError::Version { found, expected });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
