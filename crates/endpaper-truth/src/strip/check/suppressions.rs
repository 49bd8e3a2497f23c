//! Findings that a curator examined and accepts, with the reason.
//!
//! A tab-separated table beside the bodies, to be edited by hand and kept under version control: file, rule, the text of
//! the line, and why. What changed since is found again: another line in the same file is not accepted by it. `*` is
//! for every file or every text; lines that begin with `#` are comments; `\*` and `\#` are the characters themselves.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::{LintFinding, LintRule};
use crate::strip::manifest::MAX_FILE_BYTES;
use endpaper_text::cells::{escaped, unescaped_any};
use endpaper_text::files::{is_absent, read_text};

/// Name of the file in the folder of bodies.
pub const SUPPRESSIONS: &str = "endpaper-accepted.tsv";

/// The first line of a new file.
const HEADER: &str = "file\trule\ttext\twhy";

/// Stands for every file or every text.
const ANY: &str = "*";

/// Accepted findings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Suppressions {
    path: PathBuf,
    /// The file as it is, comments and mistakes included.
    text: String,
    rows: Vec<SuppressionRow>,
    /// What is wrong with the file, a sentence for each line; such lines accept nothing.
    pub wrong: Vec<String>,
}

/// A row of the table: accepts the findings of `rule` with this file and text.
#[derive(Clone, Debug, PartialEq)]
struct SuppressionRow {
    number: usize,
    /// `None` is every file.
    file: Option<String>,
    rule: LintRule,
    /// `None` is every text.
    text: Option<String>,
}

impl SuppressionRow {
    /// Whether the row accepts a finding.
    fn accepts(&self, finding: &LintFinding) -> bool {
        let fits =
            |pattern: &Option<String>, text: &str| pattern.as_ref().is_none_or(|only| only == text);
        self.rule == finding.rule
            && fits(&self.file, &finding.file)
            && fits(&self.text, &finding.text)
    }
}

impl Suppressions {
    /// Reads a file; none accepts nothing.
    ///
    /// # Errors
    ///
    /// A file that cannot be read. What is wrong in it is in [`Suppressions::wrong`].
    pub fn read(path: &Path) -> Result<Suppressions> {
        let text = match read_text(path, MAX_FILE_BYTES) {
            Ok(text) => text,
            Err(error) if is_absent(&error) => String::new(),
            Err(error) => {
                return Err(error).with_context(|| format!("'{}' cannot be read", path.display()));
            }
        };
        let mut read = Suppressions {
            path: path.to_owned(),
            ..Suppressions::default()
        };
        for (number, line) in (1..).zip(text.lines()) {
            let is_comment = line.trim().is_empty() || line.starts_with('#') || line == HEADER;
            match row(number, line) {
                _ if is_comment => {}
                Ok(row) => read.rows.push(row),
                Err(wrong) => {
                    let path = path.display();
                    read.wrong.push(format!("'{path}', line {number}: {wrong}"));
                }
            }
        }
        read.text = text;
        Ok(read)
    }

    /// Takes the accepted findings out; how many they were.
    pub fn take(&self, findings: &mut Vec<LintFinding>) -> usize {
        let before = findings.len();
        findings.retain(|finding| !self.rows.iter().any(|row| row.accepts(finding)));
        before - findings.len()
    }

    /// Numbers of the lines that accept none of all findings: what they were written for is gone.
    pub fn idle(&self, findings: &[LintFinding]) -> Vec<usize> {
        let idle = |row: &&SuppressionRow| !findings.iter().any(|finding| row.accepts(finding));
        self.rows
            .iter()
            .filter(idle)
            .map(|row| row.number)
            .collect()
    }

    /// Adds findings to the file, below what is there.
    ///
    /// # Errors
    ///
    /// No reason, or a file that cannot be written.
    pub fn accept(&self, findings: &[LintFinding], why: &str) -> Result<()> {
        ensure!(!why.trim().is_empty(), "an accepted finding needs a reason");
        let mut text = self.text.clone();
        if text.is_empty() {
            text.push_str(HEADER);
        }
        if !text.ends_with('\n') {
            text.push('\n');
        }
        for finding in findings {
            let (file, text_of) = (literally(&finding.file), literally(&finding.text));
            let cells = [
                file,
                finding.rule.name().to_owned(),
                text_of,
                escaped(why).into_owned(),
            ];
            text.push_str(&cells.join("\t"));
            text.push('\n');
        }
        endpaper_text::atomic::write(
            &self.path,
            endpaper_text::atomic::Existing::Replace,
            |out| out.write_all(text.as_bytes()),
        )
    }
}

/// A cell that means this text, whatever is there: neither a comment nor every text.
fn literally(text: &str) -> String {
    let means_more = text == ANY || text.starts_with('#');
    let escaped = escaped(text).into_owned();
    if means_more {
        format!("\\{escaped}")
    } else {
        escaped
    }
}

/// Parses a row.
fn row(number: usize, line: &str) -> Result<SuppressionRow, String> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [file, rule, text, why] = cells[..] else {
        let found = cells.len();
        return Err(format!(
            "{found} columns; write file, rule, text and why with tabs between them"
        ));
    };
    if why.trim().is_empty() {
        return Err("no reason; give the reason in the fourth column".to_owned());
    }
    let pattern = |cell: &str| (cell != ANY).then(|| unescaped_any(cell).into_owned());
    Ok(SuppressionRow {
        number,
        file: pattern(file),
        rule: rule.parse()?,
        text: pattern(text),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn finding(file: &str, rule: LintRule, text: &str) -> LintFinding {
        LintFinding {
            text: text.to_owned(),
            line: 7,
            ..LintFinding::of_file(file, rule, "a message")
        }
    }

    fn read(text: &str) -> Suppressions {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(SUPPRESSIONS);
        fs::write(&path, text).unwrap();
        Suppressions::read(&path).unwrap()
    }

    #[test]
    fn what_is_accepted_is_taken_out_and_no_more() {
        let all = [
            finding("a.txt", LintRule::Gutenberg, "Gutenberg printed it"),
            finding("a.txt", LintRule::Gutenberg, "Project Gutenberg"),
            finding("a.txt", LintRule::Tiny, ""),
            finding("b.txt", LintRule::Gutenberg, "Gutenberg printed it"),
        ];
        let cases = [
            ("", vec![0, 1, 2, 3]),
            (
                "a.txt\tgutenberg\tGutenberg printed it\thistory\n",
                vec![1, 2, 3],
            ),
            ("a.txt\tgutenberg\t*\thistory\n", vec![2, 3]),
            ("*\tgutenberg\tGutenberg printed it\thistory\n", vec![1, 2]),
            ("# a poem\na.txt\ttiny\t\ta poem\n", vec![0, 1, 3]),
        ];
        for (text, left) in cases {
            let mut findings = all.to_vec();
            let suppressions = read(text);
            assert_eq!(suppressions.take(&mut findings), all.len() - left.len());
            let expected: Vec<LintFinding> = left.iter().map(|&index| all[index].clone()).collect();
            assert_eq!(findings, expected, "{text}");
            assert!(suppressions.idle(&all).is_empty());
        }
        assert_eq!(read("#\nc.txt\ttiny\t\ta poem\n").idle(&all), [2]);
    }

    #[test]
    fn mistakes_are_named_with_their_line_and_the_rest_holds() {
        let text =
            "a.txt\ttiny\nb.txt\tsmall\t\tbecause\nc.txt\ttiny\t\t \nd.txt\ttiny\t\ta poem\n";
        let suppressions = read(text);
        let wrong = suppressions.wrong.join("\n");
        for part in [
            "line 1: 2 columns",
            "line 2: unknown rule of the check 'small'",
            "line 3: no reason",
        ] {
            assert!(wrong.contains(part), "{wrong}");
        }
        assert_eq!(
            suppressions.take(&mut vec![finding("d.txt", LintRule::Tiny, "")]),
            1
        );
    }

    #[test]
    fn what_looks_like_a_comment_or_a_pattern_is_accepted_literally() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(SUPPRESSIONS);
        for name in ["#1.txt", "*", "\\*", "\\#1.txt"] {
            let odd = finding(name, LintRule::Gutenberg, "*");
            let accepted = Suppressions::read(&path).unwrap();
            accepted
                .accept(std::slice::from_ref(&odd), "looked at it")
                .unwrap();
            let read = Suppressions::read(&path).unwrap();
            assert_eq!(read.take(&mut vec![odd]), 1, "{name}");
            let others = [
                finding("b.txt", LintRule::Gutenberg, "*"),
                finding(name, LintRule::Gutenberg, "Project Gutenberg"),
            ];
            assert_eq!(read.take(&mut others.to_vec()), 0, "{name}");
        }
    }

    #[test]
    fn accepting_adds_to_the_file_and_keeps_every_byte_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(SUPPRESSIONS);
        let odd = finding("d/a\tb.txt", LintRule::Note, "back\\slash\tand tab");
        let none = Suppressions::read(&path).unwrap();
        none.accept(std::slice::from_ref(&odd), "").unwrap_err();
        none.accept(std::slice::from_ref(&odd), "looked at it")
            .unwrap();
        let one = Suppressions::read(&path).unwrap();
        assert_eq!(one.take(&mut vec![odd]), 1);
        fs::write(&path, "# by hand\nbroken").unwrap();
        let tiny = finding("e.txt", LintRule::Tiny, "");
        let by_hand = Suppressions::read(&path).unwrap();
        by_hand.accept(&[tiny], "a poem").unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text, "# by hand\nbroken\ne.txt\ttiny\t\ta poem\n");
    }
}
