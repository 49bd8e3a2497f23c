//! The figures over the counted lines of a corpus: 2, 4, 5, 6 and 9.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Instant;

use anyhow::Result;
use plotters::prelude::*;

use super::axis::{Axis, Scale};
use super::corpus::Read;
use super::palette::Palette;
use super::plot::{Legend, Plot, Series, Style};
use super::report::{Compared, Data, Figure};
use crate::evaluate::figures::{Random, THRESHOLDS, collisions, count};
use crate::frequency::{Keyed, Structure};
use crate::line::Key;
use crate::scan::Window;
use crate::words::thousands;

/// Books across Figure 2.
const BOOKS: usize = 100;

/// Lines down Figure 2.
const LINES: usize = 300;

/// Steps of shading in Figure 2: lines this frequent, the paper's among them.
const STEPS: [u64; 3] = [11, 100, 1000];

/// The most frequent lines of the corpus that Figure 4 lists.
const TOP: usize = 20;

/// The lines of the paper's Figure 4, with how often it found them.
const FIGURE_4: [(u64, &str); 10] = [
    (
        68,
        "***The Project Gutenberg's Etext of Shakespeare's First Folio***",
    ),
    (
        1034,
        "***These EBooks Were Prepared By Thousands of Volunteers***",
    ),
    (
        1415,
        "***These Etexts Are Prepared By Thousands of Volunteers!***",
    ),
    (
        126,
        "***These Etexts Were Prepared By Thousands of Volunteers!***",
    ),
    (
        5058,
        "***These eBooks Were Prepared By Thousands of Volunteers!***",
    ),
    (
        20,
        "***This file should be named 1rbnh10.txt or 1rbnh10.zip***",
    ),
    (
        128,
        "(2) Pay a royalty to the Foundation of 20% of the gross",
    ),
    (54, "(2) Pay a royalty to the Project of 20% of the net"),
    (
        53,
        "[3] Pay a trademark license fee of 20% (twenty percent) of the",
    ),
    (
        8061,
        "[3] Pay a trademark license fee to the Foundation of 20% of the",
    ),
];

/// All of them.
pub(super) fn figures(read: &Read, palette: &Palette) -> Result<Vec<Figure>> {
    Ok(vec![
        figure_2(read, palette)?,
        figure_4(read),
        figure_5(read, palette)?,
        figure_6(read, palette)?,
        figure_9(read, palette)?,
    ])
}

/// Figure 2: frequent lines in the heads of books drawn at random.
fn figure_2(read: &Read, palette: &Palette) -> Result<Figure> {
    let mut books: Vec<usize> = (0..read.books.len()).collect();
    Random::new(2).shuffle(&mut books);
    books.truncate(BOOKS);
    let mut data = Data::new(["book", "line", "frequency"]);
    let mut cells = Vec::new();
    for (across, &book) in books.iter().enumerate() {
        let book = &read.books[book];
        let head = book.keys().iter().zip(book.windows());
        let head = head.filter(|(_, window)| **window != Window::Tail);
        for (line, (&key, _)) in head.take(LINES).enumerate() {
            let frequency = read.counts.frequency(key);
            if let Some(step) = STEPS.iter().rposition(|&step| frequency >= step) {
                cells.push((across, line, step));
                let row = [across + 1, line + 1].map(|number| number.to_string());
                data.row(row.into_iter().chain([frequency.to_string()]));
            }
        }
    }
    let title = "Figure 2: frequent lines in the first 300 lines of 100 books".to_owned();
    let svg = raster(&title, &cells, palette)
        .map_err(|error| anyhow::anyhow!("'{title}' cannot be drawn: {error}"))?;
    let frequent = cells.iter().filter(|cell| cell.2 > 0).count();
    let across = books.len();
    Ok(Figure {
        name: "figure2".to_owned(),
        title,
        about: format!(
            "{across} books drawn at random. Counted lines only (30 characters or more, with a letter). Shades: more than 10, 100 or more (the paper's), 1,000 or more occurrences."
        ),
        svg: Some(svg),
        data,
        compared: vec![Compared::new(
            "lines of frequency 100 or more",
            "long preambles in older books, short ones in recent books",
            format!(
                "{:.0} of the first 300 lines of a book, in the mean",
                frequent as f64 / across as f64
            ),
        )],
    })
}

fn raster(
    title: &str,
    cells: &[(usize, usize, usize)],
    palette: &Palette,
) -> Result<String, DrawingAreaErrorKind<std::io::Error>> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (900, 700)).into_drawing_area();
        area.fill(&palette.paper)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(title, ("sans-serif", 18).into_font().color(&palette.ink))
            .margin(12)
            .margin_right(24)
            .x_label_area_size(48)
            .y_label_area_size(64)
            .build_cartesian_2d(
                Axis::new("", Scale::Linear, 0.0, BOOKS as f64),
                Axis::new("", Scale::Linear, LINES as f64, 0.0).downwards(),
            )?;
        chart
            .configure_mesh()
            .disable_mesh()
            .x_desc("book")
            .y_desc("counted line of the book")
            .axis_style(palette.ink)
            .label_style(("sans-serif", 13).into_font().color(&palette.ink))
            .draw()?;
        // One rectangle for each run of equal cells down a book.
        let runs = cells.chunk_by(|a, b| a.0 == b.0 && a.1 + 1 == b.1 && a.2 == b.2);
        chart.draw_series(runs.map(|run| {
            let (across, first, step) = run[0];
            let corners = [
                (across as f64, first as f64),
                (across as f64 + 0.85, (first + run.len()) as f64),
            ];
            Rectangle::new(corners, palette.steps[step].filled())
        }))?;
        area.present()?;
    }
    Ok(svg)
}

/// Figure 4: the paper's lines, and the most frequent ones here.
fn figure_4(read: &Read) -> Figure {
    let mut data = Data::new(["from", "paper", "here", "line"]);
    let mut found = 0;
    for (paper, line) in FIGURE_4 {
        let here = read.counts.frequency(Key::of(line));
        found += usize::from(here > 0);
        data.row([
            "paper".to_owned(),
            paper.to_string(),
            here.to_string(),
            line.to_owned(),
        ]);
    }
    let mut top: Vec<(Key, u64)> = read.counts.iter().collect();
    top.sort_unstable_by_key(|&(key, count)| (Reverse(count), key.0));
    top.truncate(TOP);
    let mut texts: HashMap<Key, &str> = HashMap::new();
    for &book in &read.with_texts {
        for (key, text) in read.books[book].texts() {
            if top.iter().any(|line| line.0 == key) {
                texts.insert(key, text);
            }
        }
    }
    for (key, count) in &top {
        let text = texts.get(key).copied().unwrap_or_default();
        data.row([
            "corpus".to_owned(),
            String::new(),
            count.to_string(),
            text.to_owned(),
        ]);
    }
    Figure {
        name: "figure4".to_owned(),
        title: "Figure 4: some frequent lines".to_owned(),
        about: format!(
            "The paper's lines with their counts there and here, then the {TOP} most frequent lines here."
        ),
        svg: None,
        data,
        compared: vec![Compared::new(
            "the ten lines of the paper",
            "20 to 8,061 occurrences each",
            format!("{found} of them occur"),
        )],
    }
}

/// Figure 5: how many lines occur how often, and how many more often than K.
fn figure_5(read: &Read, palette: &Palette) -> Result<Figure> {
    let mut by_frequency: Vec<(u64, u64)> = Vec::new();
    let mut frequencies: Vec<u64> = read.counts.iter().map(|(_, count)| count).collect();
    frequencies.sort_unstable();
    for equal in frequencies.chunk_by(|a, b| a == b) {
        by_frequency.push((equal[0], equal.len() as u64));
    }
    let distinct = frequencies.len() as u64;
    let mut data = Data::new(["times", "lines", "lines_occurring_more_often", "share"]);
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
        x: Axis::new("times", Scale::Log, 0.9, largest * 1.2),
        y: Axis::new(
            "distinct lines",
            Scale::Log,
            0.8,
            distinct.max(2) as f64 * 1.5,
        ),
        series: vec![
            Series::new("exactly so often (a)", Style::Points, points),
            Series::new("more often (b)", Style::Line, above),
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

/// Figure 6: lines falsely assessed as frequent by hashing to c counters.
fn figure_6(read: &Read, palette: &Palette) -> Result<Figure> {
    let mut columns = vec![
        "counters".to_owned(),
        "bound".to_owned(),
        "skewed_bound".to_owned(),
    ];
    columns.extend(THRESHOLDS.map(|threshold| format!("K{threshold}")));
    let mut data = Data::new(columns);
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
    let curve = |name: String, style, of: &dyn Fn(&crate::evaluate::figures::Collisions) -> f64| {
        let points = all.iter().map(|(counters, found)| (*counters, of(found)));
        // None at all is below every logarithm.
        Series::new(name, style, points.filter(|point| point.1 > 0.0).collect())
    };
    let mut series = vec![
        curve("bound 1 - e^-((n-1)/c)".to_owned(), Style::Line, &|found| {
            found.bound
        }),
        curve(
            "skewed bound, p = 1/1000".to_owned(),
            Style::Dashed,
            &|found| found.skewed,
        ),
    ];
    for (at, threshold) in THRESHOLDS.into_iter().enumerate() {
        series.push(curve(
            format!("K = {threshold}"),
            Style::Both,
            &move |found| found.found[at],
        ));
    }
    let plot = Plot {
        title: "Figure 6: lines falsely assessed as frequent".to_owned(),
        x: Axis::new("counters, c", Scale::Log, 5e4, 1e8),
        y: Axis::new("proportion of all lines processed", Scale::Log, 1e-7, 1.5),
        series,
        legend: Legend::BottomLeft,
    };
    let of = |bits: u32, at: usize| {
        let found = all.iter().find(|(_, found)| found.bits == bits);
        found.map_or(0.0, |(_, found)| found.found[at])
    };
    let last = THRESHOLDS.len() - 1;
    let over = all
        .iter()
        .filter(|(_, found)| found.found[last] > found.skewed)
        .count();
    let compared = vec![
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
                thousands(read.counts.len() as u64)
            ),
        ),
    ];
    let about = "Bounds for the distinct lines of this corpus; what is not drawn is zero.";
    Figure::of("figure6", &plot, about, data, compared, palette)
}

/// Figure 9: time to build the structures against the number of counters.
fn figure_9(read: &Read, palette: &Palette) -> Result<Figure> {
    let books: Vec<&Keyed> = read
        .with_texts
        .iter()
        .map(|&book| &read.books[book])
        .collect();
    let lines: usize = books.iter().map(|book| book.keys().len()).sum();
    let level = ["exact", "crc64", "hashed:bits=23"];
    let mut data = Data::new(["structure", "counters", "seconds", "ns_per_line"]);
    let mut time = |structure: &str, counters: Option<u64>| -> Result<f64> {
        let parsed: Structure = structure.parse()?;
        // The shorter of two: the first may still warm up memory.
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
        // Half steps of powers of ten: 1,000, 3,162, 10,000 and so on.
        let counters = 10f64.powf(f64::from(power) / 2.0).round() as u64;
        let ns = time(&format!("hot-items:counters={counters}"), Some(counters))?;
        hot.push((counters as f64, ns));
    }
    let mut series = vec![Series::new("GM (hot items)", Style::Both, hot.clone())];
    let mut level_times = Vec::new();
    for name in level {
        let ns = time(name, None)?;
        level_times.push(format!("{name} {ns:.0}"));
        series.push(Series::new(name, Style::Line, vec![(1e3, ns), (1e7, ns)]));
    }
    let ys = series
        .iter()
        .flat_map(|series| &series.points)
        .map(|point| point.1);
    let highest = ys.fold(1.0, f64::max);
    let plot = Plot {
        title: "Figure 9: time to build the structures".to_owned(),
        x: Axis::new("counters, c", Scale::Log, 9e2, 1.1e7),
        y: Axis::new("nanoseconds a line", Scale::Linear, 0.0, highest * 1.4),
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
