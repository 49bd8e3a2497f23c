//! Sizes in bytes with units.

use std::fmt;
use std::str::FromStr;

/// A number of bytes, written as `512M`, `2G`, `64MiB` or without a unit.
///
/// `K`, `M`, `G` and `T` are powers of 1,024 and may be followed by `B` or `iB`.
///
/// ```
/// use endpaper_detect::frequency::ByteSize;
/// assert_eq!("512MiB".parse(), Ok(ByteSize(512 << 20)));
/// assert_eq!(ByteSize(3 << 30).to_string(), "3G");
/// assert_eq!(ByteSize(1000).to_string(), "1000");
/// assert_eq!("3 bags".parse::<ByteSize>().unwrap_err().to_string(), "'3 bags' is not a size such as 64M, 2G or 1048576");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ByteSize(pub u64);

/// The text is not a size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a size such as 64M, 2G or 1048576")]
pub struct InvalidSize(String);

/// Units with their powers of two, the largest first.
const UNITS: [(char, u32); 4] = [('T', 40), ('G', 30), ('M', 20), ('K', 10)];

impl FromStr for ByteSize {
    type Err = InvalidSize;

    fn from_str(text: &str) -> Result<ByteSize, InvalidSize> {
        let refused = || InvalidSize(text.to_owned());
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = text.split_at(digits);
        let number: u64 = number.parse().map_err(|_| refused())?;
        let unit = unit.to_ascii_uppercase();
        let shift = if unit.is_empty() || unit == "B" {
            0
        } else {
            let named = |&&(letter, _): &&(char, u32)| {
                let rest = unit.strip_prefix(letter);
                rest.is_some_and(|rest| matches!(rest, "" | "B" | "IB"))
            };
            UNITS.iter().find(named).ok_or_else(refused)?.1
        };
        let bytes = number.checked_mul(1 << shift);
        bytes.map(ByteSize).ok_or_else(refused)
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = |&&(_, shift): &&(char, u32)| self.0 != 0 && self.0.is_multiple_of(1 << shift);
        match UNITS.iter().find(whole) {
            Some(&(letter, shift)) => f.pad(&format!("{}{letter}", self.0 >> shift)),
            None => f.pad(&self.0.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sizes_are_read_with_every_unit() {
        let cases = [
            ("0", 0),
            ("17", 17),
            ("17B", 17),
            ("1k", 1 << 10),
            ("64M", 64 << 20),
            ("64MB", 64 << 20),
            ("64mib", 64 << 20),
            ("2G", 2 << 30),
            ("1T", 1 << 40),
        ];
        for (text, bytes) in cases {
            assert_eq!(text.parse(), Ok(ByteSize(bytes)), "{text}");
        }
        let refused = [
            "",
            "M",
            "-1",
            "1.5G",
            "1 G",
            "1MM",
            "1ib",
            "99999999999999999999",
            "99999999T",
        ];
        for text in refused {
            assert!(text.parse::<ByteSize>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(bytes in any::<u64>(), shift in 0..64u32) {
            let size = ByteSize((bytes >> shift) << (shift / 2));
            prop_assert_eq!(size.to_string().parse(), Ok(size));
        }
    }
}
