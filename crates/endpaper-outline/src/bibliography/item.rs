//! A reference and the lines it is read from.

use crate::rows::BodyRows;
use serde::Serialize;

/// Most lines from one item to the next.
pub(super) const GAP: u32 = 30;

/// Longest item that is kept, in bytes.
pub(super) const MAX_ITEM_BYTES: usize = 2000;

/// A reference. Texts are decoded but not sanitised.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BibliographyItem {
    /// Its number in the list, or its position from 1 if the items have no numbers.
    pub number: u32,
    /// The line it begins in.
    pub line: u32,
    /// Its whole text.
    pub text: String,
    /// Its author.
    pub author: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Where it was published, unless that is a publisher or a town: a journal, a series, proceedings.
    pub venue: Option<String>,
    /// The year of publication.
    pub year: Option<u32>,
}

/// The lines of an item while it is read.
#[derive(Clone, Debug, Default)]
pub(super) struct ItemDraft {
    pub(super) number: u32,
    pub(super) line: u32,
    pub(super) lines: Vec<String>,
    pub(super) size: usize,
    /// Whether it stands below an item of the same author, which is not repeated.
    pub(super) same_author: bool,
}

impl ItemDraft {
    /// A reference that begins with the text `first`, at this line.
    pub(super) fn new(number: u32, line: u32, first: &str) -> ItemDraft {
        let first = spaced(first);
        ItemDraft {
            number,
            line,
            size: first.len(),
            // A rule in place of an author is a row of dashes, or has no text.
            same_author: first.starts_with(['—', '–', ','])
                || first.starts_with("--")
                || first.starts_with("__"),
            lines: vec![first],
        }
    }

    /// Adds a line; returns `false` if the item would get too long.
    pub(super) fn push(&mut self, words: &str) -> bool {
        let fits = self.size + words.len() < MAX_ITEM_BYTES;
        if fits {
            let words = spaced(words);
            self.size += words.len() + 1;
            // The first line is empty if it held only a label.
            match self.lines.first_mut() {
                Some(first) if first.is_empty() => *first = words,
                _ => self.lines.push(words),
            }
        }
        fits
    }

    /// Whether its last line ends within a word.
    pub(super) fn is_open_word(&self) -> bool {
        let last = self.lines.last();
        last.is_some_and(|line| line.ends_with('-') && !line.ends_with("--"))
    }

    /// Joins the lines and the words hyphenated at line ends. Marks for italics and bold are kept.
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

/// Squeezes white space to single spaces. Marks for italics stay: titles are recognised by them.
pub(super) fn spaced(words: &str) -> String {
    words.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// Whether the row with index `at` is a page number alone between blank lines, or a running title with a page number
/// (blank lines or not).
pub(super) fn is_page_line(rows: &BodyRows<'_>, at: usize) -> bool {
    let words = rows.words(at);
    let number = |part: &str| {
        let part = part.trim();
        !part.is_empty() && part.len() <= 5 && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    if number(&words) {
        let page = |at: usize| rows.all().get(at).map(|row| rows.extent().page(row.line));
        let last = rows.blank_after(at) > 0 || page(at) != page(at + 1);
        return rows.all()[at].is_first() && last;
    }
    const GAP: &str = "        ";
    let split = |(left, right): (&str, &str)| number(left) || number(right);
    words.len() < 200
        && (words.split_once(GAP).is_some_and(split) || words.rsplit_once(GAP).is_some_and(split))
}
