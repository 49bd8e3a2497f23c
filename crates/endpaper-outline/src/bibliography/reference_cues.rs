//! Cues that a text is a reference: an opening name, a year, an imprint, a marked title.

use super::author_list::{opens_with_authors, opens_with_dated_authors};
use crate::fold::fold;
use crate::metadata::{is_imprint, years};

/// The cues of an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ReferenceCues {
    /// It opens with a possible name that is followed by more text.
    pub name: bool,
    /// It contains a year of printed books.
    pub year: bool,
    /// Part of it is quoted or in italics.
    pub title: bool,
    /// It names a publishing town or house, a volume or a page.
    pub imprint: bool,
    /// It opens with names and a year in brackets.
    pub opens_with_dated_name: bool,
    /// It names a price or a binding, as advertisements do.
    pub price: bool,
}

impl ReferenceCues {
    /// Returns the cues of an item. `marked`: part of it is in italics.
    pub fn of(text: &str, marked: bool) -> ReferenceCues {
        let folded = fold(text);
        let words = || folded.split(' ');
        const VOLUMES: &[&str] = &[
            "vol",
            "vols",
            "volume",
            "p",
            "pp",
            "ed",
            "edn",
            "edition",
            "eds",
            "trans",
            "journal",
            "proceedings",
            "press",
            "tome",
            "bd",
            "heft",
            "auflage",
            "rfc",
            "isbn",
            "doi",
        ];
        ReferenceCues {
            name: opening_name(text).is_some() || opens_with_authors(text),
            year: years(text).next().is_some() || has_lettered_year(text),
            title: marked || has_quoted_title(text),
            imprint: words().any(|word| VOLUMES.contains(&word))
                || text
                    .split([',', '.', '(', ':'])
                    .any(|part| is_imprint(&fold(part))),
            opens_with_dated_name: dated_name(text).is_some() || opens_with_dated_authors(text),
            price: is_for_sale(text, &folded),
        }
    }

    /// Whether it may be a reference.
    pub fn may_be_reference(self) -> bool {
        self.name || self.is_strong()
    }

    /// Whether it is almost certainly a reference.
    pub fn is_strong(self) -> bool {
        self.opens_with_dated_name
            || self.title && (self.year || self.imprint)
            || self.name && self.year
            || self.name && self.title
            || self.name && self.imprint
    }
}

/// Whether it has a year that a letter tells apart from another work of that year: `1996a`.
fn has_lettered_year(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .any(|word| {
            let year = word.strip_suffix(['a', 'b', 'c', 'd', 'e']);
            year.is_some_and(|year| year.len() == 4 && years(year).next().is_some())
        })
}

/// Whether part of the text is in quotation marks.
fn has_quoted_title(text: &str) -> bool {
    let behind = text.split_once(['"', '“', '«']).map(|(_, rest)| rest);
    behind.is_some_and(|rest| rest.contains(['"', '”', '»']))
}

/// Whether it names a price, a binding or a book size.
fn is_for_sale(text: &str, folded: &str) -> bool {
    const WORDS: &[&str] = &[
        "price",
        "prices",
        "cents",
        "cloth",
        "net",
        "gilt",
        "reis",
        "postpaid",
        "boards",
        "brochura",
        "cartonnage",
        "shillings",
        "12mo",
        "16mo",
        "18mo",
        "24mo",
        "fcap",
        "crown",
        "wrapper",
    ];
    let money = |sign: char| {
        text.split(sign)
            .skip(1)
            .any(|behind| behind.starts_with(|c: char| c.is_ascii_digit()))
    };
    folded.split(' ').any(|word| WORDS.contains(&word)) || money('$') || money('£')
}

/// Words that open sentences rather than names.
pub(super) const NO_NAMES: &[&str] = &[
    "the", "a", "an", "it", "he", "she", "they", "we", "i", "in", "on", "at", "for", "but", "and",
    "if", "when", "this", "that", "these", "those", "there", "here", "as", "to", "by", "with",
    "from", "so", "yes", "no", "not", "well", "see", "you", "my", "his", "her", "our", "their",
    "its", "what", "who", "how", "why", "then", "now", "also", "such", "some", "all", "one", "oh",
    "ah", "chapter", "section", "page", "note", "notes", "is", "was", "are", "were", "let",
    "however", "thus", "hence", "or", "which", "der", "die", "das", "les", "il", "elle", "o", "os",
    "um", "uma", "el", "los", "figure", "table", "example", "examples", "use", "because", "while",
    "although", "after", "before",
];

/// Lower-case words within names.
const PARTICLES: &[&str] = &[
    "de", "da", "do", "dos", "das", "del", "della", "di", "du", "des", "la", "le", "von", "van",
    "der", "den", "zu", "zur", "ten", "ter", "et", "and", "und", "e", "y", "en", "of", "al", "ed",
    "eds", "editor", "editors", "d", "l", "och", "og", "ja",
];

/// The name that opens an item: `Budgett-Meakin`, `MAGNAN ET LEGRAIN`, `Segonzac, Marquis de`.
pub(super) fn opening_name(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(['_', '*', '"', '“', ' ', '-', '•']);
    let mut end = text.len();
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        let stop = match c {
            ',' | ':' | '(' | ';' | '"' | '“' | '[' => true,
            '-' => rest.starts_with('-'),
            '—' | '–' => true,
            // The full stop may belong to an initial.
            '.' => {
                let word = text[..at]
                    .rsplit([' ', '.', '-'])
                    .next()
                    .unwrap_or_default();
                word.chars().count() > 2 || rest.is_empty()
            }
            _ => false,
        };
        if stop {
            end = at;
            break;
        }
    }
    let name = text[..end].trim();
    let behind = &text[end..];
    if !behind.contains(char::is_alphabetic) {
        return None;
    }
    is_name(name).then_some(name)
}

/// Whether a text may be a name: one to six words, all capitalised except particles such as `de` and `von`.
pub(super) fn is_name(name: &str) -> bool {
    let words: Vec<&str> = name
        .split([' ', '\t'])
        .filter(|word| word.contains(char::is_alphanumeric))
        .collect();
    let first = words.first().map(|word| fold(word)).unwrap_or_default();
    let capital = |word: &&str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let small = |word: &str| PARTICLES.contains(&fold(word).as_str());
        word.starts_with(char::is_uppercase) || small(word)
            // `d'Abbadie`
            || word.split(['\'', '’']).nth(1).is_some_and(|rest| rest.starts_with(char::is_uppercase))
    };
    (1..=6).contains(&words.len())
        && name.len() <= 80
        && words[0].starts_with(|c: char| c.is_uppercase() || c == 'd' || c == 'v')
        && name.contains(char::is_uppercase)
        && !NO_NAMES.contains(&first.as_str())
        && !name.contains(|c: char| c.is_ascii_digit())
        && words.iter().all(capital)
}

/// Whether every part between commas and `and` may be a name.
pub(super) fn are_names(author: &str) -> bool {
    author
        .split([',', ';', '&'])
        .flat_map(|part| part.split(" and "))
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .all(|part| {
            let part = part.trim_start_matches("and ");
            is_name(part)
                || part.len() == 1 && part.starts_with(char::is_uppercase)
                || part.len() <= 12 && part.contains('.')
                || part == "et al."
        })
}

/// The names before a bracketed year, and the text after the year: `Cody, W. J. (1988)`.
pub(super) fn dated_name(text: &str) -> Option<(&str, &str)> {
    let open = text.find(['(', '['])?;
    let inside = text[open + 1..].split([')', ']']).next()?;
    let year = inside.get(..4).and_then(|year| years(year).next());
    let rest = text.get(open + inside.len() + 2..)?;
    let author = text[..open].trim();
    let plain = inside.len() <= 16 && !author.contains(['"', '“', '_']) && author.len() <= 300;
    (year.is_some() && plain && !author.is_empty() && are_names(author)).then_some((author, rest))
}
