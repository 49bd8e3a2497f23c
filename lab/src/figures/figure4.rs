//! Figure 4: some frequent lines.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::corpus::FigureCorpus;
use super::report::{Compared, Figure, FigureData};
use endpaper_text::line::Key;

/// Number of the most frequent lines of the corpus that are listed.
const TOP: usize = 20;

/// The lines of the paper's Figure 4, with their counts there.
const FIGURE_4: [(u64, &str); 10] = [
    (
        68,
        "***The Project Gutenberg's Etext of Shakespeare's First Folio***",
    ),
    (
        1034,
        "***These EBooks Were Prepared By Thousands of Volunteers***",
    ),
    (
        1415,
        "***These Etexts Are Prepared By Thousands of Volunteers!***",
    ),
    (
        126,
        "***These Etexts Were Prepared By Thousands of Volunteers!***",
    ),
    (
        5058,
        "***These eBooks Were Prepared By Thousands of Volunteers!***",
    ),
    (
        20,
        "***This file should be named 1rbnh10.txt or 1rbnh10.zip***",
    ),
    (
        128,
        "(2) Pay a royalty to the Foundation of 20% of the gross",
    ),
    (54, "(2) Pay a royalty to the Project of 20% of the net"),
    (
        53,
        "[3] Pay a trademark license fee of 20% (twenty percent) of the",
    ),
    (
        8061,
        "[3] Pay a trademark license fee to the Foundation of 20% of the",
    ),
];

/// Lists the paper's lines and the most frequent ones here.
pub(super) fn figure_4(read: &FigureCorpus) -> Figure {
    let mut data = FigureData::new(["from", "paper", "here", "line"]);
    let mut found = 0;
    for (paper, line) in FIGURE_4 {
        let here = read.counts.frequency(Key::of(line));
        found += usize::from(here > 0);
        data.row([
            "paper".to_owned(),
            paper.to_string(),
            here.to_string(),
            line.to_owned(),
        ]);
    }
    let mut top: Vec<(Key, u64)> = read.counts.iter().collect();
    top.sort_unstable_by_key(|&(key, count)| (Reverse(count), key.0));
    top.truncate(TOP);
    let mut texts: HashMap<Key, &str> = HashMap::new();
    for &book in &read.with_texts {
        for (key, text) in read.books[book].texts() {
            if top.iter().any(|line| line.0 == key) {
                texts.insert(key, text);
            }
        }
    }
    for (key, count) in &top {
        let text = texts.get(key).copied().unwrap_or_default();
        data.row([
            "corpus".to_owned(),
            String::new(),
            count.to_string(),
            text.to_owned(),
        ]);
    }
    Figure {
        name: "figure4".to_owned(),
        title: "Figure 4: some frequent lines".to_owned(),
        about: format!(
            "The paper's lines with their counts there and here, then the {TOP} most frequent lines here."
        ),
        svg: None,
        data,
        compared: vec![Compared::new(
            "the ten lines of the paper",
            "20 to 8,061 occurrences each",
            format!("{found} of them occur"),
        )],
    }
}
