//! Bodies out: what stands between the cuts, byte for byte.
//!
//! [`choose`] decides which lines of a book are its body and on whose word, or why the book is left out; it is pure.
//! [`Stripper`] gives every book its file and writes it, at once and never over an existing one unless told to. Reading
//! the books, detecting, and printing the manifest are others' work.

mod choose;
mod stripper;
#[cfg(test)]
mod tests;

pub use choose::{Body, By, Omitted, Options, choose};
pub use stripper::{Failure, MANIFEST_HEADER, Stripped, Stripper};
