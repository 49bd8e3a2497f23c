//! The trait of all counting structures and the one table of them.

use std::fmt;
use std::io::{Read, Write};
use std::str::FromStr;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::{Counts, Crc64, Exact, Keyed};

/// A counting structure.
///
/// Every worker fills one of its own; they are merged in the end.
pub trait Counter: Sized + Send {
    /// Whether batches must come with the texts of their lines.
    const WANTS_TEXT: bool;

    /// Counts a batch: the lines of one book.
    ///
    /// # Errors
    ///
    /// If the structure's storage fails. What was counted is lost then; the build ends.
    fn add_batch(&mut self, keys: &Keyed) -> Result<()>;

    /// Both counted together.
    ///
    /// # Errors
    ///
    /// If the two were made with other options, or the structure's storage fails.
    fn merge(self, other: Self) -> Result<Self>;

    /// Ends counting. Lines that occur fewer than `below` times may be left out, and the counts say so
    /// ([`Counts::pruned_below`]); 0 and 1 keep all.
    ///
    /// # Errors
    ///
    /// If the structure's storage fails.
    fn finish(self, below: u64) -> Result<Counts>;

    /// Writes everything that was counted, singletons included: the contents of a part file. What
    /// [`Counter::load`] reads back merges as if it had been counted here.
    ///
    /// # Errors
    ///
    /// If writing fails.
    fn save(self, out: &mut dyn Write) -> Result<()>;

    /// Takes what [`Counter::save`] wrote into this structure, which is empty and was made with the same options.
    ///
    /// # Errors
    ///
    /// If reading fails, or the bytes are not what `save` writes. No length in them is trusted.
    fn load(&mut self, from: &mut dyn Read) -> Result<()>;
}

/// Names of the structures; dispatches once per build.
///
/// ```
/// use endpaper::frequency::Structure;
/// assert_eq!("exact".parse(), Ok(Structure::Exact));
/// assert_eq!(Structure::default().to_string(), "crc64");
/// let error = "crc-64".parse::<Structure>().unwrap_err();
/// assert_eq!(error.to_string(), "no counting structure is called 'crc-64'; there are crc64, exact");
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub enum Structure {
    /// [`Crc64`].
    #[default]
    Crc64,
    /// [`Exact`].
    Exact,
}

/// What is done with a structure once its type is known.
pub trait Build {
    /// What comes out.
    type Output;

    /// Does it; `new` gives an empty structure with the options that were asked for.
    fn build<C: Counter>(self, new: impl Fn() -> Result<C> + Sync) -> Self::Output;
}

impl Structure {
    /// All structures with their names, the default first.
    pub const TABLE: [(Structure, &str); 2] =
        [(Structure::Crc64, "crc64"), (Structure::Exact, "exact")];

    /// Its name in files, options and help.
    pub fn name(self) -> &'static str {
        let entry = Structure::TABLE.iter().find(|entry| entry.0 == self);
        entry.map_or("", |entry| entry.1)
    }

    /// Does a job with the structure's own type: the only place where the choice is looked at. As many structures as
    /// `shards` share what memory the options allow.
    pub fn dispatch<B: Build>(self, _shards: usize, job: B) -> B::Output {
        match self {
            Structure::Crc64 => job.build(|| Ok(Crc64::default())),
            Structure::Exact => job.build(|| Ok(Exact::default())),
        }
    }
}

impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No structure has that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no counting structure is called '{0}'; there are {names}", names = names())]
pub struct UnknownStructure(String);

fn names() -> String {
    Structure::TABLE.map(|entry| entry.1).join(", ")
}

impl FromStr for Structure {
    type Err = UnknownStructure;

    fn from_str(name: &str) -> Result<Structure, UnknownStructure> {
        let entry = Structure::TABLE.iter().find(|entry| entry.1 == name);
        entry
            .map(|entry| entry.0)
            .ok_or_else(|| UnknownStructure(name.to_owned()))
    }
}
