//! Queries whose scores are changed, or of which only the matches matter.
//!
//! Tantivy asks the scorer of an excluded query for documents that it has already passed, which the scorers of phrases do
//! not support (they panic in builds with debug assertions). This wrapper makes it safe for every scorer.

use tantivy::query::{EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::{DocId, DocSet, Score, SegmentReader, Term};

/// A query with a function that is applied to its scores, before they are boosted.
#[derive(Debug)]
pub(super) struct Rescored {
    pub query: Box<dyn Query>,
    pub rescore: fn(Score) -> Score,
}

impl Rescored {
    /// A query whose matches are excluded, so that its scores do not matter.
    pub fn excluded(query: Box<dyn Query>) -> Rescored {
        Rescored {
            query,
            rescore: |score| score,
        }
    }
}

impl Clone for Rescored {
    fn clone(&self) -> Rescored {
        Rescored {
            query: self.query.box_clone(),
            rescore: self.rescore,
        }
    }
}

impl Query for Rescored {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(RescoredWeight {
            weight: self.query.weight(scoring)?,
            rescore: self.rescore,
        }))
    }

    fn query_terms<'a>(&'a self, visitor: &mut dyn FnMut(&'a Term, bool)) {
        self.query.query_terms(visitor);
    }
}

/// The wrapper of a query's weight, whose scorers never go back.
struct RescoredWeight {
    weight: Box<dyn Weight>,
    rescore: fn(Score) -> Score,
}

impl Weight for RescoredWeight {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        Ok(Box::new(RescoredScorer {
            scorer: self.weight.scorer(reader, 1.0)?,
            rescore: self.rescore,
            boost,
        }))
    }

    fn explain(&self, reader: &SegmentReader, document: DocId) -> tantivy::Result<Explanation> {
        self.weight.explain(reader, document)
    }
}

/// Forwards only the methods that all scorers support in this use; the others have the default implementations of the traits.
struct RescoredScorer {
    scorer: Box<dyn Scorer>,
    rescore: fn(Score) -> Score,
    boost: Score,
}

impl DocSet for RescoredScorer {
    fn advance(&mut self) -> DocId {
        self.scorer.advance()
    }

    fn seek(&mut self, target: DocId) -> DocId {
        self.scorer.seek(target)
    }

    fn doc(&self) -> DocId {
        self.scorer.doc()
    }

    fn size_hint(&self) -> u32 {
        self.scorer.size_hint()
    }
}

impl Scorer for RescoredScorer {
    fn score(&mut self) -> Score {
        self.boost * (self.rescore)(self.scorer.score())
    }
}
