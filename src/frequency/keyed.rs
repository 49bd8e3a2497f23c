//! A batch of lines to count: the lines of one book.
//!
//! A batch is always one whole book, so that a structure (or whoever fills it) can count books instead of occurrences,
//! and a line knows which window it stands in, so that the ends can be counted apart. Trivial lines never get in, and
//! a line that both windows of a short book hold is there once.

use std::collections::HashSet;

use super::Ends;
use crate::line::{Key, Normalised};
use crate::scan::{Marks, Scan};

/// Which window of its book a line stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Window {
    /// The head window only.
    Head,
    /// The tail window only.
    Tail,
    /// Both: the windows of a short book overlap.
    Both,
}

impl Window {
    /// Whether a line of this window is counted at these ends.
    fn is_at(self, ends: Ends) -> bool {
        match ends {
            Ends::Both => true,
            Ends::Head => self != Window::Tail,
            Ends::Tail => self != Window::Head,
        }
    }
}

/// The texts of one book's window lines, gathered by [`crate::scan::scan_with`] for structures that want them.
#[derive(Debug, Default)]
pub struct Texts {
    arena: String,
    /// Line number and end of its text in the arena, in line order.
    lines: Vec<(u32, usize)>,
}

impl Texts {
    /// Forgets all texts and keeps the memory.
    pub fn clear(&mut self) {
        self.arena.clear();
        self.lines.clear();
    }

    /// Takes one line if it is not trivial.
    pub fn push(&mut self, line: u32, normalised: &Normalised<'_>) {
        if !normalised.trivial {
            self.arena.push_str(normalised.text);
            self.lines.push((line, self.arena.len()));
        }
    }

    fn iter(&self) -> impl Iterator<Item = (u32, &str)> {
        let mut start = 0;
        self.lines.iter().map(move |&(line, end)| {
            let text = &self.arena[start..end];
            start = end;
            (line, text)
        })
    }
}

/// The lines of one book to count: their keys, and their texts for structures that want them.
///
/// ```
/// use endpaper::frequency::{Counter, Crc64, Keyed, Window};
/// use endpaper::line::Key;
/// let line = "These Etexts Are Prepared By Thousands of Volunteers!";
/// let mut book = Keyed::default();
/// book.push(Key::of(line), Window::Head, None);
/// book.push(Key::of(line), Window::Tail, None);
/// let mut counter = Crc64::default();
/// counter.add_batch(&book)?;
/// assert_eq!(counter.finish(0)?.frequency(Key::of(line)), 2);
/// # anyhow::Ok(())
/// ```
#[derive(Debug, Default)]
pub struct Keyed {
    keys: Vec<Key>,
    windows: Vec<Window>,
    arena: String,
    /// Index of a line and the end of its text in the arena; lines without text are not listed.
    texts: Vec<(usize, usize)>,
}

impl Keyed {
    /// Forgets all lines and keeps the memory.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.windows.clear();
        self.arena.clear();
        self.texts.clear();
    }

    /// Adds one line.
    pub fn push(&mut self, key: Key, window: Window, text: Option<&str>) {
        if let Some(text) = text {
            self.arena.push_str(text);
            self.texts.push((self.keys.len(), self.arena.len()));
        }
        self.keys.push(key);
        self.windows.push(window);
    }

    /// Becomes the lines of a scan, keys only.
    pub fn fill(&mut self, scan: &Scan) {
        self.clear();
        for (key, window, _) in countable(scan) {
            self.push(key, window, None);
        }
    }

    /// Becomes the lines of a scan with the texts gathered while it was made.
    pub fn fill_with_texts(&mut self, scan: &Scan, texts: &Texts) {
        self.clear();
        let mut texts = texts.iter().peekable();
        for (key, window, line) in countable(scan) {
            while texts.next_if(|&(number, _)| number < line).is_some() {}
            let text = texts.next_if(|&(number, _)| number == line);
            self.push(key, window, text.map(|(_, text)| text));
        }
    }

    /// Becomes those lines of a book that stand at these ends, each different line only once if `once`.
    pub(super) fn select(&mut self, book: &Keyed, ends: Ends, once: bool) {
        self.clear();
        // Lines with texts are told apart by them: keys may collide.
        let mut seen = HashSet::with_capacity(if once { book.keys.len() } else { 0 });
        for (key, window, text) in book.lines() {
            if window.is_at(ends) && (!once || seen.insert((key, text))) {
                self.push(key, window, text);
            }
        }
    }

    /// Key, window and text of every line.
    fn lines(&self) -> impl Iterator<Item = (Key, Window, Option<&str>)> {
        let mut texts = self.texts.iter().peekable();
        let mut start = 0;
        let lines = self.keys.iter().zip(&self.windows).enumerate();
        lines.map(move |(index, (&key, &window))| {
            let text = texts.next_if(|text| text.0 == index).map(|&(_, end)| {
                let text = &self.arena[start..end];
                start = end;
                text
            });
            (key, window, text)
        })
    }

    /// The exact keys in line order.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// Where the lines stand, in the order of [`Keyed::keys`].
    pub fn windows(&self) -> &[Window] {
        &self.windows
    }

    /// Key and text of every line that came with its text.
    pub fn texts(&self) -> impl Iterator<Item = (Key, &str)> {
        self.lines()
            .filter_map(|(key, _, text)| text.map(|text| (key, text)))
    }
}

/// Key, window and number of every line of a scan that counts.
fn countable(scan: &Scan) -> impl Iterator<Item = (Key, Window, u32)> {
    let (head, tail) = (scan.head as usize, scan.tail as usize);
    let rows = scan.rows.iter().enumerate();
    rows.filter(|(_, row)| !row.marks.has(Marks::TRIVIAL))
        .map(move |(index, row)| {
            let window = match (index < head, index >= tail) {
                (true, true) => Window::Both,
                (true, false) => Window::Head,
                _ => Window::Tail,
            };
            (row.key, window, row.line)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frequency::tests::scan_of;
    use crate::line::Normaliser;

    const LONG: &str = "A line of more than thirty characters, number";

    #[test]
    fn trivial_lines_never_count_and_a_line_in_both_windows_counts_once() {
        let lines: Vec<String> = (0..4).map(|n| format!("{LONG} {n}")).collect();
        let mut scan = scan_of(&[&lines[0], "short", &lines[1], &lines[2], &lines[3]]);
        scan.head = 3;
        scan.tail = 2;
        let mut keyed = Keyed::default();
        keyed.fill(&scan);
        let expected: Vec<Key> = lines.iter().map(|line| Key::of(line)).collect();
        assert_eq!(keyed.keys(), expected);
        let windows = [Window::Head, Window::Both, Window::Tail, Window::Tail];
        assert_eq!(keyed.windows(), windows);
    }

    #[test]
    fn texts_find_their_rows_by_line_number() {
        let lines: Vec<String> = (0..3).map(|n| format!("{LONG} {n}")).collect();
        let scan = scan_of(&[&lines[0], "short", &lines[1], &lines[2]]);
        let (mut texts, mut normaliser) = (Texts::default(), Normaliser::default());
        for (line, text) in [(1, &lines[0][..]), (2, "short"), (4, &lines[2])] {
            texts.push(line, &normaliser.text(text));
        }
        let mut keyed = Keyed::default();
        keyed.fill_with_texts(&scan, &texts);
        let found: Vec<(Key, &str)> = keyed.texts().collect();
        let expected = [&lines[0], &lines[2]].map(|line| (Key::of(line), line.as_str()));
        assert_eq!(found, expected);
        assert_eq!(keyed.keys().len(), 3);
    }
}
