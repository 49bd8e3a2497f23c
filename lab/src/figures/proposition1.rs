//! Proposition 1: tosses until a run of heads. Needs no corpus.

use anyhow::Result;

use super::report::{Compared, Figure, FigureData};
use endpaper_command::plot::axis::{Axis, AxisScale};
use endpaper_command::plot::palette::PlotPalette;
use endpaper_command::plot::{Legend, Plot, Series, SeriesStyle};
use endpaper_text::wording::thousands;
use lab::experiments::{SampleRandom, expected_run, run_among, simulated_run};

const GAP: u32 = 10;

/// Trials per simulated point.
const TRIALS: u32 = 4_000;

/// Expected tosses above which a simulation would take too long.
const MAX_TOSSES: f64 = 10_000.0;

pub(super) fn proposition_1(palette: &PlotPalette) -> Result<Figure> {
    let mut random = SampleRandom::new(1);
    let mut data = FigureData::new(["p", "heads", "expected", "simulated", "standard_error"]);
    let mut series = Vec::new();
    let mut most = 0.0f64;
    for p in [0.25, 0.5, 0.75] {
        let (mut theory, mut tried) = (Vec::new(), Vec::new());
        for run in 1..=GAP {
            let expected = expected_run(p, run);
            theory.push((f64::from(run), expected));
            let mut row = vec![p.to_string(), run.to_string(), expected.to_string()];
            if expected <= MAX_TOSSES {
                let found = simulated_run(p, run, TRIALS, &mut random);
                tried.push((f64::from(run), found.mean));
                most = most.max((found.mean - expected).abs() / found.error);
                row.extend([found.mean.to_string(), found.error.to_string()]);
            } else {
                row.extend([String::new(), String::new()]);
            }
            data.row(row);
        }
        series.push(Series::new(
            format!("theory, p = {p}"),
            SeriesStyle::Line,
            theory,
        ));
        series.push(Series::new(
            format!("tried out, p = {p}"),
            SeriesStyle::Points,
            tried,
        ));
    }
    let plot = Plot {
        title: "Proposition 1: tosses until n heads in a row".to_owned(),
        x: Axis::new("heads in a row, n", AxisScale::Linear, 0.0, 11.0),
        y: Axis::new("expected tosses", AxisScale::Log, 1.0, 1e7),
        series,
        legend: Legend::TopLeft,
    };
    let compared = vec![
        Compared::new(
            "expected tosses",
            "the sum of 1/p^i for i from 1 to n, proved",
            format!("trials at most {most:.1} standard errors off"),
        ),
        Compared::new(
            "lines before 10 false negatives in a row, a quarter of the lines being false negatives",
            "1.4 million",
            thousands(expected_run(0.25, GAP) as u64),
        ),
        Compared::new(
            "bound on meeting 10 false negatives in a preamble of 300 lines",
            "0.0003",
            format!(
                "{:.6}; exactly, {:.6}",
                300.0 * 0.25f64.powi(10),
                run_among(0.25, GAP, 300)
            ),
        ),
    ];
    let about = format!("Curves are the sum of 1/p^i; points the mean of {TRIALS} trials.");
    Figure::of("proposition1", &plot, about, data, compared, palette)
}
