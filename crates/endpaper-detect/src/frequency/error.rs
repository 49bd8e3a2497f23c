//! Reasons to refuse a model or a part.

use endpaper_text::varint::InvalidVarint;
use std::path::PathBuf;

use endpaper_text::line::PREPROCESSING_VERSION;

/// Why a model file or a part is refused.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// Neither a model nor a part.
    #[error("it is not a model file")]
    NotAModel,
    /// A part where a model is expected.
    #[error("it is a part, not a model; merge it into a model first")]
    IsAPart,
    /// Not a part, where a part is expected.
    #[error("it is not a part")]
    NotAPart,
    /// A model where a part is expected.
    #[error(
        "it is a model, which has lost its rare lines and cannot be added to; count its books again as a part"
    )]
    IsAModel,
    /// Written in another format version.
    #[error("it has format version {found}, this program reads version {expected}; make it again")]
    Version {
        /// The version in the file.
        found: u32,
        /// The version that this program reads.
        expected: u32,
    },
    /// The end of the file is missing.
    #[error("it ends too early; copy or make it again")]
    Truncated,
    /// The bytes were changed.
    #[error("its checksum does not fit its contents; copy or make it again")]
    Checksum,
    /// Its lines were preprocessed by another version, so its keys mean other lines.
    #[error(
        "its lines were preprocessed by version {found}, this program uses version {PREPROCESSING_VERSION}; make it again"
    )]
    Preprocessing {
        /// The version in the file.
        found: u32,
    },
    /// Damaged, or written by a newer program.
    #[error("it is damaged or from a newer program ({0}); make it again")]
    Malformed(&'static str),
}

impl From<InvalidVarint> for ModelError {
    fn from(_: InvalidVarint) -> ModelError {
        ModelError::Malformed("a number is out of range")
    }
}

/// A folder that cannot store the temporary files of a counting structure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the counting structure 'external' cannot use the folder '{}' for its temporary files; free space there, name another \
     folder with TMPDIR, or let it use more memory", .0.display()
)]
pub struct NoScratch(pub PathBuf);

/// Books that are in two of the parts to be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("they would count twice; give each once")]
pub struct RepeatedBooks;
