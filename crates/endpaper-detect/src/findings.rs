//! The findings of Algorithm 1 and of the markers in one book, and the cuts that follow from them.

use std::ops::Range;

use super::gap::{self, GapResult};
use super::markers::Markers;
use super::view::{ClassifiedRows, RowClass};
use super::{Cuts, End};

/// The findings at both ends of one book, from which candidates, reasons and evidence are derived. Rows are given by
/// index.
pub(super) struct BookFindings<'a> {
    pub view: ClassifiedRows<'a>,
    /// Result of Algorithm 1 from the beginning.
    pub head: GapResult,
    /// Result of Algorithm 1 from the end, backwards.
    pub tail: GapResult,
    /// The marker lines. They are found even if `heuristics` is off, for candidates and reasons.
    pub markers: Markers,
    /// Last row of the proposed preamble.
    pub start: Option<usize>,
    /// First row of the proposed epilogue.
    pub end: Option<usize>,
    /// Preamble and epilogue meet or cross; `end` then follows `start`.
    pub no_body: bool,
}

impl<'a> BookFindings<'a> {
    /// Applies both rules to both windows. A marker belongs to the preamble or epilogue, so Algorithm 1 continues from
    /// it as from a frequent line.
    ///
    /// In a short file the windows overlap. Each line is used once: what a start marker, an end marker or Algorithm 1
    /// from the beginning has taken is not read again for the other end.
    pub fn new(view: ClassifiedRows<'a>) -> BookFindings<'a> {
        let markers = Markers::find(&view);
        let ruled = Some(&markers).filter(|_| view.parameters.heuristics);
        let first_end = ruled.and_then(|markers| markers.epilogue(&view));
        let last_start = ruled.and_then(|markers| markers.starts.last().copied());
        let kind = |row, end| match ruled {
            Some(markers) if markers.starts.contains(&row) || first_end == Some(row) => {
                RowClass::Frequent
            }
            _ => view.kind(row, end),
        };
        let gap = |rows: &mut dyn Iterator<Item = usize>, end| {
            gap::run(rows, |row| kind(row, end), view.parameters.gap)
        };
        let (head, tail) = (view.head(), view.tail());
        let stop = first_end.map_or(head.end, |row| head.end.min(row));
        let head = gap(&mut (head.start..stop), End::Start);
        let start = head.last_frequent.max(last_start);
        let first = start.map_or(tail.start, |row| tail.start.max(row + 1));
        let tail = gap(&mut (first..tail.end).rev(), End::End);
        let end = earlier(tail.last_frequent, first_end);
        let mut found = BookFindings {
            view,
            head,
            tail,
            markers,
            start,
            end,
            no_body: false,
        };
        found.separate_cuts();
        found
    }

    /// If nothing is left between the cuts, sets `no_body` and lets the epilogue follow the preamble.
    fn separate_cuts(&mut self) {
        self.no_body = self.is_empty();
        if self.no_body {
            let first = self.start.map_or(0, |row| row + 1);
            self.end = Some(first).filter(|&row| row < self.view.scan.rows.len());
        }
    }

    /// Whether nothing is left between the cuts.
    fn is_empty(&self) -> bool {
        let scan = self.view.scan;
        let first = self.start.map_or(0, |row| row + 1);
        // There is always a body between the windows of a long file.
        first >= self.end.unwrap_or(scan.rows.len())
            && (scan.is_whole() || first != scan.head as usize)
    }

    /// Replaces the cuts by those of another rule and updates `no_body`.
    pub fn cut_at(&mut self, cuts: Cuts) {
        let rows = &self.view.scan.rows;
        let places = [Some(cuts.preamble_end), cuts.epilogue_start].map(|line| {
            let at = rows.binary_search_by_key(&line?, |row| row.line);
            at.ok()
        });
        [self.start, self.end] = places;
        self.no_body = self.is_empty();
    }

    /// Rows of the window of one end, up to the other cut (the windows of a short file overlap).
    pub fn window_rows(&self, end: End) -> Range<usize> {
        let (head, tail) = (self.view.head(), self.view.tail());
        match end {
            _ if self.no_body && end == End::Start => head,
            _ if self.no_body => tail,
            End::Start => 0..self.end.map_or(head.end, |row| head.end.min(row)),
            End::End => self.start.map_or(tail.start, |row| tail.start.max(row + 1))..tail.end,
        }
    }

    /// The cuts as line numbers.
    pub fn cuts(&self) -> Cuts {
        Cuts {
            preamble_end: self.start.map_or(0, |row| self.view.line(row)),
            epilogue_start: self.end.map(|row| self.view.line(row)),
        }
    }
}

/// The earlier of two rows; a missing one is ignored.
fn earlier(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
