//! Figure 6: how many references books have.

use anyhow::Result;

use super::outlined_corpus::OutlinedCorpus;
use super::percent;
use crate::figures::report::{Compared, Figure, FigureData};
use endpaper_command::plot::axis::{Axis, AxisScale};
use endpaper_command::plot::palette::PlotPalette;
use endpaper_command::plot::{Legend, Plot, Series, SeriesStyle};

/// Width of a bin, in references.
const BIN: usize = 10;
/// Where the plot ends; the table has all.
const SHOWN: usize = 400;

/// Draws the number of documents by the number of their references.
pub(super) fn figure_6(corpus: &OutlinedCorpus, palette: &PlotPalette) -> Result<Figure> {
    let counts = corpus.books.iter().map(|book| book.references());
    let mut counts: Vec<usize> = counts.filter(|count| *count > 0).collect();
    counts.sort_unstable();
    let mut data = FigureData::new(["references_from", "references_to", "documents"]);
    let mut points = Vec::new();
    for bin in counts.chunk_by(|a, b| a / BIN == b / BIN) {
        let from = bin[0] / BIN * BIN;
        data.row([from, from + BIN - 1, bin.len()].map(|number| number.to_string()));
        if from < SHOWN {
            points.push(((from + BIN / 2) as f64, bin.len() as f64));
        }
    }
    let most = points.iter().map(|point| point.1).fold(1.0, f64::max);
    let plot = Plot {
        title: "Figure 6: number of references in books".to_owned(),
        x: Axis::new("references", AxisScale::Linear, 0.0, SHOWN as f64),
        y: Axis::new("documents", AxisScale::Linear, 0.0, most * 1.2),
        series: vec![Series::new("documents", SeriesStyle::Both, points)],
        legend: Legend::TopRight,
    };
    let all = counts.len();
    let (sum, middle) = (counts.iter().sum::<usize>(), counts.get(all / 2));
    let among = |range: std::ops::RangeInclusive<usize>| {
        percent(
            counts.iter().filter(|count| range.contains(count)).count(),
            all,
        )
    };
    let mean = if all == 0 {
        "-".to_owned()
    } else {
        format!("{:.0}", sum as f64 / all as f64)
    };
    let compared = vec![
        Compared::new("mean", "87", mean),
        Compared::new(
            "median",
            "-",
            middle.map_or("-".to_owned(), |count| count.to_string()),
        ),
        Compared::new("fewer than 20", "steep decrease", among(0..=19)),
        Compared::new("20 to 200", "76 %", among(20..=200)),
        Compared::new("more than 200", "long tail", among(201..=usize::MAX)),
    ];
    let about = format!("{all} documents with a bibliography, in steps of {BIN} references.");
    Figure::of("outlines-figure6", &plot, about, data, compared, palette)
}
