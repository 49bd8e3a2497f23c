//! Giving every book its file and writing it.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use super::check::SUPPRESSIONS;
use super::{
    CutsOrigin, DetectedBody, MANIFEST, OmitReason, StripOptions, StrippedBook, choose_body,
};
use crate::{SourceFacts, StoredRecord, file_name, file_name_hashed};
use endpaper_text::atomic::group::UnnamedFile;
use endpaper_text::atomic::{self, Existing};
use endpaper_text::checksum::sha256;
use endpaper_text::corpus::extract::DocumentFormat;
use endpaper_text::corpus::{BookId, BookText, Unreadable};
use endpaper_text::files::{holds, refuse_irregular, refuse_links_below};

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
    /// The book cannot be read any longer.
    #[error("{0}")]
    Unreadable(Unreadable),
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
    /// The error of writing a file.
    pub(super) fn of_write(path: PathBuf, error: &io::Error) -> StripFailure {
        match error.kind() {
            io::ErrorKind::AlreadyExists => StripFailure::Exists(path),
            _ => StripFailure::Io {
                path,
                reason: error.to_string(),
            },
        }
    }

    /// Whether it is as a person wanted it.
    pub fn is_intended(&self) -> bool {
        matches!(self, StripFailure::Omitted(omitted) if omitted.is_intended())
    }
}

/// A body that is on its way into its file.
#[derive(Debug)]
pub struct PreparedBody {
    pub(super) stripped: StrippedBook,
    /// The body under a temporary name; `None` if it is in its file already.
    pub(super) unnamed: Option<UnnamedFile>,
}

/// Prepares bodies for a folder. Books may be prepared in any order and by several threads.
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

    /// Writes the body of one book under a temporary name, unless it is in its file already, or says why not. `source` is
    /// about `text`.
    pub fn prepare(
        &self,
        book: &BookId,
        text: &BookText,
        source: SourceFacts,
        found: &StoredRecord,
        detected: DetectedBody<'_>,
    ) -> Result<PreparedBody, StripFailure> {
        let file = self.file(book);
        let path = self.folder.join(&file);
        if let Some(parent) = path
            .parent()
            .filter(|_| refuse_links_below(&self.folder, &file).is_ok())
        {
            atomic::sweep_folder_once(parent);
        }
        let is_there = path.symlink_metadata().is_ok_and(|found| found.is_file());
        let body = match choose_body(text, &source, found, detected, &self.options) {
            Ok(body) => body,
            Err(omitted) if is_there => return Err(StripFailure::Stale { omitted, path }),
            Err(omitted) => return Err(omitted.into()),
        };
        let bytes = self.options.form.bytes(text, &body.ranges);
        let unnamed = match is_there && holds(&path, &bytes) {
            true => None,
            false => Some(self.write(&file, &bytes)?),
        };
        let options = &self.options;
        let detector = || (options.detector.clone(), options.model.clone());
        let stripped = StrippedBook {
            book: book.clone(),
            file,
            detector: (body.by == CutsOrigin::Detector).then(detector),
            body,
            bytes: bytes.len(),
            sha256: sha256(&bytes),
            source,
            form: options.form,
            written: unnamed.is_some(),
        };
        Ok(PreparedBody { stripped, unnamed })
    }

    /// Writes a body below the folder under a temporary name.
    fn write(&self, file: &Path, bytes: &[u8]) -> Result<UnnamedFile, StripFailure> {
        let path = self.folder.join(file);
        let existing = Existing::unless_forced(self.options.force);
        let refused = refuse_links_below(&self.folder, file).and_then(|()| refuse_irregular(&path));
        let written = refused.and_then(|()| {
            match existing == Existing::Keep && path.symlink_metadata().is_ok() {
                // Noticed before the work; a file that appears later is noticed when the body gets its name.
                true => Err(io::ErrorKind::AlreadyExists.into()),
                false => UnnamedFile::write(&path, existing, bytes),
            }
        });
        written.map_err(|error| StripFailure::of_write(path, &error))
    }
}

/// The bytes of a body, in the form asked for. `source` is about `text`.
///
/// # Errors
///
/// Why the book is left out.
pub fn body_bytes(
    text: &BookText,
    source: &SourceFacts,
    found: &StoredRecord,
    detected: DetectedBody<'_>,
    options: &StripOptions,
) -> Result<Vec<u8>, OmitReason> {
    let body = choose_body(text, source, found, detected, options)?;
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
