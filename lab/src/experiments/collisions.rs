//! Lines falsely assessed as frequent because they share a counter (Kaser & Lemire, section 3.3.4 and Figure 6).

use anyhow::Result;

use super::count;
use endpaper_detect::frequency::{BookLines, Counts, Structure};

/// Thresholds of the figure: a line is frequent if it occurs more than so often.
pub const THRESHOLDS: [u64; 6] = [2, 5, 10, 20, 50, 100];

/// The paper's estimate of how likely a line is to be frequent, for K about 100.
pub const SKEW: f64 = 0.001;

/// The probability that a line shares its counter: `1 - e^-((n-1)/c)` for `n` distinct lines. No proportion of lines
/// falsely assessed as frequent is expected above it.
///
/// ```
/// use lab::experiments::bound;
/// assert_eq!(format!("{:.4}", bound(3_400_000, 1 << 23)), "0.3332");
/// ```
pub fn bound(distinct: u64, counters: u64) -> f64 {
    // exp_m1: with many counters the difference would be lost in rounding.
    -(-load(distinct, counters)).exp_m1()
}

/// The bound for skewed distributions, `p (n-1) / c`, where a line is frequent with probability `p`.
pub fn skewed_bound(distinct: u64, counters: u64, p: f64) -> f64 {
    p * load(distinct, counters)
}

fn load(distinct: u64, counters: u64) -> f64 {
    distinct.saturating_sub(1) as f64 / counters.max(1) as f64
}

/// What hashing to 2^bits counters does to a corpus.
#[derive(Clone, Debug, PartialEq)]
pub struct Collisions {
    /// The number of counters is two to this power.
    pub bits: u32,
    /// [`bound`] for the lines of the corpus.
    pub bound: f64,
    /// [`skewed_bound`] for the lines of the corpus, with [`SKEW`].
    pub skewed: f64,
    /// For each of [`THRESHOLDS`]: lines falsely assessed as frequent, as a proportion of all lines processed.
    pub found: [f64; THRESHOLDS.len()],
}

/// Counts lines with 2^bits shared counters and holds the result against the exact counts of the same lines.
///
/// # Errors
///
/// A number of bits that [`Structure::Hashed`] does not take.
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

/// Occurrences of infrequent lines that hashing takes for frequent.
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
        // 60,000 lines, each once or twice, and a few that are frequent.
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
            // The threshold 100 is met by no sum of rare lines, only beside a frequent one: about 60 in 2^bits counters.
            let beside = 60.0 / f64::from(1u32 << bits);
            assert!(found.found[5] < 3.0 * beside + 1e-4, "{found:?}");
            assert!(found.found[0] <= before, "{found:?}");
            before = found.found[0];
        }
        assert!(before > 0.0 && before < 0.01, "{before}");
    }
}
