//! Section 2.1: frequent lines, sentences and word n-grams, and Algorithm 1 over each.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use anyhow::Result;
use rayon::prelude::*;

use super::corpus::FigureCorpus;
use super::errors::{LabelledErrors, SystemGroup};
use super::report::{Compared, Figure, FigureData};
use super::study::{LabelledCorpus, StudySystem, study_data};
use endpaper_detect::frequency::{BookLines, Counts, Structure};
use endpaper_evaluate::share_in_words;
use endpaper_text::corpus::{Book, BookText, Listing};
use endpaper_text::line::Key;
use endpaper_text::wording::thousands;
use lab::experiments::{UnitKind, WindowUnits, count};

/// Most frequent units of each kind that are listed.
const TOP: usize = 20;

/// Books whose units are found on one thread to measure the time.
const TIMED: usize = 50;

/// The n-gram of the paper's example.
const EXAMPLE: &str = "END OF THE PROJECT GUTENBERG";

/// Counts of the units of each kind.
pub(super) struct UnitCounts {
    counts: [Counts; UnitKind::ALL.len()],
    top: Vec<(UnitKind, u64, String)>,
    times: [Duration; UnitKind::ALL.len()],
    books: usize,
}

impl UnitCounts {
    /// Counts the units of the books with texts: n-grams of more would not fit into memory.
    ///
    /// # Errors
    ///
    /// Those of [`count`].
    pub fn of(listing: &Listing, read: &FigureCorpus, max_size: u64) -> Result<UnitCounts> {
        let chosen: HashSet<_> = read
            .with_texts
            .iter()
            .map(|&book| &read.ids[book])
            .collect();
        let books = listing.books.iter();
        let books: Vec<&Book> = books.filter(|book| chosen.contains(&book.id)).collect();
        let mut top = Vec::new();
        let counts = UnitKind::ALL.map(|kind| -> Result<Counts> {
            let batches = books.par_iter().filter_map(|book| {
                let text = book.text(max_size).ok()?;
                Some(WindowUnits::of(&text, kind).batch())
            });
            let counts = count(Structure::Crc64, &batches.collect::<Vec<BookLines>>())?;
            let found = most_frequent(kind, &counts, &books, max_size);
            top.extend(found.into_iter().map(|(times, text)| (kind, times, text)));
            Ok(counts)
        });
        let [lines, sentences, ngrams] = counts;
        Ok(UnitCounts {
            counts: [lines?, sentences?, ngrams?],
            top,
            times: times(&books, max_size)?,
            books: books.len(),
        })
    }
}

/// The most frequent units with their texts, which are looked up in the books again.
fn most_frequent(
    kind: UnitKind,
    counts: &Counts,
    books: &[&Book],
    max_size: u64,
) -> Vec<(u64, String)> {
    let mut top: Vec<(Key, u64)> = counts.iter().collect();
    top.sort_unstable_by_key(|&(key, count)| (Reverse(count), key.0));
    top.truncate(TOP);
    let mut missing: HashSet<Key> = top.iter().map(|unit| unit.0).collect();
    let mut texts: HashMap<Key, String> = HashMap::new();
    for book in books {
        if missing.is_empty() {
            break;
        }
        let Ok(text) = book.text(max_size) else {
            continue;
        };
        for unit in WindowUnits::of(&text, kind).units() {
            if missing.remove(&unit.key()) {
                texts.insert(unit.key(), unit.text.clone());
            }
        }
    }
    let rows = top.into_iter();
    rows.map(|(key, count)| (count, texts.remove(&key).unwrap_or_default()))
        .collect()
}

/// Time to find and count the units of some books, one thread, the better of two rounds.
fn times(books: &[&Book], max_size: u64) -> Result<[Duration; UnitKind::ALL.len()]> {
    let texts = books.iter().take(TIMED);
    let texts = texts.filter_map(|book| book.text(max_size).ok());
    let texts: Vec<BookText> = texts.collect();
    let mut times = [Duration::MAX; UnitKind::ALL.len()];
    for _ in 0..2 {
        for (time, kind) in times.iter_mut().zip(UnitKind::ALL) {
            let start = Instant::now();
            let units = texts.iter().map(|text| WindowUnits::of(text, kind).batch());
            std::hint::black_box(count(Structure::Crc64, &units.collect::<Vec<_>>())?);
            *time = (*time).min(start.elapsed());
        }
    }
    Ok(times)
}

/// Lists the most frequent units of each kind.
pub(super) fn figure(units: &UnitCounts) -> Figure {
    let mut data = FigureData::new(["unit", "times", "text"]);
    for (kind, times, text) in &units.top {
        data.row([kind.name(), &times.to_string(), text]);
    }
    let threshold = Structure::Exact.default_threshold();
    let mut compared = Vec::new();
    for (kind, counts) in UnitKind::ALL.into_iter().zip(&units.counts) {
        let frequent = counts.iter().filter(|unit| unit.1 > threshold).count();
        let paper = match kind {
            UnitKind::Lines => "3.4 million; fewer than 3,000 (10 times or more)",
            UnitKind::Sentences => "not told",
            UnitKind::Ngrams => "nearly 10^9 in whole texts; not told",
        };
        compared.push(Compared::new(
            format!("distinct {}; frequent ones", kind.name()),
            paper,
            format!(
                "{}; {}",
                thousands(counts.len() as u64),
                thousands(frequent as u64)
            ),
        ));
    }
    compared.push(Compared::new(
        format!("the 5-gram \"{EXAMPLE}\""),
        "likely to be frequent",
        format!(
            "{} times",
            thousands(units.counts[2].frequency(Key::of(EXAMPLE)))
        ),
    ));
    let [lines, sentences, ngrams] = units.times.map(|time| time.as_secs_f64());
    compared.push(Compared::new(
        "time to find and count sentences, and 5-grams, beside lines",
        "sentences: a notable increase",
        format!(
            "{:.2} times; {:.2} times",
            sentences / lines,
            ngrams / lines
        ),
    ));
    Figure {
        name: "frequent".to_owned(),
        title: "Section 2.1: frequent lines, sentences and word n-grams".to_owned(),
        about: format!(
            "Heads and tails of {} books: the {TOP} most frequent units of each kind. Frequent ones occur more than {threshold} times.",
            thousands(units.books as u64)
        ),
        svg: None,
        data,
        compared,
    }
}

/// Algorithm 1 over each kind.
pub(super) fn systems(units: &UnitCounts, corpus: &LabelledCorpus<'_>) -> Result<Vec<StudySystem>> {
    let threshold = Structure::Exact.default_threshold();
    let systems = UnitKind::ALL.into_iter().zip(&units.counts);
    let systems = systems.map(|(kind, counts)| {
        let cuts = |text: &BookText| WindowUnits::of(text, kind).cuts(counts, threshold);
        Ok(StudySystem {
            system: corpus.over_texts(&format!("frequent {}", kind.name()), cuts)?,
            cells: vec![kind.name().to_owned(), counts.len().to_string()],
        })
    });
    systems.collect()
}

/// The errors of cuts by units.
pub(super) fn errors_of_units(errors: &LabelledErrors) -> Figure {
    let systems = errors.group(SystemGroup::Units);
    let compared = systems.iter().map(|(_, scored)| {
        let [start, end] = &scored.summary.ends;
        Compared::new(
            format!("{}: preambles; epilogues exact", scored.name),
            "frequent sentences: no improvement over lines",
            format!(
                "{}; {}",
                share_in_words(start.exact),
                share_in_words(end.exact)
            ),
        )
    });
    Figure {
        name: "figure8-units".to_owned(),
        title: "As Figure 8: Algorithm 1 over lines, sentences and word n-grams".to_owned(),
        about: format!("{} Without heuristics.", errors.about(&[])),
        svg: None,
        compared: compared.collect(),
        data: study_data(errors, &["unit", "distinct"], &systems),
    }
}
