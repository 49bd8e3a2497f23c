//! Giving every book its file and writing it.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::{Body, By, Omitted, Options, choose};
use crate::corpus::{BookId, Text};
use crate::detect::Detection;
use crate::truth::{Found, create_file, file_name, file_name_hashed, replace_file};

/// The first line of the manifest. The other lines are [`Stripped`] in its `Display` form.
pub const MANIFEST_HEADER: &str = "book\tfile\tfirst\tlast\tbytes\tby\tdoubt";

/// A body that was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Stripped {
    /// The book.
    pub book: BookId,
    /// The file, relative to the folder.
    pub file: PathBuf,
    /// First line of the body in the source.
    pub first: u32,
    /// Last line of the body in the source.
    pub last: u32,
    /// Bytes written.
    pub bytes: usize,
    /// Who set the cuts.
    pub by: By,
    /// The detector's doubt; 0 for a curator's decision.
    pub doubt: f32,
}

impl fmt::Display for Stripped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}\t{}\t{}\t{}\t{}\t{}\t{:.3}",
            cell(self.book.as_str()),
            cell(&self.file.to_string_lossy()),
            self.first,
            self.last,
            self.bytes,
            self.by,
            self.doubt
        )
    }
}

/// A text as one cell of a table: tabs, newlines and backslashes escaped.
fn cell(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\t', "\\t")
        .replace('\n', "\\n")
        .replace('\r', "\\r")
}

/// Why no body was written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// The book is left out.
    #[error(transparent)]
    Omitted(#[from] Omitted),
    /// The file is there already.
    #[error("'{}' exists; --force writes over it", .0.display())]
    Exists(PathBuf),
    /// The system refused: a full disk, a read-only folder.
    #[error("'{}' cannot be written: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

/// Writes bodies into a folder. Books may be stripped in any order and by several threads.
#[derive(Debug)]
pub struct Stripper {
    folder: PathBuf,
    options: Options,
    hashed: HashSet<BookId>,
}

impl Stripper {
    /// A stripper of these books into a folder, which is made with the first file.
    ///
    /// Of books whose names are equal but for case, all but the first get a hash in theirs: on a file system that
    /// takes them for one, none may write over another.
    pub fn new<'a>(
        folder: &Path,
        books: impl IntoIterator<Item = &'a BookId>,
        options: Options,
    ) -> Stripper {
        let mut ids: Vec<&BookId> = books.into_iter().collect();
        ids.sort();
        ids.dedup();
        let mut taken: HashMap<String, &BookId> = HashMap::new();
        let mut hashed = HashSet::new();
        for id in ids {
            let name = file_name(id.as_str()).to_string_lossy().to_lowercase();
            if taken.insert(name, id).is_some() {
                hashed.insert(id.clone());
            }
        }
        Stripper {
            folder: folder.to_owned(),
            options,
            hashed,
        }
    }

    /// The file a book gets, relative to the folder.
    pub fn file(&self, book: &BookId) -> PathBuf {
        if self.hashed.contains(book) {
            file_name_hashed(book.as_str())
        } else {
            file_name(book.as_str())
        }
    }

    /// Writes the body of one book, or says why not. Nothing is written unless all of it is.
    pub fn strip(
        &self,
        book: &BookId,
        text: &Text,
        found: &Found,
        detection: &Detection,
    ) -> Result<Stripped, Failure> {
        let file = self.file(book);
        let path = self.folder.join(&file);
        let body = choose(text, found, detection, &self.options)?;
        if !self.options.force && path.symlink_metadata().is_ok() {
            return Err(Failure::Exists(path));
        }
        let bytes = self.write(&path, text, &body)?;
        Ok(Stripped {
            book: book.clone(),
            file,
            first: body.first,
            last: body.last,
            bytes,
            by: body.by,
            doubt: body.doubt,
        })
    }

    fn write(&self, path: &Path, text: &Text, body: &Body) -> Result<usize, Failure> {
        let parts = body.ranges.iter();
        let parts: Vec<&[u8]> = parts.map(|range| &text.bytes()[range.clone()]).collect();
        let bytes = parts.concat();
        let written = if self.options.force {
            replace_file(path, &bytes)
        } else {
            create_file(path, &bytes)
        };
        written.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Failure::Exists(path.to_owned()),
            _ => Failure::Io {
                path: path.to_owned(),
                reason: error.to_string(),
            },
        })?;
        Ok(bytes.len())
    }
}
