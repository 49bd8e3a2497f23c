//! The lines around a labelled and a detected cut of one book.
//!
//! If the cuts are far apart, both neighbourhoods are shown, with the number of lines between them. Consecutive blank lines take one
//! row.

use std::ops::RangeInclusive;

use endpaper_detect::{Cuts, End};
use endpaper_text::corpus::BookText;

/// Neighbourhoods this few lines apart are joined: a note on omitted lines takes space too.
const JOINED_LINES: u32 = 4;

/// State of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineState {
    /// In the book, both by label and by detection.
    Book,
    /// In neither.
    Outside,
    /// In the book by label, but removed.
    Lost,
    /// Outside the book by label, but left.
    Left,
}

/// The origin of a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CutOwner {
    Label,
    Detector,
    /// Label and detector agree.
    Both,
}

/// A row of an excerpt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExcerptRow {
    /// A non-blank line: its number and state.
    Line(u32, LineState),
    /// Blank lines: the first, and how many.
    Blank(u32, u32),
    /// A cut between the rows before and after.
    Cut(End, CutOwner),
    /// Number of lines that are not shown.
    Gap(u32),
}

/// Returns the rows around the cuts at one end, with `lines` non-blank lines at both sides of each. `cuts` are the labelled and the
/// detected ones.
pub(super) fn excerpt(text: &BookText, end: End, cuts: [Cuts; 2], lines: u32) -> Vec<ExcerptRow> {
    let [a, b] = cuts.map(|cuts| edge(text, end, cuts));
    let around = |edge| neighbourhood(text, edge, lines);
    let (first, second) = (around(a.min(b)), around(a.max(b)));
    let shown = match second.start().saturating_sub(*first.end()) <= JOINED_LINES {
        true => vec![*first.start()..=*second.end()],
        false => vec![first, second],
    };
    let mut rows = Vec::new();
    let mut before: Option<u32> = None;
    for range in shown {
        rows.extend(before.map(|last| ExcerptRow::Gap(range.start() - last - 1)));
        before = Some(*range.end());
        put(text, end, range, cuts, &mut rows);
    }
    rows
}

/// The line before a cut; 0 before the first line, the last line of the file if nothing is cut off.
fn edge(text: &BookText, end: End, cuts: Cuts) -> u32 {
    let none = text.lines() + 1;
    match end {
        End::Start => cuts.preamble_end.min(text.lines()),
        End::End => cuts.epilogue_start.unwrap_or(none).clamp(1, none) - 1,
    }
}

/// The lines around an edge, with `lines` non-blank ones at both sides.
fn neighbourhood(text: &BookText, edge: u32, lines: u32) -> RangeInclusive<u32> {
    let full = |line: &u32| !text.is_blank(*line);
    let lines = lines as usize;
    let above = (1..=edge).rev().filter(full).take(lines).last();
    let below = (edge + 1..=text.lines()).filter(full).take(lines).last();
    above.unwrap_or(edge + 1)..=below.unwrap_or(edge)
}

/// Adds the lines of a range and the cuts among them: all cuts of this end, and those of the other end that cut something off.
fn put(
    text: &BookText,
    own: End,
    range: RangeInclusive<u32>,
    cuts: [Cuts; 2],
    rows: &mut Vec<ExcerptRow>,
) {
    let mut blank = 0;
    // An edge after line n is drawn below it, an edge after line 0 above everything.
    for line in range.start() - 1..=*range.end() {
        let is_shown = range.contains(&line);
        if is_shown && text.is_blank(line) {
            blank += 1;
        }
        if is_shown && !text.is_blank(line) {
            flush(rows, line, &mut blank);
            rows.push(ExcerptRow::Line(line, state(cuts, line)));
        }
        for (end, nothing) in [(End::Start, 0), (End::End, text.lines())] {
            if end != own && line == nothing {
                continue;
            }
            let whose = match cuts.map(|cuts| edge(text, end, cuts) == line) {
                [true, true] => CutOwner::Both,
                [true, false] => CutOwner::Label,
                [false, true] => CutOwner::Detector,
                [false, false] => continue,
            };
            flush(rows, line + 1, &mut blank);
            rows.push(ExcerptRow::Cut(end, whose));
        }
    }
    flush(rows, range.end() + 1, &mut blank);
}

/// Adds the pending blank lines before a line.
fn flush(rows: &mut Vec<ExcerptRow>, before: u32, blank: &mut u32) {
    if *blank > 0 {
        rows.push(ExcerptRow::Blank(before - *blank, *blank));
        *blank = 0;
    }
}

/// The part of the book that a line is in, according to the labelled and the detected cuts.
fn state(cuts: [Cuts; 2], line: u32) -> LineState {
    match cuts.map(|cuts| cuts.enclose(line)) {
        [true, true] => LineState::Book,
        [false, false] => LineState::Outside,
        [true, false] => LineState::Lost,
        [false, true] => LineState::Left,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cuts(preamble_end: u32, epilogue_start: Option<u32>) -> Cuts {
        Cuts {
            preamble_end,
            epilogue_start,
        }
    }

    /// Rows in brief: `3` a line of the book, `-3` lost, `+3` left, `.3` outside, `_2` blank lines, `~7` a gap, `(` and `)` labelled
    /// cuts, `[` and `]` detected ones.
    fn brief(rows: &[ExcerptRow]) -> String {
        let words = rows.iter().map(|row| match row {
            ExcerptRow::Line(line, LineState::Book) => line.to_string(),
            ExcerptRow::Line(line, LineState::Lost) => format!("-{line}"),
            ExcerptRow::Line(line, LineState::Left) => format!("+{line}"),
            ExcerptRow::Line(line, LineState::Outside) => format!(".{line}"),
            ExcerptRow::Blank(first, 1) => format!("_{first}"),
            ExcerptRow::Blank(first, lines) => format!("_{first}x{lines}"),
            ExcerptRow::Gap(lines) => format!("~{lines}"),
            ExcerptRow::Cut(End::Start, CutOwner::Label) => "(".to_owned(),
            ExcerptRow::Cut(End::Start, CutOwner::Detector) => "[".to_owned(),
            ExcerptRow::Cut(End::End, CutOwner::Label) => ")".to_owned(),
            ExcerptRow::Cut(End::End, CutOwner::Detector) => "]".to_owned(),
            ExcerptRow::Cut(End::Start, CutOwner::Both) => "([".to_owned(),
            ExcerptRow::Cut(End::End, CutOwner::Both) => ")]".to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn neighbourhoods_are_shown_with_cuts_and_what_became_of_lines() {
        // Lines 3, 6, 7 and 8 are blank.
        let short = BookText::new(b"1\n2\n\n4\n5\n\n\n\n9\n10\n".to_vec());
        let long = (1..=100).map(|n| format!("{n}\n")).collect::<String>();
        let long = BookText::new(long.into());
        let (start, end) = (End::Start, End::End);
        let table = [
            (
                2,
                &short,
                start,
                (2, None),
                (4, None),
                ".1 .2 ( _3 -4 [ 5 _6x3 9",
            ),
            (
                2,
                &short,
                start,
                (4, None),
                (2, None),
                ".1 .2 [ _3 +4 ( 5 _6x3 9",
            ),
            (2, &short, start, (0, None), (1, None), "( -1 [ 2 _3 4"),
            (
                2,
                &short,
                end,
                (0, None),
                (0, Some(9)),
                "4 5 _6x3 ] -9 -10 )",
            ),
            (
                2,
                &short,
                end,
                (0, Some(9)),
                (0, Some(7)),
                "4 5 _6 ] _7x2 ) .9 .10",
            ),
            // Cuts of the other end are shown if near, and the state of a line depends on both cuts.
            (
                2,
                &short,
                start,
                (1, Some(5)),
                (4, None),
                ".1 ( -2 _3 -4 [ ) +5 _6x3 +9",
            ),
            (
                2,
                &long,
                start,
                (10, None),
                (16, None),
                ".9 .10 ( -11 -12 -13 -14 -15 -16 [ 17 18",
            ),
            (
                2,
                &long,
                start,
                (10, None),
                (19, None),
                ".9 .10 ( -11 -12 ~5 -18 -19 [ 20 21",
            ),
            (
                1,
                &short,
                start,
                (2, Some(5)),
                (0, Some(5)),
                "[ +1 +2 ( _3 4 )]",
            ),
            // A cut beyond the end of the file is at its end.
            (2, &long, start, (99, None), (900, None), ".98 .99 ( -100 ["),
            (
                2,
                &long,
                end,
                (0, Some(900)),
                (0, Some(0)),
                "] -1 -2 ~96 -99 -100 )",
            ),
            (
                1,
                &long,
                start,
                (10, None),
                (90, None),
                ".10 ( -11 ~78 -90 [ 91",
            ),
        ];
        for (lines, text, end, label, found, expected) in table {
            let both = [label, found].map(|(start, end)| cuts(start, end));
            let rows = excerpt(text, end, both, lines);
            assert_eq!(brief(&rows), expected, "{label:?} {found:?}");
        }
    }

    #[test]
    fn a_text_without_lines_has_no_rows_but_its_cuts() {
        let text = BookText::new(Vec::new());
        let rows = excerpt(&text, End::Start, [cuts(0, None), cuts(5, Some(2))], 12);
        assert_eq!(brief(&rows), "([");
    }

    proptest! {
        /// Every line is shown at most once and in order, gaps and blank rows have the right sizes, and both cuts of the end are shown.
        #[test]
        fn rows_account_for_every_line_in_between(
            blank in proptest::collection::vec(any::<bool>(), 1..60),
            label in (0u32..70, 0u32..70),
            found in (0u32..70, 0u32..70),
            context in 1u32..6,
            end in prop_oneof![Just(End::Start), Just(End::End)],
        ) {
            let lines: String = blank.iter().map(|blank| if *blank { "\n" } else { "x\n" }).collect();
            let text = BookText::new(lines.into());
            let made = |(a, b): (u32, u32)| cuts(a, Some(b).filter(|b| *b < 65));
            let rows = excerpt(&text, end, [made(label), made(found)], context);
            let mut next = None;
            let mut own = 0;
            for row in &rows {
                match *row {
                    ExcerptRow::Line(line, _) => {
                        prop_assert!(next.is_none_or(|next| next == line));
                        prop_assert!(!blank[line as usize - 1]);
                        next = Some(line + 1);
                    }
                    ExcerptRow::Blank(first, count) => {
                        prop_assert!(next.is_none_or(|next| next == first));
                        prop_assert!((first..first + count).all(|line| blank[line as usize - 1]));
                        next = Some(first + count);
                    }
                    ExcerptRow::Gap(count) => next = next.map(|next| next + count),
                    ExcerptRow::Cut(of, whose) if of == end => own += 1 + u32::from(whose == CutOwner::Both),
                    ExcerptRow::Cut(..) => {}
                }
            }
            prop_assert_eq!(own, 2);
            prop_assert!(next.is_none_or(|next| next as usize <= blank.len() + 1));
        }
    }
}
