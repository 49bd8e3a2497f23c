//! Pk (Beeferman, Berger & Lafferty 1999) and WindowDiff (Pevzner & Hearst 2002): for comparison with other work only.
//!
//! Both slide a window along the text and count where two segmentations differ inside it. With two boundaries in some
//! eight thousand lines the usual window is a thousand lines wide and swallows nearly every error: read the errors in
//! lines, or [`super::BoundaryEdits`]. The variant is that of the Python package NLTK: of `n` places there are
//! `n - k + 1` windows of `k` places (segeval and the papers leave out the last).

use serde::Serialize;

/// Shares of windows in which two segmentations differ, 0 (never) to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WindowMetrics {
    /// Places in a window.
    pub window: u64,
    /// Share of windows in which only one segmentation has a boundary.
    pub pk: f64,
    /// Share of windows in which the numbers of boundaries differ.
    pub window_diff: f64,
}

/// The usual window: half of the mean length of the segments of the reference; at least 1.
pub fn usual_window(places: u64, boundaries: usize) -> u64 {
    match boundaries {
        0 => places.max(1),
        // Python rounds halves to even numbers, and so does this.
        many => (places as f64 / (2.0 * many as f64))
            .round_ties_even()
            .max(1.0) as u64,
    }
}

impl WindowMetrics {
    /// Compares two segmentations of `places` places, given as ascending places of boundaries from 0. `None` if no window
    /// fits.
    pub fn between(a: &[u64], b: &[u64], places: u64, window: u64) -> Option<WindowMetrics> {
        let count = (places + 1).checked_sub(window)?;
        if count == 0 || window == 0 {
            return None;
        }
        // The contents of a window change only where a boundary enters or leaves it.
        let edges = |place: &u64| [(place + 1).saturating_sub(window), place + 1];
        let mut starts: Vec<u64> = a.iter().chain(b).flat_map(edges).collect();
        starts.push(0);
        starts.retain(|&start| start < count);
        starts.sort_unstable();
        starts.dedup();
        let ends = starts.iter().skip(1).copied().chain([count]);
        let (mut one_sided, mut unequal) = (0, 0);
        for (&start, end) in starts.iter().zip(ends) {
            let held = |places: &[u64]| {
                let below = |limit| places.partition_point(|&place| place < limit);
                below(start + window) - below(start)
            };
            let (in_a, in_b) = (held(a), held(b));
            one_sided += (end - start) * u64::from((in_a > 0) != (in_b > 0));
            unequal += (end - start) * u64::from(in_a != in_b);
        }
        let share = |windows: u64| windows as f64 / count as f64;
        Some(WindowMetrics {
            window,
            pk: share(one_sided),
            window_diff: share(unequal),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn places(text: &str) -> Vec<u64> {
        let ones = (0..).zip(text.chars()).filter(|(_, c)| *c == '1');
        ones.map(|(place, _)| place).collect()
    }

    fn between(a: &str, b: &str, window: u64) -> WindowMetrics {
        WindowMetrics::between(&places(a), &places(b), a.len() as u64, window).unwrap()
    }

    /// The examples in the documentation of `nltk.metrics.segmentation`.
    #[test]
    fn the_examples_of_nltk_come_out() {
        let [one, two, three] = ["000100000010", "000010000100", "100000010000"];
        let rounded = |share: f64| format!("{share:.2}");
        let cases = [(one, one, "0.00"), (one, two, "0.30"), (two, three, "0.80")];
        for (a, b, expected) in cases {
            assert_eq!(rounded(between(a, b, 3).window_diff), expected, "{a} {b}");
        }
        let long = "0100".repeat(100);
        let cases = [
            (long.as_str(), "1".repeat(400), "0.50"),
            (&long, "0".repeat(400), "0.50"),
            (&long, long.clone(), "0.00"),
        ];
        for (a, b, expected) in cases {
            assert_eq!(rounded(between(a, &b, 2).pk), expected);
        }
    }

    #[test]
    fn windows_that_do_not_fit_say_nothing() {
        assert_eq!(WindowMetrics::between(&[], &[], 5, 6), None);
        assert_eq!(WindowMetrics::between(&[], &[], 5, 0), None);
        let whole = WindowMetrics::between(&[2], &[], 5, 5).unwrap();
        assert_eq!((whole.pk, whole.window_diff), (1.0, 1.0));
    }

    #[test]
    fn the_usual_window_is_half_a_segment() {
        assert_eq!(usual_window(12, 2), 3);
        assert_eq!(usual_window(8500, 2), 2125);
        assert_eq!(usual_window(10, 2), 2);
        assert_eq!(usual_window(1, 3), 1);
        assert_eq!(usual_window(7, 0), 7);
    }

    proptest! {
        #[test]
        fn sliding_from_place_to_place_counts_the_same(
            a in proptest::collection::btree_set(0u64..40, 0..6),
            b in proptest::collection::btree_set(0u64..40, 0..6),
            window in 1u64..40,
        ) {
            let (a, b): (Vec<u64>, Vec<u64>) = (a.into_iter().collect(), b.into_iter().collect());
            let held = |places: &[u64], start: u64| {
                places.iter().filter(|&&place| (start..start + window).contains(&place)).count()
            };
            let starts = 0..=40 - window;
            let all = starts.clone().count() as f64;
            let pk = starts.clone().filter(|&s| (held(&a, s) > 0) != (held(&b, s) > 0)).count() as f64 / all;
            let diff = starts.filter(|&s| held(&a, s) != held(&b, s)).count() as f64 / all;
            let found = WindowMetrics::between(&a, &b, 40, window).unwrap();
            prop_assert_eq!((found.pk, found.window_diff), (pk, diff));
        }
    }
}
