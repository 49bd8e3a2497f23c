//! The reasons for doubt that apply to one book.

use std::ops::Range;

use super::Reason;
use super::edges::BlockEdge;
use super::findings::BookFindings;
use super::view::ClassifiedRows;
use endpaper_text::scan::MarkerSet;

/// Number of rows on the body's side of a cut that are searched for credits, notes and repeated lines.
const EDGE_ROWS: usize = 40;

/// Number of infrequent lines from which a bridged gap is wide (Algorithm 1 ends at GAP_MAX, 10).
const WIDE_GAP: u32 = 5;

/// The reasons that apply, in the order of the table.
pub(super) fn observe(found: &BookFindings, start: &[BlockEdge], end: &[BlockEdge]) -> Vec<Reason> {
    Reason::ALL
        .iter()
        .copied()
        .filter(|&reason| applies(reason, found, start, end))
        .collect()
}

/// Whether a reason for doubt applies to a book with these edges at its start and end.
fn applies(reason: Reason, found: &BookFindings, start: &[BlockEdge], end: &[BlockEdge]) -> bool {
    let view = &found.view;
    let markers = &found.markers;
    match reason {
        Reason::NoBody => found.no_body,
        // Found by the posterior.
        Reason::UnsureStart
        | Reason::UnsureEnd
        | Reason::StrangeFile
        | Reason::BoilerplateInside => false,
        // Found in other books, or in the outline of the whole text.
        Reason::CopiesDiffer | Reason::AlternationDiffers | Reason::ContentsOutside => false,
        Reason::BodySmall => body_lines(found) * 3 < view.scan.lines,
        Reason::NoPreamble => found.start.is_none(),
        Reason::NoEpilogue => found.end.is_none(),
        Reason::BetterStart => better(start, found.start),
        Reason::BetterEnd => better(end, found.end),
        Reason::StartWithoutMarker => markers.starts.is_empty(),
        Reason::EndWithoutMarker => markers.ends.is_empty(),
        Reason::StartsDisagree => differ(found.head.last_frequent, markers.starts.last().copied()),
        Reason::EndsDisagree => differ(found.tail.last_frequent, markers.ends.first().copied()),
        Reason::MarkerBeyondCut => {
            markers.starts.iter().any(|&row| Some(row) > found.start)
                || markers
                    .ends
                    .iter()
                    .any(|&row| found.end.is_none_or(|end| row < end))
        }
        Reason::SeveralEndMarkers => markers
            .ends
            .windows(2)
            .any(|pair| view.line(pair[1]) - view.line(pair[0]) > 30),
        Reason::WideGap => found.head.widest >= WIDE_GAP || found.tail.widest >= WIDE_GAP,
        Reason::WindowExhausted => {
            (found.head.exhausted || found.tail.exhausted) && !view.scan.is_whole()
        }
        Reason::CreditsAfterCut => first_with(view, after(found), MarkerSet::CREDITS).is_some(),
        Reason::NoteAfterCut => first_with(view, after(found), MarkerSet::NOTE).is_some(),
        Reason::NoteBeforeCut => {
            let noted = MarkerSet(MarkerSet::NOTE.0 | MarkerSet::CREDITS.0);
            first_with(view, before(found), noted).is_some()
        }
        Reason::TitleBeforeCredits => title_before_credits(found),
        Reason::TitleRepeated => repeated(view, after(found)),
        Reason::SplitBlock => {
            found.start.is_some_and(|row| splits(view, row))
                || found
                    .end
                    .is_some_and(|row| row > 0 && splits(view, row - 1))
        }
        Reason::ShortFile => view.scan.is_whole(),
        Reason::GutenbergInBody => gutenberg_in_body(found),
    }
}

/// Whether an edge is worth more than the proposed one, or the proposal runs through a block.
fn better(edges: &[BlockEdge], proposed: Option<usize>) -> bool {
    let Some(proposed) = proposed else {
        return false;
    };
    let worth = |edge: &BlockEdge| edge.worth;
    let own = edges
        .iter()
        .find(|edge| edge.row == proposed)
        .map_or(f32::NEG_INFINITY, worth);
    edges.iter().map(worth).fold(f32::NEG_INFINITY, f32::max) > own
}

/// Whether there is a marker at another row than the gap.
fn differ(gap: Option<usize>, marker: Option<usize>) -> bool {
    marker.is_some() && gap != marker
}

/// Number of lines between the cuts.
fn body_lines(found: &BookFindings) -> u32 {
    let cuts = found.cuts();
    let end = cuts.epilogue_start.unwrap_or(found.view.scan.lines + 1);
    end.saturating_sub(cuts.preamble_end + 1)
}

/// Rows of the head window just after the preamble cut.
fn after(found: &BookFindings) -> Range<usize> {
    let first = found.start.map_or(0, |row| row + 1);
    let stop = found.end.unwrap_or(usize::MAX);
    first
        ..(first + EDGE_ROWS)
            .min(found.view.head().end)
            .min(stop)
            .max(first)
}

/// Rows of the tail window just before the epilogue cut.
fn before(found: &BookFindings) -> Range<usize> {
    let end = found.end.unwrap_or(found.view.scan.rows.len());
    let first = found.start.map_or(0, |row| row + 1);
    let near = end.saturating_sub(EDGE_ROWS);
    near.max(found.view.tail().start).max(first).min(end)..end
}

/// The first of the rows that has any of the marks.
fn first_with(view: &ClassifiedRows, mut rows: Range<usize>, marks: MarkerSet) -> Option<usize> {
    rows.find(|&row| view.marks(row).has_any(marks))
}

/// Whether something other than credits is between the cut and the first credits after it.
fn title_before_credits(found: &BookFindings) -> bool {
    let rows = after(found);
    first_with(&found.view, rows.clone(), MarkerSet::CREDITS).is_some_and(|row| row > rows.start)
}

/// Whether a line of more than three characters, not a separator, is repeated in these rows.
fn repeated(view: &ClassifiedRows, rows: Range<usize>) -> bool {
    let lettered = |row: &usize| {
        let row = view.row(*row);
        row.characters > 3 && !row.marks.has(MarkerSet::SEPARATOR)
    };
    rows.clone().filter(lettered).any(|row| {
        let key = view.row(row).key;
        (row + 1..rows.end).any(|later| view.row(later).key == key)
    })
}

/// Whether the row is followed by another one without a blank line in between.
fn splits(view: &ClassifiedRows, row: usize) -> bool {
    row + 1 < view.scan.rows.len() && view.blank_after(row) == 0
}

/// Whether `Gutenberg` is between the cuts, which indicates an error (Kaser & Lemire, section 5).
fn gutenberg_in_body(found: &BookFindings) -> bool {
    let cuts = found.cuts();
    let inside = |line: u32| cuts.enclose(line);
    let rows = &found.view.scan.rows;
    found.view.scan.mentions.iter().any(|&line| inside(line))
        || rows
            .iter()
            .any(|row| row.marks.has(MarkerSet::GUTENBERG) && inside(row.line))
}
