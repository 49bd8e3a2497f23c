//! Nesting levels of the parts of a book.

use super::merge::IndentedEntry;
use crate::heading::HeadingKind;
use crate::numbers::section_depth;

/// Sets the nesting level of every part.
pub(super) fn assign(parts: &mut [IndentedEntry]) {
    let ranks: Vec<Option<u8>> = ranks(parts);
    // Ranks of the enclosing parts.
    let mut open: Vec<u8> = Vec::new();
    for (part, rank) in parts.iter_mut().zip(ranks) {
        // Front and back matter belongs to the whole book and closes no part.
        let Some(rank) = rank else {
            part.entry.level = 1;
            continue;
        };
        while open.last().is_some_and(|&last| last >= rank) {
            open.pop();
        }
        open.push(rank);
        part.entry.level = u8::try_from(open.len()).unwrap_or(u8::MAX);
    }
}

/// Added to the rank of kinds that no table of contents lists.
const UNLISTED_RANK: u8 = 10;

/// Returns the rank of each part: smaller ranks contain larger ones; `None` for front and back matter.
fn ranks(parts: &[IndentedEntry]) -> Vec<Option<u8>> {
    let books_hold_parts = books_hold_parts(parts);
    let has = |kind: HeadingKind| parts.iter().any(|part| part.entry.kind == kind);
    let chapters = has(HeadingKind::Chapter);
    let numbered = has(HeadingKind::Numbered);
    // Least indentation of the numbered entries: a title indented further is below them.
    let indents = |wanted: fn(HeadingKind) -> bool| {
        let of = parts.iter().filter(move |part| wanted(part.entry.kind));
        of.filter_map(|part| part.indent).min()
    };
    let counted = indents(|kind| kind > HeadingKind::Book && kind.is_counted());
    let listed = parts.iter().position(|part| part.indent.is_some());
    // Kinds that no table of contents lists are below the listed ones, unless they begin before all of them.
    let below = |kind: HeadingKind| {
        let first = parts.iter().position(|part| part.entry.kind == kind);
        let in_list = parts
            .iter()
            .any(|part| part.entry.kind == kind && part.indent.is_some());
        !in_list && first > listed && listed.is_some()
    };
    let below: Vec<HeadingKind> = HeadingKind::ALL
        .iter()
        .copied()
        .filter(|&kind| below(kind))
        .collect();
    // Titles with the same indentation in a list have the same rank, whether or not numbers follow them. The indentation does not
    // count where numbers share it.
    let begin = |at: &usize| {
        numbered
            && !chapters
            && parts[*at].entry.kind == HeadingKind::Title
            && begins_numbers(parts, *at)
    };
    let begins: Vec<usize> = (0..parts.len()).filter(begin).collect();
    let (mut over_numbers, mut beside_numbers) = ([false; 256], [false; 256]);
    for (at, part) in parts.iter().enumerate() {
        if let Some(indent) = part.indent {
            over_numbers[usize::from(indent)] |= begins.binary_search(&at).is_ok();
            beside_numbers[usize::from(indent)] |= part.entry.kind.is_counted();
        }
    }
    let holds_numbers = |at: usize| {
        begins.binary_search(&at).is_ok()
            || parts[at].indent.is_some_and(|indent| {
                over_numbers[usize::from(indent)] && !beside_numbers[usize::from(indent)]
            })
    };
    let mut ranks = Vec::with_capacity(parts.len());
    for (at, part) in parts.iter().enumerate() {
        let rank = match part.entry.kind {
            HeadingKind::Volume => 0,
            HeadingKind::Part if books_hold_parts => 3,
            HeadingKind::Part => 1,
            HeadingKind::Book => 2,
            HeadingKind::Act | HeadingKind::Canto => 4,
            HeadingKind::Chapter | HeadingKind::Letter => 5,
            HeadingKind::Scene | HeadingKind::Section => 6,
            HeadingKind::Numbered if chapters => 7,
            HeadingKind::Numbered => 5,
            HeadingKind::Title => match (part.indent, counted) {
                // `3.1.2` is in `3.1`, whatever their indentation.
                _ if section_depth(&part.entry.title).is_some() => {
                    (4 + section_depth(&part.entry.title).unwrap_or(1)).min(UNLISTED_RANK)
                }
                (Some(indent), Some(counted)) if indent > counted + 1 => 7,
                _ if holds_numbers(at) => 4,
                _ => 5,
            },
            HeadingKind::Matter => {
                ranks.push(None);
                continue;
            }
        };
        ranks.push(Some(if below.contains(&part.entry.kind) {
            rank + UNLISTED_RANK
        } else {
            rank
        }));
    }
    ranks
}

/// Whether a number 1 follows a title, or a number 2 where the first section has no number.
fn begins_numbers(parts: &[IndentedEntry], at: usize) -> bool {
    let next = parts.get(at + 1).map(|next| &next.entry);
    next.is_some_and(|next| {
        next.kind == HeadingKind::Numbered && matches!(next.number, Some(1 | 2))
    })
}

/// Whether the numbers of parts begin again in each book.
fn books_hold_parts(parts: &[IndentedEntry]) -> bool {
    let ones = |kind: HeadingKind| {
        let of = parts.iter().filter(move |part| part.entry.kind == kind);
        of.filter(|part| part.entry.number == Some(1)).count()
    };
    ones(HeadingKind::Part) > 1
        && ones(HeadingKind::Book) <= 1
        && parts
            .iter()
            .any(|part| part.entry.kind == HeadingKind::Book)
}
