//! `endpaper detect` and `endpaper model` as a user runs them: results, messages, exit status.

use predicates::prelude::*;
use predicates::str::contains;

use crate::support::long_book;
use crate::support::world::World;

fn corpus() -> World {
    World::of((0..3).map(|number| (format!("books/{number}.txt"), long_book(number))))
}

#[test]
fn tsv_has_a_header_and_a_line_for_each_book_in_id_order() {
    let world = corpus();
    let output = world.run("detect books --detector gap --format tsv --model corpus -K 2");
    let stdout = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(
        lines[0],
        "book\tlines\tpreamble_end\tepilogue_start\tdoubt\tdetector\treasons"
    );
    for (number, line) in lines[1..].iter().enumerate() {
        let fields: Vec<&str> = line.split('\t').collect();
        assert_eq!(fields[0], format!("{number}.txt"));
        assert_eq!(fields[1..4], ["713", "12", "714"], "{line}");
        assert_eq!(fields[5], "gap");
    }
    assert_eq!(lines.len(), 4);
}

#[test]
fn the_second_run_prints_the_same_from_the_cache() {
    let world = corpus();
    let run = || {
        // Without a configured folder the program uses the system's.
        let mut command = world.command("detect books --format jsonl");
        command.env_remove("ENDPAPER_CACHE_DIR");
        command.output().unwrap().stdout
    };
    let first = run();
    let cache = world.path("../home/cache/endpaper");
    assert!(cache.exists() || cfg!(not(target_os = "linux")));
    assert_eq!(run(), first);
    assert!(!first.is_empty());
}

#[test]
fn number_of_books_without_boilerplate_is_said_unless_quiet() {
    let world = corpus();
    let plain = (0..60).map(|line| format!("This text has line {line} which no other text has.\n"));
    world.write("books/plain.txt", plain.collect::<String>());
    let detect = "detect books --detector gap --model corpus -K 2 --no-cache";
    let said = "no boilerplate found in 1 of 4 books";
    world.command(detect).assert().stderr(contains(said));
    world
        .command(&format!("{detect} -q"))
        .assert()
        .stderr(contains(said).not());
    world
        .command(&format!("{detect} --exclude plain.txt"))
        .assert()
        .stderr(contains("no boilerplate").not());
}

#[test]
fn a_book_that_cannot_be_read_is_named_and_the_status_says_so() {
    let world = corpus();
    world.write("books/2.txt", "");
    world
        .command("detect books --no-cache")
        .assert()
        .code(1)
        .stdout(contains("0.txt").and(contains("2.txt").not()))
        .stderr(contains("skipped '2.txt': is empty"))
        .stderr(contains(
            "the built-in model, because 2 books are fewer than the 200",
        ));
}

#[test]
fn wrong_use_ends_with_status_2_and_a_reason() {
    let world = corpus();
    world.write("bad.model", "no model");
    let cases = [
        ("detect missing", "missing"),
        ("detect --detector magic", "magic"),
        ("detect --structure magic", "there are crc64, exact"),
        ("detect books --model bad.model", "not a model file"),
        ("detect books --explain --format tsv", "--explain goes with"),
    ];
    for (arguments, expected) in cases {
        let assert = world.command(arguments).assert();
        assert.code(2).stdout("").stderr(contains(expected));
    }
}

#[test]
fn a_model_is_built_looked_into_and_used() {
    let world = corpus();
    world
        .command("model build books --out a.model")
        .assert()
        .code(0)
        .stderr(contains("12 lines of 3 books"));
    world
        .command("model info a.model")
        .assert()
        .code(0)
        .stdout(contains("distinct lines       12"));
    world
        .command("detect books --model a.model -K 2")
        .assert()
        .code(0)
        .stderr(contains("with the model 'a.model'"));
    world
        .command("model info built-in")
        .assert()
        .code(0)
        .stdout(contains("the built-in model"));
}

#[test]
fn json_lines_give_the_body_in_bytes_and_in_characters_and_name_what_is_left_out() {
    let world = World::of([]);
    // A first line where bytes and characters differ, then in all but the first text; a lone byte of windows-1252 stands in UTF-8.
    let latin = format!("Édition\n{}", long_book(1))
        .chars()
        .map(|c| c as u8)
        .collect();
    let mixed = format!("Édition 𝔬\n{}", long_book(2));
    let mixed = [mixed.as_bytes(), b"\r\n\x97 the end\r\n"].concat();
    let utf16 = format!("\u{feff}Édition\n{}", long_book(3));
    let utf16 = utf16.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (name, bytes) in [
        ("ascii", long_book(0).into_bytes()),
        ("latin-1", latin),
        ("mixed", mixed),
        ("utf-16", utf16),
        ("void", Vec::new()),
    ] {
        world.write(format!("books/{name}.txt"), bytes);
    }
    let gap = "--detector gap --model corpus -K 2 --no-cache";
    for (out, form) in [("bodies", ""), ("decoded", "--to-encoding utf-8")] {
        let strip = format!("strip books --out {out} --max-doubt 1 -q {gap} {form}");
        world.command(&strip).assert().code(1);
    }
    let found = world
        .command(&format!("detect books --format jsonl -q {gap}"))
        .assert();
    let stdout = found.code(1).get_output().stdout.clone();
    let rows: Vec<serde_json::Value> = String::from_utf8(stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let skipped = serde_json::json!({"book": "void.txt", "skipped": "is empty"});
    assert_eq!(rows[4], skipped);
    for row in &rows[..4] {
        let book = row["book"].as_str().unwrap();
        let at = |key: &str| usize::try_from(row[key].as_u64().unwrap()).unwrap();
        let source = world.bytes(format!("books/{book}"));
        assert_eq!(row["sha256"], endpaper_text::checksum::sha256(&source));
        assert_eq!(at("bytes"), source.len());
        let body = world.bytes(format!("bodies/{book}"));
        // strip keeps the blank line before it.
        let place = at("start_byte")..at("end_byte");
        assert!(body.ends_with(&source[place.clone()]), "{book}");
        assert!(body.len() - place.len() <= 2, "{book}");
        let decoded = world.text(format!("decoded/{book}"));
        let decoded = decoded.trim_start_matches('\n').chars().count();
        assert_eq!(decoded, at("end") - at("start"), "{book}");
    }
    let starts = |row: usize| {
        let at = |key: &str| rows[row][key].as_u64().unwrap();
        (at("start_byte"), at("start"))
    };
    let (ascii, _) = starts(0);
    assert_eq!(starts(0), (ascii, ascii));
    assert_eq!(starts(1), (ascii + 8, ascii + 8));
    assert_eq!(starts(2), (ascii + 14, ascii + 10));
    assert_eq!(starts(3), (2 + 2 * (ascii + 8), ascii + 8));
}
