//! What is counted, and by which structure: the choices that make two counts comparable.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{CountedEnds, Structure};

/// How lines were counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CountMeasure {
    /// Every line that holds the key.
    Occurrences,
    /// Every book that holds the key, once.
    Books,
}

/// How a corpus is counted.
///
/// The paper counts every occurrence in heads and tails together; its conclusion (Kaser & Lemire, section 5) names the
/// two variants.
///
/// ```
/// use endpaper_detect::frequency::Counting;
/// let counting = Counting { separate_ends: true, ..Counting::default() };
/// assert_eq!(counting.to_string(), "crc64, every occurrence, heads and tails apart");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Counting {
    /// The structure that counts.
    pub structure: Structure,
    /// Heads and tails are counted apart. A line in both windows of a short book counts at both ends.
    pub separate_ends: bool,
    /// A line counts once for each book that holds it, however often it is there. With separate ends: once for each
    /// head and once for each tail.
    pub count_books: bool,
    /// Of near copies ([`crate::copies`]) only one book is counted. Counts made with and without it mean the same, of
    /// other books.
    pub one_copy: bool,
}

impl Counting {
    /// The sets of counts there are.
    pub fn ends(self) -> &'static [CountedEnds] {
        if self.separate_ends {
            &[CountedEnds::Head, CountedEnds::Tail]
        } else {
            &[CountedEnds::Both]
        }
    }

    /// How lines are counted.
    pub fn measure(self) -> CountMeasure {
        if self.count_books {
            CountMeasure::Books
        } else {
            CountMeasure::Occurrences
        }
    }

    /// Whether counts made in these two ways mean the same, whichever structures made them.
    pub fn agrees_with(self, other: Counting) -> bool {
        self.ends() == other.ends() && self.measure() == other.measure()
    }

    /// What a count means, without the structure.
    pub fn meaning(self) -> String {
        format!("{}, {}", self.measure(), self.ends_in_words())
    }

    /// Whether heads and tails are counted apart, in words.
    pub fn ends_in_words(self) -> &'static str {
        if self.separate_ends {
            "heads and tails apart"
        } else {
            "heads and tails together"
        }
    }
}

impl fmt::Display for CountMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            CountMeasure::Occurrences => "every occurrence",
            CountMeasure::Books => "once for each book",
        })
    }
}

impl fmt::Display for Counting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.structure, self.meaning())
    }
}
