//! Findings as JUnit XML, which build servers show.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use super::CheckFinding;

/// A test for each file of a record, and one for each book the detector was compared with its budget in; findings that
/// only warn are printed but fail no test.
pub fn junit(files: &[PathBuf], budgeted: &[&str], findings: &[CheckFinding]) -> String {
    let (detector, records): (Vec<&CheckFinding>, Vec<&CheckFinding>) = findings
        .iter()
        .partition(|finding| finding.rule.is_of_detector());
    let by_file = group(&records, |finding| {
        finding.file.to_string_lossy().into_owned()
    });
    let by_book = group(&detector, |finding| finding.book.clone());
    let known: Vec<String> = files
        .iter()
        .map(|file| file.to_string_lossy().into_owned())
        .collect();
    let names = add_other_tests(known, &by_file);
    let books = add_other_tests(
        budgeted.iter().map(|book| (*book).to_owned()).collect(),
        &by_book,
    );
    let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n".to_owned();
    suite(&mut out, "records", &names, &by_file);
    suite(&mut out, "detector", &books, &by_book);
    out.push_str("</testsuites>\n");
    out
}

type JunitGroups<'a> = BTreeMap<String, Vec<&'a CheckFinding>>;

/// Findings by a key, such as their file.
fn group<'a>(
    findings: &[&'a CheckFinding],
    key: impl Fn(&CheckFinding) -> String,
) -> JunitGroups<'a> {
    let mut groups = JunitGroups::new();
    for finding in findings {
        groups.entry(key(finding)).or_default().push(finding);
    }
    groups
}

/// Tests, and what else was found something about.
fn add_other_tests(mut tests: Vec<String>, findings: &JunitGroups<'_>) -> Vec<String> {
    let known: HashSet<&String> = tests.iter().collect();
    let others = findings.keys().filter(|name| !known.contains(name));
    let others: Vec<String> = others.cloned().collect();
    tests.extend(others);
    tests
}

/// Writes a test suite: one test for each name, failed if it has findings.
fn suite(out: &mut String, name: &str, tests: &[String], findings: &JunitGroups<'_>) {
    let fails = |test: &&String| {
        let findings = findings.get(*test);
        findings.is_some_and(|findings| findings.iter().any(|finding| finding.rule.is_error()))
    };
    let (number, failures) = (tests.len(), tests.iter().filter(fails).count());
    let _ = writeln!(
        out,
        "  <testsuite name=\"{name}\" tests=\"{number}\" failures=\"{failures}\">"
    );
    for test in tests {
        let found = findings.get(test).map_or(&[][..], Vec::as_slice);
        let _ = write!(
            out,
            "    <testcase classname=\"{name}\" name=\"{}\"",
            escaped(test)
        );
        if found.is_empty() {
            out.push_str("/>\n");
            continue;
        }
        out.push_str(">\n");
        let (errors, warnings): (Vec<&CheckFinding>, Vec<&CheckFinding>) = found
            .iter()
            .copied()
            .partition(|finding| finding.rule.is_error());
        if let Some(first) = errors.first() {
            let all: Vec<String> = errors
                .iter()
                .map(|finding| escaped(&finding.to_string()))
                .collect();
            let message = escaped(&first.message);
            let _ = writeln!(
                out,
                "      <failure type=\"{}\" message=\"{message}\">{}</failure>",
                first.rule,
                all.join("\n")
            );
        }
        if !warnings.is_empty() {
            let all: Vec<String> = warnings
                .iter()
                .map(|finding| escaped(&finding.to_string()))
                .collect();
            let _ = writeln!(out, "      <system-out>{}</system-out>", all.join("\n"));
        }
        out.push_str("    </testcase>\n");
    }
    out.push_str("  </testsuite>\n");
}

/// Text in XML 1.0: what it cannot hold at all is shown as the replacement character.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Attributes would lose them.
            '\t' | '\n' | '\r' => {
                let _ = write!(out, "&#{};", u32::from(character));
            }
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            plain => out.push(plain),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::CheckRule;

    fn finding(file: &str, rule: CheckRule, message: &str) -> CheckFinding {
        CheckFinding {
            file: file.into(),
            line: 2,
            column: 1,
            rule,
            book: "b<1>".into(),
            message: message.into(),
        }
    }

    #[test]
    fn errors_fail_their_test_and_warnings_are_printed() {
        let findings = [
            finding("a.yaml", CheckRule::Invalid, "x & \"y\" \u{1b}[31m"),
            finding("c.yaml", CheckRule::Conflict, "waits"),
            finding("budget.tsv", CheckRule::Worse, "worse"),
        ];
        let xml = junit(
            &["a.yaml".into(), "b.yaml".into()],
            &["b<1>", "fine"],
            &findings,
        );
        let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites>
  <testsuite name=\"records\" tests=\"3\" failures=\"1\">
    <testcase classname=\"records\" name=\"a.yaml\">
      <failure type=\"invalid\" message=\"x &amp; &quot;y&quot; \u{fffd}[31m\">a.yaml:2:1: error[invalid] x &amp; &quot;y&quot; \u{fffd}[31m</failure>
    </testcase>
    <testcase classname=\"records\" name=\"b.yaml\"/>
    <testcase classname=\"records\" name=\"c.yaml\">
      <system-out>c.yaml:2:1: warning[conflict] waits</system-out>
    </testcase>
  </testsuite>
  <testsuite name=\"detector\" tests=\"2\" failures=\"1\">
    <testcase classname=\"detector\" name=\"b&lt;1&gt;\">
      <failure type=\"worse\" message=\"worse\">budget.tsv:2:1: error[worse] worse</failure>
    </testcase>
    <testcase classname=\"detector\" name=\"fine\"/>
  </testsuite>
</testsuites>
";
        assert_eq!(xml, expected);
    }
}
