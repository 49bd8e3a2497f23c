//! The windows of whole books, of their ends, and of Scans are equal.

use proptest::prelude::*;

use super::*;
use crate::corpus::{BookText, EncodingChoice};
use crate::line::Normaliser;

fn book(lines: u32) -> Vec<u8> {
    let line = |n: u32| format!("Line {n} of a book that is long enough to count\n\nshort {n}\n");
    (0..lines).map(line).collect::<String>().into_bytes()
}

#[test]
fn windows_hold_so_many_non_trivial_lines_from_each_end() {
    let scan = scan(
        &book(100),
        WindowOptions {
            head: 3,
            tail: 2,
            ..WindowOptions::default()
        },
    );
    let lines = |rows: &[ScanRow]| rows.iter().map(|row| row.line).collect::<Vec<_>>();
    assert_eq!(lines(scan.head_rows()), [1, 3, 4, 6, 7]);
    assert_eq!(lines(scan.tail_rows()), [295, 297, 298, 300]);
    assert_eq!(scan.lines, 300);
}

#[test]
fn windows_of_a_short_book_overlap_and_hold_each_line_once() {
    for (head, tail) in [(3, 4), (5, 5), (300, 300), (4, 1), (1, 4)] {
        let scan = scan(
            &book(5),
            WindowOptions {
                head,
                tail,
                ..WindowOptions::default()
            },
        );
        assert!(
            scan.rows.is_sorted_by(|a, b| a.line < b.line),
            "{head} {tail}"
        );
        let full = |rows: &[ScanRow]| {
            rows.iter()
                .filter(|row| !row.marks.has(MarkerSet::TRIVIAL))
                .count()
        };
        assert_eq!(full(scan.head_rows()), 5.min(head as usize));
        assert_eq!(full(scan.tail_rows()), 5.min(tail as usize));
    }
}

#[test]
fn gutenberg_between_the_windows_is_found() {
    let mut text = String::from_utf8(book(50)).expect("ASCII");
    text = text
        .replace("short 20", "a Gutenberg bible")
        .replace("short 25", "GUTENBERG");
    let scan = scan(
        text.as_bytes(),
        WindowOptions {
            head: 5,
            tail: 5,
            ..WindowOptions::default()
        },
    );
    assert_eq!(scan.mentions, [63, 78]);
}

#[test]
fn an_empty_text_has_no_rows() {
    let scan = scan(&[], WindowOptions::default());
    assert_eq!(
        (scan.lines, scan.rows.len(), scan.head, scan.tail),
        (0, 0, 0, 0)
    );
}

#[test]
fn the_word_is_found_between_the_windows_in_every_encoding() {
    let line = |n: u32| format!("line {n} of a book that was typed by somebody\n");
    let mut lines: Vec<String> = (1..=9).map(line).collect();
    lines[4] = "Project Gutenberg\n".into();
    let text = lines.concat();
    let units: Vec<u16> = text.encode_utf16().collect();
    let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    for bytes in [text.into_bytes(), little, big] {
        let options = WindowOptions {
            head: 2,
            tail: 2,
            ..WindowOptions::default()
        };
        assert_eq!(scan(&bytes, options).mentions, [5]);
    }
}

/// The windows by their definition, from the list of all lines.
fn slowly(bytes: &[u8], options: WindowOptions) -> (Vec<ScanRow>, usize, usize) {
    let text = BookText::new(bytes.to_vec());
    let mut normaliser = Normaliser::default();
    let mut rows = Vec::new();
    for line in 1..=text.lines() {
        let raw = text.normaliser_input(line);
        let normalised = normaliser.line(&raw);
        if !normalised.is_blank() {
            rows.push(ScanRow {
                line,
                ..super::scanner::row_without_features(&normalised).expect("not blank")
            });
        }
    }
    let reach = |rows: &mut dyn Iterator<Item = &ScanRow>, wanted: u32| {
        let mut seen = 0;
        let taken = rows.take_while(|row| {
            let more = seen < wanted;
            seen += u32::from(more && !row.marks.has(MarkerSet::TRIVIAL));
            more
        });
        taken.count()
    };
    let head = reach(&mut rows.iter(), options.head);
    let tail = rows.len() - reach(&mut rows.iter().rev(), options.tail);
    (rows, head, tail)
}

/// Texts of full, short and blank lines with endings of all kinds.
fn texts() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        3 => r"[a-d ]{30,40}[x-z*\-é]{1,4}",
        2 => r"[a-z]{0,9}",
        1 => Just(String::new()),
        1 => Just("  \t ".to_owned()),
    ];
    let ending =
        prop_oneof![4 => Just("\n"), 2 => Just("\r\n"), 1 => Just("\r\r\n"), 1 => Just("\r")];
    let lines = proptest::collection::vec((line, ending), 0..60);
    (lines, any::<bool>(), 0..4u8).prop_map(|(lines, ended, form)| {
        let mut text: String = lines.iter().flat_map(|(line, end)| [line, *end]).collect();
        if !ended {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        let marked = format!("\u{feff}{text}");
        match form {
            0 => marked.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            1 => marked.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            2 => marked.into_bytes(),
            _ => text.into_bytes(),
        }
    })
}

proptest! {
    #[test]
    fn a_scan_holds_the_windows_of_the_text(bytes in texts(), head in 0..20u32, tail in 0..20u32) {
        let options = WindowOptions { head, tail, line_features: false, encoding: EncodingChoice::Guessed };
        let (rows, first, last) = slowly(&bytes, options);
        let scan = scan(&bytes, options);
        let text = BookText::new(bytes.clone());
        prop_assert_eq!(scan.head_rows(), &rows[..first]);
        prop_assert_eq!(scan.tail_rows(), &rows[last..]);
        prop_assert_eq!((scan.lines, scan.encoding), (text.lines(), text.encoding()));
    }

    #[test]
    fn what_counts_is_what_a_scan_holds(bytes in texts(), head in 0..20u32, tail in 0..20u32) {
        let options = WindowOptions { head, tail, ..WindowOptions::default() };
        let scan = scan(&bytes, options);
        let full = |rows: &[ScanRow]| -> Vec<crate::line::Key> {
            rows.iter().filter(|row| !row.marks.has(MarkerSet::TRIVIAL)).map(|row| row.key).collect()
        };
        let mut scanner = Scanner::default();
        let (mut heads, mut tails) = (Vec::new(), Vec::new());
        let shared = scanner.for_each_key(BookBytes::Whole(&bytes), options, |window, key| match window {
            Window::Head => heads.push(key),
            _ => tails.push(key),
        });
        tails.extend(heads.iter().rev().take(shared.expect("all of it is available") as usize));
        tails.reverse();
        prop_assert_eq!(&heads, &full(scan.head_rows()));
        prop_assert_eq!(&tails, &full(scan.tail_rows()));

        // Any two parts that suffice yield the same keys, and so do the texts.
        let (first, last) = (bytes.len() / 2, bytes.len() - bytes.len() / 3);
        let ends = BookBytes::Ends(&bytes[..first], &bytes[last..]);
        let (mut some_heads, mut some_tails) = (Vec::new(), Vec::new());
        let enough = scanner.for_each_line(ends, options, |window, line| match window {
            Window::Head => some_heads.push(line.key()),
            _ => some_tails.push(line.key()),
        });
        if enough.is_some() {
            some_tails.reverse();
            prop_assert_eq!((heads, tails), (some_heads, some_tails));
        }
    }

    #[test]
    fn a_scanner_that_has_read_books_reads_the_next_as_a_new_one(books in proptest::collection::vec(texts(), 1..4)) {
        let options = WindowOptions { head: 9, tail: 9, ..WindowOptions::default() };
        let mut scanner = Scanner::default();
        for book in books.iter().chain(&books).chain(&books) {
            let expected = scan(book, options);
            prop_assert_eq!(&scanner.scan(book, options), &expected);
            let mut keys = Vec::new();
            prop_assert_eq!(&scanner.scan_with(book, options, |_, key, _| keys.push(key)), &expected);
            let full = expected.rows.iter().filter(|row| !row.marks.has(MarkerSet::TRIVIAL));
            prop_assert_eq!(keys.len(), full.count());
        }
    }
}

#[test]
fn the_ends_of_a_long_book_are_enough() {
    let book = book(500);
    let ends = BookBytes::Ends(&book[..5000], &book[book.len() - 5000..]);
    let mut scanner = Scanner::default();
    let mut seen = 0;
    let options = WindowOptions {
        head: 20,
        tail: 20,
        ..WindowOptions::default()
    };
    let enough = scanner.for_each_key(ends, options, |_, _| seen += 1);
    assert_eq!((enough, seen), (Some(0), 40));
    let wide = WindowOptions {
        head: 300,
        tail: 20,
        ..WindowOptions::default()
    };
    assert_eq!(scanner.for_each_key(ends, wide, |_, _| ()), None);
}

#[test]
fn only_rows_near_the_ends_are_looked_at_and_as_far_as_they_are_strong() {
    let looked = |row: &ScanRow| row.features != LineFeatures::default();
    let mut text = String::new();
    // Lines of prose, and indented ones, which count half.
    for (indent, reach) in [(0, MAX_PROSE_ROWS), (2, 2 * MAX_PROSE_ROWS)] {
        text = String::from("Produced by Somebody\n\n");
        for n in 0..900 {
            text.push_str(&" ".repeat(indent));
            text.push_str(&format!(
                "Line {n} of a story that goes on and on and never ends\n\n"
            ));
        }
        let found = scan(text.as_bytes(), WindowOptions::default());
        let first: Vec<bool> = found.head_rows().iter().map(looked).collect();
        assert!(first[..=reach].iter().all(|looked| *looked));
        assert!(first[reach + 1..].iter().all(|looked| !looked));
        assert_eq!(usize::from(found.rows[1].features.indent), indent);
    }
    let none = WindowOptions {
        line_features: false,
        ..WindowOptions::default()
    };
    assert!(!scan(text.as_bytes(), none).rows.iter().any(looked));
}

#[test]
fn a_window_of_lines_that_do_not_count_ends_all_the_same() {
    let book = "a\n".repeat(500_000);
    let scan = scan(book.as_bytes(), WindowOptions::default());
    assert_eq!(
        (scan.lines, scan.head, scan.rows.len()),
        (500_000, 100_000, 200_000)
    );
    assert!(!scan.is_whole());
    assert_eq!((scan.tail_rows().len(), scan.overlap()), (100_000, 0));
}
