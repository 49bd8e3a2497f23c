//! Locating a hit in its book: the few lines where most of the query's words occur together.

use std::ops::Range;

use tantivy::postings::Postings;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, SegmentReader, TERMINATED, Term};

use super::BookPart;
use super::plan::HighlightTerm;
use super::schema::IndexFields;
use super::stored::StoredBook;

/// Size of the window in words: about three lines.
const TOGETHER: u32 = 30;

/// Factor for matches in a table of contents: a reader prefers the text itself.
const LISTED: f32 = 0.5;

/// A position in a part of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PartPosition {
    pub part: BookPart,
    /// Number of the word, from 0.
    pub position: u32,
}

/// The best position of a hit, in the body if anything matches there. `None` if no line that was searched has the words.
pub(super) fn locate(
    segment: &SegmentReader,
    document: DocId,
    fields: &IndexFields,
    stored: &StoredBook,
    query: &[HighlightTerm],
) -> tantivy::Result<Option<PartPosition>> {
    for part in BookPart::TEXT {
        let mut found = Vec::new();
        for (which, query) in query.iter().enumerate() {
            let terms = query.in_language(stored.language);
            let Some(terms) =
                terms.filter(|_| query.parts.contains(part) || body_includes(&query.parts, *part))
            else {
                continue;
            };
            let terms = terms
                .iter()
                .map(|term| Term::from_field_text(fields.part(*part), term));
            let positions = positions_of(segment, document, &terms.collect::<Vec<_>>())?;
            found.extend(positions.into_iter().map(|position| (position, which)));
        }
        found.sort_unstable();
        let weights: Vec<f32> = query.iter().map(|query| query.weight).collect();
        if let Some(position) = densest_window(&found, &weights, &stored.contents_positions(*part))
        {
            let part = *part;
            return Ok(Some(PartPosition { part, position }));
        }
    }
    Ok(None)
}

/// Whether a part of the text also holds the headings or tables of contents that are searched.
fn body_includes(parts: &[BookPart], part: BookPart) -> bool {
    parts.contains(&BookPart::Chapter) && part == BookPart::Body
        || parts.contains(&BookPart::Contents) && part != BookPart::References
}

/// The positions in a document where the terms follow each other: those of the first term.
fn positions_of(
    segment: &SegmentReader,
    document: DocId,
    terms: &[Term],
) -> tantivy::Result<Vec<u32>> {
    let mut starts: Option<Vec<u32>> = None;
    let mut next = Vec::new();
    for (offset, term) in (0u32..).zip(terms) {
        let index = segment.inverted_index(term.field())?;
        let postings = index.read_postings(term, IndexRecordOption::WithFreqsAndPositions)?;
        let Some(mut postings) = postings else {
            return Ok(Vec::new());
        };
        if postings.doc() == TERMINATED
            || postings.doc() > document
            || postings.seek(document) != document
        {
            return Ok(Vec::new());
        }
        postings.positions(&mut next);
        starts = Some(match starts {
            None => next.clone(),
            Some(mut starts) => {
                let follows = |start: &u32| {
                    let at = start.saturating_add(offset);
                    next.binary_search(&at).is_ok()
                };
                starts.retain(follows);
                starts
            }
        });
    }
    Ok(starts.unwrap_or_default())
}

/// The position of the heaviest term in the window with the most weight; the first of equals. `found` holds, in order,
/// positions and the index of the term's weight. Windows that begin in a table of contents (`listed`) count half.
fn densest_window(found: &[(u32, usize)], weights: &[f32], listed: &[Range<u32>]) -> Option<u32> {
    let mut counts = vec![0u32; weights.len()];
    let mut best: Option<(f32, u32)> = None;
    let mut last = 0;
    for (first, (start, _)) in found.iter().enumerate() {
        while let Some((position, which)) = found.get(last) {
            if position - start >= TOGETHER {
                break;
            }
            counts[*which] += 1;
            last += 1;
        }
        // Repeated terms count less than different terms.
        let score = |(count, weight): (&u32, &f32)| match count {
            0 => 0.0,
            count => weight.max(0.01) * (1.0 + 0.3 * (*count as f32).ln()),
        };
        let mut total: f32 = counts.iter().zip(weights).map(score).sum();
        if listed.iter().any(|listed| listed.contains(start)) {
            total *= LISTED;
        }
        if best.is_none_or(|(most, _)| total > most * 1.001) {
            let heaviest = found[first..last].iter();
            // The position is that of the heaviest term.
            let heaviest = heaviest.fold(None, |best: Option<(f32, u32)>, (position, which)| {
                let weight = weights[*which];
                match best {
                    Some((most, _)) if most >= weight => best,
                    _ => Some((weight, *position)),
                }
            });
            best = heaviest.map(|(_, position)| (total, position));
        }
        counts[found[first].1] -= 1;
    }
    best.map(|(_, position)| position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_where_most_stands_together() {
        /// Positions with indices of weights, the weights, and the expected position.
        type Case<'a> = (&'a [(u32, usize)], &'a [f32], Option<u32>);
        let listed = 2000..2009;
        let table: &[Case<'_>] = &[
            // A table of contents, and the text.
            (&[(2000, 0), (2001, 0), (5000, 0)], &[1.0], Some(5000)),
            (&[(2000, 0), (2001, 1), (5000, 0)], &[1.0, 4.0], Some(2001)),
            (&[], &[1.0], None),
            (&[(7, 0)], &[1.0], Some(7)),
            // Both words near each other.
            (
                &[(7, 0), (100, 0), (110, 1), (300, 1)],
                &[1.0, 1.0],
                Some(100),
            ),
            // One word often.
            (&[(7, 0), (100, 0), (110, 0), (300, 0)], &[1.0], Some(100)),
            // The rarer word, if they are never together.
            (&[(7, 0), (100, 1)], &[1.0, 3.0], Some(100)),
            // The first of equals.
            (&[(7, 0), (100, 0)], &[1.0], Some(7)),
            // The position is that of the rarer word.
            (&[(7, 0), (9, 1)], &[1.0, 3.0], Some(9)),
            // The end of the window is outside it.
            (&[(0, 0), (30, 1), (90, 1)], &[1.0, 3.0], Some(30)),
        ];
        for (found, weights, expected) in table {
            assert_eq!(
                densest_window(found, weights, std::slice::from_ref(&listed)),
                *expected,
                "{found:?}"
            );
        }
    }
}
