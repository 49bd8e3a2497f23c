//! Learning a collection: a prior profile and decided books give a profile of their collection.
//!
//! The weights are those with the greatest posterior probability given the decided books, with the prior profile as the
//! mean: a conditional logit again (`fit`). Among the facts are landmarks: what stood beside the cuts of the *other*
//! decided books. How far the weights leave the prior is chosen from the decided books themselves, by the likelihood
//! of each in folds that do not hold its work: in the collection of the prior they stay, in a strange one they leave it
//! at once. The same books in the same order give the same profile, on any number of threads.

use std::collections::BTreeMap;

use anyhow::Result;
use rayon::prelude::*;

use super::calibrate::temperature;
use super::choice_set::{ChoiceSet, probabilities};
use super::example::ENDS;
use super::fit::{self, LabelledChoice, Penalty};
use super::landmarks::Landmarks;
use super::{Example, Profile};
use crate::End;
use crate::calibration::Calibration;

/// A decided book with its work ([`group_by_work`](super::group_by_work)).
pub struct DecidedExample {
    /// The book, with the decided cuts as its label.
    pub example: Example,
    /// Its work: no book is judged by what another edition of it taught.
    pub work: u64,
}

/// A profile learned from decided books.
#[derive(Clone, Debug)]
pub struct LearnedProfile {
    /// The profile, from all decided books.
    pub profile: Profile,
    /// The same without the books of one fold each.
    pub fold_profiles: Vec<Profile>,
    /// The fold of each decided book.
    pub fold_of: Vec<usize>,
    /// Mean log likelihood, at each end, of the decided cuts within their end regions, by the profiles of their folds.
    pub likelihood: [f64; 2],
    /// Number of these cuts at each end.
    pub within: [usize; 2],
    /// Whether the prior was left at either end; the generic profile always is.
    pub has_left_prior: bool,
}

/// Fewest works that anything is learned from.
pub const MIN_WORKS: usize = 2;

/// Most folds.
const FOLDS: usize = 5;

/// Factors of the penalty on leaving the prior, from the strictest on.
const STRENGTHS: [f64; 4] = [30.0, 3.0, 0.3, 0.03];

/// Highest temperature: one strange book among ten must not make guesses of all proposals.
const MAX_TEMPERATURE: f32 = 3.0;

/// How much likelier, in log odds, the decided books must be under weights that leave a library's own profile.
const LEAVE_PRIOR: f64 = 1.0;

/// And by how many times the standard error of that sum. One book that the profile has wrong gains more than ten others lose,
/// and curators decide such books first: what they have in common is no property of the library.
const LEAVE_ERRORS: f64 = 2.0;

/// Learns from decided books; the prior itself if they are of fewer than `MIN_WORKS` works.
///
/// # Errors
///
/// The search for weights fails, which would be a bug.
pub fn learn(decided: &[DecidedExample], prior: &Profile) -> Result<LearnedProfile> {
    let (fold_of, folds) = assign_folds(decided);
    if folds < MIN_WORKS {
        return Ok(LearnedProfile {
            profile: prior.clone(),
            fold_profiles: vec![prior.clone(); folds],
            fold_of,
            likelihood: [0.0; 2],
            within: [0; 2],
            has_left_prior: false,
        });
    }
    let [start, end] = ENDS.map(|end| EndLearner::new(decided, &fold_of, folds, prior, end));
    let ends = [start.learn()?, end.learn()?];
    let has_left_prior = ends.iter().any(|end| end.has_left_prior);
    let profile = |of: &dyn Fn(&LearnedEnd) -> (Vec<f32>, Landmarks)| {
        let mut profile = prior.clone();
        for (end, learned) in ends.iter().enumerate() {
            (profile.ends[end], profile.landmarks[end]) = of(learned);
            profile.temperature[end] = learned.temperature;
        }
        if has_left_prior {
            // The prior's doubt was fitted to its own mistakes.
            profile = profile.with_calibration(Calibration::default());
        }
        profile
    };
    Ok(LearnedProfile {
        fold_profiles: (0..folds)
            .map(|fold| profile(&|end| end.folds[fold].clone()))
            .collect(),
        profile: profile(&|end| (end.weights.clone(), end.landmarks.clone())),
        fold_of,
        likelihood: ends.each_ref().map(|end| end.likelihood),
        within: ends.each_ref().map(|end| end.within),
        has_left_prior,
    })
}

/// The fold of each book, by its work, and the number of folds.
fn assign_folds(decided: &[DecidedExample]) -> (Vec<usize>, usize) {
    let mut ranks: BTreeMap<u64, usize> = decided.iter().map(|book| (book.work, 0)).collect();
    let folds = ranks.len().min(FOLDS);
    for (rank, fold) in ranks.values_mut().enumerate() {
        *fold = rank % folds.max(1);
    }
    (
        decided.iter().map(|book| ranks[&book.work]).collect(),
        folds,
    )
}

/// What was learned of one end.
struct LearnedEnd {
    weights: Vec<f32>,
    landmarks: Landmarks,
    temperature: f32,
    likelihood: f64,
    within: usize,
    folds: Vec<(Vec<f32>, Landmarks)>,
    has_left_prior: bool,
}

/// A decided book whose cut is within the region, with its own landmarks.
struct EndExample<'a> {
    example: &'a Example,
    own: Landmarks,
    position: usize,
    fold: usize,
}

/// One end of all decided books.
struct EndLearner<'a> {
    end: End,
    prior: &'a Profile,
    books: Vec<EndExample<'a>>,
    folds: usize,
}

/// Weights for each fold, with the scores of its books.
struct Trial {
    weights: Vec<Vec<f32>>,
    scored: Vec<(Vec<f32>, usize)>,
}

impl Trial {
    /// The log likelihood of each book at the best temperature of all, and this temperature.
    fn likelihoods(&self) -> (Vec<f64>, f32) {
        let temperature = temperature(&self.scored).min(MAX_TEMPERATURE);
        let one = |(scores, position): &(Vec<f32>, usize)| {
            let share = probabilities(scores, temperature)[*position];
            f64::from(share.max(f32::MIN_POSITIVE)).ln()
        };
        (self.scored.iter().map(one).collect(), temperature)
    }
}

/// Whether books are surely likelier than under a library's own profile, by the log likelihoods of each: not for a trifle, and
/// not by the gain of one or two of them.
fn is_worth_leaving(prior: &[f64], now: &[f64]) -> bool {
    let gains = || now.iter().zip(prior).map(|(now, prior)| now - prior);
    let (sum, squares) = (
        gains().sum::<f64>(),
        gains().map(|gain| gain * gain).sum::<f64>(),
    );
    sum > LEAVE_PRIOR && sum > LEAVE_ERRORS * squares.sqrt()
}

impl<'a> EndLearner<'a> {
    /// The decided books that have a cut at this end, ready for learning.
    fn new(
        decided: &'a [DecidedExample],
        fold_of: &[usize],
        folds: usize,
        prior: &'a Profile,
        end: End,
    ) -> EndLearner<'a> {
        let books = decided.iter().zip(fold_of).filter_map(|(book, &fold)| {
            Some(EndExample {
                example: &book.example,
                own: book.example.own_landmarks(end),
                position: book.example.label_positions[end as usize]?,
                fold,
            })
        });
        EndLearner {
            end,
            prior,
            books: books.collect(),
            folds,
        }
    }

    /// The landmarks of the books outside a fold; of all if there is none.
    fn landmarks(&self, without: Option<usize>) -> Landmarks {
        let books = self.books.iter();
        let books = books.filter(|book| Some(book.fold) != without);
        Landmarks::of(books.map(|book| (book.example.row_forms(self.end), Some(book.position))))
    }

    /// The choice sets of the books outside a fold, each with the landmarks of the others.
    fn choices(&self, landmarks: &Landmarks, without: Option<usize>) -> Vec<(ChoiceSet, usize)> {
        let books = self.books.par_iter();
        let books = books.filter(|book| Some(book.fold) != without);
        let choice = |book: &EndExample<'_>| {
            let choice_set = book.example.choice_set(self.end);
            let rows = book.example.row_forms(self.end);
            let choice_set = choice_set.with_landmarks(rows, landmarks, Some(&book.own));
            (choice_set, book.position)
        };
        books.map(choice).collect()
    }

    /// Fits the weights to choices, beginning at `start`, with a penalty of this strength.
    fn fit(
        &self,
        choices: &[(ChoiceSet, usize)],
        strength: f64,
        start: &[f32],
    ) -> Result<Vec<f32>> {
        let prior = self.prior.weights_at(self.end);
        if choices.is_empty() {
            return Ok(prior.to_vec());
        }
        let labelled: Vec<LabelledChoice<'_>> = choices
            .iter()
            .map(|(choice_set, position)| LabelledChoice {
                choice_set,
                target: *position,
            })
            .collect();
        let penalty = Penalty::default().times(strength);
        let scope = self.prior.scope;
        fit::fit(&labelled, &penalty, scope, Some(start), Some(prior))
    }

    /// The strengths to try. Decided books with nothing to cut tell how often that is so, which the landmarks hold, but not
    /// what a cut would look like: weights fitted to them alone would be sure of whatever the next book has.
    fn strengths(&self) -> &'static [f64] {
        match self.books.iter().all(|book| book.position == 0) {
            true => &[],
            false => &STRENGTHS,
        }
    }

    /// Learns landmarks and weights of this end; the strength of the penalty is found by cross-validation.
    fn learn(&self) -> Result<LearnedEnd> {
        let folds: Vec<_> = (0..self.folds)
            .map(|fold| {
                let landmarks = self.landmarks(Some(fold));
                let choices = self.choices(&landmarks, Some(fold));
                (landmarks.pruned(), choices)
            })
            .collect();
        let prior = self.prior.weights_at(self.end);
        let mut best = self.trial(vec![prior.to_vec(); self.folds], &folds);
        let (prior_likelihoods, own_temperature) = best.likelihoods();
        let mut likelihood: f64 = prior_likelihoods.iter().sum();
        // The generic profile knows no collection: what was decided tells how sure it may be of this one.
        let is_generic = self.prior.is_for_any_library();
        let kept = self.prior.temperature[self.end as usize];
        let mut found = (None, if is_generic { own_temperature } else { kept });
        let mut started = best.weights.clone();
        for &strength in self.strengths() {
            let each = folds.iter().zip(&started);
            let weights = each.map(|((_, choices), start)| self.fit(choices, strength, start));
            started = weights.collect::<Result<_>>()?;
            let trial = self.trial(started.clone(), &folds);
            let (likelihoods, temperature) = trial.likelihoods();
            let now = likelihoods.iter().sum();
            if now > likelihood
                && (is_generic || is_worth_leaving(&prior_likelihoods, &likelihoods))
            {
                (likelihood, found) = (now, (Some(strength), temperature));
                best = trial;
            }
        }
        let (strength, temperature) = found;
        let all = self.landmarks(None);
        let choices = self.choices(&all, None);
        let weights = match strength {
            None => prior.to_vec(),
            Some(strength) => self.fit(&choices, strength, prior)?,
        };
        Ok(LearnedEnd {
            weights,
            landmarks: all.pruned(),
            temperature,
            likelihood: likelihood / self.books.len().max(1) as f64,
            within: self.books.len(),
            folds: best
                .weights
                .into_iter()
                .zip(folds)
                .map(|(weights, (landmarks, _))| (weights, landmarks))
                .collect(),
            has_left_prior: is_generic || strength.is_some(),
        })
    }

    /// Scores every book by the weights of its fold.
    fn trial(
        &self,
        weights: Vec<Vec<f32>>,
        folds: &[(Landmarks, Vec<(ChoiceSet, usize)>)],
    ) -> Trial {
        let score = |book: &EndExample<'_>| {
            let choice_set = book.example.choice_set(self.end);
            let rows = book.example.row_forms(self.end);
            let choice_set = choice_set.with_landmarks(rows, &folds[book.fold].0, None);
            (choice_set.scores(&weights[book.fold]), book.position)
        };
        Trial {
            scored: self.books.par_iter().map(score).collect(),
            weights,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_worth_leaving;

    #[test]
    fn the_gain_of_one_book_is_no_reason_to_leave_the_profile_of_a_library() {
        let table: [(&[f64], &[f64], bool); 7] = [
            (&[], &[], false),
            (&[-1.0; 6], &[-1.0; 6], false),
            (&[-14.0, -0.1, -0.1], &[-0.1, -0.1, -0.1], false),
            (&[-9.0, -9.0, -0.1], &[-0.1, -0.1, -0.1], false),
            (&[-9.0, -0.1, -0.1, -0.1], &[-0.1, -2.0, -2.0, -2.0], false),
            (&[-0.2; 5], &[-0.1; 5], false),
            (&[-3.0; 5], &[-0.5; 5], true),
        ];
        for (prior, now, expected) in table {
            assert_eq!(is_worth_leaving(prior, now), expected, "{prior:?} {now:?}");
        }
    }
}
