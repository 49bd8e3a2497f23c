//! Parses theme files, which are YAML. A mistake is reported with its position, and the inherited style is used there.

use std::str::FromStr;

use ratatui::style::{Color, Modifier};

use super::role::ThemeRole;
use endpaper_text::config::yaml_tree::{YamlNode, YamlValue, YamlWord, parse};
use endpaper_text::config::{Diagnostic, suggestion};

/// The error for an unknown theme name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown theme '{name}'; {suggestion}")]
pub struct NoSuchTheme {
    /// The unknown name.
    pub name: String,
    /// A suggestion what to write instead.
    pub suggestion: String,
}

/// A colour of a theme file: `"#rrggbb"`, the name of one of the sixteen colours, or `default`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThemeColour {
    /// Red, green, blue.
    Rgb(u8, u8, u8),
    /// One of the terminal's own colours.
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

impl FromStr for ThemeColour {
    type Err = String;

    fn from_str(text: &str) -> Result<ThemeColour, String> {
        if let Some(&(_, named)) = NAMES.iter().find(|(name, _)| *name == text) {
            return Ok(ThemeColour::Named(named));
        }
        let bad = || match text.starts_with('#') {
            true => format!("unknown colour '{text}'; write \"#rrggbb\""),
            false => {
                let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
                let meant = suggestion(text, &names);
                format!("unknown colour '{text}'; {meant} (or \"#rrggbb\")")
            }
        };
        let digits = text.strip_prefix('#').ok_or_else(bad)?;
        let digits: Option<Vec<u32>> = digits.chars().map(|c| c.to_digit(16)).collect();
        match digits.as_deref() {
            Some(&[r1, r2, g1, g2, b1, b2]) => {
                let byte = |high: u32, low: u32| (high * 16 + low) as u8;
                Ok(ThemeColour::Rgb(byte(r1, r2), byte(g1, g2), byte(b1, b2)))
            }
            _ => Err(bad()),
        }
    }
}

/// Names of modifiers. Italics are left out: some terminals show them as reverse video.
const MODIFIERS: [(&str, Modifier); 5] = [
    ("bold", Modifier::BOLD),
    ("dim", Modifier::DIM),
    ("underlined", Modifier::UNDERLINED),
    ("reversed", Modifier::REVERSED),
    ("crossed", Modifier::CROSSED_OUT),
];

/// The attributes of a role in a theme file.
const ATTRIBUTES: [&str; 7] = ["fg", "bg", "is", "fg16", "bg16", "is16", "mono"];

/// The style of a role. An attribute that is `None` leaves the style below unchanged: the cursor changes the background, not the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoleStyle {
    /// Text colour.
    pub fg: Option<ThemeColour>,
    /// Background.
    pub bg: Option<ThemeColour>,
    /// Modifiers.
    pub modifiers: Option<Modifier>,
    /// Text colour on terminals with sixteen colours.
    pub fg16: Option<ThemeColour>,
    /// Background on terminals with sixteen colours.
    pub bg16: Option<ThemeColour>,
    /// Modifiers on terminals with sixteen colours, if different.
    pub modifiers16: Option<Modifier>,
    /// Modifiers on terminals without colours, if different.
    pub mono: Option<Modifier>,
}

/// A parsed theme file, with a style for every role.
#[derive(Clone, Debug)]
pub struct ThemeSource {
    name: String,
    styles: Vec<RoleStyle>,
}

impl ThemeSource {
    /// Parses a theme. Missing or invalid roles come from the inherited theme, or else from `dark`.
    pub fn read(name: &str, text: &str) -> (ThemeSource, Vec<Diagnostic>) {
        let (root, mut mistakes) = parse(text);
        let mut file = ThemeSections::default();
        if let Some(root) = &root {
            file = ThemeSections::of(root, &mut mistakes);
        }
        let (features, missing) = file.read_styles(&mut mistakes);
        if !missing.is_empty() {
            mistakes.push(Diagnostic::in_whole_file(missing_roles_in_words(&missing)));
        }
        mistakes.sort_by_key(|mistake| mistake.position);
        let name = name.to_owned();
        (
            ThemeSource {
                name,
                styles: features,
            },
            mistakes,
        )
    }

    /// Name of the theme.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The styles of all roles, in the order of [`ThemeRole::ALL`].
    pub(super) fn styles(&self) -> &[RoleStyle] {
        &self.styles
    }
}

/// Describes the roles that a file without `inherits` leaves out.
fn missing_roles_in_words(missing: &[&str]) -> String {
    let named: Vec<String> = missing.iter().take(3).map(|r| format!("'{r}'")).collect();
    let more = match missing.len() {
        0..=3 => String::new(),
        count => format!(" and {} more", count - 3),
    };
    let named = named.join(", ");
    format!(
        "the looks of {named}{more} are missing and taken from dark; add them, or write 'inherits: dark'"
    )
}

/// The sections of a theme file.
#[derive(Default)]
struct ThemeSections<'a> {
    inherits: Option<&'a YamlNode>,
    roles: Vec<(YamlWord, &'a YamlNode)>,
}

impl<'a> ThemeSections<'a> {
    /// Finds the sections of a theme file.
    fn of(root: &'a YamlNode, mistakes: &mut Vec<Diagnostic>) -> ThemeSections<'a> {
        let mut file = ThemeSections::default();
        for (key, node) in root.entries(mistakes) {
            match key.text.as_str() {
                "inherits" => file.inherits = Some(node),
                "roles" => file.roles = node.entries(mistakes),
                // Colours named with YAML anchors, checked here and used by alias elsewhere.
                "palette" => {
                    for (_, node) in node.entries(mistakes) {
                        colour(node, mistakes);
                    }
                }
                other => {
                    let meant = suggestion(other, &["inherits", "palette", "roles"]);
                    let text = format!("unknown part of a theme '{other}'; {meant}");
                    mistakes.push(Diagnostic::at(key.position, text));
                }
            }
        }
        file
    }

    /// The styles of all roles, and the missing roles if nothing is inherited.
    fn read_styles(&self, mistakes: &mut Vec<Diagnostic>) -> (Vec<RoleStyle>, Vec<&'static str>) {
        let mut missing = Vec::new();
        let base = self.base(mistakes);
        // Only built-in themes can be inherited from; `dark` is complete.
        let below = base.or_else(|| (!self.is_complete()).then(|| built_in("dark")).flatten());
        let features = below.map_or_else(
            || vec![RoleStyle::default(); ThemeRole::ALL.len()],
            |below| below.styles,
        );
        let mut found = features.clone();
        let mut said = vec![false; ThemeRole::ALL.len()];
        for (word, node) in &self.roles {
            match ThemeRole::ALL
                .iter()
                .position(|(_, name)| *name == word.text)
            {
                Some(at) => {
                    found[at] = read_style(node, &features[at], mistakes);
                    said[at] = true;
                }
                None => {
                    let names: Vec<&str> = ThemeRole::ALL.iter().map(|(_, name)| *name).collect();
                    let text = format!(
                        "unknown role '{}'; {}",
                        word.text,
                        suggestion(&word.text, &names)
                    );
                    mistakes.push(Diagnostic::at(word.position, text));
                }
            }
        }
        if self.inherits.is_none() {
            let all = ThemeRole::ALL.iter().zip(said);
            missing.extend(all.filter(|(_, said)| !said).map(|((_, name), _)| *name));
        }
        (found, missing)
    }

    /// Whether the file sets every role.
    fn is_complete(&self) -> bool {
        let said = |name: &str| self.roles.iter().any(|(word, _)| word.text == name);
        ThemeRole::ALL.iter().all(|(_, name)| said(name))
    }

    /// The inherited theme.
    fn base(&self, mistakes: &mut Vec<Diagnostic>) -> Option<ThemeSource> {
        let node = self.inherits?;
        let name = node.text().unwrap_or_default();
        let found = built_in(name);
        if found.is_none() {
            let names: Vec<&str> = endpaper_themes::BUILT_IN
                .iter()
                .map(|(name, _)| *name)
                .collect();
            let text = format!(
                "unknown built-in theme '{name}'; {}",
                suggestion(name, &names)
            );
            mistakes.push(Diagnostic::at(node.position, text));
        }
        found.or_else(|| built_in("dark"))
    }
}

/// A built-in theme. A test reads all of them, so they have no mistakes.
fn built_in(name: &str) -> Option<ThemeSource> {
    Some(ThemeSource::read(name, endpaper_themes::find(name)?).0)
}

/// Parses the style of a role; an invalid attribute comes from `below`.
fn read_style(node: &YamlNode, below: &RoleStyle, mistakes: &mut Vec<Diagnostic>) -> RoleStyle {
    let mut look = RoleStyle::default();
    for (key, node) in node.entries(mistakes) {
        match key.text.as_str() {
            "fg" => look.fg = colour(node, mistakes).or(below.fg),
            "bg" => look.bg = colour(node, mistakes).or(below.bg),
            "is" => look.modifiers = modifiers(node, mistakes).or(below.modifiers),
            "fg16" => look.fg16 = colour(node, mistakes).or(below.fg16),
            "bg16" => look.bg16 = colour(node, mistakes).or(below.bg16),
            "is16" => look.modifiers16 = modifiers(node, mistakes).or(below.modifiers16),
            "mono" => look.mono = modifiers(node, mistakes).or(below.mono),
            other => {
                let text = format!(
                    "'{other}' is not an attribute of a role; {}",
                    suggestion(other, &ATTRIBUTES)
                );
                mistakes.push(Diagnostic::at(key.position, text));
            }
        }
    }
    look
}

/// Parses a colour.
fn colour(node: &YamlNode, mistakes: &mut Vec<Diagnostic>) -> Option<ThemeColour> {
    let read = match &node.value {
        YamlValue::Text(text) => text.parse(),
        // An unquoted # begins a comment.
        YamlValue::Null => {
            Err("there is no colour here; write \"#rrggbb\" with its quotes".to_owned())
        }
        _ => Err(format!(
            "{} is not a colour; write \"#rrggbb\"",
            node.kind_name()
        )),
    };
    read.map_err(|text| mistakes.push(Diagnostic::at(node.position, text)))
        .ok()
}

/// Parses one modifier or a list of them; `None` if one is invalid.
fn modifiers(node: &YamlNode, mistakes: &mut Vec<Diagnostic>) -> Option<Modifier> {
    let one = |node: &YamlNode| {
        let word = node.text().unwrap_or(node.kind_name());
        let found = MODIFIERS.iter().find(|(name, _)| *name == word);
        found.map(|(_, modifier)| *modifier).ok_or_else(|| {
            let names = MODIFIERS.map(|(name, _)| name);
            let text = format!("unknown modifier '{word}'; {}", suggestion(word, &names));
            Diagnostic::at(node.position, text)
        })
    };
    let read: Result<Modifier, Diagnostic> = match &node.value {
        YamlValue::List(items) => items
            .iter()
            .try_fold(Modifier::empty(), |all, item| Ok(all | one(item)?)),
        _ => one(node),
    };
    read.map_err(|mistake| mistakes.push(mistake)).ok()
}
