//! Names of the workspace: one word per concept, and no retired words. `CONTRIBUTING.md` says how names are chosen.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use regex::Regex;
use walkdir::WalkDir;

/// Type names that every module may define.
const OF_EVERY_MODULE: [&str; 4] = ["Args", "Builder", "Error", "Options"];

/// Type names that may be defined more than once: name, tab, reason.
const EXCEPTIONS: &str = include_str!("names/exceptions.tsv");

/// Retired words: word, tab, replacement.
const RETIRED: &str = include_str!("names/retired.tsv");

/// A source file: path relative to the workspace root, and text.
struct SourceFile {
    path: String,
    text: String,
}

/// Returns the Rust files of the workspace except this one, ordered by path.
fn sources() -> Vec<SourceFile> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("lab/ is in the workspace");
    let mut files = Vec::new();
    for folder in ["crates", "src", "lab", "tests"] {
        for entry in WalkDir::new(root.join(folder)).sort_by_file_name() {
            let path = entry.expect("a readable folder").into_path();
            if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with(file!()) {
                let text = std::fs::read_to_string(&path).expect("a readable source file");
                let path = path
                    .strip_prefix(root)
                    .expect("a path below the root")
                    .display()
                    .to_string();
                files.push(SourceFile { path, text });
            }
        }
    }
    files
}

/// Returns the two columns of a table without comments and blank lines.
fn columns(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = table
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(|line| {
        line.split_once('\t')
            .unwrap_or_else(|| panic!("'{line}' has no tab: write the word, a tab and the reason"))
    })
}

/// Returns one message for each type name that is defined more than once, with all positions, and for each obsolete exception.
fn duplicate_types(files: &[SourceFile], exceptions: &BTreeSet<&str>) -> Vec<String> {
    let definition = Regex::new(r"(?m)^ *(?:pub(?:\([^)]*\))? )?(?:struct|enum|trait|union) (\w+)|^(?:pub(?:\([^)]*\))? )?type (\w+)")
        .expect("a regular expression");
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for file in files {
        for found in definition.captures_iter(&file.text) {
            let name = found
                .get(1)
                .or_else(|| found.get(2))
                .expect("one of both groups");
            let line = file.text[..name.start()].lines().count();
            places
                .entry(name.as_str())
                .or_default()
                .push(format!("{}:{line}", file.path));
        }
    }
    let several = |name: &&str| places.get(*name).is_some_and(|places| places.len() > 1);
    let duplicates = places.iter().filter(|(name, places)| {
        places.len() > 1 && !OF_EVERY_MODULE.contains(name) && !exceptions.contains(*name)
    });
    let mut complaints: Vec<String> = duplicates
        .map(|(name, places)| format!("{name} is defined at {}: let each say of what it is one, or give a reason in lab/tests/names/exceptions.tsv", places.join(", ")))
        .collect();
    complaints.extend(
        exceptions
            .iter()
            .filter(|name| !several(name))
            .map(|name| format!("{name} is unique: take it out of lab/tests/names/exceptions.tsv")),
    );
    complaints
}

/// Returns one message for each line with a retired word, in code, comments or text.
fn retired_words(files: &[SourceFile], retired: &[(&str, &str)]) -> Vec<String> {
    let alternatives: Vec<String> = retired
        .iter()
        .map(|(word, _)| regex::escape(word))
        .collect();
    let any =
        Regex::new(&format!(r"\b(?:{})\b", alternatives.join("|"))).expect("a regular expression");
    let instead: BTreeMap<&str, &str> = retired.iter().copied().collect();
    let mut complaints = Vec::new();
    for file in files {
        for (number, line) in file
            .text
            .lines()
            .enumerate()
            .map(|(index, line)| (index + 1, line))
        {
            let found = any.find_iter(line).map(|found| found.as_str());
            complaints.extend(found.map(|word| {
                format!(
                    "{}:{number}: '{word}' was given up: write {}",
                    file.path, instead[word]
                )
            }));
        }
    }
    complaints
}

#[test]
fn a_type_name_has_one_definition() {
    let exceptions = columns(EXCEPTIONS).map(|(name, _)| name).collect();
    let complaints = duplicate_types(&sources(), &exceptions);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn retired_words_stay_away() {
    let retired: Vec<(&str, &str)> = columns(RETIRED).collect();
    let complaints = retired_words(&sources(), &retired);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn planted_names_are_found() {
    let controls = [
        SourceFile {
            path: "a.rs".into(),
            text: "\n/// One.\npub(crate) struct Row {\n    looks: u8,\n}\n".into(),
        },
        SourceFile {
            path: "b.rs".into(),
            text: "mod m {\n    enum Row {}\n}\ntype Args = ();\ntype Args = u8;\n".into(),
        },
    ];
    let duplicates = duplicate_types(&controls, &BTreeSet::from(["Gone"]));
    assert_eq!(duplicates.len(), 2, "{duplicates:?}");
    assert!(
        duplicates[0].starts_with("Row is defined at a.rs:3, b.rs:2: "),
        "{duplicates:?}"
    );
    assert!(
        duplicates[1].starts_with("Gone is unique: "),
        "{duplicates:?}"
    );
    assert_eq!(
        retired_words(&controls, &[("looks", "'features'"), ("outlook", "'view'")]),
        ["a.rs:4: 'looks' was given up: write 'features'"]
    );
}
