//! What `endpaper truth check` finds, and that it changes nothing.

use std::fs;

use endpaper_detect::Cuts;
use predicates::prelude::*;
use predicates::str::contains;

use crate::truth::desk::{Desk, RIGHT};

/// Detects with the counts of the three books.
const CHECK: &str = "truth check books --truth a --detector gap --model corpus -K 2";

fn decided() -> Desk {
    let desk = Desk::new();
    for number in 0..3 {
        desk.save("a", &desk.record(number, RIGHT, "ms"));
    }
    desk
}

#[test]
fn good_labels_pass_and_are_held_against_the_detector() {
    let desk = decided();
    desk.run(CHECK)
        .assert()
        .code(0)
        .stdout(contains("3 records: 0 errors, 0 warnings"))
        .stdout(contains(
            "both cuts right in 3 of 3 labelled books (100.0 %)",
        ))
        .stdout(contains(
            "no budget 'a/budget.tsv'; --write-budget makes it",
        ));
    desk.run("truth check --truth a --records-only")
        .assert()
        .code(0)
        .stdout("3 records: 0 errors, 0 warnings\n");
}

#[test]
fn a_book_that_got_worse_fails_the_check() {
    let desk = decided();
    let cuts = Cuts {
        preamble_end: 10,
        epilogue_start: None,
    };
    desk.save("a", &desk.record(1, cuts, "ms"));
    desk.run(&format!("{CHECK} --write-budget"))
        .assert()
        .code(0)
        .stdout(contains("budget 'a/budget.tsv': 0 worse, 0 better"));
    let budget = desk.read("a/budget.tsv");
    assert!(
        budget.ends_with("book\tstart\tend\n0.txt\t0\t0\n1.txt\t2\t0\n2.txt\t0\t0\n"),
        "{budget}"
    );
    desk.run(CHECK).assert().code(0);
    // What was allowed is not worse; a stricter budget is exceeded; a label without budget and one too many are warned of.
    desk.write(
        "strict.tsv",
        "book\tstart\tend\n1.txt\t1\t0\n0.txt\t5\t0\ngone.txt\t0\t0\n",
    );
    desk.run(&format!("{CHECK} --budget strict.tsv"))
        .assert()
        .code(1)
        .stdout(contains(
            "strict.tsv:2:1: error[worse] '1.txt' got worse: start +2 lines, +1 allowed",
        ))
        .stdout(contains("strict.tsv:4:1: warning[stale-budget] 'gone.txt'"))
        .stdout(contains(
            "strict.tsv:1:1: warning[no-budget] '2.txt' is labelled in",
        ))
        .stdout(contains("budget 'strict.tsv': 1 worse, 1 better"));
    let table = [
        (
            "--budget none.tsv",
            "'none.tsv' does not exist; --write-budget makes it",
        ),
        ("--budget books/0.txt --write-budget", "is no budget"),
    ];
    for (words, message) in table {
        desk.run(&format!("{CHECK} {words}"))
            .assert()
            .code(2)
            .stderr(contains(message));
    }
    assert_eq!(desk.read("books/0.txt"), crate::truth::desk::book(0));
}

#[test]
fn everything_wrong_is_named_with_its_place_and_nothing_is_rewritten() {
    let desk = decided();
    let good = desk.read("a/0.txt.yaml");
    desk.write("a/broken.yaml", "schema: 1\nbook: \"unfinished\n");
    desk.write("a/future.yaml", good.replace("schema: 1", "schema: 2"));
    desk.write(
        "a/gone.txt.yaml",
        good.replace("0.txt", "gone.txt")
            .replace("sha256: \"", "sha256: \"1"),
    );
    desk.write("a/other.txt.yaml", good.replace("0.txt", "other.txt"));
    desk.write("a/second.yaml", &good);
    desk.write(
        "a/1.txt.yaml",
        good.replace("0.txt", "1.txt")
            .replace("cuts: {preamble_end: 12", "cuts: {preamble_end: 714"),
    );
    desk.write("books/2.txt", "changed\n");
    let before = snapshot(&desk);
    let output = desk.run(CHECK).output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{out}");
    for part in [
        "a/broken.yaml:3:1: error[broken]",
        "a/future.yaml:2:1: error[broken] schema 2 was written by a newer endpaper; update",
        "a/gone.txt.yaml:4:10: error[invalid] source.sha256 is '1",
        "a/gone.txt.yaml:3:1: error[unknown-book] the corpus has no book 'gone.txt'; name the folder",
        "a/other.txt.yaml:3:1: error[unknown-book] the corpus has no book 'other.txt', but '0.txt' has its very text",
        "a/second.yaml:3:1: error[duplicate] '0.txt' has another record in 'a/0.txt.yaml'",
        "a/second.yaml:3:1: error[misplaced]",
        "a/1.txt.yaml:7:1: error[invalid] cuts: preamble_end 714 is outside the 713 lines of the file",
        "a/2.txt.yaml:4:10: error[changed] '2.txt' changed since it was decided (713 lines then, 1 now)",
        "8 records: ",
        "of 1 labelled books",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    assert_eq!(snapshot(&desk), before);
}

#[test]
fn other_programs_read_the_findings() {
    let desk = decided();
    desk.write("a/<b>&.yaml", "schema: 1\n");
    let junit = desk
        .run(&format!("{CHECK} --format junit"))
        .output()
        .unwrap();
    let junit = String::from_utf8(junit.stdout).unwrap();
    assert!(
        junit.contains("<testsuite name=\"records\" tests=\"4\" failures=\"1\">"),
        "{junit}"
    );
    assert!(junit.contains("name=\"a/&lt;b&gt;&amp;.yaml\">"), "{junit}");
    let jsonl = desk
        .run(&format!("{CHECK} --format jsonl"))
        .output()
        .unwrap();
    assert_eq!(jsonl.status.code(), Some(1));
    let jsonl = String::from_utf8(jsonl.stdout).unwrap();
    let lines: Vec<serde_json::Value> = jsonl
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(
        (&lines[0]["rule"], &lines[0]["error"]),
        (&"broken".into(), &true.into())
    );
    assert_eq!(lines[1]["summary"]["exact"], 3);
}

#[test]
fn a_truth_path_that_is_none_is_wrong_use() {
    let desk = decided();
    desk.write("file", "x");
    for (words, message) in [
        (
            "truth check books --truth file",
            "'file' is a file; name a folder",
        ),
        ("truth check books --truth none", "'none' does not exist"),
        ("truth check nowhere --truth a", "nowhere"),
    ] {
        desk.run(words)
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains(message));
    }
}

#[cfg(unix)]
#[test]
fn links_and_locked_folders_are_named_and_the_rest_is_checked() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let desk = decided();
    symlink("loop.yaml", desk.path("a/loop.yaml")).unwrap();
    symlink(".", desk.path("a/up")).unwrap();
    // A folder around the truth folder: all the machine, at worst.
    fs::create_dir(desk.path("a/deep")).unwrap();
    symlink("../..", desk.path("a/deep/out")).unwrap();
    desk.write("outside.yaml", "schema: 1\n");
    symlink("nowhere", desk.path("a/lost.yaml")).unwrap();
    symlink("nowhere", desk.path("a/.#0.txt.yaml")).unwrap();
    // Records below a folder that is a link are records.
    fs::rename(desk.path("a/2.txt.yaml"), desk.path("2.yaml")).unwrap();
    desk.write("shelf/strange.yaml", desk.read("2.yaml"));
    symlink("../shelf", desk.path("a/shelf")).unwrap();
    fs::create_dir(desk.path("a/locked")).unwrap();
    let lock = |mode| fs::set_permissions(desk.path("a/locked"), fs::Permissions::from_mode(mode));
    lock(0o000).unwrap();
    // The superuser may look anywhere.
    let is_locked = fs::read_dir(desk.path("a/locked")).is_err();
    let assert = desk.run(CHECK).assert().code(1);
    lock(0o755).unwrap();
    let assert = assert
        .stdout(contains(
            "a/loop.yaml:1:1: error[broken] is a link that leads nowhere (",
        ))
        .stdout(contains(
            "a/lost.yaml:1:1: error[broken] is a link that leads nowhere (",
        ))
        .stdout(contains(
            "a/up:1:1: error[broken] leads back to a folder that holds it",
        ))
        .stdout(contains(
            "a/deep/out:1:1: error[broken] leads back to a folder that holds it",
        ))
        .stdout(contains("outside.yaml").not())
        .stdout(contains("a/shelf/strange.yaml:3:1: error[misplaced] "))
        .stdout(contains(".#0.txt").not())
        .stdout(contains("both cuts right in 2 of 2"));
    let named = contains("a/locked:1:1: error[broken] cannot be listed: ");
    if is_locked {
        assert.stdout(named);
    } else {
        assert.stdout(named.not());
    }
}

#[cfg(unix)]
#[test]
fn links_to_folders_of_links_are_followed_once_each() {
    use std::os::unix::fs::symlink;
    let desk = decided();
    for level in 0..20 {
        let folder = desk.path(format!("a/{level:02}"));
        fs::create_dir(&folder).unwrap();
        for link in ["a", "b", "c"] {
            symlink(format!("../{:02}", level + 1), folder.join(link)).unwrap();
        }
    }
    fs::create_dir(desk.path("a/20")).unwrap();
    let assert = desk.run(CHECK).assert().code(1);
    assert.stdout(contains(
        "a/00/b:1:1: error[broken] leads to a folder that another link leads to; remove one",
    ));
}

#[cfg(unix)]
#[test]
fn a_name_that_is_not_utf_8_is_shown_in_every_format() {
    use std::os::unix::ffi::OsStrExt;
    let desk = decided();
    let name = std::ffi::OsStr::from_bytes(b"\xffx.txt.yaml");
    fs::write(desk.path("a").join(name), "").unwrap();
    for format in ["table", "jsonl", "junit"] {
        let command = format!("{CHECK} --format {format}");
        let assert = desk.run(&command).assert().code(1);
        assert.stdout(contains("\u{fffd}x.txt.yaml"));
    }
}

/// Every file below the working folder but the cache, with its bytes.
fn snapshot(desk: &Desk) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![desk.path("a"), desk.path("books")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push((path.clone(), fs::read(path).unwrap()));
            }
        }
    }
    files.sort();
    files
}
