//! What the screen shows beside the document, and how.

use super::notice::Notice;
use crate::layout::{ScreenLayout, ViewOptions, layout};
use crate::popup::Popup;

/// The screen: its size, what is shown on it, and what is open over the page.
#[derive(Clone, Debug)]
pub struct ScreenState {
    /// Columns and rows.
    pub(crate) size: (u16, u16),
    /// What is shown.
    pub view_options: ViewOptions,
    /// Index of the theme.
    pub theme: usize,
    /// The message line.
    pub(crate) notice: Option<Notice>,
    /// What is open over the page, the topmost last.
    pub(crate) popups: Vec<Popup>,
    /// The mouse is the program's and not the terminal's.
    pub(crate) mouse: bool,
}

impl ScreenState {
    /// A screen with everything on it that there is room for.
    pub(crate) fn new(mouse: bool) -> ScreenState {
        ScreenState {
            size: (80, 24),
            view_options: ViewOptions {
                whole_text: false,
                grams: false,
                evidence: true,
                queue: true,
                map: true,
                tour: false,
            },
            theme: 0,
            notice: None,
            popups: Vec::new(),
            mouse,
        }
    }

    /// Where everything is on the screen now.
    pub(crate) fn layout(&self) -> ScreenLayout {
        layout(self.size.0, self.size.1, self.view_options)
    }
}
