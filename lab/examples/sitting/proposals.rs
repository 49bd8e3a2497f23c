//! How often the change of one labelled correction is right where it is proposed.

use std::sync::Arc;

use endpaper_detect::frequency::Frequencies;
use endpaper_detect::posterior::Profile;
use endpaper_detect::{Correction, Cuts, End, Method, Parameters, Policy, propose};
use rayon::prelude::*;

use super::review::SittingBook;

/// Change of the shipped detector's parameters.
pub type Setting = fn(&mut Parameters);

/// Sources of corrections: the shipped detector, and others with deliberate errors that many books share.
pub const DETECTORS: [(&str, Setting); 4] = [
    ("posterior", |_| {}),
    ("gap", |parameters| parameters.method = Method::Gap),
    ("keep-credits", |parameters| set(parameters, "keep-credits")),
    ("keep-notes", |parameters| set(parameters, "keep-notes")),
];

fn set(parameters: &mut Parameters, policy: &str) {
    if let Some(policy) = Policy::named(policy) {
        parameters.policy = policy;
    }
}

/// Results of searching for all corrections of a corpus in all other books.
#[derive(Clone, Copy, Default)]
pub struct Proposals {
    pub corrections: usize,
    /// Corrections whose change is proposed for any other book.
    pub found: usize,
    /// Books for which a change is proposed.
    pub books: usize,
    /// Of these, books whose changed cuts are at the label.
    pub right: usize,
    /// Of these, books whose cuts were right before.
    pub spoilt: usize,
}

impl std::iter::Sum for Proposals {
    fn sum<I: Iterator<Item = Proposals>>(all: I) -> Proposals {
        all.fold(Proposals::default(), |sum, one| Proposals {
            corrections: sum.corrections + one.corrections,
            found: sum.found + one.found,
            books: sum.books + one.books,
            right: sum.right + one.right,
            spoilt: sum.spoilt + one.spoilt,
        })
    }
}

/// Searches all other books of the corpus for every correction.
pub fn measure(
    books: &[&SittingBook<'_>],
    weights: &Profile,
    frequencies: &Frequencies,
    detector: Setting,
) -> Proposals {
    let mut parameters = Parameters {
        weights: Some(Arc::new(weights.clone())),
        ..Parameters::default()
    };
    detector(&mut parameters);
    let detect = |book: &&SittingBook<'_>| propose(book.scan, frequencies, &parameters).cuts;
    let cuts: Vec<Cuts> = books.par_iter().map(detect).collect();
    let corrections = (0..books.len()).into_par_iter().filter_map(|from| {
        let correction = Correction::between(books[from].scan, cuts[from], books[from].label())?;
        Some((0..books.len()).filter(|&other| other != from).fold(
            Proposals {
                corrections: 1,
                ..Proposals::default()
            },
            |sum, other| look(sum, books[other], cuts[other], &correction),
        ))
    });
    corrections.sum()
}

/// Adds the proposals of a correction for a book.
fn look(
    sum: Proposals,
    book: &SittingBook<'_>,
    before: Cuts,
    correction: &Correction,
) -> Proposals {
    let Some(after) = correction.apply_to(book.scan, before) else {
        return sum;
    };
    // Compares the changed ends only: the other end may be wrong independently.
    let differs = |end: &End| match end {
        End::Start => before.preamble_end != after.preamble_end,
        End::End => before.epilogue_start != after.epilogue_start,
    };
    let changed: Vec<End> = [End::Start, End::End].into_iter().filter(differs).collect();
    let right = |cuts: Cuts| {
        changed
            .iter()
            .all(|&end| book.rows_off(cuts, end) == Some(0))
    };
    Proposals {
        found: sum.found.max(1),
        books: sum.books + 1,
        right: sum.right + usize::from(right(after)),
        spoilt: sum.spoilt + usize::from(right(before)),
        ..sum
    }
}
