//! One end of a book as the posterior detector reads it: rows and blocks from the outside (the edge of the file)
//! inwards (towards the body), so that one set of facts serves both ends. The *outer* side of a cut is cut away, the
//! *inner* one kept.

use std::ops::Range;

use crate::End;
use endpaper_text::scan::{CueSet, LexicalCue, MarkerSet, Scan, ScanRow, count_rows_near_end};

/// Rows without blank lines between them.
pub(super) struct RegionBlock {
    /// Its rows, by their indices in the region.
    pub rows: Range<usize>,
    /// Lexical cues of all its rows.
    pub cues: CueSet,
    /// Marks of all its rows.
    pub marks: MarkerSet,
    /// Whether a row has a producer cue.
    pub has_producer_cue: bool,
    /// Whether a line of it is in books of several authors, all by one producer. Set together with its facts.
    pub by_one_producer: bool,
    /// Smallest indent of its rows, in columns.
    pub indent: u8,
    /// Whether it has neither letters nor digits.
    pub separator: bool,
}

impl RegionBlock {
    /// The block of some rows of a region, with `by_one_producer` still unset.
    fn new(range: Range<usize>, region: &[&ScanRow]) -> RegionBlock {
        let rows = &region[range.clone()];
        let (mut cues, mut marks) = (CueSet::default(), MarkerSet::default());
        let (mut strong, mut separator, mut indent) = (false, true, u8::MAX);
        for row in rows {
            cues |= row.features.cues;
            marks |= row.marks;
            strong |= row.has_producer_cue();
            separator &= row.marks.has(MarkerSet::SEPARATOR);
            indent = indent.min(row.features.indent);
        }
        RegionBlock {
            rows: range,
            cues,
            marks,
            has_producer_cue: strong,
            by_one_producer: false,
            indent,
            separator,
        }
    }

    /// Whether it reads like the opening of something that producers add.
    pub fn reads_as_addition(&self) -> bool {
        let opens = const {
            CueSet::all_of(&[
                LexicalCue::ProducersNote,
                LexicalCue::NoteHeading,
                LexicalCue::Credit,
                LexicalCue::Bookmarks,
                LexicalCue::Addendum,
            ])
        };
        self.cues.shared(opens) > 0
            || self.count_trade_words() > 1
            || self.by_one_producer
            || self
                .marks
                .has_any(MarkerSet::NOTE | MarkerSet::CREDITS | MarkerSet::ETEXT)
    }

    /// Number of different lexical cues of e-book production in it.
    pub fn count_trade_words(&self) -> usize {
        trade_words_in(self.cues)
    }
}

/// Number of lexical cues of e-book production among these.
pub(super) fn trade_words_in(cues: CueSet) -> usize {
    let trade = const {
        CueSet::all_of(&[
            LexicalCue::Etext,
            LexicalCue::Scan,
            LexicalCue::Proof,
            LexicalCue::Transcribe,
            LexicalCue::Charset,
            LexicalCue::Markup,
            LexicalCue::Error,
            LexicalCue::Change,
            LexicalCue::Spelling,
            LexicalCue::Original,
            LexicalCue::Printed,
            LexicalCue::Html,
            LexicalCue::File,
        ])
    };
    cues.shared(trade)
}

/// The rows and blocks at one end of a book among which a cut is searched.
pub(super) struct EndRegion<'a> {
    pub end: End,
    /// Rows of the Scan, from the outside inwards.
    pub rows: Vec<&'a ScanRow>,
    /// Blank lines on the outer side of each row; 0 for the first.
    pub blanks: Vec<u32>,
    /// Index of the block of each row.
    pub block_of: Vec<usize>,
    pub blocks: Vec<RegionBlock>,
}

impl<'a> EndRegion<'a> {
    /// The region of one end: the rows of [`rows_of_end`].
    pub fn new(scan: &'a Scan, end: End) -> EndRegion<'a> {
        let rows = rows_of_end(scan, end);
        let mut blanks = Vec::with_capacity(rows.len());
        let mut block_of = Vec::with_capacity(rows.len());
        let mut starts = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let blank = at.checked_sub(1).map_or(0, |before| {
                rows[before].line.abs_diff(row.line).saturating_sub(1)
            });
            if at == 0 || blank > 0 {
                starts.push(at);
            }
            blanks.push(blank);
            block_of.push(starts.len() - 1);
        }
        let ends = starts.iter().skip(1).copied().chain([rows.len()]);
        let blocks = starts.iter().zip(ends);
        let blocks = blocks.map(|(&first, end)| RegionBlock::new(first..end, &rows));
        EndRegion {
            end,
            blocks: blocks.collect(),
            rows,
            blanks,
            block_of,
        }
    }

    /// Whether a row is a marker of this end.
    pub fn is_end_marker(&self, row: &ScanRow) -> bool {
        let markers = match self.end {
            End::Start => MarkerSet::START | MarkerSet::SMALL_PRINT_END,
            End::End => MarkerSet::END,
        };
        row.marks.has_any(markers)
    }

    /// First and last line of a range of rows.
    pub fn lines(&self, rows: &Range<usize>) -> (u32, u32) {
        let (outer, inner) = (self.rows[rows.start].line, self.rows[rows.end - 1].line);
        (outer.min(inner), outer.max(inner))
    }

    /// Number of cut positions: before the first row (nothing is cut away) and after each row.
    pub fn positions(&self) -> usize {
        self.rows.len() + 1
    }
}

/// The rows near one end ([`count_rows_near_end`]), from the outside inwards.
pub(super) fn rows_of_end(scan: &Scan, end: End) -> Vec<&ScanRow> {
    let mut rows: Vec<&ScanRow> = match end {
        // Where the windows of a short book overlap, all its rows are in both regions.
        End::Start if scan.is_whole() => scan.rows.iter().collect(),
        End::End if scan.is_whole() => scan.rows.iter().rev().collect(),
        End::Start => scan.head_rows().iter().collect(),
        End::End => scan.rows[scan.head as usize..].iter().rev().collect(),
    };
    let reach = count_rows_near_end(rows.len(), |at| rows[at].distance_from_producer());
    rows.truncate(reach);
    rows
}
