//! What a book says of itself: in the library's header, on its title page, and in its first pages.
//!
//! Several extractors read the same facts in different places, and the values vote, as in Wu et al., *Searching Online
//! Book Documents and Analyzing Book Citations*, section 3.2.1: what more than one place says is the value; where all
//! disagree, the most trusted extractor decides. Every value keeps the places it was read from.

mod dates;
mod fields;
mod isbn;
mod language;
mod names;
mod pages;
mod title_page;
mod vote;
mod works;

use serde::Serialize;

use super::rows::Rows;
use endpaper_text::scan::Scan;

pub use dates::Date;
pub(super) use dates::{is_month, years};
pub use isbn::Isbn;
pub use names::same as same_person;
pub(super) use pages::{is_imprint, is_town};
pub use vote::{Extractor, Source, Value, agree};

/// What a book says of itself. Texts are decoded and not sanitised.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Metadata {
    /// Title.
    pub title: Option<Value<String>>,
    /// Authors in their order.
    pub authors: Vec<Value<String>>,
    /// Editors.
    pub editors: Vec<Value<String>>,
    /// Translators.
    pub translators: Vec<Value<String>>,
    /// Illustrators.
    pub illustrators: Vec<Value<String>>,
    /// Language, by its English name if the header says it or it can be told from the words.
    pub language: Option<Value<String>>,
    /// When the e-book was released.
    pub released: Option<Value<Date>>,
    /// Number of the e-book in its library.
    pub number: Option<Value<u32>>,
    /// The encoding that the header declares.
    pub encoding: Option<Value<String>>,
    /// Who produced the file.
    pub hand: Option<Value<String>>,
    /// Publisher of the printed book.
    pub publisher: Option<Value<String>>,
    /// Where it was published.
    pub place: Option<Value<String>>,
    /// Year of the printed book.
    pub published: Option<Value<u32>>,
    /// The copyright notice.
    pub copyright: Option<Value<String>>,
    /// ISBNs of the first pages with right check digits.
    pub isbns: Vec<Value<Isbn>>,
}

/// Reads everything.
pub(super) fn read(rows: &Rows<'_>, scan: &Scan) -> Metadata {
    let fields = fields::read(rows.source(), rows.header(), scan.lines);
    let works = works::read(rows, scan);
    let page = title_page::read(rows);
    let mut metadata = Metadata {
        title: title(&fields, &works, &page, scan),
        ..Metadata::default()
    };
    let title = metadata.title.as_ref().map(|title| title.value.clone());
    metadata.authors = authors(&fields, &works, &page, scan, title.as_deref());
    metadata.editors = names::people(fields.of(fields::Name::Editor), &page.editors);
    metadata.translators = names::people(fields.of(fields::Name::Translator), &page.translators);
    metadata.illustrators = names::people(fields.of(fields::Name::Illustrator), &page.illustrators);
    metadata.language = language::read(rows, &fields, scan);
    metadata.released = released(&fields, &works);
    metadata.number = works.number(scan);
    metadata.encoding = fields.first(fields::Name::Encoding);
    metadata.hand = scan
        .header
        .hand
        .clone()
        .map(|hand| Value::only(hand, Extractor::Scan, None));
    let imprint = pages::read(rows, &page);
    metadata.publisher = imprint.publisher;
    metadata.place = imprint.place;
    metadata.published = fields.published().or(imprint.year);
    metadata.copyright = imprint.copyright;
    metadata.isbns = isbn::read(rows);
    metadata
}

fn title(
    fields: &fields::Fields,
    works: &works::Works,
    page: &title_page::TitlePage,
    scan: &Scan,
) -> Option<Value<String>> {
    let mut ballot = vote::Ballot::default();
    for (value, source) in fields.of(fields::Name::Title).into_iter().take(1) {
        ballot.cast(&value, source);
    }
    for work in &works.all {
        ballot.cast(&work.title, work.source);
    }
    for (value, source) in &page.titles {
        ballot.second(value, *source);
    }
    let scanned = scan
        .header
        .title
        .clone()
        .map(|title| Value::only(title, Extractor::Scan, None));
    ballot.elect().or(scanned)
}

fn authors(
    fields: &fields::Fields,
    works: &works::Works,
    page: &title_page::TitlePage,
    scan: &Scan,
    title: Option<&str>,
) -> Vec<Value<String>> {
    let mut ballot = vote::Ballot::default();
    let stated = fields.of(fields::Name::Author);
    for (value, source) in &stated {
        for name in names::split(value) {
            ballot.cast(&name, *source);
        }
    }
    for (value, source) in works.authors() {
        for name in names::split(&value) {
            ballot.cast(&name, source);
        }
    }
    for (value, source) in &page.authors {
        for name in names::split(value) {
            ballot.cast(&name, *source);
        }
    }
    if ballot.is_empty()
        && let Some(author) = &scan.header.author
    {
        let line = Source {
            extractor: Extractor::Scan,
            line: None,
        };
        names::split(author)
            .iter()
            .for_each(|name| ballot.cast(name, line));
    }
    // `Shakespeare's First Folio`, `Bayard Taylor's Beauty and the Beast`.
    if ballot.is_empty()
        && let Some((name, line)) = title
            .and_then(|title| names::in_title(title))
            .zip(works.all.first())
    {
        ballot.cast(name, line.source);
    }
    names::elect(ballot)
}

/// When the e-book was released: the field, or what stands before the number in an old header.
fn released(fields: &fields::Fields, works: &works::Works) -> Option<Value<Date>> {
    let field = fields.of(fields::Name::Released).into_iter();
    let mut all = field.filter_map(|(value, source)| Some((dates::date(&value)?, source)));
    if let Some((value, source)) = all.next() {
        return Some(Value {
            value,
            sources: vec![source],
            instead: Vec::new(),
        });
    }
    let (value, line) = works.released?;
    Some(Value::only(value, Extractor::Block, Some(line)))
}
