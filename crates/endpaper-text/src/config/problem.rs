//! Problems in the user's files, with their position.

use std::fmt;
use std::path::{Path, PathBuf};

/// A position in a text; line and column are counted from 1, columns in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextPosition {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// A problem in a text: one sentence that names the value and the fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Position, or `None` for the whole file.
    pub position: Option<TextPosition>,
    /// What is wrong, and what to write instead.
    pub message: String,
}

/// Longest message, in characters: a file of another kind may quote all of itself as one name.
const MAX_CHARS: usize = 400;

impl Diagnostic {
    /// A problem at a position.
    pub fn at(place: TextPosition, text: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Some(place), text.into())
    }

    /// A problem of the whole file.
    pub fn in_whole_file(text: impl Into<String>) -> Diagnostic {
        Diagnostic::new(None, text.into())
    }

    /// A problem at a position; long texts are shortened.
    fn new(place: Option<TextPosition>, mut text: String) -> Diagnostic {
        if let Some((at, _)) = text.char_indices().nth(MAX_CHARS) {
            text.truncate(at);
            text.push_str("...");
        }
        Diagnostic {
            position: place,
            message: text,
        }
    }

    /// Adds the file to the problem.
    pub fn in_file(self, file: &Path) -> ConfigProblem {
        ConfigProblem {
            file: file.to_owned(),
            diagnostic: self,
        }
    }
}

/// A problem with its file. It is never fatal: the setting keeps its default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigProblem {
    /// The file.
    pub file: PathBuf,
    /// What is wrong in it.
    pub diagnostic: Diagnostic,
}

impl ConfigProblem {
    /// The problem with the bare file name, for one line of a screen.
    pub fn brief(&self) -> String {
        let name = self.file.file_name().map(|name| name.to_string_lossy());
        self.with(&name.unwrap_or_default())
    }

    /// The problem in one line, with the name of the file and the position.
    fn with(&self, file: &str) -> String {
        let text = &self.diagnostic.message;
        match self.diagnostic.position {
            Some(TextPosition { line, column }) => format!("{file}:{line}:{column}: {text}"),
            None => format!("{file}: {text}"),
        }
    }
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with(&self.file.to_string_lossy()))
    }
}
