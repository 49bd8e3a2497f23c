//! `endpaper model count --rows` and `endpaper model import` as run by a user, or an engine that sums rows.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};

use crate::support::small_book;
use crate::support::world::World;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use predicates::prelude::*;
use predicates::str::contains;

/// Thirty books of one licence, and lists of their paths: `all`, and `0` to `2` of ten each.
fn world() -> World {
    let mut files: Vec<(String, String)> = (0..30)
        .map(|number| (format!("books/{number:02}.txt"), small_book(number % 29)))
        .collect();
    for (list, range) in [("all", 0..30), ("0", 0..10), ("1", 10..20), ("2", 20..30)] {
        let paths = range.map(|number| format!("books/{number:02}.txt\n"));
        files.push((list.to_owned(), paths.collect()));
    }
    World::of(files)
}

fn count(world: &World, options: &str) {
    for list in 0..3 {
        world.run(&format!(
            "model count --files-from {list} --rows -q {options} --force --out {list}.tsv.gz"
        ));
    }
}

fn rows(world: &World, name: &str) -> String {
    let mut text = String::new();
    let bytes = world.bytes(name);
    GzDecoder::new(&bytes[..])
        .read_to_string(&mut text)
        .unwrap();
    text
}

fn write(world: &World, name: &str, rows: &str) {
    let path = world.path(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut gzip = GzEncoder::new(fs::File::create(path).unwrap(), Compression::fast());
    gzip.write_all(rows.as_bytes()).unwrap();
    gzip.finish().unwrap();
}

fn refused(world: &World, arguments: &str, expected: &[&str]) {
    let mut assert = world.command(arguments).assert().code(2).stdout("");
    for expected in expected {
        assert = assert.stderr(contains(*expected));
    }
    assert.stderr(contains("panicked").not());
    assert!(!world.path("never").exists(), "{arguments}");
}

#[test]
fn rows_of_shards_become_the_model_that_is_built_at_once() {
    let world = world();
    for ends in ["", "--separate-ends"] {
        count(&world, ends);
        for books in ["", "--count-books"] {
            world.run(&format!(
                "model import 0.tsv.gz 1.tsv.gz 2.tsv.gz {books} -q --force --part --out a.part"
            ));
            world.run("model merge a.part -q --texts 0 --force --out merged.model");
            world.run(&format!(
                "model import 2.tsv.gz 0.tsv.gz 1.tsv.gz {books} -q --texts 0 --force --out imported.model"
            ));
            world.run(&format!(
                "model build --files-from all {ends} {books} -q --no-cache --texts 0 --force --out built.model"
            ));
            for model in ["merged.model", "imported.model"] {
                let same = world.bytes(model) == world.bytes("built.model");
                assert!(same, "{ends} {books} {model}");
            }
        }
    }
}

#[test]
fn rows_are_the_same_bytes_whatever_memory_threads_and_outlet() {
    let world = world();
    world.run("model count --files-from all --rows -q --threads 1 --out a.tsv.gz");
    world.run("model count --files-from all --rows -q --threads 2 --memory 1M --out b.tsv.gz");
    let list = world.bytes("all");
    let mut piped = world.command("model count --files-from - --rows -q");
    let piped = piped.write_stdin(list).output().unwrap().stdout;
    assert!(world.bytes("a.tsv.gz") == world.bytes("b.tsv.gz"));
    assert!(world.bytes("a.tsv.gz") == piped);
    let rows = rows(&world, "a.tsv.gz");
    assert!(rows.lines().all(|row| row.split('\t').count() == 6));
    let last = rows.lines().last().unwrap();
    assert!(last.starts_with("shard\t-\t30\t") && last.contains("head=300 tail=300 ends=together"));
}

/// Sums rows as an engine does, into two files; lines that occur fewer than `below` times become one row.
fn sum(world: &World, below: i64) {
    let mut sums: BTreeMap<(String, i64), (i64, i64, String)> = BTreeMap::new();
    let mut others = String::new();
    for shard in 0..3 {
        for row in rows(world, &format!("{shard}.tsv.gz")).lines() {
            let columns: Vec<&str> = row.split('\t').collect();
            if columns[0] != "exact" {
                others += &format!("{row}\n");
                continue;
            }
            let number = |place: usize| columns[place].parse::<i64>().unwrap();
            let sum = sums.entry((columns[1].to_owned(), number(2))).or_default();
            sum.0 += number(3);
            sum.1 += number(4);
            if sum.2.is_empty() {
                sum.2 = columns[5].to_owned();
            }
        }
    }
    let (mut pruned, mut kept) = ((0, 0), String::new());
    for ((end, key), (count, books, text)) in sums {
        if count < below {
            pruned = (pruned.0 + count, pruned.1 + books);
        } else {
            kept += &format!("exact\t{end}\t{key}\t{count}\t{books}\t{text}\n");
        }
    }
    if below > 1 {
        kept += &format!("pruned\tboth\t{below}\t{}\t{}\t\n", pruned.0, pruned.1);
    }
    let middle = kept[..kept.len() / 2].rfind('\n').unwrap() + 1;
    write(world, "summed/part-0.txt.gz", &kept[..middle]);
    write(
        world,
        "summed/part-1.txt.gz",
        &(kept[middle..].to_owned() + &others),
    );
    fs::write(world.path("summed/_SUCCESS"), "").unwrap();
    fs::write(world.path("summed/.part-0.txt.gz.crc"), "crc").unwrap();
}

#[test]
fn summed_rows_are_a_folder_and_may_lack_rare_lines() {
    let world = world();
    count(&world, "");
    world.run("model build --files-from all -q --no-cache --texts 0 --force --out built.model");
    sum(&world, 1);
    world.run("model import summed -q --part --out a.part");
    world.run("model merge a.part -q --texts 0 --force --out merged.model");
    assert!(world.bytes("merged.model") == world.bytes("built.model"));
    sum(&world, 2);
    world.run("model import summed -q --texts 0 --force --out imported.model");
    assert!(world.bytes("imported.model") == world.bytes("built.model"));
    // A lower --min-count cannot recover the omitted lines.
    world.run("model import summed -q --min-count 1 --texts 0 --force --out imported.model");
    assert!(world.bytes("imported.model") == world.bytes("built.model"));
    refused(
        &world,
        "model import summed --part --out never",
        &[
            "leave out lines that occur fewer than 2 times",
            "make a model",
        ],
    );
    refused(
        &world,
        "model import summed --count-books --out never",
        &["without --count-books"],
    );
    fs::remove_file(world.path("summed/part-0.txt.gz")).unwrap();
    refused(
        &world,
        "model import summed --out never",
        &["occurrences of lines", "rows are missing"],
    );
}

#[test]
fn rows_that_do_not_belong_together_are_refused_by_name() {
    let world = world();
    count(&world, "");
    world.run("model count --files-from 1 --rows -q --head 200 --out head.tsv.gz");
    refused(
        &world,
        "model import 0.tsv.gz head.tsv.gz --out never",
        &[
            "different ways",
            "head=200",
            "head=300",
            "'0.tsv.gz'",
            "'head.tsv.gz'",
        ],
    );
    let version = concat!("endpaper=", env!("CARGO_PKG_VERSION"));
    let rows_of_1 = rows(&world, "1.tsv.gz");
    write(
        &world,
        "other.tsv.gz",
        &rows_of_1.replace(version, "endpaper=9.9.9"),
    );
    refused(
        &world,
        "model import 0.tsv.gz other.tsv.gz --out never",
        &["different ways", "endpaper=9.9.9", version],
    );
    write(
        &world,
        "old.tsv.gz",
        &rows_of_1.replace("preprocessing=", "preprocessing=9"),
    );
    refused(
        &world,
        "model import old.tsv.gz --out never",
        &[
            "preprocessed by version 9",
            "import them with the program that counted them",
        ],
    );
    refused(
        &world,
        "model import 0.tsv.gz 1.tsv.gz 0.tsv.gz --out never",
        &["10 books are there twice", "'books/0", "--allow-repeats"],
    );
    world.run("model import 0.tsv.gz 0.tsv.gz --allow-repeats -q --part --out twice.part");
    let (short, _) = rows_of_1.split_at(rows_of_1.rfind("shard\t").unwrap());
    write(&world, "short.tsv.gz", short);
    refused(
        &world,
        "model import short.tsv.gz --out never",
        &["of the kind 'shard' are missing"],
    );
    refused(
        &world,
        "model import 0.tsv.gz short.tsv.gz --out never",
        &["rows are missing or there twice"],
    );
    write(&world, "cut.tsv.gz", &rows_of_1[..rows_of_1.len() / 2]);
    refused(
        &world,
        "model import cut.tsv.gz --out never",
        &["line ", "'cut.tsv.gz'"],
    );
    let gzip = world.bytes("1.tsv.gz");
    fs::write(world.path("half.tsv.gz"), &gzip[..gzip.len() / 2]).unwrap();
    refused(
        &world,
        "model import half.tsv.gz --out never",
        &["'half.tsv.gz' cannot be read"],
    );
    world.run("model build --files-from all -q --no-cache --out a.model");
    refused(&world, "model import a.model --out never", &["'a.model'"]);
    refused(
        &world,
        "model import nowhere --out never",
        &["'nowhere' cannot be read"],
    );
    fs::create_dir(world.path("empty")).unwrap();
    refused(
        &world,
        "model import empty --out never",
        &["'empty' holds no rows"],
    );
}

#[test]
fn wrong_use_is_told() {
    let world = world();
    refused(&world, "model count books", &["--out"]);
    refused(
        &world,
        "model count books --rows --structure exact --out never",
        &["--structure"],
    );
    refused(
        &world,
        "model count books --rows --count-books --out never",
        &["--count-books"],
    );
    refused(
        &world,
        "model count books --rows --memory 1K --out never",
        &["1K", "at least 1M"],
    );
    refused(
        &world,
        "model count books --rows --memory 9223372036854775807 --out never",
        &["at most 1"],
    );
    refused(
        &world,
        "model count books --rows --out nowhere/never",
        &["'nowhere/never' cannot be written"],
    );
    count(&world, "");
    refused(
        &world,
        "model import 0.tsv.gz --part --min-count 3 --out never",
        &["--part"],
    );
}

#[test]
fn books_that_cannot_be_read_are_rows_and_named_in_the_end() {
    let world = world();
    fs::write(world.path("books/03.txt"), "").unwrap();
    fs::write(
        world.path("books/13.txt"),
        [b"\x7fELF".as_slice(), &[0; 500]].concat(),
    )
    .unwrap();
    for (list, code) in [("0", 1), ("1", 1), ("2", 0)] {
        let counted = format!("model count --files-from {list} --rows -q --out {list}.tsv.gz");
        world.command(&counted).assert().code(code);
    }
    world
        .command("model import 0.tsv.gz 1.tsv.gz 2.tsv.gz --part --out a.part")
        .assert()
        .code(1)
        .stderr(contains("skipped by its shard: 'books/03.txt': is empty"))
        .stderr(contains(
            "skipped by its shard: 'books/13.txt': is not a text",
        ))
        .stderr(contains("of 28 books"));
    // A shard without readable books does not end a run over several.
    fs::write(world.path("none"), "books/03.txt\nbooks/nowhere.txt\n").unwrap();
    let none = world
        .command("model count --files-from none --rows -q --out none.tsv.gz")
        .output()
        .unwrap();
    assert_eq!(none.status.code(), Some(1));
    assert!(rows(&world, "none.tsv.gz").contains("unreadable\t-\t0\t0\t0\t'books/nowhere.txt'"));
    world
        .command("model import 2.tsv.gz none.tsv.gz --part --out b.part")
        .assert()
        .code(1)
        .stderr(contains("books/nowhere.txt"));
    refused(
        &world,
        "model import none.tsv.gz --out never",
        &["no book that could be read"],
    );
}
