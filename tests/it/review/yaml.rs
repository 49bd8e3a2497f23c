//! Records have the same meaning for other YAML readers.

use std::process::Command;

use endpaper_truth::Record;

use crate::review::sitting::{Desk, quit, wait_for_book};

/// Prints one line of JSON for a file, as PyYAML (YAML 1.1) and as ruamel.yaml (YAML 1.2) read it.
const READERS: [(&str, &str); 2] = [
    (
        "PyYAML",
        "import json, sys, yaml; data = yaml.safe_load(open(sys.argv[1], encoding='utf-8'))",
    ),
    (
        "ruamel.yaml",
        "import json, sys, ruamel.yaml; data = ruamel.yaml.YAML(typ='safe', pure=True).load(open(sys.argv[1], encoding='utf-8'))",
    ),
];

/// Returns a reader's result for a file; `None` if the reader is not installed.
fn read(modules: &str, path: &std::path::Path) -> Option<serde_json::Value> {
    let script = format!("{modules}; print(json.dumps(data))");
    let output = Command::new("python3")
        .args(["-c", &script])
        .arg(path)
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("ModuleNotFoundError") {
        return None;
    }
    assert!(output.status.success(), "{said}");
    Some(serde_json::from_slice(&output.stdout).expect("JSON of plain values"))
}

fn assert_same(reader: &str, record: &Record, found: &serde_json::Value) {
    let ours = serde_json::to_value(record).expect("JSON of a record");
    for key in [
        "schema",
        "book",
        "source",
        "kind",
        "verdict",
        "cuts",
        "alternatives",
        "inside",
        "hard",
        "flags",
        "note",
        "context",
    ] {
        assert_eq!(found[key], ours[key], "{reader}: {key}");
    }
    let reviews = found["reviews"].as_array().expect("a list");
    assert_eq!(reviews.len(), record.reviews.len(), "{reader}");
    for (theirs, ours) in reviews
        .iter()
        .zip(ours["reviews"].as_array().expect("a list"))
    {
        for key in [
            "by", "at", "seconds", "sitting", "drawn", "blind", "verdict", "cuts",
        ] {
            assert_eq!(theirs[key], ours[key], "{reader}: {key}");
        }
    }
}

#[test]
fn records_mean_the_same_to_pyyaml_and_ruamel() {
    let desk = Desk::with_books(3);
    desk.home
        .write("books/no.txt", crate::review::sitting::book(9));
    let terminal = desk.sit_with(&["--curator", "0x1F: no # ~ 1e3"], &[]);
    terminal.send("nno: \"yes\" # 'é' \\n {x} ~ [1] 12:30:45 \u{1f600}<Enter>");
    terminal.send("h");
    terminal.send("J<Enter>");
    terminal.wait_for_text("saved book-1.txt: corrected");
    wait_for_book(&terminal, 2, 4);
    terminal.send("<Tab>0<Enter>");
    terminal.wait_for_text("saved book-2.txt");
    wait_for_book(&terminal, 3, 4);
    terminal.send("wu");
    terminal.wait_for_text("saved book-3.txt: undecidable");
    terminal.wait_for_text("4/4 no.txt");
    terminal.send("n2026-11-21<Enter>");
    terminal.send("<Enter>");
    terminal.wait_for_text("saved no.txt: confirmed");
    quit(&terminal);
    let mut read_by = 0;
    for (reader, modules) in READERS {
        for book in ["book-1.txt", "book-2.txt", "book-3.txt", "no.txt"] {
            let record = desk.record(book).expect("a record");
            match read(modules, &desk.truth(&format!("{book}.yaml"))) {
                Some(found) => {
                    assert_same(reader, &record, &found);
                    read_by += 1;
                }
                None => crate::support::absent(reader),
            }
        }
    }
    let note = desk.record("book-1.txt").expect("a record").note;
    assert_eq!(note, "no: \"yes\" # 'é' \\n {x} ~ [1] 12:30:45 \u{1f600}");
    println!("{read_by} readings compared");
}
