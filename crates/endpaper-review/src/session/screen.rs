//! State of the screen apart from the document.

use super::notice::Notice;
use crate::layout::{ScreenLayout, ViewOptions, layout};
use crate::popup::Popup;

/// The screen: its size, visible parts, message line and popups.
#[derive(Clone, Debug)]
pub struct ScreenState {
    pub(crate) size: (u16, u16),
    /// Visible parts of the screen.
    pub view_options: ViewOptions,
    /// Index of the theme.
    pub theme: usize,
    pub(crate) notice: Option<Notice>,
    /// Open popups, the topmost last.
    pub(crate) popups: Vec<Popup>,
    /// The program handles the mouse, not the terminal.
    pub(crate) mouse: bool,
}

impl ScreenState {
    /// A screen with every part that fits.
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
                opinions: 0,
            },
            theme: 0,
            notice: None,
            popups: Vec::new(),
            mouse,
        }
    }

    /// The areas of the screen at its size.
    pub(crate) fn layout(&self) -> ScreenLayout {
        layout(self.size.0, self.size.1, self.view_options)
    }
}
