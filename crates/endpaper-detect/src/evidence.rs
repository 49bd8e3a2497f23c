//! Evidence of the rules at each end, with its lines.

use std::ops::Range;

use super::findings::BookFindings;
use super::gap::GapResult;
use super::view::ClassifiedRows;
use super::{End, Evidence, Fact};
use endpaper_text::scan::MarkerSet;

/// Number of rows beyond an edge in which credits and notes are reported.
const EDGE_ROWS: usize = 40;

/// All evidence, start first; at each end markers, then credits and notes, then frequent lines.
pub(super) fn evidence(found: &BookFindings) -> Vec<Evidence> {
    let mut all = Vec::with_capacity(8);
    start(found, &mut all);
    end(found, &mut all);
    all
}

/// Adds the evidence at the start of a book.
fn start(found: &BookFindings, all: &mut Vec<Evidence>) {
    let view = &found.view;
    if let Some(&row) = found.markers.starts.last() {
        let fact = Fact::Marker(view.marks(row));
        all.push(piece(view, End::Start, (row, row), fact));
    }
    let anchor = found.markers.starts.last().copied().or(found.start);
    let first = anchor.map_or(0, |row| row + 1);
    let stop = (first + EDGE_ROWS).min(view.head().end);
    add_credits_and_notes(view, End::Start, first..stop, all);
    frequent(view, End::Start, &found.head, all);
}

/// Adds the evidence at the end of a book.
fn end(found: &BookFindings, all: &mut Vec<Evidence>) {
    let view = &found.view;
    if let (Some(&first), Some(&last)) = (found.markers.ends.first(), found.markers.ends.last()) {
        let rows = view.scan.rows.len();
        let fact = Fact::EndMarkers {
            markers: found.markers.ends.len() as u32,
            apart: view.line(last) - view.line(first),
            after: (rows - 1 - view.block_end(last, rows)) as u32,
        };
        all.push(piece(view, End::End, (first, last), fact));
    }
    let stop = found.end.unwrap_or(view.scan.rows.len());
    let first = stop.saturating_sub(EDGE_ROWS).max(view.tail().start);
    add_credits_and_notes(view, End::End, first.min(stop)..stop, all);
    frequent(view, End::End, &found.tail, all);
}

/// Adds the credits and notes among these rows.
fn add_credits_and_notes(
    view: &ClassifiedRows,
    end: End,
    rows: Range<usize>,
    all: &mut Vec<Evidence>,
) {
    let mut row = rows.start;
    while row < rows.end {
        let last = view.block_end(row, view.scan.rows.len());
        let has = |marks| (row..=last).any(|at| view.marks(at).has(marks));
        let fact = if has(MarkerSet::CREDITS) {
            Some(Fact::Credits)
        } else {
            has(MarkerSet::NOTE).then_some(Fact::Note)
        };
        all.extend(fact.map(|fact| piece(view, end, (row, last), fact)));
        row = last + 1;
    }
}

/// Reports the frequent lines that Algorithm 1 found.
fn frequent(view: &ClassifiedRows, end: End, run: &GapResult, all: &mut Vec<Evidence>) {
    let (Some(first), Some(edge)) = (run.first, run.last_frequent) else {
        return;
    };
    let fact = Fact::Frequent {
        lines: run.frequent,
        gap: run.widest,
    };
    let rows = (first.min(edge), first.max(edge));
    all.push(piece(view, end, rows, fact));
}

/// The evidence that `fact` holds for the rows `first..=last`.
fn piece(view: &ClassifiedRows, end: End, (first, last): (usize, usize), fact: Fact) -> Evidence {
    Evidence {
        end,
        lines: (view.line(first), view.line(last)),
        fact,
        weight: None,
    }
}
