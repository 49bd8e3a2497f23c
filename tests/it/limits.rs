//! The limits of the manual (docs/src/limits.md): each input at its limit is read, and one beyond it is named with the limit.

use std::io::Write;
use std::process::Output;

use crate::support::{Home, long_book, stderr, text};

/// An input of a size, and how it is read.
struct Limit {
    name: &'static str,
    /// The largest size that is read.
    most: usize,
    /// Makes the input.
    make: fn(&Home, usize),
    /// Reads it.
    read: fn(&Home) -> Output,
    /// What is said of a larger one.
    refused: &'static str,
}

/// A home with three books.
fn home() -> Home {
    let home = Home::new();
    for number in 0..3 {
        home.write(format!("books/{number}.txt"), long_book(number));
    }
    home
}

fn run(home: &Home, arguments: &[&str]) -> Output {
    home.endpaper(arguments).output().unwrap()
}

/// A comment of YAML of this many bytes.
fn comment(size: usize) -> String {
    format!("#{}\n", "x".repeat(size - 2))
}

fn archive(home: &Home, members: usize) {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let stored =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for member in 0..members {
        zip.start_file(format!("{member}.txt"), stored).unwrap();
        zip.write_all(b"a\n").unwrap();
    }
    home.write("many.zip", zip.finish().unwrap().into_inner());
}

fn record(home: &Home, size: usize) {
    let _ = std::fs::remove_dir_all(home.work().join("truth"));
    home.write(
        "labels.tsv",
        "book\tpreamble_end\tepilogue_start\n0.txt\t13\t700\n",
    );
    let import = [
        "truth",
        "import",
        "labels.tsv",
        "books",
        "--truth",
        "truth",
        "--curator",
        "ms",
    ];
    home.endpaper(&import).assert().success();
    let file = home.work().join("truth/0.txt.yaml");
    let record = std::fs::read_to_string(&file).unwrap();
    home.write(
        "truth/0.txt.yaml",
        record.clone() + &comment(size - record.len()),
    );
}

fn fingerprints(home: &Home, size: usize) {
    let write = [
        "copies",
        "books",
        "--fingerprints",
        "--out",
        "prints.tsv",
        "--force",
    ];
    home.endpaper(&write).assert().success();
    let table = std::fs::read_to_string(home.work().join("prints.tsv")).unwrap();
    let (header, rest) = table.split_once('\n').unwrap();
    let row = rest.lines().next().unwrap();
    // The line end counts.
    let note = "x".repeat(size - row.len() - 2);
    home.write("prints.tsv", format!("{header}\tnote\n{row}\t{note}\n"));
}

const LIMITS: [Limit; 12] = [
    Limit {
        name: "bytes of a book",
        most: 1 << 20,
        make: |home, size| {
            home.write(
                "book.txt",
                &"word\n".repeat(size / 5 + 1).as_bytes()[..size],
            );
        },
        read: |home| {
            run(
                home,
                &["detect", "book.txt", "--max-size", "1M", "--format", "tsv"],
            )
        },
        refused: "--max-size",
    },
    Limit {
        name: "lines of a book",
        most: 5_000_000,
        make: |home, lines| {
            home.write("book.txt", "a\n".repeat(lines));
        },
        read: |home| run(home, &["detect", "book.txt", "--format", "tsv"]),
        refused: "more than the limit of 5000000 lines; split it",
    },
    Limit {
        name: "members of an archive",
        most: 65_534,
        make: archive,
        read: |home| run(home, &["detect", "many.zip", "--format", "tsv"]),
        refused: "more than the limit of 65534 members; unpack it and name the folder",
    },
    Limit {
        name: "bytes of a record",
        most: 4 << 20,
        make: record,
        read: |home| run(home, &["truth", "check", "books", "--truth", "truth"]),
        refused: "is longer than the 4194304 bytes",
    },
    Limit {
        name: "bytes of the settings",
        most: 1 << 20,
        make: |home, size| home.configure("config.yaml", &comment(size)),
        // They are left out with a warning, and the command does its work.
        read: |home| run(home, &["keys"]),
        refused: "is longer than a megabyte; shorten it",
    },
    Limit {
        name: "bytes of a line of fingerprints",
        most: 64 << 10,
        make: fingerprints,
        read: |home| run(home, &["copies", "books", "--against", "prints.tsv"]),
        refused: "is longer than 65536 bytes",
    },
    Limit {
        name: "lines of a table of cuts",
        most: 500_000,
        make: |home, lines| {
            let _ = std::fs::remove_dir_all(home.work().join("truth"));
            let row = "0.txt\t13\t700\n";
            let header = "book\tpreamble_end\tepilogue_start\n";
            home.write(
                "cuts.tsv",
                format!("{header}{row}{}", "\n".repeat(lines - 2)),
            );
        },
        read: import,
        refused: "has more than 500000 lines; split it",
    },
    Limit {
        name: "bytes of a path of a list",
        most: 32 << 10,
        make: |home, size| {
            home.write("list", format!("books/0.txt\n{}\n", "x".repeat(size)));
        },
        read: listed,
        refused: "line 2 of the list 'list' is longer than 32768 bytes",
    },
    Limit {
        name: "bytes of a list of paths",
        most: 256 << 20,
        make: |home, size| {
            let path = "books/0.txt\n";
            home.write("list", path.to_owned() + &"\n".repeat(size - path.len()));
        },
        read: listed,
        refused: "is longer than the 268435456 bytes",
    },
    Limit {
        name: "bytes of a query",
        most: 4096,
        make: |home, size| {
            home.write("query", format!("book {}", " ".repeat(size - 5)));
        },
        read: search,
        refused: "it is longer than 4096 bytes; search for less",
    },
    Limit {
        name: "words of a query",
        most: 64,
        make: |home, words| {
            home.write("query", "book ".repeat(words));
        },
        read: search,
        refused: "there are more than 64 words; search for fewer",
    },
    Limit {
        name: "depth of a query",
        most: 16,
        make: |home, depth| {
            home.write("query", "(".repeat(depth) + "book" + &")".repeat(depth));
        },
        read: search,
        refused: "brackets go deeper than 16; use fewer",
    },
];

fn import(home: &Home) -> Output {
    run(
        home,
        &[
            "truth",
            "import",
            "cuts.tsv",
            "books",
            "--truth",
            "truth",
            "--curator",
            "ms",
        ],
    )
}

fn listed(home: &Home) -> Output {
    run(home, &["detect", "--files-from", "list", "--format", "tsv"])
}

fn search(home: &Home) -> Output {
    let query = std::fs::read_to_string(home.work().join("query")).unwrap();
    run(home, &["search", &query, "books", "--format", "tsv"])
}

#[test]
fn inputs_are_read_up_to_their_limit_and_refused_beyond_it() {
    for limit in LIMITS {
        if cfg!(not(feature = "search")) && limit.name.ends_with("query") {
            continue;
        }
        let home = home();
        (limit.make)(&home, limit.most);
        let output = (limit.read)(&home);
        let said = stderr(&output) + &text(&output.stdout);
        // 1: a path of the list has no book.
        let ended = matches!(output.status.code(), Some(0 | 1));
        let read = ended && !said.contains(limit.refused);
        assert!(read, "{}: {said:.500}", limit.name);
        (limit.make)(&home, limit.most + 1);
        let output = (limit.read)(&home);
        let said = stderr(&output) + &text(&output.stdout);
        assert!(said.contains(limit.refused), "{}: {said:.500}", limit.name);
    }
}
