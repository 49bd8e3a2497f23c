//! What was found out about lines seen before.
//!
//! Half of the lines at the ends of books are in many books, word for word: they are normalised, hashed and searched
//! for marks once, not once in every book. A line is remembered when it is seen for the second time, so that the lines
//! of single books do not push out those of many.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

/// Lines that can be remembered.
const LINES: usize = 1 << 12;
/// Marks of lines seen once, the last in each place.
const MARKS: usize = 1 << 14;
/// Longer lines are not remembered.
const MAX_LINE_BYTES: usize = 256;

/// Remembers a value for each line, as long as the value depends on nothing but the line's bytes.
///
/// A line that is not remembered is recognised by its hash alone: hashes and marks fit the cache nearest to the processor.
#[derive(Debug)]
pub(super) struct LineMemo<T> {
    hasher: FixedState,
    /// Hash of the line in each place; 0 for none. Empty until something is asked.
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

impl<T: Copy> LineMemo<T> {
    /// The value of a line: as it is remembered, or else found out.
    pub fn get_or_compute(&mut self, line: &[u8], find_out: impl FnOnce(&[u8]) -> T) -> T {
        if line.len() > MAX_LINE_BYTES {
            return find_out(line);
        }
        if self.hashes.is_empty() {
            self.hashes.resize(LINES, 0);
            self.lines.resize_with(LINES, || None);
            self.seen_once.resize(MARKS, 0);
        }
        let hash = self.hasher.hash_one(line);
        let place = hash as usize % LINES;
        if self.hashes[place] == hash
            && let Some((known, value)) = &self.lines[place]
            && **known == *line
        {
            return *value;
        }
        let value = find_out(line);
        // Other bits than those of the place tell lines of one place apart.
        let mark = (hash >> 48) as u16;
        let seen = &mut self.seen_once[(hash >> 12) as usize % MARKS];
        if *seen == mark {
            self.hashes[place] = hash;
            self.lines[place] = Some((line.into(), value));
        }
        *seen = mark;
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_value_of_its_bytes_and_is_found_out_twice() {
        let mut memo = LineMemo::default();
        let mut found_out = 0;
        for round in 0..5 {
            for n in 0..100_u32 {
                let line = format!("line {n}");
                let value = memo.get_or_compute(line.as_bytes(), |_| {
                    found_out += 1;
                    n
                });
                assert_eq!(value, n, "round {round}");
            }
        }
        assert!((200..250).contains(&found_out), "{found_out}");
    }

    #[test]
    fn many_lines_and_long_ones_are_right_too() {
        let mut memo = LineMemo::default();
        for n in 0..60_000_usize {
            let line = (n % 17_000).to_string().repeat(1 + n % 100);
            assert_eq!(
                memo.get_or_compute(line.as_bytes(), <[u8]>::len),
                line.len()
            );
        }
    }
}
