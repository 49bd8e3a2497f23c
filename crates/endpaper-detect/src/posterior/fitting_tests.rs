//! Tests of fitting: gradients, books with a known rule, weights files, folds.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::fit::{FitObjective, LabelledChoice};
use super::profile::WEIGHTS;
use super::*;
use crate::Cuts;
use crate::drawn_book;
use crate::frequency::Frequencies;
use crate::frequency::{Certainty, Counts};
use endpaper_text::line::Key;

const SCOPE: FactScope = FactScope::OneLibrary;

/// Frequencies for drawn books: lines drawn as `F` are frequent.
fn frequencies() -> Frequencies {
    Frequencies::from(Counts::from_pairs(
        [(Key(1_000_000), 500)],
        Certainty::Exact,
    ))
}

/// A drawing of a book with a licence, `credits` blocks of credits, a body and a licence; and the first and last line
/// of the body.
fn book(licence: usize, credits: usize, blank: usize) -> (String, u32, u32) {
    let mut text = format!("{} F", "F".repeat(licence));
    for _ in 0..credits {
        let _ = write!(text, " C");
    }
    text += &" ".repeat(blank);
    let first = text.len() as u32 + 1;
    text += "iiii iiii i iiiii";
    text += &" iiiiiii".repeat(20);
    let last = text.len() as u32;
    let _ = write!(text, "{} F {}", " ".repeat(blank), "F".repeat(licence));
    (text, first, last)
}

fn example(sketched: &(String, u32, u32)) -> Example {
    let scan = drawn_book::scan(&sketched.0);
    Example::new(&scan, &frequencies(), SCOPE, sketched.1, sketched.2)
}

fn books() -> Vec<(String, u32, u32)> {
    let mut books = Vec::new();
    for licence in 3..9 {
        for credits in 0..3 {
            books.push(book(licence, credits, 1 + licence % 3));
        }
    }
    books
}

#[test]
fn a_fit_finds_the_planted_rule_in_books_it_never_saw() {
    let examples: Vec<Example> = books().iter().map(example).collect();
    let weights = fit(&examples.iter().collect::<Vec<_>>(), &Penalty::default()).unwrap();
    for (licence, credits, blank) in [(12, 1, 2), (15, 3, 1), (10, 0, 3)] {
        let unseen = book(licence, credits, blank);
        let unlabelled = Example::unlabelled(&drawn_book::scan(&unseen.0), &frequencies(), SCOPE);
        let (cuts, share) = unlabelled.best(&weights);
        let expected = example(&unseen).label_positions;
        let (found, _) = unlabelled.best_positions(&weights);
        assert_eq!(found.map(Some), expected, "{cuts:?} of {unseen:?}");
        assert!(share > 0.5, "{share} of {unseen:?}");
    }
}

#[test]
fn where_the_search_starts_changes_next_to_nothing() {
    let examples: Vec<Example> = books().iter().map(example).collect();
    let all: Vec<_> = examples
        .iter()
        .map(|one| (one, one.label_positions))
        .collect();
    let penalty = Penalty::default();
    let fresh = example::fit_positions(&all, &penalty, SCOPE, None).unwrap();
    let few = example::fit_positions(&all[..4], &penalty, SCOPE, None).unwrap();
    let warm = example::fit_positions(&all, &penalty, SCOPE, Some(&few)).unwrap();
    for one in &examples {
        let (a, b) = (one.best(&fresh), one.best(&warm));
        assert_eq!(a.0, b.0);
        assert!((a.1 - b.1).abs() < 0.02, "{a:?} {b:?}");
    }
}

#[test]
fn nothing_to_fit_to_is_an_error() {
    let error = fit(&[], &Penalty::default()).unwrap_err();
    assert!(error.to_string().contains("no labelled book"), "{error}");
}

#[test]
fn a_greater_penalty_makes_smaller_weights() {
    let examples: Vec<Example> = books().iter().map(example).collect();
    let examples: Vec<&Example> = examples.iter().collect();
    let size = |factor: f64| {
        let weights = fit(&examples, &Penalty::default().times(factor)).unwrap();
        weights.ends[0]
            .iter()
            .map(|weight| weight * weight)
            .sum::<f32>()
    };
    assert!(size(10.0) < size(1.0) && size(1.0) < size(0.1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn the_gradient_is_that_of_the_cost(
        seed in any::<u64>(),
        licence in 1usize..6,
        credits in 0usize..3,
        has_prior in any::<bool>(),
    ) {
        let books = [book(licence, credits, 2), book(licence + 1, credits, 1)];
        let examples: Vec<Example> = books.iter().map(example).collect();
        for end in example::ENDS {
            let labelled: Vec<LabelledChoice<'_>> = examples
                .iter()
                .map(|one| LabelledChoice {
                    choice_set: one.choice_set(end),
                    target: one.label_positions[end as usize].unwrap(),
                })
                .collect();
            let mut state = seed | 1;
            let mut random = || {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 40) as f64 / (1u64 << 24) as f64 - 0.5
            };
            let towards: Vec<f32> = (0..WEIGHTS).map(|_| random() as f32).collect();
            let towards = has_prior.then_some(towards.as_slice());
            let problem = FitObjective::new(&labelled, &Penalty::default(), SCOPE, towards);
            let at: Vec<f64> = (0..WEIGHTS).map(|_| 0.2 * random()).collect();
            let uses = SCOPE.uses();
            let way: Vec<f64> = uses.iter().map(|&used| if used { random() } else { 0.0 }).collect();
            let cost = |step: f64| {
                let there: Vec<f64> = at.iter().zip(&way).map(|(a, w)| a + step * w).collect();
                problem.cost_and_gradient(&there).0
            };
            let step = 1e-2;
            let slope = (cost(step) - cost(-step)) / (2.0 * step);
            let gradient = problem.cost_and_gradient(&at).1;
            let expected: f64 = gradient.iter().zip(&way).map(|(g, w)| g * w).sum();
            prop_assert!(
                (slope - expected).abs() < 0.02 * (1.0 + expected.abs()),
                "{slope} is not {expected}"
            );
        }
    }

    #[test]
    fn weights_come_back_from_their_file(seed in any::<u64>()) {
        let mut weights = Profile::default();
        let mut state = seed | 1;
        for end in &mut weights.ends {
            for weight in end.iter_mut() {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
                // The file keeps thousandths.
                *weight = ((state >> 52) as f32 - 2048.0) / 1000.0;
            }
        }
        weights.temperature = [1.25, 3.5];
        let back = Profile::parse(&weights.to_tsv()).unwrap();
        prop_assert_eq!(back.temperature, weights.temperature);
        for (back, weights) in back.ends.iter().flatten().zip(weights.ends.iter().flatten()) {
            prop_assert!((back - weights).abs() < 1e-4, "{} {}", back, weights);
        }
    }
}

#[test]
fn files_that_are_no_weights_are_refused_by_line() {
    let header = "end\tfact\tweight";
    let cases = [
        ("", "first line"),
        ("book\tlines\n", "first line"),
        ("H\nstart\tcut:block\n", "line 2 has 2 columns"),
        (
            "H\nstart\tcut:block\tmuch\n",
            "line 2: 'much' is not a number",
        ),
        (
            "H\nstart\tcut:block\tNaN\n",
            "line 2: 'NaN' is not a number",
        ),
        ("H\nmiddle\tcut:block\t1\n", "line 2: 'middle'"),
        (
            "H\nstart\tcut:block\t1\nend\tgold\t1\n",
            "line 3: unknown fact 'gold'",
        ),
        ("H\nend\ttemperature\t0\n", "line 2: a temperature"),
    ];
    for (text, expected) in cases {
        let error = Profile::parse(&text.replace('H', header)).unwrap_err();
        assert!(
            format!("{error:#}").contains(expected),
            "{text:?}: {error:#}"
        );
    }
}

/// Samples of labelled and unlabelled books, two of each work.
fn samples() -> Vec<GroupedExample> {
    let books = books().into_iter().enumerate();
    let sample = |(at, sketched): (usize, (String, u32, u32))| GroupedExample {
        example: match at % 3 {
            2 => Example::unlabelled(&drawn_book::scan(&sketched.0), &frequencies(), SCOPE),
            _ => example(&sketched),
        },
        labelled: at % 3 < 2,
        work: (at / 2) as u64,
    };
    books.map(sample).collect()
}

#[test]
fn every_labelled_book_is_judged_once_and_no_other() {
    let samples = samples();
    let crossed = cross_fit(&samples, &CrossFitPlan::default()).unwrap();
    for (sample, scored) in samples.iter().zip(&crossed.fold_of) {
        assert_eq!(sample.labelled, scored.is_some());
    }
    assert!(crossed.weights.temperatures().iter().all(|t| *t >= 1.0));
    let labelled = samples.iter().filter(|sample| sample.labelled).count();
    assert_eq!(crossed.within, [labelled; 2]);
}

#[test]
fn a_label_changes_no_judgement_of_its_own_work() {
    let plan = CrossFitPlan::default();
    let samples = samples();
    let judge = |samples: &[GroupedExample]| -> Vec<Option<(Cuts, f32)>> {
        let crossed = cross_fit(samples, &plan).unwrap();
        let judged = samples.iter().zip(&crossed.fold_of);
        let judged =
            judged.map(|(sample, fold)| Some(sample.example.best(&crossed.fold_weights[(*fold)?])));
        judged.collect()
    };
    let scored = judge(&samples);
    let mut lied = self::samples();
    // Wrong labels for both books of a work.
    for book in [0, 1] {
        assert_eq!(lied[book].work, lied[0].work);
        lied[book].example.label_positions = [Some(0), Some(0)];
    }
    let after = judge(&lied);
    assert_eq!(scored[..2], after[..2]);
    assert_ne!(
        scored, after,
        "the lie is learned by weights of other folds"
    );
}

#[test]
fn labels_of_one_work_are_not_enough() {
    let mut samples = samples();
    for sample in &mut samples {
        sample.work = 3;
    }
    let error = cross_fit(&samples, &CrossFitPlan::default()).unwrap_err();
    assert!(error.to_string().contains("one fold"), "{error}");
}

#[test]
fn the_same_labels_give_the_same_weights_on_any_number_of_threads() {
    let crossed = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            cross_fit(&samples(), &CrossFitPlan::default())
                .unwrap()
                .weights
                .to_tsv()
        })
    };
    assert_eq!(crossed(1), crossed(3));
}
