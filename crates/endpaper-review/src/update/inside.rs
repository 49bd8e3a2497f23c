//! Boilerplate inside the body: marking it, and going to proposed blocks.

use super::marks::change;
use super::moves;
use crate::decision::{Decision, holds};
use crate::page::BookPage;
use crate::popup::{ConfirmQuestion, Popup};
use crate::session::{MarkNotice, Session};
use endpaper_detect::{End, InsideBlock};
use endpaper_text::scan::MarkerSet;
use endpaper_truth::InnerBoilerplate;

/// Marks the block at the cursor as boilerplate inside the body, or unmarks it.
pub(super) fn mark(session: &mut Session) {
    let line = session.cursor_line();
    let Some(book) = &session.doc.open else {
        return;
    };
    if book
        .decision
        .inside
        .iter()
        .any(|inside| (inside.first..=inside.last).contains(&line))
    {
        if change(session, None, |d| {
            d.inside
                .retain(|inside| !(inside.first..=inside.last).contains(&line))
        }) {
            session.notify(MarkNotice::InsideUnmarked);
        }
        return;
    }
    let body = body(&book.page, &book.decision);
    let proposed = book.proposed_inside().find(|block| holds(block, line));
    let proposed = proposed.map(|block| ((block.first, block.last), block.kind.name()));
    let found = || {
        let block = book.page.block_of(line).ok()?;
        let block = clip(book.page.blocks()[block], body)?;
        Some((block, inside_kind(&book.page, block)))
    };
    let Some((block, kind)) = proposed.or_else(found) else {
        session.notify(MarkNotice::NotInside);
        return;
    };
    let marked = InnerBoilerplate {
        first: block.0,
        last: block.1,
        kind: kind.to_owned(),
    };
    let twins = twins(&book.page, block, body, &book.decision, kind);
    if change(session, None, |decision| add(decision, [marked])) {
        session.notify(MarkNotice::InsideMarked {
            lines: block,
            kind: kind.to_owned(),
        });
        if !twins.is_empty() {
            session
                .screen
                .popups
                .push(Popup::Confirm(ConfirmQuestion::InsideAll(twins)));
        }
    }
}

/// Marks blocks as boilerplate inside the body.
pub(super) fn add(decision: &mut Decision, blocks: impl IntoIterator<Item = InnerBoilerplate>) {
    decision.inside.extend(blocks);
    decision.inside.sort_by_key(|inside| inside.first);
}

/// First and last line of the body.
fn body(page: &BookPage, decision: &Decision) -> (u32, u32) {
    let first = page.body_first(decision.cuts).unwrap_or(page.lines() + 1);
    (first, page.cut_position(decision.cuts, End::End) - 1)
}

/// The part of a range of lines that is in the body.
fn clip((first, last): (u32, u32), body: (u32, u32)) -> Option<(u32, u32)> {
    let (first, last) = (first.max(body.0), last.min(body.1));
    (first <= last).then_some((first, last))
}

/// The kind of a block of boilerplate, derived from its markers and words.
fn inside_kind(page: &BookPage, (first, last): (u32, u32)) -> &'static str {
    let mut marks = MarkerSet::default();
    let mut licence = false;
    for line in first..=last {
        marks |= page.markers(line);
        let text = page.text.display(line, 400).to_lowercase();
        licence |=
            text.contains("gutenberg") || text.contains("copyright") || text.contains("license");
    }
    if marks.has_any(MarkerSet::CREDITS) {
        "credits"
    } else if licence {
        "licence"
    } else {
        "note"
    }
}

/// Other unmarked blocks of the body with the same lines.
fn twins(
    page: &BookPage,
    block: (u32, u32),
    body: (u32, u32),
    decision: &Decision,
    kind: &str,
) -> Vec<InnerBoilerplate> {
    let same = |other: &(u32, u32)| {
        other.1 - other.0 == block.1 - block.0
            && (0..=block.1 - block.0).all(|i| {
                page.text.raw(block.0 + i).trim_ascii() == page.text.raw(other.0 + i).trim_ascii()
            })
    };
    let marked = |other: &(u32, u32)| decision.inside.iter().any(|inside| inside.first == other.0);
    page.blocks()
        .iter()
        .filter(|other| **other != block && other.0 >= body.0 && other.1 <= body.1)
        .filter(|other| same(other) && !marked(other))
        .map(|&(first, last)| InnerBoilerplate {
            first,
            last,
            kind: kind.to_owned(),
        })
        .collect()
}

/// Moves the cursor to the next block that the detector proposes as boilerplate inside the body, wrapping around.
pub(super) fn next(session: &mut Session) {
    let line = session.cursor_line();
    let Some(book) = &session.doc.open else {
        return;
    };
    let proposed: Vec<InsideBlock> = book.proposed_inside().copied().collect();
    let after = proposed.iter().position(|block| block.first > line);
    let at = after.unwrap_or(0);
    let Some(block) = proposed.get(at) else {
        session.notify(MarkNotice::NoneProposedInside);
        return;
    };
    let notice = MarkNotice::ProposedInside {
        lines: (block.first, block.last),
        kind: block.kind.to_string(),
        at: at + 1,
        of: proposed.len(),
    };
    session.notify(notice);
    moves::jump(session, block.first);
}
