//! Streams of JSON: one value a line, or the elements of one array, of which never more than one is in memory.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::super::jsonl::without_place;
use super::{AnnotatedItem, LONGEST_ITEM, ReadItem};

/// Calls `each` with the item of every line that is not blank.
pub(super) fn read_lines<T: DeserializeOwned>(
    source: impl Read,
    item: impl Fn(T) -> Result<AnnotatedItem, String>,
    each: impl FnMut(ReadItem),
) -> io::Result<()> {
    read_lines_up_to(LONGEST_ITEM, source, item, each)
}

/// The same with another limit for the bytes of a line, to which its end does not count.
pub(super) fn read_lines_up_to<T: DeserializeOwned>(
    longest: u64,
    source: impl Read,
    item: impl Fn(T) -> Result<AnnotatedItem, String>,
    mut each: impl FnMut(ReadItem),
) -> io::Result<()> {
    let mut source = BufReader::with_capacity(1 << 16, source);
    let mut number = 0;
    loop {
        let mut line = Vec::new();
        let mut limited = source.by_ref().take(longest + 1);
        if limited.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        number += 1;
        // With its end the line was read whole, and to skip would lose the next.
        if line.len() as u64 > longest && !line.ends_with(b"\n") {
            skip_line(&mut source)?;
            each((number, 1, Err(too_long(longest))));
            continue;
        }
        let line = match number {
            1 => line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&line),
            _ => &line,
        };
        if line.trim_ascii().is_empty() {
            continue;
        }
        let read = serde_json::from_slice(line).map_err(|error| (error.column(), error));
        match read {
            Ok(value) => each((number, 1, item(value))),
            Err((column, error)) => each((number, column.max(1), Err(in_words(&error)))),
        }
    }
}

/// Most bytes of a line that are skipped: a device has lines without end.
const LONGEST_SKIPPED: u64 = 4 << 30;

/// Reads on to the next line without keeping anything.
fn skip_line(source: &mut impl BufRead) -> io::Result<()> {
    let mut skipped = 0;
    while skipped < LONGEST_SKIPPED {
        let part = source.fill_buf()?;
        let (length, found) = match memchr::memchr(b'\n', part) {
            Some(at) => (at + 1, true),
            None => (part.len(), part.is_empty()),
        };
        source.consume(length);
        skipped += length as u64;
        if found {
            return Ok(());
        }
    }
    Err(io::Error::other(
        "has a line of more than 4 GiB; write one item a line",
    ))
}

/// Calls `each` with the items of an array, or with the one that stands there alone. After an error of syntax nothing can be
/// read: it is the last.
pub(super) fn read_values<T: DeserializeOwned>(
    source: impl Read,
    item: impl Fn(T) -> Result<AnnotatedItem, String>,
    mut each: impl FnMut(ReadItem),
) -> io::Result<()> {
    let progress = Rc::new(Progress::default());
    let mut source = BufReader::with_capacity(1 << 16, source);
    if source.fill_buf()?.starts_with(b"\xEF\xBB\xBF") {
        source.consume(3);
    }
    let reader = ItemReader {
        source,
        progress: Rc::clone(&progress),
    };
    let mut deserializer = serde_json::Deserializer::from_reader(BufReader::new(reader));
    let read = deserializer.deserialize_any(ItemVisitor {
        progress: &progress,
        each: |value: Value| {
            let read = serde_json::from_value(value).map_err(|error| error.to_string());
            each((progress.line.get() + 1, 1, read.and_then(&item)));
        },
    });
    match read.and_then(|()| deserializer.end()) {
        Ok(()) => Ok(()),
        Err(error) if error.is_io() && !progress.exceeded.get() => Err(error.into()),
        Err(_) if progress.exceeded.get() => {
            each((progress.line.get() + 1, 1, Err(too_long(LONGEST_ITEM))));
            Ok(())
        }
        Err(error) => {
            each((
                error.line().max(1),
                error.column().max(1),
                Err(in_words(&error)),
            ));
            Ok(())
        }
    }
}

/// How far an [`ItemReader`] has come.
#[derive(Debug, Default)]
struct Progress {
    /// Bytes of the item being read.
    bytes: Cell<u64>,
    /// Line ends that were read.
    line: Cell<usize>,
    exceeded: Cell<bool>,
}

/// Reads no more than [`LONGEST_ITEM`] bytes of one item.
struct ItemReader<R> {
    source: R,
    progress: Rc<Progress>,
}

impl<R: Read> Read for ItemReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        let Progress {
            bytes,
            line,
            exceeded,
        } = &*self.progress;
        bytes.set(bytes.get() + read as u64);
        line.set(line.get() + memchr::memchr_iter(b'\n', &buffer[..read]).count());
        // Reading ahead counts for the item before.
        if bytes.get() > LONGEST_ITEM {
            exceeded.set(true);
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(read)
    }
}

struct ItemVisitor<'a, F> {
    progress: &'a Progress,
    each: F,
}

impl<'de, F: FnMut(Value)> Visitor<'de> for ItemVisitor<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an array of tasks")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        self.progress.bytes.set(0);
        while let Some(value) = items.next_element::<Value>()? {
            self.progress.bytes.set(0);
            (self.each)(value);
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, item: A) -> Result<(), A::Error> {
        let value = Value::deserialize(MapAccessDeserializer::new(item));
        (self.each)(value.map_err(A::Error::custom)?);
        Ok(())
    }
}

/// The message of an error, which has its place in the fields beside it.
fn in_words(error: &serde_json::Error) -> String {
    match error.is_eof() {
        true => "ends in the middle of a value; the rest is missing".to_owned(),
        false => without_place(error),
    }
}

/// Why an item is not read.
fn too_long(longest: u64) -> String {
    format!("is longer than the {longest} bytes that are read of one book")
}
