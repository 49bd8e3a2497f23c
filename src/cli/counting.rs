//! The arguments that choose and tune a counting structure.

use anyhow::{Result, ensure};
use clap::Args;

use crate::frequency::{STRUCTURES, Size, Structure};

/// Which structure counts lines.
#[derive(Clone, Debug, Args)]
pub struct CountingArgs {
    /// The structure that counts lines, with its options
    #[arg(
        long,
        value_name = "NAME[:OPTION=VALUE,...]",
        default_value_t,
        help = help(),
        long_help = long_help()
    )]
    pub structure: Structure,

    /// Memory for counting, such as 512M or 2G (for --structure external)
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Size>,
}

impl CountingArgs {
    /// The structure, with the memory that was asked for.
    ///
    /// # Errors
    ///
    /// If the structure takes no limit of memory, or not this one.
    pub fn structure(&self) -> Result<Structure> {
        Ok(match self.memory {
            None => self.structure,
            Some(Size(bytes)) => self.structure.with_memory(bytes)?,
        })
    }
}

/// Refuses a threshold that counts of a structure cannot tell.
pub(super) fn check_threshold(structure: Structure, threshold: u64) -> Result<()> {
    let largest = structure.largest_threshold();
    ensure!(
        threshold <= largest,
        "counts of the structure '{structure}' cannot tell whether a line occurs more than {threshold} times; use a \
         threshold of at most {largest}, or counters=morris"
    );
    Ok(())
}

fn help() -> String {
    let names = STRUCTURES.each_ref().map(|entry| entry.name).join(", ");
    format!("The structure that counts lines, with its options: {names}")
}

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
