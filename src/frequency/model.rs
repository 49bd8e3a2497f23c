//! A model: counts with every parameter that made them, named by a digest, as a file.
//!
//! # The file
//!
//! Numbers are little-endian; `varint` is LEB128.
//!
//! | what | size |
//! | --- | --- |
//! | `EPMODEL` and a NUL | 8 bytes |
//! | format version, now 1 | u32 |
//! | length of the whole file | u64 |
//! | preprocessing version, head window, tail window | 3 x u32 |
//! | name of the structure | u8 length, bytes |
//! | books, lines, corpus digest, pruned below | 4 x u64 |
//! | number of sections, at least one | u32 |
//! | each section: kind, ends, measure, certainty | 4 x u8 |
//! | ... number of keys, number of shared keys | 2 x u64 |
//! | ... keys, ascending: the first, then distances | varints |
//! | ... counts in the same order | varints |
//! | ... shared keys (index distances) with the count of the rarest text | pairs of varints |
//! | CRC-64/XZ of everything before | u64 |
//!
//! The first section is what [`Model::counts`] answers. A section is described by what was counted (kind of key),
//! where (ends) and how (measure), so that later sections are no new format.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::coding::{Reader, put_u32, put_u64, put_varint};
use super::{Certainty, Counts, Structure};
use crate::checksum::crc64;
use crate::line::{KeyKind, PREPROCESSING_VERSION};

/// Version of the file format that is written, and the only one that is read.
pub const VERSION: u32 = 1;

const MAGIC: &[u8; 8] = b"EPMODEL\0";
/// Magic, version and length.
const HEADER: usize = 8 + 4 + 8;
/// The checksum.
const TRAILER: usize = 8;

/// Everything that decides what the counts are, and what they were made from. Thresholds are not among it: they are
/// applied when a model is used.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ModelParameters {
    /// Non-trivial lines of the head window (the paper's p_max).
    pub head: u32,
    /// Non-trivial lines of the tail window (e_max).
    pub tail: u32,
    /// [`PREPROCESSING_VERSION`] of the program that counted.
    pub preprocessing: u32,
    /// The structure that counted.
    pub structure: Structure,
    /// Books counted.
    pub books: u64,
    /// Lines counted, with repetitions.
    pub lines: u64,
    /// Digest of the corpus: the books' ids, sizes and checksums.
    pub corpus: u64,
    /// Keys that occur fewer times were left out (0 and 1: none were).
    pub pruned_below: u64,
}

/// Which ends of the books were counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Ends {
    /// Heads and tails together.
    Both,
    /// Heads only.
    Head,
    /// Tails only.
    Tail,
}

/// How lines were counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Measure {
    /// Every line that holds the key.
    Occurrences,
    /// Every book that holds the key, once.
    Books,
}

/// What a section counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SectionKind {
    /// The form of the lines.
    pub kind: KeyKind,
    /// Where they stand.
    pub ends: Ends,
    /// How they are counted.
    pub measure: Measure,
}

impl SectionKind {
    /// What the paper counts: the lines themselves, at both ends, every occurrence.
    pub const PRINCIPAL: SectionKind = SectionKind {
        kind: KeyKind::Exact,
        ends: Ends::Both,
        measure: Measure::Occurrences,
    };
}

/// Counts of one kind beside the principal ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// What was counted.
    pub kind: SectionKind,
    /// How often it occurs.
    pub counts: Arc<Counts>,
}

/// Counts with every parameter that made them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// The frequencies of [`SectionKind::PRINCIPAL`].
    pub counts: Arc<Counts>,
    /// What made them.
    pub parameters: ModelParameters,
    /// Further counts.
    pub sections: Vec<Section>,
}

/// Why a model file is refused.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// Something else.
    #[error("it is not a model file; 'endpaper model build' makes one")]
    NotAModel,
    /// Written by another version of the program.
    #[error(
        "it has format version {found}, this program reads version {VERSION}; build the model again"
    )]
    Version {
        /// The version in the file.
        found: u32,
    },
    /// The end is missing.
    #[error("it ends too early; copy or build it again")]
    Truncated,
    /// Bytes were changed.
    #[error("its checksum does not fit its contents; copy or build it again")]
    Checksum,
    /// Its keys mean other lines than ours.
    #[error(
        "its lines were preprocessed by version {found}, this program uses version {PREPROCESSING_VERSION}; build the model again"
    )]
    Preprocessing {
        /// The version in the file.
        found: u32,
    },
    /// Made by a program that knows more than this one, or by mistake.
    #[error("it is damaged or from a newer program ({0}); build the model again")]
    Malformed(&'static str),
}

impl Model {
    /// Reads a model file.
    ///
    /// # Errors
    ///
    /// Names the file and, in one sentence, why it is refused.
    pub fn read(path: &Path) -> anyhow::Result<Model> {
        let refused = || format!("the model '{}' cannot be used", path.display());
        let bytes = std::fs::read(path).with_context(refused)?;
        Model::from_bytes(&bytes).with_context(refused)
    }

    /// Writes a model file, whole or not at all.
    ///
    /// # Errors
    ///
    /// If the system refuses; names the file.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        crate::atomic::write(path, |out| out.write_all(&self.to_bytes()))
    }

    /// The bytes of the model's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend_from_slice(MAGIC);
        put_u32(&mut out, VERSION);
        put_u64(&mut out, 0);
        self.parameters.put(&mut out);
        let principal = Section {
            kind: SectionKind::PRINCIPAL,
            counts: Arc::clone(&self.counts),
        };
        put_u32(&mut out, 1 + self.sections.len() as u32);
        for section in std::iter::once(&principal).chain(&self.sections) {
            section.put(&mut out);
        }
        let len = (out.len() + TRAILER) as u64;
        out[HEADER - 8..HEADER].copy_from_slice(&len.to_le_bytes());
        let checksum = crc64(&out);
        put_u64(&mut out, checksum);
        out
    }

    /// Reads the bytes of a model file.
    ///
    /// # Errors
    ///
    /// See [`ModelError`]. Whatever the bytes are, no more memory is taken than a small multiple of their number.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, ModelError> {
        let mut reader = Reader::new(checked(bytes)?);
        let parameters = ModelParameters::take(&mut reader)?;
        let sections = reader.u32()?;
        let principal = Section::take(&mut reader, parameters.pruned_below)?;
        if principal.kind != SectionKind::PRINCIPAL {
            return Err(ModelError::Malformed("the first section is not the lines"));
        }
        let rest = 1..sections;
        let sections = rest.map(|_| Section::take(&mut reader, parameters.pruned_below));
        let sections: Vec<Section> = sections.collect::<Result<_, _>>()?;
        if reader.left() > 0 {
            return Err(ModelError::Malformed("something follows the last section"));
        }
        Ok(Model {
            counts: principal.counts,
            parameters,
            sections,
        })
    }

    /// Names the model: 16 hex digits, the CRC-64 of its file.
    pub fn digest(&self) -> String {
        Model::digest_of(&self.to_bytes())
    }

    /// The digest of the model whose file this is: its last bytes, the checksum, as they stand.
    pub(crate) fn digest_of(file: &[u8]) -> String {
        let trailer = file.last_chunk().copied().unwrap_or_default();
        format!("{:016x}", u64::from_le_bytes(trailer))
    }

    /// Without the keys that occur fewer than `below` times.
    pub fn pruned(&self, below: u64) -> Model {
        let prune = |counts: &Counts| Arc::new(counts.pruned(below));
        let mut parameters = self.parameters.clone();
        parameters.pruned_below = below.max(parameters.pruned_below);
        let sections = self.sections.iter().map(|section| Section {
            kind: section.kind,
            counts: prune(&section.counts),
        });
        Model {
            counts: prune(&self.counts),
            parameters,
            sections: sections.collect(),
        }
    }

    /// Leaves out the rarest keys until the file is at most `max_bytes` long; `None` if even no key at all is too much.
    pub fn fitted(&self, max_bytes: u64) -> Option<Model> {
        let fits = |model: &Model| model.to_bytes().len() as u64 <= max_bytes;
        if fits(self) {
            return Some(self.clone());
        }
        let mut frequencies: Vec<u64> = self.counts.iter().map(|(_, count)| count + 1).collect();
        frequencies.sort_unstable();
        frequencies.dedup();
        // The file only gets shorter the more is left out.
        let first = frequencies.partition_point(|&below| !fits(&self.pruned(below)));
        frequencies.get(first).map(|&below| self.pruned(below))
    }
}

/// What stands between the header and the checksum of a file, after looking at both.
fn checked(bytes: &[u8]) -> Result<&[u8], ModelError> {
    let begin = &bytes[..bytes.len().min(MAGIC.len())];
    if begin.is_empty() || !MAGIC.starts_with(begin) {
        return Err(ModelError::NotAModel);
    }
    let mut header = Reader::new(bytes);
    header.bytes(MAGIC.len())?;
    let found = header.u32()?;
    if found != VERSION {
        return Err(ModelError::Version { found });
    }
    let len = header.u64()?;
    if (bytes.len() as u64) < len {
        return Err(ModelError::Truncated);
    }
    let (contents, trailer) = bytes.split_last_chunk().ok_or(ModelError::Truncated)?;
    if crc64(contents) != u64::from_le_bytes(*trailer) {
        return Err(ModelError::Checksum);
    }
    contents.get(HEADER..).ok_or(ModelError::Truncated)
}

impl ModelParameters {
    fn put(&self, out: &mut Vec<u8>) {
        for number in [self.preprocessing, self.head, self.tail] {
            put_u32(out, number);
        }
        let name = self.structure.name();
        out.push(name.len() as u8);
        out.extend_from_slice(name.as_bytes());
        for number in [self.books, self.lines, self.corpus, self.pruned_below] {
            put_u64(out, number);
        }
    }

    fn take(reader: &mut Reader<'_>) -> Result<ModelParameters, ModelError> {
        let preprocessing = reader.u32()?;
        if preprocessing != PREPROCESSING_VERSION {
            return Err(ModelError::Preprocessing {
                found: preprocessing,
            });
        }
        let (head, tail) = (reader.u32()?, reader.u32()?);
        let len = reader.u8()?.into();
        let name = std::str::from_utf8(reader.bytes(len)?).ok();
        let structure = name.and_then(|name| name.parse().ok());
        Ok(ModelParameters {
            head,
            tail,
            preprocessing,
            structure: structure.ok_or(ModelError::Malformed("an unknown counting structure"))?,
            books: reader.u64()?,
            lines: reader.u64()?,
            corpus: reader.u64()?,
            pruned_below: reader.u64()?,
        })
    }
}

/// The values of the descriptions of a section, in the order of their codes.
const KINDS: [KeyKind; 3] = [KeyKind::Exact, KeyKind::Skeleton, KeyKind::Opening];
const ENDS: [Ends; 3] = [Ends::Both, Ends::Head, Ends::Tail];
const MEASURES: [Measure; 2] = [Measure::Occurrences, Measure::Books];
const CERTAINTIES: [Certainty; 2] = [Certainty::Exact, Certainty::AtMost];

fn put_code<T: PartialEq>(out: &mut Vec<u8>, table: &[T], value: &T) {
    let code = table.iter().position(|entry| entry == value);
    out.push(code.map_or(u8::MAX, |code| code as u8));
}

fn take_code<T: Copy>(reader: &mut Reader<'_>, table: &[T]) -> Result<T, ModelError> {
    let code = usize::from(reader.u8()?);
    let value = table.get(code).copied();
    value.ok_or(ModelError::Malformed("an unknown kind of section"))
}

impl Section {
    fn put(&self, out: &mut Vec<u8>) {
        put_code(out, &KINDS, &self.kind.kind);
        put_code(out, &ENDS, &self.kind.ends);
        put_code(out, &MEASURES, &self.kind.measure);
        put_code(out, &CERTAINTIES, &self.counts.certainty());
        put_u64(out, self.counts.len() as u64);
        put_u64(out, self.counts.minima().len() as u64);
        put_ascending(out, self.counts.keys());
        for &count in self.counts.counts() {
            put_varint(out, count.into());
        }
        let (shared, rarest): (Vec<u64>, Vec<u32>) = self.counts.minima().iter().copied().unzip();
        put_ascending(out, &shared);
        for count in rarest {
            put_varint(out, count.into());
        }
    }

    fn take(reader: &mut Reader<'_>, pruned_below: u64) -> Result<Section, ModelError> {
        let kind = SectionKind {
            kind: take_code(reader, &KINDS)?,
            ends: take_code(reader, &ENDS)?,
            measure: take_code(reader, &MEASURES)?,
        };
        let certainty = take_code(reader, &CERTAINTIES)?;
        // A key and its count take at least two bytes.
        let (len, shared) = (reader.count(2)?, reader.count(2)?);
        let keys = take_ascending(reader, len)?;
        let counts = take_counts(reader, len)?;
        let shared_keys = take_ascending(reader, shared)?;
        let rarest = take_counts(reader, shared)?;
        let minima = shared_keys.into_iter().zip(rarest).collect();
        let counts = Counts::from_sorted(keys, counts, certainty)
            .with_minima(minima)
            .with_pruned_below(pruned_below);
        Ok(Section {
            kind,
            counts: Arc::new(counts),
        })
    }
}

/// Ascending numbers, each once, as distances.
fn put_ascending(out: &mut Vec<u8>, numbers: &[u64]) {
    let mut last = 0;
    for &number in numbers {
        put_varint(out, number - last);
        last = number;
    }
}

fn take_ascending(reader: &mut Reader<'_>, len: usize) -> Result<Vec<u64>, ModelError> {
    let mut numbers = Vec::with_capacity(len);
    let mut last = 0u64;
    for index in 0..len {
        let distance = reader.varint()?;
        let number = last.checked_add(distance);
        let number = number.filter(|_| distance > 0 || index == 0);
        last = number.ok_or(ModelError::Malformed("keys out of order"))?;
        numbers.push(last);
    }
    Ok(numbers)
}

fn take_counts(reader: &mut Reader<'_>, len: usize) -> Result<Vec<u32>, ModelError> {
    let counts = (0..len).map(|_| {
        let count = u32::try_from(reader.varint()?);
        count.map_err(|_| ModelError::Malformed("a count is out of range"))
    });
    counts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::Key;
    use proptest::prelude::*;

    fn model_of(pairs: &[(u64, u64)], sections: &[Vec<(u64, u64)>]) -> Model {
        let counts = |pairs: &[(u64, u64)]| {
            let pairs = pairs.iter().map(|&(key, n)| (Key(key), n));
            Arc::new(Counts::from_pairs(pairs, Certainty::AtMost))
        };
        let sections = sections.iter().map(|pairs| Section {
            kind: SectionKind {
                kind: KeyKind::Skeleton,
                ends: Ends::Tail,
                measure: Measure::Books,
            },
            counts: counts(pairs),
        });
        Model {
            counts: counts(pairs),
            parameters: ModelParameters {
                head: 300,
                tail: 200,
                preprocessing: PREPROCESSING_VERSION,
                structure: Structure::Crc64,
                books: 12,
                lines: 3456,
                corpus: 0xfeed,
                pruned_below: 0,
            },
            sections: sections.collect(),
        }
    }

    fn pairs() -> impl Strategy<Value = Vec<(u64, u64)>> {
        proptest::collection::vec((any::<u64>(), 1..5000u64), 0..60)
    }

    proptest! {
        #[test]
        fn a_model_survives_its_file(pairs in pairs(), sections in proptest::collection::vec(pairs(), 0..3)) {
            let model = model_of(&pairs, &sections);
            let read = Model::from_bytes(&model.to_bytes()).unwrap();
            prop_assert_eq!(&read, &model);
            prop_assert_eq!(read.digest(), model.digest());
        }

        #[test]
        fn a_changed_byte_is_an_error(pairs in pairs(), at in any::<proptest::sample::Index>(), flip in 1..=255u8) {
            let mut bytes = model_of(&pairs, &[]).to_bytes();
            let at = at.index(bytes.len());
            bytes[at] ^= flip;
            prop_assert!(Model::from_bytes(&bytes).is_err());
        }

        #[test]
        fn a_changed_byte_under_a_right_checksum_is_no_panic(
            pairs in pairs(), at in any::<proptest::sample::Index>(), flip in 1..=255u8,
        ) {
            let mut bytes = model_of(&pairs, std::slice::from_ref(&pairs)).to_bytes();
            let end = bytes.len() - TRAILER;
            bytes[at.index(end)] ^= flip;
            let checksum = crc64(&bytes[..end]);
            bytes[end..].copy_from_slice(&checksum.to_le_bytes());
            if let Ok(model) = Model::from_bytes(&bytes) {
                // The bytes meant something else: the same model must be written for it.
                prop_assert_eq!(Model::from_bytes(&model.to_bytes()).unwrap(), model);
            }
        }

        #[test]
        fn a_model_cut_short_is_an_error(pairs in pairs(), at in any::<proptest::sample::Index>()) {
            let bytes = model_of(&pairs, &[]).to_bytes();
            prop_assert!(Model::from_bytes(&bytes[..at.index(bytes.len())]).is_err());
        }
    }

    #[test]
    fn refusals_say_what_is_wrong_and_what_to_do() {
        let good = model_of(&[(1, 2), (900, 3)], &[]).to_bytes();
        let changed = |at: usize, to: u8| {
            let mut bytes = good.clone();
            bytes[at] = to;
            bytes
        };
        let mut other_preprocessing = changed(HEADER, 99);
        let end = good.len() - TRAILER;
        let checksum = crc64(&other_preprocessing[..end]);
        other_preprocessing[end..].copy_from_slice(&checksum.to_le_bytes());
        let cases = [
            (Vec::new(), "not a model file"),
            (b"PK\x03\x04 and so on".to_vec(), "not a model file"),
            (good[..5].to_vec(), "ends too early"),
            (good[..good.len() - 1].to_vec(), "ends too early"),
            (
                changed(8, 2),
                "format version 2, this program reads version 1",
            ),
            (changed(40, 7), "checksum"),
            (other_preprocessing, "preprocessed by version 99"),
        ];
        for (bytes, expected) in cases {
            let error = Model::from_bytes(&bytes).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn fitting_leaves_out_the_rarest_and_says_so() {
        let pairs: Vec<(u64, u64)> = (0..1000).map(|n| (n << 50, 1 + n % 10)).collect();
        let model = model_of(&pairs, &[]);
        let fitted = model.fitted(3000).unwrap();
        assert!(fitted.to_bytes().len() <= 3000);
        let below = fitted.parameters.pruned_below;
        assert!(fitted.counts.iter().all(|(_, count)| count >= below));
        let looser = model.pruned(below - 1);
        assert!(looser.to_bytes().len() > 3000);
        assert_eq!(fitted.counts.bounds(Key(0)).at_most, below - 1);
        assert_eq!(model.fitted(10), None);
    }

    #[test]
    fn a_model_is_written_and_read_back_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.model");
        let model = model_of(&[(1, 2), (3, 4)], &[vec![(5, 6)]]);
        model.write(&path).unwrap();
        assert_eq!(Model::read(&path).unwrap(), model);
        std::fs::write(&path, "text").unwrap();
        let error = format!("{:#}", Model::read(&path).unwrap_err());
        assert!(
            error.contains("x.model") && error.contains("not a model file"),
            "{error}"
        );
    }
}
