//! A profile: what the detector knows of a collection. One weight for each fact in each of its roles at each end, how
//! doubt follows, and the landmarks of decided books.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::facts::{BLOCK_FACTS, PLACE_FACTS, block_names, place_names};
use super::kinds::{KindWeights, uniform_weights};
use super::landmarks::{LandmarkCount, Landmarks, SIDES};
use crate::calibration::Calibration;
use crate::frequency::document_frequency::LineForm;
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

/// Which facts a profile uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FactScope {
    /// All that hold for one library: its words, its producers, counts of its lines.
    #[default]
    OneLibrary,
    /// Only those that may hold for any: layout, and the share of the books that repeat a line.
    AnyLibrary,
}

/// Parts of the names of facts that speak of one library's words or of its producers.
const OF_ONE_LIBRARY: [&str; 17] = [
    "gutenberg",
    "etext",
    "small-print",
    "hand",
    "author",
    "many",
    "since-marker",
    "start-marker",
    "end-marker",
    "marker-inwards",
    "markers-inwards",
    "though-marker",
    "trade",
    "strong",
    "credits",
    "signed",
    "plain-prose",
];

impl FactScope {
    /// Whether each weight of an end may differ from 0.
    pub(super) fn uses(self) -> Vec<bool> {
        let of_one_library = |name: &str| OF_ONE_LIBRARY.iter().any(|part| name.contains(part));
        let is_share = |name: &str| name.starts_with("place:share-");
        let names = Profile::names();
        let names = names.iter();
        match self {
            FactScope::OneLibrary => names.map(|name| !is_share(name)).collect(),
            FactScope::AnyLibrary => names.map(|name| !of_one_library(name)).collect(),
        }
    }
}

/// What the posterior detector knows of a collection: weights in log odds per unit of a fact, and what else it needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// The facts that it uses.
    pub(super) scope: FactScope,
    /// How many lines of boilerplate left in the body weigh as much as one line of the book that is lost; 0: the most
    /// probable cuts are proposed, whatever is lost if they are wrong.
    pub(super) loss_cost: f32,
    /// What stood beside the cuts of the decided books that it was learned from, at both ends.
    pub(super) landmarks: [Landmarks; 2],
    /// For the start and for the end of a book, [`WEIGHTS`] each.
    pub(super) ends: [Vec<f32>; 2],
    /// At each end, log odds are divided by this before they become probabilities: 1 where they are well calibrated.
    pub(super) temperature: [f32; 2],
    /// Weights of the classifier of block kinds.
    pub(super) kinds: KindWeights,
    /// Turns the probability of the cuts and the reasons for doubt into the doubt.
    calibration: Calibration,
    /// CRC-64 of the labelled books they were fitted to, ascending: measured on these, they would look too good.
    pub(super) fitted_to: Vec<u64>,
    /// Number of labelled books that weights were tried on which saw no book of their work, and of those with both cuts
    /// exact.
    out_of_fold: Option<(u32, u32)>,
}

/// The first line of a weights file.
const HEADER: &str = "end\tfact\tweight";

/// The first column of a line that names a labelled book. (`book` is a kind of block.)
const FITTED_TO: &str = "fitted-to";

/// The first column of a line with a weight of the doubt.
const DOUBT: &str = "doubt";

/// The first column of the lines that are neither weights nor books.
const PROFILE: &str = "profile";

/// [`Profile::loss_cost`] of the generic profile: with it, collections that it has not seen lose less than a tenth of a
/// line a book on average, and two thirds of their books are cut within ten lines.
pub(super) const LOSS_COST_OF_GENERIC: f32 = 20.0;

/// The name of [`Profile::loss_cost`].
const LOSS_COST: &str = "loss-cost";

/// The name of [`FactScope::AnyLibrary`].
const ANY_LIBRARY: &str = "any-library";

/// The first column of a landmark.
const LANDMARK: &str = "landmark";

/// The names of the figures out of fold.
const OUT_OF_FOLD: [&str; 2] = ["judged-books", "both-exact"];

/// The name of the number of lines of a profile file, from which a file that was cut off is known. Older files have none.
const LINES: &str = "lines";

/// Largest magnitude of a number in a profile. Fitted weights are below 100; numbers near the largest ones become NaN.
const LARGEST: f32 = 1e6;

/// What log odds may be divided by.
const TEMPERATURES: std::ops::RangeInclusive<f32> = 0.01..=100.0;

/// The name of a temperature among the facts.
const TEMPERATURE: &str = "temperature";

/// The shipped profiles: fitted to 299 labelled Project Gutenberg books, and to collections of several libraries.
const GUTENBERG: &str = include_str!("gutenberg.profile");
const GENERIC: &str = include_str!("generic.profile");

impl Default for Profile {
    fn default() -> Profile {
        Profile {
            scope: FactScope::default(),
            loss_cost: 0.0,
            landmarks: <[Landmarks; 2]>::default(),
            ends: [vec![0.0; WEIGHTS], vec![0.0; WEIGHTS]],
            temperature: [1.0; 2],
            kinds: uniform_weights(),
            calibration: Calibration::default(),
            fitted_to: Vec::new(),
            out_of_fold: None,
        }
    }
}

impl Profile {
    /// The shipped profile of Project Gutenberg.
    pub fn gutenberg() -> &'static Arc<Profile> {
        static PROFILE: LazyLock<Arc<Profile>> = LazyLock::new(|| shipped(GUTENBERG));
        &PROFILE
    }

    /// The shipped profile for collections that no other profile knows.
    pub fn generic() -> &'static Arc<Profile> {
        static PROFILE: LazyLock<Arc<Profile>> = LazyLock::new(|| shipped(GENERIC));
        &PROFILE
    }

    /// A profile without weights.
    pub(super) fn empty(scope: FactScope) -> Profile {
        Profile {
            scope,
            ..Profile::default()
        }
    }

    /// The facts that it uses.
    pub fn scope(&self) -> FactScope {
        self.scope
    }

    /// Whether it is for collections that no other profile knows.
    pub fn is_for_any_library(&self) -> bool {
        self.scope == FactScope::AnyLibrary
    }

    /// Number of decided books that it was learned from.
    pub fn decided_books(&self) -> u32 {
        let books = self.landmarks.iter().map(|landmarks| landmarks.books);
        books.max().unwrap_or(0)
    }

    /// Whether it was learned from decided books of the collection.
    pub fn is_learned(&self) -> bool {
        self.landmarks.iter().any(|landmarks| !landmarks.is_empty())
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
        digest.update(self.loss_cost.to_le_bytes());
        for line in self.landmark_lines() {
            digest.update(line);
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

    /// Whether a file is a profile: its first line says so.
    pub fn is_profile_file(path: &Path) -> bool {
        let mut first = vec![0; HEADER.len()];
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut first));
        read.is_ok() && first == HEADER.as_bytes()
    }

    /// Number of labelled books that were judged by weights that saw no book of their work, and of those with both cuts
    /// exact; `None` if this is not known.
    pub fn out_of_fold(&self) -> Option<(u32, u32)> {
        self.out_of_fold
    }

    /// Sets the figures out of fold.
    pub(crate) fn with_out_of_fold(self, judged: u32, exact: u32) -> Profile {
        Profile {
            out_of_fold: Some((judged, exact)),
            ..self
        }
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

    /// The weights of one end, one for each fact in each role, in the order of [`Profile::names`].
    pub(super) fn weights_at(&self, end: End) -> &[f32] {
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

    /// Formats the weights as text: a header line, the number of lines, then `end` (or the kind of a block), `fact` and `weight`,
    /// tab-separated, without weights of zero. Weights of the doubt have `doubt` as their end. The books they were fitted
    /// to follow, with `fitted-to` as their end and their CRC-64 as their fact.
    pub fn to_tsv(&self) -> String {
        let mut out = String::new();
        if self.scope == FactScope::AnyLibrary {
            let _ = writeln!(out, "{PROFILE}\t{ANY_LIBRARY}\t1");
        }
        if self.loss_cost > 0.0 {
            let _ = writeln!(out, "{PROFILE}\t{LOSS_COST}\t{}", self.loss_cost);
        }
        for (name, figure) in (self.out_of_fold.iter())
            .flat_map(|&(judged, exact)| OUT_OF_FOLD.into_iter().zip([judged, exact]))
        {
            let _ = writeln!(out, "{PROFILE}\t{name}\t{figure}");
        }
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
        out.extend(self.landmark_lines());
        let lines = out.lines().count() + 2;
        format!("{HEADER}\n{PROFILE}\t{LINES}\t{lines}\n{out}")
    }

    /// The landmarks as lines of a profile file.
    fn landmark_lines(&self) -> impl Iterator<Item = String> {
        let each = self.landmarks.iter().zip(["start", "end"]);
        each.flat_map(|(landmarks, end)| {
            let books = (landmarks.books > 0)
                .then(|| format!("{LANDMARK}\t{end}:books\t{}\n", landmarks.books));
            let positions = landmarks.positions.iter();
            let positions = positions
                .map(move |(rows, books)| format!("{LANDMARK}\t{end}:rows:{rows}\t{books}\n"));
            let forms = landmarks.forms.iter().zip(SIDE_NAMES);
            let forms = forms.flat_map(move |(forms, side)| {
                forms.iter().flat_map(move |(form, count)| {
                    let counts = [("at-cut", count.at_cut), ("elsewhere", count.elsewhere)];
                    let counts = counts.into_iter().filter(|(_, count)| *count > 0);
                    counts.map(move |(what, count)| {
                        let form = form.number();
                        format!("{LANDMARK}\t{end}:{side}:{form:09x}:{what}\t{count}\n")
                    })
                })
            });
            books.into_iter().chain(positions).chain(forms)
        })
    }

    /// Sets the landmark that a line of a profile file names; `None` if it names none.
    fn set_landmark(&mut self, name: &str, count: u32) -> Option<()> {
        let mut parts = name.split(':');
        let landmarks = match parts.next()? {
            "start" => &mut self.landmarks[0],
            "end" => &mut self.landmarks[1],
            _ => return None,
        };
        match (parts.next()?, parts.next(), parts.next()) {
            ("books", None, None) => landmarks.books = count,
            ("rows", Some(rows), None) => {
                landmarks.positions.insert(rows.parse().ok()?, count);
            }
            (side, Some(form), Some(what)) => {
                let side = SIDE_NAMES.iter().position(|name| *name == side)?;
                let form = LineForm::from_number(u64::from_str_radix(form, 16).ok()?)?;
                let known: &mut LandmarkCount = landmarks.forms[side].entry(form).or_default();
                match what {
                    "at-cut" => known.at_cut = count,
                    "elsewhere" => known.elsewhere = count,
                    _ => return None,
                }
            }
            _ => return None,
        }
        parts.next().is_none().then_some(())
    }

    /// Reads the text that [`Profile::to_tsv`] writes.
    ///
    /// # Errors
    ///
    /// A line is invalid; the message has its number. Or lines are missing.
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
            let is_count = end == LANDMARK || end == PROFILE;
            ensure!(
                (if is_count { 0.0 } else { -LARGEST }..=LARGEST).contains(&value),
                "line {number}: '{weight}' is out of range; fit the profile again"
            );
            if (end, fact) == (PROFILE, LINES) {
                let found = text.lines().count();
                ensure!(
                    found == value as usize && text.ends_with('\n'),
                    "the file was cut off: it has {found} of {value} lines; copy it again"
                );
                continue;
            }
            if end == FITTED_TO {
                let crc = u64::from_str_radix(fact, 16);
                books.push(crc.with_context(|| {
                    format!("line {number}: '{fact}' is not a CRC-64 in hex digits")
                })?);
                continue;
            }
            if end == LANDMARK {
                let set = all.set_landmark(fact, value as u32);
                set.with_context(|| format!("line {number}: '{fact}' is not a landmark"))?;
                continue;
            }
            if (end, fact) == (PROFILE, ANY_LIBRARY) {
                all.scope = FactScope::AnyLibrary;
                continue;
            }
            if end == PROFILE && OUT_OF_FOLD.contains(&fact) {
                let (judged, exact) = all.out_of_fold.get_or_insert_default();
                let figure = if fact == OUT_OF_FOLD[0] {
                    judged
                } else {
                    exact
                };
                *figure = value as u32;
                continue;
            }
            let place = all.weight_mut(&names, number, end, fact)?;
            ensure!(
                TEMPERATURES.contains(&value) || fact != TEMPERATURE,
                "line {number}: a temperature is from 0.01 to 100, not {weight}"
            );
            *place = value;
        }
        ensure!(
            text.lines().nth(1).is_some(),
            "the file has no weights: it was cut off; copy it again"
        );
        Ok(all.with_fitted_to(books))
    }

    /// The weight named by the columns `end` and `fact` of a weights file; `line` is for the error message.
    fn weight_mut(
        &mut self,
        names: &WeightIndex,
        line: u32,
        end: &str,
        fact: &str,
    ) -> Result<&mut f32> {
        let unknown = || format!("line {line}: unknown fact '{fact}'; fit the weights again");
        let at = match end {
            "start" => 0,
            "end" => 1,
            PROFILE if fact == LOSS_COST => return Ok(&mut self.loss_cost),
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

/// Names of the sides of a cut in landmarks.
const SIDE_NAMES: [&str; SIDES] = ["cut", "kept"];

/// A profile inside the program. Fails rather than using zero weights, whose cuts would look like any others.
fn shipped(text: &str) -> Arc<Profile> {
    Arc::new(Profile::parse(text).expect("the profiles inside the program are whole"))
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
