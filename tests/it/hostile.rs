//! Malformed files, read by the real program: unreadable files are named with a reason, readable ones are in the table, and no text of a book or file
//! name reaches the terminal as a command.
//!
//! The files are in `tests/fixtures/hostile`, one defect each; `make.py` next to them writes them again. Names that no repository should contain, and
//! the very long line, are made here.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::support::{Home, stderr};

/// Columns of `detect --format tsv`.
const COLUMNS: [&str; 7] = [
    "book",
    "lines",
    "preamble_end",
    "epilogue_start",
    "doubt",
    "detector",
    "reasons",
];

fn fixtures(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/hostile")
        .join(folder)
}

fn names(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(fixtures(folder)).expect("the fixtures are there");
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    names
}

fn detect(home: &Home, corpus: &Path) -> Output {
    let corpus = corpus.to_string_lossy();
    let arguments = ["detect", "--format", "tsv", "--no-cache", &corpus];
    home.endpaper(&arguments)
        .output()
        .expect("the program ends in time")
}

/// Checks the header and returns the rows.
fn rows(output: &Output) -> Vec<Vec<String>> {
    let table = String::from_utf8(output.stdout.clone()).expect("the table is UTF-8");
    let mut lines = table
        .lines()
        .map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
    assert_eq!(
        lines.next().as_deref(),
        Some(COLUMNS.map(str::to_owned).as_slice()),
        "{output:?}"
    );
    let rows: Vec<_> = lines.collect();
    for row in &rows {
        assert_eq!(row.len(), COLUMNS.len(), "{row:?}");
        assert!(sensible(row), "{row:?}");
    }
    rows
}

/// Whether lines, cuts and doubt of a row are plausible.
fn sensible(row: &[String]) -> bool {
    let number = |column: usize| row[column].parse::<u64>();
    let (Ok(lines), Ok(end), Ok(start)) = (number(1), number(2), number(3)) else {
        return false;
    };
    let doubt = row[4].parse::<f64>().unwrap_or(-1.0);
    end <= lines && start <= lines + 1 && (0.0..=1.0).contains(&doubt)
}

/// Returns characters that control a terminal or mislead a reader.
fn commands(text: &str) -> Vec<char> {
    let deceiving = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    let harmless = ['\n', '\r', '\t'];
    text.chars()
        .filter(|c| (c.is_control() && !harmless.contains(c)) || deceiving(*c))
        .collect()
}

#[test]
fn the_same_book_has_the_same_cuts_in_every_dress() {
    let home = Home::new();
    let cuts = |name: &str| {
        let output = detect(&home, &fixtures("dress").join(name));
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
        let rows = rows(&output);
        assert_eq!(rows.len(), 1, "{name}: {rows:?}");
        rows[0][1..4].to_vec()
    };
    let expected = cuts("plain.txt");
    assert_eq!(expected[0], "19");
    for name in names("dress") {
        assert_eq!(cuts(&name), expected, "{name}");
    }
}

#[test]
fn odd_texts_are_all_in_the_table() {
    let home = Home::new();
    let output = detect(&home, &fixtures("texts"));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found: Vec<String> = rows(&output).iter().map(|row| row[0].clone()).collect();
    assert_eq!(found, names("texts"));
}

#[test]
fn a_text_of_one_line_is_a_row() {
    let home = Home::new();
    let rows = rows(&detect(&home, &fixtures("texts").join("one-line.txt")));
    assert_eq!((rows.len(), rows[0][1].as_str()), (1, "1"));
}

#[test]
fn what_cannot_be_read_is_named_with_a_reason_and_the_rest_is_done() {
    let home = Home::new();
    for name in names("bad") {
        let bytes = fs::read(fixtures("bad").join(&name)).expect("the fixture");
        home.write(Path::new("corpus").join(&name), bytes);
    }
    let good = fs::read(fixtures("dress").join("plain.txt")).expect("the fixture");
    home.write("corpus/good.txt", good);
    let output = detect(&home, &home.work().join("corpus"));
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let rows = rows(&output);
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(rows[0][0], "good.txt");
    for name in names("bad") {
        let complaints = stderr(&output);
        let reason = complaints.lines().find(|line| line.contains(&name));
        let reason = reason.unwrap_or_else(|| panic!("nothing about {name} in\n{complaints}"));
        assert!(reason.len() > name.len() + 10, "no reason in '{reason}'");
    }
}

#[test]
fn only_bad_files_means_nothing_done_or_done_with_errors_but_never_a_crash() {
    let home = Home::new();
    for name in names("bad") {
        let output = detect(&home, &fixtures("bad").join(&name));
        assert!(
            matches!(output.status.code(), Some(1 | 2)),
            "{name}: {:?}",
            output.status
        );
        assert!(
            stderr(&output).contains(&name),
            "{name}: {}",
            stderr(&output)
        );
        assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
    }
}

#[test]
fn member_names_stay_names() {
    let home = Home::new();
    let archives = fixtures("archives");
    let output = detect(&home, &archives);
    let table = rows(&output);
    let complaints = stderr(&output);
    for member in [
        "etc/passwd.txt",
        "x.txt",
        "etc/absolute.txt",
        "b.txt",
        "con.txt",
    ] {
        let listed = table
            .iter()
            .any(|row| row[0].starts_with("member-names.zip!") && row[0].ends_with(member));
        assert!(
            listed || complaints.contains(member),
            "{member} is nowhere:\n{table:?}\n{complaints}"
        );
    }
    assert!(
        table.iter().any(|row| row[0].contains("good.txt")),
        "{table:?}"
    );
    let made: Vec<_> = fs::read_dir(home.work())
        .expect("the working folder")
        .collect();
    assert!(made.is_empty(), "detecting writes nothing: {made:?}");
}

#[test]
fn two_members_of_one_name_keep_the_ids_unique() {
    let home = Home::new();
    let table = rows(&detect(&home, &fixtures("archives")));
    let mut ids: Vec<&String> = table.iter().map(|row| &row[0]).collect();
    let all = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), all, "{ids:?}");
}

#[test]
fn a_file_name_cannot_break_the_table() {
    let home = Home::new();
    let book = fs::read(fixtures("dress").join("plain.txt")).expect("the fixture");
    for name in [
        "new\nline.txt",
        "tab\tulator.txt",
        "back\\slash.txt",
        "escape\x1b[31m.txt",
        "-dash.txt",
        "quote\"'.txt",
    ] {
        home.write(Path::new("corpus").join(name), &book);
    }
    let output = detect(&home, &home.work().join("corpus"));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let table = rows(&output);
    assert_eq!(table.len(), 6, "{table:?}");
    for id in [
        r"new\nline.txt",
        r"tab\tulator.txt",
        r"back\\slash.txt",
        "-dash.txt",
    ] {
        assert!(table.iter().any(|row| row[0] == id), "{id}: {table:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_name_that_is_no_text_is_a_book_like_any_other() {
    use std::os::unix::ffi::OsStrExt;
    let home = Home::new();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.txt");
    let book = fs::read(fixtures("dress").join("plain.txt")).expect("the fixture");
    home.write(Path::new("corpus").join(name), book);
    let output = detect(&home, &home.work().join("corpus"));
    assert_eq!(rows(&output).len(), 1, "{output:?}");
}

#[test]
fn one_line_of_ten_megabytes_is_read_like_any_other() {
    let home = Home::new();
    let mut text = b"A short first line.\n".to_vec();
    text.extend(b"word ".iter().cycle().take(10_000_000));
    home.write("corpus/long.txt", text);
    let output = detect(&home, &home.work().join("corpus"));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(rows(&output)[0][1], "2");
}

#[test]
fn a_pipe_or_a_loop_in_the_corpus_does_not_hold_the_run_up() {
    let home = Home::new();
    let book = fs::read(fixtures("dress").join("plain.txt")).expect("the fixture");
    home.write("corpus/good.txt", book);
    let pipe = home.work().join("corpus/pipe.txt");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo {pipe:?}");
    std::os::unix::fs::symlink(".", home.work().join("corpus/loop")).expect("a link");
    let table = rows(&detect(&home, &home.work().join("corpus")));
    assert_eq!(
        table.iter().filter(|row| row[0] == "good.txt").count(),
        1,
        "{table:?}"
    );
    assert_eq!(table.len(), 1, "{table:?}");
}

#[test]
fn nothing_hostile_reaches_standard_error() {
    let home = Home::new();
    let broken = fs::read(fixtures("bad").join("no-archive.zip")).expect("the fixture");
    for name in [
        "escape\x1b[31m.zip",
        "bell\x07.zip",
        "csi\u{9b}31m.zip",
        "bidi\u{202e}.zip",
        "zero\u{200b}width.zip",
        "new\nline.zip",
    ] {
        home.write(Path::new("corpus").join(name), &broken);
    }
    home.write("corpus/good.txt", "A line.\n");
    let output = detect(&home, &home.work().join("corpus"));
    assert_eq!(output.status.code(), Some(1));
    let complaints = stderr(&output);
    assert_eq!(commands(&complaints), [], "{complaints:?}");
    let named = complaints
        .lines()
        .filter(|line| line.contains(".zip"))
        .count();
    assert_eq!(
        named, 6,
        "a name with a newline stays in one line:\n{complaints}"
    );
}

/// Bytes of a book that set the clipboard, the title and the colours of a terminal.
const COMMANDS: &str = "A line.\n\x1b]52;c;aGk=\x07\x1b]0;owned\x07\x1b[31mred\u{9b}2J\n";

#[test]
fn text_of_a_book_is_harmless_on_a_terminal_and_whole_in_a_pipe() {
    let home = Home::new();
    home.write("book.txt", COMMANDS);
    let piped = home.endpaper(&["text", "book.txt"]).output().expect("text");
    assert_eq!(piped.stdout, COMMANDS.as_bytes());
    for arguments in [
        &["text", "book.txt"][..],
        &["text", "--lines", "2", "book.txt"],
    ] {
        let terminal = home.run(
            crate::support::ENDPAPER,
            arguments,
            (120, 40),
            &[("NO_COLOR", "1")],
        );
        assert_eq!(terminal.exit_status().exit_code(), 0);
        let written = String::from_utf8_lossy(&terminal.raw()).into_owned();
        assert_eq!(commands(&written), [], "{written:?}");
        assert!(written.contains("]52;c;aGk="), "{written:?}");
    }
}

#[test]
fn file_name_that_looks_like_an_option_is_harmless_in_the_complaint() {
    let home = Home::new();
    let name = "--x\x1b]52;c;aGk=\x07";
    for arguments in [
        &["detect", name][..],
        &["detect", "--detector", name],
        &[name],
    ] {
        let terminal = home.run(crate::support::ENDPAPER, arguments, (120, 40), &[]);
        assert_eq!(terminal.exit_status().exit_code(), 2);
        let said = String::from_utf8_lossy(&terminal.raw()).into_owned();
        assert_eq!(commands(&said), [], "{said:?}");
        assert!(said.contains("try '--help'"), "{said}");
    }
}

/// A PDF file whose font lacks an entry that its reader assumes.
fn panicking_pdf() -> Vec<u8> {
    let stream = "BT /F1 12 Tf 10 10 Td (Hello) Tj ET";
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{stream}\nendstream", stream.len()),
        "<< /Type /Font /Subtype /Type0 /BaseFont /Foo /Encoding /X >>".to_owned(),
    ];
    let (mut file, mut table) = ("%PDF-1.4\n".to_owned(), "0000000000 65535 f \n".to_owned());
    for (number, object) in (1..).zip(&objects) {
        table += &format!("{:010} 00000 n \n", file.len());
        file += &format!("{number} 0 obj\n{object}\nendobj\n");
    }
    let start = file.len();
    file += &format!(
        "xref\n0 6\n{table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    );
    file.into_bytes()
}

#[test]
#[cfg(feature = "documents")]
fn panic_of_a_reader_is_its_reason_and_nothing_else() {
    let home = Home::new();
    home.write("book.pdf", panicking_pdf());
    for arguments in [
        &["text", "--bare", "book.pdf"][..],
        &["text", "--pdf", "built-in", "book.pdf"],
        &["detect", "--pdf", "built-in", "book.pdf", "--no-cache"],
    ] {
        let mut command = home.endpaper(arguments);
        let output = command
            .env_remove("RUST_BACKTRACE")
            .output()
            .expect("it ends");
        let said = stderr(&output);
        assert!(said.contains("page 1 is beyond its reader"), "{said}");
        assert!(!said.contains("panicked"), "{said}");
        assert_eq!(said.matches("beyond its reader").count(), 1, "{said}");
    }
}

#[test]
fn nothing_hostile_reaches_the_terminal() {
    let home = Home::new();
    for name in names("texts") {
        let bytes = fs::read(fixtures("texts").join(&name)).expect("the fixture");
        home.write(
            Path::new("corpus").join(format!("\x1b]0;owned\x07{name}")),
            bytes,
        );
    }
    let broken = fs::read(fixtures("bad").join("no-archive.zip")).expect("the fixture");
    home.write("corpus/bidi\u{202e}\x1b[2J.zip", broken);
    for format in ["--format=table --explain", "--format=tsv"] {
        let mut arguments = vec!["detect", "--no-cache", "--quiet", "corpus"];
        arguments.extend(format.split(' '));
        let terminal = home.run(
            crate::support::ENDPAPER,
            &arguments,
            (120, 40),
            &[("NO_COLOR", "1")],
        );
        assert_eq!(
            terminal.exit_status().exit_code(),
            1,
            "{}",
            terminal.screen()
        );
        let written = String::from_utf8_lossy(&terminal.raw()).into_owned();
        assert_eq!(commands(&written), [], "{format}: {written:?}");
        assert!(written.contains("osc.txt"), "{format}: {written}");
    }
}
