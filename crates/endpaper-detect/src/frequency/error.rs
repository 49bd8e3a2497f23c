//! Why a model or a part is refused.

use endpaper_text::varint::InvalidVarint;
use std::path::PathBuf;

use endpaper_text::line::PREPROCESSING_VERSION;

/// Why a model file or a part is refused.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// Something else.
    #[error("it is not a model file")]
    NotAModel,
    /// A part where a model is wanted.
    #[error("it is a part, not a model; merge it into a model first")]
    IsAPart,
    /// Something else where a part is wanted.
    #[error("it is not a part")]
    NotAPart,
    /// A model where a part is wanted.
    #[error(
        "it is a model, which has lost its rare lines and cannot be added to; count its books again as a part"
    )]
    IsAModel,
    /// Written by another version of the program.
    #[error("it has format version {found}, this program reads version {expected}; make it again")]
    Version {
        /// The version in the file.
        found: u32,
        /// The version that is read.
        expected: u32,
    },
    /// The end is missing.
    #[error("it ends too early; copy or make it again")]
    Truncated,
    /// Bytes were changed.
    #[error("its checksum does not fit its contents; copy or make it again")]
    Checksum,
    /// Its keys mean other lines than ours.
    #[error(
        "its lines were preprocessed by version {found}, this program uses version {PREPROCESSING_VERSION}; make it again"
    )]
    Preprocessing {
        /// The version in the file.
        found: u32,
    },
    /// Made by a program that knows more than this one, or by mistake.
    #[error("it is damaged or from a newer program ({0}); make it again")]
    Malformed(&'static str),
}

impl From<InvalidVarint> for ModelError {
    fn from(_: InvalidVarint) -> ModelError {
        ModelError::Malformed("a number is out of range")
    }
}

/// A folder that cannot take the files of a counting structure that works on disk.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the counting structure 'external' cannot use the folder '{}' for its temporary files; free space there, name another \
     folder with TMPDIR, or let it use more memory", .0.display()
)]
pub struct NoScratch(pub PathBuf);

/// Books that are in two parts of what is added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("they would count twice; give each once")]
pub struct RepeatedBooks;
