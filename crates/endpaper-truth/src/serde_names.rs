//! Words of the format: enums that are read and written by name, and texts that must be texts.

/// Gives an enum the names of [`endpaper_text::named_enum`], and reads and writes it by them.
macro_rules! serde_named_enum {
    ($type:ident, $what:literal, { $($variant:ident => $name:literal),+ $(,)? }) => {
        endpaper_text::named_enum!($type, $what, { $($variant => $name),+ });

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                $crate::serde_names::deserialize_parsed(from, str::parse)
            }
        }
    };
}
pub(super) use serde_named_enum;

use serde::de::{Deserializer, Error, Visitor};

/// Reads a string and nothing that a YAML reader could take for a number, a truth value or null.
pub(super) fn deserialize_text<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    deserialize_parsed(from, |text| Ok(text.to_owned()))
}

/// Reads a string that need not be there (with `default`).
pub(super) fn deserialize_optional_text<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<String>, D::Error> {
    deserialize_parsed(from, |text| Ok(Some(text.to_owned())))
}

/// Reads a string as something else. Parsing happens while the reader still knows the place, for the error message.
pub(super) fn deserialize_parsed<'de, D: Deserializer<'de>, T>(
    from: D,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<T, D::Error> {
    from.deserialize_any(NameText(parse))
}

/// A serde visitor that parses a text with the function `F` and refuses every other value.
struct NameText<F>(F);

impl<T, F: Fn(&str) -> Result<T, String>> Visitor<'_> for NameText<F> {
    type Value = T;
    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a text (put it in double quotes)")
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.0)(text).map_err(E::custom)
    }
}

/// Reads a list of strings, each as [`deserialize_text`] does.
pub(super) fn deserialize_texts<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Vec<String>, D::Error> {
    /// A text of a list.
    #[derive(serde::Deserialize)]
    struct NameItem(#[serde(deserialize_with = "deserialize_text")] String);
    let items = <Vec<NameItem> as serde::Deserialize>::deserialize(from)?;
    Ok(items.into_iter().map(|item| item.0).collect())
}
