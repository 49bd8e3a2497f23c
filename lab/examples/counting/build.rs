//! Fills a structure from F, which is read at the same time, or from memory.

use std::io::{Read, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use endpaper_detect::frequency::{Accumulate, BookLines, Counter, Counts, StructureVisitor};

use crate::lines::{FileBlocks, LineFile, fill, lines};

/// Counts a file, reading included.
pub struct FromFile<'a> {
    pub file: &'a LineFile,
    /// Number of threads; each fills a separate structure, as in the pipeline.
    pub threads: usize,
    /// Lines below this count may be omitted by [`Counter::finish`].
    pub below: u64,
}

impl StructureVisitor for FromFile<'_> {
    type Output = Result<Counts>;

    fn build<C: Counter>(self, new: impl Fn(usize) -> Result<C> + Sync) -> Result<Counts> {
        let blocks = Mutex::new(self.file.blocks()?);
        sharded(self.threads, self.below, |_| shard(&blocks, new(0)?))
    }
}

/// Fills one structure per thread, merges them and finishes.
pub fn sharded<C: Counter>(
    threads: usize,
    below: u64,
    shard: impl Fn(usize) -> Result<C> + Sync,
) -> Result<Counts> {
    if threads < 2 {
        return shard(0)?.finish(below);
    }
    let merged = std::thread::scope(|scope| {
        let shard = &shard;
        let workers = (0..threads).map(|thread| scope.spawn(move || shard(thread)));
        let workers: Vec<_> = workers.collect();
        let shards = workers.into_iter().map(|worker| match worker.join() {
            Ok(shard) => shard,
            Err(_) => bail!("a thread failed"),
        });
        shards.reduce(|a, b| a?.merge(b?))
    });
    merged.context("there are no threads")??.finish(below)
}

fn shard<C: Counter>(blocks: &Mutex<FileBlocks>, mut counter: C) -> Result<C> {
    let (mut block, mut batch) = (Vec::new(), BookLines::default());
    loop {
        let mut source = blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let more = source.next(&mut block)?;
        drop(source);
        if !more {
            return Ok(counter);
        }
        let mut lines = lines(&block)?;
        loop {
            fill(&mut batch, &mut lines, C::WANTS_TEXT);
            if batch.keys().is_empty() {
                break;
            }
            counter.add_batch(&batch)?;
        }
    }
}

/// Tests whether a structure needs texts.
pub struct WantsText;

impl StructureVisitor for WantsText {
    type Output = bool;

    fn build<C: Counter>(self, _: impl Fn(usize) -> Result<C> + Sync) -> bool {
        C::WANTS_TEXT
    }
}

/// Counts nothing, to measure reading alone.
#[derive(Default)]
pub struct Nothing<const TEXT: bool>;

impl<const TEXT: bool> Accumulate for Nothing<TEXT> {
    const WANTS_TEXT: bool = TEXT;

    fn add_batch(&mut self, keys: &BookLines) -> Result<()> {
        std::hint::black_box(keys.keys());
        Ok(())
    }

    fn merge(self, _: Self) -> Result<Self> {
        Ok(self)
    }
}

impl<const TEXT: bool> Counter for Nothing<TEXT> {
    fn finish(self, _: u64) -> Result<Counts> {
        Ok(Counts::default())
    }

    fn save(self, _: &mut dyn Write) -> Result<()> {
        Ok(())
    }

    fn load(&mut self, _: &mut dyn Read) -> Result<()> {
        Ok(())
    }
}

/// Returns a result with the time it took.
pub fn timed<T>(job: impl FnOnce() -> Result<T>) -> Result<(T, Duration)> {
    let start = Instant::now();
    let result = job()?;
    Ok((result, start.elapsed()))
}
