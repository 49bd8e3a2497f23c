//! Readers of books: text in any encoding, archives, documents.

use std::path::Path;

use endpaper_detect::Parameters;
use endpaper_detect::frequency::built_in;
use endpaper_outline::outline;
use endpaper_review::page::BookPage;
#[cfg(feature = "documents")]
use endpaper_text::corpus::extract::{DocumentFormat, extract_in_process};
use endpaper_text::corpus::{BookText, EncodingChoice, ListingRequest, TextFormat, list};
use tempfile::TempDir;

/// Largest text that archives and documents may give, in bytes.
const LARGEST: u64 = 1 << 20;

/// Text in any encoding: its lines are its bytes, and it can be shown, cut and outlined.
pub fn text(bytes: &[u8]) {
    let _ = TextFormat::of(bytes, EncodingChoice::default());
    let text = BookText::new(bytes.to_vec());
    let mut end = 0;
    for line in 1..=text.lines() {
        let span = text.span(line, line);
        assert_eq!(span.start, end, "line {line} begins elsewhere");
        end = span.end;
        assert!(text.raw(line).len() <= span.len());
        let _ = text.display(line, 200);
    }
    assert_eq!(end, bytes.len(), "the lines are not all bytes");
    let page = BookPage::new(text, &built_in().frequencies, &Parameters::default());
    let (cuts, lines) = (page.detection.cuts, page.text.lines());
    assert!(cuts.preamble_end <= lines);
    if let Some(start) = cuts.epilogue_start {
        assert!(cuts.preamble_end < start && start <= lines, "{cuts:?}");
    }
    let found = outline(&page.text, &page.scan);
    for entry in &found.entries {
        assert!(entry.line.is_none_or(|line| (1..=lines).contains(&line)));
    }
}

/// A zip archive: its members are listed and read.
pub fn zip(bytes: &[u8]) {
    read_all("a.zip", bytes);
}

/// A gzip file: its text is read.
pub fn gzip(bytes: &[u8]) {
    read_all("a.txt.gz", bytes);
}

/// Lists and reads the books of an archive.
fn read_all(name: &str, bytes: &[u8]) {
    let folder = TempDir::new().expect("a temporary folder");
    write(&folder.path().join(name), bytes);
    let request = ListingRequest {
        roots: vec![folder.path().to_owned()],
        threads: 1,
        ..ListingRequest::default()
    };
    let Ok(listing) = list(&request) else { return };
    for book in &listing.books {
        if let Ok(text) = book.read(LARGEST) {
            assert!(text.len() as u64 <= LARGEST);
        }
    }
}

/// A PDF file without forms: one that draws itself fills the stack of the library, which is why the program reads in a process of
/// its own (`tests/it/documents.rs` has such a file).
#[cfg(feature = "documents")]
pub fn pdf(bytes: &[u8]) {
    if bytes.windows(8).any(|word| word == b"/XObject") {
        return;
    }
    extract("a.pdf", bytes, DocumentFormat::Pdf);
}

/// An EPUB file.
#[cfg(feature = "documents")]
pub fn epub(bytes: &[u8]) {
    extract("a.epub", bytes, DocumentFormat::Epub);
}

/// Extracts a text. The libraries' panics are caught by the reader and are no finding: libFuzzer's hook, which ends the process,
/// goes.
#[cfg(feature = "documents")]
fn extract(name: &str, bytes: &[u8], format: DocumentFormat) {
    #[cfg(feature = "libfuzzer")]
    static QUIET: std::sync::Once = std::sync::Once::new();
    #[cfg(feature = "libfuzzer")]
    QUIET.call_once(|| std::panic::set_hook(Box::new(|_| {})));
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join(name);
    write(&path, bytes);
    if let Ok(text) = extract_in_process(&path, format, LARGEST) {
        assert!(text.len() as u64 <= LARGEST);
        assert!(std::str::from_utf8(&text).is_ok());
    }
}

/// Writes a file of the fuzzer's own folder.
pub fn write(path: &Path, bytes: &[u8]) {
    std::fs::write(path, bytes).expect("a file in the temporary folder");
}
