//! The header of a book: a first guess at title, author, number, language and producer.
//!
//! Only rows of the windows near the two ends are read: a line in the middle of a book may resemble a field.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::cues::languages::{CueKind, Cues};
use super::leading_pattern::LeadingPattern;
use super::lines::WindowLines;
use super::producer::squeeze;
use super::{MarkerSet, ScanRow, producer};

/// Rows of the head that are searched for fields.
const ROWS: usize = 120;
/// Longest field, in characters.
const MAX_FIELD_CHARS: usize = 200;

/// Fields of the header, trimmed and decoded, not sanitised.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Title.
    pub title: Option<String>,
    /// Author.
    pub author: Option<String>,
    /// Number of the e-book in its library.
    pub number: Option<u32>,
    /// Language.
    pub language: Option<String>,
    /// The producer: the first name in the credits.
    pub producer: Option<String>,
}

/// The kinds of field names that are read.
const FIELDS: [CueKind; 4] = [
    CueKind::TitleField,
    CueKind::AuthorField,
    CueKind::EditorField,
    CueKind::LanguageField,
];

/// The regular expressions that read the header.
pub(super) struct HeaderPatterns {
    field: Regex,
    field_names: LeadingPattern,
    fields: Vec<(&'static str, CueKind)>,
    number: Regex,
    work: Regex,
}

static PATTERNS: LazyLock<Option<HeaderPatterns>> =
    LazyLock::new(|| HeaderPatterns::new(Cues::all()));

impl HeaderPatterns {
    /// `None` if an expression is invalid.
    pub fn new(cues: &Cues) -> Option<HeaderPatterns> {
        let compile = |pattern: &str| Regex::new(pattern).ok();
        let of_kind = |kind| cues.of(kind).map(move |name| (name, kind));
        let fields: Vec<_> = FIELDS.into_iter().flat_map(of_kind).collect();
        let names: Vec<String> = fields.iter().map(|(name, _)| regex::escape(name)).collect();
        let names = names.join("|");
        Some(HeaderPatterns {
            field_names: LeadingPattern::new(&names)?,
            field: compile(&format!(r"^\s*({names})\s*:\s*(.*)$"))?,
            fields,
            number: compile(
                r"(?i)\[\s*(?:e-?text|e-?book|etext)?\s*(?:number|no\.?|#)\s*#?\s*(\d{1,6})\s*\]",
            )?,
            work: compile(
                r"(?i)^[\s*]*(?:this is )?(?:the )?project gutenberg(?:'s|s)?(?: e-?text| ebook| etext| e-?book| edition)?(?: #?\d+)?(?: of|,|:)?\s+(.+?)[\s*]*$",
            )?,
        })
    }

    /// The field that a line is, and what comes after its name. Most lines are not fields, and captures are expensive.
    pub fn field<'a>(&self, line: &'a str) -> Option<(CueKind, &'a str)> {
        if !self.field_names.may_match(line) || !line.contains(':') {
            return None;
        }
        let (_, [name, value]) = self.field.captures(line)?.extract();
        let field = self.fields.iter().find(|(known, _)| *known == name);
        field.map(|(_, kind)| (*kind, value))
    }
}

/// Reads the header from the first rows of the head window.
pub(super) fn read(text: &WindowLines<'_>, rows: &[ScanRow], head: usize) -> Header {
    let mut header = Header::default();
    let Some(patterns) = &*PATTERNS else {
        return header;
    };
    // Title and author mentioned in other lines count only if no field has them.
    let mut passing = Header::default();
    for (at, row) in rows.iter().take(ROWS).enumerate() {
        let line = text.display(row.line, 1000);
        if let Some((field, value)) = patterns.field(&line) {
            let slot = match field {
                CueKind::TitleField => &mut header.title,
                CueKind::LanguageField => &mut header.language,
                CueKind::EditorField => &mut passing.author,
                _ => &mut header.author,
            };
            slot.get_or_insert(with_continuation(text, rows, at, value));
        }
        if row.marks.has(MarkerSet::GUTENBERG) || line.contains('#') {
            read_number(&mut header, &line, patterns);
        }
        if passing.title.is_none() && row.marks.has(MarkerSet::GUTENBERG) && at < 12 {
            read_work(
                &mut passing,
                &with_continuation(text, rows, at, &line),
                patterns,
            );
        }
    }
    header.title = header.title.or(passing.title);
    header.author = header.author.or(passing.author);
    header.producer = producer::read(text, rows, head);
    for field in [&mut header.title, &mut header.author, &mut header.language] {
        *field = field.take().filter(|value| !value.is_empty());
    }
    header
}

/// The value of a field with its continuation: the next lines, if they are indented or the value ends in a comma or in `by`.
fn with_continuation(text: &WindowLines<'_>, rows: &[ScanRow], at: usize, first: &str) -> String {
    let mut value = squeeze(first);
    for pair in rows[at..].windows(2).take(3) {
        if pair[1].line != pair[0].line + 1 {
            break;
        }
        let next = text.display(pair[1].line, 1000);
        let goes_on = next.starts_with("   ") || value.ends_with(',') || value.ends_with(" by");
        if !goes_on || next.contains(": ") {
            break;
        }
        value = format!("{value} {}", squeeze(&next));
    }
    value
        .chars()
        .take(MAX_FIELD_CHARS)
        .collect::<String>()
        .trim()
        .to_owned()
}

/// Reads the e-book number of a line such as `[Etext #244]`, unless it is known.
fn read_number(header: &mut Header, line: &str, patterns: &HeaderPatterns) {
    if header.number.is_none()
        && line.contains('[')
        && let Some(found) = patterns.number.captures(line)
    {
        header.number = found[1].parse().ok();
    }
}

/// Reads title and author from `The Project Gutenberg Etext of A Study in Scarlet, by A. Conan Doyle`.
fn read_work(header: &mut Header, line: &str, patterns: &HeaderPatterns) {
    let Some(found) = patterns.work.captures(line) else {
        return;
    };
    let work = found[1].trim_matches(|c: char| c == '*' || c.is_whitespace());
    // `Project Gutenberg-tm` and `Project Gutenberg License` are not followed by a title.
    if work
        .to_lowercase()
        .starts_with(|c: char| !c.is_alphanumeric())
        || work.starts_with("License")
    {
        return;
    }
    let (title, author) = match work.rfind(" by ") {
        Some(at) => (&work[..at], Some(&work[at + 4..])),
        None => (work, None),
    };
    header.title = Some(title.trim_end_matches([',', ' ']).to_owned());
    if let Some(author) = author {
        header.author = Some(author.trim().trim_end_matches('.').to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::{WindowOptions, scan};

    fn header(text: &str) -> Header {
        scan(text.as_bytes(), WindowOptions::default()).header
    }

    #[test]
    fn fields_are_read_with_their_continuations() {
        let found = header(
            "The Project Gutenberg EBook of Max Havelaar, by Multatuli\n\n\
             Title: Max Havelaar\n       Of de koffiveilingen\n\nAuthor: Multatuli\n\n\
             Release Date: February 10, 2004 [EBook #11024]\n\nLanguage: Dutch\n\n\
             *** START OF THIS PROJECT GUTENBERG EBOOK MAX HAVELAAR ***\n\nProduced by Marc D'Hooghe.\n",
        );
        assert_eq!(
            found.title.as_deref(),
            Some("Max Havelaar Of de koffiveilingen")
        );
        assert_eq!(found.author.as_deref(), Some("Multatuli"));
        assert_eq!(
            (found.number, found.language.as_deref()),
            (Some(11024), Some("Dutch"))
        );
        assert_eq!(found.producer.as_deref(), Some("Marc D'Hooghe"));
    }

    #[test]
    fn old_headers_say_title_and_author_in_one_line() {
        let found = header(
            "**The Project Gutenberg Etext of A Study in Scarlet, by Doyle**\n\n\
             April, 1995  [Etext #244]\n\nThis etext was prepared by Roger Squires  rsquires@unm.edu\n",
        );
        assert_eq!(found.title.as_deref(), Some("A Study in Scarlet"));
        assert_eq!(found.author.as_deref(), Some("Doyle"));
        assert_eq!(found.number, Some(244));
        assert_eq!(found.producer.as_deref(), Some("Roger Squires"));
    }

    #[test]
    fn a_team_is_reduced_to_its_first_name() {
        let cases = [
            (
                "Produced by Juliet Sutherland, Charles Franks and the Online Distributed\n",
                "Juliet Sutherland",
            ),
            (
                "Produced by Al Haines and the Online Distributed Proofreading Team\n",
                "Al Haines",
            ),
            ("E-text prepared by\nDavid Widger\n", "David Widger"),
        ];
        for (line, name) in cases {
            assert_eq!(header(line).producer.as_deref(), Some(name), "{line}");
        }
    }

    #[test]
    fn a_text_without_header_says_nothing() {
        assert_eq!(
            header("It was a dark and stormy night; the rain fell\n"),
            Header::default()
        );
    }
}
