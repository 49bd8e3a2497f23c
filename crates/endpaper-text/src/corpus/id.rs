//! Book ids, and the names of files and members in them.

use std::ffi::OsStr;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A file name as text. If it is not UTF-8, invalid bytes become `%XX` and percent signs `%25`.
pub(super) fn file_name_to_id(name: &OsStr) -> String {
    match name.to_str() {
        Some(name) => name.to_owned(),
        None => escape(name.as_encoded_bytes()),
    }
}

/// A member's name as text, escaped as in [`file_name_to_id`] if it is not UTF-8.
pub(super) fn member_name_to_id(name: &[u8]) -> String {
    match std::str::from_utf8(name) {
        Ok(name) => name.to_owned(),
        Err(_) => escape(name),
    }
}

/// The bytes as text: `%` and bytes that are not UTF-8 are written as `%` and two hexadecimal digits.
fn escape(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.utf8_chunks() {
        out.push_str(&chunk.valid().replace('%', "%25"));
        for byte in chunk.invalid() {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// The name of a book: its path below the corpus root with `/`, in Unicode NFC; a zip member is `a/b.zip!member.txt`;
/// with several roots it starts with the root's name. Ids are unique in a corpus and define its order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BookId(Arc<str>);

impl BookId {
    /// An id from text, converted to NFC.
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
