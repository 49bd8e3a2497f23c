//! The panel that shows what the opinions say, and how to choose.

use super::CuratorOpinion;
use crate::action::Action;
use crate::decision::BookState;
use crate::session::Session;
use crate::wrap::wrap;

/// Columns left of the text of an opinion: the mark of the chosen one, and a space.
pub const PANEL_MARGIN: u16 = 2;

/// Least width of a screen on which opinions are side by side, in columns.
const SIDE_BY_SIDE: u16 = 110;

/// Whether opinions are side by side; otherwise each is below the one before.
pub fn is_side_by_side(width: u16) -> bool {
    width >= SIDE_BY_SIDE
}

/// Width of each of `count` opinions on a screen of a given width, in columns.
pub fn opinion_width(width: u16, count: usize) -> u16 {
    match is_side_by_side(width) {
        true => width / u16::try_from(count.max(1)).unwrap_or(u16::MAX),
        false => width,
    }
}

/// The rows of each opinion on a screen of a given width.
pub fn opinion_rows(book: &BookState, width: u16) -> Vec<Vec<String>> {
    let opinions = book.curator_opinions();
    let room = opinion_width(width, opinions.len()).saturating_sub(PANEL_MARGIN + 1);
    let rows = |opinion: &CuratorOpinion| {
        let words = opinion.words(&book.page).join(" · ");
        let mut rows = wrap(&format!("{}: {words}", opinion.name), room);
        if let Some(note) = opinion.note() {
            rows.extend(wrap(&format!("note: {note}"), room));
        }
        rows
    };
    opinions.iter().map(rows).collect()
}

/// Number of rows that show every opinion in full.
pub fn panel_height(book: &BookState, width: u16) -> u16 {
    let rows = opinion_rows(book, width);
    let lengths = rows.iter().map(Vec::len);
    let rows = match is_side_by_side(width) {
        true => lengths.max().unwrap_or(0),
        false => lengths.sum(),
    };
    u16::try_from(rows).unwrap_or(u16::MAX)
}

/// Shortens opinions to fit `height` rows: each of them if they are side by side, their sum if they are below each other
/// (short ones are then kept whole). The last row of a shortened opinion is replaced by `more(rows left out)`.
pub fn fitted_rows(
    mut opinions: Vec<Vec<String>>,
    is_side_by_side: bool,
    height: usize,
    more: impl Fn(usize) -> String,
) -> Vec<Vec<String>> {
    let mut shortest_first: Vec<&mut Vec<String>> = opinions.iter_mut().collect();
    shortest_first.sort_by_key(|rows| rows.len());
    let (mut left, mut waiting) = (height, shortest_first.len());
    for rows in shortest_first {
        let room = match is_side_by_side {
            true => height,
            false => left / waiting,
        };
        if rows.len() > room {
            let hidden = rows.len() - room + 1;
            rows.truncate(room);
            if let Some(last) = rows.last_mut().filter(|_| room > 1) {
                *last = more(hidden);
            }
        }
        left -= rows.len().min(left);
        waiting -= 1;
    }
    opinions
}

/// How to decide a disputed book.
pub fn how_to_choose(session: &Session) -> String {
    let cut = session.keymap.label(Action::CutHere);
    let opinions = opinion_count(session);
    let digits = match opinions {
        2 => "1 or 2".to_owned(),
        count => format!("1 to {count}"),
    };
    format!("nothing is chosen: {digits} takes that opinion, or {cut} puts both cuts elsewhere")
}

/// Number of opinions to choose from; 0 outside an adjudication.
pub fn opinion_count(session: &Session) -> usize {
    let open = session.doc.open.as_ref();
    open.map_or(0, |open| open.curator_opinions().len())
}
