//! Why a cut lies where it does: the facts that weigh most against its likeliest rival.

use super::case::Case;
use super::likely::Likely;
use super::outcome::line;
use super::strip::Strip;
use super::weights::{ROLES, Weights};
use crate::detect::Evidence;
use crate::scan::{Scan, Sign};

/// Pieces of evidence told for each end.
const TOLD: usize = 4;

/// Lighter facts are not worth telling, in log odds.
const LIGHT: f32 = 0.3;

/// The weightiest facts for (and against) the cut at `place`, set against its likeliest rival.
pub(super) fn explain(
    scan: &Scan,
    strip: &Strip<'_>,
    case: &Case,
    weights: &[f32],
    likely: &Likely,
    place: usize,
) -> Vec<Evidence> {
    let others = (0..likely.shares.len()).filter(|&other| other != place);
    let Some(rival) = others.max_by(|&a, &b| likely.shares[a].total_cmp(&likely.shares[b])) else {
        return Vec::new();
    };
    let mut facts: Vec<(usize, f32)> = case
        .differences(place, rival)
        .into_iter()
        .map(|(fact, difference)| (fact, difference * weights[fact]))
        .filter(|(_, worth)| worth.abs() >= LIGHT)
        .collect();
    facts.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
    let (here, there) = (line(scan, strip, place), line(scan, strip, rival));
    facts
        .into_iter()
        .take(TOLD)
        .map(|(fact, worth)| Evidence {
            end: strip.end,
            lines: (here.min(there), here.max(there)),
            text: format!("{} (than at {there})", words(fact)),
            weight: Some(worth),
            kind: None,
        })
        .collect()
}

/// A fact in words.
fn words(fact: usize) -> String {
    let name = Weights::name(fact);
    let (role, fact) = name.split_once(':').unwrap_or(("place", name));
    let role = match ROLES.iter().position(|known| *known == role) {
        Some(0) => "cut away near it: ",
        Some(1) => "kept near it: ",
        Some(2) => "the block cut away beside it: ",
        Some(3) => "the block kept beside it: ",
        Some(4) => "the second block kept: ",
        Some(_) => "the second block cut away: ",
        None => "",
    };
    let sign = Sign::ALL.iter().find(|sign| sign.name() == fact);
    match sign {
        Some(sign) => format!("{role}{}", sign.meaning().trim_end_matches('.')),
        None => format!("{role}{}", fact.replace('-', " ")),
    }
}
