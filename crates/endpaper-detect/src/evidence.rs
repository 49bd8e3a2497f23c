//! Evidence: what was found at each end, in a few words and with the lines it speaks of.

use std::ops::Range;

use super::findings::Findings;
use super::gap::Run;
use super::markers::Markers;
use super::view::View;
use super::{End, Evidence};
use endpaper_text::scan::Marks;
use endpaper_text::words::plural;

/// Rows beyond an edge in which credits and notes are worth telling.
const NEAR: usize = 40;

/// All evidence, start first; at each end markers, then credits and notes, then frequent lines.
pub(super) fn evidence(found: &Findings) -> Vec<Evidence> {
    let mut all = Vec::with_capacity(8);
    start(found, &mut all);
    end(found, &mut all);
    all
}

fn start(found: &Findings, all: &mut Vec<Evidence>) {
    let view = &found.view;
    if let Some(&row) = found.markers.starts.last() {
        let text = format!("marker \"{}\"", Markers::name(view.marks(row)));
        all.push(piece(view, End::Start, (row, row), text));
    }
    let anchor = found.markers.starts.last().copied().or(found.start);
    let first = anchor.map_or(0, |row| row + 1);
    let stop = (first + NEAR).min(view.head().end);
    matter(view, End::Start, first..stop, all);
    frequent(view, End::Start, &found.head, all);
}

fn end(found: &Findings, all: &mut Vec<Evidence>) {
    let view = &found.view;
    if let (Some(&first), Some(&last)) = (found.markers.ends.first(), found.markers.ends.last()) {
        let text = end_markers(view, &found.markers.ends);
        all.push(piece(view, End::End, (first, last), text));
    }
    let stop = found.end.unwrap_or(view.scan.rows.len());
    let first = stop.saturating_sub(NEAR).max(view.tail().start);
    matter(view, End::End, first.min(stop)..stop, all);
    frequent(view, End::End, &found.tail, all);
}

/// `1 End marker, nothing after`, `2 End markers, 300 lines apart, 12 lines after`.
fn end_markers(view: &View, markers: &[usize]) -> String {
    let (first, last) = (markers[0], markers[markers.len() - 1]);
    let mut text = counted(markers.len() as u32, "End marker");
    if last > first {
        let apart = view.line(last) - view.line(first);
        text += &format!(", {} apart", counted(apart, "line"));
    }
    let rows = view.scan.rows.len();
    let after = rows - 1 - view.block_end(last, rows);
    match after {
        0 => text + ", nothing after",
        _ => text + &format!(", {} after", counted(after as u32, "line")),
    }
}

/// The blocks with credits or a note.
fn matter(view: &View, end: End, rows: Range<usize>, all: &mut Vec<Evidence>) {
    let mut row = rows.start;
    while row < rows.end {
        let last = view.block_end(row, view.scan.rows.len());
        let has = |marks| (row..=last).any(|at| view.marks(at).has(marks));
        let name = if has(Marks::CREDITS) {
            "credits block"
        } else if has(Marks::NOTE) {
            "note"
        } else {
            row = last + 1;
            continue;
        };
        let text = match (view.line(row), view.line(last)) {
            (first, last) if first == last => format!("{name} {first}"),
            (first, last) => format!("{name} {first}-{last}"),
        };
        all.push(piece(view, end, (row, last), text));
        row = last + 1;
    }
}

/// `7 frequent lines, longest gap 3`.
fn frequent(view: &View, end: End, run: &Run, all: &mut Vec<Evidence>) {
    let (Some(first), Some(edge)) = (run.first, run.edge) else {
        return;
    };
    let mut text = counted(run.frequent, "frequent line");
    if run.widest > 0 {
        text += &format!(", longest gap {}", run.widest);
    }
    let rows = (first.min(edge), first.max(edge));
    all.push(piece(view, end, rows, text));
}

fn piece(view: &View, end: End, (first, last): (usize, usize), text: String) -> Evidence {
    Evidence {
        end,
        lines: (view.line(first), view.line(last)),
        text,
        weight: None,
        kind: None,
    }
}

fn counted(number: u32, thing: &str) -> String {
    format!("{number} {}", plural(number as usize, thing))
}
