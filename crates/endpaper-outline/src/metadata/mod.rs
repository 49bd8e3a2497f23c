//! The metadata of a book, from the library's header, the title page and the first pages.
//!
//! Several extractors read the same facts in different places, and the values vote, as in Wu et al., *Searching Online Book
//! Documents and Analyzing Book Citations*, section 3.2.1: a value found in more than one place wins; if all disagree, the most
//! trusted extractor decides. Every value keeps its sources.

mod dates;
mod fields;
mod imprint;
mod isbn;
mod language;
mod person_names;
mod title_page;
mod vote;
mod work_names;

use serde::Serialize;

use super::rows::BodyRows;
use endpaper_text::scan::Scan;

pub use dates::PartialDate;
pub(super) use dates::{is_month, years};
pub(super) use imprint::{is_imprint, is_town};
pub use isbn::Isbn;
pub use person_names::is_same_person as same_person;
pub(crate) use vote::comparison_key;
pub use vote::{MetadataValue, ValueExtractor, ValueSource, titles_agree};

/// The metadata of a book. Texts are decoded but not sanitised.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Metadata {
    /// Title.
    pub title: Option<MetadataValue<String>>,
    /// Authors in their order.
    pub authors: Vec<MetadataValue<String>>,
    /// Editors.
    pub editors: Vec<MetadataValue<String>>,
    /// Translators.
    pub translators: Vec<MetadataValue<String>>,
    /// Illustrators.
    pub illustrators: Vec<MetadataValue<String>>,
    /// English name of the language, from the header or from the words of the body.
    pub language: Option<MetadataValue<String>>,
    /// Release date of the e-book.
    pub released: Option<MetadataValue<PartialDate>>,
    /// Number of the e-book in its library.
    pub number: Option<MetadataValue<u32>>,
    /// The encoding that the header declares.
    pub encoding: Option<MetadataValue<String>>,
    /// Producer of the file.
    #[serde(rename = "hand")]
    pub producer: Option<MetadataValue<String>>,
    /// Publisher of the printed book.
    pub publisher: Option<MetadataValue<String>>,
    /// Place of publication.
    pub place: Option<MetadataValue<String>>,
    /// Year of the printed book.
    pub published: Option<MetadataValue<u32>>,
    /// The copyright notice.
    pub copyright: Option<MetadataValue<String>>,
    /// ISBNs in the first pages with a valid check digit.
    pub isbns: Vec<MetadataValue<Isbn>>,
}

/// Reads all metadata and lets the sources vote.
pub(super) fn read(rows: &BodyRows<'_>, scan: &Scan) -> Metadata {
    let fields = fields::read(rows.source(), rows.header_end(), scan.lines);
    let works = work_names::read(rows, scan);
    let page = title_page::read(rows);
    let mut metadata = Metadata {
        title: title(&fields, &works, &page, scan),
        ..Metadata::default()
    };
    let title = metadata.title.as_ref().map(|title| title.value.clone());
    metadata.authors = authors(&fields, &works, &page, scan, title.as_deref());
    metadata.editors =
        person_names::people(fields.values(fields::FieldName::Editor), &page.editors);
    metadata.translators = person_names::people(
        fields.values(fields::FieldName::Translator),
        &page.translators,
    );
    metadata.illustrators = person_names::people(
        fields.values(fields::FieldName::Illustrator),
        &page.illustrators,
    );
    metadata.language = language::read(rows, &fields, scan);
    metadata.released = released(&fields, &works);
    metadata.number = works.number(scan);
    metadata.encoding = fields.first(fields::FieldName::Encoding);
    metadata.producer = scan
        .header
        .producer
        .clone()
        .map(|hand| MetadataValue::from_source(hand, ValueExtractor::Scan, None));
    let imprint = imprint::read(rows, &page);
    metadata.publisher = imprint.publisher;
    metadata.place = imprint.place;
    metadata.published = fields.published().or(imprint.year);
    metadata.copyright = imprint.copyright;
    metadata.isbns = isbn::read(rows);
    metadata
}

/// [`Metadata::title`] without the rest.
pub(super) fn read_title(rows: &BodyRows<'_>, scan: &Scan) -> Option<MetadataValue<String>> {
    let fields = fields::read(rows.source(), rows.header_end(), scan.lines);
    let works = work_names::read(rows, scan);
    title(&fields, &works, &title_page::read(rows), scan)
}

/// The title with the most votes.
fn title(
    fields: &fields::HeaderFields,
    works: &work_names::WorkNames,
    page: &title_page::TitlePage,
    scan: &Scan,
) -> Option<MetadataValue<String>> {
    let mut ballot = vote::Ballot::default();
    for (value, source) in fields.values(fields::FieldName::Title).into_iter().take(1) {
        ballot.cast(&value, source);
    }
    for work in &works.all {
        ballot.cast(&work.title, work.source);
    }
    for (value, source) in &page.titles {
        ballot.cast_secondary(value, *source);
    }
    let scanned = scan
        .header
        .title
        .clone()
        .map(|title| MetadataValue::from_source(title, ValueExtractor::Scan, None));
    ballot.elect().or(scanned)
}

/// The authors with enough votes, given the elected `title`.
fn authors(
    fields: &fields::HeaderFields,
    works: &work_names::WorkNames,
    page: &title_page::TitlePage,
    scan: &Scan,
    title: Option<&str>,
) -> Vec<MetadataValue<String>> {
    let mut ballot = vote::Ballot::default();
    let stated = fields.values(fields::FieldName::Author);
    for (value, source) in &stated {
        for name in person_names::split(value) {
            ballot.cast(&name, *source);
        }
    }
    for (value, source) in works.authors() {
        for name in person_names::split(&value) {
            ballot.cast(&name, source);
        }
    }
    for (value, source) in &page.authors {
        for name in person_names::split(value) {
            ballot.cast(&name, *source);
        }
    }
    if ballot.is_empty()
        && let Some(author) = &scan.header.author
    {
        let line = ValueSource {
            extractor: ValueExtractor::Scan,
            line: None,
        };
        person_names::split(author)
            .iter()
            .for_each(|name| ballot.cast(name, line));
    }
    // `Shakespeare's First Folio`, `Bayard Taylor's Beauty and the Beast`.
    if ballot.is_empty()
        && let Some((name, line)) = title
            .and_then(|title| person_names::author_in_title(title))
            .zip(works.all.first())
    {
        ballot.cast(name, line.source);
    }
    person_names::elect(ballot)
}

/// The release date: from the field, or from before the number in an old header.
fn released(
    fields: &fields::HeaderFields,
    works: &work_names::WorkNames,
) -> Option<MetadataValue<PartialDate>> {
    let field = fields.values(fields::FieldName::Released).into_iter();
    let mut all = field.filter_map(|(value, source)| Some((dates::date(&value)?, source)));
    if let Some((value, source)) = all.next() {
        return Some(MetadataValue {
            value,
            sources: vec![source],
            instead: Vec::new(),
        });
    }
    let (value, line) = works.released?;
    Some(MetadataValue::from_source(
        value,
        ValueExtractor::Block,
        Some(line),
    ))
}
