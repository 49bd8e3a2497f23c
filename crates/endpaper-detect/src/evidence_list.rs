//! The evidence of one book, packed: there are about sixteen pieces a book, and a review of a large library holds those of every
//! book.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Evidence;

/// Pieces of evidence in order, in about ten bytes each.
///
/// ```
/// use endpaper_detect::{End, Evidence, EvidenceList, Fact};
/// let piece = Evidence { end: End::Start, lines: (1, 3), fact: Fact::Credits, weight: None };
/// let list = EvidenceList::from_iter([piece.clone()]);
/// assert_eq!(list.iter().collect::<Vec<_>>(), [piece]);
/// ```
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceList {
    /// One piece after another.
    packed: Box<[u8]>,
}

impl EvidenceList {
    /// The pieces, in order.
    pub fn iter(&self) -> impl Iterator<Item = Evidence> {
        let mut rest = &*self.packed;
        std::iter::from_fn(move || {
            let (piece, after) = postcard::take_from_bytes(rest).ok()?;
            rest = after;
            Some(piece)
        })
    }

    /// Puts pieces before the others.
    pub fn put_first(&mut self, pieces: impl IntoIterator<Item = Evidence>) {
        *self = pieces.into_iter().chain(self.iter()).collect();
    }
}

impl FromIterator<Evidence> for EvidenceList {
    fn from_iter<I: IntoIterator<Item = Evidence>>(pieces: I) -> EvidenceList {
        let mut packed = Vec::with_capacity(256);
        for piece in pieces {
            let whole = packed.len();
            // Encoding into memory does not fail; half of a piece would hide those after it.
            if postcard::to_io(&piece, &mut packed).is_err() {
                packed.truncate(whole);
            }
        }
        EvidenceList {
            packed: packed.into(),
        }
    }
}

impl Extend<Evidence> for EvidenceList {
    fn extend<I: IntoIterator<Item = Evidence>>(&mut self, pieces: I) {
        *self = self.iter().chain(pieces).collect();
    }
}

impl fmt::Debug for EvidenceList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockKind, End, Fact};
    use endpaper_text::scan::MarkerSet;

    #[test]
    fn every_piece_comes_back_in_its_place() {
        let facts = [
            Fact::Marker(MarkerSet::START),
            Fact::Kind(BlockKind::Credits, 0.25),
            Fact::Weighted {
                weight: 700,
                at: Some(u32::MAX),
            },
            Fact::EndMarkers {
                markers: 2,
                apart: 400,
                after: 0,
            },
            Fact::Credits,
            Fact::Note,
            Fact::Frequent { lines: 300, gap: 0 },
            Fact::Text("said in words".to_owned()),
        ];
        let pieces: Vec<Evidence> = (facts.into_iter())
            .map(|fact| Evidence {
                end: End::End,
                lines: (1, 70_000),
                fact,
                weight: Some(-1.5),
            })
            .collect();
        let mut list = EvidenceList::from_iter(pieces[2..4].iter().cloned());
        list.put_first(pieces[..2].iter().cloned());
        list.extend(pieces[4..].iter().cloned());
        assert_eq!(list.iter().collect::<Vec<_>>(), pieces);
        assert_eq!(EvidenceList::default().iter().count(), 0);
    }
}
