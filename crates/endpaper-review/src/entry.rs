//! A book in the queue.

use std::collections::HashMap;

use endpaper_detect::{Cuts, End, Reason};
use endpaper_text::corpus::BookId;
use endpaper_text::line::{Key, Normaliser};
use endpaper_text::scan::{MarkerSet, Template};
use endpaper_truth::{Record, RecordKind, Verdict};

/// Review status of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReviewStatus {
    /// No record.
    #[default]
    Undecided,
    /// A record exists but has not been read yet.
    Recorded,
    /// A draft.
    Draft,
    /// Decided.
    Decided(Verdict),
    /// The record does not parse; the book is read-only until that is fixed.
    Broken,
    /// The book itself cannot be read.
    Unreadable,
}

impl ReviewStatus {
    /// One letter for the queue column, which never relies on colour alone.
    pub fn letter(self) -> char {
        match self {
            ReviewStatus::Undecided => ' ',
            ReviewStatus::Recorded => '?',
            ReviewStatus::Draft => 'd',
            ReviewStatus::Decided(Verdict::Confirmed) => '=',
            ReviewStatus::Decided(Verdict::Corrected) => '~',
            ReviewStatus::Decided(Verdict::Undecidable) => 'u',
            ReviewStatus::Decided(Verdict::NotABook) => 'n',
            ReviewStatus::Decided(Verdict::Open) => 'd',
            ReviewStatus::Broken => '!',
            ReviewStatus::Unreadable => 'x',
        }
    }

    /// The status as a word.
    pub fn word(self) -> &'static str {
        match self {
            ReviewStatus::Undecided => "undecided",
            ReviewStatus::Recorded => "recorded",
            ReviewStatus::Draft | ReviewStatus::Decided(Verdict::Open) => "draft",
            ReviewStatus::Decided(Verdict::Confirmed) => "confirmed",
            ReviewStatus::Decided(Verdict::Corrected) => "corrected",
            ReviewStatus::Decided(Verdict::Undecidable) => "undecidable",
            ReviewStatus::Decided(Verdict::NotABook) => "not a book",
            ReviewStatus::Broken => "broken record",
            ReviewStatus::Unreadable => "unreadable",
        }
    }

    /// Whether a file says something about the book.
    pub fn has_record(self) -> bool {
        !matches!(self, ReviewStatus::Undecided | ReviewStatus::Unreadable)
    }

    /// Whether a verdict with cuts was given.
    pub fn has_cuts(self) -> bool {
        matches!(self, ReviewStatus::Decided(verdict) if verdict.has_cuts())
    }

    /// Whether a verdict was given.
    pub fn is_decided(self) -> bool {
        matches!(self, ReviewStatus::Decided(verdict) if verdict.is_decided())
    }
}

/// The near copies of a book in its corpus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookCopies {
    /// Number of their cluster, from 1; 0 if there are none or they have not been searched for.
    pub cluster: u32,
    /// A near copy is cut at other words: text in the body of one is outside the body of the other.
    pub is_cut_differently: bool,
}

/// The fields of a queue entry that second opinions change.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EntryOpinions {
    /// Near copies of the book.
    pub copies: BookCopies,
    /// The alternation detector cuts far from the proposed cuts.
    pub is_contested: bool,
    /// Doubt of the cuts with these opinions; `None` to keep it.
    pub doubt: Option<f32>,
    /// The most important reason for doubt.
    pub reason: Option<Reason>,
}

/// The data of a book in the queue: small, so that 10,000 fit into a few megabytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueueEntry {
    /// The book's id (`None` only in a default entry).
    pub id: Option<BookId>,
    /// Title from the header, or the file's name.
    pub title: String,
    /// Author from the header.
    pub author: String,
    /// E-book number from the header.
    pub number: Option<u32>,
    /// Producer of the file.
    pub producer: String,
    /// Template of the file.
    pub template: Template,
    /// Rank of the template by number of books, from 1; 0 before templates are counted.
    pub template_rank: u32,
    /// In a collection that no profile knows, the rank of a book that stands for its kind, from 1; 0 for other books.
    pub exemplar: u32,
    /// Doubt of the cuts, 0 to 1, with second opinions as soon as they are known; `None` before detection.
    pub doubt: Option<f32>,
    /// The most important reason for doubt.
    pub reason: Option<Reason>,
    /// Review status.
    pub status: ReviewStatus,
    /// Marked hard.
    pub hard: bool,
    /// Why it is hard.
    pub flags: Vec<String>,
    /// What the file is.
    pub kind: RecordKind,
    /// Signature of its record, comparable between books of one template, see [`labelling_signature`]; 0: unknown.
    pub labelling_signature: u64,
    /// Why the book cannot be read.
    pub unreadable: Option<String>,
    /// The cuts of its record, or else the proposed ones; `None` before detection.
    pub cuts: Option<Cuts>,
    /// Number of lines; 0 before detection.
    pub lines: u32,
    /// Near copies of the book.
    pub copies: BookCopies,
    /// The alternation detector cuts far from the proposed cuts.
    pub is_contested: bool,
}

impl QueueEntry {
    /// Whether the two books are near copies.
    pub fn is_copy_of(&self, other: &QueueEntry) -> bool {
        self.copies.cluster != 0 && self.copies.cluster == other.copies.cluster
    }

    /// The book as one line of a list: its status, its doubt if `doubted`, its names.
    pub fn list_label(&self, doubted: bool) -> String {
        let doubt = self.doubt.filter(|_| doubted);
        let doubt = doubt.map_or_else(String::new, |doubt| format!("{doubt:.2}"));
        let why = self.unreadable.as_deref().unwrap_or_default();
        let words = [
            self.name(),
            self.distinct_title(),
            &self.author,
            &self.producer,
            why,
        ];
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let hard = if self.hard { ", hard" } else { "" };
        // The status comes first: a narrow screen may cut off the names.
        let standing = match (self.status, self.hard) {
            (ReviewStatus::Undecided, false) => String::new(),
            (standing, _) => format!("[{}{hard}] ", standing.word()),
        };
        let letter = self.status.letter();
        format!("{letter} {doubt:4} {standing}{}", words.join(" · "))
    }

    /// Number of lines outside the cut at an end; `None` if the cuts are unknown.
    pub fn lines_outside(&self, end: End) -> Option<u32> {
        let cuts = self.cuts?;
        let after = |line: u32| (self.lines + 1).saturating_sub(line);
        Some(match end {
            End::Start => cuts.preamble_end,
            End::End => cuts.epilogue_start.map_or(0, after),
        })
    }

    /// The id as text.
    pub fn id(&self) -> &str {
        self.id.as_ref().map_or("", BookId::as_str)
    }

    /// The short name: the last part of the id.
    pub fn name(&self) -> &str {
        self.id.as_ref().map_or("", BookId::name)
    }

    /// The title to show next to the name; empty if it equals the name.
    pub fn distinct_title(&self) -> &str {
        if self.title == self.name() {
            ""
        } else {
            &self.title
        }
    }
}

/// A hash of how a record was decided, comparable between books of one template: the kind of the file, and the kinds of lines
/// outside its cuts.
pub fn labelling_signature(record: &Record) -> u64 {
    let before = outer_text_kind(
        &record.context.preamble_end.before,
        record.cuts.preamble_end == 0,
    );
    let after = outer_text_kind(
        &record.context.epilogue_start.after,
        record.cuts.epilogue_start.is_none(),
    );
    Key::of(&format!("{} {before} {after}", record.kind)).0
}

/// The kind of the lines outside a cut. Only one line of a credits block or a note may have the marker, so all lines of the
/// context are examined.
fn outer_text_kind(lines: &[String], nothing: bool) -> &'static str {
    let mut normaliser = Normaliser::default();
    let marks = lines.iter().fold(MarkerSet::default(), |marks, line| {
        marks | MarkerSet::of(&normaliser.text(line))
    });
    let markers = MarkerSet::START | MarkerSet::SMALL_PRINT_END | MarkerSet::END | MarkerSet::ETEXT;
    match marks {
        _ if nothing => "nothing",
        marks if marks.has_any(MarkerSet::NOTE) => "note",
        marks if marks.has_any(MarkerSet::CREDITS) => "credits",
        marks if marks.has_any(markers) => "marker",
        marks if marks.has_any(MarkerSet::GUTENBERG) => "licence",
        _ => "other",
    }
}

/// Numbers templates by number of books, the largest first. Books without a template keep 0.
pub fn rank_templates(entries: &mut [QueueEntry]) {
    let mut books: HashMap<Template, u32> = HashMap::new();
    for entry in entries
        .iter()
        .filter(|entry| entry.template != Template::default())
    {
        *books.entry(entry.template).or_default() += 1;
    }
    let mut order: Vec<(Template, u32)> = books.into_iter().collect();
    order.sort_by_key(|&(template, count)| (std::cmp::Reverse(count), template));
    let rank: HashMap<Template, u32> = order
        .into_iter()
        .enumerate()
        .map(|(at, (template, _))| (template, at as u32 + 1))
        .collect();
    for entry in entries {
        entry.template_rank = rank.get(&entry.template).copied().unwrap_or(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_detect::Cuts;
    use endpaper_truth::{Anchor, CutContext, SourceFacts};

    fn record(before: &[&str], after: &[&str]) -> Record {
        let anchor = |before: &[&str], after: &[&str]| Anchor {
            before: before.iter().map(|line| line.to_string()).collect(),
            after: after.iter().map(|line| line.to_string()).collect(),
            ..Anchor::default()
        };
        let mut record = Record::new("a", SourceFacts::default());
        record.cuts = Cuts {
            preamble_end: 9,
            epilogue_start: Some(99),
        };
        record.context = CutContext {
            preamble_end: anchor(before, &[]),
            epilogue_start: anchor(&[], after),
            ..CutContext::default()
        };
        record
    }

    #[test]
    fn books_cut_at_the_same_kinds_of_lines_are_alike() {
        let end = ["End of the Project Gutenberg Etext of One"];
        let one = record(
            &["Produced by David Widger and the", "Proofreading Team"],
            &end,
        );
        let two = record(
            &["*** START OF", "Produced by Al Haines"],
            &["*** END OF THIS PROJECT GUTENBERG EBOOK TWO ***"],
        );
        let three = record(
            &["*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*"],
            &end,
        );
        assert_eq!(labelling_signature(&one), labelling_signature(&two));
        assert_ne!(labelling_signature(&one), labelling_signature(&three));
    }

    #[test]
    fn templates_are_numbered_by_their_size() {
        let entry = |template| QueueEntry {
            template: Template(template),
            ..QueueEntry::default()
        };
        let mut entries = [entry(7), entry(0), entry(5), entry(7)];
        rank_templates(&mut entries);
        assert_eq!(entries.map(|entry| entry.template_rank), [1, 0, 2, 1]);
    }
}
