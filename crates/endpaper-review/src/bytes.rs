//! The source bytes of a line: position in the file, line ending, unusual characters, and a hex dump.
//!
//! The output is printable ASCII, whatever the bytes are.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::guidelines::{self, GuidelineRow};
use endpaper_text::corpus::BookText;
use endpaper_text::wording::thousands;

/// Maximum number of bytes of a line in the dump.
const DUMPED: usize = 4096;
/// Maximum number of listed kinds of unusual characters.
const NAMED: usize = 8;
/// Bytes per row of the dump, and the columns that such a row needs.
const ROWS: [(usize, u16); 3] = [(16, 75), (8, 43), (4, 27)];

/// Describes the bytes of a line, for a box of `columns` columns.
pub fn dump(text: &BookText, line: u32, columns: u16) -> Vec<GuidelineRow> {
    let span = text.span(line, line);
    let bytes = text.bytes().get(span.clone()).unwrap_or_default();
    let ending = &bytes[text.raw(line).len().min(bytes.len())..];
    let mut rows = Vec::new();
    let mut say = |heading: bool, text: String| match heading {
        true => rows.push(GuidelineRow { heading, text }),
        // The text is ASCII, so one byte is one column.
        false => guidelines::wrap(&text, usize::from(columns).max(1), &mut rows),
    };
    say(true, format!("line {line}"));
    let (first, all) = (thousands(span.start), thousands(text.bytes().len()));
    let place = match bytes.len() {
        0 => format!("no bytes at {first} of {all}"),
        1 => format!("byte {first} of {all}"),
        _ => format!("bytes {first}-{} of {all}", thousands(span.end - 1)),
    };
    let count = thousands(bytes.len());
    say(false, format!("{place} (the first is 0): {count}"));
    say(false, format!("ends in {}", words_of(ending)));
    let (encoding, newline) = (text.encoding(), text.newline());
    say(false, format!("file: {encoding}, line endings {newline}"));
    let odd = odd(text, line);
    if !odd.is_empty() {
        say(false, String::new());
        say(true, "characters beyond plain ASCII".to_owned());
        odd.into_iter().for_each(|text| say(false, text));
    }
    say(false, String::new());
    let shown = &bytes[..bytes.len().min(DUMPED)];
    let heading = match bytes.len() > shown.len() {
        true => format!("the first {} of {count} bytes", thousands(DUMPED)),
        false => "bytes".to_owned(),
    };
    say(true, heading);
    let fitting = ROWS.iter().find(|(_, width)| *width <= columns);
    let (each, _) = fitting.unwrap_or(&ROWS[ROWS.len() - 1]);
    for (at, part) in shown.chunks(*each).enumerate() {
        rows.push(GuidelineRow {
            heading: false,
            text: hex_row(span.start + at * each, part, *each),
        });
    }
    rows
}

/// The names of the bytes of a line ending.
fn words_of(ending: &[u8]) -> String {
    let names: Vec<&str> = ending
        .iter()
        .filter_map(|byte| match byte {
            b'\r' => Some("CR"),
            b'\n' => Some("LF"),
            // The other byte of a UTF-16 unit.
            _ => None,
        })
        .collect();
    match names.is_empty() {
        true => "nothing: the file ends here".to_owned(),
        false => names.join(" "),
    }
}

/// `0000101a  45 74 65 78 74 ..  Etext...`
fn hex_row(offset: usize, bytes: &[u8], each: usize) -> String {
    let mut row = format!("{offset:08x}  ");
    for at in 0..each {
        match bytes.get(at) {
            Some(byte) => {
                let _ = write!(row, "{byte:02x} ");
            }
            None => row.push_str("   "),
        }
    }
    row.push(' ');
    let plain = |&byte: &u8| match byte {
        b' '..=b'~' => char::from(byte),
        _ => '.',
    };
    row.extend(bytes.iter().map(plain));
    row
}

/// The characters within the dumped part of a line that are control characters or not ASCII: how often each occurs, and the
/// byte offset in the line of the first.
fn odd(text: &BookText, line: u32) -> Vec<String> {
    let encoding = text.encoding();
    // A byte order mark before the first line does not belong to it.
    let raw = text.raw(line);
    let mark = match line {
        1 if raw.starts_with(encoding.byte_order_mark()) => encoding.byte_order_mark().len(),
        _ => 0,
    };
    let shown = text.display(line, DUMPED);
    // The limit may cut a long line within a character.
    let shown = match raw.len() > DUMPED {
        true => shown.trim_end_matches(char::REPLACEMENT_CHARACTER),
        false => &shown,
    };
    let mut offset = mark;
    let mut seen: BTreeMap<char, (usize, usize)> = BTreeMap::new();
    for c in shown.chars() {
        if c.is_control() || !c.is_ascii() {
            seen.entry(c).or_insert((0, offset)).0 += 1;
        }
        offset += encoding.len_of(c);
    }
    let mut found: Vec<(char, (usize, usize))> = seen.into_iter().collect();
    found.sort_by_key(|&(_, (_, first))| first);
    let more = found.len().saturating_sub(NAMED);
    let words = |(c, (count, first)): (char, (usize, usize))| {
        let times = match count {
            1 => String::new(),
            count => format!(", {} times", thousands(count)),
        };
        let code = u32::from(c);
        format!(
            "U+{code:04X} at byte {} of the line{times}",
            thousands(first)
        )
    };
    let mut rows: Vec<String> = found.into_iter().take(NAMED).map(words).collect();
    if more > 0 {
        rows.push(format!("and {} others", thousands(more)));
    }
    if mark > 0 {
        rows.insert(0, format!("a byte order mark of {mark} bytes"));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(bytes: &[u8], line: u32, columns: u16) -> Vec<String> {
        let all = dump(&BookText::new(bytes.to_vec()), line, columns).into_iter();
        all.map(|row| row.text).collect()
    }

    #[test]
    fn a_line_is_told_with_its_place_ending_and_odd_characters() {
        let found = rows(b"one\r\ncaf\xE9 \xE9\t\x1b[m\r\nthree", 2, 76);
        let expected = [
            "line 2",
            "bytes 5-16 of 22 (the first is 0): 12",
            "ends in CR LF",
            "file: windows-1252, line endings crlf",
            "",
            "characters beyond plain ASCII",
            "U+00E9 at byte 3 of the line, 2 times",
            "U+0009 at byte 6 of the line",
            "U+001B at byte 7 of the line",
            "",
            "bytes",
            "00000005  63 61 66 e9 20 e9 09 1b 5b 6d 0d 0a              caf. ...[m..",
        ];
        assert_eq!(found, expected);
        let last = rows(b"one\r\ntwo", 2, 76);
        assert_eq!(last[2], "ends in nothing: the file ends here");
        assert_eq!(
            rows(b"", 1, 76)[1],
            "no bytes at 0 of 0 (the first is 0): 0"
        );
    }

    #[test]
    fn narrow_boxes_get_fewer_bytes_a_row() {
        for (columns, expected) in [
            (
                80,
                "00000000  61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70  abcdefghijklmnop",
            ),
            (74, "00000000  61 62 63 64 65 66 67 68  abcdefgh"),
            (36, "00000000  61 62 63 64  abcd"),
            (5, "00000000  61 62 63 64  abcd"),
        ] {
            let found = rows(b"abcdefghijklmnopqrstuvwxyz\n", 1, columns);
            let at = found.iter().rposition(|row| row == "bytes").unwrap();
            assert_eq!(found[at + 1], expected, "{columns}");
        }
    }

    #[test]
    fn other_encodings_are_told_by_their_own_bytes() {
        let wide = rows(b"\xFF\xFEa\0\x19 b\0\r\0\n\0", 1, 76);
        assert!(wide.contains(&"ends in CR LF".to_owned()), "{wide:?}");
        assert!(wide.contains(&"a byte order mark of 2 bytes".to_owned()));
        assert!(wide.contains(&"U+2019 at byte 4 of the line".to_owned()));
        let utf8 = rows("\u{feff}caf\u{e9}\u{2019}\n".as_bytes(), 1, 76);
        assert!(
            utf8.contains(&"U+2019 at byte 8 of the line".to_owned()),
            "{utf8:?}"
        );
    }

    #[test]
    fn of_a_long_line_the_beginning_is_dumped_and_its_length_said() {
        let mut text = vec![b'x'; 1 << 20];
        text.push(b'\n');
        let found = rows(&text, 1, 76);
        let heading = "the first 4,096 of 1,048,577 bytes";
        let at = found.iter().position(|row| row == heading).unwrap();
        assert_eq!(found.len() - at - 1, 4096 / 16);
        assert_eq!(found[2], "ends in LF");
        let wide = rows("\u{2019}".repeat(3000).as_bytes(), 1, 76);
        let odd = "U+2019 at byte 0 of the line, 1,365 times";
        let at = wide.iter().position(|row| row == odd).unwrap();
        assert_eq!(wide[at + 1], "", "what is cut off is not a character");
    }

    proptest! {
        #[test]
        fn every_byte_of_a_line_is_dumped_as_printable_ascii(
            bytes in prop::collection::vec(any::<u8>(), 0..300), columns in 0u16..100,
        ) {
            let text = BookText::new(bytes.clone());
            for line in 1..=text.lines() {
                let found = rows(&bytes, line, columns);
                let plain = |c: char| c == ' ' || c.is_ascii_graphic();
                prop_assert!(found.iter().all(|row| row.chars().all(plain)), "{found:?}");
                let at = found.iter().rposition(|row| row == "bytes").unwrap();
                let hex: String = found[at + 1..]
                    .iter()
                    .flat_map(|row| row[10..].split("  ").next())
                    .map(|bytes| bytes.replace(' ', ""))
                    .collect();
                let expected: String = text.bytes()[text.span(line, line)]
                    .iter()
                    .map(|byte| format!("{byte:02x}"))
                    .collect();
                prop_assert_eq!(hex, expected);
            }
        }
    }
}
