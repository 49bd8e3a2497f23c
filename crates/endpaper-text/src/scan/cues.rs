//! Lexical cues: what the words and the shape of a line tell about its origin.
//!
//! A line of credits, of a licence or of a transcriber's note is recognised by its words, which are in a file for each
//! language. The words of all cues are searched for at once; each [`ScanRow`](super::ScanRow) stores its cues as one bit each.

pub(super) mod languages;
mod lowered_line;
mod set;
mod table;
mod vocabulary;

use std::sync::LazyLock;

use crate::line::Normalised;

use self::languages::{CueKind, Cues};
use self::lowered_line::{DIGIT, LOWER, LoweredLine, QUOTE, UPPER, WIDE};
use self::vocabulary::VOCABULARY;
pub(super) use lowered_line::CueBuffers;
pub use set::CueSet;
pub use table::LexicalCue;

impl CueSet {
    /// The cues of one normalised line, except those that need the header: [`LexicalCue::Title`],
    /// [`LexicalCue::TitleWord`] and [`LexicalCue::Author`].
    pub(super) fn of(line: &Normalised<'_>, buffers: &mut CueBuffers) -> CueSet {
        let letters = buffers.of(line.text);
        let mut found = shape_cues(line, &letters);
        VOCABULARY.find_cues(&letters, &mut found);
        if found.has(LexicalCue::NoteWord)
            && (found.has(LexicalCue::Transcribe)
                || found.has(LexicalCue::Etext)
                || found.has(LexicalCue::Preparer))
        {
            found.set(LexicalCue::ProducersNote);
        }
        if line.characters <= MAX_HEADING_CHARS {
            for (sign, short) in [
                (LexicalCue::Chapter, LexicalCue::ShortHeading),
                (LexicalCue::NoteWord, LexicalCue::NoteHeading),
            ] {
                if found.has(sign) {
                    found.set(short);
                }
            }
        }
        found
    }
}

/// Longest line that can be a heading, in characters.
const MAX_HEADING_CHARS: usize = 30;

/// The cues from the shape of a line: case, brackets, punctuation, digits.
fn shape_cues(line: &Normalised<'_>, letters: &LoweredLine<'_>) -> CueSet {
    let text = line.text;
    let mut found = CueSet::default();
    let (Some(first), Some(last)) = (text.chars().next(), text.chars().next_back()) else {
        return found;
    };
    let has = |class| letters.classes & class != 0;
    let (mut lower, mut upper) = (has(LOWER), has(UPPER));
    if has(QUOTE) {
        found.set(LexicalCue::Dialogue);
    }
    if has(DIGIT) {
        years(text.as_bytes(), &mut found);
    }
    if has(WIDE) {
        lower |= text.contains(char::is_lowercase);
        upper |= text.contains(char::is_uppercase);
        if text.contains(['“', '”', '«', '»']) {
            found.set(LexicalCue::Dialogue);
        }
    }
    let starred = text.trim_start_matches(['*', '-', ' ']);
    let ending = text.trim_end_matches(['"', '”', '\'', '’', ')']);
    let holds = [
        (LexicalCue::Upper, upper && !lower),
        (LexicalCue::LowerStart, first.is_lowercase()),
        (
            LexicalCue::Bracket,
            starred.starts_with(['[', '{', '(', '<']),
        ),
        (
            LexicalCue::BracketEnd,
            matches!(last, ']' | '}' | ')' | '>'),
        ),
        (LexicalCue::ColonEnd, last == ':'),
        (
            LexicalCue::Quote,
            matches!(first, '"' | '“' | '«' | '„' | '‘' | '\''),
        ),
        (LexicalCue::Digit, first.is_ascii_digit()),
        (LexicalCue::FullStop, ending.ends_with(['.', '!', '?'])),
        (
            LexicalCue::TheEnd,
            line.characters <= MAX_HEADING_CHARS && is_the_end(text, &THE_END),
        ),
    ];
    for (sign, _) in holds.into_iter().filter(|(_, held)| *held) {
        found.set(sign);
    }
    found
}

/// Sets the cues of numbers of four digits that are years.
fn years(text: &[u8], found: &mut CueSet) {
    for number in text.split(|byte| !byte.is_ascii_digit()) {
        if number.len() == 4 {
            year(number, found);
        }
    }
}

/// Sets the cue of a year, if four digits are one.
fn year(digits: &[u8], found: &mut CueSet) {
    let is_late = matches!(digits, [b'1', b'9', b'9', _] | [b'2', b'0', b'0'..=b'2', _]);
    let is_year = matches!(digits, [b'1', b'5'..=b'9', _, _]);
    if is_late {
        found.set(LexicalCue::LateYear);
    } else if is_year {
        found.set(LexicalCue::Year);
    }
}

/// Lines that end a book.
static THE_END: LazyLock<Vec<&str>> = LazyLock::new(|| Cues::all().of(CueKind::TheEnd).collect());

/// Whether a line is `The End` in some language.
fn is_the_end(text: &str, ends: &[&str]) -> bool {
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    ends.iter().any(|end| bare.eq_ignore_ascii_case(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::Normaliser;

    fn of(line: &str) -> CueSet {
        CueSet::of(
            &Normaliser::default().text(line),
            &mut CueBuffers::default(),
        )
    }

    #[test]
    fn there_is_a_bit_for_every_cue() {
        assert!(LexicalCue::ALL.len() <= 64);
    }

    #[test]
    fn words_are_found_where_they_may_stand() {
        let table: &[(&str, LexicalCue, bool)] = &[
            ("Produced by Al Haines", LexicalCue::Credit, true),
            ("By hook or crook he produced it", LexicalCue::Credit, false),
            ("Transcriber's Note:", LexicalCue::ProducersNote, true),
            ("TRANSCRIBER'S NOTES", LexicalCue::NoteHeading, true),
            ("Nota de transcrição:", LexicalCue::ProducersNote, true),
            (
                "A banknote was found by the transcriber",
                LexicalCue::NoteWord,
                false,
            ),
            ("Contents", LexicalCue::Contents, true),
            ("The contents of the box", LexicalCue::Contents, false),
            ("mailto: somebody@example.org", LexicalCue::Contact, true),
            ("e-mail me", LexicalCue::Contact, true),
            ("CHAPTER I", LexicalCue::ShortHeading, true),
            (
                "Chapter by chapter the book was read to the children",
                LexicalCue::ShortHeading,
                false,
            ),
            ("Title: Max Havelaar", LexicalCue::Meta, true),
            ("Subtitles: none", LexicalCue::Meta, false),
            ("London, 1887.", LexicalCue::Year, true),
            ("in March 2004", LexicalCue::LateYear, true),
            ("No. 20041 of 18765", LexicalCue::LateYear, false),
            ("No. 20041 of 18765", LexicalCue::Year, false),
            ("THE END.", LexicalCue::TheEnd, true),
            ("The end was near", LexicalCue::TheEnd, false),
            ("ÉTUDES", LexicalCue::Upper, true),
            ("ÉTUDES é", LexicalCue::Upper, false),
            ("*** [Illustration]", LexicalCue::Bracket, true),
        ];
        for &(line, sign, held) in table {
            assert_eq!(of(line).has(sign), held, "{line}: {sign:?}");
        }
    }
}
