//! Theme files: YAML, refused with the place where they are wrong.

use std::collections::BTreeMap;
use std::str::FromStr;

use ratatui::style::{Color, Modifier};
use serde::{Deserialize, Deserializer, de};

use super::{BUILT_IN, Looks, Role};

/// Why a theme cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ThemeError {
    /// The file is wrong.
    #[error("theme '{file}': {message}")]
    Wrong {
        /// The file.
        file: String,
        /// Where and why.
        message: String,
    },
    /// A role has no look.
    #[error("theme '{file}': the role '{role}' is missing; add it, or write 'inherits: dark'")]
    Missing {
        /// The file.
        file: String,
        /// The role.
        role: &'static str,
    },
    /// There is no theme of this name.
    #[error("'{name}' is no theme; one of {known}")]
    NoSuchTheme {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
}

/// A colour of a theme file: `"#rrggbb"` or one of the sixteen names, or `default`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Red, green, blue.
    Rgb(u8, u8, u8),
    /// One of the terminal's own.
    Named(Color),
}

/// Names of the terminal's own colours.
const NAMES: &[(&str, Color)] = &[
    ("default", Color::Reset),
    ("black", Color::Black),
    ("red", Color::Red),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("blue", Color::Blue),
    ("magenta", Color::Magenta),
    ("cyan", Color::Cyan),
    ("grey", Color::Gray),
    ("dark-grey", Color::DarkGray),
    ("light-red", Color::LightRed),
    ("light-green", Color::LightGreen),
    ("light-yellow", Color::LightYellow),
    ("light-blue", Color::LightBlue),
    ("light-magenta", Color::LightMagenta),
    ("light-cyan", Color::LightCyan),
    ("white", Color::White),
];

impl FromStr for Colour {
    type Err = String;

    fn from_str(text: &str) -> Result<Colour, String> {
        if let Some(&(_, named)) = NAMES.iter().find(|(name, _)| *name == text) {
            return Ok(Colour::Named(named));
        }
        let bad = || {
            let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
            format!(
                "'{text}' is no colour; write \"#rrggbb\" or one of {}",
                names.join(", ")
            )
        };
        let digits = text.strip_prefix('#').ok_or_else(bad)?;
        let digits: Option<Vec<u32>> = digits.chars().map(|c| c.to_digit(16)).collect();
        match digits.as_deref() {
            Some(&[r1, r2, g1, g2, b1, b2]) => {
                let byte = |high: u32, low: u32| (high * 16 + low) as u8;
                Ok(Colour::Rgb(byte(r1, r2), byte(g1, g2), byte(b1, b2)))
            }
            _ => Err(bad()),
        }
    }
}

impl<'de> Deserialize<'de> for Colour {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Colour, D::Error> {
        String::deserialize(from)?
            .parse()
            .map_err(de::Error::custom)
    }
}

/// A modifier. Italics are left out: some terminals show them as reverse video.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Is {
    /// Bold.
    Bold,
    /// Dim.
    Dim,
    /// Underlined.
    Underlined,
    /// Foreground and background exchanged.
    Reversed,
    /// Crossed out.
    Crossed,
}

impl Is {
    pub(super) fn modifier(self) -> Modifier {
        match self {
            Is::Bold => Modifier::BOLD,
            Is::Dim => Modifier::DIM,
            Is::Underlined => Modifier::UNDERLINED,
            Is::Reversed => Modifier::REVERSED,
            Is::Crossed => Modifier::CROSSED_OUT,
        }
    }
}

/// How a role looks. What is not said stays as it is below: the cursor changes the background and leaves the text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// Colour of the text.
    pub fg: Option<Colour>,
    /// Background.
    pub bg: Option<Colour>,
    /// Modifiers.
    pub is: Option<Vec<Is>>,
    /// Colour of the text where there are sixteen.
    pub fg16: Option<Colour>,
    /// Background where there are sixteen.
    pub bg16: Option<Colour>,
    /// Modifiers where there are sixteen colours, if others.
    pub is16: Option<Vec<Is>>,
    /// Modifiers where there are no colours, if others.
    pub mono: Option<Vec<Is>>,
}

/// The layout of a theme file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// A theme of the program that says what this one does not.
    inherits: Option<String>,
    /// Colours named with YAML anchors, for reading only.
    #[serde(default, rename = "palette")]
    _palette: BTreeMap<String, Colour>,
    roles: Looks,
}

/// A theme file that was read and is complete.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    looks: Looks,
}

impl Source {
    /// Reads a theme. `file` names it in errors, which also tell line and column.
    pub fn read(file: &str, text: &str) -> Result<Source, ThemeError> {
        let looks = merged(file, text)?;
        let said = looks.list();
        for ((_, role), look) in Role::ALL.iter().zip(said) {
            if look.is_none() {
                let file = file.to_owned();
                return Err(ThemeError::Missing { file, role });
            }
        }
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        let name = name.strip_suffix(".yaml").unwrap_or(name).to_owned();
        Ok(Source { name, looks })
    }

    /// Its name: that of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The look of every role, in the order of [`Role::ALL`].
    pub(super) fn looks(&self) -> Vec<&Look> {
        self.looks.list().into_iter().flatten().collect()
    }
}

/// The looks of a file over those of the theme it inherits from.
fn merged(file: &str, text: &str) -> Result<Looks, ThemeError> {
    let wrong = |message: String| ThemeError::Wrong {
        file: file.to_owned(),
        message,
    };
    let read: File = serde_yaml::from_str(text).map_err(|error| wrong(error.to_string()))?;
    let Some(base) = read.inherits else {
        return Ok(read.roles);
    };
    // Only themes of the program can be inherited from, and those end in one that inherits nothing.
    match BUILT_IN.iter().find(|(name, _)| *name == base) {
        Some((name, text)) => Ok(read.roles.over(merged(name, text)?)),
        None => Err(wrong(format!("'inherits: {base}': there is no such theme"))),
    }
}
