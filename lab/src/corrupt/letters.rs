//! Errors of OCR (Vladimir et al., section 3.1): inserted spaces, inserted characters, characters taken for another one or
//! for several, two characters taken for one.
//!
//! The paper's distribution is not printed, but that the space is the most common: [`WEIGHTS`] and the tables are ours.

use crate::experiments::SampleRandom;

/// What can happen to a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LetterError {
    /// A space before it.
    Space,
    /// Another character before it.
    Insertion,
    /// One other in its place.
    Replacement,
    /// Two others in its place.
    Split,
    /// One in the place of it and its neighbour.
    Merge,
}

/// How many of a hundred errors are of which kind.
const WEIGHTS: [(LetterError, usize); 5] = [
    (LetterError::Space, 30),
    (LetterError::Insertion, 10),
    (LetterError::Replacement, 30),
    (LetterError::Split, 15),
    (LetterError::Merge, 15),
];

/// Two characters, and the one that they look like.
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

/// Characters that are taken for one another.
const ALIKE: [&str; 14] = [
    "ceo", "il1tj!", "hbk", "nuv", "sS5", "O0QD", "B8", "gq9y", "ft", "ai", "rf", ".,", ";:", "TJ",
];

/// How many places for an error a text has.
pub(super) fn places(text: &str) -> usize {
    text.chars().filter(|char| !char.is_whitespace()).count()
}

/// Errors that are spread over the pieces of a text, so many in all and each place as likely as any other.
#[derive(Clone, Debug)]
pub(super) struct LetterErrors {
    wanted: usize,
    made: usize,
    /// Places that were not yet seen.
    left: usize,
}

impl LetterErrors {
    /// So many errors in a text of so many places, or as many as there are places.
    pub fn new(wanted: usize, places: usize) -> LetterErrors {
        LetterErrors {
            wanted,
            made: 0,
            left: places,
        }
    }

    /// Errors so far.
    pub fn made(&self) -> usize {
        self.made
    }

    /// Appends the next piece of the text with its errors.
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
                // It takes two places, and as many must be left as there are errors to come.
                (LetterError::Merge, Some(next)) if self.left > self.wanted - self.made => {
                    chars.next();
                    self.left = self.left.saturating_sub(1);
                    out.push(merged(char, next).unwrap_or_else(|| other(piece, char, random)));
                }
                // Also where a space would stand beside others, and where there is no neighbour.
                _ => {
                    out.push(lookalike(char, random).unwrap_or_else(|| other(piece, char, random)))
                }
            }
            in_word = true;
        }
    }

    /// Whether the next place gets an error: every choice of so many places among all is equally likely.
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
    let group = ALIKE.iter().find(|group| group.contains(char))?;
    let others = || group.chars().filter(|other| *other != char);
    let place = random.below(others().count());
    others().nth(place)
}

/// A character of a text that is not this one in either case; where a few tries find none, a letter.
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

    /// The errors of a whole text.
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
            // Six standard deviations.
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
            // Merges take two places, so that the last may not be found again; half of them leave room.
            assert_eq!(with_errors(&text, wanted, 4).1, wanted);
        }
        assert_eq!(with_errors(&text, 0, 4).0, text);
        assert!(with_errors(&text, usize::MAX, 4).1 <= all);
        // Errors at the beginning are as many as errors at the end.
        let first = |seed| {
            with_errors(&text, 1, seed)
                .0
                .starts_with(&text[..text.len() / 2])
        };
        let late = (0..400).filter(|seed| first(*seed)).count();
        assert!(late.abs_diff(200) < 60, "{late}");
    }
}
