//! Scans of single books after an analysis, from the cache if possible and otherwise from the book.

use super::AnalysisOptions;
use super::cache::{CachedScans, CorpusCache};
use super::parallel::catch_panic;
use super::scan_store::SpanReader;
use super::source::scan_book;
use endpaper_text::corpus::{Book, Unreadable};
use endpaper_text::scan::Scan;

/// Returns the Scans of the books of a corpus, one at a time and in any order, for one thread. Keeps the index of the
/// cached Scans (about 300 bytes per book) but not the Scans; should be dropped soon after use.
#[derive(Debug)]
pub struct ScanReader {
    options: AnalysisOptions,
    cached: Option<(CachedScans, SpanReader)>,
}

impl ScanReader {
    /// A reader of the Scans that analyses of these books with these options have cached. The Scans of an analysis that
    /// is still running are not found.
    pub fn open(books: &[Book], options: &AnalysisOptions) -> ScanReader {
        let cache = CorpusCache::of(options.cache.as_deref(), books);
        let old = cache.and_then(|cache| cache.load_scans(options.scanning()));
        let old = old.and_then(|old| {
            let reader = old.reader()?;
            Some((old, reader))
        });
        ScanReader {
            options: options.clone(),
            cached: old,
        }
    }

    /// The Scan of a book, either cached or made from the book.
    ///
    /// # Errors
    ///
    /// The reason why the book cannot be read.
    pub fn scan(&mut self, book: &Book) -> Result<Scan, Unreadable> {
        if let Some((old, reader)) = &mut self.cached
            && let Some(scan) = old.scan(book, reader)
        {
            return Ok(scan);
        }
        catch_panic(|| scan_book(book, &self.options))
            .map_err(Unreadable::Io)
            .flatten()
    }
}
