//! Sentences of references and the text within punctuation.

/// Abbreviations, whose full stop does not end a sentence.
const ABBREVIATIONS: &[&str] = &[
    "trans", "proc", "conf", "symp", "int", "intl", "soc", "univ", "am", "sci", "math", "stat",
    "stats", "statist", "rev", "ann", "bull", "acad", "ed", "eds", "vol", "vols", "st", "dr", "mr",
    "mrs", "jr", "sr", "prof", "cf", "pp", "ser", "assoc", "inst", "natl", "phys", "comput",
    "comp", "lett", "res", "roy", "amer", "appl", "comm", "commun", "biol", "chem", "econ", "eng",
    "mag", "zeitschr", "archiv", "jahrb", "allg", "publ", "dept", "tech", "rep", "ch", "chap",
];

/// Whether a full stop after this word is that of an abbreviation.
pub(super) fn is_abbreviation(word: &str) -> bool {
    ABBREVIATIONS.contains(&word.to_lowercase().as_str())
}

/// The text up to the first full stop that ends neither an initial nor an abbreviation and is not followed by a lower-case
/// letter.
pub(super) fn sentence(text: &str) -> &str {
    let ends = |at: usize| {
        let word = text[..at]
            .rsplit([' ', '.', '-', '('])
            .next()
            .unwrap_or_default();
        let count = word.chars().count();
        let initial = (count == 1 || count == 2 && word.starts_with(char::is_uppercase))
            && !word.ends_with([')', ']'])
            && !word.contains(|c: char| c.is_ascii_digit());
        !initial && !is_abbreviation(word) && !text[at + 2..].starts_with(char::is_lowercase)
    };
    let end = text
        .match_indices(". ")
        .map(|(at, _)| at)
        .find(|&at| ends(at));
    &text[..end.unwrap_or(text.len())]
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
