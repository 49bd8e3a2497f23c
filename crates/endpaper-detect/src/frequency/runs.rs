//! Runs: distinct lines with their counts as a stream of bytes, sorted by key and text.
//!
//! A record is the difference between its key and the one before, its count, the length of its text (three varints) and
//! the text. A record with a count of zero ends the run; its length field holds the number of records. Keys are hashes, so
//! neighbouring texts have nothing in common and are written in full.

use std::cmp::Ordering;
use std::io::{BufRead, Write};

use anyhow::{Result, ensure};

use super::ModelError;
use super::stream::{read_bytes, read_varint, write_varint};

/// Distinct lines, one at a time, in ascending order of key and text.
pub(super) trait LineCursor {
    /// The hash of the current line.
    fn key(&self) -> u64;
    /// The text of the current line.
    fn text(&self) -> &[u8];
    /// How often the current line occurs.
    fn count(&self) -> u64;
    /// Moves to the next line, at the beginning to the first. Returns false after the last.
    fn advance(&mut self) -> Result<bool>;
}

/// Writes a run, the lines of which are given in ascending order. `last` is the previous key, `records` the number
/// written.
#[derive(Debug)]
pub(super) struct RunWriter<W> {
    out: W,
    last: u64,
    records: u64,
}

impl<W: Write> RunWriter<W> {
    /// A writer of a run to `out`.
    pub fn new(out: W) -> RunWriter<W> {
        RunWriter {
            out,
            last: 0,
            records: 0,
        }
    }

    /// Writes a line that occurs at least once and sorts after the one before.
    pub fn push(&mut self, key: u64, text: &[u8], count: u64) -> std::io::Result<()> {
        for number in [key - self.last, count, text.len() as u64] {
            write_varint(&mut self.out, number)?;
        }
        self.last = key;
        self.records += 1;
        self.out.write_all(text)
    }

    /// Writes the end and returns the number of records.
    pub fn finish(mut self) -> std::io::Result<u64> {
        for number in [0, 0, self.records] {
            write_varint(&mut self.out, number)?;
        }
        self.out.flush()?;
        Ok(self.records)
    }
}

/// Reads a run of untrusted bytes.
#[derive(Debug)]
pub(super) struct RunReader<R> {
    from: R,
    key: u64,
    count: u64,
    text: Vec<u8>,
    /// The text of the record before, for lines that share a key.
    previous: Vec<u8>,
    records: u64,
}

impl<R: BufRead> RunReader<R> {
    /// A reader of a run, before its first line.
    pub fn new(from: R) -> RunReader<R> {
        RunReader {
            from,
            key: 0,
            count: 0,
            text: Vec::new(),
            previous: Vec::new(),
            records: 0,
        }
    }
}

impl<R: BufRead> LineCursor for RunReader<R> {
    fn key(&self) -> u64 {
        self.key
    }

    fn text(&self) -> &[u8] {
        &self.text
    }

    fn count(&self) -> u64 {
        self.count
    }

    fn advance(&mut self) -> Result<bool> {
        let distance = read_varint(&mut self.from)?;
        self.count = read_varint(&mut self.from)?;
        let len = read_varint(&mut self.from)?;
        if self.count == 0 {
            ensure!(
                distance == 0 && len == self.records,
                ModelError::Malformed("a run of lines has another number of lines than it says")
            );
            return Ok(false);
        }
        let key = self.key.checked_add(distance);
        self.key = key.ok_or(ModelError::Malformed("keys out of order"))?;
        std::mem::swap(&mut self.text, &mut self.previous);
        self.text.clear();
        read_bytes(&mut self.from, len, &mut self.text)?;
        let repeats = distance == 0 && self.records > 0 && self.text <= self.previous;
        ensure!(!repeats, ModelError::Malformed("lines out of order"));
        self.records += 1;
        Ok(true)
    }
}

/// Merges sorted lines: calls `each` for every distinct line, with its counts added.
pub(super) fn merge<C: LineCursor>(
    cursors: Vec<C>,
    mut each: impl FnMut(u64, &[u8], u64) -> Result<()>,
) -> Result<()> {
    let mut heap = CursorHeap::new(cursors)?;
    let mut text = Vec::new();
    while let Some(first) = heap.first() {
        let (key, mut count) = (first.key(), first.count());
        text.clear();
        text.extend_from_slice(first.text());
        heap.advance()?;
        while let Some(next) = heap.first()
            && next.key() == key
            && next.text() == text
        {
            count = count.saturating_add(next.count());
            heap.advance()?;
        }
        each(key, &text, count)?;
    }
    Ok(())
}

/// A heap of the cursors that still have a line, smallest line first.
struct CursorHeap<C> {
    cursors: Vec<C>,
    /// Keys and indexes of the cursors. The keys alone nearly always decide which line is smaller.
    order: Vec<(u64, usize)>,
}

impl<C: LineCursor> CursorHeap<C> {
    /// The cursors, each moved to its first line; those without lines are dropped.
    fn new(mut cursors: Vec<C>) -> Result<CursorHeap<C>> {
        let mut order = Vec::with_capacity(cursors.len());
        for (place, cursor) in cursors.iter_mut().enumerate() {
            if cursor.advance()? {
                order.push((cursor.key(), place));
            }
        }
        let mut heap = CursorHeap { cursors, order };
        for at in (0..heap.order.len() / 2).rev() {
            heap.sink(at);
        }
        Ok(heap)
    }

    /// The cursor with the smallest line.
    fn first(&self) -> Option<&C> {
        self.order.first().map(|&(_, place)| &self.cursors[place])
    }

    /// Advances the first cursor.
    fn advance(&mut self) -> Result<()> {
        let place = self.order[0].1;
        let cursor = &mut self.cursors[place];
        if cursor.advance()? {
            self.order[0].0 = cursor.key();
        } else {
            self.order.swap_remove(0);
        }
        self.sink(0);
        Ok(())
    }

    /// Moves a cursor down until no cursor below it has a smaller line.
    fn sink(&mut self, mut at: usize) {
        loop {
            let left = 2 * at + 1;
            let mut least = at;
            for child in [left, left + 1] {
                if child < self.order.len() && self.is_less(child, least) {
                    least = child;
                }
            }
            if least == at {
                return;
            }
            self.order.swap(at, least);
            at = least;
        }
    }

    /// Whether the cursor at `a` of the heap has a smaller line than that at `b`.
    fn is_less(&self, a: usize, b: usize) -> bool {
        let (a, b) = (self.order[a], self.order[b]);
        match a.0.cmp(&b.0) {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal => self.cursors[a.1].text() < self.cursors[b.1].text(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    type Lines = BTreeMap<(u64, Vec<u8>), u64>;

    fn lines() -> impl Strategy<Value = Lines> {
        let keys = prop_oneof![0..4u64, any::<u64>()];
        let text = proptest::collection::vec(any::<u8>(), 0..20);
        proptest::collection::btree_map((keys, text), 1..1000u64, 0..40)
    }

    fn run_of(lines: &Lines) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = RunWriter::new(&mut bytes);
        for ((key, text), &count) in lines {
            writer.push(*key, text, count).unwrap();
        }
        assert_eq!(writer.finish().unwrap(), lines.len() as u64);
        bytes
    }

    proptest! {
        #[test]
        fn runs_are_merged_as_maps_are(runs in proptest::collection::vec(lines(), 0..6), capacity in 1..50usize) {
            let mut expected = Lines::new();
            for (line, count) in runs.iter().flatten() {
                *expected.entry(line.clone()).or_default() += count;
            }
            let runs: Vec<Vec<u8>> = runs.iter().map(run_of).collect();
            let reader = |run| RunReader::new(std::io::BufReader::with_capacity(capacity, run));
            let readers = runs.iter().map(|run| reader(&run[..])).collect();
            let mut merged = Vec::new();
            merge(readers, |key, text, count| {
                merged.push(((key, text.to_vec()), count));
                Ok(())
            }).unwrap();
            let expected: Vec<_> = expected.into_iter().collect();
            prop_assert_eq!(merged, expected);
        }

        #[test]
        fn damaged_runs_are_errors_and_never_out_of_order(
            lines in lines(), at in any::<proptest::sample::Index>(), to in any::<u8>(), cut in any::<bool>(),
        ) {
            let mut bytes = run_of(&lines);
            let at = at.index(bytes.len());
            if cut {
                bytes.truncate(at);
            } else {
                bytes[at] = to;
            }
            let mut reader = RunReader::new(&bytes[..]);
            let mut last = None;
            loop {
                match reader.advance() {
                    Err(_) => break,
                    Ok(false) => {
                        prop_assert!(!cut);
                        break;
                    }
                    Ok(true) => {
                        let line = Some((reader.key(), reader.text().to_vec()));
                        prop_assert!(last < line);
                        last = line;
                    }
                }
            }
        }
    }

    #[test]
    fn a_length_is_not_trusted() {
        let mut bytes = vec![1, 1];
        write_varint(&mut bytes, u64::MAX).unwrap();
        bytes.extend_from_slice(b"short");
        assert!(RunReader::new(&bytes[..]).advance().is_err());
    }
}
