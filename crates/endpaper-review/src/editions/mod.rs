//! Other editions of the open book's work, aligned with it at its cuts.
//!
//! `related` determines which books are editions of one work, `align` aligns the lines around a cut with those of another
//! edition, `offer` derives candidates for the cut, and `rows` builds the rows to draw. All of it is pure: the other
//! edition is read by a worker, which also calls [`EditionComparison::of`].

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
