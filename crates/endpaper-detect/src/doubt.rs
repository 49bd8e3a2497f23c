//! Doubt: the estimated probability that at least one proposed cut is wrong.
//!
//! A logistic model on the reasons that apply: each adds its weight, in log odds, to the base doubt. The weights were
//! fitted with a penalty (never below zero) on 299 labelled Project Gutenberg books, for the `gap` detector with
//! heuristics; wrong means not exact at both ends. In five folds the area under the curve was 0.96; nearly all books
//! with a doubt of 0.95 and more were wrong, and one in ten of those under 0.2 (slightly too good, as the ranking
//! behind `better-start` and `better-end` was fitted on the same books). Reasons that do not improve the fit, because
//! stronger ones come with them, keep a weight of [`SLIGHT`]: they explain more than they predict. `body-small` was too
//! rare to fit and is a guess.
//!
//! Three in four of these books are cut wrongly by a line or more, mostly because credits follow the last marker, so
//! doubt is high in general. Another detector needs separate weights.

use super::Reason;
use super::calibration::{DoubtInput, probability};

/// Log odds of a wrong cut without any reason.
const BASE_LOG_ODDS: f32 = -2.0;

/// Weight of reasons that explain more than they predict.
const SLIGHT: f32 = 0.2;

/// Contribution of a reason to the log odds of a wrong cut.
fn weight(reason: Reason) -> f32 {
    match reason {
        Reason::NoBody => f32::INFINITY,
        // These do not come from the rules: from the posterior, which computes its own doubt, other books or the
        // outline.
        Reason::UnsureStart
        | Reason::UnsureEnd
        | Reason::StrangeFile
        | Reason::CopiesDiffer
        | Reason::AlternationDiffers
        | Reason::ContentsOutside => 4.0,
        Reason::BoilerplateInside => 1.2,
        Reason::BetterStart => 3.5,
        Reason::BetterEnd => 2.6,
        Reason::CreditsAfterCut => 2.4,
        Reason::EndsDisagree => 2.2,
        Reason::NoteBeforeCut => 2.1,
        Reason::SplitBlock => 1.6,
        Reason::GutenbergInBody => 1.4,
        Reason::BodySmall => 1.0,
        Reason::EndWithoutMarker | Reason::NoEpilogue => 0.7,
        Reason::TitleRepeated => 0.6,
        Reason::NoPreamble
        | Reason::StartWithoutMarker
        | Reason::StartsDisagree
        | Reason::MarkerBeyondCut
        | Reason::SeveralEndMarkers
        | Reason::WideGap
        | Reason::WindowExhausted
        | Reason::NoteAfterCut
        | Reason::TitleBeforeCredits
        | Reason::ShortFile => SLIGHT,
    }
}

/// What a second opinion adds to the log odds of a wrong cut of Algorithm 1.
pub(super) fn opinion_weight(input: DoubtInput) -> f32 {
    match input {
        DoubtInput::Reason(reason) => weight(reason),
        DoubtInput::AlternationAgrees | DoubtInput::CopiesAgree => 0.0,
    }
}

/// Sorts the reasons, weightiest first.
pub(super) fn rank(reasons: &mut [Reason]) {
    reasons.sort_by(|a, b| weight(*b).total_cmp(&weight(*a)).then(a.cmp(b)));
}

/// Sorts the reasons, weightiest first, and returns the probability that follows from them.
pub(super) fn doubt(reasons: &mut [Reason]) -> f32 {
    rank(reasons);
    let odds: f32 = reasons.iter().map(|&reason| weight(reason)).sum();
    probability(BASE_LOG_ODDS + odds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubt_grows_with_every_reason_and_is_a_probability() {
        let mut reasons = Vec::new();
        let mut last = doubt(&mut reasons);
        assert!(last > 0.0 && last < 0.2);
        for &reason in Reason::ALL
            .iter()
            .filter(|&&reason| reason != Reason::NoBody)
        {
            reasons.push(reason);
            let next = doubt(&mut reasons);
            assert!(next >= last && next <= 1.0, "{reason}");
            last = next;
        }
    }

    #[test]
    fn no_body_is_certainly_wrong() {
        assert_eq!(doubt(&mut [Reason::NoBody]), 1.0);
    }

    #[test]
    fn the_weightiest_reason_comes_first() {
        let mut reasons = [
            Reason::WideGap,
            Reason::CreditsAfterCut,
            Reason::TitleRepeated,
        ];
        doubt(&mut reasons);
        assert_eq!(reasons[0], Reason::CreditsAfterCut);
        assert_eq!(reasons[2], Reason::WideGap);
    }
}
