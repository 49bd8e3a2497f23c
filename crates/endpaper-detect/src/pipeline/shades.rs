//! The data of a book for a heat map: the shade and position of each counted line of its two windows.
//!
//! It takes about 700 bytes per book, so that ten thousand books fit into a few megabytes and nothing has to be read
//! again for another order or magnification.

use crate::End;
use crate::frequency::Frequencies;
use endpaper_text::line::Key;
use endpaper_text::scan::{MarkerSet, Scan, ScanRow};

/// Windows that extend further into a book (over blank and trivial lines) are truncated here, so that a file of nothing
/// but blank lines has a small profile.
const MAX_LINES: u32 = 1 << 16;

/// The shade of a line by its frequency and the threshold K: 0 for a line that was counted once or never, up to 5 for a
/// very frequent one, on a logarithmic scale. Shades of 3 and above are *frequent* (greater than K).
pub fn shade_for(frequency: u64, k: u64) -> u8 {
    match frequency {
        0 | 1 => 0,
        f if f <= k.div_ceil(2) => 1,
        f if f <= k => 2,
        f if f <= k.saturating_mul(5) => 3,
        f if f <= k.saturating_mul(30) => 4,
        _ => 5,
    }
}

/// The counted (non-trivial) lines of one window, from its edge of the book towards the body: from the first line down,
/// or from the last line up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineShades {
    /// The shade of each counted line, 0 to 5.
    shades: Box<[u8]>,
    /// For each line from the edge towards the body, whether it is counted: bit `n % 64` of word `n / 64`.
    counted: Box<[u64]>,
    /// Whether the window contains all counted lines of the book.
    whole: bool,
}

impl LineShades {
    /// The profile of counted lines, given by their distances from the edge of the book (1: the line at the edge
    /// itself), in ascending order, and their shades. `whole` if the book has no other counted lines.
    pub fn new(lines: impl IntoIterator<Item = (u32, u8)>, whole: bool) -> LineShades {
        let (mut shades, mut counted) = (Vec::new(), Vec::new());
        let mut cut_off = false;
        for (distance, shade) in lines {
            if distance > MAX_LINES {
                cut_off = true;
                break;
            }
            let bit = distance.saturating_sub(1);
            counted.resize(bit as usize / 64 + 1, 0u64);
            counted[bit as usize / 64] |= 1 << (bit % 64);
            shades.push(shade);
        }
        LineShades {
            shades: shades.into(),
            counted: counted.into(),
            whole: whole && !cut_off,
        }
    }

    /// The shade of each counted line, from the edge towards the body.
    pub fn shades(&self) -> &[u8] {
        &self.shades
    }

    /// Number of counted lines among the first `lines` lines from the edge of the book; `None` if the window ends
    /// before.
    pub fn count_in(&self, lines: u32) -> Option<usize> {
        let lines = lines as usize;
        let after_last = self.counted.last().map_or(0, |word| word.leading_zeros());
        if lines > self.counted.len() * 64 - after_last as usize {
            return self.whole.then_some(self.shades.len());
        }
        let (words, bits) = (lines / 64, lines % 64);
        let full: u32 = self.counted[..words].iter().map(|w| w.count_ones()).sum();
        let rest = self
            .counted
            .get(words)
            .map_or(0, |word| word & ((1 << bits) - 1));
        Some((full + rest.count_ones()) as usize)
    }
}

/// The profiles of both windows of a book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookShades {
    head: LineShades,
    tail: LineShades,
}

impl BookShades {
    /// The profile with these windows.
    pub fn new(head: LineShades, tail: LineShades) -> BookShades {
        BookShades { head, tail }
    }

    /// The profile of a book, with lines shaded by [`shade_for`]; `threshold` is K.
    pub fn of(scan: &Scan, frequencies: &Frequencies, threshold: u64) -> BookShades {
        let (head, tail) = (scan.head as usize, scan.tail as usize);
        let full = |row: &ScanRow| !row.marks.has(MarkerSet::TRIVIAL);
        let shade = |index: usize, key: Key| {
            let frequency = match (index < head, index >= tail) {
                (true, false) => frequencies.head().frequency(key),
                (false, true) => frequencies.tail().frequency(key),
                _ => frequencies.max_frequency(key),
            };
            shade_for(frequency, threshold)
        };
        let line = |(index, row): (usize, &ScanRow)| (row.line, shade(index, row.key));
        let rows = || scan.rows.iter().enumerate();
        let from_top = rows().take(head).filter(|(_, row)| full(row)).map(line);
        let from_bottom = rows().skip(tail).rev().filter(|(_, row)| full(row));
        let distance = |line: u32| (scan.lines + 1).saturating_sub(line);
        let from_bottom = from_bottom
            .map(line)
            .map(|(line, shade)| (distance(line), shade));
        BookShades {
            head: LineShades::new(from_top, head == scan.rows.len()),
            tail: LineShades::new(from_bottom, tail == 0),
        }
    }

    /// The profile of one end.
    pub fn line_shades(&self, end: End) -> &LineShades {
        match end {
            End::Start => &self.head,
            End::End => &self.tail,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frequency::{Certainty, Counts};
    use endpaper_text::line::Normaliser;
    use endpaper_text::scan::{WindowOptions, scan};
    use proptest::prelude::*;

    #[test]
    fn lines_are_counted_from_the_edge_of_the_book() {
        // Lines 2, 3 and 70 of a book are counted.
        let lines = [(2, 0), (3, 5), (70, 1)];
        let cases = [
            (0, Some(0), Some(0)),
            (1, Some(0), Some(0)),
            (2, Some(1), Some(1)),
            (69, Some(2), Some(2)),
            (70, Some(3), Some(3)),
            // Beyond the end of the window.
            (71, None, Some(3)),
            (128, None, Some(3)),
            (u32::MAX, None, Some(3)),
        ];
        for (among, in_part, in_whole) in cases {
            assert_eq!(
                LineShades::new(lines, false).count_in(among),
                in_part,
                "{among}"
            );
            assert_eq!(
                LineShades::new(lines, true).count_in(among),
                in_whole,
                "{among}"
            );
        }
        assert_eq!(LineShades::new(lines, true).shades(), [0, 5, 1]);
        assert_eq!(
            [0, 1].map(|n| LineShades::default().count_in(n)),
            [Some(0), None]
        );
    }

    #[test]
    fn a_window_without_end_is_cut_off() {
        let strip = LineShades::new([(1, 2), (MAX_LINES, 3), (u32::MAX, 4)], true);
        assert_eq!(strip.shades(), [2, 3]);
        assert_eq!(strip.count_in(u32::MAX), None);
        assert_eq!(strip.count_in(MAX_LINES - 1), Some(1));
    }

    proptest! {
        #[test]
        fn counting_agrees_with_looking_at_every_line(
            steps in prop::collection::vec((1u32..90, 0u8..6), 0..60),
            among in 0u32..3000,
        ) {
            let mut line = 0;
            let lines: Vec<(u32, u8)> = steps
                .into_iter()
                .map(|(step, shade)| {
                    line += step;
                    (line, shade)
                })
                .collect();
            let strip = LineShades::new(lines.iter().copied(), false);
            let naive = lines.iter().filter(|(line, _)| *line <= among).count();
            prop_assert_eq!(strip.count_in(among), (among <= line).then_some(naive));
        }
    }

    #[test]
    fn both_windows_are_shaded_by_the_frequencies_of_their_end() {
        let text = "The licence of this book is known to everybody alive\n\
                    short\n\
                    \n\
                    A line in the middle that nobody ever wrote before it\n\
                    \n\
                    And another one of these that stands in no other book\n\
                    The licence of this book is known to everybody alive\n\
                    \n";
        let key = Normaliser::default()
            .text("The licence of this book is known to everybody alive")
            .key();
        let counts = |n| Counts::from_pairs([(key, n)], Certainty::Exact);
        let options = WindowOptions {
            head: 2,
            tail: 2,
            ..WindowOptions::default()
        };
        let scan = scan(text.as_bytes(), options);
        let profile = BookShades::of(&scan, &Frequencies::separate(counts(900), counts(12)), 10);
        let (head, tail) = (
            profile.line_shades(End::Start),
            profile.line_shades(End::End),
        );
        assert_eq!(head.shades(), [5, 0]);
        assert_eq!(tail.shades(), [3, 0], "from the last line up");
        assert_eq!(head.count_in(3), Some(1));
        // The last line is blank.
        assert_eq!([1, 2, 3].map(|n| tail.count_in(n)), [0, 1, 2].map(Some));
    }
}
