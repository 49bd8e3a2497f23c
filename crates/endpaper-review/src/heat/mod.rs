//! The heat map of the corpus: books across, the counted lines of one end down, each shaded by its frequency, with the
//! cuts drawn (Kaser & Lemire, Figure 2, live).
//!
//! [`HeatMap`] is the state of the map; [`BookShades`] is the data of a book, computed off the drawing thread;
//! `sort_books` arranges the books, [`plan`] lays the screen out, [`mod@column`] aggregates books and lines to cells, and
//! [`words`] describes the map as text. The map shows the books of the queue, under its filter.

mod arrange;
mod cell;
pub mod column;
mod layout;
mod map;
pub mod order;
pub mod plan;
mod shades_state;
mod sort_books;
pub mod words;

pub use shades_state::ShadesState;

pub use cell::{HeatCell, HeatColumn};
pub use layout::HeatLayout;
pub use map::HeatMap;
pub(crate) use map::HeatRequestKey;
pub use order::HeatOrder;
pub use plan::compute_layout;

pub use endpaper_detect::pipeline::{BookShades, LineShades};

#[cfg(test)]
mod tests;
