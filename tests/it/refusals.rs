//! Wrong use of every kind: what is wrong with which thing, then what to do, and exit status 2.
#![cfg(feature = "search")]
use std::process::Command;

use crate::support::{Home, small_book, stderr};

#[test]
fn wrong_use_is_answered_about_the_thing_that_is_wrong() {
    let home = Home::new();
    for number in 0..3 {
        home.write(format!("books/{number}.txt"), small_book(number));
    }
    let zip = "import sys, zipfile\nz = zipfile.ZipFile('a.zip', 'w')\n[z.write(f'books/{n}.txt', f'{n}.txt') for n in range(3)]\n";
    let zipped = Command::new("python3")
        .args(["-c", zip])
        .current_dir(home.work())
        .status();
    assert!(zipped.unwrap().success());
    let table: [(&str, &[&str], &[&str]); 11] = [
        (
            "search --index-only nosuchcorpus",
            &["'nosuchcorpus' cannot be read: No such file"],
            &["quotes", "query"],
        ),
        (
            "detect books --include nothing*",
            &[
                "none of the 3 books in 'books' has an id that matches 'nothing*'",
                "such as '0.txt'",
            ],
            &["looked for .txt"],
        ),
        (
            "detect books --exclude *",
            &["all of the 3 books in 'books' are left out by '*'"],
            &["looked for .txt"],
        ),
        (
            "detect a.zip!nope.txt",
            &[
                "'a.zip!nope.txt' cannot be read: it is not in the archive, which holds 3 books: '0.txt', '1.txt', '2.txt'",
            ],
            &["looked for .txt"],
        ),
        (
            "detect books --threads -1",
            &[
                "'-1'",
                "--threads",
                "write 0 for one on each core, or a number up to 1024",
            ],
            &["unexpected argument"],
        ),
        (
            "detect books --threads 99999999999",
            &["'99999999999'", "a number up to 1024"],
            &[],
        ),
        (
            "detect books -K 0",
            &["'0'", "write a whole number from 1 on"],
            &["18446744073709551615"],
        ),
        (
            "detect books -K -3",
            &["'-3'", "write a whole number from 1 on"],
            &["unexpected"],
        ),
        (
            "strip books --out bodies --max-doubt -1",
            &["--max-doubt is between 0 and 1, not -1"],
            &["unexpected"],
        ),
        (
            "search x books --limit -3",
            &["'-3'", "--limit"],
            &["unexpected argument"],
        ),
        (
            "model build books --out nodir/x.model",
            &["'nodir/x.model' cannot be written: No such file or directory"],
            &[".endpaper-", "at path"],
        ),
    ];
    for (arguments, parts, never) in table {
        let words: Vec<&str> = arguments.split(' ').collect();
        let output = home.endpaper(&words).output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
        for part in parts {
            assert!(said.contains(part), "{arguments}: {part} is not in {said}");
        }
        for word in [never, &["os error"]].concat() {
            assert!(!said.contains(word), "{arguments}: {word} is in {said}");
        }
    }
}
