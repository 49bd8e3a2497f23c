//! The colour depth of a terminal, and the conversion of styles to it.

use ratatui::style::{Color, Modifier, Style};
use std::str::FromStr;

use super::parse::{RoleStyle, ThemeColour};

/// Colour depths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColourDepth {
    /// No colours, only modifiers.
    Mono,
    /// Sixteen named colours.
    Sixteen,
    /// The palette of 256 colours.
    Table,
    /// True colour.
    True,
}

impl FromStr for ColourDepth {
    type Err = String;

    fn from_str(word: &str) -> Result<ColourDepth, String> {
        match word {
            "mono" => Ok(ColourDepth::Mono),
            "16" => Ok(ColourDepth::Sixteen),
            "256" => Ok(ColourDepth::Table),
            "true" => Ok(ColourDepth::True),
            _ => Err(format!(
                "'{word}' is not a number of colours; one of mono, 16, 256, true"
            )),
        }
    }
}

impl ColourDepth {
    /// Detects the depth of a terminal: an explicit setting, else `NO_COLOR`, `TERM=dumb`, `COLORTERM`, `TERM`, else sixteen. (tmux
    /// and ssh drop `COLORTERM`: hence the setting.)
    pub fn detect(
        explicit: Option<ColourDepth>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> ColourDepth {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let term = set("TERM").unwrap_or_default();
        let colorterm = set("COLORTERM").unwrap_or_default();
        match explicit {
            Some(depth) => depth,
            None if set("NO_COLOR").is_some() || term == "dumb" => ColourDepth::Mono,
            None if matches!(colorterm.as_str(), "truecolor" | "24bit") => ColourDepth::True,
            None if term.contains("256color") => ColourDepth::Table,
            None => ColourDepth::Sixteen,
        }
    }

    /// Converts the style of a role to this depth.
    pub(super) fn style(self, look: &RoleStyle) -> Style {
        let (fg, bg, is) = match self {
            ColourDepth::Mono => (None, None, look.mono.or(look.modifiers)),
            ColourDepth::Sixteen => (look.fg16, look.bg16, look.modifiers16.or(look.modifiers)),
            ColourDepth::Table | ColourDepth::True => (look.fg, look.bg, look.modifiers),
        };
        Style {
            fg: fg.map(|colour| self.colour(colour)),
            bg: bg.map(|colour| self.colour(colour)),
            add_modifier: is.unwrap_or(Modifier::empty()),
            ..Style::default()
        }
    }

    /// The nearest colour that a terminal of this depth shows.
    fn colour(self, colour: ThemeColour) -> Color {
        match colour {
            ThemeColour::Named(named) => named,
            ThemeColour::Rgb(r, g, b) if self == ColourDepth::True => Color::Rgb(r, g, b),
            ThemeColour::Rgb(r, g, b) => Color::Indexed(nearest(r, g, b)),
        }
    }
}

/// Levels of the 6x6x6 cube in the palette of 256 colours.
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The nearest colour of the cube or the greys in the palette of 256 (its first sixteen depend on the user).
pub(super) fn nearest(r: u8, g: u8, b: u8) -> u8 {
    let level = |value: u8| {
        let distance = |step: &usize| LEVELS[*step].abs_diff(value);
        (0..6).min_by_key(distance).unwrap_or(0)
    };
    let cube = [level(r), level(g), level(b)];
    let grey_step = (0..24u8)
        .min_by_key(|step| distance([8 + 10 * step; 3], [r, g, b]))
        .unwrap_or(0);
    let in_cube = distance(cube.map(|step| LEVELS[step]), [r, g, b]);
    let in_greys = distance([8 + 10 * grey_step; 3], [r, g, b]);
    if in_greys < in_cube {
        232 + grey_step
    } else {
        (16 + 36 * cube[0] + 6 * cube[1] + cube[2]) as u8
    }
}

/// Squared distance of two colours in RGB.
fn distance(one: [u8; 3], other: [u8; 3]) -> u32 {
    let square = |(a, b): (u8, u8)| u32::from(a.abs_diff(b)).pow(2);
    one.into_iter().zip(other).map(square).sum()
}
