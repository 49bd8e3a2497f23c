//! Lists whose items are numbered from one.

use super::item::{GAP, ItemDraft, is_page_line};
use super::reference_cues::ReferenceCues;
use crate::rows::BodyRows;

/// Most rows of introduction before the first item.
const INTRODUCTION: usize = 8;
/// Fewest items of a list.
const MIN_ITEMS: usize = 2;

/// Fewest items of a list whose numbers stand alone, as other numbers do.
const MIN_BARE_ITEMS: usize = 3;

/// How the numbers of a list are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NumberForm {
    /// `[4]`, `(4)`, `4.`, `4)`
    Closed,
    /// `4`
    Bare,
}

/// Returns the items from a row on, and the index of the row after the last.
pub(super) fn read(
    rows: &BodyRows<'_>,
    start: usize,
    line: u32,
) -> Option<(Vec<ItemDraft>, usize)> {
    let closed = read_form(rows, start, line, NumberForm::Closed);
    let closed = closed.filter(|(drafts, _)| drafts.len() >= MIN_ITEMS);
    closed.or_else(|| {
        let bare = read_form(rows, start, line, NumberForm::Bare);
        bare.filter(|(drafts, _)| {
            let strong = |draft: &&ItemDraft| ReferenceCues::of(&draft.text(), false).is_strong();
            drafts.len() >= MIN_BARE_ITEMS
                && drafts.iter().filter(strong).count() * 10 >= drafts.len() * 7
        })
    })
}

/// Returns the items with numbers of this form.
fn read_form(
    rows: &BodyRows<'_>,
    start: usize,
    line: u32,
    form: NumberForm,
) -> Option<(Vec<ItemDraft>, usize)> {
    let mut drafts: Vec<ItemDraft> = Vec::new();
    let (mut at, mut last_line, mut end) = (start, line, start);
    while let Some(row) = rows.all().get(at) {
        let next = drafts.len() as u32 + 1;
        let introduced = drafts.is_empty() && at > start + INTRODUCTION;
        if row.line > last_line + GAP || introduced {
            break;
        }
        let words = rows.words(at);
        if is_page_line(rows, at) {
            end += usize::from(at == end);
            at += 1;
            continue;
        }
        if let Some(text) = numbered(&words, next, form) {
            drafts.push(ItemDraft::new(next, row.line, text));
            (last_line, end) = (row.line, at + 1);
        } else if row.mentions_etext && (row.is_first() || drafts.is_empty()) {
            break;
        } else if let Some(item) = drafts.last_mut()
            // Text after a blank line belongs to the list only if the next number follows.
            && at == end
            && (!row.is_first() || is_page_line(rows, at - 1))
            && item.push(&words)
        {
            end = at + 1;
        }
        at += 1;
    }
    (!drafts.is_empty()).then_some((drafts, end))
}

/// Returns the text after `[4]`, `(4)`, `4.`, `4)` or, in a list of bare numbers, `4` if `number` is 4.
fn numbered(words: &str, number: u32, form: NumberForm) -> Option<&str> {
    let bare = words.trim_start_matches(['[', '(']);
    let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > 5 || bare[..digits].parse() != Ok(number) {
        return None;
    }
    let rest = &bare[digits..];
    if form == NumberForm::Bare {
        let text = rest.strip_prefix([' ', '\t'])?.trim_start();
        let opens = |c: char| c.is_uppercase() || matches!(c, '"' | '“' | '‘');
        return (bare.len() == words.len() && text.starts_with(opens)).then_some(text);
    }
    let closed = rest.strip_prefix(['.', ')', ']', ':'])?;
    let text = closed.trim_start_matches([']', ')', '.', ' ', '\t']);
    (!text.is_empty()).then_some(text)
}
