//! An unusable cache: no book is lost, and there is one warning.
#![cfg(unix)]
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use crate::support::{COUNTED, Home, small_book, stderr};

/// A home with 40 books in `books`, with enough data to exceed the write buffer.
fn corpus() -> Home {
    let home = Home::new();
    for number in 0..40 {
        home.write(format!("books/{number}.txt"), book(number));
    }
    home
}

fn book(number: usize) -> String {
    let more =
        (54..700).map(|line| format!("Book {number} goes on in line {line} as no other does.\n"));
    small_book(number) + &more.collect::<String>()
}

/// Limits files to this many blocks of 512 bytes: writing fails in the middle, as on a full disk.
fn limit(blocks: u32) -> String {
    format!("ulimit -f {blocks}")
}

#[test]
fn full_cache_loses_no_book_wherever_it_fills_up() {
    let home = corpus();
    let arguments = [&["detect", "books", "--format", "tsv"], &COUNTED[..]].concat();
    let without = [&arguments[..], &["--no-cache"]].concat();
    let expected = home.endpaper(&without).output().unwrap().stdout;
    assert_eq!(expected.iter().filter(|byte| **byte == b'\n').count(), 41);
    let cache = home.work().join("../endpaper/cache");
    for blocks in [0, 1, 9, 50, 300] {
        // What fitted into the cache before would be used.
        fs::remove_dir_all(&cache).unwrap();
        fs::create_dir(&cache).unwrap();
        let output = home
            .endpaper_after(&limit(blocks), &arguments)
            .output()
            .unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(0), "{blocks} blocks: {said}");
        assert!(output.stdout == expected, "{blocks} blocks: {said}");
        let warnings = said.matches("the cache cannot be written").count();
        assert_eq!(warnings, 1, "{blocks} blocks: {said}");
    }
    // The next run with free space succeeds.
    let output = home.endpaper(&arguments).output().unwrap();
    assert!(output.stdout == expected && !stderr(&output).contains("cannot be written"));
}

#[test]
fn full_cache_keeps_the_files_that_fit() {
    let home = corpus();
    let arguments = [&["detect", "books"], &COUNTED[..]].concat();
    home.endpaper(&arguments).assert().success();
    let cache = home.work().join("../endpaper/cache");
    let files = || {
        let entries = fs::read_dir(&cache).unwrap().map(Result::unwrap);
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let size = |ending: &str| {
        let files = files();
        let file = files
            .iter()
            .find(|file| file.extension() == Some(OsStr::new(ending)));
        file.map(|file| fs::metadata(file).unwrap().len())
    };
    let (survey, scans) = (size("survey").unwrap(), size("scans").unwrap());
    let blocks = survey.div_ceil(512) + 1;
    assert!(512 * blocks < scans, "{survey} and {scans} bytes");
    files()
        .iter()
        .for_each(|file| fs::remove_file(file).unwrap());
    let limited = limit(u32::try_from(blocks).unwrap());
    home.endpaper_after(&limited, &arguments).assert().success();
    assert_eq!((size("survey"), size("scans")), (Some(survey), None));
}

#[test]
fn strip_skips_no_book_for_a_full_cache() {
    let home = corpus();
    let arguments = ["strip", "books", "--out", "bodies"];
    let output = home
        .endpaper_after(&limit(100), &[&arguments, &COUNTED[..]].concat())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let bodies = fs::read_dir(home.work().join("bodies")).unwrap();
    // 40 books and the manifest.
    assert_eq!(bodies.count(), 41);
}

#[test]
fn search_without_room_in_the_cache_makes_a_passing_index() {
    let home = corpus();
    let cache = home.work().join("../endpaper/cache");
    fs::remove_dir(&cache).unwrap();
    // A file in place of the folder: not writable by any user.
    fs::write(&cache, "").unwrap();
    let output = home
        .endpaper(&["search", "licence", "books", "--in", "body,preamble"])
        .output()
        .unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let found = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(found.contains("of 40"), "{found}{said}");
    assert!(said.contains("using a temporary index"), "{said}");
}

#[test]
fn file_name_that_is_no_text_keeps_no_book_out_of_the_cache() {
    let home = corpus();
    let odd = OsStr::from_bytes(b"books/odd\xff.txt");
    home.write(odd, book(99));
    let arguments = [&["detect", "books", "--format", "tsv"], &COUNTED[..]].concat();
    let first = home.endpaper(&arguments).output().unwrap();
    assert_eq!(stderr(&first).matches("cannot be written").count(), 0);
    let kept = || {
        let cache = fs::read_dir(home.work().join("../endpaper/cache")).unwrap();
        let files = cache.map(|entry| entry.unwrap().path());
        let mut ends: Vec<String> = files
            .filter_map(|path| Some(path.extension()?.to_str()?.to_owned()))
            .collect();
        ends.sort();
        ends
    };
    let whole = ["clusters", "model", "opinions", "prints", "scans", "survey"];
    assert_eq!(kept(), whole);
    let second = home.endpaper(&arguments).output().unwrap();
    assert!(first.stdout == second.stdout);
    assert!(String::from_utf8_lossy(&first.stdout).contains("odd%FF.txt"));
}

#[test]
fn cache_that_a_power_cut_left_in_pieces_is_noticed_and_made_again() {
    let home = corpus();
    let arguments = [&["detect", "books", "--format", "tsv"], &COUNTED[..]].concat();
    let run = || home.endpaper(&arguments).output().unwrap();
    let expected = run().stdout;
    let files = || {
        let cache = fs::read_dir(home.work().join("../endpaper/cache")).unwrap();
        let mut files: Vec<_> = cache.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    };
    let names = files();
    assert_eq!(names.len(), 6);
    for name in &names {
        let whole = fs::read(name).unwrap();
        let half = whole.len() / 2;
        let zeros_at_end = [&whole[..half], &vec![0; whole.len() - half]].concat();
        let zeros_at_start = [&vec![0; half], &whole[half..]].concat();
        let pieces = [&whole[..0], &whole[..half], &zeros_at_end, &zeros_at_start];
        for (case, piece) in pieces.into_iter().enumerate() {
            fs::write(name, piece).unwrap();
            let output = run();
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(0), "{name:?} {case}: {said}");
            assert!(output.stdout == expected, "{name:?} {case}: {said}");
        }
        assert_eq!(files(), names);
    }
}
