//! Occurrences and books of each line, counted together in bounded memory.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Result, ensure};

use crate::frequency::external::External;
use crate::frequency::runs::{LineCursor, merge};
use crate::frequency::{Accumulate, BookLines};

/// Bits for the number of occurrences in a number shared with books.
const COUNT_BITS: u32 = 40;
/// The first occurrence in a book.
const FIRST: u64 = 1 << COUNT_BITS | 1;
/// A further occurrence in the same book.
const MORE: u64 = 1;

/// Most books of a shard.
pub const MOST_BOOKS: usize = (1 << (u64::BITS - COUNT_BITS)) - 1;

/// Counts occurrences and books of each line; what does not fit into memory is sorted on disk.
///
/// The first occurrence of a line in each book and all others are counted in separate structures, as the latter are
/// few. Merging the two gives both numbers.
#[derive(Debug)]
pub struct RowCounter {
    first: External,
    more: External,
    seen: HashSet<u64>,
}

/// A distinct line with its number of occurrences and of books.
pub(super) struct CountedLine<'a> {
    pub key: u64,
    pub text: &'a str,
    pub count: u64,
    pub books: u64,
}

impl RowCounter {
    /// A counter that uses `memory` bytes, with temporary files in `folder`.
    pub fn new(memory: u64, folder: &Path) -> RowCounter {
        RowCounter {
            first: External::new(memory / 8 * 7, folder),
            more: External::new(memory / 8, folder),
            seen: HashSet::new(),
        }
    }

    /// Calls `each` for every line, ascending by key. Of lines that share a key, the first text represents all.
    pub(super) fn lines(
        mut self,
        mut each: impl FnMut(CountedLine<'_>) -> Result<()>,
    ) -> Result<()> {
        self.first.finish_sorting()?;
        self.more.finish_sorting()?;
        let first = self
            .first
            .cursors()
            .into_iter()
            .map(|cursor| WeightedCursor {
                cursor,
                weight: FIRST,
            });
        let more = self
            .more
            .cursors()
            .into_iter()
            .map(|cursor| WeightedCursor {
                cursor,
                weight: MORE,
            });
        let cursors = first.chain(more).collect();
        let mut last: Option<(u64, String, u64)> = None;
        let mut give = |(key, text, sum): &(u64, String, u64)| {
            each(CountedLine {
                key: *key,
                text,
                count: sum & ((1 << COUNT_BITS) - 1),
                books: sum >> COUNT_BITS,
            })
        };
        merge(cursors, |key, text, sum| {
            match &mut last {
                Some(line) if line.0 == key => line.2 += sum,
                _ => {
                    last.iter().try_for_each(&mut give)?;
                    last = Some((key, String::from_utf8_lossy(text).into_owned(), sum));
                }
            }
            Ok(())
        })?;
        last.iter().try_for_each(give)
    }
}

impl Accumulate for RowCounter {
    const WANTS_TEXT: bool = true;

    fn add_batch(&mut self, keys: &BookLines) -> Result<()> {
        self.seen.clear();
        for (key, text) in keys.texts() {
            let counter = match self.seen.insert(key.0) {
                true => &mut self.first,
                false => &mut self.more,
            };
            counter.add(key.0, text.as_bytes())?;
        }
        Ok(())
    }

    fn merge(self, other: Self) -> Result<Self> {
        Ok(RowCounter {
            first: self.first.merge(other.first)?,
            more: self.more.merge(other.more)?,
            seen: self.seen,
        })
    }
}

/// A cursor that multiplies the counts of its lines by `weight`, so that one sum holds occurrences and books.
struct WeightedCursor<C> {
    cursor: C,
    weight: u64,
}

impl<C: LineCursor> LineCursor for WeightedCursor<C> {
    fn key(&self) -> u64 {
        self.cursor.key()
    }

    fn text(&self) -> &[u8] {
        self.cursor.text()
    }

    fn count(&self) -> u64 {
        self.cursor.count() * self.weight
    }

    fn advance(&mut self) -> Result<bool> {
        let more = self.cursor.advance()?;
        // Far more lines than a shard may have.
        ensure!(
            !more || self.cursor.count() < 1 << (COUNT_BITS - 1),
            "a line occurs more than {} times in one shard; use more shards",
            1u64 << (COUNT_BITS - 1)
        );
        Ok(more)
    }
}
