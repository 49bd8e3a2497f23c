//! The mean balances of the books of each language, which endpaper ships for those it knows.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::bench::CopiesBench;
use super::features::first_half;
use crate::figures::report::{Compared, Figure, FigureData};
use endpaper_detect::copies::{FingerprintBits, FingerprintShape, Fingerprinter};

/// A language with fewer books has no mean: a few books say more about themselves.
const MIN_BOOKS: usize = 5;

/// Makes the table that `language_means.rs` of endpaper-detect is copied from.
pub(super) fn of_languages(bench: &CopiesBench<'_>) -> Figure {
    let longest = FingerprintBits::all().last().unwrap_or_default();
    let shape = FingerprintShape {
        bits: longest,
        ..FingerprintShape::default()
    };
    let (bodies, languages) = (&bench.originals.bodies, &bench.originals.languages);
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for book in first_half(bodies.len()) {
        groups.entry(&languages[book]).or_default().push(book);
    }
    groups.retain(|_, books| books.len() >= MIN_BOOKS);
    let named = |language: &str| match language {
        "" => "not stated".to_owned(),
        stated => stated.to_owned(),
    };
    let mean = |books: &[usize]| -> Vec<f64> {
        let each = books.par_iter().map_init(
            || Fingerprinter::new(shape),
            |printer, &book| {
                printer.push(&bodies[book]);
                printer.finish_balances()
            },
        );
        let all: Vec<Vec<f64>> = each.flatten().collect();
        let sum = |bit: usize| all.iter().map(|balances| balances[bit]).sum::<f64>();
        let scale = f64::from(i16::MAX) / all.len().max(1) as f64;
        (0..longest.count() as usize)
            .map(|bit| (sum(bit) * scale).round())
            .collect()
    };
    let means: Vec<Vec<f64>> = groups.values().map(|books| mean(books)).collect();
    let names = groups.keys().map(|language| named(language));
    let mut data = FigureData::new(std::iter::once("bit".to_owned()).chain(names));
    for bit in 0..longest.count() as usize {
        let values = means.iter().map(|mean| mean[bit].to_string());
        data.row(std::iter::once(bit.to_string()).chain(values));
    }
    let languages: Vec<String> = groups
        .iter()
        .map(|(language, books)| format!("{} ({})", named(language), books.len()))
        .collect();
    Figure {
        name: "copies8".to_owned(),
        title: "Means of languages".to_owned(),
        about: format!(
            "The mean balance of every bit over the first half of the books of each language with at least {MIN_BOOKS} there, times \
            {}. endpaper ships such means of seven languages as constants.",
            i16::MAX
        ),
        svg: None,
        data,
        compared: vec![Compared::new(
            "languages (books)",
            "-",
            languages.join(", "),
        )],
    }
}
