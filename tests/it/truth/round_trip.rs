//! A thousand hostile records are exported and imported unchanged, and other readers agree on them.

use std::collections::HashMap;
use std::process::Command;

use endpaper_truth::{Record, Store, yaml};

use crate::support::world::World;
use crate::truth::hostile::Dice;

const RECORDS: usize = 1000;

fn records() -> Vec<Record> {
    let mut dice = Dice(5);
    (0..RECORDS).map(|number| dice.record(number)).collect()
}

fn files(world: &World, folder: &str) -> HashMap<String, Vec<u8>> {
    let store = Store::open(&world.path(folder)).unwrap();
    let records = store.records().unwrap().into_iter();
    records
        .map(|(path, record)| {
            let bytes = std::fs::read(store.folder().join(path)).unwrap();
            (record.unwrap().book, bytes)
        })
        .collect()
}

#[test]
fn a_thousand_hostile_records_come_back_byte_for_byte() {
    let world = World::of_three_books();
    for record in &records() {
        world.save("a", record);
    }
    let before = files(&world, "a");
    assert_eq!(before.len(), RECORDS);
    for format in ["yaml", "jsonl"] {
        world
            .command(&format!("truth export --truth a --out out.{format}"))
            .assert()
            .code(0)
            .stderr("");
        world
            .command(&format!("truth import out.{format} --truth {format}"))
            .assert()
            .code(0)
            .stdout("imported 1,000 records, 0 unchanged, 0 refused\n")
            .stderr("");
        assert!(files(&world, format) == before, "{format}");
        world
            .command(&format!("truth import out.{format} --truth a"))
            .assert()
            .code(0)
            .stdout("imported 0 records, 1,000 unchanged, 0 refused\n");
    }
    // Checking changes nothing and finds no defects.
    let said = world
        .command("truth check --truth a --records-only")
        .output()
        .unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    assert!(said.contains("1,000 records: 0 errors"), "{said}");
    assert!(files(&world, "a") == before);
}

/// Prints a line of JSON for each document of a file; exits with 77 if the reader is not installed.
const READERS: [(&str, &str); 2] = [
    (
        "PyYAML",
        "
try: import yaml
except ImportError: sys.exit(77)
documents = yaml.safe_load_all(text)",
    ),
    (
        "ruamel.yaml",
        "
try: from ruamel.yaml import YAML
except ImportError: sys.exit(77)
documents = YAML(typ='safe', pure=True).load_all(text)",
    ),
];

#[test]
fn other_readers_see_the_same_values() {
    let world = World::of_three_books();
    let records = records();
    let text: String = records
        .iter()
        .map(|record| format!("---\n{}", yaml::write(record)))
        .collect();
    world.write("records.yaml", &text);
    for (name, reader) in READERS {
        let script = format!(
            "import json, sys\ntext = open(sys.argv[1], encoding='utf-8', newline='').read(){reader}\nfor document in documents: print(json.dumps(document))"
        );
        let output = Command::new("python3")
            .args(["-c", &script])
            .arg(world.path("records.yaml"))
            .output();
        let Ok(output) = output else {
            crate::support::absent("python3");
            return;
        };
        if output.status.code() == Some(77) {
            crate::support::absent(name);
            continue;
        }
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {said}");
        let read = String::from_utf8(output.stdout).unwrap();
        let read: Vec<&str> = read.lines().collect();
        assert_eq!(read.len(), RECORDS, "{name}");
        for (theirs, ours) in read.iter().zip(&records) {
            let theirs: serde_json::Value = serde_json::from_str(theirs).unwrap();
            assert_eq!(theirs, serde_json::to_value(ours).unwrap(), "{name}");
        }
    }
}
