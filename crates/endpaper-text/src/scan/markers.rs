//! Marker lines (Kaser & Lemire, section 3.4), and lines of credits and notes.
//!
//! Two of the three regular expressions printed in the paper are damaged (groups lost, line breaks in the middle); those
//! here reconstruct their meaning and are tested on real lines. Cheap checks come first, for how a line opens and for
//! rare combinations of letters, since most lines are not markers.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::cues::languages::{CueKind, Cues};
use super::leading_pattern::LeadingPattern;
use crate::lanes::any_triple;
use crate::line::Normalised;

/// The marks of a line, as a set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MarkerSet(pub u16);

impl MarkerSet {
    /// Under 30 characters (a wide one counts as two), or no letter.
    pub const TRIVIAL: MarkerSet = MarkerSet(1);
    /// `*** START OF THE PROJECT GUTENBERG ...`: the preamble goes at least to here (section 3.4, first rule).
    pub const START: MarkerSet = MarkerSet(2);
    /// `*END*THE SMALL PRINT!`: the preamble goes at least to here (section 3.4, first rule).
    pub const SMALL_PRINT_END: MarkerSet = MarkerSet(4);
    /// `End of the Project Gutenberg ...`, `*** END OF ...`: the epilogue begins at or before here (second rule).
    pub const END: MarkerSet = MarkerSet(8);
    /// Begins with `ETEXT` (third rule; only near the end of a file).
    pub const ETEXT: MarkerSet = MarkerSet(16);
    /// Holds `Gutenberg` in any case (section 5, sanity test).
    pub const GUTENBERG: MarkerSet = MarkerSet(32);
    /// No letter and no digit: a separator.
    pub const SEPARATOR: MarkerSet = MarkerSet(64);
    /// Opens like a volunteer's credits: `Produced by`, `E-text prepared by`, `Scanned and proofed by`, or names the
    /// proofreading team.
    pub const CREDITS: MarkerSet = MarkerSet(128);
    /// Opens a transcriber's, editor's or producer's note.
    pub const NOTE: MarkerSet = MarkerSet(256);

    /// The marks of one normalised line.
    pub fn of(line: &Normalised<'_>) -> MarkerSet {
        find_markers(line)
    }

    /// Whether all bits of `other` are set.
    pub fn has(self, other: MarkerSet) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any bit of `other` is set.
    pub fn has_any(self, other: MarkerSet) -> bool {
        self.0 & other.0 != 0
    }
}

impl std::ops::BitOr for MarkerSet {
    type Output = MarkerSet;
    fn bitor(self, other: MarkerSet) -> MarkerSet {
        MarkerSet(self.0 | other.0)
    }
}

impl std::ops::BitOrAssign for MarkerSet {
    fn bitor_assign(&mut self, other: MarkerSet) {
        self.0 |= other.0;
    }
}

/// The regular expressions of marker lines, credits and notes.
pub(super) struct MarkerPatterns {
    signing: Regex,
    start: Regex,
    small_print_end: Regex,
    end: Regex,
    credits: LeadingPattern,
    note: LeadingPattern,
}

static PATTERNS: LazyLock<Option<MarkerPatterns>> =
    LazyLock::new(|| MarkerPatterns::new(Cues::all()));

impl MarkerPatterns {
    /// `None` if an expression of the cues is invalid.
    pub fn new(cues: &Cues) -> Option<MarkerPatterns> {
        let compile = |pattern: &str| Regex::new(pattern).ok();
        let of = |kind| cues.expression(kind);
        // A blank follows an article, unless it is elided.
        let articles = cues.of(CueKind::EndArticle).map(|word| match word {
            elided if elided.ends_with('\'') => elided.to_owned(),
            word => format!("{word} "),
        });
        let articles: Vec<String> = articles.collect();
        Some(MarkerPatterns {
            // Case is ignored for ASCII letters only.
            signing: compile(&format!("(?i-u:{})", of(CueKind::CreditsPart)))?,
            // `[\s*]*\*[\s]?START OF (THE|THIS) PROJECT GUTENBERG`; newer files leave the article out or write EBOOK first.
            start: compile(
                r"(?i)^[\s*]*\*\s?START OF (?:THE |THIS )?(?:ETEXT OF |EBOOK OF )?PROJECT GUTENBERG",
            )?,
            small_print_end: compile(
                r"(?i)^[\s*]*\*?\s?END[\s*]+THE SMALL PRINT|\*END\*+\s*THE SMALL PRINT",
            )?,
            // Articles, `is`, `of` and asterisks, then End, then articles, then the name.
            end: compile(&format!(
                r"(?i)^(?:this |is |the |of |[*\s\-])*(?:{})[\s:]+(?:{})*[\s]*project gutenberg",
                of(CueKind::EndWord),
                articles.join("|"),
            ))?,
            credits: LeadingPattern::new(&of(CueKind::CreditsOpening))?,
            note: LeadingPattern::new(&of(CueKind::NoteOpening))?,
        })
    }

    /// Whether a line is one of credits.
    pub fn is_credits(&self, text: &str) -> bool {
        self.credits.matches(text) && self.signing.is_match(text)
    }

    /// Whether a line opens a note.
    pub fn is_note(&self, text: &str) -> bool {
        self.note.matches(text) && self.signing.is_match(text)
    }

    /// The marks of a line that names the library.
    pub fn gutenberg_marks(&self, text: &str) -> MarkerSet {
        let mut marks = MarkerSet::default();
        if self.start.is_match(text) {
            marks |= MarkerSet::START;
        }
        if self.end.is_match(text) {
            marks |= MarkerSet::END;
        }
        marks
    }
}

/// The marks of a line.
fn find_markers(line: &Normalised<'_>) -> MarkerSet {
    let text = line.text;
    let mut marks = if line.trivial {
        MarkerSet::TRIVIAL
    } else {
        MarkerSet::default()
    };
    // A line that is not trivial holds a letter.
    if line.trivial && !text.contains(char::is_alphanumeric) {
        return marks | MarkerSet::SEPARATOR;
    }
    let Some(patterns) = &*PATTERNS else {
        return marks;
    };
    if text.starts_with("ETEXT") {
        marks |= MarkerSet::ETEXT;
    }
    let mut team = false;
    if may_hold(text.as_bytes()) {
        if contains_word(text, b"utenberg") {
            marks |= MarkerSet::GUTENBERG;
            marks |= patterns.gutenberg_marks(text);
        }
        if contains_word(text, b"small print") && patterns.small_print_end.is_match(text) {
            marks |= MarkerSet::SMALL_PRINT_END;
        }
        team = contains_word(text, b"distributed proofread") || contains_word(text, b"pgdp.net");
    }
    if team || patterns.is_credits(text) {
        marks |= MarkerSet::CREDITS;
    }
    if patterns.is_note(text) {
        marks |= MarkerSet::NOTE;
    }
    marks
}

/// Three characters of each word that [`contains_word`] is called with, which are rare in other words.
const RARE_TRIGRAMS: [[u8; 3]; 4] = [*b"nbe", *b"l p", *b"ofr", *b"gdp"];

/// Whether a line may hold one of the words of [`RARE_TRIGRAMS`], in any case.
fn may_hold(text: &[u8]) -> bool {
    any_triple(text, is_rare)
}

/// Whether three bytes are one of [`RARE_TRIGRAMS`], in any case.
fn is_rare(first: u8, second: u8, third: u8) -> bool {
    let triple = [first | 0x20, second | 0x20, third | 0x20];
    let is =
        |rare: [u8; 3]| (triple[0] == rare[0]) & (triple[1] == rare[1]) & (triple[2] == rare[2]);
    RARE_TRIGRAMS
        .iter()
        .fold(false, |any, rare| any | is(*rare))
}

/// Whether a text holds an ASCII word, given in lower case, in any case.
fn contains_word(text: &str, word: &[u8]) -> bool {
    let (first, rest) = (word[0], &word[1..]);
    let bytes = text.as_bytes();
    memchr::memchr2_iter(first, first.to_ascii_uppercase(), bytes).any(|at| {
        bytes
            .get(at + 1..at + 1 + rest.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(rest))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::Normaliser;

    fn of(line: &str) -> MarkerSet {
        let mut normaliser = Normaliser::default();
        find_markers(&normaliser.text(line))
    }

    #[test]
    fn marker_lines_of_every_era_are_known() {
        let table: &[(&str, MarkerSet)] = &[
            (
                "*** START OF THIS PROJECT GUTENBERG EBOOK MAX HAVELAAR ***",
                MarkerSet::START,
            ),
            (
                "***START OF THE PROJECT GUTENBERG EBOOK THE PRINCE***",
                MarkerSet::START,
            ),
            (
                "*** START OF THE PROJECT GUTENBERG EBOOK 1342 ***",
                MarkerSet::START,
            ),
            (
                "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*",
                MarkerSet::SMALL_PRINT_END,
            ),
            (
                "*END THE SMALL PRINT! FOR PUBLIC DOMAIN EBOOKS*Ver.02/11/02*END*",
                MarkerSet::SMALL_PRINT_END,
            ),
            (
                "End of the Project Gutenberg EBook of Max Havelaar, by Multatuli",
                MarkerSet::END,
            ),
            (
                "End of Project Gutenberg's A Study in Scarlet, by A. Conan Doyle",
                MarkerSet::END,
            ),
            (
                "*** END OF THIS PROJECT GUTENBERG EBOOK MAX HAVELAAR ***",
                MarkerSet::END,
            ),
            (
                "This is the End of The Project Gutenberg Etext of something",
                MarkerSet::END,
            ),
            (
                "End of The Project Gutenberg Etext of Moby Dick",
                MarkerSet::END,
            ),
            (
                "***END OF THE PROJECT GUTENBERG EBOOK THE PRINCE***",
                MarkerSet::END,
            ),
            ("ETEXT EDITOR'S BOOKMARKS:", MarkerSet::ETEXT),
        ];
        for (line, mark) in table {
            assert!(of(line).has(*mark), "{line}: {:?}", of(line));
        }
    }

    #[test]
    fn lines_that_only_look_alike_are_no_markers() {
        let markers =
            MarkerSet::START | MarkerSet::SMALL_PRINT_END | MarkerSet::END | MarkerSet::ETEXT;
        for line in [
            "The Project Gutenberg EBook of Max Havelaar, by Multatuli",
            "**The Project Gutenberg Etext of A Study in Scarlet**",
            "Project Gutenberg's small print is long",
            "In the end of the year Gutenberg printed his bible",
            "***START**THE SMALL PRINT!**FOR PUBLIC DOMAIN EBOOKS**START***",
            "the END",
        ] {
            assert!(!of(line).has_any(markers), "{line}: {:?}", of(line));
        }
    }

    #[test]
    fn credits_and_notes_are_known() {
        for line in [
            "Produced by Marc D'Hooghe.",
            "Produced by Juliet Sutherland, Charles Franks and the Online Distributed",
            "E-text prepared by Al Haines",
            "Etext prepared by Roger Squires  rsquires@unm.edu",
            "This etext was prepared by David Price, email ccx074@coventry.ac.uk",
            "This etext was produced by Judith Boss, Omaha, Nebraska.",
            "Scanned and proofed by Ronald J. Goodden",
            "Transcribed from the 1889 Cassell & Company edition by David Price",
            "Credits: Produced by Somebody",
            "[Transcribed by Somebody Else]",
            "This eBook was converted to HTML by Somebody",
        ] {
            assert!(of(line).has(MarkerSet::CREDITS), "{line}");
        }
        for line in [
            "[Transcriber's Note: spelling was kept]",
            "Transcriber's Notes",
            "Editor's note: a line",
            "Note: all errors were kept",
        ] {
            assert!(of(line).has(MarkerSet::NOTE), "{line}");
        }
        for line in [
            "He was prepared by long habit to be silent",
            "She noted the time by the clock",
            "Chapter by chapter",
        ] {
            assert!(
                !of(line).has_any(MarkerSet::CREDITS | MarkerSet::NOTE),
                "{line}"
            );
        }
    }

    #[test]
    fn the_words_anywhere_in_a_line_are_never_missed() {
        for word in [
            "Gutenberg",
            "SMALL PRINT",
            "Distributed Proofreaders",
            "www.pgdp.net",
        ] {
            for before in 0..70 {
                for after in [0, 1, 40] {
                    let line = format!("{}{word}{}", "x".repeat(before), "y".repeat(after));
                    assert!(may_hold(line.as_bytes()), "{line}");
                }
            }
        }
        assert!(!may_hold(b"a line of a book that holds none of them"));
    }

    #[test]
    fn most_lines_are_told_by_their_first_letters() {
        let patterns = PATTERNS.as_ref().expect("the patterns compile");
        for opener in [&patterns.credits, &patterns.note] {
            assert!(!opener.may_match("It was the best of times, it was the worst of times,"));
            assert!(!opener.may_match("the age of wisdom, it was the age of foolishness,"));
        }
    }

    #[test]
    fn separators_hold_no_letter_and_no_digit() {
        assert!(of("* * * * *").has(MarkerSet::SEPARATOR));
        assert!(of("--------").has(MarkerSet::SEPARATOR));
        assert!(!of("* 1 *").has(MarkerSet::SEPARATOR));
    }
}
