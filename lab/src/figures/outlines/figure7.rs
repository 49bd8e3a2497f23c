//! Figure 7: the years of the works that books cite.

use anyhow::Result;

use super::outlined_corpus::OutlinedCorpus;
use super::percent;
use crate::figures::report::{Compared, Figure, FigureData};
use endpaper_command::plot::axis::{Axis, AxisScale};
use endpaper_command::plot::palette::PlotPalette;
use endpaper_command::plot::{Legend, Plot, Series, SeriesStyle};

/// The first year of the paper's figure.
const FIRST: u32 = 1920;
/// The last year of the plot; the table has all.
const LAST: u32 = 2030;

/// Draws the number of citations by the year of the cited work.
pub(super) fn figure_7(corpus: &OutlinedCorpus, palette: &PlotPalette) -> Result<Figure> {
    let mut data = FigureData::new(["year", "citations"]);
    for (year, count) in &corpus.years {
        data.row([year.to_string(), count.to_string()]);
    }
    let shown = corpus.years.range(FIRST..=LAST);
    let points: Vec<(f64, f64)> = shown
        .clone()
        .map(|(year, count)| (f64::from(*year), *count as f64))
        .collect();
    let most = points.iter().map(|point| point.1).fold(1.0, f64::max);
    let plot = Plot {
        title: "Figure 7: number of citations by year".to_owned(),
        x: Axis::new("year", AxisScale::Linear, f64::from(FIRST), f64::from(LAST)),
        y: Axis::new("citations", AxisScale::Linear, 0.0, most * 1.2),
        series: vec![Series::new("citations", SeriesStyle::Both, points)],
        legend: Legend::TopLeft,
    };
    let all: usize = corpus.years.values().sum();
    let references: usize = corpus.books.iter().map(|book| book.references()).sum();
    let peak = shown.max_by_key(|(_, count)| **count);
    let before = |year: u32| {
        percent(
            corpus.years.range(..year).map(|(_, count)| count).sum(),
            all,
        )
    };
    let peak_year = peak.map_or("-".to_owned(), |(year, count)| format!("{year} ({count})"));
    let compared = vec![
        Compared::new("references with a year", "-", percent(all, references)),
        Compared::new("before 1920", "not drawn", before(FIRST)),
        Compared::new(
            "trend",
            "grows from year to year, falls steeply over the last 10 years or so",
            format!("{} before 1980, {} before 2000", before(1980), before(2000)),
        ),
        Compared::new(
            "most cited year",
            "some years before the crawl of 2011",
            peak_year,
        ),
    ];
    let about = "All citations that name a year, by the year of the cited work.";
    Figure::of("outlines-figure7", &plot, about, data, compared, palette)
}
