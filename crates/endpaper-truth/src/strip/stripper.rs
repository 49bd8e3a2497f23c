//! Giving every book its file and writing it.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::check::SUPPRESSIONS;
use super::{
    CutsOrigin, DetectedBody, MANIFEST, OmitReason, StripOptions, StrippedBook, choose_body,
};
use crate::{SourceFacts, StoredRecord, file_name, file_name_hashed};
use endpaper_text::atomic::{self, Existing};
use endpaper_text::checksum::sha256;
use endpaper_text::corpus::extract::DocumentFormat;
use endpaper_text::corpus::{BookId, BookText};
use endpaper_text::files::refuse_links_below;

/// Why no body was written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StripFailure {
    /// The book is left out.
    #[error(transparent)]
    Omitted(#[from] OmitReason),
    /// The book is left out now, and an earlier run wrote a body.
    #[error("{omitted}, but '{}' is there from an earlier run; remove it", path.display())]
    Stale {
        /// Why the book is left out.
        omitted: OmitReason,
        /// The file.
        path: PathBuf,
    },
    /// Another file is there already.
    #[error("'{}' exists and differs", .0.display())]
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

impl StripFailure {
    /// Whether it is as a person wanted it.
    pub fn is_intended(&self) -> bool {
        matches!(self, StripFailure::Omitted(omitted) if omitted.is_intended())
    }
}

/// Writes bodies into a folder. Books may be stripped in any order and by several threads.
#[derive(Debug)]
pub struct Stripper {
    folder: PathBuf,
    options: StripOptions,
    hashed: HashSet<BookId>,
}

impl Stripper {
    /// A stripper of these books into a folder, which is made with the first file.
    ///
    /// Of books whose names are equal but for case, all but the first get a hash in theirs: on a file system that
    /// takes them for one, none may write over another. So does a book that is called like one of the program's own
    /// files.
    pub fn new<'a>(
        folder: &Path,
        books: impl IntoIterator<Item = &'a BookId>,
        options: StripOptions,
    ) -> Stripper {
        let mut ids: Vec<&BookId> = books.into_iter().collect();
        ids.sort();
        ids.dedup();
        let own = [MANIFEST, SUPPRESSIONS].map(str::to_owned);
        let mut taken: HashSet<String> = own.into();
        let mut hashed = HashSet::new();
        // A packed book makes room for a plain one, which has the better right to the name.
        ids.sort_by_key(|id| unpacked(id.as_str()).is_some());
        for id in ids {
            if !taken.insert(plain_file(id).to_string_lossy().to_lowercase()) {
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
            plain_file(book)
        }
    }

    /// Writes the body of one book, or says why not. Nothing is written unless all of it is, and nothing where it
    /// is already.
    pub fn strip(
        &self,
        book: &BookId,
        text: &BookText,
        found: &StoredRecord,
        detected: DetectedBody<'_>,
    ) -> Result<StrippedBook, StripFailure> {
        let file = self.file(book);
        let path = self.folder.join(&file);
        if let Some(parent) = path
            .parent()
            .filter(|_| refuse_links_below(&self.folder, &file).is_ok())
        {
            atomic::sweep_folder_once(parent);
        }
        let is_there = path.symlink_metadata().is_ok();
        let body = match choose_body(text, found, detected, &self.options) {
            Ok(body) => body,
            Err(omitted) if is_there => return Err(StripFailure::Stale { omitted, path }),
            Err(omitted) => return Err(omitted.into()),
        };
        let bytes = self.options.form.bytes(text, &body.ranges);
        let written = !(is_there && holds(&path, &bytes));
        if written {
            self.write(&file, &bytes)?;
        }
        let options = &self.options;
        let detector = || (options.detector.clone(), options.model.clone());
        Ok(StrippedBook {
            book: book.clone(),
            file,
            detector: (body.by == CutsOrigin::Detector).then(detector),
            body,
            bytes: bytes.len(),
            sha256: sha256(&bytes),
            source: SourceFacts::of(text),
            form: options.form,
            written,
        })
    }

    /// Writes the file of a body below the folder.
    fn write(&self, file: &Path, bytes: &[u8]) -> Result<(), StripFailure> {
        let path = self.folder.join(file);
        let existing = Existing::unless_forced(self.options.force);
        let written = refuse_links_below(&self.folder, file)
            .and_then(|()| atomic::write_bytes(&path, existing, bytes));
        written.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => StripFailure::Exists(path),
            _ => StripFailure::Io {
                path,
                reason: error.to_string(),
            },
        })
    }
}

/// The bytes of a body, in the form asked for.
///
/// # Errors
///
/// Why the book is left out.
pub fn body_bytes(
    text: &BookText,
    found: &StoredRecord,
    detected: DetectedBody<'_>,
    options: &StripOptions,
) -> Result<Vec<u8>, OmitReason> {
    let body = choose_body(text, found, detected, options)?;
    Ok(options.form.bytes(text, &body.ranges))
}

/// The file of a book; a body is not packed any longer, and the body of a PDF file is no PDF file.
fn plain_file(book: &BookId) -> PathBuf {
    let name = unpacked(book.as_str()).unwrap_or(book.as_str());
    match DocumentFormat::of(Path::new(name)) {
        Some(_) => file_name(&format!("{name}.txt")),
        None => file_name(name),
    }
}

/// The name of a packed book without the ending that says so.
fn unpacked(id: &str) -> Option<&str> {
    let (name, ending) = id.rsplit_once('.')?;
    let named = !name.is_empty() && !name.ends_with('/');
    (named && ending.eq_ignore_ascii_case("gz")).then_some(name)
}

/// Whether a file holds just these bytes.
fn holds(path: &Path, bytes: &[u8]) -> bool {
    let size = fs::metadata(path).map(|found| (found.is_file(), found.len()));
    size.is_ok_and(|size| size == (true, bytes.len() as u64))
        && fs::read(path).is_ok_and(|found| found == bytes)
}
