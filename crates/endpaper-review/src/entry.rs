//! A book in the queue.

use std::collections::HashMap;

use endpaper_detect::{Cuts, End, Reason};
use endpaper_text::corpus::BookId;
use endpaper_text::line::{Key, Normaliser};
use endpaper_text::scan::{MarkerSet, Template};
use endpaper_truth::{Record, RecordKind, Verdict};

/// How far a book is decided.
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
    /// The record does not parse: read-only until it is fixed.
    Broken,
    /// The book itself cannot be read.
    Unreadable,
}

impl ReviewStatus {
    /// One letter for the queue column: never colour alone.
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

    /// In words.
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

    /// A verdict was given.
    pub fn is_decided(self) -> bool {
        matches!(self, ReviewStatus::Decided(verdict) if verdict.is_decided())
    }
}

/// Doubt of a book at least, if it and a copy are cut at other words: of two that contradict each other one is wrong. (Of
/// 40 labelled books with copies that do not, one is; of 5 with copies that do, all five are.)
const CONTRADICTED: f32 = 0.5;

/// Doubt of a book at least, if the alternation detector cuts it far elsewhere. (That share of such
/// books is wrong: [`endpaper_detect::pipeline::MIN_DISAGREEMENT`].)
const CONTESTED: f32 = 0.25;

/// The near copies of a book in its corpus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookCopies {
    /// The number of their cluster, from 1; 0: there are none, or they were not searched for yet.
    pub cluster: u32,
    /// One of them is cut at other words: what is body in one is cut away in the other.
    pub is_cut_differently: bool,
}

/// What the queue knows of a book: small, so that ten thousand fit in a few megabytes.
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
    /// Who produced the file.
    pub producer: String,
    /// Its template.
    pub template: Template,
    /// Rank of the template by the number of its books, from 1; 0 before templates are counted.
    pub template_rank: u32,
    /// Doubt of the detector, 0..1; `None` before detection. What is shown is [`QueueEntry::shown_doubt`].
    pub doubt: Option<f32>,
    /// Weightiest reason for doubt.
    pub reason: Option<Reason>,
    /// How far it is decided.
    pub status: ReviewStatus,
    /// Marked hard.
    pub hard: bool,
    /// Why it is hard.
    pub flags: Vec<String>,
    /// What the file is.
    pub kind: RecordKind,
    /// How it was decided, comparable between siblings: on what skeleton of lines the body begins. 0: unknown.
    pub labelling_profile: u64,
    /// Why it cannot be read.
    pub unreadable: Option<String>,
    /// The current cuts, those of its record or else the proposed ones; `None` before detection.
    pub cuts: Option<Cuts>,
    /// Number of lines; 0 before detection.
    pub lines: u32,
    /// Its near copies.
    pub copies: BookCopies,
    /// The alternation detector cuts it far from where it is proposed.
    pub is_contested: bool,
}

impl QueueEntry {
    /// Doubt as it is shown and sorted by, with what others than its detector tell.
    pub fn shown_doubt(&self) -> Option<f32> {
        self.doubt.map(|doubt| self.adjusted_doubt(doubt))
    }

    /// A doubt of this book, with what its copies and the alternation detector tell.
    pub fn adjusted_doubt(&self, doubt: f32) -> f32 {
        let told = match (self.copies.is_cut_differently, self.is_contested) {
            (true, _) => CONTRADICTED,
            (false, true) => CONTESTED,
            (false, false) => 0.0,
        };
        doubt.max(told)
    }

    /// The other book is a near copy of this one.
    pub fn is_copy_of(&self, other: &QueueEntry) -> bool {
        self.copies.cluster != 0 && self.copies.cluster == other.copies.cluster
    }

    /// The book as one line of a list: its standing, its doubt if it may be shown, its names.
    pub fn list_label(&self, doubted: bool) -> String {
        let doubt = self.shown_doubt().filter(|_| doubted);
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
        // The standing comes first: names are what a narrow screen may cut.
        let standing = match (self.status, self.hard) {
            (ReviewStatus::Undecided, false) => String::new(),
            (standing, _) => format!("[{}{hard}] ", standing.word()),
        };
        let letter = self.status.letter();
        format!("{letter} {doubt:4} {standing}{}", words.join(" · "))
    }

    /// How many lines of the book are outside its cut at an end, if the cuts are known.
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

    /// The title, to be shown beside the name: empty where the name represents it.
    pub fn distinct_title(&self) -> &str {
        if self.title == self.name() {
            ""
        } else {
            &self.title
        }
    }
}

/// How a record was decided, comparable between books of one template: what the file is, and on what kind of lines its
/// cuts stand.
pub fn labelling_profile(record: &Record) -> u64 {
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

/// What kind of lines are outside of a cut. A block of credits or a note is signed in one of its lines only: all lines
/// of the context are examined.
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

/// Numbers templates by how many books they have, the largest first. Books without a template keep 0.
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
        assert_eq!(labelling_profile(&one), labelling_profile(&two));
        assert_ne!(labelling_profile(&one), labelling_profile(&three));
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
