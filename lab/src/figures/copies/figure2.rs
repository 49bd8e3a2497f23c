//! Figure 2: accuracy of k-means by fingerprint length and corruption.

use anyhow::Result;
use rayon::prelude::*;

use super::bench::{CopiesBench, VERSIONS, lengths, shape};
use crate::figures::report::{Compared, Figure, FigureData};
use endpaper_command::plot::axis::{Axis, AxisScale};
use endpaper_command::plot::{Legend, Plot, Series, SeriesStyle};
use endpaper_detect::copies::{Fingerprint, FingerprintBits};
use endpaper_text::wording::thousands;
use lab::corrupt::Original;
use lab::experiments::copies::{Clustering, Score, VersionSet, k_means, pairwise, plus_plus};
use lab::experiments::{SampleRandom, mix};

/// Corruption in percent, as in the paper.
const RATES: [u32; 3] = [1, 5, 10];

/// Starts of k-means; the one with the least inertia counts.
const STARTS: u64 = 10;

/// Candidates for every first centre.
const CANDIDATES: usize = 20;

/// The accuracy of k-means at one fingerprint length and one percentage of corruption.
struct ScoreCell {
    bits: FingerprintBits,
    percent: u32,
    /// Score of the start with the least inertia.
    best: Score,
    /// Mean F1 of all starts.
    mean: f64,
    /// F1 if every centre starts at an original: what the fingerprints allow, without chance.
    from_originals: f64,
}

pub(super) fn figure_2(bench: &CopiesBench<'_>, originals: &[Original<'_>]) -> Result<Figure> {
    let longest = FingerprintBits::all().last().unwrap_or_default();
    let mut cells: Vec<ScoreCell> = Vec::new();
    let mut without = 0;
    for percent in RATES {
        let set = VersionSet::small(originals.len(), VERSIONS, f64::from(percent) / 100.0);
        let prints = bench.fingerprints(&set, originals, shape(longest));
        let known = set.versions().iter().zip(prints);
        let known: Vec<(usize, Fingerprint)> = known
            .filter_map(|(version, print)| Some((version.original, print?)))
            .collect();
        without += set.versions().len() - known.len();
        let lengths: Vec<FingerprintBits> = FingerprintBits::all().collect();
        let scores = lengths
            .par_iter()
            .map(|&bits| cell(&known, bits, percent, originals.len()));
        cells.extend(scores.collect::<Vec<_>>());
    }
    let curve = |percent: u32| {
        let cells = cells.iter().filter(|cell| cell.percent == percent);
        let points = cells.map(|cell| (f64::from(cell.bits.count()), cell.best.f1()));
        Series::new(format!("{percent} %"), SeriesStyle::Both, points.collect())
    };
    let lowest = cells.iter().map(|cell| cell.best.f1());
    let plot = Plot {
        title: "Figure 2: accuracy of clustering by length and corruption".to_owned(),
        x: lengths(),
        // The paper's axis begins at 0.7; the legend is below the curves.
        y: Axis::new(
            "F1",
            AxisScale::Linear,
            (lowest.fold(0.75, f64::min) - 0.1).max(0.0),
            1.02,
        ),
        series: RATES.map(curve).into(),
        legend: Legend::BottomLeft,
    };
    let at = |bits: u32, percent: u32| {
        let found = cells
            .iter()
            .find(|cell| cell.bits.count() == bits && cell.percent == percent);
        found.map_or("-".to_owned(), |cell| {
            format!(
                "{:.3} (mean of the starts {:.3}, started at the originals {:.3})",
                cell.best.f1(),
                cell.mean,
                cell.from_originals
            )
        })
    };
    let drawn = "drawn, not told";
    let compared = vec![
        Compared::new("F1 at 128 bits and 5 %", "0.97", at(128, 5)),
        Compared::new("F1 at 128 bits and 1 %", drawn, at(128, 1)),
        Compared::new("F1 at 128 bits and 10 %", drawn, at(128, 10)),
        Compared::new("F1 at 64 bits and 5 %", drawn, at(64, 5)),
        Compared::new("F1 at 64 bits and 10 %", drawn, at(64, 10)),
        Compared::new("F1 at 256 bits and 10 %", drawn, at(256, 10)),
        Compared::new(
            "accuracy",
            "grows with length, falls with corruption",
            order(&cells),
        ),
    ];
    let about = about(originals, without);
    Figure::of(
        "copies2",
        &plot,
        about,
        data(&cells),
        compared,
        &bench.palette,
    )
}

fn data(cells: &[ScoreCell]) -> FigureData {
    let mut data = FigureData::new([
        "bits",
        "corruption_percent",
        "f1",
        "precision",
        "recall",
        "mean_f1_of_starts",
        "f1_from_originals",
    ]);
    for cell in cells {
        data.row([
            cell.bits.to_string(),
            cell.percent.to_string(),
            cell.best.f1().to_string(),
            cell.best.precision.to_string(),
            cell.best.recall.to_string(),
            cell.mean.to_string(),
            cell.from_originals.to_string(),
        ]);
    }
    data
}

/// Describes the experiment; `without` is the number of versions without a fingerprint.
fn about(originals: &[Original<'_>], without: usize) -> String {
    let characters: usize = originals.iter().map(Original::characters).sum();
    let mut about = format!(
        "{} originals ({} characters on average) with {VERSIONS} corrupted versions each, clustered by k-means into as many \
        clusters as there are originals. F1 is that of precision and recall over pairs of books: found is a pair in one \
        cluster, right one of a single original. Where k-means starts matters more than the fingerprints: of {STARTS} starts \
        (k-means++, {CANDIDATES} candidates for every centre) the one with the least inertia counts, which needs no truth. The \
        paper does not tell its start. Started at the originals themselves, it finds what the fingerprints allow.",
        thousands(originals.len() as u64),
        thousands((characters / originals.len().max(1)) as u64),
    );
    if without > 0 {
        about.push_str(&format!(
            " {} versions were too short for a fingerprint.",
            thousands(without as u64)
        ));
    }
    about
}

fn cell(
    known: &[(usize, Fingerprint)],
    bits: FingerprintBits,
    percent: u32,
    count: usize,
) -> ScoreCell {
    // A shorter fingerprint is a prefix of a longer one.
    let prints: Vec<Fingerprint> = known
        .iter()
        .map(|(_, print)| Fingerprint::from_words(print.words(), bits))
        .collect();
    let truth: Vec<usize> = known.iter().map(|(original, _)| *original).collect();
    let seed = u64::from(bits.count()) << 32 ^ u64::from(percent);
    let runs: Vec<(Clustering, Score)> = (0..STARTS)
        .into_par_iter()
        .map(|start| {
            let mut random = SampleRandom::new(mix(seed ^ start << 48));
            let run = k_means(&prints, &plus_plus(&prints, count, CANDIDATES, &mut random));
            let score = pairwise(&run.clusters, &truth);
            (run, score)
        })
        .collect();
    let mut originals: Vec<usize> = (0..truth.len()).collect();
    originals.dedup_by_key(|at| truth[*at]);
    let told = k_means(&prints, &originals);
    let best = runs
        .iter()
        .min_by(|a, b| a.0.inertia.total_cmp(&b.0.inertia));
    ScoreCell {
        bits,
        percent,
        best: best.map_or_else(Score::default, |best| best.1),
        mean: runs.iter().map(|run| run.1.f1()).sum::<f64>() / STARTS as f64,
        from_originals: pairwise(&told.clusters, &truth).f1(),
    }
}

/// Reports whether the paper's order of the lengths holds here.
fn order(cells: &[ScoreCell]) -> String {
    let mean = |what: &dyn Fn(&&ScoreCell) -> bool| {
        let some: Vec<f64> = cells
            .iter()
            .filter(what)
            .map(|cell| cell.best.f1())
            .collect();
        some.iter().sum::<f64>() / some.len().max(1) as f64
    };
    let lengths = [64, 128, 256].map(|bits| mean(&|cell| cell.bits.count() == bits));
    let rates = RATES.map(|percent| mean(&|cell| cell.percent == percent));
    format!(
        "means {:.3}, {:.3}, {:.3} at 64, 128, 256 bits; {:.3}, {:.3}, {:.3} at 1, 5, 10 %",
        lengths[0], lengths[1], lengths[2], rates[0], rates[1], rates[2]
    )
}
