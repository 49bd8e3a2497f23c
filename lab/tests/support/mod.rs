//! A home of its own for each test, in which the laboratory and the program run.

// Every test file takes what it needs; the rest would be reported as unused there.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;
use std::time::Duration;

use tempfile::TempDir;

const LAB: &str = env!("CARGO_BIN_EXE_lab");

/// No run takes longer than this.
const PATIENCE: Duration = Duration::from_secs(600);

/// The program, which stands beside the laboratory. It is built if only the laboratory was.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let path =
            Path::new(LAB).with_file_name(format!("endpaper{}", std::env::consts::EXE_SUFFIX));
        if !path.exists() {
            let folder = path.parent().expect("a folder");
            let mut cargo = std::process::Command::new(env!("CARGO"));
            cargo.args(["build", "--locked", "--package", "endpaper", "--target-dir"]);
            cargo.arg(folder.parent().expect("the target folder"));
            if folder.ends_with("release") {
                cargo.arg("--release");
            }
            assert!(cargo.status().expect("cargo").success());
        }
        path
    })
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
        Home { folder }
    }

    /// The folder programs are started in; everything a test makes belongs here.
    pub fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// Writes a file below the working folder, with the folders it needs, and returns its path.
    pub fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.work().join(name);
        let folder = path.parent().expect("a file stands in a folder");
        fs::create_dir_all(folder).expect("the file's folder");
        fs::write(&path, bytes).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        path
    }

    /// The laboratory.
    pub fn lab(&self, arguments: &[&str]) -> assert_cmd::Command {
        self.command(Path::new(LAB), arguments)
    }

    /// endpaper itself, for what the laboratory takes from it or is held against.
    pub fn endpaper(&self, arguments: &[&str]) -> assert_cmd::Command {
        self.command(program(), arguments)
    }

    fn command(&self, program: &Path, arguments: &[&str]) -> assert_cmd::Command {
        let mut command = assert_cmd::Command::new(program);
        command
            .args(arguments)
            .current_dir(self.work())
            .timeout(PATIENCE);
        for name in FOREIGN {
            command.env_remove(name);
        }
        for (name, value) in self.variables() {
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
