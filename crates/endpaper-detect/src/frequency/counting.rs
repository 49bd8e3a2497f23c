//! What is counted and by which structure: the choices that make two counts comparable.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{CountedEnds, Structure};

/// Whether a count is a number of occurrences or of books.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CountMeasure {
    /// Occurrences of a key.
    Occurrences,
    /// Books that contain the key.
    Books,
}

/// How a corpus is counted.
///
/// The paper counts every occurrence, heads and tails together; its conclusion (Kaser & Lemire, section 5) names the
/// other two variants.
///
/// ```
/// use endpaper_detect::frequency::Counting;
/// let counting = Counting { separate_ends: true, ..Counting::default() };
/// assert_eq!(counting.to_string(), "crc64, every occurrence, heads and tails apart");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Counting {
    /// The counting structure.
    pub structure: Structure,
    /// Whether heads and tails are counted apart. A line in both windows of a short book then counts at both ends.
    pub separate_ends: bool,
    /// Whether a line counts once per book, however often it occurs in it. With separate ends: once per head and once
    /// per tail.
    pub count_books: bool,
    /// Whether only one book of each group of near copies ([`crate::copies`]) is counted. This changes which books are
    /// counted, not what a count means.
    pub one_copy: bool,
}

impl Counting {
    /// The ends with separate counts.
    pub fn ends(self) -> &'static [CountedEnds] {
        if self.separate_ends {
            &[CountedEnds::Head, CountedEnds::Tail]
        } else {
            &[CountedEnds::Both]
        }
    }

    /// What is counted.
    pub fn measure(self) -> CountMeasure {
        if self.count_books {
            CountMeasure::Books
        } else {
            CountMeasure::Occurrences
        }
    }

    /// Whether the counts of both mean the same, whichever structures made them.
    pub fn agrees_with(self, other: Counting) -> bool {
        self.ends() == other.ends() && self.measure() == other.measure()
    }

    /// The meaning of a count in words, without the structure.
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
