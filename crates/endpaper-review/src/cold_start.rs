//! The beginning in a collection that no profile knows: one book of each kind comes first, until enough books are decided.

use super::entry::{QueueEntry, ReviewStatus};
use super::session::Session;
use endpaper_truth::RecordKind;

/// About as many decided books teach a collection.
pub const ENOUGH_DECIDED: usize = 10;

/// Number of verdicts that are looked back on.
const LAST_VERDICTS: usize = 10;

/// Fewest verdicts of which a share is reported.
const MIN_VERDICTS: usize = 3;

/// Number of books decided so far, if their collection is unknown and they are too few to teach it.
pub fn decided_so_far(entries: &[QueueEntry]) -> Option<usize> {
    let is_unknown = entries.iter().any(|entry| entry.exemplar > 0);
    // A record that is not read yet most likely holds a verdict.
    let is_done =
        |entry: &&QueueEntry| entry.status.is_decided() || entry.status == ReviewStatus::Recorded;
    let decided = || entries.iter().filter(is_done).count();
    is_unknown
        .then(decided)
        .filter(|&decided| decided < ENOUGH_DECIDED)
}

/// How many of the last verdicts of the sitting kept the proposed cuts, and of how many; `None` if these are too few.
pub(crate) fn kept_of_last(session: &Session) -> Option<(usize, usize)> {
    let has_cuts = |book: &&usize| {
        let entry = session.entries.get(**book);
        entry.is_some_and(|entry| entry.status.has_cuts() && entry.kind == RecordKind::Book)
    };
    let tally = &session.sitting.tally;
    let last: Vec<usize> = tally
        .recent
        .iter()
        .rev()
        .filter(has_cuts)
        .copied()
        .collect();
    let last = &last[..last.len().min(LAST_VERDICTS)];
    let kept = last.iter().filter(|book| !tally.corrected.contains(*book));
    (last.len() >= MIN_VERDICTS).then(|| (kept.count(), last.len()))
}
