//! From cuts to the lines and bytes of the body, and back.
//!
//! Cuts name the lines outside the body; tables of labels name the first and the last line inside it. Blank lines around
//! a cut carry no meaning, so both ways go over the nearest line that is not blank.

use std::ops::Range;

use endpaper_detect::{Cuts, End};
use endpaper_text::corpus::BookText;

/// First and last line of the body that are not blank; `None` if there is no such line.
pub fn body_lines(text: &BookText, cuts: Cuts) -> Option<(u32, u32)> {
    let end = cuts.epilogue_start.unwrap_or(text.lines() + 1);
    let first = text.non_blank_from(cuts.preamble_end.saturating_add(1))?;
    let last = text.non_blank_to(end.saturating_sub(1))?;
    (first <= last).then_some((first, last))
}

/// The source bytes of the body, from its first line that is not blank through the ending of the last one.
pub fn body_bytes(text: &BookText, cuts: Cuts) -> Option<Range<usize>> {
    let (first, last) = body_lines(text, cuts)?;
    Some(text.span(first, last))
}

/// The cuts around a body of these first and last lines.
///
/// # Errors
///
/// Lines outside the file, crossed or blank, in one sentence.
pub fn cuts_around(text: &BookText, first: u32, last: u32) -> Result<Cuts, String> {
    let lines = text.lines();
    for (name, line) in [("body_first", first), ("body_last", last)] {
        if line == 0 || line > lines {
            return Err(format!(
                "{name} {line} is outside the {lines} lines of the file"
            ));
        }
        if text.is_blank(line) {
            return Err(format!(
                "{name} {line} is a blank line; name the nearest line of the body that is not"
            ));
        }
    }
    if first > last {
        return Err(format!(
            "body_first {first} does not come before body_last {last}"
        ));
    }
    Ok(Cuts {
        preamble_end: start_cut(text, first),
        epilogue_start: end_cut(text, last),
    })
}

/// The `preamble_end` of a body that begins with line `first`.
pub fn start_cut(text: &BookText, first: u32) -> u32 {
    text.non_blank_to(first.saturating_sub(1)).unwrap_or(0)
}

/// The `epilogue_start` of a body that ends with line `last`.
pub fn end_cut(text: &BookText, last: u32) -> Option<u32> {
    text.non_blank_from(last.saturating_add(1))
}

/// How far one cut is from where it should be, in non-blank lines: above zero, lines of the body are lost; below zero,
/// lines of boilerplate are left.
pub fn error_at(text: &BookText, end: End, found: Cuts, right: Cuts) -> i64 {
    let none = text.lines() + 1;
    let (from, to) = match end {
        End::Start => (right.preamble_end, found.preamble_end),
        End::End => (
            found.epilogue_start.unwrap_or(none).saturating_sub(1),
            right.epilogue_start.unwrap_or(none).saturating_sub(1),
        ),
    };
    // Both are last lines before a cut, so the lines in between are those after the smaller one.
    let (low, high) = (from.min(to), from.max(to).min(text.lines()));
    let between = (low + 1..=high).filter(|line| !text.is_blank(*line));
    let distance = between.count() as i64;
    if to >= from { distance } else { -distance }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> BookText {
        BookText::new(b"a\n\nb\nc\n\n\nd\n\ne\n".to_vec())
    }

    fn cuts(preamble_end: u32, epilogue_start: Option<u32>) -> Cuts {
        Cuts {
            preamble_end,
            epilogue_start,
        }
    }

    #[test]
    fn body_and_cuts_turn_into_each_other() {
        let table = [
            (cuts(1, Some(9)), Some((3, 7))),
            (cuts(0, None), Some((1, 9))),
            (cuts(4, Some(9)), Some((7, 7))),
            (cuts(4, Some(7)), None),
            (cuts(9, None), None),
        ];
        for (cuts, body) in table {
            assert_eq!(body_lines(&text(), cuts), body, "{cuts:?}");
            if let Some((first, last)) = body {
                assert_eq!(cuts_around(&text(), first, last), Ok(cuts));
            }
        }
        assert_eq!(body_bytes(&text(), cuts(1, Some(9))), Some(3..11));
    }

    #[test]
    fn what_is_no_body_is_refused() {
        for (first, last, message) in [
            (0, 3, "body_first 0 is outside"),
            (3, 10, "body_last 10 is outside the 9 lines"),
            (2, 3, "body_first 2 is a blank line"),
            (4, 3, "does not come before"),
        ] {
            let error = cuts_around(&text(), first, last).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn errors_count_lines_that_are_not_blank() {
        let right = cuts(1, Some(9));
        let table = [
            (cuts(1, Some(9)), 0, 0),
            (cuts(2, Some(8)), 0, 0),
            (cuts(4, Some(7)), 2, 1),
            (cuts(0, None), -1, -1),
            (cuts(u32::MAX, Some(1)), 4, 4),
        ];
        for (found, start, end) in table {
            assert_eq!(
                error_at(&text(), End::Start, found, right),
                start,
                "{found:?}"
            );
            assert_eq!(error_at(&text(), End::End, found, right), end, "{found:?}");
        }
    }
}
