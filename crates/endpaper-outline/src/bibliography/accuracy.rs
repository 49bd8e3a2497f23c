//! Field accuracy over references with known fields, typeset in twenty styles (`fixtures/references`).
//!
//! ```text
//! cargo test -p endpaper-outline accuracy -- --nocapture                      # prints the table
//! ENDPAPER_REFERENCES=FOLDER cargo test -p endpaper-outline other_references -- --ignored --nocapture
//! ```
//!
//! FOLDER is the output of `fixtures/references/make.py`. With `ENDPAPER_SHOW=dev` (or `held-out`) each wrong item is printed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::tests::lists;
use super::*;

/// The fields of an entry.
struct KnownFields {
    /// Family and given names of each author.
    authors: Vec<(String, String)>,
    title: String,
    year: Option<u32>,
    venue: String,
    held_out: bool,
}

/// The fields in the order of the table.
const FIELDS: [&str; 4] = ["author", "title", "year", "venue"];

/// The styles that the parser was developed on.
const DEVELOPED_ON: [&str; 13] = [
    "plain",
    "alpha",
    "abbrv",
    "unsrt",
    "ieeetr",
    "IEEEtran",
    "acm",
    "siam",
    "amsplain",
    "apalike",
    "plainnat",
    "chicago",
    "vancouver",
];

/// Number of items, and how many have each field right.
#[derive(Clone, Copy, Default)]
struct FieldTally {
    items: [u32; 4],
    right: [u32; 4],
}

impl FieldTally {
    /// The share of right values of a field, in per cent.
    fn share(&self, field: usize) -> f64 {
        100.0 * f64::from(self.right[field]) / f64::from(self.items[field].max(1))
    }

    fn add(&mut self, other: &FieldTally) {
        for field in 0..4 {
            self.items[field] += other.items[field];
            self.right[field] += other.right[field];
        }
    }
}

/// Letters and digits only, folded: line ends and hyphens at them do not count.
fn letters(text: &str) -> String {
    fold(text).split(' ').collect()
}

fn known_fields(folder: &Path) -> HashMap<String, KnownFields> {
    let text = std::fs::read_to_string(folder.join("truth.tsv")).unwrap();
    let read = |(at, line): (usize, &str)| {
        let cells: Vec<&str> = line.split('\t').collect();
        let name = |name: &str| {
            let (family, given) = name.split_once(',').unwrap_or((name, ""));
            (fold(family), fold(given))
        };
        let fields = KnownFields {
            authors: cells[1]
                .split(';')
                .map(str::trim)
                .filter(|name| !name.is_empty() && *name != "others")
                .map(name)
                .collect(),
            title: letters(cells[2]),
            year: cells[3].parse().ok(),
            venue: letters(cells[4]),
            held_out: at % 2 == 1,
        };
        (cells[0].to_owned(), fields)
    };
    text.lines().enumerate().map(read).collect()
}

/// Whether an author field holds every family name in order, or the first ones and `et al.`, and nothing but names.
fn is_right_author(found: Option<&str>, authors: &[(String, String)]) -> bool {
    let Some(found) = found else {
        return authors.is_empty();
    };
    let folded = fold(found);
    let joined = letters(found);
    let mut at = 0;
    let present = authors
        .iter()
        .take_while(|(family, _)| {
            let family: String = family.split(' ').collect();
            let place = joined[at..].find(&family);
            at += place.map_or(0, |place| place + family.len());
            place.is_some()
        })
        .count();
    let cut = present > 0
        && folded
            .split(' ')
            .any(|word| word == "al" || word == "others");
    let initials: String = authors
        .iter()
        .flat_map(|(_, given)| given.split(' ').filter_map(|word| word.chars().next()))
        .collect();
    let is_part = |word: &str| {
        [
            "and", "et", "al", "others", "ed", "eds", "editor", "editors", "jr",
        ]
        .contains(&word)
            || word.len() <= 4 && word.chars().all(|c| initials.contains(c))
            || authors.iter().any(|(family, given)| {
                let whole = |name: &String| {
                    name.split(' ').any(|part| {
                        part == word || part.contains(word) || word.contains(part) && part.len() > 2
                    })
                };
                whole(family) || whole(given)
            })
    };
    !authors.is_empty() && (present == authors.len() || cut) && folded.split(' ').all(is_part)
}

/// The tallies of a style, for developed-on and held-out entries.
fn tally(
    folder: &Path,
    style: &str,
    keys: &str,
    known: &HashMap<String, KnownFields>,
) -> [FieldTally; 2] {
    let text = std::fs::read_to_string(folder.join(format!("{style}.txt"))).unwrap();
    let found = lists(&text);
    if std::env::var("ENDPAPER_SHOW").is_ok() {
        for list in &found {
            println!(
                "{style}: {} items in lines {}..{}",
                list.items.len(),
                list.line,
                list.last
            );
        }
    }
    let items: Vec<BibliographyItem> = found
        .into_iter()
        .flat_map(|list| list.items)
        .map(|item| BibliographyItem {
            // The text is only searched here.
            text: letters(&item.text),
            ..item
        })
        .collect();
    let shown = std::env::var("ENDPAPER_SHOW").unwrap_or_default();
    let mut tallies = [FieldTally::default(); 2];
    for key in keys.split(' ') {
        let Some(truth) = known.get(key) else {
            continue;
        };
        let nothing = BibliographyItem::default();
        let item = items
            .iter()
            .find(|item| item.text.contains(&truth.title))
            .unwrap_or(&nothing);
        let is = |field: &Option<String>, truth: &str| {
            letters(field.as_deref().unwrap_or_default()) == truth
        };
        let right = [
            is_right_author(item.author.as_deref(), &truth.authors),
            is(&item.title, &truth.title),
            item.year == truth.year,
            is(&item.venue, &truth.venue),
        ];
        let tally = &mut tallies[usize::from(truth.held_out)];
        for (field, right) in right.into_iter().enumerate() {
            if field < 3 || !truth.venue.is_empty() {
                tally.items[field] += 1;
                tally.right[field] += u32::from(right);
            }
        }
        let half = if truth.held_out { "held-out" } else { "dev" };
        let of_set = DEVELOPED_ON.contains(&style) || std::env::var("ENDPAPER_SHOW_ALL").is_ok();
        if shown == half && of_set && !right[..3].iter().all(|right| *right) {
            println!(
                "{style} {key} {right:?}\n  a={:?} t={:?} y={:?} v={:?}\n  {}",
                item.author, item.title, item.year, item.venue, item.text
            );
        }
    }
    tallies
}

/// Prints a row of the table.
fn print_row(name: &str, tallies: &[FieldTally; 2]) {
    print!("{name:22}");
    for tally in tallies {
        print!(" {:5}", tally.items[0]);
        (0..4).for_each(|field| print!(" {:6.1}", tally.share(field)));
    }
    println!();
}

/// Measures all styles of a folder and prints the table.
fn measure(folder: &Path) -> Vec<(String, [FieldTally; 2])> {
    let known = known_fields(folder);
    let orders = std::fs::read_to_string(folder.join("orders.tsv")).unwrap();
    let mut table = Vec::new();
    for line in orders.lines() {
        let (style, keys) = line.split_once('\t').unwrap();
        table.push((style.to_owned(), tally(folder, style, keys, &known)));
    }
    println!("{:22} entries developed on{:17}entries held out", "", "");
    print!("{:22}", "style");
    for _ in 0..2 {
        print!(" items");
        FIELDS.iter().for_each(|field| print!(" {field:>6}"));
    }
    println!();
    let mut sums = [[FieldTally::default(); 2]; 2];
    for (style, tallies) in &table {
        print_row(style, tallies);
        let sum = &mut sums[usize::from(!DEVELOPED_ON.contains(&style.as_str()))];
        (0..2).for_each(|half| sum[half].add(&tallies[half]));
    }
    print_row("styles developed on", &sums[0]);
    print_row("styles held out", &sums[1]);
    table
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/references")
}

/// The least share of right titles in either half, in per cent: two items of forty below what was measured.
fn title_floor(style: &str) -> f64 {
    match style {
        "agsm" | "elsarticle-num" | "apacite" => 75.0,
        "siam" | "amsplain" | "vancouver" | "ACM-Reference-Format" | "naturemag" => 77.5,
        _ => 87.5,
    }
}

#[test]
fn accuracy_of_each_style_is_above_its_floor() {
    for (style, tallies) in measure(&fixtures()) {
        let floors = [92.5, title_floor(&style), 95.0];
        for tally in &tallies {
            assert_eq!(tally.items[0], 40, "{style}");
            for (field, floor) in floors.into_iter().enumerate() {
                let share = tally.share(field);
                let name = FIELDS[field];
                assert!(
                    share >= floor,
                    "{style}: {name} {share:.1} % is below {floor} %"
                );
            }
        }
    }
}

#[test]
#[ignore = "needs a folder of make.py"]
fn other_references_are_measured() {
    let folder = std::env::var("ENDPAPER_REFERENCES").expect("set ENDPAPER_REFERENCES to a folder");
    measure(Path::new(&folder));
}
