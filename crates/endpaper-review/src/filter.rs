//! Filters of the queue by review status and kind.

use super::entry::{QueueEntry, ReviewStatus};

/// Selects the books of the queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueFilter {
    /// All books.
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
    /// Not a single complete book: another kind of file, undecidable, several books, fragments.
    Unusual,
    /// With near copies in the corpus.
    Copies,
    /// Cut far elsewhere by the alternation detector.
    OpinionsDiffer,
    /// Books or records that cannot be read.
    Unreadable,
}

impl QueueFilter {
    /// Whether a book passes the filter.
    pub fn passes(self, entry: &QueueEntry) -> bool {
        use endpaper_truth::{RecordKind, Verdict};
        match self {
            QueueFilter::All => true,
            QueueFilter::Undecided => {
                matches!(entry.status, ReviewStatus::Undecided | ReviewStatus::Draft)
            }
            QueueFilter::Draft => entry.status == ReviewStatus::Draft,
            QueueFilter::Decided => entry.status.is_decided(),
            QueueFilter::Confirmed => entry.status == ReviewStatus::Decided(Verdict::Confirmed),
            QueueFilter::Corrected => entry.status == ReviewStatus::Decided(Verdict::Corrected),
            QueueFilter::Hard => entry.hard,
            QueueFilter::Unusual => {
                let odd = matches!(
                    entry.status,
                    ReviewStatus::Decided(Verdict::NotABook | Verdict::Undecidable)
                );
                odd || entry.kind != RecordKind::Book
            }
            QueueFilter::Copies => entry.copies.cluster != 0,
            QueueFilter::OpinionsDiffer => entry.is_contested,
            QueueFilter::Unreadable => matches!(
                entry.status,
                ReviewStatus::Unreadable | ReviewStatus::Broken
            ),
        }
    }
}
