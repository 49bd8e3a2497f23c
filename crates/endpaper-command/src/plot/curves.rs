//! Curves of sorted signed errors: how far off the cuts of a corpus are (Kaser & Lemire, Figures 8 and 10).

use anyhow::Result;

use super::axis::{Axis, AxisScale};
use super::palette::PlotPalette;
use super::{Legend, Plot, Series, SeriesStyle};
use endpaper_text::sanitise::sanitise;
use endpaper_text::wording::{plural, thousands};

/// The errors of one system at one end of the books of a corpus.
#[derive(Clone, Debug)]
pub struct ErrorCurve {
    /// Name of the system.
    pub name: String,
    /// One error per book, in any order and unit: below zero text of the book is removed, above zero boilerplate is left.
    pub errors: Vec<i64>,
}

/// Returns one plot of such curves as a self-contained SVG document. Each curve is sorted separately and drawn over the percentage
/// of its books, so that curves of different numbers of books can be compared; the legend then has the numbers. Where curves
/// coincide, the earlier one remains visible at both sides of the later one.
///
/// # Errors
///
/// Those of the drawing crate.
pub fn error_curves(title: &str, unit: &str, curves: &[ErrorCurve]) -> Result<String> {
    plot(title, unit, curves).svg(&PlotPalette::new()?)
}

/// The plot of the curves: errors rise to the right, `unit` is written at the axis.
fn plot(title: &str, unit: &str, curves: &[ErrorCurve]) -> Plot {
    let all = || curves.iter().flat_map(|curve| &curve.errors).copied();
    let (lowest, highest) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
    let below = limit(lowest.min(0), 10.0);
    // Errors rise to the right: the legend is in the upper left and needs space there.
    let above = limit(highest.max(0), below.sqrt());
    let numbers: Vec<usize> = curves.iter().map(|curve| curve.errors.len()).collect();
    let differ = numbers.iter().any(|number| *number != numbers[0]);
    let series = curves.iter().enumerate().map(|(at, curve)| {
        let books = curve.errors.len();
        // The name may be that of a file.
        let name = sanitise(&curve.name);
        let name = match differ {
            true => {
                let number = thousands(books as u64);
                format!("{name} ({number} {})", plural(books, "book"))
            }
            false => name.into_owned(),
        };
        Series {
            width: (3 * (curves.len() - at) as u32).div_ceil(2),
            ..Series::new(name, SeriesStyle::Line, steps(&curve.errors))
        }
    });
    Plot {
        title: title.to_owned(),
        x: Axis::new(
            "books, sorted by error, in %",
            AxisScale::Linear,
            0.0,
            100.0,
        ),
        y: Axis::new(unit, AxisScale::SignedLog, -below, above),
        series: series.collect(),
        legend: Legend::TopLeft,
    }
}

/// The smallest power of ten that is at least `error`, `least` and 10.
fn limit(error: i64, least: f64) -> f64 {
    let size = (error.unsigned_abs() as f64).max(least).max(10.0);
    10f64.powf((size.log10() - 1e-9).ceil())
}

/// The corners of a step curve: each book takes an equal part of the width.
fn steps(errors: &[i64]) -> Vec<(f64, f64)> {
    let mut sorted = errors.to_vec();
    sorted.sort_unstable();
    let (mut points, mut before) = (Vec::new(), 0);
    for equal in sorted.chunk_by(|a, b| a == b) {
        let after = before + equal.len();
        for books in [before, after] {
            points.push((books as f64 * 100.0 / errors.len() as f64, equal[0] as f64));
        }
        before = after;
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(name: &str, errors: &[i64]) -> ErrorCurve {
        ErrorCurve {
            name: name.to_owned(),
            errors: errors.to_vec(),
        }
    }

    #[test]
    fn errors_are_sorted_into_a_staircase() {
        let expected = [(0.0, -3.0), (25.0, -3.0), (25.0, 0.0), (75.0, 0.0)];
        let points = steps(&[0, 7, -3, 0]);
        assert_eq!(points[..4], expected);
        assert_eq!(points[4..], [(75.0, 7.0), (100.0, 7.0)]);
        assert_eq!(steps(&[]), []);
    }

    #[test]
    fn the_axis_holds_all_errors_and_leaves_room_for_names() {
        let table: [(&[i64], (f64, f64)); 5] = [
            (&[], (-10.0, 10.0)),
            (&[0, 3], (-10.0, 10.0)),
            (&[-1000, 11], (-1000.0, 100.0)),
            (&[-5000, 0], (-10_000.0, 100.0)),
            (&[i64::MIN, i64::MAX], (-1e19, 1e19)),
        ];
        for (errors, expected) in table {
            let plot = plot("", "", &[curve("a", errors)]);
            let found = (plot.y.from, plot.y.to);
            assert!((found.0 / expected.0 - 1.0).abs() < 1e-6, "{found:?}");
            assert!((found.1 / expected.1 - 1.0).abs() < 1e-6, "{found:?}");
        }
    }

    #[test]
    fn curves_over_different_books_say_over_how_many() {
        let names = |plot: Plot| -> Vec<String> {
            let series = plot.series.into_iter();
            series.map(|series| series.name).collect()
        };
        let same = plot("", "", &[curve("a", &[1, 2]), curve("b", &[3, 0])]);
        assert_eq!(names(same), ["a", "b"]);
        let differ = plot("", "", &[curve("a", &[1, 2]), curve("b", &[3])]);
        assert_eq!(names(differ), ["a (2 books)", "b (1 book)"]);
        let svg = error_curves("Errors <here>", "lines", &[curve("a<b>\u{1b}", &[])]).unwrap();
        assert!(svg.contains("Errors &lt;here&gt;") && svg.contains("a&lt;b&gt;"));
        assert!(!svg.contains('\u{1b}'));
    }
}
