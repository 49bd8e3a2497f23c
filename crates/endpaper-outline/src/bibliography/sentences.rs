//! Sentences of references and the text within punctuation.

use crate::fold::fold;
use crate::metadata::is_imprint;

/// Abbreviations, whose full stop does not end a sentence.
const ABBREVIATIONS: &[&str] = &[
    "trans", "proc", "conf", "symp", "int", "intl", "soc", "univ", "am", "sci", "math", "stat",
    "stats", "statist", "rev", "ann", "bull", "acad", "ed", "eds", "vol", "vols", "st", "dr", "mr",
    "mrs", "jr", "sr", "prof", "cf", "pp", "ser", "assoc", "inst", "natl", "phys", "comput",
    "comp", "lett", "res", "roy", "amer", "appl", "comm", "commun", "biol", "chem", "econ", "eng",
    "mag", "zeitschr", "archiv", "jahrb", "allg", "publ", "dept", "tech", "rep", "ch", "chap",
];

/// Splits at each full stop that ends neither an initial nor an abbreviation and is not followed by a lower-case letter.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(". ") {
        let word = text[start..at]
            .rsplit([' ', '.', '-', '('])
            .next()
            .unwrap_or_default();
        let next = text[at + 2..].chars().next();
        let count = word.chars().count();
        let initial = (count == 1 || count == 2 && word.starts_with(char::is_uppercase))
            && !word.ends_with([')', ']'])
            && !word.contains(|c: char| c.is_ascii_digit());
        let short = ABBREVIATIONS.contains(&word.to_lowercase().as_str());
        let rest = &text[at + 2..];
        // `Modern Applied Statistics with S. New York: Springer`: before a publisher, a single letter ends the title.
        let house = || {
            is_imprint(&fold(
                rest.split(['.', ',', ':', '(']).next().unwrap_or_default(),
            ))
        };
        if (!initial && !short || count == 1 && house()) && next.is_some_and(|c| !c.is_lowercase())
        {
            found.push(&text[start..at]);
            start = at + 2;
        }
    }
    found.push(&text[start..]);
    found
}

/// Strips punctuation and white space around a text; `None` if nothing is left.
pub(super) fn text_of(text: &str) -> Option<String> {
    let text = text.trim_matches(|c: char| {
        c.is_whitespace()
            || matches!(
                c,
                ',' | '.' | ';' | ':' | '"' | '“' | '”' | '_' | '-' | '—' | '(' | '‘'
            )
    });
    (!text.is_empty()).then(|| text.to_owned())
}
