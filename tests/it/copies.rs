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
