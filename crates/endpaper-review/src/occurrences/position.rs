//! Position of a line relative to the cuts of its book.

use endpaper_detect::{Cuts, End};
use endpaper_text::wording::plural;

/// A part of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BookSide {
    /// Before the body.
    Preamble,
    /// The body.
    Body,
    /// After the body.
    Epilogue,
}

impl BookSide {
    /// All parts, in the order of a book.
    pub const ALL: [BookSide; 3] = [BookSide::Preamble, BookSide::Body, BookSide::Epilogue];

    /// Name of the part.
    pub fn word(self) -> &'static str {
        match self {
            BookSide::Preamble => "preamble",
            BookSide::Body => "body",
            BookSide::Epilogue => "epilogue",
        }
    }

    /// Plural of the name.
    pub fn plural(self) -> &'static str {
        match self {
            BookSide::Preamble => "preambles",
            BookSide::Body => "bodies",
            BookSide::Epilogue => "epilogues",
        }
    }
}

/// Origin of the cuts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CutBasis {
    /// Decided by a curator.
    Decided,
    /// A curator's draft.
    Draft,
    /// Proposed by the detector.
    Detected,
}

impl CutBasis {
    /// Name of the origin.
    pub fn word(self) -> &'static str {
        match self {
            CutBasis::Decided => "decided",
            CutBasis::Draft => "draft",
            CutBasis::Detected => "detected",
        }
    }

    /// Short name, for narrow screens.
    pub fn short(self) -> &'static str {
        match self {
            CutBasis::Decided => "dec.",
            CutBasis::Draft => "draft",
            CutBasis::Detected => "det.",
        }
    }
}

/// Position of a line relative to the nearer cut. Lines are counted as in the gutter, including blank ones; the line next to
/// the cut has the distance 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinePosition {
    /// The part of the book.
    pub side: BookSide,
    /// The nearer cut.
    pub cut: End,
    /// Distance from the cut in lines, from 1; `None`: there is no cut.
    pub lines: Option<u32>,
    /// Origin of the cuts.
    pub basis: CutBasis,
}

impl LinePosition {
    /// The position of a line for these cuts.
    pub fn of(line: u32, cuts: Cuts, basis: CutBasis) -> LinePosition {
        let place = |side, cut, lines| LinePosition {
            side,
            cut,
            lines,
            basis,
        };
        if line <= cuts.preamble_end {
            let lines = cuts.preamble_end - line + 1;
            return place(BookSide::Preamble, End::Start, Some(lines));
        }
        if let Some(start) = cuts.epilogue_start.filter(|&start| line >= start) {
            return place(BookSide::Epilogue, End::End, Some(line - start + 1));
        }
        let after = (cuts.preamble_end > 0).then(|| line - cuts.preamble_end);
        let before = cuts.epilogue_start.map(|start| start - line);
        match (after, before) {
            (Some(after), Some(before)) if before < after => {
                place(BookSide::Body, End::End, Some(before))
            }
            (None, Some(before)) => place(BookSide::Body, End::End, Some(before)),
            (after, _) => place(BookSide::Body, End::Start, after),
        }
    }

    /// `preamble, 3 lines before the cut`.
    pub fn long(self) -> String {
        let side = self.side.word();
        let Some(lines) = self.lines else {
            return format!("{side}, nothing is cut");
        };
        let counted = format!("{lines} {}", plural(lines as usize, "line"));
        match (self.side, self.cut) {
            (BookSide::Preamble, _) => format!("{side}, {counted} before the cut"),
            (BookSide::Body, End::End) => format!("{side}, {counted} before the epilogue"),
            _ => format!("{side}, {counted} after the cut"),
        }
    }

    /// `preamble -3`, for narrow screens.
    pub fn short(self) -> String {
        let sign = match (self.side, self.cut) {
            (BookSide::Preamble, _) | (BookSide::Body, End::End) => '-',
            _ => '+',
        };
        let lines = self.lines.map(|lines| format!(" {sign}{lines}"));
        format!("{}{}", self.side.word(), lines.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told_from_the_nearer_cut() {
        let cuts = |preamble_end, epilogue_start| Cuts {
            preamble_end,
            epilogue_start,
        };
        let usual = cuts(20, Some(100));
        let table = [
            (
                1,
                usual,
                "preamble, 20 lines before the cut",
                "preamble -20",
            ),
            (18, usual, "preamble, 3 lines before the cut", "preamble -3"),
            (20, usual, "preamble, 1 line before the cut", "preamble -1"),
            (21, usual, "body, 1 line after the cut", "body +1"),
            (32, usual, "body, 12 lines after the cut", "body +12"),
            (98, usual, "body, 2 lines before the epilogue", "body -2"),
            (100, usual, "epilogue, 1 line after the cut", "epilogue +1"),
            (
                109,
                usual,
                "epilogue, 10 lines after the cut",
                "epilogue +10",
            ),
            (
                3,
                cuts(0, Some(9)),
                "body, 6 lines before the epilogue",
                "body -6",
            ),
            (
                99,
                cuts(9, None),
                "body, 90 lines after the cut",
                "body +90",
            ),
            (7, cuts(0, None), "body, nothing is cut", "body"),
            // The body is empty.
            (
                5,
                cuts(5, Some(6)),
                "preamble, 1 line before the cut",
                "preamble -1",
            ),
        ];
        for (line, cuts, long, short) in table {
            let place = LinePosition::of(line, cuts, CutBasis::Detected);
            assert_eq!((&*place.long(), &*place.short()), (long, short), "{line}");
        }
    }
}
