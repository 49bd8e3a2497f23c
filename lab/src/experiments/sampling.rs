//! Counting a sample of the books: what becomes of the frequent lines (Kaser & Lemire, section 3.3).
//!
//! The paper does not consider samples in detail: with a low threshold "too small a sample will lead to many new false
//! negatives", with a large one sampling might do. A line is taken for frequent if it occurs more than K s times in a share s of
//! the books.

use anyhow::Result;

use super::{SampleRandom, THRESHOLDS, count};
use endpaper_detect::frequency::{BookLines, Counts, Structure};

/// Lines wrongly assessed by the counts of a sample, as proportions of all lines processed, per threshold of [`THRESHOLDS`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleErrors {
    /// Frequent lines taken for infrequent.
    pub missed: [f64; THRESHOLDS.len()],
    /// Infrequent lines taken for frequent.
    pub invented: [f64; THRESHOLDS.len()],
}

/// The largest number of occurrences in a share of the books with which a line is infrequent.
///
/// ```
/// use lab::experiments::sample_threshold;
/// assert_eq!(sample_threshold(10, 0.5), 5);
/// assert_eq!(sample_threshold(10, 0.05), 0); // any occurrence
/// ```
pub fn sample_threshold(threshold: u64, share: f64) -> u64 {
    (threshold as f64 * share).floor() as u64
}

/// Counts the lines of a share of the books, at least one, drawn at random.
///
/// # Errors
///
/// Those of [`count`].
pub fn count_sample(books: &[BookLines], share: f64, seed: u64) -> Result<Counts> {
    let mut drawn: Vec<&BookLines> = books.iter().collect();
    SampleRandom::new(seed).shuffle(&mut drawn);
    let size = (books.len() as f64 * share).round() as usize;
    drawn.truncate(size.max(1));
    count(Structure::Crc64, &drawn)
}

/// Compares the counts of a sample with those of all books.
pub fn sample_errors(exact: &Counts, sampled: &Counts, share: f64) -> SampleErrors {
    errors(exact, |frequency, key, threshold| {
        let found = sampled.frequency(key) > sample_threshold(threshold, share);
        f64::from(u8::from(found != (frequency > threshold)))
    })
}

/// The errors to be expected if each occurrence were drawn independently with probability `share`. In a sample of whole
/// books the occurrences of a line in one book are drawn together.
pub fn expected_sample_errors(exact: &Counts, share: f64) -> SampleErrors {
    errors(exact, |frequency, _, threshold| {
        let at_most = binomial_cdf(frequency, share, sample_threshold(threshold, share));
        if frequency > threshold {
            at_most
        } else {
            1.0 - at_most
        }
    })
}

/// Sums up the probability that a line of a frequency is assessed wrongly.
fn errors(
    exact: &Counts,
    wrong: impl Fn(u64, endpaper_text::line::Key, u64) -> f64,
) -> SampleErrors {
    let mut sums = SampleErrors {
        missed: [0.0; THRESHOLDS.len()],
        invented: [0.0; THRESHOLDS.len()],
    };
    let mut lines = 0;
    for (key, frequency) in exact.iter() {
        lines += frequency;
        for (at, threshold) in THRESHOLDS.into_iter().enumerate() {
            let sum = if frequency > threshold {
                &mut sums.missed[at]
            } else {
                &mut sums.invented[at]
            };
            *sum += frequency as f64 * wrong(frequency, key, threshold);
        }
    }
    let share = |sum: f64| sum / lines.max(1) as f64;
    SampleErrors {
        missed: sums.missed.map(share),
        invented: sums.invented.map(share),
    }
}

/// The probability of at most `most` hits among `trials`.
fn binomial_cdf(trials: u64, chance: f64, most: u64) -> f64 {
    if most >= trials {
        return 1.0;
    }
    if chance >= 1.0 {
        return 0.0;
    }
    // With very many trials the first term underflows to 0, as does the sum: `most` is far below the mean then.
    let mut term = (trials as f64 * (-chance).ln_1p()).exp();
    let mut sum = term;
    for hits in 0..most {
        term *= (trials - hits) as f64 / (hits + 1) as f64 * chance / (1.0 - chance);
        sum += term;
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::super::mix;
    use super::*;
    use endpaper_text::line::Key;
    use endpaper_text::scan::Window;

    #[test]
    fn binomial_probabilities_are_right() {
        let table = [
            ((3, 0.5, 1), 0.5),
            ((2, 0.1, 0), 0.81),
            ((5, 0.3, 5), 1.0),
            ((5, 1.0, 4), 0.0),
            ((100, 0.5, 49), 0.4602),
            ((1_000_000, 0.1, 10), 0.0),
        ];
        for ((trials, chance, most), expected) in table {
            let found = binomial_cdf(trials, chance, most);
            assert!((found - expected).abs() < 5e-5, "{trials}: {found}");
        }
    }

    /// 400 books; line n of 200 is in n of them, and each book has a line of its own.
    fn books() -> Vec<BookLines> {
        let mut random = SampleRandom::new(3);
        let mut holders: Vec<Vec<u64>> = vec![Vec::new(); 400];
        for line in 1..=200 {
            let mut order: Vec<usize> = (0..400).collect();
            random.shuffle(&mut order);
            order[..line as usize]
                .iter()
                .for_each(|&book| holders[book].push(line));
        }
        let batch = |(book, lines): (u64, Vec<u64>)| {
            let mut batch = BookLines::default();
            for line in lines.into_iter().chain([1_000 + book]) {
                batch.push(Key(mix(line)), Window::Head, None);
            }
            batch
        };
        (0..).zip(holders).map(batch).collect()
    }

    #[test]
    fn smaller_samples_miss_more_and_lower_thresholds_suffer_more_as_theory_has_it() {
        let books = books();
        let exact = count(Structure::Crc64, &books).unwrap();
        let mut before = [0.0; THRESHOLDS.len()];
        for share in [1.0, 0.5, 0.2, 0.1] {
            let mean = |pick: fn(&SampleErrors) -> [f64; THRESHOLDS.len()]| {
                let mut sums = [0.0; THRESHOLDS.len()];
                for seed in 0..20 {
                    let sampled = count_sample(&books, share, seed).unwrap();
                    let found = pick(&sample_errors(&exact, &sampled, share));
                    sums.iter_mut()
                        .zip(found)
                        .for_each(|(sum, found)| *sum += found / 20.0);
                }
                sums
            };
            let expected = expected_sample_errors(&exact, share);
            let pairs = [
                (mean(|errors| errors.missed), expected.missed),
                (mean(|errors| errors.invented), expected.invented),
            ];
            for (found, expected) in pairs {
                for (found, expected) in found.into_iter().zip(expected) {
                    // No line is twice in a book: only that books are drawn without replacement differs from the theory.
                    assert!(
                        (found - expected).abs() < 0.03,
                        "{share}: {found} {expected}"
                    );
                }
            }
            assert!(
                expected
                    .missed
                    .iter()
                    .zip(before)
                    .all(|(now, before)| *now >= before)
            );
            before = expected.missed;
        }
        assert!(before[2] > 0.0);
        assert_eq!(
            sample_errors(&exact, &count_sample(&books, 1.0, 1).unwrap(), 1.0),
            SampleErrors {
                missed: [0.0; 6],
                invented: [0.0; 6]
            }
        );
    }
}
