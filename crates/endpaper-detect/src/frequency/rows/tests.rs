use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

use proptest::prelude::*;

use super::*;
use crate::frequency::{
    BookDigest, BookLines, Certainty, CountMeasure, Counting, Counts, Crc64, EndCounters, PartMerge,
};
use endpaper_text::line::Key;
use endpaper_text::scan::Window;

/// A book: numbers of lines with their windows.
type ShardBook = Vec<(u16, Window)>;

fn books() -> impl Strategy<Value = Vec<ShardBook>> {
    let window = prop_oneof![Just(Window::Head), Just(Window::Tail), Just(Window::Both)];
    let line = (prop_oneof![0..4u16, any::<u16>()], window);
    let book = proptest::collection::vec(line, 0..30);
    proptest::collection::vec(book, 1..12)
}

fn text(number: u16) -> String {
    format!("a line of text with the number {number}")
}

fn keyed(book: &ShardBook) -> BookLines {
    let mut keyed = BookLines::default();
    for &(number, window) in book {
        let text = text(number);
        keyed.push(Key::of(&text), window, Some(&text));
    }
    keyed
}

fn named(number: usize, book: &ShardBook) -> (String, BookDigest) {
    let id = format!("{number}.txt");
    let mark = BookDigest::new(&id, 10 + number as u64, keyed(book).digest());
    (id, mark)
}

/// The rows of one shard, whose books are numbered from `first`, counted by two counters that are merged.
fn rows_of(first: usize, books: &[ShardBook], separate_ends: bool, memory: u64) -> Vec<u8> {
    let folder = std::env::temp_dir();
    let counting = Counting {
        separate_ends,
        ..Counting::default()
    };
    let new = || EndCounters::new(counting, |_| Ok(RowCounter::new(memory, &folder))).unwrap();
    let mut tallies = [new(), new()];
    for (number, book) in books.iter().enumerate() {
        tallies[number % 2].add_book(&keyed(book)).unwrap();
    }
    let [ours, theirs] = tallies;
    let names: Vec<(String, BookDigest)> = (first..)
        .zip(books)
        .map(|(number, book)| named(number, book))
        .collect();
    let parameters = RowParameters::new(300, 300, separate_ends);
    let mut rows = Vec::new();
    let tally = ours.merge(theirs).unwrap();
    write_rows(&mut rows, &parameters, &names, &[], tally).unwrap();
    rows
}

fn unzipped(rows: &[u8]) -> String {
    std::io::read_to_string(flate2::read::GzDecoder::new(rows)).unwrap()
}

fn imported(measure: CountMeasure, files: &[Vec<u8>]) -> anyhow::Result<ImportedRows> {
    let folder = tempfile::tempdir().unwrap();
    for (number, rows) in files.iter().enumerate() {
        fs::write(folder.path().join(number.to_string()), rows).unwrap();
    }
    let mut import = RowImport::new(measure, false);
    for file in row_files(&[folder.path().to_owned()])? {
        import.add_file(&file)?;
    }
    import.finish()
}

/// The counts of a structure without rows.
fn counted(books: &[ShardBook], counting: Counting) -> EndCounters<Crc64> {
    let mut tally = EndCounters::new(counting, |_| Ok(Crc64::default())).unwrap();
    for book in books {
        tally.add_book(&keyed(book)).unwrap();
    }
    tally
}

proptest! {
    #[test]
    fn rows_of_any_shards_add_up_to_what_is_counted_at_once(
        books in books(), size in 1..12usize, separate_ends in any::<bool>(), count_books in any::<bool>(),
        little in any::<bool>(), below in 0..4u64,
    ) {
        let counting = Counting { separate_ends, count_books, ..Counting::default() };
        let expected = counted(&books, counting);
        let lines = expected.lines();
        let shards = books.chunks(size).enumerate();
        // With `little`, every few lines are sorted on disk.
        let memory = if little { 1 << 12 } else { 1 << 22 };
        let files: Vec<Vec<u8>> =
            shards.map(|(number, books)| rows_of(number * size, books, separate_ends, memory)).collect();
        let measure = counting.measure();
        let found = imported(measure, &files).unwrap();
        prop_assert_eq!(found.head.parameters.counting, counting);
        prop_assert_eq!(found.head.parameters.lines, lines);
        let marks = books.iter().enumerate().map(|(number, book)| named(number, book).1);
        prop_assert_eq!(&found.head.books, &marks.collect());
        prop_assert_eq!(found.shards, files.len() as u64);
        let model = found.into_model(below, 10).unwrap();
        prop_assert_eq!(model.frequencies, expected.finish(below).unwrap());
    }

    #[test]
    fn both_numbers_of_a_line_are_right(books in books(), little in any::<bool>()) {
        let rows = unzipped(&rows_of(0, &books, false, if little { 1 << 12 } else { 1 << 22 }));
        let mut expected: BTreeMap<i64, (i64, i64)> = BTreeMap::new();
        for book in &books {
            let mut seen = Vec::new();
            for &(number, _) in book {
                let numbers = expected.entry(Key::of(&text(number)).0 as i64).or_default();
                numbers.0 += 1;
                if !seen.contains(&number) {
                    seen.push(number);
                    numbers.1 += 1;
                }
            }
        }
        let rows = rows.lines().map(|line| CountRow::parse(line).unwrap());
        let mut found = BTreeMap::new();
        for row in rows.filter(|row| row.kind == CountRowKind::Exact) {
            prop_assert_eq!(row.text.is_empty(), row.books < 2);
            prop_assert_eq!(found.insert(row.key, (row.count, row.books)), None);
        }
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn rows_are_read_as_they_were_written(key in any::<i64>(), count in 1..i64::MAX, text in ".{0,40}|[\\\\tnr\t\n\r]{0,12}") {
        let row = CountRow {
            kind: CountRowKind::Exact, end: Some(crate::frequency::CountedEnds::Head), key, count, books: 1, text: text.into(),
        };
        let mut line = Vec::new();
        row.write(&mut line).unwrap();
        let line = String::from_utf8(line).unwrap();
        prop_assert_eq!(line.matches('\n').count(), 1);
        prop_assert_eq!(CountRow::parse(line.trim_end_matches('\n')).unwrap(), row);
    }

    #[test]
    fn damaged_rows_never_become_other_counts(at in any::<proptest::sample::Index>(), to in any::<u8>(), cut in any::<bool>()) {
        let books = vec![vec![(1, Window::Head), (2, Window::Head), (1, Window::Head)], vec![(2, Window::Tail)]];
        let mut rows = unzipped(&rows_of(0, &books, false, 1 << 22)).into_bytes();
        let at = at.index(rows.len());
        if cut { rows.truncate(at) } else { rows[at] = to }
        if let Ok(found) = imported(CountMeasure::Occurrences, &[rows]) {
            // A digit of a key or of a text may differ, but not one of a sum.
            prop_assert_eq!(found.head.parameters.lines, 4);
            prop_assert_eq!(found.head.books.len(), 2);
            let model = found.into_model(0, 10).unwrap();
            prop_assert_eq!(model.frequencies.head().iter().map(|line| line.1).sum::<u64>(), 4);
        }
    }
}

#[test]
fn lines_that_are_no_rows_say_why() {
    let cases = [
        ("exact\tboth\t1\t1\t1", RowError::Columns),
        ("exact\tboth\t1\t1\t1\ttext\t", RowError::Columns),
        ("", RowError::Columns),
        ("spread\tboth\t1\t1\t1\t", RowError::Kind),
        ("exact\t-\t1\t1\t1\t", RowError::End),
        ("exact\tmiddle\t1\t1\t1\t", RowError::End),
        ("book\thead\t1\t1\t1\ta.txt", RowError::End),
        ("exact\tboth\t9223372036854775808\t1\t1\t", RowError::Number),
        ("exact\tboth\t1\t0\t1\t", RowError::Number),
        ("exact\tboth\t1\t1\t-1\t", RowError::Number),
        ("shard\t-\t-1\t1\t1\tendpaper", RowError::Number),
        ("book\t-\t-1\t-1\t-1\ta.txt", RowError::Number),
    ];
    for (line, expected) in cases {
        assert_eq!(CountRow::parse(line), Err(expected), "{line:?}");
    }
    assert!(CountRow::parse("book\t-\t-1\t0\t-1\ta.txt").is_ok());
}

#[test]
fn the_same_books_give_the_same_bytes_whatever_the_memory() {
    let books: Vec<ShardBook> = (0..40)
        .map(|book| (0..200).map(|n| (n * (book % 7), Window::Head)).collect())
        .collect();
    let rows = rows_of(0, &books, false, 1 << 24);
    assert!(rows == rows_of(0, &books, false, 1 << 13));
    let part: PathBuf = std::env::temp_dir().join(format!("rows-{}.part", std::process::id()));
    imported(CountMeasure::Occurrences, &[rows])
        .unwrap()
        .into_part(&part, endpaper_text::atomic::Existing::Keep)
        .unwrap();
    let merged = PartMerge::of(std::slice::from_ref(&part), false);
    let model = merged.and_then(|merge| merge.into_model(0, 3)).unwrap();
    fs::remove_file(&part).unwrap();
    assert_eq!(model.frequencies.head().certainty(), Certainty::AtMost);
    assert_eq!(model.line_texts.len(), 3);
    assert_eq!(model.line_texts.get(Key::of(&text(0))), Some(&*text(0)));
}

#[test]
fn sums_of_many_rows_are_those_of_a_map() {
    let mut sums = sum::KeySums::default();
    let mut expected: BTreeMap<Key, u64> = BTreeMap::new();
    for n in 0..300_000u64 {
        let key = ((n % 1000) * (n % 211)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        sums.add(key, n % 5 + 1);
        *expected.entry(Key(key)).or_default() += n % 5 + 1;
    }
    let counts: Counts = crate::frequency::Counter::finish(sums.into_structure(), 0).unwrap();
    assert_eq!(counts.iter().collect::<BTreeMap<_, _>>(), expected);
}

#[test]
fn a_count_stays_full() {
    let mut sums = sum::KeySums::default();
    for _ in 0..3 {
        sums.add(7, u64::from(u32::MAX) - 1);
    }
    let counts = crate::frequency::Counter::finish(sums.into_structure(), 0).unwrap();
    assert_eq!(counts.bounds(Key(7)).at_most, u64::MAX);
}

#[test]
fn rows_may_come_as_text() {
    let books = [vec![(1, Window::Head)], vec![(1, Window::Head)]];
    let rows = rows_of(0, &books, false, 1 << 22);
    let mut twice = Vec::new();
    // As other engines write them: several gzip members.
    for half in unzipped(&rows).split_inclusive('\n') {
        let mut gzip = flate2::write::GzEncoder::new(&mut twice, flate2::Compression::fast());
        gzip.write_all(half.as_bytes()).unwrap();
        gzip.finish().unwrap();
    }
    for rows in [unzipped(&rows).into_bytes(), twice] {
        let found = imported(CountMeasure::Books, &[rows]).unwrap();
        assert_eq!(found.head.parameters.lines, 2);
    }
}
