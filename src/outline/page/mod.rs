//! `outline --html`: writes one page with the outlines of all books, linked (Wu et al., *Searching Online Book Documents and
//! Analyzing Book Citations*, sections 3.4 and 6).
//!
//! A book is read once: its section is made while its text is in memory, and of everything else only the titles and the
//! references are kept. Which books cite which is known at the end, and inserted while the page is written.

mod excerpt;
mod reference;
mod section;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Result, ensure};

use crate::outlines::each_made;
use endpaper_command::Exit;
use endpaper_command::common::{CorpusArgs, exit_after_skips};
use endpaper_command::overwrite::{ForceArgs, check_writable, is_stdout};
use endpaper_command::page::{PageStyle, frame};
use endpaper_outline::{CitationLink, CitationLinks};
use endpaper_text::atomic;
use endpaper_text::wording::{byte_size, counted, thousands};
use section::{BookSection, ROWS, book_anchor, reference_anchor};

const TITLE: &str = "Outlines of books";

const STYLE: &str = include_str!("style.css");

/// Longest page, in bytes: what a browser opens, and what is kept in memory.
const MAX_PAGE_BYTES: usize = 128 << 20;

/// Most citing references that are linked from a book; the rest is counted.
const CITING: usize = 200;

/// Writes the page, and nothing else is printed.
///
/// # Errors
///
/// No books, a page that is too long, or a file that cannot be written.
pub(super) fn run(path: &Path, force: ForceArgs, corpus: &CorpusArgs) -> Result<Exit> {
    force.check_output(path)?;
    check_writable(path)?;
    let look = PageStyle::new(&[])?.with(STYLE);
    let mut page = OutlinePage::default();
    let skipped = each_made(
        corpus,
        path,
        |at, text, outlined| (BookSection::of(at + 1, text, &outlined), outlined.outline),
        |(section, outline)| {
            page.citations
                .add(&outline.metadata, &outline.bibliographies);
            page.add(section)
        },
    )?;
    if is_stdout(path) {
        page.write(&look, &mut BufWriter::new(io::stdout().lock()))?;
    } else {
        atomic::write(path, force.existing(), |out| page.write(&look, out))?;
    }
    Ok(exit_after_skips(&skipped))
}

/// The sections of all books, and the citations between them.
#[derive(Default)]
struct OutlinePage {
    sections: Vec<BookSection>,
    citations: CitationLinks,
    bytes: usize,
}

/// The links between the books of a page, by the positions of books, lists and items.
struct PageLinks<'a> {
    /// The cited book of a reference.
    cites: HashMap<(usize, usize, usize), usize>,
    /// The references that cite a book, in order.
    cited_by: HashMap<usize, Vec<CitationLink<'a>>>,
}

impl<'a> PageLinks<'a> {
    fn of(links: &[CitationLink<'a>]) -> PageLinks<'a> {
        let mut of = PageLinks {
            cites: HashMap::new(),
            cited_by: HashMap::new(),
        };
        let is_shown = |link: &&CitationLink<'_>| link.reference.item < ROWS;
        for link in links.iter().filter(is_shown) {
            let from = link.reference;
            of.cites
                .insert((from.book, from.list, from.item), link.cited);
            of.cited_by.entry(link.cited).or_default().push(*link);
        }
        of
    }
}

impl OutlinePage {
    /// Adds the next book.
    fn add(&mut self, section: BookSection) -> Result<()> {
        self.bytes += section.len();
        self.sections.push(section);
        ensure!(
            self.bytes <= MAX_PAGE_BYTES,
            "the page is longer than {} after {}; name fewer books, for example with --include",
            byte_size(MAX_PAGE_BYTES as u64),
            counted(self.sections.len() as u64, "book", "books"),
        );
        Ok(())
    }

    /// Writes the page.
    fn write(&self, look: &PageStyle, out: &mut dyn Write) -> io::Result<()> {
        let links = self.citations.links();
        let (start, end) = frame(TITLE, look);
        writeln!(out, "{start}{}<main>", self.header(links.len()))?;
        let links = PageLinks::of(&links);
        for (book, section) in self.sections.iter().enumerate() {
            let citing = links.cited_by.get(&book).map_or(&[][..], Vec::as_slice);
            section.write(out, &self.cited_by(citing), |list, item| {
                let cited = *links.cites.get(&(book, list, item))?;
                Some(format!(
                    " <span class=\"held\">{}</span>",
                    self.book_link(cited)
                ))
            })?;
        }
        write!(out, "</main>\n{end}")?;
        out.flush()
    }

    /// The heading, the totals, and the list of all books if there are several.
    fn header(&self, links: usize) -> String {
        let sum = |of: fn(&BookSection) -> usize| self.sections.iter().map(of).sum::<usize>();
        let (parts, references) = (
            sum(|section| section.parts),
            sum(|section| section.references),
        );
        let books = self.sections.len();
        let cited = match references {
            0 => String::new(),
            _ => format!(
                ", {}, {} of them to books on this page",
                counted(references as u64, "reference", "references"),
                thousands(links as u64)
            ),
        };
        let mut out = format!(
            "<header><h1>{TITLE}</h1>\n<p>{}, {}{cited}. Numbers are lines of the text; each part has its first words. \
            By <code>endpaper outline --html</code> {}.</p></header>\n",
            counted(books as u64, "book", "books"),
            counted(parts as u64, "part", "parts"),
            env!("CARGO_PKG_VERSION"),
        );
        if books > 1 {
            out.push_str("<nav aria-label=\"Books\"><ol class=\"books\">\n");
            for (book, section) in self.sections.iter().enumerate() {
                out.push_str("<li>");
                out.push_str(&self.book_link(book));
                if !section.by.is_empty() {
                    out.push_str(" <span class=\"soft\">");
                    out.push_str(&section.by);
                    out.push_str("</span>");
                }
                out.push_str("</li>\n");
            }
            out.push_str("</ol></nav>\n");
        }
        out
    }
    /// A link to the section of a book.
    fn book_link(&self, book: usize) -> String {
        let section = &self.sections[book];
        let anchor = book_anchor(section.number);
        format!("<a href=\"#{anchor}\">{}</a>", section.title)
    }

    /// The references that cite a book.
    fn cited_by(&self, links: &[CitationLink<'_>]) -> String {
        if links.is_empty() {
            return String::new();
        }
        let mut out = "<p class=\"cited\">Cited by ".to_owned();
        for (at, link) in links.iter().take(CITING).enumerate() {
            let from = link.reference;
            let citing = &self.sections[from.book];
            let anchor = reference_anchor(citing.number, from.list, from.item);
            let comma = if at == 0 { "" } else { "; " };
            let _ = write!(
                out,
                "{comma}<a href=\"#{anchor}\">{}, line {}</a>",
                citing.title, from.line
            );
        }
        if let Some(more) = links.len().checked_sub(CITING).filter(|more| *more > 0) {
            let _ = write!(out, "; and {} more", thousands(more as u64));
        }
        out.push_str("</p>\n");
        out
    }
}
