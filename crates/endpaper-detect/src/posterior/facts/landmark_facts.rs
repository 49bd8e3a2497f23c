//! Facts of landmarks: how the rows beside a cut position resemble those beside the cuts of decided books.

use super::DenseFacts;
use super::block::FORM_COUNT;
use crate::posterior::landmarks::{Landmarks, RowForms, SIDES};

const SIDE_NAMES: [&str; SIDES] = ["cut", "kept"];
const FORMS: [&str; FORM_COUNT] = ["exact", "skeleton", "opening"];
const FACTS: [&str; 4] = ["odds", "share", "outermost", "innermost"];

/// Added to counts before their odds: a form that was seen once is no certainty.
const PSEUDO_COUNT: f32 = 0.2;

/// Facts of a position that are about no form of a line: the share of the decided books with as many rows cut away, and, where
/// nothing is cut away, the odds that nothing was in the decided books.
const POSITION_FACTS: [&str; 2] = ["decided-rows", "decided-nothing:odds"];

/// Index of the first of [`POSITION_FACTS`].
const FIRST_POSITION_FACT: usize = FORM_COUNT * SIDES * FACTS.len();

/// Number of facts of a position.
pub(in crate::posterior) const LANDMARK_FACTS: usize = FIRST_POSITION_FACT + POSITION_FACTS.len();

/// Names of the facts.
pub(in crate::posterior) fn landmark_names() -> impl Iterator<Item = String> {
    let of_forms = FORMS.iter().flat_map(|form| {
        SIDE_NAMES.iter().flat_map(move |side| {
            let name = move |fact| format!("decided-{form}-{side}:{fact}");
            FACTS.iter().map(name)
        })
    });
    of_forms.chain(POSITION_FACTS.map(str::to_owned))
}

/// Computes the facts of every position, numbered from `first` on. `own` are the landmarks of the book itself, if they are
/// among `landmarks`: a book is no evidence for itself.
pub(in crate::posterior) fn landmark_facts(
    rows: &RowForms,
    landmarks: &Landmarks,
    own: Option<&Landmarks>,
    first: usize,
) -> DenseFacts {
    let count = rows.len() + 1;
    let decided = landmarks.books - own.map_or(0, |own| own.books);
    let books = decided.max(1) as f32;
    let mut facts = vec![[0.0; LANDMARK_FACTS]; count];
    for form in 0..FORM_COUNT {
        for side in 0..SIDES {
            let start = (form * SIDES + side) * FACTS.len();
            let mut ends = None;
            for (position, facts) in facts.iter_mut().enumerate() {
                let Some(forms) = rows.beside(position, side) else {
                    continue;
                };
                let count = landmarks.count(side, forms[form], own);
                if !count.tells() {
                    continue;
                }
                let (at_cut, elsewhere) = (count.at_cut as f32, count.elsewhere as f32);
                facts[start] = ((at_cut + PSEUDO_COUNT) / (elsewhere + PSEUDO_COUNT)).ln();
                facts[start + 1] = at_cut / books;
                if count.at_cut > 0 {
                    ends = Some((ends.map_or(position, |(outermost, _)| outermost), position));
                }
            }
            if let Some((outermost, innermost)) = ends {
                facts[outermost][start + 2] = facts[outermost][start + 1];
                facts[innermost][start + 3] = facts[innermost][start + 1];
            }
        }
    }
    for (position, &decided) in &landmarks.positions {
        let own = own.and_then(|own| own.positions.get(position)).copied();
        if let Some(facts) = facts.get_mut(*position as usize) {
            facts[FIRST_POSITION_FACT] = (decided - own.unwrap_or(0)) as f32 / books;
        }
    }
    if decided > 0 {
        let share = facts[0][FIRST_POSITION_FACT];
        let (nothing, something) = (share * books, (1.0 - share) * books);
        facts[0][FIRST_POSITION_FACT + 1] =
            ((nothing + PSEUDO_COUNT) / (something + PSEUDO_COUNT)).ln();
    }
    let mut all = DenseFacts::new(first, LANDMARK_FACTS, count);
    for (position, facts) in facts.into_iter().enumerate() {
        all.put_all(position, 0, facts);
    }
    all
}
