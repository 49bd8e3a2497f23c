//! Numbers and things as people read them.

/// A whole number with a comma before every three digits.
///
/// ```
/// use endpaper::words::thousands;
/// assert_eq!(thousands(1_234_567_u64), "1,234,567");
/// ```
pub fn thousands(number: impl TryInto<u64>) -> String {
    // What is counted here is never negative and never greater.
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

/// The word for so many things.
///
/// ```
/// use endpaper::words::plural;
/// assert_eq!(plural(1, "line"), "line");
/// assert_eq!(plural(0, "line"), "lines");
/// ```
pub fn plural(number: usize, thing: &str) -> String {
    format!("{thing}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::thousands;

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
