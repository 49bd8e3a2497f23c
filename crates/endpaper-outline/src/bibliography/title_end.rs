//! Places where a title may end, and what each says for it: how the text stops there and what follows.

use super::author_token::names_institute;
use super::sentences::{is_abbreviation, sentence};
use super::venue::names_venue;
use crate::fold::fold;
use crate::metadata::{is_imprint, is_month, is_town, years};

/// How a title ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TitleBoundary {
    Quote,
    /// A full stop, question mark or exclamation mark.
    Sentence,
    Comma,
    Bracket,
    /// The end of the reference.
    Text,
}

/// A place where the title may end.
#[derive(Clone, Copy, Debug)]
pub(super) struct TitleEnd {
    /// Byte offset after the title.
    pub(super) at: usize,
    /// Byte offset of the text that follows.
    pub(super) next: usize,
    pub(super) boundary: TitleBoundary,
    pub(super) score: f32,
    /// What it costs to have passed all places before it.
    pub(super) passed: f32,
}

/// What a title costs for each sentence that ends in it.
const SENTENCE_COST: f32 = 3.0;
/// Longest word that may be an abbreviation although no list has it.
const LONGEST_ABBREVIATION: usize = 6;
/// Most places that are looked at.
const MAX_ENDS: usize = 160;

/// All places where a title may end, in order. Titles in quotation marks are found by [`quoted_end`].
pub(super) fn title_ends(text: &str) -> Vec<TitleEnd> {
    let mut ends = Vec::new();
    let mut passed = 0.0;
    for (at, c) in text.char_indices() {
        if !matches!(c, '.' | '?' | '!' | ',' | ';' | '(' | '[') || ends.len() == MAX_ENDS {
            continue;
        }
        let behind = &text[at + 1..];
        let open = matches!(c, '(' | '[');
        let gap = if open {
            text[..at].ends_with(' ')
        } else {
            behind.starts_with(' ') || behind.is_empty()
        };
        let follows = behind.trim_start();
        if !gap || follows.is_empty() {
            continue;
        }
        let mut costs = 0.0;
        let (boundary, score) = match c {
            '.' => {
                let abbreviates = ends_abbreviation(&text[..at], follows);
                if !abbreviates {
                    costs = SENTENCE_COST;
                }
                let weak = abbreviates || ends_in_year(&text[..at]);
                (TitleBoundary::Sentence, if weak { -2.5 } else { 2.0 })
            }
            '?' | '!' if follows.starts_with(|c: char| c.is_uppercase() || c == '(') => {
                (TitleBoundary::Sentence, 0.5)
            }
            ',' => (TitleBoundary::Comma, 0.0),
            ';' => (TitleBoundary::Comma, 0.5),
            '(' | '[' => (TitleBoundary::Bracket, -0.5),
            _ => continue,
        };
        let mark = usize::from(matches!(c, '?' | '!'));
        let follow = if open {
            follows_bracket(follows)
        } else {
            follows_title(follows)
        };
        ends.push(TitleEnd {
            at: at + mark,
            next: at + usize::from(!open),
            boundary,
            score: score + follow,
            passed,
        });
        passed += follow.max(0.0) + costs;
    }
    ends.push(TitleEnd {
        at: text.len(),
        next: text.len(),
        boundary: TitleBoundary::Text,
        score: 0.5,
        passed,
    });
    ends
}

/// The byte offsets of the end of the quoted title that begins at `from`, and of the text after its quotation mark.
pub(super) fn quoted_end(text: &str, from: usize) -> Option<(usize, usize)> {
    let opening = text[from..].chars().next()?;
    let closing: &[char] = match opening {
        '"' => &['"'],
        '“' | '„' => &['”', '“', '"'],
        '«' => &['»'],
        '‘' => &['’'],
        '`' => &['\'', '’'],
        _ => return None,
    };
    let start = from + opening.len_utf8();
    let mut depth = 0_u32;
    for (at, c) in text[start..].char_indices() {
        let behind = &text[start + at + c.len_utf8()..];
        if c == opening && c != '"' && !closing.contains(&c) || c == '“' && opening == '“' {
            depth += 1;
        } else if closing.contains(&c) {
            // An apostrophe is no quotation mark.
            if behind.starts_with(char::is_alphanumeric) {
                continue;
            }
            if depth == 0 {
                return Some((start + at, start + at + c.len_utf8()));
            }
            depth -= 1;
        }
    }
    None
}

/// Whether the full stop after `before` belongs to an initial or an abbreviation.
fn ends_abbreviation(before: &str, follows: &str) -> bool {
    if follows.starts_with(char::is_lowercase) {
        return true;
    }
    let word = before
        .rsplit([' ', '.', '-', '('])
        .next()
        .unwrap_or_default();
    let count = word.chars().count();
    let capital = word.starts_with(char::is_uppercase);
    let digits = word.contains(|c: char| c.is_ascii_digit());
    if word.ends_with([')', ']', '”', '"']) || digits || count == 0 {
        return false;
    }
    // `Modern Applied Statistics with S. New York: Springer`: before a publisher, a single letter ends the title.
    if count == 1 {
        return !is_imprint(&fold(segment(follows))) && !names_release(follows);
    }
    count == 2
        && capital
        && word.chars().all(char::is_alphabetic)
        && !word.chars().all(char::is_uppercase)
        || is_abbreviation(word)
}

/// Whether a text ends in a year after a comma, which is not part of the title.
fn ends_in_year(text: &str) -> bool {
    let Some((_, last)) = text.rsplit_once(", ") else {
        return false;
    };
    let year = last.trim_end_matches(|c: char| c.is_ascii_lowercase());
    year.len() == 4 && last.len() <= 5 && years(year).next().is_some()
}

/// Whether a text opens with the release of a program: `R package version 1.0`.
pub(super) fn names_release(text: &str) -> bool {
    text.split(' ').take(4).any(|word| word == "version")
}

/// The text up to the next punctuation or number.
fn segment(text: &str) -> &str {
    let end = text.char_indices().find(|&(at, c)| {
        matches!(c, ',' | '(' | ':' | ';' | '[')
            || c.is_ascii_digit() && (at == 0 || text[..at].ends_with([' ', '(']))
    });
    sentence(end.map_or(text, |(at, _)| &text[..at]))
}

/// Words that open what follows a title, folded: an edition, a part, a kind of report.
const ABOUT: &[&str] = &[
    "vol",
    "volume",
    "volumes",
    "vols",
    "edition",
    "edn",
    "2nd",
    "3rd",
    "4th",
    "5th",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "revised",
    "ch",
    "chapter",
    "pp",
    "pages",
    "p",
    "technical",
    "tech",
    "phd",
    "ph",
    "masters",
    "dissertation",
    "thesis",
    "doctoral",
    "arxiv",
    "http",
    "https",
    "url",
    "doi",
    "available",
    "ser",
    "rfc",
    "unpublished",
    "preprint",
    "manuscript",
    "bd",
    "auflage",
    "mimeographed",
    "edited",
    "translated",
    "number",
    "no",
    "diploma",
    "ctan",
    "series",
    "habilitation",
    "online",
    "version",
    "release",
    "isbn",
    "report",
];

/// How well a text continues a reference after its title.
fn follows_title(text: &str) -> f32 {
    let text = text.trim_start_matches(['_', '"', '”', ' ']);
    if within(text).is_some() {
        return 4.0;
    }
    let head = segment(text);
    let folded = fold(head.get(..120).unwrap_or(head));
    let first = folded.split(' ').next().unwrap_or_default();
    let behind = &text[head.len()..];
    let mut score = 0.0;
    if names_edition(&folded) {
        score = 3.0;
    } else if names_release(text) {
        score = 4.0;
    } else if ABOUT.contains(&first) || text.starts_with("Master’s") {
        // `Chapters 1-4` may be part of a title.
        let ambiguous = matches!(
            first,
            "chapter"
                | "version"
                | "p"
                | "no"
                | "second"
                | "third"
                | "report"
                | "number"
                | "release"
                | "series"
                | "online"
        );
        score = match (ambiguous, text.starts_with(char::is_uppercase)) {
            (true, true) => 1.5,
            (false, false) => 4.0,
            _ => 3.0,
        };
    } else if first.is_empty() || is_month(first) {
        // Only a year, or a month and a year, follow.
        let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
        let year = behind.starts_with(['1', '2']) && digits == 4 && folded.split(' ').count() <= 2;
        score = if year {
            2.5
        } else if digits > 0 {
            1.0
        } else {
            0.0
        };
    } else if !text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()) {
        score = -1.0;
    } else {
        if is_imprint(&folded) {
            score = 3.0;
        } else if folded.split(' ').any(names_venue) {
            score = 2.5;
        }
        if numbered_name(text).is_some() {
            score += 3.0;
        }
        let house = folded.split(' ').any(names_institute) && is_capitalised(head);
        if score == 0.0 && (house || precedes_imprint(head, behind) || precedes_editors(behind)) {
            score = 2.5;
        }
    }
    score + if ends_in_capitals(text) { 1.5 } else { 0.0 }
}

/// Whether folded words open with an edition: `fifteenth ed`.
fn names_edition(folded: &str) -> bool {
    let mut words = folded.split(' ').skip(1).take(2);
    words.any(|word| matches!(word, "ed" | "edn" | "edition"))
}

/// How well a bracket continues a reference: `(2nd ed.)`, `(Archives, vol. 2)`, `(Paris, 1916)`.
fn follows_bracket(inside: &str) -> f32 {
    let folded = fold(segment(inside));
    let first = folded.split(' ').next().unwrap_or_default();
    let year = inside
        .get(..4)
        .is_some_and(|year| crate::metadata::years(year).next().is_some());
    if names_edition(&folded) || matches!(first, "vol" | "bd") {
        return 4.5;
    }
    let about = ABOUT.contains(&first)
        || first == "ed"
        || inside
            .get(..3)
            .is_some_and(|three| matches!(three, "1st" | "2nd" | "3rd"));
    if about || is_imprint(&folded) {
        3.0
    } else if folded.split(' ').any(names_venue) || year {
        2.0
    } else {
        -1.0
    }
}

/// Whether a text opens with a town or publisher.
pub(super) fn follows_imprint(text: &str) -> bool {
    let folded = fold(segment(text));
    is_town(&folded) && folded.split(' ').count() <= 3
        || is_imprint(&folded) && folded.split(' ').count() <= 4
}

/// The text after `In`, before the title of a collection.
pub(super) fn within(text: &str) -> Option<&str> {
    ["In: ", "In ", "in: ", "in ", "In, "]
        .iter()
        .find_map(|word| text.strip_prefix(word))
        .filter(|rest| {
            rest.starts_with(|c: char| {
                c.is_uppercase() || matches!(c, '_' | '"' | '“' | '(') || c.is_ascii_digit()
            })
        })
}

/// Whether a number after a space begins at this byte, rather than an ordinal such as `3rd`.
pub(super) fn opens_number(text: &str, at: usize) -> bool {
    let bytes = &text.as_bytes()[at..];
    let digits = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    digits > 0
        && at > 0
        && text.as_bytes()[at - 1] == b' '
        && !bytes.get(digits).is_some_and(u8::is_ascii_alphabetic)
}

/// The capitalised words that open a text before a volume, as the name of a journal does: `Math. Comp., 19:297`.
pub(super) fn numbered_name(text: &str) -> Option<&str> {
    let end = text.char_indices().find(|&(at, c)| {
        matches!(c, ',' | '(' | ':' | ';' | '[')
            || c.is_ascii_digit() && opens_number(text, at)
            || c == '.' && text[at + 1..].starts_with(' ') && {
                let word = text[..at].rsplit(' ').next().unwrap_or_default();
                word.len() > LONGEST_ABBREVIATION && !is_abbreviation(word)
            }
    });
    let (name, behind) = text.split_at(end.map_or(text.len(), |(at, _)| at));
    let number = behind.trim_start_matches([',', ' ', ';', '(', '.']);
    let number = number.strip_prefix("vol").map_or(number, |rest| {
        rest.trim_start_matches(['.', 'u', 'm', 'e', ' '])
    });
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let behind = &number[digits..];
    let volume = match digits {
        1..=3 => true,
        // A year, and the volume after it.
        4 => {
            let behind = behind
                .split_once(';')
                .filter(|(month, _)| month.len() <= 7)
                .map_or(behind, |(_, behind)| behind);
            behind.starts_with([';', ':'])
                || behind
                    .trim_start_matches([')', ',', ' ', '.'])
                    .starts_with(|c: char| c.is_ascii_digit())
        }
        _ => false,
    };
    (volume && is_capitalised(name)).then_some(name)
}

/// Whether a text is up to twelve words with capitals, except small ones.
fn is_capitalised(text: &str) -> bool {
    let words = || text.split(' ').filter(|word| !word.is_empty());
    words().all(|word| {
        word.starts_with(|c: char| c.is_uppercase() || matches!(c, '&' | '_'))
            || is_small_word(word)
    }) && (1..=12).contains(&words().count())
}

/// Whether a house that may be unknown is followed by a known town or by `Ltd.`.
fn precedes_imprint(head: &str, behind: &str) -> bool {
    let next = behind.strip_prefix(", ").map(segment).unwrap_or_default();
    head.split(' ').count() <= 4 && is_capitalised(head) && is_imprint(&fold(next))
}

/// Whether editors follow in brackets, as they follow the title of a collection.
fn precedes_editors(behind: &str) -> bool {
    behind
        .trim_start()
        .strip_prefix('(')
        .and_then(|inside| inside.split_once(')'))
        .is_some_and(|(inside, _)| {
            ["ed.", "eds.", "eds", "Ed.", "Eds.", "editors"]
                .iter()
                .any(|role| inside.ends_with(role))
        })
}

/// Words in lower case within names and titles in capitals.
fn is_small_word(word: &str) -> bool {
    const SMALL: &[&str] = &[
        "of", "the", "and", "for", "on", "in", "de", "des", "der", "für", "la", "du", "di", "to",
        "et", "und", "a", "&",
    ];
    SMALL.contains(&word)
}

/// Whether all words up to the end are capitals, numbers or words of imprints, as those of publishers and towns are.
fn ends_in_capitals(text: &str) -> bool {
    const LONGEST: usize = 130;
    text.len() <= LONGEST
        && text.matches(',').count() <= 2
        && text.split([' ', '–']).all(|word| {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '&');
            word.is_empty()
                || !word.starts_with(char::is_lowercase)
                || is_small_word(word)
                || matches!(
                    word,
                    "pp" | "pages"
                        | "edition"
                        | "ed"
                        | "edn"
                        | "vol"
                        | "no"
                        | "p"
                        | "third"
                        | "second"
                        | "volume"
                        | "first"
                        | "fourth"
                        | "fifth"
                        | "ch"
                        | "chapter"
                        | "von"
                        | "van"
                )
        })
}
