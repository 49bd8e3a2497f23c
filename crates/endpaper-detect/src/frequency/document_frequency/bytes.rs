//! The bytes of [`DocumentFrequencies`] in a model file.
//!
//! | what | size |
//! | --- | --- |
//! | number of books gathered, 0 if document frequencies were not gathered | u64 |
//! | number of forms | u64 |
//! | ... forms, ascending: the first, then distances | varints |
//! | ... in the same order: (books - 2) x 16 + min(authors - 1, 3) x 4 + min(producers - 1, 3) | varint |
//! | ...... if producers - 1 is at least 3: producers - 4; if authors - 1 is at least 3: authors - 4 | varints |

use super::super::ModelError;
use super::super::coding::{ByteReader, put_u64, put_varint};
use super::{
    DocumentFrequencies, DocumentFrequency, FORM_BITS, LineForm, MOST_BOOKS, MOST_NAMES, pack,
};

/// Numbers of producers or authors from this on (less 1) follow as varints.
const FURTHER: u32 = 3;

impl DocumentFrequencies {
    pub(in crate::frequency) fn put(&self, out: &mut Vec<u8>) {
        put_u64(out, self.books());
        put_u64(out, self.len() as u64);
        let mut last = 0;
        for (form, _) in self.iter() {
            put_varint(out, form.0 - last);
            last = form.0;
        }
        for (_, spread) in self.iter() {
            let names = [spread.producers - 1, spread.authors - 1];
            let [hands, authors] = names.map(|names| u64::from(names.min(FURTHER)));
            put_varint(out, u64::from(spread.books - 2) << 4 | authors << 2 | hands);
            for names in names.into_iter().filter(|&names| names >= FURTHER) {
                put_varint(out, (names - FURTHER).into());
            }
        }
    }

    /// Decodes document frequencies from the front of untrusted bytes. Memory use is at most a small multiple of the
    /// number of bytes.
    pub(in crate::frequency) fn take(
        reader: &mut ByteReader<'_>,
    ) -> Result<DocumentFrequencies, ModelError> {
        const MALFORMED: ModelError = ModelError::Malformed("a spread is out of range");
        let books = reader.u64()?;
        // A form and its document frequency take at least two bytes.
        let len = reader.count(2)?;
        let mut entries = Vec::with_capacity(len);
        let mut last = 0u64;
        for index in 0..len {
            let distance = reader.varint()?;
            let form = last.checked_add(distance);
            let form = form.filter(|form| form >> FORM_BITS == 0 && (distance > 0 || index == 0));
            last = form.ok_or(ModelError::Malformed("forms out of order"))?;
            entries.push(last);
        }
        for entry in &mut entries {
            let packed = reader.varint()?;
            let spread = DocumentFrequency {
                books: number(packed >> 4, 2, MOST_BOOKS).ok_or(MALFORMED)?,
                producers: names(reader, packed & 3)?.ok_or(MALFORMED)?,
                authors: names(reader, packed >> 2 & 3)?.ok_or(MALFORMED)?,
            };
            *entry = pack(LineForm(*entry), spread);
        }
        if books == 0 && len > 0 {
            return Err(ModelError::Malformed("spreads of no book"));
        }
        Ok(DocumentFrequencies::from_sorted(books, entries))
    }
}

/// `coded + least`, if that is at most `most`.
fn number(coded: u64, least: u32, most: u32) -> Option<u32> {
    let number = u32::try_from(coded).ok()?.checked_add(least)?;
    (number <= most).then_some(number)
}

/// A number of producers or authors: `coded`, or the next varint if that means a larger number. `None` if it is out of
/// range.
fn names(reader: &mut ByteReader<'_>, coded: u64) -> Result<Option<u32>, ModelError> {
    if coded < u64::from(FURTHER) {
        return Ok(Some(coded as u32 + 1));
    }
    let further = reader.varint()?;
    Ok(number(further, FURTHER + 1, MOST_NAMES))
}
