//! The frequencies that a detector uses: those of heads and those of tails.

use std::sync::Arc;

use super::document_frequency::DocumentFrequencies;
use super::{CountedEnds, Counts};
use endpaper_text::line::Key;

/// Counts for heads and for tails, which are the same unless they were counted separately.
///
/// ```
/// use endpaper_detect::frequency::{Certainty, Counts, Frequencies};
/// use endpaper_text::line::Key;
/// let counts = |n| Counts::from_pairs([(Key(7), n)], Certainty::Exact);
/// let together = Frequencies::from(counts(12));
/// assert!(!together.are_separate());
/// assert_eq!(together.tail().frequency(Key(7)), 12);
/// let apart = Frequencies::separate(counts(12), counts(3));
/// assert_eq!(apart.tail().frequency(Key(7)), 3);
/// assert_eq!(apart.max_frequency(Key(7)), 12);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frequencies {
    head: Arc<Counts>,
    /// `None`: the counts of heads apply to tails too.
    tail: Option<Arc<Counts>>,
    /// In how many books forms of lines occur, and by how many producers and authors.
    document_frequencies: Arc<DocumentFrequencies>,
}

impl From<Counts> for Frequencies {
    fn from(counts: Counts) -> Frequencies {
        Frequencies {
            head: Arc::new(counts),
            tail: None,
            document_frequencies: Arc::default(),
        }
    }
}

/// From one set of counts for both ends, or from one of heads and one of tails.
impl FromIterator<Counts> for Frequencies {
    fn from_iter<I: IntoIterator<Item = Counts>>(sets: I) -> Frequencies {
        let mut sets = sets.into_iter().map(Arc::new);
        Frequencies {
            head: sets.next().unwrap_or_default(),
            tail: sets.next(),
            document_frequencies: Arc::default(),
        }
    }
}

impl Frequencies {
    /// From heads and tails that were counted apart.
    pub fn separate(head: Counts, tail: Counts) -> Frequencies {
        Frequencies {
            head: Arc::new(head),
            tail: Some(Arc::new(tail)),
            document_frequencies: Arc::default(),
        }
    }

    /// Whether heads and tails were counted apart.
    pub fn are_separate(&self) -> bool {
        self.tail.is_some()
    }

    /// The counts for lines of heads.
    pub fn head(&self) -> &Counts {
        &self.head
    }

    /// The counts for lines of tails.
    pub fn tail(&self) -> &Counts {
        self.tail.as_ref().unwrap_or(&self.head)
    }

    /// The document frequencies of forms of lines; empty unless they were gathered.
    pub fn document_frequencies(&self) -> &DocumentFrequencies {
        &self.document_frequencies
    }

    /// The same frequencies with these document frequencies.
    pub fn with_document_frequencies(self, spreads: DocumentFrequencies) -> Frequencies {
        Frequencies {
            document_frequencies: Arc::new(spreads),
            ..self
        }
    }

    /// The larger of both frequencies, for lines that are in neither window.
    pub fn max_frequency(&self, key: Key) -> u64 {
        let head = self.head.frequency(key);
        let tail = self.tail.as_ref();
        tail.map_or(head, |tail| head.max(tail.frequency(key)))
    }

    /// The one or two sets of counts with the ends that they count.
    pub fn sets(&self) -> impl Iterator<Item = (CountedEnds, &Counts)> {
        let first = if self.are_separate() {
            CountedEnds::Head
        } else {
            CountedEnds::Both
        };
        let tail = self.tail.iter().map(|tail| (CountedEnds::Tail, &**tail));
        std::iter::once((first, &*self.head)).chain(tail)
    }

    /// The same frequencies with every set of counts replaced by `each` of it.
    pub fn map(&self, each: impl Fn(&Counts) -> Counts) -> Frequencies {
        Frequencies {
            head: Arc::new(each(&self.head)),
            tail: self.tail.as_ref().map(|tail| Arc::new(each(tail))),
            document_frequencies: Arc::clone(&self.document_frequencies),
        }
    }

    /// Like [`Frequencies::map`], but `each` can fail.
    ///
    /// # Errors
    ///
    /// The first error of `each`.
    pub fn try_map<E>(
        &self,
        each: impl Fn(&Counts) -> Result<Counts, E>,
    ) -> Result<Frequencies, E> {
        let tail = self.tail.as_ref().map(|tail| each(tail).map(Arc::new));
        Ok(Frequencies {
            head: Arc::new(each(&self.head)?),
            tail: tail.transpose()?,
            document_frequencies: Arc::clone(&self.document_frequencies),
        })
    }

    /// Lines that occur fewer times than this were left out (0 and 1: none was).
    pub fn pruned_below(&self) -> u64 {
        self.sets()
            .map(|(_, counts)| counts.pruned_below())
            .max()
            .unwrap_or(0)
    }
}
