//! The tokenizer of all fields. The first letter of a text is the tag of its language.
//!
//! There is one field for each part of a book, not for each part and language: a query reads each field once, field lengths are
//! comparable between all books, and the frequency of a word can include all languages ([`super::statistics`]).

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::Language;
use super::words::{TermCache, WordPositions};

/// Its name in the schema.
pub(super) const TOKENIZER: &str = "endpaper";

/// Splits texts that begin with the tag of their language.
#[derive(Clone, Default)]
pub(super) struct TaggedTokenizer {
    /// By language, created when it first occurs.
    terms: Vec<Option<Box<TermCache>>>,
    token: Token,
}

impl Tokenizer for TaggedTokenizer {
    type TokenStream<'a> = TermStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> TermStream<'a> {
        self.token.reset();
        let tag = text.chars().next();
        let language = tag.and_then(Language::of_tag).unwrap_or_default();
        let text = tag.map_or("", |tag| &text[tag.len_utf8()..]);
        let place = language as usize;
        if self.terms.len() <= place {
            self.terms.resize_with(place + 1, || None);
        }
        let terms = self.terms[place].get_or_insert_with(|| Box::new(TermCache::of(language)));
        TermStream {
            text,
            words: WordPositions::of(text),
            terms,
            token: &mut self.token,
        }
    }
}

/// The terms of one text.
pub(super) struct TermStream<'a> {
    text: &'a str,
    words: WordPositions<'a>,
    terms: &'a mut TermCache,
    token: &'a mut Token,
}

impl TokenStream for TermStream<'_> {
    fn advance(&mut self) -> bool {
        let Some(word) = self.words.next() else {
            return false;
        };
        self.token.position = self.token.position.wrapping_add(1);
        (self.token.offset_from, self.token.offset_to) = (word.start, word.end);
        self.terms
            .write_term(&self.text[word], &mut self.token.text);
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}
