//! Fits the profile for collections that no other profile knows.
//!
//! It is fitted to several collections at once, with facts that hold for any library only. Each collection is shown
//! several times: with nothing decided, and with a few of its books decided, whose landmarks the others then have: so the
//! weights of landmarks are learned from collections that are learned (meta-learning), and no collection's own lines are
//! in the profile. What the profile does for a collection that it has not seen is measured by leaving one out.

use anyhow::Result;
use rayon::prelude::*;

use super::calibrate::temperature;
use super::choice_set::ChoiceSet;
use super::example::{ENDS, Example};
use super::fit::{self, LabelledChoice, Penalty};
use super::kinds::KindLearner;
use super::landmarks::Landmarks;
use super::profile::{FactScope, LOSS_COST_OF_GENERIC};
use super::{Profile, posterior_result};
use crate::End;
use crate::calibration::{Calibration, JudgedBook};

/// Numbers of decided books with which each collection is shown. Nothing decided is shown twice: it is where the profile
/// alone decides.
const DECIDED: [usize; 6] = [0, 0, 2, 5, 10, 20];

/// Number of books, besides those decided, of each showing.
const SHOWN: usize = 40;

/// Factor of the penalty: what holds for one collection is weak evidence for the next one.
const PENALTY: f64 = 3.0;

/// The labelled books of a collection, in any order that does not depend on their contents.
pub struct CollectionExamples {
    /// The books, made with [`FactScope::AnyLibrary`].
    pub books: Vec<Example>,
    /// How much of `SHOWN` is shown, as one part of this many.
    pub share: usize,
    /// Collections of one group are left out together.
    pub group: usize,
}

/// Fits a profile to collections, its doubt calibrated with each group left out in turn.
///
/// # Errors
///
/// There is no labelled book, or the search fails (which would be a bug).
pub fn fit_generic(collections: &[CollectionExamples]) -> Result<Profile> {
    let mut groups: Vec<usize> = collections.iter().map(|one| one.group).collect();
    groups.dedup();
    let mut scored = [Vec::new(), Vec::new()];
    let mut left_out = Vec::new();
    for &group in groups.iter().filter(|_| groups.len() > 1) {
        let (tried, others): (Vec<&CollectionExamples>, Vec<&CollectionExamples>) =
            collections.iter().partition(|one| one.group == group);
        let profile = fit_weights(&others)?;
        let books = tried.iter().flat_map(|one| one.books.iter().take(SHOWN));
        for book in books {
            for end in ENDS {
                if let Some(position) = book.label_positions[end as usize] {
                    scored[end as usize].push((book.scores(end, &profile), position));
                }
            }
            left_out.push((book, profile.clone()));
        }
    }
    let collections: Vec<&CollectionExamples> = collections.iter().collect();
    let mut profile = fit_weights(&collections)?;
    profile.temperature = scored.each_ref().map(|end| temperature(end));
    let judged: Vec<JudgedBook> = left_out
        .into_iter()
        .map(|(book, mut used)| {
            used.temperature = profile.temperature;
            let (positions, probability) = book.decided_positions(&used);
            JudgedBook {
                posterior_doubt: 1.0 - probability,
                inputs: Vec::new(),
                is_wrong: positions.map(Some) != book.label_positions,
            }
        })
        .collect();
    let calibration = Calibration::fit(&judged.iter().collect::<Vec<_>>())?;
    Ok(profile.with_calibration(calibration))
}

/// Fits the weights and kinds to all collections, each shown with and without decided books.
fn fit_weights(collections: &[&CollectionExamples]) -> Result<Profile> {
    let mut profile = Profile::empty(FactScope::AnyLibrary);
    profile.loss_cost = LOSS_COST_OF_GENERIC;
    let mut learner = KindLearner::new();
    for end in ENDS {
        let shown: Vec<Vec<(ChoiceSet, usize)>> = collections
            .par_iter()
            .flat_map(|one| {
                (0..DECIDED.len())
                    .into_par_iter()
                    .map(|at| one.show(end, at))
            })
            .collect();
        let labelled: Vec<LabelledChoice<'_>> = shown
            .iter()
            .flatten()
            .map(|(choice_set, position)| LabelledChoice {
                choice_set,
                target: *position,
            })
            .collect();
        let penalty = Penalty::default().times(PENALTY);
        profile.ends[end as usize] =
            fit::fit(&labelled, &penalty, FactScope::AnyLibrary, None, None)?;
        for one in collections {
            for book in one.books.iter().take(SHOWN) {
                book.learn_kinds(end, &mut learner);
            }
        }
    }
    profile.kinds = learner.finish();
    Ok(profile)
}

impl CollectionExamples {
    /// The books of a showing with their labels, given the landmarks of the decided ones, which are shown too.
    fn show(&self, end: End, showing: usize) -> Vec<(ChoiceSet, usize)> {
        let count = self.books.len();
        let decided = DECIDED[showing].min(count / 2);
        // Another part of the collection in each showing.
        let first = showing * count / DECIDED.len();
        let book = |at: usize| &self.books[(first + at) % count];
        let shown = (decided + SHOWN / self.share).min(count);
        let rows = |at: usize| {
            let position = book(at).label_positions[end as usize];
            (book(at).row_forms(end), position)
        };
        let landmarks = Landmarks::of((0..decided).map(rows));
        let of_book = |at: usize| {
            let position = book(at).label_positions[end as usize]?;
            let own = (at < decided).then(|| book(at).own_landmarks(end));
            let choice_set = book(at).choice_set(end);
            let choice_set =
                choice_set.with_landmarks(book(at).row_forms(end), &landmarks, own.as_ref());
            Some((choice_set, position))
        };
        (0..shown).filter_map(of_book).collect()
    }
}

impl Example {
    /// The positions of the cuts that a profile proposes, and the probability that both are right.
    fn decided_positions(&self, profile: &Profile) -> ([usize; 2], f32) {
        let posteriors =
            ENDS.map(|end| super::CutPosterior::new(self.choice_set(end), end, profile));
        let line = |end: usize, position: usize| self.line(end, position);
        posterior_result::decide(line, &posteriors, profile.loss_cost)
    }
}
