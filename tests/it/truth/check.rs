//! Findings of `endpaper truth check`, which changes nothing.

use std::fs;

use endpaper_detect::Cuts;
#[cfg(unix)]
use predicates::prelude::*;
use predicates::str::contains;

use crate::support::world::World;
use crate::truth::records::RIGHT;

/// A tale of 600 different words, `width` words on a line, behind a header of `more` additional lines.
fn tale(width: usize, more: usize) -> String {
    let words: Vec<String> = (0..600)
        .map(|at| format!("w{:x}", at * 7919 % 10_007))
        .collect();
    let lines = words.chunks(width).map(|line| line.join(" ") + "\n");
    let (more, lines) = (
        "Language: English\n".repeat(more),
        lines.collect::<String>(),
    );
    format!(
        "The Project Gutenberg EBook of The Tale\n\n{more}\n*** START OF THIS PROJECT GUTENBERG EBOOK THE TALE ***\n\n\
         Produced by Somebody and others of the team\n\n{lines}\n*** END OF THIS PROJECT GUTENBERG EBOOK THE TALE ***\n"
    )
}

#[test]
fn decided_copies_are_compared_by_their_words() {
    let books = [("books/a.txt", tale(10, 0)), ("books/b.txt", tale(7, 2))];
    let world = World::of(books.map(|(name, text)| (name.to_owned(), text)));
    let check = |first: u32| {
        let rows = format!("book\tbody_first\tbody_last\na.txt\t8\t67\nb.txt\t{first}\t95\n");
        world.write("labels.tsv", rows);
        let truth = format!("truth-{first}");
        world.stdout(&format!(
            "truth import labels.tsv books --truth {truth} --curator ms"
        ));
        world.stdout(&format!("truth check books --truth {truth} --quiet"))
    };
    let same = check(10);
    assert!(same.contains("2 records: 0 errors, 0 warnings"), "{same}");
    // A slip far into the body leaves little in common with the copy.
    let slip = check(60);
    assert!(slip.contains("warning[copies-differ]"), "{slip}");
    let other = check(8);
    assert!(other.contains("2 records: 0 errors, 1 warning"), "{other}");
    let told = "truth-8/a.txt.yaml:7:3: warning[copies-differ] the body of 'a.txt' begins at line 8, that of its near copy 'b.txt' at line 8, at other words; compare both and decide one of them again";
    let place = |text: &str| text.split(": warning").nth(1).map(str::to_owned);
    assert_eq!(other.lines().next().and_then(place), place(told), "{other}");
}

/// Detects with the counts of the three books.
const CHECK: &str = "truth check books --truth a --detector gap --model corpus -K 2";

fn decided() -> World {
    let world = World::of_three_books();
    for number in 0..3 {
        world.save("a", &world.record(number, RIGHT, "ms"));
    }
    world
}

#[test]
fn good_labels_pass_and_are_held_against_the_detector() {
    let world = decided();
    world
        .command(CHECK)
        .assert()
        .code(0)
        .stdout(contains("3 records: 0 errors, 0 warnings"))
        .stdout(contains(
            "both cuts right in 3 of 3 labelled books (100.0 %)",
        ))
        .stdout(contains(
            "no budget 'a/budget.tsv'; --write-budget makes it",
        ));
    world
        .command("truth check --truth a --records-only")
        .assert()
        .code(0)
        .stdout("3 records: 0 errors, 0 warnings\n");
}

#[test]
fn a_book_that_got_worse_fails_the_check() {
    let world = decided();
    let cuts = Cuts {
        preamble_end: 10,
        epilogue_start: None,
    };
    world.save("a", &world.record(1, cuts, "ms"));
    world
        .command(&format!("{CHECK} --write-budget"))
        .assert()
        .code(0)
        .stdout(contains("budget 'a/budget.tsv': 0 worse, 0 better"));
    let budget = world.text("a/budget.tsv");
    assert!(
        budget.ends_with("book\tstart\tend\n0.txt\t0\t0\n1.txt\t2\t0\n2.txt\t0\t0\n"),
        "{budget}"
    );
    world.command(CHECK).assert().code(0);
    // Errors within the budget pass; a stricter budget is exceeded; a label without a budget and a surplus one are warned about.
    world.write(
        "strict.tsv",
        "book\tstart\tend\n1.txt\t1\t0\n0.txt\t5\t0\ngone.txt\t0\t0\n",
    );
    world
        .command(&format!("{CHECK} --budget strict.tsv"))
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
        ("--budget books/0.txt --write-budget", "is not a budget"),
        (
            "--write-budget",
            "'a/budget.tsv' exists; name another file, or --force writes over it",
        ),
    ];
    for (words, message) in table {
        world
            .command(&format!("{CHECK} {words}"))
            .assert()
            .code(2)
            .stderr(contains(message));
    }
    assert_eq!(world.text("books/0.txt"), crate::support::long_book(0));
}

#[test]
fn everything_wrong_is_named_with_its_place_and_nothing_is_rewritten() {
    let world = decided();
    let good = world.text("a/0.txt.yaml");
    world.write("a/broken.yaml", "schema: 1\nbook: \"unfinished\n");
    world.write("a/future.yaml", good.replace("schema: 1", "schema: 2"));
    world.write(
        "a/gone.txt.yaml",
        good.replace("0.txt", "gone.txt")
            .replace("sha256: \"", "sha256: \"1"),
    );
    world.write("a/other.txt.yaml", good.replace("0.txt", "other.txt"));
    world.write("a/second.yaml", &good);
    world.write(
        "a/1.txt.yaml",
        good.replace("0.txt", "1.txt")
            .replace("cuts: {preamble_end: 12", "cuts: {preamble_end: 714"),
    );
    world.write("books/2.txt", "changed\n");
    let before = snapshot(&world);
    let output = world.command(CHECK).output().unwrap();
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
    assert_eq!(snapshot(&world), before);
}

#[test]
fn other_programs_read_the_findings() {
    let world = decided();
    world.write("a/<b>&.yaml", "schema: 1\n");
    let junit = world
        .command(&format!("{CHECK} --format junit"))
        .output()
        .unwrap();
    let junit = String::from_utf8(junit.stdout).unwrap();
    assert!(
        junit.contains("<testsuite name=\"records\" tests=\"4\" failures=\"1\">"),
        "{junit}"
    );
    assert!(junit.contains("name=\"a/&lt;b&gt;&amp;.yaml\">"), "{junit}");
    let jsonl = world
        .command(&format!("{CHECK} --format jsonl"))
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
    let world = decided();
    world.write("file", "x");
    for (words, message) in [
        (
            "truth check books --truth file",
            "'file' is a file; --truth must be a folder",
        ),
        ("truth check books --truth none", "'none' does not exist"),
        ("truth check nowhere --truth a", "nowhere"),
    ] {
        world
            .command(words)
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
    let world = decided();
    symlink("loop.yaml", world.path("a/loop.yaml")).unwrap();
    symlink(".", world.path("a/up")).unwrap();
    // The parent of the truth folder, which could be the whole disk.
    fs::create_dir(world.path("a/deep")).unwrap();
    symlink("../..", world.path("a/deep/out")).unwrap();
    world.write("outside.yaml", "schema: 1\n");
    symlink("nowhere", world.path("a/lost.yaml")).unwrap();
    symlink("nowhere", world.path("a/.#0.txt.yaml")).unwrap();
    // Records below a symbolic link to a folder count.
    fs::rename(world.path("a/2.txt.yaml"), world.path("2.yaml")).unwrap();
    world.write("shelf/strange.yaml", world.text("2.yaml"));
    symlink("../shelf", world.path("a/shelf")).unwrap();
    fs::create_dir(world.path("a/locked")).unwrap();
    let lock = |mode| fs::set_permissions(world.path("a/locked"), fs::Permissions::from_mode(mode));
    lock(0o000).unwrap();
    // The superuser may read any folder.
    let is_locked = fs::read_dir(world.path("a/locked")).is_err();
    let assert = world.command(CHECK).assert().code(1);
    lock(0o755).unwrap();
    let assert = assert
        .stdout(contains(
            "a/loop.yaml:1:1: error[broken] is a broken symbolic link (",
        ))
        .stdout(contains(
            "a/lost.yaml:1:1: error[broken] is a broken symbolic link (",
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
    let world = decided();
    for level in 0..20 {
        let folder = world.path(format!("a/{level:02}"));
        fs::create_dir(&folder).unwrap();
        for link in ["a", "b", "c"] {
            symlink(format!("../{:02}", level + 1), folder.join(link)).unwrap();
        }
    }
    fs::create_dir(world.path("a/20")).unwrap();
    let assert = world.command(CHECK).assert().code(1);
    assert.stdout(contains(
        "a/00/b:1:1: error[broken] leads to a folder that another link leads to; remove one",
    ));
}

#[cfg(unix)]
#[test]
fn a_name_that_is_not_utf_8_is_shown_in_every_format() {
    use std::os::unix::ffi::OsStrExt;
    let world = decided();
    let name = std::ffi::OsStr::from_bytes(b"\xffx.txt.yaml");
    fs::write(world.path("a").join(name), "").unwrap();
    for format in ["table", "jsonl", "junit"] {
        let command = format!("{CHECK} --format {format}");
        let assert = world.command(&command).assert().code(1);
        assert.stdout(contains("\u{fffd}x.txt.yaml"));
    }
}

/// Every file below the working folder except the cache, with its bytes.
fn snapshot(world: &World) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![world.path("a"), world.path("books")];
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
