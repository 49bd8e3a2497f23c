//! The weights: one for each fact in each of its roles, at each end.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::facts::{BLOCK_FACTS, PLACE_FACTS, block_names, place_names};
use super::kinds::{KindWeights, uniform_weights};
use crate::calibration::Calibration;
use crate::{BlockKind, End};

/// The roles of blocks at a cut position.
pub(super) const ROLES: [&str; 6] = [
    "cut",
    "kept",
    "outer",
    "inner",
    "second-inner",
    "second-outer",
];

/// Number of roles with a single block each; the first two have several.
pub(super) const SINGLE: usize = ROLES.len() - 2;

/// Number of weights of one end: for each block cut away, for the facts of blocks in each role, for the facts of the
/// position.
pub(super) const WEIGHTS: usize = 1 + ROLES.len() * BLOCK_FACTS + PLACE_FACTS;

/// The index of the first weight of a role.
pub(super) const fn role(role: usize) -> usize {
    1 + role * BLOCK_FACTS
}

/// The index of the first weight of the facts of a position.
pub(super) const PLACES: usize = role(ROLES.len());

/// Profile of the posterior detector, in log odds per unit of a fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// For the start and for the end of a book, [`WEIGHTS`] each.
    pub(super) ends: [Vec<f32>; 2],
    /// At each end, log odds are divided by this before they become probabilities: 1 where they are well calibrated.
    pub(super) temperature: [f32; 2],
    /// Profile of the classifier of block kinds.
    pub(super) kinds: KindWeights,
    /// Turns the probability of the cuts and the reasons for doubt into the doubt.
    calibration: Calibration,
    /// CRC-64 of the labelled books they were fitted to, ascending: measured on these, they would look too good.
    fitted_to: Vec<u64>,
}

/// The first line of a weights file.
const HEADER: &str = "end\tfact\tweight";

/// The first column of a line that names a labelled book. (`book` is a kind of block.)
const FITTED_TO: &str = "fitted-to";

/// The first column of a line with a weight of the doubt.
const DOUBT: &str = "doubt";

/// The name of a temperature among the facts.
const TEMPERATURE: &str = "temperature";

/// The weights that are shipped, fitted to 299 labelled Project Gutenberg books.
const SHIPPED: &str = include_str!("shipped.tsv");

impl Default for Profile {
    fn default() -> Profile {
        Profile {
            ends: [vec![0.0; WEIGHTS], vec![0.0; WEIGHTS]],
            temperature: [1.0; 2],
            kinds: uniform_weights(),
            calibration: Calibration::default(),
            fitted_to: Vec::new(),
        }
    }
}

impl Profile {
    /// The weights that are shipped with the program.
    pub fn shipped() -> &'static Profile {
        static WEIGHTS: LazyLock<Profile> = LazyLock::new(|| {
            // Fails rather than using zero weights, whose cuts would look like any others.
            Profile::parse(SHIPPED).expect("the weights inside the program are whole")
        });
        &WEIGHTS
    }

    /// An identifier of 16 hex digits, which depends on every weight and temperature.
    pub fn digest(&self) -> String {
        let all = self.ends.iter().chain(&self.kinds).flatten();
        let mut digest = Sha256::new();
        for weight in all
            .chain(&self.temperature)
            .chain(self.calibration.values())
        {
            digest.update(weight.to_le_bytes());
        }
        let digest = digest.finalize();
        digest.iter().take(8).fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }

    /// Whether they were fitted to the label of a text with this CRC-64 ([`endpaper_text::scan::Scan::crc`]).
    pub fn were_fitted_to(&self, crc: u64) -> bool {
        self.fitted_to.binary_search(&crc).is_ok()
    }

    /// Adds to the texts, by CRC-64, whose labels the weights were fitted to.
    pub fn with_fitted_to(mut self, crcs: impl IntoIterator<Item = u64>) -> Profile {
        self.fitted_to.extend(crcs);
        self.fitted_to.sort_unstable();
        self.fitted_to.dedup();
        self
    }

    /// How doubt follows from the probability of the cuts and the reasons.
    pub(crate) fn calibration(&self) -> &Calibration {
        &self.calibration
    }

    /// Replaces how doubt follows from the probability of the cuts and the reasons.
    pub(crate) fn with_calibration(self, calibration: Calibration) -> Profile {
        Profile {
            calibration,
            ..self
        }
    }

    pub(super) fn of(&self, end: End) -> &[f32] {
        &self.ends[end as usize]
    }

    /// What log odds are divided by at the start and at the end.
    pub fn temperatures(&self) -> [f32; 2] {
        self.temperature
    }

    /// Names of the weights of an end, in order.
    pub(super) fn names() -> Vec<String> {
        let mut names = vec!["cut:block".to_owned()];
        for role in ROLES {
            names.extend(block_names().map(|name| format!("{role}:{name}")));
        }
        names.extend(place_names().map(|name| format!("place:{name}")));
        names
    }

    /// The name of a weight; empty if there is no such weight.
    pub(super) fn name(weight: usize) -> &'static str {
        static NAMES: LazyLock<Vec<String>> = LazyLock::new(Profile::names);
        NAMES.get(weight).map_or("", String::as_str)
    }

    /// Formats the weights as text: a header line, then `end` (or the kind of a block), `fact` and `weight`,
    /// tab-separated, without weights of zero. Profile of the doubt have `doubt` as their end. The books they were fitted
    /// to follow, with `fitted-to` as their end and their CRC-64 as their fact.
    pub fn to_tsv(&self) -> String {
        let mut out = format!("{HEADER}\n");
        let names = Profile::names();
        for (end, weights, temperature) in [
            ("start", &self.ends[0], self.temperature[0]),
            ("end", &self.ends[1], self.temperature[1]),
        ] {
            let _ = writeln!(out, "{end}\t{TEMPERATURE}\t{temperature}");
            for (name, weight) in names.iter().zip(weights) {
                if weight.abs() >= 0.0005 {
                    let _ = writeln!(out, "{end}\t{name}\t{weight:.3}");
                }
            }
        }
        for (kind, weights) in BlockKind::ALL.iter().zip(&self.kinds) {
            for (name, weight) in kind_names().zip(weights) {
                if weight.abs() >= 0.005 {
                    let _ = writeln!(out, "{kind}\t{name}\t{weight:.2}");
                }
            }
        }
        for (name, weight) in self.calibration.lines() {
            let _ = writeln!(out, "{DOUBT}\t{name}\t{weight:.3}");
        }
        for crc in &self.fitted_to {
            let _ = writeln!(out, "{FITTED_TO}\t{crc:016x}\t1");
        }
        out
    }

    /// Reads the text that [`Profile::to_tsv`] writes.
    ///
    /// # Errors
    ///
    /// A line is invalid; the message has its number.
    pub fn parse(text: &str) -> Result<Profile> {
        let mut lines = text.lines().zip(1..);
        ensure!(
            lines.next().is_some_and(|(first, _)| first == HEADER),
            "this is not a weights file: its first line is not `end  fact  weight`, tab separated"
        );
        let names = WeightIndex {
            facts: Profile::names().into_iter().zip(0..).collect(),
            kind_facts: kind_names().zip(0..).collect(),
        };
        let mut all = Profile::default();
        let mut books = Vec::new();
        for (line, number) in lines {
            let fields: Vec<&str> = line.split('\t').collect();
            let [end, fact, weight] = fields[..] else {
                bail!("line {number} has {} columns, not 3", fields.len());
            };
            let value: f32 = weight
                .parse()
                .ok()
                .filter(|value: &f32| value.is_finite())
                .with_context(|| format!("line {number}: '{weight}' is not a number"))?;
            if end == FITTED_TO {
                let crc = u64::from_str_radix(fact, 16);
                books.push(crc.with_context(|| {
                    format!("line {number}: '{fact}' is not a CRC-64 in hex digits")
                })?);
                continue;
            }
            let place = all.place(&names, number, end, fact)?;
            ensure!(
                value > 0.0 || fact != TEMPERATURE,
                "line {number}: a temperature is greater than 0"
            );
            *place = value;
        }
        Ok(all.with_fitted_to(books))
    }

    /// The weight that a line of a file names.
    fn place(&mut self, names: &WeightIndex, line: u32, end: &str, fact: &str) -> Result<&mut f32> {
        let unknown = || format!("line {line}: unknown fact '{fact}'; fit the weights again");
        let at = match end {
            "start" => 0,
            "end" => 1,
            DOUBT => return self.calibration.weight_mut(fact).with_context(unknown),
            word => {
                let kind: BlockKind = word.parse().map_err(|_| {
                    anyhow!(
                        "line {line}: '{word}' is neither start nor end nor a kind of block nor {DOUBT} nor {FITTED_TO}"
                    )
                })?;
                let fact = *names.kind_facts.get(fact).with_context(unknown)?;
                return Ok(&mut self.kinds[kind as usize][fact]);
            }
        };
        if fact == TEMPERATURE {
            return Ok(&mut self.temperature[at]);
        }
        let fact = *names.facts.get(fact).with_context(unknown)?;
        Ok(&mut self.ends[at][fact])
    }
}

/// Indices of weights by their names.
struct WeightIndex {
    facts: HashMap<String, usize>,
    kind_facts: HashMap<String, usize>,
}

/// Names of the weights of a kind of block, in order.
fn kind_names() -> impl Iterator<Item = String> {
    std::iter::once("kind".to_owned()).chain(block_names())
}
