//! What the Python package shares with the rest: the script in the documents, and the versions of crates.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A file of the repository.
fn read(file: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(root.join(file)).unwrap()
}

#[test]
fn documents_show_the_script_that_the_gate_runs() {
    let script = read("python/examples/shards.py");
    assert!(script.lines().count() <= 20);
    for document in ["README.md", "docs/src/python.md"] {
        let shown = format!(
            "<!-- python/examples/shards.py -->\n```python\n{script}```\n<!-- /python/examples/shards.py -->"
        );
        assert!(read(document).contains(&shown), "{document}");
    }
}

/// The crates of a lock file, `name version`.
fn locked(file: &str) -> BTreeSet<String> {
    let text = read(file);
    let values = text.lines().filter_map(|line| {
        let value = line
            .strip_prefix("name = ")
            .or(line.strip_prefix("version = "));
        Some(value?.trim_matches('"').to_owned())
    });
    let values: Vec<String> = values.skip(1).collect();
    values.chunks(2).map(|pair| pair.join(" ")).collect()
}

#[test]
fn the_module_is_built_of_the_same_versions_of_crates_as_the_program() {
    let own = ["endpaper-python", "pyo3", "target-lexicon"];
    let program = locked("Cargo.lock");
    let other = locked("python/Cargo.lock");
    let other = other.difference(&program);
    let other: Vec<_> = other
        .filter(|name| !own.iter().any(|own| name.starts_with(own)))
        .collect();
    assert!(
        other.is_empty(),
        "run `cargo update` in python/ too: {other:?}"
    );
}
