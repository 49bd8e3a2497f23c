//! Kinds of blocks.

use serde::{Deserialize, Serialize};

use endpaper_text::named_enum;

/// The kind of a block of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BlockKind {
    /// Licence text.
    Licence,
    /// Title, author, release date ...
    Metadata,
    /// Marker lines.
    Marker,
    /// Credits of those who produced the file.
    Credits,
    /// Notes by those who produced the file.
    Note,
    /// A title typed by those who produced the file.
    TypedTitle,
    /// Rows of asterisks or dashes.
    Separator,
    /// Lists of other books or of quotations.
    List,
    /// The book itself.
    Book,
}

named_enum!(BlockKind, "kind of block", {
    Licence => "licence",
    Metadata => "metadata",
    Marker => "marker",
    Credits => "credits",
    Note => "note",
    TypedTitle => "typed-title",
    Separator => "separator",
    List => "list",
    Book => "book",
});
