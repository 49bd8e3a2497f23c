//! Descriptions of facts, for explaining a cut to users.

use super::profile::{Profile, ROLES};
use endpaper_text::scan::LexicalCue;

/// Facts of blocks and cut positions with a fixed name.
const PLAIN: &[(&str, &str)] = &[
    ("block", "one block more is cut away"),
    ("gutenberg", "names Project Gutenberg"),
    ("start-marker", "holds a START marker"),
    ("small-print-end", "ends the small print"),
    ("end-marker", "holds an End marker"),
    ("etext-line", "begins with ETEXT"),
    ("credits", "reads as credits"),
    ("note", "begins as a note"),
    ("separator", "is a line of dashes or stars"),
    ("frequency-mean", "is of frequent lines"),
    ("frequency-max", "has a frequent line"),
    ("unique", "has no line of other books"),
    ("one-row", "is one line long"),
    ("two-or-three-rows", "is two or three lines long"),
    ("four-to-eight-rows", "is four to eight lines long"),
    ("nine-rows", "is nine lines long or longer"),
    ("rows", "is long"),
    ("short-title", "is short and holds the title"),
    ("short-author", "is short and holds the author"),
    ("width", "has wide lines"),
    ("narrow", "has narrow lines"),
    ("prose", "is prose"),
    ("strong", "has cues of the file's producers"),
    ("plain-prose", "is prose without cues of producers"),
    ("indent", "is indented far"),
    ("indented", "is indented"),
    ("blank", "many blank lines"),
    (
        "blank-relative",
        "nearly as many blank lines as anywhere near",
    ),
    ("blank-widest", "the widest gap near it"),
    ("inside-block", "inside a block"),
    ("nothing", "nothing is cut away"),
    ("everything", "everything in the window is cut away"),
    (
        "nothing-though-marker",
        "nothing is cut away though there is a marker",
    ),
    (
        "nothing-though-gutenberg",
        "nothing is cut away though Gutenberg is named",
    ),
    ("marker-inwards", "a marker is kept"),
    ("markers-inwards", "several markers are kept"),
    ("gutenberg-inwards", "a line that names Gutenberg is kept"),
    (
        "gutenbergs-inwards",
        "several lines that name Gutenberg are kept",
    ),
    ("at-first-title", "at the first block with the title"),
    ("at-second-title", "at the second block with the title"),
    (
        "past-first-title",
        "the first block with the title is cut away",
    ),
    (
        "past-second-title",
        "the second block with the title is cut away",
    ),
    (
        "strong-since-title",
        "cues of the file's producers after the title",
    ),
    (
        "strong-since-title-at-second",
        "cues of the file's producers between two titles",
    ),
    (
        "gutenberg-then-author",
        "a line that names Gutenberg, then the author",
    ),
    ("signed", "what is cut away opens as something added"),
    (
        "signed-rows",
        "what is cut away opens as something added, lines from the marker",
    ),
    (
        "signed-blocks",
        "what is cut away opens as something added, blocks from the marker",
    ),
    (
        "signed-far",
        "what is cut away opens as something added, far from the marker",
    ),
    (
        "signed-very-far",
        "what is cut away opens as something added, very far from the marker",
    ),
    (
        "hand",
        "a line that one producer of files puts into many books is cut away",
    ),
    (
        "hand-inwards",
        "a line that one producer of files puts into many books is kept",
    ),
    ("in-brackets", "inside brackets"),
    ("same-indent", "indented equally on both sides"),
    ("less-indented", "what is kept is indented less"),
    ("more-indented", "what is kept is indented more"),
];

/// Descriptions of facts whose names end in a number, which they follow.
const NUMBERED: &[(&str, &str)] = &[
    ("blank>=", "blank lines or more"),
    (
        "trade>=",
        "kinds of words of those who make files in what is cut away",
    ),
    (
        "trade-inwards>=",
        "kinds of words of those who make files in what is kept",
    ),
];

/// Document frequencies of a form of the lines.
const SPREAD: &[(&str, &str)] = &[
    ("books-mean", "are in many books"),
    ("books-max", "one of them is in many books"),
    ("hand", "are in books of several authors and one producer"),
    (
        "hand-any",
        "one of them is in books of several authors and one producer",
    ),
    ("author", "are in books of one author"),
    ("author-any", "one of them is in books of one author"),
    ("many", "are in books of several producers and authors"),
    (
        "many-any",
        "one of them is in books of several producers and authors",
    ),
    ("very-many", "are in books of many producers and authors"),
    (
        "very-many-any",
        "one of them is in books of many producers and authors",
    ),
];

/// Forms of lines.
const FORMS: [(&str, &str); 3] = [
    ("exact-", "lines that "),
    ("skeleton-", "lines that, but for names and numbers, "),
    ("opening-", "lines whose first words "),
];

/// What distances are measured from.
const LANDMARKS: [(&str, &str); 3] = [
    ("since-marker:", "the last marker"),
    ("since-gutenberg:", "the last line that names Gutenberg"),
    (
        "since-strong:",
        "the last strong sign of those who make files",
    ),
];

/// Describes a weight: the role of the block, and what holds for it.
pub(crate) fn describe_weight(weight: usize) -> String {
    named(Profile::name(weight))
}

/// A fact in words, such as `cut away near it: a blank line`.
fn named(name: &str) -> String {
    let (role, fact) = match name.split_once(':') {
        Some((role, fact)) if ROLES.contains(&role) => (role, fact),
        Some(("place", fact)) => ("place", fact),
        _ => ("place", name),
    };
    let role = match ROLES.iter().position(|known| *known == role) {
        Some(0) => "cut away near it: ",
        Some(1) => "kept near it: ",
        Some(2) => "the block cut away beside it: ",
        Some(3) => "the block kept beside it: ",
        Some(4) => "the second block kept: ",
        Some(_) => "the second block cut away: ",
        None => "",
    };
    let meaning = describe_cue(fact)
        .or_else(|| of_table(PLAIN, fact))
        .or_else(|| numbered(fact))
        .or_else(|| spread(fact))
        .or_else(|| distance(fact))
        .or_else(|| share(fact))
        .or_else(|| landmark(fact))
        .or_else(|| ahead(fact));
    format!(
        "{role}{}",
        meaning.unwrap_or_else(|| fact.replace('-', " "))
    )
}

/// The meaning of a lexical cue, in lower case.
fn describe_cue(fact: &str) -> Option<String> {
    let sign = LexicalCue::ALL.iter().find(|sign| sign.name() == fact)?;
    let meaning = sign.meaning().trim_end_matches('.');
    let mut letters = meaning.chars();
    let first = letters.next()?.to_lowercase();
    Some(first.chain(letters).collect())
}

/// The words of a fact in a table.
fn of_table(table: &[(&str, &str)], fact: &str) -> Option<String> {
    let (_, words) = table.iter().find(|(name, _)| *name == fact)?;
    Some((*words).to_owned())
}

/// The words of a fact that begins with a number.
fn numbered(fact: &str) -> Option<String> {
    NUMBERED.iter().find_map(|(name, words)| {
        let number = fact.strip_prefix(name)?;
        Some(format!("{number} {words}"))
    })
}

/// The words of a fact about document frequency, such as `exact-many`.
fn spread(fact: &str) -> Option<String> {
    FORMS.iter().find_map(|(name, lines)| {
        let how = of_table(SPREAD, fact.strip_prefix(name)?)?;
        Some(format!("{lines}{how}"))
    })
}

/// The words of a fact about the distance from a landmark.
fn distance(fact: &str) -> Option<String> {
    LANDMARKS.iter().find_map(|(name, landmark)| {
        Some(match fact.strip_prefix(name)? {
            "rows" => format!("lines away from {landmark}"),
            "blocks" => format!("blocks away from {landmark}"),
            "none" => format!("{landmark}: not cut away"),
            "0" => format!("in the block of {landmark}"),
            "1" => format!("one block from {landmark}"),
            far => match far.strip_prefix('>') {
                Some(far) => format!("more than {far} blocks from {landmark}"),
                None => format!("{far} blocks from {landmark}"),
            },
        })
    })
}

/// Facts of the shares of the books that hold the lines near a position.
const SHARES: &[(&str, &str)] = &[
    ("cut", "the last line cut away is"),
    ("kept", "the first line kept is"),
    ("inwards", "lines that are kept are"),
    ("none-inwards", "no line that is kept near it is"),
    ("none-outwards", "no line that is cut away is"),
    ("last", "the last line that is cut away is the last that is"),
    ("within-5", "one of the next 5 lines kept is"),
    ("within-20", "one of the next 20 lines kept is"),
];

/// The words of a fact about the share of books that have a line.
fn share(fact: &str) -> Option<String> {
    let (share, what) = fact.strip_prefix("share-")?.split_once(':')?;
    let (form, percent) = share.split_once('-')?;
    let what = of_table(SHARES, what)?;
    let form = match form {
        "exact" => "",
        _ => ", but for names, numbers or its end,",
    };
    Some(format!("{what}{form} in {percent} of the books or more"))
}

/// Facts of what stood beside decided cuts.
const DECIDED: &[(&str, &str)] = &[
    (
        "odds",
        "stood beside decided cuts more often than elsewhere",
    ),
    ("share", "stood beside decided cuts"),
    (
        "outermost",
        "is the outermost that stood beside decided cuts",
    ),
    (
        "innermost",
        "is the innermost that stood beside decided cuts",
    ),
];

/// The words of a fact about lines beside decided cuts.
fn landmark(fact: &str) -> Option<String> {
    match fact {
        "decided-rows" => return Some("as many lines outside as at decided cuts".to_owned()),
        "decided-nothing:odds" => {
            return Some(
                "nothing is cut away, weighed by how many decided books have nothing to cut"
                    .to_owned(),
            );
        }
        _ => {}
    }
    let (row, what) = fact.strip_prefix("decided-")?.split_once(':')?;
    let (form, side) = row.split_once('-')?;
    let what = of_table(DECIDED, what)?;
    let side = match side {
        "cut" => "the last line cut away",
        _ => "the first line kept",
    };
    let form = match form {
        "exact" => "",
        "skeleton" => ", but for names and numbers,",
        _ => ", by its first words,",
    };
    Some(format!("{side}{form} {what}"))
}

/// The words of a fact about producers' lines further inside.
fn ahead(fact: &str) -> Option<String> {
    let (what, blocks) = match fact.strip_prefix("strongs-in-") {
        Some(blocks) => ("several producer cues", blocks),
        None => ("a strong sign", fact.strip_prefix("strong-in-")?),
    };
    let blocks = match blocks {
        "1" => "block".to_owned(),
        blocks => format!("{blocks} blocks"),
    };
    Some(format!(
        "{what} of those who make files in the next {blocks} kept"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fact_has_words_of_its_own() {
        let mut seen = std::collections::HashMap::new();
        for name in Profile::names() {
            let words = named(&name);
            let fact = name
                .rsplit_once(':')
                .map_or(name.as_str(), |(_, fact)| fact);
            assert_ne!(words, fact.replace('-', " "), "{name}");
            assert!(!words.contains(['>', '=']), "{name}: {words}");
            if let Some(other) = seen.insert(words.clone(), name.clone()) {
                panic!("{other} and {name} are both '{words}'");
            }
        }
    }

    #[test]
    fn parts_and_numbers_are_told() {
        let table = [
            ("place:blank>=5", "5 blank lines or more"),
            (
                "outer:credits",
                "the block cut away beside it: reads as credits",
            ),
            ("place:since-marker:1", "one block from the last marker"),
            (
                "place:since-strong:>10",
                "more than 10 blocks from the last strong sign of those who make files",
            ),
            (
                "place:strong-in-2",
                "a strong sign of those who make files in the next 2 blocks kept",
            ),
            (
                "kept:skeleton-many",
                "kept near it: lines that, but for names and numbers, are in books of several producers and authors",
            ),
        ];
        for (name, words) in table {
            assert_eq!(named(name), words);
        }
    }
}
