//! Reads the entries of a table of contents.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::columns::ColumnRows;
use super::list_headings::OTHERS;
use super::page_number::without_page;
use super::reference::ContentsReference;
use crate::fold::{fold, squeeze};
use crate::heading::{HeadingKind, ParsedHeading};
use crate::numbers::{NumeralForm, roman};
use crate::row::OutlineRow;
use crate::rows::BodyRows;

/// Most rows of a list.
pub(super) const MAX_ROWS: usize = 3000;
/// Most rows of a chapter's synopsis in a list.
const MAX_SYNOPSIS_ROWS: usize = 30;
/// Rows at the top of a page that are read to see whether a list continues there.
const NEXT_PAGE_ROWS: usize = 6;
/// Longest title to which further lines are added, in bytes.
const MAX_TITLE_BYTES: usize = 300;

/// Reads entries from the row `start` to the end of the list. Of two columns on a page, the left one is read first.
pub(super) fn read_entries(rows: &BodyRows<'_>, start: usize) -> Vec<ContentsReference> {
    let mut reader = EntryReader {
        rows: ColumnRows::new(rows),
        entries: Vec::new(),
        seen: SeenEntries::default(),
    };
    let end = rows.all().len().min(start + MAX_ROWS);
    let mut at = start;
    while at < end {
        let page = rows.next_page(at).filter(|_| rows.is_printed());
        let page = at..page.unwrap_or(end).min(end);
        let has_columns = rows.is_printed() && reader.rows.split(page.clone());
        let (next, goes_on) = reader.read_rows(page.clone());
        if has_columns {
            reader.rows.turn_right();
            reader.read_rows(page.start..next.min(page.end));
            reader.rows.join();
        }
        if !goes_on {
            break;
        }
        at = next;
    }
    reader.entries
}

/// The reader of one list.
struct EntryReader<'r, 'b> {
    rows: ColumnRows<'r, 'b>,
    entries: Vec<ContentsReference>,
    seen: SeenEntries,
}

/// A row of a list, read as the beginning of an entry.
struct EntryRow {
    at: usize,
    /// Whether it begins a block, or the list.
    is_first: bool,
    has_page: bool,
    kind: HeadingKind,
    number: Option<u32>,
    /// The text after the number.
    title: String,
    /// The whole text without its page number.
    text: String,
    /// `text`, folded.
    folded: String,
}

impl EntryReader<'_, '_> {
    /// Reads `rows`, or the column of them that is read. Returns the next row, and whether the list goes on there.
    fn read_rows(&mut self, rows: Range<usize>) -> (usize, bool) {
        let mut at = rows.start;
        while at < rows.end {
            // The other column may be longer.
            let next = if self.rows.words(at).is_empty() {
                Some(at + 1)
            } else {
                self.read_row(at)
            };
            let Some(next) = next else {
                return (at, false);
            };
            at = next;
        }
        (at, true)
    }

    /// Reads the row `at`. Returns the next row to read, or `None` at the end of the list.
    fn read_row(&mut self, at: usize) -> Option<usize> {
        let row = self.rows.row(at);
        let entry = self.parse_row(at);
        let printed = self.rows.whole().is_printed();
        if row.mentions_etext && !(printed && entry.has_page) {
            // An address in a footnote.
            return self.list_on_next_page(at);
        }
        if self.is_after_list(&entry) {
            return self.list_on_next_page(at);
        }
        let numbered_by_name = entry.kind.is_counted() && entry.kind != HeadingKind::Numbered;
        if entry.is_first && !entry.has_page && !numbered_by_name && is_prose(&self.rows, at) {
            if let Some(next) = self.list_on_next_page(at) {
                return Some(next);
            }
            return self.follows_number(at).then(|| self.skip_synopsis(at));
        }
        if row.size <= 40
            && entry.is_first
            && self.entries.len() > 1
            && !(printed && entry.has_page)
            && OTHERS.contains(&entry.folded.as_str())
        {
            return None;
        }
        let may_head_columns = entry.is_first || self.entries.is_empty();
        if entry.folded.is_empty() || may_head_columns && is_column_head(&entry.folded) {
            return Some(at + 1);
        }
        if self.is_continuation(&entry) {
            self.extend_last(entry);
            return Some(at + 1);
        }
        if self.is_synopsis(&entry) {
            return Some(self.skip_synopsis(at));
        }
        if self.is_title_of_last(&entry) {
            if let Some(last) = self.entries.last_mut() {
                last.rows.end = at + 1;
                last.has_page |= entry.has_page;
                last.folded = entry.folded;
                last.title = entry.text;
            }
            return Some(at + 1);
        }
        self.push(&entry).then_some(at + 1)
    }

    /// Parses the row `at` as an entry.
    fn parse_row(&self, at: usize) -> EntryRow {
        let line = self.rows.words(at);
        let (spaced, has_page) = without_page(&line);
        let text = squeeze(spaced);
        let next = self
            .entries
            .iter()
            .rev()
            .find_map(|last| last.number.filter(|_| last.kind == HeadingKind::Numbered))
            .map_or(1, |last| last + 1);
        let repeated = after_ditto_mark(spaced);
        let mut label = ParsedHeading::of_list_entry(repeated.unwrap_or(spaced), next);
        if self.rows.whole().is_printed()
            && has_page
            && let Some((number, title)) = part_number(spaced)
        {
            label = ParsedHeading {
                kind: HeadingKind::Part,
                number: Some(number),
                form: Some(NumeralForm::Roman),
                title,
            };
        }
        if repeated.is_some()
            && label.kind == HeadingKind::Numbered
            && let Some(above) = self.entries.iter().rev().find(|one| one.kind.is_counted())
        {
            label.kind = above.kind;
        }
        EntryRow {
            at,
            is_first: self.rows.row(at).is_first() || self.entries.is_empty(),
            has_page,
            kind: label.kind,
            number: label.number,
            title: label.title.to_owned(),
            folded: fold(&text),
            text,
        }
    }

    /// Whether a block without page numbers follows entries that have them: an abstract or a footnote.
    fn is_after_list(&self, entry: &EntryRow) -> bool {
        let printed = self.rows.whole().is_printed() || entry.folded == "abstract";
        if !printed || !entry.is_first || entry.has_page || entry.kind.is_counted() {
            return false;
        }
        let block = self.rows.whole().block_length(entry.at, NEXT_PAGE_ROWS);
        let mut block = entry.at..entry.at + block;
        self.has_page_numbers() && block.all(|row| !without_page(&self.rows.words(row)).1)
    }

    /// Whether nearly all entries end in page numbers.
    fn has_page_numbers(&self) -> bool {
        let paged = self.entries.iter().filter(|one| one.has_page).count();
        paged >= 3 && paged * 10 >= self.entries.len() * 7
    }

    /// The first row of the next page if a list whose entries have page numbers continues there: a footnote at the foot of a
    /// page does not end it.
    fn list_on_next_page(&self, at: usize) -> Option<usize> {
        if !self.rows.whole().is_printed() || !self.has_page_numbers() {
            return None;
        }
        let next = self.rows.whole().next_page(at)?;
        let first = next..self.rows.whole().all().len().min(next + NEXT_PAGE_ROWS);
        let paged = first
            .clone()
            .filter(|&row| without_page(&self.rows.whole().words(row)).1);
        (paged.count() * 2 >= first.len()).then_some(next)
    }

    /// Whether the block at `at` directly follows a short numbered entry: then it is a synopsis and not the body.
    fn follows_number(&self, at: usize) -> bool {
        self.entries.last().is_some_and(|last| {
            last.kind.is_counted()
                && last.rows.end == at
                && last.rows.len() <= 2
                && self.rows.row(at).before <= 2
        })
    }

    /// Adds the block at `at` to the rows of the last entry. Returns the row after it.
    fn skip_synopsis(&mut self, at: usize) -> usize {
        let end = at + self.rows.whole().block_length(at, MAX_SYNOPSIS_ROWS);
        if let Some(last) = self.entries.last_mut() {
            last.rows.end = end;
        }
        end
    }

    /// Whether a row within a block belongs to the entry above it.
    fn is_continuation(&self, entry: &EntryRow) -> bool {
        let Some(last) = self.entries.last().filter(|_| !entry.is_first) else {
            return false;
        };
        // If the first line of a block holds only the number, the rest of the block is the title.
        let stacked = entry.number.is_none()
            && last.kind.is_counted()
            && last.kind > HeadingKind::Book
            && !last.has_page
            && !last.title.is_empty()
            && ParsedHeading::of(&self.rows.words(last.rows.start))
                .title
                .is_empty();
        stacked || continues_entry(last, entry, &self.rows)
    }

    /// Appends a row to the last entry, which continues on it.
    fn extend_last(&mut self, entry: EntryRow) {
        let Some(last) = self.entries.last_mut() else {
            return;
        };
        last.rows.end = entry.at + 1;
        last.has_page |= entry.has_page;
        if last.title.len() < MAX_TITLE_BYTES {
            last.title = if last.title.is_empty() {
                entry.text
            } else {
                format!("{} {}", last.title, entry.text)
            };
            last.folded = fold(&last.title);
        }
    }

    /// Whether a row begins a synopsis: `He sets out--The storm--Home again`.
    fn is_synopsis(&self, entry: &EntryRow) -> bool {
        entry.kind == HeadingKind::Title
            && !entry.has_page
            && (entry.text.contains("--") || entry.text.contains('—'))
            && self
                .entries
                .last()
                .is_some_and(|last| last.kind.is_counted() && !last.title.is_empty())
    }

    /// Whether a row is the title of the number in the block above it.
    fn is_title_of_last(&self, entry: &EntryRow) -> bool {
        let row = self.rows.row(entry.at);
        row.before <= 1
            && entry.kind == HeadingKind::Title
            && self.entries.last().is_some_and(|last| {
                last.kind.is_counted()
                    && last.title.is_empty()
                    && row.indent > last.indent
                    && last.kind > HeadingKind::Book
            })
    }

    /// Adds an entry. Returns false if it repeats an earlier one: there the body begins.
    fn push(&mut self, entry: &EntryRow) -> bool {
        let row = self.rows.row(entry.at);
        let reference = ContentsReference {
            rows: entry.at..entry.at + 1,
            kind: entry.kind,
            number: entry.number,
            title: squeeze(&entry.title),
            folded: fold(&entry.title),
            indent: row.indent,
            has_page: entry.has_page,
        };
        // Consecutive entries may share a name; a repetition of the first entries, or one set apart, begins the body.
        let apart = row.before >= 2
            || self
                .entries
                .iter()
                .take(2)
                .any(|one| one.folded == reference.folded);
        let repeated = self.seen.refers_to_itself(&reference, self.entries.last());
        if repeated && (apart || reference.kind.is_counted()) {
            return false;
        }
        self.entries.push(reference);
        true
    }
}

/// The Roman number and the title of a part in a printed list: `II   Reference`.
fn part_number(line: &str) -> Option<(u32, &str)> {
    let (first, title) = line.split_once(char::is_whitespace)?;
    let capitals = first.bytes().all(|byte| byte.is_ascii_uppercase());
    let number = roman(first).filter(|_| capitals)?;
    // `C` and `D` are appendices.
    let letter = first.len() == 1 && !matches!(first, "I" | "V" | "X");
    (!letter).then(|| (number, title.trim_start()))
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
    /// Whether an entry repeats one that was read before, so that it belongs to the text and not to the list; if not,
    /// it is noted. `last`: the entry before it.
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

/// Whether a line within a block belongs to the entry `last` above it, by its layout.
fn continues_entry(last: &ContentsReference, entry: &EntryRow, rows: &ColumnRows<'_, '_>) -> bool {
    let (above, row) = (rows.row(entry.at - 1), rows.row(entry.at));
    if entry.number.is_some() && entry.kind.is_counted() {
        return false;
    }
    if last.has_page {
        return false;
    }
    if !row.may_open_heading {
        return true;
    }
    let counted = last.kind.is_counted();
    if counted && last.title.is_empty() {
        return last.kind > HeadingKind::Book;
    }
    // `EPILOGUE` below a complete title is a new entry, whatever its indentation.
    let whole = !last.title.is_empty() && !last.title.ends_with(['-', '—', ',', ';', ':']);
    if entry.kind == HeadingKind::Matter && whole && above.upper && above.size < 55 {
        return false;
    }
    if row.indent > last.indent && (counted || above.size >= 55) {
        return true;
    }
    counted && above.size >= 55
}

/// Whether the block that begins here is running text.
fn is_prose(rows: &ColumnRows<'_, '_>, at: usize) -> bool {
    if rows.row(at).is_long() {
        return true;
    }
    let block = rows.whole().block_length(at, 12);
    let lines: Vec<OutlineRow> = (at..at + block).map(|row| rows.row(row)).collect();
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
