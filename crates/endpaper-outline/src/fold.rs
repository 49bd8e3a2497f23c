//! Text folded for comparison: without case, accents and punctuation.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Converts to lower case without accents, with `and` for `&` and a single space between words.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return fold_ascii(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    let mut push = |c: char| match c {
        _ if is_combining_mark(c) => {}
        // Apostrophes are part of a word, in every spelling.
        '\'' | '’' | '‘' | '`' | '´' => {}
        '&' => {
            out.push_str(if out.is_empty() { "and" } else { " and" });
            gap = true;
        }
        'ß' => push_folded(&mut out, &mut gap, "ss"),
        'æ' => push_folded(&mut out, &mut gap, "ae"),
        'œ' => push_folded(&mut out, &mut gap, "oe"),
        _ if c.is_alphanumeric() => {
            if gap && !out.is_empty() {
                out.push(' ');
            }
            gap = false;
            out.push(c);
        }
        _ => gap = true,
    };
    text.nfkd().flat_map(char::to_lowercase).for_each(&mut push);
    out
}

/// The fast path for ASCII lines.
fn fold_ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for byte in text.bytes() {
        match byte {
            b'\'' | b'`' => {}
            b'&' => {
                out.push_str(if out.is_empty() { "and" } else { " and" });
                gap = true;
            }
            _ if byte.is_ascii_alphanumeric() => {
                if gap && !out.is_empty() {
                    out.push(' ');
                }
                gap = false;
                out.push(char::from(byte.to_ascii_lowercase()));
            }
            _ => gap = true,
        }
    }
    out
}

/// Appends folded letters, after a blank if there was a gap.
fn push_folded(out: &mut String, gap: &mut bool, letters: &str) {
    if *gap && !out.is_empty() {
        out.push(' ');
    }
    *gap = false;
    out.push_str(letters);
}

/// Squeezes white space to single spaces, and removes typists' marks around words (`_italics_`, `*stars*`).
pub(super) fn squeeze(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        let word = word.trim_matches(['_', '*', '=', '~']);
        if word.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spellings_that_agree_are_one() {
        let table = [
            ("The Children's Book", "the childrens book"),
            ("THE CHILDREN’S BOOK.", "the childrens book"),
            ("Arms & the Man", "arms and the man"),
            ("Die  Straße: _Œuvres_", "die strasse oeuvres"),
            ("Préface", "preface"),
            ("-- * --", ""),
        ];
        for (text, folded) in table {
            assert_eq!(fold(text), folded, "{text}");
        }
        assert_eq!(squeeze("  _A_  *tale*\t of =two= ~"), "A tale of two");
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(text in r"[a-zA-Z &'’.,é_ß-]{0,40}") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }

        #[test]
        fn ascii_is_folded_as_other_text_is(text in "[ -~]{0,60}") {
            // A non-ASCII letter forces the slow path, which then folds it to a separate word.
            let other = fold(&format!("{text} ß"));
            let words = other.strip_suffix("ss").unwrap().trim_end();
            prop_assert_eq!(fold(&text), words);
        }
    }
}
