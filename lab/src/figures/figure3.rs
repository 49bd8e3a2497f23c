//! Figure 3: lines of the book lost to false positives. Needs no corpus.

use anyhow::Result;

use super::report::{Compared, Figure, FigureData};
use endpaper_command::plot::axis::{Axis, AxisScale};
use endpaper_command::plot::palette::PlotPalette;
use endpaper_command::plot::{Legend, Plot, Series, SeriesStyle};
use lab::experiments::{SampleRandom, expected_lost_lines, simulated_lost_lines};

const GAP: u32 = 10;

/// Trials per simulated point.
const TRIALS: u32 = 4_000;

pub(super) fn figure_3(palette: &PlotPalette) -> Result<Figure> {
    let mut random = SampleRandom::new(3);
    let mut data = FigureData::new(["p", "expected", "simulated", "standard_error"]);
    let (mut theory, mut tried) = (Vec::new(), Vec::new());
    let mut most = 0.0f64;
    for percent in 1..=50 {
        let p = f64::from(percent) / 100.0;
        let expected = expected_lost_lines(p, GAP);
        theory.push((p, expected));
        let mut row = vec![p.to_string(), expected.to_string()];
        if percent % 5 == 0 {
            let found = simulated_lost_lines(p, GAP, TRIALS, &mut random);
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
            AxisScale::Linear,
            0.0,
            0.5,
        ),
        y: Axis::new("expected lines", AxisScale::Log, 0.1, 1e4),
        series: vec![
            Series::new(
                "theory: sum of (1-p)^-k, less 10",
                SeriesStyle::Line,
                theory,
            ),
            Series::new("tried out", SeriesStyle::Points, tried),
        ],
        legend: Legend::TopLeft,
    };
    let compared = vec![Compared::new(
        "lines lost where p = 20 %",
        "p of at most 20 % is wanted",
        format!(
            "{:.2} expected (p = 5 %: {:.2}, 40 %: {:.2}); trials at most {most:.1} standard errors off",
            expected_lost_lines(0.2, GAP),
            expected_lost_lines(0.05, GAP),
            expected_lost_lines(0.4, GAP)
        ),
    )];
    let about = format!("GAP_MAX = {GAP}; points are the mean of {TRIALS} trials.");
    Figure::of("figure3", &plot, about, data, compared, palette)
}
