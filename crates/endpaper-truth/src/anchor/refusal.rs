//! Why a place was not found again.

use std::fmt;

/// Why a place was not found again. Each reads on after "refused: ".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The record keeps no lines around it.
    NoContext,
    /// Too few of the lines around it are left.
    TooLittleLeft,
    /// Lines were added or removed at the cut itself: which side the new ones belong to is not known.
    ChangedAtCut,
    /// The lines around it are in several places.
    Ambiguous,
    /// Some lines around it are elsewhere now.
    Moved,
    /// The only place that fits is far from where it was.
    FarAway,
    /// The cuts would come in the wrong order.
    Crossed,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::NoContext => "the record keeps no lines around it",
            Refusal::TooLittleLeft => "too few of the lines around it are left",
            Refusal::ChangedAtCut => "lines were added or removed at the cut itself",
            Refusal::Ambiguous => "the lines around it occur in several places",
            Refusal::Moved => "some lines around it are elsewhere now",
            Refusal::FarAway => "the only place that fits is far from where it was",
            Refusal::Crossed => "the cuts would cross",
        })
    }
}
