//! Taking the lines around the places of a record from its text.

use super::anchor::record_best_rivals as note;
use super::context::{Anchor, BlockContext, CutContext, NEAR, context_line, hash};
use super::record::{Alternative, InnerBoilerplate, Record};
use endpaper_detect::{Cuts, End};
use endpaper_text::corpus::BookText;

/// The context of cuts in a text. Without an epilogue its anchor is at the end of the file.
pub fn context_of(text: &BookText, cuts: Cuts) -> CutContext {
    let lines = text.lines();
    let end = cuts.epilogue_start.unwrap_or(lines.saturating_add(1));
    let mut context = CutContext {
        preamble_end: anchor(text, cuts.preamble_end.saturating_add(1)),
        epilogue_start: anchor(text, end),
        ..CutContext::default()
    };
    record_best_rivals_in(text, &mut context);
    context
}

/// The context of everything a record says of places in a text: its cuts, alternatives and blocks inside.
pub fn context_of_record(text: &BookText, record: &Record) -> CutContext {
    let alternative = |alternative: &Alternative| match alternative.end {
        End::Start => anchor(text, alternative.line.saturating_add(1)),
        End::End => anchor(text, alternative.line),
    };
    let edges = |inside: &InnerBoilerplate| BlockContext {
        first: anchor(text, inside.first),
        last: anchor(text, inside.last.saturating_add(1)),
    };
    let end = record.cuts.epilogue_start;
    let mut context = CutContext {
        preamble_end: anchor(text, record.cuts.preamble_end.saturating_add(1)),
        epilogue_start: anchor(text, end.unwrap_or(text.lines().saturating_add(1))),
        alternatives: record.alternatives.iter().map(alternative).collect(),
        inside: record.inside.iter().map(edges).collect(),
    };
    record_best_rivals_in(text, &mut context);
    context
}

/// Notes for every place how much like it another one is.
fn record_best_rivals_in(text: &BookText, context: &mut CutContext) {
    let edges = context.inside.iter_mut();
    let anchors = [&mut context.preamble_end, &mut context.epilogue_start]
        .into_iter()
        .chain(&mut context.alternatives)
        .chain(edges.flat_map(|edges| [&mut edges.first, &mut edges.last]));
    note(text, anchors.collect());
}

/// The anchor of a cut just before line `at`.
fn anchor(text: &BookText, at: u32) -> Anchor {
    let lines = text.lines();
    let at = at.clamp(1, lines.saturating_add(1));
    let mut before = nearest_non_blank((1..at).rev(), |line| text.is_blank(line));
    before.reverse();
    let after = nearest_non_blank(at..=lines, |line| text.is_blank(line));
    let shown = |lines: &[u32]| lines.iter().map(|line| context_line(text, *line)).collect();
    Anchor {
        hash: hash(text, before.iter().chain(&after)),
        before: shown(&before),
        after: shown(&after),
        twin: None,
        seen: Vec::new(),
    }
}

/// The first few lines of an order that are not blank.
fn nearest_non_blank(order: impl Iterator<Item = u32>, is_blank: impl Fn(u32) -> bool) -> Vec<u32> {
    order.filter(|line| !is_blank(*line)).take(NEAR).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::WIDTH;

    fn context(text: &str, preamble_end: u32, epilogue_start: Option<u32>) -> CutContext {
        let cuts = Cuts {
            preamble_end,
            epilogue_start,
        };
        context_of(&BookText::new(text.into()), cuts)
    }

    #[test]
    fn the_nearest_lines_that_are_not_blank_are_kept_in_order() {
        let text = "a\nb\n\nc\nd\n \n\ne\n\nf\ng\nh\n";
        let found = context(text, 5, Some(11));
        assert_eq!(found.preamble_end.before, ["b", "c", "d"]);
        assert_eq!(found.preamble_end.after, ["e", "f", "g"]);
        assert_eq!(found.epilogue_start.before, ["d", "e", "f"]);
        assert_eq!(found.epilogue_start.after, ["g", "h"]);
    }

    #[test]
    fn no_preamble_and_no_epilogue_stand_at_the_ends() {
        let found = context("a\r\nb\r\n", 0, None);
        assert_eq!(found.preamble_end.before, Vec::<String>::new());
        assert_eq!(found.preamble_end.after, ["a", "b"]);
        assert_eq!(found.epilogue_start.before, ["a", "b"]);
        assert_eq!(found.epilogue_start.after, Vec::<String>::new());
    }

    #[test]
    fn cuts_outside_the_file_do_no_harm() {
        for text in ["", "a", "\n\n"] {
            context(text, u32::MAX, Some(0));
            context(text, 7, Some(u32::MAX));
        }
    }

    #[test]
    fn lines_are_cut_by_characters_and_the_hash_sees_the_rest() {
        let long = |end: &str| format!("{}{end}\n", "é".repeat(200));
        let (a, b) = (context(&long("a"), 1, None), context(&long("b"), 1, None));
        assert_eq!(a.preamble_end.before, ["é".repeat(WIDTH)]);
        assert_eq!(a.preamble_end.before, b.preamble_end.before);
        assert_ne!(a.preamble_end.hash, b.preamble_end.hash);
        assert_eq!(a.preamble_end.hash.len(), 16);
    }

    #[test]
    fn the_hash_is_of_normalised_lines() {
        let (a, b) = (
            context("a  *b\r\n", 1, None),
            context("  a ***b\n", 1, None),
        );
        assert_eq!(a.preamble_end.hash, b.preamble_end.hash);
    }
}
