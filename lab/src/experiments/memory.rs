//! Counting what is in memory, on one thread.

use std::borrow::Borrow;

use anyhow::Result;

use endpaper_detect::frequency::{BookLines, Counter, Counts, Structure, StructureVisitor};

/// Fills one structure with batches that are in memory.
#[derive(Clone, Copy, Debug)]
pub struct FromMemory<'a, K> {
    /// One batch for each book.
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
/// Those of the structure: one that sorts on disk may find no room.
pub fn count<K: Borrow<BookLines>>(structure: Structure, batches: &[K]) -> Result<Counts> {
    structure.dispatch(1, FromMemory { batches })
}
