//! State of a book's shades.

use endpaper_detect::pipeline::BookShades;

/// State of a book's shades.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ShadesState {
    /// The book is not read yet.
    #[default]
    Unread,
    /// The book cannot be read.
    Unreadable,
    /// The book is read.
    Read(Box<BookShades>),
}
