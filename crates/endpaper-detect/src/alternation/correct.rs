//! Correct strings made from delimiters, and how far a range string agrees with them (section 4.1).

use std::iter::Sum;
use std::ops::{AddAssign, Range};

use super::fold::is_space;

/// A pair of delimiters: text from a left one to the next right one is useful, such as a headline or the body of an
/// article.
///
/// ```
/// use endpaper_detect::alternation::{Delimiters, correct_ranges};
///
/// let body = Delimiters::new("<!-- start -->", "<!-- end -->");
/// let found = correct_ranges("<h1>Rain</h1><!-- start -->It rains.<!-- end -->", &[&body]);
/// assert_eq!(found, [27..36]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Delimiters {
    left: String,
    right: String,
}

impl Delimiters {
    /// A pair of delimiters; white space is folded as in documents.
    pub fn new(left: &str, right: &str) -> Delimiters {
        let [left, right] = [left, right].map(folded);
        Delimiters { left, right }
    }

    /// The left delimiter, folded.
    pub fn left(&self) -> &str {
        &self.left
    }

    /// The right delimiter, folded.
    pub fn right(&self) -> &str {
        &self.right
    }

    /// The ranges, in bytes of folded text, from each left delimiter to the next right one.
    ///
    /// A left delimiter within such a range adds nothing, nor does one that no right delimiter follows, nor an empty
    /// delimiter.
    pub fn find(&self, text: &str) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        if self.left.is_empty() || self.right.is_empty() {
            return found;
        }
        let mut at = 0;
        while let Some(left) = text[at..].find(&self.left) {
            let start = at + left + self.left.len();
            let Some(len) = text[start..].find(&self.right) else {
                break;
            };
            found.push(start..start + len);
            // The right delimiter may be the next left one.
            at = start + len;
        }
        found
    }
}

/// The ranges of 1 in the correct string of folded text, in bytes: the union of what the pairs find, ascending and with
/// gaps between them.
pub fn correct_ranges(text: &str, pairs: &[&Delimiters]) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = pairs.iter().flat_map(|pair| pair.find(text)).collect();
    all.sort_unstable_by_key(|range| (range.start, range.end));
    let mut united: Vec<Range<usize>> = Vec::new();
    for range in all.into_iter().filter(|range| !range.is_empty()) {
        match united.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => united.push(range),
        }
    }
    united
}

/// Numbers of letters by their values in a correct string c and a range string r.
///
/// Counts of documents add up to those of a site, and these to those of a set, as in Table 1: a total is not the mean
/// of its sites.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LetterAgreement {
    /// All letters, \|r\|.
    pub letters: u64,
    /// Letters that are 1 in c.
    pub correct: u64,
    /// Letters that are 1 in r.
    pub useful: u64,
    /// Letters that are 1 in both.
    pub both: u64,
}

impl LetterAgreement {
    /// Counts the letters of folded text, given the ranges of 1 in both strings: in bytes, ascending, disjoint, at
    /// character boundaries.
    pub fn of(text: &str, correct: &[Range<usize>], useful: &[Range<usize>]) -> LetterAgreement {
        let letters = |ranges: &mut dyn Iterator<Item = Range<usize>>| -> u64 {
            let each = ranges.map(|range| text[range].chars().count() as u64);
            each.sum()
        };
        let mut both = Vec::new();
        let (mut c, mut r) = (0, 0);
        while let (Some(one), Some(other)) = (correct.get(c), useful.get(r)) {
            let (start, end) = (one.start.max(other.start), one.end.min(other.end));
            if start < end {
                both.push(start..end);
            }
            if one.end <= other.end {
                c += 1;
            } else {
                r += 1;
            }
        }
        LetterAgreement {
            letters: text.chars().count() as u64,
            correct: letters(&mut correct.iter().cloned()),
            useful: letters(&mut useful.iter().cloned()),
            both: letters(&mut both.into_iter()),
        }
    }

    /// Letters with the same value in both strings.
    pub fn agreeing(&self) -> u64 {
        // Letters that are 1 in only one string disagree.
        self.letters + 2 * self.both - self.correct - self.useful
    }

    /// Share of letters that agree; `None` without letters.
    pub fn accuracy(&self) -> Option<f64> {
        share(self.agreeing(), self.letters)
    }

    /// Share of the correct letters that are found; `None` without correct letters.
    pub fn recall(&self) -> Option<f64> {
        share(self.both, self.correct)
    }

    /// Share of the found letters that are correct; `None` without found letters.
    pub fn precision(&self) -> Option<f64> {
        share(self.both, self.useful)
    }
}

impl AddAssign for LetterAgreement {
    fn add_assign(&mut self, other: LetterAgreement) {
        self.letters += other.letters;
        self.correct += other.correct;
        self.useful += other.useful;
        self.both += other.both;
    }
}

impl Sum for LetterAgreement {
    fn sum<I: Iterator<Item = LetterAgreement>>(all: I) -> LetterAgreement {
        let mut sum = LetterAgreement::default();
        all.for_each(|one| sum += one);
        sum
    }
}

/// `part / whole`; `None` if `whole` is 0.
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Folds each run of white space to one space.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut in_space = false;
    for c in text.chars() {
        let space = is_space(c);
        if !(space && in_space) {
            folded.push(if space { ' ' } else { c });
        }
        in_space = space;
    }
    folded
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The ranges of 1 in a binary string over a text.
    fn ones(text: &str, string: &str) -> Vec<Range<usize>> {
        let letters = text.char_indices().zip(string.chars());
        let ones = letters.filter(|(_, bit)| *bit == '1');
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for ((at, c), _) in ones {
            let end = at + c.len_utf8();
            match ranges.last_mut() {
                Some(last) if last.end == at => last.end = end,
                _ => ranges.push(at..end),
            }
        }
        ranges
    }

    fn string(text: &str, ranges: &[Range<usize>]) -> String {
        let bit = |at| ranges.iter().any(|range| range.contains(&at));
        let bits = text
            .char_indices()
            .map(|(at, _)| if bit(at) { '1' } else { '0' });
        bits.collect()
    }

    /// A text, pairs of delimiters, and the correct string.
    type Case = (
        &'static str,
        &'static [(&'static str, &'static str)],
        &'static str,
    );

    #[test]
    fn what_stands_between_delimiters_is_correct() {
        let table: &[Case] = &[
            // The paper's string, with the delimiters c and b.
            ("accbaacbc", &[("c", "b")], "001000000"),
            ("accbaacbc", &[("ac", "b")], "001000000"),
            ("accbaacbc", &[("b", "b")], "000011100"),
            ("accbaacbc", &[], "000000000"),
            ("accbaacbc", &[("x", "b"), ("b", "x")], "000000000"),
            ("accbaacbc", &[("", "b"), ("b", "")], "000000000"),
            // The shortest match; the next one begins where this one ends.
            ("<1>2>3<4>5", &[("<", ">")], "0100000100"),
            ("a|b|c|d", &[("|", "|")], "0010100"),
            // A left delimiter within a match is part of it.
            ("((x)y)", &[("(", ")")], "011000"),
            // An empty match, and a left delimiter without a right one.
            ("<><", &[("<", ">")], "000"),
            // Matches of several pairs are united.
            ("[a{b]c}d", &[("[", "]"), ("{", "}")], "01111100"),
            ("[a][b]", &[("[", "]"), ("a", "b")], "011110"),
            (
                "\u{300c}\u{65e5}\u{672c}\u{300d}",
                &[("\u{300c}", "\u{300d}")],
                "0110",
            ),
        ];
        for (text, pairs, expected) in table {
            let pairs: Vec<Delimiters> = pairs
                .iter()
                .map(|(left, right)| Delimiters::new(left, right))
                .collect();
            let found = correct_ranges(text, &pairs.iter().collect::<Vec<_>>());
            assert_eq!(string(text, &found), *expected, "{text} {pairs:?}");
        }
    }

    #[test]
    fn delimiters_are_folded_as_documents_are() {
        let pair = Delimiters::new("<p>\r\n\t", " \n</p>");
        assert_eq!((pair.left(), pair.right()), ("<p> ", " </p>"));
        let found = pair.find("<p> one </p>").into_iter();
        assert!(found.eq(std::iter::once(4..7)));
    }

    #[test]
    fn figures_are_those_of_the_definition() {
        // The range string of the paper's example, against several correct strings.
        let table = [
            ("110001001", 9, Some(1.0), Some(1.0)),
            ("001110110", 0, Some(0.0), Some(0.0)),
            ("111111111", 4, Some(4.0 / 9.0), Some(1.0)),
            ("000000000", 5, None, Some(0.0)),
            ("100000011", 6, Some(2.0 / 3.0), Some(0.5)),
        ];
        let text = "accbaacbc";
        let useful = ones(text, "110001001");
        for (c, agreeing, recall, precision) in table {
            let found = LetterAgreement::of(text, &ones(text, c), &useful);
            assert_eq!(found.letters, 9);
            assert_eq!(found.agreeing(), agreeing, "{c}");
            assert_eq!(found.accuracy(), Some(agreeing as f64 / 9.0), "{c}");
            assert_eq!(
                (found.recall(), found.precision()),
                (recall, precision),
                "{c}"
            );
        }
        let nothing = LetterAgreement::of("", &[], &[]);
        assert_eq!(
            (nothing.accuracy(), nothing.recall(), nothing.precision()),
            (None, None, None)
        );
    }

    #[test]
    fn totals_come_from_sums_and_are_no_means() {
        let one = LetterAgreement {
            letters: 10,
            correct: 1,
            useful: 1,
            both: 1,
        };
        let other = LetterAgreement {
            letters: 990,
            correct: 300,
            useful: 100,
            both: 99,
        };
        let total: LetterAgreement = [one, other].into_iter().sum();
        assert_eq!(total.recall(), Some(100.0 / 301.0));
        assert_eq!(total.precision(), Some(100.0 / 101.0));
        assert_eq!(total.accuracy(), Some(798.0 / 1000.0));
    }

    proptest! {
        /// Compares the counts with the definition, letter by letter.
        #[test]
        fn letters_are_counted_as_defined(pairs in proptest::collection::vec(("[ab\u{65e5}]", any::<bool>(), any::<bool>()), 0..40)) {
            let text: String = pairs.iter().map(|pair| pair.0.as_str()).collect();
            let bits = |which: fn(&(String, bool, bool)) -> bool| -> String {
                pairs.iter().map(|pair| if which(pair) { '1' } else { '0' }).collect()
            };
            let (c, r) = (bits(|pair| pair.1), bits(|pair| pair.2));
            let found = LetterAgreement::of(&text, &ones(&text, &c), &ones(&text, &r));
            let count = |which: fn(&(String, bool, bool)) -> bool| pairs.iter().filter(|pair| which(pair)).count() as u64;
            prop_assert_eq!(found, LetterAgreement {
                letters: pairs.len() as u64,
                correct: count(|pair| pair.1),
                useful: count(|pair| pair.2),
                both: count(|pair| pair.1 && pair.2),
            });
            prop_assert_eq!(found.agreeing(), count(|pair| pair.1 == pair.2));
        }
    }
}
