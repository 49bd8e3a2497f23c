//! The fields of newer headers: `Title: ...`, `Release Date: ...`, with the lines they go on in.

use super::dates;
use super::{Extractor, Source, Value};
use crate::fold::squeeze;
use endpaper_text::corpus::Text;

/// Lines of the head that can hold fields where no marker ends it.
const LINES: u32 = 120;
/// Longest field, in bytes.
const LONGEST: usize = 400;
/// Lines that a field can go on in.
const MORE: u32 = 4;

/// What a field is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
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

/// How fields are named in the header, in lower case.
const NAMES: &[(&str, Name)] = &[
    ("title", Name::Title),
    ("titel", Name::Title),
    ("título", Name::Title),
    ("titulo", Name::Title),
    ("titre", Name::Title),
    ("titolo", Name::Title),
    ("author", Name::Author),
    ("authors", Name::Author),
    ("author(s)", Name::Author),
    ("autor", Name::Author),
    ("auteur", Name::Author),
    ("autore", Name::Author),
    ("editor", Name::Editor),
    ("editors", Name::Editor),
    ("translator", Name::Translator),
    ("translators", Name::Translator),
    ("tradutor", Name::Translator),
    ("illustrator", Name::Illustrator),
    ("illustrators", Name::Illustrator),
    ("language", Name::Language),
    ("lingua", Name::Language),
    ("sprache", Name::Language),
    ("release date", Name::Released),
    ("posting date", Name::Released),
    ("publication date", Name::Released),
    ("character set encoding", Name::Encoding),
    ("character set", Name::Encoding),
    ("encoding", Name::Encoding),
    ("original publication", Name::Original),
];

/// A field as it was found.
#[derive(Clone, Debug)]
struct Field {
    name: Name,
    value: String,
    line: u32,
}

/// All fields of a header.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields(Vec<Field>);

/// Reads the fields above line `header`, the marker; of a text without one, near its beginning.
pub(super) fn read(text: &Text, header: u32, lines: u32) -> Fields {
    let last = if header == 0 {
        LINES.min(lines)
    } else {
        header.min(10 * LINES)
    };
    let mut fields = Fields::default();
    let mut line = 0;
    while line < last {
        line += 1;
        let words = text.display(line, LONGEST);
        let Some((name, value)) = named(&words) else {
            continue;
        };
        let (value, more) = with_continuation(text, line, name, value);
        if !value.is_empty() {
            fields.0.push(Field { name, value, line });
        }
        line += more;
    }
    fields
}

/// The name of a field and what stands behind the colon.
fn named(line: &str) -> Option<(Name, &str)> {
    let (name, value) = line.split_once(':')?;
    let name = name.trim().trim_matches('*');
    if name.is_empty() || name.len() > 30 {
        return None;
    }
    let name = name.to_lowercase();
    let known = NAMES.iter().find(|(known, _)| *known == name)?;
    Some((known.1, value))
}

/// A field goes on in lines that are indented, and behind a comma or `by`.
fn with_continuation(text: &Text, line: u32, name: Name, first: &str) -> (String, u32) {
    // Several people stand in lines of their own.
    let people = matches!(
        name,
        Name::Author | Name::Editor | Name::Translator | Name::Illustrator
    );
    let mut value = squeeze(first);
    let mut more = 0;
    while more < MORE {
        let next = text.display(line + more + 1, LONGEST);
        let goes_on = next.starts_with("   ")
            || next.starts_with('\t')
            || value.ends_with(',')
            || value.ends_with(" by");
        if next.trim().is_empty()
            || !goes_on
            || named(&next).is_some()
            || value.len() + next.len() > LONGEST
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

impl Fields {
    /// All values of a name with their places.
    pub fn of(&self, name: Name) -> Vec<(String, Source)> {
        let fields = self.0.iter().filter(|field| field.name == name);
        let place = |field: &Field| Source {
            extractor: Extractor::Field,
            line: Some(field.line),
        };
        fields
            .map(|field| (field.value.clone(), place(field)))
            .collect()
    }

    /// The first value of a name.
    pub fn first(&self, name: Name) -> Option<Value<String>> {
        let field = self.0.iter().find(|field| field.name == name)?;
        Some(Value::only(
            field.value.clone(),
            Extractor::Field,
            Some(field.line),
        ))
    }

    /// The year that the field on the original publication names.
    pub fn published(&self) -> Option<Value<u32>> {
        let field = self.0.iter().find(|field| field.name == Name::Original)?;
        let year = dates::years(&field.value).last()?;
        Some(Value::only(year, Extractor::Field, Some(field.line)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_with_the_lines_they_go_on_in() {
        let source = "Title: Max Havelaar\n       Of de koffij\n\nAuthor: Multatuli\nTranslator: A. Person,\nEsq.\n\
             Release Date: May, 2004\nThe title: none\n\nLanguage:\n";
        let text = Text::new(source.into());
        let fields = read(&text, 0, text.lines());
        let all: Vec<_> = fields
            .0
            .iter()
            .map(|field| (field.name, field.value.as_str(), field.line))
            .collect();
        assert_eq!(
            all,
            [
                (Name::Title, "Max Havelaar Of de koffij", 1),
                (Name::Author, "Multatuli", 4),
                (Name::Translator, "A. Person, Esq.", 5),
                (Name::Released, "May, 2004", 7),
            ]
        );
    }

    #[test]
    fn fields_below_the_marker_are_none() {
        let text = Text::new("Title: A\n*** START ***\nAuthor: B\n".into());
        assert!(read(&text, 2, 3).of(Name::Author).is_empty());
    }
}
