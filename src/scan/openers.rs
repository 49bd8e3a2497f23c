//! An expression for how a line opens, behind stars, brackets and blanks.
//!
//! Nearly every line is none of what the expressions look for, and its first letters say so: with which letters a match
//! can begin is read from the expression itself.

use regex::Regex;
use regex_syntax::hir::literal::Extractor;

/// Letters looked at before the expression is asked.
const LETTERS: usize = 6;

/// An expression that holds at the beginning of a line, behind whatever is no letter and no digit.
#[derive(Debug)]
pub(super) struct Opener {
    expression: Regex,
    /// What a match can begin with, in lower case, by its first byte; `None`: with anything.
    prefixes: Option<Vec<Vec<Box<[u8]>>>>,
}

impl Opener {
    /// From an expression in lower case; case and white space in it mean nothing. `None` if it is none.
    pub fn new(expression: &str) -> Option<Opener> {
        let hir = regex_syntax::parse(&format!("(?x)(?:{expression})")).ok()?;
        let mut extractor = Extractor::new();
        extractor.limit_literal_len(LETTERS).limit_total(4096);
        let literals = extractor.extract(&hir);
        let prefixes = literals.literals().and_then(|literals| {
            let mut prefixes = vec![Vec::new(); 128];
            for literal in literals {
                // Case means more than a bit outside ASCII.
                let ascii = literal.as_bytes().split(|byte| !byte.is_ascii()).next()?;
                let prefix = ascii.to_ascii_lowercase();
                prefixes[usize::from(*prefix.first()?)].push(prefix.into());
            }
            Some(prefixes)
        });
        Some(Opener {
            expression: Regex::new(&format!(r"(?ix)^[\W_]*(?:{expression})")).ok()?,
            prefixes,
        })
    }

    /// Whether the line opens so.
    pub fn opens(&self, line: &str) -> bool {
        self.can_open(line) && self.expression.is_match(line)
    }

    fn can_open(&self, line: &str) -> bool {
        let Some(prefixes) = &self.prefixes else {
            return true;
        };
        let is_skipped = |c: char| c.is_ascii() && !c.is_ascii_alphanumeric();
        let opening = line.trim_start_matches(is_skipped).as_bytes();
        let letters = &opening[..opening.len().min(LETTERS)];
        let Some(first) = letters.first().filter(|_| letters.is_ascii()) else {
            // What is not ASCII may be skipped by the expression, or mean an ASCII letter in another case.
            return !letters.is_empty();
        };
        let mut candidates = prefixes[usize::from(first.to_ascii_lowercase())].iter();
        candidates.any(|prefix| {
            let start = letters.get(..prefix.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(prefix))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const EXPRESSION: &str =
        r"(?:this\ )?e-?text\ was | produced\ (?:\w+\ ){0,2}by | \[?\ ?errata | pr[éa]par | x";

    proptest! {
        #[test]
        fn the_first_letters_never_hide_a_match(
            line in r#"["*_ \[“é]{0,3}(this |This )?(e-text was|ETEXT WAS|etxt|produced by|Produced xy by|[Ee]rrata|préparé|PRÉPAR|prapar|x|no)[a-z ]{0,9}"#,
        ) {
            let opener = Opener::new(EXPRESSION).expect("an expression");
            let expected = Regex::new(&format!(r"(?ix)^[\W_]*(?:{EXPRESSION})")).unwrap().is_match(&line);
            prop_assert_eq!(opener.opens(&line), expected);
        }
    }

    #[test]
    fn most_lines_are_told_by_their_first_letters() {
        let opener = Opener::new(EXPRESSION).expect("an expression");
        assert!(opener.can_open("  This etext was"));
        assert!(opener.can_open("[Errata]"));
        assert!(opener.can_open("“Produced by"));
        for line in [
            "It was a dark night",
            "*** START",
            "this and that",
            "",
            "***",
        ] {
            assert!(!opener.can_open(line), "{line}");
        }
    }

    #[test]
    fn an_expression_that_can_begin_with_anything_is_always_asked() {
        let opener = Opener::new(r"\w+ly\ made").expect("an expression");
        assert!(opener.opens("newly made"));
        assert!(!opener.opens("made"));
    }
}
