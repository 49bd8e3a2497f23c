//! Names of people: several on one line, and several spellings of one name.

use super::vote::Ballot;
use super::{MetadataValue, ValueExtractor, ValueSource};
use crate::fold::{fold, squeeze};

/// Longest name, in bytes.
const MAX_NAME_BYTES: usize = 120;

/// Splits a line into names, in order.
pub(super) fn split(line: &str) -> Vec<String> {
    let line = without_roles(line);
    let mut names: Vec<String> = Vec::new();
    for part in line.split([';', '&', '/']) {
        let mut rest = part;
        loop {
            let joint = [" and ", " und ", " et ", " AND ", " With "]
                .iter()
                .filter_map(|word| rest.find(word).map(|at| (at, word.len())))
                .filter(|(at, _)| !is_title(&rest[..*at]))
                .min();
            let Some((at, length)) = joint else {
                break;
            };
            commas(&rest[..at], &mut names);
            rest = &rest[at + length..];
        }
        commas(rest, &mut names);
    }
    names
}

/// Whether the text before `and` is only a title: `Mr. and Mrs. X`.
fn is_title(before: &str) -> bool {
    matches!(before.trim(), "Mr." | "Mr" | "Dr." | "Sir")
}

/// Adds the names between commas, if each part is a full name rather than a surname or an honour.
fn commas(part: &str, names: &mut Vec<String>) {
    let pieces: Vec<&str> = part
        .split(',')
        .map(str::trim)
        .filter(|piece| !piece.is_empty())
        .collect();
    let full = pieces.iter().all(|piece| {
        let words = piece.split_whitespace().count();
        let plain = !piece.contains(['.', '(']);
        words >= 2 && (plain || piece.split_whitespace().all(is_name_word))
    });
    if pieces.len() > 1 && full {
        pieces.iter().for_each(|piece| add(piece, names));
    } else {
        add(part, names);
    }
}

/// Whether a word may be part of a name: it begins with a capital, or is short (`de`).
fn is_name_word(word: &str) -> bool {
    word.starts_with(char::is_uppercase) || word.len() <= 3
}

/// Adds a name without brackets and punctuation around it, if it is plausible and new.
fn add(name: &str, names: &mut Vec<String>) {
    let name = squeeze(name);
    let name = name.split(['(', '[', '{', '<']).next().unwrap_or_default();
    let name = name.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, ',' | ';' | '*' | '"' | ':' | '-')
    });
    let initial = |name: &str| {
        let word = name
            .trim_end_matches('.')
            .rsplit([' ', '.'])
            .next()
            .unwrap_or_default();
        word.chars().count() <= 2 || matches!(word, "Jr" | "Sr" | "Esq" | "etc")
    };
    let name = if name.ends_with('.') && !initial(name) {
        name.trim_end_matches('.')
    } else {
        name
    };
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    let plausible =
        letters >= 2 && name.len() <= MAX_NAME_BYTES && name.split_whitespace().count() <= 10;
    if plausible && !names.iter().any(|known| known == name) {
        names.push(name.to_owned());
    }
}

/// Cuts off roles of others: `, translated by ...`.
fn without_roles(line: &str) -> &str {
    let lower = line.to_ascii_lowercase();
    const ROLES: &[&str] = &[
        ", translated",
        " translated by",
        " translated from",
        ", edited",
        " edited by",
        ", illustrated",
        " illustrated by",
        ", trans.",
        " [pseud",
        ", author of",
        " (trans",
        ", editor",
        ", translator",
        " in our series",
    ];
    let end = ROLES.iter().filter_map(|role| lower.find(role)).min();
    &line[..end.unwrap_or(line.len())]
}

/// Whether two spellings name one person: surnames agree, and so do first names if both have them (`A. Conan Doyle`, `Doyle`,
/// `DOYLE, Arthur Conan`).
pub fn is_same_person(a: &str, b: &str) -> bool {
    let (a, b) = (parts(a), parts(b));
    if a.is_empty() || b.is_empty() {
        return false;
    }
    if a == b || a.concat() == b.concat() {
        return true;
    }
    let (Some((surname, mine)), Some((other, theirs))) = (a.split_last(), b.split_last()) else {
        return false;
    };
    if surname != other {
        // A name of one word may be any word of the other: `Voltaire`, `Saint Augustine`.
        let one = |single: &[String], all: &[String]| matches!(single, [word] if word.len() > 3 && all.contains(word));
        return one(&a, &b) || one(&b, &a);
    }
    let (short, long) = if mine.len() < theirs.len() {
        (mine, theirs)
    } else {
        (theirs, mine)
    };
    short.is_empty()
        || short
            .iter()
            .any(|word| long.iter().any(|other| names_agree(word, other)))
}

/// Whether two words of names agree: they are equal, or one is the initial of the other.
fn names_agree(a: &str, b: &str) -> bool {
    a == b
        || (a.chars().count() == 1 || b.chars().count() == 1)
            && a.chars().next() == b.chars().next()
}

/// The words of a name, surname last, without honours.
fn parts(name: &str) -> Vec<String> {
    const HONOURS: &[&str] = &[
        "sir",
        "mr",
        "mrs",
        "dr",
        "miss",
        "esq",
        "jr",
        "sr",
        "rev",
        "saint",
        "st",
        "lord",
        "lady",
        "m",
        "ma",
        "phd",
        "baron",
        "count",
        "comte",
        "captain",
        "professor",
        "prof",
        "the",
        "by",
        "graf",
        "madame",
        "mme",
        "junior",
        "md",
        "lld",
        "fellow",
    ];
    let turned = match name.split_once(',') {
        Some((surname, first)) if !HONOURS.contains(&fold(first).as_str()) => {
            format!("{first} {surname}")
        }
        Some((name, _)) => name.to_owned(),
        None => name.to_owned(),
    };
    let folded = fold(&turned);
    let words: Vec<String> = folded.split(' ').map(str::to_owned).collect();
    let plain: Vec<String> = words
        .iter()
        .filter(|word| !HONOURS.contains(&word.as_str()))
        .cloned()
        .collect();
    if plain.is_empty() { words } else { plain }
}

/// The author named in a title: `Shakespeare's First Folio`, `The Early Short Fiction of Edith Wharton`.
pub(super) fn author_in_title(title: &str) -> Option<&str> {
    const WORKS: &[&str] = &[
        "works of ",
        "fiction of ",
        "poems of ",
        "plays of ",
        "writings of ",
        "letters of ",
    ];
    let lower = title.to_ascii_lowercase();
    if let Some(at) = WORKS
        .iter()
        .find_map(|works| lower.find(works).map(|at| at + works.len()))
    {
        let name = &title[at..];
        // Two words, or three with an initial among them.
        let words: Vec<&str> = name.split(' ').take(3).collect();
        let initial = words
            .get(1)
            .is_some_and(|word| word.len() <= 2 && word.ends_with('.'));
        let length = words
            .iter()
            .take(if initial { 3 } else { 2 })
            .map(|word| word.len() + 1)
            .sum::<usize>();
        let person = words.len() > 1
            && words
                .iter()
                .take(2)
                .all(|word| word.starts_with(char::is_uppercase));
        let name = name.get(..length.saturating_sub(1)).filter(|_| person);
        return name.map(|name| name.trim_end_matches([',', ';', ':']));
    }
    let at = title.find("'s ").or_else(|| title.find("’s "))?;
    let name = &title[..at];
    let words = name.split_whitespace().count();
    let common = ["The", "A", "An", "My", "Our"]
        .iter()
        .any(|word| name.split(' ').next() == Some(word));
    let name_like = name
        .split_whitespace()
        .all(|word| word.starts_with(char::is_uppercase));
    (words <= 2 && !common && name_like).then_some(name)
}

/// Returns the people in a header field if the vote does not contradict it, else those with several sources, else those of the
/// most trusted source.
pub(super) fn elect(ballot: Ballot) -> Vec<MetadataValue<String>> {
    let values = ballot.values(is_same_person);
    let extractors = |value: &MetadataValue<String>| {
        let mut all: Vec<ValueExtractor> = value
            .sources
            .iter()
            .map(|source| source.extractor)
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let confirmed = |value: &MetadataValue<String>| extractors(value).len() > 1;
    let stated = |value: &MetadataValue<String>| {
        value
            .sources
            .iter()
            .any(|source| source.extractor == ValueExtractor::Field)
    };
    let any_confirmed = values.iter().any(confirmed);
    let field_holds = values
        .iter()
        .any(|value| stated(value) && (confirmed(value) || !any_confirmed));
    let best = values
        .iter()
        .flat_map(|value| extractors(value).first().copied())
        .min();
    let keep = |value: &MetadataValue<String>| {
        if field_holds {
            stated(value)
        } else if any_confirmed {
            confirmed(value)
        } else {
            extractors(value).first().copied() == best
        }
    };
    let (kept, others): (Vec<_>, Vec<_>) = values.into_iter().partition(keep);
    let mut kept = kept;
    if let Some(first) = kept.first_mut() {
        first.instead = others.into_iter().map(|value| value.value).collect();
    }
    kept
}

/// People of one role, from the fields and the title page.
pub(super) fn people(
    stated: Vec<(String, ValueSource)>,
    page: &[(String, ValueSource)],
) -> Vec<MetadataValue<String>> {
    let mut ballot = Ballot::default();
    for (value, source) in stated.iter().chain(page) {
        for name in split(value) {
            ballot.cast(&name, *source);
        }
    }
    elect(ballot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_names_stand_in_one_line() {
        let table: &[(&str, &[&str])] = &[
            ("Jane Austen", &["Jane Austen"]),
            ("Alexandre Dumas, pere", &["Alexandre Dumas, pere"]),
            (
                "Karl Marx and Friedrich Engels",
                &["Karl Marx", "Friedrich Engels"],
            ),
            (
                "Mary Smith, John Brown, and Ann Lee",
                &["Mary Smith", "John Brown", "Ann Lee"],
            ),
            (
                "Mr. and Mrs. Haldeman-Julius",
                &["Mr. and Mrs. Haldeman-Julius"],
            ),
            ("Homer, translated by Butler", &["Homer"]),
            ("Lewis Carroll (1832-1898)", &["Lewis Carroll"]),
            ("H. G. Wells.", &["H. G. Wells"]),
            ("...", &[]),
        ];
        for (line, expected) in table {
            assert_eq!(split(line), *expected, "{line}");
        }
    }

    #[test]
    fn a_title_may_name_its_author() {
        let table = [
            ("Shakespeare's First Folio", Some("Shakespeare")),
            (
                "The Complete Works of William Shakespeare Measure for Measure",
                Some("William Shakespeare"),
            ),
            (
                "The Works of Robert G. Ingersoll, Vol. 11",
                Some("Robert G. Ingersoll"),
            ),
            ("The Works of the Sea", None),
            ("The Children's Hour", None),
            ("The Boat", None),
        ];
        for (title, name) in table {
            assert_eq!(author_in_title(title), name, "{title}");
        }
    }

    #[test]
    fn one_person_is_spelt_in_several_ways() {
        let table = [
            ("A. Conan Doyle", "Arthur Conan Doyle", true),
            ("Doyle", "Sir Arthur Conan Doyle", true),
            ("DOYLE, Arthur Conan", "A. Conan Doyle", true),
            ("Charles Dickens", "CHARLES DICKENS", true),
            ("Voltaire", "M. de Voltaire", true),
            ("Anne Brontë", "Charlotte Brontë", false),
            ("Alexandre Dumas", "Jules Verne", false),
            ("", "Voltaire", false),
        ];
        for (a, b, expected) in table {
            assert_eq!(is_same_person(a, b), expected, "{a} / {b}");
        }
    }
}
