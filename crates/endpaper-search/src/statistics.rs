//! Word frequencies, for ranking.
//!
//! A word is searched for by its stem in each language of the corpus, and the frequencies of these terms are added up:
//! with separate frequencies, an English word that occurs in a single French book would be rare there, and rank that book
//! first. In titles and headings a word counts as at least as frequent as in the text: `selected` is a common word,
//! however few titles have it.

use std::collections::HashMap;

use tantivy::query::Bm25StatisticsProvider;
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

use super::Ranking;

/// The parameters k1 and b of BM25 in Tantivy.
const BM25: (f32, f32) = (1.2, 0.75);

/// Statistics of an index, with joint frequencies for the terms of one word.
pub(super) struct IndexStatistics<'a> {
    searcher: &'a Searcher,
    documents: u64,
    ranking: Ranking,
    joint_frequencies: HashMap<Term, u64>,
}

impl<'a> IndexStatistics<'a> {
    /// The statistics of an index, with no frequencies joined yet.
    pub fn of(searcher: &'a Searcher, ranking: Ranking) -> IndexStatistics<'a> {
        let segments = searcher.segment_readers().iter();
        IndexStatistics {
            searcher,
            documents: segments.map(|segment| u64::from(segment.max_doc())).sum(),
            ranking,
            joint_frequencies: HashMap::new(),
        }
    }

    /// In how many books any of the terms of a word occurs, at most.
    pub fn book_frequency(&self, terms: &[Term]) -> tantivy::Result<u64> {
        let mut sum = 0u64;
        for term in terms {
            sum = sum.saturating_add(self.searcher.doc_freq(term)?);
        }
        Ok(sum.min(self.documents))
    }

    /// Joins the frequencies of the terms of one word in one field, and returns the terms that exist. The joint frequency
    /// is at least `at_least`.
    pub fn merge_terms(&mut self, terms: Vec<Term>, at_least: u64) -> tantivy::Result<Vec<Term>> {
        let mut there = Vec::new();
        let mut sum = 0u64;
        for term in terms {
            let frequency = self.searcher.doc_freq(&term)?;
            if frequency > 0 {
                sum = sum.saturating_add(frequency);
                there.push(term);
            }
        }
        for term in &there {
            self.joint_frequencies
                .insert(term.clone(), sum.max(at_least).min(self.documents));
        }
        Ok(there)
    }

    /// The joint frequency of a term, 0 if it was not joined.
    pub fn joint_frequency(&self, term: &Term) -> u64 {
        self.joint_frequencies.get(term).copied().unwrap_or(0)
    }

    /// The inverse document frequency of a term that `frequency` books contain.
    pub fn inverse_document_frequency(&self, frequency: u64) -> f32 {
        let (all, with) = (self.documents as f32, frequency.min(self.documents) as f32);
        (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
    }

    /// The factor that turns a score of BM25, computed with these statistics for [`Ranking::TfIdf`], into the inverse document
    /// frequency times the frequency relative to the length of the field: with an average length that is very small, lengths
    /// outweigh all else in the denominator, but for a share of one by the number of books.
    pub fn tf_idf_factor(&self) -> f32 {
        let (k1, b) = BM25;
        self.documents as f32 * k1 * b / (k1 + 1.0)
    }
}

impl Bm25StatisticsProvider for IndexStatistics<'_> {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        match self.ranking {
            Ranking::Bm25 => Bm25StatisticsProvider::total_num_tokens(self.searcher, field),
            // The smallest average length, see `tf_idf_factor`.
            Ranking::TfIdf => Ok(1),
        }
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        Ok(self.documents)
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        match self.joint_frequencies.get(term) {
            Some(frequency) => Ok(*frequency),
            None => self.searcher.doc_freq(term),
        }
    }
}
