//! A separate home for each test, in which the laboratory and the program run.

// Not every test file uses all of it.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;
use std::time::Duration;

#[path = "../../../tests/it/support/home.rs"]
mod home;
pub use home::Home;

const LAB: &str = env!("CARGO_BIN_EXE_lab");

/// Time limit of a run.
const PATIENCE: Duration = Duration::from_secs(600);

/// Returns the path of the program, next to the laboratory. Builds it if only the laboratory was built.
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

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns a small book: lines 1 to 12 are a licence; a blank line and 40 unique lines follow.
pub fn small_book(number: usize) -> String {
    let licence =
        (1..=12).map(|line| format!("Line {line} of a licence that stands in every book.\n"));
    let body = (14..=53)
        .map(|line| format!("Book {number} says in line {line} what no other book says.\n"));
    licence.chain(["\n".to_owned()]).chain(body).collect()
}

impl Home {
    pub fn lab(&self, arguments: &[&str]) -> assert_cmd::Command {
        self.limited(Path::new(LAB), arguments)
    }

    pub fn endpaper(&self, arguments: &[&str]) -> assert_cmd::Command {
        self.limited(program(), arguments)
    }

    fn limited(&self, program: &Path, arguments: &[&str]) -> assert_cmd::Command {
        let mut command = self.program(program, arguments);
        command.timeout(PATIENCE);
        command
    }
}
