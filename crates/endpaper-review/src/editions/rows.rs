//! Rows of two editions: side by side, or as a unified diff.

use std::ops::Range;

use super::align::Alignment;
use super::align::StretchKind;
use super::comparison::EditionComparison;
use crate::page::BookPage;
use endpaper_detect::End;

/// Number of rows around differences, cuts and candidates that are always shown.
const CONTEXT: usize = 4;
/// Maximum number of rows with lines of only one edition that are all shown.
const MAX_SHOWN_ROWS: usize = 16;

/// A row of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditionRow {
    /// A line of one of the editions, or of both.
    Line {
        /// How the lines correspond. [`StretchKind::OnlyHere`] and [`StretchKind::OnlyThere`] are lines that only one edition
        /// has, also if one of each is side by side.
        kind: StretchKind,
        /// The line of the open book.
        here: Option<u32>,
        /// The line of the other edition.
        there: Option<u32>,
    },
    /// Number of blank lines before the next row, in each edition.
    Blanks(u32, u32),
    /// A fold of rows that are either all shared or contain lines of only one edition.
    Fold {
        /// Both editions have the lines.
        is_shared: bool,
        /// Number of rows.
        count: usize,
    },
    /// A cut of the open book, of the other edition, or of both.
    Cut {
        /// The cut of the open book is here.
        here: bool,
        /// The cut of the other edition is here.
        there: bool,
    },
}

/// Lines around which rows are kept unfolded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptEdges {
    /// The cut position of the open book, if it is shown.
    pub here: Option<u32>,
    /// The cut position of the other edition, if it is shown.
    pub there: Option<u32>,
    /// Positions of the candidates.
    pub digit_positions: Vec<u32>,
}

/// The rows of an end. `beside`: side by side; `unfolded`: shared lines are not folded.
pub fn rows(
    edition: &EditionComparison,
    end: End,
    beside: bool,
    edges: &KeptEdges,
    unfolded: bool,
) -> Vec<EditionRow> {
    let alignment = edition.at(end);
    let lines = match beside {
        true => side_by_side(alignment),
        false => unified(alignment),
    };
    let mut layer = RowLayer {
        here: EditionColumn::new(&edition.here, edges.here),
        there: EditionColumn::new(&edition.there, edges.there),
        is_side_by_side: beside,
        rows: Vec::with_capacity(lines.len() * 2),
    };
    for (line, there) in lines {
        layer.line(line, there);
    }
    layer.end(alignment);
    match unfolded {
        true => layer.rows,
        false => folded(&layer.rows, &edges.digit_positions),
    }
}

/// Rows with both columns, lines that differ next to each other. Each row has its line in the other edition.
fn side_by_side(alignment: &Alignment) -> Vec<(EditionRow, Option<u32>)> {
    let mut out = Vec::new();
    let mut stretches = alignment.stretches.iter().peekable();
    while let Some(stretch) = stretches.next() {
        let (ours, mut theirs) = (stretch.here.clone(), stretch.there.clone());
        if stretch.kind == StretchKind::OnlyHere
            && let Some(next) = stretches.next_if(|next| next.kind == StretchKind::OnlyThere)
        {
            theirs = next.there.clone();
        }
        for offset in 0..ours.len().max(theirs.len()) {
            let line = |lines: &[u32], range: &Range<usize>| {
                let index = range.start + offset;
                lines.get(index).copied().filter(|_| index < range.end)
            };
            let here = line(&alignment.here, &ours);
            let there = line(&alignment.there, &theirs);
            let kind = stretch.kind;
            out.push((EditionRow::Line { kind, here, there }, there));
        }
    }
    out
}

/// Rows of the open book, with lines of only the other edition between them.
fn unified(alignment: &Alignment) -> Vec<(EditionRow, Option<u32>)> {
    let mut out = Vec::new();
    for stretch in &alignment.stretches {
        let kind = stretch.kind;
        for (offset, index) in stretch.here.clone().enumerate() {
            let other = (stretch.there.start + offset).min(stretch.there.end.saturating_sub(1));
            let there = alignment.there.get(other).copied();
            let there = there.filter(|_| !stretch.there.is_empty());
            let shown = there.filter(|_| kind == StretchKind::Same);
            let here = Some(alignment.here[index]);
            let there_at = there;
            let line = EditionRow::Line {
                kind,
                here,
                there: shown,
            };
            out.push((line, there_at));
        }
        if kind == StretchKind::OnlyThere {
            for index in stretch.there.clone() {
                let there = Some(alignment.there[index]);
                let here = None;
                out.push((EditionRow::Line { kind, here, there }, there));
            }
        }
    }
    out
}

/// Builds the rows of a comparison from the aligned lines of both editions.
struct RowLayer<'a> {
    here: EditionColumn<'a>,
    there: EditionColumn<'a>,
    is_side_by_side: bool,
    rows: Vec<EditionRow>,
}

/// One of the two editions while rows are built.
struct EditionColumn<'a> {
    page: &'a BookPage,
    /// The cut, until its row is added.
    cut: Option<u32>,
    /// The last line that was added.
    last: Option<u32>,
}

impl<'a> EditionColumn<'a> {
    /// A column to which no line was added yet.
    fn new(page: &'a BookPage, cut: Option<u32>) -> EditionColumn<'a> {
        EditionColumn {
            page,
            cut,
            last: None,
        }
    }

    /// Number of blank lines directly before a line.
    fn blanks(&self, line: Option<u32>) -> u32 {
        let Some(line) = line.filter(|_| self.last.is_some()) else {
            return 0;
        };
        line - 1 - self.page.non_blank_at_or_before(line - 1)
    }

    /// Whether the row of the cut comes before a line: this is the first line at or after the cut, and the cut is not before the
    /// first row.
    fn cuts_at(&mut self, line: u32) -> bool {
        let Some(cut) = self.cut.filter(|&cut| cut <= line) else {
            return false;
        };
        self.cut = None;
        cut == line || self.last.is_some_and(|last| last < cut)
    }
}

impl RowLayer<'_> {
    /// Adds a row; `there` is its line in the other edition, shown or not.
    fn line(&mut self, row: EditionRow, there: Option<u32>) {
        let EditionRow::Line {
            here, there: shown, ..
        } = row
        else {
            return;
        };
        let blanks = match (self.is_side_by_side, here) {
            (true, _) => (self.here.blanks(here), self.there.blanks(shown)),
            (false, Some(_)) => (self.here.blanks(here), 0),
            (false, None) => (0, self.there.blanks(shown)),
        };
        if blanks != (0, 0) {
            self.rows.push(EditionRow::Blanks(blanks.0, blanks.1));
        }
        let cut_here = here.is_some_and(|line| self.here.cuts_at(line));
        let cut_there = there.is_some_and(|line| self.there.cuts_at(line));
        self.cut(cut_here, cut_there);
        self.rows.push(row);
        self.here.last = here.or(self.here.last);
        self.there.last = there.or(self.there.last);
    }

    /// Adds cuts at the end of a book after its last line.
    fn end(&mut self, alignment: &Alignment) {
        let at_end = |column: &EditionColumn<'_>, lines: &[u32]| {
            let last = lines.last().copied().unwrap_or(0);
            let is_end = column.page.non_blank_at_or_after(last + 1).is_none();
            is_end && column.cut.is_some_and(|cut| cut > last)
        };
        let here = at_end(&self.here, &alignment.here);
        let there = at_end(&self.there, &alignment.there);
        self.cut(here, there);
    }

    /// Adds the rule of a cut, if one of the editions is cut here.
    fn cut(&mut self, here: bool, there: bool) {
        if here || there {
            self.rows.push(EditionRow::Cut { here, there });
        }
    }
}

/// Whether only one edition has the line, or each has a different one.
pub(super) fn is_one_sided(row: &EditionRow) -> bool {
    one_sided_kind(row).is_some()
}

/// The kind of a row that is not shared.
fn one_sided_kind(row: &EditionRow) -> Option<StretchKind> {
    let EditionRow::Line { kind, .. } = *row else {
        return None;
    };
    Some(kind).filter(|kind| matches!(kind, StretchKind::OnlyHere | StretchKind::OnlyThere))
}

/// Ranges of consecutive rows with lines of the same single edition, including the blank lines between them.
fn runs(rows: &[EditionRow]) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for at in (0..rows.len()).filter(|&at| is_one_sided(&rows[at])) {
        let blank = |row: &EditionRow| matches!(row, EditionRow::Blanks(..));
        match out.last_mut() {
            Some(run)
                if one_sided_kind(&rows[run.start]) == one_sided_kind(&rows[at])
                    && rows[run.end..at].iter().all(blank) =>
            {
                run.end = at + 1;
            }
            _ => out.push(at..at + 1),
        }
    }
    out
}

/// Folds the rows that are far from differences, cuts and candidates.
fn folded(rows: &[EditionRow], digits: &[u32]) -> Vec<EditionRow> {
    let distinctive = |row: &EditionRow| match row {
        EditionRow::Cut { .. } => true,
        EditionRow::Line { here, .. } => here.is_some_and(|line| digits.contains(&line)),
        EditionRow::Blanks(..) | EditionRow::Fold { .. } => false,
    };
    let mut keep = vec![false; rows.len()];
    let edges = runs(rows).into_iter().flat_map(|run| match run.len() {
        0..=MAX_SHOWN_ROWS => run.collect::<Vec<_>>(),
        // Of a long range only the ends are shown.
        _ => vec![run.start, run.end - 1],
    });
    let told = (0..rows.len()).filter(|&at| distinctive(&rows[at]));
    for at in told.chain(edges) {
        let last = (at + CONTEXT).min(rows.len() - 1);
        keep[at.saturating_sub(CONTEXT)..=last].fill(true);
    }
    let mut out = Vec::with_capacity(rows.len());
    let mut at = 0;
    while at < rows.len() {
        let hidden = keep[at..].iter().take_while(|&&keep| !keep).count();
        let (these, lines) = (&rows[at..at + hidden], |row: &&EditionRow| {
            matches!(row, EditionRow::Line { .. })
        });
        match these.iter().filter(lines).count() {
            // Folding one line would save no room.
            0 | 1 => out.extend(these),
            count => {
                let alike = !these.iter().any(is_one_sided);
                out.push(EditionRow::Fold {
                    is_shared: alike,
                    count,
                });
            }
        }
        at += hidden;
        if let Some(&row) = rows.get(at) {
            out.push(row);
            at += 1;
        }
    }
    out
}
