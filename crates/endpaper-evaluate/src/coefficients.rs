//! Agreement beyond chance: Cohen's kappa for two, Krippendorff's alpha for any number and with gaps.
//!
//! Both compare how often people agree with how often they would if each gave their usual labels blindly. Where nearly
//! everything has one label, such as the lines of books of which nearly all are body, they say little: see
//! [`INFLATION_NOTE`].

use std::collections::BTreeMap;

/// Why these figures are to be read with care here. It is beside them wherever they are printed.
pub const INFLATION_NOTE: &str = "kappa and alpha over lines are inflated: nearly every line is body for every curator, so that \
cuts many lines apart still agree on nearly all lines; read the agreement on cuts instead";

/// Cohen's kappa (Cohen 1960) of a square table: `table[a][b]` cases got label `a` from one and `b` from the other.
/// `None` where there are no cases, or where both gave one and the same label to all, so that chance explains everything.
///
/// ```
/// use endpaper_evaluate::kappa;
/// assert_eq!(kappa(&[[20, 5], [10, 15]]), Some(0.4));
/// ```
pub fn kappa<const N: usize>(table: &[[u64; N]; N]) -> Option<f64> {
    let row = |label: usize| table[label].iter().sum::<u64>() as f64;
    let column = |label: usize| table.iter().map(|row| row[label]).sum::<u64>() as f64;
    let all: f64 = (0..N).map(row).sum();
    let agreed: f64 = (0..N).map(|label| table[label][label] as f64).sum();
    // Both times the number of cases, squared for chance: whole numbers keep simple results simple.
    let chance: f64 = (0..N).map(|label| row(label) * column(label)).sum();
    let possible = all * all - chance;
    (possible > 0.0).then(|| (agreed * all - chance) / possible)
}

/// How different two labels are, for Krippendorff's alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelDifference {
    /// Equal or not.
    Nominal,
    /// The square of the difference of the labels as numbers.
    Interval,
}

impl LabelDifference {
    /// How much two labels differ; 0 if they are equal.
    fn of(self, a: u32, b: u32) -> f64 {
        match self {
            LabelDifference::Nominal => f64::from(u8::from(a != b)),
            LabelDifference::Interval => (f64::from(a) - f64::from(b)).powi(2),
        }
    }
}

/// Krippendorff's alpha (Krippendorff 2011, *Computing Krippendorff's Alpha-Reliability*), added up unit by unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KrippendorffAlpha {
    /// How often each pair of labels was given to one unit, each unit weighing as many as its labels.
    coincidences: BTreeMap<(u32, u32), f64>,
}

impl KrippendorffAlpha {
    /// Takes `times` units with these labels, one of each person who labelled them. A unit with one label says nothing.
    pub fn add(&mut self, labels: &[u32], times: u64) {
        if labels.len() < 2 || times == 0 {
            return;
        }
        let weight = times as f64 / (labels.len() - 1) as f64;
        for (one, a) in labels.iter().enumerate() {
            for (other, b) in labels.iter().enumerate() {
                if one != other {
                    *self.coincidences.entry((*a, *b)).or_default() += weight;
                }
            }
        }
    }

    /// 1 where all agree, 0 where they agree as by chance. `None` where no unit has two labels, or all have the same one.
    pub fn value(&self, difference: LabelDifference) -> Option<f64> {
        let mut totals: BTreeMap<u32, f64> = BTreeMap::new();
        for ((label, _), count) in &self.coincidences {
            *totals.entry(*label).or_default() += count;
        }
        let all: f64 = totals.values().sum();
        let observed = self.coincidences.iter();
        let observed: f64 = observed
            .map(|((a, b), count)| count * difference.of(*a, *b))
            .sum();
        let pairs = totals
            .iter()
            .flat_map(|a| totals.iter().map(move |b| (a, b)));
        let expected: f64 = pairs
            .map(|((a, of_a), (b, of_b))| of_a * of_b * difference.of(*a, *b))
            .sum();
        (expected > 0.0).then(|| 1.0 - (all - 1.0) * observed / expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rounded(value: Option<f64>) -> Option<String> {
        value.map(|value| format!("{value:.6}"))
    }

    /// Artstein & Poesio (2008), *Inter-Coder Agreement for Computational Linguistics*, section 2.4: 100 utterances, two
    /// coders, agreement 0.88. `AnnotationTask` of nltk 3.10.4 gives kappa 0.801325 and alpha 0.800535.
    #[test]
    fn the_example_of_artstein_and_poesio_comes_out() {
        let table = [[46, 6, 0], [0, 32, 0], [0, 6, 10]];
        assert_eq!(rounded(kappa(&table)).as_deref(), Some("0.801325"));
        let mut alpha = KrippendorffAlpha::default();
        for (a, row) in (0..).zip(table) {
            for (b, times) in (0..).zip(row) {
                alpha.add(&[a, b], times);
            }
        }
        let alpha = alpha.value(LabelDifference::Nominal);
        assert_eq!(rounded(alpha).as_deref(), Some("0.800535"));
    }

    /// Two readers of 50 grant proposals (the example of the article on Cohen's kappa in Wikipedia), and its two tables
    /// of equal agreement and different chance.
    #[test]
    fn kappa_of_small_tables_is_known() {
        let cases = [
            ([[20, 5], [10, 15]], "0.400000"),
            ([[45, 15], [25, 15]], "0.130435"),
            ([[25, 35], [5, 35]], "0.259259"),
        ];
        for (table, expected) in cases {
            assert_eq!(rounded(kappa(&table)).as_deref(), Some(expected));
        }
        assert_eq!(kappa(&[[7, 0], [0, 0]]), None);
        assert_eq!(kappa(&[[0; 3]; 3]), None);
    }

    /// One column of a reliability matrix is a unit; 0 is a gap.
    fn alpha_of(matrix: &[&[u32]]) -> [Option<String>; 2] {
        let mut alpha = KrippendorffAlpha::default();
        for unit in 0..matrix[0].len() {
            let labels = matrix.iter().map(|person| person[unit]);
            let labels: Vec<u32> = labels.filter(|label| *label > 0).collect();
            alpha.add(&labels, 1);
        }
        [LabelDifference::Nominal, LabelDifference::Interval].map(|kind| rounded(alpha.value(kind)))
    }

    /// The examples in the documentation of `alpha` of the Python package krippendorff 0.9.0: the one of the article in
    /// Wikipedia, and that of Krippendorff (2011), section D (nominal 0.743, interval 0.849).
    #[test]
    fn the_examples_of_krippendorff_come_out() {
        let three: [&[u32]; 3] = [
            &[0, 0, 0, 0, 0, 3, 4, 1, 2, 1, 1, 3, 3, 0, 3],
            &[1, 0, 2, 1, 3, 3, 4, 3, 0, 0, 0, 0, 0, 0, 0],
            &[0, 0, 2, 1, 3, 4, 4, 0, 2, 1, 1, 3, 3, 0, 4],
        ];
        let expected = ["0.691358", "0.810845"].map(|value| Some(value.to_owned()));
        assert_eq!(alpha_of(&three), expected);
        let four: [&[u32]; 4] = [
            &[1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
            &[1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
            &[0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
            &[1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
        ];
        let expected = ["0.743421", "0.849107"].map(|value| Some(value.to_owned()));
        assert_eq!(alpha_of(&four), expected);
    }

    #[test]
    fn alpha_says_nothing_where_nothing_could_differ() {
        let mut alpha = KrippendorffAlpha::default();
        alpha.add(&[1], 5);
        assert_eq!(alpha.value(LabelDifference::Nominal), None);
        alpha.add(&[1, 1, 1], 5);
        assert_eq!(alpha.value(LabelDifference::Nominal), None);
    }

    proptest! {
        #[test]
        fn full_agreement_is_one_and_many_units_are_the_same_unit_many_times(
            units in proptest::collection::vec((0u32..4, 0u32..4, 1u64..20), 1..12),
        ) {
            let (mut at_once, mut one_by_one, mut equal) = (KrippendorffAlpha::default(), KrippendorffAlpha::default(), KrippendorffAlpha::default());
            for (a, b, times) in units {
                at_once.add(&[a, b], times);
                for _ in 0..times {
                    one_by_one.add(&[a, b], 1);
                }
                equal.add(&[a, a], times);
            }
            let kind = LabelDifference::Nominal;
            prop_assert_eq!(rounded(at_once.value(kind)), rounded(one_by_one.value(kind)));
            prop_assert!(equal.value(kind).is_none_or(|value| value == 1.0));
        }
    }
}
