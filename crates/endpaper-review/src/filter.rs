//! Which books the queue shows.

use super::entry::{QueueEntry, ReviewStatus};

/// Which books the queue shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueFilter {
    /// All.
    #[default]
    All,
    /// Without a verdict (drafts too).
    Undecided,
    /// Drafts.
    Draft,
    /// With a verdict.
    Decided,
    /// Confirmed.
    Confirmed,
    /// Corrected.
    Corrected,
    /// Marked hard.
    Hard,
    /// Not a book, undecidable, several books, fragments.
    Odd,
    /// With near copies in the corpus.
    Copies,
    /// Cut far elsewhere by the alternation detector.
    Contested,
    /// Books or records that cannot be read.
    Unreadable,
}

impl QueueFilter {
    /// Whether a book passes.
    pub fn passes(self, entry: &QueueEntry) -> bool {
        use endpaper_truth::{RecordKind, Verdict};
        match self {
            QueueFilter::All => true,
            QueueFilter::Undecided => matches!(
                entry.standing,
                ReviewStatus::Undecided | ReviewStatus::Draft
            ),
            QueueFilter::Draft => entry.standing == ReviewStatus::Draft,
            QueueFilter::Decided => entry.standing.is_decided(),
            QueueFilter::Confirmed => entry.standing == ReviewStatus::Decided(Verdict::Confirmed),
            QueueFilter::Corrected => entry.standing == ReviewStatus::Decided(Verdict::Corrected),
            QueueFilter::Hard => entry.hard,
            QueueFilter::Odd => {
                let odd = matches!(
                    entry.standing,
                    ReviewStatus::Decided(Verdict::NotABook | Verdict::Undecidable)
                );
                odd || entry.kind != RecordKind::Book
            }
            QueueFilter::Copies => entry.copies.cluster != 0,
            QueueFilter::Contested => entry.contested,
            QueueFilter::Unreadable => matches!(
                entry.standing,
                ReviewStatus::Unreadable | ReviewStatus::Broken
            ),
        }
    }
}
