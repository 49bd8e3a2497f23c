//! The counting structures on real books, if there is a corpus (see `corpus.rs`), and on full or missing disks.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Home, real_books};
use anyhow::Result;
use endpaper_detect::frequency::{BookLines, Counter, Counts, Structure, StructureVisitor};
use endpaper_text::corpus::{self, ListingRequest};
use endpaper_text::line::{Key, Normalised};
use endpaper_text::scan::{self, BookBytes, Scanner};

/// Returns the counted lines of real books.
fn books(folder: &Path) -> Vec<BookLines> {
    let request = ListingRequest {
        roots: vec![folder.join("books")],
        ..ListingRequest::default()
    };
    let listing = corpus::list(&request).expect("the books are listed");
    let mut scanner = Scanner::default();
    let book = |book: &corpus::Book| {
        let bytes = book.read(1 << 28).expect("a book is read");
        let mut keyed = BookLines::default();
        let each = |window, line: &Normalised<'_>| keyed.push(line.key(), window, Some(line.text));
        let shared = scanner.for_each_line(
            BookBytes::Whole(&bytes),
            scan::WindowOptions::default(),
            each,
        );
        keyed.repeat_in_tail(shared.expect("the whole book is available"));
        keyed
    };
    listing.books.iter().map(book).collect()
}

/// Counts books in two shards; `save` saves and loads each before they are merged.
struct ShardedCount<'a> {
    books: &'a [BookLines],
    structure: Structure,
    save: bool,
}

impl StructureVisitor for ShardedCount<'_> {
    type Output = Result<Counts>;

    fn build<C: Counter>(self, new: impl Fn(usize) -> Result<C> + Sync) -> Result<Counts> {
        let (even, odd) = self.books.split_at(self.books.len() / 2);
        if self.save {
            let part = |books| self.structure.dispatch(1, SavedCount(books));
            let load = |part: Vec<u8>| {
                let mut counter = new(0)?;
                counter.load(&mut &part[..])?;
                anyhow::Ok(counter)
            };
            return load(part(even)?)?.merge(load(part(odd)?)?)?.finish(0);
        }
        let count = |books| counted(new(0)?, books);
        count(even)?.merge(count(odd)?)?.finish(0)
    }
}

/// Counts books and saves the counts.
struct SavedCount<'a>(&'a [BookLines]);

impl StructureVisitor for SavedCount<'_> {
    type Output = Result<Vec<u8>>;

    fn build<C: Counter>(self, new: impl Fn(usize) -> Result<C> + Sync) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        counted(new(0)?, self.0)?.save(&mut bytes)?;
        Ok(bytes)
    }
}

fn counted<C: Counter>(mut counter: C, books: &[BookLines]) -> Result<C> {
    for book in books {
        counter.add_batch(book)?;
    }
    Ok(counter)
}

#[test]
#[ignore = "needs ENDPAPER_CORPUS"]
fn every_structure_keeps_its_bounds_on_real_books() {
    let folder = real_books();
    let books = books(&folder);
    let mut truth: HashMap<(Key, &str), u64> = HashMap::new();
    for line in books.iter().flat_map(BookLines::texts) {
        *truth.entry(line).or_default() += 1;
    }
    let structures = [
        "crc64",
        "exact",
        "external",
        "external:memory=16M",
        "hashed",
        "hashed:bits=18",
        "hashed:counters=morris",
        "hot-items",
        "hot-items:counters=5000",
    ];
    for structure in structures {
        let structure: Structure = structure.parse().unwrap();
        for save in [false, true] {
            let books = &books;
            let count = ShardedCount {
                books,
                structure,
                save,
            };
            let counts = structure.dispatch(2, count).unwrap();
            let (mut wrong, mut missed, mut above) = (0, 0, 0);
            for (&(key, _), &n) in &truth {
                let bounds = counts.bounds(key);
                wrong += u64::from(n < bounds.at_least || n > bounds.at_most);
                missed += u64::from(n > 10 && counts.frequency(key) <= 10);
                above += u64::from(n <= 10 && counts.frequency(key) > 10);
            }
            println!(
                "{structure}: of {} lines, {missed} frequent ones are missed and {above} others look frequent",
                truth.len()
            );
            assert_eq!(wrong, 0, "{structure}");
            match structure {
                Structure::Crc64 | Structure::Exact | Structure::External { .. } => {
                    assert_eq!((missed, above), (0, 0), "{structure}");
                    assert_eq!(counts.len(), truth.len(), "{structure}");
                }
                Structure::Hashed { .. } => assert_eq!(missed, 0, "{structure}"),
                Structure::MisraGries { .. } => assert_eq!(above, 0, "{structure}"),
            }
        }
    }
}

/// A home with books whose lines exceed a mebibyte.
fn home() -> Home {
    let home = Home::new();
    for book in 0..90 {
        let line = |n| format!("Book {book} says in line {n} what no other book of them says.\n");
        let licence =
            (0..20).map(|n| format!("Line {n} of a licence that stands in every book.\n"));
        let text: String = licence.chain((0..590).map(line)).collect();
        home.write(format!("books/{book}.txt"), text);
    }
    home
}

fn left_behind(home: &Home) -> Vec<PathBuf> {
    let entries = fs::read_dir(home.work().join("../tmp")).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn lines_on_disk_give_the_cuts_that_lines_in_memory_give_and_leave_nothing_behind() {
    let home = home();
    let detect = |structure| {
        let arguments = [
            "detect",
            "books",
            "--no-cache",
            "--quiet",
            "--model",
            "corpus",
            "--format",
            "tsv",
            "--structure",
            structure,
        ];
        let output = home.endpaper(&arguments).assert().success();
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    let exact = detect("exact");
    assert_eq!(exact.lines().count(), 91);
    assert_eq!(detect("external:memory=1M"), exact);
    assert_eq!(left_behind(&home), [] as [PathBuf; 0]);
}

#[test]
fn a_temporary_folder_that_is_not_there_is_named_with_the_repair() {
    let home = home();
    let arguments = [
        "detect",
        "books",
        "--no-cache",
        "--quiet",
        "--model",
        "corpus",
        "--structure",
        "external",
        "--memory",
        "1M",
    ];
    let mut command = home.endpaper(&arguments);
    let output = command.env("TMPDIR", "/no/such/folder").assert().code(2);
    let error = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    for part in ["'/no/such/folder'", "TMPDIR", "--memory"] {
        assert!(error.contains(part), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_ends_counting_with_one_sentence_and_leaves_nothing_behind() {
    let home = home();
    // Limits files to a few blocks and ignores the signal, so that writing fails.
    let script = "ulimit -f 4; exec \"$0\" \"$@\"";
    let command = home.endpaper(&[]);
    let program = command.get_program().to_owned();
    let variables: Vec<_> = command
        .get_envs()
        .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
        .collect();
    let mut limited = assert_cmd::Command::new("sh");
    limited.current_dir(home.work()).envs(variables);
    limited.args(["-c", script]).arg(program);
    limited.args(["model", "build", "books", "--quiet", "--out", "x.model"]);
    limited.args(["--structure", "external:memory=1M"]);
    let output = limited.assert().code(2);
    let error = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert_eq!(error.lines().count(), 1, "{error}");
    for part in ["tmp", "TMPDIR", "--memory", "File too large"] {
        assert!(error.contains(part), "{error}");
    }
    assert_eq!(left_behind(&home), [] as [PathBuf; 0]);
    assert!(!home.work().join("x.model").exists());
}

#[test]
fn options_that_cannot_be_are_refused_before_anything_is_read() {
    let home = Home::new();
    home.write("a.txt", "A book.\n");
    let cases: [(&[&str], &[&str]); 5] = [
        (&["--structure", "hashed:bits=99"], &["'99'", "16 to 32"]),
        (&["--structure", "crc65"], &["'crc65'", "hot-items"]),
        (
            &["--structure", "crc64", "--memory", "1G"],
            &["crc64", "external:memory"],
        ),
        (
            &["--structure", "external", "--memory", "1K"],
            &["'1K'", "1M to 1T"],
        ),
        (
            &["--structure", "hashed", "-K", "300"],
            &["300", "254", "counters=morris"],
        ),
    ];
    for (options, expected) in cases {
        let arguments = [&["detect", "--no-cache"], options].concat();
        let output = home.endpaper(&arguments).assert().code(2);
        let error = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        for part in expected {
            assert!(error.contains(part), "{options:?}: {error}");
        }
    }
    let morris = [
        "detect",
        "--no-cache",
        "--structure",
        "hashed:counters=morris",
        "-K",
        "300",
    ];
    home.endpaper(&morris).assert().success();
}
