//! Moving the cuts.

use super::admit::{Attempt, admit_or_notify};
use super::{dispute, marks, moves};
use crate::action::Action;
use crate::decision::BookState;
use crate::page::BookPage;
use crate::session::{BlindNotice, CutNotice, Session};
use endpaper_detect::{Cuts, End};
use endpaper_text::scan::MarkerSet;
use endpaper_truth::InnerBoilerplate;

/// Minimum number of blank lines in a gap to jump to.
const GAP: u32 = 3;

/// Moves the cut of the active end to the n-th candidate, for a key or a click. In an adjudication, takes the n-th opinion.
pub(super) fn digit(session: &mut Session, n: usize) -> Vec<crate::Effect> {
    if !admit_or_notify(session, Attempt::Candidate) {
        return Vec::new();
    }
    let disputed = |open: &BookState| open.dispute.is_some();
    if session.doc.open.as_ref().is_some_and(disputed) {
        dispute::choose(session, n);
        return Vec::new();
    }
    let places = session.doc.digit_positions();
    match places.get(n - 1) {
        Some(&place) => put(session, place, false),
        None if session.doc.open.is_some() => {
            session.notify(CutNotice::Candidates(places.len()));
        }
        None => {}
    }
    Vec::new()
}

/// Runs an action that moves the cut of the active end, up to `times` times.
pub(super) fn run(session: &mut Session, action: Action, times: u32) {
    let Some(book) = &session.doc.open else {
        return;
    };
    let (page, end) = (&book.page, session.doc.end);
    // A cut that is not placed yet starts at the cursor.
    let mut here = match book.decision.unplaced[end as usize] {
        true => session.cursor_line(),
        false => page.cut_position(book.decision.cuts, end),
    };
    let place = match action {
        Action::CutHere => Some(session.cursor_line()),
        Action::CutNothing if end == End::Start => Some(1),
        Action::CutNothing => Some(page.lines() + 1),
        Action::CutDetected => Some(page.cut_position(page.detection.cuts, end)),
        _ => {
            let mut place = None;
            for _ in 0..times {
                let Some(next) = moved_position(page, end, here, action) else {
                    break;
                };
                (here, place) = (next, Some(next));
            }
            place
        }
    };
    // Taking the detector's cut refuses the propagated decision: both ends, with its marks.
    let refused = match (action, &book.propagation) {
        (Action::CutDetected, Some(run)) => {
            let (mut cuts, proposed) = (book.decision.cuts, page.detection.cuts);
            // A cut that the curator has moved since stays.
            match end {
                End::Start if cuts.epilogue_start == run.cuts.epilogue_start => {
                    cuts.epilogue_start = proposed.epilogue_start;
                }
                End::End if cuts.preamble_end == run.cuts.preamble_end => {
                    cuts.preamble_end = proposed.preamble_end;
                }
                _ => {}
            }
            Some((cuts, run.inside.clone()))
        }
        _ => None,
    };
    match place {
        Some(place) => put_without(
            session,
            place,
            matches!(action, Action::CutDown | Action::CutUp),
            refused,
        ),
        None => session.notify(CutNotice::Nowhere(action)),
    }
}

/// The position to which an action moves a cut from `here`; `None` if there is none.
fn moved_position(page: &BookPage, end: End, here: u32, action: Action) -> Option<u32> {
    match action {
        Action::CutDown => next_line(page, here),
        Action::CutUp => {
            Some(page.non_blank_at_or_before(here.saturating_sub(1))).filter(|&line| line > 0)
        }
        Action::CutNextBlock => next_block(page, here, 1),
        Action::CutPreviousBlock => previous_block(page, here, 1),
        Action::CutNextGap => next_block(page, here, GAP),
        Action::CutPreviousGap => previous_block(page, here, GAP),
        Action::CutNextMarker => next_marker(page, end, here),
        _ => None,
    }
}

/// The next non-blank line below a line; one past the last line at the end.
fn next_line(page: &BookPage, here: u32) -> Option<u32> {
    let end = page.lines() + 1;
    (here < end).then(|| page.non_blank_at_or_after(here + 1).unwrap_or(end))
}

/// First line of the next block after at least `blanks` blank lines; after the last block, the end of the text.
fn next_block(page: &BookPage, here: u32, blanks: u32) -> Option<u32> {
    let blocks = page.blocks();
    let next = match page.block_of(here) {
        Ok(block) => block + 1,
        Err(next) => next,
    };
    let found = (next..blocks.len()).find(|&block| blank_above(page, block) >= blanks);
    let at_end = (here <= page.lines()).then_some(page.lines() + 1);
    found.map(|block| blocks[block].0).or(at_end)
}

/// First line of the block at the cut, or of an earlier one, that follows at least `blanks` blank lines.
fn previous_block(page: &BookPage, here: u32, blanks: u32) -> Option<u32> {
    let blocks = page.blocks();
    let before = blocks.partition_point(|&(first, _)| first < here);
    let found = (0..before)
        .rev()
        .find(|&block| block == 0 || blank_above(page, block) >= blanks);
    found.map(|block| blocks[block].0)
}

/// Number of blank lines above a block.
fn blank_above(page: &BookPage, block: usize) -> u32 {
    let blocks = page.blocks();
    match block {
        0 => u32::MAX,
        _ => blocks[block].0 - blocks[block - 1].1 - 1,
    }
}

/// The next cut position after a marker of this end; wraps around after the last.
fn next_marker(page: &BookPage, end: End, here: u32) -> Option<u32> {
    let places: Vec<u32> = match end {
        End::Start => {
            let marker = MarkerSet::START | MarkerSet::SMALL_PRINT_END;
            let rows = page
                .scan
                .head_rows()
                .iter()
                .filter(|row| row.marks.has_any(marker));
            rows.filter_map(|row| page.non_blank_at_or_after(row.line + 1))
                .collect()
        }
        End::End => {
            let marker = MarkerSet::END | MarkerSet::ETEXT;
            page.scan
                .tail_rows()
                .iter()
                .filter(|row| row.marks.has_any(marker))
                .map(|row| row.line)
                .collect()
        }
    };
    places
        .iter()
        .find(|&&place| place > here)
        .or(places.first())
        .copied()
}

/// Moves the cut of the active end to the position before a line.
pub(super) fn put(session: &mut Session, place: u32, nudge: bool) {
    put_without(session, place, nudge, None);
}

/// Moves the cut of the active end to the position before a line. With `refused`, the other cut becomes the one of these cuts,
/// and the marks that equal one of these are removed.
fn put_without(
    session: &mut Session,
    place: u32,
    nudge: bool,
    refused: Option<(Cuts, Vec<InnerBoilerplate>)>,
) {
    let end = session.doc.end;
    let Some(book) = &session.doc.open else {
        return;
    };
    let before = book.decision.cuts;
    let (start, refused) = refused.unwrap_or((before, Vec::new()));
    let cuts = book.page.with_cut_at(start, end, place);
    let mut marks_inside = book.decision.inside.iter();
    let drops_marks = marks_inside.any(|mark| refused.contains(mark));
    if cuts == before && !book.decision.unplaced[end as usize] && !drops_marks {
        session.notify(CutNotice::AlreadyThere);
        moves::follow_cut(session, end);
        return;
    }
    if !leaves_a_body(&book.page, cuts) {
        session.notify(CutNotice::NoBodyLeft);
        return;
    }
    let changed = marks::change(session, nudge.then_some(end), |decision| {
        decision.cuts = cuts;
        decision.unplaced[end as usize] = false;
        decision.inside.retain(|mark| !refused.contains(mark));
    });
    if changed {
        moves::follow_cut(session, end);
        notify_placed(session);
    }
}

/// Tells a blind reviewer what to do next.
fn notify_placed(session: &mut Session) {
    let Some(book) = session
        .doc
        .open
        .as_ref()
        .filter(|book| book.hides_proposal())
    else {
        return;
    };
    let notice = match book.decision.is_placed() {
        true => BlindNotice::BothPlaced,
        false => BlindNotice::Placed,
    };
    session.notify(notice);
}

/// Whether the body between the cuts has lines.
pub(super) fn leaves_a_body(page: &BookPage, cuts: Cuts) -> bool {
    let end = page.cut_position(cuts, End::End);
    page.body_first(cuts).is_some_and(|first| first < end)
}
