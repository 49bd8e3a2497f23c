//! Limits for YAML texts that somebody else may have written, checked before the text becomes values.
//!
//! A short text can stand for a huge value (aliases of aliases), and deep nesting takes readers quadratic time. [`check`]
//! goes through the parser's events, keeps none of them, and stops at the first breach.

use std::collections::HashMap;

use saphyr_parser::{Event, Marker, Parser, ScanError};

/// What a text may hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Longest text, in bytes. What aliases repeat counts each time.
    pub bytes: u64,
    /// Most values: texts, lists and mappings. What aliases repeat counts each time.
    pub values: usize,
}

/// Deepest nesting of lists and mappings. Records need 5.
const DEPTH: usize = 32;

/// Why a text is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Breach {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What is wrong and what to do.
    pub message: String,
}

impl std::fmt::Display for Breach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Breach {
            line,
            column,
            message,
        } = self;
        write!(f, "line {line}, column {column}: {message}")
    }
}

impl std::error::Error for Breach {}

impl Breach {
    fn at(marker: &Marker, message: impl Into<String>) -> Breach {
        Breach {
            line: marker.line().max(1),
            column: marker.col() + 1,
            message: message.into(),
        }
    }
}

/// Reads a text as a value of a type, within limits.
///
/// # Errors
///
/// A breach of the limits, else what the reader says.
pub(crate) fn read<T: serde::de::DeserializeOwned>(
    text: &str,
    limits: Limits,
) -> Result<T, ReadError> {
    let text = check(text, limits)?;
    Ok(serde_yaml::from_str(text)?)
}

/// Why [`read`] gives no value.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    /// The text is beyond the limits.
    #[error(transparent)]
    Breach(#[from] Breach),
    /// The text is no YAML, or not of the type.
    #[error(transparent)]
    Reader(#[from] serde_yaml::Error),
}

/// Checks a text and gives what of it may go to the reader: all of it, or, where its syntax is broken, what stands up to
/// the end of that line, so that the reader words the mistake.
///
/// # Errors
///
/// A text that is too long, too deep, or has too many values.
pub(crate) fn check(text: &str, limits: Limits) -> Result<&str, Breach> {
    if text.len() as u64 > limits.bytes {
        return Err(Breach {
            line: 1,
            column: 1,
            message: format!(
                "has {} bytes, and at most {} are read; shorten it",
                text.len(),
                limits.bytes
            ),
        });
    }
    let mut meter = Meter::new(limits);
    for event in Parser::new_from_str(text) {
        match event {
            Ok((event, span)) => meter.take(&event, &span.start)?,
            Err(error) => return up_to(text, &error),
        }
    }
    Ok(text)
}

/// How much of a broken line the reader sees, in bytes: what was not checked must be short.
const REST: usize = 1 << 10;

fn up_to<'a>(text: &'a str, error: &ScanError) -> Result<&'a str, Breach> {
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
        Ok(_) => Err(Breach::at(
            marker,
            format!("{}; mend the line", error.info()),
        )),
    }
}

/// Adds up what the events stand for.
struct Meter {
    limits: Limits,
    total: Amount,
    open: Vec<(usize, Amount)>,
    anchors: HashMap<usize, Amount>,
}

/// How much a part of a text stands for.
#[derive(Clone, Copy, Default)]
struct Amount {
    values: usize,
    bytes: u64,
}

impl Meter {
    fn new(limits: Limits) -> Meter {
        Meter {
            limits,
            total: Amount::default(),
            open: Vec::new(),
            anchors: HashMap::new(),
        }
    }

    fn take(&mut self, event: &Event<'_>, marker: &Marker) -> Result<(), Breach> {
        match event {
            Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) => {
                self.open.push((*anchor, self.total));
                if self.open.len() > DEPTH {
                    let message = format!("is nested deeper than {DEPTH} levels; flatten it");
                    return Err(Breach::at(marker, message));
                }
                self.add(
                    Amount {
                        values: 1,
                        bytes: 0,
                    },
                    marker,
                )
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some((anchor, before)) = self.open.pop() {
                    self.name(anchor, before);
                }
                Ok(())
            }
            Event::Scalar(text, _, anchor, _) => {
                let before = self.total;
                let bytes = text.len() as u64;
                self.add(Amount { values: 1, bytes }, marker)?;
                self.name(*anchor, before);
                Ok(())
            }
            // An alias inside what it points to stands for nothing that ends; the reader refuses it.
            Event::Alias(anchor) => {
                let amount = self.anchors.get(anchor).copied().unwrap_or_default();
                self.add(amount, marker)
            }
            _ => Ok(()),
        }
    }

    fn add(&mut self, amount: Amount, marker: &Marker) -> Result<(), Breach> {
        self.total.values = self.total.values.saturating_add(amount.values);
        self.total.bytes = self.total.bytes.saturating_add(amount.bytes);
        let Limits { bytes, values } = self.limits;
        let message = if self.total.values > values {
            format!(
                "holds more than {values} values (those of aliases count each time); shorten it"
            )
        } else if self.total.bytes > bytes {
            format!("stands for more than {bytes} bytes (aliases count each time); shorten it")
        } else {
            return Ok(());
        };
        Err(Breach::at(marker, message))
    }

    fn name(&mut self, anchor: usize, before: Amount) {
        if anchor > 0 {
            let amount = Amount {
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
        check(text, SMALL).unwrap_err().message
    }

    #[test]
    fn what_stays_within_the_limits_goes_to_the_reader_whole() {
        let nested = format!("{}x{}", "[".repeat(DEPTH), "]".repeat(DEPTH));
        let list = format!("[{}]", "a,".repeat(99));
        for text in ["", "a: b\n", "a: &x [1, 2]\nb: *x\n", &nested, &list] {
            assert_eq!(check(text, SMALL), Ok(text));
        }
    }

    #[test]
    fn long_deep_and_rich_texts_are_refused_with_the_place() {
        assert!(message(&"#".repeat(1001)).contains("1001 bytes"));
        assert!(message(&"[".repeat(DEPTH + 1)).contains("deeper than 32"));
        assert!(message(&"{a: ".repeat(DEPTH + 1)).contains("deeper than 32"));
        assert!(message(&"- ".repeat(DEPTH + 1)).contains("deeper than 32"));
        assert!(message(&format!("[{}]", "a,".repeat(100))).contains("100 values"));
        let breach = check(&format!("a: b\nc: {}", "[".repeat(40)), SMALL).unwrap_err();
        assert_eq!((breach.line, breach.column), (2, 35));
    }

    #[test]
    fn aliases_count_for_what_they_repeat() {
        let values = "a: &a [1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a]\nc: [*b,*b]\n";
        assert!(message(values).contains("100 values"));
        let long = format!("a: &a {}\nb: [*a, *a]\n", "x".repeat(400));
        assert!(message(&long).contains("1000 bytes"));
    }

    #[test]
    fn broken_syntax_goes_to_the_reader_up_to_its_line_only() {
        let text = format!("a: \"b\nc: ]\n{}", "[".repeat(500));
        match check(&text, SMALL) {
            Ok(part) => assert!(serde_yaml::from_str::<serde_yaml::Value>(part).is_err()),
            Err(breach) => assert!(!breach.message.is_empty()),
        }
        let text = format!("a: [1, 2\nb: }}\n{}", "c: [\n".repeat(100));
        let part = check(&text, SMALL).unwrap();
        assert!(part.len() < 30, "{part}");
    }
}
