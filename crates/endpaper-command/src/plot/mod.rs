//! Plots of curves and points as SVG.

pub mod axis;
pub mod curves;
pub mod palette;

use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::element::{DashedPathElement, DynElement, IntoDynElement};
use plotters::prelude::*;

use axis::Axis;
use palette::PlotPalette;

/// Width and height of every plot, in pixels.
const SIZE: (u32, u32) = (900, 560);

/// Size of a mark, in pixels.
const MARK: i32 = 4;

/// Usual width of a line, in pixels.
const WIDTH: u32 = 2;

/// The style of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesStyle {
    /// A line.
    Line,
    /// A dashed line.
    Dashed,
    /// Points alone.
    Points,
    /// Points with a line through them.
    Both,
}

/// A curve or a series of measurements.
#[derive(Clone, Debug)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Points in the units of the axes.
    pub points: Vec<(f64, f64)>,
    /// Style of the line and points.
    pub style: SeriesStyle,
    /// Width of its lines, in pixels.
    pub width: u32,
    /// Index of the series whose colour it shares, if any.
    pub same_colour_as: Option<usize>,
}

impl Series {
    /// A series of the usual width with a colour of its own.
    pub fn new(name: impl Into<String>, style: SeriesStyle, points: Vec<(f64, f64)>) -> Series {
        Series {
            name: name.into(),
            points,
            style,
            width: WIDTH,
            same_colour_as: None,
        }
    }
}

/// Position of the legend, which should be free of curves.
#[derive(Clone, Copy, Debug)]
pub enum Legend {
    /// Top left.
    TopLeft,
    /// Top right.
    TopRight,
    /// Bottom left.
    BottomLeft,
}

/// One plot.
#[derive(Clone, Debug)]
pub struct Plot {
    /// Its heading.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series, drawn in this order.
    pub series: Vec<Series>,
    /// Position of the legend.
    pub legend: Legend,
}

impl Plot {
    /// Returns the plot as an SVG document.
    ///
    /// # Errors
    ///
    /// Those of the drawing crate.
    pub fn svg(&self, palette: &PlotPalette) -> Result<String> {
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
            self.draw(&area, palette)
                .map_err(|error| anyhow!("'{}' cannot be drawn: {error}", self.title))?;
        }
        Ok(svg)
    }

    /// Draws the plot with its axes and legend.
    fn draw(
        &self,
        area: &DrawingArea<SVGBackend<'_>, Shift>,
        palette: &PlotPalette,
    ) -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
        area.fill(&palette.paper)?;
        let mut chart = ChartBuilder::on(area)
            .caption(
                &self.title,
                ("sans-serif", 20).into_font().color(&palette.ink),
            )
            .margin(12)
            .margin_right(48)
            .x_label_area_size(52)
            .y_label_area_size(92)
            .build_cartesian_2d(self.x.clone(), self.y.clone())?;
        let words = ("sans-serif", 15).into_font().color(&palette.ink);
        chart
            .configure_mesh()
            .x_desc(&self.x.label)
            .y_desc(&self.y.label)
            .max_light_lines(0)
            .bold_line_style(palette.grid)
            .axis_style(palette.ink)
            .label_style(words.clone())
            .axis_desc_style(("sans-serif", 16).into_font().color(&palette.ink))
            .draw()?;
        for (number, series) in self.series.iter().enumerate() {
            let number = series.same_colour_as.unwrap_or(number);
            let colour = palette.curve(number);
            let stroke = colour.stroke_width(series.width);
            let points = || series.points.iter().copied();
            let marks = || points().map(|at| mark(number, at, colour));
            let drawn = match series.style {
                SeriesStyle::Line => chart.draw_series(LineSeries::new(points(), stroke))?,
                SeriesStyle::Dashed => {
                    chart.draw_series(DashedLineSeries::new(points(), 7, 5, stroke))?
                }
                SeriesStyle::Points => chart.draw_series(marks())?,
                SeriesStyle::Both => {
                    chart.draw_series(LineSeries::new(points(), stroke))?;
                    chart.draw_series(marks())?
                }
            };
            let style = series.style;
            drawn.label(&series.name).legend(move |(x, y)| match style {
                SeriesStyle::Points | SeriesStyle::Both => mark(number, (x + 10, y), colour),
                SeriesStyle::Dashed => {
                    DashedPathElement::new([(x, y), (x + 20, y)], 7, 5, stroke).into_dyn()
                }
                SeriesStyle::Line => PathElement::new([(x, y), (x + 20, y)], stroke).into_dyn(),
            });
        }
        chart
            .configure_series_labels()
            .position(match self.legend {
                Legend::TopLeft => SeriesLabelPosition::UpperLeft,
                Legend::BottomLeft => SeriesLabelPosition::LowerLeft,
                Legend::TopRight => SeriesLabelPosition::UpperRight,
            })
            .margin(10)
            .background_style(palette.paper.mix(0.9))
            .border_style(palette.grid)
            .label_font(words)
            .draw()?;
        area.present()
    }
}

/// The mark of a point. Neighbouring series differ in shape, so that colour is never the only difference.
fn mark<'a, DB: DrawingBackend, C: Clone + 'static>(
    series: usize,
    at: C,
    colour: RGBColor,
) -> DynElement<'a, DB, C> {
    match series % 3 {
        0 => Circle::new(at, MARK, colour.filled()).into_dyn(),
        1 => TriangleMarker::new(at, MARK + 1, colour.filled()).into_dyn(),
        _ => Cross::new(at, MARK, colour.stroke_width(2)).into_dyn(),
    }
}
