//! Moving the cursor and the panes.

use super::dispute;
use crate::action::Action;
use crate::alerts;
use crate::presenter;
use crate::rows::{PaneRow, last_opinion_rule_of, opinion_rule_of, row_of, rows_of, rule_of};
use crate::session::{PageNotice, PaneState, Session};
use endpaper_detect::End;

/// Runs an action that moves the cursor or a pane.
pub(super) fn run(session: &mut Session, action: Action, times: u32) {
    if session.doc.open.is_none() {
        return;
    }
    let page = i64::from(session.screen.layout().pane(session.doc.end).height.max(2)) - 1;
    let far = |by: i64| by.saturating_mul(i64::from(times));
    match action {
        Action::OtherEnd => other_end(session),
        Action::Down => (0..times).for_each(|_| step(session, 1)),
        Action::Up => (0..times).for_each(|_| step(session, -1)),
        Action::PageDown => scroll(session, far(page)),
        Action::PageUp => scroll(session, far(-page)),
        Action::HalfDown => scroll(session, far(page / 2 + 1)),
        Action::HalfUp => scroll(session, far(-(page / 2 + 1))),
        Action::Top => jump_to_row(session, 0),
        Action::Bottom => jump_to_row(session, usize::MAX),
        Action::ToCut => centre(session, session.doc.end),
        Action::NextMatch => (0..times).for_each(|_| next_match(session, true)),
        Action::PreviousMatch => (0..times).for_each(|_| next_match(session, false)),
        Action::Fold => fold(session),
        Action::FoldAll => fold_all(session),
        _ => {}
    }
}

/// Makes the other end the current one.
fn other_end(session: &mut Session) {
    session.doc.end = if session.doc.end == End::Start {
        End::End
    } else {
        End::Start
    };
    let shown = presenter::rules_on_screen(session)[session.doc.end as usize];
    if session.screen.view_options.whole_text || !shown {
        centre(session, session.doc.end);
    }
}

/// Centres the rule of a cut in its pane, with the cursor on the line below it. As a wrong cut usually leaves boilerplate in
/// the book, more rows are shown on the body's side.
pub(super) fn centre(session: &mut Session, end: End) {
    let height = usize::from(session.screen.layout().pane(end).height);
    // Without a placed cut, show the start or end of the file.
    let edge = match end {
        End::Start => Some(0),
        End::End => session.doc.rows.len().checked_sub(1),
    };
    let placed = rule_of(&session.doc.rows, end).or(opinion_rule_of(&session.doc.rows, end));
    let Some(rule) = placed.or(edge) else {
        return;
    };
    let last = session.doc.rows.len().saturating_sub(1);
    let above = match end {
        End::Start => height * 2 / 5,
        End::End => height * 3 / 5,
    };
    let above = above.min(room_above_opinions(session, end, rule, height).unwrap_or(above));
    let top = rule
        .saturating_sub(above)
        .min((last + 1).saturating_sub(height));
    let below = (rule + 1..=last).find(|&row| session.doc.rows[row].is_text());
    let before = || (0..rule).rev().find(|&row| session.doc.rows[row].is_text());
    let cursor = match placed {
        Some(_) => below.or_else(before).unwrap_or(0),
        None => rule,
    };
    let pane = PaneState { top, cursor };
    if session.screen.view_options.whole_text {
        session.doc.whole = pane;
        return;
    }
    match end {
        End::Start => session.doc.head = pane,
        End::End => session.doc.tail = pane,
    }
    show_alert(session, end);
}

/// Scrolls the nearest contradiction beyond the pane into view, if the rule stays on screen with a line on each side.
fn show_alert(session: &mut Session, end: End) {
    let Some(alert) = alerts::beyond_pane(session, end) else {
        return;
    };
    let rows = &session.doc.rows;
    let Some(rule) = rule_of(rows, end) else {
        return;
    };
    let height = usize::from(session.screen.layout().pane(end).height);
    let row = row_of(rows, alert.line);
    // With the row after it, or else alone.
    let fits = [1, 0].into_iter().find_map(|margin| {
        let top = match end {
            End::Start => (row + 1 + margin).min(rows.len()).saturating_sub(height),
            End::End => row.saturating_sub(margin),
        };
        let shown = top..(top + height).min(rows.len());
        let fits = shown.contains(&row) && presenter::has_context(rows, shown, rule);
        fits.then_some(top)
    });
    match (fits, end) {
        (Some(top), End::Start) => session.doc.head.top = top,
        (Some(top), End::End) => session.doc.tail.top = top,
        (None, _) => {}
    }
}

/// Rows above the first rule of the opinions that leave all others on screen; `None` if there are none, or they do not fit.
fn room_above_opinions(session: &Session, end: End, first: usize, height: usize) -> Option<usize> {
    let rows = &session.doc.rows;
    let is_placed = rule_of(rows, end).is_some();
    let last = last_opinion_rule_of(rows, end).filter(|_| !is_placed)?;
    let room = height.checked_sub(last.saturating_sub(first) + 1)?;
    // The line below the last rule comes before those above the first.
    Some(room.saturating_sub(1))
}

/// Shows both cuts, as when a book is opened. In a short book, where both panes would show the same rows, the tail begins
/// where the head ends, if its cut stays on screen.
pub(super) fn show_cuts(session: &mut Session) {
    if session.screen.view_options.whole_text {
        centre(session, session.doc.end);
        return;
    }
    centre(session, End::Start);
    centre(session, End::End);
    let below = session.doc.head.top + usize::from(session.screen.layout().head.height);
    let rule = rule_of(&session.doc.rows, End::End).unwrap_or(0);
    let tail = usize::from(session.screen.layout().tail.height);
    if session.doc.tail.top < below && rule >= below && rule < below + tail {
        session.doc.tail.top = below;
    }
}

/// Keeps the rule of a cut on screen after it moved, with the cursor below it.
pub(super) fn follow_cut(session: &mut Session, end: End) {
    let Some(rule) = rule_of(&session.doc.rows, end) else {
        return;
    };
    // A rule at the edge of the pane, or with only blank lines up to the edge, has no context.
    if !presenter::has_context(&session.doc.rows, presenter::visible(session, end), rule) {
        centre(session, end);
        return;
    }
    let below = (rule + 1..session.doc.rows.len()).find(|&row| session.doc.rows[row].is_text());
    if let Some(cursor) = below {
        session.pane_mut().cursor = cursor;
        keep_visible(session);
    }
}

/// Rebuilds the rows after cuts or folds changed; panes keep their positions in the text.
pub(super) fn rebuild(session: &mut Session) {
    let Some(book) = &session.doc.open else {
        session.doc.rows.clear();
        return;
    };
    let new = rows_of(book, &session.doc.folding);
    let old = std::mem::replace(&mut session.doc.rows, new);
    for pane in [
        &mut session.doc.head,
        &mut session.doc.tail,
        &mut session.doc.whole,
    ] {
        let Some(row) = old.get(pane.cursor) else {
            continue;
        };
        let on_screen = pane.cursor.saturating_sub(pane.top);
        pane.cursor = row_of(&session.doc.rows, row.first());
        pane.top = pane.cursor.saturating_sub(on_screen);
    }
}

/// Moves the cursor to the next line of text below (above if negative).
fn step(session: &mut Session, step: i64) {
    let rows = &session.doc.rows;
    let at = session.pane(session.doc.end).cursor;
    let next = if step > 0 {
        (at + 1..rows.len()).find(|&row| rows[row].is_text())
    } else {
        (0..at.min(rows.len()))
            .rev()
            .find(|&row| rows[row].is_text())
    };
    if let Some(next) = next {
        session.pane_mut().cursor = next;
        keep_visible(session);
        return;
    }
    // No text row is left, but a rule may still be off screen.
    let end = session.doc.end;
    scroll_pane(session, end, step);
}

/// Scrolls by rows; the cursor keeps its row on screen.
fn scroll(session: &mut Session, by: i64) {
    let last = session.doc.rows.len().saturating_sub(1);
    let target = session
        .pane(session.doc.end)
        .cursor
        .saturating_add_signed(by as isize)
        .min(last);
    let text = (target..=last).find(|&row| session.doc.rows[row].is_text());
    let text = text.or_else(|| {
        (0..=target)
            .rev()
            .find(|&row| session.doc.rows[row].is_text())
    });
    let end = session.doc.end;
    scroll_pane(session, end, by);
    session.pane_mut().cursor = text.unwrap_or(0);
    keep_visible(session);
}

/// Scrolls a pane by rows.
pub(super) fn scroll_pane(session: &mut Session, end: End, by: i64) {
    let height = usize::from(session.screen.layout().pane(end).height);
    let most = session.doc.rows.len().saturating_sub(height);
    let whole = session.screen.view_options.whole_text;
    let pane = match end {
        _ if whole => &mut session.doc.whole,
        End::Start => &mut session.doc.head,
        End::End => &mut session.doc.tail,
    };
    pane.top = pane.top.saturating_add_signed(by as isize).min(most);
}

/// Scrolls so that the cursor of the active pane is on screen.
pub(super) fn keep_visible(session: &mut Session) {
    let height = usize::from(session.screen.layout().pane(session.doc.end).height).max(1);
    let most = session.doc.rows.len().saturating_sub(height);
    let margin = if height > 6 { 1 } else { 0 };
    let pane = session.pane_mut();
    if pane.cursor < pane.top + margin {
        pane.top = pane.cursor.saturating_sub(margin);
    } else if pane.cursor + margin >= pane.top + height {
        pane.top = pane.cursor + margin + 1 - height;
    }
    pane.top = pane.top.min(most);
}

/// Moves the cursor to a row; if that row is not text, to the nearest text row above it.
fn jump_to_row(session: &mut Session, row: usize) {
    let last = session.doc.rows.len().saturating_sub(1);
    session.pane_mut().cursor = row.min(last);
    if !session
        .doc
        .rows
        .get(row.min(last))
        .is_some_and(|row| row.is_text())
    {
        step(session, if row == 0 { 1 } else { -1 });
    }
    keep_visible(session);
    let end = session.doc.end;
    // A rule may come before the first or after the last line.
    scroll_pane(session, end, if row == 0 { -1 } else { 1 });
}

/// Moves the cursor to a line of the active pane and unfolds its block. Centres the line if it was off screen.
pub(super) fn jump(session: &mut Session, line: u32) {
    let Some(book) = &session.doc.open else {
        return;
    };
    let line = line.clamp(1, book.page.lines().max(1));
    let mut row = row_of(&session.doc.rows, line);
    if let Some(PaneRow::Fold(..)) = session.doc.rows.get(row) {
        session.pane_mut().cursor = row;
        fold(session);
        row = row_of(&session.doc.rows, line);
    }
    let visible = presenter::visible(session, session.doc.end).contains(&row);
    let height = usize::from(session.screen.layout().pane(session.doc.end).height);
    session.pane_mut().cursor = row;
    if !visible {
        session.pane_mut().top = row.saturating_sub(height / 2);
    }
    keep_visible(session);
}

/// Goes to the next or previous match of the search.
fn next_match(session: &mut Session, forward: bool) {
    if let Some(search) = &mut session.doc.search {
        search.idle = false;
    }
    let Some(search) = &session.doc.search else {
        session.notify(PageNotice::NothingSearched);
        return;
    };
    let count = search.lines.len();
    let text = search.text.clone();
    match search.step(session.cursor_line(), forward) {
        None => session.notify(PageNotice::NoMatch(text)),
        Some(line) => {
            let at = search.lines.partition_point(|&l| l < line) + 1;
            session.notify(PageNotice::Match { text, at, count });
            jump(session, line);
        }
    }
}

/// Folds or unfolds the block of the cursor.
fn fold(session: &mut Session) {
    let line = session.cursor_line();
    let Some(book) = &session.doc.open else {
        return;
    };
    let Ok(block) = book.page.block_of(line) else {
        return;
    };
    let first = book.page.blocks()[block].0;
    if !session.doc.folding.toggled.remove(&first) {
        session.doc.folding.toggled.insert(first);
    }
    rebuild(session);
    keep_visible(session);
}

/// Folds or unfolds all blocks.
fn fold_all(session: &mut Session) {
    session.doc.folding.open = !session.doc.folding.open;
    session.doc.folding.toggled.clear();
    rebuild(session);
    keep_visible(session);
    session.notify(match session.doc.folding.open {
        true => PageNotice::Unfolded,
        false => PageNotice::Folded,
    });
}

/// Switches between both ends and the whole text in one pane; the cursor stays on its line.
pub(super) fn whole_text(session: &mut Session) {
    if session.doc.open.is_none() {
        return;
    }
    let line = session.cursor_line();
    session.screen.view_options.whole_text = !session.screen.view_options.whole_text;
    if session.screen.view_options.whole_text {
        jump(session, line);
        centre_cursor(session);
    } else {
        show_cuts(session);
        stay_near(session, line);
    }
}

/// Distance from a cut, in lines, within which a line visited in the whole text stays on screen in the view of both ends: a
/// curator who searched for it probably wants to cut there.
const MAX_CUT_DISTANCE: u32 = 300;

/// Goes to a line if it is near a cut, at that end.
fn stay_near(session: &mut Session, line: u32) {
    let Some(book) = &session.doc.open else {
        return;
    };
    let cuts = book.decision.cuts;
    let end = cuts.epilogue_start.unwrap_or(book.page.lines() + 1);
    let places = [(End::Start, cuts.preamble_end), (End::End, end)];
    let near = places.map(|(end, place)| (place.abs_diff(line), end));
    let nearest = near.into_iter().min_by_key(|(distance, _)| *distance);
    if let Some((_, end)) = nearest.filter(|(distance, _)| *distance <= MAX_CUT_DISTANCE) {
        session.doc.end = end;
        jump(session, line);
    }
}

/// Scrolls so that the cursor is in the middle of its pane.
fn centre_cursor(session: &mut Session) {
    let height = usize::from(session.screen.layout().pane(session.doc.end).height);
    let pane = session.pane_mut();
    pane.top = pane.cursor.saturating_sub(height / 2);
    keep_visible(session);
}

/// Changes the size of the screen; cuts that were on screen stay there if they fit.
pub(super) fn resize(session: &mut Session, width: u16, height: u16) {
    let cuts = presenter::rules_on_screen(session);
    session.screen.size = (width, height);
    dispute::fit_panel(session);
    fit(session, cuts);
}

/// Adjusts the panes to a changed layout; cuts that were on screen stay there.
fn fit(session: &mut Session, shown: [bool; 2]) {
    let active = session.doc.end;
    for end in [End::Start, End::End] {
        session.doc.end = end;
        keep_visible(session);
        if shown[end as usize] && !presenter::rules_on_screen(session)[end as usize] {
            centre(session, end);
        }
    }
    session.doc.end = active;
}

/// Shows or hides the tour; both cuts stay on screen.
pub(super) fn show_tour(session: &mut Session, shown: bool) {
    if session.screen.view_options.tour != shown {
        let cuts = presenter::rules_on_screen(session);
        session.screen.view_options.tour = shown;
        fit(session, cuts);
    }
}
