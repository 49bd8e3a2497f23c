//! Kinds of parts of books.

use serde::{Deserialize, Serialize};

use endpaper_text::named_enum;

/// The kind of a part of a book, from the largest to the smallest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HeadingKind {
    /// A volume.
    Volume,
    /// A part.
    Part,
    /// A book of a work.
    Book,
    /// An act.
    Act,
    /// A canto.
    Canto,
    /// A chapter.
    Chapter,
    /// A letter.
    Letter,
    /// A scene.
    Scene,
    /// A section, lesson, story or another kind numbered by name.
    Section,
    /// A part with a number but no word for its kind.
    Numbered,
    /// Front or back matter: a preface, an introduction, an appendix.
    Matter,
    /// A part with a title only.
    Title,
}

named_enum!(HeadingKind, "kind of heading", {
    Volume => "volume",
    Part => "part",
    Book => "book",
    Act => "act",
    Canto => "canto",
    Chapter => "chapter",
    Letter => "letter",
    Scene => "scene",
    Section => "section",
    Numbered => "numbered",
    Matter => "matter",
    Title => "title",
});

impl HeadingKind {
    /// Whether parts of this kind are numbered.
    pub(crate) fn is_counted(self) -> bool {
        !matches!(self, HeadingKind::Matter | HeadingKind::Title)
    }
}
