//! `endpaper copies` as a user runs it: clusters, formats, two corpora, one book, messages, exit status.

use std::process::Output;

use crate::support::{Home, text};

/// Returns a different text for each seed, in lines of `width` words.
fn story(seed: u64, width: usize) -> String {
    let syllables = [
        "ba", "con", "der", "fu", "ging", "ho", "ith", "jor", "ka", "lem", "mi", "nos",
    ];
    let mut state = seed;
    let mut next = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let words: Vec<String> = (0..1500)
        .map(|_| {
            (0..1 + next(3))
                .map(|_| syllables[next(syllables.len())])
                .collect()
        })
        .collect();
    let lines: Vec<String> = words.chunks(width).map(|line| line.join(" ")).collect();
    lines.join("\n")
}

fn book(title: &str, number: u32, date: &str, body: &str) -> String {
    format!(
        "The Project Gutenberg eBook of {title}\n\nTitle: {title}\n\nRelease Date: {date} [eBook #{number}]\n\n\
         *** START OF THE PROJECT GUTENBERG EBOOK {title} ***\n\n{body}\n\n\
         *** END OF THE PROJECT GUTENBERG EBOOK {title} ***\n"
    )
}

/// Three editions of one book, one with other line breaks and one with other quotation marks and a few other words; two other books, a meaningless
/// body and a tiny one.
fn corpus() -> Home {
    let home = Home::new();
    let first = story(1, 11);
    let write = |name: &str, text: String| home.write(name, text);
    write("books/a.txt", book("The Whale", 10, "May, 1999", &first));
    write(
        "books/b.txt",
        book("The Whale", 10, "June 4, 2015", &story(1, 7).to_uppercase()),
    );
    write(
        "books/c.txt",
        book(
            "The Whale",
            12,
            "March, 2001",
            &first.replace(" fu ", " few "),
        ),
    );
    write(
        "books/d.txt",
        book("The Snail", 20, "May, 1999", &story(2, 11)),
    );
    write(
        "books/e.txt",
        book("The Snake", 21, "May, 1999", &story(3, 11)),
    );
    write(
        "books/f.txt",
        book(
            "One Line",
            22,
            "May, 1999",
            &"All work and no play makes Jack a dull boy\n".repeat(900),
        ),
    );
    write("books/g.txt", book("One Word", 23, "May, 1999", "Whale."));
    home
}

fn run(home: &Home, arguments: &[&str]) -> Output {
    home.endpaper(&[&["copies"], arguments].concat())
        .output()
        .unwrap()
}

/// Returns the books of each TSV row with their clusters.
fn members(output: &Output) -> Vec<(String, String)> {
    let rows = text(&output.stdout);
    let cells = rows
        .lines()
        .skip(1)
        .map(|row| row.split('\t').map(str::to_owned).collect::<Vec<_>>());
    cells
        .map(|cells| (cells[0].clone(), cells[2].clone()))
        .collect()
}

fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
    of.iter()
        .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
        .collect()
}

#[test]
fn editions_are_one_cluster_and_other_books_are_none() {
    let home = corpus();
    let one = pairs(&[("1", "a.txt"), ("1", "b.txt"), ("1", "c.txt")]);
    let output = run(&home, &["books", "--format", "tsv"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(members(&output), one, "{}", text(&output.stderr));
    let said = text(&output.stderr);
    assert!(said.contains("1 cluster with 3 of 7 books"), "{said}");
    assert!(said.contains("2 bodies too short to be compared"), "{said}");
    // From the cache, with another shape, and with bands.
    let again = run(&home, &["books", "--format", "tsv"]);
    assert_eq!((again.stdout, again.stderr), (output.stdout, output.stderr));
    for more in [
        ["--bits", "256"],
        ["--ngram", "5"],
        ["--bands", "8"],
        ["--threads", "1"],
    ] {
        let output = run(
            &home,
            &[&["books", "--format", "tsv", "--no-cache"][..], &more].concat(),
        );
        assert_eq!(members(&output), one, "{more:?}");
    }
}

#[test]
fn the_longest_and_the_newest_are_named() {
    let home = corpus();
    let table = text(&run(&home, &["books", "--quiet"]).stdout);
    assert!(
        table.starts_with("1. The Whale: 3 books, at most "),
        "{table}"
    );
    let row = |name: &str| {
        table
            .lines()
            .find(|line| line.contains(name))
            .unwrap()
            .to_owned()
    };
    assert!(
        row("b.txt").contains("2015-06-04") && row("b.txt").ends_with("newest"),
        "{table}"
    );
    assert!(
        row("c.txt").ends_with("longest") && row("a.txt").ends_with(" %"),
        "{table}"
    );
    let json = run(&home, &["books", "--format", "jsonl"]).stdout;
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["books"][1]["newest"], true);
    assert_eq!(json["books"][1]["released"], "2015-06-04");
    let pair = &json["pairs"][0];
    assert_eq!(
        (&pair["a"], &pair["b"], &pair["distance"], &pair["overlap"]),
        (&"a.txt".into(), &"b.txt".into(), &0.into(), &1.0.into())
    );
}

#[test]
fn books_are_held_against_another_corpus_or_one_book() {
    let home = corpus();
    home.write("new/x.txt", book("Whale", 99, "May, 2020", &story(1, 9)));
    home.write("new/y.txt", book("Cow", 98, "May, 2020", &story(9, 9)));
    home.write("new/z.txt", book("Cow", 97, "May, 2020", &story(9, 9)));
    let output = run(&home, &["books", "--with", "new", "--format", "tsv"]);
    // The two copies of 'Cow' are both in `new`, so they are not reported.
    let expected = pairs(&[
        ("1", "a.txt"),
        ("1", "b.txt"),
        ("1", "c.txt"),
        ("1", "x.txt"),
    ]);
    assert_eq!(members(&output), expected);
    for (wanted, expected) in [
        ("c.txt", &expected[..3]),
        ("books/c.txt", &expected[..3]),
        ("new/x.txt", &expected),
        ("d.txt", &[]),
    ] {
        let output = run(&home, &["books", "--book", wanted, "--format", "tsv"]);
        assert_eq!(
            (members(&output), output.status.code()),
            (expected.to_vec(), Some(0)),
            "{wanted}"
        );
    }
}

#[test]
fn whole_files_are_likened_by_their_licence() {
    let home = Home::new();
    let licence = story(5, 11);
    home.write("books/a.txt", format!("{licence}\n{}", story(6, 11)));
    home.write("books/b.txt", format!("{licence}\n{}", story(7, 11)));
    let arguments = [
        "books",
        "--format",
        "tsv",
        "--distance",
        "60",
        "--overlap",
        "0.4",
    ];
    assert_eq!(
        members(&run(&home, &[&arguments[..], &["--whole-file"]].concat())).len(),
        2
    );
}

#[test]
fn wrong_use_is_named_with_its_repair() {
    let home = corpus();
    let table: &[(&[&str], &str)] = &[
        (
            &["books", "--overlap", "0"],
            "--overlap 0 would join all books; write a share above 0",
        ),
        (
            &["books", "--overlap", "nan"],
            "write a share from 0 to 1, such as 0.02 or 2%",
        ),
        (
            &["books", "--distance", "128"],
            "--distance 128 must be less than the 128 bits of a fingerprint; write at most 127",
        ),
        (
            &["books", "--ngram", "1"],
            "write a whole number from 2 to 16",
        ),
        (
            &["books", "--bands", "65"],
            "--bands: bands of 65 bits cannot be cut from 128 bits; write 4 to 64",
        ),
        (
            &["books", "--bits", "100"],
            "a fingerprint cannot have 100 bits; use one of 64",
        ),
        (
            &["books", "--book", "h.txt"],
            "'h.txt' is neither a book of the corpus nor a file",
        ),
        (&["books", "--with", "nowhere"], "nowhere"),
        (
            &["books", "--book", "a.txt", "--with", "books"],
            "cannot be used with",
        ),
    ];
    for (arguments, message) in table {
        let output = run(&home, arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
    home.write("books/bad.txt", "");
    let output = run(&home, &["books"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("skipped 'bad.txt': is empty"));
}

#[test]
fn one_book_of_each_cluster_counts_and_the_model_says_so() {
    let home = corpus();
    let said = |arguments: &[&str], code: i32| {
        let output = home.endpaper(arguments).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        (text(&output.stdout), said)
    };
    let build = ["model", "build", "books", "--out"];
    said(&[&build[..], &["every.model"]].concat(), 0);
    let (_, notes) = said(&[&build[..], &["once.model", "--one-copy"]].concat(), 0);
    assert!(
        notes.contains("counted 5 of 7 books: one of each of 1 cluster"),
        "{notes}"
    );
    assert!(notes.contains("lines of 5 books"), "{notes}");
    for (model, books, copies) in [
        ("every.model", "7", "count like other books"),
        ("once.model", "5", "one book of each cluster"),
        ("built-in", "", "count like other books"),
    ] {
        let (facts, _) = said(&["model", "info", model], 0);
        for fact in [
            format!("books                {books}"),
            format!("near copies          {copies}"),
        ] {
            assert!(facts.contains(&fact), "{facts}");
        }
    }
    // An analysis counts them the same way, and has cuts for all.
    let detect = [
        "detect",
        "books",
        "--one-copy",
        "--format",
        "tsv",
        "--model",
    ];
    for _ in 0..2 {
        let (rows, notes) = said(&[&detect[..], &["corpus"]].concat(), 0);
        assert_eq!(rows.lines().count(), 8, "{rows}");
        assert!(notes.contains("counted 5 of 7 books"), "{notes}");
    }
    said(&[&detect[..], &["once.model"]].concat(), 0);
    for model in ["every.model", "built-in"] {
        let (_, refused) = said(&[&detect[..], &[model]].concat(), 2);
        assert!(
            refused.contains("near copies were counted like other books")
                && refused.contains("or leave out --one-copy"),
            "{refused}"
        );
    }
    // A part does not know the copies in other parts.
    let count = ["model", "count", "books", "--out", "a.part", "--one-copy"];
    let (_, refused) = said(&count, 2);
    assert!(
        refused.contains("unexpected argument '--one-copy'"),
        "{refused}"
    );
}

/// Writes the fingerprints of a corpus and returns the file.
fn written(home: &Home, corpus: &str, more: &[&str]) -> String {
    let arguments = [
        &[corpus, "--fingerprints", "--force", "--out", "prints.tsv"][..],
        more,
    ]
    .concat();
    let output = run(home, &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    std::fs::read_to_string(home.work().join("prints.tsv")).unwrap()
}

#[test]
fn fingerprints_of_a_corpus_have_a_line_a_book_and_no_text() {
    let home = corpus();
    home.write(
        "books/h.txt",
        book(
            "Whale",
            30,
            "May, 1999",
            &format!("ISBN 978-1-4503-1789-4\n\n{}", story(8, 11)),
        ),
    );
    let table = written(&home, "books", &[]);
    let rows: Vec<Vec<&str>> = table.lines().map(|row| row.split('\t').collect()).collect();
    assert_eq!(
        rows[0][..7],
        [
            "fingerprint",
            "book",
            "number",
            "isbn",
            "lines",
            "bytes",
            "body_bytes"
        ]
    );
    assert_eq!(rows[0][7..], ["bits", "ngram", "part", "hash", "endpaper"]);
    let books: Vec<&str> = rows[1..].iter().map(|row| row[1]).collect();
    assert_eq!(
        books,
        [
            "a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "f.txt", "g.txt", "h.txt"
        ]
    );
    for row in &rows[1..] {
        let tiny = ["f.txt", "g.txt"].contains(&row[1]);
        assert!(
            row[0].len() == 32 && !tiny || row[0] == "-" && tiny,
            "{row:?}"
        );
        assert_eq!(row[7..10], ["128", "4", "body"]);
        let (bytes, body): (u64, u64) = (row[5].parse().unwrap(), row[6].parse().unwrap());
        assert!(0 < body && body < bytes, "{row:?}");
    }
    assert_eq!(
        (rows[1][2], rows[1][3], rows[8][3]),
        ("10", "-", "9781450317894")
    );
    assert!(
        !table.contains("Whale") && !table.contains("Snail"),
        "{table}"
    );
    // The same bytes from the cache, without it, and on one thread.
    for more in [&[][..], &["--no-cache"], &["--threads", "1", "--no-cache"]] {
        assert_eq!(written(&home, "books", more), table, "{more:?}");
    }
    let refused = run(&home, &["books", "--fingerprints", "--out", "prints.tsv"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused.stderr).contains("'prints.tsv' exists"),
        "{}",
        text(&refused.stderr)
    );
    let printed = run(&home, &["books", "--fingerprints", "--out", "-", "--quiet"]);
    assert_eq!(text(&printed.stdout), table);
}

#[cfg(unix)]
#[test]
fn book_of_the_corpus_is_not_written_over_even_with_force() {
    let home = corpus();
    let before = std::fs::read(home.work().join("books/a.txt")).unwrap();
    for out in ["books/a.txt", "books/../books/./a.txt"] {
        for arguments in [
            &["copies", "books", "--fingerprints", "--out"][..],
            &["outline", "books", "--html"],
            &["model", "build", "books", "--out"],
            &["model", "count", "books", "--out"],
            &["model", "count", "books", "--rows", "--out"],
            &["sample", "draw", "books", "--size", "2", "--out"],
            &["alternation", "cuts", "books", "--keep"],
        ] {
            let arguments = [arguments, &[out, "--force"]].concat();
            let output = home.endpaper(&arguments).output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
            let said = text(&output.stderr);
            assert!(
                said.contains("is a file of the corpus, and would be written over"),
                "{arguments:?}: {said}"
            );
        }
    }
    assert!(std::fs::read(home.work().join("books/a.txt")).unwrap() == before);
}

#[cfg(unix)]
#[test]
fn fingerprints_are_not_written_through_a_link() {
    let home = corpus();
    home.write("theirs.txt", "precious");
    std::os::unix::fs::symlink(home.work().join("theirs.txt"), home.work().join("link.tsv"))
        .unwrap();
    let refused = run(
        &home,
        &["books", "--fingerprints", "--out", "link.tsv", "--force"],
    );
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused.stderr).contains("'link.tsv' cannot be written"),
        "{}",
        text(&refused.stderr)
    );
    assert_eq!(
        std::fs::read_to_string(home.work().join("theirs.txt")).unwrap(),
        "precious"
    );
}

#[test]
fn books_are_found_among_fingerprints_without_their_texts() {
    let home = corpus();
    home.write("new/x.txt", book("Whale", 99, "May, 2020", &story(1, 9)));
    home.write("new/y.txt", book("Cow", 98, "May, 2020", &story(9, 9)));
    let theirs = written(&home, "new", &[]);
    std::fs::remove_dir_all(home.work().join("new")).unwrap();
    // These stories are all of twelve syllables, so that the default takes different ones for one book.
    let against = ["books", "--against", "prints.tsv", "--distance", "3"];
    let output = run(&home, &[&against[..], &["--format", "tsv"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let expected = pairs(&[
        ("1", "a.txt"),
        ("1", "b.txt"),
        ("1", "c.txt"),
        ("1", "x.txt"),
    ]);
    assert_eq!(members(&output), expected);
    assert!(
        text(&output.stderr).contains("1 cluster with 4 of 9 books"),
        "{}",
        text(&output.stderr)
    );
    let rows = text(&output.stdout);
    let last: Vec<&str> = rows.lines().last().unwrap().split('\t').collect();
    let file = theirs
        .lines()
        .nth(1)
        .unwrap()
        .split('\t')
        .collect::<Vec<_>>();
    // Unknown: the release date, phrases, and the title.
    assert_eq!(last[..7], ["1", "2", "x.txt", file[4], file[5], "99", "-"]);
    assert_eq!((last[9], last[10], last[12]), ("-", "-", "-"));
    // A line that is there twice counts once; lines of several files may follow one another.
    let copies = theirs.clone()
        + &theirs
            .lines()
            .skip(1)
            .map(|line| format!("{line}\r\n"))
            .collect::<String>();
    home.write("twice.tsv", &copies);
    let again = ["books", "--against", "twice.tsv", "--distance", "3"];
    let again = run(&home, &[&again[..], &["--format", "tsv"]].concat());
    assert_eq!(text(&again.stdout), rows);
    let json = run(&home, &[&against[..], &["--format", "jsonl"]].concat()).stdout;
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["books"].as_array().unwrap().len(), 4);
    assert_eq!(
        (
            &json["pairs"][0]["b"],
            json["pairs"][0]["overlap"].is_null()
        ),
        (&"x.txt".into(), true)
    );
    // The file says how it was made.
    written(
        &home,
        "books",
        &["--bits", "256", "--ngram", "5", "--whole-file"],
    );
    let output = run(
        &home,
        &[
            "books",
            "--against",
            "prints.tsv",
            "--distance",
            "0",
            "--format",
            "tsv",
        ],
    );
    let books: Vec<String> = members(&output)
        .into_iter()
        .map(|member| member.1)
        .collect();
    for name in ["d.txt", "e.txt"] {
        assert_eq!(
            books.iter().filter(|book| *book == name).count(),
            2,
            "{books:?}"
        );
    }
}

#[test]
fn fingerprints_of_another_kind_and_damaged_files_are_named_with_the_repair() {
    let home = corpus();
    let table = written(&home, "books", &[]);
    let cut = &table[..table.len() - 40];
    for (name, content) in [
        (
            "bad.tsv",
            table.replacen("\tbody\t", "\tNaN\t", 1).into_bytes(),
        ),
        ("cut.tsv", cut.as_bytes().to_vec()),
        ("long.tsv", [table.as_bytes(), &[b'x'; 1 << 20]].concat()),
        (
            "old.tsv",
            table.replace("splitmix64/2", "splitmix64/1").into_bytes(),
        ),
        (
            "none.tsv",
            table.lines().next().unwrap().as_bytes().to_vec(),
        ),
        ("packed.tsv", b"\x1f\x8b\x08\x00\x00".to_vec()),
        ("empty.tsv", Vec::new()),
    ] {
        std::fs::write(home.work().join(name), content).unwrap();
    }
    for (file, more, message) in [
        (
            "prints.tsv",
            &["--bits", "64"][..],
            "--bits 64 does not fit 'prints.tsv', whose fingerprints are of 128 bits",
        ),
        (
            "prints.tsv",
            &["--ngram", "5"],
            "leave --ngram out, or name a file that was written with --ngram 5",
        ),
        (
            "prints.tsv",
            &["--whole-file"],
            "--whole-file does not fit 'prints.tsv'",
        ),
        ("prints.tsv", &["--distance", "128"], "write at most 127"),
        ("prints.tsv", &["--overlap", "0.5"], "cannot be used with"),
        ("prints.tsv", &["--bands", "24"], "cannot be used with"),
        (
            "bad.tsv",
            &[],
            "'bad.tsv' line 2: part 'NaN' is neither 'body' nor 'whole-file'",
        ),
        ("cut.tsv", &[], "cells, and the header 12"),
        (
            "long.tsv",
            &[],
            "'long.tsv' line 9: is longer than 65536 bytes",
        ),
        (
            "old.tsv",
            &[],
            "line 2: hash 'splitmix64/1' is not 'splitmix64/2'",
        ),
        ("none.tsv", &[], "'none.tsv' has no fingerprint"),
        (
            "packed.tsv",
            &[],
            "is compressed; unpack the file with gunzip",
        ),
        ("empty.tsv", &[], "line 1: the file is empty"),
        ("gone.tsv", &[], "'gone.tsv' cannot be read"),
        ("books", &[], "'books' is not a file"),
    ] {
        let output = run(&home, &[&["books", "--against", file][..], more].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{file} {more:?}: {said}");
        assert!(said.contains(message), "{file} {more:?}: {said}");
    }
    let said = text(&run(&home, &["books", "--fingerprints"]).stderr);
    assert!(said.contains("--out <FILE>"), "{said}");
}
