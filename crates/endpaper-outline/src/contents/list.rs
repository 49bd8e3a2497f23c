//! Tables of contents.

use std::ops::Range;

use super::candidates::HeadingCandidate;
use super::entry::ContentsList;
use super::entry_reader::{MAX_ROWS, read_entries};
use super::link::HeadingIndex;
use super::list_headings::HEADS;
use super::page_number::without_page;
use super::reference::ContentsReference;
use crate::fold::fold;
use crate::heading::{HeadingKind, ParsedHeading};
use crate::rows::BodyRows;

/// Most lists of a book.
const MAX_LISTS: usize = 12;
/// Most rows between two numbered entries of a list without a heading.
const MAX_ROWS_BETWEEN: usize = 3;
/// Fewest entries of a list without a heading.
const MIN_ENTRIES: usize = 3;

/// A table of contents with its links.
#[derive(Clone, Debug)]
pub(super) struct LinkedContents {
    /// Its rows, including the heading.
    pub rows: Range<usize>,
    /// Rows that no entry may link to: its own, and those above a list at the front.
    excluded_rows: Range<usize>,
    pub references: Vec<ContentsReference>,
    /// The candidate index of each entry's heading.
    pub links: Vec<Option<usize>>,
}

impl LinkedContents {
    /// Number of entries that are linked to a heading.
    fn count_linked(&self) -> usize {
        self.links.iter().flatten().count()
    }

    /// The lines of the list and the numbers of its entries.
    pub fn summary(&self, rows: &BodyRows<'_>) -> ContentsList {
        let line = |at: usize| rows.all().get(at).map_or(0, |row| row.line);
        ContentsList {
            first: line(self.rows.start),
            last: line(self.rows.end.saturating_sub(1)),
            entries: self.references.len() as u32,
            linked: self.count_linked() as u32,
        }
    }
}

/// Returns all tables of contents in line order.
pub(super) fn find_lists(
    rows: &BodyRows<'_>,
    candidates: &[HeadingCandidate],
) -> Vec<LinkedContents> {
    let index = HeadingIndex::new(candidates, rows.is_printed());
    let mut tables: Vec<LinkedContents> = Vec::new();
    for heading in find_headed(rows) {
        let taken = tables.last().map_or(0, |table| table.rows.end);
        if heading < taken || tables.len() >= MAX_LISTS {
            continue;
        }
        let references = read_entries(rows, heading + 1);
        if let Some(table) = link_list(rows, &index, candidates, heading, references, true) {
            tables.push(table);
        }
    }
    // A list without a heading is at the front, and is only searched for if no list has a heading.
    if tables.is_empty()
        && let Some(start) = find_without_heading(rows)
    {
        let references = read_entries(rows, start);
        tables.extend(link_list(
            rows, &index, candidates, start, references, false,
        ));
    }
    relink_overlapping(&mut tables, &index);
    tables
}

/// Links each list again that linked to a row of another list: no list is the body.
fn relink_overlapping(tables: &mut [LinkedContents], index: &HeadingIndex<'_>) {
    let all: Vec<Range<usize>> = tables.iter().map(|table| table.rows.clone()).collect();
    for table in tables {
        let mut linked = table.links.iter().flatten();
        if linked.any(|&at| all.iter().any(|rows| rows.contains(&index.row(at)))) {
            let outside: Vec<Range<usize>> =
                all.iter().chain([&table.excluded_rows]).cloned().collect();
            table.links = index.link(&table.references, &outside);
        }
    }
}

/// Rows of headings of lists.
fn find_headed(rows: &BodyRows<'_>) -> Vec<usize> {
    let all = rows.all();
    // There may be a rule above it.
    let ruled = |at: usize| at > 0 && !rows.words(at - 1).contains(char::is_alphanumeric);
    let short = |at: &usize| {
        let row = all[*at];
        row.size <= 40 && row.may_open_heading && (row.is_first() || ruled(*at))
    };
    let unnumbered = |folded: &str| {
        let rest = folded.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = rows.is_printed() && rest.len() < folded.len();
        let rest = if numbered { rest.trim_start() } else { folded };
        rest.to_owned()
    };
    (0..all.len())
        .filter(short)
        .filter(|&at| {
            let line = rows.words(at);
            let folded = unnumbered(&fold(&line));
            let words = folded.split(' ').count();
            let heads = HEADS.contains(folded.as_str())
                || folded.starts_with("contents ") && words <= 4
                || folded.starts_with("table of contents ") && words <= 6;
            // `Contents · ix` is an entry of a short list before the long one.
            let listed = rows.is_printed() && without_page(&line).1;
            heads && !listed && line.starts_with(|c: char| !c.is_lowercase())
        })
        .take(4 * MAX_LISTS)
        .collect()
}

/// The row where numbered entries begin close together, without prose between them.
fn find_without_heading(rows: &BodyRows<'_>) -> Option<usize> {
    let all = rows.all();
    let front = (all.len() / 5).clamp(60, MAX_ROWS).min(all.len());
    // First row, last row, last number, count.
    let mut run: Option<(usize, usize, u32, usize)> = None;
    for (at, row) in all.iter().enumerate().take(front) {
        if row.is_long() || row.mentions_etext || !row.may_open_heading {
            continue;
        }
        let line = rows.words(at);
        let label = ParsedHeading::of(&line);
        let Some(number) = label.number else {
            continue;
        };
        run = match run {
            Some((start, last, before, count))
                if at - last <= MAX_ROWS_BETWEEN && number == before + 1 =>
            {
                if count + 1 >= MIN_ENTRIES {
                    return Some(start);
                }
                Some((start, at, number, count + 1))
            }
            _ if number <= 1 => Some((at, at, number, 1)),
            // A part and its first chapter.
            Some((start, last, before, count)) if at - last <= MAX_ROWS_BETWEEN => {
                Some((start, at, before, count))
            }
            _ => None,
        };
    }
    None
}

/// Drops footnotes and other text between entries with page numbers.
fn drop_notes(references: &mut Vec<ContentsReference>) {
    let paged = references.iter().filter(|one| one.has_page).count();
    if paged >= MIN_ENTRIES && paged * 10 >= references.len() * 7 {
        references.retain(|one| one.has_page || one.kind != HeadingKind::Title);
    }
}

/// Links a list; `None` if it is not a table of contents.
fn link_list(
    rows: &BodyRows<'_>,
    index: &HeadingIndex<'_>,
    candidates: &[HeadingCandidate],
    start: usize,
    mut references: Vec<ContentsReference>,
    headed: bool,
) -> Option<LinkedContents> {
    if rows.is_printed() {
        drop_notes(&mut references);
    }
    // An entry never links into the list itself. Cutting off the tail frees its rows, so the list is then linked again.
    for _ in 0..4 {
        let end = references.iter().map(|one| one.rows.end).max()?;
        // Above a list at the front is the title page.
        let from = if start * 2 < rows.all().len() {
            0
        } else {
            start
        };
        let outside = from..end;
        let links = index.link(&references, std::slice::from_ref(&outside));
        let row = |at: usize| {
            candidates
                .get(at)
                .map_or(usize::MAX, |candidate| candidate.row)
        };
        let count = references.len();
        let found = links.iter().flatten().count();
        let last = links.iter().rposition(Option::is_some);
        // Unlinked entries at the end that are set apart belong to the text after the list.
        let loose = match last {
            Some(last) if found * 2 >= count => (last + 1..count)
                .find(|&at| {
                    let before = rows.all()[references[at].rows.start].before;
                    let strange = references[at].kind == HeadingKind::Title
                        && references[0].kind.is_counted();
                    (before >= 3 || before >= 2 && strange) && !references[at].has_page
                })
                .unwrap_or(count),
            _ => count,
        };
        if loose < count {
            references.truncate(loose);
            continue;
        }
        let numbers = references.iter().filter(|one| one.number.is_some()).count();
        let paged = references.iter().filter(|one| one.has_page).count();
        let first_link = links.iter().flatten().map(|&at| row(at)).min();
        let enough = if headed {
            let short = |one: &ContentsReference| {
                one.title.len() < 60 && !one.title.ends_with(['.', ',', ';'])
            };
            let tidy = references.iter().filter(|one| short(one)).count();
            count >= 2
                && (found >= 2 && (tidy * 10 >= count * 9 || found * 4 >= count)
                    || numbers * 2 >= count && numbers >= 3
                    || paged * 2 >= count && count >= 3)
        } else {
            count >= MIN_ENTRIES
                && found * 2 >= count
                && first_link.is_some_and(|first| first >= end)
        };
        return enough.then_some(LinkedContents {
            rows: start..end,
            excluded_rows: outside,
            references,
            links,
        });
    }
    None
}
