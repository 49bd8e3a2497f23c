//! The row of a book in `detect --format jsonl`.
//!
//! The keys are a contract with scripts: they may grow at the end, never change.

use serde::Serialize;

use super::BookReport;
use crate::{BlockKind, Candidate, End, Evidence, InsideBlock, Method};

/// What was detected in a book.
#[derive(Serialize)]
pub struct DetectRecord<'a> {
    book: &'a str,
    lines: u32,
    preamble_end: u32,
    epilogue_start: u32,
    doubt: f32,
    detector: &'static str,
    reasons: Vec<&'static str>,
    candidates: &'a [Candidate],
    inside: &'a [InsideBlock],
    evidence: Vec<EvidenceRecord>,
}

/// A piece of evidence in the JSON output.
#[derive(Serialize)]
struct EvidenceRecord {
    end: End,
    lines: (u32, u32),
    text: String,
    weight: Option<f32>,
    kind: Option<BlockKind>,
}

impl EvidenceRecord {
    /// A piece of evidence as a JSON object.
    fn of(evidence: &Evidence) -> EvidenceRecord {
        EvidenceRecord {
            end: evidence.end,
            lines: evidence.lines,
            text: evidence.text(),
            weight: evidence.weight,
            kind: evidence.kind(),
        }
    }
}

impl BookReport {
    /// The cuts as numbers: the last line of the preamble, and the first line of the epilogue (one past the last line of the file
    /// without one).
    pub fn cut_lines(&self) -> (u32, u32) {
        let cuts = self.summary.detection.cuts;
        let none = self.summary.lines.saturating_add(1);
        (cuts.preamble_end, cuts.epilogue_start.unwrap_or(none))
    }

    /// The row of the book, detected by this method.
    pub fn record(&self, method: Method) -> DetectRecord<'_> {
        let detection = &self.summary.detection;
        let (preamble_end, epilogue_start) = self.cut_lines();
        DetectRecord {
            book: self.book.id.as_str(),
            lines: self.summary.lines,
            preamble_end,
            epilogue_start,
            doubt: detection.doubt,
            detector: method.name(),
            reasons: detection
                .reasons
                .iter()
                .map(|reason| reason.name())
                .collect(),
            candidates: &detection.candidates,
            inside: &detection.inside,
            evidence: detection
                .evidence
                .iter()
                .map(|piece| EvidenceRecord::of(&piece))
                .collect(),
        }
    }
}
