//! Other editions of the open book's work, aligned with it at its cuts.
//!
//! [`kin`] says which books are editions of one work, [`align`] lays the lines around a cut beside those of another
//! edition, [`offer`] finds candidates for the cut in that, [`rows`] is what is drawn. Pure: the other edition is read
//! outside, and [`EditionComparison::of`] runs there too.

mod align;
mod comparison;
mod kin;
mod offer;
mod rows;
mod shown;
#[cfg(test)]
mod tests;

pub use comparison::{EditionAnswer, EditionComparison, EditionRequest, EditionView, WIDE};

pub use align::{Alignment, Stretch, StretchKind, align};
pub use kin::{kin, same_work};
pub use offer::{EditionOffer, merge, offers};
pub use rows::{EditionRow, KeptEdges, rows};
pub use shown::{ShownEdition, differences, height, keys, places, shown, title};
