//! Names of the files of the repository: a checkout has to succeed on Windows and macOS as well.

use std::collections::BTreeMap;
use std::process::Command;

/// Longest path: Windows allows 260 characters together with the folder of the checkout.
const LONGEST: usize = 120;

/// Returns why a file of this path cannot exist on every system.
fn complaint(path: &str) -> Option<&'static str> {
    if path.len() > LONGEST {
        return Some("is too long");
    }
    path.split('/').find_map(|name| {
        let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
        let numbered = stem.strip_prefix("com").or(stem.strip_prefix("lpt"));
        if matches!(&*stem, "con" | "prn" | "aux" | "nul" | "conin$" | "conout$")
            || numbered.is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
        {
            Some("is the name of a device on Windows")
        } else if name
            .contains(|letter: char| letter.is_control() || r#"<>:"\|?*"#.contains(letter))
        {
            Some("has a character that Windows does not allow")
        } else if name.ends_with(['.', ' ']) {
            Some("ends with a dot or blank, which Windows drops")
        } else if !name.is_ascii() {
            Some("has letters that macOS may write in another way")
        } else {
            None
        }
    })
}

/// Returns the groups of paths, and of their folders, that differ only in case.
fn case_clashes<'a>(paths: &[&'a str]) -> Vec<Vec<&'a str>> {
    let mut spellings: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for path in paths {
        let ends = path.match_indices('/').map(|(at, _)| at);
        for end in ends.chain([path.len()]) {
            let group = spellings.entry(path[..end].to_lowercase()).or_default();
            if !group.contains(&&path[..end]) {
                group.push(&path[..end]);
            }
        }
    }
    spellings
        .into_values()
        .filter(|group| group.len() > 1)
        .collect()
}

#[test]
fn every_file_can_be_checked_out_everywhere() {
    let listed = Command::new("git")
        .args([
            "-C",
            env!("CARGO_MANIFEST_DIR"),
            "ls-files",
            "-z",
            "--full-name",
            ":/",
        ])
        .output()
        .expect("git");
    assert!(
        listed.status.success(),
        "{}",
        String::from_utf8_lossy(&listed.stderr)
    );
    let listed = String::from_utf8(listed.stdout).expect("paths in UTF-8");
    let paths: Vec<&str> = listed.split_terminator('\0').collect();
    assert!(
        paths.contains(&"Cargo.toml"),
        "the list is that of the whole repository"
    );
    let bad: Vec<_> = paths
        .iter()
        .filter_map(|path| complaint(path).map(|why| format!("{path} {why}")))
        .collect();
    assert_eq!(bad, Vec::<String>::new());
    assert_eq!(case_clashes(&paths), Vec::<Vec<&str>>::new());
}

#[test]
fn names_that_some_system_refuses_are_found() {
    for path in [
        "texts/nul.txt",
        "Aux/file",
        "a/COM1.tar.gz",
        "a/b:c",
        "a./b",
        "a/b ",
        "caf\u{e9}.txt",
    ] {
        assert!(complaint(path).is_some(), "{path}");
    }
    for path in ["texts/null.txt", "console.rs", "com.rs", "a/.b", "lpt10"] {
        assert_eq!(complaint(path), None, "{path}");
    }
    assert_eq!(complaint(&"a".repeat(LONGEST + 1)), Some("is too long"));
    assert_eq!(case_clashes(&["a/B/c", "a/b/d", "e"]), [["a/B", "a/b"]]);
}
