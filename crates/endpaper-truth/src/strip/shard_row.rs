//! A body as one line of JSON, as trainers of language models read it: `id`, `text`, `metadata`.
//!
//! The keys are a contract with scripts: they may grow, never change.

use isolang::Language;
use serde::Serialize;

use super::{CutsOrigin, StrippedBook};
use crate::Verdict;
use endpaper_outline::{Metadata, MetadataValue};

/// A body with what is known of it.
#[derive(Serialize)]
pub struct ShardRow<'a> {
    id: &'a str,
    text: &'a str,
    metadata: RowMetadata<'a>,
}

#[derive(Serialize)]
struct RowMetadata<'a> {
    #[serde(flatten)]
    work: Work<'a>,
    #[serde(flatten)]
    body: Body<'a>,
    #[serde(flatten)]
    source: Source<'a>,
    /// The version of endpaper.
    version: &'a str,
}

/// The work, as the text names it.
#[derive(Serialize)]
struct Work<'a> {
    title: Option<&'a str>,
    authors: Vec<&'a str>,
    editors: Vec<&'a str>,
    translators: Vec<&'a str>,
    illustrators: Vec<&'a str>,
    /// ISO 639-1, or 639-3 where there is no shorter code.
    language: Option<&'static str>,
    language_name: Option<&'a str>,
    /// Number of the e-book in its library.
    number: Option<u32>,
    /// Date of the e-book, as exact as the header: 1995, 1995-04 or 1995-04-01.
    released: Option<String>,
    /// Year of the printed book.
    published: Option<u32>,
    isbns: Vec<&'a str>,
}

/// The body, and on whose word it is one.
#[derive(Serialize)]
struct Body<'a> {
    /// First and last line in the source, from 1.
    first: u32,
    last: u32,
    /// First and last lines that were dropped in between.
    dropped: &'a [(u32, u32)],
    /// SHA-256 of the text in UTF-8.
    sha256: &'a str,
    /// `truth` or `detector`.
    by: String,
    doubt: f32,
    verdict: Option<Verdict>,
    policy: &'a str,
    detector: Option<&'a str>,
    model: Option<&'a str>,
    profile: Option<&'a str>,
}

/// The file that the body was cut from.
#[derive(Serialize)]
struct Source<'a> {
    source_sha256: &'a str,
    source_bytes: u64,
    source_lines: u32,
    source_encoding: &'a str,
    source_newline: &'a str,
}

impl<'a> ShardRow<'a> {
    /// The row of a body. `profile` is that of the detector.
    pub fn of(
        text: &'a str,
        stripped: &'a StrippedBook,
        about: &'a Metadata,
        profile: Option<&'a str>,
    ) -> ShardRow<'a> {
        let StrippedBook { body, source, .. } = stripped;
        let detector = stripped.detector.as_ref();
        ShardRow {
            id: stripped.book.as_str(),
            text,
            metadata: RowMetadata {
                work: Work::of(about),
                body: Body {
                    first: body.first,
                    last: body.last,
                    dropped: &body.dropped,
                    sha256: &stripped.sha256,
                    by: body.by.to_string(),
                    doubt: body.doubt,
                    verdict: body.verdict,
                    policy: &body.policy,
                    detector: detector.map(|(detector, _)| detector.as_str()),
                    model: detector.map(|(_, model)| model.as_str()),
                    profile: profile.filter(|_| body.by == CutsOrigin::Detector),
                },
                source: Source {
                    source_sha256: &source.sha256,
                    source_bytes: source.bytes,
                    source_lines: source.lines,
                    source_encoding: &source.encoding,
                    source_newline: &source.newline,
                },
                version: env!("CARGO_PKG_VERSION"),
            },
        }
    }
}

impl<'a> Work<'a> {
    fn of(about: &'a Metadata) -> Work<'a> {
        Work {
            title: MetadataValue::text(about.title.as_ref()),
            authors: MetadataValue::texts(&about.authors),
            editors: MetadataValue::texts(&about.editors),
            translators: MetadataValue::texts(&about.translators),
            illustrators: MetadataValue::texts(&about.illustrators),
            language: MetadataValue::text(about.language.as_ref()).and_then(language_code),
            language_name: MetadataValue::text(about.language.as_ref()),
            number: about.number.as_ref().map(|number| number.value),
            released: about.released.as_ref().map(|date| date.value.to_string()),
            published: about.published.as_ref().map(|year| year.value),
            isbns: about.isbns.iter().map(|isbn| isbn.value.as_str()).collect(),
        }
    }
}

/// The code of a language by its English name or its code, the first where several are named (`English, Spanish`).
fn language_code(name: &str) -> Option<&'static str> {
    let first = name.split(|c: char| ",;/&(".contains(c)).next();
    let first = first.unwrap_or_default().trim();
    let language = Language::from_name_lowercase(&first.to_lowercase())
        .or_else(|| Language::from_639_1(first))
        .or_else(|| Language::from_639_3(first))?;
    Some(language.to_639_1().unwrap_or(language.to_639_3()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_codes() {
        let table = [
            ("English", Some("en")),
            ("german", Some("de")),
            ("Portuguese & French", Some("pt")),
            ("English, Spanish, Tagalog", Some("en")),
            ("Tagalog", Some("tl")),
            ("Latin", Some("la")),
            ("Middle English", Some("enm")),
            ("fr", Some("fr")),
            ("Portugese", None),
            ("", None),
        ];
        for (name, code) in table {
            assert_eq!(language_code(name), code, "{name}");
        }
    }
}
