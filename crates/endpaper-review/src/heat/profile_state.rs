//! State of a book's profile.

use endpaper_detect::pipeline::BookProfile;

/// State of a book's profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ProfileState {
    /// The book is not read yet.
    #[default]
    Unread,
    /// The book cannot be read.
    Unreadable,
    /// The book is read.
    Read(Box<BookProfile>),
}
