//! The built-in reader of EPUB files: the chapters in reading order, as text of 72 columns.

use std::borrow::Cow;
use std::io::{self, BufReader, Read};
use std::path::Path;

use html2text::config::with_decorator;
use html2text::render::TrivialDecorator;
use quick_xml::Reader;
use quick_xml::events::Event;
use rbook::Epub;
use rbook::ebook::errors::EbookError;
use zip::ZipArchive;
use zip::result::ZipError;

use super::failure::{encrypted, not_read, too_large};
use super::format::DocumentFormat;
use crate::corpus::unreadable::Unreadable;
use crate::files::open_regular;

/// Columns of the text: most books of Project Gutenberg are wrapped to this width.
const WIDTH: usize = 72;

/// Largest total size of the members of an EPUB file, inflated, in bytes.
const MAX_TOTAL_BYTES: u64 = 1 << 30;

/// The text of an EPUB file. If a chapter cannot be read, the error names it and the whole file is refused.
pub(super) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Unreadable> {
    look_inside(path, limit)?;
    let failed = |error: EbookError| not_read(DocumentFormat::Epub, &error.to_string());
    let epub = Epub::options().skip_toc(true).open(path).map_err(failed)?;
    let mut text = String::new();
    for (number, chapter) in epub.reader().enumerate() {
        let named = |why: String| {
            not_read(
                DocumentFormat::Epub,
                &format!("chapter {}: {why}", number + 1),
            )
        };
        let chapter = chapter.map_err(|error| named(error.to_string()))?;
        let config = with_decorator(TrivialDecorator::new()).no_table_borders();
        let chapter = config
            .string_from_read(with_end_tags(chapter.content()).as_bytes(), WIDTH)
            .map_err(|error| named(error.to_string()))?;
        // As in texts of Project Gutenberg, several blank lines come before a chapter.
        if !text.is_empty() && !chapter.trim().is_empty() {
            text.push_str("\n\n\n");
        }
        for line in chapter.trim_matches('\n').lines() {
            text.extend(line.trim_end().chars().filter(|&c| c != '\0'));
            text.push('\n');
        }
        if text.len() as u64 > limit {
            return Err(too_large(limit));
        }
    }
    if text.trim().is_empty() {
        return Err(Unreadable::Extraction(
            "has no text in its chapters; recognise the text of its pictures (OCR) first"
                .to_owned(),
        ));
    }
    Ok(text.into_bytes())
}

/// A chapter with self-closing elements expanded to start and end tags: chapters are XHTML but are parsed as HTML, where
/// `<title/>` would open a title that swallows the rest of the chapter. From the first syntax error on, the text is unchanged.
fn with_end_tags(chapter: &str) -> Cow<'_, str> {
    if !chapter.contains("/>") {
        return Cow::Borrowed(chapter);
    }
    let mut reader = Reader::from_str(chapter);
    let mut out = String::with_capacity(chapter.len());
    let mut before = 0;
    loop {
        let event = reader.read_event();
        let after = (reader.buffer_position() as usize).min(chapter.len());
        match event {
            Ok(Event::Empty(element)) if !is_void(element.local_name().as_ref()) => {
                let tag = &chapter[before..after];
                let name = element.name();
                out.push_str(tag.strip_suffix("/>").unwrap_or(tag));
                out.push_str(&format!("></{}>", name.as_ref()));
            }
            Ok(Event::Eof) | Err(_) => {
                out.push_str(&chapter[before..]);
                return Cow::Owned(out);
            }
            Ok(_) => out.push_str(&chapter[before..after]),
        }
        before = after;
    }
}

/// Whether an element of HTML never has an end tag (HTML Living Standard, 13.1.2).
fn is_void(name: &str) -> bool {
    const VOID: [&str; 13] = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source",
        "track", "wbr",
    ];
    VOID.contains(&name)
}

/// Inflates all members once to check their sizes: the reader loads each member into memory whole.
fn look_inside(path: &Path, limit: u64) -> Result<(), Unreadable> {
    let broken = |error: &ZipError| not_read(DocumentFormat::Epub, &error.to_string());
    let file = open_regular(path).map_err(|error| Unreadable::Io(error.to_string()))?;
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| broken(&error))?;
    let mut total = 0;
    for index in 0..archive.len() {
        let raw = archive
            .by_index_raw(index)
            .map_err(|error| broken(&error))?;
        if raw.encrypted() {
            return Err(encrypted());
        }
        // DRM of Adobe and others: the members themselves are not flagged as encrypted, but their content is.
        if raw.name_raw() == b"META-INF/rights.xml" {
            return Err(Unreadable::Extraction(
                "is locked by its seller (META-INF/rights.xml); endpaper cannot open it".to_owned(),
            ));
        }
        drop(raw);
        let member = archive.by_index(index).map_err(|error| broken(&error))?;
        let size = io::copy(&mut member.take(limit + 1), &mut io::sink());
        let size = size.map_err(|error| not_read(DocumentFormat::Epub, &error.to_string()))?;
        total += size;
        if size > limit {
            return Err(too_large(limit));
        }
        if total > MAX_TOTAL_BYTES {
            let why = format!(
                "its members are more than {} MiB together",
                MAX_TOTAL_BYTES >> 20
            );
            return Err(not_read(DocumentFormat::Epub, &why));
        }
    }
    Ok(())
}
