//! The heat map of one end: an image of the shades, with cuts and tooltips on top.

use std::fmt::Write as _;

use anyhow::Result;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use plotters::style::RGBColor;

use super::super::page_data::NAME;
use super::column::{LINES, LabelledColumn};
use super::raster::CellRaster;
use endpaper_command::page::{ThemeColours, anchor, clipped, escaped};
use endpaper_detect::End;
use endpaper_text::wording::{plural, thousands};

/// Width of a heat map with few books, in pixels.
const WIDTH: usize = 1_000;

/// Height of a row, in pixels.
const LINE: usize = 2;

/// Margins in pixels: left, top, right, bottom.
const MARGINS: [usize; 4] = [48, 12, 12, 30];

/// Theme roles of the shades, from rare to frequent.
const SHADES: [&str; 6] = ["heat0", "heat1", "heat2", "heat3", "heat4", "heat5"];

/// Half the width of the mark of a detected cut, in pixels: with few marks, and with enough to overlap otherwise.
const MARKS: [f64; 2] = [4.0, 2.0];

/// The heading of the heat map of an end.
pub(super) fn title(end: End) -> &'static str {
    match end {
        End::Start => "Heads of the labelled books by frequency of their lines",
        End::End => "Tails of the labelled books by frequency of their lines",
    }
}

/// Returns the heat map of one end as SVG.
pub(super) fn picture(columns: &[LabelledColumn<'_>], end: End) -> Result<String> {
    let [left, above, right, below] = MARGINS;
    let column = (WIDTH / columns.len().max(1)).max(1);
    let (inner, height) = (column * columns.len(), LINES * LINE);
    let (width, total) = (left + inner + right, above + height + below);
    let id = match end {
        End::Start => "heat-start",
        End::End => "heat-end",
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"heat\" width=\"{width}\" height=\"{total}\" viewBox=\"0 0 {width} {total}\" role=\"img\" aria-labelledby=\"{id} {id}-about\">\
        <title id=\"{id}\">{}</title><desc id=\"{id}-about\">{}</desc>\n",
        escaped(title(end)),
        escaped(&about(columns)),
    );
    let raster = raster(columns, end);
    for (class, colours) in [
        ("by-day", ThemeColours::light()?),
        ("by-night", ThemeColours::dark()?),
    ] {
        let _ = writeln!(
            out,
            "<image class=\"{class}\" x=\"{left}\" y=\"{above}\" width=\"{inner}\" height=\"{height}\" preserveAspectRatio=\"none\" href=\"{}\"/>",
            data(&raster, &colours)?
        );
    }
    // Coordinates in pixels.
    let y = |outside: usize| match end {
        End::Start => above + outside * LINE,
        End::End => above + height - outside * LINE,
    };
    put_axes(&mut out, columns.len(), (left, inner), (above, height), y);
    let path = staircase(columns, left, column, y);
    let _ = writeln!(
        out,
        "<path class=\"halo\" d=\"{path}\"/><path class=\"label-cut\" d=\"{path}\"/>"
    );
    put_names(&mut out, columns, (left, column), (above, height));
    put_marks(&mut out, columns, (left, column), y);
    out.push_str("</svg>");
    Ok(out)
}

/// Writes the frame, with line numbers beside it and the number of books below.
fn put_axes(
    out: &mut String,
    books: usize,
    (left, inner): (usize, usize),
    (above, height): (usize, usize),
    y: impl Fn(usize) -> usize,
) {
    for tick in (0..=LINES).step_by(50) {
        let (x, y) = (left - 6, y(tick));
        let _ = write!(
            out,
            "<path class=\"axis\" d=\"M{x} {y}h6\"/><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{tick}</text>",
            x - 3,
            y + 4
        );
    }
    let _ = writeln!(
        out,
        "<rect class=\"axis\" x=\"{left}\" y=\"{above}\" width=\"{inner}\" height=\"{height}\"/>\
        <text x=\"{left}\" y=\"{}\">{} labelled {}; down: counted lines</text>",
        above + height + 21,
        thousands(books as u64),
        plural(books, "book"),
    );
}

/// A description for screen readers.
fn about(columns: &[LabelledColumn<'_>]) -> String {
    let outside: Vec<usize> = columns.iter().map(|column| column.label).collect();
    let middle = outside.get(outside.len() / 2).copied().unwrap_or(0);
    let count = |lost: bool| {
        let wrong = columns.iter().filter_map(|column| column.wrong.as_ref());
        wrong.filter(|wrong| wrong.lost == lost).count()
    };
    format!(
        "{} books. Counted lines outside the labelled cut: from {} to {}, the middle book {middle}. Detected cuts that lose text: {}; that leave boilerplate: {}.",
        columns.len(),
        outside.first().copied().unwrap_or(0),
        outside.last().copied().unwrap_or(0),
        count(true),
        count(false),
    )
}

/// The shades of the columns as an image.
fn raster(columns: &[LabelledColumn<'_>], end: End) -> CellRaster {
    let mut raster = CellRaster::new(columns.len(), LINES);
    for (across, column) in columns.iter().enumerate() {
        for (line, &shade) in column.shades.iter().take(LINES).enumerate() {
            let down = match end {
                End::Start => line,
                End::End => LINES - 1 - line,
            };
            raster.paint(across, down, shade + 1);
        }
    }
    raster
}

/// The image as a data URL.
fn data(raster: &CellRaster, colours: &ThemeColours) -> Result<String> {
    let shades: Result<Vec<RGBColor>> = SHADES.iter().map(|role| colours.fg(role)).collect();
    let png = raster.png(&shades?)?;
    Ok(format!("data:image/png;base64,{}", STANDARD.encode(png)))
}

/// A step line along the labelled cuts, level across neighbours with the same cut.
fn staircase(
    columns: &[LabelledColumn<'_>],
    left: usize,
    width: usize,
    y: impl Fn(usize) -> usize,
) -> String {
    let mut path = String::new();
    let mut across = left;
    for same in columns.chunk_by(|a, b| a.label == b.label) {
        let y = y(same[0].label);
        let _ = match path.is_empty() {
            true => write!(path, "M{across} {y}"),
            false => write!(path, "V{y}"),
        };
        across += same.len() * width;
        let _ = write!(path, "H{across}");
    }
    path
}

/// Writes the name of each book as a tooltip.
fn put_names(
    out: &mut String,
    columns: &[LabelledColumn<'_>],
    (left, width): (usize, usize),
    (above, height): (usize, usize),
) {
    out.push_str("<g class=\"names\">");
    for (at, column) in columns.iter().enumerate() {
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{above}\" width=\"{width}\" height=\"{height}\"><title>{}, {}</title></rect>",
            left + at * width,
            clipped(column.name, NAME),
            escaped(&column.words),
        );
    }
    out.push_str("</g>\n");
}

/// Writes the wrong detected cuts: a line from the labelled cut to a mark that links to the book. A full square loses text, a hollow
/// diamond leaves boilerplate.
fn put_marks(
    out: &mut String,
    columns: &[LabelledColumn<'_>],
    (left, width): (usize, usize),
    y: impl Fn(usize) -> usize,
) {
    let wrong = columns.iter().filter(|column| column.wrong.is_some());
    let room = (columns.len() * width) as f64;
    let mark = match wrong.count() as f64 * 2.0 * MARKS[0] > room {
        false => MARKS[0],
        true => MARKS[1],
    };
    for (at, column) in columns.iter().enumerate() {
        let Some(wrong) = &column.wrong else {
            continue;
        };
        let x = left as f64 + (at as f64 + 0.5) * width as f64;
        let (from, to) = (y(column.label), y(wrong.outside));
        let class = if wrong.lost { "lost" } else { "left" };
        let shape = match wrong.lost {
            true => format!("M{x} {to}m-{mark} -{mark}h{0}v{0}h-{0}z", 2.0 * mark),
            false => format!("M{x} {to}m-{mark} 0l{mark} -{mark} {mark} {mark} -{mark} {mark}z"),
        };
        let drawn = format!(
            "<path class=\"mark {class}\" d=\"M{x} {from}V{to}{shape}\"/><title>{}, {}</title>",
            clipped(column.name, NAME),
            escaped(&column.words),
        );
        let _ = match wrong.linked {
            true => {
                let place = anchor("book", column.name);
                writeln!(out, "<a href=\"#{place}\" tabindex=\"-1\">{drawn}</a>")
            }
            false => writeln!(out, "<g>{drawn}</g>"),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::super::column::WrongCut;
    use super::*;

    fn column<'a>(name: &'a str, label: usize, wrong: Option<(usize, bool)>) -> LabelledColumn<'a> {
        LabelledColumn {
            name,
            shades: &[5, 5, 0],
            label,
            wrong: wrong.map(|(outside, lost)| WrongCut {
                outside,
                lost,
                linked: !lost,
            }),
            words: "labelled".to_owned(),
        }
    }

    #[test]
    fn equal_cuts_are_one_step_of_the_line() {
        let columns = [2, 2, 2, 7, 9, 9].map(|label| column("", label, None));
        let path = staircase(&columns, 10, 3, |outside| outside * 2);
        assert_eq!(path, "M10 4H19V14H22V18H28");
        assert_eq!(staircase(&[], 10, 3, |outside| outside), "");
    }

    #[test]
    fn books_are_named_and_wrong_cuts_link_to_them() {
        let columns = [
            column("a&b", 2, None),
            column("<c>", 2, Some((5, true))),
            column("d", 9, Some((0, false))),
        ];
        let svg = picture(&columns, End::Start).unwrap();
        for part in [
            "<title>a&amp;b, labelled</title>",
            "class=\"mark lost\"",
            "class=\"mark left\"",
            "href=\"#book-d\"",
            "the middle book 2. Detected cuts that lose text: 1; that leave boilerplate: 1.",
        ] {
            assert!(svg.contains(part), "{part}\n{svg}");
        }
        // A book that the page does not show has no link.
        assert!(!svg.contains("<c>") && svg.matches("<a href").count() == 1);
        // Two images of the same cells, for light and dark pages.
        assert_eq!(svg.matches("data:image/png;base64,iVBOR").count(), 2);
    }

    #[test]
    fn the_last_line_of_a_tail_is_at_the_bottom() {
        let columns = [column("", 0, None)];
        let mut expected = CellRaster::new(1, LINES);
        for (down, cell) in [(LINES - 1, 6), (LINES - 2, 6), (LINES - 3, 1)] {
            expected.paint(0, down, cell);
        }
        assert_eq!(raster(&columns, End::End), expected);
    }
}
