//! Sets of lexical cues.

use serde::{Deserialize, Serialize};

use super::table::LexicalCue;

/// The cues of a line, or of several lines combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CueSet(pub u64);

impl CueSet {
    /// The set of `cues`.
    pub const fn all_of(cues: &[LexicalCue]) -> CueSet {
        let (mut all, mut at) = (0, 0);
        while at < cues.len() {
            all |= 1_u64 << (cues[at] as u8);
            at += 1;
        }
        CueSet(all)
    }

    /// Number of cues in both sets.
    pub fn shared(self, others: CueSet) -> usize {
        (self.0 & others.0).count_ones() as usize
    }

    /// Whether the cue is in the set.
    pub fn has(self, sign: LexicalCue) -> bool {
        self.0 >> (sign as u8) & 1 == 1
    }

    /// Adds a cue.
    pub fn set(&mut self, sign: LexicalCue) {
        self.0 |= 1 << (sign as u8);
    }

    /// The cues in the set, in order.
    pub fn each(self) -> impl Iterator<Item = LexicalCue> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let sign = LexicalCue::ALL.get(left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(*sign)
        })
    }
}

impl std::ops::BitOrAssign for CueSet {
    fn bitor_assign(&mut self, other: CueSet) {
        self.0 |= other.0;
    }
}
