//! Texts of lines by key: a model counts keys, but people read lines.
//!
//! The structures need not keep texts for this. A frequent line occurs in many books, and therefore also among a few
//! hundred books spread evenly over the corpus; their lines are remembered during counting, and the most frequent of
//! them are kept at the end. A line in 2 % of the books is missing from all of 256 books once in 170 times.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::coding::{ByteReader, put_u64, put_varint};
use super::table::saturate;
use super::{BookLines, Frequencies, ModelError};
use endpaper_text::line::Key;

/// Number of texts in a part. A line that is frequent in the whole corpus may be less frequent in a part.
pub const PART_TEXTS: usize = 4000;

/// Number of characters of a text that are kept.
const MOST_CHARACTERS: usize = 200;

/// Lines of some books of a corpus with their counts.
#[derive(Debug, Default)]
pub struct TextSampler {
    lines: HashMap<u64, SampledLine>,
}

/// Count of a line, position of the book that its text is from, and the text.
type SampledLine = (u32, usize, Box<str>);

impl TextSampler {
    /// Adds the lines of one book that come with their texts. Of several texts with the same key, the one from the book
    /// with the lowest `place` is kept, with any number of threads.
    pub fn add(&mut self, place: usize, book: &BookLines) {
        for (key, text) in book.texts() {
            let line = self.lines.entry(key.0);
            let line = line.or_insert_with(|| (0, place, shortened(text).into()));
            line.0 = line.0.saturating_add(1);
            if place < line.1 {
                (line.1, line.2) = (place, shortened(text).into());
            }
        }
    }

    /// Adds a line that occurs `count` times. Of several texts with the same key the least is kept, in whatever order
    /// they come.
    pub(super) fn note(&mut self, key: u64, text: &str, count: u64) {
        let text = shortened(text);
        let line = self.lines.entry(key);
        let line = line.or_insert_with(|| (0, 0, text.into()));
        line.0 = line.0.saturating_add(saturate(count));
        if text < &*line.2 {
            line.2 = text.into();
        }
    }

    /// Whether the sample contains a line with this key.
    pub fn has(&self, key: Key) -> bool {
        self.lines.contains_key(&key.0)
    }

    /// Number of lines sampled.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Drops all but the `most` most frequent lines.
    pub(super) fn keep(&mut self, most: usize) {
        let mut ranks: Vec<(Reverse<u32>, u64)> = self
            .lines
            .iter()
            .map(|(key, line)| (Reverse(line.0), *key))
            .collect();
        if ranks.len() > most {
            let (_, last, _) = ranks.select_nth_unstable(most);
            let last = *last;
            self.lines
                .retain(|key, line| (Reverse(line.0), *key) < last);
        }
    }

    /// Merges two samples.
    pub fn merge(self, other: TextSampler) -> TextSampler {
        let (mut large, small) = if self.lines.len() < other.lines.len() {
            (other, self)
        } else {
            (self, other)
        };
        for (key, (count, place, text)) in small.lines {
            match large.lines.entry(key) {
                Entry::Vacant(free) => {
                    free.insert((count, place, text));
                }
                Entry::Occupied(mut taken) => {
                    let line = taken.get_mut();
                    line.0 = line.0.saturating_add(count);
                    if place < line.1 {
                        (line.1, line.2) = (place, text);
                    }
                }
            }
        }
        large
    }

    /// The texts of the `most` most frequent lines of the sample.
    pub fn most_frequent(self, most: usize) -> LineTexts {
        let mut lines: Vec<(u64, SampledLine)> = self.lines.into_iter().collect();
        lines.sort_unstable_by_key(|(key, line)| (Reverse(line.0), *key));
        lines.truncate(most);
        let texts = lines.into_iter().map(|(key, (_, _, text))| (key, text));
        LineTexts::from_pairs(texts.collect())
    }

    /// All texts.
    pub fn all(self) -> LineTexts {
        self.most_frequent(usize::MAX)
    }
}

/// The beginning of a text, up to the number of characters that are kept.
pub(super) fn shortened(text: &str) -> &str {
    let end = text.char_indices().nth(MOST_CHARACTERS);
    end.map_or(text, |(end, _)| &text[..end])
}

/// Texts of some lines, by key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineTexts {
    /// Ascending keys.
    texts: Vec<(u64, Box<str>)>,
}

impl LineTexts {
    /// The texts of keys in any order; of several texts of a key the first in order is kept.
    fn from_pairs(mut texts: Vec<(u64, Box<str>)>) -> LineTexts {
        texts.sort_unstable();
        texts.dedup_by_key(|text| text.0);
        LineTexts { texts }
    }

    /// The text of the line with this key as it was counted, up to its first 200 characters.
    pub fn get(&self, key: Key) -> Option<&str> {
        let at = self
            .texts
            .binary_search_by_key(&key.0, |text| text.0)
            .ok()?;
        Some(&self.texts[at].1)
    }

    /// Number of texts.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The keys with a text, ascending.
    pub fn keys(&self) -> impl Iterator<Item = Key> {
        self.texts.iter().map(|text| Key(text.0))
    }

    /// The texts of both.
    pub fn union(mut self, other: LineTexts) -> LineTexts {
        self.texts.extend(other.texts);
        LineTexts::from_pairs(self.texts)
    }

    /// The texts of the `most` most frequent lines at each end that occur at least `below` times.
    pub fn trimmed(&self, frequencies: &Frequencies, most: usize, below: u64) -> LineTexts {
        let mut kept = Vec::new();
        for (_, counts) in frequencies.sets() {
            let known = self.texts.iter();
            let mut lines: Vec<_> = known
                .map(|text| (counts.frequency(Key(text.0)), text))
                .filter(|line| line.0 >= below.max(1))
                .collect();
            lines.sort_unstable_by_key(|(count, text)| (Reverse(*count), text.0));
            kept.extend(lines.into_iter().take(most).map(|(_, text)| text.clone()));
        }
        LineTexts::from_pairs(kept)
    }

    /// Appends the bytes of the texts.
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        put_u64(out, self.texts.len() as u64);
        let mut last = 0;
        for (key, text) in &self.texts {
            put_varint(out, key - last);
            put_varint(out, text.len() as u64);
            out.extend_from_slice(text.as_bytes());
            last = *key;
        }
    }

    /// Reads what [`LineTexts::put`] wrote.
    pub(super) fn take(reader: &mut ByteReader<'_>) -> Result<LineTexts, ModelError> {
        const MALFORMED: ModelError = ModelError::Malformed("a text is out of order or damaged");
        let len = reader.count(2)?;
        let mut texts: Vec<(u64, Box<str>)> = Vec::new();
        for index in 0..len {
            let distance = reader.varint()?;
            let last = texts.last().map_or(0, |text| text.0);
            if index > 0 && distance == 0 {
                return Err(MALFORMED);
            }
            let key = last.checked_add(distance).ok_or(MALFORMED)?;
            let bytes = usize::try_from(reader.varint()?).map_err(|_| ModelError::Truncated)?;
            let text = std::str::from_utf8(reader.bytes(bytes)?).map_err(|_| MALFORMED)?;
            texts.push((key, text.into()));
        }
        Ok(LineTexts { texts })
    }
}

#[cfg(test)]
mod tests;
