//! Merges the entries of tables of contents with the headings in the body.

use super::candidates::HeadingCandidate;
use super::entry::OutlineEntry;
use super::list::LinkedContents;
use crate::heading::HeadingKind;
use crate::rows::BodyRows;

/// An entry and its indentation in its list.
#[derive(Clone, Debug)]
pub(super) struct IndentedEntry {
    pub entry: OutlineEntry,
    /// Indentation in columns; `None` for a heading that no list names.
    pub indent: Option<u8>,
}

/// Returns the entries in body order; an entry not found in the body follows the entry before it in its list.
pub(super) fn merge(
    rows: &BodyRows<'_>,
    candidates: &[HeadingCandidate],
    tables: &[LinkedContents],
    headings: &[bool],
) -> Vec<IndentedEntry> {
    let line = |row: usize| rows.all().get(row).map(|row| row.line);
    let mut taken = vec![false; candidates.len()];
    // Row in the body, position in the list, entry.
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
