//! Splitting text into words, and the terms they are indexed by.
//!
//! A word is a run of letters and digits; a Chinese or Japanese character is a word by itself, so that a run of them is
//! found as a phrase. Words end at hyphens and apostrophes; the single letter after an apostrophe (`whale's`, `don't`) is
//! not a word. Word boundaries do not depend on other words, so lines can be split separately.
//!
//! A term is the tag of a language and the stem of a word, in lower case and without accents. Books and queries follow
//! the same rules.

use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use tantivy::tokenizer::{RawTokenizer, Stemmer, TextAnalyzer, TokenStream};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::Language;

/// Longest word, in bytes; longer words are truncated.
const MAX_WORD_BYTES: usize = 120;

/// Most words that are cached with their terms. A book has about ten thousand; with more than this it is not a text.
const REMEMBERED: usize = 200_000;

/// Iterator over the byte ranges of the words of a text.
pub(super) struct WordPositions<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> WordPositions<'a> {
    /// The words of a text, from its start.
    pub fn of(text: &'a str) -> WordPositions<'a> {
        WordPositions { text, at: 0 }
    }

    /// The character that begins at byte `at`.
    fn char_at(&self, at: usize) -> Option<char> {
        match self.text.as_bytes().get(at) {
            Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
            Some(_) => self.text.get(at..)?.chars().next(),
            None => None,
        }
    }

    /// The end of the word that begins at byte `start` with the character `first`.
    fn end_of(&self, start: usize, first: char) -> usize {
        let mut end = start + first.len_utf8();
        if is_whole_word(first) {
            return end;
        }
        let bytes = self.text.as_bytes();
        loop {
            while bytes.get(end).is_some_and(u8::is_ascii_alphanumeric) {
                end += 1;
            }
            match self.char_at(end) {
                Some(c) if !c.is_ascii() && is_word_part(c) => end += c.len_utf8(),
                _ => return end,
            }
        }
    }

    /// The offset at which the search for the next word begins: after a single letter that an apostrophe joins to this word.
    fn next_search_start(&self, end: usize) -> usize {
        let apostrophe = self.char_at(end).filter(|c| matches!(c, '\'' | '\u{2019}'));
        let Some(apostrophe) = apostrophe else {
            return end;
        };
        let letter = end + apostrophe.len_utf8();
        match self.char_at(letter) {
            Some(c) if is_word_part(c) => {
                let next = letter + c.len_utf8();
                let alone = self
                    .char_at(next)
                    .is_none_or(|c| !is_word_part(c) && !is_whole_word(c));
                if alone { next } else { end }
            }
            _ => end,
        }
    }
}

impl Iterator for WordPositions<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let bytes = self.text.as_bytes();
        loop {
            while bytes
                .get(self.at)
                .is_some_and(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric())
            {
                self.at += 1;
            }
            let first = self.char_at(self.at)?;
            if is_word_start(first) {
                let start = self.at;
                let end = self.end_of(start, first);
                self.at = if is_whole_word(first) {
                    end
                } else {
                    self.next_search_start(end)
                };
                return Some(start..end);
            }
            self.at += first.len_utf8();
        }
    }
}

/// Whether a word may begin with the character.
fn is_word_start(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_alphanumeric()
    } else {
        c.is_alphanumeric()
    }
}

/// Whether a word may continue with the character.
fn is_word_part(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_alphanumeric()
    } else {
        (c.is_alphanumeric() || is_combining_mark(c)) && !is_whole_word(c)
    }
}

/// Whether a character is a word by itself, because its script does not separate words by spaces.
fn is_whole_word(c: char) -> bool {
    matches!(c,
        '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
        && c.is_alphanumeric()
}

/// Turns words of one language into terms, and caches them.
pub(super) struct TermCache {
    language: Language,
    stemmer: Option<TextAnalyzer>,
    cache: HashMap<Box<str>, Box<str>, FixedState>,
    /// A small direct-mapped cache of short words, in front of `cache`.
    direct_cache: Box<[ShortWord]>,
}

/// Number of slots of the direct-mapped cache.
const DIRECT_SLOTS: usize = 4096;

/// A word and its term of at most 15 bytes each; the last byte of each array is the length.
#[derive(Clone, Copy, Default)]
struct ShortWord {
    word: [u8; 16],
    term: [u8; 16],
}

impl ShortWord {
    /// A word of at most 15 bytes with its length in the last; `None` if it is longer.
    fn pack(text: &str) -> Option<[u8; 16]> {
        let mut packed = [0; 16];
        packed
            .get_mut(..text.len())
            .filter(|part| part.len() < 16)?
            .copy_from_slice(text.as_bytes());
        packed[15] = text.len() as u8;
        Some(packed)
    }

    /// The slot of a packed word in the table of recent words.
    fn slot(word: [u8; 16]) -> usize {
        let number = u128::from_le_bytes(word);
        let mixed = (number as u64) ^ ((number >> 64) as u64).rotate_left(29);
        (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize % DIRECT_SLOTS
    }

    /// The stored term.
    fn term(&self) -> Option<&str> {
        let [term @ .., length] = &self.term;
        std::str::from_utf8(term.get(..usize::from(*length))?).ok()
    }
}

impl Clone for TermCache {
    /// The clone has empty caches.
    fn clone(&self) -> TermCache {
        TermCache::of(self.language)
    }
}

impl TermCache {
    /// A cache of the terms of a language.
    pub fn of(language: Language) -> TermCache {
        let stemmer = language.stemmer().map(|language| {
            let raw = TextAnalyzer::builder(RawTokenizer::default());
            raw.filter(Stemmer::new(language)).build()
        });
        TermCache {
            language,
            stemmer,
            cache: HashMap::default(),
            direct_cache: vec![ShortWord::default(); DIRECT_SLOTS].into(),
        }
    }

    /// Writes the term of a word.
    pub fn write_term(&mut self, word: &str, to: &mut String) {
        to.clear();
        let Some(packed) = ShortWord::pack(word) else {
            return self.write_cached(word, to);
        };
        let place = ShortWord::slot(packed);
        if let Some(near) = self
            .direct_cache
            .get(place)
            .filter(|near| near.word == packed)
            && let Some(term) = near.term()
        {
            return to.push_str(term);
        }
        self.write_cached(word, to);
        if let Some(near) = self.direct_cache.get_mut(place)
            && let Some(term) = ShortWord::pack(to)
        {
            *near = ShortWord { word: packed, term };
        }
    }

    /// Appends the term of a word, from the cache if possible.
    fn write_cached(&mut self, word: &str, to: &mut String) {
        if let Some(term) = self.cache.get(word) {
            return to.push_str(term);
        }
        let term = self.make(word);
        to.push_str(&term);
        if self.cache.len() >= REMEMBERED {
            self.cache.clear();
        }
        if word.len() <= MAX_WORD_BYTES {
            self.cache.insert(word.into(), term.into());
        }
    }

    /// The term of a word: in lower case, without accents, stemmed.
    fn make(&mut self, word: &str) -> String {
        let word = cut_off(word);
        let mut small: String = word.chars().flat_map(char::to_lowercase).collect();
        // English has no accents of its own: `Brontë` and `Bronte` are the same word and need the same stem.
        if matches!(self.language, Language::English | Language::Plain) {
            small = fold(&small);
        } else if !small.is_ascii() {
            small = small.nfc().collect();
        }
        let stem = match &mut self.stemmer {
            None => small,
            Some(stemmer) => {
                let mut stream = stemmer.token_stream(&small);
                let stem = stream.next().map(|token| token.text.clone());
                let stem = stem.filter(|stem| !stem.is_empty());
                stem.unwrap_or_else(|| small.clone())
            }
        };
        let mut term = String::with_capacity(stem.len() + 1);
        term.push(self.language.tag());
        term.push_str(&fold(&stem));
        term
    }
}

/// Truncates a word to [`MAX_WORD_BYTES`] bytes.
fn cut_off(word: &str) -> &str {
    let mut end = word.len().min(MAX_WORD_BYTES);
    while !word.is_char_boundary(end) {
        end -= 1;
    }
    &word[..end]
}

/// Removes accents and expands ligatures into two letters.
pub(super) fn fold(word: &str) -> String {
    if word.is_ascii() {
        return word.to_owned();
    }
    let mut folded = String::with_capacity(word.len());
    for c in word.nfkd().filter(|c| !is_combining_mark(*c)) {
        match c {
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ß' => folded.push_str("ss"),
            'ø' => folded.push('o'),
            'đ' | 'ð' => folded.push('d'),
            'ł' => folded.push('l'),
            'þ' => folded.push_str("th"),
            _ => folded.push(c),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<&str> {
        WordPositions::of(text).map(|word| &text[word]).collect()
    }

    fn term(language: Language, word: &str) -> String {
        let mut term = String::new();
        TermCache::of(language).write_term(word, &mut term);
        term.split_off(1)
    }

    #[test]
    fn words_end_where_a_reader_ends_them() {
        let table: &[(&str, &[&str])] = &[
            ("", &[]),
            (" --- ", &[]),
            ("The white-whale, 1851.", &["The", "white", "whale", "1851"]),
            ("the whale's tail; don't", &["the", "whale", "tail", "don"]),
            ("the whale\u{2019}s", &["the", "whale"]),
            ("d'Artagnan l'homme", &["d", "Artagnan", "l", "homme"]),
            ("I'll rock 'n' roll", &["I", "ll", "rock", "n", "roll"]),
            ("_Pequod_ *a*", &["Pequod", "a"]),
            (
                "Gr\u{fc}\u{df}e e\u{301}t\u{e9}",
                &["Gr\u{fc}\u{df}e", "e\u{301}t\u{e9}"],
            ),
            ("\u{767d}\u{9be8}abc", &["\u{767d}", "\u{9be8}", "abc"]),
            ("x\u{767d}", &["x", "\u{767d}"]),
        ];
        for (text, expected) in table {
            assert_eq!(words(text), *expected, "{text}");
        }
    }

    #[test]
    fn stems_follow_the_language() {
        let table = [
            (Language::English, "Whales", "whale"),
            (Language::English, "Bront\u{eb}", "bront"),
            (Language::English, "Bronte", "bront"),
            (Language::German, "H\u{e4}user", "haus"),
            (Language::German, "Stra\u{df}e", "strass"),
            (Language::French, "chevaux", "cheval"),
            (Language::Portuguese, "cora\u{e7}\u{f5}es", "coraco"),
            (Language::Plain, "Whales", "whales"),
            (Language::Plain, "\u{152}uvre", "oeuvre"),
            (Language::Plain, "\u{17f}o", "so"),
        ];
        for (language, word, expected) in table {
            assert_eq!(term(language, word), expected, "{word}");
        }
    }

    #[test]
    fn a_long_word_is_cut_off_between_letters() {
        let long = "\u{e9}".repeat(200);
        assert_eq!(term(Language::Plain, &long), "e".repeat(60));
    }

    #[test]
    fn a_remembered_word_has_the_same_term() {
        let mut terms = TermCache::of(Language::English);
        let (mut first, mut second) = (String::new(), String::new());
        terms.write_term("Hunting", &mut first);
        terms.write_term("Hunting", &mut second);
        assert_eq!(first, second);
        assert!(first.starts_with(Language::English.tag()));
    }

    proptest! {
        #[test]
        fn a_text_has_the_words_of_its_lines(text in "[a-c'\u{2019}\u{e9}\u{301}\u{767d}\\- \n]{0,60}") {
            let lines: Vec<&str> = text.split('\n').flat_map(words).collect();
            prop_assert_eq!(words(&text), lines);
        }

        #[test]
        fn any_word_has_a_term_in_any_language(word in "\\PC{1,20}", language in 0..Language::ALL.len()) {
            let mut term = String::new();
            TermCache::of(Language::ALL[language]).write_term(&word, &mut term);
            prop_assert!(term.starts_with(Language::ALL[language].tag()));
        }
    }
}
