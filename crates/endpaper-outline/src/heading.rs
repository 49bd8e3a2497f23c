//! Parses a line as a heading: `CHAPTER IV. The Voyage`, `Zweites Buch`, `XII`, `PREFACE`.

mod kind;
mod line;
mod vocabulary;

pub use kind::HeadingKind;
pub(super) use vocabulary::heads_cast_list;

use super::fold::fold;
use super::numbers::{NumeralForm, number, parse_scene_number};
use line::{bare_word, is_capital, is_separator, without_ornaments, word};
use vocabulary::{BETWEEN, KINDS, LAST, MATTER_BY_LETTER, MATTER_OWNERS};

/// A line read as a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ParsedHeading<'a> {
    pub kind: HeadingKind,
    /// Its number; `None` for front matter, titles and `Chapter the Last`.
    pub number: Option<u32>,
    /// Form of the number.
    pub form: Option<NumeralForm>,
    /// The text after the number, or the whole line.
    pub title: &'a str,
}

impl<'a> ParsedHeading<'a> {
    /// Parses a line. Nearly every line parses as a title: callers must check whether it is one.
    pub fn of(line: &'a str) -> ParsedHeading<'a> {
        let line = without_ornaments(line);
        ParsedHeading::named(line)
            .or_else(|| ParsedHeading::ordinal(line))
            .or_else(|| ParsedHeading::numbered(line))
            .or_else(|| ParsedHeading::matter(line))
            .unwrap_or(ParsedHeading {
                kind: HeadingKind::Title,
                number: None,
                form: None,
                title: line,
            })
    }

    /// As [`of`](Self::of), but for an entry of a list, where a number may be followed directly by its title: `IV The Voyage`.
    /// `next` is the number expected next.
    pub fn of_list_entry(line: &'a str, next: u32) -> ParsedHeading<'a> {
        let label = ParsedHeading::of(line);
        if label.kind != HeadingKind::Title {
            return label;
        }
        let (first, rest) = word(without_ornaments(line));
        // Below a title numbers may begin again, if they are in lower case with a full stop.
        let again = first.ends_with('.') && first.starts_with(char::is_lowercase);
        match number(bare_word(first)) {
            Some((value, form))
                if (value == next || value == 1 && again)
                    && form != NumeralForm::Word
                    && is_capital(rest) =>
            {
                ParsedHeading {
                    kind: HeadingKind::Numbered,
                    number: Some(value),
                    form: Some(form),
                    title: without_ornaments(rest),
                }
            }
            _ => label,
        }
    }

    /// `CHAPTER IV. The Voyage`.
    fn named(line: &'a str) -> Option<ParsedHeading<'a>> {
        let (name, rest) = word(line);
        let kind = kind_of(name)?;
        // The word for the kind is capitalised; in the middle of a sentence it is not.
        if !name.starts_with(char::is_uppercase) {
            return None;
        }
        let (mut next, mut behind) = word(rest);
        if BETWEEN.contains(&fold(next).as_str()) && number(bare_word(next)).is_none() {
            (next, behind) = word(behind);
        }
        if LAST.contains(&fold(next).as_str()) {
            return Some(ParsedHeading {
                kind,
                number: None,
                form: None,
                title: without_ornaments(behind),
            });
        }
        let counted = number_at(next, behind).or_else(|| {
            NumberedText::scene_in_act(next, behind).filter(|_| kind == HeadingKind::Scene)
        })?;
        Some(ParsedHeading {
            kind,
            number: Some(counted.value),
            form: Some(counted.form),
            title: counted.title()?,
        })
    }

    /// `FIRST CHAPTER`, `Zweites Buch`, `2. Kapitel`, `The Third Part`.
    fn ordinal(line: &'a str) -> Option<ParsedHeading<'a>> {
        let (mut first, mut rest) = word(line);
        if !first.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()) {
            return None;
        }
        if BETWEEN.contains(&fold(first).as_str()) && number(bare_word(first)).is_none() {
            (first, rest) = word(rest);
        }
        let NumberedText {
            value,
            form,
            behind,
            ..
        } = number_at(first, rest)?;
        // `I. Act` is a title after a number, `1. Akt` an ordinal.
        let (name, behind) = word(behind);
        let kind = kind_of(name)?;
        // `5. No Wings` is a title.
        if matches!(fold(name).as_str(), "no" | "nr" | "number") {
            return None;
        }
        if form == NumeralForm::Word
            && matches!(fold(first).as_str(), "one" | "two" | "three" | "four")
        {
            return None;
        }
        if !name.starts_with(char::is_uppercase) && form == NumeralForm::Roman {
            return None;
        }
        let ends =
            behind.is_empty() || behind.starts_with(is_separator) || name.ends_with(is_separator);
        // In `10. Day Dreams` the full stop ends the number, and the rest is a title.
        let figures = first.ends_with('.') && form == NumeralForm::Arabic;
        if figures && !ends && !behind.starts_with("  ") {
            return None;
        }
        let title = without_ornaments(behind);
        (ends || title.is_empty() || is_capital(title)).then_some(())?;
        // `The Second Part of King Henry`, `First Book for Children` are titles.
        let (joins, _) = word(title);
        if !ends && joins.starts_with(char::is_lowercase) {
            return None;
        }
        Some(ParsedHeading {
            kind,
            number: Some(value),
            form: Some(form),
            title,
        })
    }

    /// `IV`, `4.`, `IV. The Voyage`.
    fn numbered(line: &'a str) -> Option<ParsedHeading<'a>> {
        let (first, rest) = word(line);
        let first = first.trim_start_matches(['(', '[', '§']);
        let digits = bare_word(first);
        let (value, form) = number(digits)?;
        if rest.is_empty() {
            // A single word is a number only in capitals.
            let written =
                form != NumeralForm::Word || digits.chars().all(|c| c.is_uppercase() || c == '-');
            let value_fits = value < 1000;
            return (written && value_fits).then_some(ParsedHeading {
                kind: HeadingKind::Numbered,
                number: Some(value),
                form: Some(form),
                title: "",
            });
        }
        // A number is followed by a full stop, a bracket, a dash or a gap: `I went home` is a sentence.
        let separated = first.ends_with(is_separator)
            || rest.trim_start().starts_with(is_separator)
            || rest.starts_with("  ")
            || (first.starts_with('0') && digits.len() > 1);
        if !separated
            || form == NumeralForm::Word
            || value >= 1000
            || digits.starts_with(char::is_lowercase)
        {
            return None;
        }
        let title = without_ornaments(rest);
        is_capital(title).then_some(ParsedHeading {
            kind: HeadingKind::Numbered,
            number: Some(value),
            form: Some(form),
            title,
        })
    }

    /// Parses a heading of front or back matter: `PREFACE`, `Author's Note`, `APPENDIX B`.
    fn matter(line: &'a str) -> Option<ParsedHeading<'a>> {
        if line.len() > 90 || !line.starts_with(|c: char| c.is_uppercase()) {
            return None;
        }
        let folded = fold(line);
        if heads_cast_list(&folded) {
            return Some(ParsedHeading {
                kind: HeadingKind::Matter,
                number: None,
                form: None,
                title: line,
            });
        }
        let mut words = folded.as_str();
        let mut whose = false;
        for prefix in MATTER_OWNERS {
            if let Some(rest) = words.strip_prefix(prefix) {
                (words, whose) = (rest, true);
            }
        }
        let rest = MATTER_BY_LETTER
            .get(words.as_bytes().first()?)?
            .iter()
            .filter_map(|matter| words.strip_prefix(matter))
            .find(|rest| rest.is_empty() || rest.starts_with(' '))?;
        let count = rest.split(' ').filter(|word| !word.is_empty()).count();
        let shouted = !line.contains(char::is_lowercase);
        // `Notes on a journey` may be a title, `Introduction by the Editor` is front matter.
        const JOINS: &[&str] = &[
            "to", "by", "of", "de", "do", "da", "du", "zur", "zum", "des", "der", "i", "ii", "iii",
            "a", "b", "c", "d", "and", "chapter", "a",
        ];
        let joined = rest.trim().split(' ').next();
        let joined = joined.is_some_and(|word| JOINS.contains(&word));
        (count == 0 || (count <= 9 && (shouted || joined || whose) && !line.ends_with([',', ';'])))
            .then_some(ParsedHeading {
                kind: HeadingKind::Matter,
                number: None,
                form: None,
                title: line,
            })
    }
}

/// The kind of heading that a word such as `Chapter` begins, in any known language.
fn kind_of(name: &str) -> Option<HeadingKind> {
    let name = bare_word(name);
    if name.is_empty() || name.len() > 14 {
        return None;
    }
    let folded = fold(name);
    KINDS.get(folded.as_str()).copied()
}

/// A number of one or two words (`TWENTY ONE`), and the text after it.
fn number_at<'a>(first: &'a str, rest: &'a str) -> Option<NumberedText<'a>> {
    let (value, form) = number(bare_word(first))?;
    if form == NumeralForm::Word && value >= 20 && value.is_multiple_of(10) {
        let (next, behind) = word(rest);
        if let Some((ones @ 1..10, NumeralForm::Word)) = number(bare_word(next)) {
            return Some(NumberedText {
                value: value + ones,
                form,
                behind,
                separated: next.ends_with(is_separator) || behind.starts_with(is_separator),
            });
        }
    }
    Some(NumberedText {
        value,
        form,
        behind: rest,
        separated: first.ends_with(is_separator) || rest.starts_with(is_separator),
    })
}

/// A number and the text after it.
#[derive(Clone, Copy)]
struct NumberedText<'a> {
    value: u32,
    form: NumeralForm,
    behind: &'a str,
    /// Whether a separator such as a full stop or a dash is between the two.
    separated: bool,
}

impl<'a> NumberedText<'a> {
    /// The number of a scene after that of its act: `1.IV.`.
    fn scene_in_act(first: &str, behind: &'a str) -> Option<NumberedText<'a>> {
        let (value, form) = parse_scene_number(bare_word(first))?;
        Some(NumberedText {
            value,
            form,
            behind,
            separated: first.ends_with(is_separator) || behind.starts_with(is_separator),
        })
    }

    /// The title after the number; `None` if the text is the rest of a sentence.
    fn title(&self) -> Option<&'a str> {
        let title = without_ornaments(self.behind);
        let ends = title.is_empty() || self.separated || self.behind.starts_with("  ");
        (ends || is_capital(title)).then_some(title)
    }
}

#[cfg(test)]
mod tests {
    use super::vocabulary::CAST_LIST_HEADINGS;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn headings_of_many_languages_are_read() {
        let table: &[(&str, HeadingKind, Option<u32>, &str)] = &[
            ("CHAPTER I", HeadingKind::Chapter, Some(1), ""),
            (
                "CHAPTER IV. The Voyage",
                HeadingKind::Chapter,
                Some(4),
                "The Voyage",
            ),
            (
                "Chapter 12--Of Ships",
                HeadingKind::Chapter,
                Some(12),
                "Of Ships",
            ),
            (
                "Chapter the Twenty-First",
                HeadingKind::Chapter,
                Some(21),
                "",
            ),
            ("CHAPTER TWENTY ONE", HeadingKind::Chapter, Some(21), ""),
            ("CHAPTER THE LAST", HeadingKind::Chapter, None, ""),
            ("*CHAPTER II*", HeadingKind::Chapter, Some(2), ""),
            ("Erstes Kapitel", HeadingKind::Chapter, Some(1), ""),
            (
                "2. Kapitel: Der Mann",
                HeadingKind::Chapter,
                Some(2),
                "Der Mann",
            ),
            ("Zweites Buch", HeadingKind::Book, Some(2), ""),
            ("PREMIÈRE PARTIE", HeadingKind::Part, Some(1), ""),
            ("CAPÍTULO III", HeadingKind::Chapter, Some(3), ""),
            ("LIBER PRIMUS", HeadingKind::Book, Some(1), ""),
            ("THE FIRST BOOK", HeadingKind::Book, Some(1), ""),
            ("BOOK THE SECOND", HeadingKind::Book, Some(2), ""),
            ("ACT I. SCENE II.", HeadingKind::Act, Some(1), "SCENE II."),
            (
                "SCENE II. A Street",
                HeadingKind::Scene,
                Some(2),
                "A Street",
            ),
            ("Scène 1.IV.", HeadingKind::Scene, Some(4), ""),
            ("Scoena Tertia.", HeadingKind::Scene, Some(3), ""),
            ("SECUNDA SCAENA", HeadingKind::Scene, Some(2), ""),
            ("3. Auftritt", HeadingKind::Scene, Some(3), ""),
            (
                "10. Day Dreams",
                HeadingKind::Numbered,
                Some(10),
                "Day Dreams",
            ),
            ("Personen:", HeadingKind::Matter, None, "Personen:"),
            (
                "DRAMATIS PERSONÆ",
                HeadingKind::Matter,
                None,
                "DRAMATIS PERSONÆ",
            ),
            ("Letter 4", HeadingKind::Letter, Some(4), ""),
            ("STAVE ONE", HeadingKind::Section, Some(1), ""),
            ("XIV", HeadingKind::Numbered, Some(14), ""),
            ("14.", HeadingKind::Numbered, Some(14), ""),
            ("[ 3 ]", HeadingKind::Numbered, Some(3), ""),
            ("TWO", HeadingKind::Numbered, Some(2), ""),
            (
                "IV. THE VOYAGE",
                HeadingKind::Numbered,
                Some(4),
                "THE VOYAGE",
            ),
            ("PREFACE", HeadingKind::Matter, None, "PREFACE"),
            (
                "AUTHOR’S PREFACE",
                HeadingKind::Matter,
                None,
                "AUTHOR’S PREFACE",
            ),
            (
                "Introduction by the Editor",
                HeadingKind::Matter,
                None,
                "Introduction by the Editor",
            ),
            ("Vorwort.", HeadingKind::Matter, None, "Vorwort."),
        ];
        for (line, kind, number, title) in table {
            let label = ParsedHeading::of(line);
            assert_eq!(
                (label.kind, label.number, label.title),
                (*kind, *number, *title),
                "{line}"
            );
        }
    }

    #[test]
    fn sentences_and_titles_are_no_numbers() {
        for line in [
            "I went home.",
            "Part of the way was steep",
            "Book your seats",
            "chapter four of this book",
            "Act well your part",
            "Two",
            "1899",
            "The Second Part of King Henry the Fourth",
            "Notes on a journey to the north of England and back, in which much is seen",
            "One day he came",
            "I. went home",
            "Chapter I of the book tells us so",
            "D'Artagnan",
        ] {
            assert_eq!(ParsedHeading::of(line).kind, HeadingKind::Title, "{line}");
        }
    }

    #[test]
    fn names_of_lists_of_persons_are_in_order() {
        assert!(CAST_LIST_HEADINGS.is_sorted());
        assert!(!heads_cast_list("characters of the century"));
    }

    #[test]
    fn kinds_are_read_as_they_are_written() {
        for kind in HeadingKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(*kind));
        }
    }

    proptest! {
        #[test]
        fn any_line_may_be_read(line in any::<String>()) {
            let label = ParsedHeading::of(&line);
            prop_assert!(line.contains(label.title));
        }
    }
}
