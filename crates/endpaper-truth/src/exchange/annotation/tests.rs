use super::spans::cuts_of;
use super::*;
use crate::exchange::Signature;
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

/// A record of [`BOOK`], and the text.
fn record(verdict: Verdict) -> (Record, BookText) {
    let book = BookText::new(BOOK.into());
    let mut record = Record::new("a", SourceFacts::of(&book));
    record.cuts = Cuts {
        preamble_end: 1,
        epilogue_start: Some(7),
    };
    record.verdict = verdict;
    if verdict.is_decided() {
        record.add_review(crate::Review {
            by: "ms".to_owned(),
            at: "2026-11-21T03:22:00Z".to_owned(),
            verdict,
            cuts: record.cuts,
            ..crate::Review::default()
        });
    }
    record.context = crate::context_of_record(&book, &record);
    (record, book)
}

/// An item with labels of some annotators.
fn item(record: Option<Record>, labels: &[(&str, &[LabelledSpan])]) -> AnnotatedItem {
    let opinions = labels.iter().map(|(by, spans)| LabelOpinion {
        by: Some((*by).to_owned()),
        spans: spans.to_vec(),
        ..LabelOpinion::default()
    });
    AnnotatedItem {
        book: Some("a".to_owned()),
        record,
        opinions: opinions.collect(),
        ..AnnotatedItem::default()
    }
}

/// The records that follow from items of one book.
fn records(items: Vec<AnnotatedItem>) -> Vec<Result<Record, String>> {
    let signature = Signature {
        by: "ms".to_owned(),
        at: "2026-11-22T03:22:00Z".to_owned(),
    };
    let book = || BookText::new(BOOK.into());
    let items = items.into_iter().enumerate().map(|(line, item)| {
        let checked = check_item(item, &book()).unwrap();
        ((line + 1, 1), "a".to_owned(), checked)
    });
    let books = opinions_by_book(items).into_iter();
    let record = |opinions: BookOpinions| opinions.record(&signature, |_| Ok(book()));
    books.map(|opinions| Ok(record(opinions)?.0)).collect()
}

#[test]
fn second_item_with_another_record_is_refused() {
    let (one, _) = record(Verdict::Confirmed);
    let mut other = one.clone();
    other.note = "decided elsewhere".to_owned();
    let items = [&one, &other, &one].map(|record| AnnotatedItem {
        record: Some(record.clone()),
        ..AnnotatedItem::default()
    });
    let found = records(items.into());
    let [Ok(first), Err(message)] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!(first, &one);
    assert!(
        message.starts_with("'a' is there twice, with records that differ"),
        "{message}"
    );
}

#[test]
fn annotators_who_differ_on_blocks_leave_a_draft_of_the_first() {
    let (body, inside) = (
        span(PartLabel::Body, 9, 16),
        span(PartLabel::Inside, 13, 16),
    );
    let (all, both) = ([body], [body, inside]);
    for (first, second, verdict, blocks) in [
        (&all[..], &both[..], Verdict::Open, 0),
        (&both, &all, Verdict::Open, 1),
        (&both, &both, Verdict::Confirmed, 1),
    ] {
        let items = vec![item(None, &[("kd", first), ("ab", second)])];
        let found = records(items).remove(0).unwrap();
        assert_eq!((found.verdict, found.inside.len()), (verdict, blocks));
        assert_eq!(found.reviews.len(), 2);
    }
    // One leaves the labels as they were, the other also moves a cut: cuts and blocks are from the same.
    let (before, book) = record(Verdict::Confirmed);
    let exported = spans::of_record(&before, &ToolText::of(&book));
    let moved = [span(PartLabel::Body, 12, 23), inside];
    let labels: [(&str, &[LabelledSpan]); 2] = [("kd", &exported), ("ab", &moved)];
    let found = records(vec![item(Some(before.clone()), &labels)]);
    let found = found[0].as_ref().unwrap();
    assert_eq!(
        (found.verdict, found.cuts, found.inside.len()),
        (Verdict::Open, before.cuts, 0)
    );
}

#[test]
fn verdict_that_was_changed_in_a_tool_is_refused() {
    use ExchangeFormat::{Brat, Prodigy, Tei};
    let answered = |from: Option<&str>, to: &str| match from {
        Some(from) => (
            format!("\"answer\":\"{from}\""),
            format!("\"answer\":\"{to}\""),
        ),
        None => (
            "\"text\"".to_owned(),
            format!("\"answer\":\"{to}\",\"text\""),
        ),
    };
    let label = |from: &str, to: &str| (format!("T1\t{from}"), format!("T1\t{to}"));
    let kind = |from: &str, to: &str| (format!("type=\"{from}\""), format!("type=\"{to}\""));
    let (open, not_a_book) = (Verdict::Open, Verdict::NotABook);
    let table = [
        (
            Brat,
            open,
            label("open", "not-a-book"),
            "has the verdict 'not-a-book', but 'open'",
        ),
        (
            Brat,
            not_a_book,
            label("not-a-book", "open"),
            "has the verdict 'open'",
        ),
        (Brat, open, label("open", "open"), ""),
        (
            Brat,
            open,
            label(
                "open 0 5\tHead\u{1F600}",
                "open 0 5\tx\nT2\tundecidable 0 5\tx",
            ),
            "beside 'open'",
        ),
        (
            Tei,
            open,
            kind("open", "not-a-book"),
            "has the verdict 'not-a-book', but 'open'",
        ),
        (Tei, open, kind("open", "open"), ""),
        (
            Tei,
            Verdict::Confirmed,
            (
                "<text>".to_owned(),
                "<text type=\"undecidable\">".to_owned(),
            ),
            "has parts of a book and the verdict",
        ),
        (
            Prodigy,
            open,
            answered(None, "reject"),
            "was rejected; label it again",
        ),
        (
            Prodigy,
            open,
            answered(None, "ignore"),
            "was ignored; label it again",
        ),
        (Prodigy, open, answered(None, "accept"), ""),
        (Prodigy, not_a_book, answered(Some("reject"), "reject"), ""),
        (
            Prodigy,
            not_a_book,
            answered(Some("reject"), "ignore"),
            "was ignored",
        ),
        (
            Prodigy,
            not_a_book,
            answered(Some("reject"), "accept"),
            "was accepted without labels",
        ),
        (
            Prodigy,
            not_a_book,
            answered(Some("reject"), "x"),
            "unknown answer 'x'",
        ),
    ];
    for (format, verdict, (from, to), message) in table {
        let (record, book) = record(verdict);
        let exported = ExportedBook::new(&record, &book).unwrap();
        let changed = |text: String| {
            assert!(text.contains(&from), "{from}: {text}");
            text.replacen(&from, &to, 1)
        };
        let item = match format {
            Prodigy => items(changed(exported.line(format).unwrap()).as_bytes(), format).remove(0),
            _ => {
                let mut files = exported.files(format).unwrap();
                let labels = changed(files.pop().unwrap().1);
                read_label_file(format, &labels, files.pop().map(|file| file.1))
            }
        };
        let found = item.and_then(|item| check_item(item, &book));
        let said = found.map_or_else(|said| said, |_| String::new());
        assert_eq!(said.is_empty(), message.is_empty(), "{to}: {said}");
        assert!(said.contains(message), "{to}: {said}");
    }
}

#[test]
fn line_of_just_the_limit_is_read_and_so_is_the_next() {
    let line = r#"{"text":"x"}"#;
    for (spaces, expected) in [(0, [true, true]), (1, [false, true])] {
        let source = format!("{line}{}\n{line}\n", " ".repeat(spaces));
        let mut found = Vec::new();
        let longest = line.len() as u64;
        let each = |(_, _, item): ReadItem| found.push(item.is_ok());
        json::read_lines_up_to(longest, source.as_bytes(), prodigy::read, each).unwrap();
        assert_eq!(found, expected);
    }
}

#[test]
fn many_labels_on_a_long_text_are_read_in_one_pass() {
    let words = "\u{1F600} ".repeat(100_000);
    let mut cas = format!("<x><Sofa sofaString=\"{words}\"/>");
    let mut tei = "<TEI><text><body><ab>".to_owned();
    for at in (0..100_000).rev() {
        let (begin, end) = (at * 3, at * 3 + 2);
        cas.push_str(&format!(
            "<BookPart part=\"inside\" begin=\"{begin}\" end=\"{end}\"/>"
        ));
        tei.push_str("<seg type=\"inside\">\u{1F600}</seg> <seg type=\"inside\"> </seg>");
    }
    cas.push_str("</x>");
    tei.push_str("</ab></body></text></TEI>");
    let found = read_label_file(ExchangeFormat::Inception, &cas, None).unwrap();
    let spans = &found.opinions[0].spans;
    assert_eq!(spans.len(), 100_000);
    assert_eq!(spans[0], span(PartLabel::Inside, 199_998, 199_999));
    let found = read_label_file(ExchangeFormat::Tei, &tei, None).unwrap();
    let spans = &found.opinions[0].spans;
    assert_eq!(spans.len(), 100_001);
    assert_eq!(spans[1], span(PartLabel::Inside, 3, 4));
}
