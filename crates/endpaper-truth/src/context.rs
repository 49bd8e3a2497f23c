//! What a record keeps of the lines around its places, to find them again when a file changed.

use serde::{Deserialize, Serialize};

use super::serde_names::{deserialize_text, deserialize_texts};
use endpaper_text::corpus::BookText;
use endpaper_text::line::{Key, Normaliser};

/// Lines kept on each side of a cut.
pub const NEAR: usize = 3;

/// Characters kept of each line.
pub const WIDTH: usize = 120;

/// The nearest non-blank lines before and after a cut, at most 120 characters each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Anchor {
    /// Up to three non-blank lines before the cut, in line order.
    #[serde(default, deserialize_with = "deserialize_texts")]
    pub before: Vec<String>,
    /// Up to three non-blank lines from the cut on, in line order.
    #[serde(default, deserialize_with = "deserialize_texts")]
    pub after: Vec<String>,
    /// CRC-64/XZ of the same lines normalised and whole, each followed by LF, as 16 hex digits; empty if not known.
    /// It tells lines apart that agree in their first 120 characters.
    #[serde(default, deserialize_with = "deserialize_text")]
    pub hash: String,
    /// How many of these lines, in order, were around the best rival position in the same text: a match of so few lines
    /// is not this cut. `None` if it was not computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twin: Option<u32>,
    /// How often each of these lines (`before`, then `after`) occurred in the text: a line that occurs more often later
    /// was copied. Empty if not counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<u32>,
}

/// Context of both cuts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CutContext {
    /// Around the end of the preamble.
    #[serde(default)]
    pub preamble_end: Anchor,
    /// Around the start of the epilogue.
    #[serde(default)]
    pub epilogue_start: Anchor,
    /// Around each alternative of the record, in the record's order; empty in records that know none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Anchor>,
    /// Around each block of boilerplate inside the body, in the record's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inside: Vec<BlockContext>,
}

/// Context of a block: where it begins and where the text continues.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockContext {
    /// Just before its first line.
    #[serde(default)]
    pub first: Anchor,
    /// Just after its last line.
    #[serde(default)]
    pub last: Anchor,
}

/// The first characters of a line, as a context keeps them.
pub(super) fn context_line(text: &BookText, line: u32) -> String {
    // No character of any encoding takes more than four bytes.
    let display = text.display(line, WIDTH * 4);
    display.chars().take(WIDTH).collect()
}

/// The hash of whole lines, as an [`Anchor`] keeps it.
pub(super) fn hash<'a>(text: &BookText, lines: impl Iterator<Item = &'a u32>) -> String {
    let mut normaliser = Normaliser::default();
    let mut whole = String::new();
    for line in lines {
        whole.push_str(normaliser.line(&text.normaliser_input(*line)).text);
        whole.push('\n');
    }
    format!("{:016x}", Key::of(&whole).0)
}
