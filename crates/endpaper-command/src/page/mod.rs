//! Pages for a browser: one file that needs no other, no scripts and no network, in light and dark and on paper.
//!
//! What `evaluate --html` and `figures` share: the frame with its style, tables, the colours of the colour-blind-safe
//! themes, and [`escaped`], through which everything that strangers wrote goes.

mod colours;
mod escape;
mod frame;
mod table;

pub use colours::ThemeColours;
pub use escape::{anchor, clipped, escaped};
pub use frame::{PageStyle, framed};
pub use table::{HtmlTable, put_table};
