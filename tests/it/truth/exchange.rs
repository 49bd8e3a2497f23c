//! Import and export of records.

use predicates::prelude::*;
use predicates::str::contains;

use crate::support::world::World;
use crate::truth::records::RIGHT;

const LABELS: &str = "\
book\tbody_first\tbody_last\talt_first\thard\treasons\tnote\tkind\tera
0.txt\t14\t713\t-\t0\t-\t-\tbook\t-
1.txt\t14\t700\t12\t1\tads,other\tit's \"hard\"\tbook\told
2.txt\t1\t713\t-\t0\t-\t-\tindex\t-
";

#[test]
fn labels_come_in_and_go_out_as_they_were() {
    let world = World::of_three_books();
    world.write("labels.tsv", LABELS);
    world
        .command("truth import labels.tsv books --curator ms")
        .assert()
        .code(0)
        .stdout("imported 3 records, 0 unchanged, 0 refused\n");
    let out = world.stdout("truth export books --format tsv");
    let without_sha256: Vec<String> = out
        .lines()
        .map(|line| {
            let mut cells: Vec<&str> = line.split('\t').collect();
            // Columns that the labels do not have.
            cells.remove(5);
            cells.remove(1);
            cells.join("\t") + "\n"
        })
        .collect();
    assert_eq!(without_sha256.concat(), LABELS);
    world.write("again.tsv", &out);
    world
        .command("truth import again.tsv books")
        .assert()
        .code(0)
        .stdout("imported 0 records, 3 unchanged, 0 refused\n");
    let record = &world.records("endpaper-truth")[0];
    assert_eq!((record.cuts, record.reviews[0].by.as_str()), (RIGHT, "ms"));
    world.stdout("truth export books --out wide.csv --card CARD.md");
    world
        .command("truth import wide.csv books --truth wide")
        .assert()
        .code(0);
    assert_eq!(world.records("wide"), world.records("endpaper-truth"));
    assert!(
        world
            .text("CARD.md")
            .contains("3 records, 3 decided, 1 hard")
    );
}

#[test]
fn formulas_are_texts_for_spreadsheets_on_request_and_come_back() {
    let world = World::of_three_books();
    let labels = "book\tbody_first\tbody_last\tnote\n0.txt\t14\t713\t=HYPERLINK(\"x\")\n1.txt\t14\t700\t'+1\n2.txt\t1\t713\t@x\n";
    world.write("labels.tsv", labels);
    world.stdout("truth import labels.tsv books --truth before --curator ms");
    for format in ["csv", "tsv"] {
        let safe = format!("safe.{format}");
        let plain = format!("plain.{format}");
        world.stdout(&format!(
            "truth export books --truth before --spreadsheet-safe --out {safe}"
        ));
        world.stdout(&format!("truth export books --truth before --out {plain}"));
        let cells: Vec<String> = world
            .text(&safe)
            .split(['\n', '\t', ','])
            .map(|cell| cell.trim_matches('"').to_owned())
            .collect();
        let runs = |cell: &&String| {
            cell.starts_with(['=', '+', '@']) || (cell.starts_with('-') && cell.len() > 1)
        };
        assert_eq!(cells.iter().find(runs), None, "{format}");
        assert!(
            cells.iter().any(|cell| cell.starts_with("'=HYPERLINK")),
            "{format}"
        );
        for (file, folder) in [(&safe, "again"), (&plain, "plain")] {
            let into = format!("{folder}-{format}");
            world.stdout(&format!(
                "truth import {file} books --truth {into} --curator ms"
            ));
            let notes = |folder: &str| {
                let records = world.records(folder).into_iter();
                records.map(|record| record.note).collect::<Vec<_>>()
            };
            assert_eq!(notes(&into), notes("before"), "{file}");
        }
    }
    world
        .command("truth export --truth before --spreadsheet-safe --format yaml")
        .assert()
        .code(2)
        .stderr(contains("--spreadsheet-safe goes with csv and tsv"));
}

#[test]
fn what_is_refused_is_named_with_its_line_and_the_rest_is_taken() {
    let world = World::of_three_books();
    let labels = "book\tbody_first\tbody_last\n0.txt\t14\t713\n1.txt\t13\t713\nx.txt\t1\t2\n2.txt\t14\n0.txt\t14\t713\n";
    world.write("labels.tsv", labels);
    world
        .command("truth import labels.tsv books --dry-run")
        .assert()
        .code(1)
        .stdout("would import 1 records, 0 unchanged, 4 refused\n");
    assert!(!world.path("endpaper-truth").exists());
    world
        .command("truth import labels.tsv books")
        .assert()
        .code(1)
        .stdout("imported 1 records, 0 unchanged, 4 refused\n")
        .stderr(contains("labels.tsv:3:1: body_first 13 is a blank line"))
        .stderr(contains("labels.tsv:4:1: the corpus has no book 'x.txt'"))
        .stderr(contains("labels.tsv:5:1: has 2 cells, the header has 3"))
        .stderr(contains("labels.tsv:6:1: '0.txt' is there twice"));
    // Existing files are never overwritten.
    let before = world.records("endpaper-truth");
    world.write("other.tsv", "book\tbody_first\tbody_last\n0.txt\t15\t713\n");
    world
        .command("truth import other.tsv books")
        .assert()
        .code(2)
        .stderr(contains(
            "other.tsv:2:1: '0.txt' has another record already",
        ));
    assert_eq!(world.records("endpaper-truth"), before);
}

#[test]
fn whole_records_are_checked_too() {
    let world = World::of_three_books();
    world.save("a", &world.record(0, RIGHT, "ms"));
    let good = world.stdout("truth export --truth a");
    assert_eq!(world.stdout("truth export books --truth a"), good);
    let bad = good.replace("preamble_end: 12,", "preamble_end: 9999,");
    let other = good
        .replace("sha256: \"", "sha256: \"00")
        .replace("0.txt", "1.txt");
    world.write("in.yaml", format!("{bad}{other}---\nschema: 7\n"));
    world
        .command("truth import in.yaml --truth b")
        .assert()
        .code(2)
        .stderr(contains(
            "in.yaml:1:1: cuts: preamble_end 9999 is outside the 713 lines",
        ))
        .stderr(contains("schema 7 was written by a newer endpaper"))
        .stderr(contains("it has 64 hexadecimal digits"));
    world.write("changed.yaml", good.replace("0.txt", "1.txt"));
    world
        .command("truth import changed.yaml books --truth b")
        .assert()
        .code(2)
        .stderr(contains("'1.txt' changed since it was decided"));
}

#[test]
fn export_holds_the_records_that_the_globs_leave() {
    let world = World::of_three_books();
    for number in 0..2 {
        world.save("a", &world.record(number, RIGHT, "ms"));
    }
    let one = world.stdout("truth export --truth a --include 1.txt --format jsonl");
    assert!(one.contains("1.txt") && one.lines().count() == 1, "{one}");
    let other = world.stdout("truth export books --truth a --exclude 1.txt --format tsv");
    assert!(
        other.contains("0.txt") && !other.contains("1.txt"),
        "{other}"
    );
    let mut nothing = world.command("truth export books --truth a --include zz --format tsv");
    let sentence = "none of the 2 records in 'a' is left by --include and --exclude";
    nothing
        .assert()
        .code(2)
        .stdout("")
        .stderr(contains(sentence));
}

#[test]
fn wrong_use_is_named() {
    let world = World::of_three_books();
    world.save("a", &world.record(0, RIGHT, "ms"));
    world.write("there.yaml", "mine");
    world.write("empty.yaml", "# nothing\n");
    world.write("plain", "x");
    let table = [
        (
            "truth export --truth a --out there.yaml",
            "'there.yaml' exists; name another file, or --force",
        ),
        (
            "truth export books --truth a --format tsv --out new.tsv --card there.yaml",
            "'there.yaml' exists; name another file, or --force",
        ),
        ("truth export a", "needs no corpus"),
        (
            "truth export books --truth a --format tsv --offsets",
            "the columns of tsv are fixed",
        ),
        ("truth export --truth nowhere", "'nowhere' does not exist"),
        ("truth export --truth plain", "'plain' is a file"),
        (
            "truth export --truth a --format xml",
            "use one of yaml, jsonl, tsv, csv",
        ),
        ("truth import plain", "does not say the format"),
        ("truth import missing.yaml", "'missing.yaml' cannot be read"),
        ("truth import empty.yaml", "holds no record"),
        ("truth import plain --format tsv books", "no column 'book'"),
    ];
    for (words, message) in table {
        let assert = world.command(words).assert();
        assert.code(2).stdout("").stderr(contains(message));
    }
    assert_eq!(world.text("there.yaml"), "mine");
}

#[test]
fn a_name_that_tells_another_format_is_refused() {
    let world = World::of_three_books();
    world.save("a", &world.record(0, RIGHT, "ms"));
    for name in ["x.json", "x.parquet", "x.tsv.gz", "x.txt"] {
        world
            .command(&format!("truth export --truth a --out {name}"))
            .assert()
            .code(2)
            .stderr(contains(format!(
                "the name '{name}' does not say the format"
            )))
            .stderr(contains(".yaml, .jsonl, .tsv or .csv"));
        assert!(!world.path(name).exists());
    }
    world.stdout("truth export --truth a --out x.json --format jsonl");
    assert!(world.text("x.json").starts_with("{\"schema\":1"));
    world.stdout("truth export --truth a --out labels");
    assert!(world.text("labels").starts_with("---\n"));
}

#[test]
fn a_record_that_cannot_go_out_is_named_and_the_rest_goes() {
    let world = World::of_three_books();
    world.save("a", &world.record(0, RIGHT, "ms"));
    world.save("a", &world.record(1, RIGHT, "ms"));
    world.write("a/broken.yaml", "schema: 1\nbook: [\n");
    world.write("books/1.txt", "another text\n");
    world
        .command("truth export books --truth a --format tsv")
        .assert()
        .code(1)
        .stdout(contains("0.txt\t").and(contains("1.txt\t").not()))
        .stderr(contains("skipping 'a/broken.yaml': line 3"))
        .stderr(contains(
            "skipping '1.txt': '1.txt' changed since it was decided",
        ));
    world
        .command("truth export --truth a")
        .assert()
        .code(1)
        .stdout(contains("0.txt").and(contains("1.txt")));
}

#[test]
fn offsets_point_at_the_body() {
    let world = World::of_three_books();
    world.save("a", &world.record(0, RIGHT, "ms"));
    let line = world.stdout("truth export books --truth a --format jsonl --offsets");
    let json: serde_json::Value = serde_json::from_str(&line).unwrap();
    let at = |key: &str| json["offsets"][key].as_u64().unwrap() as usize;
    let book = crate::support::long_book(0);
    let body = &book[at("body_start")..at("body_end")];
    assert!(body.starts_with("Book 0 says in line 0 ") && body.ends_with("no other book says.\n"));
    assert_eq!(at("body_end"), book.len());
}
