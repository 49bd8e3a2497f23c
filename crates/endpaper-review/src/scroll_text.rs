//! Scrolled texts in popups: guidelines, evidence, bytes of a line.

use super::guidelines::{self, GuidelineRow};
use super::popup::Popup;
use super::session::Session;
use super::{bytes, evidence};

/// Rows of the screen that no popup covers: header, status and keys.
const FRAME_ROWS: u16 = 3;

/// A scrolled text in a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScrollText {
    /// The heading.
    pub title: &'static str,
    /// Width of the box in columns, including its border.
    pub width: u16,
    /// All rows, which fit into the box.
    pub rows: Vec<GuidelineRow>,
    /// Number of visible rows.
    pub height: usize,
    /// Index of the first visible row.
    pub top: usize,
}

impl ScrollText {
    /// The text of a popup; `None` if the popup is not a scrolled text.
    pub fn of(session: &Session, popup: &Popup) -> Option<ScrollText> {
        let (columns, height) = session.screen.size;
        let width = guidelines::width(columns);
        // A border and a blank on each side.
        let inside = width.saturating_sub(4);
        let (title, rows, top) = match popup {
            Popup::Guidelines(top) => {
                let (rows, _) = guidelines::rows_and_height(session.screen.size);
                ("guidelines", rows, *top)
            }
            Popup::Evidence(top) => ("evidence", evidence::rows(session, inside), *top),
            Popup::Bytes(top) => {
                let book = session.doc.open.as_ref()?;
                let line = session.cursor_line();
                ("bytes", bytes::dump(&book.page.text, line, inside), *top)
            }
            _ => return None,
        };
        let room = usize::from(height.saturating_sub(FRAME_ROWS + 2));
        let height = room.min(rows.len());
        Some(ScrollText {
            title,
            width,
            top: top.min(rows.len() - height),
            rows,
            height,
        })
    }

    /// The maximum of `top`.
    pub fn last(&self) -> usize {
        self.rows.len() - self.height
    }

    /// The heading, with the visible range if not all rows are visible.
    pub fn heading(&self) -> String {
        let (first, last) = (self.top + 1, self.top + self.height);
        match self.last() {
            0 => self.title.to_owned(),
            _ => format!("{} {first}-{last} of {}", self.title, self.rows.len()),
        }
    }
}
