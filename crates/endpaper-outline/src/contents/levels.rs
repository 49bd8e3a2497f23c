//! How deep the parts of a book lie in one another.

use super::merge::Part;
use crate::label::Kind;
use crate::numbers::path;

/// Gives every entry its level.
pub(super) fn assign(parts: &mut [Part]) {
    let ranks: Vec<Option<u8>> = ranks(parts);
    // Ranks of the parts that are open.
    let mut open: Vec<u8> = Vec::new();
    for (part, rank) in parts.iter_mut().zip(ranks) {
        // Front and back matter is a part of the whole book and closes nothing.
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

/// Added to the rank of what lies below all ranks of lists.
const BELOW: u8 = 10;

/// What may hold what: a smaller rank holds a larger one.
fn ranks(parts: &[Part]) -> Vec<Option<u8>> {
    let books_hold_parts = books_hold_parts(parts);
    let has = |kind: Kind| parts.iter().any(|part| part.entry.kind == kind);
    let chapters = has(Kind::Chapter);
    let numbered = has(Kind::Numbered);
    // How far chapters are indented in their list: a title farther in is below them.
    let indents = |wanted: fn(Kind) -> bool| {
        let of = parts.iter().filter(move |part| wanted(part.entry.kind));
        of.filter_map(|part| part.indent).min()
    };
    let counted = indents(|kind| kind > Kind::Book && kind.counts());
    let listed = parts.iter().position(|part| part.indent.is_some());
    // What no list names lies below what one names, if it does not stand before all that.
    let below = |kind: Kind| {
        let first = parts.iter().position(|part| part.entry.kind == kind);
        let in_list = parts
            .iter()
            .any(|part| part.entry.kind == kind && part.indent.is_some());
        !in_list && first > listed && listed.is_some()
    };
    let below: Vec<Kind> = Kind::ALL
        .iter()
        .copied()
        .filter(|&kind| below(kind))
        .collect();
    // Titles that stand under one another in a list are of one rank, whether numbers follow them or not; where the
    // numbers stand among them, that does not tell.
    let begin = |at: &usize| {
        numbered && !chapters && parts[*at].entry.kind == Kind::Title && begins_numbers(parts, *at)
    };
    let begins: Vec<usize> = (0..parts.len()).filter(begin).collect();
    let (mut over_numbers, mut beside_numbers) = ([false; 256], [false; 256]);
    for (at, part) in parts.iter().enumerate() {
        if let Some(indent) = part.indent {
            over_numbers[usize::from(indent)] |= begins.binary_search(&at).is_ok();
            beside_numbers[usize::from(indent)] |= part.entry.kind.counts();
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
            Kind::Volume => 0,
            Kind::Part if books_hold_parts => 3,
            Kind::Part => 1,
            Kind::Book => 2,
            Kind::Act | Kind::Canto => 4,
            Kind::Chapter | Kind::Letter => 5,
            Kind::Scene | Kind::Section => 6,
            Kind::Numbered if chapters => 7,
            Kind::Numbered => 5,
            Kind::Title => match (part.indent, counted) {
                // `3.1.2` lies in `3.1`, however both are indented.
                _ if path(&part.entry.title).is_some() => {
                    (4 + path(&part.entry.title).unwrap_or(1)).min(BELOW)
                }
                (Some(indent), Some(counted)) if indent > counted + 1 => 7,
                _ if holds_numbers(at) => 4,
                _ => 5,
            },
            Kind::Matter => {
                ranks.push(None);
                continue;
            }
        };
        ranks.push(Some(if below.contains(&part.entry.kind) {
            rank + BELOW
        } else {
            rank
        }));
    }
    ranks
}

/// A title is right above a number one, or above a number two where none stands above the first section.
fn begins_numbers(parts: &[Part], at: usize) -> bool {
    let next = parts.get(at + 1).map(|next| &next.entry);
    next.is_some_and(|next| next.kind == Kind::Numbered && matches!(next.number, Some(1 | 2)))
}

/// Parts begin to count again in each book.
fn books_hold_parts(parts: &[Part]) -> bool {
    let ones = |kind: Kind| {
        let of = parts.iter().filter(move |part| part.entry.kind == kind);
        of.filter(|part| part.entry.number == Some(1)).count()
    };
    ones(Kind::Part) > 1
        && ones(Kind::Book) <= 1
        && parts.iter().any(|part| part.entry.kind == Kind::Book)
}
