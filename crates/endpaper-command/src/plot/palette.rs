//! The colours of figures: those of the light colour-blind-safe theme.

use anyhow::Result;
use plotters::style::RGBColor;

use crate::page::ThemeColours;

/// Roles of the curves; neighbours differ in lightness.
const CURVES: [&str; 8] = [
    "cut", "shade3", "inside", "shade5", "ghost", "warning", "error", "text",
];

/// Roles for three steps of frequency, rare to frequent.
const STEPS: [&str; 3] = ["heat2", "heat3", "heat5"];

/// Colours by use.
#[derive(Clone, Debug)]
pub struct PlotPalette {
    /// The background.
    pub paper: RGBColor,
    /// Text and axes.
    pub ink: RGBColor,
    /// Grid lines.
    pub grid: RGBColor,
    /// Curves, in this order.
    pub curves: Vec<RGBColor>,
    /// Steps of frequency, from rare to frequent.
    pub steps: Vec<RGBColor>,
}

impl PlotPalette {
    /// The colours of the light theme.
    ///
    /// # Errors
    ///
    /// The theme lacks one of the roles; a test checks that it does not.
    pub fn new() -> Result<PlotPalette> {
        PlotPalette::of(&ThemeColours::light()?)
    }

    fn of(colours: &ThemeColours) -> Result<PlotPalette> {
        let all = |roles: &[&str]| roles.iter().map(|role| colours.fg(role)).collect();
        let curves: Result<_> = all(&CURVES);
        Ok(PlotPalette {
            paper: colours.bg("text")?,
            ink: colours.fg("text")?,
            grid: colours.fg("heat0")?,
            curves: curves?,
            steps: all(&STEPS)?,
        })
    }

    /// The colour of a curve by index; colours repeat.
    pub fn curve(&self, number: usize) -> RGBColor {
        self.curves[number % self.curves.len()]
    }

    fn all(self) -> impl Iterator<Item = RGBColor> {
        let first = [self.paper, self.ink, self.grid];
        // Curves come last, so that theirs apply where a step has the same colour.
        first.into_iter().chain(self.steps).chain(self.curves)
    }
}

/// Every colour of a figure with its counterpart on a dark page.
///
/// # Errors
///
/// As for [`PlotPalette::new`].
pub fn dark_counterparts() -> Result<Vec<(RGBColor, RGBColor)>> {
    let dark = PlotPalette::of(&ThemeColours::dark()?)?;
    Ok(PlotPalette::new()?.all().zip(dark.all()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_themes_have_all_colours_and_curves_differ() {
        let palette = PlotPalette::new().unwrap();
        assert_eq!(palette.curve(0), RGBColor(0x00, 0x54, 0x9f));
        assert_eq!(palette.curve(CURVES.len()), palette.curve(0));
        let dark = PlotPalette::of(&ThemeColours::dark().unwrap()).unwrap();
        for palette in [palette, dark] {
            let mut all: Vec<_> = palette.all().map(|c| (c.0, c.1, c.2)).collect();
            let mut curves = all.split_off(3 + STEPS.len());
            curves.push(all[0]);
            curves.sort_unstable();
            curves.dedup();
            assert_eq!(curves.len(), CURVES.len() + 1);
        }
    }
}
