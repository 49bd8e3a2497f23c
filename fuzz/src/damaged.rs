//! Damaging a valid file: the fuzzer's bytes are a list of changes to it.

/// Applies changes of six bytes each: what to do, where (four bytes), and a byte.
pub fn damaged(valid: &[u8], changes: &[u8]) -> Vec<u8> {
    let mut bytes = valid.to_vec();
    for change in changes.chunks_exact(6).take(32) {
        let [what, a, b, c, d, value] = change.try_into().expect("six bytes");
        let at = u32::from_le_bytes([a, b, c, d]) as usize;
        if bytes.is_empty() {
            return bytes;
        }
        let at = at % bytes.len();
        match what % 6 {
            0 => bytes[at] = value,
            1 => bytes[at] ^= 1 << (value % 8),
            2 => bytes.truncate(at),
            3 => bytes.insert(at, value),
            4 => drop(bytes.drain(at..(at + usize::from(value)).min(bytes.len()))),
            // A number that is too large.
            _ => bytes[at..].iter_mut().take(8).for_each(|byte| *byte = 0xFF),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_change_what_they_say() {
        let valid = [1, 2, 3, 4];
        for (changes, expected) in [
            (&[0, 1, 0, 0, 0, 9][..], &[1, 9, 3, 4][..]),
            (&[1, 5, 0, 0, 0, 0], &[1, 3, 3, 4]),
            (&[2, 3, 0, 0, 0, 0], &[1, 2, 3]),
            (&[3, 0, 0, 0, 0, 7], &[7, 1, 2, 3, 4]),
            (&[4, 1, 0, 0, 0, 2], &[1, 4]),
            (&[5, 2, 0, 0, 0, 0], &[1, 2, 0xFF, 0xFF]),
            (&[0, 1], &[1, 2, 3, 4]),
        ] {
            assert_eq!(damaged(&valid, changes), expected, "{changes:?}");
        }
    }
}
