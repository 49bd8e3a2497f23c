//! Spread: in how many books a form of a line occurs, and under how many hands and authors.
//!
//! A line that one hand puts into books of many authors is the hand's; one that stands only in the books of one author
//! is the author's. Forms are the exact line, its skeleton and its first words, heads and tails apart.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::line::KeyKind;

/// Where and what a form of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form(pub u64);

impl Form {
    /// A form in heads (`tail` false) or in tails, by half of its key.
    pub fn new(kind: KeyKind, tail: bool, half: u32) -> Form {
        Form(u64::from(half) | (kind as u64) << 32 | u64::from(tail) << 34)
    }
}

/// How widely a form is spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    /// Books that hold it.
    pub books: u32,
    /// Hands that made these books.
    pub hands: u32,
    /// Authors of these books.
    pub authors: u32,
}

/// How widely the forms of a corpus are spread. Forms of a single book are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spreads {
    forms: HashMap<Form, Spread, FixedState>,
}

impl Spreads {
    /// How widely a form is spread: at least over the one book it was found in.
    pub fn get(&self, form: Form) -> Spread {
        self.forms.get(&form).copied().unwrap_or(Spread {
            books: 1,
            hands: 1,
            authors: 1,
        })
    }

    /// Number of forms that stand in more than one book.
    pub fn len(&self) -> usize {
        self.forms.len()
    }

    /// Whether no form stands in more than one book.
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }
}

/// Hands and authors are told apart up to this many.
const MOST: usize = 64;

/// Gathers spreads.
#[derive(Clone, Debug, Default)]
pub struct Gatherer {
    /// Form and number of the book.
    seen: Vec<(Form, u32)>,
    /// Hand and author of each book, as hashes.
    books: Vec<(u64, u64)>,
}

impl Gatherer {
    /// Adds the forms of a book; it does not matter how often it names one.
    pub fn add(
        &mut self,
        hand: Option<&str>,
        author: Option<&str>,
        forms: impl Iterator<Item = Form>,
    ) {
        let number = self.books.len() as u32;
        self.books.push((name(hand), name(author)));
        self.seen.extend(forms.map(|form| (form, number)));
    }

    /// Counts.
    pub fn finish(mut self) -> Spreads {
        self.seen.sort_unstable();
        self.seen.dedup();
        let runs = self.seen.chunk_by(|a, b| a.0 == b.0);
        let wide = runs.filter(|run| run.len() > 1);
        let spread = |run: &[(Form, u32)]| {
            let distinct = |which: fn(&(u64, u64)) -> u64| {
                let mut names: Vec<u64> = Vec::with_capacity(MOST);
                for (_, book) in run {
                    let name = which(&self.books[*book as usize]);
                    if !names.contains(&name) {
                        names.push(name);
                        if names.len() == MOST {
                            break;
                        }
                    }
                }
                names.len() as u32
            };
            Spread {
                books: run.len() as u32,
                hands: distinct(|book| book.0),
                authors: distinct(|book| book.1),
            }
        };
        Spreads {
            forms: wide.map(|run| (run[0].0, spread(run))).collect(),
        }
    }
}

/// The last word of a name, in lower case, hashed: first names are written in many ways.
fn name(name: Option<&str>) -> u64 {
    use std::hash::BuildHasher;
    let last = name
        .unwrap_or_default()
        .split(|c: char| !c.is_alphanumeric())
        .rfind(|word| word.len() > 2);
    FixedState::default().hash_one(last.unwrap_or_default().to_lowercase())
}
