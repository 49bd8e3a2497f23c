use super::spans::cuts_of;
use super::*;
use crate::{SourceFacts, Verdict};
use endpaper_detect::Cuts;

const BOOK: &str = "Head\u{1F600}\n\n  One\r\nTwo \n\n\nEnd";

fn text() -> ToolText {
    ToolText::of(&BookText::new(BOOK.into()))
}

fn span(part: PartLabel, start: usize, end: usize) -> LabelledSpan {
    LabelledSpan { part, start, end }
}

#[test]
fn tool_text_counts_code_points_and_ends_every_line_with_lf() {
    let text = text();
    assert_eq!(text.as_str(), "Head\u{1F600}\n\n  One\nTwo \n\n\nEnd\n");
    assert_eq!((text.characters(), text.replaced()), (24, 0));
    assert_eq!(
        (text.start_of(3), text.line_at(6), text.line_at(12)),
        (7, 2, 3)
    );
    assert_eq!(text.trimmed(3, 6), Some((9, 16)));
    assert_eq!(text.trimmed(5, 6), None);
    assert_eq!(
        (text.slice(4, 12), text.slice(20, 99)),
        ("\u{1F600}\n\n  One", "End\n")
    );
    let odd = ToolText::of(&BookText::new("a\u{c}\u{0}b\n\u{fffe}".into()));
    assert_eq!(
        (odd.as_str(), odd.replaced()),
        ("a \u{fffd}b\n\u{fffd}\n", 3)
    );
}

#[test]
fn spans_mean_whole_lines() {
    let text = text();
    let table = [
        ((9, 16), Ok((3, 4, false))),
        ((7, 19), Ok((3, 4, false))),
        ((5, 17), Ok((3, 4, false))),
        ((10, 16), Ok((3, 4, true))),
        ((9, 15), Ok((3, 4, true))),
        ((12, 16), Ok((4, 4, false))),
        ((20, 24), Ok((7, 7, false))),
        ((17, 19), Err(())),
        ((20, 25), Err(())),
        ((9, 9), Err(())),
        ((9, 3), Err(())),
        ((usize::MAX - 1, usize::MAX), Err(())),
    ];
    for ((start, end), expected) in table {
        let found = span(PartLabel::Body, start, end).lines(&text);
        let found = found.map(|(lines, moved)| (lines.first, lines.last, moved));
        assert_eq!(found.map_err(|_| ()), expected, "{start} to {end}");
    }
}

#[test]
fn cuts_follow_from_any_labels_that_are_enough() {
    use PartLabel::{Body, Epilogue, Inside, Preamble};
    let book = BookText::new(BOOK.into());
    let text = text();
    let cuts = |spans: &[LabelledSpan]| {
        let lines: Vec<_> = spans
            .iter()
            .map(|span| span.lines(&text).unwrap().0)
            .collect();
        cuts_of(&lines, &book)
    };
    let (head, body, end) = (
        span(Preamble, 0, 5),
        span(Body, 9, 16),
        span(Epilogue, 20, 23),
    );
    let expected = Cuts {
        preamble_end: 1,
        epilogue_start: Some(7),
    };
    for spans in [&[head, body, end][..], &[body], &[head, end]] {
        assert_eq!(cuts(spans), Ok((expected, Vec::new())), "{spans:?}");
    }
    let all = span(Body, 0, 23);
    assert_eq!(cuts(&[all]), Ok((Cuts::default(), Vec::new())));
    let inside = span(Inside, 13, 16);
    assert_eq!(cuts(&[body, inside]), Ok((expected, vec![(4, 4)])));
    for spans in [
        &[head, all][..],
        &[end, all],
        &[body, body],
        &[inside],
        &[],
        &[body, inside, inside],
        &[body, span(Inside, 20, 23)],
        &[head, span(Body, 13, 16)],
        &[span(Body, 9, 12), end],
    ] {
        assert!(cuts(spans).is_err(), "{spans:?}");
    }
}

/// The items that a reader finds in a text.
fn items(text: &[u8], format: ExchangeFormat) -> Vec<Result<AnnotatedItem, String>> {
    let mut items = Vec::new();
    read_items(text, format, |(_, _, item)| items.push(item)).unwrap();
    items
}

/// A source of a byte that is repeated, after a beginning.
fn endless(start: &str, byte: u8) -> impl Read {
    io::Cursor::new(start.to_owned().into_bytes()).chain(io::repeat(byte).take(LONGEST_ITEM + 9))
}

#[test]
fn item_that_is_too_long_is_refused_and_the_next_line_is_read() {
    let good = r#"{"text":"x","meta":{"book":"a"}}"#;
    let mut found = Vec::new();
    let source = endless("{\"text\":\"", b'x').chain(io::Cursor::new(format!("\n{good}\n")));
    read_items(source, ExchangeFormat::Prodigy, |(line, _, item)| {
        found.push((line, item.map(|item| item.book)));
    })
    .unwrap();
    let [(1, Err(message)), (2, Ok(Some(book)))] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert!(
        message.contains("is longer than") && book == "a",
        "{message}"
    );
    let mut found = Vec::new();
    let source = endless("[{\"data\":{\"text\":\"", b'x');
    read_items(source, ExchangeFormat::LabelStudio, |(_, _, item)| {
        found.push(item.map(|item| item.book));
    })
    .unwrap();
    assert!(
        found[0]
            .as_ref()
            .is_err_and(|error| error.contains("is longer than")),
        "{found:?}"
    );
    assert_eq!(found.len(), 1);
}

#[test]
fn label_studio_has_an_array_or_one_task_and_wrong_tasks_do_not_end_it() {
    let task = r#"{"data":{"text":"x","book":"a"}}"#;
    let read = |text: String| items(text.as_bytes(), ExchangeFormat::LabelStudio);
    assert!(matches!(read(task.to_owned()).as_slice(), [Ok(_)]));
    let mixed = read(format!("[{task},{{\"data\":{{\"text\":1}}}},7,{task}]"));
    let kinds: Vec<bool> = mixed.iter().map(Result::is_ok).collect();
    assert_eq!(kinds, [true, false, false, true]);
    for cut in ["[", "", "[{\"data\":", "7", "{\"data\":{}}"] {
        assert!(read(cut.to_owned()).iter().any(Result::is_err), "{cut}");
    }
    assert_eq!(read("[]".to_owned()).len(), 0);
    let deep = "[".repeat(100_000);
    assert!(read(deep).iter().any(Result::is_err));
}

#[test]
fn spans_of_a_record_without_cuts_or_with_odd_blocks_are_left_out() {
    let book = BookText::new(BOOK.into());
    let text = text();
    let mut record = Record::new("a", SourceFacts::of(&book));
    assert!(spans::of_record(&record, &text).is_empty());
    record.verdict = Verdict::Confirmed;
    record.cuts.preamble_end = 1;
    let block = |first, last| crate::InnerBoilerplate {
        first,
        last,
        kind: "list".to_owned(),
    };
    record.inside = vec![block(4, 4), block(3, 4), block(1, 1), block(5, 6)];
    let found: Vec<_> = spans::of_record(&record, &text)
        .iter()
        .map(|span| (span.part.name(), span.start, span.end))
        .collect();
    assert_eq!(
        found,
        [("preamble", 0, 5), ("body", 9, 23), ("inside", 9, 16)]
    );
}
