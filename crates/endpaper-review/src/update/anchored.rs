//! Decisions on changed files: the relocated cuts, or the detector's where relocation failed.

use crate::decision::Decision;
use crate::page::BookPage;
use crate::session::{Anchoring, FileChange};
use endpaper_detect::{Cuts, End};
use endpaper_truth::anchor::{Anchored, Refusal};
use endpaper_truth::{Record, Verdict};

/// Returns a decision to confirm and the result of relocating its cuts. Nothing is written before it is confirmed.
pub(super) fn relocated_decision(
    page: &BookPage,
    record: &Record,
    found: Option<&Anchored>,
) -> (Decision, Anchoring) {
    let proposed = page.detection.cuts;
    let change = what_changed(record.source.extractor.as_deref(), page.text.extractor());
    let places = found.map(|found| (found.alternatives.clone(), found.inside.clone()));
    let (alternatives, inside) = places.unwrap_or_default();
    let open = |cuts| Decision {
        cuts,
        verdict: Verdict::Open,
        // Positions in the old text that were not relocated are meaningless in the new one.
        alternatives: alternatives.clone(),
        inside: inside.clone(),
        ..Decision::of(record)
    };
    let Some(found) = found else {
        return (open(proposed), Anchoring::NotTried(change));
    };
    let cuts = Cuts {
        preamble_end: found
            .preamble_end
            .as_ref()
            .map_or(proposed.preamble_end, |p| p.line),
        epilogue_start: found
            .epilogue_start
            .as_ref()
            .map_or(proposed.epilogue_start, |p| p.line),
    };
    let crossed = cuts
        .epilogue_start
        .is_some_and(|end| cuts.preamble_end >= end);
    let anchoring = match (&found.preamble_end, &found.epilogue_start) {
        _ if crossed => Anchoring::CutsLost(change, Refusal::Crossed),
        (Ok(start), Ok(end)) => Anchoring::Found {
            change,
            confidence: start.confidence.min(end.confidence),
            lost: found.lost,
        },
        (Err(why), Ok(_)) => Anchoring::CutLost(change, End::Start, *why),
        (Ok(_), Err(why)) => Anchoring::CutLost(change, End::End, *why),
        (Err(why), Err(_)) => Anchoring::CutsLost(change, *why),
    };
    (open(if crossed { proposed } else { cuts }), anchoring)
}

/// Whether the file changed, or the program that reads its text (`decided`: at the decision).
fn what_changed(decided: Option<&str>, now: Option<&str>) -> FileChange {
    match (decided, now) {
        (Some(decided), Some(now)) if decided != now => FileChange::Reader {
            decided: decided.to_owned(),
            now: now.to_owned(),
        },
        _ => FileChange::Bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_reader_of_a_file_is_named() {
        let poppler = Some("pdftotext 22.12.0");
        let other = Some("pdf-extract 0.12.1");
        assert_eq!(
            what_changed(poppler, other),
            FileChange::Reader {
                decided: "pdftotext 22.12.0".to_owned(),
                now: "pdf-extract 0.12.1".to_owned(),
            }
        );
        for (decided, now) in [(None, None), (poppler, poppler), (None, poppler)] {
            assert_eq!(what_changed(decided, now), FileChange::Bytes);
        }
    }
}
