//! The exact map: every distinct line itself with its count.
//!
//! Wants about a hundred bytes for each distinct line, so it is the oracle the other structures are held against, and
//! for corpora that fit. What leaves the structure are keys; where two counted lines share one, both counts are kept.

use std::io::{Read, Write};

use anyhow::Result;
use hashbrown::HashMap;

use super::table::saturate;
use super::{Certainty, Counter, Counts, Keyed};
use crate::line::Key;

/// Counts by the line itself (Kaser & Lemire, section 3.3.1). Lines that come without their text are not counted.
#[derive(Debug, Default)]
pub struct Exact {
    lines: HashMap<Box<str>, Line>,
}

#[derive(Debug)]
struct Line {
    key: Key,
    count: u64,
}

impl Counter for Exact {
    const WANTS_TEXT: bool = true;

    fn add_batch(&mut self, keys: &Keyed) -> Result<()> {
        for (key, text) in keys.texts() {
            // Looked up before it is inserted, so that only new lines are copied.
            if let Some(line) = self.lines.get_mut(text) {
                line.count += 1;
            } else {
                self.lines.insert(text.into(), Line { key, count: 1 });
            }
        }
        Ok(())
    }

    fn merge(self, other: Self) -> Result<Self> {
        let (mut large, small) = if self.lines.len() < other.lines.len() {
            (other, self)
        } else {
            (self, other)
        };
        for (text, line) in small.lines {
            let (key, count) = (line.key, line.count);
            let line = large.lines.entry(text).or_insert(Line { key, count: 0 });
            line.count += count;
        }
        Ok(large)
    }

    fn finish(self, below: u64) -> Result<Counts> {
        let lines = self.lines.into_values();
        let mut pairs: Vec<(u64, u32)> = lines
            .map(|line| (line.key.0, saturate(line.count)))
            .collect();
        pairs.sort_unstable();
        let (mut keys, mut counts, mut minima) = (Vec::new(), Vec::new(), Vec::new());
        for shared in pairs.chunk_by(|a, b| a.0 == b.0) {
            let (key, commonest) = shared[shared.len() - 1];
            keys.push(key);
            counts.push(commonest);
            if shared.len() > 1 {
                minima.push(shared[0]);
            }
        }
        let counts = Counts::from_sorted(keys, counts, Certainty::Exact).with_minima(minima);
        Ok(if below > 1 {
            counts.pruned(below)
        } else {
            counts
        })
    }

    fn save(self, _out: &mut dyn Write) -> Result<()> {
        anyhow::bail!("not yet")
    }

    fn load(&mut self, _from: &mut dyn Read) -> Result<()> {
        anyhow::bail!("not yet")
    }
}
