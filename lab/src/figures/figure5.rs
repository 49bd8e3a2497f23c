//! Figure 5: histogram of line counts.

use anyhow::Result;

use super::corpus::FigureCorpus;
use super::report::{Compared, Figure, FigureData};
use endpaper_command::plot::axis::{Axis, AxisScale};
use endpaper_command::plot::palette::PlotPalette;
use endpaper_command::plot::{Legend, Plot, Series, SeriesStyle};
use endpaper_text::wording::thousands;

/// Draws how many lines occur how often, and how many more often than K.
pub(super) fn figure_5(read: &FigureCorpus, palette: &PlotPalette) -> Result<Figure> {
    let mut by_frequency: Vec<(u64, u64)> = Vec::new();
    let mut frequencies: Vec<u64> = read.counts.iter().map(|(_, count)| count).collect();
    frequencies.sort_unstable();
    for equal in frequencies.chunk_by(|a, b| a == b) {
        by_frequency.push((equal[0], equal.len() as u64));
    }
    let distinct = frequencies.len() as u64;
    let mut data = FigureData::new(["times", "lines", "lines_occurring_more_often", "share"]);
    let (mut points, mut above, mut left) = (Vec::new(), Vec::new(), distinct);
    for &(times, lines) in &by_frequency {
        left -= lines;
        let share = left as f64 / distinct as f64;
        data.row([
            times.to_string(),
            lines.to_string(),
            left.to_string(),
            share.to_string(),
        ]);
        points.push((times as f64, lines as f64));
        if left > 0 {
            above.push((times as f64, left as f64));
        }
    }
    let largest = frequencies.last().copied().unwrap_or(1).max(2) as f64;
    let plot = Plot {
        title: "Figure 5: number of lines occurring so often".to_owned(),
        x: Axis::new("times", AxisScale::Log, 0.9, largest * 1.2),
        y: Axis::new(
            "distinct lines",
            AxisScale::Log,
            0.8,
            distinct.max(2) as f64 * 1.5,
        ),
        series: vec![
            Series::new("exactly so often (a)", SeriesStyle::Points, points),
            Series::new("more often (b)", SeriesStyle::Line, above),
        ],
        legend: Legend::TopRight,
    };
    let among = |range: std::ops::RangeInclusive<u64>| -> String {
        let inside = by_frequency
            .iter()
            .filter(|(times, _)| range.contains(times));
        let lines: u64 = inside.map(|(_, lines)| lines).sum();
        let share = lines as f64 * 100.0 / distinct.max(1) as f64;
        format!("{} ({share:.2} %)", thousands(lines))
    };
    let compared = vec![
        Compared::new("distinct lines", "3.4 million", thousands(distinct)),
        Compared::new("once", "2.6 million (76 %)", among(1..=1)),
        Compared::new("twice", "0.7 million (21 %)", among(2..=2)),
        Compared::new(
            "more than twice",
            "fewer than 100,000 (3 %)",
            among(3..=u64::MAX),
        ),
        Compared::new(
            "10 times or more",
            "fewer than 3,000 (0.09 %)",
            among(10..=u64::MAX),
        ),
        Compared::new(
            "more than 100 times",
            "about 1 in 1,000",
            among(101..=u64::MAX),
        ),
    ];
    let about = format!(
        "First and last 300 counted lines of {} books: {} lines.",
        thousands(read.books.len() as u64),
        thousands(read.lines)
    );
    Figure::of("figure5", &plot, about, data, compared, palette)
}
