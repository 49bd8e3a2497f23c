//! YAML with positions: a tree of texts, lists and mappings, each with its line and column.
//!
//! For files that users write by hand. Everything before a syntax error is kept, so that one bad line does not spoil
//! the rest. Depth and size are limited, and an alias shares the node it refers to, so that nothing is multiplied.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::rc::Rc;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError};

use super::{Diagnostic, TextPosition};

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 32;
/// Longest file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// A part of a YAML text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlNode {
    /// Where it begins.
    pub position: TextPosition,
    /// Its value.
    pub value: YamlValue,
}

/// The value of a [`YamlNode`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum YamlValue {
    /// `null`, `~`, or nothing at all.
    Null,
    /// Any other scalar.
    Text(String),
    /// A list.
    List(Vec<Rc<YamlNode>>),
    /// Keys and values, in the order of the text.
    Map(Vec<(Rc<YamlNode>, Rc<YamlNode>)>),
}

/// A scalar with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlWord {
    /// The text.
    pub text: String,
    /// Where it is.
    pub position: TextPosition,
}

impl YamlNode {
    /// The text of a scalar, else `None`.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            YamlValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text of a scalar with its position, else `None`.
    pub fn word(&self) -> Option<YamlWord> {
        let text = self.text()?.to_owned();
        Some(YamlWord {
            text,
            position: self.position,
        })
    }

    /// The kind of node, as named in messages.
    pub fn kind_name(&self) -> &'static str {
        match self.value {
            YamlValue::Null => "nothing",
            YamlValue::Text(_) => "a text",
            YamlValue::List(_) => "a list",
            YamlValue::Map(_) => "a mapping",
        }
    }

    /// The entries of a mapping. A node that is not a mapping, keys that are not text, and duplicate keys are
    /// reported and left out; an empty node is an empty mapping.
    pub fn entries(&self, mistakes: &mut Vec<Diagnostic>) -> Vec<(YamlWord, &YamlNode)> {
        let pairs = match &self.value {
            YamlValue::Map(pairs) => pairs,
            YamlValue::Null => return Vec::new(),
            _ => {
                let text = format!("found {}; write 'name: value' lines", self.kind_name());
                mistakes.push(Diagnostic::at(self.position, text));
                return Vec::new();
            }
        };
        let mut entries: Vec<(YamlWord, &YamlNode)> = Vec::new();
        let mut lines: HashMap<&str, usize> = HashMap::new();
        for (key, value) in pairs {
            let Some(name) = key.text() else {
                let text = format!("found {}; write a name", key.kind_name());
                mistakes.push(Diagnostic::at(key.position, text));
                continue;
            };
            if let Some(line) = lines.get(name) {
                let text = format!("'{name}' is already set in line {line}; take one of them out");
                mistakes.push(Diagnostic::at(key.position, text));
                continue;
            }
            lines.insert(name, key.position.line);
            let (text, place) = (name.to_owned(), key.position);
            entries.push((
                YamlWord {
                    text,
                    position: place,
                },
                value,
            ));
        }
        entries
    }
}

/// Reads a file of the user's; `None` if it does not exist.
///
/// # Errors
///
/// A problem of the whole file: not a regular file, too long, not UTF-8, not readable.
pub fn read_file(path: &Path) -> Result<Option<String>, Diagnostic> {
    let unreadable =
        |error: std::io::Error| Diagnostic::in_whole_file(format!("cannot be read: {error}"));
    match path.metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
        // Opening a pipe would wait for a writer.
        Ok(about) if !about.is_file() => return Err(Diagnostic::in_whole_file("is not a file")),
        Ok(_) => {}
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(MAX_FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(Diagnostic::in_whole_file(
            "is longer than a megabyte; shorten it",
        ));
    }
    let text = String::from_utf8(bytes);
    text.map(Some)
        .map_err(|_| Diagnostic::in_whole_file("is not UTF-8; save it as UTF-8"))
}

/// Parses the first document of a text, as far as its syntax is valid, and returns the problems found. The node is
/// `None` if there is nothing before the first problem.
pub fn parse(text: &str) -> (Option<Rc<YamlNode>>, Vec<Diagnostic>) {
    let mut builder = Builder::default();
    let mut mistakes = Vec::new();
    for event in Parser::new_from_str(text) {
        let step = match event {
            Ok((Event::StreamEnd | Event::DocumentEnd, _)) => break,
            Ok((event, span)) => builder.handle_event(event, position_of(&span.start)),
            Err(error) => Err(syntax(&error)),
        };
        if let Err(mistake) = step {
            mistakes.push(mistake);
            break;
        }
    }
    (builder.finish(), mistakes)
}

/// The position of a parser's marker, from 1.
fn position_of(marker: &Marker) -> TextPosition {
    TextPosition {
        line: marker.line().max(1),
        column: marker.col() + 1,
    }
}

/// A syntax error, with advice.
fn syntax(error: &ScanError) -> Diagnostic {
    let text = format!(
        "{}; the rest is ignored (characters such as [ {{ ' # * > need quotes: \"[\")",
        error.info()
    );
    Diagnostic::at(position_of(error.marker()), text)
}

/// The tree as far as it has been read.
#[derive(Default)]
struct Builder {
    open: Vec<OpenCollection>,
    anchors: HashMap<usize, Rc<YamlNode>>,
    root: Option<Rc<YamlNode>>,
}

/// A list or mapping that is not complete yet.
struct OpenCollection {
    position: TextPosition,
    anchor: usize,
    value: YamlValue,
    /// The key whose value comes next.
    key: Option<Rc<YamlNode>>,
}

impl Builder {
    /// Adds what an event of the parser says.
    fn handle_event(&mut self, event: Event<'_>, place: TextPosition) -> Result<(), Diagnostic> {
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let nothing = matches!(&*text, "" | "~" | "null" | "Null" | "NULL");
                let value = match style == ScalarStyle::Plain && nothing {
                    true => YamlValue::Null,
                    false => YamlValue::Text(text.into_owned()),
                };
                self.add_node(
                    YamlNode {
                        position: place,
                        value,
                    },
                    anchor,
                );
            }
            Event::Alias(anchor) => {
                // The parser refuses aliases of unknown anchors; an alias inside its own anchor is not known here yet.
                let found = self.anchors.get(&anchor).cloned();
                let node = found.ok_or_else(|| Diagnostic::at(place, "an alias of itself"))?;
                self.attach(node);
            }
            Event::SequenceStart(anchor, _) => {
                self.open_collection(place, anchor, YamlValue::List(Vec::new()))?;
            }
            Event::MappingStart(anchor, _) => {
                self.open_collection(place, anchor, YamlValue::Map(Vec::new()))?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.close_collection(),
            _ => {}
        }
        Ok(())
    }

    /// Begins a list or mapping.
    fn open_collection(
        &mut self,
        place: TextPosition,
        anchor: usize,
        value: YamlValue,
    ) -> Result<(), Diagnostic> {
        if self.open.len() >= MAX_DEPTH {
            return Err(Diagnostic::at(place, "this is nested too deeply"));
        }
        self.open.push(OpenCollection {
            position: place,
            anchor,
            value,
            key: None,
        });
        Ok(())
    }

    /// Ends the innermost list or mapping.
    fn close_collection(&mut self) {
        if let Some(frame) = self.open.pop() {
            let (place, value) = (frame.position, frame.value);
            self.add_node(
                YamlNode {
                    position: place,
                    value,
                },
                frame.anchor,
            );
        }
    }

    /// Adds a node, and notes it under its anchor (0: none).
    fn add_node(&mut self, node: YamlNode, anchor: usize) {
        let node = Rc::new(node);
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
        self.attach(node);
    }

    /// Adds a node to the innermost collection, as an item, a key or the value of the last key.
    fn attach(&mut self, node: Rc<YamlNode>) {
        let Some(frame) = self.open.last_mut() else {
            self.root.get_or_insert(node);
            return;
        };
        match &mut frame.value {
            YamlValue::List(items) => items.push(node),
            YamlValue::Map(pairs) => match frame.key.take() {
                Some(key) => pairs.push((key, node)),
                None => frame.key = Some(node),
            },
            YamlValue::Null | YamlValue::Text(_) => {}
        }
    }

    /// Closes open collections: incomplete mappings are kept, incomplete lists are dropped.
    fn finish(mut self) -> Option<Rc<YamlNode>> {
        while let Some(frame) = self.open.last() {
            match frame.value {
                YamlValue::Map(_) => self.close_collection(),
                _ => {
                    self.open.pop();
                    if let Some(around) = self.open.last_mut() {
                        around.key = None;
                    }
                }
            }
        }
        self.root
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(node: &YamlNode) -> String {
        match &node.value {
            YamlValue::Null => "-".to_owned(),
            YamlValue::Text(text) => {
                format!("{text:?}@{}:{}", node.position.line, node.position.column)
            }
            YamlValue::List(items) => {
                let items: Vec<String> = items.iter().map(|item| shown(item)).collect();
                format!("[{}]", items.join(" "))
            }
            YamlValue::Map(pairs) => {
                let pair = |(key, value): &(Rc<YamlNode>, Rc<YamlNode>)| {
                    format!("{}={}", key.text().unwrap_or("?"), shown(value))
                };
                let pairs: Vec<String> = pairs.iter().map(pair).collect();
                format!("{{{}}}", pairs.join(" "))
            }
        }
    }

    #[test]
    fn everything_has_its_place() {
        let cases = [
            ("a: b\n", "{a=\"b\"@1:4}"),
            (
                "# x\né: 'ü'\nk:\n  l: [\"<C-r>\", U]\n",
                "{é=\"ü\"@2:4 k={l=[\"<C-r>\"@4:7 \"U\"@4:16]}}",
            ),
            ("a: &x \"#12\"\nb: *x\n", "{a=\"#12\"@1:4 b=\"#12\"@1:4}"),
            ("a:\nb: ~\nc: \"~\"\n", "{a=- b=- c=\"~\"@3:4}"),
            ("- 1\n- {b: c}\n", "[\"1\"@1:3 {b=\"c\"@2:7}]"),
            ("a: b\n---\nc: d\n", "{a=\"b\"@1:4}"),
        ];
        for (text, expected) in cases {
            let (node, mistakes) = parse(text);
            assert_eq!(mistakes, [], "{text:?}");
            assert_eq!(node.map(|node| shown(&node)).as_deref(), Some(expected));
        }
        for text in ["", "# only a comment\n", "---\n"] {
            let (node, mistakes) = parse(text);
            assert!(mistakes.is_empty(), "{text:?}");
            assert!(node.is_none_or(|node| node.value == YamlValue::Null));
        }
    }

    #[test]
    fn what_stands_before_a_mistake_is_kept() {
        let cases = [
            ("a: b\nc: \"\n", "{a=\"b\"@1:4}", 2),
            (
                "k:\n  a: x\n  b: [y, z\n  c: ]\nd: e\n",
                "{k={a=\"x\"@2:6}}",
                4,
            ),
            ("a: b\nc: ]\n", "{a=\"b\"@1:4}", 2),
            ("a: b\nc: *gone\n", "{a=\"b\"@1:4}", 2),
        ];
        for (text, expected, line) in cases {
            let (node, mistakes) = parse(text);
            assert_eq!(node.map(|node| shown(&node)).as_deref(), Some(expected));
            let [mistake] = &mistakes[..] else {
                panic!("{text:?}: {mistakes:?}");
            };
            let at = mistake.position.map(|place| place.line);
            assert!(at.is_some_and(|at| at >= line), "{text:?}: {mistake:?}");
        }
    }

    #[test]
    fn hostile_texts_are_refused_or_shared() {
        for deep in ["[", "- ", "{a: ", "? "] {
            let (_, mistakes) = parse(&deep.repeat(100_000));
            assert_eq!(mistakes.len(), 1, "{deep}");
        }
        let mut laughs = "l0: &l0 [x, x]\n".to_owned();
        for n in 1..60 {
            laughs += &format!("l{n}: &l{n} [*l{m}, *l{m}, *l{m}, *l{m}]\n", m = n - 1);
        }
        let (node, mistakes) = parse(&laughs);
        assert!(mistakes.is_empty() && node.is_some());
        let (_, mistakes) = parse("a: &a [*a]\n");
        assert_eq!(mistakes.len(), 1, "{mistakes:?}");
    }

    #[test]
    fn names_that_stand_twice_are_named() {
        let (node, _) = parse("a: 1\nb: 2\na: 3\n[x]: 4\n");
        let node = node.unwrap();
        let mut mistakes = Vec::new();
        let entries = node.entries(&mut mistakes);
        let found: Vec<_> = entries
            .iter()
            .map(|(word, node)| (word.text.as_str(), node.text().unwrap()))
            .collect();
        assert_eq!(found, [("a", "1"), ("b", "2")]);
        let lines: Vec<_> = mistakes.iter().map(|m| m.position.unwrap().line).collect();
        assert_eq!(lines, [3, 4]);
    }

    proptest! {
        #[test]
        fn no_text_brings_it_down(text in "[ a-c:\\-\\[\\]{},&*!|>'\"%@`#?\n\t~é\u{0}\u{feff}]{0,60}") {
            let (node, mistakes) = parse(&text);
            if let Some(node) = node {
                node.entries(&mut Vec::new());
            }
            for mistake in mistakes {
                prop_assert!(mistake.position.is_some_and(|place| place.line >= 1 && place.column >= 1));
            }
        }
    }
}
