//! ISBNs in the first pages (Wu et al., section 3.2.1), with check digits.

use std::fmt;

use serde::{Serialize, Serializer};

use super::{MetadataValue, ValueExtractor};
use crate::rows::BodyRows;

/// Pages searched for an ISBN.
const PAGES: u32 = 8;
/// Most characters between the word and the number.
const BETWEEN: usize = 12;

/// An ISBN with a valid check digit, without hyphens.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Isbn(String);

impl Isbn {
    /// Parses 10 or 13 digits, with hyphens or spaces; the last of 10 may be `X`. `None` if the check digit is wrong.
    ///
    /// ```
    /// use endpaper_outline::Isbn;
    /// assert_eq!(Isbn::new("978-1-4503-1789-4").unwrap().as_str(), "9781450317894");
    /// assert!(Isbn::new("978-1-4503-1789-5").is_none());
    /// ```
    pub fn new(text: &str) -> Option<Isbn> {
        let digits = text
            .chars()
            .filter(|c| !matches!(c, '-' | ' ' | '\u{2010}'..='\u{2013}'));
        let digits: String = digits.take(14).map(|c| c.to_ascii_uppercase()).collect();
        let right = match digits.len() {
            10 => is_valid_isbn_10(&digits),
            13 => is_valid_isbn_13(&digits),
            _ => false,
        };
        right.then_some(Isbn(digits))
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Isbn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl Serialize for Isbn {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Whether the check digit of ten digits is right.
fn is_valid_isbn_10(digits: &str) -> bool {
    let value = |(at, c): (usize, char)| match c {
        'X' if at == 9 => Some(10),
        _ => c.to_digit(10),
    };
    let values: Option<Vec<u32>> = digits.chars().enumerate().map(value).collect();
    let sum = |values: Vec<u32>| {
        values
            .iter()
            .zip((1..=10).rev())
            .map(|(value, weight)| value * weight)
            .sum::<u32>()
    };
    values.is_some_and(|values| sum(values).is_multiple_of(11))
}

/// Whether the check digit of thirteen digits is right.
fn is_valid_isbn_13(digits: &str) -> bool {
    let values: Option<Vec<u32>> = digits.chars().map(|c| c.to_digit(10)).collect();
    let sum = |values: Vec<u32>| {
        values
            .iter()
            .zip([1, 3].into_iter().cycle())
            .map(|(value, weight)| value * weight)
            .sum::<u32>()
    };
    let book = digits.starts_with("978") || digits.starts_with("979");
    book && values.is_some_and(|values| sum(values).is_multiple_of(10))
}

/// All ISBNs after the word `ISBN` in the first pages.
pub(super) fn read(rows: &BodyRows<'_>) -> Vec<MetadataValue<Isbn>> {
    let mut found: Vec<MetadataValue<Isbn>> = Vec::new();
    for at in 0..rows.count_in_pages(PAGES) {
        let line = rows.words(at);
        if !line.contains(['I', 'i']) {
            continue;
        }
        let number = rows.all()[at].line;
        for isbn in in_line(&line) {
            if !found.iter().any(|known| known.value == isbn) {
                found.push(MetadataValue::from_source(
                    isbn,
                    ValueExtractor::Pages,
                    Some(number),
                ));
            }
        }
    }
    found
}

/// ISBNs after the word `ISBN`, which may be spaced (`I S B N`) or followed by `10` or `13`, as in the paper's expressions.
fn in_line(line: &str) -> Vec<Isbn> {
    let letters: Vec<(usize, char)> = line.char_indices().collect();
    let mut found = Vec::new();
    for start in 0..letters.len() {
        let mut at = start;
        let mut word = "isbn".chars();
        let mut wanted = word.next();
        while let (Some(letter), Some((_, c))) = (wanted, letters.get(at)) {
            if c.to_ascii_lowercase() == letter {
                wanted = word.next();
            } else if !(c.is_whitespace() && at > start) {
                break;
            }
            at += 1;
        }
        if wanted.is_none() {
            let behind = letters.get(at).map_or("", |(offset, _)| &line[*offset..]);
            found.extend(number_behind(behind));
        }
    }
    found
}

/// The number that follows the word `ISBN`.
fn number_behind(behind: &str) -> Option<Isbn> {
    let starts = behind
        .char_indices()
        .take(BETWEEN)
        .filter(|(_, c)| c.is_ascii_digit());
    // `ISBN-13: 978...`: the first digits may not belong to the number.
    starts.take(6).find_map(|(at, _)| {
        let fits = |c: &char| {
            c.is_ascii_digit() || matches!(c, '-' | ' ' | 'X' | 'x' | '\u{2010}'..='\u{2013}')
        };
        let digits: String = behind[at..].chars().take_while(fits).take(20).collect();
        let lengths = (10..=digits.chars().count()).rev();
        lengths
            .map(|length| digits.chars().take(length).collect::<String>())
            .find_map(|digits| Isbn::new(&digits))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn isbns_stand_behind_their_word() {
        let table: &[(&str, &[&str])] = &[
            ("ISBN 0-306-40615-2", &["0306406152"]),
            ("isbn: 080442957X (paper)", &["080442957X"]),
            ("ISBN-13: 978-0-306-40615-7", &["9780306406157"]),
            ("I S B N 10: 0306406152", &["0306406152"]),
            ("ISBN 0-306-40615-3", &[]),
            ("0-306-40615-2", &[]),
            (
                "ISBN 978-1-4503-1789-4/13/09, ISBN 0306406152",
                &["9781450317894", "0306406152"],
            ),
            ("disbn", &[]),
        ];
        for (line, expected) in table {
            let found = in_line(line);
            let found: Vec<&str> = found.iter().map(Isbn::as_str).collect();
            assert_eq!(found, *expected, "{line}");
        }
    }

    proptest! {
        #[test]
        fn the_check_digit_of_ten_is_the_one_that_fits(body in 0u32..1_000_000_000, wrong in 1u32..11) {
            let body = format!("{body:09}");
            let sum: u32 = body.bytes().zip((2..=10).rev()).map(|(digit, weight)| u32::from(digit - b'0') * weight).sum();
            let sign = |value: u32| if value == 10 { "X".to_owned() } else { value.to_string() };
            let check = (11 - sum % 11) % 11;
            let right = format!("{body}{}", sign(check));
            let other = format!("{body}{}", sign((check + wrong) % 11));
            prop_assert!(Isbn::new(&right).is_some());
            prop_assert!(Isbn::new(&other).is_none());
        }

        #[test]
        fn one_wrong_digit_of_thirteen_is_seen(body in 0u64..1_000_000_000, at in 0usize..13, by in 1u8..10) {
            let body = format!("978{body:09}");
            let sum: u32 = body.bytes().zip([1, 3].into_iter().cycle()).map(|(digit, weight)| u32::from(digit - b'0') * weight).sum();
            let right = format!("{body}{}", (10 - sum % 10) % 10);
            prop_assert!(Isbn::new(&right).is_some());
            let mut wrong = right.into_bytes();
            wrong[at] = b'0' + (wrong[at] - b'0' + by) % 10;
            prop_assert!(Isbn::new(&String::from_utf8(wrong).unwrap()).is_none());
        }

        #[test]
        fn any_line_may_be_read(line in any::<String>()) {
            in_line(&line);
        }
    }
}
