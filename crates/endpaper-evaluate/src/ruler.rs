//! Counting the lines between cuts.

use endpaper_detect::Cuts;
use endpaper_text::corpus::BookText;

/// Counts the lines before the cuts of one book: the non-blank ones, or all of them if its text is not available.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyRuler {
    /// Non-blank lines up to each line, from line 0 on; `None` where the text is not available.
    counted: Option<Vec<u32>>,
    lines: u32,
}

/// The cuts of a book as numbers of lines before them: the lines of the preamble, and the lines before the epilogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CutOffsets {
    pub start: u64,
    pub end: u64,
}

impl BodyRuler {
    /// Counts non-blank lines.
    pub fn of(text: &BookText) -> BodyRuler {
        let mut counted = Vec::with_capacity(text.lines() as usize + 1);
        counted.push(0);
        let mut count = 0;
        for line in 1..=text.lines() {
            count += u32::from(!text.is_blank(line));
            counted.push(count);
        }
        BodyRuler {
            counted: Some(counted),
            lines: text.lines(),
        }
    }

    /// Counts all lines of a book whose text is not available. Distances are never smaller than those in non-blank lines.
    pub fn without_text(lines: u32) -> BodyRuler {
        BodyRuler {
            counted: None,
            lines,
        }
    }

    /// Whether blank lines are left out.
    pub fn skips_blank_lines(&self) -> bool {
        self.counted.is_some()
    }

    /// Lines of the whole book.
    pub fn lines(&self) -> u64 {
        self.up_to(self.lines)
    }

    /// Where cuts stand.
    pub(super) fn offsets(&self, cuts: Cuts) -> CutOffsets {
        let before = |line: u32| self.up_to(line.saturating_sub(1));
        CutOffsets {
            start: self.up_to(cuts.preamble_end),
            end: cuts.epilogue_start.map_or(self.lines(), before),
        }
    }

    /// Lines counted up to a line; all of them for one beyond the file.
    pub(super) fn up_to(&self, line: u32) -> u64 {
        let line = line.min(self.lines);
        let counted = self.counted.as_ref();
        let counted = counted.and_then(|counted| counted.get(line as usize).copied());
        u64::from(counted.unwrap_or(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(ruler: &BodyRuler, preamble_end: u32, epilogue_start: Option<u32>) -> (u64, u64) {
        let places = ruler.offsets(Cuts {
            preamble_end,
            epilogue_start,
        });
        (places.start, places.end)
    }

    #[test]
    fn blank_lines_are_not_counted_where_the_text_is_at_hand() {
        let ruler = BodyRuler::of(&BookText::new(b"a\n\nb\n \nc\nd\n\n".to_vec()));
        assert_eq!((ruler.lines(), ruler.skips_blank_lines()), (4, true));
        for (start, end, expected) in [
            (0, None, (0, 4)),
            (1, Some(6), (1, 3)),
            (2, Some(7), (1, 4)),
            (3, Some(5), (2, 2)),
            (99, Some(99), (4, 4)),
        ] {
            assert_eq!(places(&ruler, start, end), expected);
        }
        let blind = BodyRuler::without_text(7);
        assert_eq!(places(&blind, 3, Some(6)), (3, 5));
        assert_eq!(places(&blind, 0, None), (0, 7));
    }
}
