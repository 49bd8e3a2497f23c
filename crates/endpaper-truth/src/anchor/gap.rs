//! Finds the position of a cut in a changed text by the lines that were around it.
//!
//! A *gap* is the room between two neighbouring non-blank lines. Its score is how many lines of the context stand around
//! it in their order. The gap with the highest score is the place, if no other comes near, if a line of the context
//! is on either side of it with nothing between, and if no line of the context that is missing here is elsewhere.

use super::Refusal;
use super::lines::{LineHit, LineHits, WantedLines};
use crate::context::hash;
use endpaper_text::corpus::BookText;

/// Non-blank lines on either side of a gap in which its context is searched for.
const WINDOW: u32 = 40;

/// Lines that occur more often than this in a text are no evidence of a move or a copy.
const MAX_OCCURRENCES: u32 = 3;

/// The gap between lines at which a cut was, by the lines around it.
#[derive(Debug)]
pub(super) struct SoughtGap {
    /// Numbers of the lines before the cut, the nearest first.
    pub before: Vec<u32>,
    /// Numbers of the lines after the cut, the nearest first.
    pub after: Vec<u32>,
    /// The hash of the whole lines.
    pub hash: String,
    /// The score of the place of the old text that was most like it, if it was looked up.
    pub best_rival: Option<u32>,
    /// How often each line occurred in the old text, with its number; empty if not counted.
    pub old_counts: Vec<(u32, u32)>,
    /// The line of the cut in the old text.
    pub line: u32,
}

/// A place between two non-blank lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    /// The line before it; 0 for none.
    pub before: u32,
    /// The line after it; one past the last for none.
    pub after: u32,
}

/// A hit with the number of its line.
type NumberedHit = (LineHit, u32);

/// A gap with how much of the context is around it.
#[derive(Clone, Copy, Debug)]
struct ScoredGap {
    /// The gap is after this many non-blank lines.
    at: u32,
    /// Lines of the context in order.
    score: usize,
}

/// The place of a cut and the confidence in it.
pub(super) fn find(
    query: &SoughtGap,
    found: &LineHits,
    text: &BookText,
    old_lines: u32,
) -> Result<(Gap, f32), Refusal> {
    let known = context_hits(query, found);
    let gaps = gaps(query, found, &known);
    let total = query.before.len() + query.after.len();
    let best = gaps
        .iter()
        .max_by_key(|gap| gap.score)
        .copied()
        .ok_or(Refusal::TooLittleLeft)?;
    // Half of the context, and three lines of it, is the least that says where we are; and more than was at another
    // place already. Where that was never searched for, nothing may be missing.
    let twin = query.best_rival.map_or(total - 1, |twin| twin as usize);
    if best.score < 3.min(total) || best.score * 2 < total || best.score <= twin {
        return Err(Refusal::TooLittleLeft);
    }
    let near = |gap: &ScoredGap| gap.at.abs_diff(best.at) <= WINDOW;
    let others = || gaps.iter().filter(|gap| gap.at != best.at);
    if others().any(|gap| gap.score == best.score && !near(gap)) {
        return Err(Refusal::Ambiguous);
    }
    let (before, after) = neighbours(&known, best.at);
    let (before, after) = (
        GapSide::align(&query.before, &before).ok_or(Refusal::ChangedAtCut)?,
        GapSide::align(&query.after, &after).ok_or(Refusal::ChangedAtCut)?,
    );
    // Going from here, every line of the context that is passed costs a gap one point, or half of one where lines repeat.
    // A gap that keeps more is at a copy.
    let crossed = |at: u32| {
        let before = before.matched.iter().filter(|(hit, _)| hit.ordinal > at);
        let after = after.matched.iter().filter(|(hit, _)| hit.ordinal <= at);
        before.count() + after.count()
    };
    if others().any(|gap| near(gap) && gap.score + crossed(gap.at).div_ceil(2) > best.score) {
        return Err(Refusal::ChangedAtCut);
    }
    let missing = before.missing.iter().chain(&after.missing);
    let stands_elsewhere = |id: &u32| {
        !WantedLines::is_end(*id) && (1..=MAX_OCCURRENCES).contains(&found.count_of(*id))
    };
    if missing.clone().any(stands_elsewhere) {
        return Err(Refusal::Moved);
    }
    let was_copied =
        |(id, then): &(u32, u32)| *then <= MAX_OCCURRENCES && found.count_of(*id) > *then;
    if query.old_counts.iter().any(was_copied) {
        return Err(Refusal::Ambiguous);
    }
    let evidence: f32 = before
        .matched
        .iter()
        .chain(&after.matched)
        .map(|(_, id)| 1.0 / found.count_of(*id).max(1) as f32)
        .sum();
    if evidence < 1.5 {
        return Err(Refusal::TooLittleLeft);
    }
    let rival = gaps.iter().filter(|gap| !near(gap)).map(|gap| gap.score);
    let rival = rival.max().unwrap_or(0);
    let whole = best.score == total;
    if best.score < rival + if whole { 2 } else { 3 } {
        return Err(Refusal::Ambiguous);
    }
    let gap = Gap {
        before: before.nearest.line,
        after: after.nearest.line,
    };
    let exact =
        whole && before.is_contiguous && after.is_contiguous && same(query, &before, &after, text);
    let displaced = is_displaced(query.line, gap.before, old_lines, text.lines());
    if displaced && !exact {
        return Err(Refusal::FarAway);
    }
    let flaws = [
        !exact,
        !before.is_contiguous || !after.is_contiguous,
        displaced,
    ];
    Ok((gap, confidence(best.score, rival, total, flaws)))
}

/// How sure it is that a gap with `score` of `total` lines of context is the one that is searched for, beside a `rival`.
fn confidence(score: usize, rival: usize, total: usize, flaws: [bool; 3]) -> f32 {
    let mut confidence = score as f32 / total as f32 - 0.2 * rival as f32 / total as f32;
    for flaw in flaws {
        confidence -= if flaw { 0.05 } else { 0.0 };
    }
    confidence.clamp(0.05, 0.99)
}

/// The highest score of a gap that could be taken for the place of a context, besides the place itself.
pub(super) fn best_rival_score(query: &SoughtGap, found: &LineHits, text: &BookText) -> u32 {
    let known = context_hits(query, found);
    let mut gaps = gaps(query, found, &known);
    gaps.sort_by_key(|gap| std::cmp::Reverse(gap.score));
    let total = query.before.len() + query.after.len();
    let mut itself = false;
    let twin = gaps.iter().find(|gap| {
        let (before, after) = neighbours(&known, gap.at);
        let aligned =
            GapSide::align(&query.before, &before).zip(GapSide::align(&query.after, &after));
        let Some((before, after)) = aligned else {
            return false;
        };
        let close = gap.score == total && before.is_contiguous && after.is_contiguous;
        // The first of those that are exactly it is it; a second one is a twin.
        !(close && same(query, &before, &after, text) && !std::mem::replace(&mut itself, true))
    });
    twin.map_or(0, |gap| gap.score as u32)
}

/// All hits of the context's lines, in line order.
fn context_hits(query: &SoughtGap, found: &LineHits) -> Vec<NumberedHit> {
    let mut ids: Vec<u32> = query.before.iter().chain(&query.after).copied().collect();
    ids.sort_unstable();
    ids.dedup();
    let mut known: Vec<NumberedHit> = ids
        .into_iter()
        .flat_map(|id| found.hits[id as usize].iter().map(move |&hit| (hit, id)))
        .collect();
    known.sort_unstable_by_key(|(hit, _)| hit.ordinal);
    known
}

/// Every gap next to a line of the context, with its score.
fn gaps(query: &SoughtGap, found: &LineHits, known: &[NumberedHit]) -> Vec<ScoredGap> {
    let mut at: Vec<u32> = known
        .iter()
        .flat_map(|(hit, _)| [hit.ordinal.checked_sub(1), Some(hit.ordinal)])
        .flatten()
        .filter(|at| *at <= found.count)
        .collect();
    at.dedup();
    let score = |at| {
        let (before, after) = neighbours(known, at);
        common(&query.before, &before) + common(&query.after, &after)
    };
    at.into_iter()
        .map(|at| ScoredGap {
            at,
            score: score(at),
        })
        .collect()
}

/// Lines of the searched context on one side of a gap, the nearest first, each with its distance in non-blank lines.
type Neighbours = Vec<(u32, NumberedHit)>;

/// The lines of the searched context before and after the gap at `at`.
fn neighbours(known: &[NumberedHit], at: u32) -> (Neighbours, Neighbours) {
    let middle = known.partition_point(|(hit, _)| hit.ordinal <= at);
    let before = known[..middle]
        .iter()
        .rev()
        .map(|known| (at - known.0.ordinal, *known))
        .take_while(|(distance, _)| *distance < WINDOW);
    let after = known[middle..]
        .iter()
        .map(|known| (known.0.ordinal - at - 1, *known))
        .take_while(|(distance, _)| *distance < WINDOW);
    (before.collect(), after.collect())
}

/// Length of the longest sequence that is in both, in order.
fn common(items: &[u32], side: &[(u32, NumberedHit)]) -> usize {
    let mut row = vec![0; items.len() + 1];
    for (_, (_, id)) in side {
        let mut diagonal = 0;
        for (index, item) in items.iter().enumerate() {
            let above = row[index + 1];
            row[index + 1] = if item == id {
                diagonal + 1
            } else {
                above.max(row[index])
            };
            diagonal = above;
        }
    }
    row[items.len()]
}

/// One side of a gap, its context matched with what is there.
#[derive(Debug)]
struct GapSide {
    /// The line at the gap.
    nearest: LineHit,
    /// Lines of the context that are there: hit and number, the nearest first.
    matched: Vec<(LineHit, u32)>,
    /// Numbers of those that are not.
    missing: Vec<u32>,
    /// They stand together, as they did.
    is_contiguous: bool,
}

impl GapSide {
    /// Matches as many as can be in order, the first with the line at the gap; `None` where that line is none of them,
    /// or where more could be matched without it.
    fn align(items: &[u32], side: &[(u32, NumberedHit)]) -> Option<GapSide> {
        let (distance, (nearest, id)) = *side.first()?;
        if distance != 0 {
            return None;
        }
        let from = |index: usize| 1 + common(&items[index + 1..], &side[1..]);
        let first = (0..items.len())
            .filter(|&index| items[index] == id)
            .max_by_key(|&index| (from(index), usize::MAX - index))?;
        if from(first) < common(items, side) {
            return None;
        }
        let mut aligned = GapSide {
            nearest,
            matched: vec![(nearest, id)],
            missing: items[..first].to_vec(),
            is_contiguous: true,
        };
        let (mut rest, mut last) = (&side[1..], 0);
        for index in first + 1..items.len() {
            let wanted = common(&items[index..], rest);
            let without = common(&items[index + 1..], rest);
            let at = rest.iter().position(|(_, (_, id))| *id == items[index]);
            match at {
                Some(at) if wanted > without => {
                    let (distance, (hit, id)) = rest[at];
                    aligned.is_contiguous &= distance == last + 1;
                    last = distance;
                    aligned.matched.push((hit, id));
                    rest = &rest[at + 1..];
                }
                _ => aligned.missing.push(items[index]),
            }
        }
        Some(aligned)
    }
}

/// The whole lines are the same, not only their first characters.
fn same(query: &SoughtGap, before: &GapSide, after: &GapSide, text: &BookText) -> bool {
    let lines = |side: &GapSide| -> Vec<u32> {
        let inner = side.matched.iter().map(|(hit, _)| hit.line);
        inner
            .filter(|line| (1..=text.lines()).contains(line))
            .collect()
    };
    let (mut before, after) = (lines(before), lines(after));
    before.reverse();
    hash(text, before.iter().chain(&after)) == query.hash
}

/// The place is not where the number of lines that were added or removed could have brought it, generously.
fn is_displaced(old: u32, new: u32, old_lines: u32, new_lines: u32) -> bool {
    let slack = 100 + i64::from(old_lines) / 20;
    let grown = i64::from(new_lines) - i64::from(old_lines);
    let moved = i64::from(new) - i64::from(old);
    moved < grown.min(0) - slack || moved > grown.max(0) + slack
}
