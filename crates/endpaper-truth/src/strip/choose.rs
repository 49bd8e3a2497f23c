//! Which lines of a book go out, and on whose word.

use std::fmt;
use std::ops::Range;

use super::{DroppedKinds, OutForm};
use crate::{Record, RecordKind, SourceFacts, StoredRecord, Verdict};
use endpaper_detect::pipeline::BookReport;
use endpaper_detect::{Cuts, Detection};
use endpaper_text::checksum::crc64;
use endpaper_text::corpus::BookText;

/// The policy detectors follow: that of the labelling guide.
const POLICY: &str = "guide";

/// The options of stripping: which cuts are used, and how the bytes are written.
#[derive(Clone, Debug)]
pub struct StripOptions {
    /// Detected cuts with more doubt than this are not used (0..1). A curator's decision has no doubt.
    pub max_doubt: f32,
    /// Kinds of boilerplate between the cuts that are left out: where the record marks it, or the detector found it in a
    /// book whose cuts it sets too.
    pub drop_inside: Vec<DroppedKinds>,
    /// Write over existing files.
    pub force: bool,
    /// What is changed in the bytes.
    pub form: OutForm,
    /// Name of the detector, for the manifest.
    pub detector: String,
    /// Digest of the model, for the manifest.
    pub model: String,
}

impl Default for StripOptions {
    fn default() -> Self {
        StripOptions {
            max_doubt: 1.0,
            drop_inside: Vec::new(),
            force: false,
            form: OutForm::default(),
            detector: String::new(),
            model: String::new(),
        }
    }
}

/// The cuts that a detector found in a text, with size and checksum of that text: the file may have changed since.
#[derive(Clone, Copy, Debug)]
pub struct DetectedBody<'a> {
    /// The cuts and what is between them.
    pub detection: &'a Detection,
    /// Size of the text in bytes.
    pub bytes: u64,
    /// CRC-64/XZ of its bytes.
    pub crc: u64,
}

impl<'a> DetectedBody<'a> {
    /// A detection that is about these bytes.
    pub fn of(bytes: &[u8], detection: &'a Detection) -> DetectedBody<'a> {
        DetectedBody {
            detection,
            bytes: bytes.len() as u64,
            crc: crc64(bytes),
        }
    }

    /// What was detected in a book of a corpus.
    pub fn of_report(report: &'a BookReport) -> DetectedBody<'a> {
        DetectedBody {
            detection: &report.summary.detection,
            bytes: report.summary.bytes,
            crc: report.summary.crc,
        }
    }

    /// Whether the cuts were detected in these bytes.
    pub(crate) fn is_about(&self, bytes: &[u8]) -> bool {
        self.bytes == bytes.len() as u64 && self.crc == crc64(bytes)
    }
}

/// Who set the cuts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutsOrigin {
    /// A curator's decision.
    Truth,
    /// The detector.
    Detector,
}

impl fmt::Display for CutsOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            CutsOrigin::Truth => "truth",
            CutsOrigin::Detector => "detector",
        })
    }
}

/// The body of a book.
#[derive(Clone, Debug, PartialEq)]
pub struct StripBody {
    /// First line of the body.
    pub first: u32,
    /// Last line of the body.
    pub last: u32,
    /// Bytes of the source that go out, in order: one range, or more where boilerplate inside is dropped.
    pub ranges: Vec<Range<usize>>,
    /// Who set the cuts.
    pub by: CutsOrigin,
    /// The detector's doubt; 0 for a curator's decision.
    pub doubt: f32,
    /// The verdict, if a curator decided.
    pub verdict: Option<Verdict>,
    /// The policy the cuts follow.
    pub policy: String,
    /// Lines of dropped boilerplate, first and last, in line order.
    pub dropped: Vec<(u32, u32)>,
}

/// Why a book is left out. The text is a sentence part: `book: reason`.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OmitReason {
    /// A curator found no line to defend.
    #[error("undecidable")]
    Undecidable,
    /// A curator found no book.
    #[error("not a book")]
    NotABook,
    /// The record does not parse.
    #[error("its record is broken: {0}")]
    Broken(String),
    /// The record contradicts itself or its file.
    #[error("its record is wrong: {0}")]
    Wrong(String),
    /// The file is not the one the decision was made on.
    #[error("changed since it was labelled")]
    Changed,
    /// The file is not the one the detector saw.
    #[error("changed while it was read; run again")]
    Replaced,
    /// The detector is not sure enough.
    #[error("doubt {doubt:.3} is over {limit}")]
    Doubtful {
        /// The doubt.
        doubt: f32,
        /// The limit.
        limit: f32,
    },
    /// The cuts leave nothing.
    #[error("empty body")]
    Empty,
}

impl OmitReason {
    /// Whether a person wanted it so. Otherwise something is wrong with the record, and the book is missing because of
    /// it.
    pub fn is_intended(&self) -> bool {
        !matches!(
            self,
            OmitReason::Broken(_)
                | OmitReason::Wrong(_)
                | OmitReason::Changed
                | OmitReason::Replaced
        )
    }
}

/// The body of a book: a curator's decided verdict wins over detection. `source` is about `text`.
pub fn choose_body(
    text: &BookText,
    source: &SourceFacts,
    found: &StoredRecord,
    detected: DetectedBody<'_>,
    options: &StripOptions,
) -> Result<StripBody, OmitReason> {
    match found {
        StoredRecord::Broken { error, .. } => Err(OmitReason::Broken(error.to_string())),
        StoredRecord::Record(record) if record.verdict.is_decided() => {
            by_truth(text, source, record, options)
        }
        _ => by_detector(text, detected, options),
    }
}

/// The body according to a record, or why the book is left out.
fn by_truth(
    text: &BookText,
    source: &SourceFacts,
    record: &Record,
    options: &StripOptions,
) -> Result<StripBody, OmitReason> {
    if !record.is_decided_on(&source.sha256) {
        return Err(OmitReason::Changed);
    }
    match (record.verdict, record.kind) {
        (Verdict::Undecidable, _) => return Err(OmitReason::Undecidable),
        (Verdict::NotABook, _) | (_, RecordKind::NotABook) => return Err(OmitReason::NotABook),
        _ => {}
    }
    if let Some(wrong) = wrong_lines(text, record) {
        return Err(OmitReason::Wrong(wrong));
    }
    let mut body = body(text, record.cuts, CutsOrigin::Truth, 0.0)?;
    body.verdict = Some(record.verdict);
    body.policy.clone_from(&record.policy);
    let inside = record.inside.iter();
    let inside = inside.map(|inside| (inside.first, inside.last, inside.kind.as_str()));
    let inside = inside.filter(|inside| is_asked_for(inside, &options.drop_inside));
    without(text, body, inside)
}

/// Why the lines that a record names do not fit the file; `None` if they do. Other faults of the record do no harm here.
fn wrong_lines(text: &BookText, record: &Record) -> Option<String> {
    let lines = text.lines();
    if record.source.lines != lines {
        let said = record.source.lines;
        return Some(format!(
            "the record names {said} lines, the file has {lines}"
        ));
    }
    let mut outcome = record.clone();
    outcome.reviews.clear();
    outcome.find_problems().into_iter().next()
}

/// The body according to the detector, or why the book is left out.
fn by_detector(
    text: &BookText,
    detected: DetectedBody<'_>,
    options: &StripOptions,
) -> Result<StripBody, OmitReason> {
    if !detected.is_about(text.bytes()) {
        return Err(OmitReason::Replaced);
    }
    let detection = detected.detection;
    // Not `doubt > limit`: a doubt that is not a number is not sure enough either.
    let sure = detection.doubt <= options.max_doubt;
    if !sure {
        return Err(OmitReason::Doubtful {
            doubt: detection.doubt,
            limit: options.max_doubt,
        });
    }
    let body = body(text, detection.cuts, CutsOrigin::Detector, detection.doubt)?;
    let inside = detection.inside.iter();
    let inside = inside.map(|inside| (inside.first, inside.last, inside.kind.name()));
    let inside: Vec<_> = inside
        .filter(|inside| is_asked_for(inside, &options.drop_inside))
        .collect();
    without(text, body, inside)
}

/// Boilerplate between the cuts: first line, last line and kind.
type MarkedBlock<'a> = (u32, u32, &'a str);

/// Whether a block inside the body is of a kind that is to be dropped.
fn is_asked_for((.., kind): &MarkedBlock<'_>, asked: &[DroppedKinds]) -> bool {
    asked.iter().any(|kinds| kinds.drops(kind))
}

/// A body without these lines.
fn without<'a>(
    text: &BookText,
    mut body: StripBody,
    inside: impl IntoIterator<Item = MarkedBlock<'a>>,
) -> Result<StripBody, OmitReason> {
    for (first, last, _) in inside {
        drop_lines(text, &mut body, first, last);
    }
    body.dropped.sort_unstable();
    let is_dropped = |line| {
        let mut ranges = body.dropped.iter();
        ranges.any(|(first, last)| (*first..=*last).contains(&line))
    };
    if (body.first..=body.last).all(|line| is_dropped(line) || text.is_blank(line)) {
        return Err(OmitReason::Empty);
    }
    Ok(body)
}

/// All lines between the cuts: blank lines around a cut belong to the body.
fn body(text: &BookText, cuts: Cuts, by: CutsOrigin, doubt: f32) -> Result<StripBody, OmitReason> {
    let lines = text.lines();
    let (first, last) = cuts.body(lines);
    let last = last.min(lines);
    if first > last || (first..=last).all(|line| text.is_blank(line)) {
        return Err(OmitReason::Empty);
    }
    Ok(StripBody {
        first,
        last,
        ranges: vec![text.span(first, last)],
        by,
        doubt,
        verdict: None,
        policy: POLICY.to_owned(),
        dropped: Vec::new(),
    })
}

/// Takes lines out of a body; marks that overlap or reach over the cuts do no harm.
fn drop_lines(text: &BookText, body: &mut StripBody, first: u32, last: u32) {
    let (first, last) = (first.max(body.first), last.min(body.last));
    if first > last {
        return;
    }
    body.dropped.push((first, last));
    let gone = text.span(first, last);
    let rests = body.ranges.iter().flat_map(|range| {
        let before = range.start..range.end.min(gone.start);
        let after = range.start.max(gone.end)..range.end;
        [before, after]
    });
    body.ranges = rests.filter(|range| range.start < range.end).collect();
}
