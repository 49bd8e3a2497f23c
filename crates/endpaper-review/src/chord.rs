//! Key presses, independent of any terminal library: `j`, `<C-d>`, `<Enter>`.
//!
//! Help, configuration and tests share one notation. Differences between terminals (shift bits of characters, three encodings of
//! Shift-Tab) are removed where events come in, in `terminal/input.rs`.

use std::fmt;
use std::str::FromStr;

use endpaper_text::config::nearest;

/// A key without modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChordKey {
    /// A character, which includes the effect of shift.
    Char(char),
    /// The n-th function key.
    F(u8),
    /// Any other key.
    Named(NamedKey),
}

macro_rules! named {
    ($($name:ident),*) => {
        /// Keys with a name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)]
        pub enum NamedKey { $($name),* }
        const NAMED: &[(NamedKey, &str)] = &[$((NamedKey::$name, stringify!($name))),*];
    };
}

named!(
    Enter, Esc, Tab, BackTab, Backspace, Delete, Insert, Up, Down, Left, Right, Home, End, PageUp,
    PageDown, Space
);

/// A key with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Chord {
    /// The key.
    pub code: ChordKey,
    /// Control was held.
    pub ctrl: bool,
    /// Alt was held.
    pub alt: bool,
}

impl Chord {
    /// A plain character.
    pub fn char(c: char) -> Chord {
        let code = if c == ' ' {
            ChordKey::Named(NamedKey::Space)
        } else {
            ChordKey::Char(c)
        };
        Chord {
            code,
            ctrl: false,
            alt: false,
        }
    }

    /// A named key without modifiers.
    pub fn named(name: NamedKey) -> Chord {
        Chord {
            code: ChordKey::Named(name),
            ctrl: false,
            alt: false,
        }
    }

    /// The character that the chord inserts into a prompt.
    pub fn inserts(self) -> Option<char> {
        match self.code {
            ChordKey::Char(c) if !self.ctrl && !self.alt => Some(c),
            ChordKey::Named(NamedKey::Space) if !self.ctrl && !self.alt => Some(' '),
            _ => None,
        }
    }

    /// The name in running text: `Enter`, `<`, `<C-r>`.
    pub fn label(self) -> String {
        match (self.code, self.ctrl || self.alt) {
            (ChordKey::Named(name), false) => format!("{name:?}"),
            (ChordKey::F(n), false) => format!("F{n}"),
            (ChordKey::Char(c), false) => c.to_string(),
            _ => self.to_string(),
        }
    }

    /// The key that terminals report instead, if they cannot distinguish the two.
    pub fn arrives_as(self) -> Option<Chord> {
        let named = |name| Chord {
            code: ChordKey::Named(name),
            ctrl: false,
            ..self
        };
        match (self.code, self.ctrl) {
            (ChordKey::Char('i' | 'I'), true) => Some(named(NamedKey::Tab)),
            (ChordKey::Char('m' | 'M'), true) => Some(named(NamedKey::Enter)),
            (ChordKey::Char('h' | 'H'), true) => Some(named(NamedKey::Backspace)),
            (ChordKey::Char('['), true) => Some(named(NamedKey::Esc)),
            (ChordKey::Char(c), true) if c.is_ascii_uppercase() => Some(Chord {
                code: ChordKey::Char(c.to_ascii_lowercase()),
                ..self
            }),
            _ => None,
        }
    }

    /// The value of a digit key.
    pub fn digit(self) -> Option<u32> {
        self.inserts().and_then(|c| c.to_digit(10))
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.code {
            ChordKey::Char('<') => "lt".to_owned(),
            ChordKey::Char(c) => c.to_string(),
            ChordKey::F(n) => format!("F{n}"),
            ChordKey::Named(name) => format!("{name:?}"),
        };
        let modifiers = match (self.ctrl, self.alt) {
            (true, true) => "C-A-",
            (true, false) => "C-",
            (false, true) => "A-",
            (false, false) => "",
        };
        let bare = modifiers.is_empty() && matches!(self.code, ChordKey::Char(c) if c != '<');
        if bare {
            f.write_str(&name)
        } else {
            write!(f, "<{modifiers}{name}>")
        }
    }
}

/// A key that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown key '{0}'; {repair}", repair = repair(.0))]
pub struct InvalidChord(pub String);

/// The suggested notation for an unknown key.
fn repair(text: &str) -> String {
    let name = text.trim_start_matches('<').trim_end_matches('>');
    let (modifiers, name) = match name.rfind('-') {
        Some(at) if at + 1 < name.len() => name.split_at(at + 1),
        _ => ("", name),
    };
    // Shift is part of the character.
    let shifted = modifiers.eq_ignore_ascii_case("s-");
    if shifted && name.eq_ignore_ascii_case("tab") {
        return "write <BackTab>".to_owned();
    }
    if let (true, Some(c), 1) = (shifted, name.chars().next(), name.chars().count()) {
        return format!("write {}", c.to_uppercase());
    }
    let names = NAMED.iter().map(|(_, name)| *name);
    match nearest(name, names) {
        Some(meant) => format!("did you mean '<{meant}>'?"),
        None => {
            "write a character, or a name in angle brackets such as <Enter>, <C-d>, <F1>".into()
        }
    }
}

impl FromStr for Chord {
    type Err = InvalidChord;

    fn from_str(text: &str) -> Result<Chord, InvalidChord> {
        let bad = || InvalidChord(text.to_owned());
        let mut characters = text.chars();
        if let (Some(c), None) = (characters.next(), characters.next()) {
            return Ok(Chord::char(c));
        }
        let mut name = text
            .strip_prefix('<')
            .and_then(|t| t.strip_suffix('>'))
            .ok_or_else(bad)?;
        let (mut ctrl, mut alt) = (false, false);
        loop {
            if let Some(rest) = name.strip_prefix("C-").filter(|r| !r.is_empty()) {
                (ctrl, name) = (true, rest);
            } else if let Some(rest) = name.strip_prefix("A-").filter(|r| !r.is_empty()) {
                (alt, name) = (true, rest);
            } else {
                break;
            }
        }
        let code = code(name).ok_or_else(bad)?;
        Ok(Chord { code, ctrl, alt })
    }
}

/// The key with this name, such as `j` or `Enter`.
fn code(name: &str) -> Option<ChordKey> {
    let mut characters = name.chars();
    if let (Some(c), None) = (characters.next(), characters.next()) {
        return Some(Chord::char(c).code);
    }
    if name == "lt" {
        return Some(ChordKey::Char('<'));
    }
    if let Some(&(found, _)) = NAMED.iter().find(|(_, n)| n.eq_ignore_ascii_case(name)) {
        return Some(ChordKey::Named(found));
    }
    let number = name.strip_prefix('F')?.parse().ok()?;
    (1..=24).contains(&number).then_some(ChordKey::F(number))
}

/// Parses keys written one after another, `gg` or `w<Enter>`.
pub fn chords(text: &str) -> Result<Vec<Chord>, InvalidChord> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match (c, rest.find('>')) {
            ('<', Some(end)) if end > 1 => end + 1,
            _ => c.len_utf8(),
        };
        out.push(rest[..length].parse()?);
        rest = &rest[length..];
    }
    Ok(out)
}

/// The name of a sequence in running text: `gg`, `Enter`, `w Enter`.
pub fn label(keys: &[Chord]) -> String {
    let labels: Vec<String> = keys.iter().map(|key| key.label()).collect();
    let short = labels.iter().all(|label| label.chars().count() == 1);
    labels.join(if short { "" } else { " " })
}

/// The notation of a sequence, as [`chords`] reads it: `gg`, `w<Enter>`.
pub fn notation(keys: &[Chord]) -> String {
    keys.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_key_is_named_with_what_is() {
        let cases = [
            ("<Entr>", "did you mean '<Enter>'?"),
            ("<PagDown>", "did you mean '<PageDown>'?"),
            ("<S-Tab>", "write <BackTab>"),
            ("<S-j>", "write J"),
            ("<C-Entr>", "did you mean '<Enter>'?"),
            ("<F99>", "write a character"),
        ];
        for (text, expected) in cases {
            let error = text.parse::<Chord>().unwrap_err().to_string();
            let start = format!("unknown key '{text}'; {expected}");
            assert!(error.starts_with(&start), "{error}");
        }
    }

    #[test]
    fn blank_is_the_space_bar_in_brackets_too() {
        let space = "<Space>".parse::<Chord>();
        for text in [" ", "< >", "<space>"] {
            assert_eq!(text.parse::<Chord>(), space, "{text}");
        }
        assert_eq!("<C- >".parse::<Chord>(), "<C-Space>".parse());
    }

    #[test]
    fn keys_that_terminals_cannot_tell_apart_are_known() {
        for (text, expected) in [
            ("<C-i>", Some("<Tab>")),
            ("<C-m>", Some("<Enter>")),
            ("<C-D>", Some("<C-d>")),
            ("<C-d>", None),
            ("J", None),
        ] {
            let chord: Chord = text.parse().unwrap();
            let found = chord.arrives_as().map(|chord| chord.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn running_text_names_keys_without_brackets() {
        for (text, expected) in [
            ("gg", "gg"),
            ("<Enter>", "Enter"),
            ("<lt>", "<"),
            ("w<Enter>", "w Enter"),
            ("<C-r>", "<C-r>"),
        ] {
            assert_eq!(label(&chords(text).unwrap()), expected);
        }
    }

    #[test]
    fn keys_are_read_as_they_are_written() {
        for text in [
            "j",
            "J",
            "<C-d>",
            "<Enter>",
            "<A-x>",
            "<C-A-F5>",
            "<lt>",
            "é",
            "<Space>",
            "[",
            "<BackTab>",
        ] {
            let chord: Chord = text.parse().unwrap();
            assert_eq!(chord.to_string(), text);
        }
        for text in ["", "<>", "<Entr>", "jj", "<C->", "<F99>"] {
            assert!(text.parse::<Chord>().is_err(), "{text}");
        }
    }

    #[test]
    fn sequences_are_split_into_keys() {
        let names = |t: &str| {
            chords(t)
                .unwrap()
                .iter()
                .map(Chord::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(names("gg"), ["g", "g"]);
        assert_eq!(names("w<Enter>x"), ["w", "<Enter>", "x"]);
        assert_eq!(names("<"), ["<lt>"]);
    }
}
