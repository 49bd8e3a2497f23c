//! Logarithms of whole numbers, most of which are small.

use std::sync::LazyLock;

/// Numbers below this have a cached logarithm.
const CACHED: usize = 1 << 12;

static LOGS: LazyLock<Vec<f32>> = LazyLock::new(|| {
    (0..CACHED)
        .map(|number| (number.max(1) as f32).ln())
        .collect()
});

/// The natural logarithm of a whole number; 0 for 0.
pub(super) fn ln(number: u64) -> f32 {
    let kept = usize::try_from(number).ok().and_then(|at| LOGS.get(at));
    kept.copied().unwrap_or_else(|| (number as f32).ln())
}

/// The natural logarithm of `number + 1`.
pub(super) fn ln_1p(number: usize) -> f32 {
    ln(number as u64 + 1)
}
