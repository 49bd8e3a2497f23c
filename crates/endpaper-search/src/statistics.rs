//! How frequent a word is, for its weight.
//!
//! A word is asked for by the stem it has in each language of the corpus. All of them are one word: were each as rare as
//! it is, an English word that one French book has would bring that book to the top. In titles and headings a word is as
//! frequent as in the text: `selected` is a common word, however few titles have it.

use std::collections::HashMap;

use tantivy::query::Bm25StatisticsProvider;
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

/// Statistics of an index, with the frequencies of some terms brought together.
pub(super) struct IndexStatistics<'a> {
    searcher: &'a Searcher,
    documents: u64,
    joint_frequencies: HashMap<Term, u64>,
}

impl<'a> IndexStatistics<'a> {
    pub fn of(searcher: &'a Searcher) -> IndexStatistics<'a> {
        let segments = searcher.segment_readers().iter();
        IndexStatistics {
            searcher,
            documents: segments.map(|segment| u64::from(segment.max_doc())).sum(),
            joint_frequencies: HashMap::new(),
        }
    }

    /// In how many books one of the terms of a word is.
    pub fn book_frequency(&self, terms: &[Term]) -> tantivy::Result<u64> {
        let mut sum = 0u64;
        for term in terms {
            sum = sum.saturating_add(self.searcher.doc_freq(term)?);
        }
        Ok(sum.min(self.documents))
    }

    /// Takes the terms of one word in one field, and gives those that there are. The word is at least as frequent as
    /// `at_least`.
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

    /// In how many books a joined term is.
    pub fn joint_frequency(&self, term: &Term) -> u64 {
        self.joint_frequencies.get(term).copied().unwrap_or(0)
    }

    /// The weight of a term among others: its inverse document frequency.
    pub fn inverse_document_frequency(&self, frequency: u64) -> f32 {
        let (all, with) = (self.documents as f32, frequency.min(self.documents) as f32);
        (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
    }
}

impl Bm25StatisticsProvider for IndexStatistics<'_> {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        Bm25StatisticsProvider::total_num_tokens(self.searcher, field)
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
