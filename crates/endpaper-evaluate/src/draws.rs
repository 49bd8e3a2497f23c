//! How the labelled books were drawn, and what their figures therefore say about the corpus.

use std::collections::BTreeMap;

use crate::{CONFIDENCE, Interval, Proportion};
use endpaper_text::wording::{plural, thousands};
use endpaper_truth::{Record, Review, SECOND_LOOK};

/// Fewer random books than this are no basis for a weighted estimate.
const MIN_RANDOM_BOOKS: u64 = 10;

/// How each labelled book was drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelDraws {
    /// Number of labelled books by how they were drawn; `unknown` for labels of a table.
    pub counts: BTreeMap<String, usize>,
    /// For each labelled book whether it was drawn at random from the corpus.
    pub random: Vec<bool>,
    /// Number of books in the corpus.
    pub corpus: usize,
}

/// A share of the corpus, estimated from books that were drawn in different ways.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedShare {
    /// The estimate, 0..1.
    pub share: f64,
    /// Its interval at [`CONFIDENCE`].
    pub interval: Interval,
}

impl LabelDraws {
    /// The draws of these records, of a corpus of `corpus` books.
    pub fn of<'a>(records: impl IntoIterator<Item = &'a Record>, corpus: usize) -> LabelDraws {
        let mut draws = LabelDraws {
            corpus,
            ..LabelDraws::default()
        };
        for record in records {
            let word = draw_of(record);
            draws.random.push(matches!(word, "random" | "sample"));
            *draws.counts.entry(word.to_owned()).or_default() += 1;
        }
        draws
    }

    /// Whether the plain figures estimate the corpus; `None` if that is unknown.
    pub fn estimates_corpus(&self) -> Option<bool> {
        let random = self.random.iter().filter(|random| **random).count();
        let unknown = self.counts.get("unknown").copied().unwrap_or(0);
        match self.random.len() - random {
            0 => Some(true),
            others if others == unknown => None,
            _ => Some(false),
        }
    }

    /// Estimates a share of the corpus from the labelled books (by their place) and whether each is a hit. Random books
    /// represent all books that were not drawn otherwise; each of the others, which were chosen, represents itself. `None`
    /// if the plain share is the estimate, or if too few books are random.
    pub fn weighted(&self, books: impl Iterator<Item = (usize, bool)>) -> Option<WeightedShare> {
        let (mut random, mut chosen) = (Proportion::default(), Proportion::default());
        for (place, hit) in books {
            match self.random.get(place).copied().unwrap_or(false) {
                true => random.add(hit),
                false => chosen.add(hit),
            }
        }
        if chosen.total == 0 || random.total < MIN_RANDOM_BOOKS {
            return None;
        }
        let corpus = (self.corpus as u64).max(chosen.total + random.total) as f64;
        let represented = corpus - chosen.total as f64;
        let of = |share: f64| (chosen.hits as f64 + represented * share) / corpus;
        let Interval { low, high } = random.wilson(CONFIDENCE)?;
        Some(WeightedShare {
            share: of(random.share()?),
            interval: Interval {
                low: of(low),
                high: of(high),
            },
        })
    }

    /// How the books were drawn and what follows, in two sentences.
    pub fn in_words(&self) -> String {
        let mut counts: Vec<(&String, &usize)> = self.counts.iter().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let counts: Vec<String> = counts
            .into_iter()
            .map(|(word, count)| format!("{} {word}", thousands(*count as u64)))
            .collect();
        let corpus = self.corpus as u64;
        let corpus = format!(
            "the corpus of {} {}",
            thousands(corpus),
            plural(self.corpus, "book")
        );
        let meaning = match self.estimates_corpus() {
            Some(true) => format!("The figures estimate {corpus}"),
            Some(false) => format!(
                "The figures are no estimate of {corpus}: chosen books are easier or harder than others"
            ),
            None => format!(
                "The figures estimate {corpus} only if the imported books were drawn at random"
            ),
        };
        format!("Labels by draw: {}. {meaning}.", counts.join(", "))
    }
}

/// How the book of a record was drawn. The first opinion counts: later ones are about a book that was labelled already.
fn draw_of(record: &Record) -> &str {
    let first = |review: &&Review| {
        review.verdict.is_decided() && review.drawn != SECOND_LOOK && !review.is_adjudication()
    };
    let first = record.reviews.iter().find(first);
    // What follows names a sample, a book, or the order of a filtered queue.
    match first.map_or("", |review| review.drawn.split(':').next().unwrap_or("")) {
        "" | "import" => "unknown",
        word => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_truth::{RecordKind, SourceFacts, Verdict};

    fn record(drawn: &[&str]) -> Record {
        let review = |drawn: &&str| Review {
            drawn: (*drawn).to_owned(),
            verdict: Verdict::Confirmed,
            ..Review::default()
        };
        Record {
            kind: RecordKind::Book,
            verdict: Verdict::Confirmed,
            reviews: drawn.iter().map(review).collect(),
            ..Record::new("a.txt", SourceFacts::default())
        }
    }

    fn draws(of: &[&[&str]], corpus: usize) -> LabelDraws {
        let records: Vec<Record> = of.iter().map(|drawn| record(drawn)).collect();
        LabelDraws::of(&records, corpus)
    }

    #[test]
    fn first_opinion_says_how_a_book_was_drawn() {
        for (drawn, word, random) in [
            (&["sample:12ab"][..], "sample", true),
            (&["random"], "random", true),
            (&["filtered:random"], "filtered", false),
            (&["doubt", "sample:12ab"], "doubt", false),
            (&["again", "propagated:b.txt"], "propagated", false),
            (&["import"], "unknown", false),
            (&[], "unknown", false),
        ] {
            let draws = draws(&[drawn], 5);
            assert_eq!(draws.counts.keys().next().unwrap(), word);
            assert_eq!(draws.random, [random], "{word}");
        }
    }

    #[test]
    fn words_say_whether_the_figures_estimate_the_corpus() {
        for (of, words) in [
            (
                &[&["random"][..], &["sample:1"]][..],
                "The figures estimate the corpus of 9 books.",
            ),
            (
                &[&["random"], &["doubt"]],
                "The figures are no estimate of the corpus of 9 books:",
            ),
            (
                &[&["random"], &["import"]],
                "only if the imported books were drawn at random.",
            ),
        ] {
            let said = draws(of, 9).in_words();
            assert!(said.contains(words), "{said}");
        }
    }

    /// Ten doubtful books of 110 are all wrong; of the other 100, ten were drawn at random, and nine of them are right.
    #[test]
    fn random_books_represent_all_that_were_not_chosen() {
        let of: Vec<&[&str]> = (0..20)
            .map(|at| if at < 10 { &["doubt"][..] } else { &["random"] })
            .collect();
        let draws = draws(&of, 110);
        let found = draws.weighted((0..20).map(|at| (at, at > 10))).unwrap();
        assert!((found.share - 90.0 / 110.0).abs() < 1e-12, "{found:?}");
        // Wilson of 9 in 10 is 0.5958 to 0.9821.
        assert!(
            (found.interval.low - 59.58 / 110.0).abs() < 1e-4,
            "{found:?}"
        );
        assert!(
            (found.interval.high - 98.21 / 110.0).abs() < 1e-4,
            "{found:?}"
        );
        assert_eq!(draws.weighted((0..19).map(|at| (at, true))), None);
        assert_eq!(draws.weighted((10..20).map(|at| (at, true))), None);
    }
}
