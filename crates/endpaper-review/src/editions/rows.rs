//! Rows of two editions: side by side, or one under the other as a unified diff.

use std::ops::Range;

use super::align::Alignment;
use super::align::StretchKind;
use super::comparison::EditionComparison;
use crate::page::BookPage;
use endpaper_detect::End;

/// Rows around what differs, and around cuts and candidates, that are always shown.
const CONTEXT: usize = 4;
/// Rows of lines that only one edition has which are all shown.
const SHORT: usize = 16;

/// A row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditionRow {
    /// A line of one of the editions, or of both.
    Line {
        /// How the lines stand to each other: [`StretchKind::OnlyHere`] and [`StretchKind::OnlyThere`] for lines that only one has, also where
        /// one of each stand side by side.
        kind: StretchKind,
        /// The line of the open book.
        here: Option<u32>,
        /// The line of the other edition.
        there: Option<u32>,
    },
    /// Blank lines before the next row, of each edition.
    Blanks(u32, u32),
    /// So many rows of lines that are alike, or of lines that only one edition has.
    Fold {
        /// Both editions have them.
        is_shared: bool,
        /// Rows.
        count: usize,
    },
    /// A cut stands here: of the open book, of the other edition, or of both.
    Cut {
        /// That of the open book.
        here: bool,
        /// That of the other edition.
        there: bool,
    },
}

/// Lines that rows are kept around.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptEdges {
    /// The line before which the cut of the open book stands, if it is shown.
    pub here: Option<u32>,
    /// The same of the other edition.
    pub there: Option<u32>,
    /// Lines before which candidates would cut.
    pub digit_positions: Vec<u32>,
}

/// The rows of an end. `unfolded`: lines that are alike are all shown.
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

/// Lines of both columns, those that differ next to each other. With each the line of the other edition it stands at.
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

/// Lines of the open book, and between them those that only the other edition has.
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

/// Rows that are put together, with blank lines and cuts.
struct RowLayer<'a> {
    here: EditionColumn<'a>,
    there: EditionColumn<'a>,
    is_side_by_side: bool,
    rows: Vec<EditionRow>,
}

/// One edition, row by row.
struct EditionColumn<'a> {
    page: &'a BookPage,
    /// The cut, until its row is there.
    cut: Option<u32>,
    /// The last line that was shown.
    last: Option<u32>,
}

impl<'a> EditionColumn<'a> {
    fn new(page: &'a BookPage, cut: Option<u32>) -> EditionColumn<'a> {
        EditionColumn {
            page,
            cut,
            last: None,
        }
    }

    /// Blank lines directly above a line.
    fn blanks(&self, line: Option<u32>) -> u32 {
        let Some(line) = line.filter(|_| self.last.is_some()) else {
            return 0;
        };
        line - 1 - self.page.non_blank_at_or_before(line - 1)
    }

    /// Whether the cut stands above a line: it is the first at or below it, and not above all that is shown.
    fn cuts_at(&mut self, line: u32) -> bool {
        let Some(cut) = self.cut.filter(|&cut| cut <= line) else {
            return false;
        };
        self.cut = None;
        cut == line || self.last.is_some_and(|last| last < cut)
    }
}

impl RowLayer<'_> {
    /// Puts a row below the others; `there` is the line of the other edition it stands at, shown or not.
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

    /// Cuts at the end of a book stand below its last line.
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

    fn cut(&mut self, here: bool, there: bool) {
        if here || there {
            self.rows.push(EditionRow::Cut { here, there });
        }
    }
}

/// Only one edition has the line, or each another one.
pub(super) fn is_one_sided(row: &EditionRow) -> bool {
    one_sided_kind(row).is_some()
}

/// Which edition has the line alone.
fn one_sided_kind(row: &EditionRow) -> Option<StretchKind> {
    let EditionRow::Line { kind, .. } = *row else {
        return None;
    };
    Some(kind).filter(|kind| matches!(kind, StretchKind::OnlyHere | StretchKind::OnlyThere))
}

/// Rows of lines that one edition has alone, one after another, with the blank lines between them.
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

/// The rows with what is far from everything worth seeing folded.
fn folded(rows: &[EditionRow], digits: &[u32]) -> Vec<EditionRow> {
    let telling = |row: &EditionRow| match row {
        EditionRow::Cut { .. } => true,
        EditionRow::Line { here, .. } => here.is_some_and(|line| digits.contains(&line)),
        EditionRow::Blanks(..) | EditionRow::Fold { .. } => false,
    };
    let mut keep = vec![false; rows.len()];
    let edges = runs(rows).into_iter().flat_map(|run| match run.len() {
        0..=SHORT => run.collect::<Vec<_>>(),
        // Of a long one the ends tell where it begins and what follows it.
        _ => vec![run.start, run.end - 1],
    });
    let told = (0..rows.len()).filter(|&at| telling(&rows[at]));
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
            // A row that hides one line would take its room.
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
