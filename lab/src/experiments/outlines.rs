//! How right outlines are (Wu et al., *Searching Online Book Documents and Analyzing Book Citations*, Table 5).

use std::collections::HashMap;

use endpaper_outline::{Outline, same_person, titles_agree};

/// Columns that can be compared with an outline, and the table's name of their extractor.
pub const FIELDS: [(&str, &str); 7] = [
    ("title", "Title"),
    ("authors", "Authors"),
    ("pg_number", "Number"),
    ("language", "Language"),
    ("released", "Release date"),
    ("published", "Publish date"),
    ("isbn", "ISBN"),
];

/// Values of one field that are right and wrong, over all books with a fact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutlineTally {
    /// Books with a fact.
    pub books: usize,
    /// Values that the facts have.
    pub wanted: usize,
    /// Values that were found.
    pub found: usize,
    /// Values of the facts that were found.
    pub right: usize,
    /// Number of values that match exactly, ignoring case and punctuation.
    pub exact: usize,
}

/// The true values of one book by column.
pub type OutlineFacts = HashMap<String, String>;

/// The true values of books by their ids.
pub type TrueValues = HashMap<String, OutlineFacts>;

/// Parses a tab-separated table whose first line names its columns: `book` (the id) and any of [`FIELDS`], several authors or
/// ISBNs separated by `;`. An empty cell means unknown, `-` that the book has no value.
pub fn parse_true_values(text: &str) -> TrueValues {
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let mut manifest = HashMap::new();
    for line in lines {
        let cells = line.split('\t').map(|cell| cell.trim().to_owned());
        let names = columns.iter().map(|column| (*column).to_owned());
        let facts: OutlineFacts = names.zip(cells).collect();
        if let Some(book) = facts.get("book") {
            manifest.insert(book.clone(), facts.clone());
        }
    }
    manifest
}

/// Counts one book in the tallies of [`FIELDS`]; returns the fields with a wrong or missing value, and their facts.
pub fn judge<'a>(
    facts: &'a OutlineFacts,
    found: &Outline,
    tallies: &mut [OutlineTally; FIELDS.len()],
) -> Vec<(&'static str, &'a str)> {
    let mut wrong = Vec::new();
    for ((field, _), tally) in FIELDS.iter().zip(tallies) {
        let fact = facts.get(*field).filter(|fact| !fact.is_empty());
        if let Some(fact) = fact.filter(|fact| judge_field(field, fact, found, tally)) {
            wrong.push((*field, fact.as_str()));
        }
    }
    wrong
}

/// The values of a field of an outline.
pub fn values(field: &str, found: &Outline) -> Vec<String> {
    let about = &found.metadata;
    match field {
        "title" => about
            .title
            .iter()
            .map(|title| title.value.clone())
            .collect(),
        "authors" => about
            .authors
            .iter()
            .map(|author| author.value.clone())
            .collect(),
        "pg_number" => about
            .number
            .iter()
            .map(|number| number.value.to_string())
            .collect(),
        "language" => about
            .language
            .iter()
            .map(|language| language.value.clone())
            .collect(),
        "released" => about
            .released
            .iter()
            .map(|date| date.value.to_string())
            .collect(),
        "published" => about
            .published
            .iter()
            .map(|year| year.value.to_string())
            .collect(),
        _ => about
            .isbns
            .iter()
            .map(|isbn| isbn.value.to_string())
            .collect(),
    }
}

/// Counts one book; returns whether a value is wrong or missing.
fn judge_field(field: &str, fact: &str, found: &Outline, tally: &mut OutlineTally) -> bool {
    let facts: Vec<&str> = match field {
        _ if fact == "-" => Vec::new(),
        "authors" | "isbn" => fact.split(';').map(str::trim).collect(),
        _ => vec![fact],
    };
    let values = values(field, found);
    let right = facts
        .iter()
        .filter(|fact| values.iter().any(|value| is_right(field, value, fact)))
        .count();
    let exact = facts
        .iter()
        .filter(|fact| values.iter().any(|value| plain(value) == plain(fact)))
        .count();
    tally.books += 1;
    tally.wanted += facts.len();
    tally.found += values.len();
    tally.right += right;
    tally.exact += exact;
    right < facts.len() || values.len() > facts.len()
}

fn is_right(field: &str, value: &str, fact: &str) -> bool {
    match field {
        // Old headers have title and author in one line, and so do lists made from them.
        "title" => {
            titles_agree(value, fact)
                || fact
                    .rfind(" by ")
                    .is_some_and(|at| titles_agree(value, fact[..at].trim_end_matches(',')))
        }
        "authors" => same_person(value, fact),
        "language" => {
            let fact = fact.trim_end_matches(" (guess)");
            value.eq_ignore_ascii_case(fact)
        }
        _ => value == fact,
    }
}

fn plain(text: &str) -> String {
    text.trim_end_matches(" (guess)")
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_outline::{MetadataValue, ValueExtractor};

    #[test]
    fn values_are_right_wrong_or_missing() {
        let manifest =
            parse_true_values("book\ttitle\tauthors\tisbn\na.txt\tThe Boat\tAnn Lee; Bo Ray\t-\n");
        let value =
            |text: &str| MetadataValue::from_source(text.to_owned(), ValueExtractor::Field, None);
        let mut outline = Outline::default();
        outline.metadata.title = Some(value("Boat"));
        outline.metadata.authors = vec![value("A. Lee"), value("Cy Fox")];
        let mut tallies = <[OutlineTally; FIELDS.len()]>::default();
        let wrong = judge(&manifest["a.txt"], &outline, &mut tallies);
        assert_eq!(wrong, [("authors", "Ann Lee; Bo Ray")]);
        let counts = tallies.map(|tally| {
            (
                tally.books,
                tally.wanted,
                tally.found,
                tally.right,
                tally.exact,
            )
        });
        assert_eq!(counts[0], (1, 1, 1, 1, 0));
        assert_eq!(counts[1], (1, 2, 2, 1, 0));
        // A book that has no ISBN, and none was found.
        assert_eq!(counts[6], (1, 0, 0, 0, 0));
        assert_eq!(counts[2], (0, 0, 0, 0, 0));
    }
}
