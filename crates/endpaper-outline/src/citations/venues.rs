//! Counts of cited journals, series and proceedings, with the aliases of their names (Wu et al., Table 2).
//!
//! `Transactions`, `Journal` and `Proceedings` are abbreviated; `of`, `on`, `in` and `the` are left out; a name may be an
//! acronym, with its opening (`IEEE Trans. PAMI`) or without (`PAMI`). The paper adds aliases by hand; here a name is an alias
//! of another if its words abbreviate those of exactly one (`Comm. ACM`).

use std::collections::HashMap;

use super::disjoint_sets::DisjointSets;
use super::tally::{CitationTally, CitedItem};
use crate::fold::fold;

/// Most names that one is compared with.
const COMPARED: usize = 500;

/// A name, normalised as in Table 2.
#[derive(Clone, Debug)]
struct Venue {
    name: String,
    key: VenueKey,
    tally: CitationTally,
}

/// The cited journals, series and proceedings of a corpus with their counts, in order of first citation.
#[derive(Clone, Debug, Default)]
pub(super) struct Venues {
    all: Vec<Venue>,
    by_key: HashMap<VenueKey, usize>,
}

/// The normalised words of a name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct VenueKey {
    /// Words that are kept before an acronym: `ieee trans`, `j`, `proc`.
    opening: Vec<String>,
    /// Words that an acronym abbreviates.
    core: Vec<String>,
}

impl VenueKey {
    /// The normalised name of a venue, as in Table 2.
    fn of(name: &str) -> VenueKey {
        const OPENINGS: &[&str] = &[
            "ieee", "acm", "siam", "ams", "trans", "j", "proc", "annual", "int", "conf", "symp",
            "workshop",
        ];
        let folded = fold(name);
        let mut key = VenueKey::default();
        for word in folded.split(' ').filter_map(word_of) {
            if key.core.is_empty() && OPENINGS.contains(&word.as_str()) {
                key.opening.push(word);
            } else {
                key.core.push(word);
            }
        }
        // `Communications of the ACM` and `The Journal` have no other words.
        if key.core.is_empty() {
            std::mem::swap(&mut key.opening, &mut key.core);
        }
        key
    }

    /// The initials of the words that an acronym abbreviates.
    fn acronym(&self) -> String {
        self.core
            .iter()
            .filter_map(|word| word.chars().next())
            .collect()
    }

    /// Whether each word is a prefix of its counterpart, and the keys differ.
    fn abbreviates(&self, other: &VenueKey) -> bool {
        let words = |key: &VenueKey| -> Vec<String> {
            key.opening.iter().chain(&key.core).cloned().collect()
        };
        let (short, long) = (words(self), words(other));
        self != other
            && short.len() == long.len()
            && short
                .iter()
                .zip(&long)
                .all(|(short, long)| long.starts_with(short.as_str()))
    }
}

/// Normalises a word as in Table 2; `None` for function words, years and ordinals.
fn word_of(word: &str) -> Option<String> {
    const FUNCTION_WORDS: &[&str] = &[
        "of", "on", "in", "the", "and", "for", "de", "des", "la", "le", "les", "der", "die", "und",
        "fur", "di", "del", "et", "at",
    ];
    const ORDINALS: &[&str] = &[
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        "tenth",
    ];
    let counted = word.starts_with(|c: char| c.is_ascii_digit());
    if word.is_empty() || counted || FUNCTION_WORDS.contains(&word) || ORDINALS.contains(&word) {
        return None;
    }
    let short = match word {
        "transactions" | "transaction" => "trans",
        "journal" | "jour" | "jnl" => "j",
        "proceedings" => "proc",
        "international" | "intl" => "int",
        "conference" => "conf",
        "symposium" => "symp",
        other => other,
    };
    Some(short.to_owned())
}

/// Whether two venues may be the same: their names agree, or one of them is unknown.
pub(super) fn may_be_same_venue(a: Option<&str>, b: Option<&str>) -> bool {
    let (Some(a), Some(b)) = (a, b) else {
        return true;
    };
    let (a, b) = (VenueKey::of(a), VenueKey::of(b));
    a == b
        || a.abbreviates(&b)
        || b.abbreviates(&a)
        || is_acronym_of(&a, &b)
        || is_acronym_of(&b, &a)
}

/// Whether a name is the acronym of another, with the same opening or without one.
fn is_acronym_of(short: &VenueKey, long: &VenueKey) -> bool {
    let [acronym] = short.core.as_slice() else {
        return false;
    };
    let opening = short.opening.is_empty() || short.opening == long.opening;
    long.core.len() >= 3 && opening && *acronym == long.acronym()
}

impl Venues {
    /// Adds a venue that a book cites; books are added in order.
    pub fn add(&mut self, book: u32, name: &str) {
        let key = VenueKey::of(name);
        if key.core.is_empty() {
            return;
        }
        let at = *self.by_key.entry(key).or_insert_with_key(|key| {
            self.all.push(Venue {
                name: name.to_owned(),
                key: key.clone(),
                tally: CitationTally::default(),
            });
            self.all.len() - 1
        });
        let venue = &mut self.all[at];
        venue.tally.add(book);
        if name.len() > venue.name.len() {
            name.clone_into(&mut venue.name);
        }
    }

    /// Returns each venue once.
    pub fn count(&self) -> Vec<CitedItem> {
        let mut sets = self.aliases();
        sets.all()
            .into_iter()
            .map(|set| {
                let of = || set.iter().map(|&at| &self.all[at]);
                let tally = CitationTally::sum(of().map(|venue| &venue.tally));
                let name = of().max_by_key(|venue| venue.name.len());
                CitedItem {
                    cited_by: tally.cited_by(),
                    citations: tally.citations,
                    name: name.map_or_else(String::new, |venue| venue.name.clone()),
                    author: None,
                    year: None,
                    spellings: u32::try_from(set.len()).unwrap_or(u32::MAX),
                }
            })
            .collect()
    }

    /// Joins each name with the only other name it abbreviates.
    fn aliases(&self) -> DisjointSets {
        let mut sets = DisjointSets::new(self.all.len());
        let mut by_letters: HashMap<String, Vec<usize>> = HashMap::new();
        let mut by_acronym: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, venue) in self.all.iter().enumerate() {
            let words = venue.key.opening.iter().chain(&venue.key.core);
            let letters = words.filter_map(|word| word.chars().next()).collect();
            by_letters.entry(letters).or_default().push(at);
            if venue.key.core.len() >= 3 {
                by_acronym.entry(venue.key.acronym()).or_default().push(at);
            }
        }
        for block in by_letters.values() {
            for &short in block.iter().take(COMPARED) {
                let longer = |long: &&usize| self.all[short].key.abbreviates(&self.all[**long].key);
                let mut of = block.iter().take(COMPARED).filter(longer);
                if let (Some(&long), None) = (of.next(), of.next()) {
                    sets.join(short, long);
                }
            }
        }
        for (short, venue) in self.all.iter().enumerate() {
            let Some(longer) = venue.key.core.first().and_then(|word| by_acronym.get(word)) else {
                continue;
            };
            let mut of: Vec<usize> = longer
                .iter()
                .take(COMPARED)
                .copied()
                .filter(|&long| is_acronym_of(&venue.key, &self.all[long].key))
                .map(|long| sets.root(long))
                .collect();
            of.sort_unstable();
            of.dedup();
            if let [long] = of.as_slice() {
                sets.join(short, *long);
            }
        }
        sets
    }
}
