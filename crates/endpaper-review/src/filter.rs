//! Which books the queue shows.

use super::entry::{Entry, Standing};

/// Which books the queue shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
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

impl Filter {
    /// Whether a book passes.
    pub fn passes(self, entry: &Entry) -> bool {
        use endpaper_truth::{Kind, Verdict};
        match self {
            Filter::All => true,
            Filter::Undecided => matches!(entry.standing, Standing::Undecided | Standing::Draft),
            Filter::Draft => entry.standing == Standing::Draft,
            Filter::Decided => entry.standing.is_decided(),
            Filter::Confirmed => entry.standing == Standing::Decided(Verdict::Confirmed),
            Filter::Corrected => entry.standing == Standing::Decided(Verdict::Corrected),
            Filter::Hard => entry.hard,
            Filter::Odd => {
                let odd = matches!(
                    entry.standing,
                    Standing::Decided(Verdict::NotABook | Verdict::Undecidable)
                );
                odd || entry.kind != Kind::Book
            }
            Filter::Copies => entry.copies.cluster != 0,
            Filter::Contested => entry.contested,
            Filter::Unreadable => matches!(entry.standing, Standing::Unreadable | Standing::Broken),
        }
    }
}
