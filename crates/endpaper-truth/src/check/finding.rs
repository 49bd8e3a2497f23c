//! One thing that is wrong, and where.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::locate;
use crate::yaml;
use endpaper_text::named_enum;

/// The rule that a finding breaks. Its name is a contract with scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CheckRule {
    /// The file does not parse, or its schema is unknown.
    Broken,
    /// A field contradicts another one or is out of its range.
    Invalid,
    /// Two files speak of one book.
    Duplicate,
    /// The file does not have the name of its book, so that no one finds it.
    Misplaced,
    /// The corpus has no such book.
    UnknownBook,
    /// The book of the record cannot be read.
    UnreadableBook,
    /// The book's bytes are not those that were decided.
    Changed,
    /// The record says something of the file that is not so.
    Facts,
    /// A cut is on a blank line.
    BlankCut,
    /// The lines kept around a cut are not those around it.
    Context,
    /// No review supports the current outcome.
    Unsigned,
    /// A conflict copy is unresolved.
    Conflict,
    /// The detector errs more than the budget allows.
    Worse,
    /// A labelled book has no budget.
    NoBudget,
    /// The budget names a book without a label.
    StaleBudget,
    /// The book was decided otherwise than those that are like it.
    Inconsistent,
    /// A near copy of the book was cut at other words.
    CopiesDiffer,
}

named_enum!(CheckRule, "rule", {
    Broken => "broken",
    Invalid => "invalid",
    Duplicate => "duplicate",
    Misplaced => "misplaced",
    UnknownBook => "unknown-book",
    UnreadableBook => "unreadable-book",
    Changed => "changed",
    Facts => "facts",
    BlankCut => "blank-cut",
    Context => "context",
    Unsigned => "unsigned",
    Conflict => "conflict",
    Worse => "worse",
    NoBudget => "no-budget",
    StaleBudget => "stale-budget",
    Inconsistent => "inconsistent",
    CopiesDiffer => "copies-differ",
});

impl CheckRule {
    /// Whether it makes a check fail; the others are worth a look.
    pub fn is_error(self) -> bool {
        !matches!(
            self,
            CheckRule::BlankCut
                | CheckRule::Context
                | CheckRule::Unsigned
                | CheckRule::Conflict
                | CheckRule::NoBudget
                | CheckRule::StaleBudget
                | CheckRule::Inconsistent
                | CheckRule::CopiesDiffer
        )
    }

    /// Whether it speaks of the detector and not of a record.
    pub fn is_of_detector(self) -> bool {
        matches!(
            self,
            CheckRule::Worse | CheckRule::NoBudget | CheckRule::StaleBudget
        )
    }
}

impl Serialize for CheckRule {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

/// Something wrong: what, in which file and line, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct CheckFinding {
    /// The file, as the user can open it.
    #[serde(serialize_with = "as_shown")]
    pub file: PathBuf,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What it is about.
    pub rule: CheckRule,
    /// The book; empty where the file does not tell.
    pub book: String,
    /// What is wrong and what to do, in one sentence.
    pub message: String,
}

/// A name that is not UTF-8 is written as it is printed.
fn as_shown<S: serde::Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&path.display())
}

impl fmt::Display for CheckFinding {
    /// As compilers do, so that editors jump to it: `file:line:column: error[rule] message`. Not sanitised.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weight = if self.rule.is_error() {
            "error"
        } else {
            "warning"
        };
        let (file, line, column) = (self.file.display(), self.line, self.column);
        let (rule, message) = (self.rule, &self.message);
        write!(f, "{file}:{line}:{column}: {weight}[{rule}] {message}")
    }
}

/// A violation: the rule, the field of the record, and a message.
pub type RuleViolation = (CheckRule, String, String);

/// Gives what is wrong its line in the file.
pub(super) fn locate_findings(
    file: &Path,
    book: &str,
    wrong: Vec<RuleViolation>,
) -> Vec<CheckFinding> {
    if wrong.is_empty() {
        return Vec::new();
    }
    // It was read a moment ago; if it went away since, the first line will do.
    let text = yaml::file_bytes(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let finding = |(rule, field, message): RuleViolation| {
        let (line, column) = locate::locate(&text, &field);
        CheckFinding {
            file: file.to_owned(),
            line,
            column,
            rule,
            book: book.to_owned(),
            message,
        }
    };
    wrong.into_iter().map(finding).collect()
}
