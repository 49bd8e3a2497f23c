//! Wrong use of every kind: what is wrong with which thing, then what to do, and exit status 2.
#![cfg(all(feature = "search", unix))]
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
    let table: [(&str, &[&str], &[&str]); 27] = [
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
            &[
                "'-1'",
                "--max-doubt",
                "write a share from 0 to 1, such as 0.02 or 2%",
            ],
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
        (
            "detect books --max-size 10q",
            &["'10q' is not a size such as 64M, 2G or 1048576"],
            &[],
        ),
        (
            "detect books --max-size -5M",
            &["'-5M' is not a size"],
            &["unexpected argument"],
        ),
        (
            "sample plan books --bad -2%",
            &[
                "'-2%'",
                "write a share above 0 and below 1, such as 0.02 or 2%",
            ],
            &["unexpected argument"],
        ),
        (
            "copies books --overlap 150%",
            &["'150%'", "write a share from 0 to 1, such as 0.02 or 2%"],
            &[],
        ),
        (
            "detect books -",
            &[
                "'-' is the one text on standard input; give it alone, and a file of that name as './-'",
            ],
            &[],
        ),
        (
            "strip books -o -",
            &["3 books are too many for standard output; name one, or a folder with --out"],
            &[],
        ),
        (
            "truth export --truth truth --out x.json",
            &["the name 'x.json' does not say the format; end it in .yaml, .jsonl, .tsv or .csv"],
            &[],
        ),
        (
            "truth export --truth truth --out x.parquet",
            &[
                "the name 'x.parquet' does not say the format; end it in .yaml, .jsonl, .tsv or .csv",
            ],
            &[],
        ),
        (
            "detect truth",
            &["'truth' is a truth folder and not a corpus; name it with --truth or --adjudicate"],
            &["looked for .txt"],
        ),
        (
            "detect truth nosuch",
            &["'nosuch' cannot be read: No such file"],
            &["truth folder"],
        ),
        (
            "detect books --max-size 1K --no-cache",
            &["'0.txt' is larger than the limit of 1 KiB"],
            &["MiB"],
        ),
        (
            "truth export --truth truth --card -",
            &[
                "the records and the card cannot both go to standard output; name a file with --out or --card",
            ],
            &[],
        ),
        (
            "strip books -o broken",
            &[
                "'broken' is a symbolic link whose target does not exist; remove it, or name another folder",
            ],
            &["is a file"],
        ),
        (
            "model merge a.part --part -o -",
            &[
                "'-' is standard output, which this is not written to; name another, and one of that name as './-'",
            ],
            &[],
        ),
        (
            "detect books --policy nosuch",
            &["nor a policy file (No such file or directory); use one of guide"],
            &[],
        ),
        (
            "man strip wash",
            &["there is no command 'wash'; one of check"],
            &[],
        ),
    ];
    std::fs::create_dir_all(home.work().join("truth/.endpaper")).unwrap();
    std::os::unix::fs::symlink("nowhere", home.work().join("broken")).unwrap();
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

/// Everything that is written to a file that the user names.
const WRITERS: [&str; 14] = [
    "model build books --out FILE",
    "model count books --out FILE",
    "model count books --rows --out FILE",
    "model merge a.part --out FILE",
    "model import rows.tsv.gz --out FILE",
    "model fit books --out FILE",
    "model fit books --out w.tsv --out-of-fold FILE",
    "alternation cuts books --keep FILE",
    "evaluate books --truth truth --html FILE",
    "sample draw books --out FILE",
    "sample certify books --sample sample.yaml --truth truth --out FILE",
    "truth export --truth truth --format yaml --out FILE",
    "truth export --truth truth --card FILE",
    "truth check books --truth truth --write-budget --budget FILE",
];

#[test]
fn no_command_writes_over_a_file_without_force_or_through_a_link() {
    let home = Home::new();
    for number in 0..3 {
        home.write(format!("books/{number}.txt"), small_book(number));
    }
    std::fs::create_dir_all(home.work().join("truth/.endpaper")).unwrap();
    // A budget is read before it is written over, and must be one.
    let precious = "book\tstart\tend\n0.txt\t1\t0\n";
    home.write("precious", precious);
    #[cfg(unix)]
    std::os::unix::fs::symlink("precious", home.work().join("link")).unwrap();
    std::os::unix::fs::symlink("nowhere", home.work().join("broken")).unwrap();
    let made = Command::new("mkfifo")
        .arg(home.work().join("pipe"))
        .status();
    assert!(made.unwrap().success());
    for writer in WRITERS {
        let ask = |file: &str, force: &[&str]| {
            let words = writer.replace("FILE", file);
            let words: Vec<&str> = words.split(' ').chain(force.iter().copied()).collect();
            let output = home.endpaper(&words).output().unwrap();
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
            let kept = std::fs::read_to_string(home.work().join("precious")).unwrap();
            assert_eq!(kept, precious, "{words:?}");
            said
        };
        let said = ask("precious", &[]);
        let sentence = "'precious' exists; name another file, or --force writes over it";
        assert!(said.contains(sentence), "{writer}: {said}");
        if cfg!(unix) {
            let said = ask("link", &["--force"]);
            let sentence = "'link' cannot be written: is a symbolic link, and endpaper never writes through one";
            assert!(said.contains(sentence), "{writer}: {said}");
        }
        // A budget is read first, which says what it is.
        for (name, reason) in [
            (
                "pipe",
                "is a pipe, a device or a socket, which is never written over",
            ),
            (
                "/dev/null",
                "is a pipe, a device or a socket, which is never written over",
            ),
            ("books", "is a folder; name a file"),
            ("broken", "is a symbolic link whose target does not exist"),
        ] {
            if !writer.contains("--budget") {
                let said = ask(name, &["--force"]);
                let sentence = format!("'{name}' cannot be written: {reason}");
                assert!(said.contains(&sentence), "{writer}: {said}");
            }
        }
    }
    assert!(!home.work().join("nowhere").exists());
}

#[test]
fn minus_is_standard_output_where_nothing_else_is_printed() {
    let home = Home::new();
    for number in 0..3 {
        home.write(format!("books/{number}.txt"), small_book(number));
    }
    let run = |arguments: &str| {
        let words: Vec<&str> = arguments.split(' ').collect();
        home.endpaper(&words).output().unwrap()
    };
    assert!(run("model build books -o there.model").status.success());
    let model = run("model build books -o -");
    let there = std::fs::read(home.work().join("there.model")).unwrap();
    assert!(
        model.status.success() && model.stdout == there,
        "{}",
        stderr(&model)
    );
    assert!(
        stderr(&model).contains("standard output is model "),
        "{}",
        stderr(&model)
    );
    let printing = [
        "model count books --out -",
        "model fit books --out -",
        "model fit books --out-of-fold -",
        "alternation cuts books --keep -",
        "alternation books --out -",
        "truth merge --truth truth --truth truth --out -",
        "evaluate books --truth truth --html -",
        "sample draw books --out -",
        "sample certify books --sample sample.yaml --truth truth --out -",
    ];
    std::fs::create_dir_all(home.work().join("truth/.endpaper")).unwrap();
    for arguments in printing {
        let refused = run(arguments);
        let said = stderr(&refused);
        assert_eq!(refused.status.code(), Some(2), "{arguments}: {said}");
        assert!(
            said.contains("'-' is standard output, which this is not written to"),
            "{arguments}: {said}"
        );
        assert!(
            refused.stdout.is_empty() && !home.work().join("-").exists(),
            "{arguments}"
        );
    }
}

#[test]
fn no_command_writes_over_files_of_a_folder_without_force() {
    let home = Home::new();
    for (writer, file) in [
        ("completions --out made", "made/endpaper.bash"),
        ("man --out made", "made/endpaper-strip.1"),
    ] {
        home.write(file, "precious");
        let words: Vec<&str> = writer.split(' ').collect();
        let output = home.endpaper(&words).output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{writer}: {said}");
        let sentence = format!("'{file}' exists; name another file, or --force writes over it");
        assert!(said.contains(&sentence), "{writer}: {said}");
        let files = std::fs::read_dir(home.work().join("made")).unwrap();
        assert_eq!(files.count(), 1, "{writer} wrote something");
        home.endpaper(&[&words[..], &["--force"]].concat())
            .assert()
            .success();
        std::fs::remove_dir_all(home.work().join("made")).unwrap();
    }
}
