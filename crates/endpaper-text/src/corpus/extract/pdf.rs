//! The built-in reader of PDF files.

use std::path::Path;

use pdf_extract::{Document, OutputError, PlainTextOutput, output_doc_page};

use super::failure::{encrypted, not_read, too_large};
use super::format::DocumentFormat;
use super::pages;
use crate::corpus::unreadable::Unreadable;
use crate::panics::catch_panic_message;

/// The text of a PDF file, page by page. If a page cannot be read, the error names it and the file is refused: a book
/// without one of its pages would pass for the whole.
pub(super) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Unreadable> {
    let failed = |error: pdf_extract::Error| not_read(DocumentFormat::Pdf, &error.to_string());
    let mut document = Document::load(path).map_err(failed)?;
    // An empty password opens files that are only protected against changes.
    if document.trailer.get(b"Encrypt").is_ok() && document.decrypt("").is_err() {
        return Err(encrypted());
    }
    let mut texts = Vec::new();
    let mut size = 0;
    for number in document.get_pages().into_keys() {
        let text = catch_panic_message(|| page(&document, number));
        let text = match text {
            Ok(Ok(text)) => text,
            Ok(Err(error)) => {
                return Err(not_read(
                    DocumentFormat::Pdf,
                    &format!("page {number}: {}", first_line(&error)),
                ));
            }
            Err(_) => {
                return Err(not_read(
                    DocumentFormat::Pdf,
                    &format!("page {number} is beyond its reader"),
                ));
            }
        };
        size += text.len() as u64;
        if size > limit {
            return Err(too_large(limit));
        }
        texts.push(text);
    }
    pages::join(texts.iter().map(|text| text.trim_start_matches('\n')))
}

/// The text of a page.
fn page(document: &Document, number: u32) -> Result<String, OutputError> {
    let mut text = String::new();
    output_doc_page(document, &mut PlainTextOutput::new(&mut text), number)?;
    Ok(text)
}

/// The first line of an error's message.
fn first_line(error: &OutputError) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or_default().to_owned()
}
