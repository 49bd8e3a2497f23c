//! What was found out about lines seen before.
//!
//! Half of the lines at the ends of books stand in many books, word for word: they are normalised, hashed and searched
//! for marks once, not once in every book. A line is remembered when it is seen for the second time, so that the lines
//! of single books do not push out those of many.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

/// Lines that can be remembered. They fit the second-level cache.
const LINES: usize = 1 << 12;
/// Hashes of lines seen once, the last in each place.
const HASHES: usize = 1 << 14;
/// Longer lines are not remembered.
const LONGEST: usize = 256;

/// Remembers a value for each line, as long as the value depends on nothing but the line's bytes.
#[derive(Debug)]
pub(super) struct Memo<T> {
    hasher: FixedState,
    /// Empty until something is asked.
    lines: Vec<Option<Entry<T>>>,
    seen_once: Vec<u32>,
}

#[derive(Debug)]
struct Entry<T> {
    hash: u64,
    line: Box<[u8]>,
    value: T,
}

impl<T> Default for Memo<T> {
    fn default() -> Memo<T> {
        Memo {
            hasher: FixedState::default(),
            lines: Vec::new(),
            seen_once: Vec::new(),
        }
    }
}

impl<T: Copy> Memo<T> {
    /// The value of a line: as it is remembered, or else found out.
    pub fn get(&mut self, line: &[u8], find_out: impl FnOnce(&[u8]) -> T) -> T {
        if line.len() > LONGEST {
            return find_out(line);
        }
        if self.lines.is_empty() {
            self.lines.resize_with(LINES, || None);
            self.seen_once.resize(HASHES, 0);
        }
        let hash = self.hasher.hash_one(line);
        let entry = &mut self.lines[hash as usize % LINES];
        if let Some(entry) = entry
            && entry.hash == hash
            && *entry.line == *line
        {
            return entry.value;
        }
        let value = find_out(line);
        // Other bits than those of the place tell lines of one place apart.
        let mark = (hash >> 32) as u32;
        let seen = &mut self.seen_once[(hash >> 12) as usize % HASHES];
        if *seen == mark {
            let line = line.into();
            *entry = Some(Entry { hash, line, value });
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
        let mut memo = Memo::default();
        let mut found_out = 0;
        for round in 0..5 {
            for n in 0..100_u32 {
                let line = format!("line {n}");
                let value = memo.get(line.as_bytes(), |_| {
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
        let mut memo = Memo::default();
        for n in 0..60_000_usize {
            let line = (n % 17_000).to_string().repeat(1 + n % 100);
            assert_eq!(memo.get(line.as_bytes(), <[u8]>::len), line.len());
        }
    }
}
