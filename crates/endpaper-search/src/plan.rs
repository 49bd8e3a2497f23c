//! Translating a query into a Tantivy query, and into the terms to locate in its hits.

use std::ops::Bound;

use tantivy::query::{
    BooleanQuery, BoostQuery, EmptyQuery, Occur, PhraseQuery, RangeQuery, TermQuery,
};
use tantivy::schema::IndexRecordOption;
use tantivy::{Searcher, Term};

use super::query::{Occurs, Query, QueryNode};
use super::rescored::Rescored;
use super::schema::IndexFields;
use super::statistics::IndexStatistics;
use super::words::TermCache;
use super::{BookPart, Language, Ranking};

type BoxedQuery = Box<dyn tantivy::query::Query>;

/// Boost for words that are adjacent both in the query and in the book. With a smaller one, a long book that has `steam`
/// and `engine` in different places ranks above a short one about steam engines.
const ADJACENT_BOOST: f32 = 3.0;

/// A query prepared for the current state of an index.
pub(super) struct QueryPlan<'a> {
    pub query: BoxedQuery,
    /// The terms to locate in a hit.
    pub highlights: Vec<HighlightTerm>,
    pub statistics: IndexStatistics<'a>,
}

/// A word or phrase to locate in the lines of a hit.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HighlightTerm {
    pub parts: Vec<BookPart>,
    /// Its terms in every language.
    pub terms: Vec<(Language, Vec<String>)>,
    /// Its weight, which is higher for rarer terms.
    pub weight: f32,
}

impl HighlightTerm {
    /// Its terms for books in a language.
    pub fn in_language(&self, language: Language) -> Option<&[String]> {
        let mut all = self.terms.iter();
        all.find(|(of, _)| *of == language)
            .map(|(_, terms)| terms.as_slice())
    }
}

impl<'a> QueryPlan<'a> {
    /// Translates a query for the languages and fields of an index.
    pub fn of(
        query: &Query,
        searcher: &'a Searcher,
        fields: &IndexFields,
    ) -> tantivy::Result<QueryPlan<'a>> {
        let mut planner = Planner {
            fields,
            parts: &query.parts,
            ranking: query.ranking,
            terms: languages(searcher, fields)?,
            statistics: IndexStatistics::of(searcher, query.ranking),
            highlights: Vec::new(),
        };
        let query = planner.node(&query.root, true, false)?;
        Ok(QueryPlan {
            query,
            highlights: planner.highlights,
            statistics: planner.statistics,
        })
    }
}

/// The languages of the books in the index, and [`Language::Plain`], in which names are indexed.
fn languages(
    searcher: &Searcher,
    fields: &IndexFields,
) -> tantivy::Result<Vec<(Language, TermCache)>> {
    let mut languages = Vec::new();
    for language in Language::ALL {
        let term = Term::from_field_text(fields.language, language.name());
        if *language == Language::Plain || searcher.doc_freq(&term)? > 0 {
            languages.push((*language, TermCache::of(*language)));
        }
    }
    Ok(languages)
}

/// Translates a query node by node and collects the terms to mark in hits.
struct Planner<'a, 'q> {
    fields: &'q IndexFields,
    parts: &'q [BookPart],
    ranking: Ranking,
    terms: Vec<(Language, TermCache)>,
    statistics: IndexStatistics<'a>,
    highlights: Vec<HighlightTerm>,
}

impl Planner<'_, '_> {
    /// `shown`: whether the node can match in a hit, and thus be located. `among`: whether it is one of several terms.
    fn node(&mut self, node: &QueryNode, shown: bool, among: bool) -> tantivy::Result<BoxedQuery> {
        match node {
            QueryNode::Words { part, words } => {
                // One of several words in a title means little: `Selected Writings` is not about natural selection. All
                // of them side by side mean a lot.
                let alike = among && self.ranking == Ranking::Bm25;
                let boost = |part: BookPart| if alike { 1.0 } else { part.boost() };
                self.words(*part, words, shown, 1.0, boost)
            }
            QueryNode::Language(language) => {
                let term = Term::from_field_text(self.fields.language, language.name());
                let query = TermQuery::new(term, IndexRecordOption::Basic);
                // It selects books without affecting their scores.
                Ok(boosted(Box::new(query), 0.0))
            }
            QueryNode::Years { field, first, last } => {
                let year = |year: u32| {
                    let field = self.fields.year(*field);
                    Bound::Included(Term::from_field_u64(field, year.into()))
                };
                let query = RangeQuery::new(year(*first), year(*last));
                Ok(boosted(Box::new(query), 0.0))
            }
            QueryNode::Group(all) => self.group(all, shown),
        }
    }

    /// Translates a group of nodes. `shown`: its terms are marked in hits.
    fn group(&mut self, all: &[(Occurs, QueryNode)], shown: bool) -> tantivy::Result<BoxedQuery> {
        let mut clauses = Vec::with_capacity(all.len());
        let words = all.iter().filter(|(occurs, node)| {
            *occurs != Occurs::Never && matches!(node, QueryNode::Words { .. })
        });
        let among = words.count() > 1;
        for (occurs, node) in all {
            let shown = shown && *occurs != Occurs::Never;
            let clause = self.node(node, shown, among)?;
            let clause: (Occur, BoxedQuery) = match occurs {
                Occurs::Must => (Occur::Must, clause),
                Occurs::May => (Occur::Should, clause),
                Occurs::Never => (Occur::MustNot, Box::new(Rescored::excluded(clause))),
            };
            clauses.push(clause);
        }
        // If no clause is required, at least one of the optional clauses must match. Adjacent words are a bonus.
        let may = clauses.iter().all(|(occur, _)| *occur != Occur::Must);
        if may {
            let (never, may): (Vec<_>, Vec<_>) = clauses
                .into_iter()
                .partition(|(occur, _)| *occur == Occur::MustNot);
            clauses = never;
            clauses.push((Occur::Must, Box::new(BooleanQuery::new(may))));
        }
        if self.ranking == Ranking::TfIdf {
            return Ok(Box::new(BooleanQuery::new(clauses)));
        }
        for (part, words) in adjacent_words(all) {
            let bonus = self.words(part, &words, shown, ADJACENT_BOOST, BookPart::boost)?;
            clauses.push((Occur::Should, bonus));
        }
        Ok(Box::new(BooleanQuery::new(clauses)))
    }

    /// The query for a word or phrase in one part, or in all parts that are searched.
    fn words(
        &mut self,
        part: Option<BookPart>,
        words: &[String],
        shown: bool,
        weight: f32,
        boost: impl Fn(BookPart) -> f32,
    ) -> tantivy::Result<BoxedQuery> {
        let parts = part.map_or_else(|| self.parts.to_vec(), |part| vec![part]);
        let all = self.terms_of(words);
        let common = self.body_frequencies(&all)?;
        let mut clauses: Vec<(Occur, BoxedQuery)> = Vec::new();
        let mut frequency = 0;
        for part in &parts {
            for (query, books) in self.part_queries(*part, &all, &common)? {
                clauses.push((Occur::Should, boosted(query, weight * boost(*part))));
                if BookPart::TEXT.contains(part) {
                    frequency += books;
                }
            }
        }
        if shown {
            self.highlights.push(HighlightTerm {
                weight: weight * self.statistics.inverse_document_frequency(frequency),
                terms: all,
                parts,
            });
        }
        Ok(match clauses.len() {
            0 => Box::new(EmptyQuery),
            _ => Box::new(BooleanQuery::new(clauses)),
        })
    }

    /// The terms of the words in each language of the index.
    fn terms_of(&mut self, words: &[String]) -> Vec<(Language, Vec<String>)> {
        let mut term = String::new();
        let mut all = Vec::new();
        for (language, terms) in &mut self.terms {
            let terms = words.iter().map(|word| {
                terms.write_term(word, &mut term);
                term.clone()
            });
            all.push((*language, terms.collect()));
        }
        all
    }

    /// In how many bodies each of the words occurs.
    fn body_frequencies(&self, all: &[(Language, Vec<String>)]) -> tantivy::Result<Vec<u64>> {
        let body = self.fields.part(BookPart::Body);
        let places = all.first().map_or(0, |(_, terms)| terms.len());
        let books = (0..places).map(|place| {
            let terms = all.iter().filter_map(|(_, terms)| terms.get(place));
            let terms: Vec<Term> = terms
                .map(|term| Term::from_field_text(body, term))
                .collect();
            self.statistics.book_frequency(&terms)
        });
        books.collect()
    }

    /// The queries of one part, one for each language that has all the words, each with an upper bound of the books it matches.
    fn part_queries(
        &mut self,
        part: BookPart,
        all: &[(Language, Vec<String>)],
        common: &[u64],
    ) -> tantivy::Result<Vec<(BoxedQuery, u64)>> {
        let field = self.fields.part(part);
        let plain = matches!(part, BookPart::Id | BookPart::Authors | BookPart::Isbn);
        let all = all
            .iter()
            .filter(|(language, _)| !plain || *language == Language::Plain);
        let all: Vec<Vec<Term>> = all
            .map(|(_, terms)| {
                terms
                    .iter()
                    .map(|term| Term::from_field_text(field, term))
                    .collect()
            })
            .collect();
        let places = all.first().map_or(0, Vec::len);
        let mut there = Vec::new();
        for place in 0..places {
            let terms = all.iter().filter_map(|terms| terms.get(place).cloned());
            let common = common.get(place).copied().unwrap_or(0);
            there.push(self.statistics.merge_terms(terms.collect(), common)?);
        }
        let mut queries = Vec::new();
        for terms in all {
            let known = terms
                .iter()
                .zip(&there)
                .all(|(term, there)| there.contains(term));
            if !known {
                continue;
            }
            let frequencies = terms
                .iter()
                .map(|term| self.statistics.joint_frequency(term));
            let books = frequencies.clone().min().unwrap_or(0);
            let idf = frequencies
                .map(|frequency| self.statistics.inverse_document_frequency(frequency))
                .sum();
            let query: BoxedQuery = match <[Term; 1]>::try_from(terms) {
                Ok([term]) => Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)),
                Err(terms) => Box::new(PhraseQuery::new(terms)),
            };
            queries.push((self.ranked(query, idf), books));
        }
        Ok(queries)
    }

    /// The query of a word or phrase, with the scores of the ranking. `idf` is its inverse document frequency.
    fn ranked(&self, query: BoxedQuery, idf: f32) -> BoxedQuery {
        match self.ranking {
            Ranking::Bm25 => query,
            Ranking::TfIdf => {
                let factor = idf.powi(3) * self.statistics.tf_idf_factor();
                Box::new(Rescored {
                    query: boosted(query, factor),
                    rescore: f32::sqrt,
                })
            }
        }
    }
}

/// The query with its score multiplied by `boost`.
fn boosted(query: BoxedQuery, boost: f32) -> BoxedQuery {
    if boost == 1.0 {
        return query;
    }
    Box::new(BoostQuery::new(query, boost))
}

/// Runs of adjacent words in a query that are not already a phrase.
fn adjacent_words(all: &[(Occurs, QueryNode)]) -> Vec<(Option<BookPart>, Vec<String>)> {
    let mut runs: Vec<(Option<BookPart>, Vec<String>)> = Vec::new();
    let mut open = None;
    for (occurs, node) in all {
        match node {
            QueryNode::Words { part, words } if *occurs != Occurs::Never => {
                match runs.last_mut().filter(|_| open == Some(*part)) {
                    Some((_, run)) => run.extend(words.iter().cloned()),
                    None => runs.push((*part, words.clone())),
                }
                open = Some(*part);
            }
            _ => open = None,
        }
    }
    // A run of one term would only repeat that term.
    let pieces = all.iter().filter_map(|(_, node)| match node {
        QueryNode::Words { words, .. } => Some(words),
        _ => None,
    });
    let pieces: Vec<&Vec<String>> = pieces.collect();
    runs.retain(|(_, run)| !pieces.contains(&run));
    runs
}
