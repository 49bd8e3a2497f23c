//! The fields of the index, and the weight of a match in each.

use tantivy::Index;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions,
};

use super::query::YearField;
use super::tokens::{TOKENIZER, TaggedTokenizer};
use endpaper_text::named_enum;

/// A part of a book that can be searched separately (Wu et al., *Searching Online Book Documents*, table 4; the body of
/// the paper is split into three parts here, at the cuts). As there, references are not part of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BookPart {
    /// The book's id and its number in the library.
    Id,
    /// Title.
    Title,
    /// Authors, editors and translators.
    Authors,
    /// Headings in the body.
    Chapter,
    /// Tables of contents.
    Contents,
    /// ISBNs.
    Isbn,
    /// The text before the body.
    Preamble,
    /// The body without its lists of references.
    Body,
    /// The lists of references in the body.
    References,
    /// The text after the body.
    Epilogue,
}

named_enum!(BookPart, "part of a book", {
    Id => "id",
    Title => "title",
    Authors => "authors",
    Chapter => "chapter",
    Contents => "contents",
    Isbn => "isbn",
    Preamble => "preamble",
    Body => "body",
    References => "references",
    Epilogue => "epilogue",
});

impl BookPart {
    /// The parts searched for words without a part of their own: all but the boilerplate and the references, which name books
    /// and people that the book is not about (Wu et al., section 3.3).
    pub const DEFAULT: &'static [BookPart] = &[
        BookPart::Title,
        BookPart::Authors,
        BookPart::Chapter,
        BookPart::Contents,
        BookPart::Body,
        BookPart::Id,
        BookPart::Isbn,
    ];

    /// The parts that have lines.
    pub const TEXT: &'static [BookPart] = &[
        BookPart::Body,
        BookPart::References,
        BookPart::Preamble,
        BookPart::Epilogue,
    ];

    /// The weight of a match. A book is about what its title and chapter titles name; the paper ranks by the same parts and
    /// states no numbers. Three and two were the smallest weights with which books about a subject rank above long books that
    /// only mention it often. They apply to single words and to adjacent words; one of several words weighs one in every part.
    pub fn boost(self) -> f32 {
        match self {
            BookPart::Title => 3.0,
            BookPart::Authors | BookPart::Chapter => 2.0,
            _ => 1.0,
        }
    }
}

/// The fields of the index.
#[derive(Clone, Debug)]
pub(super) struct IndexFields {
    pub schema: Schema,
    /// The id, not tokenised.
    pub key: Field,
    /// Fingerprint of the inputs of the document.
    pub fingerprint: Field,
    /// The language whose rules its words follow.
    pub language: Field,
    published: Field,
    released: Field,
    /// The stored data that hits are made of, see [`super::stored`].
    pub stored: Field,
    parts: Vec<Field>,
}

impl IndexFields {
    /// The schema of the index.
    pub fn new() -> IndexFields {
        let mut schema = Schema::builder();
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(TOKENIZER)
            .set_index_option(IndexRecordOption::WithFreqsAndPositions);
        let text = TextOptions::default().set_indexing_options(indexing);
        IndexFields {
            key: schema.add_text_field("key", STRING | FAST),
            fingerprint: schema.add_u64_field("fingerprint", FAST),
            language: schema.add_text_field("language", STRING),
            published: schema.add_u64_field("published", INDEXED),
            released: schema.add_u64_field("released", INDEXED),
            stored: schema.add_bytes_field("stored", STORED),
            parts: BookPart::ALL
                .iter()
                .map(|part| schema.add_text_field(part.name(), text.clone()))
                .collect(),
            schema: schema.build(),
        }
    }

    /// The field of a part of the book.
    pub fn part(&self, part: BookPart) -> Field {
        self.parts[part as usize]
    }

    /// The field of a year.
    pub fn year(&self, year: YearField) -> Field {
        match year {
            YearField::Published => self.published,
            YearField::Released => self.released,
        }
    }
}

/// Registers the tokenizer with an index.
pub(super) fn register(index: &Index) {
    index
        .tokenizers()
        .register(TOKENIZER, TaggedTokenizer::default());
}
