//! `endpaper search` as a user runs it: hits and their positions, formats, index maintenance, messages, exit status.

#![cfg(feature = "search")]
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::support::{Home, fine, small_book, stderr};
use serde_json::Value;

/// The demonstration corpus as an archive on disk.
fn demo() -> String {
    crate::support::demo().to_str().unwrap().to_owned()
}

fn run(home: &Home, arguments: &[&str]) -> Output {
    let mut all = vec!["search"];
    all.extend(arguments);
    home.endpaper(&all).output().unwrap()
}

fn rows(printed: &str) -> Vec<Value> {
    let rows = printed.lines().map(serde_json::from_str);
    rows.collect::<Result<_, _>>().unwrap()
}

fn books(rows: &[Value]) -> Vec<&str> {
    rows.iter()
        .map(|row| row["book"].as_str().unwrap())
        .collect()
}

fn found(home: &Home, query: &str, more: &[&str]) -> Vec<Value> {
    let mut arguments = vec![query, "--format", "jsonl", "--quiet"];
    arguments.extend(more);
    rows(&fine(&run(home, &arguments)))
}

fn index_folder(home: &Home) -> PathBuf {
    let cache = home.work().join("../endpaper/cache");
    let entries = fs::read_dir(cache)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut folders = entries.filter(|path| path.extension().is_some_and(|end| end == "search"));
    let folder = folders.next().unwrap();
    assert_eq!(folders.next(), None);
    folder
}

#[test]
fn a_book_is_found_with_its_line_and_text() {
    let home = Home::new();
    let demo = demo();
    let first = run(&home, &["owl creek bridge", &demo]);
    assert!(
        stderr(&first).contains("books indexed"),
        "{}",
        stderr(&first)
    );
    let printed = fine(&first);
    let mut lines = printed.lines();
    let head = lines.next().unwrap();
    assert!(
        head.starts_with("Results 1 - ") && head.contains(" for owl creek bridge in 0."),
        "{head}"
    );
    assert!(
        printed.contains(
            " 1. An Occurrence at Owl Creek Bridge, Ambrose Bierce\n    demo.zip!OWLCR10.txt:"
        ),
        "{printed}"
    );
    assert!(
        printed.lines().all(|line| line.chars().count() <= 80),
        "{printed}"
    );

    // The second search does not index.
    let second = run(&home, &["owl creek bridge", &demo, "--format", "jsonl"]);
    assert_eq!(stderr(&second), "");
    let rows = rows(&fine(&second));
    let hit = &rows[0];
    assert_eq!(
        (&hit["rank"], &hit["part"], &hit["note"]),
        (&1.into(), &"body".into(), &Value::Null)
    );
    let excerpt: Vec<char> = hit["excerpt"].as_str().unwrap().chars().collect();
    let marks = hit["marks"].as_array().unwrap();
    assert!(!marks.is_empty());
    for mark in marks {
        let at = |which: usize| mark[which].as_u64().unwrap() as usize;
        let word: String = excerpt[at(0)..at(1)].iter().collect();
        assert!(
            ["owl", "creek", "bridge"].contains(&word.to_lowercase().trim_end_matches('s')),
            "{word}"
        );
    }

    let tsv = fine(&run(&home, &["owl creek bridge", &demo, "--format", "tsv"]));
    let cells: Vec<Vec<&str>> = tsv.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(cells[0][..4], ["rank", "book", "line", "part"]);
    assert!(cells.iter().all(|row| row.len() == cells[0].len()));
    assert_eq!(cells[1][1], hit["book"].as_str().unwrap());
    assert_eq!(cells[1][2], hit["line"].to_string());
}

#[test]
fn boilerplate_is_found_only_where_it_is_asked_for() {
    let home = Home::new();
    let demo = demo();
    let printed = fine(&run(&home, &["\"small print\"", &demo, "--quiet"]));
    assert!(printed.starts_with("No results in "), "{printed}");
    assert!(
        printed.contains("in preambles and epilogues; add --in preamble,epilogue."),
        "{printed}"
    );
    let around = found(
        &home,
        "\"small print\"",
        &["--in", "preamble,epilogue", &demo],
    );
    assert!(around.len() > 5);
    assert!(around.iter().all(|row| row["part"] != "body"));
    let named = found(&home, "preamble:\"small print\"", &[&demo]);
    assert!(named.iter().all(|row| row["part"] == "preamble") && !named.is_empty());

    let printed = fine(&run(&home, &["bridge unicorns", &demo, "--quiet"]));
    assert!(
        printed.contains("with one of the words; add --any."),
        "{printed}"
    );
    assert!(!found(&home, "bridge unicorns", &["--any", &demo]).is_empty());
}

#[test]
fn languages_have_their_own_stems() {
    let home = Home::new();
    let demo = demo();
    let german = found(&home, "language:german", &[&demo]);
    assert_eq!(german.len(), 2);
    let one = found(&home, "author:bierce", &[&demo, "--limit", "1"]);
    assert_eq!(one[0]["title"], "An Occurrence at Owl Creek Bridge");
}

#[test]
fn years_and_references_are_searched_where_they_are_asked_for() {
    let home = Home::new();
    let references: String = (1..=8)
        .map(|volume| {
            format!(
                "{volume}. Knuth, D. E. The Art of Computer Programming, Volume {volume}. Addison-Wesley, Reading, 19{}.\n",
                60 + volume
            )
        })
        .collect();
    let page = "SORTING\n\nby A. Nobody\n\nLondon: Macmillan and Co., 1893\n\n\n";
    let chapter = small_book(1);
    home.write(
        "books/citing.txt",
        format!("{page}CHAPTER I\n\n{chapter}\n\n\nREFERENCES\n\n{references}\n\n\nCHAPTER II\n\n{chapter}"),
    );
    home.write(
        "books/life.txt",
        format!(
            "LIFE OF KNUTH\n\nby B. Nobody\n\nCHAPTER I\n\n{}",
            small_book(2)
        ),
    );
    assert_eq!(books(&found(&home, "knuth", &["books"])), ["life.txt"]);
    let cited = found(&home, "references:knuth", &["books"]);
    assert_eq!(books(&cited), ["citing.txt"]);
    assert_eq!(cited[0]["part"], "references");
    assert_eq!(
        found(&home, "knuth", &["books", "--in", "references"]),
        cited
    );
    let printed = fine(&run(&home, &["knuth volume", "books", "--quiet"]));
    assert!(
        printed.contains("in lists of references; add --in references."),
        "{printed}"
    );
    for query in ["date:1893", "date:1890..1900", "publish_date:..1893"] {
        assert_eq!(
            books(&found(&home, query, &["books"])),
            ["citing.txt"],
            "{query}"
        );
    }
    assert_eq!(found(&home, "date:1894..", &["books"]).len(), 0);
    let tfidf = found(&home, "knuth", &["books", "--ranking", "tfidf"]);
    assert_eq!(books(&tfidf), ["life.txt"]);
}

/// Books with one distinctive word each, among lines common to all.
fn corpus(home: &Home, words: &[(&str, &str)]) {
    for (name, word) in words {
        let number = name.len();
        home.write(
            format!("books/{name}.txt"),
            format!("{}And a {word} at last.\n", small_book(number)),
        );
    }
}

#[test]
fn the_index_follows_the_books() {
    let home = Home::new();
    corpus(&home, &[("a", "walrus"), ("bb", "heron"), ("ccc", "stork")]);
    assert_eq!(books(&found(&home, "walrus", &["books"])), ["a.txt"]);
    corpus(&home, &[("a", "lynx"), ("dddd", "walrus")]);
    fs::remove_file(home.work().join("books/bb.txt")).unwrap();

    let output = run(
        &home,
        &["walrus OR heron OR lynx", "books", "--format", "jsonl"],
    );
    let said = stderr(&output);
    assert!(said.contains("books indexed, 1 removed"), "{said}");
    let mut ids = books(&rows(&fine(&output)))
        .iter()
        .map(|id| (*id).to_owned())
        .collect::<Vec<String>>();
    ids.sort();
    assert_eq!(ids, ["a.txt", "dddd.txt"]);
    assert_eq!(found(&home, "heron", &["books"]).len(), 0);

    // A part of the corpus has a separate index, and does not change this one.
    assert_eq!(
        found(&home, "walrus", &["books", "--exclude", "dddd.txt"]).len(),
        0
    );
    let output = run(&home, &["walrus", "books"]);
    assert_eq!(stderr(&output), "");
}

#[test]
fn decided_cuts_win() {
    let home = Home::new();
    corpus(&home, &[("a", "walrus"), ("bb", "heron"), ("ccc", "stork")]);
    assert_eq!(found(&home, "walrus", &["books"])[0]["part"], "body");
    let sha256 = {
        let text = fs::read(home.work().join("books/a.txt")).unwrap();
        endpaper_text::checksum::sha256(&text)
    };
    let bytes = fs::metadata(home.work().join("books/a.txt")).unwrap().len();
    let record = format!(
        "schema: 1\nbook: a.txt\nsource: {{sha256: {sha256}, bytes: {bytes}, lines: 54, encoding: ascii, newline: lf}}\n\
         verdict: corrected\ncuts: {{preamble_end: 13, epilogue_start: 54}}\n"
    );
    home.write("labels/a.txt.yaml", &record);
    assert_eq!(
        found(&home, "walrus", &["books", "--truth", "labels"]).len(),
        0
    );
    let around = found(
        &home,
        "walrus",
        &["books", "--truth", "labels", "--in", "epilogue"],
    );
    assert_eq!(
        (around[0]["line"].as_u64(), &around[0]["part"]),
        (Some(54), &"epilogue".into())
    );
}

#[test]
fn an_index_that_is_damaged_or_of_another_version_is_made_anew() {
    let home = Home::new();
    corpus(&home, &[("a", "walrus"), ("bb", "heron")]);
    let index = ["walrus", "books", "--index", "index"];
    assert_eq!(
        rows(&fine(&run(
            &home,
            &[&index[..], &["--format", "jsonl"]].concat()
        )))
        .len(),
        1
    );
    let about = home.work().join("index/endpaper-search.json");
    let text = fs::read_to_string(&about).unwrap();

    fs::write(&about, text.replace("\"format\": 3", "\"format\": 2")).unwrap();
    let output = run(&home, &index);
    assert!(fine(&output).starts_with("Results 1 - 1 of 1"));
    let said = stderr(&output);
    assert!(
        said.contains("was written by endpaper") && said.contains("rebuilding it"),
        "{said}"
    );

    for entry in fs::read_dir(home.work().join("index/index")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "pos") {
            fs::write(path, "nothing").unwrap();
        }
    }
    let output = run(&home, &index);
    assert!(fine(&output).starts_with("Results 1 - 1 of 1"));
    assert!(
        stderr(&output).contains("is damaged"),
        "{}",
        stderr(&output)
    );

    // A folder of other files is left unchanged.
    let output = run(&home, &["walrus", "books", "--index", "books"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("holds other files"),
        "{}",
        stderr(&output)
    );
    assert!(home.work().join("books/a.txt").exists());
}

#[test]
fn while_another_process_writes_there_is_no_wrong_answer() {
    let home = Home::new();
    corpus(&home, &[("a", "walrus"), ("bb", "heron")]);
    assert_eq!(found(&home, "walrus", &["books"]).len(), 1);
    let lock = fs::File::options()
        .append(true)
        .open(index_folder(&home).join("lock"))
        .unwrap();
    lock.lock().unwrap();
    // Nothing needs to be written, so there is no error.
    assert_eq!(found(&home, "walrus", &["books"]).len(), 1);
    corpus(&home, &[("ccc", "walrus")]);
    let output = run(&home, &["walrus", "books", "--quiet", "--format", "jsonl"]);
    assert_eq!(books(&rows(&fine(&output))), ["a.txt"]);
    let said = stderr(&output);
    assert!(
        said.contains("another endpaper is writing")
            && said.contains("searching the 2 books already indexed"),
        "{said}"
    );
    let output = run(&home, &["--index-only", "books"]);
    assert_eq!(output.status.code(), Some(2));
    drop(lock);
    assert_eq!(found(&home, "walrus", &["books"]).len(), 2);
}

fn contents(index: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(index.join("index")).unwrap();
    let files = entries.map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_none_or(|end| end != "lock"));
    let mut files: Vec<_> = files
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

/// Overwrites a file without changing its time.
fn harm(path: &Path, bytes: Option<&[u8]>) {
    let time = fs::metadata(path).unwrap().modified().unwrap();
    match bytes {
        None => fs::remove_file(path).unwrap(),
        Some(bytes) => {
            fs::write(path, bytes).unwrap();
            let file = fs::File::options().write(true).open(path).unwrap();
            file.set_modified(time).unwrap();
        }
    }
}

#[test]
fn any_damage_to_any_file_is_found_before_it_does_harm_and_mended() {
    let home = Home::new();
    corpus(&home, &[("a", "walrus"), ("bb", "heron")]);
    let index = ["walrus", "books", "--index", "index"];
    fine(&run(&home, &index));
    let folder = home.work().join("index");
    let files = contents(&folder).len();
    assert!(files >= 8, "{files} files");
    for at in 0..files {
        for way in 0..6 {
            let files = contents(&folder);
            let (path, bytes) = &files[at % files.len()];
            // Lengths are at the ends and the beginnings of files.
            let half = bytes.len() / 2;
            let other = &files[(at + 1) % files.len()].1;
            let harmed = match way {
                0 => Some(vec![0xFF; bytes.len()]),
                1 => Some([&bytes[..half], &vec![0x7F; bytes.len() - half][..]].concat()),
                2 => Some([&vec![0xFE; half][..], &bytes[half..]].concat()),
                3 => Some(bytes[..half].to_vec()),
                4 => Some(other.clone()),
                _ => None,
            };
            harm(path, harmed.as_deref());
            let output = run(&home, &index);
            let (found, said) = (fine(&output), stderr(&output));
            let what = format!("{} harmed in way {way}: {said}", path.display());
            assert!(found.starts_with("Results 1 - 1 of 1"), "{what}");
            assert!(
                said.contains("is damaged") && said.contains("rebuilding it"),
                "{what}"
            );
            assert!(!said.contains("panicked"), "{what}");
            assert_eq!(stderr(&run(&home, &index)), "", "{what}");
        }
    }
}

#[test]
fn searches_that_are_first_at_the_same_time_make_one_index() {
    for round in 0..4 {
        let home = Home::new();
        for number in 0..60 {
            home.write(
                format!("books/{number}.txt"),
                small_book(number) + &format!("Book {number} ends with a walrus.\n"),
            );
        }
        std::thread::scope(|scope| {
            let searches: Vec<_> = (0..5)
                .map(|_| scope.spawn(|| run(&home, &["walrus", "books", "--format", "jsonl"])))
                .collect();
            let mut indexed = 0;
            for search in searches {
                let output = search.join().unwrap();
                let said = stderr(&output);
                indexed += said.matches("60 books indexed").count();
                assert_eq!(output.status.code(), Some(0), "round {round}: {said}");
                assert!(!said.contains("damaged"), "round {round}: {said}");
                assert_eq!(rows(&fine(&output)).len(), 10, "round {round}: {said}");
            }
            assert_eq!(indexed, 1, "round {round}: one search indexes for all");
        });
        index_folder(&home);
    }
}

#[test]
fn the_index_alone_and_no_index_at_all() {
    let home = Home::new();
    corpus(&home, &[("a", "walrus"), ("bb", "heron")]);
    let output = run(&home, &["walrus", "books", "--no-cache"]);
    assert!(fine(&output).starts_with("Results 1 - 1 of 1"));
    let cache = home.work().join("../endpaper/cache");
    assert_eq!(fs::read_dir(&cache).unwrap().count(), 0);

    let output = run(&home, &["--index-only", "books"]);
    assert_eq!(fine(&output), "");
    assert!(
        stderr(&output).contains("has 2 books and takes"),
        "{}",
        stderr(&output)
    );
    assert_eq!(stderr(&run(&home, &["walrus", "books"])), "");
    let output = run(&home, &["walrus", "books", "--rebuild"]);
    assert!(
        stderr(&output).contains("2 books indexed"),
        "{}",
        stderr(&output)
    );
}

#[cfg(unix)]
#[test]
fn an_index_that_has_no_room_is_refused_where_it_is_all_that_was_asked_for() {
    let home = Home::new();
    corpus(&home, &[("a", "walrus"), ("bb", "heron")]);
    let without_room = |arguments: &[&str]| {
        let words = [&["search"], arguments].concat();
        home.endpaper_after("ulimit -f 0", &words).output().unwrap()
    };
    let output = without_room(&["--index-only", "books"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(!said.contains("temporary"), "{said}");
}

#[test]
fn wrong_use_is_named() {
    let home = Home::new();
    corpus(&home, &[("a", "walrus")]);
    let cases: &[(&[&str], &str)] = &[
        (&[], "there is nothing to search for"),
        (
            &["\"walrus", "books"],
            "at character 1: the quotation mark is never closed",
        ),
        (
            &["emma titel:x", "books"],
            "at character 6: unknown field 'titel' (did you mean 'title'?); use one of id, title",
        ),
        (
            &["publish_year:2001", "books"],
            "at character 1: unknown field 'publish_year'; use one of id, title",
        ),
        (
            &["white", "whale"],
            "if it belongs to the query, put all of it in quotes: 'white whale'",
        ),
        (
            &["walrus", "books", "--limit", "0"],
            "write a whole number from 1 to 10000",
        ),
        (
            &["walrus", "books", "--in", "head"],
            "unknown part of a book 'head'; use one of id, title",
        ),
        (
            &["walrus", "books", "--truth", "nowhere"],
            "the truth folder 'nowhere' does not exist",
        ),
    ];
    for (arguments, expected) in cases {
        let output = run(&home, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            stderr(&output).contains(expected),
            "{arguments:?}: {}",
            stderr(&output)
        );
    }
    assert_eq!(
        fs::read_dir(home.work().join("../endpaper/cache"))
            .unwrap()
            .count(),
        0
    );
}

#[test]
fn a_book_that_cannot_be_read_is_named() {
    let home = Home::new();
    corpus(&home, &[("a", "walrus")]);
    home.write("books/empty.txt", "");
    let output = run(&home, &["walrus", "books", "--quiet", "--format", "jsonl"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("skipped 'empty.txt': is empty"),
        "{}",
        stderr(&output)
    );
    assert_eq!(rows(&String::from_utf8(output.stdout).unwrap()).len(), 1);
}
