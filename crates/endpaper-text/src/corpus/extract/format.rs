//! Formats whose text must be extracted, and the extractors.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// Versions of the reader crates, as in `Cargo.lock`.
pub(super) const PDF_EXTRACT: &str = "0.12.1";

pub(super) const RBOOK: &str = "0.7.12";

pub(super) const HTML2TEXT: &str = "0.16.7";

/// A kind of file whose text has to be extracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DocumentFormat {
    /// Portable Document Format.
    Pdf,
    /// EPUB 2 and 3.
    Epub,
}

impl DocumentFormat {
    /// The format by the extension of a file name, in any case.
    pub fn of(path: &Path) -> Option<DocumentFormat> {
        let ending = path.extension()?;
        if ending.eq_ignore_ascii_case("pdf") {
            Some(DocumentFormat::Pdf)
        } else if ending.eq_ignore_ascii_case("epub") {
            Some(DocumentFormat::Epub)
        } else {
            None
        }
    }
}

impl fmt::Display for DocumentFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DocumentFormat::Pdf => "PDF",
            DocumentFormat::Epub => "EPUB",
        })
    }
}

/// The program or crates that extract the text of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TextExtractor {
    /// `pdftotext -layout` of poppler.
    Pdftotext {
        /// Its version.
        version: String,
    },
    /// The crate `pdf-extract`.
    PdfExtract,
    /// The crates `rbook` and `html2text`.
    Rbook,
}

impl fmt::Display for TextExtractor {
    /// Writes the name with the version, as ground-truth records contain it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextExtractor::Pdftotext { version } => write!(f, "pdftotext {version}"),
            TextExtractor::PdfExtract => write!(f, "pdf-extract {PDF_EXTRACT}"),
            TextExtractor::Rbook => write!(f, "rbook {RBOOK}, html2text {HTML2TEXT}"),
        }
    }
}
