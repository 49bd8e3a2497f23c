//! The visible part of a comparison, and its texts. Reads the session only; used by `view` and the keys.

use super::comparison::EditionView;
use super::rows::is_one_sided;
use super::rows::{EditionRow, KeptEdges, rows};
use crate::ReviewStatus;
use crate::action::Action;
use crate::decision::BookState;
use crate::layout::gutter;
use crate::session::Session;
use endpaper_detect::End;
use endpaper_text::wording::thousands;

/// The comparison on screen.
#[derive(Clone, Debug)]
pub struct ShownEdition {
    /// All rows.
    pub rows: Vec<EditionRow>,
    /// The first row on screen.
    pub top: usize,
    /// The editions are side by side.
    pub is_side_by_side: bool,
    /// Positions that the digits 1 to 9 are at.
    pub digit_positions: Vec<u32>,
}

/// The cut positions of the open book. For a cut that is not placed yet in a blind review, it is the line of the cursor at
/// that end, because nothing may reveal the detector's cut.
pub fn cut_positions(session: &Session, book: &BookState) -> [u32; 2] {
    [End::Start, End::End].map(|end| {
        if book.decision.unplaced[end as usize] {
            let row = session.doc.rows.get(session.pane(end).cursor);
            return row.map_or(1, |row| row.first());
        }
        book.page.cut_position(book.decision.cuts, end)
    })
}

/// Number of rows between the title and the status line.
pub fn height(session: &Session) -> usize {
    let layout = session.screen.layout();
    let between = layout.status.y.saturating_sub(layout.header.bottom());
    usize::from(between.saturating_sub(1)).max(1)
}

/// The rows of the active end; `None` until the edition is aligned.
pub fn visible_edition(session: &Session, view: &EditionView) -> Option<ShownEdition> {
    let (edition, book) = (view.edition()?, session.doc.open.as_ref()?);
    let end = session.doc.end;
    let hidden = book.hides_proposal();
    let here = cut_positions(session, book)[end as usize];
    let edges = KeptEdges {
        here: Some(here).filter(|_| !book.decision.unplaced[end as usize]),
        there: Some(edition.there.cut_position(edition.cuts, end)).filter(|_| !hidden),
        digit_positions: session.doc.digit_positions(),
    };
    let beside = edition.fits_side_by_side(
        end,
        session.screen.size.0,
        gutter(edition.there.lines().max(edition.here.lines())),
    );
    let rows = rows(edition, end, beside, &edges, view.unfolded);
    let height = height(session);
    let last = rows.len().saturating_sub(height);
    let middle = || {
        let cut = rows
            .iter()
            .position(|row| matches!(row, EditionRow::Cut { here: true, .. }));
        let cut = cut.unwrap_or_else(|| row_of(&rows, here));
        // As on the page: more room on the body's side, where boilerplate may be left.
        let above = match end {
            End::Start => height * 2 / 5,
            End::End => height * 3 / 5,
        };
        cut.saturating_sub(above)
    };
    let top = view.top.unwrap_or_else(middle).min(last);
    Some(ShownEdition {
        top,
        is_side_by_side: beside,
        digit_positions: edges.digit_positions,
        rows,
    })
}

/// The index of the first row at or below a line of the open book.
fn row_of(rows: &[EditionRow], line: u32) -> usize {
    let at = |row: &EditionRow| matches!(row, EditionRow::Line { here: Some(here), .. } if *here >= line);
    rows.iter().position(at).unwrap_or(rows.len())
}

/// Describes the other edition: its number of how many, name, review status, and differences at the active end. Returned in a
/// long and a short form.
pub fn title(session: &Session, view: &EditionView) -> [String; 2] {
    let entry = view.book().and_then(|book| session.entries.get(book));
    let name = entry.map_or("", |entry| entry.name());
    let many = match view.books.len() {
        1 => String::new(),
        count => format!(" ({} of {count})", view.at + 1),
    };
    let Some(edition) = view.edition() else {
        let name = format!("{name}{many}");
        return [name.clone(), name];
    };
    let standing = match edition.verdict {
        Some(verdict) => ReviewStatus::Decided(verdict).word(),
        None => "undecided",
    };
    let alignment = edition.at(session.doc.end);
    let (here, there) = alignment.one_sided_counts();
    let lines = if here == 1 { "line" } else { "lines" };
    let (here, there) = (thousands(here), thousands(there));
    let place = session.doc.open.as_ref().map_or(1, |book| {
        cut_positions(session, book)[session.doc.end as usize]
    });
    let warning = match alignment.is_similar(session.doc.end, place) {
        true => "",
        false => " · LITTLE IS ALIKE",
    };
    [
        format!(
            "{name}{many} · {standing} · {here} {lines} only here, {there} only there{warning}"
        ),
        format!("{name}{many} · {standing} · -{here} +{there}{warning}"),
    ]
}

/// Key hints: keys with a word, the most useful first.
pub fn key_hints(session: &Session, view: &EditionView) -> Vec<(String, &'static str)> {
    let keymap = &session.keymap;
    let hint = |actions: &[Action], word: &'static str| Some((keymap.labels(actions)?, word));
    let hidden = session
        .doc
        .open
        .as_ref()
        .is_some_and(BookState::hides_proposal);
    let hints = [
        Some(("1-9".to_owned(), "cut")).filter(|_| !hidden && view.edition().is_some()),
        hint(&[Action::OtherEnd], "other end"),
        hint(&[Action::PreviousBook, Action::NextBook], "edition").filter(|_| view.books.len() > 1),
        hint(&[Action::ListChoose], "open"),
        hint(&[Action::Editions], "close"),
        hint(&[Action::NextMatch], "difference"),
        hint(&[Action::Fold], "unfold"),
        hint(&[Action::Queue], "list").filter(|_| view.books.len() > 1),
    ];
    hints.into_iter().flatten().collect()
}

/// Indices of the rows at which differences begin.
pub fn differences(rows: &[EditionRow]) -> impl DoubleEndedIterator<Item = usize> {
    (0..rows.len()).filter(move |&at| {
        let before = rows[..at]
            .iter()
            .rev()
            .find(|row| !matches!(row, EditionRow::Blanks(..)));
        is_one_sided(&rows[at]) && !before.is_some_and(is_one_sided)
    })
}
