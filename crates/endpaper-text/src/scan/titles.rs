//! Rows that repeat the title or the author named in the header, as a printed title page often does.

use std::hash::BuildHasher;
use std::sync::LazyLock;

use foldhash::fast::FixedState;

use super::cues::LexicalCue;
use super::cues::languages::{CueKind, Cues};
use super::lines::WindowLines;
use super::{Header, MarkerSet, ScanRow};

/// Rows of the head that are searched for a title page.
const ROWS: usize = 300;
/// A line repeats the title if it holds at least this many tenths of its words.
const MATCHES_OF_TEN: usize = 6;
/// A line longer than the title by this many characters is more than the title.
const MAX_EXTRA_CHARS: usize = 40;
/// Longest line that can be just the author, in characters.
const NAME: u16 = 60;

/// Sets the cues of the rows that repeat the title or the author.
pub(super) fn add_title_cues(text: &WindowLines<'_>, header: &Header, rows: &mut [ScanRow]) {
    let words = &*TITLE_WORDS;
    let title = words.word_hashes(header.title.as_deref().unwrap_or_default());
    let author = words.word_hashes(header.author.as_deref().unwrap_or_default());
    if title.is_empty() && author.is_empty() {
        return;
    }
    let names = [&header.title, &header.author];
    let page_words = TitlePageWords::of(names.into_iter().flatten(), &words.stop_words);
    let longest = header
        .title
        .as_ref()
        .map_or(0, |title| title.chars().count() + MAX_EXTRA_CHARS);
    for row in rows.iter_mut().take(ROWS) {
        // A line that names the library may name the title, but is not a title page.
        if row.marks.has(MarkerSet::GUTENBERG) {
            continue;
        }
        let length = usize::from(row.characters);
        if length > longest.max(usize::from(NAME)) {
            continue;
        }
        if page_words.are_missing(text.raw(row.line)) {
            continue;
        }
        let line = words.word_hashes(&text.display(row.line, 400));
        if line.is_empty() {
            continue;
        }
        let in_title = count_common(&line, &title);
        if in_title >= title.len().clamp(1, 2)
            && in_title * 10 >= title.len() * MATCHES_OF_TEN
            && length < longest
        {
            row.features.cues.set(LexicalCue::Title);
        } else if in_title == line.len() {
            row.features.cues.set(LexicalCue::TitleWord);
        }
        if !author.is_empty()
            && row.characters < NAME
            && count_common(&line, &author) >= author.len().min(2)
        {
            row.features.cues.set(LexicalCue::Author);
        }
    }
}

/// The ASCII words of title and author: a filter, since most lines have none of them.
#[derive(Default)]
struct TitlePageWords<'a> {
    words: Vec<&'a [u8]>,
    /// For each first letter, a bit for each length (modulo 32) of a word.
    lengths: [u32; 32],
    /// Whether there are characters outside ASCII.
    has_non_ascii: bool,
}

impl<'a> TitlePageWords<'a> {
    /// The words of these texts.
    fn of(texts: impl Iterator<Item = &'a String>, stop_words: &[&str]) -> TitlePageWords<'a> {
        let mut all = TitlePageWords::default();
        for text in texts {
            all.has_non_ascii |= !text.is_ascii();
            for word in ascii_words(text.as_bytes()) {
                let is = |common: &&str| word.eq_ignore_ascii_case(common.as_bytes());
                if !stop_words.iter().any(is) {
                    all.lengths[usize::from(word[0] & 31)] |= 1 << (word.len() % 32);
                    all.words.push(word);
                }
            }
        }
        all
    }

    /// Whether a line surely holds none of the words.
    fn are_missing(&self, line: &[u8]) -> bool {
        let is_one = |word: &[u8]| {
            self.lengths[usize::from(word[0] & 31)] >> (word.len() % 32) & 1 == 1
                && self.words.iter().any(|one| one.eq_ignore_ascii_case(word))
        };
        !self.has_non_ascii
            && line.is_ascii()
            && !line.contains(&0)
            && !ascii_words(line).any(is_one)
    }
}

/// The words of three or more ASCII letters.
fn ascii_words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let words = text.split(|byte| !byte.is_ascii_alphabetic());
    words.filter(|word| word.len() > 2)
}

/// How many of `these` are in `those`, which is sorted.
fn count_common(these: &[u64], those: &[u64]) -> usize {
    these
        .iter()
        .filter(|word| those.binary_search(word).is_ok())
        .count()
}

static TITLE_WORDS: LazyLock<TitleWords> = LazyLock::new(|| TitleWords::new(Cues::all()));

/// Hashes the words of titles and authors, so that a row is compared with them without copying it.
pub(super) struct TitleWords {
    hasher: FixedState,
    stop_words: Vec<&'static str>,
}

impl TitleWords {
    /// Leaves out the stop words among the cues.
    pub fn new(cues: &Cues) -> TitleWords {
        TitleWords {
            hasher: FixedState::default(),
            stop_words: cues.of(CueKind::TitleStopWord).collect(),
        }
    }

    /// Hashes of the lower-cased words of three or more letters, without stop words, sorted and without duplicates.
    pub fn word_hashes(&self, text: &str) -> Vec<u64> {
        let words = text.split(|c: char| !c.is_alphabetic());
        let long = words.filter(|word| word.len() > 2);
        let mut lower = String::new();
        let mut hashes: Vec<u64> = long
            .filter_map(|word| {
                lower.clear();
                lower.extend(word.chars().flat_map(char::to_lowercase));
                (!self.stop_words.contains(&lower.as_str()))
                    .then(|| self.hasher.hash_one(lower.as_str()))
            })
            .collect();
        hashes.sort_unstable();
        hashes.dedup();
        hashes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::{CueSet, WindowOptions, scan};

    #[test]
    fn the_title_page_says_what_the_header_said() {
        let found = scan(
            b"Title: The Fur Country\n\nAuthor: Jules Verne\n\n*** START OF THE PROJECT GUTENBERG EBOOK ***\n\n\
              THE FUR COUNTRY\n\nCOUNTRY\n\nby JULES VERNE\n\nIn the far North the fur trade was the only one.\n",
            WindowOptions::default(),
        );
        let marked = |line: u32| {
            found
                .rows
                .iter()
                .find(|row| row.line == line)
                .map(|row| row.features.cues)
        };
        let holds = |line, sign| marked(line).is_some_and(|cues: CueSet| cues.has(sign));
        assert!(holds(7, LexicalCue::Title));
        assert!(holds(9, LexicalCue::TitleWord) && !holds(9, LexicalCue::Title));
        assert!(holds(11, LexicalCue::Author) && !holds(11, LexicalCue::Title));
        assert!(!holds(13, LexicalCue::Title) && !holds(13, LexicalCue::TitleWord));
    }
}
