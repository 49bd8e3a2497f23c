//! The file F: normalised window lines, one per line, book after book.

use std::fs;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use endpaper_detect::frequency::BookLines;
use endpaper_text::corpus::{Book, ListingRequest, MAX_SIZE, list};
use endpaper_text::line::{Key, Normalised};
use endpaper_text::scan::{self, BookBytes, Scanner, Window};
use rayon::prelude::*;

use crate::arguments::CountingArguments;
use crate::book_recipe::BookRecipe;
use crate::figure5;

/// Lines of a book with two full windows, and so of a batch.
pub const BOOK: usize = 600;

/// Number of lines read at a time.
const BLOCK: usize = 16 * BOOK;

/// Writes F from a corpus, or from books made of it, and prints its histogram.
pub fn write(arguments: &mut CountingArguments) -> Result<()> {
    let corpus = arguments.path("CORPUS")?;
    let path = arguments.path("F")?;
    match arguments.books {
        Some(books) => {
            let made = BookRecipe::new(&corpus, books)?;
            dump(&path, made.len(), |index| Ok(made.book(index)))?;
        }
        None => {
            let listing = list(&ListingRequest {
                roots: vec![corpus],
                ..ListingRequest::default()
            })?;
            let read = |book: &Book| {
                let bytes = book.read(MAX_SIZE);
                bytes.with_context(|| format!("'{}' cannot be read", book.id))
            };
            dump(&path, listing.books.len(), |index| {
                read(&listing.books[index])
            })?;
        }
    }
    figure5::print(&LineFile::open(&path)?)
}

/// Writes the window lines of books in order.
fn dump(path: &Path, books: usize, book: impl Fn(usize) -> Result<Vec<u8>> + Sync) -> Result<()> {
    let mut out = BufWriter::new(fs::File::create(path)?);
    let indices: Vec<usize> = (0..books).collect();
    for some in indices.chunks(64) {
        let lines = some.par_iter().map(|&index| {
            let mut lines = String::new();
            let each = |_, line: &Normalised<'_>| {
                lines.push_str(line.text);
                lines.push('\n');
            };
            let book = book(index)?;
            Scanner::default().for_each_line(
                BookBytes::Whole(&book),
                scan::WindowOptions::default(),
                each,
            );
            Ok(lines)
        });
        for lines in lines.collect::<Result<Vec<String>>>()? {
            out.write_all(lines.as_bytes())?;
        }
    }
    out.flush()?;
    Ok(())
}

/// F, or its first lines.
#[derive(Clone, Debug)]
pub struct LineFile {
    pub path: PathBuf,
    pub lines: u64,
    pub bytes: u64,
}

impl LineFile {
    pub fn open(path: &Path) -> Result<LineFile> {
        LineFile::first(path, u64::MAX)
    }

    /// Selects the first `lines` lines of a file, or all if it has fewer.
    pub fn first(path: &Path, lines: u64) -> Result<LineFile> {
        let mut found = LineFile {
            path: path.to_owned(),
            lines: 0,
            bytes: fs::metadata(path)
                .with_context(|| format!("'{}' cannot be read", path.display()))?
                .len(),
        };
        let mut blocks = found.blocks()?;
        let mut block = Vec::new();
        found.bytes = 0;
        while found.lines < lines && blocks.next(&mut block)? {
            let left = usize::try_from(lines - found.lines).unwrap_or(usize::MAX);
            let ends = memchr::memchr_iter(b'\n', &block).take(left);
            let last = ends.inspect(|_| found.lines += 1).last();
            found.bytes += last.map_or(0, |end| end as u64 + 1);
        }
        Ok(found)
    }

    pub fn blocks(&self) -> Result<FileBlocks> {
        Ok(FileBlocks {
            file: fs::File::open(&self.path)?,
            left: self.bytes,
            rest: Vec::new(),
        })
    }

    pub fn batches(&self) -> Result<Vec<BookLines>> {
        let mut batches = Vec::new();
        let (mut blocks, mut block) = (self.blocks()?, Vec::new());
        while blocks.next(&mut block)? {
            let mut lines = lines(&block)?;
            loop {
                let mut batch = BookLines::default();
                fill(&mut batch, &mut lines, true);
                if batch.keys().is_empty() {
                    break;
                }
                batches.push(batch);
            }
        }
        Ok(batches)
    }
}

pub fn lines(block: &[u8]) -> Result<impl Iterator<Item = &str>> {
    let block = std::str::from_utf8(block).context("the file of lines is not UTF-8")?;
    let mut start = 0;
    Ok(
        memchr::memchr_iter(b'\n', block.as_bytes()).map(move |end| {
            let line = &block[start..end];
            start = end + 1;
            line
        }),
    )
}

/// Fills a batch with the next lines, those of one book; it is empty at the end.
pub fn fill<'a>(batch: &mut BookLines, lines: impl Iterator<Item = &'a str>, with_text: bool) {
    batch.clear();
    for line in lines.take(BOOK) {
        batch.push(Key::of(line), Window::Head, with_text.then_some(line));
    }
}

/// Reader of a file in blocks of whole lines.
#[derive(Debug)]
pub struct FileBlocks {
    file: fs::File,
    left: u64,
    /// Bytes read after the last block.
    rest: Vec<u8>,
}

impl FileBlocks {
    /// Fills `block` with the next lines; `false` at the end.
    pub fn next(&mut self, block: &mut Vec<u8>) -> Result<bool> {
        const PIECE: u64 = 256 << 10;
        block.clear();
        block.append(&mut self.rest);
        let (mut searched, mut wanted) = (0, BLOCK);
        loop {
            let mut ends = memchr::memchr_iter(b'\n', &block[searched..]);
            let last = ends.by_ref().take(wanted).inspect(|_| wanted -= 1).last();
            if let (0, Some(last)) = (wanted, last) {
                let end = searched + last + 1;
                self.rest.extend_from_slice(&block[end..]);
                block.truncate(end);
                return Ok(true);
            }
            searched = block.len();
            let piece = self.left.min(PIECE);
            if piece == 0 {
                return Ok(!block.is_empty());
            }
            let read = (&mut self.file).take(piece).read_to_end(block)? as u64;
            ensure!(read == piece, "the file of lines became shorter");
            self.left -= piece;
        }
    }
}
