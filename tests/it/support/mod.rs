//! Harness for tests that run the real program: a separate home per test, plain runs and terminal runs.
//!
//! The only time limit is [`pty::PATIENCE`]; the harness never sleeps and removes its files.

// Not every test file uses all of the harness.
#![allow(dead_code)]

pub mod documents;
mod home;
pub mod html;
pub mod keys;
pub mod pty;
pub mod screen;
pub mod world;

use std::path::{Path, PathBuf};
use std::process::Output;

use portable_pty::CommandBuilder;

pub use home::Home;
pub use pty::{Terminal, TerminalSetup};

pub const ENDPAPER: &str = env!("CARGO_BIN_EXE_endpaper");

/// The rule of the paper with a model of the corpus itself, in which lines of three books are frequent.
pub const COUNTED: [&str; 6] = ["--detector", "gap", "--model", "corpus", "-K", "2"];

/// Requirements of tests that must be met if `ENDPAPER_REQUIRE=all`, as in the gate.
const REQUIRED: [&str; 14] = [
    "a browser",
    "bash",
    "bratly",
    "dkpro-cassis",
    "fish",
    "lxml",
    "man",
    "pdftotext",
    "prlimit",
    "python3",
    "PyYAML",
    "ruamel.yaml",
    "strace",
    "zsh",
];

/// Reports that a test was skipped because `what` is absent; fails if `ENDPAPER_REQUIRE=all` and `what` is required.
#[track_caller]
pub fn absent(what: &str) {
    let all = std::env::var("ENDPAPER_REQUIRE").is_ok_and(|word| word == "all");
    assert!(
        !all || !REQUIRED.contains(&what),
        "{what} is not here, and ENDPAPER_REQUIRE=all"
    );
    println!("skipped: {what} is not here");
}

/// A corpus of real books: `books/`, `MANIFEST.tsv` and `labels.tsv`.
#[track_caller]
pub fn real_books() -> PathBuf {
    let folder = std::env::var_os("ENDPAPER_CORPUS").map(PathBuf::from);
    let folder = folder.filter(|folder| folder.join("books").is_dir());
    folder.expect("ENDPAPER_CORPUS names a folder with books/, MANIFEST.tsv and labels.tsv")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The output of a successful program.
#[track_caller]
pub fn fine(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
    String::from_utf8(output.stdout.clone()).expect("text")
}

pub fn demo() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/endpaper-text/src/corpus/demo.zip")
}

/// A small book: lines 1 to 12 are a licence; a blank line and 40 unique lines follow.
pub fn small_book(number: usize) -> String {
    let licence =
        (1..=12).map(|line| format!("Line {line} of a licence that stands in every book.\n"));
    let body = (14..=53)
        .map(|line| format!("Book {number} says in line {line} what no other book says.\n"));
    licence.chain(["\n".to_owned()]).chain(body).collect()
}

/// A longer book: lines 1 to 12 are a licence; a blank line and 700 unique lines follow.
pub fn long_book(number: usize) -> String {
    let licence =
        (0..12).map(|line| format!("Line {line} of a licence that stands in every book.\n"));
    let body = (0..700)
        .map(|line| format!("Book {number} says in line {line} what no other book says.\n"));
    licence.chain(["\n".to_owned()]).chain(body).collect()
}

impl Home {
    pub fn endpaper(&self, arguments: &[&str]) -> assert_cmd::Command {
        self.limited(ENDPAPER, arguments)
    }

    /// endpaper after shell code, such as a resource limit.
    pub fn endpaper_after(&self, shell: &str, arguments: &[&str]) -> assert_cmd::Command {
        let script = format!("{shell}; exec \"$0\" \"$@\"");
        let words = [&["-c", &script, ENDPAPER], arguments].concat();
        self.limited("sh", &words)
    }

    fn limited(&self, program: &str, arguments: &[&str]) -> assert_cmd::Command {
        let mut command = self.program(program, arguments);
        command.timeout(pty::PATIENCE * 6);
        command
    }

    /// endpaper in a terminal of `size` columns and rows, with further variables (`("NO_COLOR", "1")`).
    pub fn terminal(
        &self,
        arguments: &[&str],
        size: (u16, u16),
        variables: &[(&str, &str)],
    ) -> Terminal {
        self.run(ENDPAPER, arguments, size, variables)
    }

    pub fn run(
        &self,
        program: &str,
        arguments: &[&str],
        size: (u16, u16),
        variables: &[(&str, &str)],
    ) -> Terminal {
        let command = self.command(program, arguments, variables);
        Terminal::spawn(TerminalSetup {
            command,
            size,
            answers: true,
        })
    }

    pub fn command(
        &self,
        program: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> CommandBuilder {
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.cwd(self.work());
        for name in home::FOREIGN {
            command.env_remove(name);
        }
        for (name, value) in self.variables() {
            command.env(name, value);
        }
        for (name, value) in variables {
            command.env(name, value);
        }
        command
    }
}
