//! The heat map of the corpus: books across, the counted lines of one end down, each shaded by its frequency, with the
//! cuts drawn (Kaser & Lemire, Figure 2, live).
//!
//! [`HeatMap`] is what the map shows and where one is on it; [`BookProfile`] is what it keeps of a book, made off the drawing
//! thread; [`sort`] arranges the books, [`plan`] lays the screen out, [`column`] adds books and lines up to cells, and
//! [`words`] says in words what is chosen. The books shown are those of the queue, under its filter.

mod areas;
mod arrange;
mod cell;
pub mod column;
mod look;
mod map;
pub mod plan;
pub mod sort;
mod sorted;
pub mod words;

pub use look::ProfileState;

pub use areas::HeatLayout;
pub use cell::{HeatCell, HeatColumn};
pub use map::HeatMap;
pub(crate) use map::HeatRequestKey;
pub use plan::plan;
pub use sort::HeatOrder;

pub use endpaper_detect::pipeline::{BookProfile, LineProfile};

#[cfg(test)]
mod tests;
