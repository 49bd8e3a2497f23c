//! The traits of the counting structures.

use std::io::{Read, Write};

use anyhow::Result;

use super::{BookLines, Counts};

/// A structure that counts the lines of books and can be merged with others of its kind.
///
/// Every worker thread fills its own; they are merged at the end.
pub trait Accumulate: Sized + Send {
    /// Whether batches must contain the texts of their lines.
    const WANTS_TEXT: bool;

    /// Whether the result depends on the order of batches. If so, one structure takes the books of all threads in the
    /// order of their ids, so that the same books give the same counts with any number of threads.
    const IN_ORDER: bool = false;

    /// Adds a batch: the lines of one book.
    ///
    /// # Errors
    ///
    /// If the storage of the structure fails. Its counts are lost then, and the build ends.
    fn add_batch(&mut self, keys: &BookLines) -> Result<()>;

    /// Merges two structures.
    ///
    /// # Errors
    ///
    /// If the two were made with different options, or their storage fails.
    fn merge(self, other: Self) -> Result<Self>;
}

/// A counting structure, whose result is [`Counts`].
pub trait Counter: Accumulate {
    /// Ends counting. Lines that occur fewer than `below` times may be left out, which [`Counts::pruned_below`] then
    /// states; 0 and 1 keep all lines.
    ///
    /// # Errors
    ///
    /// If the structure's storage fails.
    fn finish(self, below: u64) -> Result<Counts>;

    /// Writes everything that was counted, singletons included: the contents of a part file. Counts that
    /// [`Counter::load`] reads back can be merged like new ones. The structures of one build are merged before they are
    /// saved.
    ///
    /// # Errors
    ///
    /// If writing fails.
    fn save(self, out: &mut dyn Write) -> Result<()>;

    /// Reads what [`Counter::save`] wrote into this structure, which must be empty and made with the same options.
    /// `from` ends where the saved bytes end.
    ///
    /// # Errors
    ///
    /// If reading fails, or the bytes are not what `save` writes. No length in them is trusted.
    fn load(&mut self, from: &mut dyn Read) -> Result<()>;
}
