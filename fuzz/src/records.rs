//! Readers of records and of what other programs say of books, and two promises: a record that is read, written and read
//! again is the same, and finding cuts again in a changed text never moves them to other words.

use endpaper_detect::Cuts;
use endpaper_text::corpus::BookText;
use endpaper_truth::exchange::annotation::{
    check_item, opinions_by_book, read_items, read_label_file,
};
use endpaper_truth::exchange::{
    ExchangeFormat, Signature, read_jsonl, read_stream, read_table, record_from_line, write_jsonl,
    write_stream,
};
use endpaper_truth::{Record, SourceFacts, check, context_of_record, relocate, yaml};

/// The text that labels refer to.
const TEXT: &str = "Header\n\nCHAPTER I\n\nIt was a dark night.\nÄ é 漢字\n\nThe End\n\nLicence\n";

/// Whoever labelled without a name.
fn signature() -> Signature {
    Signature {
        by: "fuzzer".to_owned(),
        at: "2026-01-01T00:00:00Z".to_owned(),
    }
}

/// A record's file, and a stream of records.
pub fn yaml(bytes: &[u8]) {
    if let Ok(record) = yaml::read_bytes(bytes) {
        let _ = check::check_record(&record);
    }
    let text = String::from_utf8_lossy(bytes);
    let records: Vec<Record> = read_stream(&text)
        .into_iter()
        .filter_map(|(_, read)| read.ok())
        .collect();
    let written = write_stream(&records);
    let again: Vec<Record> = read_stream(&written)
        .into_iter()
        .map(|(_, read)| read.expect("what was written can be read"))
        .collect();
    assert_eq!(again, records);
}

/// A table of cuts, whatever its separator.
pub fn table(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let book = BookText::new(TEXT.into());
    for format in [ExchangeFormat::Tsv, ExchangeFormat::Csv] {
        for line in read_table(&text, format).into_iter().flatten().flatten() {
            if let Ok(record) = record_from_line(&line, &book, &signature()) {
                read_again(&record);
            }
        }
    }
}

/// Records as JSON lines.
pub fn jsonl(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for (_, record) in read_jsonl(&text) {
        if let Ok(record) = record {
            read_again(&record);
        }
    }
}

/// Labels of other tools; the first byte says which.
pub fn annotations(bytes: &[u8]) {
    let Some((&which, bytes)) = bytes.split_first() else {
        return;
    };
    let book = BookText::new(TEXT.into());
    let mut items = Vec::new();
    let files = [
        ExchangeFormat::Prodigy,
        ExchangeFormat::Doccano,
        ExchangeFormat::LabelStudio,
    ];
    let folders = [
        ExchangeFormat::Brat,
        ExchangeFormat::Inception,
        ExchangeFormat::Tei,
    ];
    let which = usize::from(which) % 6;
    if let Some(&format) = files.get(which) {
        let read = read_items(bytes, format, |(line, column, item)| {
            items.extend(item.ok().map(|item| ((line, column), item)));
        });
        read.expect("bytes in memory can be read");
    } else {
        let labels = String::from_utf8_lossy(bytes);
        let item = read_label_file(folders[which - 3], &labels, Some(TEXT.to_owned()));
        items.extend(item.ok().map(|item| ((1, 1), item)));
    }
    let checked = items.into_iter().filter_map(|(place, item)| {
        let name = item.book().ok()?.to_owned();
        let item = check_item(item, &book).ok()?;
        Some((place, name, item))
    });
    let checked: Vec<_> = checked.collect();
    for opinions in opinions_by_book(checked) {
        let record = opinions.record(&signature(), |_| Ok(BookText::new(TEXT.into())));
        if let Ok((record, _)) = record {
            read_again(&record);
        }
    }
}

/// A record is the same after it was written and read, in both formats.
fn read_again(record: &Record) {
    let written = yaml::write(record);
    match yaml::read(&written) {
        Ok(read) => assert_eq!(read, *record, "{written}"),
        Err(error) => panic!("what was written cannot be read: {error}\n{written}"),
    }
    assert_eq!(
        yaml::write(&yaml::read(&written).expect("it was read")),
        written
    );
    if let Ok(line) = write_jsonl(record) {
        let read = read_jsonl(&line).remove(0).1;
        assert_eq!(read.as_ref(), Ok(record), "{line}");
    }
}

/// **Promise**: read, write, read is the same.
pub fn round_trip(bytes: &[u8]) {
    if let Ok(record) = yaml::read_bytes(bytes) {
        read_again(&record);
    }
}

/// **Promise**: finding cuts again never moves them to other words. The bytes are a text of different lines, cuts and edits;
/// a cut that is found has every line that is left on its old side, and no new line at the cut itself, whose side nobody knows.
pub fn reanchor(bytes: &[u8]) {
    let Some(([count, start, end], edits)) = bytes.split_first_chunk() else {
        return;
    };
    let count = 4 + u32::from(*count) % 60;
    let text = |line: u32| match line % 5 {
        0 => String::new(),
        _ => format!("Line {line} of a book, as it was written"),
    };
    let whole: String = (1..=count).map(|line| text(line) + "\n").collect();
    let book = BookText::new(whole.into_bytes());
    let preamble_end = u32::from(*start) % count;
    let epilogue_start = preamble_end + 1 + u32::from(*end) % (count - preamble_end);
    let mut record = Record::new("a.txt", SourceFacts::of(&book));
    record.cuts = Cuts {
        preamble_end,
        epilogue_start: Some(epilogue_start),
    };
    record.context = context_of_record(&book, &record);
    // Each line with its old number, or none for a new one.
    let mut lines: Vec<(Option<u32>, String)> =
        (1..=count).map(|line| (Some(line), text(line))).collect();
    for (number, edit) in edits.chunks_exact(3).take(24).enumerate() {
        let [what, at, length] = edit.try_into().expect("three bytes");
        let at = usize::from(at) % (lines.len() + 1);
        let length = usize::from(length) % 8;
        match what % 3 {
            0 => drop(lines.drain(at..(at + length).min(lines.len()))),
            1 => drop(lines.splice(
                at..at,
                (0..length).map(|i| (None, format!("New line {number}.{i}"))),
            )),
            _ => drop(lines.splice(at..at, (0..length).map(|_| (None, String::new())))),
        }
    }
    let edited: String = lines.iter().map(|(_, line)| format!("{line}\n")).collect();
    let found = relocate(&record, &BookText::new(edited.into_bytes()));
    let start = found.preamble_end.ok().map(|cut| (preamble_end, cut.line));
    let all = lines.len() as u32;
    let end = found
        .epilogue_start
        .ok()
        .map(|cut| (epilogue_start - 1, cut.line.map_or(all, |line| line - 1)));
    for (old_last, new_last) in [start, end].into_iter().flatten() {
        let shown = lines
            .iter()
            .zip(1..)
            .filter(|((_, text), _)| !text.is_empty());
        let sides: Vec<(Option<bool>, bool)> = shown
            .map(|((old, _), new)| (old.map(|old| old <= old_last), new <= new_last))
            .collect();
        let moved = sides
            .iter()
            .any(|&(old, new)| old.is_some_and(|old| old != new));
        assert!(
            !moved,
            "the cut after line {old_last} moved to after line {new_last}: {lines:?}"
        );
    }
}
