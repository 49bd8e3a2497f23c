//! A book of a corpus: its id and the location of its bytes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::EncodingChoice;
use super::extract::Extraction;
use super::id::BookId;
use super::stamp::FileStamp;

/// The location of the bytes of a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BookLocation {
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
        /// How its text is extracted.
        extraction: Arc<Extraction>,
    },
    /// A member of the demonstration archive inside the program.
    Demo {
        /// Index of the member.
        index: usize,
    },
    /// The text itself, read from standard input.
    Given(Arc<Vec<u8>>),
}

impl BookLocation {
    /// The file on disk that is or contains the book; `None` for the demonstration and for standard input.
    pub fn path(&self) -> Option<&Path> {
        match self {
            BookLocation::File(path)
            | BookLocation::Gzip(path)
            | BookLocation::Member { archive: path, .. }
            | BookLocation::Document { path, .. } => Some(path),
            BookLocation::Demo { .. } | BookLocation::Given(_) => None,
        }
    }

    /// What extracted the text, with its version; `None` if it is a text file.
    pub fn extractor(&self) -> Option<String> {
        match self {
            BookLocation::Document { extraction, .. } => Some(extraction.extractor.to_string()),
            _ => None,
        }
    }
}

/// Serialises paths as bytes. As text, one name that is not UTF-8 would keep the whole corpus out of the cache.
pub(super) mod path_bytes {
    use std::ffi::OsString;
    use std::path::{Path, PathBuf};

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes the bytes of a path.
    pub fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        path.as_os_str().as_encoded_bytes().serialize(to)
    }

    /// Reads the bytes of a path.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
        let bytes = Vec::<u8>::deserialize(from)?;
        os_string(bytes)
            .map(PathBuf::from)
            .ok_or_else(|| serde::de::Error::custom("a path of another system"))
    }

    /// The bytes as a string of the system.
    #[cfg(unix)]
    fn os_string(bytes: Vec<u8>) -> Option<OsString> {
        Some(std::os::unix::ffi::OsStringExt::from_vec(bytes))
    }

    /// The bytes as a string of the system; `None` if they are not UTF-8.
    #[cfg(not(unix))]
    fn os_string(bytes: Vec<u8>) -> Option<OsString> {
        String::from_utf8(bytes).ok().map(OsString::from)
    }
}

/// One book of a corpus, not read yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Book {
    /// Its name.
    pub id: BookId,
    /// Where it is.
    pub location: BookLocation,
    /// Stamp of its file when it was listed.
    pub stamp: FileStamp,
    /// How its encoding is found.
    pub encoding: EncodingChoice,
}
