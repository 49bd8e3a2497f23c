//! A conformance suite for all counting structures, and helpers that the tests of this module share.

use std::collections::HashMap;

use anyhow::Result;
use proptest::prelude::*;

use super::{BookLines, Counter, CounterWidth, Counts, STRUCTURES, Structure, StructureVisitor};
use endpaper_text::corpus::Encoding;
use endpaper_text::line::{Key, Normaliser};
use endpaper_text::scan::{Header, MarkerSet, Scan, ScanRow, Template, Window};

/// A scan of a book whose lines are all in its head window, made without reading a file.
pub(crate) fn scan_of(lines: &[&str]) -> Scan {
    let mut normaliser = Normaliser::default();
    let rows = (1..).zip(lines).map(|(line, text)| {
        let normalised = normaliser.text(text);
        ScanRow {
            key: normalised.key(),
            line,
            marks: if normalised.trivial {
                MarkerSet::TRIVIAL
            } else {
                MarkerSet::default()
            },
            characters: normalised.characters as u16,
            features: Default::default(),
        }
    });
    let rows: Vec<ScanRow> = rows.collect();
    Scan {
        lines: lines.len() as u32,
        bytes: 0,
        crc: 0,
        encoding: Encoding::Ascii,
        head: rows.len() as u32,
        tail: rows.len() as u32,
        rows,
        mentions: Vec::new(),
        header: Header::default(),
        template: Template::default(),
    }
}

/// Counts books with `shards` structures that are merged one after another.
struct ShardedCounter<'a> {
    books: &'a [Vec<(Key, String)>],
    shards: usize,
    below: u64,
}

impl ShardedCounter<'_> {
    fn count<C: Counter>(&self, new: impl Fn(usize) -> Result<C>) -> C {
        let shards = (0..self.shards).map(|_| new(0).expect("it can be made"));
        let mut shards: Vec<C> = shards.collect();
        let mut keyed = BookLines::default();
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
        merged.expect("at least one shard")
    }
}

impl StructureVisitor for ShardedCounter<'_> {
    type Output = Counts;

    fn build<C: Counter>(self, new: impl Fn(usize) -> Result<C> + Sync) -> Counts {
        let counted = self.count(new);
        counted.finish(self.below).expect("it can be finished")
    }
}

/// The same counts, saved.
struct SavedCounter<'a>(ShardedCounter<'a>);

impl StructureVisitor for SavedCounter<'_> {
    type Output = Vec<u8>;

    fn build<C: Counter>(self, new: impl Fn(usize) -> Result<C> + Sync) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.0.count(new).save(&mut bytes).expect("it can be saved");
        bytes
    }
}

/// Saved counts, loaded and merged.
struct LoadedCounter<'a>(&'a [Vec<u8>]);

impl StructureVisitor for LoadedCounter<'_> {
    type Output = Result<Counts>;

    fn build<C: Counter>(self, new: impl Fn(usize) -> Result<C> + Sync) -> Result<Counts> {
        let load = |bytes: &Vec<u8>| {
            let mut counter = new(0)?;
            counter.load(&mut &bytes[..])?;
            Ok(counter)
        };
        let merged = self
            .0
            .iter()
            .map(load)
            .reduce(|a: Result<C>, b| a?.merge(b?));
        merged.unwrap_or_else(|| new(0))?.finish(0)
    }
}

/// Books of few distinct lines, either with keys of so few bits that lines collide, or with their real keys.
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

/// All structures, with options that are hard for them.
fn structures() -> Vec<Structure> {
    let hard = [
        "hashed:bits=16",
        "hashed:bits=16,counters=morris",
        "hot-items:counters=1",
        "hot-items:counters=7",
    ];
    let hard = hard.map(|text| text.parse().expect("it is a structure"));
    // Less memory than an option may ask for: many runs that are merged several times, and counts that hardly fit.
    let tiny = Structure::External { memory: 8 << 10 };
    // An array of the default size behaves like the small ones and is slow.
    let others = STRUCTURES.iter().filter(|entry| entry.name != "hashed");
    let defaults = others.map(|entry| entry.name.parse().expect("its name is enough"));
    hard.into_iter().chain([tiny]).chain(defaults).collect()
}

/// Whether the counts are independent of the order of the lines and the shards.
fn is_deterministic(structure: Structure) -> bool {
    !matches!(
        structure,
        Structure::MisraGries { .. }
            | Structure::Hashed {
                counters: CounterWidth::Morris,
                ..
            }
    )
}

/// The true number of occurrences of each line.
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
    fn every_structure_keeps_its_bounds_sharded_or_not(books in books(), shards in 1..5usize, below in 0..6u64) {
        let lines: usize = books.iter().map(Vec::len).sum();
        for structure in structures() {
            let count = |shards, below| structure.dispatch(shards, ShardedCounter { books: &books, shards, below });
            let (one, counts) = (count(1, 0), count(shards, 0));
            check_bounds(structure, &one, &books)?;
            check_bounds(structure, &counts, &books)?;
            let pruned = count(shards, below);
            check_bounds(structure, &pruned, &books)?;
            prop_assert!(pruned.iter().all(|(_, n)| n >= below));
            if is_deterministic(structure) {
                prop_assert_eq!(&counts, &one);
                for ((key, text), n) in truth(&books) {
                    prop_assert!(counts.frequency(key) >= n.min(255), "{structure}: {text}");
                }
                if below > 1 {
                    prop_assert_eq!(pruned, one.pruned(below));
                }
            }
            if let Structure::MisraGries { counters } = structure {
                prop_assert!(counts.max_undercount() * (u64::from(counters) + 1) <= lines as u64);
                prop_assert!(counts.len() <= counters as usize);
            } else {
                prop_assert_eq!(counts.max_undercount(), 0);
                prop_assert_eq!(counts.bounds(Key(u64::MAX)).at_most, 0);
            }
        }
    }

    #[test]
    fn parts_that_are_saved_loaded_and_merged_are_counted_as_if_at_once(
        books in books(), parts in 1..4usize, shards in 1..3usize,
    ) {
        let parts: Vec<_> = books.chunks(books.len().div_ceil(parts).max(1)).collect();
        for structure in structures() {
            let save = |books| structure.dispatch(shards, SavedCounter(ShardedCounter { books, shards, below: 0 }));
            let saved: Vec<Vec<u8>> = parts.iter().map(|part| save(part)).collect();
            let counts = structure.dispatch(2, LoadedCounter(&saved)).expect("what was saved is loaded");
            check_bounds(structure, &counts, &books)?;
            if is_deterministic(structure) {
                let once = ShardedCounter { books: &books, shards: 1, below: 0 };
                prop_assert_eq!(counts, structure.dispatch(1, once));
            }
        }
    }

    #[test]
    fn damaged_parts_are_errors_or_other_counts(
        books in books(), at in any::<proptest::sample::Index>(), to in any::<u8>(),
    ) {
        for structure in structures() {
            let whole = structure.dispatch(1, SavedCounter(ShardedCounter { books: &books, shards: 1, below: 0 }));
            let at = at.index(whole.len());
            let cut = structure.dispatch(1, LoadedCounter(&[whole[..at].to_vec()]));
            prop_assert!(cut.is_err(), "{structure}: cut at {at} of {}", whole.len());
            let mut longer = whole.clone();
            longer.push(to);
            prop_assert!(structure.dispatch(1, LoadedCounter(&[longer])).is_err(), "{structure}: longer");
            let mut changed = whole;
            changed[at] = to;
            // It must neither panic nor allocate more memory than the bytes justify.
            let _ = structure.dispatch(1, LoadedCounter(&[changed]));
        }
    }
}

#[test]
fn many_keys_are_counted_as_a_map_counts_them() {
    // Enough for every partition to be sorted several times, and for many runs.
    let mut state = 1u64;
    let books: Vec<Vec<(Key, String)>> = (0..800)
        .map(|_| {
            let lines = (0..600).map(|_| {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                let text = (state >> 46).to_string();
                (Key::of(&text), text)
            });
            lines.collect()
        })
        .collect();
    let mut expected: HashMap<Key, u64> = HashMap::new();
    for (key, _) in books.iter().flatten() {
        *expected.entry(*key).or_default() += 1;
    }
    for structure in ["crc64", "exact", "external:memory=12M"] {
        let structure: Structure = structure.parse().unwrap();
        for shards in [1, 3] {
            let books = &books;
            let counts = structure.dispatch(
                shards,
                ShardedCounter {
                    books,
                    shards,
                    below: 0,
                },
            );
            let counted: HashMap<Key, u64> = counts.iter().collect();
            assert!(counted == expected, "{structure}, {shards} shards");
        }
    }
}

#[test]
fn names_of_structures_round_trip_with_their_options() {
    let cases = [
        ("crc64", "crc64"),
        ("exact", "exact"),
        ("external", "external:memory=512M"),
        ("external:memory=1048576", "external:memory=1M"),
        ("external:memory=64MiB", "external:memory=64M"),
        ("hashed", "hashed:bits=23,counters=saturating"),
        (
            "hashed:counters=morris,bits=16",
            "hashed:bits=16,counters=morris",
        ),
        ("hot-items", "hot-items:counters=100000"),
        ("hot-items:counters=1", "hot-items:counters=1"),
    ];
    for (text, canonical) in cases {
        let structure: Structure = text.parse().unwrap();
        assert_eq!(structure.to_string(), canonical);
        assert_eq!(canonical.parse(), Ok(structure));
        assert!(text.starts_with(structure.name()));
    }
    for entry in &STRUCTURES {
        assert!(
            cases.iter().any(|(text, _)| *text == entry.name),
            "{}",
            entry.name
        );
    }
    assert_eq!(Structure::default().to_string(), STRUCTURES[0].name);
}

#[test]
fn refusals_name_the_value_and_what_is_allowed() {
    let cases: [(&str, &[&str]); 14] = [
        (
            "crc-64",
            &["'crc-64'", "crc64, exact, external, hashed, hot-items"],
        ),
        ("", &["''", "crc64"]),
        ("crc64:bits=3", &["'crc64'", "'bits'", "it has none"]),
        ("crc64:", &["'crc64'", "''", "OPTION=VALUE"]),
        ("hashed:bits=99", &["'bits'", "'99'", "16 to 32"]),
        ("hashed:bits=15", &["'15'", "16 to 32"]),
        ("hashed:bits=", &["''", "16 to 32"]),
        ("hashed:bits", &["'bits'", "OPTION=VALUE"]),
        ("hashed:memory=1G", &["'memory'", "'bits' and 'counters'"]),
        ("hashed:counters=12", &["'12'", "saturating or morris"]),
        ("hashed:bits=20,bits=21", &["'bits'", "twice"]),
        ("hot-items:counters=0", &["'0'", "1 to 100000000"]),
        ("external:memory=1", &["'1'", "1M to 1T"]),
        ("external:memory=lots", &["'lots'", "1M to 1T"]),
    ];
    for (text, expected) in cases {
        let error = text.parse::<Structure>().unwrap_err().to_string();
        for part in expected {
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}

#[test]
fn memory_is_a_limit_for_those_that_keep_one() {
    let external: Structure = "external".parse().unwrap();
    let smaller = external.with_memory(64 << 20).unwrap();
    assert_eq!(smaller.to_string(), "external:memory=64M");
    let error = external.with_memory(5).unwrap_err().to_string();
    assert!(
        error.contains("'5'") && error.contains("1M to 1T"),
        "{error}"
    );
    for (name, expected) in [
        ("crc64", "external:memory"),
        ("exact", "external:memory"),
        ("hashed", "'bits'"),
        ("hot-items", "'counters'"),
    ] {
        let structure: Structure = name.parse().unwrap();
        let error = structure.with_memory(64 << 20).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains(expected), "{error}");
    }
}

#[test]
fn thresholds_follow_the_paper_and_the_width_of_counters() {
    let threshold = |name: &str| name.parse::<Structure>().map(Structure::default_threshold);
    assert_eq!(threshold("hot-items"), Ok(5));
    for name in ["crc64", "exact", "external", "hashed"] {
        assert_eq!(threshold(name), Ok(10));
    }
    let largest = |name: &str| name.parse::<Structure>().map(Structure::largest_threshold);
    assert_eq!(largest("hashed"), Ok(254));
    assert!(largest("hashed:counters=morris").unwrap() > 1_000_000_000);
    assert!(largest("crc64").unwrap() > 1_000_000_000);
}

#[test]
fn sets_of_one_build_are_counted_apart() {
    struct TwoSets;
    impl StructureVisitor for TwoSets {
        type Output = [u64; 2];

        fn build<C: Counter>(self, new: impl Fn(usize) -> Result<C> + Sync) -> [u64; 2] {
            let (mut a, mut b, mut more) = (new(0).unwrap(), new(1).unwrap(), new(0).unwrap());
            let mut book = BookLines::default();
            book.push(Key(7), Window::Head, Some("a line"));
            a.add_batch(&book).unwrap();
            b.add_batch(&book).unwrap();
            more.add_batch(&book).unwrap();
            let counts = [a.merge(more).unwrap(), b].map(|counter| counter.finish(0).unwrap());
            counts.map(|counts| counts.frequency(Key(7)))
        }
    }
    for structure in structures() {
        assert_eq!(structure.dispatch(3, TwoSets), [2, 1], "{structure}");
    }
}
