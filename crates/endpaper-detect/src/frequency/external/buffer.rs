//! A buffer of lines with a fixed size.

use anyhow::Result;
use rayon::prelude::*;

use crate::frequency::runs::LineCursor;
use crate::frequency::table::KEY_SIZE;

/// Distinct lines, nearly: a line that is not very frequent may be there several times.
///
/// A line takes 16 bytes here, and its text with its length is stored separately. About half of all lines in a corpus
/// of books are a few thousand lines of licences; a small table of the most frequent lines recognises these and
/// increments their counts, so that they are not stored again and again.
#[derive(Debug)]
pub(super) struct LineBuffer {
    lines: Vec<BufferedLine>,
    /// Length (four bytes, little-endian) and bytes of each text.
    texts: Vec<u8>,
    /// Capacity: bytes of texts, and number of lines.
    limits: (usize, usize),
    /// By the lowest bits of the key.
    frequent: Vec<FrequentLine>,
}

/// A line in the buffer, whose text is in the buffer's bytes.
#[derive(Clone, Copy, Debug)]
struct BufferedLine {
    key: u64,
    /// Start of the text.
    at: u32,
    count: u32,
}

/// A line that may be frequent.
#[derive(Clone, Copy, Debug, Default)]
struct FrequentLine {
    key: u64,
    /// Its index in the list of lines.
    place: u32,
    /// By how much it outnumbers the other lines of this slot; 0: the slot is empty.
    votes: u32,
}

const LINE: usize = size_of::<BufferedLine>();
const FRONT: usize = size_of::<FrequentLine>();
/// Bytes of the length of a text.
const LEN: usize = 4;

impl LineBuffer {
    /// A buffer of about `memory` bytes, which are reserved at once and used as needed.
    pub fn new(memory: u64) -> LineBuffer {
        let memory = usize::try_from(memory).unwrap_or(usize::MAX);
        // A 64th for frequent lines, up to 128 KiB, which fits into the second-level cache.
        let fronts = (memory / 64 / FRONT).clamp(1, 8192);
        let fronts = 1 << fronts.ilog2();
        let left = memory.saturating_sub(fronts * FRONT);
        // Lines of 48 bytes fill both halves; if lines are longer, the texts are full first.
        let lines = (left / 4 / LINE).clamp(1, u32::MAX as usize);
        let texts = (left / 4 * 3).min(u32::MAX as usize);
        let mut buffer = LineBuffer {
            lines: Vec::new(),
            texts: Vec::new(),
            limits: (texts, lines),
            frequent: vec![FrequentLine::default(); fronts],
        };
        // If the reservation fails, memory is allocated step by step as needed.
        let _ = buffer.lines.try_reserve_exact(lines);
        let _ = buffer.texts.try_reserve_exact(texts);
        buffer
    }

    /// Counts a line. Returns false if the buffer is full; an empty buffer accepts any line.
    pub fn add(&mut self, key: u64, text: &[u8]) -> bool {
        let slot = key as usize & (self.frequent.len() - 1);
        let front = self.frequent[slot];
        if front.votes > 0 {
            if front.key == key {
                let line = self.lines[front.place as usize];
                if self.text(line) == text && line.count < u32::MAX {
                    self.lines[front.place as usize].count += 1;
                    self.frequent[slot].votes = front.votes.saturating_add(1);
                    return true;
                }
            }
            self.frequent[slot].votes -= 1;
        }
        let full = self.texts.len() + LEN + text.len() > self.limits.0;
        if !self.lines.is_empty() && (full || self.lines.len() >= self.limits.1) {
            return false;
        }
        if front.votes <= 1 {
            self.frequent[slot] = FrequentLine {
                key,
                place: self.lines.len() as u32,
                votes: 1,
            };
        }
        self.lines.push(BufferedLine {
            key,
            at: self.texts.len() as u32,
            count: 1,
        });
        self.texts
            .extend_from_slice(&(text.len() as u32).to_le_bytes());
        self.texts.extend_from_slice(text);
        true
    }

    /// The text of a line of the buffer.
    fn text(&self, line: BufferedLine) -> &[u8] {
        text_of(&self.texts, line)
    }

    /// Bytes that the finished counts of these lines would take, and bytes in use.
    pub fn sizes(&self) -> (u64, u64) {
        let counts = self.lines.len() as u64 * KEY_SIZE;
        let used = self.lines.len() * LINE + self.texts.len() + self.frequent.len() * FRONT;
        (counts, used as u64)
    }

    /// Number of lines.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Sorts the lines by key and text, with several threads if `parallel`.
    pub fn sort(&mut self, parallel: bool) {
        self.frequent.fill(FrequentLine::default());
        if parallel {
            self.lines.par_sort_unstable_by_key(|line| line.key);
        } else {
            self.lines.sort_unstable_by_key(|line| line.key);
        }
        let texts = &self.texts;
        for shared in self.lines.chunk_by_mut(|a, b| a.key == b.key) {
            if shared.len() > 1 {
                shared.sort_unstable_by(|&a, &b| text_of(texts, a).cmp(text_of(texts, b)));
            }
        }
    }

    /// The sorted lines.
    pub fn cursor(&self) -> BufferCursor<'_> {
        BufferCursor {
            buffer: self,
            next: 0,
            line: BufferedLine {
                key: 0,
                at: 0,
                count: 0,
            },
            count: 0,
        }
    }

    /// Removes all lines and keeps the memory, except for what a line longer than the buffer took.
    pub fn clear(&mut self) {
        self.lines.clear();
        self.texts.clear();
        self.texts.shrink_to(self.limits.0);
        self.frequent.fill(FrequentLine::default());
    }
}

/// The text of a line, which is stored after its length.
fn text_of(texts: &[u8], line: BufferedLine) -> &[u8] {
    let rest = &texts[line.at as usize..];
    let (len, rest) = rest.split_first_chunk().unwrap_or((&[0; LEN], rest));
    &rest[..u32::from_le_bytes(*len) as usize]
}

/// Distinct lines of a sorted buffer.
pub(super) struct BufferCursor<'a> {
    buffer: &'a LineBuffer,
    next: usize,
    line: BufferedLine,
    count: u64,
}

impl LineCursor for BufferCursor<'_> {
    fn key(&self) -> u64 {
        self.line.key
    }

    fn text(&self) -> &[u8] {
        self.buffer.text(self.line)
    }

    fn count(&self) -> u64 {
        self.count
    }

    fn advance(&mut self) -> Result<bool> {
        let Some(&line) = self.buffer.lines.get(self.next) else {
            return Ok(false);
        };
        self.line = line;
        self.count = 0;
        while let Some(&same) = self.buffer.lines.get(self.next)
            && same.key == line.key
            && (same.at == line.at || self.buffer.text(same) == self.buffer.text(line))
        {
            self.count += u64::from(same.count);
            self.next += 1;
        }
        Ok(true)
    }
}
