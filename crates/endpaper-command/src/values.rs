//! Numbers on the command line: whole numbers, shares and sizes are read alike by every command.
//!
//! An error says what to write instead, in words: users never see the limits of a type.

use std::ops::{Bound, RangeBounds};

pub use endpaper_detect::frequency::ByteSize;

/// More threads do not help, and starting them can exhaust memory.
const MOST_THREADS: usize = 1024;

/// Parses the value of `--threads`.
pub fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| *number <= MOST_THREADS);
    number.ok_or_else(|| format!("write 0 for one on each core, or a number up to {MOST_THREADS}"))
}

/// A parser of whole numbers in a range.
///
/// ```
/// use endpaper_command::values::whole;
/// let folds = whole::<u32>(2..=100);
/// assert_eq!(folds("5"), Ok(5));
/// assert_eq!(folds("-1"), Err("write a whole number from 2 to 100".to_owned()));
/// assert_eq!(whole::<u32>(1..)("x"), Err("write a whole number from 1 on".to_owned()));
/// ```
pub fn whole<T: TryFrom<u64>>(
    range: impl RangeBounds<u64> + Clone,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| {
            let from = match range.start_bound() {
                Bound::Included(first) => *first,
                Bound::Excluded(before) => before + 1,
                Bound::Unbounded => 0,
            };
            let to = match range.end_bound() {
                Bound::Included(last) => format!("to {last}"),
                Bound::Excluded(after) => format!("to {}", after.saturating_sub(1)),
                Bound::Unbounded => "on".to_owned(),
            };
            match text.bytes().all(|byte| byte.is_ascii_digit()) && to == "on" && text.len() > 9 {
                true => "that is too large".to_owned(),
                false => format!("write a whole number from {from} {to}"),
            }
        })
    }
}

/// Parses a share from 0 to 1: `0.02` or `2%`.
pub fn share(text: &str) -> Result<f64, String> {
    let share = parse_share(text).filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "write a share from 0 to 1, such as 0.02 or 2%".to_owned())
}

/// Parses a share above 0 and below 1: `0.02` or `2%`.
pub fn inner_share(text: &str) -> Result<f64, String> {
    let share = parse_share(text).filter(|share| *share > 0.0 && *share < 1.0);
    share.ok_or_else(|| "write a share above 0 and below 1, such as 0.02 or 2%".to_owned())
}

/// The number of a share, in or out of range.
fn parse_share(text: &str) -> Option<f64> {
    let (number, scale) = match text.trim().strip_suffix('%') {
        Some(number) => (number.trim(), 100.0),
        None => (text.trim(), 1.0),
    };
    number.parse::<f64>().ok().map(|value| value / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read_as_people_write_them() {
        for (text, value) in [
            ("2%", 0.02),
            ("2 %", 0.02),
            ("0.02", 0.02),
            (" 99.5% ", 0.995),
        ] {
            assert_eq!(inner_share(text), Ok(value), "{text}");
            assert_eq!(share(text), Ok(value), "{text}");
        }
        assert_eq!((share("0"), share("100%")), (Ok(0.0), Ok(1.0)));
        for text in ["2", "0", "100%", "-1%", "nan", "", "%", "1e400%"] {
            let error = inner_share(text).unwrap_err();
            assert!(error.ends_with("such as 0.02 or 2%"), "{error}");
        }
    }

    #[test]
    fn whole_numbers_out_of_range_are_answered_in_words() {
        let count = whole::<u32>(1..);
        assert_eq!(count("17"), Ok(17));
        assert_eq!(count("99999999999"), Err("that is too large".to_owned()));
        for text in ["0", "-3", "1.5", "", "many"] {
            assert_eq!(
                count(text),
                Err("write a whole number from 1 on".to_owned()),
                "{text}"
            );
        }
        assert_eq!(whole::<u64>(..)("0"), Ok(0));
    }
}
