//! The one door.

use super::candidates::candidates;
use super::edges::edges;
use super::findings::Findings;
use super::view::View;
use super::{Detection, End, Parameters};
use super::{doubt, evidence, symptoms};
use crate::frequency::Frequencies;
use crate::line::Key;
use crate::scan::Scan;

/// Proposes cuts for a book: Algorithm 1 of Kaser & Lemire (section 3.1) on the windows of its Scan, moved outwards by
/// the markers of section 3.4 where `parameters.heuristics` says so.
///
/// Pure, and a matter of microseconds: candidates, what-if and counterfactuals are the same call with other parameters
/// or frequencies. Windows wider than those of the Scan are those of the Scan.
pub fn propose(scan: &Scan, frequencies: &Frequencies, parameters: &Parameters) -> Detection {
    let frequency = |key, end| match end {
        End::Start => frequencies.head().frequency(key),
        End::End => frequencies.tail().frequency(key),
    };
    propose_with(scan, frequency, parameters)
}

/// As [`propose`], with any answer to how often a key occurs at an end.
pub fn propose_with(
    scan: &Scan,
    frequency: impl Fn(Key, End) -> u64,
    parameters: &Parameters,
) -> Detection {
    let found = Findings::new(View::new(scan, parameters, frequency));
    let start = edges(&found, End::Start);
    let end = edges(&found, End::End);
    let mut reasons = symptoms::observe(&found, &start, &end);
    let mut ranked = candidates(&found, End::Start, &start);
    ranked.extend(candidates(&found, End::End, &end));
    Detection {
        cuts: found.cuts(),
        candidates: ranked,
        doubt: doubt::doubt(&mut reasons),
        reasons,
        evidence: evidence::evidence(&found),
    }
}
