//! The document of a book, as it goes into the index.

use std::iter::Map;
use std::slice::Iter;

use tantivy::schema::{Document as TantivyDocument, Field, OwnedValue};

use super::byte_budget::BudgetReservation;
use super::query::YearField;
use super::schema::IndexFields;
use super::stored::{StoredBook, push_count, push_line, tagged_text};
use super::words::WordPositions;
use super::{BookPart, Chapter, Language};
use endpaper_text::checksum::crc64;
use endpaper_text::corpus::BookText;

/// A book to be indexed.
#[derive(Clone, Debug)]
pub struct IndexDocument {
    /// Its id, unique in the index.
    pub id: String,
    /// Fingerprint of its inputs: a book is indexed again when this changes.
    pub fingerprint: u64,
    /// Its number in its library.
    pub number: Option<u32>,
    /// Title.
    pub title: Option<String>,
    /// Authors, as displayed.
    pub authors: Vec<String>,
    /// Other people that a search for authors finds: editors, translators and illustrators.
    pub other_people: Vec<String>,
    /// ISBNs.
    pub isbns: Vec<String>,
    /// The year of the printed book.
    pub published: Option<u32>,
    /// The year in which the e-book was released.
    pub released: Option<u32>,
    /// The language whose rules its words follow.
    pub language: Language,
    /// Headings in the body, in line order.
    pub chapters: Vec<Chapter>,
    /// First and last lines of tables of contents.
    pub contents: Vec<(u32, u32)>,
    /// First and last lines of lists of references, in line order, without overlaps.
    pub references: Vec<(u32, u32)>,
    /// The last line of the preamble, 0 if there is no preamble.
    pub preamble_end: u32,
    /// The first line of the epilogue, if any.
    pub epilogue_start: Option<u32>,
    /// The book.
    pub text: BookText,
}

impl IndexDocument {
    /// A document with an id and a text only: all of it is body.
    pub fn new(id: &str, text: BookText) -> IndexDocument {
        IndexDocument {
            id: id.to_owned(),
            fingerprint: 0,
            number: None,
            title: None,
            authors: Vec::new(),
            other_people: Vec::new(),
            isbns: Vec::new(),
            published: None,
            released: None,
            language: Language::Plain,
            chapters: Vec::new(),
            contents: Vec::new(),
            references: Vec::new(),
            preamble_end: 0,
            epilogue_start: None,
            text,
        }
    }

    /// The size of the text in bytes.
    pub fn bytes(&self) -> usize {
        self.text.bytes().len()
    }

    /// The values of all fields.
    ///
    /// # Errors
    ///
    /// The stored data cannot be serialised, which no book causes.
    pub(super) fn into_field_values(
        self,
        fields: &IndexFields,
    ) -> Result<Vec<(Field, OwnedValue)>, postcard::Error> {
        let (stored, texts) = self.stored();
        let language = self.language;
        let id = stored.id.clone();
        let mut values = Vec::new();
        // Each name is a separate value, so that no phrase spans two names.
        let mut add = |part: BookPart, language: Language, text: &str| {
            let tagged = format!("{}{text}", language.tag());
            values.push((fields.part(part), OwnedValue::Str(tagged)));
        };
        add(BookPart::Id, Language::Plain, &id);
        if let Some(number) = self.number {
            add(BookPart::Id, Language::Plain, &number.to_string());
        }
        if let Some(title) = &self.title {
            add(BookPart::Title, language, title);
        }
        for name in self.authors.iter().chain(&self.other_people) {
            add(BookPart::Authors, Language::Plain, name);
        }
        for chapter in &self.chapters {
            add(BookPart::Chapter, language, &chapter.title);
        }
        for isbn in &self.isbns {
            add(BookPart::Isbn, Language::Plain, &bare_isbn(isbn));
        }
        for lines in &self.contents {
            let text = tagged_text(&self.text, *lines, language);
            values.push((fields.part(BookPart::Contents), OwnedValue::Str(text)));
        }
        for (part, text) in texts {
            values.push((fields.part(part), OwnedValue::Str(text)));
        }
        values.push((fields.key, OwnedValue::Str(id)));
        values.push((fields.fingerprint, OwnedValue::U64(self.fingerprint)));
        values.push((fields.language, OwnedValue::Str(language.name().to_owned())));
        for (field, year) in [
            (YearField::Published, self.published),
            (YearField::Released, self.released),
        ] {
            let year = year.map(|year| (fields.year(field), OwnedValue::U64(year.into())));
            values.extend(year);
        }
        let stored = postcard::to_allocvec(&stored)?;
        values.push((fields.stored, OwnedValue::Bytes(stored)));
        Ok(values)
    }

    /// The stored data of the book, and the parts of its text.
    fn stored(&self) -> (StoredBook, Vec<(BookPart, String)>) {
        let lines = self.text.lines();
        let preamble_end = self.preamble_end.min(lines);
        let none = lines.saturating_add(1);
        let epilogue_start = self
            .epilogue_start
            .unwrap_or(none)
            .clamp(preamble_end + 1, none);
        let mut stored = StoredBook {
            id: self.id.clone(),
            title: self.title.clone(),
            authors: self.authors.clone(),
            published: self.published,
            language: self.language,
            crc: crc64(self.text.bytes()),
            lines,
            preamble_end,
            epilogue_start,
            chapters: self.chapters.clone(),
            contents: self.contents.clone(),
            references: self.references.clone(),
            line_word_counts: Vec::with_capacity(lines as usize),
        };
        let mut texts: Vec<(BookPart, String)> = BookPart::TEXT
            .iter()
            .map(|part| (*part, String::from(self.language.tag())))
            .collect();
        for line in 1..=lines {
            let part = stored.part_of(line);
            let Some((_, text)) = texts.iter_mut().find(|(of, _)| *of == part) else {
                continue;
            };
            let start = text.len();
            push_line(&self.text, line, text);
            let words = WordPositions::of(&text[start..]).count();
            push_count(&mut stored.line_word_counts, words as u32);
        }
        (stored, texts)
    }
}

/// An ISBN without hyphens, so that it is one word.
pub(super) fn bare_isbn(isbn: &str) -> String {
    isbn.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The values of a document, with the part of the budget that they use; it is released when Tantivy drops the document.
pub(super) struct BudgetedDocument {
    pub values: Vec<(Field, OwnedValue)>,
    pub _place: BudgetReservation,
}

type Borrow = fn(&(Field, OwnedValue)) -> (Field, &OwnedValue);

impl TantivyDocument for BudgetedDocument {
    type Value<'a> = &'a OwnedValue;
    type FieldsValuesIter<'a> = Map<Iter<'a, (Field, OwnedValue)>, Borrow>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        let borrow: Borrow = |(field, value)| (*field, value);
        self.values.iter().map(borrow)
    }
}
