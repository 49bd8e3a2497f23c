//! A batch of lines to count: the lines of one book.
//!
//! A batch is always one whole book, so that a structure (or the code that fills it) can count books instead of
//! occurrences. A line records its window, so that the ends can be counted apart. Trivial lines are not
//! added, and where the windows of a short book overlap, a line in the overlap is added once.

use std::collections::HashSet;

use super::CountedEnds;
use endpaper_text::line::Key;
use endpaper_text::scan::{MarkerSet, Scan, Window};

/// The lines of one book to count: their keys, and their texts for structures that want them.
///
/// ```
/// use endpaper_detect::frequency::{Accumulate, Counter, Crc64, BookLines};
/// use endpaper_text::line::Key;
/// use endpaper_text::scan::Window;
/// let line = "These Etexts Are Prepared By Thousands of Volunteers!";
/// let mut book = BookLines::default();
/// book.push(Key::of(line), Window::Head, None);
/// book.push(Key::of(line), Window::Tail, None);
/// let mut counter = Crc64::default();
/// counter.add_batch(&book)?;
/// assert_eq!(counter.finish(0)?.frequency(Key::of(line)), 2);
/// # anyhow::Ok(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct BookLines {
    keys: Vec<Key>,
    windows: Vec<Window>,
    arena: String,
    /// Index of a line and the end of its text in the arena; lines without text are not listed.
    texts: Vec<(usize, usize)>,
}

impl BookLines {
    /// Removes all lines and keeps the memory.
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

    /// Replaces the contents with the lines of a scan, keys only.
    pub fn fill(&mut self, scan: &Scan) {
        self.clear();
        for (key, window) in countable(scan) {
            self.push(key, window, None);
        }
    }

    /// Marks the last `lines` lines of the head window as lines of both windows.
    pub fn repeat_in_tail(&mut self, lines: u32) {
        let heads = self.windows.iter_mut();
        let heads = heads.filter(|window| **window == Window::Head);
        let shared = heads.rev().take(lines as usize);
        shared.for_each(|window| *window = Window::Both);
    }

    /// Replaces the contents with the lines of `book` at `ends`, each distinct line only once if `once` is set.
    pub(super) fn select(&mut self, book: &BookLines, ends: CountedEnds, once: bool) {
        self.clear();
        // Lines with texts are compared by text too: keys may collide.
        let mut seen = HashSet::with_capacity(if once { book.keys.len() } else { 0 });
        for (key, window, text) in book.lines() {
            if ends.hold(window) && (!once || seen.insert((key, text))) {
                self.push(key, window, text);
            }
        }
    }

    /// Every line with its key, its window and, if stored, its text.
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

    /// A digest of the counted lines that does not depend on their order.
    pub fn digest(&self) -> u64 {
        let lines = self.keys.iter().zip(&self.windows);
        // Keys are well mixed; the window must not be lost when they are added up.
        let mixed = lines.map(|(key, &window)| key.0.rotate_left(8 * window as u32));
        mixed.fold(self.keys.len() as u64, u64::wrapping_add)
    }

    /// The exact keys, in the order in which the lines were added.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// The windows of the lines, in the order of [`BookLines::keys`].
    pub fn windows(&self) -> &[Window] {
        &self.windows
    }

    /// Key and text of every line that came with its text.
    pub fn texts(&self) -> impl Iterator<Item = (Key, &str)> {
        self.lines()
            .filter_map(|(key, _, text)| text.map(|text| (key, text)))
    }
}

/// Key and window of every line of a scan that is counted.
fn countable(scan: &Scan) -> impl Iterator<Item = (Key, Window)> {
    let (head, tail) = (scan.head as usize, scan.tail as usize);
    let rows = scan.rows.iter().enumerate();
    rows.filter(|(_, row)| !row.marks.has(MarkerSet::TRIVIAL))
        .filter_map(move |(index, row)| {
            let window = match (index < head, index >= tail) {
                (true, true) => Window::Both,
                (true, false) => Window::Head,
                (false, true) => Window::Tail,
                // A line that is read above the tail window, never counted.
                (false, false) => return None,
            };
            Some((row.key, window))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frequency::tests::scan_of;

    const LONG: &str = "A line of more than thirty characters, number";

    #[test]
    fn trivial_lines_never_count_and_a_line_in_both_windows_counts_once() {
        let lines: Vec<String> = (0..4).map(|n| format!("{LONG} {n}")).collect();
        let mut scan = scan_of(&[&lines[0], "short", &lines[1], &lines[2], &lines[3]]);
        scan.head = 3;
        scan.tail = 2;
        let mut keyed = BookLines::default();
        keyed.fill(&scan);
        let expected: Vec<Key> = lines.iter().map(|line| Key::of(line)).collect();
        assert_eq!(keyed.keys(), expected);
        let windows = [Window::Head, Window::Both, Window::Tail, Window::Tail];
        assert_eq!(keyed.windows(), windows);
    }

    #[test]
    fn the_last_lines_of_the_head_are_shared() {
        let mut keyed = BookLines::default();
        for (n, window) in (0..).zip([Window::Head, Window::Head, Window::Head, Window::Tail]) {
            keyed.push(Key(n), window, None);
        }
        keyed.repeat_in_tail(2);
        let windows = [Window::Head, Window::Both, Window::Both, Window::Tail];
        assert_eq!(keyed.windows(), windows);
    }
}
