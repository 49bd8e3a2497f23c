//! Boundary similarity (Fournier 2013, *Evaluating Text Segmentation using Boundary Edit Distance*), as the Python package
//! segeval computes it for one kind of boundary.
//!
//! Two segmentations of one text are brought in line by the cheapest edits: a boundary that only one of them has costs
//! 1; a near miss, a boundary of one that is `d` places from one of the other, costs `d / span`; equal boundaries
//! cost nothing. The similarity is 1 - cost / (edits + matches). Unlike Pk and WindowDiff it has no window that swallows
//! the two boundaries a book has.

use std::collections::HashSet;

use serde::Serialize;

/// The edits between two segmentations and their cost. Several books are added up before the similarity is taken, so that a
/// book without boundaries has no influence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct BoundaryEdits {
    /// Boundaries at the same place.
    pub matches: u64,
    /// Near misses.
    pub near: u64,
    /// Boundaries only one side has.
    pub missed: u64,
    /// Cost of the near misses.
    pub near_cost: f64,
}

impl BoundaryEdits {
    /// The edits between two segmentations, given as ascending places of their boundaries. Boundaries less than `span`
    /// places apart (segeval's `n_t`) can be near misses of each other, the nearest first.
    pub fn between(a: &[u64], b: &[u64], span: u64) -> BoundaryEdits {
        let only = |these: &[u64], others: &[u64]| -> Vec<u64> {
            let alone = these
                .iter()
                .filter(|place| others.binary_search(place).is_err());
            alone.copied().collect()
        };
        let (only_a, only_b) = (only(a, b), only(b, a));
        let mut edits = BoundaryEdits {
            matches: (a.len() - only_a.len()) as u64,
            missed: (only_a.len() + only_b.len()) as u64,
            ..BoundaryEdits::default()
        };
        let mut taken = HashSet::new();
        for (distance, first, second) in near_pairs(&only_a, &only_b, span) {
            if !taken.contains(&first) && !taken.contains(&second) {
                taken.extend([first, second]);
                edits.missed -= 2;
                edits.near += 1;
                edits.near_cost += distance as f64 / span as f64;
            }
        }
        edits
    }

    /// Both together.
    pub fn add(&mut self, other: BoundaryEdits) {
        self.matches += other.matches;
        self.near += other.near;
        self.missed += other.missed;
        self.near_cost += other.near_cost;
    }

    /// 1 where all boundaries are at the same places, 0 where none is near another; `None` where there are none.
    pub fn similarity(&self) -> Option<f64> {
        let all = self.matches + self.near + self.missed;
        let cost = self.missed as f64 + self.near_cost;
        (all > 0).then(|| 1.0 - cost / all as f64)
    }
}

/// Pairs of boundaries that could be near misses of each other: distance, first and second place; the nearest first, then
/// in the order of the text. No place is in both lists.
fn near_pairs(a: &[u64], b: &[u64], span: u64) -> Vec<(u64, u64, u64)> {
    let mut pairs = Vec::new();
    for &place in a {
        let first = b.partition_point(|&other| other.saturating_add(span) <= place);
        let near = b[first..]
            .iter()
            .map(|&other| (place.abs_diff(other), other));
        let near = near.take_while(|(distance, other)| *other < place || *distance < span);
        pairs.extend(near.map(|(distance, other)| (distance, place.min(other), place.max(other))));
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn similarity(a: &[u64], b: &[u64], span: u64) -> Option<f64> {
        BoundaryEdits::between(a, b, span).similarity()
    }

    /// Places of the boundaries between segments of these lengths.
    fn places(masses: &[u64]) -> Vec<u64> {
        let sums = masses.iter().scan(0, |sum, mass| {
            *sum += mass;
            Some(*sum)
        });
        let mut places: Vec<u64> = sums.collect();
        places.pop();
        places
    }

    /// The unit tests of segeval 2.0.11, `similarity/boundary_test.py`: `test_fn`, `test_fp`, `test_near_miss`,
    /// `test_clustered_fps`, `test_int_as_param`.
    #[test]
    fn the_tests_of_segeval_hold() {
        let cases: &[(&[u64], &[u64], f64)] = &[
            (&[2, 3, 6], &[5, 6], 0.5),
            (&[2, 3, 6], &[2, 3, 3, 3], 2.0 / 3.0),
            (&[2, 3, 6], &[2, 2, 7], 0.75),
            (&[2, 3, 6], &[1, 1, 3, 1, 5], 0.5),
            (&[11], &[5, 6], 0.0),
        ];
        for (a, b, expected) in cases {
            let found = similarity(&places(a), &places(b), 2).unwrap();
            assert!((found - expected).abs() < 1e-12, "{a:?} {b:?}: {found}");
        }
    }

    /// segeval's `test_b_datasets`: two hypotheses about Hearst's Stargazer text (Hearst 1997) and its first two coders.
    #[test]
    fn the_stargazer_text_is_as_similar_as_segeval_says() {
        let coders: [&[u64]; 2] = [&[2, 3, 3, 1, 3, 6, 3], &[2, 8, 2, 4, 2, 3]];
        let hypotheses: [&[u64]; 2] = [&[2, 6, 4, 2, 4, 3], &[2, 1, 1, 1, 5, 8, 2, 1]];
        let expected = [[0.57142857, 0.42857142], [0.38888888, 0.33333333]];
        for (hypothesis, row) in hypotheses.iter().zip(expected) {
            for (coder, value) in coders.iter().zip(row) {
                let found = similarity(&places(hypothesis), &places(coder), 2).unwrap();
                assert!((found - value).abs() < 1e-7, "{found}, not {value}");
            }
        }
    }

    /// Places of both, span, numerator, denominator.
    type Case = (&'static [u64], &'static [u64], u64, f64, u64);

    /// What segeval 2.0.11 gives (`return_parts=True`) where near misses reach farther. The first rows are books with a cut at each end.
    #[test]
    fn near_misses_of_any_span_cost_what_segeval_says() {
        let cases: &[Case] = &[
            (&[20, 80], &[23, 80], 11, 19.0 / 11.0, 2),
            (&[20, 80], &[23, 80], 4, 1.25, 2),
            (&[20, 80], &[23, 80], 3, 1.0, 3),
            (&[20, 80], &[30, 75], 11, 7.0 / 11.0, 2),
            (&[20], &[20, 80], 11, 1.0, 2),
            (&[1, 3, 5, 7], &[2, 3, 6, 7], 3, 10.0 / 3.0, 4),
            (&[3, 7, 12], &[4, 7, 13], 6, 8.0 / 3.0, 3),
            (&[2, 4, 6, 8], &[3, 5, 7, 9], 3, 8.0 / 3.0, 4),
            (
                &[2, 16, 17, 23, 30, 34],
                &[4, 8, 11, 16, 24, 25, 31],
                2,
                2.0,
                10,
            ),
            (&[11, 14, 19], &[12, 13, 14, 35], 3, 5.0 / 3.0, 5),
            (&[2, 11, 20, 24, 27], &[5, 17, 22], 5, 1.0, 6),
            (&[1, 5, 20, 22, 23, 38], &[4, 12, 21, 31], 5, 1.6, 8),
            (&[1, 3, 12, 29, 38], &[8, 13, 16, 23, 30, 33], 5, 1.6, 9),
            (&[6, 18, 20, 35], &[6, 10, 12, 20, 21, 31, 38], 3, 2.0, 9),
            (&[3, 4, 6, 16, 23, 26, 35], &[4, 10, 27, 30], 2, 1.5, 9),
            (&[9, 14, 22, 27, 37], &[11, 28], 5, 1.4, 5),
            (&[4, 19, 27], &[11, 30, 34], 8, 0.75, 4),
        ];
        for (a, b, span, numerator, denominator) in cases {
            let edits = BoundaryEdits::between(a, b, *span);
            let all = edits.matches + edits.near + edits.missed;
            let left = all as f64 - edits.missed as f64 - edits.near_cost;
            assert_eq!(all, *denominator, "{a:?} {b:?} {span}");
            assert!(
                (left - numerator).abs() < 1e-12,
                "{a:?} {b:?} {span}: {left}"
            );
        }
    }

    #[test]
    fn books_without_boundaries_say_nothing_and_others_add_up() {
        assert_eq!(similarity(&[], &[], 11), None);
        let mut all = BoundaryEdits::default();
        for (a, b) in [
            (&[][..], &[][..]),
            (&[5], &[5]),
            (&[5], &[]),
            (&[5], &[u64::MAX]),
        ] {
            all.add(BoundaryEdits::between(a, b, 11));
        }
        assert_eq!((all.matches, all.near, all.missed), (1, 0, 3));
    }

    proptest! {
        #[test]
        fn similarity_is_symmetric_and_nothing_gets_lost(
            a in proptest::collection::btree_set(0u64..60, 0..8),
            b in proptest::collection::btree_set(0u64..60, 0..8),
            span in 1u64..12,
        ) {
            let (a, b): (Vec<u64>, Vec<u64>) = (a.into_iter().collect(), b.into_iter().collect());
            let (there, back) = (BoundaryEdits::between(&a, &b, span), BoundaryEdits::between(&b, &a, span));
            prop_assert_eq!(there.matches, back.matches);
            prop_assert!((there.near_cost - back.near_cost).abs() < 1e-9);
            prop_assert_eq!(2 * (there.matches + there.near) + there.missed, (a.len() + b.len()) as u64);
            if let Some(similarity) = there.similarity() {
                prop_assert!((0.0..=1.0).contains(&similarity));
                prop_assert_eq!(similarity == 1.0, a == b);
            }
        }
    }
}
