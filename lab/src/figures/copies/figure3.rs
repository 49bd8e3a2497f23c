//! Figure 3: speed of fingerprinting by length.

use std::hint::black_box;
use std::time::Instant;

use anyhow::Result;

use super::bench::{CopiesBench, lengths, shape};
use super::original_texts::OriginalPiece;
use crate::figures::report::{Compared, Figure, FigureData};
use endpaper_command::plot::axis::{Axis, AxisScale};
use endpaper_command::plot::{Legend, Plot, Series, SeriesStyle};
use endpaper_detect::copies::{FingerprintBits, Fingerprinter};
use endpaper_text::wording::thousands;

/// Bytes of text; enough to distinguish speeds.
const TEXT_BYTES: usize = 24_000_000;

/// Number of rounds; the fastest counts.
const ROUNDS: usize = 3;

pub(super) fn figure_3(bench: &CopiesBench<'_>, originals: &[OriginalPiece<'_>]) -> Result<Figure> {
    let mut texts: Vec<&str> = Vec::new();
    let mut bytes = 0;
    for piece in originals {
        if bytes < TEXT_BYTES {
            texts.push(piece.text);
            bytes += piece.text.len();
        }
    }
    let mut printers: Vec<(FingerprintBits, Fingerprinter, f64)> = FingerprintBits::all()
        .map(|bits| (bits, Fingerprinter::new(shape(bits)), f64::INFINITY))
        .collect();
    // Lengths take turns, so that other load on the machine affects them equally.
    for _ in 0..ROUNDS {
        for (_, printer, best) in &mut printers {
            let start = Instant::now();
            for text in &texts {
                black_box(printer.of(text));
            }
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    let speed = |seconds: f64| bytes as f64 / 1e6 / seconds.max(f64::MIN_POSITIVE);
    let first = printers.first().map_or(1.0, |printer| printer.2);
    let mut data = FigureData::new(["bits", "seconds", "mb_per_second", "relative_to_64"]);
    for (bits, _, seconds) in &printers {
        data.row([
            bits.to_string(),
            seconds.to_string(),
            speed(*seconds).to_string(),
            (first / seconds).to_string(),
        ]);
    }
    let relative = printers
        .iter()
        .map(|(bits, _, seconds)| (f64::from(bits.count()), first / seconds));
    let relative: Vec<(f64, f64)> = relative.collect();
    let highest = relative.iter().map(|point| point.1).fold(1.0, f64::max);
    let words = printers.iter().map(|(bits, ..)| {
        let bits = f64::from(bits.count());
        (bits, 64.0 / bits)
    });
    let plot = Plot {
        title: "Figure 3: speed by length of the fingerprint".to_owned(),
        x: lengths(),
        y: Axis::new(
            "speed relative to 64 bits (1/t)",
            AxisScale::Linear,
            0.0,
            highest * 1.1,
        ),
        series: vec![
            Series::new("measured", SeriesStyle::Both, relative),
            Series::new(
                "if every bit cost the same",
                SeriesStyle::Dashed,
                words.collect(),
            ),
        ],
        legend: Legend::BottomLeft,
    };
    let of = |wanted: u32| {
        let found = printers.iter().find(|printer| printer.0.count() == wanted);
        found.map_or("-".to_owned(), |(_, _, seconds)| {
            format!("{:.2} ({:.0} MB/s)", first / seconds, speed(*seconds))
        })
    };
    let drawn = "drawn, not told: it falls with length";
    let compared = vec![
        Compared::new("64 bits", "1", of(64)),
        Compared::new("128 bits", drawn, of(128)),
        Compared::new("192 bits", drawn, of(192)),
        Compared::new("256 bits", drawn, of(256)),
    ];
    let about = format!(
        "{:.1} MB of {} originals in memory, one core, the best of {ROUNDS} rounds. The n-grams of a text are counted once, and every \
        64 bits of a fingerprint are one more hash of each different one: 96 bits cost what 128 cost. Times depend on the machine.",
        bytes as f64 / 1e6,
        thousands(texts.len() as u64),
    );
    Figure::of("copies3", &plot, about, data, compared, &bench.palette)
}
