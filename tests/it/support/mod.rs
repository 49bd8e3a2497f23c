//! The harness for tests that run the real program: a home of its own for each test, plain runs and terminal runs.
//!
//! What is tested is the binary as users get it. The harness sets no time limits but [`pty::PATIENCE`], never sleeps,
//! and leaves nothing behind.

// Every test file takes what it needs of the harness; the rest would be reported as unused there.
#![allow(dead_code)]

pub mod documents;
pub mod keys;
pub mod pty;
pub mod screen;
pub mod world;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use portable_pty::CommandBuilder;
use tempfile::TempDir;

pub use pty::{Setup, Terminal};

/// The program under test.
pub const ENDPAPER: &str = env!("CARGO_BIN_EXE_endpaper");

/// The rule of the paper with a model of the corpus itself, in which what stands in three books is frequent.
pub const COUNTED: [&str; 6] = ["--detector", "gap", "--model", "corpus", "-K", "2"];

/// What tests need of a machine where `ENDPAPER_REQUIRE=all` says that none may be left out, as the gate does.
const REQUIRED: [&str; 6] = [
    "a browser",
    "pdftotext",
    "prlimit",
    "python3",
    "PyYAML",
    "ruamel.yaml",
];

/// Says that something was not tested because of what is absent. No test passes by being skipped where all are required.
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

/// What a program complained of.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A small book: lines 1 to 12 are a licence; a blank line follows, then 40 lines that no other book has.
pub fn small_book(number: usize) -> String {
    let licence =
        (1..=12).map(|line| format!("Line {line} of a licence that stands in every book.\n"));
    let body = (14..=53)
        .map(|line| format!("Book {number} says in line {line} what no other book says.\n"));
    licence.chain(["\n".to_owned()]).chain(body).collect()
}

/// Variables that name a folder of the program's, and the folder's name below the home.
const FOLDERS: &[(&str, &str)] = &[
    ("HOME", "home"),
    ("XDG_CONFIG_HOME", "home/config"),
    ("XDG_CACHE_HOME", "home/cache"),
    ("XDG_DATA_HOME", "home/data"),
    ("XDG_STATE_HOME", "home/state"),
    ("XDG_RUNTIME_DIR", "home/run"),
    ("TMPDIR", "tmp"),
    ("ENDPAPER_CONFIG_DIR", "endpaper/config"),
    ("ENDPAPER_CACHE_DIR", "endpaper/cache"),
    ("ENDPAPER_DATA_DIR", "endpaper/data"),
    ("ENDPAPER_STATE_DIR", "endpaper/state"),
];

/// Variables of the developer's own that change what a program shows.
const FOREIGN: &[&str] = &[
    "NO_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLORTERM",
    "COLUMNS",
    "LINES",
    "TMUX",
    "EDITOR",
    "VISUAL",
    "PAGER",
];

/// A temporary folder that is the whole world of one test; removed at its end.
pub struct Home {
    folder: TempDir,
}

impl Home {
    pub fn new() -> Home {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (_, name) in FOLDERS {
            fs::create_dir_all(folder.path().join(name)).expect("a folder in the temporary folder");
        }
        fs::create_dir(folder.path().join("work")).expect("the working folder");
        // Whoever sits here has seen the tour, but for the test of it.
        fs::write(folder.path().join("endpaper/state/toured"), "").expect("a file");
        Home { folder }
    }

    /// The folder programs are started in; everything a test makes belongs here.
    pub fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// Writes a file into the folder of settings, with the folders it needs.
    pub fn configure(&self, name: &str, text: &str) {
        let path = self.folder.path().join("endpaper/config").join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the file's folder");
        fs::write(path, text).expect("a file of settings");
    }

    /// Makes the next sitting the first one.
    pub fn forget_the_tour(&self) {
        fs::remove_file(self.folder.path().join("endpaper/state/toured")).expect("the file");
    }

    /// Writes a file below the working folder, with the folders it needs, and returns its path.
    pub fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.work().join(name);
        let folder = path.parent().expect("a file stands in a folder");
        fs::create_dir_all(folder).expect("the file's folder");
        fs::write(&path, bytes).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        path
    }

    /// endpaper without a terminal, to be judged by its exit status and output.
    pub fn endpaper(&self, arguments: &[&str]) -> assert_cmd::Command {
        self.program(ENDPAPER, arguments)
    }

    /// endpaper after words of the shell, such as a limit on what it may use.
    pub fn endpaper_after(&self, shell: &str, arguments: &[&str]) -> assert_cmd::Command {
        let script = format!("{shell}; exec \"$0\" \"$@\"");
        let words = [&["-c", &script, ENDPAPER], arguments].concat();
        self.program("sh", &words)
    }

    fn program(&self, program: &str, arguments: &[&str]) -> assert_cmd::Command {
        let mut command = assert_cmd::Command::new(program);
        command
            .args(arguments)
            .current_dir(self.work())
            .timeout(pty::PATIENCE * 6);
        for name in FOREIGN {
            command.env_remove(name);
        }
        for (name, value) in self.variables() {
            command.env(name, value);
        }
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

    /// Any program in a terminal.
    pub fn run(
        &self,
        program: &str,
        arguments: &[&str],
        size: (u16, u16),
        variables: &[(&str, &str)],
    ) -> Terminal {
        let command = self.command(program, arguments, variables);
        Terminal::spawn(Setup {
            command,
            size,
            answers: true,
        })
    }

    /// A command for a terminal, with this home around it.
    pub fn command(
        &self,
        program: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> CommandBuilder {
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.cwd(self.work());
        for name in FOREIGN {
            command.env_remove(name);
        }
        let own = self.variables();
        for (name, value) in own.iter().map(|(name, value)| (*name, value.as_str())) {
            command.env(name, value);
        }
        for (name, value) in variables {
            command.env(name, value);
        }
        command
    }

    fn variables(&self) -> Vec<(&'static str, String)> {
        let place = |name: &str| self.folder.path().join(name).to_string_lossy().into_owned();
        let folders = FOLDERS
            .iter()
            .map(|(variable, name)| (*variable, place(name)));
        folders
            .chain([
                ("TERM", "xterm-256color".to_owned()),
                ("LANG", "C.UTF-8".to_owned()),
            ])
            .collect()
    }
}
