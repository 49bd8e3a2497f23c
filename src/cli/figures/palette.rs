//! The colours of figures: those of the light colour-blind-safe theme.

use std::collections::HashMap;

use anyhow::{Context, Result};
use plotters::style::RGBColor;
use serde::Deserialize;

/// Where the colours come from; a role that the first does not name is that of the second, which it inherits from.
const THEMES: [&str; 2] = [
    include_str!("../../../themes/colour-blind-light.yaml"),
    include_str!("../../../themes/light.yaml"),
];

/// Roles for curves, of different lightness side by side.
const CURVES: [&str; 8] = [
    "cut", "shade3", "inside", "shade5", "ghost", "warning", "error", "text",
];

/// Roles for three steps of frequency, rare to frequent.
const STEPS: [&str; 3] = ["heat2", "heat3", "heat5"];

/// Colours by what they are for.
#[derive(Clone, Debug)]
pub(super) struct Palette {
    /// Behind everything.
    pub paper: RGBColor,
    /// Words and axes.
    pub ink: RGBColor,
    /// Lines of the grid.
    pub grid: RGBColor,
    /// Curves, in this order.
    pub curves: Vec<RGBColor>,
    /// Steps of frequency, rare to frequent.
    pub steps: Vec<RGBColor>,
}

#[derive(Deserialize)]
struct Theme {
    roles: HashMap<String, Role>,
}

#[derive(Deserialize)]
struct Role {
    fg: Option<String>,
    bg: Option<String>,
}

impl Palette {
    /// The colours of the theme.
    ///
    /// # Errors
    ///
    /// A theme without one of the roles; a test sees that there is none.
    pub fn new() -> Result<Palette> {
        let themes = THEMES.map(serde_yaml::from_str::<Theme>);
        let [first, second] = themes;
        let themes = [first?, second?];
        let role = |name: &str| themes.iter().find_map(|theme| theme.roles.get(name));
        let fg = |name: &str| {
            let colour = role(name).and_then(|role| role.fg.as_deref());
            colour
                .and_then(rgb)
                .with_context(|| format!("the theme has no colour '{name}'"))
        };
        let paper = role("text").and_then(|role| role.bg.as_deref());
        Ok(Palette {
            paper: paper.and_then(rgb).context("the theme has no background")?,
            ink: fg("text")?,
            grid: fg("heat0")?,
            curves: CURVES.iter().map(|name| fg(name)).collect::<Result<_>>()?,
            steps: STEPS.iter().map(|name| fg(name)).collect::<Result<_>>()?,
        })
    }

    /// The colour of a curve, by its number.
    pub fn curve(&self, number: usize) -> RGBColor {
        self.curves[number % self.curves.len()]
    }
}

/// `#rrggbb`.
fn rgb(text: &str) -> Option<RGBColor> {
    let number = u32::from_str_radix(text.strip_prefix('#')?, 16).ok()?;
    let [_, red, green, blue] = number.to_be_bytes();
    (text.len() == 7).then_some(RGBColor(red, green, blue))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_theme_has_all_colours_and_they_differ() {
        let palette = Palette::new().unwrap();
        let mut all: Vec<_> = palette
            .curves
            .iter()
            .map(|colour| (colour.0, colour.1, colour.2))
            .collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), CURVES.len());
        assert_eq!(palette.curve(0), RGBColor(0x00, 0x54, 0x9f));
        assert_eq!(palette.curve(CURVES.len()), palette.curve(0));
    }
}
