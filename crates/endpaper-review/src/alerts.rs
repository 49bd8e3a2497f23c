//! Lines near a cut that contradict it: a keep must not pass over them unseen.
//!
//! Blocks that are proposed as boilerplate inside the body, and the cut of a near copy. They are on the body's side, where a
//! wrong cut leaves boilerplate; those up to [`BELOW`] rows beyond the pane are scrolled into view, or announced on its last row.
//! Marks that a propagation brought must be seen too, wherever they are.

use super::presenter;
use super::rows::{PaneRow, row_of, rule_of};
use super::session::Session;
use endpaper_detect::End;
use endpaper_truth::InnerBoilerplate;

/// Rows beyond the pane in which a contradiction still belongs to the cut.
pub const BELOW: usize = 15;

/// A line that contradicts a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutAlert {
    /// The line.
    pub line: u32,
    /// What is there, in a word.
    pub what: &'static str,
}

/// The contradictions that belong to the cut of an end, the nearest to the cut first; none while proposals are hidden.
pub fn alerts(session: &Session, end: End) -> Vec<CutAlert> {
    let Some(book) = &session.doc.open else {
        return Vec::new();
    };
    let Some(rule) = rule_of(&session.doc.rows, end).filter(|_| !book.hides_proposal()) else {
        return Vec::new();
    };
    let inside = book.proposed_inside().map(|block| CutAlert {
        line: block.first,
        what: block.kind.name(),
    });
    let place = book.page.cut_position(book.decision.cuts, end);
    let offers = book.edition_evidence.iter();
    let offers = offers.filter(|offer| offer.is_cut && book.is_evidence_of_copy);
    let offers = offers.filter(|offer| offer.end == end && offer.position != place);
    let offers = offers.map(|offer| CutAlert {
        line: offer.position,
        what: "the cut of a copy",
    });
    let reach = usize::from(session.screen.layout().pane(end).height) * 3 / 5 + BELOW;
    let distance = |alert: &CutAlert| {
        let row = row_of(&session.doc.rows, alert.line);
        match end {
            End::Start => row.checked_sub(rule),
            End::End => rule.checked_sub(row),
        }
    };
    let near = inside.chain(offers);
    let mut near: Vec<(usize, CutAlert)> = near
        .filter_map(|alert| Some((distance(&alert)?, alert)))
        .filter(|(distance, _)| *distance <= reach)
        .collect();
    near.sort_by_key(|(distance, _)| *distance);
    near.into_iter().map(|(_, alert)| alert).collect()
}

/// The marks inside the body that a propagation brought and that are still set; each belongs to the end whose cut is nearer.
fn propagated_marks(session: &Session, end: End) -> Vec<CutAlert> {
    let Some(book) = &session.doc.open else {
        return Vec::new();
    };
    let Some(run) = &book.propagation else {
        return Vec::new();
    };
    let distance = |mark: &InnerBoilerplate, end: End| {
        let place = book.page.cut_position(book.decision.cuts, end);
        mark.first.abs_diff(place)
    };
    let belongs = |mark: &InnerBoilerplate| {
        let near_start = distance(mark, End::Start) <= distance(mark, End::End);
        near_start == (end == End::Start)
    };
    let marks = run.inside.iter();
    let set = marks.filter(|&mark| book.decision.inside.contains(mark) && belongs(mark));
    set.map(|mark| CutAlert {
        line: mark.first,
        what: "a propagated mark",
    })
    .collect()
}

/// All of an end that must be seen before its cut is kept.
fn must_be_seen(session: &Session, end: End) -> impl Iterator<Item = CutAlert> + use<> {
    let near = alerts(session, end).into_iter();
    near.chain(propagated_marks(session, end))
}

/// The nearest contradiction of an end that is beyond its pane; `None` in the view of the whole text.
pub fn beyond_pane(session: &Session, end: End) -> Option<CutAlert> {
    if session.screen.view_options.whole_text {
        return None;
    }
    let visible = presenter::visible(session, end);
    let is_beyond = |alert: &CutAlert| {
        let row = row_of(&session.doc.rows, alert.line);
        match end {
            End::Start => row >= visible.end,
            End::End => row < visible.start,
        }
    };
    alerts(session, end).into_iter().find(is_beyond)
}

/// The nearest contradiction of an end that has not been on screen, or else a propagated mark that has not.
pub fn unseen(session: &Session, end: End) -> Option<CutAlert> {
    let seen = &session.doc.seen_alerts;
    must_be_seen(session, end).find(|alert| !seen.contains(&alert.line))
}

/// For each end, whether its cut and all that contradicts it have been on screen.
pub fn ends_seen(session: &Session) -> [bool; 2] {
    [End::Start, End::End]
        .map(|end| session.doc.seen[end as usize] && unseen(session, end).is_none())
}

/// The lines of contradictions and propagated marks that are on screen, not folded away.
pub fn on_screen(session: &Session) -> Vec<u32> {
    let shown = |line: u32| {
        let row = row_of(&session.doc.rows, line);
        if matches!(session.doc.rows.get(row), Some(PaneRow::Fold(..))) {
            return false;
        }
        let panes: &[End] = match session.screen.view_options.whole_text {
            true => &[End::Start],
            false => &[End::Start, End::End],
        };
        let mut panes = panes.iter();
        panes.any(|&pane| presenter::visible(session, pane).contains(&row))
    };
    let all = [End::Start, End::End].map(|end| must_be_seen(session, end));
    let lines = all.into_iter().flatten().map(|alert| alert.line);
    lines.filter(|&line| shown(line)).collect()
}
