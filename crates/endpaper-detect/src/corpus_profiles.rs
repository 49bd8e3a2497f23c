//! Which profile each book of a corpus is cut by.
//!
//! A book belongs to Project Gutenberg if it has the marker line of its files, or if several of its lines are frequent in the
//! built-in model of real Gutenberg files; never because of one word. Other books are cut by the generic profile, unless nearly all books of their corpus
//! belong to Gutenberg: then those without a known line most likely do too.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::frequency::built_in;
use crate::posterior::Profile;
use endpaper_text::scan::{MarkerSet, Scan};

/// Fewest different known lines of a Gutenberg book.
const MIN_KNOWN_LINES: usize = 3;

/// A line is known if it is more frequent than this in the built-in model (K = 10).
const KNOWN_ABOVE: u64 = 10;

/// Share of Gutenberg books of which fewer lines are known (measured on 1,033 books).
const UNKNOWN_SHARE: f32 = 0.03;

/// The profiles of a corpus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CorpusProfiles {
    /// For books of Project Gutenberg.
    pub gutenberg: Arc<Profile>,
    /// For all other books.
    pub other: Arc<Profile>,
    /// How profiles are assigned to books.
    pub assignment: ProfileAssignment,
    /// For books that taught the profiles, by the CRC-64 of their bytes: profiles learned without their works.
    folds: BTreeMap<u64, Arc<[Arc<Profile>; 2]>>,
}

/// How the two profiles are assigned to the books of a corpus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProfileAssignment {
    /// The books of Gutenberg have its profile, all others the other one.
    #[default]
    ByBook,
    /// All books are of Gutenberg.
    AllGutenberg,
    /// No book is treated as one of Gutenberg.
    AllOther,
}

impl Default for CorpusProfiles {
    /// The shipped profiles, assigned book by book.
    fn default() -> CorpusProfiles {
        CorpusProfiles {
            gutenberg: Profile::gutenberg().clone(),
            other: Profile::generic().clone(),
            assignment: ProfileAssignment::ByBook,
            folds: BTreeMap::new(),
        }
    }
}

impl CorpusProfiles {
    /// The shipped profiles with this assignment.
    pub(crate) fn shipped(assignment: ProfileAssignment) -> CorpusProfiles {
        CorpusProfiles {
            assignment,
            ..CorpusProfiles::default()
        }
    }

    /// One profile for every book.
    pub fn one(profile: Arc<Profile>) -> CorpusProfiles {
        CorpusProfiles {
            gutenberg: profile.clone(),
            other: profile,
            assignment: ProfileAssignment::AllOther,
            folds: BTreeMap::new(),
        }
    }

    /// The shipped profiles for a corpus, given how many of its books are known to be of Gutenberg.
    pub fn for_corpus(known: usize, books: usize) -> CorpusProfiles {
        let known = known as f32 / books.max(1) as f32;
        // As many Gutenberg books as would leave this share known.
        let gutenberg = (known / (1.0 - UNKNOWN_SHARE)).min(1.0);
        let unknown = 1.0 - known;
        let most = gutenberg - known > unknown / 2.0 || unknown <= 0.0;
        CorpusProfiles::shipped(match (most, known > 0.0) {
            (true, _) => ProfileAssignment::AllGutenberg,
            (false, true) => ProfileAssignment::ByBook,
            (false, false) => ProfileAssignment::AllOther,
        })
    }

    /// Whether a book is cut by the profile of Gutenberg.
    pub fn is_gutenberg(&self, scan: &Scan) -> bool {
        match self.assignment {
            ProfileAssignment::ByBook => has_known_lines(scan),
            ProfileAssignment::AllGutenberg => true,
            ProfileAssignment::AllOther => false,
        }
    }

    /// The profile that a book is cut by, and whether it is that of Gutenberg.
    pub fn of(&self, scan: &Scan) -> (&Arc<Profile>, bool) {
        let is_gutenberg = self.is_gutenberg(scan);
        let fold = self.folds.get(&scan.crc);
        let profile = match fold {
            Some(fold) => &fold[usize::from(!is_gutenberg)],
            None => self.side(is_gutenberg),
        };
        (profile, is_gutenberg)
    }

    /// The profile of Gutenberg or the other one.
    pub fn side(&self, is_gutenberg: bool) -> &Arc<Profile> {
        match is_gutenberg {
            true => &self.gutenberg,
            false => &self.other,
        }
    }

    /// Adds the profile that a text, by its CRC-64, is cut by because it taught the others.
    pub fn set_fold(&mut self, crc: u64, is_gutenberg: bool, profile: Arc<Profile>) {
        let mut both = [self.gutenberg.clone(), self.other.clone()];
        both[usize::from(!is_gutenberg)] = profile;
        self.folds.insert(crc, Arc::new(both));
    }

    /// Whether the profile of a text with this CRC-64 was fitted to its label.
    pub fn were_fitted_to(&self, crc: u64) -> bool {
        let knows = |profile: &Arc<Profile>| profile.were_fitted_to(crc);
        match self.folds.get(&crc) {
            Some(fold) => fold.iter().any(knows),
            None => knows(&self.gutenberg) || knows(&self.other),
        }
    }

    /// Number of decided books that the profiles were learned from.
    pub fn decided_books(&self) -> u32 {
        let learned = [&self.gutenberg, &self.other];
        let is_one = Arc::ptr_eq(&self.gutenberg, &self.other);
        let each = learned.iter().take(if is_one { 1 } else { 2 });
        each.map(|profile| profile.decided_books()).sum()
    }

    /// Whether the profiles were learned from decided books.
    pub fn are_learned(&self) -> bool {
        self.gutenberg.is_learned() || self.other.is_learned()
    }

    /// An identifier of the profiles in use: the digest of the only one (16 hex digits), or `gutenberg+other`, both digests
    /// joined by a plus sign, if each book has its own.
    pub fn digest(&self) -> String {
        match self.assignment {
            ProfileAssignment::AllGutenberg => self.gutenberg.digest(),
            ProfileAssignment::AllOther => self.other.digest(),
            ProfileAssignment::ByBook => {
                format!("{}+{}", self.gutenberg.digest(), self.other.digest())
            }
        }
    }
}

/// Whether a book is known to be of Project Gutenberg: by the marker line that its files carry (`*** START OF THE PROJECT
/// GUTENBERG`, the end of the small print), or by several lines that are frequent in them.
pub fn has_known_lines(scan: &Scan) -> bool {
    let markers = MarkerSet::START | MarkerSet::SMALL_PRINT_END;
    let mut rows = scan.head_rows().iter();
    if rows.any(|row| row.marks.has_any(markers)) {
        return true;
    }
    let frequencies = &built_in().frequencies;
    let mut known = BTreeSet::new();
    let counted = scan.rows.iter();
    let mut counted = counted.filter(|row| !row.marks.has(MarkerSet::TRIVIAL));
    counted.any(|row| {
        if frequencies.max_frequency(row.key) > KNOWN_ABOVE {
            known.insert(row.key);
        }
        known.len() >= MIN_KNOWN_LINES
    })
}
