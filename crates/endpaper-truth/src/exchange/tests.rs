use super::*;
use crate::{Alternative, RecordKind, Review, SourceFacts, Verdict};
use endpaper_detect::{Cuts, End};
use endpaper_text::checksum::sha256;
use endpaper_text::corpus::BookText;

const BOOK: &[u8] = b"licence\n\nTitle\nby A\n\nText.\n\nTHE END\n\nlicence\n";

fn text() -> BookText {
    BookText::new(BOOK.to_vec())
}

fn signature() -> Signature {
    Signature {
        by: "ms".into(),
        at: "2026-11-21T03:22:00Z".into(),
    }
}

fn record() -> Record {
    let cuts = Cuts {
        preamble_end: 1,
        epilogue_start: Some(10),
    };
    let mut record = Record::new("a.txt", SourceFacts::of(&text()));
    record.alternatives = vec![
        Alternative {
            end: End::Start,
            line: 4,
            why: "title".into(),
        },
        Alternative {
            end: End::End,
            line: 11,
            why: String::new(),
        },
    ];
    record.flags = vec!["ads".into(), "a,b".into()];
    record.note = "one\ttab, \"two\"".into();
    record.cuts = cuts;
    record.context = crate::context_of_record(&text(), &record);
    record.unknown.insert("era".into(), "old".into());
    record.add_review(Review {
        by: "ms".into(),
        at: "2026-11-21T03:22:00Z".into(),
        drawn: "import".into(),
        verdict: Verdict::Confirmed,
        cuts,
        ..Review::default()
    });
    record
}

/// The one line of a table.
fn line(table: &str, format: ExchangeFormat) -> TableLine {
    let mut lines = read_table(table, format).unwrap();
    assert_eq!(lines.len(), 1);
    lines.remove(0).unwrap()
}

#[test]
fn labels_have_the_columns_and_words_of_labels() {
    let record = record();
    let table = ExportTable::of(ExchangeFormat::Tsv, [&record]);
    assert_eq!(
        table.header(),
        "book\tsha256\tbody_first\tbody_last\talt_first\talt_last\thard\treasons\tnote\tkind\tera"
    );
    let sha256 = sha256(BOOK);
    assert_eq!(
        table.row(&record, &text()),
        format!("a.txt\t{sha256}\t3\t8\t6\t10\t0\tads,a\\\\,b\tone\\ttab, \"two\"\tbook\told")
    );
    let mut index = Record::new("i.txt", SourceFacts::of(&text()));
    (index.kind, index.verdict) = (RecordKind::NotABook, Verdict::NotABook);
    let row = ExportTable::of(ExchangeFormat::Tsv, [&index]).row(&index, &text());
    assert!(row.ends_with("\t1\t10\t-\t-\t0\t-\t-\tindex"), "{row}");
    index.verdict = Verdict::Open;
    assert!(!table.holds(&index) && ExportTable::of(ExchangeFormat::Csv, [&index]).holds(&index));
}

#[test]
fn a_table_gives_the_record_back() {
    for format in [ExchangeFormat::Tsv, ExchangeFormat::Csv] {
        let mut record = record();
        let table = ExportTable::of(format, [&record]);
        let written = format!("{}\n{}\n", table.header(), table.row(&record, &text()));
        let again = record_from_line(&line(&written, format), &text(), &signature()).unwrap();
        // One line cannot say why.
        record.alternatives[0].why.clear();
        assert_eq!(again, record, "{format}");
    }
}

#[test]
fn what_a_line_says_wrong_is_refused() {
    let table = [
        ("body_first\tbody_last", "3\t99", "body_last 99 is outside"),
        (
            "body_first\tbody_last",
            "2\t8",
            "body_first 2 is a blank line",
        ),
        (
            "body_first\tbody_last",
            "x\t8",
            "body_first is 'x'; write a line number",
        ),
        ("body_first\tbody_last", "3\t-", "name both"),
        ("hard\tkind", "0\tbook", "name the cuts"),
        (
            "preamble_end\tepilogue_start",
            "1\t99",
            "epilogue_start 99 is outside",
        ),
        ("kind\tsha256", "index\t00", "another text"),
        ("kind\tverdict", "index\tconfirmed", "name the cuts"),
        ("kind\tverdict", "index\topen", "contradict"),
        ("kind\tverdict", "leaf\topen", "unknown kind 'leaf'"),
        ("kind\thard", "index\t7", "hard is '7'"),
        ("kind\talt_last", "index\t11", "alt_last is '11'"),
        ("kind\tinside", "index\t3:x", "FIRST-LAST:KIND"),
        (
            "body_first\tbody_last\tepilogue_start",
            "3\t8\t5",
            "without preamble_end",
        ),
        ("kind\tat", "index\tyesterday", "'at' is 'yesterday'"),
    ];
    for (columns, cells, message) in table {
        let line = line(
            &format!("book\t{columns}\na.txt\t{cells}\n"),
            ExchangeFormat::Tsv,
        );
        let error = record_from_line(&line, &text(), &signature()).expect_err(cells);
        assert!(error.contains(message), "{cells}: {error}");
    }
}

#[test]
fn what_is_no_table_is_refused_with_its_line() {
    let table = [
        ("", 1, "no column 'book'"),
        ("\n\nbok\tkind\n", 3, "no column 'book'"),
        ("book\tbook\n", 1, "twice"),
        ("book\tcuts\n", 1, "no column; rename"),
        ("book\t\t\n", 1, "without a name"),
    ];
    for (text, line, message) in table {
        let error = read_table(text, ExchangeFormat::Tsv).expect_err(text);
        assert_eq!(error.line, line, "{text:?}: {error}");
        assert!(error.message.contains(message), "{text:?}: {error}");
    }
    let lines = read_table("book,kind\r\na,book\r\nb\r\n", ExchangeFormat::Csv).unwrap();
    assert!(lines[0].is_ok());
    let error = lines[1].as_ref().unwrap_err();
    assert_eq!((error.line, error.message.contains("1 cells")), (3, true));
}

#[test]
fn a_stream_names_the_line_of_the_whole_file() {
    let one = crate::yaml::write(&record());
    let text = format!("# labels\n---\n{one}...\n--- # two\nschema: 9\n---\n\n---\n{one}");
    let read = read_stream(&text);
    let lines = one.lines().count();
    assert_eq!(read.len(), 3);
    assert_eq!(read[0], (2, Ok(record())));
    let error = read[1].1.as_ref().unwrap_err();
    assert_eq!(error.line, lines + 5);
    assert!(error.message.contains("newer endpaper"), "{error}");
    assert_eq!(read[2].1, Ok(record()));
    assert_eq!(write_stream([&record()]), format!("---\n{one}"));
}

#[test]
fn json_is_as_strict_as_yaml() {
    let good = write_jsonl(&record()).unwrap();
    assert_eq!(read_jsonl(&good)[0], (1, Ok(record())));
    let pairs = [
        ("\"schema\":1", "\"schema\":2", "newer endpaper"),
        ("\"schema\":1", "\"schema\":1,\"x\":1,\"x\":2", "duplicate"),
        ("\"note\":\"", "\"note\":7,\"x\":\"", "double quotes"),
        ("\"hard\":false", "\"hard\":0", "invalid type"),
        ("{", "[", ""),
    ];
    for (from, to, message) in pairs {
        let text = format!("\n{good}\n{}\n", good.replacen(from, to, 1));
        let read = read_jsonl(&text);
        assert!(read[0].1.is_ok());
        let error = read[1].1.as_ref().expect_err(to);
        assert_eq!(error.line, 3);
        assert!(error.message.contains(message), "{to}: {error}");
    }
}

/// As pandas writes a table whose columns have empty cells.
#[test]
fn numbers_of_a_data_frame_are_line_numbers() {
    let record = record();
    let table = ExportTable::of(ExchangeFormat::Csv, [&record]);
    let row = table.row(&record, &text());
    let mut cells: Vec<String> = csv::read(&row, ',').unwrap().remove(0).1;
    let columns = csv::read(&table.header(), ',').unwrap().remove(0).1;
    for (column, cell) in columns.iter().zip(&mut cells) {
        let numbers = "preamble_end epilogue_start body_first body_last alt_first alt_last hard";
        if numbers.split(' ').any(|number| number == column) {
            cell.push_str(".0");
        }
        if column == "at" {
            *cell = "1795231320000".to_owned();
        }
    }
    let written = csv::write(cells.iter().map(String::as_str));
    let written = format!("{}\n{written}\n", table.header());
    assert!(written.contains(",10.0,3.0,8.0,"), "{written}");
    let mut expected = record.clone();
    // One line cannot say why.
    expected.alternatives[0].why.clear();
    let again =
        record_from_line(&line(&written, ExchangeFormat::Csv), &text(), &signature()).unwrap();
    assert_eq!(again, expected);
    for (whole, part) in [("3.0", "3.5"), ("10.0", "1e1"), ("3.0", "3.")] {
        let wrong = written.replacen(&format!(",{whole},"), &format!(",{part},"), 1);
        let line = line(&wrong, ExchangeFormat::Csv);
        let error = record_from_line(&line, &text(), &signature()).unwrap_err();
        assert!(
            error.contains(&format!("'{part}'; write a line")),
            "{error}"
        );
    }
}

/// As Hugging Face's `to_json` writes records: times in milliseconds, nulls for keys that other records have.
#[test]
fn records_of_a_data_frame_are_records() {
    let good = write_jsonl(&record()).unwrap();
    let pairs = [
        ("\"at\":\"2026-11-21T03:22:00Z\"", "\"at\":1795231320000"),
        ("\"at\":\"2026-11-21T03:22:00Z\"", "\"at\":1795231320000.0"),
        (
            "\"newline\":\"lf\"",
            "\"newline\":\"lf\",\"extractor\":null",
        ),
        ("\"epilogue_start\":10", "\"epilogue_start\":10.0"),
        ("\"detected\":null", "\"detected\":null,\"source\":null"),
        ("\"inside\":[]", "\"inside\":null"),
    ];
    let mut all = good.clone();
    for (from, to) in pairs {
        let one = good.replacen(from, to, 1);
        assert_ne!(one, good, "{from}");
        assert_eq!(read_jsonl(&one), [(1, Ok(record()))], "{to}");
        all = all.replacen(from, to, 1);
    }
    assert_eq!(read_jsonl(&all), [(1, Ok(record()))]);
    for (from, to, message) in [
        (
            "\"epilogue_start\":10.0",
            "\"epilogue_start\":10.5",
            "invalid type",
        ),
        (
            "\"inside\":null",
            "\"inside\":null,\"note\":7,\"x\":[]",
            "duplicate",
        ),
        ("\"by\":\"ms\"", "\"by\":7", "double quotes"),
    ] {
        let error = read_jsonl(&all.replacen(from, to, 1)).remove(0).1;
        let error = error.expect_err(to);
        assert!(error.message.contains(message), "{to}: {error}");
    }
}

#[test]
fn json_says_what_it_cannot_hold() {
    for value in ["{1: 2}", ".inf", "[{a: .nan}]"] {
        let mut record = record();
        let value = serde_yaml::from_str(value).unwrap();
        record.reviews[0].unknown.insert("x".into(), value);
        let error = write_jsonl(&record).unwrap_err();
        assert!(error.contains("its key 'x'"), "{error}");
    }
}

#[test]
fn offsets_are_the_bytes_of_the_body_and_are_not_kept() {
    let mut with = record();
    add_offsets(&mut with, &text());
    let json: serde_json::Value = serde_json::from_str(&write_jsonl(&with).unwrap()).unwrap();
    let (start, end) = (&json["offsets"]["body_start"], &json["offsets"]["body_end"]);
    let at = |value: &serde_json::Value| value.as_u64().unwrap() as usize;
    assert_eq!(
        &BOOK[at(start)..at(end)],
        b"Title\nby A\n\nText.\n\nTHE END\n"
    );
    assert_eq!(read_jsonl(&write_jsonl(&with).unwrap())[0].1, Ok(record()));
    assert_eq!(read_stream(&write_stream([&with]))[0].1, Ok(record()));
    let mut theirs = record();
    theirs.unknown.insert("offsets".into(), "mine".into());
    assert_eq!(read_stream(&write_stream([&theirs]))[0].1, Ok(theirs));
}

#[test]
fn a_card_counts_and_is_safe_to_show() {
    let mut hostile = record();
    hostile.reviews[0].by = "a|<b>\u{1b}[31m".into();
    hostile.flags = vec!["*x*".into()];
    let card = card(&[record(), hostile]);
    for part in [
        "2 records, 2 decided, 0 hard; 0 have more than one review.",
        "| confirmed | 2 |",
        "| preamble | 0 | 1 | 1 | 1 |",
        "| epilogue | 0 | 1 | 1 | 1 |",
        "| ms | 1 | 0 | 0 | 2026-11-21 | 2026-11-21 |",
        "| a\\|\\<b\\>\u{241b}\\[31m | 1 |",
        "| \\*x\\* | 1 |",
        "| import | 2 |",
    ] {
        assert!(card.contains(part), "{part}\n{card}");
    }
}

#[test]
fn a_card_counts_records_and_not_their_reviews() {
    let mut twice = record();
    twice.reviews.push(twice.reviews[0].clone());
    let card = card(&[record(), twice]);
    assert!(card.contains("| drawn by | records |"), "{card}");
    assert!(card.contains("| import | 2 |"), "{card}");
}

#[test]
fn a_table_with_other_marks_between_its_columns_is_refused_with_the_repair() {
    for (text, format, said) in [
        ("book;verdict\n", ExchangeFormat::Tsv, "save it with tabs"),
        ("book\tverdict\n", ExchangeFormat::Csv, "has tabs"),
        ("book,verdict\n", ExchangeFormat::Tsv, "save it with tabs"),
    ] {
        let error = read_table(text, format).unwrap_err();
        assert!(error.message.contains(said), "{error}");
    }
}

#[test]
fn tables_of_spreadsheets_and_data_frames_are_read_as_their_rows() {
    let rows = |text: &str| -> Vec<_> {
        let rows = read_table(text, ExchangeFormat::Csv).expect(text);
        rows.into_iter().map(Result::unwrap).collect()
    };
    let plain = rows("book,body_first,note\na,3,\"x, y; z\"\nb,4,\n");
    for same in [
        "\u{feff}book;body_first;note\r\na;3;\"x, y; z\"\r\nb;4;\r\n",
        ",book,body_first,note\n0,a,3,\"x, y; z\"\n1,b,4,\n",
    ] {
        assert_eq!(rows(same), plain, "{same}");
    }
    // Not an index, so what it means is asked.
    for other in [",book\n1,a\n2,b\n", ",book\n0,a\n0,b\n", "book,\na,0\n"] {
        let error = read_table(other, ExchangeFormat::Csv).expect_err(other);
        assert!(error.message.contains("without a name"), "{other}: {error}");
    }
}

#[test]
fn a_table_that_would_fill_the_memory_is_refused() {
    let table = format!("book,{}\na,b\n", "x".repeat(1000));
    let error = read_table(&table, ExchangeFormat::Csv).unwrap_err();
    assert!(
        error.message.contains("'xxxxxxxxxxxxxxxxxxxx...'"),
        "{error}"
    );
    let table = format!("book\n{}", ",".repeat(16_000_001));
    let error = read_table(&table, ExchangeFormat::Csv).unwrap_err();
    assert!(
        error.message.contains("more than 16000000 cells"),
        "{error}"
    );
}

#[test]
fn numbers_that_are_dates_are_no_times() {
    for (cell, time) in [
        ("1795231320", "2026-11-21T03:22:00Z"),
        ("1795231320000", "2026-11-21T03:22:00Z"),
        ("1795231320000000000", "2026-11-21T03:22:00Z"),
        ("20261121", "20261121"),
        ("202611210322", "202611210322"),
        ("20261121032200", "20261121032200"),
    ] {
        assert_eq!(data_frames::restore_time(cell), time, "{cell}");
    }
}

#[test]
fn a_row_of_a_table_in_json_is_told_from_a_record() {
    let (_, read) = read_jsonl("{\"book\":\"a\",\"body_first\":3}\n").remove(0);
    assert!(read.unwrap_err().message.contains("save the rows as csv"));
}
