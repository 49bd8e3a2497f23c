//! The JSON schemas of the manual, and what the program prints.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use super::pages::root;
use crate::support::Home;

/// The bodies of some books of the shelf, as they were found by reading.
const READ: &str = "book\tbody_first\tbody_last\nGSILX10.txt\t269\t1522\nLAIDR10.txt\t262\t1136\nLMPLT10.txt\t265\t1067\n\
    RDDSK10.txt\t269\t796\nSketches_of_Young_Gentlemen.txt\t40\t1777\n";

/// Commands whose output is compared with a schema, by the name of its file.
const COMMANDS: [(&str, &str); 14] = [
    (
        "agree",
        "truth agree shelf --truth labels --truth others --format jsonl",
    ),
    ("alternation", "alternation shelf --format jsonl"),
    ("alternation", "alternation shelf --sites --format jsonl"),
    ("catalog", "catalog shelf --format jsonl"),
    ("check", "truth check shelf --truth labels --format jsonl"),
    ("check", "truth check shelf --truth others --format jsonl"),
    ("copies", "copies shelf --format jsonl"),
    ("detect", "detect shelf --format jsonl"),
    ("detect", "detect shelf --detector gap --format jsonl"),
    (
        "evaluate",
        "evaluate shelf --truth labels --compare --format jsonl",
    ),
    ("outline", "outline shelf --format jsonl"),
    (
        "record",
        "truth export shelf --truth labels --format jsonl --offsets",
    ),
    (
        "search",
        "search scanned shelf --in preamble,body --format jsonl",
    ),
    ("strip-check", "strip check bodies --format jsonl"),
];

/// The schema, with objects closed: keys may be added, but then the schema names them.
fn closed(schema: Value) -> Value {
    match schema {
        Value::Object(mut keys) => {
            let is_object = keys.get("type") == Some(&json!("object"));
            if is_object && keys.contains_key("properties") {
                keys.entry("additionalProperties").or_insert(json!(false));
            }
            keys.into_iter()
                .map(|(key, value)| (key, closed(value)))
                .collect()
        }
        Value::Array(items) => items.into_iter().map(closed).collect(),
        other => other,
    }
}

fn schema(name: &str) -> jsonschema::Validator {
    let path = root().join("docs/schema").join(format!("{name}.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    jsonschema::validator_for(&closed(schema)).expect("a schema")
}

/// A home with the shelf, the labels of two people, and bodies with something to find in them.
fn library() -> Home {
    let home = Home::new();
    let run = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        home.endpaper(&words).assert().success();
    };
    run("demo shelf");
    home.write("read.tsv", READ);
    home.write("other.tsv", READ.replace("265", "258"));
    run("truth import read.tsv shelf --truth labels");
    run("truth import other.tsv shelf --truth others --curator ben");
    run("strip shelf --out bodies");
    home.write("bodies/7256.txt", "");
    home.write(
        "bodies/LAIDR10.txt",
        "Produced by volunteers of Gutenberg.\n",
    );
    let broken = home.work().join("others/LMPLT10.txt.yaml");
    fs::copy(broken, home.work().join("others/copy.yaml")).expect("a second record");
    home
}

#[test]
fn json_output_is_as_its_schema_says() {
    let home = library();
    for (name, line) in COMMANDS {
        let schema = schema(name);
        let words: Vec<&str> = line.split_whitespace().collect();
        let output = home.endpaper(&words).output().expect("a run");
        let text = String::from_utf8(output.stdout).expect("text");
        for line in text.lines() {
            let object: Value = serde_json::from_str(line).expect("JSON");
            let errors = schema.iter_errors(&object);
            let errors: Vec<String> = errors
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            assert_eq!(errors, Vec::<String>::new(), "{name}: {line}");
        }
        assert!(!text.is_empty(), "{line} prints nothing");
    }
}

#[test]
fn every_schema_is_compared_with_output_and_in_the_manual() {
    let files = fs::read_dir(root().join("docs/schema")).expect("schemas");
    let files = files.map(|entry| entry.expect("a file").file_name().into_string());
    let files: BTreeSet<String> = files.map(|name| name.expect("a name")).collect();
    let compared = COMMANDS.iter().map(|(name, _)| format!("{name}.json"));
    assert_eq!(files, compared.collect());
    let chapter = fs::read_to_string(root().join("docs/src/formats.md")).expect("the chapter");
    for file in files {
        assert!(chapter.contains(&format!("`{file}`")), "{file}");
    }
}
