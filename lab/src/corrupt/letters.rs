//! OCR errors (Vladimir et al., section 3.1): inserted spaces, inserted characters, characters replaced by one or two others, and two characters
//! merged into one.
//!
//! The paper prints no distribution; it only states that spaces are the most common error. [`WEIGHTS`] and the tables are ours.

use crate::experiments::SampleRandom;

/// A kind of OCR error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LetterError {
    /// A space is inserted before the character.
    Space,
    /// Another character is inserted before it.
    Insertion,
    /// It is replaced by another character.
    Replacement,
    /// It is replaced by two others.
    Split,
    /// It and the next character are replaced by one.
    Merge,
}

/// Percentage of each kind of error.
const WEIGHTS: [(LetterError, usize); 5] = [
    (LetterError::Space, 30),
    (LetterError::Insertion, 10),
    (LetterError::Replacement, 30),
    (LetterError::Split, 15),
    (LetterError::Merge, 15),
];

/// Two characters, and the one they resemble.
const MERGES: [(&str, char); 14] = [
    ("rn", 'm'),
    ("nn", 'm'),
    ("in", 'm'),
    ("ni", 'm'),
    ("ri", 'n'),
    ("ii", 'u'),
    ("li", 'h'),
    ("lc", 'k'),
    ("lo", 'b'),
    ("cl", 'd'),
    ("vv", 'w'),
    ("fl", 'A'),
    ("lJ", 'U'),
    ("IV", 'N'),
];

/// Groups of characters that resemble one another.
const SIMILAR: [&str; 14] = [
    "ceo", "il1tj!", "hbk", "nuv", "sS5", "O0QD", "B8", "gq9y", "ft", "ai", "rf", ".,", ";:", "TJ",
];

/// Number of positions at which an error can occur.
pub(super) fn places(text: &str) -> usize {
    text.chars().filter(|char| !char.is_whitespace()).count()
}

/// OCR errors spread uniformly over the positions of a text that arrives in pieces.
#[derive(Clone, Debug)]
pub(super) struct LetterErrors {
    wanted: usize,
    made: usize,
    /// Positions not reached yet.
    left: usize,
}

impl LetterErrors {
    /// Makes `wanted` errors in a text of `places` positions, at most one per position.
    pub fn new(wanted: usize, places: usize) -> LetterErrors {
        LetterErrors {
            wanted,
            made: 0,
            left: places,
        }
    }

    /// Number of errors made so far.
    pub fn made(&self) -> usize {
        self.made
    }

    /// Appends the next piece of the text, with its errors.
    pub fn push(&mut self, out: &mut String, piece: &str, random: &mut SampleRandom) {
        if self.made == self.wanted {
            out.push_str(piece);
            return;
        }
        let mut chars = piece.chars().peekable();
        let mut in_word = out.chars().next_back().is_some_and(is_ink);
        while let Some(char) = chars.next() {
            let chosen = is_ink(char) && self.takes_error(random);
            if !chosen {
                out.push(char);
                in_word = is_ink(char);
                continue;
            }
            self.made += 1;
            let neighbour = chars.peek().copied().filter(|next| is_ink(*next));
            match (kind(random), neighbour) {
                (LetterError::Space, _) if in_word => out.extend([' ', char]),
                (LetterError::Space, Some(_)) => {
                    out.extend([char, ' ']);
                    in_word = false;
                    continue;
                }
                (LetterError::Insertion, _) => out.extend([other(piece, char, random), char]),
                (LetterError::Split, _) => match split(char, random) {
                    Some(two) => out.push_str(two),
                    None => out.extend([other(piece, char, random), other(piece, char, random)]),
                },
                // A merge uses up two positions; enough must be left for the remaining errors.
                (LetterError::Merge, Some(next)) if self.left > self.wanted - self.made => {
                    chars.next();
                    self.left = self.left.saturating_sub(1);
                    out.push(merged(char, next).unwrap_or_else(|| other(piece, char, random)));
                }
                // Also used instead of a space next to white space, and of a merge without a next character.
                _ => {
                    out.push(lookalike(char, random).unwrap_or_else(|| other(piece, char, random)))
                }
            }
            in_word = true;
        }
    }

    /// Whether the next position gets an error. Every choice of positions is equally likely.
    fn takes_error(&mut self, random: &mut SampleRandom) -> bool {
        let chosen = random.below(self.left.max(1)) < self.wanted - self.made;
        self.left = self.left.saturating_sub(1);
        chosen && self.made < self.wanted
    }
}

fn is_ink(char: char) -> bool {
    !char.is_whitespace()
}

fn kind(random: &mut SampleRandom) -> LetterError {
    let mut at = random.below(100);
    for (kind, weight) in WEIGHTS {
        if at < weight {
            return kind;
        }
        at -= weight;
    }
    LetterError::Replacement
}

fn merged(first: char, second: char) -> Option<char> {
    let found = MERGES
        .iter()
        .find(|(pair, _)| pair.chars().eq([first, second]));
    found.map(|(_, one)| *one)
}

fn split(char: char, random: &mut SampleRandom) -> Option<&'static str> {
    let found = || MERGES.iter().filter(|(_, one)| *one == char);
    let count = found().count();
    let place = random.below(count.max(1));
    found().nth(place).map(|(pair, _)| *pair)
}

fn lookalike(char: char, random: &mut SampleRandom) -> Option<char> {
    let group = SIMILAR.iter().find(|group| group.contains(char))?;
    let others = || group.chars().filter(|other| *other != char);
    let place = random.below(others().count());
    others().nth(place)
}

/// Returns a random character of the text that differs from `than` ignoring case, or a letter if a few tries find none.
fn other(text: &str, than: char, random: &mut SampleRandom) -> char {
    let differs = |char: &char| is_ink(*char) && !char.to_lowercase().eq(than.to_lowercase());
    for _ in 0..8 {
        let mut at = random.below(text.len().max(1));
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        if let Some(char) = text[at..].chars().next().filter(differs) {
            return char;
        }
    }
    if than.eq_ignore_ascii_case(&'e') {
        'o'
    } else {
        'e'
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_errors(text: &str, wanted: usize, seed: u64) -> (String, usize) {
        let mut errors = LetterErrors::new(wanted, places(text));
        let mut out = String::new();
        errors.push(&mut out, text, &mut SampleRandom::new(seed));
        (out, errors.made())
    }

    #[test]
    fn kinds_come_as_often_as_their_weights_say() {
        assert_eq!(WEIGHTS.iter().map(|(_, weight)| weight).sum::<usize>(), 100);
        let mut random = SampleRandom::new(1);
        let drawn: Vec<LetterError> = (0..10_000).map(|_| kind(&mut random)).collect();
        for (kind, weight) in WEIGHTS {
            let count = drawn.iter().filter(|drawn| **drawn == kind).count();
            // The tolerance is six standard deviations.
            assert!(count.abs_diff(weight * 100) < 300, "{kind:?}: {count}");
        }
    }

    #[test]
    fn what_looks_alike_is_taken_for_one_another() {
        assert_eq!(merged('r', 'n'), Some('m'));
        assert_eq!(merged('o', 'r'), None);
        let mut random = SampleRandom::new(2);
        for _ in 0..50 {
            let two = split('m', &mut random).unwrap();
            assert_eq!(
                merged(two.chars().next().unwrap(), two.chars().nth(1).unwrap()),
                Some('m')
            );
            assert!("co".contains(lookalike('e', &mut random).unwrap()));
        }
        assert_eq!(split('漢', &mut random), None);
        assert_eq!(lookalike('漢', &mut random), None);
    }

    #[test]
    fn another_character_is_another() {
        let mut random = SampleRandom::new(3);
        for (text, than) in [
            ("aaaa", 'a'),
            ("", 'e'),
            ("Eeee", 'e'),
            ("漢字", '漢'),
            (" \n", 'x'),
        ] {
            for _ in 0..20 {
                let found = other(text, than, &mut random);
                assert!(
                    is_ink(found) && found.to_ascii_lowercase() != than,
                    "{text}: {found}"
                );
            }
        }
    }

    #[test]
    fn every_place_may_be_hit_and_none_is_hit_twice() {
        let text = "the immortality of the soul ".repeat(40);
        let all = places(&text);
        for wanted in [0, 1, 7, all / 2] {
            // A merge uses up two positions, so the last error may find none; half as many errors as positions always fit.
            assert_eq!(with_errors(&text, wanted, 4).1, wanted);
        }
        assert_eq!(with_errors(&text, 0, 4).0, text);
        assert!(with_errors(&text, usize::MAX, 4).1 <= all);
        // The first and last positions are equally likely.
        let first = |seed| {
            with_errors(&text, 1, seed)
                .0
                .starts_with(&text[..text.len() / 2])
        };
        let late = (0..400).filter(|seed| first(*seed)).count();
        assert!(late.abs_diff(200) < 60, "{late}");
    }
}
