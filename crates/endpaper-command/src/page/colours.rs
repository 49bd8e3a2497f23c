//! The colours of pages and plots: the roles of the colour-blind-safe themes.

use std::collections::HashMap;

use anyhow::{Context, Result};
use plotters::style::RGBColor;
use serde::Deserialize;

/// A theme and the one it inherits from, which has the roles that the first does not define.
const LIGHT: [&str; 2] = ["colour-blind-light", "light"];
const DARK: [&str; 2] = ["colour-blind-dark", "dark"];

/// The colours of a theme by role.
#[derive(Clone, Debug)]
pub struct ThemeColours([ThemeRoles; 2]);

/// A theme file: the colours of each role, such as `marker` or `cut`, by the name of the role.
#[derive(Clone, Debug, Deserialize)]
struct ThemeRoles {
    roles: HashMap<String, RoleColours>,
}

/// The text colour (`fg`) and the background (`bg`) of a role, as written in the theme file.
#[derive(Clone, Debug, Deserialize)]
struct RoleColours {
    fg: Option<String>,
    bg: Option<String>,
}

impl ThemeColours {
    /// The colours of light pages.
    ///
    /// # Errors
    ///
    /// A theme file with mistakes; a test checks the built-in ones.
    pub fn light() -> Result<ThemeColours> {
        ThemeColours::of(LIGHT)
    }

    /// The colours of dark pages.
    ///
    /// # Errors
    ///
    /// As for [`ThemeColours::light`].
    pub fn dark() -> Result<ThemeColours> {
        ThemeColours::of(DARK)
    }

    fn of(names: [&str; 2]) -> Result<ThemeColours> {
        let read = |name: &str| -> Result<ThemeRoles> {
            let text = endpaper_themes::find(name).with_context(|| format!("no theme '{name}'"))?;
            Ok(serde_yaml::from_str(text)?)
        };
        Ok(ThemeColours([read(names[0])?, read(names[1])?]))
    }

    /// The foreground colour of a role.
    ///
    /// # Errors
    ///
    /// A role that the theme does not have.
    pub fn fg(&self, role: &str) -> Result<RGBColor> {
        self.find(role, |role| role.fg.as_deref())
    }

    /// The background colour of a role.
    ///
    /// # Errors
    ///
    /// As for [`ThemeColours::fg`].
    pub fn bg(&self, role: &str) -> Result<RGBColor> {
        self.find(role, |role| role.bg.as_deref())
    }

    fn find(&self, name: &str, of: fn(&RoleColours) -> Option<&str>) -> Result<RGBColor> {
        let role = self.0.iter().find_map(|theme| theme.roles.get(name));
        let colour = role.and_then(of).and_then(rgb);
        colour.with_context(|| format!("the theme has no colour '{name}'"))
    }
}

/// Parses `#rrggbb`.
fn rgb(text: &str) -> Option<RGBColor> {
    let number = u32::from_str_radix(text.strip_prefix('#')?, 16).ok()?;
    let [_, red, green, blue] = number.to_be_bytes();
    (text.len() == 7).then_some(RGBColor(red, green, blue))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_is_that_of_the_theme_or_of_the_one_it_inherits_from() {
        let (light, dark) = (
            ThemeColours::light().unwrap(),
            ThemeColours::dark().unwrap(),
        );
        assert_eq!(light.fg("cut").unwrap(), RGBColor(0x00, 0x54, 0x9f));
        assert_eq!(light.bg("text").unwrap(), RGBColor(0xfb, 0xfa, 0xf6));
        assert_eq!(dark.fg("text").unwrap(), RGBColor(0xd9, 0xdc, 0xe3));
        let error = light.bg("cut").unwrap_err().to_string();
        assert_eq!(error, "the theme has no colour 'cut'");
    }

    #[test]
    fn only_six_hex_digits_are_a_colour() {
        for text in [
            "", "#", "0a0b0c", "#0a0b0", "#0a0b0c0", "#0a0b0g", "default",
        ] {
            assert_eq!(rgb(text), None, "{text}");
        }
    }
}
