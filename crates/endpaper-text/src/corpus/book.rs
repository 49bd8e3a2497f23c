//! A book: its id, where its bytes are, and reading them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;
use std::{fmt, fs, io};

use serde::{Deserialize, Serialize};

use super::extract::Extraction;

/// The name of a book: its path below the corpus root with `/`, in Unicode NFC; a zip member is `a/b.zip!member.txt`;
/// with several roots it starts with the root's name. Ids are unique in a corpus and order it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BookId(Arc<str>);

impl BookId {
    /// An id from text, brought to NFC.
    pub fn new(text: &str) -> BookId {
        use unicode_normalization::UnicodeNormalization;
        if text.is_ascii() {
            return BookId(text.into());
        }
        BookId(text.nfc().collect::<String>().into())
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part of the id: the file's or member's own name.
    pub fn name(&self) -> &str {
        self.0.rsplit(['/', '!']).next().unwrap_or(&self.0)
    }
}

impl fmt::Display for BookId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where the bytes of a book are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// A plain file.
    File(#[serde(with = "path_bytes")] PathBuf),
    /// A gzip file holding one text.
    Gzip(#[serde(with = "path_bytes")] PathBuf),
    /// A member of a zip archive, by its index in the central directory.
    Member {
        /// The archive.
        #[serde(with = "path_bytes")]
        archive: PathBuf,
        /// Index of the member in the central directory.
        index: usize,
    },
    /// A PDF or EPUB file, whose text is extracted.
    Document {
        /// The file.
        #[serde(with = "path_bytes")]
        path: PathBuf,
        /// How its text is made.
        extraction: Arc<Extraction>,
    },
    /// A member of the demonstration archive inside the program.
    Demo {
        /// Index of the member.
        index: usize,
    },
}

impl Place {
    /// The file on disk that the book is, or is in; none for the demonstration.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Place::File(path)
            | Place::Gzip(path)
            | Place::Member { archive: path, .. }
            | Place::Document { path, .. } => Some(path),
            Place::Demo { .. } => None,
        }
    }

    /// Who made the text, with the version, if it had to be extracted.
    pub fn extractor(&self) -> Option<String> {
        match self {
            Place::Document { extraction, .. } => Some(extraction.extractor.to_string()),
            _ => None,
        }
    }
}

/// Paths as bytes. As text, one name that is no UTF-8 would keep the whole corpus out of the cache.
pub(super) mod path_bytes {
    use std::ffi::OsString;
    use std::path::{Path, PathBuf};

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        path.as_os_str().as_encoded_bytes().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
        let bytes = Vec::<u8>::deserialize(from)?;
        os_string(bytes)
            .map(PathBuf::from)
            .ok_or_else(|| serde::de::Error::custom("a path of another system"))
    }

    #[cfg(unix)]
    fn os_string(bytes: Vec<u8>) -> Option<OsString> {
        Some(std::os::unix::ffi::OsStringExt::from_vec(bytes))
    }

    #[cfg(not(unix))]
    fn os_string(bytes: Vec<u8>) -> Option<OsString> {
        String::from_utf8(bytes).ok().map(OsString::from)
    }
}

/// What tells whether a file changed since it was last read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stamp {
    /// Size of the file on disk (of the archive, for a member), in bytes.
    pub size: u64,
    /// Time of its last change, in nanoseconds since 1970 (0 if the system does not tell).
    pub modified: i128,
}

impl Stamp {
    /// The state of a file now.
    ///
    /// # Errors
    ///
    /// The file is not there or may not be looked at.
    pub fn of(path: &Path) -> io::Result<Stamp> {
        let facts = fs::metadata(path)?;
        let modified =
            facts
                .modified()
                .ok()
                .map_or(0, |time| match time.duration_since(UNIX_EPOCH) {
                    Ok(after) => after.as_nanos() as i128,
                    Err(before) => -(before.duration().as_nanos() as i128),
                });
        Ok(Stamp {
            size: facts.len(),
            modified,
        })
    }
}

/// One book of a corpus, not read yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Book {
    /// Its name.
    pub id: BookId,
    /// Where it is.
    pub place: Place,
    /// State of the file it is in when it was listed.
    pub stamp: Stamp,
}

/// Why a book is not read. The text is one sentence part: `book: reason`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Unreadable {
    /// Nothing in it.
    #[error("is empty")]
    Empty,
    /// Not a text.
    #[error("is not a text ({0})")]
    Binary(String),
    /// Larger than the limit.
    #[error("is larger than the limit of {limit} MiB")]
    TooLarge {
        /// The limit in force, in MiB.
        limit: u64,
    },
    /// An encrypted member.
    #[error("is encrypted; unpack it with its password first")]
    Encrypted,
    /// A broken archive or stream.
    #[error("cannot be unpacked: {0}")]
    Broken(String),
    /// A PDF or EPUB file without a text that can be had.
    #[error("{0}")]
    Extraction(String),
    /// The operating system refused.
    #[error("cannot be read: {0}")]
    Io(String),
    /// More lines than the limit.
    #[error("has more than the limit of {limit} lines; split it")]
    TooManyLines {
        /// The limit.
        limit: u32,
    },
    /// A text in UTF-32.
    #[error("is UTF-32; convert it to UTF-8")]
    Utf32,
}

/// A book that was left out, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// What was left out.
    pub id: BookId,
    /// Why.
    pub reason: Unreadable,
}
