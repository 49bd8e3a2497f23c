//! Parses a line as a heading: `CHAPTER IV. The Voyage`, `Zweites Buch`, `XII`, `PREFACE`.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::FixedState;
use serde::{Deserialize, Serialize};

use super::fold::fold;
use super::numbers::{NumeralForm, number, parse_scene_number};
use endpaper_text::named_enum;

/// The kind of a part of a book, from the largest to the smallest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HeadingKind {
    /// A volume.
    Volume,
    /// A part.
    Part,
    /// A book of a work.
    Book,
    /// An act.
    Act,
    /// A canto.
    Canto,
    /// A chapter.
    Chapter,
    /// A letter.
    Letter,
    /// A scene.
    Scene,
    /// A section, lesson, story or another kind numbered by name.
    Section,
    /// A part with a number but no word for its kind.
    Numbered,
    /// Front or back matter: a preface, an introduction, an appendix.
    Matter,
    /// A part with a title only.
    Title,
}

named_enum!(HeadingKind, "kind of heading", {
    Volume => "volume",
    Part => "part",
    Book => "book",
    Act => "act",
    Canto => "canto",
    Chapter => "chapter",
    Letter => "letter",
    Scene => "scene",
    Section => "section",
    Numbered => "numbered",
    Matter => "matter",
    Title => "title",
});

impl HeadingKind {
    /// Whether parts of this kind are numbered.
    pub(super) fn is_counted(self) -> bool {
        !matches!(self, HeadingKind::Matter | HeadingKind::Title)
    }
}

/// Words for numbered parts, folded.
const NAMES: &[(HeadingKind, &[&str])] = &[
    (
        HeadingKind::Volume,
        &["volume", "vol", "tome", "band", "tomo", "volumen", "tomus"],
    ),
    (
        HeadingKind::Part,
        &[
            "part",
            "parte",
            "partie",
            "teil",
            "theil",
            "deel",
            "pars",
            "osa",
            "abteilung",
            "abtheilung",
            "division",
            "del",
        ],
    ),
    (
        HeadingKind::Book,
        &[
            "book", "livre", "buch", "libro", "livro", "liber", "boek", "kirja", "bok",
        ],
    ),
    (
        HeadingKind::Act,
        &[
            "act",
            "acte",
            "acto",
            "akt",
            "aufzug",
            "atto",
            "ato",
            "actus",
            "handeling",
            "bedrijf",
            "naytos",
            "jornada",
        ],
    ),
    (
        HeadingKind::Scene,
        &[
            "scene", "szene", "scena", "auftritt", "escena", "cena", "scaena", "scoena", "tooneel",
            "toneel", "kohtaus",
        ],
    ),
    (
        HeadingKind::Canto,
        &[
            "canto", "chant", "gesang", "zang", "laulu", "runo", "fytte", "rune", "sang",
        ],
    ),
    (
        HeadingKind::Chapter,
        &[
            "chapter",
            "chapitre",
            "kapitel",
            "capitulo",
            "capitolo",
            "caput",
            "chap",
            "cap",
            "kap",
            "hoofdstuk",
            "luku",
            "kabanata",
            "kapittel",
            "ch",
            "chapt",
        ],
    ),
    (
        HeadingKind::Letter,
        &[
            "letter", "lettre", "brief", "carta", "lettera", "epistle", "epistola",
        ],
    ),
    (
        HeadingKind::Section,
        &[
            "section",
            "sect",
            "seccion",
            "seccao",
            "secao",
            "sezione",
            "abschnitt",
            "stave",
            "chirp",
            "quarter",
            "adventure",
            "abenteuer",
            "story",
            "tale",
            "fable",
            "lesson",
            "lecture",
            "sermon",
            "essay",
            "ode",
            "sonnet",
            "sonett",
            "elegy",
            "satire",
            "idyll",
            "night",
            "evening",
            "day",
            "ballad",
            "poem",
            "song",
            "hymn",
            "psalm",
            "article",
            "number",
            "no",
            "nr",
            "scherzo",
            "appendix",
            "interlude",
            "phase",
            "period",
            "epoch",
            "narrative",
            "problem",
            "discourse",
            "dialogue",
            "conversation",
            "entretien",
            "vorlesung",
            "stuck",
            "dream",
            "vision",
            "paper",
            "case",
            "plate",
            "stage",
            "question",
            "title",
            "proposition",
            "meditation",
            "stanza",
            "episode",
            "tableau",
            "bild",
            "quadro",
            "cuadro",
            "exercise",
            "fragment",
            "week",
            "eclogue",
        ],
    ),
];

/// Words between the name and the number.
const BETWEEN: &[&str] = &[
    "the", "no", "number", "nr", "n", "num", "das", "der", "die", "le", "la", "el", "o", "a", "il",
];

/// Words for the last number: `Chapter the Last`.
const LAST: &[&str] = &[
    "last", "letztes", "letzter", "letzte", "dernier", "derniere", "ultimo", "ultima",
];

/// Openings of front and back matter, folded; longer headings continue after them.
const MATTER: &[&str] = &[
    "preface",
    "foreword",
    "introduction",
    "introductory",
    "prologue",
    "epilogue",
    "conclusion",
    "afterword",
    "postscript",
    "appendix",
    "appendices",
    "index",
    "glossary",
    "notes",
    "footnotes",
    "bibliography",
    "dedication",
    "dedicatory",
    "acknowledgments",
    "acknowledgements",
    "acknowledgment",
    "advertisement",
    "advertisements",
    "dramatis personae",
    "prelude",
    "proem",
    "preamble",
    "prefatory",
    "preliminary",
    "addenda",
    "errata",
    "endnotes",
    "finale",
    "exordium",
    "envoi",
    "l envoi",
    "lenvoi",
    "argument",
    "references",
    "author s note",
    "authors note",
    "persons represented",
    "editorial note",
    "chronology",
    "avant propos",
    "avertissement",
    "appendice",
    "dedicace",
    "postface",
    "a lecteur",
    "au lecteur",
    "vorwort",
    "einleitung",
    "nachwort",
    "vorrede",
    "anhang",
    "widmung",
    "anmerkungen",
    "zueignung",
    "vorspiel",
    "nachspiel",
    "schluss",
    "prefacio",
    "prefacao",
    "prologo",
    "introduccao",
    "introducao",
    "epilogo",
    "conclusao",
    "advertencia",
    "dedicatoria",
    "notas",
    "apendice",
    "introduccion",
    "conclusion",
    "prefazione",
    "introduzione",
    "conclusione",
    "voorrede",
    "inleiding",
    "voorwoord",
    "naschrift",
    "besluit",
    "alkulause",
    "esipuhe",
    "johdanto",
    "praefatio",
    "prooemium",
    "forord",
    "indledning",
    "ao leitor",
    "al lector",
    "personagens",
    "personaggi",
    "personen",
    "personnages",
    "personajes",
    "interlude",
    "intermezzo",
];

/// Headings of cast lists, folded; the line holds nothing else.
const CAST_LIST_HEADINGS: &[&str] = &[
    "cast of characters",
    "characters",
    "characters in the play",
    "characters of the play",
    "dramatis persona",
    "dramatis personae",
    "handelnde personen",
    "henkilot",
    "list of characters",
    "list of persons",
    "mga tauhan",
    "personagens",
    "personaggi",
    "personajes",
    "personen",
    "personen der handlung",
    "personer",
    "personnages",
    "persons",
    "persons in the play",
    "persons of the drama",
    "persons of the play",
    "persons represented",
    "the characters",
    "the persons",
    "the persons of the drama",
    "the persons of the play",
];

/// Whether folded words head a cast list.
pub(super) fn heads_cast_list(folded: &str) -> bool {
    CAST_LIST_HEADINGS.binary_search(&folded).is_ok()
}

/// [`MATTER`] by first letter: most lines begin with another.
static BY_LETTER: LazyLock<HashMap<u8, Vec<&str>, FixedState>> = LazyLock::new(|| {
    let mut all: HashMap<u8, Vec<&str>, FixedState> = HashMap::default();
    for matter in MATTER {
        for letter in matter.bytes().take(1) {
            all.entry(letter).or_default().push(matter);
        }
    }
    all
});

/// Words before front matter that say whose it is.
const MATTER_OWNERS: &[&str] = &[
    "the ",
    "authors ",
    "translators ",
    "editors ",
    "publishers ",
    "general ",
    "a ",
    "an ",
    "original ",
    "biographical ",
    "historical ",
    "illustrators ",
];

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
        let rest = BY_LETTER
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

fn kind_of(name: &str) -> Option<HeadingKind> {
    let name = bare_word(name);
    if name.is_empty() || name.len() > 14 {
        return None;
    }
    let folded = fold(name);
    KINDS.get(folded.as_str()).copied()
}

/// The kind of each word in [`NAMES`].
static KINDS: LazyLock<HashMap<&str, HeadingKind, FixedState>> = LazyLock::new(|| {
    let all = NAMES
        .iter()
        .flat_map(|(kind, names)| names.iter().map(|name| (*name, *kind)));
    all.collect()
});

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

/// Splits off the first word, which also ends at a dash.
fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let ends = |(at, c): (usize, char)| {
        let dashes = c == '-' && at > 0 && text[at..].starts_with("--");
        (c.is_whitespace() || matches!(c, '—' | '–') || dashes).then_some(at)
    };
    match text.char_indices().find_map(ends) {
        Some(at) => (&text[..at], text[at..].trim_end()),
        None => (text, ""),
    }
}

/// Strips punctuation around a word.
fn bare_word(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, 'º' | 'ª' | '°'))
}

/// Strips ornaments around a line: `*** _I_ ***`, `[ I ]`.
fn without_ornaments(line: &str) -> &str {
    let line = line.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, '*' | '_' | '=' | '~' | '#' | '|' | '+' | '<' | '>')
    });
    let inner = line
        .strip_prefix('[')
        .and_then(|inner| inner.strip_suffix(']'));
    let line = inner.unwrap_or(line);
    line.trim_start_matches(|c: char| {
        c.is_whitespace() || matches!(c, '.' | ':' | '-' | '–' | '—' | ',' | ';' | ')' | ']' | '_')
    })
}

fn is_separator(c: char) -> bool {
    matches!(c, '.' | ':' | '-' | '–' | '—' | ')' | ']' | ',' | ';')
}

/// Whether a text begins like a title: with a capital or a digit, possibly after a quotation mark.
fn is_capital(title: &str) -> bool {
    let mut letters = title
        .trim_start_matches(|c: char| !c.is_alphanumeric())
        .chars();
    letters.next().is_some_and(|c| !c.is_lowercase())
}

#[cfg(test)]
mod tests {
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
