//! Proposes the cuts of a book: the entry point of detection.

use super::calibration::DoubtInput;
use super::candidates::candidates;
use super::edges::edges;
use super::findings::BookFindings;
use super::posterior::{PosteriorResult, Profile};
use super::row_counts::RowCounts;
use super::view::ClassifiedRows;
use super::{Detection, End, Method, Parameters, Reason};
use super::{doubt, doubt_reasons, evidence};
use crate::frequency::Frequencies;
use crate::frequency::document_frequency::DocumentFrequencies;
use endpaper_text::scan::Scan;

/// Proposes cuts for a book with the detector that `parameters.method` selects: either Algorithm 1 of Kaser & Lemire
/// (section 3.1) on the windows of the Scan, whose cuts are moved towards the body by the markers of section 3.4 if
/// `parameters.heuristics` is set; or the most probable cuts by the weights of the posterior.
///
/// A pure function that takes microseconds: candidates, what-if and counterfactuals are the same call with other
/// parameters or frequencies. Windows are at most as wide as those of the Scan.
pub fn propose(scan: &Scan, frequencies: &Frequencies, parameters: &Parameters) -> Detection {
    let counts = RowCounts::of(scan, frequencies);
    propose_with(
        scan,
        &counts,
        frequencies.document_frequencies(),
        parameters,
    )
}

/// Like [`propose`], with frequencies of the rows that were looked up before.
pub(super) fn propose_with(
    scan: &Scan,
    counts: &RowCounts,
    document_frequencies: &DocumentFrequencies,
    parameters: &Parameters,
) -> Detection {
    let found = BookFindings::new(ClassifiedRows::new(scan, parameters, counts));
    match parameters.method {
        Method::Gap => by_gap(&found),
        Method::Posterior => {
            let (profile, is_gutenberg) = parameters.profiles().of(scan);
            let outcome = PosteriorResult::new(
                scan,
                counts,
                document_frequencies,
                profile,
                &parameters.policy,
            );
            let detection = by_posterior(found, &outcome, profile);
            Detection {
                is_gutenberg,
                ..detection
            }
        }
    }
}

/// The proposal of Algorithm 1 and its rules.
fn by_gap(found: &BookFindings<'_>) -> Detection {
    let start = edges(found, End::Start);
    let end = edges(found, End::End);
    let mut reasons = doubt_reasons::observe(found, &start, &end);
    let mut ranked = candidates(found, End::Start, &start);
    ranked.extend(candidates(found, End::End, &end));
    Detection {
        cuts: found.cuts(),
        candidates: ranked,
        doubt: doubt::doubt(&mut reasons),
        reasons,
        inside: Vec::new(),
        evidence: evidence::evidence(found).into_iter().collect(),
        is_gutenberg: false,
    }
}

/// The proposal of the posterior detector, with the evidence of the rules for its cuts.
fn by_posterior(
    mut found: BookFindings<'_>,
    outcome: &PosteriorResult<'_>,
    profile: &Profile,
) -> Detection {
    let gap = found.cuts();
    let cuts = outcome.cuts();
    found.cut_at(cuts);
    let none = found.view.scan.lines.saturating_add(1);
    let mut candidates = outcome.candidates(End::Start, Some(gap.preamble_end));
    candidates.extend(outcome.candidates(End::End, Some(gap.epilogue_start.unwrap_or(none))));
    let inside = outcome.find_inside_blocks();
    let mut reasons = doubt_reasons::observe(&found, &[], &[]);
    for (end, reason) in [
        (End::Start, Reason::UnsureStart),
        (End::End, Reason::UnsureEnd),
    ] {
        if outcome.cut_probability(end) < MIN_PROBABILITY {
            reasons.push(reason);
        }
    }
    if profile.is_for_any_library() && !profile.is_learned() {
        reasons.push(Reason::StrangeFile);
    }
    if !inside.is_empty() {
        reasons.push(Reason::BoilerplateInside);
    }
    doubt::rank(&mut reasons);
    let inputs = reasons.iter().map(|&reason| DoubtInput::Reason(reason));
    let doubt = profile.calibration().doubt(outcome.doubt(), inputs);
    let mut evidence = evidence::evidence(&found);
    evidence.extend(outcome.evidence());
    Detection {
        cuts,
        candidates,
        doubt: if found.no_body { 1.0 } else { doubt },
        reasons,
        inside,
        evidence: evidence.into_iter().collect(),
        is_gutenberg: false,
    }
}

/// A cut with a smaller probability than this is unsure.
const MIN_PROBABILITY: f32 = 0.8;
