//! Counting of lines that are in memory, on one thread.

use std::borrow::Borrow;

use anyhow::Result;

use endpaper_detect::frequency::{BookLines, Counter, Counts, Structure, StructureVisitor};

/// Source of batches that are in memory.
#[derive(Clone, Copy, Debug)]
pub struct FromMemory<'a, K> {
    /// One batch per book.
    pub batches: &'a [K],
}

impl<K: Borrow<BookLines>> StructureVisitor for FromMemory<'_, K> {
    type Output = Result<Counts>;

    fn build<C: Counter>(self, new: impl Fn(usize) -> Result<C> + Sync) -> Result<Counts> {
        let mut counter = new(0)?;
        for batch in self.batches {
            counter.add_batch(batch.borrow())?;
        }
        counter.finish(0)
    }
}

/// Counts batches with a structure, on one thread.
///
/// # Errors
///
/// Returns errors of the structure: one that sorts on disk may run out of space.
pub fn count<K: Borrow<BookLines>>(structure: Structure, batches: &[K]) -> Result<Counts> {
    structure.dispatch(1, FromMemory { batches })
}
