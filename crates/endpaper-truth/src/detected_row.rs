//! The row of a book in `detect --format jsonl`: its cuts in lines, bytes and characters, and why they are there.
//!
//! The keys are a contract with scripts: they may grow at the end, never change.

use rayon::prelude::*;
use serde::Serialize;

use crate::body_lines;
use crate::strip::{DetectedBody, OutEncoding, OutForm, OutNewline};
use endpaper_detect::pipeline::BookReport;
use endpaper_detect::{
    BlockKind, CandidateSource, End, Evidence, InsideBlock, Method, Parameters, ProfileName,
};
use endpaper_text::checksum::sha256;
use endpaper_text::corpus::{BookText, Skipped, Unreadable};
use endpaper_text::panics::catch_panic_message;
use endpaper_text::scan::{WindowOptions, scan};

/// UTF-8 with the line ends of the source: the text that offsets in characters are about.
const DECODED: OutForm = OutForm {
    encoding: OutEncoding::Utf8,
    newline: OutNewline::Keep,
};

/// Where the body is, in all units. The body begins with its first line that is not blank and ends behind the ending of the last.
struct BodyPlace {
    /// First and last line, from 1.
    lines: (u32, u32),
    /// Offsets in bytes of the source.
    bytes: (usize, usize),
    /// Offsets in code points of the decoded text.
    characters: (usize, usize),
}

impl BodyPlace {
    /// The place of what was detected in `text`; `None` if there is no body.
    fn of(book: &BookReport, text: &BookText) -> Option<BodyPlace> {
        let cuts = book.summary.detection.cuts;
        let lines = body_lines(text, cuts)?;
        let bytes = text.span(lines.0, lines.1);
        let count = |range| {
            let decoded = DECODED.bytes(text, &[range]);
            decoded.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
        };
        let before = count(0..bytes.start);
        Some(BodyPlace {
            lines,
            bytes: (bytes.start, bytes.end),
            characters: (before, before + count(bytes)),
        })
    }
}

/// What was detected in a book.
#[derive(Serialize)]
struct DetectedRow<'a> {
    book: &'a str,
    lines: u32,
    preamble_end: u32,
    epilogue_start: u32,
    doubt: f64,
    detector: &'static str,
    reasons: Vec<&'static str>,
    candidates: Vec<CandidateRow>,
    inside: &'a [InsideBlock],
    evidence: Vec<EvidenceRow>,
    profile: Option<String>,
    body_first: Option<u32>,
    body_last: Option<u32>,
    start_byte: Option<usize>,
    end_byte: Option<usize>,
    start: Option<usize>,
    end: Option<usize>,
    sha256: String,
    bytes: u64,
    encoding: String,
    version: &'static str,
}

#[derive(Serialize)]
struct CandidateRow {
    end: End,
    line: u32,
    score: f64,
    source: CandidateSource,
}

#[derive(Serialize)]
struct EvidenceRow {
    end: End,
    lines: (u32, u32),
    text: String,
    weight: Option<f64>,
    kind: Option<BlockKind>,
}

impl EvidenceRow {
    fn of(evidence: &Evidence) -> EvidenceRow {
        EvidenceRow {
            end: evidence.end,
            lines: evidence.lines,
            text: evidence.text(),
            weight: evidence.weight.map(rounded),
            kind: evidence.kind(),
        }
    }
}

/// Five digits: the last ones of a logarithm differ between systems.
fn rounded(value: f32) -> f64 {
    format!("{value:.4e}").parse().unwrap_or(f64::from(value))
}

impl<'a> DetectedRow<'a> {
    /// `text` is that of the book.
    fn of(book: &'a BookReport, text: &BookText, profile: Option<String>, method: Method) -> Self {
        let detection = &book.summary.detection;
        let (preamble_end, epilogue_start) = book.cut_lines();
        let place = BodyPlace::of(book, text);
        let place = place.as_ref();
        let candidates = detection.candidates.iter().map(|candidate| CandidateRow {
            end: candidate.end,
            line: candidate.line,
            score: rounded(candidate.score),
            source: candidate.source,
        });
        let evidence = detection.evidence.iter();
        DetectedRow {
            book: book.book.id.as_str(),
            lines: book.summary.lines,
            preamble_end,
            epilogue_start,
            doubt: rounded(detection.doubt),
            detector: method.name(),
            reasons: detection.reasons.iter().map(|r| r.name()).collect(),
            candidates: candidates.collect(),
            inside: &detection.inside,
            evidence: evidence.map(|piece| EvidenceRow::of(&piece)).collect(),
            profile,
            body_first: place.map(|place| place.lines.0),
            body_last: place.map(|place| place.lines.1),
            start_byte: place.map(|place| place.bytes.0),
            end_byte: place.map(|place| place.bytes.1),
            start: place.map(|place| place.characters.0),
            end: place.map(|place| place.characters.1),
            sha256: sha256(text.bytes()),
            bytes: book.summary.bytes,
            encoding: book.summary.encoding.to_string(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

/// Makes rows of detected books.
#[derive(Clone, Copy)]
pub struct DetectedRows<'a> {
    /// The method that detected them.
    pub method: Method,
    /// The parameters of the detection.
    pub parameters: &'a Parameters,
    /// Largest size of a text in bytes.
    pub max_size: u64,
}

impl DetectedRows<'_> {
    /// The rows of books in JSON, without newlines, in their order, made on the threads of the current pool. A text is read once more,
    /// for its checksum and offsets.
    ///
    /// # Errors
    ///
    /// For each book: its text cannot be read any more, or is another one since the detection.
    pub fn json(&self, books: &[BookReport]) -> Vec<Result<Vec<u8>, Skipped>> {
        let row = |book: &BookReport| {
            let why = Unreadable::Io;
            catch_panic_message(|| self.row(book))
                .unwrap_or_else(|panic| Err(why(panic)))
                .map_err(|reason| Skipped {
                    id: book.book.id.clone(),
                    reason,
                })
        };
        books.par_iter().map(row).collect()
    }

    fn row(&self, book: &BookReport) -> Result<Vec<u8>, Unreadable> {
        let text = book.book.text(self.max_size)?;
        if !DetectedBody::of_report(book).is_about(text.bytes()) {
            return Err(Unreadable::Io("it changed since the detection".into()));
        }
        let scan = scan(text.bytes(), WindowOptions::of(&text));
        let profile = ProfileName::of(&scan, self.parameters).map(|name| name.word());
        let row = DetectedRow::of(book, &text, profile, self.method);
        serde_json::to_vec(&row).map_err(|error| Unreadable::Io(error.to_string()))
    }
}

/// The row of a book that was left out.
#[derive(Serialize)]
struct SkippedRow<'a> {
    book: &'a str,
    skipped: String,
}

/// The row of a book that was left out, in JSON: its id and the reason.
pub fn skipped_json(skipped: &Skipped) -> String {
    let row = SkippedRow {
        book: skipped.id.as_str(),
        skipped: skipped.reason.to_string(),
    };
    serde_json::to_string(&row).unwrap_or_default()
}
