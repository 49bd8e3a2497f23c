//! What a look at a book of a sample says of the release.

use crate::{BookErrors, Proportion};
use endpaper_detect::Cuts;
use endpaper_text::corpus::BookText;
use endpaper_truth::{Record, Review, SECOND_LOOK, Verdict, body_lines};

/// The errors of a book as it would have been released, according to a review in a sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspection {
    /// Non-blank lines of the book that are cut away.
    pub loss: u64,
    /// Non-blank lines of boilerplate that are left.
    pub leak: u64,
    /// No one can say where it begins and ends, so that it counts as bad throughout.
    pub undecidable: bool,
    /// The release had cuts of a curator, and not those of the detector.
    pub reviewed: bool,
    /// The detector has other cuts now than when the book was examined.
    pub detection_changed: bool,
    /// The last opinion given in the sample differs from the first.
    pub opinion_changed: bool,
    /// Nothing was proposed before both cuts were placed, in the review that is judged.
    pub blind: bool,
    /// When, as reviews say it.
    pub at: String,
    /// Who.
    pub by: String,
}

/// The kinds of errors that make a book bad: loss of text, leaked boilerplate, or either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InspectionSide {
    /// Loss or leak.
    Either,
    /// Text of the book is cut away.
    Loss,
    /// Boilerplate is left.
    Leak,
}

impl InspectionSide {
    /// All of them.
    pub const ALL: [InspectionSide; 3] = [
        InspectionSide::Either,
        InspectionSide::Loss,
        InspectionSide::Leak,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            InspectionSide::Either => "wrong",
            InspectionSide::Loss => "loss",
            InspectionSide::Leak => "leak",
        }
    }
}

impl Inspection {
    /// Whether the book is bad on this side: undecidable, or with more lines lost or left than tolerated.
    pub fn is_bad(&self, side: InspectionSide, [loss, leak]: [u64; 2]) -> bool {
        let (loss, leak) = (self.loss > loss, self.leak > leak);
        self.undecidable
            || match side {
                InspectionSide::Either => loss || leak,
                InspectionSide::Loss => loss,
                InspectionSide::Leak => leak,
            }
    }
}

/// The last inspection of a book in a sample; `None` if it was not reviewed. `drawn` is what its review says
/// ([`super::BookSample::review_tag`]); the record must be about this text, and `detected` are the cuts the detector has now.
///
/// Only reviews that came up in this sample count: the last blind one, and one with the proposal in sight only if there is no
/// blind one, as a second look at the proposal must not make a bad book good. What is judged is what would have been released without them: the
/// verdict of the last review before the first look, or else what is detected now. Lines that the record names as defended
/// alternatives are as good as its cuts.
pub fn inspect(
    text: &BookText,
    record: &Record,
    drawn: &str,
    detected: Cuts,
) -> Option<Inspection> {
    let current = |review: &&Review| review.source.is_none() && review.verdict.is_decided();
    let ours = |review: &&Review| review.drawn == drawn && current(review);
    let mut looks = record.reviews.iter().rev().filter(ours);
    let last = looks.clone().next()?;
    let review = looks.find(|review| review.blind).unwrap_or(last);
    let first = record.reviews.iter().position(|review| ours(&review))?;
    let before = record.reviews[..first].iter().rev();
    let before = before
        .filter(current)
        .find(|review| review.drawn != SECOND_LOOK && review.drawn != drawn);
    let (released, cuts) = before.map_or((Verdict::Confirmed, detected), |review| {
        (review.verdict, review.cuts)
    });
    let mut look = Inspection {
        loss: 0,
        leak: 0,
        undecidable: false,
        reviewed: before.is_some(),
        detection_changed: before.is_none()
            && review
                .detected
                .as_ref()
                .is_some_and(|then| then.cuts() != detected),
        opinion_changed: (record.reviews[first].verdict, record.reviews[first].cuts)
            != (last.verdict, last.cuts),
        blind: review.blind,
        at: review.at.clone(),
        by: review.by.clone(),
    };
    match (review.verdict, released.has_cuts()) {
        // What is left out of the release cannot be wrong in it.
        (Verdict::NotABook | Verdict::Undecidable, false) => {}
        (Verdict::NotABook, true) => look.leak = lines_between(text, cuts),
        (Verdict::Undecidable, true) => look.undecidable = true,
        (_, false) => look.loss = lines_between(text, review.cuts),
        (_, true) => {
            let errors = errors(text, record, review.cuts, cuts);
            if !errors.is_defended() {
                (look.loss, look.leak) = (errors.loss.lines, errors.leak.lines);
            }
        }
    }
    Some(look)
}

/// How far the cuts `found` are from the cuts `truth` in the text of a record.
fn errors(text: &BookText, record: &Record, truth: Cuts, found: Cuts) -> BookErrors {
    let truth = Record {
        cuts: truth,
        reviews: Vec::new(),
        ..record.clone()
    };
    BookErrors::of(text, &truth, found, 0.0)
}

/// Non-blank lines of a body.
fn lines_between(text: &BookText, cuts: Cuts) -> u64 {
    body_lines(text, cuts).map_or(0, |(first, last)| {
        let lines = (first..=last).filter(|&line| !text.is_blank(line));
        lines.count() as u64
    })
}

/// How often reviews of books whose cuts were known disagreed with them, for each [`InspectionSide`]: the error rate of a
/// single review. The books are controls, or those of blind second looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReviewerError {
    /// In the order of [`InspectionSide::ALL`].
    pub disagreement_rates: [Proportion; 3],
}

impl ReviewerError {
    /// Counts a look.
    pub fn add(&mut self, differ: [bool; 3]) {
        for (count, differ) in self.disagreement_rates.iter_mut().zip(differ) {
            count.add(differ);
        }
    }

    /// Both together.
    pub fn combined_with(self, other: ReviewerError) -> ReviewerError {
        let mut sum = self;
        for (sum, other) in sum
            .disagreement_rates
            .iter_mut()
            .zip(other.disagreement_rates)
        {
            sum.hits += other.hits;
            sum.total += other.total;
        }
        sum
    }

    /// Adds the bad books that the reviewer probably missed: the disagreement rate times the books found good, rounded up.
    ///
    /// Two reviews that differ cannot both be right, and it is unknown which one is; the whole rate is used, as if the
    /// first review had always been the wrong one.
    pub fn adjust_for_reviewer_error(&self, side: InspectionSide, seen: Proportion) -> Proportion {
        let at = InspectionSide::ALL.iter().position(|&other| other == side);
        let differ = self.disagreement_rates[at.unwrap_or(0)];
        if differ.total == 0 {
            return seen;
        }
        let good = seen.total.saturating_sub(seen.hits);
        let missed = (good as u128 * u128::from(differ.hits)).div_ceil(u128::from(differ.total));
        Proportion {
            hits: seen.hits + missed as u64,
            total: seen.total,
        }
    }
}

/// Adds the blind second looks at a book to the count.
pub fn count_repeated_reviews(
    text: &BookText,
    record: &Record,
    tolerated: [u64; 2],
    count: &mut ReviewerError,
) {
    for (at, again) in record.reviews.iter().enumerate() {
        let counts = again.drawn == SECOND_LOOK && again.blind && again.source.is_none();
        if !counts || !again.verdict.is_decided() {
            continue;
        }
        let earlier = record.reviews[..at].iter().rev();
        let mut earlier = earlier.filter(|review| review.source.is_none());
        let Some(first) =
            earlier.find(|review| review.by == again.by && review.verdict.is_decided())
        else {
            continue;
        };
        let bad = match (first.verdict.has_cuts(), again.verdict.has_cuts()) {
            (true, true) => {
                let errors = errors(text, record, again.cuts, first.cuts);
                let loss = errors.loss.lines > tolerated[0];
                let leak = errors.leak.lines > tolerated[1];
                [loss || leak, loss, leak]
            }
            (false, false) => [first.verdict != again.verdict; 3],
            _ => [true; 3],
        };
        count.add(bad);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_truth::{Alternative, DetectedCuts, SourceFacts};

    const DRAWN: &str = "sample:0011";

    fn cuts(preamble_end: u32, epilogue_start: u32) -> Cuts {
        Cuts {
            preamble_end,
            epilogue_start: Some(epilogue_start),
        }
    }

    fn review(drawn: &str, verdict: Verdict, cuts: Cuts) -> Review {
        Review {
            by: "ms".into(),
            drawn: drawn.into(),
            blind: true,
            verdict,
            cuts,
            ..Review::default()
        }
    }

    fn text() -> BookText {
        BookText::new(b"1\n2\n3\n\n5\n6\n7\n8\n9\n".to_vec())
    }

    fn record(text: &BookText, reviews: &[Review]) -> Record {
        let mut record = Record::new("b", SourceFacts::of(text));
        record.reviews = reviews.to_vec();
        record
    }

    #[test]
    fn a_look_judges_what_would_have_been_released() {
        use Verdict::{Confirmed, Corrected, NotABook, Undecidable};
        let text = text();
        let found = cuts(2, 8);
        let ours = |verdict, cuts| review(DRAWN, verdict, cuts);
        let other = |verdict, cuts| review("doubt", verdict, cuts);
        // (reviews, (loss, leak, undecidable, reviewed))
        let table = [
            (vec![], None),
            (vec![other(Confirmed, found)], None),
            (vec![review("sample:0012", Confirmed, found)], None),
            (vec![ours(Confirmed, found)], Some((0, 0, false, false))),
            (
                vec![ours(Corrected, cuts(3, 9))],
                Some((1, 1, false, false)),
            ),
            // A second thought in the sample counts, and the detector is still what is judged.
            (
                vec![ours(Corrected, cuts(5, 8)), ours(Confirmed, found)],
                Some((0, 0, false, false)),
            ),
            // Decided before: that was to be released, and not what is detected.
            (
                vec![other(Corrected, cuts(3, 8)), ours(Corrected, cuts(3, 8))],
                Some((0, 0, false, true)),
            ),
            // Put right after the look: it was bad anyway.
            (
                vec![ours(Corrected, cuts(3, 8)), other(Corrected, cuts(3, 8))],
                Some((0, 1, false, false)),
            ),
            // A second look is not an outcome.
            (
                vec![
                    review(SECOND_LOOK, Corrected, cuts(3, 8)),
                    ours(Corrected, cuts(3, 8)),
                ],
                Some((0, 1, false, false)),
            ),
            (vec![ours(NotABook, found)], Some((0, 4, false, false))),
            (vec![ours(Undecidable, found)], Some((0, 0, true, false))),
            (
                vec![other(NotABook, found), ours(NotABook, found)],
                Some((0, 0, false, true)),
            ),
            (
                vec![other(NotABook, found), ours(Corrected, found)],
                Some((4, 0, false, true)),
            ),
        ];
        for (reviews, expected) in table {
            let record = record(&text, &reviews);
            let seen = inspect(&text, &record, DRAWN, found);
            let seen = seen.map(|look| (look.loss, look.leak, look.undecidable, look.reviewed));
            assert_eq!(seen, expected, "{reviews:?}");
        }
    }

    #[test]
    fn defended_lines_are_as_good_and_moved_cuts_are_told() {
        let text = text();
        let mut ours = review(DRAWN, Verdict::Corrected, cuts(3, 8));
        ours.detected = Some(DetectedCuts::new(cuts(1, 8), 0.5, "gap", "m"));
        let mut record = record(&text, &[ours]);
        record.alternatives.push(Alternative {
            end: endpaper_detect::End::Start,
            line: 2,
            why: String::new(),
        });
        let look = inspect(&text, &record, DRAWN, cuts(2, 8)).unwrap();
        assert_eq!((look.loss, look.leak, look.detection_changed), (0, 0, true));
    }

    #[test]
    fn lines_may_be_tolerated() {
        let text = text();
        let ours = review(DRAWN, Verdict::Corrected, cuts(3, 9));
        let look = inspect(&text, &record(&text, &[ours]), DRAWN, cuts(2, 8)).unwrap();
        let bad = |tolerated| InspectionSide::ALL.map(|side| look.is_bad(side, tolerated));
        assert_eq!(bad([0, 0]), [true, true, true]);
        assert_eq!(bad([1, 0]), [true, false, true]);
        assert_eq!(bad([1, 1]), [false, false, false]);
    }

    #[test]
    fn second_looks_widen_what_was_seen() {
        let text = text();
        let first = review("doubt", Verdict::Confirmed, cuts(2, 8));
        let mut count = ReviewerError::default();
        for again in [cuts(2, 8), cuts(3, 8), cuts(2, 8)] {
            let again = review(SECOND_LOOK, Verdict::Corrected, again);
            let record = record(&text, &[first.clone(), again]);
            count_repeated_reviews(&text, &record, [0, 0], &mut count);
        }
        let of = |hits, of| Proportion { hits, total: of };
        assert_eq!(count.disagreement_rates, [of(1, 3), of(0, 3), of(1, 3)]);
        assert_eq!(
            count.adjust_for_reviewer_error(InspectionSide::Either, of(1, 11)),
            of(5, 11)
        );
        assert_eq!(
            count.adjust_for_reviewer_error(InspectionSide::Loss, of(1, 11)),
            of(1, 11)
        );
        assert_eq!(
            ReviewerError::default().adjust_for_reviewer_error(InspectionSide::Either, of(1, 11)),
            of(1, 11)
        );
    }
}
