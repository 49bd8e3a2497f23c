//! The trait of all counting structures and the one table of them.

use std::fmt;
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

    /// Counts a batch.
    fn add_batch(&mut self, keys: &Keyed);

    /// Both counted together.
    ///
    /// # Errors
    ///
    /// If the two were made with other options, or the structure's storage fails.
    fn merge(self, other: Self) -> Result<Self>;

    /// Ends counting.
    fn finish(self) -> Counts;
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
    fn build<C: Counter>(self, new: impl Fn() -> C + Sync) -> Self::Output;
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

    /// Does a job with the structure's own type: the only place where the choice is looked at.
    pub fn dispatch<B: Build>(self, job: B) -> B::Output {
        match self {
            Structure::Crc64 => job.build(Crc64::default),
            Structure::Exact => job.build(Exact::default),
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
