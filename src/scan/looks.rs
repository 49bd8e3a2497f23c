//! Looks: what the posterior detector wants to know of the rows near the ends of a book.

use serde::{Deserialize, Serialize};

use super::signs::{Sign, Signs};
use super::{Marks, Row};
use crate::line::{Forms, Normalised};

/// What a line looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Looks {
    /// What its words and its shape say.
    pub signs: Signs,
    /// Half of the key of its skeleton (names, numbers and addresses replaced).
    pub skeleton: u32,
    /// Half of the key of its first words.
    pub opening: u32,
    /// White space before it, in columns (saturating; a tab is eight).
    pub indent: u8,
}

impl Looks {
    /// The looks of a line, `raw` with its white space.
    pub(super) fn of(raw: &[u8], normalised: &Normalised<'_>, forms: &mut Forms) -> Looks {
        let (skeleton, opening) = forms.of(normalised.text);
        Looks {
            signs: Signs::of(normalised),
            skeleton,
            opening,
            indent: indent(raw),
        }
    }
}

/// White space before the text of a line, in columns.
fn indent(raw: &[u8]) -> u8 {
    let space = raw.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    let columns: usize = space.map(|&byte| if byte == b'\t' { 8 } else { 1 }).sum();
    u8::try_from(columns).unwrap_or(u8::MAX)
}

/// Rows that are looked at inwards of the last one with a strong sign of producers.
pub const INWARDS: usize = 100;

/// Signs that seldom stand in a book.
const STRONG: &[Sign] = &[
    Sign::Etext,
    Sign::Credit,
    Sign::Team,
    Sign::ProducersNote,
    Sign::Contact,
    Sign::Url,
    Sign::Html,
    Sign::Licence,
    Sign::Meta,
    Sign::Release,
    Sign::Charset,
    Sign::Error,
    Sign::LateYear,
    Sign::Bookmarks,
];

impl Row {
    /// Whether a strong sign of producers stands in it.
    pub fn is_strong(&self) -> bool {
        let strong = const {
            let (mut all, mut at) = (0, 0);
            while at < STRONG.len() {
                all |= 1_u64 << (STRONG[at] as u8);
                at += 1;
            }
            all
        };
        self.marks.any(Marks::GUTENBERG | Marks::ETEXT) || self.looks.signs.0 & strong != 0
    }
}

/// How many rows of an end, from the outside inwards, are near it: up to [`INWARDS`] behind the last strong one.
/// `look` is asked for each of them in turn whether it is strong.
pub fn near(rows: usize, mut look: impl FnMut(usize) -> bool) -> usize {
    let mut end = INWARDS.min(rows);
    let mut at = 0;
    while at < end {
        if look(at) {
            end = (at + 1 + INWARDS).min(rows);
        }
        at += 1;
    }
    end
}
