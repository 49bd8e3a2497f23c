//! Figures about ground truth and detections: how sure a share is, how well people agree.
//!
//! [`Proportion`] has the intervals, [`BoundaryEdits`] the boundary similarity, [`kappa`] and [`Alpha`] agreement beyond
//! chance, [`Figures`] say how good proposals are; they stand alone and know nothing of books. [`agree`] compares curators
//! with them. [`contender`] has cuts to be judged, [`report`] judges them. [`corrupt`] makes corrupted books, [`figures`] has the experiments of papers. Nothing here prints.

mod acceptance;
pub mod agree;
mod agreement;
mod boundary;
pub mod contender;
pub mod corrupt;
mod distributions;
mod era;
mod errors;
pub mod figures;
mod intervals;
mod proposals;
pub mod report;
mod ruler;
pub mod sample;
mod summary;
mod windows;

pub use acceptance::{Sequential, Single, Verdict, at_least, most_bad, upper_bound};
pub use agreement::{Alpha, Difference, INFLATED, kappa};
pub use boundary::BoundaryEdits;
pub use era::Era;
pub use errors::{BookErrors, EndErrors, Volume};
pub use intervals::{CONFIDENCE, Interval, Proportion};
pub use proposals::{Bin, Figures, NEAR_MISS, Proposal};
pub use summary::{Marks, NEAR, Spread, Summary, in_words, windows};
pub use windows::{Windows, usual_window};
