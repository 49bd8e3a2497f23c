//! The traits of all counting structures.

use std::io::{Read, Write};

use anyhow::Result;

use super::{BookLines, Counts};

/// What takes the lines of books and can be put together.
///
/// Every worker fills one of its own; they are merged in the end.
pub trait Accumulate: Sized + Send {
    /// Whether batches must come with the texts of their lines.
    const WANTS_TEXT: bool;

    /// Whether what it holds depends on the order of batches. One structure then takes the books of all threads in the
    /// order of their ids, so that the same books give the same counts on any number of threads.
    const IN_ORDER: bool = false;

    /// Takes a batch: the lines of one book.
    ///
    /// # Errors
    ///
    /// If its storage fails. What was taken is lost then; the build ends.
    fn add_batch(&mut self, keys: &BookLines) -> Result<()>;

    /// Both together.
    ///
    /// # Errors
    ///
    /// If the two were made with other options, or their storage fails.
    fn merge(self, other: Self) -> Result<Self>;
}

/// A counting structure: what it accumulates ends in [`Counts`].
pub trait Counter: Accumulate {
    /// Ends counting. Lines that occur fewer than `below` times may be left out, and the counts say so
    /// ([`Counts::pruned_below`]); 0 and 1 keep all.
    ///
    /// # Errors
    ///
    /// If the structure's storage fails.
    fn finish(self, below: u64) -> Result<Counts>;

    /// Writes everything that was counted, singletons included: the contents of a part file. What
    /// [`Counter::load`] reads back merges as if it had been counted here. Structures of one build are merged before
    /// they are saved.
    ///
    /// # Errors
    ///
    /// If writing fails.
    fn save(self, out: &mut dyn Write) -> Result<()>;

    /// Takes what [`Counter::save`] wrote into this structure, which is empty and was made with the same options. `from` ends
    /// where the saved bytes do.
    ///
    /// # Errors
    ///
    /// If reading fails, or the bytes are not what `save` writes. No length in them is trusted.
    fn load(&mut self, from: &mut dyn Read) -> Result<()>;
}
