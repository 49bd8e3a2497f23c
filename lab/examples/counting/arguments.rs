//! The command line of this example.

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, Result};
use endpaper_detect::frequency::Structure;

/// Positional arguments in order, and the numeric options.
pub struct CountingArguments {
    words: std::vec::IntoIter<String>,
    pub books: Option<usize>,
    pub rounds: usize,
    pub lines: u64,
}

impl CountingArguments {
    pub fn read(mut from: impl Iterator<Item = String>) -> Result<CountingArguments> {
        let mut words = Vec::new();
        let (mut books, mut rounds, mut lines) = (None, 5, 50_000_000);
        while let Some(word) = from.next() {
            match word.as_str() {
                "--books" => books = Some(number(&word, from.next())?),
                "--rounds" => rounds = number(&word, from.next())?,
                "--lines" => lines = number(&word, from.next())?,
                _ => words.push(word),
            }
        }
        Ok(CountingArguments {
            words: words.into_iter(),
            books,
            rounds: rounds.max(1),
            lines,
        })
    }

    /// Returns the next positional argument; `what` names it in the error.
    pub fn next(&mut self, what: &str) -> Result<String> {
        let word = self.words.next();
        word.with_context(|| {
            format!("{what} is missing; see the head of lab/examples/counting/main.rs")
        })
    }

    pub fn path(&mut self, what: &str) -> Result<PathBuf> {
        self.next(what).map(PathBuf::from)
    }

    /// Returns the named structures, or else those of `default`.
    pub fn structures(&mut self, default: &[&str]) -> Result<Vec<Structure>> {
        let named: Vec<String> = self.words.by_ref().collect();
        let named = named.iter().map(String::as_str);
        let mut names: Vec<&str> = named.collect();
        if names.is_empty() {
            names = default.to_vec();
        }
        let structures = names.iter().map(|name| Ok(name.parse()?));
        structures.collect()
    }
}

fn number<T: FromStr>(option: &str, word: Option<String>) -> Result<T> {
    let number = word.and_then(|word| word.parse().ok());
    number.with_context(|| format!("{option} wants a number"))
}
