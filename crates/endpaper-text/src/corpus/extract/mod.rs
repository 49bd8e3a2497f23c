//! Books that are not text files: the text of PDF and EPUB files.
//!
//! PDF files are read by `pdftotext` if it is installed, which keeps lines and columns as printed, else by
//! `pdf-extract`; EPUB files are read by `rbook` and `html2text`. Extraction is slow compared with reading, so its
//! result is cached. Readers of hostile formats may panic, loop forever or exhaust the memory, so they run in a
//! separate process ([`DocumentOptions::program`]).
//!
//! The text of a PDF file keeps its pages: between two pages is a line that holds only a form feed.

mod confine;
#[cfg(feature = "documents")]
mod epub;
mod failure;
mod format;
mod installed;
mod pages;
#[cfg(feature = "documents")]
mod pdf;
mod poppler;
mod program;
#[cfg(test)]
mod tests;
mod text_cache;

use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use self::confine::STACK;
use self::failure::not_read;
use super::stamp::FileStamp;
use super::unreadable::Unreadable;
use crate::files::open_regular;
use crate::panics::{catch_panic_message, payload_text};

pub use confine::confine;
pub use format::{DocumentFormat, TextExtractor};
pub use pages::{PAGE_BREAK, pages};
pub use poppler::become_pdftotext;

/// Which program reads PDF files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PdfReader {
    /// `pdftotext` where it is installed, else the built-in reader.
    #[default]
    Auto,
    /// `pdftotext` (poppler-utils).
    Pdftotext,
    /// The built-in reader.
    BuiltIn,
}

/// How PDF and EPUB files are read.
#[derive(Clone, Debug, Default)]
pub struct DocumentOptions {
    /// Which program reads PDF files.
    pub pdf: PdfReader,
    /// The folder where extracted texts are cached (it need not exist); with `None` they are extracted every time.
    pub cache_folder: Option<PathBuf>,
    /// The path of this program: the readers run as `PROGRAM text --bare FILE`. With `None` the built-in readers run
    /// in this process, where panics are caught, but neither time nor memory is limited.
    pub program: Option<PathBuf>,
}

impl DocumentOptions {
    /// How files of a format are read.
    ///
    /// # Errors
    ///
    /// `pdftotext` was requested and is not installed.
    pub fn extraction(&self, format: DocumentFormat) -> Result<Arc<Extraction>> {
        let extractor = match (format, self.pdf) {
            (DocumentFormat::Epub, _) => TextExtractor::Rbook,
            (DocumentFormat::Pdf, PdfReader::BuiltIn) => TextExtractor::PdfExtract,
            (DocumentFormat::Pdf, reader) => match (installed::version(), reader) {
                (Some(version), _) => TextExtractor::Pdftotext { version },
                (None, PdfReader::Pdftotext) => bail!(
                    "pdftotext was asked for and does not answer; install it (package poppler-utils) or choose the built-in \
                     reader"
                ),
                (None, _) => TextExtractor::PdfExtract,
            },
        };
        Ok(Arc::new(Extraction {
            extractor,
            cache_file: self.cache_folder.clone(),
            program: self.program.clone(),
        }))
    }
}

/// How the text of a file is extracted. Books that differ in this are different books.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extraction {
    /// The extractor.
    pub extractor: TextExtractor,
    /// The folder of the cached texts.
    cache_file: Option<PathBuf>,
    /// The program that runs the readers.
    program: Option<PathBuf>,
}

impl Extraction {
    /// The text of a file, at most `limit` bytes of UTF-8, from the cache if possible.
    ///
    /// # Errors
    ///
    /// The reason why the file has no text.
    pub(super) fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Unreadable> {
        let stamp = FileStamp::of(path).map_err(|error| Unreadable::Io(error.to_string()))?;
        let kept = self
            .cache_file
            .as_deref()
            .and_then(|folder| text_cache::cache_path(folder, path, stamp, &self.extractor));
        if let Some(text) = kept
            .as_deref()
            .and_then(|file| text_cache::load(file, limit))
        {
            return Ok(text);
        }
        let text = self.extract(path, limit)?;
        if let Some(file) = kept {
            // If it cannot be cached, it is extracted again next time.
            let _ = text_cache::store(&file, &text);
        }
        Ok(text)
    }

    fn extract(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Unreadable> {
        if self.extractor != TextExtractor::Rbook {
            check_end(path)?;
        }
        match (&self.extractor, &self.program) {
            (TextExtractor::Pdftotext { .. }, Some(program)) => {
                poppler::read(reader_command(program, path, "pdftotext", limit), limit)
            }
            (TextExtractor::Pdftotext { .. }, None) => {
                poppler::read(poppler::command(path)?, limit)
            }
            (extractor, Some(program)) => {
                let command = reader_command(program, path, "built-in", limit);
                program::read(command, limit).map_err(|failed| {
                    let format = match extractor {
                        TextExtractor::Rbook => DocumentFormat::Epub,
                        _ => DocumentFormat::Pdf,
                    };
                    failed.reason(format)
                })
            }
            (TextExtractor::Rbook, None) => extract_in_process(path, DocumentFormat::Epub, limit),
            (_, None) => extract_in_process(path, DocumentFormat::Pdf, limit),
        }
    }
}

/// The command that reads one file within limits ([`confine()`]).
fn reader_command(program: &Path, path: &Path, reader: &str, limit: u64) -> Command {
    let limit = limit.max(1).to_string();
    let mut command = Command::new(program);
    command.args(["text", "--bare", "--pdf", reader, "--max-size", &limit]);
    // A name that begins with a dash is not an option.
    command.arg("--").arg(path);
    command
}

/// Extracts the text of a file with the built-in readers, in this process. Panics are caught.
///
/// # Errors
///
/// The reason why there is no text.
pub fn extract_in_process(
    path: &Path,
    format: DocumentFormat,
    limit: u64,
) -> Result<Vec<u8>, Unreadable> {
    let path = path.to_owned();
    // Both readers recurse into nested structures.
    let reader = std::thread::Builder::new().stack_size(STACK);
    let started = reader.spawn(move || catch_panic_message(|| built_in(&path, format, limit)));
    let ended = started
        .map_err(|error| Unreadable::Io(error.to_string()))?
        .join();
    match ended {
        Ok(Ok(read)) => read,
        Ok(Err(why)) => Err(not_read(format, &why)),
        Err(panic) => Err(not_read(format, payload_text(&*panic))),
    }
}

#[cfg(feature = "documents")]
fn built_in(path: &Path, format: DocumentFormat, limit: u64) -> Result<Vec<u8>, Unreadable> {
    match format {
        DocumentFormat::Pdf => pdf::read(path, limit),
        DocumentFormat::Epub => epub::read(path, limit),
    }
}

#[cfg(not(feature = "documents"))]
fn built_in(_: &Path, format: DocumentFormat, _: u64) -> Result<Vec<u8>, Unreadable> {
    Err(Unreadable::Extraction(format!(
        "is {} {format} file, and this endpaper was built without the feature 'documents'",
        match format {
            DocumentFormat::Pdf => "a",
            DocumentFormat::Epub => "an",
        }
    )))
}

/// How much of the end of a PDF file is searched for its end marker, in bytes: some servers append a few kilobytes.
const PDF_END: u64 = 16 << 10;

/// Refuses truncated PDF files: readers reconstruct what is left without reporting that the rest is missing.
fn check_end(path: &Path) -> Result<(), Unreadable> {
    let read = || -> io::Result<Vec<u8>> {
        let mut file = open_regular(path)?;
        let size = file.metadata()?.len();
        file.seek(SeekFrom::Start(size.saturating_sub(PDF_END)))?;
        let mut end = Vec::new();
        file.take(PDF_END).read_to_end(&mut end)?;
        Ok(end)
    };
    let end = read().map_err(|error| Unreadable::Io(error.to_string()))?;
    if memchr::memmem::find(&end, b"%%EOF").is_none() {
        return Err(not_read(
            DocumentFormat::Pdf,
            "it is cut off or no PDF file: its end is missing",
        ));
    }
    Ok(())
}
