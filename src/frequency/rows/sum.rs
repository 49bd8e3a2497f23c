//! Sums by key, from rows in any order.

use crate::frequency::Crc64;
use crate::frequency::table::saturate;

/// Rows are sorted in when there are so many, or a quarter as many as there are sums.
const PENDING: usize = 1 << 16;

/// Sums of counts by key: 12 bytes for each key, 16 for each row that is not sorted in.
#[derive(Debug, Default)]
pub(super) struct Sums {
    keys: Vec<u64>,
    counts: Vec<u32>,
    pending: Vec<(u64, u64)>,
}

impl Sums {
    /// Adds a row.
    pub fn add(&mut self, key: u64, count: u64) {
        if self.pending.len() >= PENDING.max(self.keys.len() / 4) {
            self.settle();
        }
        self.pending.push((key, count));
    }

    fn settle(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        pending.sort_unstable();
        let keys = std::mem::take(&mut self.keys);
        let counts = std::mem::take(&mut self.counts);
        let mut ours = keys.into_iter().zip(counts).peekable();
        let ours_len = ours.len();
        self.keys.reserve_exact(ours_len + pending.len());
        self.counts.reserve_exact(ours_len + pending.len());
        for run in pending.chunk_by(|a, b| a.0 == b.0) {
            let key = run[0].0;
            while let Some((smaller, count)) = ours.next_if(|line| line.0 < key) {
                self.push(smaller, count);
            }
            let same = ours.next_if(|line| line.0 == key);
            let before = same.map_or(0, |line| u64::from(line.1));
            let sum = run
                .iter()
                .fold(before, |sum, row| sum.saturating_add(row.1));
            self.push(key, saturate(sum));
        }
        for (key, count) in ours {
            self.push(key, count);
        }
        pending.clear();
        self.pending = pending;
    }

    fn push(&mut self, key: u64, count: u32) {
        self.keys.push(key);
        self.counts.push(count);
    }

    /// The structure that counts by key, as if it had counted.
    pub fn into_structure(mut self) -> Crc64 {
        self.settle();
        self.pending = Vec::new();
        Crc64::from_sorted(self.keys.into_iter().zip(self.counts))
    }
}
