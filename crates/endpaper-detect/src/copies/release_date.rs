//! The release date of a file, as stated in its header.

use std::fmt;
use std::sync::LazyLock;

use regex::Regex;

use endpaper_text::corpus::BookText;

/// Lines of a header that are examined.
const LINES: u32 = 300;
/// Longest line that is examined, in bytes.
const MAX_LINE_BYTES: usize = 400;

/// A date; a day or month that is not stated is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ReleaseDate {
    /// The year.
    pub year: u16,
    /// The month, from 1.
    pub month: u8,
    /// The day, from 1.
    pub day: u8,
}

impl fmt::Display for ReleaseDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match (self.month, self.day) {
            (month, 0) => format!("{}-{month:02}", self.year),
            (month, day) => format!("{}-{month:02}-{day:02}", self.year),
        };
        f.pad(&text)
    }
}

/// Phrases beside a date, in ascending order of precedence: releases were announced ahead of time, and files are
/// corrected after they were posted.
const DATE_PHRASES: &[&str] = &[
    "etext #|ebook #|etext#|ebook#|release date",
    "posted|posting date",
    "updated",
];

/// The months, by their first three letters.
const MONTHS: &[&str] = &[
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// The regular expressions that find a release date: the phrases before it, a date in words, and a date in figures.
struct DatePatterns {
    phrases: Vec<Regex>,
    date: Regex,
    iso: Regex,
}

static PATTERNS: LazyLock<Option<DatePatterns>> = LazyLock::new(|| {
    let compile = |pattern: &str| Regex::new(&format!("(?i){pattern}")).ok();
    let months = MONTHS.join("|");
    Some(DatePatterns {
        phrases: DATE_PHRASES
            .iter()
            .map(|manner| compile(manner))
            .collect::<Option<_>>()?,
        date: compile(&format!(
            r"\b({months})[a-z]*\.?,?\s+(?:(\d{{1,2}})(?:st|nd|rd|th)?,?\s+)?((?:19[7-9]|20\d)\d)\b"
        ))?,
        iso: compile(r"\b((?:19[7-9]|20\d)\d)-(\d{2})-(\d{2})\b")?,
    })
});

/// The newest date that the head of a book states as that of an update, else of its posting, else of its release.
pub fn release_date(text: &BookText) -> Option<ReleaseDate> {
    let patterns = PATTERNS.as_ref()?;
    let dates = (1..=text.lines().min(LINES)).filter_map(|line| {
        let line = text.display(line, MAX_LINE_BYTES);
        let date = date_of(&line, patterns)?;
        let manner = patterns
            .phrases
            .iter()
            .rposition(|manner| manner.is_match(&line))?;
        Some((manner, date))
    });
    dates.max().map(|(_, date)| date)
}

/// The date in a line, if there is one.
fn date_of(line: &str, patterns: &DatePatterns) -> Option<ReleaseDate> {
    if let Some(found) = patterns.date.captures(line) {
        let name = found[1].to_ascii_lowercase();
        let month = MONTHS.iter().position(|month| **month == name)? + 1;
        return Some(ReleaseDate {
            year: found[3].parse().ok()?,
            month: month as u8,
            day: found
                .get(2)
                .and_then(|day| day.as_str().parse().ok())
                .filter(|day| *day <= 31)
                .unwrap_or(0),
        });
    }
    let found = patterns.iso.captures(line)?;
    Some(ReleaseDate {
        year: found[1].parse().ok()?,
        month: found[2]
            .parse()
            .ok()
            .filter(|month| (1..=12).contains(month))?,
        day: found[3].parse().ok().filter(|day| *day <= 31)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_real_headers_are_read() {
        let table = [
            ("Release Date: January, 1994  [EBook #98]", "1994-01"),
            ("September, 1993  [Etext #84]", "1993-09"),
            (
                "Release Date: June 2, 2008 [eBook #150]\n[Most recently updated: March 3, 2021]",
                "2021-03-03",
            ),
            (
                "Release Date: October, 2005 [EBook #9105]\n[This file was first posted on September 6, 2003]",
                "2003-09-06",
            ),
            (
                "Posting Date: August 1st, 2009 [EBook #4300]\nRelease Date: July, 2003",
                "2009-08-01",
            ),
            ("[Date last updated: 2006-07-03]", "2006-07-03"),
            ("London, May 1891", ""),
            ("Release Date: soon", ""),
            ("Release Date: Smarch 32, 2009", ""),
            ("Last updated: 2009-13-01", ""),
        ];
        for (head, date) in table {
            let text = BookText::new(head.as_bytes().to_vec());
            assert_eq!(
                release_date(&text).map_or(String::new(), |date| date.to_string()),
                date,
                "{head}"
            );
        }
    }
}
