//! A model: a file of counts with all parameters that produced them, identified by a digest.
//!
//! # The file
//!
//! Numbers are little-endian; `varint` is LEB128.
//!
//! | what | size |
//! | --- | --- |
//! | `EPMODEL` and a NUL | 8 bytes |
//! | format version, now 3 | u32 |
//! | length of the whole file | u64 |
//! | position of the texts | u64 |
//! | preprocessing version, head window, tail window | 3 x u32 |
//! | the structure with its options | u8 length, bytes |
//! | what was counted: 1 separate ends, 2 books, 4 one copy | u8 |
//! | books, lines, corpus digest, pruned below, scaled to | 5 x u64 |
//! | number of sections | u32 |
//! | each section: kind, ends, measure | 3 x u8 |
//! | ... the counts ([`super::counts_file`]) | |
//! | the document frequencies; not in version 2 | |
//! | the digest: CRC-64/XZ from the preprocessing version on | u64 |
//! | number of texts | u64 |
//! | ... each: key (a distance), length, UTF-8 | varint, varint, bytes |
//! | CRC-64/XZ of everything before | u64 |
//!
//! There is one section, or two if the ends were counted apart. Its description (kind of key: 0 for lines; ends;
//! measure) must agree with the parameters. The texts are for people who inspect the model; the digest does not cover
//! them.

use std::io::Read;
use std::path::Path;

use anyhow::Context;

use super::coding::{ByteReader, put_u32, put_u64};
use super::document_frequency::DocumentFrequencies;
use super::magic;
use super::{
    CountMeasure, CountedEnds, Counting, Counts, Frequencies, LineTexts, ModelError,
    ModelParameters,
};
use endpaper_text::atomic::Existing;
use endpaper_text::checksum::crc64;
use endpaper_text::files::{open_regular, read_at_most};

/// Version of the file format that is written.
const VERSION: u32 = 3;
/// The oldest version that is read. It has no document frequencies.
const OLDEST: u32 = 2;

/// Longest file that is read, in bytes: three times what a million books make.
const MOST_BYTES: u64 = 1 << 30;

/// Magic, version, length, and position of the texts.
const HEADER: usize = 8 + 4 + 8 + 8;
/// The checksum.
const TRAILER: usize = 8;

/// Counts with all parameters that produced them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// The frequencies of the lines.
    pub frequencies: Frequencies,
    /// How and from what the lines were counted.
    pub parameters: ModelParameters,
    /// Texts of the most frequent lines.
    pub line_texts: LineTexts,
}

impl Model {
    /// A model of these frequencies. Its [`ModelParameters::pruned_below`] is taken from them.
    pub fn new(parameters: ModelParameters, frequencies: Frequencies, known: LineTexts) -> Model {
        let parameters = ModelParameters {
            pruned_below: frequencies.pruned_below(),
            ..parameters
        };
        Model {
            frequencies,
            parameters,
            line_texts: known,
        }
    }

    /// Reads a model file.
    ///
    /// # Errors
    ///
    /// The file and, in one sentence, why it is refused.
    pub fn read(path: &Path) -> anyhow::Result<Model> {
        let refused = || format!("the model '{}' cannot be used", path.display());
        let bytes = Model::read_bytes(path).with_context(refused)?;
        Model::from_bytes(&bytes).with_context(refused)
    }

    /// The bytes of a model file, at most [`MOST_BYTES`]. Those of another file are not read.
    pub(crate) fn read_bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
        let mut begin = Vec::new();
        open_regular(path)?
            .take(HEADER as u64)
            .read_to_end(&mut begin)?;
        if !begin.starts_with(magic::MODEL) {
            checked(&begin)?;
        }
        Ok(read_at_most(path, MOST_BYTES)?)
    }

    /// Writes a model file atomically.
    ///
    /// # Errors
    ///
    /// If the system refuses, or the file exists and must be kept; names the file.
    pub fn write(&self, path: &Path, existing: Existing) -> anyhow::Result<()> {
        endpaper_text::atomic::write(path, existing, |out| out.write_all(&self.to_bytes()))
    }

    /// The bytes of the model's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend_from_slice(magic::MODEL);
        put_u32(&mut out, VERSION);
        put_u64(&mut out, 0);
        put_u64(&mut out, 0);
        self.put_counts(&mut out);
        let digest = crc64(&out[HEADER..]);
        put_u64(&mut out, digest);
        let texts = out.len() as u64;
        self.line_texts.put(&mut out);
        let len = (out.len() + TRAILER) as u64;
        out[HEADER - 16..HEADER - 8].copy_from_slice(&len.to_le_bytes());
        out[HEADER - 8..HEADER].copy_from_slice(&texts.to_le_bytes());
        let checksum = crc64(&out);
        put_u64(&mut out, checksum);
        out
    }

    /// Appends what the digest covers.
    fn put_counts(&self, out: &mut Vec<u8>) {
        self.parameters.put(out);
        put_u32(out, self.frequencies.sets().count() as u32);
        let counting = self.parameters.counting;
        for (&ends, (_, counts)) in counting.ends().iter().zip(self.frequencies.sets()) {
            out.extend_from_slice(&described(counting, ends));
            counts.put(out);
        }
        self.frequencies.document_frequencies().put(out);
    }

    /// Reads the bytes of a model file.
    ///
    /// # Errors
    ///
    /// See [`ModelError`]. For any input, memory use is at most a small multiple of its length.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, ModelError> {
        let (version, counts, texts) = checked(bytes)?;
        let mut reader = ByteReader::new(counts);
        let parameters = ModelParameters::take(&mut reader)?;
        let counting = parameters.counting;
        if reader.u32()? as usize != counting.ends().len() {
            return Err(ModelError::Malformed(
                "a section is missing, or one too many",
            ));
        }
        let sets = counting.ends().iter().map(|&ends| {
            if reader.bytes(3)? != described(counting, ends) {
                return Err(ModelError::Malformed("a section is not what was counted"));
            }
            Counts::take(&mut reader)
        });
        let frequencies: Frequencies = sets.collect::<Result<_, _>>()?;
        let spreads = match version {
            OLDEST => DocumentFrequencies::default(),
            _ => DocumentFrequencies::take(&mut reader)?,
        };
        if reader.left() > 0 {
            return Err(ModelError::Malformed("something follows the spreads"));
        }
        let mut reader = ByteReader::new(texts);
        let known = LineTexts::take(&mut reader)?;
        if reader.left() > 0 {
            return Err(ModelError::Malformed("something follows the last text"));
        }
        let frequencies = frequencies.with_document_frequencies(spreads);
        if parameters.pruned_below != frequencies.pruned_below() {
            return Err(ModelError::Malformed("two answers to what was left out"));
        }
        Ok(Model {
            frequencies,
            parameters,
            line_texts: known,
        })
    }

    /// The digest of the model: the CRC-64 of its parameters and counts as 16 hex digits.
    pub fn digest(&self) -> String {
        let mut counts = Vec::new();
        self.put_counts(&mut counts);
        format!("{:016x}", crc64(&counts))
    }

    /// The digest that is stored in a model file.
    pub(crate) fn digest_of(file: &[u8]) -> Option<String> {
        let texts = file.get(HEADER - 8..)?.first_chunk().copied()?;
        let texts = usize::try_from(u64::from_le_bytes(texts)).ok()?;
        let digest = file.get(..texts)?.last_chunk().copied()?;
        Some(format!("{:016x}", u64::from_le_bytes(digest)))
    }

    /// The sum of the counts of both, for corpora that have no book in common. Document frequencies are added too
    /// ([`DocumentFrequencies::sum`]); if only one model has any, the sum has those of its books alone.
    ///
    /// # Errors
    ///
    /// If the two were counted differently (windows, ends, books or occurrences), or their structures have counts that
    /// cannot be added.
    pub fn sum(&self, other: &Model) -> anyhow::Result<Model> {
        let (ours, theirs) = (&self.parameters, &other.parameters);
        let difference = ours.difference(theirs, false);
        if let Some((name, a, b)) = difference {
            anyhow::bail!("the {name} is '{a}' in one and '{b}' in the other");
        }
        let sets = self.frequencies.sets().zip(other.frequencies.sets());
        let sets = sets.map(|((_, ours), (_, theirs))| ours.sum(theirs));
        let frequencies: Frequencies = sets.collect::<Result<_, _>>()?;
        let spreads = self.frequencies.document_frequencies();
        let frequencies = frequencies
            .with_document_frequencies(spreads.sum(other.frequencies.document_frequencies()));
        let parameters = ModelParameters {
            books: ours.books.saturating_add(theirs.books),
            lines: ours.lines.saturating_add(theirs.lines),
            corpus: crc64(&[ours.corpus.to_le_bytes(), theirs.corpus.to_le_bytes()].concat()),
            counting: Counting {
                one_copy: ours.counting.one_copy && theirs.counting.one_copy,
                ..ours.counting
            },
            ..ours.clone()
        };
        let known = self.line_texts.clone().union(other.line_texts.clone());
        Ok(Model::new(parameters, frequencies, known))
    }

    /// A copy without the keys that occur fewer than `below` times and the forms that occur in fewer than `below`
    /// books.
    pub fn pruned(&self, below: u64) -> Model {
        let frequencies = self.frequencies.map(|counts| counts.pruned(below));
        let spreads = self.frequencies.document_frequencies().pruned(below);
        let frequencies = frequencies.with_document_frequencies(spreads);
        let parameters = ModelParameters {
            pruned_below: frequencies.pruned_below(),
            ..self.parameters.clone()
        };
        Model {
            line_texts: self.line_texts.trimmed(&frequencies, usize::MAX, below),
            frequencies,
            parameters,
        }
    }

    /// Leaves out the rarest keys until the file is at most `max_bytes` long; `None` if it is too long even without any
    /// keys.
    pub fn pruned_to_size(&self, max_bytes: u64) -> Option<Model> {
        let fits = |model: &Model| model.to_bytes().len() as u64 <= max_bytes;
        if fits(self) {
            return Some(self.clone());
        }
        let sets = self.frequencies.sets();
        let counted = sets.flat_map(|(_, counts)| counts.iter().map(|(_, count)| count + 1));
        let mut frequencies: Vec<u64> = counted.collect();
        frequencies.sort_unstable();
        frequencies.dedup();
        // The more is left out, the shorter the file.
        let first = frequencies.partition_point(|&below| !fits(&self.pruned(below)));
        frequencies.get(first).map(|&below| self.pruned(below))
    }
}

/// Checks header and checksums. Returns the version of the file, its counts and its texts.
fn checked(bytes: &[u8]) -> Result<(u32, &[u8], &[u8]), ModelError> {
    if bytes.starts_with(magic::PART) {
        return Err(ModelError::IsAPart);
    }
    let begin = &bytes[..bytes.len().min(magic::MODEL.len())];
    if begin.is_empty() || !magic::MODEL.starts_with(begin) {
        return Err(ModelError::NotAModel);
    }
    let mut header = ByteReader::new(bytes);
    header.bytes(magic::MODEL.len())?;
    let (found, expected) = (header.u32()?, VERSION);
    if !(OLDEST..=expected).contains(&found) {
        return Err(ModelError::Version { found, expected });
    }
    let (len, texts) = (header.u64()?, header.u64()?);
    if (bytes.len() as u64) < len {
        return Err(ModelError::Truncated);
    }
    let (contents, trailer) = bytes.split_last_chunk().ok_or(ModelError::Truncated)?;
    if crc64(contents) != u64::from_le_bytes(*trailer) {
        return Err(ModelError::Checksum);
    }
    let contents = contents.get(HEADER..).ok_or(ModelError::Truncated)?;
    let at = usize::try_from(texts).ok();
    let at = at.and_then(|at| at.checked_sub(HEADER));
    let split = at.and_then(|at| contents.split_at_checked(at));
    let split = split.and_then(|(counts, texts)| Some((counts.split_last_chunk()?, texts)));
    let ((counts, digest), texts) = split.ok_or(ModelError::Truncated)?;
    if crc64(counts) != u64::from_le_bytes(*digest) {
        return Err(ModelError::Checksum);
    }
    Ok((found, counts, texts))
}

/// The description of a section.
fn described(counting: Counting, ends: CountedEnds) -> [u8; 3] {
    let ends = match ends {
        CountedEnds::Both => 0,
        CountedEnds::Head => 1,
        CountedEnds::Tail => 2,
    };
    [0, ends, u8::from(counting.measure() == CountMeasure::Books)]
}

#[cfg(test)]
pub(super) mod tests;
