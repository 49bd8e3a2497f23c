//! **Promise**: what reaches the terminal holds no control character, whatever is in books, names and records.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

use endpaper_text::sanitise::sanitise;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use tempfile::TempDir;

use crate::books::write;

/// Commands that print what is in the corpus `c`, the truth folder `t` and the table `t.tsv`.
const COMMANDS: &[&[&str]] = &[
    &["detect", "c", "-q", "--no-cache"],
    &["detect", "c", "-q", "--no-cache", "--format", "jsonl"],
    &["outline", "c", "-q", "--format", "yaml"],
    &["catalog", "c", "-q", "--no-cache"],
    &["copies", "c", "-q", "--no-cache", "--whole-file"],
    &["alternation", "c", "-q"],
    &["truth", "status", "--truth", "t"],
    &["truth", "check", "c", "-q", "--truth", "t"],
    &[
        "truth", "import", "t.tsv", "c", "-q", "--truth", "u", "--format", "tsv",
    ],
    &["evaluate", "c", "-q", "--truth", "t", "--no-cache"],
    &[
        "search",
        "the",
        "c",
        "-q",
        "--index",
        "i",
        "--truth",
        "t",
        "--no-cache",
    ],
    &["text", "c/a.txt"],
    &["strip", "c", "--out", "o", "--truth", "t"],
    &["strip", "check", "c", "--no-cache"],
    &["model", "build", "c", "--out", "m"],
    &["sample", "draw", "c", "--truth", "t", "--out", "s"],
    &["truth", "export", "--truth", "t", "--format", "jsonl"],
    &["truth", "agree", "t", "t"],
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
    let said = on_a_terminal(&program, arguments, folder.path());
    let said = String::from_utf8(said).expect("what is printed is UTF-8");
    for line in said.split("\r\n") {
        assert_eq!(sanitise(line), line, "{arguments:?}");
    }
}

/// What the program writes to a pseudo-terminal.
fn on_a_terminal(program: &Path, arguments: &[&str], folder: &Path) -> Vec<u8> {
    let size = PtySize {
        rows: 50,
        cols: 200,
        ..PtySize::default()
    };
    let pair = native_pty_system()
        .openpty(size)
        .expect("a pseudo-terminal");
    let mut command = CommandBuilder::new(program);
    command.args(arguments);
    command.args(["--color", "never"]);
    command.cwd(folder);
    command.env_clear();
    command.env("HOME", folder);
    let mut child = pair.slave.spawn_command(command).expect("the program runs");
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().expect("its output");
    let mut said = Vec::new();
    // Linux reports the end of a pseudo-terminal as an error.
    let _ = reader.read_to_end(&mut said);
    let status = child.wait().expect("the program ends");
    assert!(status.exit_code() <= 2, "{arguments:?}: {status}");
    said
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
