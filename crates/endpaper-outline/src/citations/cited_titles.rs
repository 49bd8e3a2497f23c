//! Counts of cited works.

use std::collections::{BTreeMap, HashMap};

use super::disjoint_sets::DisjointSets;
use super::tally::{CitationTally, CitedItem};
use super::venues::may_be_same_venue;
use crate::bibliography::BibliographyItem;
use crate::fold::fold;

/// Longest title compared with others letter by letter, in bytes.
pub(super) const MAX_TITLE_BYTES: usize = 400;
/// Most titles that one is compared with in each of its blocks. A larger block is a series.
const COMPARED: usize = 200;
/// `(letters, least)`: titles of at least `least` letters are compared if their first or last `letters` letters are equal.
pub(super) const BLOCKS: [(usize, usize); 2] = [(9, 20), (16, 38)];

/// A title and its spellings that differ only in case, accents and punctuation.
#[derive(Clone, Debug)]
struct CitedTitle {
    title: String,
    folded: String,
    author: Option<String>,
    venue: Option<String>,
    years: BTreeMap<u32, u32>,
    tally: CitationTally,
}

/// The cited works of a corpus with their counts, in order of first citation.
#[derive(Clone, Debug, Default)]
pub(super) struct CitedTitles {
    all: Vec<CitedTitle>,
    by_title: HashMap<String, usize>,
}

impl CitedTitles {
    /// Adds a reference of a book; books are added in order.
    pub fn add(&mut self, book: u32, item: &BibliographyItem) {
        let Some(title) = &item.title else {
            return;
        };
        let folded = fold(title);
        if !folded.contains(char::is_alphabetic) {
            return;
        }
        let at = *self.by_title.entry(folded).or_insert_with_key(|folded| {
            self.all.push(CitedTitle {
                title: title.clone(),
                folded: folded.clone(),
                author: None,
                venue: None,
                years: BTreeMap::new(),
                tally: CitationTally::default(),
            });
            self.all.len() - 1
        });
        let work = &mut self.all[at];
        work.tally.add(book);
        if let Some(year) = item.year {
            *work.years.entry(year).or_default() += 1;
        }
        if work.author.is_none() {
            work.author.clone_from(&item.author);
        }
        if work.venue.is_none() {
            work.venue.clone_from(&item.venue);
        }
    }

    /// Returns each work once.
    pub fn count(&self) -> Vec<CitedItem> {
        let mut sets = self.merge_similar();
        sets.all()
            .into_iter()
            .map(|set| {
                let of = || set.iter().map(|&at| &self.all[at]);
                let tally = CitationTally::sum(of().map(|work| &work.tally));
                let mut years: BTreeMap<u32, u32> = BTreeMap::new();
                for (year, count) in of().flat_map(|work| &work.years) {
                    *years.entry(*year).or_default() += count;
                }
                let year = years
                    .into_iter()
                    .max_by_key(|(year, count)| (*count, std::cmp::Reverse(*year)));
                // The longest spelling has lost the fewest letters.
                let title = of().max_by_key(|work| (work.folded.len(), work.tally.citations));
                let author = of()
                    .filter(|work| work.author.is_some())
                    .max_by_key(|work| work.tally.citations);
                CitedItem {
                    cited_by: tally.cited_by(),
                    citations: tally.citations,
                    name: title.map_or_else(String::new, |work| work.title.clone()),
                    author: author.and_then(|work| work.author.clone()),
                    year: year.map(|(year, _)| year),
                    spellings: u32::try_from(set.len()).unwrap_or(u32::MAX),
                }
            })
            .collect()
    }

    /// Merges titles that are nearly equal and whose authors and venues agree.
    ///
    /// Only titles that share a beginning or an end are compared: errors are few and seldom at both.
    fn merge_similar(&self) -> DisjointSets {
        let mut sets = DisjointSets::new(self.all.len());
        let bare: Vec<Vec<char>> = self
            .all
            .iter()
            .map(|work| work.folded.chars().filter(|c| *c != ' ').collect())
            .collect();
        let fits = |at: &usize| {
            bare[*at].len() >= BLOCKS[0].1 && self.all[*at].folded.len() <= MAX_TITLE_BYTES
        };
        for (letters, least) in BLOCKS {
            for from_end in [false, true] {
                let mut blocks: HashMap<&[char], Vec<usize>> = HashMap::new();
                for at in (0..bare.len())
                    .filter(fits)
                    .filter(|&at| bare[at].len() >= least)
                {
                    let chars = &bare[at];
                    let key = if from_end {
                        &chars[chars.len() - letters..]
                    } else {
                        &chars[..letters]
                    };
                    blocks.entry(key).or_default().push(at);
                }
                for mut block in blocks.into_values().filter(|block| block.len() > 1) {
                    block.sort_by_key(|&at| (bare[at].len(), at));
                    for (place, &a) in block.iter().enumerate() {
                        for &b in block[place + 1..].iter().take(COMPARED) {
                            // The difference in length is a lower bound of the edit distance.
                            if (bare[b].len() - bare[a].len()) * 20 >= bare[b].len() + 10 {
                                break;
                            }
                            if sets.root(a) != sets.root(b) && self.are_one(a, b) {
                                sets.join(a, b);
                            }
                        }
                    }
                }
            }
        }
        sets
    }

    /// Whether two cited works are one: title, author and venue agree or may agree.
    fn are_one(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.all[a], &self.all[b]);
        is_similar_title(&a.folded, &b.folded)
            && same_authors(a.author.as_deref(), b.author.as_deref())
            && may_be_same_venue(a.venue.as_deref(), b.venue.as_deref())
    }
}

/// Whether the edit distance of two folded titles is below 5 % of the longer one. Their numbers must be equal: `Volume 1` and
/// `Volume 2` are two works.
pub(super) fn is_similar_title(a: &str, b: &str) -> bool {
    let longer = a.chars().count().max(b.chars().count());
    digits(a) == digits(b) && !volumes_differ(a, b) && strsim::levenshtein(a, b) * 20 < longer
}

/// The digits of a title.
pub(super) fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Whether the Roman numerals or single letters of two titles differ, which also number volumes.
fn volumes_differ(a: &str, b: &str) -> bool {
    let numbers = |text: &str| -> Vec<String> {
        let number = |word: &&str| {
            word.len() == 1 && *word != "a" && *word != "o" && *word != "e"
                || word.bytes().all(|byte| matches!(byte, b'i' | b'v' | b'x'))
        };
        text.split(' ').filter(number).map(str::to_owned).collect()
    };
    let (a, b) = (numbers(a), numbers(b));
    !a.is_empty() && !b.is_empty() && a != b
}

/// Whether two authors may be the same: they share a name, or one of them is unknown.
fn same_authors(a: Option<&str>, b: Option<&str>) -> bool {
    let (Some(a), Some(b)) = (a, b) else {
        return true;
    };
    let (a, b) = (fold(a), fold(b));
    let names = |text: &str| -> Vec<String> {
        let long = |word: &&str| {
            word.chars().count() > 2
                && !matches!(*word, "and" | "von" | "van" | "der" | "eds" | "und")
        };
        text.split(' ').filter(long).map(str::to_owned).collect()
    };
    let (mine, other) = (names(&a), names(&b));
    // Names may contain misread letters, as titles do.
    let alike = |x: &String| {
        other
            .iter()
            .any(|y| x == y || x.len() > 5 && strsim::levenshtein(x, y) <= 1)
    };
    a == b || mine.iter().any(alike)
}
