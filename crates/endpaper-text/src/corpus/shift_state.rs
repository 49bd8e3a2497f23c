//! The character sets of ISO-2022-JP, which an escape sequence selects until the next one.
//!
//! Lines should end in ASCII (RFC 1468), but not all do: what is selected holds across line ends, so that a line is decoded
//! alone as in its text.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use encoding_rs::ISO_2022_JP;
use memchr::{memchr2_iter, memchr3_iter, memrchr_iter};

use super::Encoding;

const ESCAPE: u8 = 0x1B;

/// The escape sequences, that of ASCII first.
const SEQUENCES: [&[u8]; 5] = [b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b$@", b"\x1b$B"];

/// The escape sequence that is active at a place of a text: an index of [`SEQUENCES`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ShiftState(u8);

impl ShiftState {
    /// What the escape sequence selects that bytes begin with; `None` without a whole one.
    fn selected_by(bytes: &[u8]) -> Option<ShiftState> {
        let found = SEQUENCES.iter().position(|known| bytes.starts_with(known));
        found.map(|at| ShiftState(at as u8))
    }

    /// What is active after some bytes.
    fn after(self, bytes: &[u8]) -> ShiftState {
        let mut escapes = memrchr_iter(ESCAPE, bytes);
        let last = escapes.find_map(|at| ShiftState::selected_by(&bytes[at..]));
        last.unwrap_or(self)
    }

    /// Decodes ISO-2022-JP.
    pub fn decode(mut self, bytes: &[u8]) -> Cow<'_, str> {
        let mut ends = memchr2_iter(b'\r', b'\n', bytes).peekable();
        if ends.peek().is_none() {
            return self.decode_line(bytes);
        }
        let (mut text, mut start) = (String::with_capacity(bytes.len()), 0);
        for end in ends {
            let line = &bytes[start..end];
            text.push_str(&self.decode_line(line));
            text.push(char::from(bytes[end]));
            (self, start) = (self.after(line), end + 1);
        }
        text.push_str(&self.decode_line(&bytes[start..]));
        text.into()
    }

    /// Decodes bytes without a line end, which the decoder would take for the half of a character.
    fn decode_line(self, line: &[u8]) -> Cow<'_, str> {
        // A sequence right after another one is an error.
        if self == ShiftState::default() || ShiftState::selected_by(line).is_some() {
            return ISO_2022_JP.decode_without_bom_handling(line).0;
        }
        let shifted = [SEQUENCES[usize::from(self.0)], line].concat();
        let (text, _) = ISO_2022_JP.decode_without_bom_handling(&shifted);
        text.into_owned().into()
    }
}

/// The lines of a text that do not begin in ASCII.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShiftedLines {
    /// The first and the last of several line starts with the same state, in order.
    runs: Vec<(RangeInclusive<u32>, ShiftState)>,
}

impl ShiftedLines {
    /// Finds those of a text of less than 4 GiB; there are none in other encodings than ISO-2022-JP.
    pub fn of(bytes: &[u8], encoding: Encoding) -> ShiftedLines {
        let mut found = ShiftedLines::default();
        if !encoding.is_stateful() {
            return found;
        }
        let mut state = ShiftState::default();
        // The line starts since the last escape sequence.
        let mut run: Option<RangeInclusive<u32>> = None;
        for at in memchr3_iter(ESCAPE, b'\r', b'\n', bytes) {
            if bytes[at] != ESCAPE {
                let start = at as u32 + 1;
                let first = run.map_or(start, |run| *run.start());
                run = (state != ShiftState::default()).then_some(first..=start);
            } else if let Some(selected) = ShiftState::selected_by(&bytes[at..]) {
                found.runs.extend(run.take().map(|run| (run, state)));
                state = selected;
            }
        }
        found.runs.extend(run.map(|run| (run, state)));
        found
    }

    /// What is active at the start of a line.
    pub fn at(&self, start: usize) -> ShiftState {
        let next = self
            .runs
            .partition_point(|(run, _)| *run.start() as usize <= start);
        match next.checked_sub(1).map(|last| &self.runs[last]) {
            Some((run, state)) if start <= *run.end() as usize => *state,
            _ => ShiftState::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{BookText, EncodingChoice};
    use crate::scan::{BookBytes, Scanner, WindowOptions, scan};

    const CHOICE: EncodingChoice = EncodingChoice::Forced(Encoding::Other(ISO_2022_JP));

    fn lines(bytes: &[u8]) -> Vec<String> {
        let text = BookText::in_encoding(bytes.to_vec(), CHOICE);
        (1..=text.lines())
            .map(|line| {
                let input = text.normaliser_input(line).into_owned();
                let shown = text.display(line, usize::MAX).into_owned();
                assert_eq!(input, shown.as_bytes(), "line {line}");
                shown
            })
            .collect()
    }

    #[test]
    fn a_character_set_holds_across_line_ends_until_the_next_escape_sequence() {
        let (a, i) = ("\u{3042}", "\u{3044}");
        for end in ["\n", "\r\n", "\r"] {
            let text = format!("\x1b$B$\"{end}$${end}$$\x1b(B end{end}$${end}");
            assert_eq!(lines(text.as_bytes()), [a, i, &format!("{i} end"), "$$"]);
        }
        assert_eq!(lines(b"\x1b$B$\"\n\x1b(Bend\n"), [a, "end"]);
        assert_eq!(lines(b"\x1b$B$\"\n\n\x1b$@$$\n$$"), [a, "", i, i]);
    }

    /// Bytes with escape sequences of all kinds, whole and truncated, before and after line ends.
    fn hostile_texts() -> Vec<Vec<u8>> {
        let pieces: [&[u8]; 12] = [
            b"\x1b$B", b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b$", b"\x1b", b"\n", b"\r\n", b"$\"",
            b"$", b" a", b"\xff",
        ];
        let mut texts = vec![Vec::new()];
        for length in 0..4 {
            let longest: Vec<_> = (texts.iter())
                .filter(|text: &&Vec<_>| text.len() >= length)
                .cloned()
                .collect();
            for text in longest {
                texts.extend(pieces.iter().map(|piece| [&text, *piece].concat()));
            }
            texts.truncate(20_000);
        }
        texts
    }

    #[test]
    fn lines_alone_are_the_lines_of_the_whole() {
        for bytes in hostile_texts() {
            let whole = ShiftState::default().decode(&bytes).into_owned();
            let text = BookText::in_encoding(bytes.clone(), CHOICE);
            let shown: Vec<String> = lines(&bytes);
            let lines = whole.split('\n').map(|line| line.trim_end_matches('\r'));
            let expected: Vec<&str> = lines.take(text.lines() as usize).collect();
            assert_eq!(shown, expected, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn a_scan_reads_the_lines_of_the_text() {
        let japanese = "$\"$$$&$($*".repeat(8);
        let line = format!("{japanese}\n");
        let text = format!(
            "\x1b$B{}\x1b(BThe last line of the text, which is in English\n",
            line.repeat(900)
        );
        let text = text.into_bytes();
        let options = WindowOptions {
            encoding: CHOICE,
            ..WindowOptions::default()
        };
        let scan = scan(&text, options);
        let keys: std::collections::BTreeSet<_> = scan.rows.iter().map(|row| row.key).collect();
        assert_eq!((scan.lines, keys.len()), (901, 2));
        // The bytes of the ends alone do not say what their lines are.
        let (first, last) = text.split_at(text.len() / 2);
        let ends = BookBytes::Ends(first, last);
        let counted = Scanner::default().for_each_key(ends, options, |_, _| ());
        assert_eq!(counted, None);
    }
}
