//! Synthetic pages.

/// A synthetic page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadePage {
    /// File name.
    pub name: String,
    /// HTML source.
    pub html: String,
}
