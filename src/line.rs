//! One line's preprocessing and the keys that are counted.
//!
//! Kaser & Lemire, section 3.1: white space at both ends of a line is trimmed, and every run of `*`, of `-` or of
//! white space becomes `***`, `---` or one space. Lines that are short (under 30 characters) or hold no letter are
//! *trivial*: they are never counted.
//!
//! Where the paper is silent: a run is one character or more (`a-b` becomes `a---b`, as the paper's replacement does),
//! characters are Unicode scalar values, a letter is a Unicode alphabetic character, and a line that is not valid UTF-8
//! is read as windows-1252. Nothing here knows a whole file: a line means the same wherever it stands.
//!
//! ```
//! use endpaper::line::Normaliser;
//! let mut normaliser = Normaliser::default();
//! let line = normaliser.line(b"**These eBooks Were  Prepared By Thousands of Volunteers!**\r");
//! assert_eq!(line.text, "***These eBooks Were Prepared By Thousands of Volunteers!***");
//! assert!(!line.trivial);
//! ```

use serde::{Deserialize, Serialize};

/// Normalised lines of fewer characters than this are trivial (Kaser & Lemire, section 3.1).
pub const TRIVIAL_BELOW: usize = 30;

/// Changes whenever the same bytes may give another key: part of every model file and cache entry.
pub const PREPROCESSING_VERSION: u32 = 1;

/// What is counted: the CRC-64/XZ of a form of a normalised line (Kaser & Lemire, section 3.3.3).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Key(pub u64);

impl Key {
    /// The key of a form of a line, already normalised.
    pub fn of(text: &str) -> Key {
        let mut digest = crc64fast::Digest::new();
        digest.write(text.as_bytes());
        Key(digest.sum64())
    }
}

/// The forms of a line that can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum KeyKind {
    /// The normalised line itself.
    Exact,
    /// The line with names and numbers replaced (see [`skeleton`]).
    Skeleton,
    /// The first words of the line (see [`opening`]).
    Opening,
}

/// A line after preprocessing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Normalised<'a> {
    /// The line, trimmed, runs squeezed. Empty for a blank line.
    pub text: &'a str,
    /// Too short to count, or without a letter.
    pub trivial: bool,
    /// Unicode scalar values in `text`.
    pub characters: usize,
}

impl Normalised<'_> {
    /// Nothing but white space stood in the line.
    pub fn is_blank(&self) -> bool {
        self.text.is_empty()
    }

    /// The exact key.
    pub fn key(&self) -> Key {
        Key::of(self.text)
    }
}

/// Normalises lines one after another in one buffer.
#[derive(Debug, Default)]
pub struct Normaliser {
    text: String,
}

impl Normaliser {
    /// Normalises the bytes of one line, with or without its ending. UTF-8 if valid, else windows-1252.
    pub fn line<'a>(&'a mut self, raw: &'a [u8]) -> Normalised<'a> {
        match as_it_stands(raw) {
            Some(normal) => normal,
            None => match std::str::from_utf8(raw) {
                Ok(text) => self.text(text),
                Err(_) => {
                    let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(raw);
                    self.text(&text)
                }
            },
        }
    }

    /// Normalises one decoded line.
    pub fn text(&mut self, line: &str) -> Normalised<'_> {
        self.text.clear();
        let mut letter = false;
        let mut characters = 0;
        // The class of the last character written: '*', '-' and ' ' are runs, anything else is '\0'.
        let mut run = '\0';
        for c in line.trim().chars() {
            let class = match c {
                '*' | '-' => c,
                _ if c.is_whitespace() => ' ',
                _ => '\0',
            };
            if class == '\0' {
                letter |= c.is_alphabetic();
                self.text.push(c);
                characters += 1;
            } else if class != run {
                let replacement = match class {
                    '*' => "***",
                    '-' => "---",
                    _ => " ",
                };
                self.text.push_str(replacement);
                characters += replacement.len();
            }
            run = class;
        }
        Normalised {
            text: &self.text,
            trivial: characters < TRIVIAL_BELOW || !letter,
            characters,
        }
    }
}

/// What a byte is to [`as_it_stands`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Other,
    Space,
    /// A run to be squeezed, or no ASCII: the slow way.
    Slow,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' => Class::Space,
            b'*' | b'-' | b'\t'..=b'\r' | 0x80..=0xFF => Class::Slow,
            letter if letter.is_ascii_alphabetic() => Class::Letter,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

/// Most lines hold nothing to squeeze once their ends are trimmed: they are normalised where they stand, without a
/// copy. `None` for all others.
fn as_it_stands(raw: &[u8]) -> Option<Normalised<'_>> {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
    let first = raw
        .iter()
        .position(|byte| !is_space(byte))
        .unwrap_or(raw.len());
    let last = raw
        .iter()
        .rposition(|byte| !is_space(byte))
        .map_or(first, |at| at + 1);
    let trimmed = &raw[first..last];
    let mut letter = false;
    let mut space = false;
    for &byte in trimmed {
        match CLASSES[usize::from(byte)] {
            Class::Letter => (letter, space) = (true, false),
            Class::Other => space = false,
            Class::Space if !space => space = true,
            Class::Space | Class::Slow => return None,
        }
    }
    let text = std::str::from_utf8(trimmed).ok()?;
    let characters = text.len();
    Some(Normalised {
        text,
        trivial: characters < TRIVIAL_BELOW || !letter,
        characters,
    })
}

/// The skeleton of a normalised line: what is left when names, numbers and addresses are taken out.
///
/// Words are lower-cased; a run of words that begin with an upper-case letter (but for the first word of the line)
/// becomes `X`, a word with a digit `0`, a word with `@` or `://` or starting `www.` becomes `@`. `Produced by David
/// Widger` and `Produced by Juliet Sutherland` have one skeleton, `produced by X`.
pub fn skeleton(normalised: &str) -> String {
    let mut out = String::with_capacity(normalised.len());
    let mut last = "";
    for (index, word) in normalised.split(' ').enumerate() {
        let bare = word.trim_start_matches(|c: char| !c.is_alphanumeric());
        let form: &str = if word.contains('@') || word.contains("://") || bare.starts_with("www.") {
            "@"
        } else if bare.contains(|c: char| c.is_ascii_digit()) {
            "0"
        } else if index > 0 && bare.starts_with(char::is_uppercase) {
            "X"
        } else {
            ""
        };
        if form == "X" && last == "X" {
            continue;
        }
        last = form;
        if index > 0 {
            out.push(' ');
        }
        if form.is_empty() {
            out.extend(word.chars().flat_map(char::to_lowercase));
        } else {
            out.push_str(form);
        }
    }
    out
}

/// The first three words of a normalised line, lower-cased: how it opens.
pub fn opening(normalised: &str) -> String {
    let mut out = String::new();
    for (index, word) in normalised.split(' ').take(3).enumerate() {
        if index > 0 {
            out.push(' ');
        }
        out.extend(word.chars().flat_map(char::to_lowercase));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex::Regex;

    /// The lines of Kaser & Lemire, Figure 4.
    const FIGURE_4: &[&str] = &[
        "***The Project Gutenberg’s Etext of Shakespeare’s First Folio***",
        "***These EBooks Were Prepared By Thousands of Volunteers***",
        "***These Etexts Are Prepared By Thousands of Volunteers!***",
        "***These Etexts Were Prepared By Thousands of Volunteers!***",
        "***These eBooks Were Prepared By Thousands of Volunteers!***",
        "***This file should be named 1rbnh10.txt or 1rbnh10.zip***",
        "(2) Pay a royalty to the Foundation of 20% of the gross",
        "(2) Pay a royalty to the Project of 20% of the net",
        "[3] Pay a trademark license fee of 20% (twenty percent) of the",
        "[3] Pay a trademark license fee to the Foundation of 20% of the",
    ];

    #[test]
    fn the_lines_of_figure_4_are_normalised_already_and_not_trivial() {
        let mut normaliser = Normaliser::default();
        for line in FIGURE_4 {
            let normal = normaliser.text(line);
            assert_eq!((normal.text, normal.trivial), (*line, false));
        }
    }

    #[test]
    fn lines_are_trimmed_and_runs_squeezed() {
        let table: &[(&[u8], &str, bool)] = &[
            (b"", "", true),
            (b" \t \r\n", "", true),
            (b"CHAPTER ONE.", "CHAPTER ONE.", true),
            (
                b"*****These  Etexts Are Prepared By Thousands of Volunteers!*",
                FIGURE_4[2],
                false,
            ),
            (b"a-b", "a---b", true),
            (b"* * *", "*** *** ***", true),
            (
                b"- - - - - - - - - - - - - - - -",
                "--- --- --- --- --- --- --- --- --- --- --- --- --- --- --- ---",
                true,
            ),
            (
                b"12345678901234567890123456789012345",
                "12345678901234567890123456789012345",
                true,
            ),
            (
                b"exactly thirty characters long",
                "exactly thirty characters long",
                false,
            ),
            (
                b"not thirty characters, though",
                "not thirty characters, though",
                true,
            ),
            (
                b"tab\tand form\x0Cfeed are white space",
                "tab and form feed are white space",
                false,
            ),
            (
                b"caf\xE9 in windows-1252, not in UTF-8",
                "caf\u{e9} in windows---1252, not in UTF---8",
                false,
            ),
            (
                b"caf\xC3\xA9 in UTF 8, which is what it is",
                "caf\u{e9} in UTF 8, which is what it is",
                false,
            ),
            (
                b"\xA0 a no-break space is white space \xA0",
                "a no---break space is white space",
                false,
            ),
        ];
        let mut normaliser = Normaliser::default();
        for (raw, text, trivial) in table {
            let normal = normaliser.line(raw);
            assert_eq!(
                (normal.text, normal.trivial),
                (*text, *trivial),
                "{}",
                raw.escape_ascii()
            );
            assert_eq!(normal.characters, text.chars().count());
        }
    }

    #[test]
    fn keys_are_crc_64_xz() {
        assert_eq!(Key::of("123456789"), Key(0x995d_c9bb_df19_39fa));
    }

    #[test]
    fn skeletons_lose_names_numbers_and_addresses() {
        let table = [
            ("Produced by David Widger", "produced by X"),
            (
                "Produced by Juliet Sutherland and the Online Distributed",
                "produced by X and the X",
            ),
            (
                "Etext prepared by Roger Squires rsquires@unm.edu",
                "etext prepared by X @",
            ),
            (
                "Release Date: February 10, 2004 [EBook #11024]",
                "release X 0 0 X 0",
            ),
            ("see http://www.gutenberg.org for more", "see @ for more"),
        ];
        for (line, form) in table {
            assert_eq!(skeleton(line), form);
        }
        assert_eq!(opening("This eBook Is for the use of"), "this ebook is");
    }

    /// What the paper says, word for word.
    fn slowly(line: &str) -> String {
        let squeeze = |text: &str, run: &str, to: &str| {
            Regex::new(run).unwrap().replace_all(text, to).into_owned()
        };
        let line = squeeze(line.trim(), r"\*+", "***");
        squeeze(&squeeze(&line, "-+", "---"), r"\s+", " ")
    }

    proptest! {
        #[test]
        fn the_fast_way_is_the_slow_way(line in r"[ \ta-zA-Z0-9*\-.,é中\u{a0}]{0,60}") {
            let mut normaliser = Normaliser::default();
            let normal = normaliser.line(line.as_bytes());
            let slow = slowly(&line);
            prop_assert_eq!(normal.text, &slow);
            let trivial = slow.chars().count() < TRIVIAL_BELOW || !slow.chars().any(char::is_alphabetic);
            prop_assert_eq!(normal.trivial, trivial);
        }

        #[test]
        fn normalising_twice_changes_nothing(line in any::<String>()) {
            let (mut one, mut two) = (Normaliser::default(), Normaliser::default());
            let once = one.text(&line);
            prop_assert_eq!(two.text(once.text).text, once.text);
        }

        #[test]
        fn any_bytes_are_a_line(line in proptest::collection::vec(any::<u8>(), 0..80)) {
            Normaliser::default().line(&line);
        }
    }
}
