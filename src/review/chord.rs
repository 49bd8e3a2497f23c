//! What was pressed, independent of any terminal library: `j`, `<C-d>`, `<Enter>`.
//!
//! Written and read in one notation by help, configuration and tests. Folding of what terminals disagree about (shift
//! bits of characters, three encodings of Shift-Tab) happens where events come in, in `terminal/input.rs`.

use std::fmt;
use std::str::FromStr;

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// A character; it already says whether shift was held.
    Char(char),
    /// The n-th function key.
    F(u8),
    /// Every other key, as an index into the table of names.
    Named(Named),
}

macro_rules! named {
    ($($name:ident),*) => {
        /// Keys with a name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)]
        pub enum Named { $($name),* }
        const NAMED: &[(Named, &str)] = &[$((Named::$name, stringify!($name))),*];
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
    pub code: Code,
    /// Control was held.
    pub ctrl: bool,
    /// Alt was held.
    pub alt: bool,
}

impl Chord {
    /// A plain character.
    pub fn char(c: char) -> Chord {
        let code = if c == ' ' {
            Code::Named(Named::Space)
        } else {
            Code::Char(c)
        };
        Chord {
            code,
            ctrl: false,
            alt: false,
        }
    }

    /// A named key without modifiers.
    pub fn named(name: Named) -> Chord {
        Chord {
            code: Code::Named(name),
            ctrl: false,
            alt: false,
        }
    }

    /// The character a prompt would insert.
    pub fn inserts(self) -> Option<char> {
        match self.code {
            Code::Char(c) if !self.ctrl && !self.alt => Some(c),
            Code::Named(Named::Space) if !self.ctrl && !self.alt => Some(' '),
            _ => None,
        }
    }

    /// The digit it is, if it is one.
    pub fn digit(self) -> Option<u32> {
        self.inserts().and_then(|c| c.to_digit(10))
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.code {
            Code::Char('<') => "lt".to_owned(),
            Code::Char(c) => c.to_string(),
            Code::F(n) => format!("F{n}"),
            Code::Named(name) => format!("{name:?}"),
        };
        let modifiers = match (self.ctrl, self.alt) {
            (true, true) => "C-A-",
            (true, false) => "C-",
            (false, true) => "A-",
            (false, false) => "",
        };
        let bare = modifiers.is_empty() && matches!(self.code, Code::Char(c) if c != '<');
        if bare {
            f.write_str(&name)
        } else {
            write!(f, "<{modifiers}{name}>")
        }
    }
}

/// A key that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no key; write a character, or a name in angle brackets such as <Enter>, <C-d>, <F1>"
)]
pub struct BadChord(pub String);

impl FromStr for Chord {
    type Err = BadChord;

    fn from_str(text: &str) -> Result<Chord, BadChord> {
        let bad = || BadChord(text.to_owned());
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

fn code(name: &str) -> Option<Code> {
    let mut characters = name.chars();
    if let (Some(c), None) = (characters.next(), characters.next()) {
        return Some(Code::Char(c));
    }
    if name == "lt" {
        return Some(Code::Char('<'));
    }
    if let Some(&(found, _)) = NAMED.iter().find(|(_, n)| n.eq_ignore_ascii_case(name)) {
        return Some(Code::Named(found));
    }
    let number = name.strip_prefix('F')?.parse().ok()?;
    (1..=24).contains(&number).then_some(Code::F(number))
}

/// Reads keys written one after another, `gg`, `w<Enter>`: for bindings of more than one key and for tests.
pub fn chords(text: &str) -> Result<Vec<Chord>, BadChord> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
