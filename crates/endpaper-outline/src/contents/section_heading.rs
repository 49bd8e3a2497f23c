//! Headings of numbered sections in print, such as `1 Introduction`, `3.1.2 Quoting` and `A Proofs`.
//!
//! In print they are set off by their type, so that neither a full stop after the number nor a blank line below the title is
//! needed. In a plain text such a line is too often the first line of a paragraph.

use crate::numbers::{number, section_depth};
use crate::rows::BodyRows;

/// Most words of a title.
const MAX_WORDS: usize = 14;

/// Splits a number or a single letter from the title after it.
pub(super) fn split_number(line: &str) -> Option<(&str, &str)> {
    let (first, title) = line.split_once(char::is_whitespace)?;
    let bare = first.strip_suffix(['.', ':']).unwrap_or(first);
    let digits = bare.len() <= 3 && bare.bytes().all(|byte| byte.is_ascii_digit());
    let letter = bare.len() == 1 && bare.bytes().all(|byte| byte.is_ascii_uppercase());
    let roman = || {
        let capitals = bare.bytes().all(|byte| byte.is_ascii_uppercase());
        capitals && number(bare).is_some()
    };
    let counts = !bare.is_empty() && (digits || letter || roman());
    counts.then(|| (bare, title.trim_start()))
}

/// Splits `3 Utilities` into its number and its title.
pub(super) fn loose_number(line: &str) -> Option<(u32, &str)> {
    let (first, title) = line.split_once(' ')?;
    let digits = first.len() <= 2 && first.bytes().all(|byte| byte.is_ascii_digit());
    let value = first.parse().ok().filter(|&value| digits && value > 0)?;
    reads_like_title(title).then_some((value, title))
}

/// Whether a line may be the heading of a numbered section.
pub(super) fn opens_section(line: &str) -> bool {
    if section_depth(line).is_some() {
        return true;
    }
    split_number(line).is_some_and(|(_, title)| reads_like_title(title))
}

/// Whether a text is a title: it begins with a capital, is short and is not a sentence.
pub(super) fn reads_like_title(title: &str) -> bool {
    title.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase())
        && !title.ends_with(['.', ',', ';', ':'])
        && title.split_whitespace().count() <= MAX_WORDS
}

/// Indentation from which on a title is in the middle of its line.
const CENTRED: u8 = 8;

/// Number of rows of the title that begins at `at` in a block of `block` rows: it continues after a hyphen, and on a row that begins
/// below its first word, or, in the middle of the line, further right. The first line of a paragraph is indented as well.
pub(super) fn title_rows(rows: &BodyRows<'_>, at: usize, block: usize) -> usize {
    let indent = rows.all()[at].indent;
    let words = rows.words(at);
    let number = words
        .split_once(char::is_whitespace)
        .map_or(0, |(_, title)| {
            words.chars().count() - title.trim_start().chars().count()
        });
    let continues = |next: &usize| {
        let inner = rows.all()[*next].indent;
        let below = usize::from(inner) == usize::from(indent) + number;
        inner > indent + 1 && (below || indent >= CENTRED) || rows.words(next - 1).ends_with('-')
    };
    1 + (at + 1..at + block).take_while(continues).take(2).count()
}
