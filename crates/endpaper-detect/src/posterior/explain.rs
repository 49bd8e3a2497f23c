//! Why a cut lies where it does: the facts that weigh most against its likeliest rival.

use super::choice_set::ChoiceSet;
use super::cut_posterior::CutPosterior;
use super::end_region::EndRegion;
use crate::{End, Evidence, Fact};
use endpaper_text::scan::Scan;

/// Number of pieces of evidence shown per end.
const TOLD: usize = 4;

/// Lighter facts are not worth telling, in log odds.
const LIGHT: f32 = 0.3;

/// The weightiest facts for (and against) the cut at `place`, set against its likeliest rival.
pub(super) fn explain(
    scan: &Scan,
    strip: &EndRegion<'_>,
    case: &ChoiceSet,
    weights: &[f32],
    likely: &CutPosterior,
    place: usize,
) -> Vec<Evidence> {
    let others = (0..likely.probabilities.len()).filter(|&other| other != place);
    let Some(rival) =
        others.max_by(|&a, &b| likely.probabilities[a].total_cmp(&likely.probabilities[b]))
    else {
        return Vec::new();
    };
    let mut facts: Vec<(usize, f32, f32)> = case
        .differences(place, rival)
        .into_iter()
        .map(|(fact, difference)| (fact, difference, difference * weights[fact]))
        .filter(|(.., worth)| worth.abs() >= LIGHT)
        .collect();
    facts.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()).then(a.0.cmp(&b.0)));
    let (here, there) = (line(scan, strip, place), line(scan, strip, rival));
    facts
        .into_iter()
        .take(TOLD)
        .map(|(fact, more, worth)| Evidence {
            end: strip.end,
            lines: (here.min(there), here.max(there)),
            // What is so at the rival and not here speaks with the opposite sign.
            fact: Fact::Weighted {
                weight: fact as u16,
                at: (more <= 0.0).then_some(there),
            },
            weight: Some(worth),
        })
        .collect()
}

/// The line of the cut at a place.
pub(super) fn line(scan: &Scan, strip: &EndRegion<'_>, place: usize) -> u32 {
    match place.checked_sub(1) {
        Some(row) => strip.rows[row].line,
        None if strip.end == End::Start => 0,
        None => scan.lines.saturating_add(1),
    }
}
