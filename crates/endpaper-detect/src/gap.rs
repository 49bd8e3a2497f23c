//! Algorithm 1 of Kaser & Lemire (section 3.1): how far frequent lines reach into a file.
//!
//! Lines are read from one end of the file. All lines before the first frequent one are skipped; from there the
//! preamble (or epilogue) continues until GAP_MAX infrequent lines in a row, and ends at the last frequent line before
//! them. Where the paper says nothing: both the skipping and the loop stop at the end of the window; a window without a
//! frequent line means no preamble (no epilogue); trivial lines are ignored.

use super::view::RowClass;

/// Result of Algorithm 1 at one end of a file. Rows are given by index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct GapResult {
    /// The first frequent row.
    pub first: Option<usize>,
    /// The last frequent row before the gap that ended the loop; `None` if no row was frequent.
    pub last_frequent: Option<usize>,
    /// Number of frequent rows up to `last_frequent`.
    pub frequent: u32,
    /// Largest number of infrequent rows in a row that were bridged.
    pub widest: u32,
    /// The frequent row that ended the widest bridged gap.
    pub after_widest: Option<usize>,
    /// Whether the rows ended before the gap was wide enough, so that rows beyond them were not examined.
    pub exhausted: bool,
}

/// Runs Algorithm 1 over rows in reading order (backwards for an epilogue).
pub(super) fn run(
    rows: impl Iterator<Item = usize>,
    kind: impl Fn(usize) -> RowClass,
    max: u32,
) -> GapResult {
    let mut found = GapResult::default();
    let mut gap = 0;
    for row in rows {
        if found.last_frequent.is_some() && gap >= max {
            return found;
        }
        match kind(row) {
            RowClass::Trivial => {}
            RowClass::Frequent => {
                if found.last_frequent.is_some() && gap > found.widest {
                    found.widest = gap;
                    found.after_widest = Some(row);
                }
                found.first = found.first.or(Some(row));
                found.last_frequent = Some(row);
                found.frequent += 1;
                gap = 0;
            }
            RowClass::Infrequent => gap += 1,
        }
        if found.last_frequent.is_none() {
            gap = 0;
        }
    }
    found.exhausted = found.last_frequent.is_some() && gap < max;
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `F` frequent, `i` infrequent, `.` trivial.
    fn kinds(text: &str) -> Vec<RowClass> {
        let kind = |c| match c {
            'F' => RowClass::Frequent,
            'i' => RowClass::Infrequent,
            _ => RowClass::Trivial,
        };
        text.chars().map(kind).collect()
    }

    fn forward(text: &str, max: u32) -> GapResult {
        let kinds = kinds(text);
        run(0..kinds.len(), |row| kinds[row], max)
    }

    #[test]
    fn a_run_ends_at_the_last_frequent_line_before_the_gap() {
        let cases = [
            ("", None),
            ("iii", None),
            ("...", None),
            ("F", Some(0)),
            ("FFFiiiiF", Some(2)),
            ("FFFiiF", Some(5)),
            ("FFFi.i.F", Some(7)),
            ("FFFi.i.i.F", Some(2)),
            ("iiiiiiFiiiF", Some(6)),
            ("..F..", Some(2)),
            ("F..........F", Some(11)),
        ];
        for (text, edge) in cases {
            assert_eq!(forward(text, 3).last_frequent, edge, "{text}");
        }
    }

    #[test]
    fn the_widest_bridged_gap_is_told_with_the_line_that_ended_it() {
        let found = forward("iiFiFii.FiFiiiF", 3);
        assert_eq!((found.widest, found.after_widest), (2, Some(8)));
        assert_eq!((found.last_frequent, found.frequent), (Some(10), 4));
        assert!(!found.exhausted);
    }

    #[test]
    fn a_run_that_meets_the_end_of_the_rows_is_exhausted() {
        assert!(forward("FFii", 3).exhausted);
        assert!(!forward("FFiii", 3).exhausted);
        assert!(!forward("ii", 3).exhausted);
    }

    #[test]
    fn a_gap_of_nothing_ends_at_the_first_frequent_line() {
        assert_eq!(forward("iFF", 0).last_frequent, Some(1));
    }

    /// The pseudo-code of Algorithm 1, line by line, over lines that are already free of trivial ones.
    fn transcribed(lines: &[(usize, bool)], gap_max: u32) -> Option<usize> {
        let mut at = 0;
        while at < lines.len() && !lines[at].1 {
            at += 1;
        }
        let mut last_seen = lines.get(at)?.0;
        let mut gap = 0;
        while gap < gap_max {
            at += 1;
            let Some(&(row, frequent)) = lines.get(at) else {
                break;
            };
            if frequent {
                last_seen = row;
                gap = 0;
            } else {
                gap += 1;
            }
        }
        Some(last_seen)
    }

    proptest! {
        #[test]
        fn agrees_with_the_pseudo_code_in_both_directions(text in "[Fii.]{0,60}", max in 0u32..6) {
            let kinds = kinds(&text);
            let mut lines: Vec<_> = (0..kinds.len())
                .filter(|&row| kinds[row] != RowClass::Trivial)
                .map(|row| (row, kinds[row] == RowClass::Frequent))
                .collect();
            prop_assert_eq!(run(0..kinds.len(), |row| kinds[row], max).last_frequent, transcribed(&lines, max));
            lines.reverse();
            prop_assert_eq!(run((0..kinds.len()).rev(), |row| kinds[row], max).last_frequent, transcribed(&lines, max));
        }
    }
}
