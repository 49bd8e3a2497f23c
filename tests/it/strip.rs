//! `endpaper strip` as a user runs it: bodies, manifest, check, messages, exit status.

#[cfg(unix)]
use std::collections::BTreeMap;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

#[cfg(unix)]
use crate::support::ENDPAPER;
use crate::support::{COUNTED, Home, text};
use endpaper_detect::Cuts;
use endpaper_text::checksum::sha256;
use endpaper_text::corpus::{self, BookText, ListingRequest};
use endpaper_truth::{InnerBoilerplate, Record, Review, SourceFacts, Store, Verdict};

const MANIFEST: &str = "bodies/endpaper-manifest.tsv";
const ACCEPTED: &str = "bodies/endpaper-accepted.tsv";

/// Lines 1 to 12 are a licence; a blank line follows, then 60 lines in windows-1252 with CR LF.
fn book(number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in 0..12 {
        bytes.extend(format!("Line {line} of a licence that stands in every book.\r\n").bytes());
    }
    bytes.extend(b"\r\n");
    for line in 0..60 {
        bytes.extend(format!("Book {number} says in line {line} what no other says: caf").bytes());
        bytes.extend(b"\xE9.\r\n");
    }
    bytes
}

fn corpus() -> Home {
    let home = Home::new();
    for number in 0..3 {
        home.write(format!("books/{number}.txt"), book(number));
    }
    home
}

fn run(home: &Home, arguments: &[&str]) -> Output {
    home.endpaper(arguments).output().unwrap()
}

/// Strips with a model in which the licence is frequent.
fn strip(home: &Home, more: &[&str]) -> Output {
    let arguments = ["strip", "books", "--out", "bodies"];
    run(home, &[&arguments, &COUNTED[..], more].concat())
}

fn check(home: &Home, more: &[&str]) -> Output {
    run(home, &[&["strip", "check", "bodies"], more].concat())
}

fn read(home: &Home, name: &str) -> Vec<u8> {
    fs::read(home.work().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn rows(manifest: &str) -> HashMap<String, HashMap<String, String>> {
    let mut lines = manifest.lines();
    let columns: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let row = |line: &str| {
        let cells = columns.iter().zip(line.split('\t'));
        let row: HashMap<String, String> = cells
            .map(|(c, v)| ((*c).to_owned(), v.to_owned()))
            .collect();
        (row["book"].clone(), row)
    };
    lines.map(row).collect()
}

fn decide(home: &Home, id: &str, verdict: Verdict, preamble_end: u32, inside: &[(u32, u32, &str)]) {
    let source = BookText::new(read(home, &format!("books/{id}")));
    let mut record = Record::new(id, SourceFacts::of(&source));
    record.add_review(Review {
        by: "ann".into(),
        at: "2026-11-21T03:22:00Z".into(),
        verdict,
        cuts: Cuts {
            preamble_end,
            epilogue_start: None,
        },
        ..Review::default()
    });
    let inside = inside.iter().map(|(first, last, kind)| InnerBoilerplate {
        first: *first,
        last: *last,
        kind: (*kind).to_owned(),
    });
    record.inside = inside.collect();
    let store = Store::open(&home.work().join("truth")).unwrap();
    let (_, known) = store.load(id).unwrap();
    store.save(&record, &known).unwrap();
}

#[test]
fn bodies_and_manifest_are_written_and_a_second_run_changes_nothing() {
    let home = corpus();
    let first = strip(&home, &[]);
    assert_eq!(first.status.code(), Some(0), "{}", text(&first.stderr));
    let manifest = read(&home, MANIFEST);
    assert_eq!(text(&first.stdout), text(&manifest));
    let rows = rows(&text(&manifest));
    for number in 0..3 {
        let (source, body) = (book(number), read(&home, &format!("bodies/{number}.txt")));
        // The licence is removed; the rest, from the blank line on, is unchanged.
        let licence = source
            .windows(4)
            .position(|bytes| bytes == b"\r\n\r\n")
            .unwrap()
            + 2;
        assert!(body == source[licence..], "book {number}");
        let row = &rows[&format!("{number}.txt")];
        let expected = [
            ("first", "13"),
            ("last", "73"),
            ("by", "detector"),
            ("verdict", "-"),
            ("policy", "guide"),
            ("source_encoding", "windows-1252"),
            ("source_newline", "crlf"),
        ];
        for (column, value) in expected {
            assert_eq!(row[column], value, "{column}");
        }
        assert_eq!(
            (&row["sha256"], &row["source_sha256"]),
            (&sha256(&body), &sha256(&source))
        );
    }
    let second = strip(&home, &[]);
    assert_eq!(second.status.code(), Some(0));
    assert_eq!(second.stdout, first.stdout);
    assert_eq!(read(&home, MANIFEST), manifest);
    assert!(text(&second.stderr).contains("0 bodies written, 3 were there already"));
}

#[test]
fn a_body_that_differs_is_kept_and_named_without_force() {
    let home = corpus();
    strip(&home, &[]);
    let manifest = read(&home, MANIFEST);
    home.write("bodies/1.txt", "mine");
    let refused = strip(&home, &[]);
    assert_eq!(refused.status.code(), Some(1));
    let refusal = "skipping '1.txt': 'bodies/1.txt' exists and differs; --force writes over it";
    assert!(text(&refused.stderr).contains(refusal));
    assert_eq!(
        (read(&home, "bodies/1.txt"), read(&home, MANIFEST)),
        (b"mine".to_vec(), manifest.clone())
    );
    assert_eq!(strip(&home, &["--force"]).status.code(), Some(0));
    assert_ne!(read(&home, "bodies/1.txt"), b"mine");
    home.write(MANIFEST, "something of mine");
    let refused = strip(&home, &["--force"]);
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(read(&home, MANIFEST), b"something of mine");
}

#[test]
fn book_replaced_since_it_was_surveyed_is_left_out_by_name() {
    let home = corpus();
    assert_eq!(strip(&home, &[]).status.code(), Some(0));
    // Same size and time, so that the cache takes it for the known book; its licence is at its end now.
    let path = home.work().join("books/1.txt");
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    let mut bytes = book(1);
    let body = bytes
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap()
        + 4;
    bytes.rotate_left(body);
    home.write("books/1.txt", &bytes);
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(time).unwrap();
    let arguments = ["strip", "books", "--out", "others"];
    let output = run(&home, &[&arguments, &COUNTED[..]].concat());
    let said = text(&output.stderr);
    let refusal = "skipping '1.txt': changed while it was read; run again; --no-cache";
    assert!(said.contains(refusal), "{said}");
    assert_eq!(output.status.code(), Some(1));
    assert!(!home.work().join("others/1.txt").exists());
    let known = rows(&text(&read(&home, "others/endpaper-manifest.tsv")));
    assert!(known.len() == 2 && !known.contains_key("1.txt"));
    let again = run(&home, &[&arguments, &COUNTED[..], &["--no-cache"]].concat());
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
}

/// All files in a folder, by name.
#[cfg(unix)]
fn files_in(home: &Home, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(home.work().join(folder));
    let entries = entries.into_iter().flatten().map(Result::unwrap);
    let files = entries.map(|entry| {
        let name = entry.file_name().into_string().unwrap();
        let bytes = fs::read(entry.path()).unwrap();
        (name, bytes)
    });
    files.collect()
}

#[cfg(unix)]
#[test]
fn killed_run_leaves_whole_bodies_only_and_the_next_run_does_the_rest() {
    let home = Home::new();
    for number in 0..400 {
        home.write(format!("books/{number}.txt"), book(number));
    }
    let strip_to = |folder| ["strip", "books", "--out", folder, "--threads"];
    let whole = [&strip_to("whole")[..], &["1"], &COUNTED[..]].concat();
    let whole = run(&home, &whole);
    assert_eq!(whole.status.code(), Some(0), "{}", text(&whole.stderr));
    let expected = files_in(&home, "whole");
    assert_eq!(expected.len(), 401);
    let arguments = [&strip_to("bodies")[..], &["3"], &COUNTED[..]].concat();
    // On a fast machine a run may end before it is killed.
    let mut killed = 0;
    for bodies in [1, 70, 250] {
        let script = format!(
            "rm -f pid status; \
             (\"$0\" \"$@\" >stdout 2>&1 & echo $! >pid; wait $!; echo $? >status) & \
             until [ -s pid ]; do :; done; \
             until [ -s status ] || [ \"$(ls bodies 2>/dev/null | wc -l)\" -ge {bodies} ]; do :; done; \
             kill -KILL \"$(cat pid)\" 2>/dev/null; wait; cat status"
        );
        let words = [&["-c", &script, ENDPAPER], &arguments[..]].concat();
        let ended = home.program("sh", &words).output().unwrap();
        match text(&ended.stdout).trim() {
            // 128 and the number of the signal.
            "137" => killed += 1,
            status => assert_eq!(status, "0", "{}", text(&read(&home, "stdout"))),
        }
        for (name, bytes) in files_in(&home, "bodies") {
            assert!(
                name.starts_with(".endpaper-") || expected[&name] == bytes,
                "{name}"
            );
        }
    }
    assert!(killed > 0, "all runs ended before they were killed");
    let last = run(&home, &arguments);
    assert_eq!(last.status.code(), Some(0), "{}", text(&last.stderr));
    assert_eq!(text(&last.stdout), text(&whole.stdout));
    assert!(files_in(&home, "bodies") == expected);
}

#[test]
fn a_run_that_leaves_no_body_has_done_nothing() {
    let home = corpus();
    for number in 0..3 {
        decide(&home, &format!("{number}.txt"), Verdict::NotABook, 0, &[]);
    }
    let folder = ["strip", "books", "--truth", "truth", "-o", "bodies"];
    let printed = ["strip", "books/0.txt", "--truth", "truth", "-o", "-"];
    for arguments in [folder, printed] {
        let output = run(&home, &arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("skipping '0.txt': not a book"), "{said}");
        assert!(!home.work().join("bodies").exists());
    }
    // A body that is there already is what was asked for.
    decide(&home, "1.txt", Verdict::Confirmed, 12, &[]);
    for written in [
        "1 body written, 0 were there already",
        "0 bodies written, 1 was there already",
    ] {
        let output = run(&home, &folder);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(
            said.contains(&format!("{written}, 2 books skipped")),
            "{said}"
        );
    }
}

#[cfg(unix)]
#[test]
fn bodies_are_not_written_without_space_for_their_manifest() {
    let home = Home::new();
    for number in 0..60 {
        home.write(format!("books/{number}.txt"), book(number));
    }
    let arguments = [
        &["strip", "books", "--no-cache", "--out", "bodies"],
        &COUNTED[..],
    ]
    .concat();
    // Files of at most 10,240 bytes: a body of 5 KB fits, the manifest does not.
    let full = home.endpaper_after("ulimit -f 20", &arguments).output();
    let full = full.unwrap();
    let said = text(&full.stderr);
    assert_eq!(full.status.code(), Some(2), "{said}");
    let refusal = "'bodies/endpaper-manifest.tsv' cannot be written: File too large";
    assert!(said.contains(refusal), "{said}");
    assert_eq!(files_in(&home, "bodies").len(), 0);
    fs::remove_dir(home.work().join("bodies")).unwrap();
    std::os::unix::fs::symlink("elsewhere.tsv", home.work().join("link")).unwrap();
    fs::create_dir(home.work().join("bodies")).unwrap();
    fs::rename(home.work().join("link"), home.work().join(MANIFEST)).unwrap();
    let link = run(&home, &[&arguments[..], &["--force"]].concat());
    let said = text(&link.stderr);
    assert_eq!(link.status.code(), Some(2), "{said}");
    let refusal = "'bodies/endpaper-manifest.tsv' cannot be written: is a symbolic link whose target does not exist";
    assert!(said.contains(refusal), "{said}");
    assert!(!home.work().join("bodies/0.txt").exists());
}

#[cfg(unix)]
#[test]
fn bodies_are_written_where_few_files_may_be_open() {
    let home = Home::new();
    for number in 0..200 {
        home.write(format!("books/{number}.txt"), book(number));
    }
    let arguments = ["strip", "books", "--threads", "2", "--out", "bodies"];
    let arguments = [&arguments[..], &COUNTED[..]].concat();
    let output = home.endpaper_after("ulimit -n 32", &arguments).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(files_in(&home, "bodies").len(), 201);
}

#[test]
fn runs_over_parts_of_a_corpus_fill_one_manifest() {
    let home = corpus();
    strip(&home, &[]);
    let whole = read(&home, MANIFEST);
    fs::remove_dir_all(home.work().join("bodies")).unwrap();
    for include in ["2.txt", "[01].txt"] {
        let model = ["model", "build", "books", "--force", "--out", "a.model"];
        assert!(run(&home, &model).status.success());
        let arguments = [
            "strip",
            "books",
            "--out",
            "bodies",
            "--detector",
            "gap",
            "--model",
            "a.model",
            "-K",
            "2",
            "--include",
            include,
        ];
        assert_eq!(run(&home, &arguments).status.code(), Some(0));
    }
    let parts = read(&home, MANIFEST);
    let files = |manifest: &[u8]| {
        let rows = rows(&text(manifest));
        let mut files: Vec<_> = rows
            .values()
            .map(|row| (row["book"].clone(), row["sha256"].clone()))
            .collect();
        files.sort();
        files
    };
    assert_eq!(files(&parts), files(&whole));
}

#[test]
fn encoding_and_line_ends_change_where_asked() {
    let home = corpus();
    let output = strip(&home, &["--to-encoding", "utf-8", "--newline", "lf"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let body = String::from_utf8(read(&home, "bodies/0.txt")).unwrap();
    assert!(body.starts_with("\nBook 0 says in line 0 what no other says: caf\u{e9}.\nBook"));
    assert!(!body.contains('\r'));
    let row = &rows(&text(&output.stdout))["0.txt"];
    assert_eq!((&*row["encoding"], &*row["newline"]), ("utf-8", "lf"));
    assert_eq!(row["sha256"], sha256(body.as_bytes()));
    let wrong = strip(&home, &["--to-encoding", "latin-1"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("use one of keep, utf-8"));
}

#[test]
fn bodies_below_the_corpus_are_no_books_and_books_are_never_written_over() {
    let home = corpus();
    let books = home.work().join("books");
    let inside = |out: &str| {
        let arguments = [
            "strip", "--out", out, "--model", "corpus", "-K", "2", "--force",
        ];
        home.endpaper(&arguments)
            .current_dir(&books)
            .output()
            .unwrap()
    };
    let first = inside("bodies");
    assert_eq!(inside("bodies").stdout, first.stdout);
    assert_eq!(text(&first.stdout).lines().count(), 4);
    let refused = inside(".");
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains("give --out a separate folder"));
    assert!(
        (0..3).all(|number| fs::read(books.join(format!("{number}.txt"))).unwrap() == book(number))
    );
}

#[test]
fn records_decide_and_a_broken_one_stops_nothing() {
    let home = corpus();
    decide(&home, "0.txt", Verdict::Undecidable, 0, &[]);
    decide(
        &home,
        "1.txt",
        Verdict::Corrected,
        14,
        &[(20, 21, "licence"), (30, 30, "note")],
    );
    decide(&home, "2.txt", Verdict::Confirmed, 12, &[]);
    home.write("truth/2.txt.yaml", "schema: [");
    let output = strip(
        &home,
        &[
            "--truth",
            "truth",
            "--drop-inside",
            "licence",
            "--max-doubt",
            "0",
        ],
    );
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("skipping '0.txt': undecidable"), "{said}");
    assert!(
        said.contains("skipping '2.txt': its record is broken: line"),
        "{said}"
    );
    let rows = rows(&text(&output.stdout));
    assert_eq!(rows.len(), 1);
    let expected = [
        ("by", "truth"),
        ("verdict", "corrected"),
        ("first", "15"),
        ("dropped", "20-21"),
        ("detector", "-"),
    ];
    for (column, value) in expected {
        assert_eq!(rows["1.txt"][column], value, "{column}");
    }
    let source = BookText::new(book(1));
    let kept =
        [source.span(15, 19), source.span(22, 73)].map(|range| source.bytes()[range].to_vec());
    assert!(read(&home, "bodies/1.txt") == kept.concat());
}

#[test]
fn wrong_use_is_refused_with_what_would_be_right() {
    let home = corpus();
    strip(&home, &[]);
    home.write("other/a.txt", "a");
    let strip_to = ["strip", "books", "--out", "bodies"];
    let checking = ["strip", "check", "bodies"];
    let cases: &[(&[&str], &[&str], &str)] = &[
        (
            &strip_to,
            &["--drop-inside", "licenses"],
            "licence, metadata",
        ),
        (&strip_to, &["--max-doubt", "2"], "from 0 to 1"),
        (
            &strip_to,
            &["--accept-all", "because"],
            "unexpected argument",
        ),
        (
            &strip_to,
            &["--truth", "nowhere"],
            "'nowhere' does not exist",
        ),
        (&checking, &["books"], "name one folder of bodies"),
        (&checking, &["--force"], "unexpected argument"),
        (&checking, &["--accept-all", " "], "needs a reason"),
        (
            &["strip", "check", "nowhere"],
            &[],
            "'nowhere' is not a folder",
        ),
        (
            &["strip", "books", "--out", "other/a.txt"],
            &[],
            "'other/a.txt' is not a folder",
        ),
    ];
    for (command, more, expected) in cases {
        let output = run(&home, &[*command, *more].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{more:?}: {said}");
        assert!(said.contains(expected), "{more:?}: {said}");
    }
}

#[test]
fn the_check_finds_leftovers_until_they_are_accepted_with_a_reason() {
    let home = corpus();
    home.write(
        "books/9.txt",
        [book(9), b"\r\nProduced by A. Hand\r\n".to_vec()].concat(),
    );
    strip(&home, &[]);
    let found = check(&home, &[]);
    assert_eq!(found.status.code(), Some(1), "{}", text(&found.stderr));
    assert_eq!(
        text(&found.stdout),
        "9.txt:63: credits: reads like credits: Produced by A. Hand\n"
    );
    let json = check(&home, &["--format", "jsonl"]);
    assert!(text(&json.stdout).starts_with(r#"{"file":"9.txt","line":63,"rule":"credits""#));
    assert!(!home.work().join(ACCEPTED).exists());
    let accepted = check(&home, &["--accept-all", "printed so"]);
    assert_eq!(
        accepted.status.code(),
        Some(0),
        "{}",
        text(&accepted.stderr)
    );
    let clean = check(&home, &[]);
    assert_eq!(
        (clean.status.code(), text(&clean.stdout)),
        (Some(0), String::new())
    );
    assert!(text(&clean.stderr).contains("1 finding accepted before"));
    // A different line is a new finding, and an accepted finding whose line is gone is reported.
    let body = [
        b"Scanned by B. Hand\r\n\r\n".to_vec(),
        book(9)[700..].to_vec(),
    ]
    .concat();
    home.write("bodies/9.txt", body);
    let again = check(&home, &[]);
    let said = text(&again.stdout);
    assert!(
        said.contains("9.txt:1: credits: reads like credits: Scanned by B. Hand"),
        "{said}"
    );
    assert!(said.contains("9.txt: changed:"), "{said}");
    assert!(
        text(&again.stderr).contains("no longer occur: 2"),
        "{}",
        text(&again.stderr)
    );
    home.write(ACCEPTED, "9.txt\tcredits\n");
    let wrong = check(&home, &["--include", "0.txt"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(text(&wrong.stderr).contains("endpaper-accepted.tsv', line 1: 2 columns"));
}

#[test]
fn the_check_compares_the_folder_with_its_manifest() {
    let home = corpus();
    home.write("books/odd.html", book(7));
    let list = home.write("list", "books/0.txt\nbooks/1.txt\nbooks/odd.html\n");
    let list = list.to_str().unwrap();
    let arguments = [
        "strip",
        "--detector",
        "gap",
        "--files-from",
        list,
        "--out",
        "bodies",
        "--model",
        "corpus",
        "-K",
        "2",
    ];
    assert_eq!(run(&home, &arguments).status.code(), Some(0));
    assert_eq!(check(&home, &[]).status.code(), Some(0));
    fs::remove_file(home.work().join("bodies/books/0.txt")).unwrap();
    home.write(
        "bodies/books/odd.html",
        [book(7), b"more\n".to_vec()].concat(),
    );
    home.write("bodies/stranger.txt", book(8));
    let found = check(&home, &[]);
    let said = text(&found.stdout);
    let expected = [
        "books/0.txt: missing: the body of 'books/0.txt' is not there",
        "books/odd.html: changed: it was changed since it was written",
        "stranger.txt: unlisted: the manifest does not know it",
    ];
    assert_eq!(
        said.lines().collect::<Vec<_>>(),
        expected,
        "{}",
        text(&found.stderr)
    );
}

/// The demo books: every body consists of the lines in the manifest, and the check can read all of them.
#[test]
fn check_reads_no_file_outside_of_the_folder() {
    let home = corpus();
    assert_eq!(strip(&home, &[]).status.code(), Some(0));
    let secret = home.write(
        "secret.txt",
        "Scanned by A. Secret\r\n\r\nNothing to see.\r\n",
    );
    let manifest = text(&read(&home, MANIFEST));
    for place in [
        "../secret.txt",
        secret.to_str().unwrap(),
        "x/../../secret.txt",
    ] {
        home.write(
            MANIFEST,
            manifest.replace("\t1.txt\t", &format!("\t{place}\t")),
        );
        let found = check(&home, &[]);
        let said = text(&found.stdout) + &text(&found.stderr);
        assert!(!said.contains("A. Secret"), "{said}");
        assert!(
            said.contains("secret.txt: missing: the manifest names a file outside of the folder"),
            "{said}"
        );
        assert_eq!(found.status.code(), Some(1));
    }
}

#[test]
fn bodies_of_the_demo_books_are_ranges_of_their_sources() {
    let home = Home::new();
    let archive =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/endpaper-text/src/corpus/demo.zip");
    fs::copy(&archive, home.work().join("demo.zip")).unwrap();
    let stripped = run(&home, &["strip", "demo.zip", "--out", "bodies"]);
    assert_eq!(
        stripped.status.code(),
        Some(0),
        "{}",
        text(&stripped.stderr)
    );
    let rows = rows(&text(&stripped.stdout));
    let request = ListingRequest {
        roots: vec![PathBuf::from(&archive)],
        ..ListingRequest::default()
    };
    let listing = corpus::list(&request).unwrap();
    assert!(rows.len() > 20);
    for book in &listing.books {
        let row = &rows[book.id.as_str()];
        let source = BookText::new(book.read(u64::MAX).unwrap());
        let span = source.span(row["first"].parse().unwrap(), row["last"].parse().unwrap());
        let body = read(&home, &format!("bodies/{}", row["file"]));
        assert!(body == source.bytes()[span], "{}", book.id);
        assert_eq!(
            (&row["sha256"], &row["source_sha256"]),
            (&sha256(&body), &sha256(source.bytes()))
        );
    }
    let utf8 = [
        "strip",
        "demo.zip",
        "--out",
        "plain",
        "--to-encoding",
        "utf-8",
        "--newline",
        "lf",
    ];
    assert_eq!(run(&home, &utf8).status.code(), Some(0));
    for row in rows.values() {
        let plain = String::from_utf8(read(&home, &format!("plain/{}", row["file"]))).unwrap();
        assert!(
            !plain.contains('\r') && !plain.starts_with('\u{feff}'),
            "{}",
            row["file"]
        );
    }
    let found = check(&home, &["--format", "jsonl"]);
    assert_eq!(found.status.code(), Some(1), "{}", text(&found.stderr));
    let files: Vec<String> = text(&found.stdout)
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["file"].to_string())
        .collect();
    // This file is a list of books, and says so at its end.
    assert!(
        files.iter().any(|file| file.contains("2f21920cda35")),
        "{files:?}"
    );
}
