//! One outline of what lists name and what is in the body.

use super::candidates::HeadingCandidate;
use super::entry::OutlineEntry;
use super::list::LinkedContents;
use crate::heading::HeadingKind;
use crate::rows::BodyRows;

/// An entry and how far it is indented in its list.
#[derive(Clone, Debug)]
pub(super) struct IndentedEntry {
    pub entry: OutlineEntry,
    /// Columns; `None` for what is in no list.
    pub indent: Option<u8>,
}

/// Entries in the order of the body; one that was not found there is after the one before it in its list.
pub(super) fn merge(
    rows: &BodyRows<'_>,
    candidates: &[HeadingCandidate],
    tables: &[LinkedContents],
    headings: &[bool],
) -> Vec<IndentedEntry> {
    let line = |row: usize| rows.all().get(row).map(|row| row.line);
    let mut taken = vec![false; candidates.len()];
    // Place in the body, place in the list, the entry.
    let mut parts: Vec<(usize, usize, IndentedEntry)> = Vec::new();
    for table in tables {
        let mut place = 0;
        for (order, (reference, link)) in table.references.iter().zip(&table.links).enumerate() {
            let found = link.and_then(|at| candidates.get(at).map(|candidate| (at, candidate)));
            if let Some((at, candidate)) = found {
                if std::mem::replace(&mut taken[at], true) {
                    continue;
                }
                place = candidate.row;
            }
            let entry = OutlineEntry {
                level: 0,
                kind: match found {
                    Some((_, candidate))
                        if !reference.kind.is_counted() && candidate.kind.is_counted() =>
                    {
                        candidate.kind
                    }
                    Some((_, candidate)) if reference.kind == HeadingKind::Numbered => {
                        candidate.kind.min(HeadingKind::Numbered)
                    }
                    _ => reference.kind,
                },
                number: reference
                    .number
                    .or(found.and_then(|(_, candidate)| candidate.number)),
                title: match found {
                    Some((_, candidate)) if reference.title.is_empty() => candidate.title.clone(),
                    _ => reference.title.clone(),
                },
                listed: line(reference.rows.start),
                line: found.and_then(|(_, candidate)| line(candidate.row)),
            };
            let indent = Some(reference.indent);
            parts.push((place, order + 1, IndentedEntry { entry, indent }));
        }
    }
    for (at, candidate) in candidates.iter().enumerate() {
        if !headings[at] || taken[at] {
            continue;
        }
        let entry = OutlineEntry {
            level: 0,
            kind: candidate.kind,
            number: candidate.number,
            title: candidate.title.clone(),
            listed: None,
            line: line(candidate.row),
        };
        parts.push((
            candidate.row,
            0,
            IndentedEntry {
                entry,
                indent: None,
            },
        ));
    }
    parts.sort_by_key(|(place, order, _)| (*place, *order));
    parts.into_iter().map(|(_, _, part)| part).collect()
}
