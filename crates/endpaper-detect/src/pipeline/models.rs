//! The frequencies that an analysis should use, and those that it did use.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Smallest number of books of a corpus that does not use the built-in model.
///
/// K = 10 is an absolute number: a licence in one of twenty books is frequent in a corpus of 200 books and not in a
/// smaller one. The built-in model was made from books of every era and contains such lines.
pub const MODEL_BOOKS: usize = 200;

/// The same for a corpus without a book of Project Gutenberg, of which the built-in model knows nothing: the share of its
/// own books that repeat a line says more.
pub(super) const STRANGE_MODEL_BOOKS: usize = 20;

/// A source of frequencies.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ModelSource {
    /// The corpus itself, however small.
    Corpus,
    /// The built-in model.
    BuiltIn,
    /// A model file.
    File(PathBuf),
}

/// The frequencies that an analysis should use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ModelChoice {
    /// The corpus itself, or the built-in model if the corpus has fewer than [`MODEL_BOOKS`] books, or than 20 and none of them
    /// is of Project Gutenberg.
    #[default]
    Auto,
    /// The sum of one or several sources.
    Sum(Vec<ModelSource>),
}

impl From<ModelSource> for ModelChoice {
    fn from(source: ModelSource) -> ModelChoice {
        ModelChoice::Sum(vec![source])
    }
}

impl ModelChoice {
    /// Whether the corpus must be counted.
    pub(super) fn counts_corpus(&self) -> bool {
        match self {
            ModelChoice::Auto => true,
            ModelChoice::Sum(sources) => sources.contains(&ModelSource::Corpus),
        }
    }

    /// The model files among the sources.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        let sources = match self {
            ModelChoice::Auto => &[],
            ModelChoice::Sum(sources) => &sources[..],
        };
        sources.iter().filter_map(|source| match source {
            ModelSource::File(path) => Some(path),
            _ => None,
        })
    }
}

/// The frequencies that an analysis used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ModelUsed {
    /// The built-in model, because the corpus has only this number of books, fewer than [`MODEL_BOOKS`].
    TooFew(usize),
    /// The sum of these sources.
    Sum(Vec<ModelSource>),
}

impl ModelUsed {
    /// The names of the sources, without the reason for them.
    pub fn name(&self) -> String {
        match self {
            ModelUsed::TooFew(_) => ModelSource::BuiltIn.to_string(),
            ModelUsed::Sum(_) => self.to_string(),
        }
    }

    /// Whether the frequencies include those of the corpus.
    pub fn holds_corpus(&self) -> bool {
        matches!(self, ModelUsed::Sum(sources) if sources.contains(&ModelSource::Corpus))
    }
}

impl fmt::Display for ModelSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelSource::Corpus => f.write_str("the frequencies of this corpus"),
            ModelSource::BuiltIn => f.write_str("the built-in model"),
            ModelSource::File(path) => write!(f, "the model '{}'", path.display()),
        }
    }
}

impl fmt::Display for ModelUsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelUsed::TooFew(n) => write!(
                f,
                "the built-in model, because {n} {} fewer than the {MODEL_BOOKS} that a model needs",
                if *n == 1 { "book is" } else { "books are" }
            ),
            ModelUsed::Sum(sources) => {
                let names: Vec<String> = sources.iter().map(ModelSource::to_string).collect();
                f.write_str(&names.join(" added to "))
            }
        }
    }
}
