//! Themes: the roles of the screen's parts, and their styles.
//!
//! A theme is a YAML file that gives each [`ThemeRole`] colours and modifiers (`parse`). It is resolved once for the colours of the
//! terminal (`depth`): true colour, the nearest of 256, sixteen named colours that the theme chooses for each role (their appearance
//! depends on the user's palette), or none. Colour never carries a meaning alone: shading has glyphs, cuts are labelled rules,
//! states are words and letters.

mod depth;
mod parse;
mod role;

use ratatui::style::{Color, Style};

pub use depth::ColourDepth;
pub use parse::{NoSuchTheme, ThemeSource};
pub use role::ThemeRole;

use super::glyphs::GlyphSet;
use endpaper_text::config::suggestion;

/// A theme resolved for the colours of a terminal.
#[derive(Clone, Debug)]
pub struct Theme {
    /// Its name.
    pub name: String,
    /// The marks of the screen.
    pub glyphs: &'static GlyphSet,
    styles: Vec<Style>,
}

impl Theme {
    /// The style of a role: its changes to the style below it.
    pub fn style(&self, role: ThemeRole) -> Style {
        self.styles.get(role as usize).copied().unwrap_or_default()
    }

    /// Whether the steps of the heat map differ in colour. If they do not (sixteen colours or none), glyphs show them.
    pub fn has_heat_colours(&self) -> bool {
        let colours: Vec<_> = (0..6)
            .map(|step| self.style(ThemeRole::heat(step)).fg)
            .collect();
        let distinct = |(at, colour): (usize, &Option<Color>)| {
            colour.is_some_and(|c| c != Color::Reset) && !colours[..at].contains(colour)
        };
        self.glyphs.unicode && colours.iter().enumerate().all(distinct)
    }

    /// Resolves a theme for a terminal.
    pub fn resolve(source: &ThemeSource, depth: ColourDepth, glyphs: &'static GlyphSet) -> Theme {
        let features = source.styles().iter();
        let styles = features.map(|look| depth.style(look)).collect();
        Theme {
            name: source.name().to_owned(),
            glyphs,
            styles,
        }
    }

    /// A built-in theme by its name (`colour-blind` is `colour-blind-dark`).
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

    /// All built-in themes.
    pub fn all(depth: ColourDepth, glyphs: &'static GlyphSet) -> Vec<Theme> {
        let read = |(name, text): &(&str, &str)| {
            // A test reads them all, so they have no mistakes.
            let (source, _) = ThemeSource::read(name, text);
            Theme::resolve(&source, depth, glyphs)
        };
        endpaper_themes::BUILT_IN.iter().map(read).collect()
    }

    /// A theme in which every role has its own colour, where the dark theme gives it one: for tests that record the role of each
    /// cell.
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

/// The full name of a theme for a short one.
pub fn full_name(name: &str) -> &str {
    match name {
        "colour-blind" => "colour-blind-dark",
        name => name,
    }
}

/// Names of the built-in themes, in the order that `t` cycles through.
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
