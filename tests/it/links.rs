//! Untrusted folders: link targets are neither written nor removed, and pipes do not block.
#![cfg(unix)]
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Home, small_book, stderr};

/// Two books, one of them in a folder `sub`, and a folder `precious` that must not change.
fn home() -> Home {
    let home = Home::new();
    home.write("books/1.txt", small_book(1));
    home.write("books/sub/2.txt", small_book(2));
    home.write("precious/2.txt", "precious");
    home.write("precious/.endpaper-1.tmp", "precious");
    home
}

fn precious(home: &Home) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(home.work().join("precious"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

fn link(home: &Home, from: &str, to: &str) {
    let from = home.work().join(from);
    fs::create_dir_all(from.parent().unwrap()).unwrap();
    symlink(home.work().join(to), from).unwrap();
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn no_command_writes_or_removes_through_a_link_in_its_output_folder() {
    for force in [&[][..], &["--force"]] {
        for command in [
            ["strip", "books", "--out", "out"],
            ["alternation", "books", "--out", "out"],
        ] {
            let home = home();
            let before = precious(&home);
            link(&home, "out/sub", "precious");
            let arguments = [&command[..], force].concat();
            let output = home.endpaper(&arguments).output().unwrap();
            assert_eq!(precious(&home), before, "{arguments:?}");
            let said = stderr(&output);
            assert!(said.contains("is a symbolic link"), "{arguments:?}: {said}");
            assert!(home.work().join("out/1.txt").is_file(), "{said}");
        }
    }
}

#[test]
fn a_file_that_is_a_link_is_refused_before_the_work() {
    let home = home();
    let before = precious(&home);
    link(&home, "a.model", "precious/2.txt");
    let build = ["model", "build", "books", "--out", "a.model", "--force"];
    let output = home.endpaper(&build).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("is a symbolic link"),
        "{}",
        stderr(&output)
    );
    assert_eq!(precious(&home), before);
}

#[test]
fn a_search_index_with_links_and_pipes_makes_nothing_elsewhere_and_ends() {
    let home = home();
    let search = ["search", "book", "books", "--index", "index"];
    home.endpaper(&search).assert().success();
    fs::remove_file(home.work().join("index/lock")).unwrap();
    link(&home, "index/lock", "precious/new");
    let _ = home.endpaper(&search).output().unwrap();
    assert!(!home.work().join("precious/new").exists());
    fs::remove_dir_all(home.work().join("index")).unwrap();
    home.endpaper(&search).assert().success();
    for name in ["lock", "endpaper-search.json"] {
        let path = home.work().join("index").join(name);
        fs::remove_file(&path).unwrap();
        pipe(&path);
        let output = home.endpaper(&search).output().unwrap();
        // It ends by itself, with any exit status.
        assert!(output.status.code().is_some(), "{name}");
    }
}

#[test]
fn a_cache_of_pipes_and_devices_is_done_without() {
    let home = home();
    let detect = ["detect", "books", "--format", "tsv"];
    let expected = home.endpaper(&detect).output().unwrap().stdout;
    let files = walkdir::WalkDir::new(home.work().parent().unwrap())
        .into_iter()
        .flatten()
        .filter(|entry| entry.file_type().is_file())
        .map(walkdir::DirEntry::into_path)
        .filter(|path| {
            let ending = path.extension().and_then(|ending| ending.to_str());
            matches!(ending, Some("survey" | "scans" | "model"))
        });
    let files: Vec<PathBuf> = files.collect();
    assert!(!files.is_empty());
    for (at, file) in files.iter().enumerate() {
        fs::remove_file(file).unwrap();
        match at % 2 {
            0 => pipe(file),
            _ => symlink("/dev/zero", file).unwrap(),
        }
    }
    let output = home
        .endpaper_after("ulimit -v 2000000", &detect)
        .output()
        .unwrap();
    assert_eq!(output.stdout, expected, "{}", stderr(&output));
}
