//! What is shown of a record whose file changed: its cuts where they were found again, the detector's elsewhere.

use crate::decision::Decision;
use crate::page::Page;
use endpaper_detect::Cuts;
use endpaper_truth::anchor::{Anchored, Refusal};
use endpaper_truth::{Record, Verdict};

/// A decision to be confirmed with the key `keep`, and what to say of it. Nothing of the record is written before.
pub(super) fn decision(
    page: &Page,
    record: &Record,
    found: Option<&Anchored>,
    keep: &str,
) -> (Decision, String) {
    let proposed = page.detection.cuts;
    let changed = what_changed(record.source.extractor.as_deref(), page.text.extractor());
    let places = found.map(|found| (found.alternatives.clone(), found.inside.clone()));
    let (alternatives, inside) = places.unwrap_or_default();
    let open = |cuts| Decision {
        cuts,
        verdict: Verdict::Open,
        // Places that were not found again mean nothing in the new text.
        alternatives: alternatives.clone(),
        inside: inside.clone(),
        ..Decision::of(record)
    };
    let Some(found) = found else {
        let text = format!("{changed} since it was decided: {keep} decides anew");
        return (open(proposed), text);
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
    let lost = match found.lost {
        0 => String::new(),
        1 => " · 1 mark is lost".to_owned(),
        lost => format!(" · {lost} marks are lost"),
    };
    let text = match (&found.preamble_end, &found.epilogue_start) {
        _ if crossed => not_found(&changed, "cuts", Refusal::Crossed),
        (Ok(start), Ok(end)) => format!(
            "{changed}: its cuts are found again ({:.2}): {keep} confirms{lost}",
            start.confidence.min(end.confidence)
        ),
        (Err(why), Ok(_)) => not_found(&changed, "preamble cut", *why),
        (Ok(_), Err(why)) => not_found(&changed, "epilogue cut", *why),
        (Err(why), Err(_)) => not_found(&changed, "cuts", *why),
    };
    (open(if crossed { proposed } else { cuts }), text)
}

fn not_found(changed: &str, what: &str, why: Refusal) -> String {
    format!("{changed}: {what} NOT found again, the detector's shown: {why}")
}

/// The file itself, or the reader that made its text.
fn what_changed(decided: Option<&str>, now: Option<&str>) -> String {
    match (decided, now) {
        (Some(decided), Some(now)) if decided != now => {
            format!("the text CHANGED ({decided}, now {now})")
        }
        _ => "the file CHANGED".to_owned(),
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
            "the text CHANGED (pdftotext 22.12.0, now pdf-extract 0.12.1)"
        );
        for (decided, now) in [(None, None), (poppler, poppler), (None, poppler)] {
            assert_eq!(what_changed(decided, now), "the file CHANGED");
        }
    }
}
