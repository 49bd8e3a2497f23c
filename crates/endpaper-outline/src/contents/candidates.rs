//! Lines that may be headings.

use std::collections::HashMap;

use super::super::bibliography::Bibliography;
use super::super::fold::{fold, squeeze};
use super::super::heading::{HeadingKind, ParsedHeading};
use super::super::numbers::{NumeralForm, number};
use super::super::rows::BodyRows;
use super::non_titles::{is_caption, is_date, is_foreign, is_note_of_transcriber};
use super::section_heading::{
    loose_number, opens_section, reads_like_title as reads_like_title_in_print, title_rows,
};

/// Longest block that may begin with a heading, in lines.
const BLOCK: usize = 6;
/// Longest line of a heading, in bytes.
const MAX_HEADING_BYTES: u8 = 100;
/// Longest title, in bytes.
const TITLE: usize = 240;
/// Most pages from the heading of a section, or from its last running head, to its next running head.
const MAX_SECTION_PAGES: u32 = 8;
/// Fewest dates as titles in a book of letters.
const DATES: usize = 3;
/// The transcriber's notes are in the last 1/`LAST` of the rows.
const LAST: usize = 10;

/// A line that may be a heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HeadingCandidate {
    /// Index of its row.
    pub row: usize,
    pub kind: HeadingKind,
    pub number: Option<u32>,
    pub form: Option<NumeralForm>,
    /// Its title, which may be on the lines below.
    pub title: String,
    /// The title, folded for comparison.
    pub folded: String,
    /// Whether the line is in capitals.
    pub upper: bool,
    /// Whether the line holds only the number and what it counts.
    pub has_no_title: bool,
}

/// Returns all candidates in line order, without the items of `bibliographies`.
pub(super) fn find_candidates(
    rows: &BodyRows<'_>,
    bibliographies: &[Bibliography],
) -> Vec<HeadingCandidate> {
    let mut found: Vec<HeadingCandidate> = Vec::new();
    let mut bibliographies = bibliographies.iter().peekable();
    let mut references: Option<ReferencesRegion> = None;
    let mut sections: HashMap<String, usize> = HashMap::new();
    let all = rows.all().len();
    for at in 0..all {
        // The transcriber's notes after the text list changes by line number, which look like headings.
        if at > all - all / LAST && is_note_of_transcriber(rows, at) {
            break;
        }
        let line = rows.all()[at].line;
        while bibliographies.next_if(|list| list.last < line).is_some() {}
        if let Some(list) = bibliographies.peek().filter(|list| list.line <= line) {
            let words = squeeze(&rows.words(at));
            let region = references
                .take_if(|region| region.line == list.line)
                .unwrap_or_else(|| ReferencesRegion::new(list, &words));
            let inside = references.insert(region).contains(list, line, &words);
            if inside {
                continue;
            }
        }
        let follows_heading = found
            .last()
            .is_some_and(|last| last.row + 1 == at && opens_part(rows, last));
        if let Some(candidate) = read_candidate(rows, at, follows_heading) {
            if rows.is_printed() && opens_section(&rows.words(at)) {
                let before = sections.insert(fold(&rows.words(at)), at);
                if before.is_some_and(|before| is_running_head(rows, before, at)) {
                    continue;
                }
            }
            found.push(candidate);
        }
    }
    without_dates(&mut found);
    found
}

/// Whether the numbered heading at `before` recurs as the first row `at` of one of the next pages.
fn is_running_head(rows: &BodyRows<'_>, before: usize, at: usize) -> bool {
    let page = |row: usize| rows.extent().page(rows.all()[row].line);
    let pages = page(at) - page(before);
    (1..=MAX_SECTION_PAGES).contains(&pages) && at > 0 && page(at - 1) < page(at)
}

/// The rows of a list of references, which hold no headings.
struct ReferencesRegion {
    /// Line of its keyword.
    line: u32,
    /// The number of its section, as in `4 References`.
    section: Option<u32>,
    /// Whether the next section was met.
    ended: bool,
}

impl ReferencesRegion {
    /// The region of `list`, whose keyword line is `heading`.
    fn new(list: &Bibliography, heading: &str) -> ReferencesRegion {
        ReferencesRegion {
            line: list.line,
            section: loose_number(heading).map(|(number, _)| number),
            ended: false,
        }
    }

    /// Whether a line below the keyword belongs to the list. The next section ends it, unless that is an item.
    fn contains(&mut self, list: &Bibliography, line: u32, words: &str) -> bool {
        let next = self.section.is_some_and(|section| {
            loose_number(words).is_some_and(|(number, _)| number == section + 1)
        });
        let is_item = || {
            list.items
                .binary_search_by_key(&line, |item| item.line)
                .is_ok()
        };
        self.ended |= next && !is_item();
        line > self.line && !self.ended
    }
}

/// Whether another heading may come right below this one, without a blank line: `PART I` and `CHAPTER I`, `3 Usage` and
/// `3.1 Options`.
fn opens_part(rows: &BodyRows<'_>, heading: &HeadingCandidate) -> bool {
    heading.kind.is_counted() || rows.is_printed() && opens_section(&rows.words(heading.row))
}

/// Removes place and date below numbers as titles, unless at least [`DATES`] numbers have them: then the book consists of
/// letters or a diary, and they are its titles.
fn without_dates(found: &mut [HeadingCandidate]) {
    let dated = |candidate: &&mut HeadingCandidate| {
        candidate.kind.is_counted()
            && candidate.has_no_title
            && is_date(&candidate.title, &candidate.folded)
    };
    let dated: Vec<&mut HeadingCandidate> = found.iter_mut().filter(dated).collect();
    if dated.len() < DATES {
        for candidate in dated {
            candidate.title.clear();
            candidate.folded.clear();
        }
    }
}

/// Reads the row `at` as the first line of a heading; `None` if it cannot be one. `follows_heading`: the row directly above is
/// a numbered heading (`PART I`), so that another one (`CHAPTER I`) needs no blank line before it.
fn read_candidate(
    rows: &BodyRows<'_>,
    at: usize,
    follows_heading: bool,
) -> Option<HeadingCandidate> {
    let row = rows.all()[at];
    // A number alone may come right below the text before it.
    let closing = row.size <= 16 && rows.blank_after(at) >= 2;
    // Author, work and `LIBER III` may be on consecutive lines.
    let crowned = || {
        row.upper
            && rows.blank_after(at) > 0
            && at > 0
            && rows.all()[at - 1].upper
            && rows.all()[at - 1].size <= 60
    };
    if !row.may_open_heading || row.size > MAX_HEADING_BYTES {
        return None;
    }
    // `A Proofs` mentions no proofreaders if it is the heading of a section.
    if row.mentions_etext && !(rows.is_printed() && opens_section(&rows.words(at))) {
        return None;
    }
    if !(row.is_first() || follows_heading || closing || crowned()) {
        return None;
    }
    let block = rows.block_length(at, BLOCK + 1);
    let line = rows.words(at);
    if rows.is_printed() && is_caption(&line) {
        return None;
    }
    let label = ParsedHeading::of(&line);
    let is_section = rows.is_printed() && opens_section(&line);
    let label = match loose_number(&line) {
        Some((number, title)) if is_section && label.kind == HeadingKind::Title => ParsedHeading {
            kind: HeadingKind::Numbered,
            number: Some(number),
            form: Some(NumeralForm::Arabic),
            title,
        },
        _ => label,
    };
    // `PART I` and `CHAPTER I` may be on consecutive lines.
    let named = label.kind.is_counted() && label.kind != HeadingKind::Numbered;
    let lone = closing && label.kind.is_counted() && label.title.is_empty();
    let follows_section = is_section && follows_heading;
    if !(row.is_first() || named || lone || follows_section) {
        return None;
    }
    let apart = label.kind != HeadingKind::Numbered || row.before >= 2;
    let is_printed_title = rows.is_printed() && row.is_first() && reads_like_title_in_print(&line);
    let is_section = is_section || is_printed_title;
    if block > BLOCK && !is_section && !(label.kind.is_counted() && apart && label.title.is_empty())
    {
        return None;
    }
    if label.kind == HeadingKind::Title
        && !is_section
        && !may_be_title(&line, row.upper, row.before, block)
    {
        return None;
    }
    let alone = label.title.is_empty();
    let title = if label.kind.is_counted() && alone {
        Some(title_below(rows, at))
            .filter(|title| !is_foreign(label.kind, title))
            .unwrap_or_default()
    } else if rows.is_printed() && block > 1 && is_named_number(&line) {
        format!("{line} {}", rows.words(at + 1))
    } else {
        let block = if is_section {
            title_rows(rows, at, block)
        } else {
            block
        };
        with_continuation(rows, at, label.title, block)
    };
    let title = squeeze(&title);
    Some(HeadingCandidate {
        row: at,
        kind: label.kind,
        number: label.number,
        form: label.form,
        folded: fold(&title),
        title,
        upper: row.upper,
        has_no_title: alone,
    })
}

/// Whether a printed line is a name and a number, such as `File IV`; its title is on the next line.
fn is_named_number(line: &str) -> bool {
    let capital = |c: char| c.is_uppercase();
    line.split_once(' ').is_some_and(|(name, value)| {
        let bare = value
            .chars()
            .all(|c| c.is_ascii_digit() || c.is_ascii_uppercase());
        name.starts_with(capital)
            && name.chars().all(char::is_alphabetic)
            && bare
            && number(value).is_some()
    })
}

/// Whether a line may be a title without a number: `upper` in capitals, after `before` blank lines, in a block of
/// `block` lines.
fn may_be_title(line: &str, upper: bool, before: u8, block: usize) -> bool {
    if block > 3 || line.len() > 90 || !line.contains(|c: char| c.is_alphabetic()) {
        return false;
    }
    let closed = line.ends_with(['.', ',', ';', ':', '!', '?', '"', '”', '\'', '’', '-', '»']);
    let quoted = line.starts_with(['"', '“', '\'', '‘', '«', '-', '—', '[', '(', '*']);
    upper || (before >= 2 && !line.ends_with([',', ';', '-'])) || (!closed && !quoted)
}

/// Joins a heading with its continuation on the next lines of its block.
fn with_continuation(rows: &BodyRows<'_>, at: usize, first: &str, block: usize) -> String {
    let mut title = first.to_owned();
    for next in at + 1..at + block.min(3) {
        let line = rows.words(next);
        let row = rows.all()[next];
        let goes_on = row.upper == rows.all()[at].upper && !row.is_long();
        if !goes_on
            || ParsedHeading::of(&line).kind.is_counted()
            || title.len() + line.len() > TITLE
        {
            break;
        }
        title = title + " " + &line;
    }
    title
}

/// The title on the lines below a number; empty without one.
fn title_below(rows: &BodyRows<'_>, at: usize) -> String {
    let Some(next) = rows.all().get(at + 1) else {
        return String::new();
    };
    let block = rows.block_length(at + 1, 5);
    if next.before > 4 || block > 4 || next.is_long() || next.mentions_etext {
        return String::new();
    }
    let mut title = String::new();
    for index in at + 1..at + 1 + block {
        let (row, line) = (rows.all()[index], rows.words(index));
        let label = ParsedHeading::of(&line);
        if label.kind.is_counted()
            || (label.kind == HeadingKind::Matter && index == at + 1 && row.before > 2)
        {
            break;
        }
        if title.len() + line.len() > TITLE || row.is_long() {
            return String::new();
        }
        if !title.is_empty() {
            title.push(' ');
        }
        title.push_str(&line);
    }
    if reads_like_title(&title, next.upper, next.indent) {
        title
    } else {
        String::new()
    }
}

/// Whether the text below a number is its title: in capitals, indented, or with capitalised words.
fn reads_like_title(title: &str, upper: bool, indent: u8) -> bool {
    let first = title.chars().find(|c| c.is_alphanumeric());
    if first.is_none_or(char::is_lowercase)
        || title.starts_with(['[', '(', '{', '*'])
        || title.ends_with([',', ';', '-', '—'])
    {
        return false;
    }
    if upper {
        return true;
    }
    if title.starts_with(['"', '“', '\'', '‘', '«', '—']) && title.len() > 60 {
        return false;
    }
    let long = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 3;
    let words: Vec<&str> = title.split_whitespace().filter(long).collect();
    let capital = |word: &&&str| {
        let mut letters = word.chars().filter(|c| c.is_alphabetic());
        letters.next().is_some_and(char::is_uppercase)
    };
    let capitals = words.iter().filter(capital).count();
    let sentence = title.ends_with(['.', '!', '?', '"', '”', ':']);
    if sentence && indent < 4 {
        return !words.is_empty() && capitals * 10 >= words.len() * 8;
    }
    title.len() <= 90 || capitals * 10 >= words.len() * 6
}
