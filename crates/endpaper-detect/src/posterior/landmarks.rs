//! Landmarks: what stood on either side of the cuts that somebody decided, and how often the same stood elsewhere.
//!
//! A line that ends the header of every decided book ends it in the others too, whatever its words mean. Lines are
//! compared by their forms (exact, skeleton, opening). The idea is that of landmark rules (Muslea, Minton & Knoblock,
//! STALKER); here they are not rules but facts, whose weights are fitted like all others, each decided book with the
//! landmarks of the other ones only.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::end_region::EndRegion;
use super::facts::{FORM_COUNT, forms};
use crate::frequency::document_frequency::LineForm;

/// The sides of a cut: the last row that is cut away, the first row that is kept.
pub(super) const SIDES: usize = 2;

/// The forms of the rows of one end of a book, from the outside inwards.
#[derive(Clone, Debug, Default)]
pub(super) struct RowForms {
    rows: Vec<[LineForm; FORM_COUNT]>,
}

impl RowForms {
    /// The forms of the rows of an end region.
    pub fn of(region: &EndRegion<'_>) -> RowForms {
        let rows = region.rows.iter().map(|row| forms(row, region.end));
        RowForms {
            rows: rows.collect(),
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The forms of the row on a side of a position.
    pub fn beside(&self, place: usize, side: usize) -> Option<&[LineForm; FORM_COUNT]> {
        self.rows.get((place + side).checked_sub(1)?)
    }
}

/// How often a form stood beside a decided cut, and in how many decided books it stood anywhere else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LandmarkCount {
    pub at_cut: u32,
    pub elsewhere: u32,
}

impl LandmarkCount {
    /// Whether it says anything: a form that one book has, and not beside its cut, does not.
    pub fn tells(self) -> bool {
        self.at_cut > 0 || self.elsewhere > 1
    }
}

/// The landmarks of one end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Landmarks {
    /// Number of decided books.
    pub books: u32,
    /// For each side, the forms that occur in decided books.
    pub forms: [BTreeMap<LineForm, LandmarkCount>; SIDES],
    /// Number of rows outside the cut, with the number of decided books that have as many.
    pub positions: BTreeMap<u32, u32>,
}

impl Landmarks {
    /// The landmarks of decided books, given as the forms of their rows with the position of the cut.
    pub fn of<'a>(decided: impl Iterator<Item = (&'a RowForms, Option<usize>)>) -> Landmarks {
        let mut all = Landmarks::default();
        for (rows, place) in decided {
            all.books += 1;
            if let Some(place) = place {
                *all.positions.entry(place as u32).or_default() += 1;
                for side in 0..SIDES {
                    all.add(rows, place, side);
                }
            }
        }
        all
    }

    /// Without the forms that say nothing ([`LandmarkCount::tells`]).
    pub fn pruned(mut self) -> Landmarks {
        for forms in &mut self.forms {
            forms.retain(|_, count| count.tells());
        }
        self
    }

    /// How often a form was met, but for a book whose own landmarks these are.
    pub fn count(&self, side: usize, form: LineForm, own: Option<&Landmarks>) -> LandmarkCount {
        let of = |landmarks: &Landmarks| landmarks.forms[side].get(&form).copied();
        let all = of(self).unwrap_or_default();
        let own = own.and_then(of).unwrap_or_default();
        LandmarkCount {
            at_cut: all.at_cut - own.at_cut,
            elsewhere: all.elsewhere - own.elsewhere,
        }
    }

    /// Counts the forms of a decided book's rows: of the row on this side of its cut, and of all others.
    fn add(&mut self, rows: &RowForms, place: usize, side: usize) {
        let at_cut = (place + side).checked_sub(1);
        let others = rows.rows.iter().enumerate();
        let elsewhere: BTreeSet<LineForm> = others
            .filter(|(row, _)| Some(*row) != at_cut)
            .flat_map(|(_, forms)| *forms)
            .collect();
        for form in elsewhere {
            self.forms[side].entry(form).or_default().elsewhere += 1;
        }
        for form in rows.beside(place, side).into_iter().flatten() {
            self.forms[side].entry(*form).or_default().at_cut += 1;
        }
    }

    /// Whether no book was decided.
    pub fn is_empty(&self) -> bool {
        self.books == 0
    }
}
