//! Labels of real books, where a corpus of them lies beside the project (see `tests/corpus.rs`): they come in, are sound,
//! and go out as they were.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use predicates::str::contains;

fn corpus() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let folder = std::env::var_os("ENDPAPER_CORPUS").map_or(beside, PathBuf::from);
    if folder.join("books").is_dir() && folder.join("labels.tsv").is_file() {
        return Some(folder);
    }
    println!("skipped: no labelled books at '{}'", folder.display());
    None
}

#[test]
fn real_labels_come_back_equal() {
    let Some(corpus) = corpus() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let (books, labels) = (corpus.join("books"), corpus.join("labels.tsv"));
    let endpaper = |words: &[&str]| {
        let mut command = Command::cargo_bin("endpaper").unwrap();
        command
            .current_dir(home.path())
            .env("XDG_CACHE_HOME", home.path().join("cache"))
            .env("HOME", home.path())
            .arg("truth")
            .args(words);
        command
    };
    endpaper(&["import"])
        .args([&labels, &books])
        .assert()
        .code(0)
        .stdout(contains("0 unchanged, 0 refused"));
    // The built-in model: what the detector finds is not the matter here.
    endpaper(&["check", "--model", "built-in", "-q"])
        .arg(&books)
        .assert()
        .code(0)
        .stdout(contains(" records: 0 errors, 0 warnings"));
    endpaper(&["export", "--out", "out.tsv"])
        .arg(&books)
        .assert()
        .code(0)
        .stderr("");
    let sorted = |path: &Path| {
        let text = fs::read_to_string(path).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines[1..].sort();
        lines
    };
    assert_eq!(sorted(&home.path().join("out.tsv")), sorted(&labels));
}
