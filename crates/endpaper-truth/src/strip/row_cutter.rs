//! Cutting books into rows of JSON lines, many at a time.

use rayon::prelude::*;

use super::{
    CutsOrigin, DetectedBody, OmitReason, ShardRow, StripFailure, StripOptions, StrippedBook,
    choose_body,
};
use crate::{SourceFacts, Store, StoredRecord};
use endpaper_detect::pipeline::BookReport;
use endpaper_detect::{Parameters, ProfileName};
use endpaper_outline::metadata;
use endpaper_text::corpus::{BookId, Unreadable};
use endpaper_text::panics::catch_panic_message;
use endpaper_text::scan::{WindowOptions, scan};

/// A body on its way into a shard.
#[derive(Debug)]
pub struct PreparedRow {
    /// What was cut.
    pub stripped: StrippedBook,
    /// The row in JSON, with its newline.
    pub json: Vec<u8>,
}

/// Makes rows of books.
pub struct RowCutter<'a> {
    /// The records, which go before detected cuts.
    pub store: Option<&'a Store>,
    /// The parameters of the detection.
    pub parameters: &'a Parameters,
    /// Which cuts are used, and the form of the text.
    pub options: &'a StripOptions,
    /// Largest size of a text in bytes.
    pub max_size: u64,
}

impl RowCutter<'_> {
    /// Reads all records, on the threads of the current pool. Otherwise the first threads to need one would each do it.
    pub fn build_index(&self) {
        if let Some(store) = self.store {
            store.build_index();
        }
    }

    /// The rows of books, in their order, cut on the threads of the current pool.
    pub fn cut_all(&self, books: &[BookReport]) -> Vec<Result<PreparedRow, StripFailure>> {
        books.par_iter().map(|book| self.cut(book)).collect()
    }

    /// The row of a book, by its record, by a record of the same text under another id, or by its detection.
    fn cut(&self, book: &BookReport) -> Result<PreparedRow, StripFailure> {
        catch_panic_message(|| self.try_cut(book))
            .unwrap_or_else(|why| Err(StripFailure::Unreadable(Unreadable::Io(why))))
    }

    fn try_cut(&self, book: &BookReport) -> Result<PreparedRow, StripFailure> {
        let detected = DetectedBody::of_report(book);
        let book = &book.book;
        let text = book.text(self.max_size).map_err(StripFailure::Unreadable)?;
        let source = SourceFacts::of(&text);
        let found = match self.store {
            Some(store) => stored(store, &book.id, &source)?,
            None => StoredRecord::Nothing,
        };
        let body = choose_body(&text, &source, &found, detected, self.options)?;
        let bytes = self.options.form.bytes(&text, &body.ranges);
        let detector = (self.options.detector.clone(), self.options.model.clone());
        let stripped = StrippedBook {
            book: book.id.clone(),
            file: Default::default(),
            detector: (body.by == CutsOrigin::Detector).then_some(detector),
            body,
            bytes: bytes.len(),
            sha256: endpaper_text::checksum::sha256(&bytes),
            source,
            form: self.options.form,
            written: true,
        };
        let scan = scan(text.bytes(), WindowOptions::of(&text));
        let profile = ProfileName::of(&scan, self.parameters).map(|name| name.word());
        let about = metadata(&text, &scan);
        let body = String::from_utf8_lossy(&bytes);
        let row = ShardRow::of(&body, &stripped, &about, profile.as_deref());
        let mut json = Vec::with_capacity(bytes.len() + bytes.len() / 16 + 1024);
        serde_json::to_writer(&mut json, &row)
            .map_err(|error| StripFailure::Unreadable(Unreadable::Io(error.to_string())))?;
        json.push(b'\n');
        Ok(PreparedRow { stripped, json })
    }
}

/// The record of a book, or of the same text under another id.
///
/// # Errors
///
/// The record does not parse.
pub fn stored(
    store: &Store,
    id: &BookId,
    source: &SourceFacts,
) -> Result<StoredRecord, OmitReason> {
    match store.load(id.as_str()) {
        Ok((StoredRecord::Nothing, _)) => match store.find_by_sha256(&source.sha256) {
            Some((_, record)) => Ok(StoredRecord::Record(Box::new(record))),
            None => Ok(StoredRecord::Nothing),
        },
        Ok((found, _)) => Ok(found),
        Err(error) => Err(OmitReason::Broken(format!("{error:#}"))),
    }
}
