//! What is wrong in a file of the user's, and where.

use std::fmt;
use std::path::{Path, PathBuf};

/// A place in a text, both counted from 1; columns are characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextPosition {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// Something wrong in a text: one sentence that names the value and the repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where, unless it is the whole file.
    pub position: Option<TextPosition>,
    /// What, and what to write instead.
    pub message: String,
}

/// Longest sentence, in characters: what a file of another kind holds for a name may be all of it.
const MAX_CHARS: usize = 400;

impl Diagnostic {
    /// A mistake at a place.
    pub fn at(place: TextPosition, text: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Some(place), text.into())
    }

    /// A mistake of the whole file.
    pub fn in_whole_file(text: impl Into<String>) -> Diagnostic {
        Diagnostic::new(None, text.into())
    }

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

    /// The mistake with its file.
    pub fn in_file(self, file: &Path) -> ConfigProblem {
        ConfigProblem {
            file: file.to_owned(),
            diagnostic: self,
        }
    }
}

/// A mistake with its file. It stops nothing: what it is about stays as it is by default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigProblem {
    /// The file.
    pub file: PathBuf,
    /// What is wrong in it.
    pub diagnostic: Diagnostic,
}

impl ConfigProblem {
    /// The problem with the file's name alone, for one line of a screen.
    pub fn brief(&self) -> String {
        let name = self.file.file_name().map(|name| name.to_string_lossy());
        self.with(&name.unwrap_or_default())
    }

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
