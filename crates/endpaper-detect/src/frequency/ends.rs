//! The ends of books that are counted together or apart.

use serde::{Deserialize, Serialize};

use endpaper_text::scan::Window;

/// Which ends of the books were counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CountedEnds {
    /// Heads and tails together.
    Both,
    /// Heads only.
    Head,
    /// Tails only.
    Tail,
}

impl CountedEnds {
    /// Whether a line of this window is counted at these ends.
    pub(super) fn hold(self, window: Window) -> bool {
        match self {
            CountedEnds::Both => true,
            CountedEnds::Head => window != Window::Tail,
            CountedEnds::Tail => window != Window::Head,
        }
    }
}
