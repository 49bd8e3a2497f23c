//! Lines falsely assessed as frequent because they share a counter (Kaser & Lemire, section 3.3.4 and Figure 6).

use anyhow::Result;

use super::count;
use endpaper_detect::frequency::{BookLines, Counts, Structure};

/// Thresholds of the figure: a line is frequent if it occurs more often than this.
pub const THRESHOLDS: [u64; 6] = [2, 5, 10, 20, 50, 100];

/// The paper's estimate of the probability that a line is frequent, for K about 100.
pub const SKEW: f64 = 0.001;

/// Returns the probability that a line shares its counter, `1 - e^-((n-1)/c)` for `n` distinct lines.
///
/// This bounds the expected proportion of lines falsely assessed as frequent.
///
/// ```
/// use lab::experiments::bound;
/// assert_eq!(format!("{:.4}", bound(3_400_000, 1 << 23)), "0.3332");
/// ```
pub fn bound(distinct: u64, counters: u64) -> f64 {
    // exp_m1: with many counters the subtraction would lose all precision.
    -(-load(distinct, counters)).exp_m1()
}

/// Returns the bound for skewed distributions, `p (n-1) / c`, where a line is frequent with probability `p`.
pub fn skewed_bound(distinct: u64, counters: u64, p: f64) -> f64 {
    p * load(distinct, counters)
}

fn load(distinct: u64, counters: u64) -> f64 {
    distinct.saturating_sub(1) as f64 / counters.max(1) as f64
}

/// Effect of hashing a corpus to 2^bits counters.
#[derive(Clone, Debug, PartialEq)]
pub struct Collisions {
    /// Binary logarithm of the number of counters.
    pub bits: u32,
    /// The [`bound`] for the lines of the corpus.
    pub bound: f64,
    /// The [`skewed_bound`] for the lines of the corpus, with [`SKEW`].
    pub skewed: f64,
    /// Per threshold of [`THRESHOLDS`]: lines falsely assessed as frequent, as a proportion of all lines processed.
    pub found: [f64; THRESHOLDS.len()],
}

/// Counts lines with 2^bits shared counters and compares the result with the exact counts of the same lines.
///
/// # Errors
///
/// Returns an error if [`Structure::Hashed`] does not support this number of bits.
pub fn collisions(exact: &Counts, batches: &[BookLines], bits: u32) -> Result<Collisions> {
    let structure: Structure = format!("hashed:bits={bits}").parse()?;
    let hashed = count(structure, batches)?;
    let lines: u64 = exact.iter().map(|(_, count)| count).sum();
    let (distinct, counters) = (exact.len() as u64, 1 << bits);
    Ok(Collisions {
        bits,
        bound: bound(distinct, counters),
        skewed: skewed_bound(distinct, counters, SKEW),
        found: THRESHOLDS.map(|threshold| {
            falsely_frequent(exact, &hashed, threshold) as f64 / lines.max(1) as f64
        }),
    })
}

/// Returns the number of occurrences of infrequent lines that hashing reports as frequent.
fn falsely_frequent(exact: &Counts, hashed: &Counts, threshold: u64) -> u64 {
    let rare = exact.iter().filter(|&(_, count)| count <= threshold);
    let wrong = rare.filter(|&(key, _)| hashed.frequency(key) > threshold);
    wrong.map(|(_, count)| count).sum()
}

#[cfg(test)]
mod tests {
    use super::super::mix;
    use super::*;
    use endpaper_text::line::Key;
    use endpaper_text::scan::Window;

    #[test]
    fn bounds_are_those_of_the_paper() {
        let distinct = 3_400_000;
        let table = [
            (20, 0.9609),
            (22, 0.5554),
            (23, 0.3332),
            (24, 0.1834),
            (26, 0.0494),
        ];
        for (bits, expected) in table {
            let found = bound(distinct, 1 << bits);
            assert!((found - expected).abs() < 5e-5, "2^{bits}: {found}");
        }
        let skewed = skewed_bound(distinct, 1 << 23, SKEW);
        assert!((skewed - 4.05e-4).abs() < 5e-7, "{skewed}");
        assert_eq!((bound(0, 8), bound(1, 8)), (0.0, 0.0));
    }

    #[test]
    fn lines_that_share_no_counter_are_not_taken_for_frequent_and_most_that_do_are_below_the_bound()
    {
        // 60,000 lines that occur once or twice, and a few frequent ones.
        let mut batch = BookLines::default();
        for line in 0..60_000u64 {
            let times = match line % 1000 {
                0 => 200,
                odd => 1 + odd % 2,
            };
            for _ in 0..times {
                batch.push(Key(mix(line)), Window::Head, None);
            }
        }
        let batches = [batch];
        let exact = count(Structure::Crc64, &batches).unwrap();
        assert_eq!(exact.len(), 60_000);
        let mut before = 1.0;
        for bits in [16, 18, 20, 24] {
            let found = collisions(&exact, &batches, bits).unwrap();
            for share in found.found {
                assert!(share < found.bound, "{found:?}");
            }
            // Rare lines alone never reach the threshold of 100, only together with a frequent line: about 60 in 2^bits counters.
            let beside = 60.0 / f64::from(1u32 << bits);
            assert!(found.found[5] < 3.0 * beside + 1e-4, "{found:?}");
            assert!(found.found[0] <= before, "{found:?}");
            before = found.found[0];
        }
        assert!(before > 0.0 && before < 0.01, "{before}");
    }
}
