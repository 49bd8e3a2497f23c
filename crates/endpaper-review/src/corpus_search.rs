//! Results of a search in all books.

use std::time::Duration;

use endpaper_text::wording::{plural, thousands};

/// Width of the title in a row, in characters.
const TITLE: usize = 26;
/// Maximum width of the chapter in a row, in characters: 80 columns must leave room for some of the text.
const CHAPTER: usize = 18;

/// The best books for a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundBooks {
    /// The query as it was typed.
    pub query: String,
    /// Number of matching books, including those not in `books`.
    pub total: usize,
    /// Duration of the search, without reading the books.
    pub time: Duration,
    /// The best matches, best first.
    pub books: Vec<FoundBook>,
}

/// A matching book. Texts are decoded and not sanitised.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundBook {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: Option<String>,
    /// The line with most of the words close together.
    pub line: Option<u32>,
    /// The nearest heading at or before the line.
    pub chapter: Option<String>,
    /// The text there, or why it cannot be shown.
    pub text: String,
}

/// State of the search in all books.
#[derive(Clone, Debug, Default)]
pub struct SearchState {
    /// Number of the last request; answers to older ones are ignored.
    pub epoch: u64,
    /// The last results.
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
    /// The book as a row of the list: title, line, chapter, text.
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

/// The text, cut to `most` characters if it is longer.
fn shortened(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}
