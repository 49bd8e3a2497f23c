//! Figure 1: how far corruption moves fingerprints.

use std::borrow::Cow;

use anyhow::Result;
use rayon::prelude::*;

use super::bench::{CopiesBench, shape};
use crate::figures::report::{Compared, Figure, FigureData};
use endpaper_command::plot::axis::{Axis, AxisScale};
use endpaper_command::plot::{Legend, Plot, Series, SeriesStyle};
use endpaper_detect::copies::{FingerprintBits, Fingerprinter};
use lab::corrupt::Original;
use lab::experiments::copies::cut;
use lab::experiments::{SampleRandom, mix};

/// The paper's sizes.
const SIZES: [(&str, usize); 3] = [
    ("75 kB", 75_000),
    ("700 kB", 700_000),
    ("1.2 MB", 1_200_000),
];

/// Corruption in percent; the paper's text has 1 to 10, its axis 0 to 20.
const RATES: [u32; 15] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20];

/// Texts of one size, and the distances of their versions at every rate.
struct Curve {
    name: &'static str,
    /// Number of bodies that are long enough; 0 if a text was assembled from several.
    long: usize,
    /// Indexed by rate.
    distances: Vec<Vec<u32>>,
}

impl Curve {
    fn mean(&self, rate: usize) -> f64 {
        let distances = &self.distances[rate];
        distances.iter().sum::<u32>() as f64 / distances.len().max(1) as f64
    }

    fn means(&self) -> impl Iterator<Item = (f64, f64)> {
        let points = RATES.iter().enumerate();
        std::iter::once((0.0, 0.0))
            .chain(points.map(|(at, &rate)| (f64::from(rate), self.mean(at))))
    }
}

pub(super) fn figure_1(bench: &CopiesBench<'_>) -> Result<Figure> {
    let curves = SIZES.iter().map(|&(name, bytes)| curve(bench, name, bytes));
    let curves: Vec<Curve> = curves.collect();
    let mut data = FigureData::new([
        "size",
        "corruption_percent",
        "texts",
        "mean",
        "least",
        "most",
    ]);
    for curve in &curves {
        for (at, rate) in RATES.iter().enumerate() {
            let distances = &curve.distances[at];
            let end = |end: Option<&u32>| end.map_or(0, |distance| *distance).to_string();
            data.row([
                curve.name.to_owned(),
                rate.to_string(),
                distances.len().to_string(),
                curve.mean(at).to_string(),
                end(distances.iter().min()),
                end(distances.iter().max()),
            ]);
        }
    }
    let highest = curves.iter().flat_map(Curve::means).map(|point| point.1);
    let plot = Plot {
        title: "Figure 1: distance between a book and its corrupted versions".to_owned(),
        x: Axis::new("corruption in %", AxisScale::Linear, 0.0, 20.0),
        y: Axis::new(
            "bits of 128 that differ",
            AxisScale::Linear,
            0.0,
            highest.fold(14.0, f64::max) * 1.05,
        ),
        series: curves
            .iter()
            .map(|curve| Series::new(curve.name, SeriesStyle::Both, curve.means().collect()))
            .collect(),
        legend: Legend::TopLeft,
    };
    let at = |percent: u32| {
        let rate = RATES.iter().position(|rate| *rate == percent).unwrap_or(0);
        let means = curves
            .iter()
            .map(|curve| format!("{:.1} ({})", curve.mean(rate), curve.name));
        means.collect::<Vec<_>>().join(", ")
    };
    let untold = "drawn, not told; the axis ends at 14";
    let compared = vec![
        Compared::new("distance at 1 %", untold, at(1)),
        Compared::new("distance at 5 %", untold, at(5)),
        Compared::new("distance at 10 %", untold, at(10)),
        Compared::new("distance at 20 %", untold, at(20)),
        Compared::new(
            "distance and corruption",
            "correlate",
            format!("correlation of the means {:.2}", least_correlation(&curves)),
        ),
        Compared::new(
            "mean distance over 1 to 10 % by size",
            "smaller books are more sensitive",
            up_to_10(&curves),
        ),
    ];
    Figure::of(
        "copies1",
        &plot,
        about(&curves),
        data,
        compared,
        &bench.palette,
    )
}

fn up_to_10(curves: &[Curve]) -> String {
    let each = curves.iter().map(|curve| {
        let means = curve
            .means()
            .filter(|point| (1.0..=10.0).contains(&point.0));
        let means: Vec<f64> = means.map(|point| point.1).collect();
        let mean = means.iter().sum::<f64>() / means.len() as f64;
        format!("{mean:.1} ({})", curve.name)
    });
    each.collect::<Vec<_>>().join(", ")
}

fn about(curves: &[Curve]) -> String {
    let texts = curves.iter().map(|curve| {
        let many = curve.distances[0].len();
        match curve.long {
            0 => format!(
                "{}: {many} of one text put together from several books, as none is that long",
                curve.name
            ),
            _ => format!(
                "{}: {many} of the beginnings of {} books",
                curve.name, curve.long
            ),
        }
    });
    format!(
        "128 bits. Means over versions ({}); the paper has one book of each size.",
        texts.collect::<Vec<_>>().join("; ")
    )
}

fn curve(bench: &CopiesBench<'_>, name: &'static str, bytes: usize) -> Curve {
    let bodies = &bench.originals.bodies;
    // Takes the longest bodies, so that all sizes use the same ones where possible.
    let mut long: Vec<&String> = bodies.iter().filter(|body| body.len() >= bytes).collect();
    long.sort_by_key(|body| std::cmp::Reverse(body.len()));
    let mut texts: Vec<Cow<'_, str>> = long
        .into_iter()
        .take(bench.sizes.texts)
        .map(|body| cut(body, bytes).into())
        .collect();
    let long = texts.len();
    if texts.is_empty() {
        let mut whole = String::new();
        for body in bodies {
            if whole.len() >= bytes {
                break;
            }
            whole.push_str(body);
            whole.push('\n');
        }
        texts.push(cut(&whole, bytes).to_owned().into());
    }
    let originals: Vec<Original<'_>> = texts.iter().map(|text| Original::new(text)).collect();
    let mut printer = Fingerprinter::new(shape(FingerprintBits::default()));
    let prints: Vec<_> = texts.iter().map(|text| printer.of(text)).collect();
    let versions: Vec<usize> = (0..bench.sizes.texts).collect();
    let distances = |&rate: &u32| {
        let each = versions.par_iter().map_init(
            || Fingerprinter::new(shape(FingerprintBits::default())),
            |printer, &version| {
                let at = version % texts.len();
                let mut random = SampleRandom::new(mix(bytes as u64
                    ^ u64::from(rate) << 32
                    ^ (version as u64) << 48));
                let mut place = random.below(bodies.len());
                if bodies[place].starts_with(&*texts[at]) {
                    place = (place + 1) % bodies.len();
                }
                // An assembled text may contain this body.
                let other = Original::new(cut(&bodies[place], SENTENCE_SOURCE_BYTES));
                let version =
                    originals[at].corrupted(Some(&other), f64::from(rate) / 100.0, &mut random);
                Some(prints[at]?.distance(&printer.of(&version.text)?))
            },
        );
        each.flatten().collect()
    };
    Curve {
        name,
        long,
        distances: RATES.iter().map(distances).collect(),
    }
}

/// Sentences come from the beginning of the other book only, up to this many bytes.
const SENTENCE_SOURCE_BYTES: usize = 100_000;

/// Returns the lowest correlation of rate and distance over all sizes.
fn least_correlation(curves: &[Curve]) -> f64 {
    let each = curves
        .iter()
        .map(|curve| correlation(&curve.means().collect::<Vec<_>>()));
    each.fold(1.0, f64::min)
}

/// Pearson's correlation; 0 if undefined.
fn correlation(points: &[(f64, f64)]) -> f64 {
    let many = points.len().max(1) as f64;
    let x = points.iter().map(|point| point.0).sum::<f64>() / many;
    let y = points.iter().map(|point| point.1).sum::<f64>() / many;
    let sum = |of: fn(f64, f64) -> f64| -> f64 {
        points
            .iter()
            .map(|point| of(point.0 - x, point.1 - y))
            .sum()
    };
    let spread = (sum(|x, _| x * x) * sum(|_, y| y * y)).sqrt();
    if spread > 0.0 {
        sum(|x, y| x * y) / spread
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_grows_together_correlates() {
        let table = [
            (vec![(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)], 1.0),
            (vec![(0.0, 5.0), (1.0, 3.0), (2.0, 1.0)], -1.0),
            (vec![(0.0, 1.0), (1.0, 1.0)], 0.0),
            (vec![], 0.0),
        ];
        for (points, expected) in table {
            assert!((correlation(&points) - expected).abs() < 1e-9, "{points:?}");
        }
    }
}
