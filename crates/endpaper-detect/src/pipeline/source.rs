//! Sources of the lines of a book: the Scan of an earlier run, both ends of a long file, or the whole book.

use super::AnalysisOptions;
use super::cache::CachedScans;
use super::scan_store::SpanReader;
use crate::frequency::BookLines;
use endpaper_text::corpus::{Book, BookReader, Unreadable};
use endpaper_text::scan::{self, BookBytes, SCAN_END_BYTES, Scan, Scanner};

/// Reads one book after another, for one thread.
pub(super) struct BookSource<'a> {
    options: &'a AnalysisOptions,
    /// Whether Scans are needed, and not only lines.
    needs_scans: bool,
    /// Scans of an earlier run, for files that have not changed.
    cached: Option<(&'a CachedScans, SpanReader)>,
    reader: BookReader,
    scanner: Scanner,
}

/// The data of a book besides its lines.
pub(super) struct BookContext {
    /// Size of the text in bytes.
    pub bytes: u64,
    /// Its Scan, if Scans are needed.
    pub scan: Option<Scan>,
    /// Whether the book was read, and not the Scan of an earlier run.
    pub was_read: bool,
}

impl<'a> BookSource<'a> {
    /// A source that takes unchanged books from `old`. With `scans`, only sources that give a whole Scan are used.
    pub fn new(
        options: &'a AnalysisOptions,
        scans: bool,
        old: Option<&'a CachedScans>,
    ) -> BookSource<'a> {
        BookSource {
            options,
            needs_scans: scans,
            cached: old.and_then(|old| Some((old, old.reader()?))),
            reader: BookReader::default(),
            scanner: Scanner::default(),
        }
    }

    /// Reads a book and puts its lines into `lines`.
    pub fn read_lines(
        &mut self,
        book: &Book,
        with_texts: bool,
        lines: &mut BookLines,
    ) -> Result<BookContext, Unreadable> {
        if !self.needs_scans {
            let bytes = self.count(book, with_texts, lines)?;
            return Ok(BookContext {
                bytes,
                scan: None,
                was_read: true,
            });
        }
        let old = self.cached.as_mut().filter(|_| !with_texts);
        let old = old.and_then(|(old, reader)| old.scan(book, reader));
        let fresh = old.is_none();
        let scan = match old {
            Some(scan) => scan,
            None => self.scan(book, with_texts, lines)?,
        };
        if !with_texts {
            lines.fill(&scan);
        }
        Ok(BookContext {
            bytes: scan.bytes,
            scan: Some(scan),
            was_read: fresh,
        })
    }

    /// Scans a whole book; either all lines get their texts or none.
    fn scan(
        &mut self,
        book: &Book,
        with_texts: bool,
        lines: &mut BookLines,
    ) -> Result<Scan, Unreadable> {
        let bytes = self.reader.read(book, self.options.max_size)?;
        let scanning = self.options.scanning_of(book);
        if !with_texts {
            return Ok(self.scanner.scan(bytes, scanning));
        }
        lines.clear();
        let each = |window, key, text: &str| lines.push(key, window, Some(text));
        let scan = self.scanner.scan_with(bytes, scanning, each);
        lines.repeat_in_tail(scan.overlap());
        Ok(scan)
    }

    /// Reads only the lines, and returns the size of the text. Of a long book in a separate file, only the ends are
    /// read if they suffice.
    fn count(
        &mut self,
        book: &Book,
        with_texts: bool,
        lines: &mut BookLines,
    ) -> Result<u64, Unreadable> {
        let (scanner, scanning) = (&mut self.scanner, self.options.scanning_of(book));
        let mut fill = |bytes: BookBytes<'_>| {
            lines.clear();
            let shared = if with_texts {
                scanner.for_each_line(bytes, scanning, |window, line| {
                    lines.push(line.key(), window, Some(line.text));
                })
            } else {
                let each = |window, key| lines.push(key, window, None);
                scanner.for_each_key(bytes, scanning, each)
            };
            shared.map(|shared| lines.repeat_in_tail(shared)).is_some()
        };
        let max_size = self.options.max_size;
        if let Some(ends) = self.reader.read_ends(book, max_size, SCAN_END_BYTES)?
            && fill(BookBytes::Ends(ends.first, ends.last))
        {
            return Ok(ends.size);
        }
        let bytes = self.reader.read(book, max_size)?;
        fill(BookBytes::Whole(bytes));
        Ok(bytes.len() as u64)
    }
}

/// Reads and scans a book.
pub(super) fn scan_book(book: &Book, options: &AnalysisOptions) -> Result<Scan, Unreadable> {
    let bytes = book.read(options.max_size)?;
    Ok(scan::scan(&bytes, options.scanning_of(book)))
}
