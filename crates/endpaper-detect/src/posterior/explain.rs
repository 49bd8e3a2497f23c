//! Explains a cut by the facts with the greatest weight for or against it, compared with its likeliest rival.

use super::choice_set::ChoiceSet;
use super::cut_posterior::CutPosterior;
use super::end_region::EndRegion;
use crate::{End, Evidence, Fact};
use endpaper_text::scan::Scan;

/// Maximum number of facts reported for each end.
const TOLD: usize = 4;

/// Facts with a smaller effect are not reported, in log odds.
const LIGHT: f32 = 0.3;

/// The facts with the greatest effect for or against the cut at `position`, compared with its likeliest rival.
pub(super) fn explain(
    scan: &Scan,
    region: &EndRegion<'_>,
    choice_set: &ChoiceSet,
    weights: &[f32],
    posterior: &CutPosterior,
    position: usize,
) -> Vec<Evidence> {
    let others = (0..posterior.probabilities.len()).filter(|&other| other != position);
    let Some(rival) =
        others.max_by(|&a, &b| posterior.probabilities[a].total_cmp(&posterior.probabilities[b]))
    else {
        return Vec::new();
    };
    let mut facts: Vec<(usize, f32, f32)> = choice_set
        .differences(position, rival)
        .into_iter()
        .map(|(fact, difference)| (fact, difference, difference * weights[fact]))
        .filter(|(.., worth)| worth.abs() >= LIGHT)
        .collect();
    facts.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()).then(a.0.cmp(&b.0)));
    let (here, there) = (line(scan, region, position), line(scan, region, rival));
    facts
        .into_iter()
        .take(TOLD)
        .map(|(fact, more, worth)| Evidence {
            end: region.end,
            lines: (here.min(there), here.max(there)),
            // A fact that holds at the rival rather than here is reported with the line of the rival.
            fact: Fact::Weighted {
                weight: fact as u16,
                at: (more <= 0.0).then_some(there),
            },
            weight: Some(worth),
        })
        .collect()
}

/// The line of the cut at a position.
pub(super) fn line(scan: &Scan, region: &EndRegion<'_>, position: usize) -> u32 {
    match position.checked_sub(1) {
        Some(row) => region.rows[row].line,
        None if region.end == End::Start => 0,
        None => scan.lines.saturating_add(1),
    }
}
