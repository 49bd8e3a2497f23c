//! The table of counting structures.

use std::fmt;
use std::str::FromStr;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::array::CounterWidth;
use super::options::{StructureError, StructureOptions};
use super::{ByteSize, Counter, Crc64, Exact, External, MisraGries, external, hashed, misra_gries};

/// A counting structure with its options, written `NAME[:OPTION=VALUE,...]`.
///
/// ```
/// use endpaper_detect::frequency::Structure;
/// assert_eq!("exact".parse(), Ok(Structure::Exact));
/// assert_eq!(Structure::default().to_string(), "crc64");
/// let hashed: Structure = "hashed:bits=24".parse()?;
/// assert_eq!(hashed.to_string(), "hashed:bits=24,counters=saturating");
/// let error = "hashed:bits=99".parse::<Structure>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the option 'bits' of the counting structure 'hashed' cannot be '99'; it takes 16 to 32"
/// );
/// # anyhow::Ok(())
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
    /// [`External`].
    External {
        /// Bytes of memory for all threads together.
        memory: u64,
    },
    /// [`super::Hashed`].
    Hashed {
        /// The array has 2 to the power of this number of counters.
        bits: u32,
        /// What a counter represents.
        counters: CounterWidth,
    },
    /// [`MisraGries`].
    MisraGries {
        /// Number of counters.
        counters: u32,
    },
}

/// An operation on a counting structure whose type is known at run time only.
pub trait StructureVisitor {
    /// The result.
    type Output;

    /// Runs the operation; `new` creates an empty structure with the chosen options.
    ///
    /// Its argument is the number of the set to be counted. Structures of the same set are merged at the end and may
    /// share memory until then. There are two sets if heads and tails are counted apart.
    fn build<C: Counter>(self, new: impl Fn(usize) -> Result<C> + Sync) -> Self::Output;
}

/// An entry of the table of structures.
#[derive(Clone, Copy, Debug)]
pub struct StructureEntry {
    /// The name.
    pub name: &'static str,
    /// Its possible errors and its memory use.
    pub about: &'static str,
    options: &'static [&'static str],
    /// What determines its memory, if it has no limit.
    memory: &'static str,
    read: fn(&StructureOptions<'_>) -> Result<Structure, StructureError>,
}

/// All structures, the default first.
pub static STRUCTURES: [StructureEntry; 5] = [
    StructureEntry {
        name: "crc64",
        about: "a 64-bit checksum per line; two lines in 10^19 collide; 12 to 24 bytes per distinct line",
        options: &[],
        memory: "it grows with the number of distinct lines, and 'external:memory=SIZE' keeps to a limit",
        read: |_| Ok(Structure::Crc64),
    },
    StructureEntry {
        name: "exact",
        about: "the lines themselves; exact; about 100 bytes per distinct line",
        options: &[],
        memory: "it grows with the number of distinct lines, and 'external:memory=SIZE' keeps to a limit",
        read: |_| Ok(Structure::Exact),
    },
    StructureEntry {
        name: "external",
        about: "the lines themselves, sorted on disk; exact, but if the counts (13 bytes per line) do not fit into memory, the \
                rarest are left out; at most memory=SIZE",
        options: &["memory"],
        memory: "",
        // 512 MiB is what the paper gives `sort`.
        read: |options| {
            let ByteSize(memory) =
                options.ranged("memory", external::MEMORY, ByteSize(512 << 20))?;
            Ok(Structure::External { memory })
        },
    },
    StructureEntry {
        name: "hashed",
        about: "2^bits shared counters of 8 bits, so rare lines may look frequent; counters=morris counts \
                beyond 254, within 21 %; 2^bits bytes",
        options: &["bits", "counters"],
        memory: "its option 'bits' decides it, 2^bits bytes",
        // The paper uses 23 bits.
        read: |options| {
            Ok(Structure::Hashed {
                bits: options.ranged("bits", hashed::BITS, 23)?,
                counters: options.word("counters", &CounterWidth::NAMES)?,
            })
        },
    },
    StructureEntry {
        name: "hot-items",
        about: "a fixed number of counters for the most frequent lines (Misra-Gries); counts of N lines are too low by at most \
                N / counters; 50 bytes per counter",
        options: &["counters"],
        memory: "its option 'counters' decides it, 50 bytes a counter",
        // The paper uses 100,000 counters.
        read: |options| {
            Ok(Structure::MisraGries {
                counters: options.ranged("counters", misra_gries::COUNTERS, 100_000)?,
            })
        },
    },
];

impl Structure {
    /// The entry of the structure in [`STRUCTURES`].
    pub fn entry(self) -> &'static StructureEntry {
        let row = match self {
            Structure::Crc64 => 0,
            Structure::Exact => 1,
            Structure::External { .. } => 2,
            Structure::Hashed { .. } => 3,
            Structure::MisraGries { .. } => 4,
        };
        &STRUCTURES[row]
    }

    /// The name without options.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The default K: the paper's 10, or its 5 for hot items, whose counters are too small (Kaser & Lemire, section 4).
    pub fn default_threshold(self) -> u64 {
        match self {
            Structure::MisraGries { .. } => 5,
            _ => 10,
        }
    }

    /// The largest K for which the counts decide whether a line occurs more than K times.
    pub fn largest_threshold(self) -> u64 {
        match self {
            Structure::Hashed { counters, .. } => counters.largest(),
            _ => u64::from(u32::MAX) - 1,
        }
    }

    /// The same structure with a memory limit of `bytes`.
    ///
    /// # Errors
    ///
    /// If it has no memory limit, or this one is out of range.
    pub fn with_memory(self, bytes: u64) -> Result<Structure, StructureError> {
        let StructureEntry { name, memory, .. } = *self.entry();
        if let Structure::External { .. } = self {
            return format!("{name}:memory={}", ByteSize(bytes)).parse();
        }
        Err(StructureError::Memory {
            name,
            because: memory,
        })
    }

    /// Runs `job` with the concrete type of the structure; no other code depends on the choice. `shards` structures
    /// share the memory that the options allow.
    pub fn dispatch<B: StructureVisitor>(self, shards: usize, job: B) -> B::Output {
        match self {
            Structure::Crc64 => job.build(|_| Ok(Crc64::default())),
            Structure::Exact => job.build(|_| Ok(Exact::default())),
            Structure::External { memory } => {
                let share = memory / shards.max(1) as u64;
                job.build(move |_| Ok(External::new(share, &std::env::temp_dir())))
            }
            Structure::Hashed { bits, counters } => {
                let sharing = hashed::SharedArrayBuilder::new(bits, counters);
                job.build(move |set| Ok(sharing.counter_for_set(set)))
            }
            Structure::MisraGries { counters } => job.build(move |_| Ok(MisraGries::new(counters))),
        }
    }
}

impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        match *self {
            Structure::Crc64 | Structure::Exact => f.pad(name),
            Structure::External { memory } => f.pad(&format!("{name}:memory={}", ByteSize(memory))),
            Structure::Hashed { bits, counters } => {
                let words = CounterWidth::NAMES
                    .iter()
                    .find(|&&(value, _)| value == counters);
                let word = words.map_or("", |&(_, word)| word);
                f.pad(&format!("{name}:bits={bits},counters={word}"))
            }
            Structure::MisraGries { counters } => f.pad(&format!("{name}:counters={counters}")),
        }
    }
}

impl FromStr for Structure {
    type Err = StructureError;

    fn from_str(text: &str) -> Result<Structure, StructureError> {
        let (name, options) = match text.split_once(':') {
            Some((name, options)) => (name, Some(options)),
            None => (text, None),
        };
        let entry = STRUCTURES.iter().find(|entry| entry.name == name);
        let entry = entry.ok_or_else(|| StructureError::Name {
            name: name.to_owned(),
            known: STRUCTURES.each_ref().map(|entry| entry.name).join(", "),
        })?;
        (entry.read)(&StructureOptions::parse(
            entry.name,
            entry.options,
            options,
        )?)
    }
}
