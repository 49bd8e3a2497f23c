//! The words of all signs, looked for at once.
//!
//! Most words of a line open no word of a sign. That is seen from three characters: of each, five bits are taken, in which
//! letters of both cases are the same, and one look into a table of fifteen bits says whether anything begins so.

use std::sync::LazyLock;

use super::{Sign, Signs, in_word};

pub(super) static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(Vocabulary::new);

/// Beginnings of three characters.
const BEGINNINGS: usize = 1 << 15;

/// Something begins so wherever it stands.
const ANYWHERE: u64 = 1;
/// Something begins so where a word begins.
const AT_WORD: u64 = 2;

pub(super) struct Vocabulary {
    /// What begins with three such characters: two bits each, so that all of them stay at hand.
    begins: Vec<u64>,
    /// Where the words with a beginning begin; one more for where the last end.
    starts: Vec<u16>,
    /// Words in the order of their beginnings.
    words: Vec<Word>,
    /// Words of one character: too short for a beginning, and few lines hold any.
    characters: Vec<Word>,
}

#[derive(Clone, Copy)]
struct Word {
    text: &'static [u8],
    sign: Sign,
    opens_line: bool,
    opens_word: bool,
    ends_word: bool,
}

impl Word {
    /// See [`Sign::words`] for how words are written.
    fn new(sign: Sign, pattern: &'static str) -> Word {
        let bare = pattern.trim_start_matches(['^', '<']);
        let ends_word = bare.len() > 1 && bare.ends_with('>');
        Word {
            text: &bare.as_bytes()[..bare.len() - usize::from(ends_word)],
            sign,
            opens_line: pattern.starts_with('^'),
            opens_word: pattern.starts_with('<'),
            ends_word,
        }
    }

    /// Whether it can only stand where a word begins.
    fn is_at_word(&self) -> bool {
        self.opens_word || (self.opens_line && self.text.first().copied().is_some_and(in_word))
    }

    /// Whether it stands in the line there; `opening` is where the first word of the line begins.
    fn stands(&self, line: &[u8], at: usize, opening: Option<usize>) -> bool {
        let end = at + self.text.len();
        let same = line.get(at..end);
        same.is_some_and(|same| same.eq_ignore_ascii_case(self.text))
            && !(self.opens_line && opening.is_some_and(|first| first < at))
            && (!self.opens_word || opens_word(line, at))
            && !(self.ends_word && line.get(end).copied().is_some_and(in_word))
    }
}

fn opens_word(line: &[u8], at: usize) -> bool {
    at == 0 || !in_word(line[at - 1])
}

/// One more character behind a beginning.
fn push(begin: u16, byte: u8) -> u16 {
    (begin << 5 | u16::from(byte & 31)) % BEGINNINGS as u16
}

/// The beginnings of a text; several, if it is shorter than three characters.
fn beginnings(text: &[u8]) -> impl Iterator<Item = u16> {
    let short = text
        .iter()
        .take(3)
        .fold(0, |begin, &byte| push(begin, byte));
    let missing = 3 - text.len().min(3) as u16;
    (0..1 << (5 * missing)).map(move |rest| short << (5 * missing) | rest)
}

impl Vocabulary {
    fn new() -> Vocabulary {
        let (mut begins, mut words) = (vec![0; BEGINNINGS / 32], Vec::new());
        let mut characters = Vec::new();
        for &sign in Sign::ALL {
            for pattern in sign.words() {
                let word = Word::new(sign, pattern);
                if word.text.len() < 2 {
                    characters.push(word);
                    continue;
                }
                for begin in beginnings(word.text) {
                    let what = if word.is_at_word() { AT_WORD } else { ANYWHERE };
                    begins[usize::from(begin >> 5)] |= what << (2 * (begin & 31));
                    words.push((begin, word));
                }
            }
        }
        words.sort_by_key(|word| word.0);
        let starts = (0..=BEGINNINGS as u16)
            .map(|begin| words.partition_point(|word| word.0 < begin) as u16)
            .collect();
        Vocabulary {
            begins,
            starts,
            words: words.into_iter().map(|word| word.1).collect(),
            characters,
        }
    }

    /// Adds the signs whose words stand in a line.
    pub fn look(&self, line: &str, found: &mut Signs) {
        let line = line.as_bytes();
        let opening = line.iter().position(|&byte| in_word(byte));
        for word in &self.characters {
            let stands = |at: usize| word.stands(line, at, opening);
            let character = |byte: &u8| {
                let first = word.text.first();
                first.is_some_and(|first| first.eq_ignore_ascii_case(byte))
            };
            if line.iter().any(character) && (0..line.len()).any(stands) {
                found.set(word.sign);
            }
        }
        let mut begin = 0;
        let mut produced = None;
        // Two characters ahead; behind the end nothing stands.
        let ahead = |at: usize| line.get(at + 2).copied().unwrap_or(0);
        for &byte in line.iter().take(2) {
            begin = push(begin, byte);
        }
        if line.len() == 1 {
            begin = push(begin, 0);
        }
        for at in 0..line.len() {
            begin = push(begin, ahead(at));
            let what = self.begins[usize::from(begin >> 5)] >> (2 * (begin & 31)) & 3;
            if what == 0 || (what == AT_WORD && !opens_word(line, at)) {
                continue;
            }
            self.begin(line, at, begin, &mut produced, found);
        }
    }

    /// Adds the signs whose words stand at one place, where they begin so. `produced` is where the first word that says
    /// so ends.
    fn begin(
        &self,
        line: &[u8],
        at: usize,
        begin: u16,
        produced: &mut Option<usize>,
        found: &mut Signs,
    ) {
        let begin = usize::from(begin);
        let range = usize::from(self.starts[begin])..usize::from(self.starts[begin + 1]);
        for word in &self.words[range] {
            // Where the line opens is asked for by few words.
            let opening = word
                .opens_line
                .then(|| line.iter().position(|&byte| in_word(byte)));
            if !word.stands(line, at, opening.flatten()) {
                continue;
            }
            found.set(word.sign);
            match word.sign {
                Sign::Verb => {
                    let end = at + word.text.len();
                    *produced = Some(produced.map_or(end, |first| first.min(end)));
                }
                Sign::By if produced.is_some_and(|end| at >= end) => found.set(Sign::Credit),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every word at every place.
    fn slowly(line: &str) -> Signs {
        let line = line.as_bytes();
        let opening = line.iter().position(|&byte| in_word(byte));
        let (mut found, mut verbs, mut bys) = (Signs::default(), Vec::new(), Vec::new());
        for &sign in Sign::ALL {
            for pattern in sign.words() {
                let word = Word::new(sign, pattern);
                for at in (0..line.len()).filter(|&at| word.stands(line, at, opening)) {
                    found.set(sign);
                    match sign {
                        Sign::Verb => verbs.push(at + word.text.len()),
                        Sign::By => bys.push(at),
                        _ => {}
                    }
                }
            }
        }
        if verbs.iter().any(|verb| bys.iter().any(|by| by >= verb)) {
            found.set(Sign::Credit);
        }
        found
    }

    /// Words of the signs and what stands between words.
    fn lines() -> impl Strategy<Value = String> {
        let words: Vec<String> = Sign::ALL
            .iter()
            .flat_map(|sign| sign.words())
            .map(|word| word.trim_matches(['^', '<', '>']).to_owned())
            .collect();
        let word = proptest::sample::select(words);
        let word = (word, any::<bool>()).prop_map(
            |(word, upper)| {
                if upper { word.to_uppercase() } else { word }
            },
        );
        let between = proptest::sample::select(vec!["", " ", "x", "é", "-", ". ", "9", "["]);
        let pieces = proptest::collection::vec((between, word), 0..6);
        pieces.prop_map(|pieces| pieces.into_iter().map(|(a, b)| a.to_owned() + &b).collect())
    }

    proptest! {
        #[test]
        fn every_word_is_found_where_it_stands(line in lines()) {
            let mut found = Signs::default();
            VOCABULARY.look(&line, &mut found);
            prop_assert_eq!(found, slowly(&line));
        }
    }
}
