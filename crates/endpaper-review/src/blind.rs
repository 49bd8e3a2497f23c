//! Blind review: the proposal stays hidden until the curator has placed both cuts and reveals it.
//!
//! The session keeps the hidden proposal (for the record), but draws no rule, digit, evidence or doubt of it. A second look is a
//! blind review of a decided book: it adds a review and leaves the current outcome.

use super::page::BookPage;
use endpaper_detect::{Cuts, End};
use endpaper_truth::{Record, Review, Verdict};

/// Marks the review of a second look: how the book was drawn.
pub use endpaper_truth::SECOND_LOOK;

/// The decision that a second look is compared with: the last one of the same curator, or else the current outcome.
pub fn earlier_decision(record: &Record, curator: &str) -> (Verdict, Cuts) {
    let own = |review: &&Review| review.by == curator && review.verdict.is_decided();
    let last = record.reviews.iter().rev().find(own);
    last.map_or((record.verdict, record.cuts), |review| {
        (review.verdict, review.cuts)
    })
}

/// Distance of two decisions in non-blank lines, the larger one of the two ends; `None` if they differ in what the file is.
pub fn line_distance(
    page: &BookPage,
    (a, a_cuts): (Verdict, Cuts),
    (b, b_cuts): (Verdict, Cuts),
) -> Option<u32> {
    if a.has_cuts() != b.has_cuts() || (!a.has_cuts() && a != b) {
        return None;
    }
    if !a.has_cuts() {
        return Some(0);
    }
    let at = |end: End| {
        let place = |cuts: Cuts| page.cut_position(page.snap_cuts(cuts), end);
        let (a, b) = (place(a_cuts), place(b_cuts));
        page.non_blank_between(a.min(b), a.max(b))
    };
    Some(at(End::Start).max(at(End::End)))
}

/// Describes the agreement of second looks with earlier decisions; `apart` has their [`line_distance`]s.
pub fn agreement(apart: &[Option<u32>]) -> String {
    let within = |lines: u32| {
        let near = |apart: &&Option<u32>| apart.is_some_and(|apart| apart <= lines);
        apart.iter().filter(near).count()
    };
    format!(
        "second looks {}: both cuts as before in {}, within 1 line in {}, 5 in {}, 10 in {}",
        apart.len(),
        within(0),
        within(1),
        within(5),
        within(10)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_detect::Parameters;
    use endpaper_detect::frequency::Frequencies;
    use endpaper_text::corpus::BookText;

    #[test]
    fn decisions_are_compared_by_non_blank_lines_at_the_worse_end() {
        let text = BookText::new(b"one\n\n\ntwo\nthree\n\nfour\nfive\nsix\n".to_vec());
        let page = BookPage::new(text, &Frequencies::default(), &Parameters::default());
        let cuts = |preamble_end, epilogue_start| Cuts {
            preamble_end,
            epilogue_start,
        };
        let (kept, moved) = (Verdict::Confirmed, Verdict::Corrected);
        let table = [
            (kept, cuts(1, Some(9)), kept, cuts(1, Some(9)), Some(0)),
            // Blank lines do not count, and the detected cuts do not matter.
            (kept, cuts(1, Some(9)), moved, cuts(2, Some(9)), Some(0)),
            (kept, cuts(1, Some(9)), moved, cuts(4, Some(9)), Some(1)),
            (moved, cuts(0, Some(9)), moved, cuts(4, Some(9)), Some(2)),
            (moved, cuts(1, Some(7)), moved, cuts(0, None), Some(3)),
            (
                kept,
                cuts(1, None),
                Verdict::Undecidable,
                cuts(1, None),
                None,
            ),
            (
                Verdict::NotABook,
                cuts(0, None),
                Verdict::NotABook,
                cuts(1, None),
                Some(0),
            ),
            (
                Verdict::NotABook,
                cuts(0, None),
                Verdict::Undecidable,
                cuts(0, None),
                None,
            ),
        ];
        for (a, a_cuts, b, b_cuts, expected) in table {
            assert_eq!(
                line_distance(&page, (a, a_cuts), (b, b_cuts)),
                expected,
                "{a_cuts:?} {b_cuts:?}"
            );
            assert_eq!(
                line_distance(&page, (b, b_cuts), (a, a_cuts)),
                expected,
                "{b_cuts:?} {a_cuts:?}"
            );
        }
    }

    #[test]
    fn agreement_counts_lines() {
        let said = agreement(&[Some(0), Some(1), Some(4), Some(10), Some(11), None]);
        assert_eq!(
            said,
            "second looks 6: both cuts as before in 1, within 1 line in 2, 5 in 3, 10 in 4"
        );
    }
}
