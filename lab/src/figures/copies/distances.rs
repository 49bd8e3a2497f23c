//! The table that the default distance of `endpaper copies --against` is chosen from.

use anyhow::{Result, ensure};
use rayon::prelude::*;

use super::bench::{CopiesBench, shape};
use super::features::first_half;
use crate::figures::report::{Compared, Figure, FigureData};
use endpaper_detect::copies::{Fingerprint, FingerprintBits, Fingerprinter};
use endpaper_detect::pipeline::default_unconfirmed_distance;
use lab::corrupt::Original;
use lab::experiments::copies::{Score, cut};
use lab::experiments::{SampleRandom, mix};

/// Different books of which versions are made, and the greatest size of their texts.
const BOOKS: usize = 1000;
const BYTES: usize = 400_000;

/// Highest rate of corruption.
const MAX_RATE: f64 = 0.1;

/// The largest distance of the table.
const MAX_DISTANCE: u32 = 48;

/// Pairs by distance, of which those of a book and its version are right.
struct PairCounts {
    right: Vec<u64>,
    wrong: Vec<u64>,
    books: u64,
}

impl PairCounts {
    fn of(prints: &[[Fingerprint; 2]]) -> PairCounts {
        let width = prints.first().map_or(0, |print| print[0].bits().count()) as usize + 1;
        let (mut right, mut wrong) = (vec![0; width], vec![0; width]);
        for (a, [book, _]) in prints.iter().enumerate() {
            for (b, [_, version]) in prints.iter().enumerate() {
                let counts = if a == b { &mut right } else { &mut wrong };
                counts[book.distance(version) as usize] += 1;
            }
        }
        PairCounts {
            right,
            wrong,
            books: prints.len() as u64,
        }
    }

    /// The score of all pairs within a distance, and the number of wrong ones.
    fn within(&self, distance: u32) -> (Score, u64) {
        let sum = |counts: &[u64]| counts.iter().take(distance as usize + 1).sum::<u64>();
        let (right, wrong) = (sum(&self.right), sum(&self.wrong));
        let share = |of: u64| {
            if of == 0 {
                1.0
            } else {
                right as f64 / of as f64
            }
        };
        let score = Score {
            precision: share(right + wrong),
            recall: share(self.books),
        };
        (score, wrong)
    }

    /// The distance of the best F1; of equal ones, the middle.
    fn best(&self) -> u32 {
        let f1 = |distance: u32| self.within(distance).0.f1();
        let highest = (0..=MAX_DISTANCE).map(f1).fold(0.0, f64::max);
        let best: Vec<u32> = (0..=MAX_DISTANCE)
            .filter(|&distance| f1(distance) >= highest)
            .collect();
        best.get(best.len() / 2).copied().unwrap_or(0)
    }
}

pub(super) fn default_distance(bench: &CopiesBench<'_>) -> Result<Figure> {
    let bodies = &bench.originals.bodies;
    let books: Vec<&str> = bodies
        .iter()
        .take(BOOKS)
        .map(|body| cut(body, BYTES))
        .collect();
    let made: Vec<Option<[Fingerprint; 2]>> = (0..books.len())
        .into_par_iter()
        .map_init(
            || Fingerprinter::new(shape(FingerprintBits::default())),
            |printer, book| {
                let mut random = SampleRandom::new(mix(7 ^ (book as u64) << 20));
                let rate = random.below(1_000_001) as f64 * (MAX_RATE / 1e6);
                let other = Original::new(cut(books[(book + 1) % books.len()], 100_000));
                let version = Original::new(books[book]).corrupted(Some(&other), rate, &mut random);
                Some([printer.of(books[book])?, printer.of(&version.text)?])
            },
        )
        .collect();
    let half = |odd: usize| -> Vec<[Fingerprint; 2]> {
        let books = first_half(made.len()).map(|book| book + odd);
        books.filter_map(|book| *made.get(book)?).collect()
    };
    let (chosen_on, reported_on) = (PairCounts::of(&half(0)), PairCounts::of(&half(1)));
    ensure!(
        chosen_on.books > 0 && reported_on.books > 0,
        "too few books are long enough for a fingerprint; give longer books"
    );
    let editions = &bench.originals.edition_distances;
    let edition_recall = |limit: u32| {
        let near = editions
            .iter()
            .filter(|&&distance| distance <= limit)
            .count();
        near as f64 / editions.len().max(1) as f64
    };
    let mut data = FigureData::new([
        "distance",
        "precision_first_half",
        "recall_first_half",
        "f1_first_half",
        "precision_second_half",
        "recall_second_half",
        "f1_second_half",
        "wrong_pairs_second_half",
        "editions_found",
    ]);
    for distance in 0..=MAX_DISTANCE {
        let (first, (second, wrong)) = (chosen_on.within(distance).0, reported_on.within(distance));
        let shares = [
            first.precision,
            first.recall,
            first.f1(),
            second.precision,
            second.recall,
            second.f1(),
        ];
        let shares = shares.into_iter().map(|share| format!("{share:.4}"));
        data.row(std::iter::once(distance.to_string()).chain(shares).chain([
            wrong.to_string(),
            format!("{:.4}", edition_recall(distance)),
        ]));
    }
    let in_words = |distance: u32| {
        let (score, wrong) = reported_on.within(distance);
        format!(
            "{distance} bits: precision {:.3}, recall {:.3}, {wrong} wrong pairs, {:.1} % of editions",
            score.precision,
            score.recall,
            100.0 * edition_recall(distance)
        )
    };
    let default = default_unconfirmed_distance(FingerprintBits::default());
    let compared = vec![
        Compared::new(
            "best F1 of the first half, reported on the second",
            "F1 0.75 at 7 bits",
            in_words(chosen_on.best()),
        ),
        Compared::new(
            "the default of --against, on the second half",
            "-",
            in_words(default),
        ),
    ];
    Ok(Figure {
        name: "copies7".to_owned(),
        title: "Precision and recall of shared fingerprints by distance".to_owned(),
        about: format!(
            "128 bits. Each of {} books is looked for among as many versions, one of each at a random rate of 0 to {:.0} %; the distance \
            of the first half of the books is tried on the second. editions_found is the share of {} pairs of books of the corpus that \
            have at least half of their phrases in common.",
            chosen_on.books + reported_on.books,
            MAX_RATE * 100.0,
            editions.len()
        ),
        svg: None,
        data,
        compared,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_distance_has_all_versions_and_nothing_else() {
        let print = |word| Fingerprint::from_words([word, 0, 0, 0], FingerprintBits::default());
        // Versions are 2 and 4 bits away, other books 10 or more.
        let prints = [[print(0), print(0b11)], [print(0xFFFF), print(0xFFF0)]];
        let counts = PairCounts::of(&prints);
        assert_eq!(
            counts.within(1),
            (
                Score {
                    precision: 1.0,
                    recall: 0.0
                },
                0
            )
        );
        assert_eq!(counts.within(3).0.recall, 0.5);
        assert_eq!(
            counts.within(9),
            (
                Score {
                    precision: 1.0,
                    recall: 1.0
                },
                0
            )
        );
        assert_eq!(counts.within(20).1, 2);
        assert_eq!(counts.best(), 8);
    }
}
