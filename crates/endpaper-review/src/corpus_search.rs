//! Searching all books: what was found, as the session has it.

use std::time::Duration;

use endpaper_text::wording::{plural, thousands};

/// Width of the title in a row, in characters.
const TITLE: usize = 26;
/// Longest chapter in a row, in characters: on 80 columns some words of the text must be left.
const CHAPTER: usize = 18;

/// The best books for a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundBooks {
    /// The query as it was typed.
    pub query: String,
    /// Books that match, also those that are not among `books`.
    pub total: usize,
    /// How long it took to find them, without reading them.
    pub time: Duration,
    /// The best of them, best first.
    pub books: Vec<FoundBook>,
}

/// A book that matches. Texts are decoded and not sanitised.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundBook {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: Option<String>,
    /// The line where most of the words occur together.
    pub line: Option<u32>,
    /// The heading at or above it.
    pub chapter: Option<String>,
    /// The words there, or why they cannot be shown.
    pub text: String,
}

/// What is asked of all books.
#[derive(Clone, Debug, Default)]
pub struct SearchState {
    /// Counts requests; older answers count for nothing.
    pub epoch: u64,
    /// What was found last.
    pub last: Option<FoundBooks>,
}

impl FoundBooks {
    /// The heading of the list.
    pub fn heading(&self) -> String {
        let (total, noun) = (thousands(self.total), plural(self.total, "book"));
        let best = match self.books.len() {
            few if few < self.total => format!(", the best {few}"),
            _ => String::new(),
        };
        format!(
            "{total} {noun} for {} in {:.1} ms{best}",
            self.query,
            self.time.as_secs_f64() * 1000.0
        )
    }
}

impl FoundBook {
    /// The book as a row of the list: title, line, chapter, words.
    pub fn row(&self) -> String {
        let title = self.title.as_deref().unwrap_or(&self.id);
        let short = shortened(title, TITLE);
        let line = self.line.map_or_else(String::new, |line| line.to_string());
        let chapter = match &self.chapter {
            Some(chapter) if !chapter.is_empty() => format!("[{}] ", shortened(chapter, CHAPTER)),
            _ => String::new(),
        };
        format!("{short:<TITLE$} {line:>7}  {chapter}{}", self.text)
    }
}

fn shortened(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}
