//! What a check finds.

use std::fmt;

use serde::Serialize;

use endpaper_text::named_enum;

/// Why something was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LintRule {
    /// A line that marks the beginning or end of boilerplate.
    Marker,
    /// Lines near an end that read like the credits of those who made the file.
    Credits,
    /// Lines near an end that read like a note of those who made the file.
    Note,
    /// A line that names the library.
    Gutenberg,
    /// Lines near an end that the model knows from many books.
    Frequent,
    /// A body without text.
    Empty,
    /// A body of a few lines.
    Tiny,
    /// A body of quite another size than the rest.
    Size,
    /// A body that is the whole source.
    Uncut,
    /// A body that lost more of its source than boilerplate is long.
    MuchCut,
    /// A file that is not as the manifest says.
    Changed,
    /// A file of the manifest that is not there.
    Missing,
    /// A file the manifest does not know.
    Unlisted,
    /// A half-written file that a killed run left.
    Temporary,
}

named_enum!(LintRule, "rule of the check", {
    Marker => "marker",
    Credits => "credits",
    Note => "note",
    Gutenberg => "gutenberg",
    Frequent => "frequent",
    Empty => "empty",
    Tiny => "tiny",
    Size => "size",
    Uncut => "uncut",
    MuchCut => "much-cut",
    Changed => "changed",
    Missing => "missing",
    Unlisted => "unlisted",
    Temporary => "temporary",
});

impl Serialize for LintRule {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

/// Something that should not be in a folder of bodies, or that a person should have examined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LintFinding {
    /// The file, relative to the folder, with `/`.
    pub file: String,
    /// The line, from 1; 0 for the whole file.
    pub line: u32,
    /// Why.
    pub rule: LintRule,
    /// What was found, in words.
    pub message: String,
    /// The line's text, its first characters; empty for the whole file. Not sanitised.
    pub text: String,
}

impl LintFinding {
    /// A finding about a whole file.
    pub fn of_file(file: &str, rule: LintRule, message: impl Into<String>) -> LintFinding {
        LintFinding {
            file: file.to_owned(),
            line: 0,
            rule,
            message: message.into(),
            text: String::new(),
        }
    }
}

impl fmt::Display for LintFinding {
    /// As compilers print it: editors jump to `file:line`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file)?;
        if self.line > 0 {
            write!(f, "{}:", self.line)?;
        }
        write!(f, " {}: {}", self.rule, self.message)?;
        if !self.text.is_empty() {
            write!(f, ": {}", self.text)?;
        }
        Ok(())
    }
}
