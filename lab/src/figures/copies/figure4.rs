//! Figure 4: precision and recall of searches by distance, for all pairs and for pairs that share a band.

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Result, ensure};

use super::bench::{CopiesBench, shape};
use crate::figures::report::{Compared, Figure, FigureData};
use endpaper_command::plot::axis::{Axis, AxisScale};
use endpaper_command::plot::{Legend, Plot, Series, SeriesStyle};
use endpaper_detect::copies::{Fingerprint, FingerprintBits, bands, pairs};
use endpaper_text::wording::{plural, thousands};
use lab::corrupt::Original;
use lab::experiments::copies::{
    PairSelection, QueryFingerprint, RetrievalScore, Score, VersionSet, retrieval,
};

/// The largest distance, as in the paper.
const MAX_DISTANCE: usize = 40;

/// The distance at which the paper's searches are best.
const PAPER_DISTANCE: usize = 7;

/// A pair selection, and what the paper reports for it.
struct SearchWay {
    pairs: PairSelection,
    name: &'static str,
    column: &'static str,
    f1: &'static str,
    time: &'static str,
}

const WAYS: [SearchWay; 3] = [
    SearchWay {
        pairs: PairSelection::All,
        name: "all pairs",
        column: "all",
        f1: "0.75 at 7 bits",
        time: "29.73 min",
    },
    SearchWay {
        pairs: PairSelection::Bands(32),
        name: "bands of 32",
        column: "bands32",
        f1: "0.67",
        time: "8.55 s",
    },
    SearchWay {
        pairs: PairSelection::Bands(24),
        name: "bands of 24",
        column: "bands24",
        f1: "0.73 at 7 bits",
        time: "1.22 min",
    },
];

/// Draws precision and recall by distance. Fails for a set without a fingerprint.
pub(super) fn figure_4(bench: &CopiesBench<'_>) -> Result<Figure> {
    let set = VersionSet::large(bench.sizes.large);
    let pieces = bench.originals.small_originals(set.originals());
    let originals: Vec<Original<'_>> = pieces
        .iter()
        .map(|piece| Original::new(piece.text))
        .collect();
    let made = bench.fingerprints(&set, &originals, shape(FingerprintBits::default()));
    let known: Vec<(Fingerprint, QueryFingerprint)> = set
        .versions()
        .iter()
        .zip(made)
        .filter_map(|(version, print)| {
            let known = QueryFingerprint {
                group: version.original as u32,
                source: pieces.get(version.original)?.book as u32,
            };
            Some((print?, known))
        })
        .collect();
    ensure!(
        !known.is_empty(),
        "no piece of these books is long enough for a fingerprint; give longer books"
    );
    let found = retrieval(&known, &WAYS.map(|way| way.pairs), MAX_DISTANCE);
    let mut compared = searches(&found, &known);
    let bytes: usize = pieces.iter().map(|piece| piece.text.len()).sum();
    let versions_bytes = bytes as f64 / pieces.len().max(1) as f64 * known.len() as f64;
    compared.push(Compared::new(
        "the set",
        "75k books of 9k originals, 28 GB",
        format!(
            "{} of {} originals, {:.2} GB",
            thousands(known.len() as u64),
            thousands(pieces.len().min(set.originals()) as u64),
            versions_bytes / 1e9
        ),
    ));
    let about = about(
        bench,
        &set,
        &known,
        bytes / pieces.len().max(1),
        pieces.len(),
    );
    Figure::of(
        "copies4",
        &plot(&found),
        about,
        data(&found),
        compared,
        &bench.palette,
    )
}

/// Compares the paper's search results with those measured here.
fn searches(
    found: &[Vec<RetrievalScore>],
    known: &[(Fingerprint, QueryFingerprint)],
) -> Vec<Compared> {
    let only: Vec<Fingerprint> = known.iter().map(|known| known.0).collect();
    let best: Vec<usize> = found.iter().map(|found| best(found)).collect();
    let mut compared = Vec::new();
    for ((way, found), &at) in WAYS.iter().zip(found).zip(&best) {
        compared.push(Compared::new(
            format!("best F1, {}", way.name),
            way.f1,
            in_words(found, at),
        ));
    }
    let all = &found[0];
    compared.push(Compared::new(
        "all pairs at 7 bits",
        "F1 0.75",
        in_words(all, PAPER_DISTANCE),
    ));
    compared.push(Compared::new(
        "F1 over pairs of books instead of means over queries, all pairs",
        "not told",
        by_pairs(all),
    ));
    compared.push(Compared::new(
        format!("wrong pairs within {} bits", best[0]),
        "not told",
        format!(
            "{}, {} of them pieces of one book",
            thousands(all[best[0]].wrong),
            thousands(all[best[0]].wrong_of_same_source)
        ),
    ));
    for way in WAYS {
        let what = format!("time for a search of all within 7 bits, {}", way.name);
        compared.push(Compared::new(what, way.time, time(way.pairs, &only)));
    }
    compared
}

/// Returns the distance with the best F1, the least one on a tie.
fn best(found: &[RetrievalScore]) -> usize {
    let mut best = 0;
    for (at, found_here) in found.iter().enumerate() {
        if found_here.queries.f1() > found[best].queries.f1() {
            best = at;
        }
    }
    best
}

fn in_words(found: &[RetrievalScore], at: usize) -> String {
    score_in_words(found[at].queries, at)
}

fn score_in_words(score: Score, at: usize) -> String {
    format!(
        "F1 {:.3} at {at} {} (precision {:.3}, recall {:.3})",
        score.f1(),
        plural(at, "bit"),
        score.precision,
        score.recall
    )
}

fn by_pairs(found: &[RetrievalScore]) -> String {
    let mut best = 0;
    for (at, found_here) in found.iter().enumerate() {
        if found_here.pairs.f1() > found[best].pairs.f1() {
            best = at;
        }
    }
    score_in_words(found[best].pairs, best)
}

fn time(looking: PairSelection, prints: &[Fingerprint]) -> String {
    let distance = PAPER_DISTANCE as u32;
    let (mut best, mut found) = (f64::INFINITY, 0);
    // Takes the shorter of two times, as in Figure 9 of Kaser & Lemire.
    for _ in 0..2 {
        let start = Instant::now();
        let pairs = match looking {
            PairSelection::All => pairs::within(prints, distance),
            PairSelection::Bands(width) => bands::within(prints, width, distance),
        };
        best = best.min(start.elapsed().as_secs_f64());
        found = black_box(pairs).len();
    }
    let threads = rayon::current_num_threads();
    format!(
        "{best:.2} s on {threads} {}, {} pairs",
        plural(threads, "thread"),
        thousands(found as u64)
    )
}

fn data(found: &[Vec<RetrievalScore>]) -> FigureData {
    let mut columns = vec!["distance".to_owned()];
    for way in WAYS {
        for what in [
            "precision",
            "recall",
            "f1",
            "pair_precision",
            "pair_recall",
            "wrong_pairs",
            "wrong_pairs_of_one_book",
        ] {
            columns.push(format!("{}_{what}", way.column));
        }
    }
    let mut data = FigureData::new(columns);
    for distance in 0..=MAX_DISTANCE {
        let mut row = vec![distance.to_string()];
        for found in found {
            let at = &found[distance];
            let numbers = [
                at.queries.precision,
                at.queries.recall,
                at.queries.f1(),
                at.pairs.precision,
                at.pairs.recall,
            ];
            row.extend(numbers.map(|number| number.to_string()));
            row.extend([at.wrong, at.wrong_of_same_source].map(|number| number.to_string()));
        }
        data.row(row);
    }
    data
}

fn plot(found: &[Vec<RetrievalScore>]) -> Plot {
    let curves = |what: &str, style: SeriesStyle, share: fn(&RetrievalScore) -> f64| {
        let curve = |(at, (way, found)): (usize, (&SearchWay, &Vec<RetrievalScore>))| {
            let points = found.iter().enumerate();
            let points = points.map(|(distance, found)| (distance as f64, share(found)));
            Series {
                same_colour_as: Some(at),
                ..Series::new(format!("{what}, {}", way.name), style, points.collect())
            }
        };
        let curves = WAYS.iter().zip(found).enumerate().map(curve);
        curves.collect::<Vec<_>>()
    };
    let mut series = curves("precision", SeriesStyle::Dashed, |found| {
        found.queries.precision
    });
    series.extend(curves("recall", SeriesStyle::Line, |found| {
        found.queries.recall
    }));
    Plot {
        title: "Figure 4: precision and recall by distance".to_owned(),
        x: Axis::new(
            "distance in bits of 128",
            AxisScale::Linear,
            0.0,
            MAX_DISTANCE as f64,
        ),
        // Leaves space for the legend above the curves.
        y: Axis::new("precision and recall", AxisScale::Linear, 0.0, 1.45),
        series,
        legend: Legend::TopRight,
    }
}

fn about(
    bench: &CopiesBench<'_>,
    set: &VersionSet,
    known: &[(Fingerprint, QueryFingerprint)],
    bytes: usize,
    pieces: usize,
) -> String {
    let mut out = format!(
        "1 to 15 versions of each original at random rates of 0 to 5 %. Originals are pieces of bodies, {:.1} kB each, so that \
        the set is as large as the paper's in number and small in bytes: short texts move further by the same corruption, \
        and pieces of one book are more alike than two books. Precision is the mean over queries that return something, recall \
        that over queries for which there is something, F1 that of both means.",
        bytes as f64 / 1e3,
    );
    if pieces < set.originals() {
        out.push_str(&format!(
            " {} different books yield {} pieces only, so that the set has {} books and not {}.",
            thousands(bench.originals.bodies.len() as u64),
            thousands(pieces as u64),
            thousands(known.len() as u64),
            thousands(set.versions().len() as u64),
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_distance_is_that_of_the_best_f1() {
        let found = |precision, recall| RetrievalScore {
            queries: Score { precision, recall },
            ..RetrievalScore::default()
        };
        let all = [
            found(1.0, 0.1),
            found(0.9, 0.8),
            found(0.8, 0.9),
            found(0.1, 1.0),
        ];
        assert_eq!(best(&all), 1);
        assert_eq!(
            in_words(&all, 1),
            "F1 0.847 at 1 bit (precision 0.900, recall 0.800)"
        );
    }
}
