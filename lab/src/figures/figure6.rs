//! Figure 6: lines falsely assessed as frequent by hashing.

use anyhow::Result;

use super::corpus::FigureCorpus;
use super::report::{Compared, Figure, FigureData};
use endpaper_command::plot::axis::{Axis, AxisScale};
use endpaper_command::plot::palette::PlotPalette;
use endpaper_command::plot::{Legend, Plot, Series, SeriesStyle};
use endpaper_text::wording::thousands;
use lab::experiments::{Collisions, THRESHOLDS, collisions};

/// Draws the lines falsely assessed as frequent by hashing to c counters.
pub(super) fn figure_6(read: &FigureCorpus, palette: &PlotPalette) -> Result<Figure> {
    let mut columns = vec![
        "counters".to_owned(),
        "bound".to_owned(),
        "skewed_bound".to_owned(),
    ];
    columns.extend(THRESHOLDS.map(|threshold| format!("K{threshold}")));
    let mut data = FigureData::new(columns);
    let mut all = Vec::new();
    let mut above = 0;
    for bits in 16..=26 {
        let found = collisions(&read.counts, &read.books, bits)?;
        above += found
            .found
            .iter()
            .filter(|share| **share > found.bound)
            .count();
        let numbers = [found.bound, found.skewed].into_iter().chain(found.found);
        let counters = 1u64 << bits;
        data.row(
            [counters.to_string()]
                .into_iter()
                .chain(numbers.map(|number| number.to_string())),
        );
        all.push((counters as f64, found));
    }
    let curve = |name: String, style, of: &dyn Fn(&Collisions) -> f64| {
        let points = all.iter().map(|(counters, found)| (*counters, of(found)));
        // A logarithmic axis cannot show zero.
        Series::new(name, style, points.filter(|point| point.1 > 0.0).collect())
    };
    let mut series = vec![
        curve(
            "bound 1 - e^-((n-1)/c)".to_owned(),
            SeriesStyle::Line,
            &|found| found.bound,
        ),
        curve(
            "skewed bound, p = 1/1000".to_owned(),
            SeriesStyle::Dashed,
            &|found| found.skewed,
        ),
    ];
    for (at, threshold) in THRESHOLDS.into_iter().enumerate() {
        series.push(curve(
            format!("K = {threshold}"),
            SeriesStyle::Both,
            &move |found| found.found[at],
        ));
    }
    let plot = Plot {
        title: "Figure 6: lines falsely assessed as frequent".to_owned(),
        x: Axis::new("counters, c", AxisScale::Log, 5e4, 1e8),
        y: Axis::new(
            "proportion of all lines processed",
            AxisScale::Log,
            1e-7,
            1.5,
        ),
        series,
        legend: Legend::BottomLeft,
    };
    let compared = compared(&all, above, read.counts.len());
    let about = "Bounds for the distinct lines of this corpus; what is not drawn is zero.";
    Figure::of("figure6", &plot, about, data, compared, palette)
}

/// Compares the paper's claims with the results; `above` is the number of cases over the bound.
fn compared(all: &[(f64, Collisions)], above: usize, lines: usize) -> Vec<Compared> {
    let of = |bits: u32, at: usize| {
        let found = all.iter().find(|(_, found)| found.bits == bits);
        found.map_or(0.0, |(_, found)| found.found[at])
    };
    let last = THRESHOLDS.len() - 1;
    let over = all
        .iter()
        .filter(|(_, found)| found.found[last] > found.skewed)
        .count();
    vec![
        Compared::new(
            "measured below 1 - e^-((n-1)/c)",
            "always",
            match above {
                0 => "always".to_owned(),
                above => format!("not in {above} of {} cases", all.len() * THRESHOLDS.len()),
            },
        ),
        Compared::new(
            "measured below p (n-1)/c with p = 1/1000, for K = 100",
            "compared against some results, not claimed for all",
            match over {
                0 => "always".to_owned(),
                over => format!("above in {over} of {} cases", all.len()),
            },
        ),
        Compared::new(
            "false positives with 2^23 counters, K = 10",
            "about 3.6e-4 from frequent lines, for 3.4 million distinct lines",
            format!(
                "{:.1e} in all, for {} distinct lines",
                of(23, 2),
                thousands(lines as u64)
            ),
        ),
    ]
}
