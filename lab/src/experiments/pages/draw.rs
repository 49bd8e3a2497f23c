//! Drawing items at random.

use crate::experiments::SampleRandom;

/// Returns an index below `limit`, approximately by Zipf's law with 0 the most frequent. Uses integers only, so that results are the same on every
/// machine.
pub(super) fn zipf(limit: usize, random: &mut SampleRandom) -> usize {
    let scales = (usize::BITS - limit.leading_zeros()) as usize;
    loop {
        let scale = 1 << random.below(scales);
        let at = scale - 1 + random.below(scale);
        if at < limit {
            return at;
        }
    }
}

/// Returns an item by Zipf's law, the first most often.
pub(super) fn often<'a, T>(of: &'a [T], random: &mut SampleRandom) -> &'a T {
    &of[zipf(of.len(), random)]
}

/// Returns an item, all equally likely.
pub(super) fn any<'a, T>(of: &'a [T], random: &mut SampleRandom) -> &'a T {
    &of[random.below(of.len())]
}
