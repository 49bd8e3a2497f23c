//! Phrases that several notices share.

use crate::action::Action;
use endpaper_detect::End;

/// The numbers of near copies and of other books in words; `None` for 0.
pub(super) fn count_words(copies: usize, others: usize, other: [&str; 2]) -> [Option<String>; 2] {
    let words = |count: usize, [one, more]: [&str; 2]| {
        let word = if count == 1 { one } else { more };
        (count > 0).then(|| format!("{count} {word}"))
    };
    [words(copies, ["copy", "copies"]), words(others, other)]
}

/// Which ends of other books move, in words; `None` if none does.
pub(super) fn moved_ends(moved: [bool; 2]) -> Option<&'static str> {
    match moved {
        [true, true] => Some("both ends moved"),
        [true, false] => Some("start moved"),
        [false, true] => Some("end moved"),
        [false, false] => None,
    }
}

/// The request to place the cut of an end in a blind review.
pub(super) fn place_cut(end: End, key: impl Fn(Action) -> String) -> String {
    let (cut, nothing) = (key(Action::CutHere), key(Action::CutNothing));
    match end {
        End::Start => format!(
            "blind: {cut} on the first line of the body places this cut, {nothing} says there is no preamble"
        ),
        End::End => format!(
            "blind: {cut} on the first line of the epilogue places this cut, {nothing} says there is none"
        ),
    }
}
