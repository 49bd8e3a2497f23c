//! Arguments that select what is counted, and with which structure.

use anyhow::{Result, ensure};
use clap::Args;

use endpaper_detect::frequency::{ByteSize, Counting, STRUCTURES, Structure};

/// How lines are counted.
#[derive(Clone, Debug, Args)]
pub struct CountingArgs {
    /// The structure that counts lines, with its options
    #[arg(
        long,
        value_name = "NAME[:OPTION=VALUE,...]",
        default_value_t,
        hide_short_help = true,
        help = help(),
        long_help = long_help()
    )]
    pub structure: Structure,

    /// Memory limit, such as 512M or 2G (for --structure external)
    #[arg(long, value_name = "SIZE", hide_short_help = true)]
    pub memory: Option<ByteSize>,

    /// Count heads and tails separately, and use the counts of heads for heads and those of tails for tails
    #[arg(long, hide_short_help = true)]
    pub separate_ends: bool,

    /// Count each line at most once per book
    #[arg(long, hide_short_help = true)]
    pub count_books: bool,
}

/// Which books are counted. A part of a corpus does not know the copies in other parts, so not for [`CountingArgs`].
#[derive(Clone, Copy, Debug, Args)]
pub struct CopiesArgs {
    /// Of each cluster of near copies count only the oldest book. Copies are found as by `endpaper copies`, after a first
    /// detection that counts all books; cuts are still proposed for all
    #[arg(long, hide_short_help = true)]
    pub one_copy: bool,
}

impl CountingArgs {
    /// The counting that the arguments select.
    ///
    /// # Errors
    ///
    /// See [`CountingArgs::structure`].
    pub fn counting(&self) -> Result<Counting> {
        Ok(Counting {
            structure: self.structure()?,
            separate_ends: self.separate_ends,
            count_books: self.count_books,
            one_copy: false,
        })
    }

    /// The structure, with the requested memory limit.
    ///
    /// # Errors
    ///
    /// The structure has no memory limit, or cannot use this one.
    pub fn structure(&self) -> Result<Structure> {
        Ok(match self.memory {
            None => self.structure,
            Some(ByteSize(bytes)) => self.structure.with_memory(bytes)?,
        })
    }
}

/// Rejects a threshold that the counters of a structure cannot represent.
pub(super) fn check_threshold(structure: Structure, threshold: u64) -> Result<()> {
    let largest = structure.largest_threshold();
    ensure!(
        threshold <= largest,
        "counts of the structure '{structure}' cannot tell whether a line occurs more than {threshold} times; use a \
         threshold of at most {largest}, or counters=morris"
    );
    Ok(())
}

/// The help on `--structure`.
fn help() -> String {
    let names = STRUCTURES.each_ref().map(|entry| entry.name).join(", ");
    format!("The structure that counts lines, with its options: {names}")
}

/// The long help on `--structure`, with the options of each structure.
fn long_help() -> String {
    let width = STRUCTURES.iter().map(|entry| entry.name.len()).max();
    let width = width.unwrap_or_default();
    let rows = STRUCTURES.iter();
    let rows = rows.map(|entry| format!("\n  {:<width$}  {}", entry.name, entry.about));
    format!(
        "The structure that counts lines, with its options:\n{}\n",
        rows.collect::<String>()
    )
}
