//! Figure 2: positions of frequent lines in the heads of books.

use anyhow::Result;
use plotters::prelude::*;

use super::corpus::FigureCorpus;
use super::report::{Compared, Figure, FigureData};
use endpaper_command::plot::axis::{Axis, AxisScale};
use endpaper_command::plot::palette::PlotPalette;
use endpaper_text::scan::Window;
use lab::experiments::SampleRandom;

const BOOKS: usize = 100;

const LINES: usize = 300;

/// Shading: minimum frequencies, the paper's among them, and their names.
const STEPS: [(u64, &str); 3] = [
    (11, "more than 10 times in the corpus"),
    (100, "100 or more (the paper's)"),
    (1000, "1,000 or more"),
];

const SIZE: (u32, u32) = (900, 700);

pub(super) fn figure_2(read: &FigureCorpus, palette: &PlotPalette) -> Result<Figure> {
    let mut books: Vec<usize> = (0..read.books.len()).collect();
    SampleRandom::new(2).shuffle(&mut books);
    books.truncate(BOOKS);
    let mut data = FigureData::new(["book", "line", "frequency"]);
    let mut cells = Vec::new();
    for (across, &book) in books.iter().enumerate() {
        let book = &read.books[book];
        let head = book.keys().iter().zip(book.windows());
        let head = head.filter(|(_, window)| **window != Window::Tail);
        for (line, (&key, _)) in head.take(LINES).enumerate() {
            let frequency = read.counts.frequency(key);
            if let Some(step) = STEPS.iter().rposition(|step| frequency >= step.0) {
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
            "{across} books drawn at random. Counted lines only (30 characters or more, with a letter); the paper draws those that occur 100 times or more."
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
    palette: &PlotPalette,
) -> Result<String, DrawingAreaErrorKind<std::io::Error>> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&palette.paper)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(title, ("sans-serif", 20).into_font().color(&palette.ink))
            .margin(12)
            .margin_right(24)
            .margin_bottom(44)
            .x_label_area_size(48)
            .y_label_area_size(64)
            .build_cartesian_2d(
                Axis::new("", AxisScale::Linear, 0.0, BOOKS as f64),
                Axis::new("", AxisScale::Linear, LINES as f64, 0.0).downwards(),
            )?;
        chart
            .configure_mesh()
            .disable_mesh()
            .x_desc("book")
            .y_desc("counted line of the book")
            .axis_style(palette.ink)
            .label_style(("sans-serif", 15).into_font().color(&palette.ink))
            .axis_desc_style(("sans-serif", 16).into_font().color(&palette.ink))
            .draw()?;
        // One rectangle per run of equal cells of a book.
        let runs = cells.chunk_by(|a, b| a.0 == b.0 && a.1 + 1 == b.1 && a.2 == b.2);
        chart.draw_series(runs.map(|run| {
            let (across, first, step) = run[0];
            let corners = [
                (across as f64, first as f64),
                (across as f64 + 0.85, (first + run.len()) as f64),
            ];
            Rectangle::new(corners, palette.steps[step].filled())
        }))?;
        let words = ("sans-serif", 15).into_font().color(&palette.ink);
        let top = SIZE.1 as i32 - 32;
        for ((at, (_, name)), colour) in (0..).zip(STEPS).zip(&palette.steps) {
            let left = 80 + at * 270;
            let corners = [(left, top), (left + 16, top + 16)];
            area.draw(&Rectangle::new(corners, colour.filled()))?;
            area.draw(&Text::new(name, (left + 24, top + 1), words.clone()))?;
        }
        area.present()?;
    }
    Ok(svg)
}
