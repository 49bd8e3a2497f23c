use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::*;
use endpaper_detect::pipeline::{AnalysisOptions, ModelSource, analyse};
use endpaper_text::corpus::{self, ListingRequest};

/// A body of `lines` lines that no other body has.
fn body(lines: usize) -> String {
    (0..lines)
        .map(|line| format!("Nobody but this book says in line {line} what it says.\n"))
        .collect()
}

fn checked(folder: &Path) -> Vec<LintFinding> {
    let manifest = Manifest::read(folder).unwrap();
    let request = ListingRequest {
        roots: vec![folder.to_owned()],
        ..ListingRequest::default()
    };
    let mut listing = corpus::list(&request).unwrap();
    select_bodies(folder, &manifest, &mut listing, true);
    let options = AnalysisOptions {
        keep_scans: true,
        model: ModelSource::BuiltIn.into(),
        ..AnalysisOptions::default()
    };
    let report = analyse(&listing, &options, &|_| {}, &AtomicBool::new(false)).unwrap();
    check_bodies(folder, &report, &manifest, 10, u64::MAX, true)
}

fn found(text: &str) -> Vec<(LintRule, u32)> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), text).unwrap();
    let findings = checked(folder.path());
    findings.iter().map(|f| (f.rule, f.line)).collect()
}

#[test]
fn leftovers_are_found_at_the_ends_and_markers_and_the_name_everywhere() {
    let (part, produced) = (body(60), "Produced by Juliet Sutherland and David Widger");
    let licence = "  * You provide a full refund of any money paid by a user who notifies\n     you in writing (or by e-mail) within 30 days of receipt that s/he\n     does not agree to the terms of the full Project Gutenberg-tm\n";
    let frequent = "Most people start at our Web site which has the main PG search facility:\n";
    let marker = "*** END OF THIS PROJECT GUTENBERG EBOOK X ***";
    let cases: Vec<(String, Vec<(LintRule, u32)>)> = vec![
        (part.clone(), vec![]),
        (
            format!("{produced}\n\n{part}"),
            vec![(LintRule::Credits, 1)],
        ),
        (format!("Edited by Andrew Lang\n\n{part}"), vec![]),
        (format!("{part}\n{part}\n{produced}\n\n{part}"), vec![]),
        (
            format!("{part}\nTranscriber's Note:\n\nspelling\n"),
            vec![(LintRule::Note, 62)],
        ),
        (
            format!("{part}\n{frequent}"),
            vec![(LintRule::Frequent, 62)],
        ),
        (format!("{part}\n{frequent}{}", body(3)), vec![]),
        (
            format!("{part}\n{part}\n{marker}\n\n{part}"),
            vec![(LintRule::Marker, 123)],
        ),
        (format!("{licence}\n{part}"), vec![(LintRule::Gutenberg, 3)]),
        (
            format!("{}Gutenberg printed\n{}", body(900), body(900)),
            vec![(LintRule::Gutenberg, 901)],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(found(&text), expected, "{text:.200}");
    }
}

#[test]
fn files_that_killed_runs_left_are_found() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("a")).unwrap();
    fs::write(folder.path().join("a/a.txt"), body(60)).unwrap();
    fs::write(folder.path().join("a/.endpaper-x1.tmp"), "half").unwrap();
    let found: Vec<_> = checked(folder.path())
        .into_iter()
        .map(|finding| (finding.rule, finding.file))
        .collect();
    assert_eq!(
        found,
        [(LintRule::Temporary, "a/.endpaper-x1.tmp".to_owned())]
    );
}

#[test]
fn a_temporary_file_that_is_being_written_is_no_finding() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("b.txt"), body(60)).unwrap();
    let _busy =
        endpaper_text::atomic::create_temporary_beside(&folder.path().join("a.txt")).unwrap();
    assert_eq!(checked(folder.path()), []);
}

#[test]
fn empty_blank_and_tiny_bodies_are_found() {
    let blank = "\n \n\n".to_owned() + &" ".repeat(3000);
    for (text, rule) in [
        ("", LintRule::Empty),
        (&blank, LintRule::Empty),
        ("A poem.\n", LintRule::Tiny),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.txt"), text).unwrap();
        fs::write(folder.path().join("b.txt"), body(60)).unwrap();
        let rules: Vec<LintRule> = checked(folder.path()).iter().map(|f| f.rule).collect();
        assert_eq!(rules, [rule]);
    }
}

#[test]
fn findings_name_file_line_and_text_and_are_read_by_programs() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("Produced by A. Hand\n\n{}", body(60));
    fs::write(folder.path().join("a.txt"), text).unwrap();
    let findings = checked(folder.path());
    let line = findings[0].to_string();
    assert_eq!(
        line,
        "a.txt:1: credits: reads like credits: Produced by A. Hand"
    );
    let json = serde_json::to_value(&findings[0]).unwrap();
    assert_eq!(
        (&json["rule"], &json["line"]),
        (&"credits".into(), &1.into())
    );
    for rule in LintRule::ALL {
        assert_eq!(rule.name().parse(), Ok(*rule));
    }
}
