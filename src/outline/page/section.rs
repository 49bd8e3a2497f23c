//! One book: what it is, its contents, the beginnings of its parts, its references.

use std::fmt::Write as _;

use super::excerpt::{self, first_words};
use super::reference;
use endpaper_command::page::{clipped, escaped};
use endpaper_outline::{Bibliography, BookOutline, Metadata, MetadataValue, Outline, OutlineEntry};
use endpaper_text::corpus::BookText;
use endpaper_text::wording::{plural, thousands};

/// Most parts shown of a book, and most references of one of its lists; the rest is counted.
pub(super) const ROWS: usize = 2_000;
/// Most people and ISBNs of a kind.
const PEOPLE: usize = 20;
/// Most characters shown of a title, a name and the like.
const VALUE: usize = 300;
/// Deepest level that is indented.
const MAX_LEVEL: u8 = 6;

/// The section of a book, without what is known only after all books are read: the links between books.
pub(super) struct BookSection {
    /// The number of the book, which its anchors begin with.
    pub number: usize,
    /// Its title, or its id without one: markup.
    pub title: String,
    /// Its authors and year: markup.
    pub by: String,
    pub parts: usize,
    pub references: usize,
    /// The markup.
    html: String,
    /// Where in `html` the books that cite it are inserted.
    cited_by: usize,
    /// The references whose anchors and links are inserted: where, list, item.
    slots: Vec<(usize, usize, usize)>,
}

/// The anchor of a book.
pub(super) fn book_anchor(book: usize) -> String {
    format!("b{book}")
}

/// The anchor of a reference.
pub(super) fn reference_anchor(book: usize, list: usize, item: usize) -> String {
    format!("b{book}r{list}.{item}")
}

impl BookSection {
    /// Makes the section of a book.
    pub fn of(number: usize, text: &BookText, outlined: &BookOutline<'_>) -> BookSection {
        let outline = &outlined.outline;
        let about = &outline.metadata;
        let id = outlined.book.id.as_str();
        let title = MetadataValue::text(about.title.as_ref()).unwrap_or(id);
        let title = clipped(title, VALUE);
        let by = by(about);
        let anchor = book_anchor(number);
        let mut html =
            format!("<section id=\"{anchor}\">\n<h2><a href=\"#{anchor}\">{title}</a></h2>\n");
        put_facts(&mut html, outlined);
        let cited_by = html.len();
        put_parts(&mut html, number, text, outline);
        let mut section = BookSection {
            number,
            title,
            by,
            parts: outline.entries.len(),
            references: outline
                .bibliographies
                .iter()
                .map(|list| list.items.len())
                .sum(),
            html,
            cited_by,
            slots: Vec::new(),
        };
        for (at, list) in outline.bibliographies.iter().enumerate() {
            section.put_references(at, list);
        }
        section.html.push_str("</section>\n");
        section
    }

    /// Length of the markup in bytes.
    pub fn len(&self) -> usize {
        self.html.len()
    }

    /// Writes the section. `cited_by` is markup, `link` returns the markup after a reference by list and item.
    pub fn write(
        &self,
        out: &mut dyn std::io::Write,
        cited_by: &str,
        link: impl Fn(usize, usize) -> Option<String>,
    ) -> std::io::Result<()> {
        let mut at = self.cited_by;
        out.write_all(&self.html.as_bytes()[..at])?;
        out.write_all(cited_by.as_bytes())?;
        for &(slot, list, item) in &self.slots {
            if let Some(link) = link(list, item) {
                out.write_all(&self.html.as_bytes()[at..slot])?;
                out.write_all(link.as_bytes())?;
                at = slot;
            }
        }
        out.write_all(&self.html.as_bytes()[at..])
    }

    /// Appends a list of references.
    fn put_references(&mut self, at: usize, list: &Bibliography) {
        let items = list.items.len();
        let _ = write!(
            self.html,
            "<h3>{} {} <span class=\"line\">line {}</span></h3>\n<ol class=\"refs\">\n",
            thousands(items as u64),
            plural(items, "reference"),
            list.line
        );
        for (position, item) in list.items.iter().take(ROWS).enumerate() {
            let anchor = reference_anchor(self.number, at, position);
            let _ = write!(self.html, "<li id=\"{anchor}\" value=\"{}\">", item.number);
            reference::put(&mut self.html, item);
            self.slots.push((self.html.len(), at, position));
            self.html.push_str("</li>\n");
        }
        self.html.push_str("</ol>\n");
        put_rest(&mut self.html, items, "reference");
    }
}

/// Says how many rows are left out.
fn put_rest(out: &mut String, rows: usize, what: &str) {
    if let Some(rest) = rows.checked_sub(ROWS).filter(|rest| *rest > 0) {
        let (rest, what) = (thousands(rest as u64), plural(rest, what));
        let _ = writeln!(out, "<p class=\"soft\">and {rest} more {what}</p>");
    }
}

/// Authors and year for the list of all books.
fn by(about: &Metadata) -> String {
    let year = about.published.as_ref().map(|year| year.value.to_string());
    let authors = people(&about.authors);
    let known = [authors, year.unwrap_or_default()];
    let known: Vec<String> = known.into_iter().filter(|text| !text.is_empty()).collect();
    known.join(", ")
}

/// Names, separated by semicolons.
fn people(values: &[MetadataValue<String>]) -> String {
    let all: Vec<&str> = MetadataValue::texts(values);
    let mut shown: Vec<String> = all
        .iter()
        .take(PEOPLE)
        .map(|name| clipped(name, VALUE))
        .collect();
    if all.len() > PEOPLE {
        shown.push("and others".to_owned());
    }
    shown.join("; ")
}

/// Appends what is known of the book: people, dates, imprint, ISBN, file.
fn put_facts(out: &mut String, outlined: &BookOutline<'_>) {
    let about = &outlined.outline.metadata;
    let text = |value: &Option<MetadataValue<String>>| {
        let value = MetadataValue::text(value.as_ref());
        value.map_or_else(String::new, |value| clipped(value, VALUE))
    };
    let year = about.published.as_ref().map(|year| year.value.to_string());
    let imprint = [
        text(&about.place),
        text(&about.publisher),
        year.unwrap_or_default(),
    ];
    let imprint: Vec<String> = imprint
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect();
    let isbns = about
        .isbns
        .iter()
        .take(PEOPLE)
        .map(|isbn| isbn.value.to_string());
    let released = about.released.as_ref().map(|date| date.value.to_string());
    let number = about.number.as_ref().map(|number| number.value.to_string());
    let file = format!(
        "<code>{}</code>, {} {}",
        clipped(outlined.book.id.as_str(), VALUE),
        thousands(outlined.lines),
        plural(outlined.lines as usize, "line")
    );
    let facts = [
        ("Authors", people(&about.authors)),
        ("Editors", people(&about.editors)),
        ("Translators", people(&about.translators)),
        ("Illustrators", people(&about.illustrators)),
        ("Published", imprint.join(", ")),
        ("Copyright", text(&about.copyright)),
        ("ISBN", isbns.collect::<Vec<String>>().join(", ")),
        ("Released", released.unwrap_or_default()),
        ("Language", text(&about.language)),
        ("Number", number.unwrap_or_default()),
        ("File", file),
        ("Pages", escaped(&outlined.outline.filter.to_string())),
    ];
    out.push_str("<dl class=\"facts\">\n");
    for (name, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
        let _ = writeln!(out, "<dt>{name}</dt><dd>{value}</dd>");
    }
    out.push_str("</dl>\n");
}

/// Appends the contents as links, and the parts they link to, each with its line and first words.
fn put_parts(out: &mut String, number: usize, text: &BookText, outline: &Outline) {
    let entries = &outline.entries;
    if entries.is_empty() {
        return;
    }
    out.push_str("<h3>Contents");
    for list in &outline.lists {
        let _ = write!(
            out,
            " <span class=\"line\">lines {}\u{2013}{}</span>",
            list.first, list.last
        );
    }
    out.push_str("</h3>\n<ol class=\"contents\">\n");
    let shown = || entries.iter().take(ROWS).enumerate();
    let title = |entry: &OutlineEntry| clipped(&entry.to_string(), VALUE);
    for (at, entry) in shown() {
        let (level, title) = (entry.level.clamp(1, MAX_LEVEL), title(entry));
        let _ = match (entry.line, entry.listed) {
            (Some(line), _) => writeln!(
                out,
                "<li class=\"l{level}\"><a href=\"#b{number}p{at}\">{title}</a> <span class=\"line\">{line}</span></li>"
            ),
            (None, listed) => {
                let listed =
                    listed.map_or_else(String::new, |line| format!("listed in line {line}, "));
                writeln!(
                    out,
                    "<li class=\"l{level}\">{title} <span class=\"line\">{listed}not found in the text</span></li>"
                )
            }
        };
    }
    out.push_str("</ol>\n");
    put_rest(out, entries.len(), "part");
    if entries.iter().take(ROWS).all(|entry| entry.line.is_none()) {
        return;
    }
    out.push_str("<h3>Parts</h3>\n<dl class=\"parts\">\n");
    let found = shown().filter_map(|(at, entry)| Some((at, entry, entry.line?)));
    let next = entries.iter().filter_map(|entry| entry.line).skip(1);
    for ((at, entry, line), end) in found.zip(next.map(Some).chain(std::iter::repeat(None))) {
        let words = clipped(&first_words(text, entry, end), excerpt::CHARS);
        let _ = writeln!(
            out,
            "<dt id=\"b{number}p{at}\">{} <span class=\"line\">line {line}</span></dt><dd>{words}</dd>",
            title(entry)
        );
    }
    out.push_str("</dl>\n");
}
