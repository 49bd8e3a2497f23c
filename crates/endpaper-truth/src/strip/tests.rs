use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;

use super::*;
use crate::{
    InnerBoilerplate, Record, RecordKind, Review, SourceFacts, StoredRecord, Verdict, yaml,
};
use endpaper_detect::pipeline::RunContext;
use endpaper_detect::{BlockKind, Cuts, Detection, EvidenceList, InsideBlock};
use endpaper_text::checksum::sha256;
use endpaper_text::corpus::{BookId, BookText, Unreadable};

const BOOK: &str = "licence\r\n\r\nTITLE\r\none\r\nsmall print\r\ntwo\r\n\r\nEnd of\r\n";

fn text(text: &str) -> BookText {
    BookText::new(text.into())
}

fn detection(preamble_end: u32, epilogue_start: Option<u32>, doubt: f32) -> Detection {
    Detection {
        cuts: Cuts {
            preamble_end,
            epilogue_start,
        },
        doubt,
        ..empty()
    }
}

fn empty() -> Detection {
    Detection {
        cuts: Cuts::default(),
        candidates: Vec::new(),
        doubt: 0.0,
        reasons: Vec::new(),
        inside: Vec::new(),
        evidence: EvidenceList::default(),
        is_gutenberg: true,
    }
}

fn record(verdict: Verdict) -> Record {
    let mut record = Record::new("a.txt", SourceFacts::of(&text(BOOK)));
    record.add_review(Review {
        by: "ann".into(),
        at: "2026-11-21T03:22:00Z".into(),
        verdict,
        cuts: Cuts {
            preamble_end: 3,
            epilogue_start: Some(8),
        },
        ..Review::default()
    });
    record
}

/// A detection made on this text.
fn about<'a>(text: &BookText, detection: &'a Detection) -> DetectedBody<'a> {
    DetectedBody::of(text.bytes(), detection)
}

fn found(record: Record) -> StoredRecord {
    StoredRecord::Record(Box::new(record))
}

fn chosen(
    found: &StoredRecord,
    detection: &Detection,
    options: &StripOptions,
) -> Result<String, OmitReason> {
    let text = text(BOOK);
    let body = choose_body(
        &text,
        &SourceFacts::of(&text),
        found,
        about(&text, detection),
        options,
    )?;
    let parts = body.ranges.iter().map(|range| &text.bytes()[range.clone()]);
    Ok(String::from_utf8(parts.collect::<Vec<_>>().concat()).unwrap())
}

#[test]
fn text_that_was_replaced_after_detection_is_refused() {
    let (seen, detection) = (text(BOOK), detection(1, Some(8), 0.2));
    for replaced in [BOOK.replace("one", "two"), format!("A new line.\n{BOOK}")] {
        let replaced = text(&replaced);
        let chosen = choose_body(
            &replaced,
            &SourceFacts::of(&replaced),
            &StoredRecord::Nothing,
            about(&seen, &detection),
            &StripOptions::default(),
        );
        assert_eq!(chosen, Err(OmitReason::Replaced));
    }
}

#[test]
fn detected_cuts_go_out_with_blank_lines_and_endings() {
    let options = StripOptions::default();
    let body = "\r\nTITLE\r\none\r\nsmall print\r\ntwo\r\n\r\n";
    let cases = [
        (detection(1, Some(8), 0.2), body),
        (detection(0, None, 0.2), BOOK),
        (detection(7, None, 0.2), "End of\r\n"),
    ];
    for (detection, expected) in cases {
        assert_eq!(
            chosen(&StoredRecord::Nothing, &detection, &options).unwrap(),
            expected
        );
    }
}

#[test]
fn a_decided_verdict_wins_and_a_draft_does_not() {
    let options = StripOptions {
        max_doubt: 0.5,
        ..StripOptions::default()
    };
    let unsure = detection(1, Some(8), 1.0);
    for verdict in [Verdict::Confirmed, Verdict::Corrected] {
        let body = chosen(&found(record(verdict)), &unsure, &options).unwrap();
        assert_eq!(body, "one\r\nsmall print\r\ntwo\r\n\r\n");
    }
    let draft = chosen(
        &found(record(Verdict::Open)),
        &detection(5, Some(8), 0.1),
        &options,
    );
    assert_eq!(draft.unwrap(), "two\r\n\r\n".to_owned());
}

#[test]
fn what_is_not_sure_is_left_out_with_its_reason() {
    let mut changed = record(Verdict::Confirmed);
    changed.source.sha256 = "0".repeat(64);
    let mut outside = record(Verdict::Confirmed);
    outside.cuts.epilogue_start = Some(99);
    let mut lines = record(Verdict::Confirmed);
    lines.source.lines = 99;
    let mut kind = record(Verdict::Confirmed);
    kind.kind = RecordKind::NotABook;
    let broken = StoredRecord::Broken {
        path: PathBuf::from("a.yaml"),
        error: yaml::read("").unwrap_err(),
    };
    let sure = detection(1, Some(8), 0.1);
    let cases = [
        (
            found(record(Verdict::Undecidable)),
            sure.clone(),
            "undecidable",
        ),
        (found(record(Verdict::NotABook)), sure.clone(), "not a book"),
        (found(kind), sure.clone(), "not a book"),
        (
            found(changed),
            sure.clone(),
            "changed since it was labelled",
        ),
        (
            found(outside),
            sure.clone(),
            "its record is wrong: cuts: epilogue_start 99",
        ),
        (
            found(lines),
            sure.clone(),
            "the record names 99 lines, the file has 8",
        ),
        (broken, sure, "its record is broken: line 1"),
        (
            StoredRecord::Nothing,
            detection(1, Some(8), 0.6),
            "doubt 0.600 is over 0.5",
        ),
        (
            StoredRecord::Nothing,
            detection(1, Some(8), f32::NAN),
            "doubt NaN",
        ),
        (
            StoredRecord::Nothing,
            detection(3, Some(3), 0.1),
            "empty body",
        ),
        (
            StoredRecord::Nothing,
            detection(6, Some(2), 0.1),
            "empty body",
        ),
        (StoredRecord::Nothing, detection(8, None, 0.1), "empty body"),
        (
            StoredRecord::Nothing,
            detection(u32::MAX, Some(0), 0.1),
            "empty body",
        ),
    ];
    let options = StripOptions {
        max_doubt: 0.5,
        ..StripOptions::default()
    };
    for (found, detection, expected) in cases {
        let omitted = chosen(&found, &detection, &options)
            .unwrap_err()
            .to_string();
        assert!(omitted.contains(expected), "{expected}: {omitted}");
    }
}

#[test]
fn marked_boilerplate_inside_is_dropped_by_kind() {
    let mut marked = record(Verdict::Confirmed);
    let marks = [(5, 5, "licence"), (4, 4, "note"), (5, 8, "list")];
    marked.inside = marks
        .map(|(first, last, kind)| InnerBoilerplate {
            first,
            last,
            kind: kind.into(),
        })
        .into();
    let cases: &[(&[&str], &str)] = &[
        (&[], "one\r\nsmall print\r\ntwo\r\n\r\n"),
        (&["licence"], "one\r\ntwo\r\n\r\n"),
        (&["licence", "note"], "two\r\n\r\n"),
        (&["list", "licence"], "one\r\n"),
        (&["credits"], "one\r\nsmall print\r\ntwo\r\n\r\n"),
    ];
    for (kinds, expected) in cases {
        let options = StripOptions {
            drop_inside: kinds.iter().map(|kind| kind.parse().unwrap()).collect(),
            ..StripOptions::default()
        };
        let body = chosen(&found(marked.clone()), &empty(), &options).unwrap();
        assert_eq!(body, *expected, "{kinds:?}");
    }
    let options = StripOptions {
        drop_inside: vec!["note".parse().unwrap(), "list".parse().unwrap()],
        ..StripOptions::default()
    };
    let nothing = chosen(&found(marked), &empty(), &options);
    assert_eq!(nothing, Err(OmitReason::Empty));
}

#[test]
fn detected_boilerplate_inside_is_dropped_where_the_detector_sets_the_cuts() {
    const BOOK: &str = "licence\n\nTITLE\n[Transcriber's note: scanned]\nThis etext is free.\nEdited by A. B.\ntwo\n\nEnd of\n";
    let chosen = |found: &StoredRecord, detection: &Detection, options: &StripOptions| {
        let text = text(BOOK);
        let body = choose_body(
            &text,
            &SourceFacts::of(&text),
            found,
            about(&text, detection),
            options,
        )?;
        let parts = body.ranges.iter().map(|range| &BOOK[range.clone()]);
        Ok((parts.collect::<String>(), body.dropped))
    };
    let block = |line, kind| InsideBlock {
        first: line,
        last: line,
        kind,
    };
    let detected = Detection {
        inside: vec![block(4, BlockKind::Note), block(5, BlockKind::Licence)],
        ..detection(1, Some(9), 0.3)
    };
    let options = |kinds: &str, max_doubt| StripOptions {
        drop_inside: kinds.split(',').map(|kind| kind.parse().unwrap()).collect(),
        max_doubt,
        ..StripOptions::default()
    };
    let (note, licence, rest) = (
        "[Transcriber's note: scanned]\n",
        "This etext is free.\n",
        "Edited by A. B.\ntwo\n\n",
    );
    let cases = [
        ("licence", format!("\nTITLE\n{note}{rest}"), vec![(5, 5)]),
        (
            "licence,note",
            format!("\nTITLE\n{rest}"),
            vec![(4, 4), (5, 5)],
        ),
        ("all", format!("\nTITLE\n{rest}"), vec![(4, 4), (5, 5)]),
        ("credits", format!("\nTITLE\n{note}{licence}{rest}"), vec![]),
    ];
    for (kinds, body, dropped) in cases {
        let found = chosen(&StoredRecord::Nothing, &detected, &options(kinds, 1.0));
        assert_eq!(found, Ok((body, dropped)), "{kinds}");
    }
    let doubtful = chosen(&StoredRecord::Nothing, &detected, &options("all", 0.2));
    assert!(matches!(doubtful, Err(OmitReason::Doubtful { .. })));
    let all = Detection {
        inside: vec![InsideBlock {
            first: 3,
            last: 7,
            kind: BlockKind::Licence,
        }],
        ..detected.clone()
    };
    let nothing = chosen(&StoredRecord::Nothing, &all, &options("all", 1.0));
    assert_eq!(nothing, Err(OmitReason::Empty));
    // A curator has examined the book and marked nothing.
    let mut decided = Record::new("a.txt", SourceFacts::of(&text(BOOK)));
    decided.add_review(Review {
        verdict: Verdict::Confirmed,
        cuts: detected.cuts,
        ..Review::default()
    });
    let (_, dropped) = chosen(&found(decided), &detected, &options("all", 1.0)).unwrap();
    assert_eq!(dropped, []);
}

fn strip(folder: &Path, id: &str, options: StripOptions) -> Result<StrippedBook, StripFailure> {
    let id = BookId::new(id);
    let options = StripOptions {
        detector: "gap".to_owned(),
        model: "1234".to_owned(),
        ..options
    };
    let stripper = Stripper::new(folder, [&id], options);
    let prepare = |_| prepare(&stripper, &id);
    strip_all(folder, 1, 1, prepare).pop().unwrap()
}

/// Prepares the same body for any book.
fn prepare(stripper: &Stripper, id: &BookId) -> Result<PreparedBody, StripFailure> {
    let (text, detection) = (text(BOOK), detection(1, Some(8), 0.25));
    let source = SourceFacts::of(&text);
    let detected = about(&text, &detection);
    stripper.prepare(id, &text, source, &StoredRecord::Nothing, detected)
}

/// Strips books on some threads; returns what became of each.
fn strip_all(
    folder: &Path,
    threads: usize,
    books: usize,
    prepare: impl Fn(usize) -> Result<PreparedBody, StripFailure> + Sync,
) -> Vec<Result<StrippedBook, StripFailure>> {
    let never = AtomicBool::new(false);
    let run = RunContext::new(threads, &|_| {}, &never).unwrap();
    let mut all = Vec::new();
    let each = |index, stripped| {
        assert_eq!(index, all.len());
        all.push(stripped);
    };
    strip_books(&run, folder, books, prepare, each).unwrap();
    all
}

#[test]
fn many_books_are_reported_in_order_and_those_that_fail_by_themselves() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    let ids: Vec<BookId> = (0..300)
        .map(|number| BookId::new(&format!("{}/{number:03}.txt", number % 3)))
        .collect();
    let stripper = Stripper::new(&folder, &ids, StripOptions::default());
    let hostile = |index| match index {
        7 => panic!("a hostile book"),
        // Another process takes the name while the body waits for it.
        8 => {
            let prepared = prepare(&stripper, &ids[8]);
            fs::write(folder.join("2/008.txt"), "theirs").unwrap();
            prepared
        }
        9 => Err(StripFailure::Unreadable(Unreadable::Encrypted)),
        _ => prepare(&stripper, &ids[index]),
    };
    let mut runs = Vec::new();
    for threads in [1, 2, 7] {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("0")).unwrap();
        fs::write(folder.join("0/150.txt"), "mine").unwrap();
        fs::write(folder.join("0/153.txt"), &BOOK.as_bytes()[9..43]).unwrap();
        let all = strip_all(&folder, threads, ids.len(), hostile);
        let outcomes = all.iter().map(|stripped| match stripped {
            Ok(body) => body.to_string(),
            Err(failure) => failure.to_string(),
        });
        let outcomes: Vec<String> = outcomes.collect();
        let exists = |id: &str| format!("'{}' exists and differs", folder.join(id).display());
        assert!(outcomes[7].contains("a hostile book"), "{}", outcomes[7]);
        assert_eq!(outcomes[8], exists("2/008.txt"));
        assert_eq!(outcomes[9], Unreadable::Encrypted.to_string());
        assert_eq!(outcomes[150], exists("0/150.txt"));
        let written = all.iter().flatten().filter(|body| body.written).count();
        assert_eq!(written, 295, "{threads} threads");
        runs.push(outcomes);
    }
    assert!(runs[0] == runs[1] && runs[1] == runs[2]);
    assert_eq!(fs::read(folder.join("0/150.txt")).unwrap(), b"mine");
    assert_eq!(fs::read(folder.join("2/008.txt")).unwrap(), b"theirs");
    let names = walkdir::WalkDir::new(&folder).into_iter();
    let names = names.map(|entry| entry.unwrap().file_name().to_owned());
    assert!(
        !names
            .into_iter()
            .any(|name| endpaper_text::atomic::is_temporary(&name))
    );
}

#[test]
fn a_body_is_written_and_listed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let stripped = strip(&out, "d/a\tb.txt", StripOptions::default()).unwrap();
    let written = fs::read(out.join(&stripped.file)).unwrap();
    assert_eq!(written, BOOK.as_bytes()[9..43]);
    let line = stripped.to_string();
    let cells: Vec<&str> = line.split('\t').collect();
    let named: Vec<(&str, &str)> = COLUMNS.iter().copied().zip(cells.iter().copied()).collect();
    let (body, source) = (sha256(&written), sha256(BOOK.as_bytes()));
    let expected = [
        ("book", "d/a\\tb.txt"),
        ("file", "d/a%09b.txt"),
        ("first", "2"),
        ("last", "7"),
        ("bytes", "34"),
        ("by", "detector"),
        ("doubt", "0.250"),
        ("verdict", "-"),
        ("policy", "guide"),
        ("sha256", &body),
        ("source_sha256", &source),
        ("source_bytes", "51"),
        ("source_lines", "8"),
        ("source_encoding", "ascii"),
        ("source_newline", "crlf"),
        ("encoding", "keep"),
        ("newline", "keep"),
        ("dropped", "-"),
        ("detector", "gap"),
        ("model", "1234"),
    ];
    assert_eq!(
        (named.as_slice(), cells.len()),
        (&expected[..], COLUMNS.len())
    );
}

#[test]
fn nothing_existing_is_written_over_without_force() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "mine").unwrap();
    let refused = strip(folder.path(), "a.txt", StripOptions::default()).unwrap_err();
    assert_eq!(refused, StripFailure::Exists(folder.path().join("a.txt")));
    assert_eq!(fs::read(folder.path().join("a.txt")).unwrap(), b"mine");
    let force = StripOptions {
        force: true,
        ..StripOptions::default()
    };
    strip(folder.path(), "a.txt", force).unwrap();
    assert_ne!(fs::read(folder.path().join("a.txt")).unwrap(), b"mine");
}

#[test]
fn a_body_that_stands_there_is_found_and_not_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let first = strip(folder.path(), "a.txt", StripOptions::default()).unwrap();
    let second = strip(folder.path(), "a.txt", StripOptions::default()).unwrap();
    assert_eq!((first.written, second.written), (true, false));
    assert_eq!(first.to_string(), second.to_string());
    let longer = StripOptions {
        form: OutForm {
            newline: OutNewline::Lf,
            ..OutForm::default()
        },
        ..StripOptions::default()
    };
    let refused = strip(folder.path(), "a.txt", longer).unwrap_err();
    assert!(matches!(refused, StripFailure::Exists(_)), "{refused}");
}

#[test]
fn an_earlier_body_of_a_book_that_is_left_out_now_is_named() {
    let folder = tempfile::tempdir().unwrap();
    strip(folder.path(), "a.txt", StripOptions::default()).unwrap();
    let sure = StripOptions {
        max_doubt: 0.1,
        ..StripOptions::default()
    };
    let stale = strip(folder.path(), "a.txt", sure.clone()).unwrap_err();
    assert!(
        stale.to_string().contains("doubt 0.250 is over 0.1, but"),
        "{stale}"
    );
    assert!(!stale.is_intended());
    assert!(
        strip(folder.path(), "b.txt", sure)
            .unwrap_err()
            .is_intended()
    );
}

#[test]
fn a_manifest_adds_what_a_run_brought_to_what_others_did() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Manifest::read(folder.path()).unwrap().is_empty());
    for id in ["b.txt", "a.txt"] {
        let mut manifest = Manifest::read(folder.path()).unwrap();
        manifest.put(&strip(folder.path(), id, StripOptions::default()).unwrap());
        let space = ManifestSpace::reserve(folder.path(), [&BookId::new(id)]).unwrap();
        space.write(&manifest).unwrap();
    }
    let path = folder.path().join(MANIFEST);
    let text = fs::read_to_string(&path).unwrap();
    let books: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split('\t').next())
        .collect();
    assert_eq!(books, ["book", "a.txt", "b.txt"]);
    let manifest = Manifest::read(folder.path()).unwrap();
    let entry = manifest.entries().next().unwrap();
    assert_eq!((entry.first, entry.last, entry.source_lines), (2, 7, 8));
    for (broken, reason) in [
        ("mine", "is not a manifest"),
        (&text.replace("b.txt\tb", "b"), "line 3"),
    ] {
        fs::write(&path, broken).unwrap();
        let refused = Manifest::read(folder.path()).unwrap_err().to_string();
        assert!(refused.contains(reason), "{refused}");
    }
}

#[test]
fn space_for_a_manifest_holds_the_lines_of_any_names_and_leaves_nothing() {
    for id in ["a.txt".to_owned(), "\t%\u{e9}\u{1}".repeat(60)] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("new");
        let space = ManifestSpace::reserve(&out, [&BookId::new(&id)]).unwrap();
        let size = |name: &Path| fs::metadata(name).unwrap().len();
        let entry = fs::read_dir(&out).unwrap().next().unwrap().unwrap();
        let reserved = size(&entry.path());
        let mut manifest = Manifest::default();
        manifest.put(&strip(&out, &id, StripOptions::default()).unwrap());
        space.write(&manifest).unwrap();
        let written = size(&out.join(MANIFEST));
        assert!(written <= reserved, "{written} of {reserved}");
        assert_eq!(Manifest::read(&out).unwrap(), manifest);
    }
    let folder = tempfile::tempdir().unwrap();
    drop(ManifestSpace::reserve(folder.path(), []).unwrap());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_packed_book_gets_the_name_of_a_text_and_own_files_keep_theirs() {
    let ids = ["a.txt.gz", "b.txt.GZ", "b.txt", ".gz", MANIFEST, "p.PDF"].map(BookId::new);
    let stripper = Stripper::new(Path::new("out"), &ids, StripOptions::default());
    let names: Vec<_> = ids.iter().map(|id| stripper.file(id)).collect();
    let names: Vec<&str> = names.iter().map(|name| name.to_str().unwrap()).collect();
    assert_eq!((names[0], names[2]), ("a.txt", "b.txt"));
    assert_eq!(names[5], "p.PDF.txt");
    assert!(names[1].starts_with("b.txt.GZ~"), "{names:?}");
    assert!(names[4].starts_with("endpaper-manifest.tsv~"), "{names:?}");
}

#[test]
fn a_folder_in_the_way_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("d"), "a file").unwrap();
    let refused = strip(folder.path(), "d/a.txt", StripOptions::default()).unwrap_err();
    assert!(
        matches!(&refused, StripFailure::Io { path, .. } if path.ends_with("d/a.txt")),
        "{refused}"
    );
    fs::create_dir(folder.path().join("b.txt")).unwrap();
    let refused = strip(folder.path(), "b.txt", StripOptions::default()).unwrap_err();
    let refused = refused.to_string();
    assert!(
        refused.ends_with("cannot be written: is a folder; name a file"),
        "{refused}"
    );
}

#[test]
fn names_equal_but_for_case_are_told_apart_in_any_order() {
    let ids = ["b/A.txt", "b/a.txt", "B/a.TXT"].map(BookId::new);
    let stripper = Stripper::new(Path::new("out"), &ids, StripOptions::default());
    let mut names: Vec<_> = ids.iter().map(|id| stripper.file(id)).collect();
    let turned = Stripper::new(Path::new("out"), ids.iter().rev(), StripOptions::default());
    assert!(
        ids.iter()
            .zip(&names)
            .all(|(id, name)| turned.file(id) == *name)
    );
    for name in &mut names {
        *name = name.to_str().unwrap().to_lowercase().into();
    }
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 3, "{names:?}");
}

proptest! {
    #[test]
    fn preamble_body_and_epilogue_are_the_file(text in "([ab ]{0,3}(\n|\r\n)){0,12}", start in 0u32..14, end in 1u32..14) {
        let text = BookText::new(text.into_bytes());
        let cuts = detection(start, Some(end), 0.0);
        if let Ok(body) = choose_body(&text, &SourceFacts::of(&text), &StoredRecord::Nothing, about(&text, &cuts), &StripOptions::default()) {
            let range = body.ranges[0].clone();
            prop_assert_eq!(range.start, text.span(1, start).end);
            prop_assert!(body.first == start + 1 && body.last < end);
            let rest = text.span(body.last + 1, text.lines());
            prop_assert!(range.end == rest.start || body.last == text.lines());
        } else {
            let blank = (start + 1..end.min(text.lines() + 1)).all(|line| text.is_blank(line));
            prop_assert!(blank);
        }
    }
}
