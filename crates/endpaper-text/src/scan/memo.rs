//! A cache of values computed from lines.
//!
//! Half of the lines at the ends of books occur in many books, word for word: they are normalised, hashed and searched
//! for marks once or twice, not once per book. A line is remembered when it is seen for the second time, so that lines of
//! single books do not displace those of many.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

/// Number of slots for remembered lines.
const LINES: usize = 1 << 12;
/// Number of slots for lines seen once; each holds 16 bits of the hash of the last such line.
const MARKS: usize = 1 << 14;
/// Longest line that is remembered, in bytes.
const MAX_LINE_BYTES: usize = 256;

/// Remembers a value for each line, which must depend only on the line's bytes.
///
/// A line that is not remembered is recognised by its hash alone: hashes and marks are small enough for the processor's
/// nearest cache.
#[derive(Debug)]
pub(super) struct LineMemo<T> {
    hasher: FixedState,
    /// Hash of the line in each slot; 0 if it is empty. The vectors are allocated on first use.
    hashes: Vec<u64>,
    lines: Vec<Option<(Box<[u8]>, T)>>,
    seen_once: Vec<u16>,
}

impl<T> Default for LineMemo<T> {
    fn default() -> LineMemo<T> {
        LineMemo {
            hasher: FixedState::default(),
            hashes: Vec::new(),
            lines: Vec::new(),
            seen_once: Vec::new(),
        }
    }
}

/// A line that is not remembered.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewLine {
    hash: u64,
    /// Whether it was seen before, so that its value should be remembered.
    pub is_repeated: bool,
}

impl<T: Copy> LineMemo<T> {
    /// The value of a line, if it is remembered.
    pub fn find(&mut self, line: &[u8]) -> Result<T, NewLine> {
        if line.len() > MAX_LINE_BYTES {
            return Err(NewLine {
                hash: 0,
                is_repeated: false,
            });
        }
        if self.hashes.is_empty() {
            self.hashes.resize(LINES, 0);
            self.lines.resize_with(LINES, || None);
            self.seen_once.resize(MARKS, 0);
        }
        let hash = self.hasher.hash_one(line);
        let slot = hash as usize % LINES;
        if self.hashes[slot] == hash
            && let Some((known, value)) = &self.lines[slot]
            && **known == *line
        {
            return Ok(*value);
        }
        // The mark uses other bits of the hash than the index of its slot.
        let mark = (hash >> 48) as u16;
        let seen = &mut self.seen_once[(hash >> 12) as usize % MARKS];
        let is_repeated = std::mem::replace(seen, mark) == mark;
        Err(NewLine { hash, is_repeated })
    }

    /// Remembers the value of a line that was not found.
    pub fn remember(&mut self, new: NewLine, line: &[u8], value: T) {
        let slot = new.hash as usize % LINES;
        self.hashes[slot] = new.hash;
        self.lines[slot] = Some((line.into(), value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a line, remembered or computed.
    fn value<T: Copy>(memo: &mut LineMemo<T>, line: &[u8], compute: impl FnOnce(&[u8]) -> T) -> T {
        memo.find(line).unwrap_or_else(|new| {
            let value = compute(line);
            if new.is_repeated {
                memo.remember(new, line, value);
            }
            value
        })
    }

    #[test]
    fn a_line_has_the_value_of_its_bytes_and_is_found_out_twice() {
        let mut memo = LineMemo::default();
        let mut found_out = 0;
        for round in 0..5 {
            for n in 0..100_u32 {
                let line = format!("line {n}");
                let found = value(&mut memo, line.as_bytes(), |_| {
                    found_out += 1;
                    n
                });
                assert_eq!(found, n, "round {round}");
            }
        }
        assert!((200..250).contains(&found_out), "{found_out}");
    }

    #[test]
    fn many_lines_and_long_ones_are_right_too() {
        let mut memo = LineMemo::default();
        for n in 0..60_000_usize {
            let line = (n % 17_000).to_string().repeat(1 + n % 100);
            assert_eq!(value(&mut memo, line.as_bytes(), <[u8]>::len), line.len());
        }
    }
}
