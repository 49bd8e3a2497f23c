//! `endpaper strip --out shelf.jsonl.gz` as a user runs it: rows, shards, going on after an end, refusals.

use std::fs;
use std::io::Read;
use std::process::Output;

use crate::support::{COUNTED, Home, fine, small_book, stderr, text};
use flate2::read::GzDecoder;
use serde_json::Value;

const BOOKS: usize = 12;

fn corpus() -> Home {
    let home = Home::new();
    for number in 0..BOOKS {
        home.write(format!("books/{number:02}.txt"), small_book(number));
    }
    home.write("books/latin1.txt", b"Caf\xE9\r\n\r\nol\xE9\r\n");
    home
}

fn strip(home: &Home, more: &[&str]) -> Output {
    let arguments = ["strip", "books"];
    let output = home.endpaper(&[&arguments, &COUNTED[..], more].concat());
    { output }.output().unwrap()
}

/// The rows of a file.
fn rows(home: &Home, name: &str) -> Vec<Value> {
    let bytes = fs::read(home.work().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut json = String::new();
    match name.ends_with(".gz") {
        // A reader of the first member only: some are.
        true => GzDecoder::new(bytes.as_slice())
            .read_to_string(&mut json)
            .unwrap(),
        false => bytes.as_slice().read_to_string(&mut json).unwrap(),
    };
    let lines = json.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Names and contents of the files of JSON lines.
fn shards(home: &Home) -> Vec<(String, Vec<u8>)> {
    let files = fs::read_dir(home.work()).unwrap().map(|file| file.unwrap());
    let mut files: Vec<_> = files
        .map(|file| file.file_name().into_string().unwrap())
        .filter(|name| name.contains(".jsonl"))
        .map(|name| (name.clone(), fs::read(home.work().join(name)).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn rows_are_the_bodies_in_utf8_with_their_metadata_in_the_order_of_the_ids() {
    let home = corpus();
    for out in ["shelf.jsonl", "shelf.jsonl.gz"] {
        fine(&strip(&home, &["--out", out]));
    }
    let folder = [
        "--out",
        "bodies",
        "--to-encoding",
        "utf-8",
        "--newline",
        "lf",
    ];
    fine(&strip(&home, &folder));
    let found = rows(&home, "shelf.jsonl");
    assert_eq!(found, rows(&home, "shelf.jsonl.gz"));
    assert_eq!(found.len(), BOOKS + 1);
    let ids: Vec<_> = found
        .iter()
        .map(|row| row["id"].as_str().unwrap())
        .collect();
    assert!(ids.is_sorted());
    for row in &found {
        let body = fs::read(home.work().join("bodies").join(row["id"].as_str().unwrap())).unwrap();
        assert_eq!(row["text"].as_str().unwrap(), text(&body));
        let about = &row["metadata"];
        assert_eq!(about["by"], "detector");
        assert_eq!(about["source_sha256"].as_str().unwrap().len(), 64);
        assert_eq!(about["sha256"], endpaper_text::checksum::sha256(&body));
        assert!(about["verdict"].is_null());
        assert_eq!(about["version"], env!("CARGO_PKG_VERSION"));
    }
    assert!(found[BOOKS]["text"].as_str().unwrap().contains("Café"));
}

#[test]
fn a_run_that_was_ended_goes_on() {
    let home = corpus();
    let arguments = ["--out", "shelf.jsonl.gz", "--shard-size", "8K"];
    fine(&strip(&home, &arguments));
    let whole = shards(&home);
    assert!(whole.len() > 2, "{} shards", whole.len());
    let names: Vec<_> = whole.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names[..2], ["shelf-00000.jsonl.gz", "shelf-00001.jsonl.gz"]);
    let counts = whole.iter().map(|(name, _)| rows(&home, name).len());
    assert_eq!(counts.sum::<usize>(), BOOKS + 1);
    // As a kill leaves it: the last shards are missing.
    for (name, _) in &whole[1..] {
        fs::remove_file(home.work().join(name)).unwrap();
    }
    let again = strip(&home, &arguments);
    assert!(
        stderr(&again).contains("(1 there already)"),
        "{}",
        stderr(&again)
    );
    assert_eq!(shards(&home), whole);
    let last = strip(&home, &arguments);
    let all = format!("({} there already)", whole.len());
    assert!(stderr(&last).contains(&all), "{}", stderr(&last));
}

#[test]
fn what_differs_is_not_written_over_without_force() {
    let home = corpus();
    let arguments = ["--out", "shelf.jsonl.gz", "--shard-size", "8K"];
    fine(&strip(&home, &arguments));
    let whole = shards(&home);
    let (first, bytes) = &whole[0];
    let path = home.work().join(first);
    let mut longer = bytes.clone();
    longer.extend(bytes);
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 1;
    let without_trailer = &bytes[..bytes.len() - 4];
    let more = [bytes.as_slice(), b"x"].concat();
    let half = &bytes[..bytes.len() / 2];
    for other in [
        half,
        b"mine",
        b"",
        &longer,
        &flipped,
        without_trailer,
        &more,
    ] {
        fs::write(&path, other).unwrap();
        let refused = strip(&home, &arguments);
        let expected =
            format!("'{first}' exists and differs; name another file, or --force writes over it");
        assert!(stderr(&refused).contains(&expected), "{}", stderr(&refused));
        assert_eq!(refused.status.code(), Some(2));
        assert_eq!(fs::read(&path).unwrap(), other);
    }
    fine(&strip(&home, &[&arguments[..], &["--force"]].concat()));
    assert_eq!(shards(&home), whole);
}

#[test]
fn shards_of_an_earlier_run_are_named() {
    let home = corpus();
    fine(&strip(
        &home,
        &["--out", "shelf.jsonl", "--shard-size", "8K"],
    ));
    let before = shards(&home).len();
    // Those behind a gap are of an earlier run too.
    fs::remove_file(home.work().join("shelf-00002.jsonl")).unwrap();
    assert!(before > 4);
    let fewer = strip(
        &home,
        &["--out", "shelf.jsonl", "--shard-size", "1G", "--force"],
    );
    assert_eq!(fewer.status.code(), Some(1));
    let left = format!(
        "'shelf-{:05}.jsonl' is there from an earlier run; remove it",
        before - 1
    );
    assert!(stderr(&fewer).contains(&left), "{}", stderr(&fewer));
}

#[test]
fn other_outputs_are_refused_with_the_repair() {
    let home = corpus();
    home.write("there.jsonl", "");
    let table: &[(&[&str], &str)] = &[
        (
            &["--out", "shelf.parquet"],
            "strip writes no .parquet files; end 'shelf.parquet' in .jsonl or .jsonl.gz, or name a folder",
        ),
        (&["--out", "shelf.json"], "strip writes no .json files"),
        (
            &["--out", "bodies", "--shard-size", "1M"],
            "--shard-size goes with --out FILE.jsonl or FILE.jsonl.gz; 'bodies' is a folder",
        ),
        (
            &["--out", "x.jsonl", "--newline", "keep"],
            "--newline keep goes with a folder",
        ),
        (
            &["--out", "there.jsonl"],
            "'there.jsonl' exists; name another file, or --force writes over it",
        ),
        (&["--out", "x.jsonl", "--shard-size", "-1"], "-1"),
        (
            &["--out", "x.jsonl", "--shard-size", "0"],
            "--shard-size 0 leaves no room",
        ),
    ];
    for (arguments, expected) in table {
        let refused = strip(&home, arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&refused).contains(expected), "{}", stderr(&refused));
    }
    assert_eq!(shards(&home).len(), 1);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_replaced() {
    let home = corpus();
    for name in ["shelf.jsonl", "shelf-00000.jsonl"] {
        let made = home.program("mkfifo", &[name]).output().unwrap();
        assert!(made.status.success());
    }
    for more in [
        &["--out", "shelf.jsonl"][..],
        &["--out", "shelf.jsonl", "--shard-size", "1M"],
    ] {
        for force in [&[][..], &["--force"]] {
            let refused = strip(&home, &[more, force].concat());
            assert_eq!(refused.status.code(), Some(2), "{more:?}");
            assert!(stderr(&refused).contains("'shelf"), "{}", stderr(&refused));
        }
    }
}

#[test]
fn the_ending_may_be_written_large() {
    let home = corpus();
    fine(&strip(&home, &["--out", "SHELF.JSONL"]));
    assert_eq!(rows(&home, "SHELF.JSONL").len(), BOOKS + 1);
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let home = corpus();
    let target = home.write("mine.txt", "mine");
    for name in ["shelf.jsonl", "shelf-00000.jsonl"] {
        std::os::unix::fs::symlink(&target, home.work().join(name)).unwrap();
    }
    for more in [
        &["--out", "shelf.jsonl"][..],
        &["--out", "shelf.jsonl", "--shard-size", "1M"],
    ] {
        let refused = strip(&home, &[more, &["--force"]].concat());
        assert_eq!(refused.status.code(), Some(2));
        assert!(
            stderr(&refused).contains("symbolic link"),
            "{}",
            stderr(&refused)
        );
    }
    assert_eq!(fs::read(target).unwrap(), b"mine");
}
