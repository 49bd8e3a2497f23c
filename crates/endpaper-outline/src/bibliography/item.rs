//! A reference, and the lines it is made of.

use crate::rows::BodyRows;
use serde::Serialize;

/// Lines in which the next item must come.
pub(super) const GAP: u32 = 30;

/// Longest item that is kept, in bytes.
pub(super) const LONGEST: usize = 2000;

/// A reference. Texts are decoded and not sanitised.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BibliographyItem {
    /// Its number in the list; where items have none, its place, from one.
    pub number: u32,
    /// Its first line.
    pub line: u32,
    /// All of it.
    pub text: String,
    /// Who wrote it.
    pub author: Option<String>,
    /// What it is called.
    pub title: Option<String>,
    /// Where it was published, if that is not a house and no town: a journal, a series, proceedings.
    pub venue: Option<String>,
    /// When.
    pub year: Option<u32>,
}

/// The lines of an item as they were gathered.
#[derive(Clone, Debug, Default)]
pub(super) struct ItemDraft {
    pub(super) number: u32,
    pub(super) line: u32,
    pub(super) lines: Vec<String>,
    pub(super) size: usize,
    /// It is below an item whose author it has.
    pub(super) same_author: bool,
}

impl ItemDraft {
    pub(super) fn new(number: u32, line: u32, first: &str) -> ItemDraft {
        let first = spaced(first);
        ItemDraft {
            number,
            line,
            size: first.len(),
            lines: vec![first],
            same_author: false,
        }
    }

    /// Takes a line unless the item is too long already.
    pub(super) fn push(&mut self, words: &str) -> bool {
        let fits = self.size + words.len() < LONGEST;
        if fits {
            let words = spaced(words);
            self.size += words.len() + 1;
            self.lines.push(words);
        }
        fits
    }

    /// All lines as one, words that were divided at the end of a line made whole. Typists' marks still are in it.
    pub(super) fn text(&self) -> String {
        let mut text = String::with_capacity(self.size);
        for line in &self.lines {
            let divided = text.ends_with('-') && !text.ends_with("--");
            // `Boiler-` and `plates` are one word, `Addison-` and `Wesley` keep their hyphen.
            if divided && line.starts_with(char::is_lowercase) {
                text.pop();
            } else if !text.is_empty() && (!divided || !line.starts_with(char::is_uppercase)) {
                text.push(' ');
            }
            text.push_str(line);
        }
        text
    }
}

/// White space squeezed to one space; the marks of italics stay, they tell titles.
pub(super) fn spaced(words: &str) -> String {
    words.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// What is at the edge of a page: a number alone between blank lines, or far from the title of the book.
pub(super) fn is_page_line(rows: &BodyRows<'_>, at: usize) -> bool {
    let words = rows.words(at);
    let number = |part: &str| {
        let part = part.trim();
        !part.is_empty() && part.len() <= 5 && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    if number(&words) {
        return rows.all()[at].is_first() && rows.blank_after(at) > 0;
    }
    const GAP: &str = "        ";
    let split = |(left, right): (&str, &str)| number(left) || number(right);
    words.len() < 200
        && (words.split_once(GAP).is_some_and(split) || words.rsplit_once(GAP).is_some_and(split))
}
