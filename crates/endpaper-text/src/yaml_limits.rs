//! Limits for untrusted YAML texts, checked before the text is deserialised.
//!
//! A short text can represent a huge value (aliases of aliases), and deep nesting costs the reader quadratic time.
//! [`readable_part`] iterates over the events of a second parser, stores none of them, and stops at the first breach.
//! "The reader" is `serde_yaml`.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::HashMap;

use saphyr_parser::{Event, Marker, Parser, ScanError};

/// Limits for the size of a text.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Longest text, in bytes. What an alias repeats counts each time.
    pub bytes: u64,
    /// Most values: scalars, lists and mappings. What an alias repeats counts each time.
    pub values: usize,
}

/// Deepest nesting of lists and mappings. Records need 5.
const DEPTH: usize = 32;

/// Why a text is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitExceeded {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What is wrong and what to do.
    pub message: String,
}

impl std::fmt::Display for LimitExceeded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let LimitExceeded {
            line,
            column,
            message,
        } = self;
        write!(f, "line {line}, column {column}: {message}")
    }
}

impl std::error::Error for LimitExceeded {}

impl LimitExceeded {
    /// A breach of a limit at the marker.
    fn at(marker: &Marker, message: impl Into<String>) -> LimitExceeded {
        LimitExceeded {
            line: marker.line().max(1),
            column: marker.col() + 1,
            message: message.into(),
        }
    }
}

/// Deserialises a text, within limits.
///
/// # Errors
///
/// A breach of the limits, else the error of the reader.
pub fn read<T: serde::de::DeserializeOwned>(text: &str, limits: Limits) -> Result<T, ReadError> {
    let text = readable_part(text, limits)?;
    Ok(serde_yaml::from_str(text)?)
}

/// Why [`read`] fails.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The text is beyond the limits.
    #[error(transparent)]
    LimitExceeded(#[from] LimitExceeded),
    /// The text is not YAML, or does not fit the type.
    #[error(transparent)]
    Reader(#[from] serde_yaml::Error),
}

/// Checks a text and returns the part of it that may go to the reader: all of it, or, if a text that is not small
/// enough to be safe has a syntax error, the text up to the end of that line, so that the reader words the error.
///
/// # Errors
///
/// The text is too long, too deep, or has too many values.
pub fn readable_part(text: &str, limits: Limits) -> Result<&str, LimitExceeded> {
    if text.len() as u64 > limits.bytes {
        return Err(LimitExceeded {
            line: 1,
            column: 1,
            message: format!(
                "has {} bytes, and at most {} are read; shorten it",
                text.len(),
                limits.bytes
            ),
        });
    }
    let has_odd_name = LazyCell::new(|| has_ambiguous_anchor(text));
    let mut meter = EventMeter::new(limits);
    for event in Parser::new_from_str(&with_yaml_line_breaks(text)) {
        match event {
            Ok((Event::Alias(_), span)) if *has_odd_name => {
                let message = "is an alias, and a name of some alias or anchor is followed by punctuation; put a space there";
                return Err(LimitExceeded::at(&span.start, message));
            }
            Ok((event, span)) => meter.count_event(&event, &span.start)?,
            // The reader accepts some texts that this parser does not.
            Err(_) if is_cheap_to_read(text) => return Ok(text),
            Err(error) => return up_to_broken_line(text, &error),
        }
    }
    Ok(text)
}

/// Replaces what the reader treats as line breaks: it knows three more than this parser, and skips a byte order mark
/// at the start of a line. Otherwise a text could be a comment to this parser and values to the reader. Each
/// character becomes exactly one, so that positions stay valid.
fn with_yaml_line_breaks(text: &str) -> Cow<'_, str> {
    const BREAKS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];
    const MARK: char = '\u{feff}';
    if !text.contains(BREAKS) && !text.contains(MARK) {
        return Cow::Borrowed(text);
    }
    let mut before = None;
    let seen = text.chars().map(|character| {
        let read = match (character, before) {
            (MARK, None | Some('\n' | '\r')) => ' ',
            // The reader skips only the first mark of a line; another one is text.
            (MARK, Some(MARK)) => 'x',
            (other, _) if BREAKS.contains(&other) => '\n',
            (other, _) => other,
        };
        before = Some(if character == MARK { MARK } else { read });
        read
    });
    Cow::Owned(seen.collect())
}

/// Whether the name of an anchor or alias may be followed by a punctuation character that is part of the name to this
/// parser but not to the reader: they would take `&a:` for different anchors.
fn has_ambiguous_anchor(text: &str) -> bool {
    let is_odd = |at: usize| {
        let rest = &text.as_bytes()[at + 1..];
        let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let name = rest.iter().take_while(is_name).count();
        let sign = rest.get(name);
        name > 0 && sign.is_some_and(|sign| b"?:%@`".contains(sign))
    };
    text.match_indices(['&', '*']).any(|(at, _)| is_odd(at))
}

/// Whether a text is so short that reading it is cheap whatever it nests, and without aliases.
fn is_cheap_to_read(text: &str) -> bool {
    text.len() <= MAX_CHEAP_BYTES && !(may_begin_anchor(text, '&') && may_begin_anchor(text, '*'))
}

/// Whether an anchor (`&`) or alias (`*`) may begin somewhere: outside words and quotes, with a name after it.
fn may_begin_anchor(text: &str, sign: char) -> bool {
    text.match_indices(sign).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + 1..].chars().next();
        let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '"' | '\'' | '.' | '*');
        !before.is_some_and(is_inside) && after.is_some_and(|c| !c.is_whitespace())
    })
}

/// Longest text that is cheap to read whatever it nests, in bytes: several times the size of a record. Nesting costs
/// the reader quadratic time, a second for this many levels.
const MAX_CHEAP_BYTES: usize = 1 << 14;

/// How much of a broken line goes to the reader, in bytes: what was not checked must be short.
const REST: usize = 1 << 10;

/// The text up to the end of the line with a syntax error, for a reader to report it; an error if the reader finds no
/// fault in it.
fn up_to_broken_line<'a>(text: &'a str, error: &ScanError) -> Result<&'a str, LimitExceeded> {
    let marker = error.marker();
    // The marker counts characters.
    let at = text.char_indices().nth(marker.index());
    let at = at.map_or(text.len(), |(at, _)| at);
    let rest = &text.as_bytes()[at..];
    let line = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
    let end = (at..=at + line.min(REST)).rfind(|end| text.is_char_boundary(*end));
    let end = end.unwrap_or(at);
    match serde_yaml::from_str::<serde::de::IgnoredAny>(&text[..end]) {
        Err(_) => Ok(&text[..end]),
        Ok(_) => Err(LimitExceeded::at(
            marker,
            format!("{}; fix the line", error.info()),
        )),
    }
}

/// Adds up the values and bytes that the events represent, with aliases expanded.
struct EventMeter {
    limits: Limits,
    total: NodeCost,
    /// For each open collection, its anchor (0: it has none) and its cost so far.
    open: Vec<(usize, NodeCost)>,
    /// Costs of the closed nodes, by anchor.
    anchors: HashMap<usize, NodeCost>,
}

/// Size of a part of a text with its aliases expanded.
#[derive(Clone, Copy, Default)]
struct NodeCost {
    values: usize,
    bytes: u64,
}

impl EventMeter {
    /// A meter that has counted nothing.
    fn new(limits: Limits) -> EventMeter {
        EventMeter {
            limits,
            total: NodeCost::default(),
            open: Vec::new(),
            anchors: HashMap::new(),
        }
    }

    /// Counts what an event represents.
    fn count_event(&mut self, event: &Event<'_>, marker: &Marker) -> Result<(), LimitExceeded> {
        match event {
            Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) => {
                self.open.push((*anchor, self.total));
                if self.open.len() > DEPTH {
                    let message = format!("is nested deeper than {DEPTH} levels; flatten it");
                    return Err(LimitExceeded::at(marker, message));
                }
                self.add(
                    NodeCost {
                        values: 1,
                        bytes: 0,
                    },
                    marker,
                )
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some((anchor, before)) = self.open.pop() {
                    self.record_anchor(anchor, before);
                }
                Ok(())
            }
            Event::Scalar(text, _, anchor, _) => {
                let before = self.total;
                let bytes = text.len() as u64;
                self.add(NodeCost { values: 1, bytes }, marker)?;
                self.record_anchor(*anchor, before);
                Ok(())
            }
            // An alias inside its own anchor has no finite size; the reader refuses it.
            Event::Alias(anchor) => {
                let amount = self.anchors.get(anchor).copied().unwrap_or_default();
                self.add(amount, marker)
            }
            _ => Ok(()),
        }
    }

    /// Adds to the total, and fails if a limit is exceeded.
    fn add(&mut self, amount: NodeCost, marker: &Marker) -> Result<(), LimitExceeded> {
        self.total.values = self.total.values.saturating_add(amount.values);
        self.total.bytes = self.total.bytes.saturating_add(amount.bytes);
        let Limits { bytes, values } = self.limits;
        let message = if self.total.values > values {
            format!(
                "holds more than {values} values (those of aliases count each time); shorten it"
            )
        } else if self.total.bytes > bytes {
            format!("expands to more than {bytes} bytes (aliases count each time); shorten it")
        } else {
            return Ok(());
        };
        Err(LimitExceeded::at(marker, message))
    }

    /// Notes what the node under an anchor cost, given the total before it.
    fn record_anchor(&mut self, anchor: usize, before: NodeCost) {
        if anchor > 0 {
            let amount = NodeCost {
                values: self.total.values - before.values,
                bytes: self.total.bytes - before.bytes,
            };
            self.anchors.insert(anchor, amount);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Limits = Limits {
        bytes: 1000,
        values: 100,
    };

    fn message(text: &str) -> String {
        readable_part(text, SMALL).unwrap_err().message
    }

    #[test]
    fn what_stays_within_the_limits_goes_to_the_reader_whole() {
        let nested = format!("{}x{}", "[".repeat(DEPTH), "]".repeat(DEPTH));
        let list = format!("[{}]", "a,".repeat(99));
        for text in ["", "a: b\n", "a: &x [1, 2]\nb: *x\n", &nested, &list] {
            assert_eq!(readable_part(text, SMALL), Ok(text));
        }
    }

    #[test]
    fn long_deep_and_rich_texts_are_refused_with_the_place() {
        assert!(message(&"#".repeat(1001)).contains("1001 bytes"));
        assert!(message(&"[".repeat(DEPTH + 1)).contains("deeper than 32"));
        assert!(message(&"{a: ".repeat(DEPTH + 1)).contains("deeper than 32"));
        assert!(message(&"- ".repeat(DEPTH + 1)).contains("deeper than 32"));
        assert!(message(&format!("[{}]", "a,".repeat(100))).contains("100 values"));
        let breach = readable_part(&format!("a: b\nc: {}", "[".repeat(40)), SMALL).unwrap_err();
        assert_eq!((breach.line, breach.column), (2, 35));
    }

    #[test]
    fn aliases_count_for_what_they_repeat() {
        let values = "a: &a [1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a]\nc: [*b,*b]\n";
        assert!(message(values).contains("100 values"));
        let long = format!("a: &a {}\nb: [*a, *a]\n", "x".repeat(400));
        assert!(message(&long).contains("1000 bytes"));
    }

    /// The line breaks of YAML 1.1, which the reader follows.
    #[test]
    fn line_ends_that_only_the_reader_knows_hide_nothing() {
        for end in ["\u{85}", "\u{2028}", "\u{2029}", "\r", "\n\u{feff}"] {
            let deep = format!("# {end}c: {}", "{a: ".repeat(100));
            assert!(message(&deep).contains("deeper than 32"), "{end:?}");
            let aliases = format!("# {end}a: &a [1,1,1]{end}b: [{}]", "*a,".repeat(30));
            assert!(message(&aliases).contains("100 values"), "{end:?}");
        }
        let text = "a: \"x\u{2028}y\u{feff}\"\n";
        assert_eq!(readable_part(text, SMALL), Ok(text));
    }

    /// `&a:` is the anchor `a:` to the parser and `a` to the reader.
    #[test]
    fn an_alias_of_another_anchor_than_the_one_counted_is_refused() {
        let text = "x: &a [1,1,1,1]\ny: [&a: 1]\nz: [*a: 1, *a: 1]\n";
        let breach = readable_part(text, SMALL).unwrap_err();
        assert_eq!((breach.line, breach.column), (3, 5));
        for text in [
            "x: &a 1\ny: *a\n",
            "x: \"*Note: R&D\"\n",
            "x: \"&c: ***\"\n",
        ] {
            assert_eq!(readable_part(text, SMALL), Ok(text));
        }
    }

    proptest::proptest! {
        /// All values that the reader finds in a text, aliases included, were counted.
        #[test]
        fn nothing_is_read_that_was_not_counted(
            text in "([-?:,\\[\\]{}&*#|>!%@'\"a \t\n\r\u{85}\u{2028}\u{feff}]|&a |\\*a|- |: |\n ){0,24}"
        ) {
            fn values(value: &serde_yaml::Value) -> usize {
                match value {
                    serde_yaml::Value::Sequence(items) => 1 + items.iter().map(values).sum::<usize>(),
                    serde_yaml::Value::Mapping(entries) => {
                        1 + entries.iter().map(|(key, value)| values(key) + values(value)).sum::<usize>()
                    }
                    serde_yaml::Value::Tagged(tagged) => values(&tagged.value),
                    _ => 1,
                }
            }
            let read = serde_yaml::from_str::<serde_yaml::Value>(&text);
            if let (Ok(value), false) = (read, has_ambiguous_anchor(&text)) {
                let limits = Limits { bytes: 1000, values: values(&value) - 1 };
                let mut meter = EventMeter::new(limits);
                let seen = with_yaml_line_breaks(&text);
                let events = Parser::new_from_str(&seen);
                // An empty text is one value without an event.
                let stopped = events.into_iter().any(|event| match event {
                    Ok((event, span)) => meter.count_event(&event, &span.start).is_err(),
                    Err(_) => true,
                });
                proptest::prop_assert!(stopped || value.is_null(), "{text:?} is {value:?}");
            }
        }
    }

    #[test]
    fn broken_syntax_goes_to_the_reader_up_to_its_line_only() {
        let text = format!("# &a *a\na: \"b\nc: ]\n{}", "[".repeat(500));
        match readable_part(&text, SMALL) {
            Ok(part) => assert!(serde_yaml::from_str::<serde_yaml::Value>(part).is_err()),
            Err(breach) => assert!(!breach.message.is_empty()),
        }
        // A short text without aliases goes to the reader whole: the reader accepts lines wrapped to the margin.
        let text = "a: \"b\nc\"\n";
        assert_eq!(readable_part(text, SMALL), Ok(text));
        let text = format!("# &a *a\na: [1, 2\nb: }}\n{}", "c: [\n".repeat(100));
        let part = readable_part(&text, SMALL).unwrap();
        assert!(part.len() < 40, "{part}");
    }
}
