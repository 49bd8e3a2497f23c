//! Signs: what the words and the looks of a line say about where it comes from.
//!
//! A line of credits, of a licence or of a transcriber's note gives itself away by its words. All words of all signs are
//! looked for at once; each row of a Scan keeps what was found as one bit a sign.

mod letters;
mod set;
mod table;
mod vocabulary;

use crate::line::Normalised;

use self::letters::{DIGIT, LOWER, Letters, QUOTE, UPPER, WIDE};
use self::vocabulary::VOCABULARY;
pub(super) use letters::Buffers;
pub use set::Signs;
pub use table::Sign;

impl Signs {
    /// The signs of one normalised line; those that need the header ([`Sign::Title`] and its kin) are not among them.
    pub(super) fn of(line: &Normalised<'_>, buffers: &mut Buffers) -> Signs {
        let letters = buffers.of(line.text);
        let mut found = shape(line, &letters);
        VOCABULARY.look(&letters, &mut found);
        if found.has(Sign::NoteWord)
            && (found.has(Sign::Transcribe) || found.has(Sign::Etext) || found.has(Sign::Preparer))
        {
            found.set(Sign::ProducersNote);
        }
        if line.characters <= SHORT {
            for (sign, short) in [
                (Sign::Chapter, Sign::ShortHeading),
                (Sign::NoteWord, Sign::NoteHeading),
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
const SHORT: usize = 30;

/// What the looks of a line say.
fn shape(line: &Normalised<'_>, letters: &Letters<'_>) -> Signs {
    let text = line.text;
    let mut found = Signs::default();
    let (Some(first), Some(last)) = (text.chars().next(), text.chars().next_back()) else {
        return found;
    };
    let has = |class| letters.classes & class != 0;
    let (mut lower, mut upper) = (has(LOWER), has(UPPER));
    if has(QUOTE) {
        found.set(Sign::Dialogue);
    }
    if has(DIGIT) {
        years(text.as_bytes(), &mut found);
    }
    if has(WIDE) {
        lower |= text.contains(char::is_lowercase);
        upper |= text.contains(char::is_uppercase);
        if text.contains(['“', '”', '«', '»']) {
            found.set(Sign::Dialogue);
        }
    }
    let starred = text.trim_start_matches(['*', '-', ' ']);
    let ending = text.trim_end_matches(['"', '”', '\'', '’', ')']);
    let holds = [
        (Sign::Upper, upper && !lower),
        (Sign::LowerStart, first.is_lowercase()),
        (Sign::Bracket, starred.starts_with(['[', '{', '(', '<'])),
        (Sign::BracketEnd, matches!(last, ']' | '}' | ')' | '>')),
        (Sign::ColonEnd, last == ':'),
        (
            Sign::Quote,
            matches!(first, '"' | '“' | '«' | '„' | '‘' | '\''),
        ),
        (Sign::Digit, first.is_ascii_digit()),
        (Sign::FullStop, ending.ends_with(['.', '!', '?'])),
        (Sign::TheEnd, line.characters <= SHORT && is_the_end(text)),
    ];
    for (sign, _) in holds.into_iter().filter(|(_, held)| *held) {
        found.set(sign);
    }
    found
}

/// Looks for numbers of four digits.
fn years(text: &[u8], found: &mut Signs) {
    for number in text.split(|byte| !byte.is_ascii_digit()) {
        if number.len() == 4 {
            year(number, found);
        }
    }
}

fn year(digits: &[u8], found: &mut Signs) {
    let is_late = matches!(digits, [b'1', b'9', b'9', _] | [b'2', b'0', b'0'..=b'2', _]);
    let is_year = matches!(digits, [b'1', b'5'..=b'9', _, _]);
    if is_late {
        found.set(Sign::LateYear);
    } else if is_year {
        found.set(Sign::Year);
    }
}

/// How books end.
const THE_END: &[&str] = &[
    "the end", "finis", "fin", "ende", "fim", "fine", "einde", "loppu", "slut", "laus deo", "end",
];

fn is_the_end(text: &str) -> bool {
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    THE_END.iter().any(|end| bare.eq_ignore_ascii_case(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::Normaliser;

    fn of(line: &str) -> Signs {
        Signs::of(&Normaliser::default().text(line), &mut Buffers::default())
    }

    #[test]
    fn there_is_a_bit_for_every_sign_and_every_word_is_found() {
        assert!(Sign::ALL.len() <= 64);
        for &sign in Sign::ALL {
            for word in sign.words() {
                let bare = word.trim_start_matches('^');
                let bare = if bare.len() > 1 {
                    bare.trim_end_matches('>')
                } else {
                    bare
                };
                assert_eq!(bare, bare.to_lowercase(), "{word}");
                let mut found = Signs::default();
                VOCABULARY.look(&Buffers::default().of(bare), &mut found);
                assert!(found.has(sign), "{word}");
            }
        }
    }

    #[test]
    fn words_are_found_where_they_may_stand() {
        let table: &[(&str, Sign, bool)] = &[
            ("Produced by Al Haines", Sign::Credit, true),
            ("By hook or crook he produced it", Sign::Credit, false),
            ("Transcriber's Note:", Sign::ProducersNote, true),
            ("TRANSCRIBER'S NOTES", Sign::NoteHeading, true),
            ("Nota de transcrição:", Sign::ProducersNote, true),
            (
                "A banknote was found by the transcriber",
                Sign::NoteWord,
                false,
            ),
            ("Contents", Sign::Contents, true),
            ("The contents of the box", Sign::Contents, false),
            ("mailto: somebody@example.org", Sign::Contact, true),
            ("e-mail me", Sign::Contact, true),
            ("CHAPTER I", Sign::ShortHeading, true),
            (
                "Chapter by chapter the book was read to the children",
                Sign::ShortHeading,
                false,
            ),
            ("Title: Max Havelaar", Sign::Meta, true),
            ("Subtitles: none", Sign::Meta, false),
            ("London, 1887.", Sign::Year, true),
            ("in March 2004", Sign::LateYear, true),
            ("No. 20041 of 18765", Sign::LateYear, false),
            ("No. 20041 of 18765", Sign::Year, false),
            ("THE END.", Sign::TheEnd, true),
            ("The end was near", Sign::TheEnd, false),
            ("ÉTUDES", Sign::Upper, true),
            ("ÉTUDES é", Sign::Upper, false),
            ("*** [Illustration]", Sign::Bracket, true),
        ];
        for &(line, sign, held) in table {
            assert_eq!(of(line).has(sign), held, "{line}: {sign:?}");
        }
    }
}
