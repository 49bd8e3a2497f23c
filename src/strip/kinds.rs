//! Kinds of boilerplate between the cuts that can be left out.

use crate::names::names;
use crate::truth::Inside;

/// Which marked boilerplate between the cuts is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InsideKind {
    /// Whatever a record marks.
    All,
    /// Licence text.
    Licence,
    /// Title, author, release date ...
    Metadata,
    /// Marker lines.
    Marker,
    /// Who made the file.
    Credits,
    /// Notes of those who made the file.
    Note,
    /// A title typed above the credits.
    TypedTitle,
    /// Rows of asterisks or dashes.
    Separator,
    /// Lists of other books.
    List,
}

names!(InsideKind, "kind of boilerplate inside", {
    All => "all",
    Licence => "licence",
    Metadata => "metadata",
    Marker => "marker",
    Credits => "credits",
    Note => "note",
    TypedTitle => "typed-title",
    Separator => "separator",
    List => "list",
});

impl InsideKind {
    /// Whether this leaves a marked block out.
    pub fn takes(self, inside: &Inside) -> bool {
        self == InsideKind::All || self.name() == inside.kind
    }
}
