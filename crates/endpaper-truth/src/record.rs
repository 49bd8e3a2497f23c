//! What a record of ground truth says.
//!
//! These are the types and the rules that need no file: how a decision enters a record, and what makes a record wrong
//! in itself. Reading and writing are in [`super::yaml`]; keeping them on disk is [`super::Store`]'s.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::serde_names::{
    deserialize_optional_text, deserialize_text, deserialize_texts, serde_named_enum,
};
use super::yaml::ParseError;
use endpaper_detect::{Cuts, End};
use endpaper_text::checksum::sha256;
use endpaper_text::corpus::BookText;

/// The one version of the format.
pub const SCHEMA: u32 = 1;

/// Whether a file is a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RecordKind {
    /// One book.
    #[default]
    Book,
    /// An index, a licence, anything that is not a book.
    NotABook,
    /// Several works in one file.
    SeveralBooks,
    /// A part of a book.
    Fragment,
}

serde_named_enum!(RecordKind, "kind", {
    Book => "book",
    NotABook => "not-a-book",
    SeveralBooks => "several-books",
    Fragment => "fragment",
});

/// Whether and what a curator decided on a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// A draft: not decided.
    #[default]
    Open,
    /// The proposed cuts are right.
    Confirmed,
    /// Other cuts are right.
    Corrected,
    /// The right cuts cannot be determined.
    Undecidable,
    /// The file is not a book.
    NotABook,
}

serde_named_enum!(Verdict, "verdict", {
    Open => "open",
    Confirmed => "confirmed",
    Corrected => "corrected",
    Undecidable => "undecidable",
    NotABook => "not-a-book",
});

impl Verdict {
    /// Everything but a draft.
    pub fn is_decided(self) -> bool {
        self != Verdict::Open
    }

    /// Whether the cuts of the record are to be used: confirmed or corrected.
    pub fn has_cuts(self) -> bool {
        matches!(self, Verdict::Confirmed | Verdict::Corrected)
    }

    /// The verdict on cuts that were put somewhere, given what had been proposed.
    pub fn of_cuts(chosen: Cuts, proposed: Cuts) -> Verdict {
        if chosen == proposed {
            Verdict::Confirmed
        } else {
            Verdict::Corrected
        }
    }
}

/// The text file that a record is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFacts {
    /// SHA-256 of the (inflated) text, 64 hex digits.
    #[serde(deserialize_with = "deserialize_text")]
    pub sha256: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Number of lines.
    pub lines: u32,
    /// Name of the encoding it was shown in.
    #[serde(deserialize_with = "deserialize_text")]
    pub encoding: String,
    /// Name of its line endings.
    #[serde(deserialize_with = "deserialize_text")]
    pub newline: String,
    /// Who made the text out of another format, with the version; all above is about what it made.
    #[serde(
        default,
        deserialize_with = "deserialize_optional_text",
        skip_serializing_if = "Option::is_none"
    )]
    pub extractor: Option<String>,
}

impl SourceFacts {
    /// The facts of a text that was read.
    pub fn of(text: &BookText) -> SourceFacts {
        SourceFacts {
            sha256: sha256(text.bytes()),
            bytes: text.bytes().len() as u64,
            lines: text.lines(),
            encoding: text.encoding().to_string(),
            newline: text.newline().to_string(),
            extractor: text.extractor().map(ToOwned::to_owned),
        }
    }
}

/// A line that a second curator could defend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alternative {
    /// Which cut.
    #[serde(with = "end_name")]
    pub end: End,
    /// A `preamble_end` or an `epilogue_start`.
    pub line: u32,
    /// Why.
    #[serde(default, deserialize_with = "deserialize_text")]
    pub why: String,
}

/// Boilerplate between the cuts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InnerBoilerplate {
    /// First line.
    pub first: u32,
    /// Last line.
    pub last: u32,
    /// Block kind: licence, metadata, marker, credits, note, typed-title, separator or list.
    #[serde(deserialize_with = "deserialize_text")]
    pub kind: String,
}

/// The cuts that the detector had proposed when a review was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DetectedCuts {
    /// Last line of the preamble, 0 for none.
    pub preamble_end: u32,
    /// First line of the epilogue, none if there is none. The key must stand: nothing is not "no epilogue".
    #[serde(deserialize_with = "Option::deserialize")]
    pub epilogue_start: Option<u32>,
    /// Doubt, rounded to three digits.
    pub doubt: f64,
    /// Name of the detector.
    #[serde(deserialize_with = "deserialize_text")]
    pub detector: String,
    /// Digest of the model.
    #[serde(deserialize_with = "deserialize_text")]
    pub model: String,
}

impl DetectedCuts {
    /// What a detector proposed, its doubt rounded to three digits.
    pub fn new(cuts: Cuts, doubt: f32, detector: &str, model: &str) -> DetectedCuts {
        DetectedCuts {
            preamble_end: cuts.preamble_end,
            epilogue_start: cuts.epilogue_start,
            doubt: (f64::from(doubt) * 1000.0).round() / 1000.0,
            detector: detector.to_owned(),
            model: model.to_owned(),
        }
    }

    /// The proposed cuts.
    pub fn cuts(&self) -> Cuts {
        Cuts {
            preamble_end: self.preamble_end,
            epilogue_start: self.epilogue_start,
        }
    }
}

/// The bytes an opinion was about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewedSource {
    /// SHA-256 of the (inflated) text, 64 hex digits.
    #[serde(deserialize_with = "deserialize_text")]
    pub sha256: String,
    /// Number of lines.
    pub lines: u32,
}

/// How a second look says that its book was drawn: an opinion on a decided book that leaves the current outcome.
pub const SECOND_LOOK: &str = "again";

/// How a review says that its book came up with the change of another book's correction; that book's id follows.
pub const PROPAGATED: &str = "propagated:";

/// How a review says that its book was drawn at random, for a sample; the digest of that sample follows.
pub const SAMPLE: &str = "sample:";

/// How a review says that it settles what others decided differently.
pub const ADJUDICATION: &str = "adjudication";

/// One opinion.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// The curator's name.
    #[serde(deserialize_with = "deserialize_text")]
    pub by: String,
    /// When, RFC 3339 in UTC to the second (see [`timestamp`]).
    #[serde(deserialize_with = "deserialize_text")]
    pub at: String,
    /// Seconds the book was on screen in the sitting: all visits up to the verdict, from opening it to leaving it, each pause
    /// between two inputs counted for at most two minutes.
    #[serde(default)]
    pub seconds: u64,
    /// Name of the sitting.
    #[serde(default, deserialize_with = "deserialize_text")]
    pub sitting: String,
    /// How the book was drawn: the order of the queue (`doubt`, `template`, `producer`, `name`, `random`; `filtered:random`
    /// and so on where a filter narrowed it), `search`, `heat`, `siblings`, `editions`, `adjudication`, `import`,
    /// `sample:<digest>`, `propagated:<id>`, or [`SECOND_LOOK`]. Older records say `queue`, or `hand` for `producer`.
    #[serde(default, deserialize_with = "deserialize_text")]
    pub drawn: String,
    /// Whether the proposal was hidden.
    #[serde(default)]
    pub blind: bool,
    /// What was decided.
    pub verdict: Verdict,
    /// Where the cuts were put.
    #[serde(with = "strict_cuts")]
    pub cuts: Cuts,
    /// What had been proposed.
    #[serde(default)]
    pub detected: Option<DetectedCuts>,
    /// The bytes it was about, where the file has changed since: its cuts are lines of those.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<ReviewedSource>,
    /// Keys of other versions and tools, kept as they are.
    #[serde(flatten)]
    pub unknown: BTreeMap<String, serde_yaml::Value>,
}

impl Review {
    /// Whether it settles what others decided differently, so that it is not an independent opinion.
    pub fn is_adjudication(&self) -> bool {
        self.drawn == ADJUDICATION
    }
}

/// A time as reviews hold it: RFC 3339 in UTC, to the second. The caller supplies the time; this crate reads no clock.
pub fn timestamp(at: jiff::Timestamp) -> String {
    // Both ends of the range are whole seconds, so the second of a time is a time.
    jiff::Timestamp::from_second(at.as_second())
        .unwrap_or(at)
        .to_string()
}

/// Everything that is known of one book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Version of the format.
    pub schema: u32,
    /// The book's id.
    #[serde(deserialize_with = "deserialize_text")]
    pub book: String,
    /// The file the cuts were made on.
    pub source: SourceFacts,
    /// What the file is.
    #[serde(default)]
    pub kind: RecordKind,
    /// The current outcome.
    pub verdict: Verdict,
    /// The current cuts.
    #[serde(with = "strict_cuts")]
    pub cuts: Cuts,
    /// Lines a second curator could defend.
    #[serde(default)]
    pub alternatives: Vec<Alternative>,
    /// Boilerplate between the cuts.
    #[serde(default)]
    pub inside: Vec<InnerBoilerplate>,
    /// A sensible curator could well choose another line.
    #[serde(default)]
    pub hard: bool,
    /// Why the case is hard.
    #[serde(default, deserialize_with = "deserialize_texts")]
    pub flags: Vec<String>,
    /// Free text.
    #[serde(default, deserialize_with = "deserialize_text")]
    pub note: String,
    /// The policy the cuts follow.
    #[serde(default = "guide", deserialize_with = "deserialize_text")]
    pub policy: String,
    /// Lines around the cuts, to find them again.
    #[serde(default)]
    pub context: super::CutContext,
    /// Every opinion ever given.
    #[serde(default)]
    pub reviews: Vec<Review>,
    /// Keys of other versions and tools, kept as they are.
    #[serde(flatten)]
    pub unknown: BTreeMap<String, serde_yaml::Value>,
}

impl Record {
    /// A draft of a book no one has decided.
    pub fn new(book: &str, source: SourceFacts) -> Record {
        Record {
            schema: SCHEMA,
            book: book.to_owned(),
            source,
            kind: RecordKind::Book,
            verdict: Verdict::Open,
            cuts: Cuts::default(),
            alternatives: Vec::new(),
            inside: Vec::new(),
            hard: false,
            flags: Vec::new(),
            note: String::new(),
            policy: guide(),
            context: super::CutContext::default(),
            reviews: Vec::new(),
            unknown: BTreeMap::new(),
        }
    }

    /// The current cuts, but for one end, where each of the lines is in turn that a second curator could defend.
    pub fn defensible_cuts(&self, end: End) -> impl Iterator<Item = Cuts> {
        let others = self
            .alternatives
            .iter()
            .filter(move |other| other.end == end);
        others.map(|other| match other.end {
            End::Start => Cuts {
                preamble_end: other.line,
                ..self.cuts
            },
            End::End => Cuts {
                epilogue_start: Some(other.line),
                ..self.cuts
            },
        })
    }

    /// Takes an opinion in: it joins the earlier ones, which stay, and its verdict and cuts come into force. The kind
    /// follows a verdict that the file is not a book, and one that it is a book after all.
    pub fn add_review(&mut self, review: Review) {
        self.verdict = review.verdict;
        self.cuts = review.cuts;
        if review.verdict == Verdict::NotABook {
            self.kind = RecordKind::NotABook;
        } else if self.kind == RecordKind::NotABook {
            self.kind = RecordKind::Book;
        }
        self.reviews.push(review);
    }

    /// Whether a current decision was made on these very bytes.
    pub fn is_decided_on(&self, sha256: &str) -> bool {
        self.source.sha256.eq_ignore_ascii_case(sha256)
    }

    /// What is wrong with the record in itself, one sentence part each; empty if nothing is.
    pub fn find_problems(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        self.check_source(&mut wrong);
        let lines = self.source.lines;
        check_cuts("cuts", self.cuts, lines, &mut wrong);
        for (index, review) in self.reviews.iter().enumerate() {
            let place = format!("reviews[{index}]");
            let lines = review.source.as_ref().map_or(lines, |source| source.lines);
            check_cuts(&place, review.cuts, lines, &mut wrong);
            if review.by.trim().is_empty() {
                wrong.push(format!("{place}: 'by' is empty; name the curator"));
            }
            if review.at.parse::<jiff::Timestamp>().is_err() {
                let at = &review.at;
                wrong.push(format!(
                    "{place}: 'at' is '{at}'; write a time such as 2026-11-21T03:22:00Z"
                ));
            }
        }
        self.check_places(&mut wrong);
        if (self.verdict == Verdict::NotABook) != (self.kind == RecordKind::NotABook) {
            let (kind, verdict) = (self.kind, self.verdict);
            wrong.push(format!(
                "kind '{kind}' and verdict '{verdict}' contradict each other; give not-a-book in both or in neither"
            ));
        }
        wrong
    }

    /// Adds what is wrong with book and source.
    fn check_source(&self, wrong: &mut Vec<String>) {
        if self.book.is_empty() {
            wrong.push("book is empty; write the book's id".to_owned());
        }
        if self.book.len() > LONGEST_BOOK {
            wrong.push(format!(
                "book has {} bytes, more than the {LONGEST_BOOK} of an id that names a file",
                self.book.len()
            ));
        }
        if self.source.lines == 0 {
            wrong.push("source.lines is 0; a book has at least one line".to_owned());
        }
        let sha = &self.source.sha256;
        if sha.len() != 64 || !sha.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            wrong.push(format!(
                "source.sha256 is '{sha}'; it has 64 hexadecimal digits"
            ));
        }
    }

    /// Adds what is wrong with the lines of alternatives and of boilerplate inside.
    fn check_places(&self, wrong: &mut Vec<String>) {
        let lines = self.source.lines;
        for Alternative { end, line, .. } in &self.alternatives {
            // A start may be 0 (no preamble), an end one past the last line (no epilogue).
            let fits = match end {
                End::Start => *line <= lines,
                End::End => *line >= 1 && *line <= lines.saturating_add(1),
            };
            if !fits {
                wrong.push(format!(
                    "alternatives: line {line} is outside the {lines} lines of the file"
                ));
            }
        }
        for InnerBoilerplate { first, last, .. } in &self.inside {
            if *first == 0 || first > last || *last > lines {
                wrong.push(format!(
                    "inside: {first} to {last} is not a range within the {lines} lines of the file"
                ));
            }
        }
    }
}

/// Why a file gives no record that can be relied on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnsoundRecord {
    /// It does not parse.
    #[error(transparent)]
    Broken(#[from] ParseError),
    /// It contradicts itself: what [`Record::find_problems`] says first.
    #[error("{0}")]
    Contradictory(String),
}

/// The longest id, in bytes, of which a file of a record can be made: systems take paths of 4,096.
const LONGEST_BOOK: usize = 3000;

/// Adds what is wrong with cuts in a text of `lines` lines. `place`: where they are in the record.
fn check_cuts(place: &str, cuts: Cuts, lines: u32, wrong: &mut Vec<String>) {
    let start = cuts.preamble_end;
    if start > lines {
        wrong.push(format!(
            "{place}: preamble_end {start} is outside the {lines} lines of the file"
        ));
    }
    let Some(end) = cuts.epilogue_start else {
        return;
    };
    if end == 0 || end > lines {
        wrong.push(format!(
            "{place}: epilogue_start {end} is outside the {lines} lines of the file; write null for no epilogue"
        ));
    }
    if start >= end {
        wrong.push(format!(
            "{place}: preamble_end {start} does not come before epilogue_start {end}"
        ));
    }
}

/// The default policy of a record.
fn guide() -> String {
    "guide".to_owned()
}

/// Cuts whose two keys must both stand, because a missing `epilogue_start` is not "no epilogue".
mod strict_cuts {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use endpaper_detect::Cuts;

    /// The cuts as written in a record, where both keys are mandatory.
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct StrictRecord {
        preamble_end: u32,
        #[serde(deserialize_with = "Option::deserialize")]
        epilogue_start: Option<u32>,
    }

    /// Writes cuts.
    pub fn serialize<S: Serializer>(cuts: &Cuts, to: S) -> Result<S::Ok, S::Error> {
        cuts.serialize(to)
    }

    /// Reads cuts, of which both keys must be there.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Cuts, D::Error> {
        let strict = StrictRecord::deserialize(from)?;
        Ok(Cuts {
            preamble_end: strict.preamble_end,
            epilogue_start: strict.epilogue_start,
        })
    }
}

/// The name of an end in records.
pub(super) fn end_word(end: End) -> &'static str {
    match end {
        End::Start => "start",
        End::End => "end",
    }
}

mod end_name {
    use serde::{Deserializer, Serializer};

    use crate::serde_names::deserialize_parsed;
    use endpaper_detect::End;

    /// Writes `start` or `end`.
    pub fn serialize<S: Serializer>(end: &End, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(super::end_word(*end))
    }

    /// Reads `start` or `end`.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<End, D::Error> {
        deserialize_parsed(from, |word| match word {
            "start" => Ok(End::Start),
            "end" => Ok(End::End),
            other => Err(format!(
                "'{other}' is not an end; write \"start\" or \"end\""
            )),
        })
    }
}
