//! Dates of release, and years of printed books.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::numbers::roman;

/// A date with optional month and day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartialDate {
    /// The year.
    pub year: u32,
    /// The month, from 1.
    pub month: Option<u8>,
    /// The day, from 1.
    pub day: Option<u8>,
}

impl fmt::Display for PartialDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        if let Some(month) = self.month {
            write!(f, "-{month:02}")?;
            if let Some(day) = self.day {
                write!(f, "-{day:02}")?;
            }
        }
        Ok(())
    }
}

impl Serialize for PartialDate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

const MONTHS: &[&str] = &[
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// Parses a date: `February 10, 2004`, `April, 1995`, `10 May 2004`, `2004-05-10`, `2001`.
pub(super) fn date(text: &str) -> Option<PartialDate> {
    let (mut year, mut month, mut day) = (None, None, None);
    // A bracketed number after the date is the number of the e-book.
    let text = text.split('[').next().unwrap_or_default();
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    for word in words.take(8) {
        match word.parse::<u32>() {
            Ok(number @ 1900..2100) if word.len() == 4 && year.is_none() => year = Some(number),
            Ok(number @ 1..=12) if year.is_some() && month.is_none() && word.len() == 2 => {
                month = Some(number as u8)
            }
            Ok(number @ 1..=31) if day.is_none() => day = Some(number as u8),
            Ok(_) => {}
            Err(_) if month.is_none() => {
                let start: String = word.chars().take(3).flat_map(char::to_lowercase).collect();
                let found = MONTHS.iter().position(|month| *month == start);
                month = found.map(|month| month as u8 + 1);
            }
            Err(_) => {}
        }
    }
    let day = day.filter(|_| month.is_some());
    Some(PartialDate {
        year: year?,
        month,
        day,
    })
}

/// Years from 1450 to 2099 in a text, in digits or Roman numerals.
pub(crate) fn years(text: &str) -> impl Iterator<Item = u32> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter_map(|word| {
        let digits = word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
        let year = if digits {
            word.parse().ok()
        } else if word.len() >= 4 && word.starts_with('M') {
            roman(word)
        } else {
            None
        };
        year.filter(|year| (1450..2100).contains(year))
    })
}

/// Whether a folded word is the name of a month or its abbreviation.
pub(crate) fn is_month(word: &str) -> bool {
    const NAMES: &[&str] = &[
        "january",
        "february",
        "march",
        "april",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    MONTHS.contains(&word) || NAMES.contains(&word) || word == "sept"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_all_eras_are_read() {
        let table = [
            ("February 10, 2004 [EBook #11024]", Some("2004-02-10")),
            ("April, 1995  [Etext #1901]", Some("1995-04")),
            ("10 May 2004", Some("2004-05-10")),
            ("2004-05-10", Some("2004-05-10")),
            ("Sept., 2001", Some("2001-09")),
            ("1994", Some("1994")),
            ("March 32, 1999", Some("1999-03")),
            ("April", None),
            ("12345", None),
            ("", None),
        ];
        for (text, expected) in table {
            assert_eq!(
                date(text).map(|date| date.to_string()).as_deref(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn years_are_read_in_digits_and_roman_numbers() {
        let all = |text| years(text).collect::<Vec<u32>>();
        assert_eq!(all("LONDON, MDCCCXCIX; reprinted 1911."), [1899, 1911]);
        assert_eq!(all("12345 MILD 1200 MCC M"), [0; 0]);
    }
}
