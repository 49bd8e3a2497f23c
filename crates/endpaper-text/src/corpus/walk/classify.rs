//! Turning files into books, on the threads of the current pool, while folders are still being walked.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use anyhow::{Result, bail};

use super::request::{Listing, ListingRequest};
use crate::corpus::extract::{DocumentFormat, DocumentOptions, Extraction};
use crate::corpus::members::list_members;
use crate::corpus::source::binary;
use crate::corpus::{Book, BookId, BookLocation, EncodingChoice, FileStamp, Skipped, Unreadable};
use crate::files::open_regular;

/// A file that is or may hold books.
pub(super) struct FoundFile {
    pub id: String,
    pub path: PathBuf,
    /// Named outright: counts whatever its name.
    pub explicit: bool,
}

/// Files are classified in batches on other threads while the walk goes on.
const BATCH: usize = 256;

/// Collects files and classifies them in the background.
pub(super) struct FileClassifier<'a, 'scope> {
    scope: &'a rayon::Scope<'scope>,
    results: &'scope Mutex<Vec<(usize, Listing)>>,
    batch: Vec<FoundFile>,
    batches: usize,
    /// Paths that could not be read while walking.
    pub skipped: Vec<Skipped>,
    kinds: &'scope FileKinds,
}

/// Which kinds of files may hold books, besides texts and archives of them.
struct FileKinds {
    html: bool,
    documents: Option<DocumentOptions>,
    /// How files of each [`DocumentFormat`] are read, determined when the first one is seen.
    extractions: [OnceLock<Result<Arc<Extraction>, String>>; 2],
}

impl FileKinds {
    /// The reader of a document format, found when it is first needed, or why there is none; `None` if documents are
    /// not wanted.
    fn extraction(&self, format: DocumentFormat) -> Option<&Result<Arc<Extraction>, String>> {
        let documents = self.documents.as_ref()?;
        let made = &self.extractions[format as usize];
        Some(made.get_or_init(|| {
            let extraction = documents.extraction(format);
            extraction.map_err(|error| format!("{error:#}"))
        }))
    }

    /// Whether a file that was not named outright may hold books.
    fn may_hold_books(&self, path: &Path) -> bool {
        match FileExtension::of(path) {
            FileExtension::Text | FileExtension::Zip | FileExtension::Gzip => true,
            FileExtension::Html => self.html,
            FileExtension::Document(format) => {
                self.documents.is_some() && !has_better_format(path, format)
            }
            FileExtension::Other => false,
            FileExtension::Missing => holds_text(path),
        }
    }
}

/// Whether a PDF or EPUB file is next to a file of the same name in a format that is read more faithfully.
fn has_better_format(path: &Path, format: DocumentFormat) -> bool {
    let better: &[&str] = match format {
        DocumentFormat::Pdf => &["txt", "text", "asc", "epub"],
        DocumentFormat::Epub => &["txt", "text", "asc"],
    };
    better
        .iter()
        .any(|ending| path.with_extension(ending).is_file())
}

impl FileClassifier<'_, '_> {
    /// The books in all files that `find` submits, in the order submitted.
    pub fn list_all(
        request: &ListingRequest,
        find: impl FnOnce(&ListingRequest, &mut FileClassifier<'_, '_>) -> Result<()>,
    ) -> Result<Listing> {
        let done = Mutex::new(Vec::new());
        let kinds = FileKinds {
            html: request.html,
            documents: request.documents.clone(),
            extractions: Default::default(),
        };
        let skipped = rayon::in_place_scope(|scope| {
            let mut look = FileClassifier {
                scope,
                results: &done,
                batch: Vec::new(),
                batches: 0,
                skipped: Vec::new(),
                kinds: &kinds,
            };
            find(request, &mut look)?;
            look.hand_over();
            Ok::<_, anyhow::Error>(look.skipped)
        })?;
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|(batch, _)| *batch);
        for made in kinds.extractions {
            if let Some(Err(error)) = made.into_inner() {
                bail!("{error}");
            }
        }
        let mut listing = Listing {
            skipped,
            ..Listing::default()
        };
        for (_, part) in done {
            listing.books.extend(part.books);
            listing.skipped.extend(part.skipped);
        }
        Ok(listing)
    }

    /// Queues a file to be classified.
    pub fn submit(&mut self, file: FoundFile) {
        self.batch.push(file);
        if self.batch.len() >= BATCH {
            self.hand_over();
        }
    }

    /// Whether a file that was not named outright may hold books.
    pub fn may_hold_books(&self, path: &Path) -> bool {
        self.kinds.may_hold_books(path)
    }

    /// Lets another thread classify the batch.
    fn hand_over(&mut self) {
        let (files, batch, done) = (std::mem::take(&mut self.batch), self.batches, self.results);
        let kinds = self.kinds;
        self.batches += 1;
        self.scope.spawn(move |_| {
            let mut listing = Listing::default();
            for file in &files {
                books_of(file, kinds, &mut listing);
            }
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.push((batch, listing));
        });
    }
}

/// The kind of a file by its extension, in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileExtension {
    Text,
    Html,
    Zip,
    Gzip,
    Document(DocumentFormat),
    Other,
    Missing,
}

impl FileExtension {
    /// The kind of a file name's extension.
    fn of(path: &Path) -> FileExtension {
        let Some(ending) = path.extension() else {
            return FileExtension::Missing;
        };
        let is = |word: &str| ending.eq_ignore_ascii_case(word);
        match () {
            () if is("txt") || is("text") || is("asc") => FileExtension::Text,
            () if is("html") || is("htm") => FileExtension::Html,
            () if is("zip") => FileExtension::Zip,
            () if is("gz") => FileExtension::Gzip,
            () => DocumentFormat::of(path).map_or(FileExtension::Other, FileExtension::Document),
        }
    }
}

/// Whether the first 4 KiB of a file are text.
fn holds_text(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = open_regular(path).and_then(|file| file.take(4096).read_to_end(&mut start));
    read.is_ok() && !start.is_empty() && binary(&start).is_none()
}

/// Adds the books of one file.
fn books_of(file: &FoundFile, kinds: &FileKinds, listing: &mut Listing) {
    let skip = |listing: &mut Listing, error: io::Error| {
        listing.skipped.push(Skipped {
            id: BookId::new(&file.id),
            reason: Unreadable::Io(error.to_string()),
        });
    };
    let stamp = match FileStamp::of(&file.path) {
        Ok(stamp) => stamp,
        Err(error) => return skip(listing, error),
    };
    match FileExtension::of(&file.path) {
        FileExtension::Zip => match open_regular(&file.path) {
            Ok(open) => {
                let place = Some((file.path.as_path(), stamp));
                let open = io::BufReader::new(open);
                list_members(open, place, &file.id, (file.explicit, kinds.html), listing);
            }
            Err(error) => skip(listing, error),
        },
        FileExtension::Gzip => {
            let inner = file.path.file_stem().map(Path::new);
            let inner = inner.map(FileExtension::of);
            // `books.tar.gz` is an archive of another kind and `book.html.gz` is not plain text: they count only if
            // named outright.
            let wanted = match inner {
                Some(FileExtension::Missing | FileExtension::Text) => true,
                Some(FileExtension::Html) => kinds.html,
                _ => false,
            };
            if file.explicit || wanted {
                let place = BookLocation::Gzip(file.path.clone());
                listing.books.push(Book {
                    id: BookId::new(&file.id),
                    location: place,
                    stamp,
                    encoding: EncodingChoice::Guessed,
                });
            }
        }
        ending => {
            let extraction = match ending {
                FileExtension::Document(format) => kinds.extraction(format),
                _ => None,
            };
            let place = match extraction {
                Some(Ok(extraction)) => BookLocation::Document {
                    path: file.path.clone(),
                    extraction: extraction.clone(),
                },
                // The whole listing fails with the reason.
                Some(Err(_)) => return,
                None => BookLocation::File(file.path.clone()),
            };
            listing.books.push(Book {
                id: BookId::new(&file.id),
                location: place,
                stamp,
                encoding: EncodingChoice::Guessed,
            });
        }
    }
}
