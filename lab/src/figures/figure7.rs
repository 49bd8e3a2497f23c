//! Figure 7: efficiency of the Generalized Majority algorithm. Needs no corpus.

use anyhow::Result;
use rayon::prelude::*;

use super::report::{Compared, Figure, FigureData};
use endpaper_command::plot::axis::{Axis, AxisScale};
use endpaper_command::plot::palette::PlotPalette;
use endpaper_command::plot::{Legend, Plot, Series, SeriesStyle};
use lab::experiments::{efficiency, zipfian};

/// Random orders per point.
const ORDERS: u64 = 30;

pub(super) fn figure_7(palette: &PlotPalette) -> Result<Figure> {
    let counters = [10u32, 30, 100];
    let exponents: Vec<f64> = (0..=24).map(|step| f64::from(step) / 4.0).collect();
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
    let mut data = FigureData::new(["x", "c10", "c30", "c100"]);
    for (x, found) in &found {
        data.row([*x].iter().chain(found).map(f64::to_string));
    }
    let curve = |at: usize| {
        let points = found.iter().map(|(x, found)| (*x, found[at])).collect();
        Series::new(
            format!("{} counters", counters[at]),
            SeriesStyle::Both,
            points,
        )
    };
    let plot = Plot {
        title: "Figure 7: efficiency of the Generalized Majority algorithm".to_owned(),
        x: Axis::new(
            "exponent of the Zipf distribution, x",
            AxisScale::Linear,
            0.0,
            6.0,
        ),
        y: Axis::new(
            "largest exact top-k query / counters",
            AxisScale::Linear,
            0.0,
            1.05,
        ),
        series: vec![curve(0), curve(1), curve(2)],
        legend: Legend::TopLeft,
    };
    let compared = compared(&found);
    let about = format!(
        "1,000 items, about 100,000 occurrences; mean of {ORDERS} random orders. Frequencies are rounded, so that the last ranks do not \
        occur where x is large, and a query for more items than occur is exact if it names them all: with fewer items than \
        counters every query is. Short of that the last counters hold items whose frequencies differ by less than what the \
        algorithm takes off every counter. The paper does not say for which x it comes close to 100 %. Of equal counters the \
        wrong one is taken first, so that no query is right by luck (x = 0: nothing is found)."
    );
    Figure::of("figure7", &plot, about, data, compared, palette)
}

fn compared(found: &[(f64, [f64; 3])]) -> Vec<Compared> {
    // The first exponent at which every query is exact, and the best value before.
    let whole = |at: usize| found.iter().position(|found| found.1[at] >= 0.995);
    let best = |at: usize| {
        let before = found.iter().take(whole(at).unwrap_or(found.len()));
        before.map(|found| found.1[at]).fold(0.0, f64::max) * 100.0
    };
    let from = |at: usize| match whole(at) {
        Some(place) => format!("100 % from x = {} on", found[place].0),
        None => "never 100 %".to_owned(),
    };
    let middle = &found[found.len() / 4];
    let percent = |at: usize| format!("{:.0} %", middle.1[at] * 100.0);
    vec![
        Compared::new(
            "efficiency for highly skewed distributions, 30 counters",
            "can be very close to 100 %",
            format!(
                "{}; at most {:.0} % while more items occur than there are counters",
                from(1),
                best(1)
            ),
        ),
        Compared::new(
            "number of counters",
            "the efficiency is not sensitive to it",
            format!(
                "for x = {}: {} with 10, {} with 30, {} with 100; {} with 10, {} with 100",
                middle.0,
                percent(0),
                percent(1),
                percent(2),
                from(0),
                from(2)
            ),
        ),
    ]
}
