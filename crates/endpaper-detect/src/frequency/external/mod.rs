//! Exact counts of more lines than fit into memory, by sorting on disk.
//!
//! Lines are collected in a [`buffer`]. When it is full, it is sorted and written to a temporary file as a *run*. At
//! the end the runs are merged, in several passes if there are more than can be read at once.

mod buffer;
mod scratch;

use std::io::{BufReader, BufWriter, Read, Write};
use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::Result;
use rayon::prelude::*;

use self::buffer::{BufferCursor, LineBuffer};
use self::scratch::{FileSpan, RunFile, ScratchFiles};
use super::runs::{LineCursor, RunReader, RunWriter, merge};
use super::stream::ensure_end;
use super::table::{KEY_SIZE, KeyTableBuilder};
use super::{Accumulate, BookLines, ByteSize, Counter, Counts};

/// Range of the option `memory`.
pub(super) const MEMORY: RangeInclusive<ByteSize> = ByteSize(1 << 20)..=ByteSize(1 << 40);

/// Most runs that are read at once. The heap that merges more would not fit into the cache.
const FAN_IN: u64 = 128;
/// Range of the bytes per read or write: large blocks save seeks, if memory allows.
const BLOCKS: (u64, u64) = (16 << 10, 1 << 20);
/// Most temporary files that are open at once; every loaded part has one.
const FILES: usize = 32;

/// Counts by the line itself in a fixed amount of memory, with the rest on disk (Kaser & Lemire, section 3.3.2).
///
/// Every buffer counts towards the memory, which the structures of one build share. No file is written while everything
/// fits. The counts of very many distinct lines do not fit either: when they exceed seven eighths of the memory (at 13
/// bytes a line, 36 million lines in 512 MiB), the rarest are left out, which [`Counts::pruned_below`] then states. A
/// single line that is longer than its buffer is kept whole.
#[derive(Debug)]
pub struct External {
    /// Total memory in bytes.
    memory: u64,
    /// Lines are added to the last buffer.
    buffers: Vec<LineBuffer>,
    runs: Vec<RunFile>,
    scratch: ScratchFiles,
}

impl External {
    /// A structure that uses `memory` bytes, with temporary files in `folder`.
    pub fn new(memory: u64, folder: &Path) -> External {
        External {
            memory,
            buffers: Vec::new(),
            runs: Vec::new(),
            scratch: ScratchFiles::new(folder),
        }
    }

    /// Bytes of the buffer for writing a run.
    fn block(&self) -> u64 {
        (self.memory / 16).min(BLOCKS.1)
    }

    /// Bytes for merging. The rest is for the resulting counts.
    fn merging(&self) -> u64 {
        self.memory / 8
    }

    /// Counts one occurrence of a line; writes a run if the buffers are full.
    pub(super) fn add(&mut self, key: u64, text: &[u8]) -> Result<()> {
        let room = self.memory - self.block();
        if self.buffers.is_empty() {
            self.buffers.push(LineBuffer::new(room));
        }
        let last = self.buffers.len() - 1;
        if !self.buffers[last].add(key, text) {
            self.spill(false)?;
            self.buffers[last].add(key, text);
        }
        Ok(())
    }

    /// Writes every non-empty buffer as a run.
    fn spill(&mut self, parallel: bool) -> Result<()> {
        let block = self.block() as usize;
        if parallel {
            let buffers = self.buffers.par_iter_mut();
            buffers.for_each(|buffer| buffer.sort(true));
        }
        for buffer in &mut self.buffers {
            if buffer.len() == 0 {
                continue;
            }
            if !parallel {
                buffer.sort(false);
            }
            let run = self.scratch.write(block, |push| {
                let mut cursor = buffer.cursor();
                while cursor.advance()? {
                    push(cursor.key(), cursor.text(), cursor.count())?;
                }
                Ok(())
            })?;
            self.runs.push(run);
            buffer.clear();
        }
        Ok(())
    }

    /// Bytes of a reader's buffer, and the largest number of readers.
    fn readers(&self) -> (u64, u64) {
        let least = BLOCKS.0.min(self.merging() / 8).max(64);
        let readers = (self.merging() / least).saturating_sub(1);
        (least, readers.clamp(2, FAN_IN))
    }

    /// Merges runs, smallest first, until at most `target` are left.
    fn reduce(&mut self, target: usize) -> Result<()> {
        let (_, fan_in) = self.readers();
        // The space of the old file is freed as soon as all of its runs are merged.
        self.scratch.close();
        while self.runs.len() > target {
            self.runs.sort_by_key(|run| std::cmp::Reverse(run.len()));
            let merged = (self.runs.len() - target + 1).min(fan_in as usize);
            let runs = self.runs.split_off(self.runs.len() - merged);
            let (readers, block) = self.open(&runs);
            let run = self.scratch.write(block, |push| merge(readers, push))?;
            self.runs.push(run);
        }
        Ok(())
    }

    /// Readers of runs, and the buffer size for writing the merged run.
    fn open(&self, runs: &[RunFile]) -> (Vec<RunReader<BufReader<FileSpan>>>, usize) {
        let (least, _) = self.readers();
        let block = self.merging() / (runs.len() as u64 + 1);
        let block = block.clamp(least, BLOCKS.1) as usize;
        let readers = runs.iter().map(|run| run.reader(block));
        (readers.collect(), block)
    }

    /// Sorts the buffers in place, or writes everything as runs and merges them until all can be read at once. Returns
    /// an upper bound on the number of distinct lines.
    pub(super) fn finish_sorting(&mut self) -> Result<u64> {
        let sizes = self.buffers.iter().map(LineBuffer::sizes);
        let needed: u64 = sizes.map(|(counts, used)| counts + used).sum();
        if self.runs.is_empty() && needed <= self.memory {
            let buffers = self.buffers.par_iter_mut();
            buffers.for_each(|buffer| buffer.sort(true));
            return Ok(self.buffers.iter().map(|buffer| buffer.len() as u64).sum());
        }
        self.spill(true)?;
        self.buffers = Vec::new();
        let (_, fan_in) = self.readers();
        self.reduce(fan_in as usize)?;
        Ok(self.runs.iter().map(|run| run.records).sum())
    }

    /// Calls `each` for every distinct line with its count, in order. [`External::finish_sorting`] must come first.
    fn lines(&self, each: impl FnMut(u64, &[u8], u64) -> Result<()>) -> Result<()> {
        merge(self.cursors(), each)
    }

    /// Cursors over the lines, each in order. [`External::finish_sorting`] must come first.
    pub(super) fn cursors(&self) -> Vec<impl LineCursor> {
        if self.runs.is_empty() {
            let buffers = self.buffers.iter().map(LineBuffer::cursor);
            return buffers.map(LineSource::Buffer).collect();
        }
        let runs = self.open(&self.runs).0.into_iter();
        runs.map(LineSource::Run).collect()
    }
}

/// A sorted stream of counted lines: those still in memory, or a run on disk.
enum LineSource<'a> {
    Buffer(BufferCursor<'a>),
    Run(RunReader<BufReader<FileSpan>>),
}

impl LineCursor for LineSource<'_> {
    fn key(&self) -> u64 {
        match self {
            LineSource::Buffer(lines) => lines.key(),
            LineSource::Run(lines) => lines.key(),
        }
    }

    fn text(&self) -> &[u8] {
        match self {
            LineSource::Buffer(lines) => lines.text(),
            LineSource::Run(lines) => lines.text(),
        }
    }

    fn count(&self) -> u64 {
        match self {
            LineSource::Buffer(lines) => lines.count(),
            LineSource::Run(lines) => lines.count(),
        }
    }

    fn advance(&mut self) -> Result<bool> {
        match self {
            LineSource::Buffer(lines) => lines.advance(),
            LineSource::Run(lines) => lines.advance(),
        }
    }
}

impl Accumulate for External {
    const WANTS_TEXT: bool = true;

    fn add_batch(&mut self, keys: &BookLines) -> Result<()> {
        for (key, text) in keys.texts() {
            self.add(key.0, text.as_bytes())?;
        }
        Ok(())
    }

    /// The memory of both is that of the two together. A structure whose lines are all in files takes none.
    fn merge(mut self, other: Self) -> Result<Self> {
        self.memory = match (self.buffers.is_empty(), other.buffers.is_empty()) {
            (true, true) => self.memory.max(other.memory),
            (true, false) => other.memory,
            (false, true) => self.memory,
            (false, false) => self.memory.saturating_add(other.memory),
        };
        self.buffers.extend(other.buffers);
        self.runs.extend(other.runs);
        self.runs.sort_by_key(RunFile::file);
        let files = self.runs.chunk_by(|a, b| a.file() == b.file()).count();
        if files > FILES {
            self.reduce(1)?;
        }
        Ok(self)
    }
}

impl Counter for External {
    fn finish(mut self, below: u64) -> Result<Counts> {
        let lines = self.finish_sorting()?;
        let limit =
            usize::try_from((self.memory - self.merging()) / KEY_SIZE).unwrap_or(usize::MAX);
        let mut table = KeyTableBuilder::new(lines, limit, below);
        self.lines(|key, _, count| {
            table.push(key, count);
            Ok(())
        })?;
        drop(self);
        Ok(Counts::from_lines(table))
    }

    /// Writes one run (see `runs`), as `exact` does.
    fn save(mut self, out: &mut dyn Write) -> Result<()> {
        self.finish_sorting()?;
        let mut run = RunWriter::new(BufWriter::with_capacity(self.block() as usize, out));
        self.lines(|key, text, count| Ok(run.push(key, text, count)?))?;
        run.finish()?;
        Ok(())
    }

    /// Copies the run to a file, not into memory.
    fn load(&mut self, from: &mut dyn Read) -> Result<()> {
        let block = self.block() as usize;
        let mut from = BufReader::with_capacity(block, from);
        let mut lines = RunReader::new(&mut from);
        if lines.advance()? {
            let run = self.scratch.write(block, |push| {
                loop {
                    push(lines.key(), lines.text(), lines.count())?;
                    if !lines.advance()? {
                        return Ok(());
                    }
                }
            })?;
            self.runs.push(run);
        }
        ensure_end(&mut from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_text::line::Key;
    use endpaper_text::scan::Window;
    use std::collections::HashMap;

    /// Counts `lines` lines, some of them very frequent, in so little memory that runs are merged several times.
    fn counted(memory: u64, folder: &Path, lines: u32) -> (External, HashMap<Key, u64>) {
        let mut external = External::new(memory, folder);
        let mut truth = HashMap::new();
        let mut book = BookLines::default();
        for n in 0..lines {
            let number = n.wrapping_mul(2_654_435_761) >> (n % 32);
            let text = format!("a line of text with the number {number}");
            let key = Key::of(&text);
            *truth.entry(key).or_default() += 1;
            book.push(key, Window::Head, Some(&text));
            if n % 600 == 599 || n + 1 == lines {
                external.add_batch(&book).expect("it has room on disk");
                book.clear();
            }
        }
        (external, truth)
    }

    #[test]
    fn runs_are_merged_several_times_and_nothing_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let (mut external, truth) = counted(1 << 14, folder.path(), 40_000);
        assert!(external.runs.len() > 49, "{} runs", external.runs.len());
        assert!(external.readers().1 <= 7);
        let distinct = external.finish_sorting().unwrap();
        assert!(external.runs.len() <= 7 && distinct >= truth.len() as u64);
        let mut counts = HashMap::new();
        let each = |key, text: &[u8], count| {
            assert_eq!(Key::of(std::str::from_utf8(text)?), Key(key));
            assert_eq!(counts.insert(Key(key), count), None);
            Ok(())
        };
        external.lines(each).unwrap();
        assert_eq!(counts, truth);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn counts_that_outgrow_the_memory_lose_the_rarest_and_say_so() {
        let folder = tempfile::tempdir().unwrap();
        let memory = 1 << 14;
        let (external, truth) = counted(memory, folder.path(), 40_000);
        let counts = external.finish(0).unwrap();
        let below = counts.pruned_below();
        assert!(below > 1);
        assert!(!counts.is_empty() && counts.len() as u64 <= memory * 7 / 8 / KEY_SIZE);
        for (&key, &n) in &truth {
            let expected = if n < below { 0 } else { n };
            assert_eq!(counts.frequency(key), expected);
            assert!(n <= counts.bounds(key).at_most);
        }
    }

    #[test]
    fn what_fits_makes_no_file() {
        let missing = Path::new("/this/folder/is/not/there");
        let (external, truth) = counted(8 << 20, missing, 10_000);
        let counts: HashMap<Key, u64> = external.finish(0).unwrap().iter().collect();
        assert_eq!(counts, truth);
    }

    #[test]
    fn a_folder_that_cannot_be_used_is_named_with_the_repair() {
        let missing = Path::new("/this/folder/is/not/there");
        let mut external = External::new(1 << 12, missing);
        let mut book = BookLines::default();
        for n in 0..500 {
            let text = format!("a line of text with the number {n}");
            book.push(Key::of(&text), Window::Tail, Some(&text));
        }
        let error = format!("{:#}", external.add_batch(&book).unwrap_err());
        for part in ["/this/folder/is/not/there", "TMPDIR", "more memory"] {
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn a_line_longer_than_the_memory_is_counted() {
        let folder = tempfile::tempdir().unwrap();
        let mut external = External::new(1 << 12, folder.path());
        let long = "a very long line ".repeat(1000);
        let mut book = BookLines::default();
        for text in [
            &long,
            "a line of text",
            &long,
            "another line of text",
            &long,
        ] {
            book.push(Key::of(text), Window::Tail, Some(text));
        }
        external.add_batch(&book).unwrap();
        let counts = external.finish(0).unwrap();
        assert_eq!(counts.frequency(Key::of(&long)), 3);
        assert_eq!(counts.frequency(Key::of("a line of text")), 1);
        assert_eq!(counts.len(), 3);
    }

    #[test]
    fn many_parts_do_not_keep_many_files_open() {
        let folder = tempfile::tempdir().unwrap();
        let (external, truth) = counted(1 << 16, folder.path(), 2000);
        let mut part = Vec::new();
        external.save(&mut part).unwrap();
        let parts = 3 * FILES;
        let load = |_| {
            let mut external = External::new(1 << 16, folder.path());
            external.load(&mut &part[..])?;
            Ok(external)
        };
        let merged = (0..parts)
            .map(load)
            .reduce(|a: Result<External>, b| a?.merge(b?));
        let merged = merged.unwrap().unwrap();
        assert!(merged.runs.len() <= FILES);
        let counts = merged.finish(parts as u64 + 1).unwrap();
        for (key, n) in truth {
            let expected = if n > 1 { n * parts as u64 } else { 0 };
            assert_eq!(counts.frequency(key), expected);
        }
    }
}
