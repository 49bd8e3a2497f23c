//! **Promise**: what reaches the terminal holds no control character, whatever is in books, names and records.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use endpaper_text::sanitise::sanitise;
use tempfile::TempDir;

use crate::books::write;

/// Commands that print what is in the corpus `c`, the truth folder `t` and the table `t.tsv`.
const COMMANDS: &[&[&str]] = &[
    &["detect", "c", "--no-cache"],
    &["detect", "c", "--no-cache", "--format", "jsonl"],
    &["outline", "c", "--format", "yaml"],
    &["catalog", "c", "--no-cache"],
    &["copies", "c", "--no-cache", "--whole-file"],
    &["alternation", "c"],
    &["truth", "status", "--truth", "t"],
    &["truth", "check", "c", "--truth", "t"],
    &[
        "truth", "import", "t.tsv", "c", "--truth", "u", "--format", "tsv",
    ],
    &["evaluate", "c", "--truth", "t", "--no-cache"],
    &[
        "search",
        "the",
        "c",
        "--index",
        "i",
        "--truth",
        "t",
        "--no-cache",
    ],
];

/// The program under test: that of `ENDPAPER_PROGRAM`, else the one that was built beside this one.
pub fn program() -> Option<PathBuf> {
    let named = std::env::var_os("ENDPAPER_PROGRAM").map(PathBuf::from);
    let beside = || {
        let this = std::env::current_exe().ok()?;
        let name = format!("endpaper{}", std::env::consts::EXE_SUFFIX);
        Some(this.parent()?.parent()?.join(name))
    };
    named.or_else(beside).filter(|program| program.is_file())
}

/// Runs one command, chosen by the first byte, over a book of the other bytes, whose first line is its name as well.
pub fn output(bytes: &[u8]) {
    let Some((&which, bytes)) = bytes.split_first() else {
        return;
    };
    let program = program().expect("set ENDPAPER_PROGRAM to the program to be tried");
    let folder = TempDir::new().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    for name in ["c", "t"] {
        std::fs::create_dir(path(name)).expect("a folder");
    }
    let name = bytes
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    // A name that the system refuses is no finding.
    let _ = std::fs::write(folder.path().join("c").join(file_name(name)), bytes);
    write(&path("c/a.txt"), bytes);
    write(&path("t/a.txt.yaml"), bytes);
    write(&path("t.tsv"), bytes);
    let arguments = COMMANDS[usize::from(which) % COMMANDS.len()];
    let run = Command::new(program)
        .args(arguments)
        .current_dir(folder.path())
        .env_clear()
        .env("HOME", folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    assert!(
        run.status.code().is_some_and(|code| code <= 2),
        "{arguments:?}: {}",
        run.status
    );
    for said in [&run.stdout, &run.stderr] {
        let said = std::str::from_utf8(said).expect("what is printed is UTF-8");
        // Cells are separated by tabs.
        let said = said.replace('\t', " ");
        for line in said.lines() {
            assert_eq!(sanitise(line), line, "{arguments:?}");
        }
        assert!(!said.contains('\r'), "{arguments:?}");
    }
}

/// A file name of these bytes, as far as a system takes them.
#[cfg(unix)]
fn file_name(bytes: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStringExt;
    let allowed = bytes.iter().copied().filter(|byte| !b"/\0".contains(byte));
    let mut name: Vec<u8> = allowed.take(60).collect();
    name.extend(b".txt");
    OsString::from_vec(name)
}

#[cfg(not(unix))]
fn file_name(bytes: &[u8]) -> OsString {
    let text = String::from_utf8_lossy(bytes);
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    OsString::from(letters.take(60).collect::<String>() + ".txt")
}
