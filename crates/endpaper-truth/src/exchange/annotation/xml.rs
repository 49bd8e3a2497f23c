//! XML, written by hand and read as events: no document type, and so no entities but the predefined ones.

use std::borrow::Cow;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// A text with what XML gives a meaning escaped; also what attributes would turn into spaces.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 32);
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            other => out.push(other),
        }
    }
    out
}

/// The same in quotation marks.
pub(super) fn quoted(text: &str) -> String {
    let text = escaped(text).replace('"', "&quot;");
    let text = text.replace('\n', "&#10;").replace('\t', "&#9;");
    format!("\"{text}\"")
}

/// What is in a file of XML, piece by piece.
pub(super) enum XmlPiece<'a> {
    /// An element begins; one that is empty also ends.
    Start(&'a BytesStart<'a>),
    /// The last element that began ends.
    End,
    /// Text.
    Text(Cow<'a, str>),
}

/// Calls `each` with the pieces of a file.
///
/// # Errors
///
/// No XML, a document type, an entity of its own, an end that is missing.
pub(super) fn read_pieces(
    text: &str,
    mut each: impl FnMut(XmlPiece<'_>) -> Result<(), String>,
) -> Result<(), String> {
    let mut reader = Reader::from_str(text);
    let (mut depth, mut seen) = (0_usize, false);
    loop {
        let event = reader.read_event().map_err(|error| {
            let at = reader.error_position().min(text.len() as u64) as usize;
            let line = memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count() + 1;
            format!("is not well-formed XML at line {line}: {error}")
        })?;
        match event {
            Event::DocType(_) => {
                return Err(
                    "has a document type (<!DOCTYPE ...>), which is not read; remove it".to_owned(),
                );
            }
            Event::Start(element) => {
                (depth, seen) = (depth + 1, true);
                each(XmlPiece::Start(&element))?;
            }
            Event::Empty(element) => {
                seen = true;
                each(XmlPiece::Start(&element))?;
                each(XmlPiece::End)?;
            }
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                each(XmlPiece::End)?;
            }
            Event::Text(text) => each(XmlPiece::Text(text.xml10_content()))?,
            Event::CData(text) => each(XmlPiece::Text(text.xml10_content()))?,
            Event::GeneralRef(reference) => {
                let character = match reference.resolve_char_ref() {
                    Ok(Some(character)) => character,
                    Ok(None) => predefined(&reference)?,
                    Err(error) => return Err(format!("has a bad reference: {error}")),
                };
                each(XmlPiece::Text(character.to_string().into()))?;
            }
            Event::Eof if depth > 0 || !seen => {
                return Err("ends in the middle; the rest is missing".to_owned());
            }
            Event::Eof => return Ok(()),
            Event::Comment(_) | Event::PI(_) | Event::Decl(_) => {}
        }
    }
}

/// The character of a predefined entity.
fn predefined(name: &str) -> Result<char, String> {
    match name {
        "amp" => Ok('&'),
        "lt" => Ok('<'),
        "gt" => Ok('>'),
        "quot" => Ok('"'),
        "apos" => Ok('\''),
        other => Err(format!("has the unknown entity '&{other};'")),
    }
}

/// The name of an element without its prefix.
pub(super) fn name_of(element: &BytesStart<'_>) -> String {
    element.local_name().as_ref().to_owned()
}

/// The value of an attribute, if the element has it.
pub(super) fn attribute(element: &BytesStart<'_>, name: &str) -> Result<Option<String>, String> {
    let wrong = |error: String| format!("has a bad attribute '{name}': {error}");
    let found = element
        .try_get_attribute(name)
        .map_err(|error| wrong(error.to_string()))?;
    let value = |found: quick_xml::events::attributes::Attribute<'_>| {
        found
            .normalized_value(XmlVersion::Implicit1_0)
            .map(Cow::into_owned)
            .map_err(|error| wrong(error.to_string()))
    };
    found.map(value).transpose()
}
