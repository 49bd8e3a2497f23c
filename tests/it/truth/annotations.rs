//! Labels of annotation tools: out, read by the tools' own readers, and back.

use std::collections::BTreeMap;
#[cfg(unix)]
use std::fs;
use std::path::Path;
use std::process::Command;

use predicates::str::contains;
use serde_json::json;

use endpaper_detect::{Cuts, End};
use endpaper_text::checksum::sha256;
use endpaper_text::corpus::{BookText, ListingRequest, list};
use endpaper_truth::{
    Alternative, InnerBoilerplate, Record, Review, SourceFacts, Verdict, context_of_record,
};

use crate::support::world::World;
use crate::support::{absent, real_books};

/// Formats, what they are written to, and readers of them.
const TOOLS: [(&str, &str, &[&str]); 6] = [
    ("prodigy", "out.jsonl", &["prodigy"]),
    (
        "label-studio",
        "tasks.json",
        &["label-studio", "label-studio-sdk"],
    ),
    ("doccano", "doccano.jsonl", &["doccano"]),
    ("brat", "brat", &["bratly"]),
    ("inception", "inception", &["dkpro-cassis"]),
    ("tei", "tei", &["lxml"]),
];

/// Texts in which bytes, UTF-16 units and code points differ, with all line ends and characters that XML cannot hold.
fn books() -> Vec<(&'static str, Vec<u8>)> {
    let plain = "Licence\nof all\n\n  Title & <b>\nOne\n\nAd\n\nTwo]]>\n\n\nEnd\n";
    let wide = "\u{1F600} ライセンス\r\n\r\n吾輩は猫である。\r\n\u{20BB7}野\r\n\u{2028}x\r\nおわり";
    let arabic = "رخصة\n\n\tالكتاب \u{200F}الأول\nنص\n\nالنهاية\n";
    let odd = "Head\u{c}\nbell\u{7}\rand nul\0\n\nBody \u{fffe}\n\u{85}next\u{b}\nTail\u{1}\n";
    let latin = b"Pr\xE9ambule\r\n\r\nL'\xE9t\xE9\r\nfin\r\n".to_vec();
    vec![
        ("sub/Plain.txt", plain.into()),
        ("wide.txt", wide.into()),
        ("arabic.txt", arabic.into()),
        ("odd.txt", odd.into()),
        ("latin.txt", latin),
        ("draft.txt", plain.replace("One", "1").into()),
        ("index.txt", plain.replace("One", "2").into()),
        ("puzzle.txt", plain.replace("One", "3").into()),
        ("twice.txt", plain.replace("One", "4").into()),
    ]
}

fn review(by: &str, verdict: Verdict, cuts: Cuts, minute: u32) -> Review {
    Review {
        by: by.to_owned(),
        at: format!("2026-11-21T03:{minute:02}:00Z"),
        seconds: 7,
        drawn: "doubt".to_owned(),
        verdict,
        cuts,
        ..Review::default()
    }
}

fn record(id: &str, text: &BookText, cuts: Cuts, verdict: Verdict) -> Record {
    let mut record = Record::new(id, SourceFacts::of(text));
    match verdict {
        Verdict::Open => record.cuts = cuts,
        _ => record.add_review(review("ms", verdict, cuts, 1)),
    }
    record.hard = true;
    record.flags = vec!["ads".to_owned(), "it's \"odd\"".to_owned()];
    record.note = "tab\there, <&> \u{1F600} \u{ffff}".to_owned();
    record
}

/// A world with the books, and a record of each in `truth`.
fn world() -> (World, Vec<Record>) {
    let world = World::of([]);
    let mut records = Vec::new();
    for (id, bytes) in books() {
        world.write(format!("books/{id}"), &bytes);
        let text = BookText::new(bytes);
        let (start, end, verdict) = match id {
            "wide.txt" => (1, Some(6), Verdict::Confirmed),
            "arabic.txt" => (1, Some(6), Verdict::Corrected),
            "odd.txt" => (2, Some(6), Verdict::Confirmed),
            "latin.txt" => (0, None, Verdict::Confirmed),
            "draft.txt" => (2, None, Verdict::Open),
            "index.txt" => (0, None, Verdict::NotABook),
            "puzzle.txt" => (2, Some(12), Verdict::Undecidable),
            _ => (2, Some(12), Verdict::Corrected),
        };
        let cuts = Cuts {
            preamble_end: start,
            epilogue_start: end,
        };
        let mut record = record(id, &text, cuts, verdict);
        if id == "sub/Plain.txt" {
            let (end, why) = (End::Start, "title repeated".to_owned());
            record.alternatives = vec![Alternative { end, line: 4, why }];
            let (first, last, kind) = (7, 7, "list".to_owned());
            record.inside = vec![InnerBoilerplate { first, last, kind }];
        }
        if id == "twice.txt" {
            record.add_review(review("kd", verdict, cuts, 2));
        }
        record.context = context_of_record(&text, &record);
        world.save("truth", &record);
        records.push(record);
    }
    (world, records)
}

/// What a reader must see of a record: label, offsets in code points, and the digest of the text between them.
fn expected(record: &Record, text: &BookText) -> serde_json::Value {
    let shown = |line: u32| -> String {
        let replaced = |c: char| match c {
            '\r' | '\u{b}' | '\u{c}' => ' ',
            '\t' => c,
            c if c < ' ' || c == '\u{fffe}' || c == '\u{ffff}' => '\u{fffd}',
            c => c,
        };
        let line = text.display(line, usize::MAX);
        line.chars().map(replaced).chain(['\n']).collect()
    };
    let lines: Vec<String> = (1..=text.lines()).map(shown).collect();
    let span = |part: &str, first: u32, last: u32| {
        if first > last {
            return None;
        }
        let before: usize = lines[..first as usize - 1]
            .iter()
            .map(|line| line.chars().count())
            .sum();
        let within: String = lines[first as usize - 1..last as usize].concat();
        let words = within.trim();
        let margin = within.chars().count() - within.trim_start().chars().count();
        let (start, count) = (before + margin, words.chars().count());
        let digest = sha256(words.as_bytes());
        (count > 0).then(|| json!([part, start, start + count, digest]))
    };
    if !record.verdict.has_cuts() {
        return json!([]);
    }
    let (from, last) = (record.cuts.preamble_end, text.lines());
    let to = record.cuts.epilogue_start.unwrap_or(last + 1);
    let spans = [
        span("preamble", 1, from),
        span("body", from + 1, to - 1),
        span("epilogue", to, last),
    ];
    let inside = record
        .inside
        .iter()
        .map(|block| span("inside", block.first, block.last));
    spans.into_iter().chain(inside).flatten().collect()
}

/// Asks a reader of a tool whether it sees what it must.
#[track_caller]
fn read_by(reader: &str, path: &Path, expected: &Path, books: usize) {
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/it/truth/annotation_readers.py"
    );
    let output = Command::new("python3")
        .arg(script)
        .arg(reader)
        .args([path, expected])
        .output();
    let Ok(output) = output else {
        return absent("python3");
    };
    if output.status.code() == Some(77) {
        return absent(reader);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{reader}: {said}");
    let read = String::from_utf8_lossy(&output.stdout);
    assert_eq!(read.trim().lines().last(), Some(&*books.to_string()));
}

#[test]
fn every_format_is_read_by_its_tool_and_comes_back_whole() {
    let (world, records) = world();
    let texts: BTreeMap<&str, Vec<u8>> = books().into_iter().collect();
    let seen: serde_json::Map<String, serde_json::Value> = records
        .iter()
        .map(|record| {
            let text = BookText::new(texts[record.book.as_str()].clone());
            (record.book.clone(), expected(record, &text))
        })
        .collect();
    world.write("expected.json", serde_json::to_string(&seen).unwrap());
    for (format, out, readers) in TOOLS {
        world
            .command(&format!(
                "truth export books --truth truth --format {format} --out {out}"
            ))
            .assert()
            .code(0)
            .stderr(contains("control characters in 1 book replaced"));
        for reader in readers {
            read_by(
                reader,
                &world.path(out),
                &world.path("expected.json"),
                records.len(),
            );
        }
        world
            .command(&format!(
                "truth import {out} books --format {format} --truth {format}"
            ))
            .assert()
            .code(0)
            .stdout(contains("imported 9 records, 0 unchanged, 0 refused"))
            .stderr("");
        assert_eq!(world.records(format), world.records("truth"), "{format}");
        world
            .command(&format!(
                "truth export books --truth truth --format {format} --out {out}"
            ))
            .assert()
            .code(2)
            .stderr(contains("exists"));
        world.run(&format!(
            "truth export books --truth truth --format {format} --out {out} --force"
        ));
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let (world, _) = world();
    world.write("elsewhere/keep", "");
    fs::create_dir_all(world.path("brat")).unwrap();
    std::os::unix::fs::symlink(world.path("elsewhere"), world.path("brat/sub")).unwrap();
    world
        .command("truth export books --truth truth --format brat --out brat --force")
        .assert()
        .code(2)
        .stderr(contains("symbolic link"));
    assert_eq!(fs::read_dir(world.path("elsewhere")).unwrap().count(), 1);
}

/// The lines of the export for Prodigy, by book.
fn prodigy(world: &World) -> BTreeMap<String, serde_json::Value> {
    let out = world.stdout("truth export books --truth truth --format prodigy");
    let tasks = out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    tasks
        .map(|task| (task["meta"]["book"].as_str().unwrap().to_owned(), task))
        .collect()
}

#[test]
fn labels_that_were_changed_are_reviews_of_their_annotator() {
    let (world, _) = world();
    let mut task = prodigy(&world)["sub/Plain.txt"].clone();
    // The body begins in the middle of "One": the whole line is meant.
    let (start, end) = (31, 45);
    assert_eq!(task["text"].as_str().unwrap().get(30..33), Some("One"));
    task["spans"] = json!([
        {"start": 0, "end": 29, "label": "preamble"},
        {"start": start, "end": end, "label": "body"},
        {"start": 48, "end": 51, "label": "epilogue"},
    ]);
    task["_annotator_id"] = json!("kd");
    task["_timestamp"] = json!(1_800_000_000);
    let second = task.clone();
    world.write("one.jsonl", task.to_string());
    world
        .command("truth import one.jsonl books --format prodigy --truth one")
        .assert()
        .code(0)
        .stderr(contains(
            "'sub/Plain.txt': 'body' begins or ends within a line; lines 5 to 9 are taken whole",
        ));
    let record = &world.records("one")[0];
    assert_eq!(
        (record.cuts.preamble_end, record.cuts.epilogue_start),
        (4, Some(12))
    );
    assert_eq!(
        (record.verdict, record.reviews.len()),
        (Verdict::Corrected, 2)
    );
    assert_eq!(record.reviews[1].by, "kd");
    assert_eq!(record.reviews[1].at, "2027-01-15T08:00:00Z");
    assert!(record.inside.is_empty() && record.alternatives.len() == 1);
    // Two annotators who differ decide nothing.
    let mut third = prodigy(&world)["sub/Plain.txt"].clone();
    third["_annotator_id"] = json!("ab");
    world.write("two.jsonl", format!("{second}\n{third}\n"));
    world
        .command("truth import two.jsonl books --format prodigy --truth two")
        .assert()
        .code(0)
        .stderr(contains("annotators differ; it is a draft with 3 reviews"));
    assert_eq!(world.records("two")[0].verdict, Verdict::Open);
    world.run("truth check --truth two --records-only");
}

#[test]
fn what_does_not_add_up_is_refused_with_its_line() {
    let (world, _) = world();
    let tasks = prodigy(&world);
    let plain = &tasks["sub/Plain.txt"];
    let with = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut task = plain.clone();
        change(&mut task);
        task.to_string()
    };
    let outside = with(&|task| task["spans"][1]["end"] = json!(9999));
    let empty = with(&|task| task["spans"][1]["end"] = json!(0));
    let negative = with(&|task| task["spans"][1]["start"] = json!(-1));
    let overlap = with(&|task| task["spans"][0]["end"] = json!(35));
    let gap = with(&|task| task["spans"][0]["end"] = json!(7));
    let twice = with(&|task| task["spans"][0]["label"] = json!("body"));
    let label = with(&|task| task["spans"][0]["label"] = json!("PERSON"));
    let rejected = with(&|task| task["answer"] = json!("reject"));
    let none = with(&|task| task["spans"] = json!([]));
    let text = with(&|task| task["text"] = json!("Licence\nof others\n"));
    let digest = with(&|task| task["meta"]["sha256"] = json!("00"));
    let book = with(&|task| task["meta"]["book"] = json!("wide.txt"));
    let unknown = with(&|task| {
        task["meta"] = json!({});
        task["endpaper"] = json!(null);
    });
    let damaged = with(&|task| task["endpaper"] = json!("{\"schema\":1"));
    let surrogate = plain.to_string().replacen("Licence", "\\ud83d", 1);
    let cut_off = plain.to_string();
    let cut_off = &cut_off[..cut_off.len() / 2];
    let table = [
        (outside, "which is no part of the 52 characters"),
        (empty, "which is no part of"),
        (negative, "expected usize"),
        (overlap, "overlap or are in the wrong order"),
        (gap, "belong to no label"),
        (twice, "'body' is there twice"),
        (label, "unknown label 'PERSON'"),
        (rejected, "was rejected; label it again"),
        (none, "has none of the labels"),
        (
            text,
            "is not that of 'sub/Plain.txt': it differs from line 2",
        ),
        (digest, "these are labels of another text"),
        (book, "carries the record of 'sub/Plain.txt'"),
        (unknown, "does not say its book"),
        (damaged, "the record in 'endpaper' is damaged"),
        (surrogate, "hex escape"),
        (cut_off.to_owned(), "ends in the middle of a value"),
    ];
    let all: Vec<&str> = table.iter().map(|(line, _)| line.as_str()).collect();
    let good = &tasks["wide.txt"];
    world.write("bad.jsonl", format!("{good}\n{}", all.join("\n")));
    let mut assert = world
        .command("truth import bad.jsonl books --format prodigy --truth new")
        .assert()
        .code(1)
        .stdout("imported 1 records, 0 unchanged, 16 refused\n");
    for (number, (_, message)) in table.iter().enumerate() {
        let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        let start = format!("bad.jsonl:{}:", number + 2);
        let line = said.lines().find(|line| line.contains(&start));
        assert!(
            line.is_some_and(|line| line.contains(message)),
            "{message}: {said}"
        );
        assert = assert.code(1);
    }
}

#[test]
fn files_of_tools_that_are_damaged_are_refused() {
    let (world, _) = world();
    for format in ["label-studio", "inception", "tei", "brat"] {
        world.run(&format!(
            "truth export books --truth truth --format {format} --out {format}"
        ));
    }
    let tasks = world.text("label-studio");
    world.write("cut.json", &tasks[..tasks.len() - 40]);
    world
        .command("truth import cut.json books --format label-studio --truth cut")
        .assert()
        .code(1)
        .stdout("imported 8 records, 0 unchanged, 1 refused\n")
        .stderr(contains("the rest is missing"));
    let cas = world.text("inception/wide.txt.xmi");
    let tei = world.text("tei/wide.txt.xml");
    let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>";
    let ann = world.text("brat/wide.txt.ann");
    let table = [
        (
            "inception",
            "xmi",
            cas.replacen(
                "begin=\"0\" end=\"8\" part",
                "begin=\"1\" end=\"8\" part",
                1,
            ),
            "between two surrogates",
        ),
        ("inception", "xmi", cas[..cas.len() / 2].to_owned(), "XML"),
        (
            "inception",
            "xmi",
            format!("{bomb}{}", cas.split_once("?>").unwrap().1),
            "document type",
        ),
        (
            "tei",
            "xml",
            tei.replacen("?>", &format!("?>{bomb}"), 1),
            "document type",
        ),
        (
            "tei",
            "xml",
            tei.replacen("<ab ", "&a;<ab ", 1),
            "unknown entity '&a;'",
        ),
        (
            "tei",
            "xml",
            tei.replacen("野\n", "原\n", 1),
            "is not that of 'wide.txt'",
        ),
        (
            "brat",
            "ann",
            ann.replacen("T1\tpreamble 0", "T1\tpreamble x", 1),
            "line 1: is no annotation",
        ),
        ("brat", "ann", ann, "has no text file"),
    ];
    for (number, (format, ending, text, message)) in table.iter().enumerate() {
        let folder = format!("bad{number}");
        world.write(format!("{folder}/x.{ending}"), text);
        if *message != "has no text file" {
            world.write(format!("{folder}/x.txt"), "any");
        }
        world
            .command(&format!(
                "truth import {folder} books --format {format} --truth none"
            ))
            .assert()
            .code(2)
            .stdout("imported 0 records, 0 unchanged, 1 refused\n")
            .stderr(contains(*message))
            .stderr(contains(format!("'{folder}/x.{ending}' ")));
    }
}

#[test]
fn label_studio_keeps_the_ground_truth_and_adds_reviews_of_others() {
    let (world, _) = world();
    let tasks = world.stdout("truth export books --truth truth --format label-studio");
    let mut tasks: serde_json::Value = serde_json::from_str(&tasks).unwrap();
    let tasks = tasks.as_array_mut().unwrap();
    tasks.retain(|task| task["data"]["book"] == "sub/Plain.txt");
    let annotations = tasks[0]["annotations"].as_array_mut().unwrap();
    // As Label Studio gives back what it took: somebody imported it.
    annotations[0]["completed_by"] = json!({"id": 1, "email": "admin@example.org"});
    annotations[0]["created_at"] = json!("2026-11-25T08:00:00.123456Z");
    annotations.push(json!({
        "completed_by": {"id": 2, "email": "kd@example.org"},
        "created_at": "2026-11-25T09:00:00.5Z", "lead_time": 61.7, "was_cancelled": false, "ground_truth": false,
        "result": [{"id": "x1", "from_name": "part", "to_name": "text", "type": "labels",
            "value": {"start": 30, "end": 45, "text": "One", "labels": ["body"]}}],
    }));
    world.write("back.json", serde_json::to_string(&tasks).unwrap());
    world.run("truth import back.json books --format label-studio --truth back");
    let before = world.records("truth");
    let before = before.iter().find(|record| record.book == "sub/Plain.txt");
    let record = &world.records("back")[0];
    assert_eq!(record.cuts, before.unwrap().cuts);
    let [_, second] = record.reviews.as_slice() else {
        panic!("{:?}", record.reviews);
    };
    assert_eq!(
        (second.by.as_str(), second.drawn.as_str(), second.seconds),
        ("kd@example.org", "again", 61)
    );
    assert_eq!(
        (second.cuts.preamble_end, second.at.as_str()),
        (4, "2026-11-25T09:00:00Z")
    );
}

#[test]
#[ignore = "needs ENDPAPER_CORPUS"]
fn labels_of_real_books_come_back_from_every_tool() {
    let corpus = real_books();
    let world = World::of([]);
    let (books, labels) = (corpus.join("books"), corpus.join("labels.tsv"));
    let (books, labels) = (books.display(), labels.display());
    world.run(&format!(
        "truth import {labels} {books} --truth truth --curator ms"
    ));
    let request = ListingRequest {
        roots: vec![corpus.join("books")],
        ..ListingRequest::default()
    };
    let listing = list(&request).unwrap();
    let records = world.records("truth");
    let seen: serde_json::Map<String, serde_json::Value> = records
        .iter()
        .map(|record| {
            let book = listing
                .books
                .iter()
                .find(|book| book.id.as_str() == record.book);
            let text = book.unwrap().text(u64::MAX).unwrap();
            (record.book.clone(), expected(record, &text))
        })
        .collect();
    world.write("expected.json", serde_json::to_string(&seen).unwrap());
    for (format, out, readers) in TOOLS {
        world.run(&format!(
            "truth export {books} --truth truth --format {format} --out {out}"
        ));
        for reader in readers {
            read_by(
                reader,
                &world.path(out),
                &world.path("expected.json"),
                records.len(),
            );
        }
        world.run(&format!(
            "truth import {out} {books} --format {format} --truth {format}"
        ));
        assert!(world.records(format) == records, "{format}");
    }
}
