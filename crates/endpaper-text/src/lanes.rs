//! Examining many bytes at once, in a form that the compiler vectorises.

/// Bytes examined together: the vector width (128 bits) of every 64-bit machine.
pub(crate) const LANES: usize = 16;

/// Whether a test holds for any three consecutive bytes. The test should be branchless.
pub(crate) fn any_triple(bytes: &[u8], test: impl Fn(u8, u8, u8) -> bool + Copy) -> bool {
    let Some(last) = bytes.len().checked_sub(LANES + 2) else {
        let mut triples = bytes.windows(3);
        return triples.any(|triple| test(triple[0], triple[1], triple[2]));
    };
    let mut found = false;
    let mut at = 0;
    // The last vector overlaps the one before it, so that no bytes are left over.
    while at < last {
        found |= any_in_vector(&bytes[at..at + LANES + 2], test);
        at += LANES;
    }
    found | any_in_vector(&bytes[last..], test)
}

/// Whether `test` holds for any three successive bytes of `LANES + 2`.
fn any_in_vector(bytes: &[u8], test: impl Fn(u8, u8, u8) -> bool) -> bool {
    let mut found = [false; LANES];
    if let (Some(first), Some(second), Some(third)) = (
        bytes.first_chunk::<LANES>(),
        bytes[1..].first_chunk::<LANES>(),
        bytes.last_chunk::<LANES>(),
    ) {
        for lane in 0..LANES {
            found[lane] = test(first[lane], second[lane], third[lane]);
        }
    }
    found.iter().fold(false, |any, found| any | found)
}

/// Number of bytes that a test holds for. The test should be branchless.
pub(crate) fn count(bytes: &[u8], test: impl Fn(u8) -> bool) -> usize {
    // The sum of a block fits a byte, so that the loop vectorises.
    let blocks = bytes.chunks(255);
    let counts = blocks.map(|block| {
        let each = block.iter().map(|byte| u8::from(test(*byte)));
        each.sum::<u8>()
    });
    counts.map(usize::from).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counted_in_texts_of_every_length() {
        let bytes: Vec<u8> = (0..2000_u32).map(|n| (n * n % 7) as u8).collect();
        for end in 0..bytes.len() {
            let slowly = bytes[..end].iter().filter(|byte| **byte == 2).count();
            assert_eq!(count(&bytes[..end], |byte| byte == 2), slowly);
            // More hits than fit into a byte.
            assert_eq!(count(&bytes[..end], |_| true), end);
        }
    }
}
