//! Bodies that are too small, of another size than the rest, or cut too little or too much.

use std::collections::HashMap;

use super::{LintFinding, LintRule};
use crate::strip::ManifestEntry;
use endpaper_detect::pipeline::{BookReport, CorpusReport};

/// A body of fewer bytes is tiny.
const TINY_BODY_BYTES: u64 = 1024;

/// Fewer bodies have no usual size.
const MIN_BODIES: usize = 20;

/// The modified z-score above which a size is not like the others (Iglewicz & Hoaglin 1993, *How to Detect and Handle
/// Outliers*: 3.5).
const MAX_Z_SCORE: f64 = 3.5;

/// More lines than preamble and epilogue of any real file have together: the longest licence has about 400.
const MAX_REMOVED_LINES: u32 = 1000;

/// Findings on bodies that are empty, of an unusual size, or of which too little or too much was cut away.
pub(super) fn findings(
    report: &CorpusReport,
    entries: &HashMap<String, ManifestEntry>,
) -> Vec<LintFinding> {
    let usual = TypicalSize::of(report.books.iter().map(|body| body.summary.bytes));
    let mut findings = Vec::new();
    for body in &report.books {
        let file = body.book.id.as_str();
        let mut find = |rule, message: String| {
            findings.push(LintFinding::of_file(file, rule, message));
        };
        let bytes = body.summary.bytes;
        if is_blank(body) {
            find(LintRule::Empty, "only blank lines are in it".to_owned());
        } else if bytes < TINY_BODY_BYTES {
            find(LintRule::Tiny, format!("{bytes} bytes"));
        } else if let Some(usual) = usual.as_ref().filter(|usual| usual.is_far(bytes)) {
            let median = usual.median.exp();
            find(
                LintRule::Size,
                format!("{bytes} bytes; half of the bodies have {median:.0} or more"),
            );
        }
        if let Some((rule, message)) = entries.get(file).and_then(cut) {
            find(rule, message);
        }
    }
    findings
}

/// Whether a body has no text.
fn is_blank(body: &BookReport) -> bool {
    body.scan.as_ref().is_some_and(|scan| scan.rows.is_empty())
}

/// The finding that nothing, or nearly everything, of the source was cut away.
fn cut(entry: &ManifestEntry) -> Option<(LintRule, String)> {
    let kept = (entry.last + 1).checked_sub(entry.first)?;
    let lines = entry.source_lines;
    let cut = lines.checked_sub(kept)?;
    if cut == 0 {
        return Some((
            LintRule::Uncut,
            format!("nothing of its {lines} lines was cut"),
        ));
    }
    let message = || format!("{cut} of {lines} lines were cut");
    (cut > MAX_REMOVED_LINES).then(|| (LintRule::MuchCut, message()))
}

/// The usual size of bodies: the median of the logarithms of their sizes in bytes, and the median distance from it.
struct TypicalSize {
    median: f64,
    spread: f64,
}

impl TypicalSize {
    /// The median of the sizes and their usual deviation from it, both as logarithms; `None` for few bodies or if most
    /// have one size.
    fn of(sizes: impl Iterator<Item = u64>) -> Option<TypicalSize> {
        let logs: Vec<f64> = sizes
            .filter(|size| *size > 0)
            .map(|size| (size as f64).ln())
            .collect();
        if logs.len() < MIN_BODIES {
            return None;
        }
        let median = upper_median(logs.clone())?;
        let spread = upper_median(logs.iter().map(|log| (log - median).abs()).collect())?;
        (spread > 0.0).then_some(TypicalSize { median, spread })
    }

    /// Whether a size is an outlier.
    fn is_far(&self, size: u64) -> bool {
        // 0.6745 makes the spread that of a normal distribution.
        0.6745 * ((size as f64).ln() - self.median).abs() > MAX_Z_SCORE * self.spread
    }
}

/// The median; of two in the middle the upper one.
fn upper_median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_far_from_the_others_are_seen_among_enough_of_them() {
        let sizes = |n: u64| (1..=n).map(|i| 200_000 + i * 1000);
        assert!(TypicalSize::of(sizes(19)).is_none());
        let usual = TypicalSize::of(sizes(40)).unwrap();
        for (size, far) in [
            (220_000, false),
            (240_000, false),
            (20_000, true),
            (900_000, true),
        ] {
            assert_eq!(usual.is_far(size), far, "{size}");
        }
        assert!(TypicalSize::of([7; 40].into_iter()).is_none());
    }

    #[test]
    fn cutting_nothing_and_cutting_much_are_odd() {
        let entry = |first, last, source_lines| ManifestEntry {
            book: String::new(),
            file: String::new(),
            first,
            last,
            sha256: String::new(),
            source_lines,
            encoding: None,
        };
        let rule = |entry: ManifestEntry| cut(&entry).map(|(rule, _)| rule);
        assert_eq!(rule(entry(1, 500, 500)), Some(LintRule::Uncut));
        assert_eq!(rule(entry(2, 500, 500)), None);
        assert_eq!(rule(entry(401, 5000, 5600)), None);
        assert_eq!(rule(entry(402, 5000, 5600)), Some(LintRule::MuchCut));
        // A manifest that was edited by hand.
        for odd in [
            entry(0, 0, 0),
            entry(9, 3, 5),
            entry(1, 9, 3),
            entry(1, u32::MAX - 1, 9),
        ] {
            assert_eq!(rule(odd), None);
        }
    }
}
