//! Other editions of the open book's work, aligned with it at its cuts.
//!
//! [`related`] says which books are editions of one work, [`align`] lays the lines around a cut beside those of another
//! edition, [`offer`] finds candidates for the cut in that, [`rows`] is what is drawn. Pure: the other edition is read
//! outside, and [`EditionComparison::of`] runs there too.

mod align;
mod comparison;
mod offer;
mod related;
mod rows;
mod shown;
#[cfg(test)]
mod tests;

pub use comparison::{EditionAnswer, EditionComparison, EditionRequest, EditionView, WIDE};

pub use align::{Alignment, Stretch, StretchKind, align};
pub use offer::{EditionOffer, find_offers, merge};
pub use related::{related_editions, same_work};
pub use rows::{EditionRow, KeptEdges, rows};
pub use shown::{
    ShownEdition, cut_positions, differences, height, key_hints, title, visible_edition,
};
