//! The fields of newer headers: `Title: ...`, `Release Date: ...`, with their continuation lines.

use super::dates;
use super::{MetadataValue, ValueExtractor, ValueSource};
use crate::fold::squeeze;
use endpaper_text::corpus::BookText;

/// Most lines searched for fields if no marker ends the header.
const LINES: u32 = 120;
/// Longest field, in bytes.
const MAX_FIELD_BYTES: usize = 400;
/// Most continuation lines of a field.
const MORE: u32 = 4;

/// The name of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldName {
    Title,
    Author,
    Editor,
    Translator,
    Illustrator,
    Language,
    Released,
    Encoding,
    Original,
}

/// The names of fields in headers, in lower case.
const NAMES: &[(&str, FieldName)] = &[
    ("title", FieldName::Title),
    ("titel", FieldName::Title),
    ("título", FieldName::Title),
    ("titulo", FieldName::Title),
    ("titre", FieldName::Title),
    ("titolo", FieldName::Title),
    ("author", FieldName::Author),
    ("authors", FieldName::Author),
    ("author(s)", FieldName::Author),
    ("autor", FieldName::Author),
    ("auteur", FieldName::Author),
    ("autore", FieldName::Author),
    ("editor", FieldName::Editor),
    ("editors", FieldName::Editor),
    ("translator", FieldName::Translator),
    ("translators", FieldName::Translator),
    ("tradutor", FieldName::Translator),
    ("illustrator", FieldName::Illustrator),
    ("illustrators", FieldName::Illustrator),
    ("language", FieldName::Language),
    ("lingua", FieldName::Language),
    ("sprache", FieldName::Language),
    ("release date", FieldName::Released),
    ("posting date", FieldName::Released),
    ("publication date", FieldName::Released),
    ("character set encoding", FieldName::Encoding),
    ("character set", FieldName::Encoding),
    ("encoding", FieldName::Encoding),
    ("original publication", FieldName::Original),
];

/// A field of the header, such as `Title: ...`, with its value (continuation lines joined) and its line.
#[derive(Clone, Debug)]
struct HeaderField {
    name: FieldName,
    value: String,
    line: u32,
}

/// All recognised fields of a header, in file order.
#[derive(Clone, Debug, Default)]
pub(super) struct HeaderFields(Vec<HeaderField>);

/// Reads the fields above the marker in line `header`; without a marker (0), those in the first [`LINES`] lines.
pub(super) fn read(text: &BookText, header: u32, lines: u32) -> HeaderFields {
    let last = if header == 0 {
        LINES.min(lines)
    } else {
        header.min(10 * LINES)
    };
    let mut fields = HeaderFields::default();
    let mut line = 0;
    while line < last {
        line += 1;
        let words = text.display(line, MAX_FIELD_BYTES);
        let Some((name, value)) = named(&words) else {
            continue;
        };
        let (value, more) = with_continuation(text, line, name, value);
        if !value.is_empty() {
            fields.0.push(HeaderField { name, value, line });
        }
        line += more;
    }
    fields
}

/// Splits a line into the name of a field and the text after the colon.
fn named(line: &str) -> Option<(FieldName, &str)> {
    let (name, value) = line.split_once(':')?;
    let name = name.trim().trim_matches('*');
    if name.is_empty() || name.len() > 30 {
        return None;
    }
    let name = name.to_lowercase();
    let known = NAMES.iter().find(|(known, _)| *known == name)?;
    Some((known.1, value))
}

/// Appends continuation lines: indented ones, and those after a comma or `by`. Also returns how many there are.
fn with_continuation(text: &BookText, line: u32, name: FieldName, first: &str) -> (String, u32) {
    // Several people are listed one per line.
    let people = matches!(
        name,
        FieldName::Author | FieldName::Editor | FieldName::Translator | FieldName::Illustrator
    );
    let mut value = squeeze(first);
    let mut more = 0;
    while more < MORE {
        let next = text.display(line + more + 1, MAX_FIELD_BYTES);
        let goes_on = next.starts_with("   ")
            || next.starts_with('\t')
            || value.ends_with(',')
            || value.ends_with(" by");
        if next.trim().is_empty()
            || !goes_on
            || named(&next).is_some()
            || value.len() + next.len() > MAX_FIELD_BYTES
        {
            break;
        }
        let open = value.is_empty()
            || value.ends_with([',', ';'])
            || value.ends_with(" and")
            || value.ends_with(" by");
        let joint = if people && !open { ";" } else { "" };
        value = format!("{value}{joint} {}", squeeze(&next))
            .trim()
            .to_owned();
        more += 1;
    }
    (value, more)
}

impl HeaderFields {
    /// All values of a field with their sources.
    pub fn values(&self, name: FieldName) -> Vec<(String, ValueSource)> {
        let fields = self.0.iter().filter(|field| field.name == name);
        let place = |field: &HeaderField| ValueSource {
            extractor: ValueExtractor::Field,
            line: Some(field.line),
        };
        fields
            .map(|field| (field.value.clone(), place(field)))
            .collect()
    }

    /// The first value of a field.
    pub fn first(&self, name: FieldName) -> Option<MetadataValue<String>> {
        let field = self.0.iter().find(|field| field.name == name)?;
        Some(MetadataValue::from_source(
            field.value.clone(),
            ValueExtractor::Field,
            Some(field.line),
        ))
    }

    /// The year in the field on the original publication.
    pub fn published(&self) -> Option<MetadataValue<u32>> {
        let field = self
            .0
            .iter()
            .find(|field| field.name == FieldName::Original)?;
        let year = dates::years(&field.value).last()?;
        Some(MetadataValue::from_source(
            year,
            ValueExtractor::Field,
            Some(field.line),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_with_the_lines_they_go_on_in() {
        let source = "Title: Max Havelaar\n       Of de koffij\n\nAuthor: Multatuli\nTranslator: A. Person,\nEsq.\n\
             Release Date: May, 2004\nThe title: none\n\nLanguage:\n";
        let text = BookText::new(source.into());
        let fields = read(&text, 0, text.lines());
        let all: Vec<_> = fields
            .0
            .iter()
            .map(|field| (field.name, field.value.as_str(), field.line))
            .collect();
        assert_eq!(
            all,
            [
                (FieldName::Title, "Max Havelaar Of de koffij", 1),
                (FieldName::Author, "Multatuli", 4),
                (FieldName::Translator, "A. Person, Esq.", 5),
                (FieldName::Released, "May, 2004", 7),
            ]
        );
    }

    #[test]
    fn fields_below_the_marker_are_none() {
        let text = BookText::new("Title: A\n*** START ***\nAuthor: B\n".into());
        assert!(read(&text, 2, 3).values(FieldName::Author).is_empty());
    }
}
