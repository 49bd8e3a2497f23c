//! Everything that determines counts, and what they were made from.

use serde::{Deserialize, Serialize};

use super::coding::{ByteReader, put_u32, put_u64};
use super::{Counting, ModelError, Structure};
use endpaper_text::line::PREPROCESSING_VERSION;

/// Everything that determines counts, and what they were made from. Thresholds are not included, as they apply when a
/// model is used.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ModelParameters {
    /// Size of the head window in non-trivial lines (the paper's p_max).
    pub head: u32,
    /// Size of the tail window in non-trivial lines (e_max).
    pub tail: u32,
    /// [`PREPROCESSING_VERSION`] of the program that counted the lines.
    pub preprocessing: u32,
    /// What was counted, and by which structure.
    pub counting: Counting,
    /// Number of books counted.
    pub books: u64,
    /// Number of lines counted: the sum of all counts.
    pub lines: u64,
    /// Digest of the corpus ([`super::BookSet::digest`]).
    pub corpus: u64,
    /// Keys that occur fewer times were left out (0 and 1: none was).
    pub pruned_below: u64,
    /// Number of books that the counts were scaled up to ([`super::Model::scaled_to`]); 0: they were not.
    pub scaled_to: u64,
}

/// A structure with those of its options that affect its counts.
fn counts_as(structure: Structure) -> String {
    match structure {
        // The memory does not matter: what does not fit is sorted on disk.
        Structure::External { .. } => structure.name().to_owned(),
        other => other.to_string(),
    }
}

/// Bits of the byte that encodes what was counted.
const SEPARATE_ENDS: u8 = 1;
const COUNT_BOOKS: u8 = 2;
const ONE_COPY: u8 = 4;

impl ModelParameters {
    /// Appends the bytes of the parameters.
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        for number in [self.preprocessing, self.head, self.tail] {
            put_u32(out, number);
        }
        let structure = self.counting.structure.to_string();
        out.push(structure.len() as u8);
        out.extend_from_slice(structure.as_bytes());
        let separate = u8::from(self.counting.separate_ends) * SEPARATE_ENDS;
        let books = u8::from(self.counting.count_books) * COUNT_BOOKS;
        let once = u8::from(self.counting.one_copy) * ONE_COPY;
        out.push(separate | books | once);
        for number in [
            self.books,
            self.lines,
            self.corpus,
            self.pruned_below,
            self.scaled_to,
        ] {
            put_u64(out, number);
        }
    }

    /// Reads what [`ModelParameters::put`] wrote.
    pub(super) fn take(reader: &mut ByteReader<'_>) -> Result<ModelParameters, ModelError> {
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
        let structure = structure.ok_or(ModelError::Malformed("an unknown counting structure"))?;
        let what = reader.u8()?;
        if what > SEPARATE_ENDS | COUNT_BOOKS | ONE_COPY {
            return Err(ModelError::Malformed("an unknown way of counting"));
        }
        Ok(ModelParameters {
            head,
            tail,
            preprocessing,
            counting: Counting {
                structure,
                separate_ends: what & SEPARATE_ENDS != 0,
                count_books: what & COUNT_BOOKS != 0,
                one_copy: what & ONE_COPY != 0,
            },
            books: reader.u64()?,
            lines: reader.u64()?,
            corpus: reader.u64()?,
            pruned_below: reader.u64()?,
            scaled_to: reader.u64()?,
        })
    }

    /// The first parameter that differs although it must be the same for counts to be added: its name and both values.
    /// The structures are compared only for parts (`structures`), not for finished counts.
    pub(super) fn difference(
        &self,
        other: &ModelParameters,
        structures: bool,
    ) -> Option<(&'static str, String, String)> {
        let facts = |parameters: &ModelParameters| {
            let counting = parameters.counting;
            [
                ("preprocessing", parameters.preprocessing.to_string()),
                ("head window", parameters.head.to_string()),
                ("tail window", parameters.tail.to_string()),
                ("counting", counting.meaning()),
                ("structure", counts_as(counting.structure)),
            ]
        };
        let pairs = facts(self).into_iter().zip(facts(other));
        let compared = if structures { 5 } else { 4 };
        let mut different = pairs.take(compared).filter(|(ours, theirs)| ours != theirs);
        let ((name, ours), (_, theirs)) = different.next()?;
        Some((name, ours, theirs))
    }
}
