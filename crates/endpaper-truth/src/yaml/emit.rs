//! The emitter for the one schema there is.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_yaml::{Mapping, Number, Value};

use crate::record::end_word;
use crate::{Anchor, BlockContext, DetectedCuts, Record, Review, ReviewedSource};
use endpaper_detect::Cuts;

/// The first line of every record.
const HEADER: &str = "# endpaper ground truth. Comments are not kept; use note.";

/// Keys this long are written with `? `: YAML readers look at most 1024 characters ahead for the colon.
const LONG_KEY: usize = 1000;

/// Writes a record with the fixed layout: known keys in their order, then unknown ones in theirs, LF, every string
/// double-quoted, a newline at the end.
pub fn write(record: &Record) -> String {
    let mut out = String::with_capacity(2048);
    line(&mut out, HEADER);
    facts(&mut out, record);
    judgement(&mut out, record);
    line(&mut out, "context:");
    let context = &record.context;
    field(&mut out, "  preamble_end", &anchor(&context.preamble_end));
    field(
        &mut out,
        "  epilogue_start",
        &anchor(&context.epilogue_start),
    );
    // Most records say nothing of further places.
    if !context.alternatives.is_empty() {
        let alternatives = list(context.alternatives.iter().map(anchor));
        field(&mut out, "  alternatives", &alternatives);
    }
    if !context.inside.is_empty() {
        field(
            &mut out,
            "  inside",
            &list(context.inside.iter().map(edges)),
        );
    }
    reviews(&mut out, &record.reviews);
    for (key, unknown) in &record.unknown {
        let colon = colon(key);
        let _ = writeln!(out, "{colon}{}", value(unknown));
    }
    out
}

/// Writes what a record says of its source.
fn facts(out: &mut String, record: &Record) {
    field(out, "schema", &record.schema.to_string());
    field(out, "book", &quote(&record.book));
    let source = &record.source;
    let mut facts = vec![
        ("sha256", quote(&source.sha256)),
        ("bytes", source.bytes.to_string()),
        ("lines", source.lines.to_string()),
        ("encoding", quote(&source.encoding)),
        ("newline", quote(&source.newline)),
    ];
    if let Some(extractor) = &source.extractor {
        facts.push(("extractor", quote(extractor)));
    }
    field(out, "source", &map(&facts, &BTreeMap::new()));
}

/// Writes what was decided: kind, verdict, cuts and annotations.
fn judgement(out: &mut String, record: &Record) {
    field(out, "kind", &quote(record.kind.name()));
    field(out, "verdict", &quote(record.verdict.name()));
    field(out, "cuts", &cuts(record.cuts));
    let alternatives = record.alternatives.iter().map(|alternative| {
        let facts = [
            ("end", quote(end_word(alternative.end))),
            ("line", alternative.line.to_string()),
            ("why", quote(&alternative.why)),
        ];
        map(&facts, &BTreeMap::new())
    });
    field(out, "alternatives", &list(alternatives));
    let inside = record.inside.iter().map(|inside| {
        let facts = [
            ("first", inside.first.to_string()),
            ("last", inside.last.to_string()),
            ("kind", quote(&inside.kind)),
        ];
        map(&facts, &BTreeMap::new())
    });
    field(out, "inside", &list(inside));
    field(out, "hard", boolean(record.hard));
    field(out, "flags", &texts(&record.flags));
    field(out, "note", &quote(&record.note));
    field(out, "policy", &quote(&record.policy));
}

/// Writes the reviews.
fn reviews(out: &mut String, reviews: &[Review]) {
    if reviews.is_empty() {
        return field(out, "reviews", "[]");
    }
    line(out, "reviews:");
    for review in reviews {
        let mut facts = vec![
            ("by", quote(&review.by)),
            ("at", quote(&review.at)),
            ("seconds", review.seconds.to_string()),
            ("sitting", quote(&review.sitting)),
            ("drawn", quote(&review.drawn)),
            ("blind", boolean(review.blind).to_owned()),
            ("verdict", quote(review.verdict.name())),
            ("cuts", cuts(review.cuts)),
            ("detected", detected(review.detected.as_ref())),
        ];
        if let Some(ReviewedSource { sha256, lines }) = &review.source {
            let about = [("sha256", quote(sha256)), ("lines", lines.to_string())];
            facts.push(("source", map(&about, &BTreeMap::new())));
        }
        let _ = writeln!(out, "  - {}", map(&facts, &review.unknown));
    }
}

/// The detector's cuts as a flow mapping.
fn detected(detected: Option<&DetectedCuts>) -> String {
    let Some(detected) = detected else {
        return "null".to_owned();
    };
    let facts = [
        ("preamble_end", detected.preamble_end.to_string()),
        ("epilogue_start", optional(detected.epilogue_start)),
        ("doubt", float(detected.doubt)),
        ("detector", quote(&detected.detector)),
        ("model", quote(&detected.model)),
    ];
    map(&facts, &BTreeMap::new())
}

/// The lines of context around a cut as a flow mapping.
fn anchor(anchor: &Anchor) -> String {
    let mut facts = vec![
        ("before", texts(&anchor.before)),
        ("after", texts(&anchor.after)),
        ("hash", quote(&anchor.hash)),
    ];
    if let Some(twin) = anchor.twin {
        facts.push(("twin", twin.to_string()));
    }
    if !anchor.seen.is_empty() {
        facts.push(("seen", list(anchor.seen.iter().map(u32::to_string))));
    }
    map(&facts, &BTreeMap::new())
}

/// The context of a block's first and last line as a flow mapping.
fn edges(edges: &BlockContext) -> String {
    let facts = [
        ("first", anchor(&edges.first)),
        ("last", anchor(&edges.last)),
    ];
    map(&facts, &BTreeMap::new())
}

/// Cuts as a flow mapping.
fn cuts(cuts: Cuts) -> String {
    let start = cuts.preamble_end;
    let end = optional(cuts.epilogue_start);
    format!("{{preamble_end: {start}, epilogue_start: {end}}}")
}

/// Writes a line.
fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

/// Writes a field of the top level.
fn field(out: &mut String, key: &str, value: &str) {
    let _ = writeln!(out, "{key}: {value}");
}

/// A number or `null`.
fn optional(number: Option<u32>) -> String {
    number.map_or_else(|| "null".to_owned(), |number| number.to_string())
}

/// `true` or `false`.
fn boolean(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

/// Texts as a flow sequence.
fn texts(texts: &[String]) -> String {
    list(texts.iter().map(|text| quote(text)))
}

/// Items as a flow sequence.
fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// A flow mapping of known keys, followed by those that an unknown version wrote.
fn map(known: &[(&str, String)], unknown: &BTreeMap<String, Value>) -> String {
    let known = known.iter().map(|(key, value)| format!("{key}: {value}"));
    let unknown = unknown
        .iter()
        .map(|(key, unknown)| format!("{}{}", flow_colon(key), value(unknown)));
    format!(
        "{{{}}}",
        known.chain(unknown).collect::<Vec<_>>().join(", ")
    )
}

/// An unknown key at the start of a line, with its colon.
fn colon(key: &str) -> String {
    let key = quote(key);
    if key.chars().count() < LONG_KEY {
        format!("{key}: ")
    } else {
        format!("? {key}\n: ")
    }
}

/// An unknown key in a flow map, with its colon.
fn flow_colon(key: &str) -> String {
    colon(key).replace('\n', " ")
}

/// A value no one here knows, on one line.
fn value(unknown: &Value) -> String {
    match unknown {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => boolean(*value).to_owned(),
        Value::Number(value) => number(value),
        Value::String(text) => quote(text),
        Value::Sequence(items) => list(items.iter().map(value)),
        Value::Mapping(entries) => mapping(entries),
        // The reader refuses tags, so this is a value some code put in: what it says is kept, the tag is not.
        Value::Tagged(tagged) => value(&tagged.value),
    }
}

/// A mapping of unknown content as a flow mapping.
fn mapping(entries: &Mapping) -> String {
    let entries = entries.iter().map(|(key, unknown)| {
        let key = match key {
            Value::String(text) => flow_colon(text),
            other => format!("{}: ", value(other)),
        };
        format!("{key}{}", value(unknown))
    });
    format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
}

/// A number of unknown content.
fn number(value: &Number) -> String {
    match (value.is_f64(), value.as_f64()) {
        (true, Some(value)) => float(value),
        _ => value.to_string(),
    }
}

/// A number with a point and a signed exponent: YAML 1.1 takes `1e16` for a string.
fn float(value: f64) -> String {
    if value.is_nan() {
        return ".nan".to_owned();
    }
    if value.is_infinite() {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}.inf");
    }
    let text = format!("{value:?}");
    let Some((digits, exponent)) = text.split_once('e') else {
        return text;
    };
    let point = if digits.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with('-') { "" } else { "+" };
    format!("{digits}{point}e{sign}{exponent}")
}

/// A string in double quotes.
fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        escape(&mut out, character);
    }
    out.push('"');
    out
}

/// Writes a character of a quoted text, escaped if necessary.
fn escape(out: &mut String, character: char) {
    match character {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\t' => out.push_str("\\t"),
        plain if !is_hidden(plain) => out.push(plain),
        hidden => {
            let code = u32::from(hidden);
            let _ = match code {
                0..=0xff => write!(out, "\\x{code:02X}"),
                0x100..=0xffff => write!(out, "\\u{code:04X}"),
                _ => write!(out, "\\U{code:08X}"),
            };
        }
    }
}

/// Controls, line and paragraph separators, and what cannot be seen in an editor or a diff: bidi and zero-width
/// characters, odd spaces, the byte order mark, private characters, non-characters.
fn is_hidden(character: char) -> bool {
    let code = u32::from(character);
    character.is_control()
        || (character.is_whitespace() && character != ' ')
        || matches!(code,
            0xad | 0x61c | 0x180e | 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x206f
            | 0xe000..=0xf8ff | 0xfdd0..=0xfdef | 0xfe00..=0xfe0f | 0xfeff | 0xfff9..=0xfffb
            | 0xe0000.. )
        || code & 0xfffe == 0xfffe
}
