//! Scans of single books once more, after an analysis: from the cache where it has them, else from the book.

use super::AnalysisOptions;
use super::cache::{CachedScans, CorpusCache};
use super::parallel::catch_panic;
use super::scan_store::SpanReader;
use super::source::scan_book;
use endpaper_text::corpus::{Book, Unreadable};
use endpaper_text::scan::Scan;

/// Gives the Scans of the books of a corpus, one at a time and in any order. Holds the index of the cache's Scans (about
/// 300 bytes a book), not the Scans: drop it when enough was read. For one thread.
#[derive(Debug)]
pub struct ScanReader {
    options: AnalysisOptions,
    cached: Option<(CachedScans, SpanReader)>,
}

impl ScanReader {
    /// The Scans that analyses of these books with these options made. What an analysis still running will keep is not
    /// found before it ends.
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

    /// The Scan of a book: kept, or made by reading the book.
    ///
    /// # Errors
    ///
    /// Why the book cannot be read.
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
