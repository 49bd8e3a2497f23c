use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use proptest::prelude::*;
use serde_yaml::{Mapping, Value};

use super::*;
use crate::{
    Alternative, Anchor, BlockContext, CutContext, DetectedCuts, InnerBoilerplate, Record,
    RecordKind, Review, ReviewedSource, SourceFacts, Verdict,
};
use endpaper_detect::{Cuts, End};

/// Texts that some YAML reader takes for something else, or that break a careless writer.
static HOSTILE: LazyLock<Vec<String>> = LazyLock::new(|| {
    let words = include_str!("words.json");
    serde_json::from_str(words).unwrap()
});

fn sample() -> Record {
    let cuts = Cuts {
        preamble_end: 268,
        epilogue_start: Some(16270),
    };
    let source = SourceFacts {
        sha256: "0a".repeat(32),
        bytes: 776_701,
        lines: 16272,
        encoding: "windows-1252".into(),
        newline: "crlf".into(),
        extractor: None,
    };
    let mut record = Record::new("etext98/2city12.txt", source);
    record.alternatives.push(Alternative {
        end: End::Start,
        line: 275,
        why: "title repeated".into(),
    });
    record.inside.push(InnerBoilerplate {
        first: 4011,
        last: 4025,
        kind: "licence".into(),
    });
    record.flags.push("title-before-credits".into());
    record.context.preamble_end = Anchor {
        before: vec!["*END*".into()],
        after: vec!["A TALE OF TWO CITIES".into(), "by".into()],
        hash: "995dc9bbdf1939fa".into(),
        twin: None,
        seen: Vec::new(),
    };
    let proposed = Cuts {
        preamble_end: 266,
        epilogue_start: Some(16270),
    };
    record.add_review(Review {
        by: "ms".into(),
        at: "2026-11-21T03:22:00Z".into(),
        seconds: 14,
        sitting: "s1".into(),
        drawn: "queue".into(),
        verdict: Verdict::of_cuts(cuts, proposed),
        cuts,
        detected: Some(DetectedCuts::new(proposed, 0.31, "posterior", "m1")),
        ..Review::default()
    });
    record
}

const SAMPLE: &str = r#"# endpaper ground truth. Comments are not kept; use note.
schema: 1
book: "etext98/2city12.txt"
source: {sha256: "0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a", bytes: 776701, lines: 16272, encoding: "windows-1252", newline: "crlf"}
kind: "book"
verdict: "corrected"
cuts: {preamble_end: 268, epilogue_start: 16270}
alternatives: [{end: "start", line: 275, why: "title repeated"}]
inside: [{first: 4011, last: 4025, kind: "licence"}]
hard: false
flags: ["title-before-credits"]
note: ""
policy: "guide"
context:
  preamble_end: {before: ["*END*"], after: ["A TALE OF TWO CITIES", "by"], hash: "995dc9bbdf1939fa"}
  epilogue_start: {before: [], after: [], hash: ""}
reviews:
  - {by: "ms", at: "2026-11-21T03:22:00Z", seconds: 14, sitting: "s1", drawn: "queue", blind: false, verdict: "corrected", cuts: {preamble_end: 268, epilogue_start: 16270}, detected: {preamble_end: 266, epilogue_start: 16270, doubt: 0.31, detector: "posterior", model: "m1"}}
"#;

/// A record in which every text is hostile somewhere, and unknown keys of every type are in both places.
fn hostile() -> Record {
    let mut record = sample();
    let texts: Vec<String> = HOSTILE.clone();
    record.book = texts.join("|");
    record.note = texts.concat();
    record.flags = texts.clone();
    record.context.epilogue_start.after = texts.clone();
    let mut entries = Mapping::new();
    for text in &texts {
        entries.insert(text.clone().into(), text.clone().into());
    }
    let numbers = [0.1, 1e16, 1.5e-9, -0.0, f64::INFINITY].map(Value::from);
    for unknown in [&mut record.unknown, &mut record.reviews[0].unknown] {
        unknown.insert("x-texts".into(), Value::Mapping(entries.clone()));
        unknown.insert("x-numbers".into(), Value::Sequence(numbers.to_vec()));
        unknown.insert("x-integers".into(), vec![u64::MAX, 7].into());
        unknown.insert("x-negative".into(), (-5).into());
        unknown.insert("x-null".into(), Value::Null);
        unknown.insert("x-true".into(), true.into());
        unknown.insert("no".into(), "Norway".into());
        unknown.insert("<<".into(), "no merge".into());
        unknown.insert("k".repeat(3000), "long key".into());
    }
    record
}

#[test]
fn a_record_has_the_documented_layout() {
    assert_eq!(write(&sample()), SAMPLE);
    assert_eq!(read(SAMPLE).unwrap(), sample());
}

#[test]
fn hostile_texts_come_back_as_they_were() {
    let record = hostile();
    let text = write(&record);
    assert_eq!(read(&text).unwrap(), record);
    assert_eq!(write(&read(&text).unwrap()), text);
}

#[test]
fn nothing_invisible_is_written() {
    let text = write(&hostile());
    for character in text.chars().filter(|c| *c != '\n') {
        assert!(!character.is_control(), "{character:?}");
        assert!(!matches!(
            character,
            '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{202e}' | '\u{200d}'
        ));
    }
    assert!(text.ends_with('\n') && !text.contains('\r'));
}

#[test]
fn a_file_typed_by_hand_is_read() {
    let text = "\u{feff}schema: 1\r\nbook: a.txt   # mine\r\nverdict: confirmed\r\nsource:\r\n  sha256: \"00\"\r\n  bytes: 9\r\n  \
                lines: 3\r\n  encoding: ascii\r\n  newline: lf\r\ncuts:\r\n  preamble_end: 1\r\n  epilogue_start: null\r\n";
    let record = read(text).unwrap();
    assert_eq!(
        (record.book.as_str(), record.verdict),
        ("a.txt", Verdict::Confirmed)
    );
    assert_eq!(record.cuts.epilogue_start, None);
    assert_eq!(record.policy, "guide");
}

#[test]
fn what_is_wrong_is_refused_with_its_place() {
    let cases = [
        ("schema: 1\n", "schema: 2\n", 2, "newer endpaper"),
        ("schema: 1\n", "schema: \"1\"\n", 2, "write \"schema: 1\""),
        ("schema: 1\n", "", 1, "has no schema"),
        ("hard: false", "hard: \"no\"", 10, "invalid type"),
        ("hard: false", "hard: 0", 10, "invalid type"),
        ("note: \"\"", "note: 1984", 12, "double quotes"),
        ("note: \"\"", "note: null", 12, "double quotes"),
        ("note: \"\"", "hard: true", 12, "duplicate"),
        ("note: \"\"", "x: {a: 1, a: 2}", 12, "duplicate"),
        ("note: \"\"", "note: \"", 13, ""),
        ("note: \"\"", "x: !tag 1", 1, "tag"),
        ("note: \"\"", "x: {[1]: 2}", 1, "key"),
        ("lines: 16272", "lines: -1", 4, "invalid"),
        ("lines: 16272", "lines: 5000000000", 4, "invalid"),
        ("lines: 16272", "lines: 3.5", 4, "invalid type"),
        (
            "verdict: \"corrected\"\n",
            "verdict: \"fine\"\n",
            6,
            "unknown verdict 'fine'; use one of open, confirmed",
        ),
        ("kind: \"book\"", "kind: \"leaf\"", 5, "unknown kind 'leaf'"),
        (
            "cuts: {preamble_end: 268, epilogue_start: 16270}\n",
            "cuts: {preamble_end: 268}\n",
            7,
            "epilogue_start",
        ),
        (
            "epilogue_start: 16270}\n",
            "epilogue_start: 16270, x: 1}\n",
            7,
            "unknown field",
        ),
        ("end: \"start\"", "end: \"top\"", 8, "'top' is not an end"),
        (
            "flags: [\"title-before-credits\"]",
            "flags: [yes, 1]",
            11,
            "double quotes",
        ),
    ];
    for (from, to, line, message) in cases {
        let text = SAMPLE.replacen(from, to, 1);
        assert_ne!(text, SAMPLE, "{from}");
        let error = read(&text).expect_err(to);
        assert!(error.message.contains(message), "{to}: {error}");
        assert_eq!(error.line, line, "{to}: {error}");
        assert!(error.column >= 1);
    }
}

#[test]
fn what_is_no_record_is_refused() {
    let bomb = format!(
        "schema: 1\na: &a [x,x]\n{}",
        (0..60)
            .map(|n| format!("b{n}: &b{n} [*a,*a,*a]\n"))
            .collect::<String>()
    );
    let deep = format!("schema: 1\nx: {}", "[".repeat(100_000));
    for text in [
        "",
        "\n",
        "- a",
        "x",
        "null",
        "--- 1\n--- 2",
        "{",
        "\u{0}",
        "schema: 1",
        &bomb,
        &deep,
    ] {
        assert!(read(text).is_err(), "{:?}", &text[..text.len().min(40)]);
    }
}

#[test]
fn bytes_that_are_no_utf8_have_a_place() {
    let error = read_bytes(b"schema: 1\nbook: \"caf\xe9\"").unwrap_err();
    assert_eq!((error.line, error.column), (2, 11));
}

/// Reads YAML from standard input as data and prints it as JSON; exits with 77 where the reader is not installed.
const PYYAML: &str = "
import sys, json
try: import yaml
except ImportError: sys.exit(77)
print(json.dumps(yaml.safe_load(sys.stdin.buffer.read())))";
const RUAMEL: &str = "
import sys, json
try: from ruamel.yaml import YAML
except ImportError: sys.exit(77)
print(json.dumps(YAML(typ='safe', pure=True).load(sys.stdin.buffer.read())))";

fn other_reader(script: &str, text: &str) -> Option<serde_json::Value> {
    use std::io::Write;
    let mut child = Command::new("python3")
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    if output.status.code() == Some(77) {
        return None;
    }
    assert!(output.status.success(), "refused:\n{text}");
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn readers_of_yaml_1_1_and_1_2_see_the_same_values() {
    let mut record = hostile();
    // JSON, which the comparison goes through, has no infinity.
    for unknown in [&mut record.unknown, &mut record.reviews[0].unknown] {
        unknown.insert("x-numbers".into(), vec![0.1, 1e16, 1.5e-9, 2.0].into());
    }
    let text = write(&record);
    let ours = serde_json::to_value(&record).unwrap();
    for (name, script) in [("PyYAML", PYYAML), ("ruamel.yaml", RUAMEL)] {
        match other_reader(script, &text) {
            Some(theirs) => assert_eq!(theirs, ours, "{name}"),
            None => {
                let all = std::env::var("ENDPAPER_REQUIRE").is_ok_and(|word| word == "all");
                assert!(!all, "{name} is not here, and ENDPAPER_REQUIRE=all");
                println!("skipped: {name} is not here");
            }
        }
    }
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::sample::select(HOSTILE.as_slice()),
        ".{0,12}",
        any::<String>(),
    ]
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>()
            .prop_filter("equal to itself", |f| !f.is_nan())
            .prop_map(Value::from),
        any_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Sequence),
            prop::collection::vec((any_text(), inner), 0..4).prop_map(|entries| {
                let entries = entries
                    .into_iter()
                    .map(|(key, value)| (Value::from(key), value));
                Value::Mapping(entries.collect())
            }),
        ]
    })
}

fn any_unknown() -> impl Strategy<Value = BTreeMap<String, Value>> {
    // No known key begins with x-.
    prop::collection::btree_map(
        any_text().prop_map(|text| format!("x-{text}")),
        any_value(),
        0..3,
    )
}

fn any_cuts() -> impl Strategy<Value = Cuts> {
    (any::<u32>(), any::<Option<u32>>()).prop_map(|(preamble_end, epilogue_start)| Cuts {
        preamble_end,
        epilogue_start,
    })
}

fn any_review() -> impl Strategy<Value = Review> {
    let detected = (any_cuts(), 0f32..=1.0, any_text(), any_text()).prop_map(
        |(cuts, doubt, detector, model)| DetectedCuts::new(cuts, doubt, &detector, &model),
    );
    let texts = (any_text(), any_text(), any_text(), any_text());
    let verdict = proptest::sample::select(Verdict::ALL);
    let rest = (
        any::<u64>(),
        any::<bool>(),
        verdict,
        any_cuts(),
        prop::option::of(detected),
        any_unknown(),
    );
    (texts, rest).prop_map(
        |((by, at, sitting, drawn), (seconds, blind, verdict, cuts, detected, unknown))| Review {
            by,
            at,
            seconds,
            sitting,
            drawn,
            blind,
            verdict,
            cuts,
            detected,
            source: (seconds % 3 == 0).then(|| ReviewedSource {
                sha256: "0".repeat(64),
                lines: 7,
            }),
            unknown,
        },
    )
}

fn any_anchor() -> impl Strategy<Value = Anchor> {
    let lines = || prop::collection::vec(any_text(), 0..4);
    let twin = prop::option::of(any::<u32>());
    (lines(), lines(), any_text(), twin).prop_map(|(before, after, hash, twin)| Anchor {
        seen: twin.into_iter().collect(),
        before,
        after,
        hash,
        twin,
    })
}

fn any_record() -> impl Strategy<Value = Record> {
    let source = (
        any_text(),
        any::<u64>(),
        any::<u32>(),
        any_text(),
        any_text(),
        proptest::option::of(any_text()),
    )
        .prop_map(
            |(sha256, bytes, lines, encoding, newline, extractor)| SourceFacts {
                sha256,
                bytes,
                lines,
                encoding,
                newline,
                extractor,
            },
        );
    let outcome = (
        any_text(),
        proptest::sample::select(RecordKind::ALL),
        proptest::sample::select(Verdict::ALL),
        any_cuts(),
        any::<bool>(),
    );
    let rest = (
        prop::collection::vec(any_text(), 0..4),
        (any_text(), any_text()),
        (any_anchor(), any_anchor()),
        prop::collection::vec(any_review(), 0..3),
        any_unknown(),
        prop::collection::vec((any::<u32>(), any_text()), 0..3),
    );
    (source, outcome, rest).prop_map(|(source, outcome, rest)| {
        let (book, kind, verdict, cuts, hard) = outcome;
        let (flags, (note, policy), (start, end), reviews, unknown, places) = rest;
        Record {
            kind,
            verdict,
            cuts,
            hard,
            flags,
            note,
            policy,
            context: CutContext {
                alternatives: places.iter().map(|_| start.clone()).collect(),
                inside: places
                    .iter()
                    .map(|_| BlockContext {
                        first: end.clone(),
                        last: start.clone(),
                    })
                    .collect(),
                preamble_end: start,
                epilogue_start: end,
            },
            reviews,
            unknown,
            alternatives: places
                .iter()
                .map(|(line, why)| Alternative {
                    end: if line % 2 == 0 { End::Start } else { End::End },
                    line: *line,
                    why: why.clone(),
                })
                .collect(),
            inside: places
                .into_iter()
                .map(|(first, kind)| InnerBoilerplate {
                    first,
                    last: first,
                    kind,
                })
                .collect(),
            ..Record::new(&book, source)
        }
    })
}

proptest! {
    #[test]
    fn reading_undoes_writing(record in any_record()) {
        let text = write(&record);
        let again = read(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(&again, &record);
        prop_assert_eq!(write(&again), text);
    }

    /// What the limits are checked with must not refuse what the reader takes.
    #[test]
    fn limits_change_nothing_of_what_is_read_without_aliases(
        record in any_record(), at in any::<prop::sample::Index>(), with in "[\\PC\n\t\r \\[\\]{},:?!&*#'\"|>%@`-]{0,3}", cut in 0..3usize,
    ) {
        let text = write(&record);
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let at = at.index(places.len());
        let rest = places.get(at + cut).map_or("", |rest| &text[*rest..]);
        let damaged = format!("{}{with}{rest}", &text[..places[at]]);
        // Short texts without aliases are read whatever the other parser makes of them.
        let may_have_aliases = damaged.contains('&') && damaged.contains('*');
        match super::read::read_within_limits(&damaged) {
            Ok(_) if may_have_aliases || damaged.len() > 1 << 14 => {}
            Ok(record) => prop_assert_eq!(read(&damaged), Ok(record), "{}", damaged),
            Err(_) => prop_assert!(read(&damaged).is_err()),
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in any::<String>()) {
        let _ = read(&text);
        let _ = read(&SAMPLE.replacen("\"title repeated\"", &text, 1));
    }

    #[test]
    fn no_damage_makes_the_reader_panic(at in 0..SAMPLE.len(), byte in any::<u8>(), cut in any::<bool>()) {
        let mut bytes = SAMPLE.as_bytes().to_vec();
        if cut { bytes.truncate(at) } else { bytes[at] = byte }
        let _ = read_bytes(&bytes);
    }
}

#[test]
fn records_that_would_fill_the_memory_are_refused_with_the_place() {
    // The parser has a limit of its own for some kinds of nesting.
    const NESTED: &[&str] = &["nested deeper", "recursion limit"];
    let aliases: String = (1..9)
        .map(|level| {
            format!(
                "k{level}: &k{level} [{}]\n",
                vec![format!("*k{}", level - 1); 30].join(",")
            )
        })
        .collect();
    let bombs: [(String, &[&str]); 7] = [
        (
            format!("schema: 1\nk0: &k0 [a,a,a,a,a,a,a,a,a,a]\n{aliases}"),
            &["values"],
        ),
        (
            format!("schema: 1\nx: [{}]", "a,".repeat(1 << 20)),
            &["values"],
        ),
        (format!("schema: 1\nx: {}", "[".repeat(100_000)), NESTED),
        (format!("schema: 1\nx:\n{}", "- ".repeat(100_000)), NESTED),
        (format!("schema: 1\nx: {}", "{a: ".repeat(100_000)), NESTED),
        (format!("schema: 1\n{}", "? ".repeat(100_000)), NESTED),
        (
            format!("schema: 1\nnote: \"{}\"", "a".repeat(5 << 20)),
            &["bytes"],
        ),
    ];
    for (text, expected) in bombs {
        let error = read(&text).unwrap_err();
        let found = expected.iter().any(|words| error.message.contains(words));
        assert!(found, "{error}");
    }
}
