//! HTML pages: a single file each, without scripts or network access, for light and dark screens and for paper.
//!
//! `evaluate --html`, `outline --html` and `figures` share the frame with its style, tables, the colours of the colour-blind-safe themes, and
//! [`escaped`], which all untrusted input passes through.

mod colours;
mod escape;
mod frame;
mod table;

pub use colours::ThemeColours;
pub use escape::{anchor, clipped, escaped};
pub use frame::{PageStyle, frame, framed};
pub use table::{HtmlTable, put_table};
