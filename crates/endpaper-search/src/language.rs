//! Languages with stemmers.

use serde::{Deserialize, Serialize};
use tantivy::tokenizer as stemmers;

use endpaper_text::named_enum;

/// The language whose rules reduce the words of a book to their stems.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// No stemming. For names, and for languages without a stemmer.
    #[default]
    Plain,
    /// Arabic.
    Arabic,
    /// Danish.
    Danish,
    /// Dutch.
    Dutch,
    /// English.
    English,
    /// Finnish.
    Finnish,
    /// French.
    French,
    /// German.
    German,
    /// Greek.
    Greek,
    /// Hungarian.
    Hungarian,
    /// Italian.
    Italian,
    /// Norwegian.
    Norwegian,
    /// Portuguese.
    Portuguese,
    /// Romanian.
    Romanian,
    /// Russian.
    Russian,
    /// Spanish.
    Spanish,
    /// Swedish.
    Swedish,
    /// Tamil.
    Tamil,
    /// Turkish.
    Turkish,
}

named_enum!(Language, "language", {
    Plain => "plain",
    Arabic => "arabic",
    Danish => "danish",
    Dutch => "dutch",
    English => "english",
    Finnish => "finnish",
    French => "french",
    German => "german",
    Greek => "greek",
    Hungarian => "hungarian",
    Italian => "italian",
    Norwegian => "norwegian",
    Portuguese => "portuguese",
    Romanian => "romanian",
    Russian => "russian",
    Spanish => "spanish",
    Swedish => "swedish",
    Tamil => "tamil",
    Turkish => "turkish",
});

impl Language {
    /// The language of a book by its English name, the first where several are named (`Portuguese & French`).
    pub fn of(name: &str) -> Language {
        let mut words = name.split(|c: char| !c.is_alphanumeric());
        let first = words.find(|word| !word.is_empty()).unwrap_or_default();
        let known = Language::ALL.iter().copied();
        let mut known = known.filter(|language| *language != Language::Plain);
        known
            .find(|language| language.name().eq_ignore_ascii_case(first))
            .unwrap_or_default()
    }

    /// The first letter of all terms of a language, so that words of different languages are different terms.
    pub(super) fn tag(self) -> char {
        char::from(b'A' + self as u8)
    }

    /// The language with a tag.
    pub(super) fn of_tag(tag: char) -> Option<Language> {
        let mut all = Language::ALL.iter().copied();
        all.find(|language| language.tag() == tag)
    }

    /// The stemmer of the language; `None` for [`Language::Plain`].
    pub(super) fn stemmer(self) -> Option<stemmers::Language> {
        use stemmers::Language as Stemmer;
        Some(match self {
            Language::Plain => return None,
            Language::Arabic => Stemmer::Arabic,
            Language::Danish => Stemmer::Danish,
            Language::Dutch => Stemmer::Dutch,
            Language::English => Stemmer::English,
            Language::Finnish => Stemmer::Finnish,
            Language::French => Stemmer::French,
            Language::German => Stemmer::German,
            Language::Greek => Stemmer::Greek,
            Language::Hungarian => Stemmer::Hungarian,
            Language::Italian => Stemmer::Italian,
            Language::Norwegian => Stemmer::Norwegian,
            Language::Portuguese => Stemmer::Portuguese,
            Language::Romanian => Stemmer::Romanian,
            Language::Russian => Stemmer::Russian,
            Language::Spanish => Stemmer::Spanish,
            Language::Swedish => Stemmer::Swedish,
            Language::Tamil => Stemmer::Tamil,
            Language::Turkish => Stemmer::Turkish,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_names_its_language_in_many_ways() {
        let cases = [
            ("English", Language::English),
            ("  german", Language::German),
            ("Portuguese & French", Language::Portuguese),
            ("English, Spanish, Tagalog", Language::English),
            ("Tagalog", Language::Plain),
            ("plain", Language::Plain),
            ("", Language::Plain),
        ];
        for (name, expected) in cases {
            assert_eq!(Language::of(name), expected, "{name}");
        }
    }

    #[test]
    fn every_language_has_a_tag_of_its_own() {
        for language in Language::ALL {
            assert_eq!(Language::of_tag(language.tag()), Some(*language));
        }
        assert_eq!(Language::of_tag('a'), None);
    }
}
