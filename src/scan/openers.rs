//! An expression for how a line opens, behind stars, brackets and blanks.
//!
//! Nearly every line is none of what the expressions look for, and its first two bytes say so: which ones an expression
//! can begin with is read from the expression itself.

use regex::Regex;
use regex_syntax::hir::literal::Extractor;

/// An expression that holds at the beginning of a line, behind whatever is no letter and no digit.
#[derive(Debug)]
pub(super) struct Opener {
    expression: Regex,
    /// A bit for each pair of bytes that a match can begin with.
    pairs: Vec<u64>,
}

impl Opener {
    /// From an expression; case and white space in it mean nothing. `None` if it is none.
    pub fn new(expression: &str) -> Option<Opener> {
        let opening = format!("(?ix)(?:{expression})");
        let hir = regex_syntax::parse(&opening).ok()?;
        let mut extractor = Extractor::new();
        extractor.limit_literal_len(2).limit_total(4096);
        let mut pairs = vec![0; 1 << 10];
        match extractor.extract(&hir).literals() {
            Some(literals) => {
                for literal in literals {
                    match literal.as_bytes() {
                        [first, second, ..] => allow(&mut pairs, *first, *second),
                        [first] => {
                            (0..=u8::MAX).for_each(|second| allow(&mut pairs, *first, second))
                        }
                        [] => pairs.fill(u64::MAX),
                    }
                }
            }
            // It can begin with anything.
            None => pairs.fill(u64::MAX),
        }
        Some(Opener {
            expression: Regex::new(&format!(r"^[\W_]*{opening}")).ok()?,
            pairs,
        })
    }

    /// Whether the line opens so.
    pub fn opens(&self, line: &str) -> bool {
        self.can_open(line) && self.expression.is_match(line)
    }

    fn can_open(&self, line: &str) -> bool {
        let is_opening = |c: char| c.is_alphanumeric() || !(c.is_ascii() || c == '_');
        let opening = match line.as_bytes() {
            [first, ..] if first.is_ascii_alphanumeric() => line,
            _ => line.trim_start_matches(|c| !is_opening(c)),
        };
        match opening.as_bytes() {
            // What is not ASCII may be skipped by the expression or not.
            [0x80..=0xFF, ..] => true,
            [first, second, ..] => {
                let pair = usize::from(*first) << 8 | usize::from(*second);
                self.pairs[pair / 64] >> (pair % 64) & 1 != 0
            }
            // A match can be that short, for all that is known.
            _ => true,
        }
    }
}

fn allow(pairs: &mut [u64], first: u8, second: u8) {
    let pair = usize::from(first) << 8 | usize::from(second);
    pairs[pair / 64] |= 1 << (pair % 64);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const EXPRESSION: &str =
        r"(?:this\ )?e-?text\ was | produced\ (?:\w+\ ){0,2}by | \[?\ ?errata | à\ la | x";

    proptest! {
        #[test]
        fn the_first_bytes_never_hide_a_match(
            line in r#"["*_ \[“é]{0,3}(this |This )?(e-text was|ETEXT WAS|etxt|produced by|Produced xy by|errata|à la|x|no)[a-z ]{0,9}"#,
        ) {
            let opener = Opener::new(EXPRESSION).expect("an expression");
            let expected = Regex::new(&format!(r"(?ix)^[\W_]*(?:{EXPRESSION})")).unwrap().is_match(&line);
            prop_assert_eq!(opener.opens(&line), expected);
        }
    }

    #[test]
    fn most_lines_are_told_by_their_first_bytes() {
        let opener = Opener::new(EXPRESSION).expect("an expression");
        assert!(opener.can_open("  This etext was"));
        assert!(opener.can_open("[Errata]"));
        assert!(!opener.can_open("It was a dark night"));
        assert!(!opener.can_open("*** START"));
    }
}
