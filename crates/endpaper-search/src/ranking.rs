//! How books are ranked.

use endpaper_text::named_enum;

/// How the books that match a query are ranked. In both rankings, the score of a book is the sum of its scores in the
/// [parts](crate::BookPart) that are searched, each times the [weight](crate::BookPart::boost) of the part, as in Wu et al.,
/// *Searching Online Book Documents*, section 3.3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ranking {
    /// Okapi BM25 (Robertson et al., *Okapi at TREC-3*, 1994) with k1 = 1.2 and b = 0.75, and a bonus where words that are
    /// adjacent in the query are adjacent in the book.
    #[default]
    Bm25,
    /// TF-IDF, as in section 3.3 of the paper and in Lucene, which it uses: the root of the frequency of a word, times its squared
    /// inverse document frequency, over the root of the length of the part. The paper's factor for how many of the words a part has
    /// is left out, as in newer versions of Lucene.
    TfIdf,
}

named_enum!(Ranking, "ranking", {
    Bm25 => "bm25",
    TfIdf => "tfidf",
});
