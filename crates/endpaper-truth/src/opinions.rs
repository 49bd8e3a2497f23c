//! Opinions of several versions of one record, which may be about other bytes of the book.
//!
//! An opinion without a source is about the bytes of its record. It is reported so, or not any longer, whenever it comes into a
//! record about others: lines of one text never count for another, and what two versions hold is one opinion.

use super::{Record, Review, ReviewedSource, SourceFacts};

impl Record {
    /// The record is about other bytes of the same book from now on. Earlier opinions keep saying which bytes their
    /// lines are lines of.
    pub fn set_source(&mut self, source: SourceFacts) {
        if !self.is_decided_on(&source.sha256) {
            self.reviews = self.opinions_for_source(&source);
        }
        self.source = source;
    }

    /// Takes the opinions of another version in, each once. The current outcome stays.
    pub fn add_opinions(&mut self, other: &Record) {
        let mut known = self.opinions_for_source(&self.source);
        for review in other.opinions_for_source(&self.source) {
            if !known.contains(&review) {
                known.push(review.clone());
                self.reviews.push(review);
            }
        }
    }

    /// Puts the outcome of another version as the current one, with the bytes it is about; the opinions stay.
    pub fn adopt_outcome(&mut self, other: &Record) {
        self.set_source(other.source.clone());
        *self = Record {
            reviews: std::mem::take(&mut self.reviews),
            unknown: std::mem::take(&mut self.unknown),
            ..other.clone()
        };
    }

    /// Whether every opinion of another version is among those of this one.
    pub fn has_opinions_of(&self, other: &Record) -> bool {
        let kept = self.opinions_for_source(&self.source);
        let others = other.opinions_for_source(&self.source);
        others.iter().all(|review| kept.contains(review))
    }

    /// Whether the opinions of this version are those of another one and later ones.
    pub(super) fn extends_opinions_of(&self, other: &Record) -> bool {
        let kept = self.opinions_for_source(&self.source);
        kept.starts_with(&other.opinions_for_source(&self.source))
    }

    /// The opinions as a record about `source` holds them.
    fn opinions_for_source(&self, source: &SourceFacts) -> Vec<Review> {
        let placed = |review: &Review| {
            let about = review.source.as_ref();
            let (sha256, lines) = about.map_or((&self.source.sha256, self.source.lines), |about| {
                (&about.sha256, about.lines)
            });
            let is_own = sha256.eq_ignore_ascii_case(&source.sha256);
            let about = ReviewedSource {
                sha256: sha256.to_ascii_lowercase(),
                lines,
            };
            Review {
                source: (!is_own).then_some(about),
                ..review.clone()
            }
        };
        self.reviews.iter().map(placed).collect()
    }
}
