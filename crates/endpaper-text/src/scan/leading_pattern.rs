//! Regular expressions for the opening of a line, after stars, brackets and blanks.
//!
//! Nearly no line matches, and its first letters usually show that: the prefixes that a match can begin with are
//! extracted from the expression itself.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use regex::Regex;
use regex_syntax::hir::literal::{Extractor, Literal};

/// Longest prefix, in bytes, that is compared before the expression is run.
const LETTERS: usize = 8;

/// An expression that matches at the beginning of a line, after any characters that are neither letters nor digits.
#[derive(Debug)]
pub(super) struct LeadingPattern {
    expression: Regex,
    /// The prefixes of all matches; `None` if a match may begin with anything.
    prefixes: Option<LeadingPrefixes>,
}

impl LeadingPattern {
    /// Compiles a lower-case expression; it ignores case. `None` if it is invalid.
    pub fn new(expression: &str) -> Option<LeadingPattern> {
        let hir = regex_syntax::parse(expression).ok()?;
        let mut extractor = Extractor::new();
        extractor.limit_literal_len(LETTERS).limit_total(4096);
        let literals = extractor.extract(&hir);
        let literals = literals.literals();
        Some(LeadingPattern {
            expression: Regex::new(&format!(r"(?i)^[\W_]*(?:{expression})")).ok()?,
            prefixes: literals
                .and_then(|all| LeadingPrefixes::new(all.iter().map(Literal::as_bytes))),
        })
    }

    /// Whether the line opens with a match.
    pub fn matches(&self, line: &str) -> bool {
        self.may_match(line) && self.expression.is_match(line)
    }

    /// Whether a line may match, judging by its first letters.
    pub fn may_match(&self, line: &str) -> bool {
        let Some(prefixes) = &self.prefixes else {
            return true;
        };
        let opening = match line.as_bytes() {
            // Most lines are rejected here.
            [first, second, ..]
                if first.is_ascii_alphanumeric()
                    && second.is_ascii()
                    && !prefixes.allow(*first, *second) =>
            {
                return false;
            }
            [first, ..] if first.is_ascii_alphanumeric() => line,
            _ => line.trim_start_matches(|c: char| !c.is_alphanumeric()),
        };
        let bytes = opening.as_bytes();
        prefixes.begin(&bytes[..bytes.len().min(LETTERS)])
    }
}

/// A lower-case prefix, in a number that is compared with the first letters of a line at once.
#[derive(Clone, Copy, Debug)]
struct Prefix {
    bytes: u64,
    /// The bytes that it has.
    mask: u64,
}

impl Prefix {
    /// The first [`LETTERS`] bytes.
    fn new(prefix: &[u8]) -> Prefix {
        let mut mask = [0; LETTERS];
        mask[..prefix.len().min(LETTERS)].fill(u8::MAX);
        Prefix {
            bytes: as_number(prefix),
            mask: u64::from_le_bytes(mask),
        }
    }
}

/// The first [`LETTERS`] bytes in lower case, followed by zeros.
fn as_number(letters: &[u8]) -> u64 {
    let mut bytes = [0; LETTERS];
    let length = letters.len().min(LETTERS);
    bytes[..length].copy_from_slice(&letters[..length]);
    u64::from_le_bytes(bytes.map(|byte| byte.to_ascii_lowercase()))
}

/// Lower-case prefixes of matches. Some may have one letter only.
#[derive(Debug)]
struct LeadingPrefixes {
    /// A bit for each pair of bytes that a prefix begins with.
    pairs: Vec<u64>,
    /// The prefixes that begin with a pair of bytes, or consist of its first byte. None is a prefix of another.
    by_pair: HashMap<(u8, u8), Vec<Prefix>, FixedState>,
}

impl LeadingPrefixes {
    /// `None` if a literal does not begin with ASCII.
    fn new<'a>(literals: impl Iterator<Item = &'a [u8]>) -> Option<LeadingPrefixes> {
        let mut all = Vec::new();
        for literal in literals {
            // Only the leading ASCII part is used: outside ASCII, case is more than one bit.
            let ascii = literal.split(|byte| !byte.is_ascii()).next()?;
            all.push(ascii.to_ascii_lowercase());
        }
        all.sort_unstable();
        // After sorting, a literal is directly followed by those that begin with it.
        all.dedup_by(|next, kept| next.starts_with(kept));
        let mut prefixes = LeadingPrefixes {
            pairs: vec![0; 1 << 10],
            by_pair: HashMap::default(),
        };
        for prefix in &all {
            let first = *prefix.first()?;
            match prefix.get(1) {
                Some(&second) => prefixes.add(first, second, prefix),
                None => (0..=u8::MAX).for_each(|second| prefixes.add(first, second, prefix)),
            }
        }
        Some(prefixes)
    }

    /// Adds a prefix by its first two bytes.
    fn add(&mut self, first: u8, second: u8, prefix: &[u8]) {
        let pair = usize::from(first) << 8 | usize::from(second);
        self.pairs[pair / 64] |= 1 << (pair % 64);
        let prefixes = self.by_pair.entry((first, second)).or_default();
        prefixes.push(Prefix::new(prefix));
    }

    /// Whether a prefix may begin with these two bytes, in any case.
    fn allow(&self, first: u8, second: u8) -> bool {
        let (first, second) = (first.to_ascii_lowercase(), second.to_ascii_lowercase());
        let pair = usize::from(first) << 8 | usize::from(second);
        self.pairs[pair / 64] >> (pair % 64) & 1 != 0
    }

    /// Whether `letters` begin with a prefix, in any case.
    fn begin(&self, letters: &[u8]) -> bool {
        let at = |index: usize| letters.get(index).map_or(0, u8::to_ascii_lowercase);
        let (first, second) = (at(0), at(1));
        if self.allow(first, second) {
            let line = as_number(letters);
            let mut candidates = self.by_pair.get(&(first, second)).into_iter().flatten();
            if candidates.any(|prefix| line & prefix.mask == prefix.bytes) {
                return true;
            }
        }
        // Two letters outside ASCII match `s` and `k` when case is ignored.
        !letters.is_ascii()
            && LONG_S_AND_KELVIN
                .iter()
                .any(|letter| holds(letters, letter))
    }
}

const LONG_S_AND_KELVIN: [&[u8]; 2] = ["\u{17f}".as_bytes(), "\u{212a}".as_bytes()];

/// Whether the bytes contain `part`.
fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const EXPRESSION: &str =
        r"(?:this )?e-?text was|produced (?:\w+ ){0,2}by|\[? ?errata|pr[éa]par|x";

    proptest! {
        #[test]
        fn the_first_letters_never_hide_a_match(
            line in r#"["*_ \[“é]{0,3}(this |This |thiſ )?(e-text was|ETEXT WAS|etxt|produced by|Produced xy by|[Ee]rrata|préparé|PRÉPAR|prapar|x|no)[a-z ]{0,9}"#,
        ) {
            let opener = LeadingPattern::new(EXPRESSION).expect("an expression");
            let expected = Regex::new(&format!(r"(?i)^[\W_]*(?:{EXPRESSION})")).unwrap().is_match(&line);
            prop_assert_eq!(opener.matches(&line), expected);
        }
    }

    #[test]
    fn most_lines_are_told_by_their_first_letters() {
        let opener = LeadingPattern::new(EXPRESSION).expect("an expression");
        assert!(opener.may_match("  This etext was"));
        assert!(opener.may_match("[Errata]"));
        assert!(opener.may_match("“Produced by"));
        for line in [
            "It was a dark night",
            "*** START",
            "this and that",
            "",
            "***",
        ] {
            assert!(!opener.may_match(line), "{line}");
        }
    }

    #[test]
    fn no_prefix_begins_with_another() {
        let opener = LeadingPattern::new("a|ab|abc|xyz|xy\\w").expect("an expression");
        let prefixes = opener.prefixes.expect("it has prefixes");
        let mut all: Vec<u64> = prefixes
            .by_pair
            .values()
            .flatten()
            .map(|p| p.bytes)
            .collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(
            all,
            [b"a\0\0\0\0\0\0\0", b"xy\0\0\0\0\0\0"].map(|bytes| u64::from_le_bytes(*bytes))
        );
    }

    #[test]
    fn an_expression_that_can_begin_with_anything_is_always_asked() {
        let opener = LeadingPattern::new(r"\w+ly made").expect("an expression");
        assert!(opener.matches("newly made"));
        assert!(!opener.matches("made"));
    }
}
