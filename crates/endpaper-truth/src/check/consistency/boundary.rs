//! What is beside a cut: blocks with a kind each, from the last marker inwards.

use std::fmt;

use endpaper_detect::Cuts;
use endpaper_text::corpus::BookText;
use endpaper_text::line::Normaliser;
use endpaper_text::scan::{LexicalCue, MarkerSet, Scan, ScanRow};

/// Lines of a block that are examined.
const LINES: u32 = 60;
/// Longest heading, in characters.
const HEADING: usize = 50;
/// More lines than a block with title and author has.
const TITLE: u32 = 6;
/// Blocks that are examined outside and inside a cut.
const OUTSIDE: usize = 12;
const INSIDE: usize = 6;
/// Blocks inside the end of a body: what is there is text sooner than at its start.
const INSIDE_END: usize = 3;

/// The kind of a block beside a cut, recognised by its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BoundaryKind {
    /// A note of those who made the file.
    Note,
    /// Who made the file.
    Credits,
    /// A marker, a licence, another line that names the library.
    Library,
    /// The title or the author, as the header names them.
    Title,
    /// Rows of asterisks or dashes.
    Separator,
    /// Anything else.
    Plain,
}

impl fmt::Display for BoundaryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            BoundaryKind::Note => "a note",
            BoundaryKind::Credits => "credits",
            BoundaryKind::Library => "a marker or licence",
            BoundaryKind::Title => "the title",
            BoundaryKind::Separator => "a separator",
            BoundaryKind::Plain => "plain text",
        })
    }
}

/// A block beside a cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BoundaryBlock {
    pub kind: BoundaryKind,
    /// It is in the preamble or in the epilogue.
    pub is_outside: bool,
    /// Its first line.
    pub first: u32,
    /// What that line says, at most 60 characters.
    pub text: String,
    /// It opens with `TITLE by`, as a line of title and author does that a person typed.
    pub opens_with_title: bool,
}

/// The blocks beside the preamble cut in line order, from the last marker above it.
pub(super) fn at_start(text: &BookText, scan: &Scan, cuts: Cuts) -> Vec<BoundaryBlock> {
    let blocks = TextBlocks { text, scan };
    let first = cuts.preamble_end.saturating_add(1);
    let end = cuts.epilogue_start.unwrap_or(text.lines() + 1);
    let mut outside = blocks.collect_blocks(OUTSIDE, true, first, |from| blocks.above(from, 1));
    outside.reverse();
    // The author alone below a line of the library's is part of that line.
    for at in 1..outside.len() {
        let below = outside[at - 1].kind == BoundaryKind::Library;
        if below && outside[at].kind == BoundaryKind::Title && !blocks.has_title(outside[at].first)
        {
            outside[at].kind = BoundaryKind::Library;
        }
    }
    let mut pieces = without_continuations(outside);
    pieces.extend(blocks.collect_blocks(INSIDE, false, first, |from| blocks.below(from, end)));
    pieces
}

/// The blocks beside the epilogue cut in line order, to the first marker below it.
pub(super) fn at_end(text: &BookText, scan: &Scan, cuts: Cuts) -> Vec<BoundaryBlock> {
    let blocks = TextBlocks { text, scan };
    let first = cuts.preamble_end.saturating_add(1);
    let end = cuts.epilogue_start.unwrap_or(text.lines() + 1);
    let last = text.lines() + 1;
    let above = |from| blocks.above(from, first);
    let mut pieces = blocks.collect_blocks(INSIDE_END, false, end.min(last), above);
    pieces.reverse();
    let outside = blocks.collect_blocks(OUTSIDE, true, end, |from| blocks.below(from, last));
    pieces.extend(without_continuations(outside));
    pieces
}

/// The blocks without the plain ones that follow a note or credits, as further paragraphs of it.
fn without_continuations(pieces: Vec<BoundaryBlock>) -> Vec<BoundaryBlock> {
    let mut kept: Vec<BoundaryBlock> = Vec::new();
    for piece in pieces {
        let after = kept.last().map(|piece| piece.kind);
        let goes_on = matches!(after, Some(BoundaryKind::Note | BoundaryKind::Credits));
        if !(goes_on && piece.kind == BoundaryKind::Plain) {
            kept.push(piece);
        }
    }
    kept
}

/// First and last line of a block.
type LineRange = (u32, u32);

/// The blocks of a text.
struct TextBlocks<'a> {
    text: &'a BookText,
    scan: &'a Scan,
}

impl TextBlocks<'_> {
    /// Blocks away from a line, nearest first, without separators, which belong to whatever they touch; outside to the
    /// first that names the library.
    fn collect_blocks(
        &self,
        most: usize,
        outside: bool,
        from: u32,
        next: impl Fn(u32) -> Option<LineRange>,
    ) -> Vec<BoundaryBlock> {
        let mut pieces = Vec::new();
        let mut at = from;
        while let Some((first, last)) = next(at).filter(|_| pieces.len() < most) {
            at = if first < from { first } else { last + 1 };
            // Further in, editors, translators and authors of notes may have been printed.
            let printed = !outside && !pieces.is_empty() && !self.is_modern(first, last);
            let kind = match self.kind(first, last) {
                BoundaryKind::Note | BoundaryKind::Credits if printed => BoundaryKind::Plain,
                kind => kind,
            };
            if kind == BoundaryKind::Separator {
                continue;
            }
            let line = self.text.display(first, 200);
            pieces.push(BoundaryBlock {
                kind,
                is_outside: outside,
                first,
                opens_with_title: self.opens_with_title(&line),
                text: line.trim().chars().take(60).collect(),
            });
            if outside && kind == BoundaryKind::Library {
                break;
            }
        }
        pieces
    }

    /// The block that ends just above a line, down to a first one.
    fn above(&self, line: u32, least: u32) -> Option<LineRange> {
        let last = self.text.non_blank_to(line.saturating_sub(1))?;
        let mut first = last;
        while first > least && last - first < LINES && !self.text.is_blank(first - 1) {
            first -= 1;
        }
        (last >= least).then_some((first, last))
    }

    /// The block that begins at a line or just below, up to an end.
    fn below(&self, line: u32, end: u32) -> Option<LineRange> {
        let first = self.text.non_blank_from(line)?;
        let mut last = first;
        while last + 1 < end && last - first < LINES && !self.text.is_blank(last + 1) {
            last += 1;
        }
        (first < end).then_some((first, last))
    }

    /// What a block is, by the marks of its lines: one signed line signs it all.
    fn kind(&self, first: u32, last: u32) -> BoundaryKind {
        let mut normaliser = Normaliser::default();
        let (mut all, mut only_separators) = (MarkerSet::default(), true);
        for line in first..=last {
            let marks = MarkerSet::of(&normaliser.line(&self.text.normaliser_input(line)));
            only_separators &= marks.has(MarkerSet::SEPARATOR);
            all |= marks;
        }
        let ours = MarkerSet::START
            | MarkerSet::SMALL_PRINT_END
            | MarkerSet::END
            | MarkerSet::ETEXT
            | MarkerSet::GUTENBERG;
        let says = |cues: &[LexicalCue]| self.rows(first, last).any(|row| has_cue(row, cues));
        match all {
            marks if marks.has_any(MarkerSet::NOTE) => BoundaryKind::Note,
            _ if self.rows(first, last).any(is_note_heading) => BoundaryKind::Note,
            marks if marks.has_any(MarkerSet::CREDITS) => BoundaryKind::Credits,
            marks if marks.has_any(ours) => BoundaryKind::Library,
            _ if only_separators => BoundaryKind::Separator,
            _ if says(&[LexicalCue::Title, LexicalCue::Author]) => {
                match says(&[LexicalCue::Verb, LexicalCue::Etext]) {
                    true => BoundaryKind::Credits,
                    // Prose may name a title too.
                    false if last - first >= TITLE => BoundaryKind::Plain,
                    false => BoundaryKind::Title,
                }
            }
            _ => BoundaryKind::Plain,
        }
    }

    /// Whether a line is the book's title followed by `by`.
    fn opens_with_title(&self, line: &str) -> bool {
        let title = normalise_name(self.scan.header.title.as_deref().unwrap_or_default());
        let rest = normalise_name(line);
        let rest = rest.strip_prefix(&title).filter(|_| !title.is_empty());
        rest.is_some_and(|rest| rest.starts_with(" by "))
    }

    /// Whether the block that begins at or below line `first` repeats the title.
    fn has_title(&self, first: u32) -> bool {
        let (_, last) = self.below(first, self.text.lines() + 1).unwrap_or((0, 0));
        self.rows(first, last)
            .any(|row| has_cue(row, &[LexicalCue::Title]))
    }

    /// Whether a block speaks of electronic texts or of those who make them.
    fn is_modern(&self, first: u32, last: u32) -> bool {
        let mut rows = self.rows(first, last);
        rows.any(ScanRow::mentions_etext)
    }

    /// The rows of the windows from a line through another.
    fn rows(&self, first: u32, last: u32) -> impl Iterator<Item = &ScanRow> {
        let rows = &self.scan.rows;
        let from = rows.partition_point(|row| row.line < first);
        rows[from..].iter().take_while(move |row| row.line <= last)
    }
}

/// Letters and digits of a name, so that editions are not distinguished by a comma.
pub(super) fn normalise_name(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

/// Whether a row has one of the cues.
fn has_cue(row: &ScanRow, cues: &[LexicalCue]) -> bool {
    cues.iter().any(|sign| row.features.cues.has(*sign))
}

/// A heading such as `PREPARER'S NOTE`.
fn is_note_heading(row: &ScanRow) -> bool {
    let short = usize::from(row.characters) < HEADING;
    short
        && has_cue(row, &[LexicalCue::Preparer, LexicalCue::Transcribe])
        && has_cue(row, &[LexicalCue::NoteWord])
}

/// Whether a line between the cuts could be of the library's: in the windows, or further in if it names the library.
pub(super) fn has_boilerplate_inside(scan: &Scan, cuts: Cuts) -> bool {
    let is_inside = |line: u32| cuts.enclose(line);
    let marks = MarkerSet::NOTE | MarkerSet::CREDITS;
    let could =
        |row: &&ScanRow| row.has_producer_cue() || row.marks.has_any(marks) || is_note_heading(row);
    let rows = scan.rows.iter().filter(could).map(|row| row.line);
    rows.chain(scan.mentions.iter().copied()).any(is_inside)
}
