//! Forms that similar lines by different producers share: the skeleton and the opening.

use unicode_width::UnicodeWidthChar;

/// The skeleton of a normalised line: its text with names, numbers and addresses replaced.
///
/// Words are lower-cased; a run of words that begin with an upper-case letter (but for the first word of the line)
/// becomes `X`, a word with a digit `0`, a word with `@` or `://` or starting `www.` becomes `@`. `Produced by David
/// Widger` and `Produced by Juliet Sutherland` have one skeleton, `produced by X`.
///
/// A line that begins in a script without spaces keeps its text, but for its numbers: there are no words in it to tell
/// names from.
pub fn skeleton(normalised: &str) -> String {
    if starts_wide(normalised) {
        return without_numbers(normalised);
    }
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

/// The text with every run of digits replaced by `0`.
fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_number = false;
    for c in text.chars() {
        let is_digit = c.is_numeric();
        match (is_digit, in_number) {
            (false, _) => out.push(c),
            (true, false) => out.push('0'),
            (true, true) => {}
        }
        in_number = is_digit;
    }
    out
}

/// Whether the first character is wide and of a script that is written without spaces, which Hangul is not: such a
/// character says about as much as a word.
fn starts_wide(text: &str) -> bool {
    let is_wide = |c: char| c.width() == Some(2) && !('\u{ac00}'..='\u{d7af}').contains(&c);
    text.chars().next().is_some_and(is_wide)
}

/// The first three words of a normalised line, lower-cased; of a script without spaces, the first three characters.
pub fn opening(normalised: &str) -> String {
    if starts_wide(normalised) {
        return normalised.chars().take(3).collect();
    }
    let mut out = String::new();
    for (index, word) in normalised.split(' ').take(3).enumerate() {
        if index > 0 {
            out.push(' ');
        }
        out.extend(word.chars().flat_map(char::to_lowercase));
    }
    out
}

/// Hashes the forms of lines one after another, without allocating for each line.
///
/// ```
/// use endpaper_text::line::FormHasher;
/// let mut forms = FormHasher::default();
/// let (one, _) = forms.half_keys("Produced by David Widger");
/// let (other, opening) = forms.half_keys("Produced by Juliet Sutherland");
/// assert_eq!(one, other);
/// assert_ne!(one, opening);
/// ```
#[derive(Clone, Debug, Default)]
pub struct FormHasher {
    lower: Vec<u8>,
    skeleton: Vec<u8>,
}

impl FormHasher {
    /// 32-bit hashes of the [`skeleton`] and of the [`opening`] of a normalised line.
    pub fn half_keys(&mut self, normalised: &str) -> (u32, u32) {
        if !normalised.is_ascii() {
            let half = |form: String| half_hash(form.as_bytes());
            return (half(skeleton(normalised)), half(opening(normalised)));
        }
        let line = normalised.as_bytes();
        self.lower.clear();
        self.lower.extend_from_slice(line);
        self.lower.make_ascii_lowercase();
        let mut spaces = line.iter().enumerate().filter(|(_, byte)| **byte == b' ');
        let third = spaces.nth(2).map_or(line.len(), |(at, _)| at);
        let opening = half_hash(&self.lower[..third]);
        if !may_change(line) {
            return (half_hash(&self.lower), opening);
        }
        self.skeleton.clear();
        // Literal text is copied in one piece.
        let (mut taken, mut start, mut after_name) = (0, 0, false);
        while start < line.len() {
            let (length, holds) = word(&line[start..]);
            let end = start + length;
            let form = placeholder(&line[start..end], holds, start > 0);
            let is_name = form == Some(b'X');
            if let Some(form) = form {
                // Consecutive names become one placeholder, without the spaces between them.
                if !(is_name && after_name) {
                    self.skeleton.extend_from_slice(&self.lower[taken..start]);
                    self.skeleton.push(form);
                }
                taken = end;
            }
            after_name = is_name;
            start = end + 1;
        }
        self.skeleton.extend_from_slice(&self.lower[taken..]);
        (half_hash(&self.skeleton), opening)
    }
}

const UPPER: u8 = 1;
const DIGIT: u8 = 2;
const AT: u8 = 4;
const COLON: u8 = 8;
const W: u8 = 16;
const SPACE: u8 = 32;

/// Flags of the bytes that may make a word a name, a number or an address.
const BYTE_FLAGS: [u8; 256] = {
    let mut distinctive = [0; 256];
    let mut at = 0;
    while at < 256 {
        distinctive[at] = match at as u8 {
            b'A'..=b'Z' => UPPER,
            b'0'..=b'9' => DIGIT,
            b'@' => AT,
            b':' => COLON,
            b'w' => W,
            b' ' => SPACE,
            _ => 0,
        };
        at += 1;
    }
    distinctive
};

/// The length of the first word of a line, and the flags of all its bytes.
fn word(line: &[u8]) -> (usize, u8) {
    let mut holds = 0;
    for (at, &byte) in line.iter().enumerate() {
        let distinctive = BYTE_FLAGS[usize::from(byte)];
        if distinctive == SPACE {
            return (at, holds);
        }
        holds |= distinctive;
    }
    (line.len(), holds)
}

/// Whether an ASCII line may contain a name, a number or an address: a cheap check before splitting it into words.
fn may_change(line: &[u8]) -> bool {
    let inside = line.get(1..).unwrap_or_default();
    let name = inside
        .iter()
        .fold(false, |any, byte| any | byte.is_ascii_uppercase());
    let other = line.iter().fold(false, |any, &byte| {
        any | byte.is_ascii_digit() | (byte == b'@') | (byte == b':')
    });
    let web = line
        .iter()
        .zip(inside)
        .fold(false, |any, (&a, &b)| any | ((a == b'w') & (b == b'w')));
    name | other | web
}

/// The placeholder for an ASCII word in a skeleton, `None` if the word stays; `holds` are the flags of its bytes.
fn placeholder(word: &[u8], holds: u8, may_be_name: bool) -> Option<u8> {
    if holds == 0 {
        return None;
    }
    let bare = || {
        let first = word.iter().position(u8::is_ascii_alphanumeric);
        first.map_or(&[][..], |first| &word[first..])
    };
    let has = |what| holds & what != 0;
    if has(AT)
        || (has(COLON) && word.windows(3).any(|three| three == b"://"))
        || (has(W) && bare().starts_with(b"www."))
    {
        Some(b'@')
    } else if has(DIGIT) {
        Some(b'0')
    } else if has(UPPER) && may_be_name && bare().first().is_some_and(u8::is_ascii_uppercase) {
        Some(b'X')
    } else {
        None
    }
}

/// A 32-bit hash of a form, for uses where a collision costs little. It is the same on every machine and in every
/// version, because model files store it.
fn half_hash(form: &[u8]) -> u32 {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let fold = |state: u64, bytes: [u8; 8]| {
        let product = u128::from(state ^ u64::from_le_bytes(bytes)) * u128::from(MIX);
        product as u64 ^ (product >> 64) as u64
    };
    let (eights, rest) = form.as_chunks::<8>();
    let mut state = (form.len() as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93);
    for &eight in eights {
        state = fold(state, eight);
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    (fold(fold(state, last), [0x5a; 8]) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    #[test]
    fn halves_never_change() {
        assert_eq!(half_hash(b""), 231_025_229);
        assert_eq!(half_hash(b"produced by X"), 1_609_437_237);
    }

    proptest! {
        #[test]
        fn forms_are_hashed_as_they_are_written(
            line in r"([A-Z]?[a-zé]{0,4}[0-9@:/.,w]{0,3} ){0,8}[a-zA-Z(]{0,12}|[ -~]{0,60}|(www\.|://|@| |W|w|\(|9){0,12}",
        ) {
            let (a, b) = FormHasher::default().half_keys(&line);
            prop_assert_eq!(a, half_hash(skeleton(&line).as_bytes()));
            prop_assert_eq!(b, half_hash(opening(&line).as_bytes()));
        }
    }
}
