//! The fields that a query may name before a colon.

use crate::BookPart;

/// What `name:` narrows a search to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QueryField {
    /// `title:`
    Part(BookPart),
    /// `language:`
    Language,
    /// `date:`
    Years(YearField),
}

/// A year of a book that queries select by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum YearField {
    /// The year of the printed book; `publish_date` in the paper's table 4.
    Published,
    /// The year in which the e-book was released.
    Released,
}

impl YearField {
    /// Its name in a query.
    pub fn name(self) -> &'static str {
        match self {
            YearField::Published => "date",
            YearField::Released => "released",
        }
    }
}

impl QueryField {
    /// The field with a name in small letters.
    pub fn of(name: &str) -> Option<QueryField> {
        Some(match name {
            "language" => QueryField::Language,
            "date" | "year" | "published" | "publish_date" => {
                QueryField::Years(YearField::Published)
            }
            "released" => QueryField::Years(YearField::Released),
            "author" => QueryField::Part(BookPart::Authors),
            "chapters" => QueryField::Part(BookPart::Chapter),
            "titles" => QueryField::Part(BookPart::Title),
            name => QueryField::Part(name.parse().ok()?),
        })
    }

    /// The names of all fields, each once.
    pub fn names() -> Vec<&'static str> {
        let parts = BookPart::ALL.iter().map(|part| part.name());
        parts.chain(["language", "date", "released"]).collect()
    }
}
