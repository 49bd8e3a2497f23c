//! Giving every book its file and writing it.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::check::SUPPRESSIONS;
use super::{Body, By, Detected, MANIFEST, Omitted, Options, OutForm, choose};
use crate::{Found, SourceFacts, Verdict, file_name, file_name_hashed};
use endpaper_text::atomic::{self, Existing};
use endpaper_text::cells::escaped;
use endpaper_text::checksum::sha256;
use endpaper_text::corpus::extract::Format;
use endpaper_text::corpus::{BookId, Text};
use endpaper_text::files::refuse_links_below;

/// A body that stands in its file. In its `Display` form it is a line of the manifest.
#[derive(Clone, Debug, PartialEq)]
pub struct Stripped {
    /// The book.
    pub book: BookId,
    /// The file, relative to the folder.
    pub file: PathBuf,
    /// The body.
    pub body: Body,
    /// Bytes of the file.
    pub bytes: usize,
    /// SHA-256 of the file.
    pub sha256: String,
    /// The book's own file.
    pub source: SourceFacts,
    /// What was changed in the bytes.
    pub form: OutForm,
    /// Detector and model, where a detector set the cuts.
    pub detector: Option<(String, String)>,
    /// Whether it was written now; otherwise it stood there already.
    pub written: bool,
}

impl fmt::Display for Stripped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stripped { body, source, .. } = self;
        let file = self.file.components();
        let file: Vec<_> = file
            .map(|part| part.as_os_str().to_string_lossy())
            .collect();
        let file = file.join("/");
        let (book, file) = (escaped(self.book.as_str()), escaped(&file));
        write!(f, "{book}\t{file}\t{}\t{}\t", body.first, body.last)?;
        write!(f, "{}\t{}\t{:.3}\t", self.bytes, body.by, body.doubt)?;
        let verdict = body.verdict.map_or("-", Verdict::name);
        write!(f, "{verdict}\t{}\t{}\t", escaped(&body.policy), self.sha256)?;
        write!(f, "{}\t{}\t{}\t", source.sha256, source.bytes, source.lines)?;
        write!(f, "{}\t{}\t", source.encoding, source.newline)?;
        write!(f, "{}\t{}\t", self.form.encoding, self.form.newline)?;
        let ranges = body.dropped.iter();
        let ranges: Vec<String> = ranges.map(|(a, b)| format!("{a}-{b}")).collect();
        let dropped = if ranges.is_empty() {
            "-".to_owned()
        } else {
            ranges.join(",")
        };
        let (detector, model) = match &self.detector {
            Some((detector, model)) => (escaped(detector), escaped(model)),
            None => ("-".into(), "-".into()),
        };
        write!(f, "{dropped}\t{detector}\t{model}")
    }
}

/// Why no body was written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// The book is left out.
    #[error(transparent)]
    Omitted(#[from] Omitted),
    /// The book is left out now, and an earlier run wrote a body.
    #[error("{omitted}, but '{}' is there from an earlier run; remove it", path.display())]
    Stale {
        /// Why the book is left out.
        omitted: Omitted,
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

impl Failure {
    /// Whether it is as somebody wanted it.
    pub fn is_intended(&self) -> bool {
        matches!(self, Failure::Omitted(omitted) if omitted.is_intended())
    }
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
    /// takes them for one, none may write over another. So does a book that is called like one of the program's own
    /// files.
    pub fn new<'a>(
        folder: &Path,
        books: impl IntoIterator<Item = &'a BookId>,
        options: Options,
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
    /// stands already.
    pub fn strip(
        &self,
        book: &BookId,
        text: &Text,
        found: &Found,
        detected: Detected<'_>,
    ) -> Result<Stripped, Failure> {
        let file = self.file(book);
        let path = self.folder.join(&file);
        if let Some(parent) = path
            .parent()
            .filter(|_| refuse_links_below(&self.folder, &file).is_ok())
        {
            atomic::sweep_once(parent);
        }
        let is_there = path.symlink_metadata().is_ok();
        let body = match choose(text, found, detected, &self.options) {
            Ok(body) => body,
            Err(omitted) if is_there => return Err(Failure::Stale { omitted, path }),
            Err(omitted) => return Err(omitted.into()),
        };
        let bytes = self.options.form.bytes(text, &body.ranges);
        let written = !(is_there && holds(&path, &bytes));
        if written {
            self.write(&file, &bytes)?;
        }
        let options = &self.options;
        let detector = || (options.detector.clone(), options.model.clone());
        Ok(Stripped {
            book: book.clone(),
            file,
            detector: (body.by == By::Detector).then(detector),
            body,
            bytes: bytes.len(),
            sha256: sha256(&bytes),
            source: SourceFacts::of(text),
            form: options.form,
            written,
        })
    }

    fn write(&self, file: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.folder.join(file);
        let existing = Existing::unless_forced(self.options.force);
        let written = refuse_links_below(&self.folder, file)
            .and_then(|()| atomic::put(&path, existing, bytes));
        written.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Failure::Exists(path),
            _ => Failure::Io {
                path,
                reason: error.to_string(),
            },
        })
    }
}

/// The file of a book; a body is not packed any more, and the body of a PDF file is no PDF file.
fn plain_file(book: &BookId) -> PathBuf {
    let name = unpacked(book.as_str()).unwrap_or(book.as_str());
    match Format::of(Path::new(name)) {
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
