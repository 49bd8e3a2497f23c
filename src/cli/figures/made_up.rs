//! The figures that need no corpus: Proposition 1, Figures 3 and 7.

use anyhow::Result;
use rayon::prelude::*;

use super::axis::{Axis, Scale};
use super::palette::Palette;
use super::plot::{Legend, Plot, Series, Style};
use super::report::{Compared, Data, Figure};
use crate::evaluate::figures::{
    Random, efficiency, expected_run, expected_swallowed, simulated_run, simulated_swallowed,
    zipfian,
};

/// The gap of the paper.
const GAP: u32 = 10;

/// Trials behind each simulated point.
const TRIALS: u32 = 4_000;

/// Longer runs take too long to be tried out.
const LONGEST: f64 = 10_000.0;

/// Random orders behind each point of Figure 7.
const ORDERS: u64 = 30;

/// Proposition 1: tosses until a run of heads.
pub(super) fn proposition_1(palette: &Palette) -> Result<Figure> {
    let mut random = Random::new(1);
    let mut data = Data::new(["p", "heads", "expected", "simulated", "standard_error"]);
    let mut series = Vec::new();
    for p in [0.25, 0.5, 0.75] {
        let (mut theory, mut tried) = (Vec::new(), Vec::new());
        for run in 1..=GAP {
            let expected = expected_run(p, run);
            theory.push((f64::from(run), expected));
            let mut row = vec![p.to_string(), run.to_string(), expected.to_string()];
            if expected <= LONGEST {
                let found = simulated_run(p, run, TRIALS, &mut random);
                tried.push((f64::from(run), found.mean));
                row.extend([found.mean.to_string(), found.error.to_string()]);
            } else {
                row.extend([String::new(), String::new()]);
            }
            data.row(row);
        }
        series.push(Series::new(format!("theory, p = {p}"), Style::Line, theory));
        series.push(Series::new(
            format!("tried out, p = {p}"),
            Style::Points,
            tried,
        ));
    }
    let plot = Plot {
        title: "Proposition 1: tosses until n heads in a row".to_owned(),
        x: Axis::new("heads in a row, n", Scale::Linear, 0.0, 11.0),
        y: Axis::new("expected tosses", Scale::Log, 1.0, 1e7),
        series,
        legend: Legend::TopLeft,
    };
    let compared = vec![
        Compared::new(
            "lines before 10 false negatives in a row, a quarter of the lines being false negatives",
            "1.4 million",
            crate::words::thousands(expected_run(0.25, GAP) as u64),
        ),
        Compared::new(
            "bound on meeting 10 false negatives in a preamble of 300 lines",
            "0.0003",
            format!("{:.6}", 300.0 * 0.25f64.powi(10)),
        ),
    ];
    let about = format!("Curves are the sum of 1/p^i; points the mean of {TRIALS} trials.");
    Figure::of("proposition1", &plot, about, data, compared, palette)
}

/// Figure 3: lines of the book that false positives cost.
pub(super) fn figure_3(palette: &Palette) -> Result<Figure> {
    let mut random = Random::new(3);
    let mut data = Data::new(["p", "expected", "simulated", "standard_error"]);
    let (mut theory, mut tried) = (Vec::new(), Vec::new());
    let mut most = 0.0f64;
    for percent in 1..=50 {
        let p = f64::from(percent) / 100.0;
        let expected = expected_swallowed(p, GAP);
        theory.push((p, expected));
        let mut row = vec![p.to_string(), expected.to_string()];
        if percent % 5 == 0 {
            let found = simulated_swallowed(p, GAP, TRIALS, &mut random);
            tried.push((p, found.mean));
            most = most.max((found.mean - expected).abs() / found.error);
            row.extend([found.mean.to_string(), found.error.to_string()]);
        } else {
            row.extend([String::new(), String::new()]);
        }
        data.row(row);
    }
    let plot = Plot {
        title: "Figure 3: non-preamble lines misclassified".to_owned(),
        x: Axis::new(
            "probability of a false positive, p",
            Scale::Linear,
            0.0,
            0.5,
        ),
        y: Axis::new("expected lines", Scale::Log, 0.1, 1e4),
        series: vec![
            Series::new("theory: sum of (1-p)^-k, less 10", Style::Line, theory),
            Series::new("tried out", Style::Points, tried),
        ],
        legend: Legend::TopLeft,
    };
    let compared = vec![Compared::new(
        "lines lost where p = 20 %",
        "p of at most 20 % is wanted",
        format!(
            "{:.2} expected (p = 5 %: {:.2}, 40 %: {:.2}); trials at most {most:.1} standard errors off",
            expected_swallowed(0.2, GAP),
            expected_swallowed(0.05, GAP),
            expected_swallowed(0.4, GAP)
        ),
    )];
    let about = format!("GAP_MAX = {GAP}; points are the mean of {TRIALS} trials.");
    Figure::of("figure3", &plot, about, data, compared, palette)
}

/// Figure 7: efficiency of the Generalized Majority algorithm.
pub(super) fn figure_7(palette: &Palette) -> Result<Figure> {
    let counters = [10u32, 30, 100];
    let exponents: Vec<f64> = (0..=12).map(|step| f64::from(step) / 4.0).collect();
    let found: Vec<(f64, [f64; 3])> = exponents
        .into_par_iter()
        .map(|x| {
            let stream = zipfian(x);
            (
                x,
                counters.map(|counters| efficiency(&stream, counters, ORDERS)),
            )
        })
        .collect();
    let mut data = Data::new(["x", "c10", "c30", "c100"]);
    for (x, found) in &found {
        data.row([*x].iter().chain(found).map(f64::to_string));
    }
    let curve = |at: usize| {
        let points = found.iter().map(|(x, found)| (*x, found[at])).collect();
        Series::new(format!("{} counters", counters[at]), Style::Both, points)
    };
    let plot = Plot {
        title: "Figure 7: efficiency of the Generalized Majority algorithm".to_owned(),
        x: Axis::new(
            "exponent of the Zipf distribution, x",
            Scale::Linear,
            0.0,
            3.0,
        ),
        y: Axis::new(
            "largest exact top-k query / counters",
            Scale::Linear,
            0.0,
            1.0,
        ),
        series: vec![curve(0), curve(1), curve(2)],
        legend: Legend::TopLeft,
    };
    let at_most = |at: usize| found.iter().map(|found| found.1[at]).fold(0.0, f64::max);
    let compared = vec![
        Compared::new(
            "efficiency for highly skewed distributions, c = 30",
            "very close to 100 %",
            format!("{:.0} % at most, for x up to 3", at_most(1) * 100.0),
        ),
        Compared::new(
            "number of counters",
            "not sensitive",
            format!(
                "at most {:.0} % with 10 counters, {:.0} % with 100; where x is large, the last ranks occur too seldom to be told apart, or fewer items occur than there are counters",
                at_most(0) * 100.0,
                at_most(2) * 100.0
            ),
        ),
    ];
    let about = format!(
        "1,000 items, 100,000 occurrences; mean of {ORDERS} random orders. Of equal counters the wrong one is taken first."
    );
    Figure::of("figure7", &plot, about, data, compared, palette)
}
