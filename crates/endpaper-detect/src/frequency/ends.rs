//! The ends of books, as counting tells them apart.

use serde::{Deserialize, Serialize};

use endpaper_text::scan::Window;

/// Which ends of the books were counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Ends {
    /// Heads and tails together.
    Both,
    /// Heads only.
    Head,
    /// Tails only.
    Tail,
}

impl Ends {
    /// Whether a line of this window is counted here.
    pub(super) fn hold(self, window: Window) -> bool {
        match self {
            Ends::Both => true,
            Ends::Head => window != Window::Tail,
            Ends::Tail => window != Window::Head,
        }
    }
}
