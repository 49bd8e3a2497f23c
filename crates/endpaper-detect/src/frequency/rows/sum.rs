//! Sums by key of rows in any order.

use crate::frequency::Crc64;
use crate::frequency::table::saturate;

/// Number of pending rows from which they are merged into the sums, or a quarter of the number of sums if that is more.
const PENDING: usize = 1 << 16;

/// Sums of counts by key: 12 bytes per key, and 16 per pending row.
#[derive(Debug, Default)]
pub(super) struct KeySums {
    sums: Crc64,
    /// Number of keys with a sum.
    keys: usize,
    pending: Vec<(u64, u64)>,
}

impl KeySums {
    /// Adds a row.
    pub fn add(&mut self, key: u64, count: u64) {
        if self.pending.len() >= PENDING.max(self.keys / 4) {
            self.merge_pending();
        }
        self.pending.push((key, count));
    }

    /// Adds the pending rows to the sums.
    fn merge_pending(&mut self) {
        self.pending.sort_unstable();
        let runs = self.pending.chunk_by(|a, b| a.0 == b.0);
        let rows = runs.map(|run| {
            let sum = run.iter().fold(0u64, |sum, row| sum.saturating_add(row.1));
            (run[0].0, saturate(sum))
        });
        let rows = Crc64::from_sorted(rows);
        self.sums = std::mem::take(&mut self.sums).with(rows);
        self.keys = self.sums.len();
        self.pending.clear();
    }

    /// The structure that would have resulted from counting the lines.
    pub fn into_structure(mut self) -> Crc64 {
        self.merge_pending();
        self.sums
    }
}
