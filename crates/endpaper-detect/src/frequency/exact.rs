//! The exact map: every distinct line with its count.
//!
//! It is the oracle that the other structures are tested against, and a choice for corpora that fit into memory. The
//! resulting [`Counts`] contain keys; where several lines share a key, the largest and the smallest of their counts are
//! kept.

use std::hash::BuildHasher;
use std::io::{BufReader, BufWriter, Read, Write};

use anyhow::{Context, Result};
use foldhash::fast::RandomState;
use hashbrown::HashTable;
use rayon::prelude::*;

use super::runs::{LineCursor, RunReader, RunWriter};
use super::stream::ensure_end;
use super::table::KeyTableBuilder;
use super::{Accumulate, BookLines, Counter, Counts};
use endpaper_text::line::Key;

/// Counts by the line itself (Kaser & Lemire, section 3.3.1). Lines that come without their text are not counted.
///
/// A distinct line takes the bytes of its text, 24 more, and 10 to 20 in the hash table: about 100 bytes. While a table
/// or a list grows, half as much again may be in use.
#[derive(Debug, Default)]
pub struct Exact {
    /// The texts of all lines, concatenated.
    texts: Vec<u8>,
    /// In the order of `texts`.
    lines: Vec<ExactLine>,
    /// For each line 32 bits of its hash, which distinguish most lines and let the table grow without reading texts,
    /// and its index in `lines`.
    index: HashTable<(u32, u32)>,
    hasher: RandomState,
}

/// A distinct line of the map: its key, where its text ends in the common buffer, and its count.
#[derive(Clone, Copy, Debug)]
struct ExactLine {
    key: u64,
    /// End of its text, which begins where the text before ends.
    end: usize,
    count: u64,
}

/// Extends 32 bits to the 64 that a hash table needs.
fn widen_hash(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Exact {
    /// Adds `count` occurrences of a line.
    fn add(&mut self, key: Key, text: &[u8], count: u64) -> Result<()> {
        let hash = (self.hasher.hash_one(text) >> 32) as u32;
        let (texts, lines) = (&self.texts, &self.lines);
        let same = |&(other, place): &(u32, u32)| {
            other == hash && text_of(texts, lines, place as usize) == text
        };
        if let Some(&(_, place)) = self.index.find(widen_hash(hash), same) {
            let line = &mut self.lines[place as usize];
            line.count = line.count.saturating_add(count);
            return Ok(());
        }
        let place = u32::try_from(self.lines.len());
        let place = place.context(
            "more than 4,294,967,296 distinct lines are too many for 'exact'; count with 'external'",
        )?;
        self.index
            .insert_unique(widen_hash(hash), (hash, place), |&(hash, _)| {
                widen_hash(hash)
            });
        self.texts.extend_from_slice(text);
        self.lines.push(ExactLine {
            key: key.0,
            end: self.texts.len(),
            count,
        });
        Ok(())
    }

    /// The text of the line with this index.
    fn text(&self, place: usize) -> &[u8] {
        text_of(&self.texts, &self.lines, place)
    }
}

/// The text of the line with this index.
fn text_of<'a>(texts: &'a [u8], lines: &[ExactLine], place: usize) -> &'a [u8] {
    let before = place.checked_sub(1);
    let start = before.map_or(0, |before| lines[before].end);
    &texts[start..lines[place].end]
}

impl Accumulate for Exact {
    const WANTS_TEXT: bool = true;

    fn add_batch(&mut self, keys: &BookLines) -> Result<()> {
        for (key, text) in keys.texts() {
            self.add(key, text.as_bytes(), 1)?;
        }
        Ok(())
    }

    fn merge(self, other: Self) -> Result<Self> {
        let (mut large, small) = if self.lines.len() < other.lines.len() {
            (other, self)
        } else {
            (self, other)
        };
        for (place, line) in small.lines.iter().enumerate() {
            large.add(Key(line.key), small.text(place), line.count)?;
        }
        Ok(large)
    }
}

impl Counter for Exact {
    fn finish(self, below: u64) -> Result<Counts> {
        drop((self.texts, self.index));
        let mut lines = self.lines;
        lines.par_sort_unstable_by_key(|line| line.key);
        let mut table = KeyTableBuilder::new(lines.len() as u64, usize::MAX, below);
        for line in lines {
            table.push(line.key, line.count);
        }
        Ok(Counts::from_lines(table))
    }

    /// Writes one run (see `runs`), as `external` does.
    fn save(self, out: &mut dyn Write) -> Result<()> {
        let mut order: Vec<u32> = (0..self.lines.len() as u32).collect();
        order.par_sort_unstable_by(|&a, &b| {
            let key = |place: u32| self.lines[place as usize].key;
            let texts = || self.text(a as usize).cmp(self.text(b as usize));
            key(a).cmp(&key(b)).then_with(texts)
        });
        let mut run = RunWriter::new(BufWriter::with_capacity(1 << 16, out));
        for place in order {
            let line = self.lines[place as usize];
            run.push(line.key, self.text(place as usize), line.count)?;
        }
        run.finish()?;
        Ok(())
    }

    fn load(&mut self, from: &mut dyn Read) -> Result<()> {
        let mut from = BufReader::with_capacity(1 << 16, from);
        let mut run = RunReader::new(&mut from);
        while run.advance()? {
            self.add(Key(run.key()), run.text(), run.count())?;
        }
        ensure_end(&mut from)
    }
}
