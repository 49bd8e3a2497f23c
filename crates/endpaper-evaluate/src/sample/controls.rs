//! Control cases: books whose cuts are known, shown among the drawn ones.
//!
//! Who looks is not perfect, and a bound that takes every look at its word is too low. Control books come up blind like all
//! others and nothing tells them apart, so that what is missed in them is what is missed in all.

use super::{BookSample, DrawnBook};
use endpaper_text::checksum::sha256;
use endpaper_truth::{Record, SECOND_LOOK};

/// Whether a record says where its book begins and ends, by a review of its present text that is not a second look.
pub fn is_control_candidate(record: &Record) -> bool {
    let mut reviews = record.reviews.iter();
    record.verdict.has_cuts()
        && reviews.any(|review| {
            review.source.is_none() && review.verdict.has_cuts() && review.drawn != SECOND_LOOK
        })
}

/// Indices into `known` of the first `count` books in the order of the SHA-256 of `seed:planted:id`; all of them if
/// there are fewer.
pub fn choose_controls(known: &[&str], seed: u64, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..known.len()).collect();
    order.sort_by_cached_key(|&at| key(seed, known[at]));
    order.truncate(count);
    order
}

/// The key that control books are sorted by: random, but the same for one seed.
fn key(seed: u64, id: &str) -> String {
    sha256(format!("{seed}:planted:{id}").as_bytes())
}

impl BookSample {
    /// All books in the order they are shown: the drawn ones in the order drawn, cut into one stretch of equal length per
    /// control, and each control at a position in its stretch that follows from the seed.
    pub fn sitting(&self) -> Vec<&DrawnBook> {
        let (drawn, planted) = (self.books.len(), self.controls.len());
        let mut all = Vec::with_capacity(drawn + planted);
        let mut rest = self.books.iter();
        for (at, book) in self.controls.iter().enumerate() {
            let [from, to] = [at, at + 1].map(|at| at * drawn / planted);
            let digits = key(self.seed, &book.id);
            let chance = usize::from_str_radix(&digits[..8], 16).unwrap_or(0);
            let before = from + chance % (to - from).max(1);
            all.extend(rest.by_ref().take((before + at).saturating_sub(all.len())));
            all.push(book);
        }
        all.extend(rest);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::SamplePlan;
    use endpaper_detect::Cuts;
    use endpaper_truth::{Review, SourceFacts, Verdict};
    use proptest::prelude::*;

    fn drawn(id: String) -> DrawnBook {
        DrawnBook {
            id,
            bytes: 1,
            crc: "00".to_owned(),
        }
    }

    fn sample(seed: u64, books: usize, planted: usize) -> BookSample {
        BookSample {
            schema: BookSample::schema(),
            corpus: String::new(),
            population: 1000,
            works: false,
            seed,
            plan: SamplePlan::Size {
                limit: 0.1,
                confidence: 0.95,
            },
            by: String::new(),
            strata: Vec::new(),
            tolerated: [0, 0],
            books: (0..books).map(|at| drawn(format!("d{at}"))).collect(),
            controls: (0..planted).map(|at| drawn(format!("p{at}"))).collect(),
        }
    }

    proptest! {
        #[test]
        fn every_book_comes_up_once_and_the_drawn_ones_in_their_order(
            seed in any::<u64>(), books in 1usize..60, planted in 0usize..20,
        ) {
            let sample = sample(seed, books, planted);
            let ids: Vec<&str> = sample.sitting().iter().map(|book| book.id.as_str()).collect();
            prop_assert_eq!(ids.len(), books + planted);
            for (first, count) in [("d", books), ("p", planted)] {
                let found: Vec<&str> = ids.iter().copied().filter(|id| id.starts_with(first)).collect();
                let expected: Vec<String> = (0..count).map(|at| format!("{first}{at}")).collect();
                prop_assert_eq!(found, expected);
            }
            // No control book is after all others for want of a place: the stretches are equal.
            for (at, id) in ids.iter().enumerate().filter(|(_, id)| id.starts_with('p')) {
                let number: usize = id[1..].parse().unwrap();
                let before = at - number;
                prop_assert!(before >= number * books / planted, "{id} after {before}");
                prop_assert!(before <= (number + 1) * books / planted, "{id} after {before}");
            }
        }
    }

    #[test]
    fn the_same_seed_plants_the_same_books() {
        let known = ["a", "b", "c", "d", "e", "f"];
        let planted = choose_controls(&known, 7, 3);
        assert_eq!(planted.len(), 3);
        assert_eq!(choose_controls(&known, 7, 9)[..3], planted);
        assert!((8..20).any(|seed| choose_controls(&known, seed, 3) != planted));
    }

    #[test]
    fn only_a_verdict_on_this_text_makes_a_book_known() {
        let text = endpaper_text::corpus::BookText::new(b"a\n".to_vec());
        let review = |drawn: &str, verdict| Review {
            drawn: drawn.to_owned(),
            verdict,
            cuts: Cuts::default(),
            ..Review::default()
        };
        use Verdict::{Confirmed, Corrected, NotABook};
        for (reviews, known) in [
            (vec![], false),
            (vec![review("doubt", Confirmed)], true),
            (vec![review("sample:1", Corrected)], true),
            (vec![review(SECOND_LOOK, Confirmed)], false),
            (
                vec![review("doubt", Confirmed), review("doubt", NotABook)],
                false,
            ),
        ] {
            let mut record = Record::new("a", SourceFacts::of(&text));
            for review in reviews {
                record.add_review(review);
            }
            assert_eq!(is_control_candidate(&record), known, "{:?}", record.reviews);
        }
    }
}
