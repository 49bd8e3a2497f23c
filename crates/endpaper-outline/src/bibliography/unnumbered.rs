//! Lists whose items have no numbers: alphabetical ones, ones with citation keys in brackets, and ones whose items are clearly
//! references.
//!
//! Items are separated by blank lines or have a hanging indent. An index, a publisher's list or chapter titles may follow the
//! same keywords: an index has only page numbers after its words, a publisher's list has prices, and prose ends a list.

use super::author_list::opens_with_authors;
use super::item::{GAP, ItemDraft, is_page_line};
use super::reference_cues::{ReferenceCues, dated_name, opening_name};
use crate::fold::fold;
use crate::heading::{HeadingKind, ParsedHeading};
use crate::metadata::years;
use crate::rows::BodyRows;

/// Most rows of introductory prose before the first item.
const INTRODUCTION: usize = 12;
/// Longest heading of a part of the list, in bytes.
const HEADING: u8 = 60;
/// Longest item, in bytes: longer text discusses books rather than naming one.
const ITEM: usize = 600;
/// Number of items from which on a list has certainly begun.
const ESTABLISHED: usize = 4;
/// Most lines after the first of a citation key.
const KEY_LINES: usize = 3;
/// Most rows read as one block.
const BLOCK: usize = 400;
/// Most lines from one item to the next around a figure or a table.
const FIGURE_GAP: u32 = 90;
/// Columns by which lines may be further right on another page.
const SHIFT: u8 = 3;

/// An item and the cues that it is a reference.
struct DetectedItem {
    draft: ItemDraft,
    shape: ReferenceCues,
    /// Folded text that the list is ordered by.
    key: String,
    /// Index of the part of the list that it is in.
    part: usize,
    has_citation_key: bool,
}

/// Returns the items from a row on and the index of the row after the last; `None` if they are not a list of references.
pub(super) fn read(
    rows: &BodyRows<'_>,
    start: usize,
    line: u32,
) -> Option<(Vec<ItemDraft>, usize)> {
    let all = rows.all();
    let mut found: Vec<DetectedItem> = Vec::new();
    let (mut at, mut last_line, mut end, mut part, mut poor) = (start, line, start, 0, 0);
    let mut introduction = 0;
    // Indentation of the list.
    let mut base: Option<u8> = None;
    // Indentation of the lines after the first line of an item, if they are indented.
    let mut hanging: Option<u8> = None;
    while let Some(row) = all.get(at) {
        let far = row.line > last_line + GAP;
        if far && (found.len() < ESTABLISHED || row.line > last_line + FIGURE_GAP) {
            break;
        }
        if is_page_line(rows, at) {
            at += 1;
            continue;
        }
        // An item goes on behind a page break, and behind a blank line if the next one needs a key.
        if let Some(item) = found.last_mut()
            && let (Some(base), Some(hanging)) = (base, hanging)
            && (base.saturating_add(2)..=hanging.saturating_add(SHIFT)).contains(&row.indent)
            && (rows.extent().page(row.line) != rows.extent().page(last_line)
                || item.has_citation_key && key_of(&rows.words(at)).is_none())
            && at < end + 3
        {
            item.draft.push(&rows.words(at));
            (last_line, end) = (row.line, at + 1);
            at += 1;
            continue;
        }
        let words = rows.words(at);
        // The rest of a word, on the next page.
        if let Some(item) = found.last_mut()
            && item.draft.is_open_word()
            && words.starts_with(char::is_lowercase)
        {
            item.draft.push(&words);
            (last_line, end) = (row.line, at + 1);
            at += 1;
            continue;
        }
        let next = at + block(rows, at);
        if heads_other_section(&words) {
            break;
        }
        let mut items = split(rows, at, next);
        let contact = items.iter().position(|item| is_contact(&item.draft.text()));
        // The list ends above where its author can be reached.
        let after = match contact {
            Some(contact) => {
                let line = items
                    .drain(contact..)
                    .next()
                    .map_or(line, |item| item.draft.line);
                all.partition_point(|row| row.line < line)
            }
            None => next,
        };
        // In a list that has begun, works without authors are likely.
        let established = found.len() >= ESTABLISHED;
        let fitting = items
            .iter()
            .filter(|item| {
                item.has_citation_key || item.shape.may_be_reference() && item.draft.size <= ITEM
            })
            .count();
        let strong = items.iter().any(|item| item.shape.is_strong());
        let heading = !strong && is_heading(rows, at, next, &words);
        let long = |item: &&DetectedItem| item.draft.size > ITEM && !item.has_citation_key;
        let prose = items.iter().filter(long).count() * 5 > items.len();
        let least = if established { 4 } else { 6 };
        let fits = fitting * 10 >= items.len() * least && (strong || !far);
        if fits && !items.is_empty() && !heading && !prose {
            poor = 0;
            let margin = *base.get_or_insert(row.indent);
            if row.indent == margin && hanging.is_none() {
                let mut inner = all[at..next].iter().map(|row| row.indent);
                hanging = inner.find(|indent| *indent > margin.saturating_add(1));
            }
            for mut item in items {
                item.part = part;
                // An item indented further than the list is another work of the author above.
                let inner = row.indent > margin.saturating_add(1)
                    && !item.has_citation_key
                    && !item.shape.opens_with_dated_name;
                item.draft.same_author |= inner;
                found.push(item);
            }
            end = after;
            last_line = all[after - 1].line;
            if contact.is_some() {
                break;
            }
        } else if contact.is_some() || row.mentions_etext {
            break;
        } else if heading {
            part += 1;
        } else if found.is_empty() {
            introduction += next - at;
            if introduction > INTRODUCTION {
                break;
            }
        } else {
            // A note on an item is indented further; prose at the margin ends the list.
            poor += 1;
            let outer = base.is_none_or(|base| row.indent <= base);
            if poor > 2 || outer && next - at >= 3 {
                break;
            }
        }
        at = next;
    }
    are_references(&found).then(|| {
        let number = |(at, item): (usize, DetectedItem)| ItemDraft {
            number: at as u32 + 1,
            ..item.draft
        };
        (found.into_iter().enumerate().map(number).collect(), end)
    })
}

/// Whether enough of the items look like references for all to be taken for them.
fn are_references(found: &[DetectedItem]) -> bool {
    let count = found.len();
    let of = |test: fn(&DetectedItem) -> bool| found.iter().filter(|item| test(item)).count();
    let share = |part: usize, tenths: usize| part * 10 >= count * tenths;
    if count == 0
        || share(of(|item| item.shape.price), 2)
        || !share(of(|item| item.shape.may_be_reference()), 7)
    {
        return false;
    }
    let strong = of(|item| item.shape.is_strong());
    let full =
        of(|item| item.shape.name && item.shape.year && (item.shape.imprint || item.shape.title));
    let marked = of(|item| item.shape.title || item.shape.year || item.shape.imprint);
    match count {
        1 => full == 1 || found[0].shape.opens_with_dated_name,
        _ if share(of(|item| item.has_citation_key), 9) => share(marked, 4),
        2 => strong == 2,
        _ => {
            share(strong, 7)
                || ordered(found) && share(of(|item| item.shape.name), 7) && share(marked, 3)
        }
    }
}

/// Whether the items of each part are sorted by their first words.
fn ordered(found: &[DetectedItem]) -> bool {
    let pairs = || {
        found.windows(2).filter(|pair| {
            pair[0].part == pair[1].part && !pair[0].draft.same_author && !pair[1].draft.same_author
        })
    };
    let right = pairs().filter(|pair| pair[0].key <= pair[1].key).count();
    right * 10 >= pairs().count() * 8
}

/// Whether a text says where to reach the authors of the document, as often after its references.
fn is_contact(text: &str) -> bool {
    let address = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.split_once('@').is_some_and(|(user, host)| {
            !user.is_empty() && host.contains('.') && !host.contains(['@', '/'])
        })
    };
    text.starts_with("Affiliation") || text.split(' ').any(address)
}

/// Whether the words head something other than references.
fn heads_other_section(words: &str) -> bool {
    if words.len() > 60 {
        return false;
    }
    const OTHERS: &[&str] = &[
        "index",
        "the end",
        "end",
        "finis",
        "fim",
        "fin",
        "ende",
        "contents",
        "indice",
        "inhalt",
        "table des matieres",
        "see also",
        "examples",
        "footnotes",
        "notes",
        "transcribers note",
        "transcribers notes",
        "change history",
        "advertisements",
        "table of contents",
        "general index",
    ];
    let folded = fold(words);
    if OTHERS.contains(&folded.as_str()) {
        return true;
    }
    let label = ParsedHeading::of(words);
    matches!(
        label.kind,
        HeadingKind::Chapter
            | HeadingKind::Book
            | HeadingKind::Volume
            | HeadingKind::Act
            | HeadingKind::Canto
    ) || label.kind == HeadingKind::Matter
        && !folded.starts_with("bibliograph")
        && !folded.starts_with("reference")
}

/// Whether a block heads a part of the list: `RECOMMENDED READING --`, `Books`.
fn is_heading(rows: &BodyRows<'_>, at: usize, next: usize, words: &str) -> bool {
    let row = rows.all()[at];
    let count = words.split_whitespace().count();
    next - at == 1
        && row.size <= HEADING
        && row.may_open_heading
        && (words.ends_with([':', '-', '—'])
            || row.upper && !words.contains("--")
            || count <= 3 && !words.contains([',', '.']))
        && !words.contains(|c: char| c.is_ascii_digit())
}

/// Number of rows up to the next blank line or page edge.
fn block(rows: &BodyRows<'_>, at: usize) -> usize {
    let rest = 1..rows.block_length(at, BLOCK);
    let edge = rest.clone().find(|&more| is_page_line(rows, at + more));
    edge.unwrap_or(rest.end)
}

/// Splits a block into items.
fn split(rows: &BodyRows<'_>, start: usize, end: usize) -> Vec<DetectedItem> {
    let all = &rows.all()[start..end];
    let lines: Vec<_> = (start..end).map(|at| rows.words(at)).collect();
    let least = all.iter().map(|row| row.indent).min().unwrap_or(0);
    let first = all[0].indent;
    let keyed = key_of(&lines[0]).is_some();
    let hangs = first == least && all.iter().any(|row| row.indent > least);
    let again = all.iter().filter(|row| row.indent >= first).count();
    let begins = |at: usize, open: bool, last: &str| -> bool {
        let row = all[at];
        if at == 0 {
            return true;
        }
        // The rest of a word.
        if lines[at - 1].ends_with('-') && !lines[at - 1].ends_with("--") {
            return false;
        }
        if keyed {
            return key_of(&lines[at]).is_some();
        }
        if hangs && !open && row.indent == least && opens_with_particle(&lines[at]) {
            return true;
        }
        if !row.may_open_heading || open {
            return false;
        }
        if hangs {
            return row.indent == least;
        }
        if first > least && again > 1 {
            return row.indent >= first;
        }
        // Without a hanging indent, a line begins an item if the line above ended one.
        let closed = lines[at - 1].ends_with(['.', ';', ')', ']'])
            || lines[at - 1].ends_with(|c: char| c.is_ascii_digit());
        closed
            && (dated_name(&lines[at]).is_some()
                || named(&lines[at]) && fold(&lines[at]).as_str() >= last)
    };
    let mut items: Vec<DetectedItem> = Vec::new();
    let (mut marked, mut open, mut in_key) = (false, 0_usize, false);
    for at in 0..all.len() {
        let words = &lines[at];
        // An item never begins inside brackets.
        let last = items.last().map_or("", |item| item.key.as_str());
        if begins(at, open > 0, last) {
            (marked, open) = (false, 0);
            let key = key_of(words);
            // A key that is too wide for the page is cut off.
            in_key = matches!(key, Some(CitationKey::Open))
                && lines[at + 1..]
                    .iter()
                    .take(KEY_LINES)
                    .take_while(|line| !line.contains('['))
                    .any(|line| line.contains(']'));
            let text = match key {
                Some(CitationKey::Closed(text)) => text,
                Some(CitationKey::Open) => "",
                None => words.as_ref(),
            };
            items.push(DetectedItem {
                draft: ItemDraft::new(0, all[at].line, text),
                shape: ReferenceCues::default(),
                key: fold(text),
                part: 0,
                has_citation_key: key.is_some(),
            });
        } else if let Some(item) = items.last_mut() {
            let text = if in_key {
                words.split_once(']').map_or("", |(_, text)| text)
            } else {
                words.as_ref()
            };
            in_key &= !words.contains(']');
            item.draft.push(text);
        }
        open = (open + words.matches('(').count()).saturating_sub(words.matches(')').count());
        marked |= words.matches('_').count() >= 2;
        if let Some(item) = items.last_mut() {
            item.shape.title |= marked;
        }
    }
    for item in &mut items {
        let text = item.draft.text();
        item.shape = ReferenceCues::of(&text, item.shape.title);
        // The name has a line of its own, with the title below it.
        let stacked = item.draft.lines.len() > 2
            && item.draft.lines.iter().all(|line| line.len() < 70)
            && super::reference_cues::is_name(&item.draft.lines[0].replace(',', ""));
        item.shape.name |= stacked;
    }
    items
}

/// Whether a line opens with a name such as `van Leeuwen, J.`
fn opens_with_particle(line: &str) -> bool {
    line.starts_with(char::is_lowercase) && opens_with_authors(line)
}

/// Whether a line opens with a name that no number follows: `Biometrika, 38, 330` ends an item.
fn named(line: &str) -> bool {
    opening_name(line).is_some_and(|name| {
        let at = line.find(name).unwrap_or(0) + name.len();
        let behind = line[at..].trim_start_matches(|c: char| !c.is_alphanumeric());
        !behind.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// A citation key before an item: `[Knu84]`, `[Knuth(1984)]`.
enum CitationKey<'a> {
    /// The text after it.
    Closed(&'a str),
    /// It ends in a later line.
    Open,
}

/// The citation key that opens a line.
fn key_of(words: &str) -> Option<CitationKey<'_>> {
    const LONGEST: usize = 240;
    let inside = words.strip_prefix('[')?;
    let (key, rest) = match inside.split_once(']') {
        Some((key, rest)) => (key, Some(rest.trim())),
        None => (inside, None),
    };
    let dated = key
        .split_once('(')
        .is_some_and(|(_, year)| year.starts_with(')') || years(year).next().is_some());
    let plain = |c: char| {
        c.is_alphanumeric() || matches!(c, '+' | '-' | '.' | ':' | '_' | '*' | ' ' | '/' | '’')
    };
    let short = (2..=24).contains(&key.len())
        && key.chars().all(plain)
        && key.split(' ').count() <= 3
        && rest.is_some_and(|rest| !rest.is_empty());
    if !(dated || key.starts_with(char::is_alphabetic)) || !(short || dated && key.len() <= LONGEST)
    {
        return None;
    }
    Some(rest.map_or(CitationKey::Open, CitationKey::Closed))
}
