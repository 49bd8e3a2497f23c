//! One conformance suite for all counting structures, and what the room's tests share.

use std::collections::HashMap;

use anyhow::Result;
use proptest::prelude::*;

use super::{Build, Counter, Counts, Keyed, Structure};
use crate::corpus::{Encoding, Newline};
use crate::line::{Key, Normaliser};
use crate::scan::{Header, Marks, Row, Scan, Template, Window};

/// A scan of a book whose lines all stand in its head window, made without reading a file.
pub(crate) fn scan_of(lines: &[&str]) -> Scan {
    let mut normaliser = Normaliser::default();
    let rows = (1..).zip(lines).map(|(line, text)| {
        let normalised = normaliser.text(text);
        Row {
            key: normalised.key(),
            line,
            marks: if normalised.trivial {
                Marks::TRIVIAL
            } else {
                Marks::default()
            },
            characters: normalised.characters as u16,
        }
    });
    let rows: Vec<Row> = rows.collect();
    Scan {
        lines: lines.len() as u32,
        bytes: 0,
        crc: 0,
        encoding: Encoding::Ascii,
        newline: Newline::Lf,
        head: rows.len() as u32,
        tail: rows.len() as u32,
        rows,
        mentions: Vec::new(),
        header: Header::default(),
        template: Template::default(),
    }
}

/// Counts books with `shards` structures that are merged one after another.
struct Sharded<'a> {
    books: &'a [Vec<(Key, String)>],
    shards: usize,
}

impl Build for Sharded<'_> {
    type Output = Counts;

    fn build<C: Counter>(self, new: impl Fn() -> Result<C> + Sync) -> Counts {
        let mut shards: Vec<C> = (0..self.shards)
            .map(|_| new().expect("it can be made"))
            .collect();
        let mut keyed = Keyed::default();
        for (index, book) in self.books.iter().enumerate() {
            keyed.clear();
            for (key, text) in book {
                keyed.push(*key, Window::Head, C::WANTS_TEXT.then_some(text));
            }
            let added = shards[index % self.shards].add_batch(&keyed);
            added.expect("it has room");
        }
        let merged = shards
            .into_iter()
            .reduce(|a, b| a.merge(b).expect("one build"));
        let merged = merged.expect("at least one shard");
        merged.finish(0).expect("it can be finished")
    }
}

/// Books of few different lines, with keys of so few bits that lines collide, or with their real keys.
fn books() -> impl Strategy<Value = Vec<Vec<(Key, String)>>> {
    let lines = proptest::collection::vec(proptest::collection::vec(0..60u32, 0..80), 0..30);
    (lines, prop_oneof![Just(3u32), Just(6), Just(64)]).prop_map(|(books, bits)| {
        let line = |n: u32| {
            let text = format!("a line of text with the number {n}");
            (Key(Key::of(&text).0 >> (64 - bits)), text)
        };
        let books = books.into_iter();
        books
            .map(|book| book.into_iter().map(line).collect())
            .collect()
    })
}

proptest! {
    #[test]
    fn every_structure_keeps_its_bounds_sharded_or_not(books in books(), shards in 1..5usize) {
        let mut truth: HashMap<(Key, &str), u64> = HashMap::new();
        for (key, text) in books.iter().flatten() {
            *truth.entry((*key, text)).or_default() += 1;
        }
        for (structure, name) in Structure::TABLE {
            let counts = structure.dispatch(shards, Sharded { books: &books, shards });
            prop_assert_eq!(&counts, &structure.dispatch(1, Sharded { books: &books, shards: 1 }));
            for (&(key, text), &n) in &truth {
                let bounds = counts.bounds(key);
                prop_assert!(bounds.at_least <= n && n <= bounds.at_most, "{name}: {text}: {n} not in {bounds:?}");
                prop_assert!(counts.frequency(key) >= n, "{name}: {text}");
            }
            let distinct: std::collections::HashSet<Key> = truth.keys().map(|line| line.0).collect();
            prop_assert_eq!(counts.len(), distinct.len());
            prop_assert_eq!(counts.bounds(Key(u64::MAX)).at_most, 0);
        }
    }
}

#[test]
fn many_keys_are_counted_as_a_map_counts_them() {
    // Enough for every partition to be sorted several times.
    let mut state = 1u64;
    let mut truth: HashMap<Key, u64> = HashMap::new();
    let books: Vec<Vec<(Key, String)>> = (0..800)
        .map(|_| {
            let lines = (0..600).map(|_| {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                let key = Key::of(&(state >> 46).to_string());
                *truth.entry(key).or_default() += 1;
                (key, String::new())
            });
            lines.collect()
        })
        .collect();
    for shards in [1, 3] {
        let counts = Structure::Crc64.dispatch(
            shards,
            Sharded {
                books: &books,
                shards,
            },
        );
        let counted: HashMap<Key, u64> = counts.iter().collect();
        assert_eq!(counted, truth);
    }
}

#[test]
fn names_of_structures_round_trip() {
    for (structure, name) in Structure::TABLE {
        assert_eq!(name.parse(), Ok(structure));
        assert_eq!(structure.to_string(), name);
    }
}
