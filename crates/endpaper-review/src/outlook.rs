//! What is left to decide: how many books are doubtful, and how many wrong proposals doubt predicts.

use super::session::Session;
use endpaper_text::wording::{counted, thousands};

/// Doubt from which a book is worth a look.
pub const DOUBTFUL: f32 = 0.2;

/// Decided books, and what doubt says about the others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outlook {
    /// Number of books with a verdict.
    pub decided: usize,
    /// Number of undecided books.
    pub undecided: usize,
    /// Number of undecided books with a doubt of [`DOUBTFUL`] or more.
    pub doubtful: usize,
    /// Number of wrong proposals to expect among the undecided books: the sum of their doubts.
    pub expected_wrong: f32,
}

/// The outlook of a sitting; `None` before any doubt is known, and while doubt must not be shown.
pub fn outlook(session: &Session) -> Option<Outlook> {
    if session.modes.blind || session.modes.sampling.is_some() || session.options.re_review {
        return None;
    }
    let mut out = Outlook::default();
    let mut is_known = false;
    for entry in &session.entries {
        if entry.status.is_decided() {
            out.decided += 1;
        } else if let Some(doubt) = entry.doubt.filter(|_| entry.unreadable.is_none()) {
            is_known = true;
            out.undecided += 1;
            out.doubtful += usize::from(doubt >= DOUBTFUL);
            out.expected_wrong += doubt;
        }
    }
    (is_known || out.decided > 0).then_some(out)
}

/// What is left of the corpus, or how far the sample is, in a sentence for the end of a sitting.
pub fn left(session: &Session) -> Option<String> {
    if let Some(sampling) = &session.modes.sampling {
        return Some(sampling.summary());
    }
    let outlook = outlook(session)?;
    let all = outlook.decided + outlook.undecided;
    Some(format!(
        "of {} {}",
        counted(all as u64, "book", "books"),
        outlook.words()
    ))
}

impl Outlook {
    /// `decided 54, about 12 doubtful left`.
    pub fn words(&self) -> String {
        let left = match self.doubtful {
            0 => "none doubtful left".to_owned(),
            count => format!("about {} doubtful left", thousands(count)),
        };
        format!("decided {}, {left}", thousands(self.decided))
    }

    /// What to do once no doubtful book is left.
    pub fn when_to_stop(&self) -> String {
        let wrong = (self.expected_wrong.round() as usize).max(1);
        format!(
            "decided {}; no undecided book has a doubt of {DOUBTFUL} or more: stop here. Of the {} others about {} {} cut wrong; `endpaper sample draw` checks",
            thousands(self.decided),
            thousands(self.undecided),
            thousands(wrong),
            if wrong == 1 { "is" } else { "are" },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{QueueEntry, ReviewStatus};
    use crate::keymap::Keymap;
    use crate::{Queue, SessionOptions};
    use endpaper_truth::Verdict;

    #[test]
    fn doubtful_books_are_the_undecided_ones() {
        let entry = |status, doubt| QueueEntry {
            status,
            doubt,
            ..QueueEntry::default()
        };
        let decided = ReviewStatus::Decided(Verdict::Confirmed);
        let mut session = Session::new(
            SessionOptions::default(),
            Queue::default(),
            Keymap::defaults(),
        );
        assert_eq!(outlook(&session), None);
        session.entries = vec![
            entry(decided, Some(0.9)),
            entry(ReviewStatus::Undecided, Some(0.7)),
            entry(ReviewStatus::Draft, Some(0.25)),
            entry(ReviewStatus::Undecided, Some(0.05)),
            entry(ReviewStatus::Undecided, None),
        ];
        let found = outlook(&session).unwrap();
        assert_eq!((found.decided, found.undecided, found.doubtful), (1, 3, 2));
        assert_eq!(found.words(), "decided 1, about 2 doubtful left");
        session.modes.blind = true;
        assert_eq!(outlook(&session), None);
        session.modes.blind = false;
        session.entries.truncate(1);
        session
            .entries
            .push(entry(ReviewStatus::Undecided, Some(0.05)));
        let words = outlook(&session).unwrap();
        assert_eq!(words.words(), "decided 1, none doubtful left");
        assert!(
            words
                .when_to_stop()
                .contains("Of the 1 others about 1 is cut wrong")
        );
    }
}
