//! Figure 9: time to build the structures.

use std::time::Instant;

use anyhow::Result;

use super::corpus::FigureCorpus;
use super::report::{Compared, Figure, FigureData};
use endpaper_command::plot::axis::{Axis, AxisScale};
use endpaper_command::plot::palette::PlotPalette;
use endpaper_command::plot::{Legend, Plot, Series, SeriesStyle};
use endpaper_detect::frequency::{BookLines, Structure};
use endpaper_text::wording::thousands;
use lab::experiments::count;

/// Draws the build time of the structures by number of counters.
pub(super) fn figure_9(read: &FigureCorpus, palette: &PlotPalette) -> Result<Figure> {
    let books: Vec<&BookLines> = read
        .with_texts
        .iter()
        .map(|&book| &read.books[book])
        .collect();
    let lines: usize = books.iter().map(|book| book.keys().len()).sum();
    let level = ["exact", "crc64", "hashed:bits=23"];
    let mut data = FigureData::new(["structure", "counters", "seconds", "ns_per_line"]);
    let mut time = |structure: &str, counters: Option<u64>| -> Result<f64> {
        let parsed: Structure = structure.parse()?;
        // Takes the shorter of two times: the first may include warming up memory.
        let mut best = f64::INFINITY;
        for _ in 0..2 {
            let start = Instant::now();
            std::hint::black_box(count(parsed, &books)?);
            best = best.min(start.elapsed().as_secs_f64());
        }
        let ns = best * 1e9 / lines.max(1) as f64;
        let counters = counters.map_or_else(String::new, |counters| counters.to_string());
        data.row([
            structure.to_owned(),
            counters,
            best.to_string(),
            ns.to_string(),
        ]);
        Ok(ns)
    };
    let mut hot = Vec::new();
    for power in 6..=14 {
        // Half powers of ten: 1,000, 3,162, 10,000 and so on.
        let counters = 10f64.powf(f64::from(power) / 2.0).round() as u64;
        let ns = time(&format!("hot-items:counters={counters}"), Some(counters))?;
        hot.push((counters as f64, ns));
    }
    let mut series = vec![Series::new(
        "GM (hot items)",
        SeriesStyle::Both,
        hot.clone(),
    )];
    let mut level_times = Vec::new();
    for name in level {
        let ns = time(name, None)?;
        level_times.push(format!("{name} {ns:.0}"));
        series.push(Series::new(
            name,
            SeriesStyle::Line,
            vec![(1e3, ns), (1e7, ns)],
        ));
    }
    let ys = series
        .iter()
        .flat_map(|series| &series.points)
        .map(|point| point.1);
    let highest = ys.fold(1.0, f64::max);
    let plot = Plot {
        title: "Figure 9: time to build the structures".to_owned(),
        x: Axis::new("counters, c", AxisScale::Log, 9e2, 1.1e7),
        y: Axis::new("nanoseconds a line", AxisScale::Linear, 0.0, highest * 1.4),
        series,
        legend: Legend::TopLeft,
    };
    let compared = vec![
        Compared::new(
            "order",
            "23-bit hash fastest (about 55 s for the DVD), exact slowest, GM in between and slower with more counters",
            format!("{} ns a line", level_times.join(", ")),
        ),
        Compared::new(
            "GM, fewest and most counters",
            "nearly as fast as hashing; resembles exact",
            format!(
                "{:.0} and {:.0} ns a line",
                hot.first().map_or(0.0, |point| point.1),
                hot.last().map_or(0.0, |point| point.1)
            ),
        ),
    ];
    let about = format!(
        "{} lines of {} books in memory, one thread, the better of two rounds. Times depend on the machine.",
        thousands(lines as u64),
        thousands(books.len() as u64)
    );
    Figure::of("figure9", &plot, about, data, compared, palette)
}
