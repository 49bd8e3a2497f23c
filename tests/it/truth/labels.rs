//! Labels of real books are imported, valid, and exported unchanged.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::str::contains;

use crate::support::real_books;

#[test]
#[ignore = "needs ENDPAPER_CORPUS"]
fn real_labels_come_back_equal() {
    let corpus = real_books();
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
    // The built-in model: detection results are irrelevant here.
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
