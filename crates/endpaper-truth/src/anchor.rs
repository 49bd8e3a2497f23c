//! Finding the places of a record again in a file that changed.
//!
//! A record keeps the three nearest non-blank lines on either side of every place. In the new text those lines are
//! searched for wherever they are, in any encoding and with any newlines (`lines`); a place is where they are in
//! order and where nothing unknown is at the cut itself (`gap`). Where that is not plain (lines were added at the
//! cut, the same lines are in two places, too few of them are left), the answer is a refusal with its reason: a cut
//! that is silently wrong would be worse than none.

mod gap;
mod lines;
mod refusal;
#[cfg(test)]
mod tests;

use super::context::{Anchor, BlockContext, NEAR};
use super::record::{Alternative, InnerBoilerplate, Record};
use endpaper_detect::{Cuts, End};
use endpaper_text::corpus::BookText;
use gap::{Gap, SoughtGap};
use lines::{LineHits, WantedLines};
pub use refusal::Refusal;

/// Alternatives and blocks inside that are searched for, each; no curator notes more, and a file may hold anything.
const PLACES: usize = 200;

/// The position of a cut in a changed text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelocatedCut<L> {
    /// Where it is in the new text.
    pub line: L,
    /// How much speaks for it, 0..1: which part of the lines around it is there, less what speaks against it. No
    /// probability; 0.99 where all stand together as they were.
    pub confidence: f32,
}

/// The cuts and other lines of a record, found again in a text that differs from the one they were decided in.
#[derive(Clone, Debug, PartialEq)]
pub struct Anchored {
    /// The last line of the preamble, 0 for none.
    pub preamble_end: Result<RelocatedCut<u32>, Refusal>,
    /// The first line of the epilogue, none if there is none.
    pub epilogue_start: Result<RelocatedCut<Option<u32>>, Refusal>,
    /// The alternatives that were found again.
    pub alternatives: Vec<Alternative>,
    /// The blocks inside the body that were found again.
    pub inside: Vec<InnerBoilerplate>,
    /// Alternatives and blocks that were not.
    pub lost: usize,
}

impl Anchored {
    /// Both cuts, if both were found.
    pub fn cuts(&self) -> Option<Cuts> {
        Some(Cuts {
            preamble_end: self.preamble_end.as_ref().ok()?.line,
            epilogue_start: self.epilogue_start.as_ref().ok()?.line,
        })
    }

    /// The confidence of the less certain cut; `None` if one was not found.
    pub fn confidence(&self) -> Option<f32> {
        let (start, end) = (
            self.preamble_end.as_ref().ok()?,
            self.epilogue_start.as_ref().ok()?,
        );
        Some(start.confidence.min(end.confidence))
    }
}

/// Finds the cuts, alternatives and blocks of a record again in a text. One pass over its lines; nothing is allocated
/// for a line in no context.
pub fn relocate(record: &Record, text: &BookText) -> Anchored {
    let context = &record.context;
    let mut wanted = WantedLines::default();
    let start = record.cuts.preamble_end;
    let start = find_anchor_lines(
        &mut wanted,
        &context.preamble_end,
        OldPosition::preamble(start),
    );
    let end = OldPosition::epilogue(record.cuts.epilogue_start, record);
    let end = find_anchor_lines(&mut wanted, &context.epilogue_start, end);
    let alternatives = find_alternatives(&mut wanted, record);
    let inside = find_inside(&mut wanted, record);
    let view = TargetText {
        found: wanted.find(text),
        text,
        old_lines: record.source.lines,
    };
    let mut preamble_end = view.find(&start).map(|(gap, confidence)| RelocatedCut {
        line: gap.before,
        confidence,
    });
    let mut epilogue_start = view.find(&end).map(|(gap, confidence)| RelocatedCut {
        line: (gap.after <= text.lines()).then_some(gap.after),
        confidence,
    });
    if let (Ok(start), Ok(end)) = (&preamble_end, &epilogue_start)
        && end.line.is_some_and(|end| start.line >= end)
    {
        (preamble_end, epilogue_start) = (Err(Refusal::Crossed), Err(Refusal::Crossed));
    }
    let alternatives: Vec<_> = alternatives
        .iter()
        .filter_map(|(old, query)| view.alternative(old, query))
        .collect();
    let inside: Vec<_> = inside
        .iter()
        .filter_map(|(old, query)| view.inside(old, query))
        .collect();
    let lost = record.alternatives.len() + record.inside.len() - alternatives.len() - inside.len();
    Anchored {
        preamble_end,
        epilogue_start,
        alternatives,
        inside,
        lost,
    }
}

/// Where a place was: before which line, and whether that is the very begin or end of the text.
#[derive(Clone, Copy, Debug)]
struct OldPosition {
    line: u32,
    at_begin: bool,
    at_end: bool,
}

impl OldPosition {
    fn preamble(last: u32) -> OldPosition {
        OldPosition {
            line: last,
            at_begin: last == 0,
            at_end: false,
        }
    }

    fn epilogue(first: Option<u32>, record: &Record) -> OldPosition {
        OldPosition {
            line: first.unwrap_or(record.source.lines.saturating_add(1)),
            at_begin: false,
            at_end: first.is_none_or(|first| first > record.source.lines),
        }
    }

    /// Before a line within the body.
    fn inside_body(line: u32) -> OldPosition {
        OldPosition {
            line,
            at_begin: false,
            at_end: false,
        }
    }
}

/// Notes how much like each of these anchors of a text another place of it is.
pub(super) fn record_best_rivals(text: &BookText, mut anchors: Vec<&mut Anchor>) {
    let mut wanted = WantedLines::default();
    let mut lines = |anchor: &&mut Anchor| anchor_lines(&mut wanted, anchor, 0);
    let query: Vec<SoughtGap> = anchors.iter().map(&mut lines).collect();
    let found = wanted.find(text);
    for (anchor, query) in anchors.iter_mut().zip(&query) {
        anchor.twin = Some(gap::best_rival_score(query, &found, text));
        let lines = query.before.iter().rev().chain(&query.after);
        let lines = lines.filter(|id| !WantedLines::is_end(**id));
        anchor.seen = lines.map(|id| found.count_of(*id)).collect();
    }
}

/// The gap to search for, with its lines added to `wanted`; an error if the record kept no context of it.
fn find_anchor_lines(
    wanted: &mut WantedLines,
    anchor: &Anchor,
    old: OldPosition,
) -> Result<SoughtGap, Refusal> {
    let (before, after) = (&anchor.before, &anchor.after);
    // An empty side means that there was nothing, and only the record of such a cut may say so.
    let kept = (!before.is_empty() || old.at_begin) && (!after.is_empty() || old.at_end);
    if !kept || (before.is_empty() && after.is_empty()) {
        return Err(Refusal::NoContext);
    }
    Ok(anchor_lines(wanted, anchor, old.line))
}

/// The lines of an anchor, the ends of the text where there were no more.
fn anchor_lines(wanted: &mut WantedLines, anchor: &Anchor, line: u32) -> SoughtGap {
    let (before, after) = (&anchor.before, &anchor.after);
    let mut before: Vec<u32> = before.iter().rev().map(|line| wanted.id(line)).collect();
    let mut after: Vec<u32> = after.iter().map(|line| wanted.id(line)).collect();
    let ids = before.iter().rev().chain(&after).copied();
    let seen = ids.zip(anchor.seen.iter().copied()).collect();
    before.truncate(NEAR);
    after.truncate(NEAR);
    if before.len() < NEAR {
        before.push(WantedLines::BEGIN);
    }
    if after.len() < NEAR {
        after.push(WantedLines::END);
    }
    SoughtGap {
        before,
        after,
        hash: anchor.hash.clone(),
        best_rival: anchor.twin,
        old_counts: seen,
        line,
    }
}

type SoughtInside<'a> = (&'a InnerBoilerplate, [Result<SoughtGap, Refusal>; 2]);

fn find_alternatives<'a>(
    wanted: &mut WantedLines,
    record: &'a Record,
) -> Vec<(&'a Alternative, Result<SoughtGap, Refusal>)> {
    let anchors = &record.context.alternatives;
    if anchors.len() != record.alternatives.len() {
        return Vec::new();
    }
    let pairs = record.alternatives.iter().zip(anchors).take(PLACES);
    pairs
        .map(|(alternative, anchor)| {
            let old = match alternative.end {
                End::Start => OldPosition::preamble(alternative.line),
                End::End => OldPosition::epilogue(Some(alternative.line), record),
            };
            (alternative, find_anchor_lines(wanted, anchor, old))
        })
        .collect()
}

fn find_inside<'a>(wanted: &mut WantedLines, record: &'a Record) -> Vec<SoughtInside<'a>> {
    let edges = &record.context.inside;
    if edges.len() != record.inside.len() {
        return Vec::new();
    }
    let pairs = record.inside.iter().zip(edges).take(PLACES);
    pairs
        .map(|(inside, BlockContext { first, last })| {
            let first = find_anchor_lines(wanted, first, OldPosition::inside_body(inside.first));
            let last = find_anchor_lines(wanted, last, OldPosition::inside_body(inside.last));
            (inside, [first, last])
        })
        .collect()
}

/// The new text and what of the contexts is where in it.
struct TargetText<'a> {
    found: LineHits,
    text: &'a BookText,
    old_lines: u32,
}

impl TargetText<'_> {
    fn find(&self, query: &Result<SoughtGap, Refusal>) -> Result<(Gap, f32), Refusal> {
        let query = query.as_ref().map_err(|refusal| *refusal)?;
        gap::find(query, &self.found, self.text, self.old_lines)
    }

    fn alternative(
        &self,
        old: &Alternative,
        query: &Result<SoughtGap, Refusal>,
    ) -> Option<Alternative> {
        let (gap, _) = self.find(query).ok()?;
        let line = match old.end {
            End::Start => gap.before,
            End::End => gap.after,
        };
        Some(Alternative {
            line,
            ..old.clone()
        })
    }

    fn inside(
        &self,
        old: &InnerBoilerplate,
        query: &[Result<SoughtGap, Refusal>; 2],
    ) -> Option<InnerBoilerplate> {
        let [first, last] = query;
        let (first, last) = (
            self.find(first).ok()?.0.after,
            self.find(last).ok()?.0.before,
        );
        // A block that shrank or grew is no longer the one that was marked.
        (first <= last).then(|| InnerBoilerplate {
            first,
            last,
            kind: old.kind.clone(),
        })
    }
}
