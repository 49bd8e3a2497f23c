//! How many lines of one body stand in another: what confirms that two books with near fingerprints are one text.

use std::ops::RangeInclusive;

use crate::corpus::Text;
use crate::line::Normaliser;

/// Bodies of fewer different telling lines, such as verse, are compared by all their lines.
pub const LEAST_LINES: usize = 20;

/// The different lines of a body, by their exact keys ([`crate::line`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Lines that are not trivial, ascending.
    telling: Vec<u64>,
    /// Trivial lines that are not blank, ascending.
    trivial: Vec<u64>,
}

impl Lines {
    /// The lines of a part of a book.
    pub fn of(text: &Text, lines: RangeInclusive<u32>) -> Lines {
        let mut normaliser = Normaliser::default();
        let mut found = Lines::default();
        for line in (*lines.start()).max(1)..=(*lines.end()).min(text.lines()) {
            let raw = text.countable(line);
            let normal = normaliser.line(&raw);
            match (normal.trivial, normal.is_blank()) {
                (false, _) => found.telling.push(normal.key().0),
                (true, false) => found.trivial.push(normal.key().0),
                (true, true) => {}
            }
        }
        for keys in [&mut found.telling, &mut found.trivial] {
            keys.sort_unstable();
            keys.dedup();
            keys.shrink_to_fit();
        }
        found
    }

    /// Memory it holds, in bytes.
    pub fn memory(&self) -> usize {
        8 * (self.telling.len() + self.trivial.len())
    }

    /// The share of the different lines of the shorter body that the other has, 0 to 1; 0 where there are none. Lines
    /// that are not trivial count, unless the shorter body has fewer than [`LEAST_LINES`] of them: then all lines do.
    pub fn overlap(&self, other: &Lines) -> f64 {
        let fewer = self.telling.len().min(other.telling.len());
        let (mut common, mut all) = (in_both(&self.telling, &other.telling), fewer);
        if fewer < LEAST_LINES {
            let lines = |lines: &Lines| lines.telling.len() + lines.trivial.len();
            common += in_both(&self.trivial, &other.trivial);
            all = lines(self).min(lines(other));
        }
        if all == 0 {
            0.0
        } else {
            common as f64 / all as f64
        }
    }
}

/// How many keys stand in both of two ascending lists.
fn in_both(a: &[u64], b: &[u64]) -> usize {
    let mut others = b.iter().peekable();
    let both = |key: &&u64| {
        while others.next_if(|other| other < key).is_some() {}
        others.peek() == Some(key)
    };
    a.iter().filter(both).count()
}
