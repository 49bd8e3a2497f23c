//! Formatting of numbers, nouns and messages for users.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

/// Formats an integer with thousands separators.
///
/// ```
/// use endpaper_text::wording::thousands;
/// assert_eq!(thousands(1_234_567_u64), "1,234,567");
/// ```
pub fn thousands(number: impl TryInto<u64>) -> String {
    // Counts are never negative nor larger than this.
    let digits = number.try_into().unwrap_or(u64::MAX).to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The singular or plural of `thing`, for `number` of them.
///
/// ```
/// use endpaper_text::wording::plural;
/// assert_eq!(plural(1, "line"), "line");
/// assert_eq!(plural(0, "line"), "lines");
/// ```
pub fn plural(number: usize, thing: &str) -> String {
    format!("{thing}{}", if number == 1 { "" } else { "s" })
}

/// A number and the singular or plural of what is counted.
///
/// ```
/// use endpaper_text::wording::counted;
/// assert_eq!(counted(1, "body", "bodies"), "1 body");
/// assert_eq!(counted(1000, "body", "bodies"), "1,000 bodies");
/// ```
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!(
        "{} {}",
        thousands(number),
        if number == 1 { one } else { many }
    )
}

/// A number of bytes in the largest unit in which it is a whole number.
///
/// ```
/// use endpaper_text::wording::byte_size;
/// assert_eq!(byte_size(256 << 20), "256 MiB");
/// assert_eq!(byte_size(1536 << 10), "1,536 KiB");
/// assert_eq!(byte_size(1000), "1,000 bytes");
/// ```
pub fn byte_size(bytes: u64) -> String {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
    let whole = |(_, shift): &&(&str, u32)| bytes != 0 && bytes.is_multiple_of(1 << shift);
    match units.iter().find(whole) {
        Some((unit, shift)) => format!("{} {unit}", thousands(bytes >> shift)),
        None => format!("{} {}", thousands(bytes), plural(bytes as usize, "byte")),
    }
}

/// Removes from a message what only developers understand: the system's error number (`(os error 2)`), and the name of a
/// temporary file that the user never named (`at path "/books/.endpaper-x.tmp"`).
///
/// ```
/// use endpaper_text::wording::without_system_noise;
/// let message = "'a.txt' cannot be read: No such file or directory (os error 2)";
/// assert_eq!(without_system_noise(message), "'a.txt' cannot be read: No such file or directory");
/// ```
pub fn without_system_noise(message: &str) -> Cow<'_, str> {
    static NOISE: LazyLock<Regex> = LazyLock::new(|| {
        let noise =
            r#" \(os error -?\d+\)| at path "(?:[^"\\]|\\.)*\.(?:endpaper-|tmp)(?:[^"\\]|\\.)*""#;
        Regex::new(noise).expect("the expression is right")
    });
    NOISE.replace_all(message, "")
}

#[cfg(test)]
mod tests {
    use super::{thousands, without_system_noise};

    #[test]
    fn messages_lose_numbers_of_errors_and_names_of_temporary_files() {
        let cases = [
            (
                "No space left on device (os error 28)",
                "No space left on device",
            ),
            (
                "denied (os error 13) at path \"/x/.endpaper-Ab1.tmp\": 'x' stays",
                "denied: 'x' stays",
            ),
            ("no (os errors) here", "no (os errors) here"),
            ("at path \"/home/a.txt\"", "at path \"/home/a.txt\""),
        ];
        for (message, expected) in cases {
            assert_eq!(without_system_noise(message), expected);
        }
    }

    #[test]
    fn numbers_are_grouped_by_three_digits() {
        let cases = [
            (0_u64, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1234567, "1,234,567"),
            (12345678, "12,345,678"),
        ];
        for (number, expected) in cases {
            assert_eq!(thousands(number), expected);
        }
    }
}
