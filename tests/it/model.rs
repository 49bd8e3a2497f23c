//! `endpaper model` as a user runs it: merged parts equal a model built directly, refusals, tables of frequent lines.

use std::fs;

use crate::support::long_book;
use crate::support::world::World;
use predicates::prelude::*;
use predicates::str::contains;

/// A folder with books of one licence in three subfolders, and a cache folder next to it.
fn world() -> World {
    World::of((0..30).map(|number| {
        let name = format!("books/{}/{number}.txt", number % 3);
        (name, book(number))
    }))
}

fn refused(world: &World, arguments: &str, expected: &[&str]) {
    let mut assert = world.command(arguments).assert().code(2).stdout("");
    for expected in expected {
        assert = assert.stderr(contains(*expected));
    }
    assert.stderr(contains("panicked").not());
}

/// A longer book, with the first line of its licence twice; every third book ends with a credit line.
fn book(number: usize) -> String {
    let mut text =
        "Line 0 of a licence that stands in every book.\n".to_owned() + &long_book(number);
    if number.is_multiple_of(3) {
        text += "\nThis book was typed by a hand that typed others as well.\n";
    }
    text
}

const STRUCTURES: [&str; 5] = ["crc64", "exact", "external", "hashed:bits=20", "hot-items"];

#[test]
fn parts_merge_into_the_model_that_is_built_at_once() {
    let world = world();
    for structure in STRUCTURES {
        let options = format!("--structure {structure} --threads 2 -q");
        for shelf in 0..3 {
            // The ids are those of the whole corpus: folders are excluded rather than given.
            let others = (0..3).filter(|other| *other != shelf);
            let exclude: String = others.map(|n| format!(" --exclude {n}/*")).collect();
            world.run(&format!(
                "model count books {options}{exclude} --force --out {shelf}.part"
            ));
        }
        world.run("model merge 0.part 1.part 2.part --force --out merged.model");
        world.run("model merge 0.part 2.part --part --force --out 02.part");
        world.run("model merge 1.part 02.part --force --out again.model");
        world.run(&format!(
            "model build books {options} --force --out built.model"
        ));
        let digest = |model: &str| {
            let facts = world.stdout(&format!("model info {model}"));
            let line = facts.lines().find(|line| line.starts_with("digest"));
            line.unwrap().to_owned()
        };
        for model in ["merged.model", "again.model"] {
            // Counts of hot items depend on the order of merging, and the texts in parts on their number of lines.
            if structure != "hot-items" {
                assert_eq!(digest(model), digest("built.model"), "{structure}");
            }
            if ["crc64", "exact", "external"].contains(&structure) {
                assert!(
                    world.bytes(model) == world.bytes("built.model"),
                    "{structure}"
                );
            }
        }
        // The licence is found with every model and structure.
        for model in ["merged.model", "again.model", "built.model"] {
            let table = world.stdout(&format!("model info {model} --top 1"));
            assert!(
                table.contains("Line 0 of a licence"),
                "{structure}: {table}"
            );
            let tsv = world.stdout(&format!(
                "detect books --detector gap --no-opinions --model {model} -K 10 --format tsv --no-cache -q"
            ));
            let cuts = tsv.lines().skip(1).map(|line| line.split('\t').nth(2));
            assert!(cuts.clone().count() == 30 && cuts.flatten().all(|cut| cut == "13"));
        }
    }
}

#[test]
fn ways_of_counting_are_told_apart() {
    let world = world();
    let cases = [
        ("", "60", "10"),
        ("--count-books", "30", "10"),
        ("--separate-ends", "60", "10"),
        ("--separate-ends --count-books", "30", "10"),
    ];
    for (options, licence, credit) in cases {
        world.run(&format!(
            "model build books {options} -q --force --out a.model"
        ));
        let tables = world.stdout("model info a.model --top 20");
        let row = |text: &str| {
            let rows = tables.lines().filter(|row| row.ends_with(text));
            rows.map(|row| row.split_whitespace().next().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            row("Line 0 of a licence that stands in every book."),
            [licence],
            "{options}"
        );
        assert_eq!(
            row("that typed others as well."),
            [credit],
            "{options}: {tables}"
        );
        let apart = options.contains("separate");
        assert_eq!(tables.contains("in heads  line"), apart);
        assert_eq!(tables.contains("in tails  line"), apart);
        if apart {
            let (heads, tails) = tables.split_once("in tails").unwrap();
            assert!(heads.contains("licence") && !heads.contains("typed"));
            assert!(!tails.contains("licence") && tails.contains("typed"));
        }
    }
    let facts = world.stdout("model info a.model");
    for fact in [
        "once for each book",
        "heads and tails apart",
        "fewer than 2",
    ] {
        assert!(facts.contains(fact), "{facts}");
    }
}

#[test]
fn refusals_name_the_repair() {
    let world = world();
    world.run("model build books -q --out a.model");
    world.run("model count books -q --out a.part");
    world.run("model count books -q --head 20 --out short.part");
    world.run("model count books -q --count-books --out books.part");
    world.run("model build books -q --min-count 20 --out pruned.model");
    world.run("model build books -q --structure hashed:bits=20 --out hashed.model");
    world.run("model build books -q --head 20 --out short.model");
    let mut damaged = world.bytes("a.part");
    damaged[100] ^= 1;
    fs::write(world.path("damaged.part"), &damaged).unwrap();
    fs::write(world.path("cut.part"), &damaged[..damaged.len() / 2]).unwrap();
    fs::write(world.path("foreign.part"), "no part").unwrap();
    let cases: &[(&str, &[&str])] = &[
        (
            "model merge a.model --out b.model",
            &["'a.model'", "endpaper model count CORPUS --out PART"],
        ),
        (
            "detect books --model a.part",
            &["'a.part'", "endpaper model merge PART --out MODEL"],
        ),
        (
            "model merge a.part a.part --out b.model",
            &["30 of the 30 books of 'a.part'", "--allow-repeats"],
        ),
        (
            "model merge a.part short.part --out b.model",
            &["the head window is '300' in the first and '20' in the second"],
        ),
        (
            "model merge a.part books.part --out b.model",
            &["every occurrence", "once for each book"],
        ),
        ("model merge damaged.part --out b.model", &["checksum"]),
        ("model merge cut.part --out b.model", &["ends too early"]),
        ("model merge foreign.part --out b.model", &["not a part"]),
        ("model merge gone.part --out b.model", &["'gone.part'"]),
        ("model merge a.part --out a.part", &["one of the parts"]),
        (
            "detect books --model pruned.model",
            &[
                "a threshold of 10 is too low",
                "it is at least 19",
                "-K sets",
            ],
        ),
        (
            "detect books --model a.model --count-books",
            &["'a.model' does not fit", "or leave out --count-books"],
        ),
        (
            "detect books --model built-in --separate-ends",
            &["counted together", "or leave out --separate-ends"],
        ),
        (
            "detect books --model corpus+hashed.model",
            &["cannot be added", "use another structure"],
        ),
        (
            "detect books --model corpus+short.model",
            &[
                "cannot be added",
                "the head window is '300' in one and '20'",
            ],
        ),
        ("detect books --model corpus+corpus", &["is there twice"]),
        ("detect books --model auto+corpus", &["name 'corpus'"]),
        ("detect books --model corpus+", &["missing beside '+'"]),
        ("detect books -K 0", &["write a whole number from 1 on"]),
        ("detect books --head 0", &["write a whole number from 1 on"]),
        (
            "model count books --out a --tail 0",
            &["write a whole number from 1 on"],
        ),
        (
            "model build books --structure hashed --scale-to 1000 --out b.model",
            &["cannot be scaled"],
        ),
    ];
    for (arguments, expected) in cases {
        refused(&world, arguments, expected);
    }
    assert!(!world.path("b.model").exists());
}

#[test]
fn repeated_books_count_twice_when_that_is_allowed() {
    let world = world();
    world.run("model count books -q --out a.part");
    world.run("model merge a.part a.part --allow-repeats --out b.model");
    let table = world.stdout("model info b.model --top 1");
    assert!(table.contains("120  Line 0"), "{table}");
}

#[test]
fn a_part_says_that_it_is_one() {
    let world = world();
    world.run("model count books -q --out a.part");
    let facts = world.stdout("model info a.part");
    assert!(facts.contains("a part, for 'endpaper model merge'"));
    // The part contains lines that occur once.
    assert!(facts.contains("left out             no lines"), "{facts}");
    let table = world.stdout("model info a.part --top 2");
    assert!(table.contains("60  Line 0"), "{table}");
}

#[test]
fn hot_items_are_the_same_on_any_number_of_threads() {
    let world = world();
    let options = "--structure hot-items:counters=40 -q --no-cache --min-count 1 --texts 0";
    world.run(&format!(
        "model build books {options} --threads 1 --out one.model"
    ));
    for threads in [2, 3, 5, 2, 3, 5] {
        world.run(&format!(
            "model build books {options} --threads {threads} --force --out more.model"
        ));
        assert!(
            world.bytes("one.model") == world.bytes("more.model"),
            "{threads} threads"
        );
    }
    let detect = "detect books --detector gap --model corpus --structure hot-items:counters=40 --no-cache --format tsv -q";
    let one = world.stdout(&format!("{detect} --threads 1"));
    for threads in [2, 3, 5] {
        assert_eq!(world.stdout(&format!("{detect} --threads {threads}")), one);
    }
}

#[test]
fn texts_of_the_most_frequent_lines_are_kept_wherever_they_stand() {
    // Texts are kept for every second of 300 books, and the frequent lines are in the others.
    let world = World::of((0..300).map(|number| {
        let text = match number % 2 {
            0 => format!("Book {number} has a line of its own that is long enough.\n"),
            _ => (0..20)
                .map(|line| format!("Line {line} of a licence that stands in every second book.\n"))
                .collect(),
        };
        (format!("books/{number:03}.txt"), text)
    }));
    world.run("model build books -q --no-cache --texts 20 --out a.model");
    let facts = world.stdout("model info a.model");
    assert!(facts.contains("texts                20\n"), "{facts}");
    let top = world.run("model info a.model --top 20");
    assert!(!String::from_utf8_lossy(&top.stdout).contains("[key "));
    assert!(top.stderr.is_empty());
}

#[test]
fn nothing_that_exists_is_written_over_without_force() {
    let world = world();
    world.run("model count books -q --out a.part");
    world.run("model count books -q --rows --out rows.tsv.gz");
    fs::write(world.path("precious"), "years of work").unwrap();
    for command in [
        "model build books --out precious",
        "model count books --out precious",
        "model count books --rows --out precious",
        "model merge a.part --out precious",
        "model merge a.part --part --out precious",
        "model import rows.tsv.gz --out precious",
        "model import rows.tsv.gz --part --out precious",
        "model fit books --out precious",
        "model fit books --out w.tsv --out-of-fold precious",
    ] {
        refused(&world, command, &["'precious' exists; ", "--force"]);
        assert_eq!(world.text("precious"), "years of work", "{command}");
    }
    // Inputs are never overwritten, even with --force.
    for (command, reason) in [
        (
            "model fit books --out w.tsv --out-of-fold w.tsv --force",
            "name one file; name two",
        ),
        (
            "model import rows.tsv.gz --out rows.tsv.gz --force",
            "would be written over",
        ),
        (
            "model merge a.part --part --out a.part --force",
            "would be written over",
        ),
    ] {
        refused(&world, command, &[reason]);
    }
    world.run("model merge a.part -q --force --out precious");
    assert!(world.stdout("model info precious").contains("a model"));
}

#[test]
fn texts_that_are_not_kept_are_missed_by_name() {
    let world = world();
    world.run("model build books -q --texts 3 --out a.model");
    let assert = world.command("model info a.model --top 5").assert();
    assert
        .code(0)
        .stdout(contains("Line 0 of a licence").and(contains("[key ")))
        .stderr(contains("the texts of 2 of these 5 lines"));
    world
        .command("model info a.model --top 50")
        .assert()
        .code(0)
        .stderr(contains("there are only 13 lines"));
}

#[test]
fn texts_of_strangers_are_harmless() {
    let world = world();
    let line = "A line that rings \u{7}\u{1b}[31m and turns \u{202e}around in every book\n";
    for number in 0..3 {
        let path = world.path(format!("books/0/{}.txt", 3 * number));
        fs::write(path, book(number) + line).unwrap();
    }
    world.run("model build books -q --out a.model");
    let table = world.stdout("model info a.model --top 20");
    let strange = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
    assert!(table.contains("that rings"), "{table}");
    assert!(!table.contains(strange), "{table:?}");
}

#[test]
fn models_are_added_up_and_the_result_says_so() {
    let world = world();
    world.run("model build books -q --out a.model");
    let run = |model: &str| {
        let mut command = world.command("detect books/0 --detector gap --format tsv");
        command.args(["--model", model]);
        let output = command.output().unwrap();
        assert!(output.status.success());
        (
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    // In ten books alone no line occurs more than ten times; with the counts of the other books it does.
    let cut = |table: &str| table.lines().nth(1).unwrap().split('\t').nth(2) == Some("13");
    assert!(!cut(&run("corpus").0));
    for _ in 0..2 {
        let (table, said) = run("corpus+a.model");
        assert!(cut(&table), "{table}");
        assert!(
            said.contains("the frequencies of this corpus added to the model 'a.model'"),
            "{said}"
        );
    }
    let (table, said) = run("a.model+built-in");
    assert!(cut(&table), "{table}");
    assert!(said.contains("the model 'a.model' added to the built-in model"));
}

#[test]
fn a_model_counted_otherwise_is_used_and_said() {
    let world = world();
    world.run("model build books -q --head 200 --separate-ends --out a.model");
    let said = |arguments: &str| {
        let output = world.run(arguments);
        String::from_utf8(output.stderr).unwrap()
    };
    for _ in 0..2 {
        let said = said("detect books --model a.model");
        assert!(said.contains("in the first 200 and the last 300"), "{said}");
        assert!(said.contains("heads and tails apart"), "{said}");
    }
    let said = said("detect books --count-books --detector gap");
    assert!(
        said.contains("built-in model counts lines every occurrence"),
        "{said}"
    );
}

#[test]
fn a_broken_disk_leaves_the_old_file() {
    let world = world();
    refused(
        &world,
        "model count books -q --out gone/a.part",
        &["gone/a.part"],
    );
    world.run("model count books -q --out a.part");
    let before = world.bytes("a.part");
    refused(&world, "model count nowhere -q --out b.part", &["nowhere"]);
    assert!(world.bytes("a.part") == before);
    assert!(world.path("a.part").exists());
}
