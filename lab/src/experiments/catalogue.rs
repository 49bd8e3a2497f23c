//! Which files are the same e-book, by the catalogue (Kaser & Lemire, section 5: one copy of each e-book by catalogue metadata).
//!
//! The catalogue lists numbers, and a header states the number of its book. Files that state none are known by their names:
//! until 2003 these had up to five characters for the book and two digits for the edition (`frank10.txt`, `frank11.txt`), with
//! a `7` or `8` before the book in some of them for the character set.

use std::sync::LazyLock;

use regex::Regex;

/// An e-book, in one or more files.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EbookIdentity {
    /// Its number in the catalogue.
    Number(u32),
    /// Its short name in the names of its files.
    Name(String),
}

static EDITION_NAME: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^[78]?([a-z0-9]{2,5}?)(1[0-9])[a-z]?\.txt$").ok());

impl EbookIdentity {
    /// The e-book of a file, from the number in its header and its name; `None` if neither says anything.
    ///
    /// ```
    /// use lab::experiments::EbookIdentity;
    /// let name = EbookIdentity::of(None, "etext93/FRANK11.TXT");
    /// assert_eq!(name, Some(EbookIdentity::Name("frank".to_owned())));
    /// assert_eq!(EbookIdentity::of(None, "8frank10a.txt"), name);
    /// assert_eq!(EbookIdentity::of(Some(84), "frank11.txt"), Some(EbookIdentity::Number(84)));
    /// assert_eq!(EbookIdentity::of(None, "Frankenstein.txt"), None);
    /// assert_eq!(EbookIdentity::of(None, "12310.txt"), None);
    /// ```
    pub fn of(number: Option<u32>, id: &str) -> Option<EbookIdentity> {
        if let Some(number) = number {
            return Some(EbookIdentity::Number(number));
        }
        let name = id.rsplit(['/', '!']).next()?.to_lowercase();
        let found = EDITION_NAME.as_ref()?.captures(&name)?;
        // Digits alone are the number of a newer file.
        let book = found[1].to_owned();
        let has_letter = book.contains(|c: char| c.is_ascii_lowercase());
        has_letter.then_some(EbookIdentity::Name(book))
    }
}
