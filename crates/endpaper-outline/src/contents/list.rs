//! Tables of contents.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::candidates::HeadingCandidate;
use super::entry::ContentsList;
use super::link::HeadingIndex;
use super::list_headings::{HEADS, OTHERS};
use super::reference::ContentsReference;
use crate::fold::{fold, squeeze};
use crate::heading::{HeadingKind, ParsedHeading};
use crate::rows::BodyRows;

/// Most rows of a list.
const ROWS: usize = 3000;
/// Most lists of a book.
const LISTS: usize = 12;
/// Most rows of a chapter's synopsis in a list.
const SYNOPSIS: usize = 30;
/// Most rows between two numbered entries of a list without a heading.
const DENSE: usize = 3;
/// Fewest entries of a list without a heading.
const ENOUGH: usize = 3;

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
    fn count_linked(&self) -> usize {
        self.links.iter().flatten().count()
    }

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
    let index = HeadingIndex::new(candidates);
    let mut tables: Vec<LinkedContents> = Vec::new();
    for heading in find_headed(rows) {
        let taken = tables.last().map_or(0, |table| table.rows.end);
        if heading < taken || tables.len() >= LISTS {
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
    (0..all.len())
        .filter(short)
        .filter(|&at| {
            let line = rows.words(at);
            let folded = fold(&line);
            let words = folded.split(' ').count();
            let heads = HEADS.contains(folded.as_str())
                || folded.starts_with("contents ") && words <= 4
                || folded.starts_with("table of contents ") && words <= 6;
            heads && line.starts_with(|c: char| !c.is_lowercase())
        })
        .take(4 * LISTS)
        .collect()
}

/// The row where numbered entries begin close together, without prose between them.
fn find_without_heading(rows: &BodyRows<'_>) -> Option<usize> {
    let all = rows.all();
    let front = (all.len() / 5).clamp(60, ROWS).min(all.len());
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
            Some((start, last, before, count)) if at - last <= DENSE && number == before + 1 => {
                if count + 1 >= ENOUGH {
                    return Some(start);
                }
                Some((start, at, number, count + 1))
            }
            _ if number <= 1 => Some((at, at, number, 1)),
            // A part and its first chapter.
            Some((start, last, before, count)) if at - last <= DENSE => {
                Some((start, at, before, count))
            }
            _ => None,
        };
    }
    None
}

/// Reads entries from a row on to the end of the list.
fn read_entries(rows: &BodyRows<'_>, start: usize) -> Vec<ContentsReference> {
    let all = rows.all();
    let mut found: Vec<ContentsReference> = Vec::new();
    let mut seen = SeenEntries::default();
    let mut at = start;
    while at < all.len().min(start + ROWS) {
        let row = all[at];
        if row.mentions_etext {
            break;
        }
        let line = rows.words(at);
        let (text, page) = without_page(&line);
        let spaced = text;
        let text = squeeze(text);
        let next = found
            .iter()
            .rev()
            .find_map(|last| last.number.filter(|_| last.kind == HeadingKind::Numbered))
            .map_or(1, |last| last + 1);
        let repeated = after_ditto_mark(spaced);
        let mut label = ParsedHeading::of_list_entry(repeated.unwrap_or(spaced), next);
        if repeated.is_some()
            && label.kind == HeadingKind::Numbered
            && let Some(above) = found.iter().rev().find(|one| one.kind.is_counted())
        {
            label.kind = above.kind;
        }
        let first = row.is_first() || found.is_empty();
        if first
            && is_prose(rows, at)
            && !(label.kind.is_counted() && label.kind != HeadingKind::Numbered)
            && !page
        {
            // A synopsis of the chapter may follow its number in one block.
            let synopsis = found.last().is_some_and(|last| {
                last.kind.is_counted()
                    && last.rows.end == at
                    && last.rows.len() <= 2
                    && row.before <= 2
            });
            if !synopsis {
                break;
            }
            at += rows.block_length(at, SYNOPSIS);
            if let Some(last) = found.last_mut() {
                last.rows.end = at;
            }
            continue;
        }
        let folded = fold(&text);
        if row.size <= 40 && first && OTHERS.contains(&folded.as_str()) && found.len() > 1 {
            break;
        }
        if folded.is_empty() || (first || found.is_empty()) && is_column_head(&folded) {
            at += 1;
            continue;
        }
        // If the first line of a block holds only the number, the rest of the block is the title.
        let stacked = !first
            && label.number.is_none()
            && found.last().is_some_and(|last| {
                last.kind.is_counted()
                    && last.kind > HeadingKind::Book
                    && !last.has_page
                    && !last.title.is_empty()
                    && ParsedHeading::of(&rows.words(last.rows.start))
                        .title
                        .is_empty()
            });
        if !first
            && let Some(last) = found.last_mut()
            && (stacked
                || continues_entry(last, &label, row.indent, &all[at - 1], row.may_open_heading))
        {
            last.rows.end = at + 1;
            last.has_page |= page;
            if last.title.len() < 300 {
                let title = if last.title.is_empty() {
                    text
                } else {
                    format!("{} {text}", last.title)
                };
                last.folded = fold(&title);
                last.title = title;
            }
            at += 1;
            continue;
        }
        // A synopsis.
        if label.kind == HeadingKind::Title
            && !page
            && (text.contains("--") || text.contains('—'))
            && found
                .last()
                .is_some_and(|last| last.kind.is_counted() && !last.title.is_empty())
        {
            at += rows.block_length(at, SYNOPSIS);
            if let Some(last) = found.last_mut() {
                last.rows.end = at;
            }
            continue;
        }
        // The title of a number may be in the next block.
        if row.before <= 1
            && label.kind == HeadingKind::Title
            && let Some(last) = found.last_mut()
            && last.kind.is_counted()
            && last.title.is_empty()
            && row.indent > last.indent
            && last.kind > HeadingKind::Book
        {
            last.rows.end = at + 1;
            last.has_page |= page;
            last.folded = folded;
            last.title = text;
            at += 1;
            continue;
        }
        let reference = ContentsReference {
            rows: at..at + 1,
            kind: label.kind,
            number: label.number,
            title: squeeze(label.title),
            folded: fold(label.title),
            indent: row.indent,
            has_page: page,
        };
        // Consecutive entries may share a name; a repetition of the first entries, or one set apart, begins the body.
        let apart = row.before >= 2
            || found
                .iter()
                .take(2)
                .any(|one| one.folded == reference.folded);
        if seen.refers_to_itself(&reference, found.last()) && (apart || reference.kind.is_counted())
        {
            break;
        }
        found.push(reference);
        at += 1;
    }
    found
}

/// The text after a ditto mark for the name above: `"   II. Landes`. A quotation mark before a word is not a ditto mark.
fn after_ditto_mark(line: &str) -> Option<&str> {
    const MARKS: [char; 9] = ['“', '”', '"', ',', '„', '\'', '’', '〃', '″'];
    let rest = line.trim_start_matches(MARKS);
    let rest = if rest.len() < line.len() {
        rest
    } else {
        ["Do.", "do.", "Ditto"]
            .iter()
            .find_map(|word| line.strip_prefix(word))?
    };
    let number = rest.trim_start();
    let digit = |c: char| c.is_ascii_digit() || matches!(c, 'I' | 'V' | 'X' | 'L' | 'C');
    let behind = number.trim_start_matches(digit);
    let apart = number.len() < rest.len() && behind.len() < number.len();
    (apart && behind.starts_with(['.', ' ', '-', '—', ':'])).then_some(number)
}

/// The entries so far: the body begins where one is repeated.
#[derive(Default)]
struct SeenEntries {
    titles: HashSet<String>,
    numbers: HashMap<HeadingKind, HashMap<u32, String>>,
}

impl SeenEntries {
    fn refers_to_itself(
        &mut self,
        reference: &ContentsReference,
        last: Option<&ContentsReference>,
    ) -> bool {
        let title = &reference.folded;
        let Some(number) = reference.number else {
            return !self.titles.insert(title.clone());
        };
        let kind = reference.kind;
        // A list of bare numbers does not change to `Chapter 1`.
        let only_numbers = self
            .numbers
            .get(&HeadingKind::Numbered)
            .is_some_and(|all| all.len() > 1);
        if kind == HeadingKind::Chapter
            && number == 1
            && only_numbers
            && !self.numbers.contains_key(&kind)
        {
            return true;
        }
        if !title.is_empty() {
            self.titles.insert(title.clone());
        }
        let known = self.numbers.entry(kind).or_default().get(&number);
        if let Some(before) = known {
            // Numbers may begin again below a title if their titles differ.
            let below = last.is_some_and(|last| !last.kind.is_counted());
            let other = !title.is_empty() && !before.is_empty() && title != before;
            if !(number == 1 && below && other) {
                return true;
            }
            self.numbers.remove(&kind);
        }
        // Numbers begin again below a larger part.
        self.numbers.retain(|other, _| *other <= kind);
        self.numbers
            .entry(kind)
            .or_default()
            .insert(number, title.clone());
        false
    }
}

/// Whether a line within a block belongs to the entry above it.
fn continues_entry(
    last: &ContentsReference,
    label: &ParsedHeading<'_>,
    indent: u8,
    above: &crate::row::OutlineRow,
    opens: bool,
) -> bool {
    if label.number.is_some() && label.kind.is_counted() {
        return false;
    }
    if last.has_page {
        return false;
    }
    if !opens {
        return true;
    }
    let counted = last.kind.is_counted();
    if counted && last.title.is_empty() {
        return last.kind > HeadingKind::Book;
    }
    // `EPILOGUE` below a complete title is a new entry, whatever its indentation.
    let whole = !last.title.is_empty() && !last.title.ends_with(['-', '—', ',', ';', ':']);
    if label.kind == HeadingKind::Matter && whole && above.upper && above.size < 55 {
        return false;
    }
    if indent > last.indent && (counted || above.size >= 55) {
        return true;
    }
    counted && above.size >= 55
}

/// Whether the block that begins here is running text.
fn is_prose(rows: &BodyRows<'_>, at: usize) -> bool {
    let all = rows.all();
    if all[at].is_long() {
        return true;
    }
    let block = rows.block_length(at, 12);
    let lines = &all[at..at + block];
    let full = lines.iter().filter(|row| row.size >= 55).count();
    let paged = (at..at + block)
        .filter(|&row| without_page(&rows.words(row)).1)
        .count();
    if paged * 3 >= block {
        return false;
    }
    let indented = lines.iter().skip(1).all(|row| row.indent > lines[0].indent);
    let mut next = 1;
    let numbered = (at..at + block).filter(|&row| {
        let number = ParsedHeading::of_list_entry(&rows.words(row), next).number;
        next = number.map_or(next, |number| number + 1);
        number.is_some()
    });
    let numbered = numbered.count();
    block >= 3 && full * 10 >= (block - 1) * 8 && numbered * 3 < block && !(indented && block <= 4)
}

/// Whether a line heads the columns: `PAGE`, `CHAPTER PAGE`.
fn is_column_head(folded: &str) -> bool {
    const WORDS: &[&str] = &[
        "page", "pages", "chap", "chapter", "chapters", "pag", "seite", "pags", "no", "kapitel",
        "cap", "p", "pg",
    ];
    folded.len() <= 40 && folded.split(' ').all(|word| WORDS.contains(&word))
}

/// Removes the page number at the end of a line; returns whether there was one.
fn without_page(line: &str) -> (&str, bool) {
    let line = line.trim_end_matches(['|', ' ', ']', '_', '*']);
    let stem = line.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '–'));
    let digits = &line[stem.len()..];
    let stem = if digits.is_empty() {
        line.trim_end_matches(['i', 'v', 'x', 'l'])
    } else {
        stem
    };
    let page = &line[stem.len()..];
    let leader = stem.trim_end_matches(|c: char| {
        c.is_whitespace() || matches!(c, '.' | '·' | '_' | '-' | '*' | '…')
    });
    let gap = &stem[leader.len()..];
    let wide = gap.starts_with("  ")
        || gap.contains('\t')
        || gap.matches(['.', '_', '…', '·', '-']).count() >= 2;
    let narrow = gap.starts_with([' ', ',']) && !digits.is_empty() && digits.len() <= 3;
    let is_page = !page.is_empty() && page.len() <= 9 && !leader.is_empty() && wide;
    if is_page {
        return (leader, true);
    }
    // `Of Ships 12` ends in a page number; in `Henry 8` and `Chapter 8` it cannot be distinguished from a number.
    let words = leader.split_whitespace().count();
    if narrow
        && words >= 2
        && !page.starts_with('0')
        && ParsedHeading::of(line).title.len() > digits.len()
    {
        return (leader, true);
    }
    (line.trim_end_matches([' ', '.', '·', '…']), false)
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
    // An entry never links into the list itself. Cutting off the tail frees its rows, so the list is then linked again.
    for _ in 0..4 {
        let end = references.last()?.rows.end;
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
            count >= ENOUGH && found * 2 >= count && first_link.is_some_and(|first| first >= end)
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
