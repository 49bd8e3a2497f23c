//! Looks: what each part of the screen is called, and how it is drawn.
//!
//! A theme is a YAML file that gives each [`ThemeRole`] colours and modifiers (`parse`). It is resolved once for the
//! colours the terminal has (`depth`): true colours, the nearest of 256, sixteen named ones that the role chooses
//! itself (what they look like depends on the user's palette), or none. Colour never carries a meaning alone: shading
//! has glyphs, cuts are labelled rules, states are words and letters.

mod depth;
mod parse;
mod role;

use ratatui::style::{Color, Style};

pub use depth::ColourDepth;
pub use parse::{NoSuchTheme, ThemeSource};
pub use role::ThemeRole;

use super::glyphs::GlyphSet;
use endpaper_text::config::suggestion;

/// A theme as this terminal can show it.
#[derive(Clone, Debug)]
pub struct Theme {
    /// Its name.
    pub name: String,
    /// Our own marks.
    pub glyphs: &'static GlyphSet,
    styles: Vec<Style>,
}

impl Theme {
    /// The style of a role: what it changes of what lies below it.
    pub fn style(&self, role: ThemeRole) -> Style {
        self.styles.get(role as usize).copied().unwrap_or_default()
    }

    /// Whether the steps of the heat map can be distinguished by their colours alone. Where they cannot (sixteen colours,
    /// none), glyphs represent them.
    pub fn has_heat_colours(&self) -> bool {
        let colours: Vec<_> = (0..6)
            .map(|step| self.style(ThemeRole::heat(step)).fg)
            .collect();
        let distinct = |(at, colour): (usize, &Option<Color>)| {
            colour.is_some_and(|c| c != Color::Reset) && !colours[..at].contains(colour)
        };
        self.glyphs.unicode && colours.iter().enumerate().all(distinct)
    }

    /// A theme from what its file says.
    pub fn resolve(source: &ThemeSource, depth: ColourDepth, glyphs: &'static GlyphSet) -> Theme {
        let features = source.styles().iter();
        let styles = features.map(|look| depth.style(look)).collect();
        Theme {
            name: source.name().to_owned(),
            glyphs,
            styles,
        }
    }

    /// A theme of the program by its name (`colour-blind` is `colour-blind-dark`).
    pub fn built_in(
        name: &str,
        depth: ColourDepth,
        glyphs: &'static GlyphSet,
    ) -> Result<Theme, NoSuchTheme> {
        let full = full_name(name);
        let mut all = Theme::all(depth, glyphs).into_iter();
        all.find(|theme| theme.name == full)
            .ok_or_else(|| NoSuchTheme {
                name: name.to_owned(),
                suggestion: suggestion(name, &names()),
            })
    }

    /// All themes of the program.
    pub fn all(depth: ColourDepth, glyphs: &'static GlyphSet) -> Vec<Theme> {
        let read = |(name, text): &(&str, &str)| {
            // A test reads them all: there is nothing wrong in them.
            let (source, _) = ThemeSource::read(name, text);
            Theme::resolve(&source, depth, glyphs)
        };
        endpaper_themes::BUILT_IN.iter().map(read).collect()
    }

    /// A theme in which every role has a colour of its own, wherever the dark theme gives it one: for tests that
    /// write down which role a cell has.
    #[cfg(test)]
    pub(crate) fn of_roles(glyphs: &'static GlyphSet) -> Theme {
        let mut theme = Theme::built_in("dark", ColourDepth::True, glyphs).unwrap();
        for (index, style) in theme.styles.iter_mut().enumerate() {
            let own = Color::Indexed(index as u8);
            *style = Style {
                fg: style.fg.map(|_| own),
                bg: style.bg.map(|_| own),
                ..Style::default()
            };
        }
        theme
    }
}

/// The name that a short one represents.
pub fn full_name(name: &str) -> &str {
    match name {
        "colour-blind" => "colour-blind-dark",
        name => name,
    }
}

/// Names of the themes of the program, in the order `t` shows them.
pub fn names() -> Vec<&'static str> {
    endpaper_themes::BUILT_IN
        .iter()
        .map(|(name, _)| *name)
        .collect()
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod vision;
