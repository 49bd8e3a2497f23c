//! Tables 1 to 3: releases by year, sizes, and distinct word n-grams. The only figures that need whole texts.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use rayon::prelude::*;

use super::corpus::{FigureCorpus, ReadingProgress};
use super::report::{Compared, Figure, FigureData};
use endpaper_detect::copies::release_date;
use endpaper_text::corpus::{BookText, Listing};
use endpaper_text::line::Normaliser;
use endpaper_text::wording::thousands;
use lab::experiments::{DistinctSketch, NGRAM_LENGTHS, NgramHasher, mix};

/// New e-books per year (Table 1).
const TABLE_1: [(u16, u64); 6] = [
    (2001, 1240),
    (2002, 2441),
    (2003, 4164),
    (2004, 4049),
    (2005, 3186),
    (2006, 4314),
];

/// Millions of distinct n-grams on the second DVD, and the error of the estimate in percent (Table 3), by [`NGRAM_LENGTHS`].
const TABLE_3: [(f64, u32); NGRAM_LENGTHS.len()] = [
    (18.0, 100),
    (162.0, 37),
    (497.0, 20),
    (799.0, 16),
    (885.0, 14),
    (1060.0, 14),
    (1010.0, 14),
    (1060.0, 14),
];

/// A line is frequent that occurs more often than this.
const FREQUENT: u8 = 10;

/// Sums over whole texts.
#[derive(Clone, Debug, Default)]
struct TextTotals {
    books: u64,
    bytes: u64,
    lines: u64,
    characters: u64,
    counted_lines: u64,
    distinct_lines: DistinctSketch,
    words: u64,
    /// By [`NGRAM_LENGTHS`].
    ngrams: [DistinctSketch; NGRAM_LENGTHS.len()],
    /// Books by the year of release that their header states.
    years: BTreeMap<Option<u16>, u64>,
}

impl TextTotals {
    fn add(&mut self, text: &BookText, frequent: &FrequentLines, normaliser: &mut Normaliser) {
        let mut hasher = NgramHasher::default();
        for line in 1..=text.lines() {
            let raw = text.normaliser_input(line);
            for word in raw.split(u8::is_ascii_whitespace) {
                if !word.is_empty() {
                    self.add_word(word, &mut hasher);
                }
            }
            let found = normaliser.line(&raw);
            self.characters += found.characters as u64;
            if !found.trivial {
                self.counted_lines += 1;
                let hash = mix(found.key().0);
                self.distinct_lines.add(hash);
                frequent.add(hash);
            }
        }
        self.books += 1;
        self.bytes += text.bytes().len() as u64;
        self.lines += u64::from(text.lines());
        self.words += hasher.words() as u64;
        let year = release_date(text).map(|date| date.year);
        *self.years.entry(year).or_default() += 1;
    }

    fn add_word(&mut self, word: &[u8], hasher: &mut NgramHasher) {
        hasher.push(word);
        for (sketch, length) in self.ngrams.iter_mut().zip(NGRAM_LENGTHS) {
            if let Some(hash) = hasher.hash(length) {
                sketch.add(hash);
            }
        }
    }

    fn merge(mut self, other: TextTotals) -> TextTotals {
        for (year, books) in other.years {
            *self.years.entry(year).or_default() += books;
        }
        for (sketch, other) in self.ngrams.iter_mut().zip(&other.ngrams) {
            *sketch = std::mem::take(sketch).merge(other);
        }
        TextTotals {
            books: self.books + other.books,
            bytes: self.bytes + other.bytes,
            lines: self.lines + other.lines,
            characters: self.characters + other.characters,
            counted_lines: self.counted_lines + other.counted_lines,
            distinct_lines: self.distinct_lines.merge(&other.distinct_lines),
            words: self.words + other.words,
            ..self
        }
    }
}

/// Counts how many lines are frequent, with 2^26 counters of 8 bits (as in Kaser & Lemire, section 3.3.4): in whole texts, distinct
/// lines may be too many for memory.
struct FrequentLines {
    counters: Vec<AtomicU8>,
    frequent: AtomicU64,
}

impl FrequentLines {
    fn new() -> FrequentLines {
        FrequentLines {
            counters: (0..1 << 26).map(|_| AtomicU8::new(0)).collect(),
            frequent: AtomicU64::new(0),
        }
    }

    fn add(&self, hash: u64) {
        let counter = &self.counters[(hash >> 38) as usize];
        // A counter stays one above the threshold.
        let more = |count| (count <= FREQUENT).then_some(count + 1);
        if counter.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more) == Ok(FREQUENT) {
            self.frequent.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Reads all texts whole, and makes the three tables.
pub(super) fn figures(
    listing: &Listing,
    read: &FigureCorpus,
    max_size: u64,
    quiet: bool,
) -> [Figure; 3] {
    let progress = ReadingProgress::new(listing.books.len(), quiet);
    let frequent = FrequentLines::new();
    let books = listing.books.par_iter().with_min_len(8);
    let totals = books.fold(TextTotals::default, |mut totals, book| {
        // Books that cannot be read were reported when their lines were counted.
        if let Ok(text) = book.text(max_size) {
            totals.add(&text, &frequent, &mut Normaliser::default());
        }
        progress.book_done();
        totals
    });
    let mut totals = totals.reduce(TextTotals::default, TextTotals::merge);
    let frequent = frequent.frequent.into_inner();
    [
        table_1(&totals),
        table_2(&mut totals, frequent, read),
        table_3(&mut totals),
    ]
}

fn table_1(totals: &TextTotals) -> Figure {
    let mut data = FigureData::new(["year", "paper", "here"]);
    let paper: BTreeMap<u16, u64> = TABLE_1.into();
    let dated = totals.years.keys().flatten();
    let mut years: Vec<u16> = paper.keys().chain(dated).copied().collect();
    years.sort_unstable();
    years.dedup();
    for year in years {
        let paper = paper.get(&year).map_or_else(String::new, u64::to_string);
        let here = totals.years.get(&Some(year)).copied().unwrap_or(0);
        data.row([year.to_string(), paper, here.to_string()]);
    }
    let undated = totals.years.get(&None).copied().unwrap_or(0);
    let in_years: u64 = TABLE_1
        .iter()
        .filter_map(|(year, _)| totals.years.get(&Some(*year)))
        .sum();
    Figure {
        name: "table1".to_owned(),
        title: "Table 1: e-books per year".to_owned(),
        about: "The paper has new e-books of the whole library, which no sample of files can repeat; here are the books of this corpus by the \
            year that their header states as that of their release, posting or last update."
            .to_owned(),
        svg: None,
        data,
        compared: vec![
            Compared::new("e-books of 2001 to 2006", "19,394", thousands(in_years)),
            Compared::new("books that state no date", "not told", thousands(undated)),
        ],
    }
}

fn table_2(totals: &mut TextTotals, frequent: u64, read: &FigureCorpus) -> Figure {
    let mut data = FigureData::new(["item", "first_dvd", "all_of_2007", "here"]);
    let gib = |bytes: u64| format!("{:.2} GiB", bytes as f64 / f64::from(1 << 30));
    let (distinct, error) = totals.distinct_lines.estimate();
    let estimate = |number: f64, error: f64| match error {
        0.0 => thousands(number as u64),
        error => format!(
            "{}, within {:.1} %",
            thousands(number as u64),
            error * 100.0
        ),
    };
    let per = |sum: u64, of: u64| format!("{:.1}", sum as f64 / of.max(1) as f64);
    let rows = [
        ("text files", "11,000", "25,000", thousands(totals.books)),
        ("size of the texts", "5 GiB", "10 GiB", gib(totals.bytes)),
        ("lines", "", "200 million", thousands(totals.lines)),
        (
            "characters a line",
            "",
            "50",
            per(totals.characters, totals.lines),
        ),
        ("lines a file", "", "8,500", per(totals.lines, totals.books)),
        (
            "counted lines",
            "80 million",
            "",
            thousands(totals.counted_lines),
        ),
        (
            "distinct counted lines",
            "55 million",
            "",
            estimate(distinct, error),
        ),
        ("frequent counted lines", "10,000", "", thousands(frequent)),
        (
            "distinct counted lines of heads and tails",
            "3.4 million",
            "",
            thousands(read.counts.len() as u64),
        ),
    ];
    for (item, dvd, all, here) in rows {
        data.row([item.to_owned(), dvd.to_owned(), all.to_owned(), here]);
    }
    let repeated = 100.0 * distinct / totals.counted_lines.max(1) as f64;
    Figure {
        name: "table2".to_owned(),
        title: "Table 2: sizes".to_owned(),
        about: "Whole texts; counted lines are those that preprocessing leaves (30 characters or more, with a letter). Distinct lines are \
            estimated with a sketch, and frequent ones (more than 10 times) counted with 2^26 shared counters. Characters are those of the \
            normalised line."
            .to_owned(),
        svg: None,
        data,
        compared: vec![
            Compared::new(
                "distinct among counted lines",
                "69 % (55 of 80 million)",
                format!("{repeated:.0} %"),
            ),
            Compared::new(
                "frequent among distinct lines",
                "0.018 % (10,000 of 55 million)",
                format!("{:.3} %", 100.0 * frequent as f64 / distinct.max(1.0)),
            ),
        ],
    }
}

fn table_3(totals: &mut TextTotals) -> Figure {
    let mut data = FigureData::new([
        "n",
        "paper_millions",
        "paper_error_percent",
        "here",
        "error_percent",
        "per_word",
    ]);
    let mut five = 0.0;
    let words = totals.words.max(1) as f64;
    let rows = NGRAM_LENGTHS.into_iter().zip(TABLE_3);
    for ((length, (paper, paper_error)), sketch) in rows.zip(&mut totals.ngrams) {
        let (distinct, error) = sketch.estimate();
        if length == 5 {
            five = distinct;
        }
        data.row([
            length.to_string(),
            paper.to_string(),
            paper_error.to_string(),
            format!("{distinct:.0}"),
            format!("{:.1}", error * 100.0),
            format!("{:.3}", distinct / words),
        ]);
    }
    Figure {
        name: "table3".to_owned(),
        title: "Table 3: distinct word n-grams".to_owned(),
        about: format!(
            "{} words, text between white space; n-grams do not span files. Estimated with bottom-k sketches: 95 % of estimates are within \
            the error, and one without error is exact. The paper's texts are those of the second DVD; its estimates are not monotonic in \
            n because of their errors.",
            thousands(totals.words)
        ),
        svg: None,
        data,
        compared: vec![Compared::new(
            "distinct 5-grams, too many for a frequent-n-grams structure",
            "nearly 10^9",
            format!(
                "{}, {:.1} for each distinct counted line",
                thousands(five as u64),
                five / totals.distinct_lines.estimate().0.max(1.0)
            ),
        )],
    }
}
