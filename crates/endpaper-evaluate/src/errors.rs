//! How far detected cuts are from the truth, in one book: in lines, in bytes, at each end.
//!
//! Cuts are compared by the lines of the body they enclose, so that blank lines around a cut carry no meaning. Signs are
//! those of Kaser & Lemire, Figure 8: below zero, text of the book was removed; above zero, boilerplate was left.

use serde::Serialize;

use super::agree::BodyRuler;
use endpaper_detect::{Cuts, End};
use endpaper_text::corpus::BookText;
use endpaper_truth::{Record, body_lines, error_at};

/// An amount of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TextVolume {
    /// Non-blank lines.
    pub lines: u64,
    /// Source bytes of these lines and the blank ones between them.
    pub bytes: u64,
}

impl TextVolume {
    fn add(&mut self, other: TextVolume) {
        self.lines += other.lines;
        self.bytes += other.bytes;
    }
}

/// The errors of a cut at one end of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EndErrors {
    /// Signed, in non-blank lines.
    pub lines: i64,
    /// Signed, in physical lines: from the first line of the one body to that of the other, or between their last lines.
    pub physical: i64,
    /// The cut encloses the same body as that of the label.
    pub exact: bool,
    /// Or that of an alternative which a second curator could defend.
    pub defended: bool,
    /// Physical lines of the labelled boilerplate at this end, blank ones next to the body left out.
    pub boilerplate: u32,
}

impl EndErrors {
    /// At most N non-blank lines off.
    pub fn within(&self, lines: u64) -> bool {
        self.lines.unsigned_abs() <= lines
    }
}

/// The errors of both cuts of a book.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BookErrors {
    /// At the start and at the end.
    pub ends: [EndErrors; 2],
    /// Text of the book that was cut away.
    pub loss: TextVolume,
    /// Boilerplate that was left.
    pub leak: TextVolume,
    /// Physical lines of the file.
    pub file_lines: u32,
    /// Non-blank lines of the file.
    pub lines: u64,
    /// Whether there is an epilogue: by the label, as detected.
    pub epilogue: [bool; 2],
    /// Boundaries, in non-blank lines before them: by the label, as detected. A book without preamble or epilogue has
    /// fewer than two.
    pub boundaries: [Vec<u64>; 2],
    /// The labelled and the detected cuts.
    pub cuts: [Cuts; 2],
    /// What the detector said: 0..1, how likely it is that one of its cuts is wrong.
    pub doubt: f32,
}

impl BookErrors {
    /// Holds detected cuts against a record about the same text.
    pub fn of(text: &BookText, record: &Record, found: Cuts, doubt: f32) -> BookErrors {
        let ruler = BodyRuler::of(text);
        let (truth, seen) = (BodySpan::of(text, record.cuts), BodySpan::of(text, found));
        let ends = [End::Start, End::End].map(|end| {
            let lines = -error_at(text, end, found, record.cuts);
            let (from, to) = (truth.edge(end), seen.edge(end));
            let outwards = match end {
                End::Start => i64::from(from) - i64::from(to),
                End::End => i64::from(to) - i64::from(from),
            };
            let mut defended = record.defensible_cuts(end);
            EndErrors {
                lines,
                physical: outwards,
                exact: lines == 0,
                defended: lines == 0 || defended.any(|cuts| error_at(text, end, found, cuts) == 0),
                boilerplate: match end {
                    End::Start => record.cuts.preamble_end.min(text.lines()),
                    End::End => (text.lines() + 1)
                        .saturating_sub(record.cuts.epilogue_start.unwrap_or(u32::MAX)),
                },
            }
        });
        let volume = |first: u32, last: u32| match first <= last && first > 0 {
            true => TextVolume {
                lines: ruler.up_to(last) - ruler.up_to(first - 1),
                bytes: text.span(first, last).len() as u64,
            },
            false => TextVolume::default(),
        };
        // What only one of the bodies has, before and after the other. Bodies that do not meet have nothing in common.
        let only = |a: &BodySpan, b: &BodySpan| {
            let mut all = volume(a.first, a.last.min(b.first.saturating_sub(1)));
            all.add(volume(a.first.max(b.last.saturating_add(1)), a.last));
            if b.first > b.last {
                all = volume(a.first, a.last);
            }
            all
        };
        BookErrors {
            ends,
            loss: only(&truth, &seen),
            leak: only(&seen, &truth),
            file_lines: text.lines(),
            lines: ruler.lines(),
            epilogue: [record.cuts, found].map(|cuts| cuts.epilogue_start.is_some()),
            boundaries: [record.cuts, found].map(|cuts| boundaries(&ruler, cuts)),
            cuts: [record.cuts, found],
            doubt,
        }
    }

    /// Both cuts are where the label has them.
    pub fn is_exact(&self) -> bool {
        self.ends.iter().all(|end| end.exact)
    }

    /// Both cuts are where the label or a defended alternative has them.
    pub fn is_defended(&self) -> bool {
        self.ends.iter().all(|end| end.defended)
    }

    /// Both cuts are at most N non-blank lines off.
    pub fn is_within(&self, lines: u64) -> bool {
        self.ends.iter().all(|end| end.within(lines))
    }

    /// Both cuts are off by at most a tenth of the boilerplate at their end, in physical lines: one reading of "within
    /// 10 %" (Kaser & Lemire, section 4).
    pub fn is_within_tenth_of_boilerplate(&self) -> bool {
        let near = |end: &EndErrors| end.physical.unsigned_abs() * 10 <= u64::from(end.boilerplate);
        self.ends.iter().all(near)
    }

    /// Whether both cuts are off by at most a tenth of the file, in physical lines: the other reading.
    pub fn is_within_tenth_of_file(&self) -> bool {
        let near = |end: &EndErrors| end.physical.unsigned_abs() * 10 <= u64::from(self.file_lines);
        self.ends.iter().all(near)
    }
}

/// First and last line of a body; first > last where it is empty.
struct BodySpan {
    first: u32,
    last: u32,
}

impl BodySpan {
    /// The first and last non-blank line of the body between the cuts.
    fn of(text: &BookText, cuts: Cuts) -> BodySpan {
        // An empty body still begins and ends somewhere: where its cuts are.
        let end = cuts.epilogue_start.unwrap_or(text.lines() + 1);
        let (first, last) = body_lines(text, cuts)
            .unwrap_or((cuts.preamble_end.saturating_add(1), end.saturating_sub(1)));
        BodySpan { first, last }
    }

    /// The line at this end of the body.
    fn edge(&self, end: End) -> u32 {
        match end {
            End::Start => self.first,
            End::End => self.last,
        }
    }
}

/// Boundaries of cuts, in non-blank lines before them.
fn boundaries(ruler: &BodyRuler, cuts: Cuts) -> Vec<u64> {
    let places = ruler.offsets(cuts);
    let all = [places.start, places.end].into_iter();
    let mut all: Vec<u64> = all
        .filter(|place| (1..ruler.lines()).contains(place))
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_truth::{Alternative, SourceFacts};
    use proptest::prelude::*;

    fn cuts(preamble_end: u32, epilogue_start: Option<u32>) -> Cuts {
        Cuts {
            preamble_end,
            epilogue_start,
        }
    }

    fn record(text: &BookText, cuts: Cuts) -> Record {
        Record {
            cuts,
            ..Record::new("b", SourceFacts::of(text))
        }
    }

    /// Lines 1 to 12; 2, 5, 6 and 11 are blank.
    fn text() -> BookText {
        BookText::new(b"a1\n\nb3\nc4\n\n\nd7\ne8\nf9\ng10\n\nh12\n".to_vec())
    }

    #[test]
    fn errors_have_the_sign_of_the_paper_and_count_both_ways() {
        let text = text();
        let truth = record(&text, cuts(3, Some(12)));
        // (found, lines, physical, loss, leak)
        let table = [
            ((3, Some(12)), [0, 0], [0, 0], (0, 0), (0, 0)),
            // Blank lines carry no meaning.
            ((2, Some(11)), [1, 0], [1, 0], (0, 0), (1, 3)),
            ((1, None), [1, 1], [1, 2], (0, 0), (2, 8)),
            // The preamble continues to line 7: lines 4 and 7 of the book are removed, and the blank ones between them.
            ((7, Some(12)), [-2, 0], [-4, 0], (2, 8), (0, 0)),
            ((3, Some(8)), [0, -3], [0, -3], (3, 10), (0, 0)),
            // Nothing is left: the whole body is lost, once.
            ((12, None), [-6, 1], [-9, 2], (5, 18), (0, 0)),
        ];
        for (found, lines, physical, loss, leak) in table {
            let errors = BookErrors::of(&text, &truth, cuts(found.0, found.1), 0.0);
            assert_eq!(errors.ends.map(|end| end.lines), lines, "{found:?}");
            assert_eq!(errors.ends.map(|end| end.physical), physical, "{found:?}");
            let volumes = [errors.loss, errors.leak].map(|v| (v.lines, v.bytes));
            assert_eq!(volumes, [loss, leak], "{found:?}");
        }
    }

    #[test]
    fn alternatives_defend_their_end_only() {
        let text = text();
        let mut truth = record(&text, cuts(3, Some(12)));
        truth.alternatives.push(Alternative {
            end: End::Start,
            line: 4,
            why: String::new(),
        });
        let scored = |found| {
            let errors = BookErrors::of(&text, &truth, found, 0.0);
            (errors.is_exact(), errors.is_defended())
        };
        assert_eq!(scored(cuts(3, Some(12))), (true, true));
        assert_eq!(scored(cuts(5, Some(12))), (false, true));
        assert_eq!(scored(cuts(4, None)), (false, false));
    }

    #[test]
    fn a_tenth_is_of_the_boilerplate_or_of_the_file() {
        let text = BookText::new(
            (1..=100)
                .map(|n| format!("{n}\n"))
                .collect::<String>()
                .into(),
        );
        let truth = record(&text, cuts(30, Some(100)));
        let scored = |start, end| {
            let errors = BookErrors::of(&text, &truth, cuts(start, end), 0.0);
            (
                errors.is_within_tenth_of_boilerplate(),
                errors.is_within_tenth_of_file(),
            )
        };
        assert_eq!(scored(33, Some(100)), (true, true));
        assert_eq!(scored(34, Some(100)), (false, true));
        assert_eq!(scored(30, Some(99)), (false, true));
        assert_eq!(scored(41, Some(100)), (false, false));
    }

    #[test]
    fn presence_and_boundaries_are_told() {
        let text = text();
        let errors = BookErrors::of(&text, &record(&text, cuts(3, None)), cuts(0, Some(12)), 0.0);
        assert_eq!(errors.epilogue, [false, true]);
        assert_eq!(errors.boundaries, [vec![2], vec![7]]);
        assert_eq!((errors.lines, errors.file_lines), (8, 12));
    }

    proptest! {
        /// Line by line: what is lost is in the label's body and not in the other, what leaks the other way round.
        #[test]
        fn loss_and_leak_are_those_of_the_lines(
            blank in proptest::collection::vec(any::<bool>(), 12),
            ends in (0u32..=12, 1u32..=13, 0u32..=12, 1u32..=13),
        ) {
            let lines = blank.iter().map(|blank| if *blank { "\n" } else { "x\n" });
            let text = BookText::new(lines.collect::<String>().into());
            let made = |a: u32, b: u32| cuts(a, Some(b).filter(|&b| b <= 12));
            let (truth, found) = (made(ends.0, ends.1), made(ends.2, ends.3));
            let errors = BookErrors::of(&text, &record(&text, truth), found, 0.0);
            let inside = |cuts: Cuts, line: u32| {
                line > cuts.preamble_end && cuts.epilogue_start.is_none_or(|start| line < start)
            };
            let count = |yes: &dyn Fn(u32) -> bool| {
                (1..=12).filter(|&line| !blank[line as usize - 1] && yes(line)).count() as u64
            };
            let loss = count(&|line| inside(truth, line) && !inside(found, line));
            let leak = count(&|line| !inside(truth, line) && inside(found, line));
            prop_assert_eq!((errors.loss.lines, errors.leak.lines), (loss, leak));
        }
    }
}
