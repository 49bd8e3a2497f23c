//! Reasons why no text could be extracted.

use super::format::DocumentFormat;
use super::installed;
use crate::corpus::unreadable::Unreadable;

/// The reason for a file that is broken, or that its reader cannot handle.
pub(super) fn not_read(format: DocumentFormat, why: &str) -> Unreadable {
    let why = why.lines().next().unwrap_or_default().trim();
    let help = match format {
        DocumentFormat::Pdf if installed::version().is_none() => {
            "; pdftotext (package poppler-utils), if installed, reads more files"
        }
        _ => "",
    };
    Unreadable::Extraction(format!("cannot be read as {format} ({why}){help}"))
}

/// The document is encrypted.
pub(super) fn encrypted() -> Unreadable {
    Unreadable::Extraction("is encrypted; remove its password first".to_owned())
}

/// The pages of the document hold no text.
pub(super) fn without_text(pages: usize) -> Unreadable {
    let noun = crate::wording::plural(pages, "page");
    Unreadable::Extraction(format!(
        "has {pages} {noun} and no text on them; recognise the text (OCR) first"
    ))
}

/// The text is larger than `limit` bytes.
pub(super) fn too_large(limit: u64) -> Unreadable {
    Unreadable::TooLarge { limit }
}
