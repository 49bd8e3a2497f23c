//! Lines that could be headings.

use super::super::fold::{fold, squeeze};
use super::super::heading::{HeadingKind, ParsedHeading};
use super::super::numbers::{NumeralForm, section_depth};
use super::super::rows::BodyRows;
use super::non_titles::{is_date, is_foreign, is_note_of_transcriber};

/// Longest block that a heading can open, in lines.
const BLOCK: usize = 6;
/// Longest line of a heading, in bytes.
const LONGEST: u8 = 100;
/// Longest title, in bytes.
const TITLE: usize = 240;
/// Titles that are dates and make a book of letters.
const DATES: usize = 3;
/// The last of N parts of a book may hold the notes of its transcriber.
const LAST: usize = 10;

/// A line that could be a heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HeadingCandidate {
    /// Its row.
    pub row: usize,
    pub kind: HeadingKind,
    pub number: Option<u32>,
    pub form: Option<NumeralForm>,
    /// Its title, also where below it.
    pub title: String,
    /// The title as it is compared.
    pub folded: String,
    /// It is written in capitals.
    pub upper: bool,
    /// Nothing but the number (and its name) is in its line.
    pub has_no_title: bool,
}

/// All candidates in the order of their lines.
pub(super) fn find_candidates(rows: &BodyRows<'_>) -> Vec<HeadingCandidate> {
    let mut found: Vec<HeadingCandidate> = Vec::new();
    let all = rows.all().len();
    for at in 0..all {
        // What was changed in the text is reported after it, with the lines where.
        if at > all - all / LAST && is_note_of_transcriber(rows, at) {
            break;
        }
        let below = found
            .last()
            .is_some_and(|last| last.row + 1 == at && last.kind.is_counted());
        if let Some(candidate) = read_candidate(rows, at, below) {
            found.push(candidate);
        }
    }
    without_dates(&mut found);
    found
}

/// Takes the place and the day of a letter from below a number, unless the book gives them again and again: then it is
/// one of letters or a diary, and they are its titles.
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

/// `below` says that the line above it heads something numbered.
fn read_candidate(rows: &BodyRows<'_>, at: usize, below: bool) -> Option<HeadingCandidate> {
    let row = rows.all()[at];
    // A number alone may stand right below the text before it.
    let closing = row.size <= 16 && rows.blank_after(at) >= 2;
    // The author, the work, and `LIBER III` are on one another.
    let crowned = || {
        row.upper
            && rows.blank_after(at) > 0
            && at > 0
            && rows.all()[at - 1].upper
            && rows.all()[at - 1].size <= 60
    };
    if !row.may_open_heading || row.mentions_etext || row.size > LONGEST {
        return None;
    }
    if !(row.is_first() || below || closing || crowned()) {
        return None;
    }
    let block = rows.block_length(at, BLOCK + 1);
    let line = rows.words(at);
    let label = ParsedHeading::of(&line);
    // `PART I` and `CHAPTER I` may stand on one another.
    let named = label.kind.is_counted() && label.kind != HeadingKind::Numbered;
    let lone = closing && label.kind.is_counted() && label.title.is_empty();
    if !row.is_first() && !named && !lone {
        return None;
    }
    let apart = label.kind != HeadingKind::Numbered || row.before >= 2;
    // On printed pages `3.1.2 Quoting` is set apart by its type, and its text follows at once.
    let is_path = !rows.extent().is_estimated() && section_depth(&line).is_some();
    if block > BLOCK && !is_path && !(label.kind.is_counted() && apart && label.title.is_empty()) {
        return None;
    }
    if label.kind == HeadingKind::Title
        && !is_path
        && !may_be_title(&line, row.upper, row.before, block)
    {
        return None;
    }
    let alone = label.title.is_empty();
    let title = if label.kind.is_counted() && alone {
        Some(title_below(rows, at))
            .filter(|title| !is_foreign(label.kind, title))
            .unwrap_or_default()
    } else {
        with_continuation(rows, at, label.title, if is_path { 1 } else { block })
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

/// Whether a line without a number reads like a title rather than a sentence.
fn may_be_title(line: &str, upper: bool, before: u8, block: usize) -> bool {
    if block > 3 || line.len() > 90 || !line.contains(|c: char| c.is_alphabetic()) {
        return false;
    }
    let closed = line.ends_with(['.', ',', ';', ':', '!', '?', '"', '”', '\'', '’', '-', '»']);
    let quoted = line.starts_with(['"', '“', '\'', '‘', '«', '-', '—', '[', '(', '*']);
    upper || (before >= 2 && !line.ends_with([',', ';', '-'])) || (!closed && !quoted)
}

/// The words of a heading that continues in the next lines of its block.
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

/// The title in the lines below a number; empty if there is none.
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

/// Whether words below a number are its title: capitals, an indented line, or words with capitals.
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
