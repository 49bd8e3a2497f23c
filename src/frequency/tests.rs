//! One conformance suite for all counting structures, and what the room's tests share.

use std::collections::HashMap;

use anyhow::Result;
use proptest::prelude::*;

use super::{Build, Counter, Counters, Counts, Keyed, STRUCTURES, Structure, Window};
use crate::corpus::{Encoding, Newline};
use crate::line::{Key, Normaliser};
use crate::scan::{Header, Marks, Row, Scan, Template};

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
        head_bytes: 0,
        tail_offset: 0,
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

    fn build<C: Counter>(self, new: impl Fn(usize) -> Result<C> + Sync) -> Counts {
        let mut shards: Vec<C> = (0..self.shards)
            .map(|_| new(0).expect("it can be made"))
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

/// All structures, with options that make them work hard.
fn structures() -> Vec<Structure> {
    let hard = [
        "hashed:bits=16",
        "hashed:bits=16,counters=morris",
        "hot-items:counters=1",
        "hot-items:counters=7",
    ];
    let hard = hard.map(|text| text.parse().expect("it is a structure"));
    let defaults = STRUCTURES
        .iter()
        .map(|entry| entry.name.parse().expect("its name is enough"));
    hard.into_iter().chain(defaults).collect()
}

/// Whether it gives the same counts whatever the order of the lines and the shards.
fn is_deterministic(structure: Structure) -> bool {
    !matches!(
        structure,
        Structure::HotItems { .. }
            | Structure::Hashed {
                counters: Counters::Morris,
                ..
            }
    )
}

/// How often each line really occurs.
fn truth(books: &[Vec<(Key, String)>]) -> HashMap<(Key, &str), u64> {
    let mut truth = HashMap::new();
    for (key, text) in books.iter().flatten() {
        *truth.entry((*key, text.as_str())).or_default() += 1;
    }
    truth
}

fn check_bounds(
    structure: Structure,
    counts: &Counts,
    books: &[Vec<(Key, String)>],
) -> Result<(), TestCaseError> {
    for ((key, text), n) in truth(books) {
        let bounds = counts.bounds(key);
        prop_assert!(
            bounds.at_least <= n && n <= bounds.at_most,
            "{structure}: {text}: {n} not in {bounds:?}"
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_structure_keeps_its_bounds_sharded_or_not(books in books(), shards in 1..5usize) {
        let lines: usize = books.iter().map(Vec::len).sum();
        for structure in structures() {
            let one = structure.dispatch(1, Sharded { books: &books, shards: 1 });
            let counts = structure.dispatch(shards, Sharded { books: &books, shards });
            check_bounds(structure, &one, &books)?;
            check_bounds(structure, &counts, &books)?;
            if is_deterministic(structure) {
                prop_assert_eq!(&counts, &one);
                for ((key, text), n) in truth(&books) {
                    prop_assert!(counts.frequency(key) >= n.min(255), "{structure}: {text}");
                }
            }
            if let Structure::HotItems { counters } = structure {
                prop_assert!(counts.slack() * (u64::from(counters) + 1) <= lines as u64);
                prop_assert!(counts.len() <= counters as usize);
            } else {
                prop_assert_eq!(counts.slack(), 0);
                prop_assert_eq!(counts.bounds(Key(u64::MAX)).at_most, 0);
            }
        }
    }
}

#[test]
fn every_structure_reads_what_it_writes() {
    for entry in &STRUCTURES {
        let structure: Structure = entry.name.parse().unwrap();
        assert_eq!(structure.name(), entry.name);
        assert_eq!(structure.to_string().parse(), Ok(structure));
    }
    assert_eq!(Structure::default().to_string(), "crc64");
}
