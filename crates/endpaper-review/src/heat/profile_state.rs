//! What is known of the lines of a book.

use endpaper_detect::pipeline::BookProfile;

/// What is known of a book's lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ProfileState {
    /// Nothing yet.
    #[default]
    Unread,
    /// The book cannot be read.
    Unreadable,
    /// Its profile.
    Read(Box<BookProfile>),
}
