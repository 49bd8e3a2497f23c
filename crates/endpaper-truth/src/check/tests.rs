use std::fs;

use super::*;
use crate::{Alternative, Record, Review, SourceFacts, Store, Verdict, context_of, yaml};
use endpaper_detect::{Cuts, End};
use endpaper_text::corpus::{BookText, Unreadable};

const BOOK: &str = "licence\n\nTitle\n\nText.\nEnd.\n\nlicence\n";

/// Books in memory.
struct MemoryBooks(Vec<(&'static str, &'static str)>);

impl BookFinder for MemoryBooks {
    fn read(&self, id: &str) -> Option<Result<BookText, Unreadable>> {
        let (_, text) = self.0.iter().find(|(name, _)| *name == id)?;
        if text.is_empty() {
            return Some(Err(Unreadable::Empty));
        }
        Some(Ok(BookText::new(text.as_bytes().to_vec())))
    }

    fn elsewhere(&self, record: &Record) -> Option<String> {
        let same =
            |text: &str| record.is_decided_on(&endpaper_text::checksum::sha256(text.as_bytes()));
        let found = self.0.iter().find(|(_, text)| same(text));
        found.map(|(name, _)| (*name).to_owned())
    }
}

fn record(book: &str) -> Record {
    let text = BookText::new(BOOK.as_bytes().to_vec());
    let cuts = Cuts {
        preamble_end: 1,
        epilogue_start: Some(8),
    };
    let mut record = Record::new(book, SourceFacts::of(&text));
    record.context = context_of(&text, cuts);
    record.add_review(Review {
        by: "ms".into(),
        at: "2026-11-21T03:22:00Z".into(),
        verdict: Verdict::Confirmed,
        cuts,
        ..Review::default()
    });
    record
}

/// What a check says of one changed record, as rule and line.
fn found(change: impl Fn(&mut Record)) -> Vec<(CheckRule, usize)> {
    let folder = tempfile::tempdir().unwrap();
    let mut record = record("a.txt");
    change(&mut record);
    fs::write(folder.path().join("a.txt.yaml"), yaml::write(&record)).unwrap();
    let shelf = MemoryBooks(vec![("a.txt", BOOK), ("empty.txt", "")]);
    let checked = check_records(
        &Store::open(folder.path()).unwrap(),
        Some(&shelf),
        |_, _| (),
    )
    .unwrap();
    let errors = checked
        .findings
        .iter()
        .any(|finding| finding.rule.is_error());
    assert_eq!(checked.valid.len(), usize::from(!errors));
    let findings = checked.findings.iter();
    findings
        .map(|finding| (finding.rule, finding.line))
        .collect()
}

#[test]
fn each_fault_has_its_rule_and_its_line() {
    assert_eq!(found(|_| {}), []);
    type Change = fn(&mut Record);
    let table: [(Change, &[(CheckRule, usize)]); 9] = [
        (|r| r.source.bytes += 1, &[(CheckRule::Facts, 4)]),
        (
            |r| r.source.sha256 = "0".repeat(64),
            &[(CheckRule::Changed, 4)],
        ),
        (
            |r| r.source.sha256.truncate(3),
            &[(CheckRule::Invalid, 4), (CheckRule::Changed, 4)],
        ),
        (
            |r| r.context.preamble_end.after.clear(),
            &[(CheckRule::Context, 15)],
        ),
        (|r| r.reviews.clear(), &[(CheckRule::Unsigned, 7)]),
        (
            |r| r.reviews[0].verdict = Verdict::Corrected,
            &[(CheckRule::Unsigned, 6)],
        ),
        (|r| r.reviews[0].by.clear(), &[(CheckRule::Invalid, 18)]),
        (
            |r| r.book = "b.txt".into(),
            &[(CheckRule::Misplaced, 3), (CheckRule::UnknownBook, 3)],
        ),
        (
            |r| r.book = "empty.txt".into(),
            &[(CheckRule::Misplaced, 3), (CheckRule::UnreadableBook, 3)],
        ),
    ];
    for (number, (change, expected)) in table.into_iter().enumerate() {
        let mut places = found(change);
        places.sort();
        assert_eq!(places, expected, "case {number}");
    }
    let outside = found(|record| record.cuts.preamble_end = 9);
    assert!(
        outside.contains(&(CheckRule::Invalid, 7)) && outside.contains(&(CheckRule::Unsigned, 7))
    );
}

#[test]
fn a_blank_cut_is_named() {
    let blank = |record: &mut Record| {
        record.cuts.preamble_end = 2;
        record.reviews[0].cuts.preamble_end = 2;
    };
    assert_eq!(found(blank), [(CheckRule::BlankCut, 7)]);
}

#[test]
fn duplicates_broken_files_and_moved_books_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let one = yaml::write(&record("a.txt"));
    write("a.txt.yaml", &one);
    write("b.yaml", &one);
    write("c.yaml", "schema: 1\nbook: \"x\n");
    write("d.txt.yaml", &yaml::write(&record("d.txt")));
    let shelf = MemoryBooks(vec![("a.txt", BOOK)]);
    let store = Store::open(folder.path()).unwrap();
    let checked = check_records(&store, Some(&shelf), |record, text| {
        (record.book.clone(), text.lines())
    })
    .unwrap();
    let texts: Vec<String> = checked.findings.iter().map(ToString::to_string).collect();
    let all = texts.join("\n");
    for part in [
        "b.yaml:3:1: error[duplicate] 'a.txt' has another record in",
        "b.yaml:3:1: error[misplaced] this file is not where the record of 'a.txt' belongs; rename it to 'a.txt.yaml'",
        "c.yaml:3:1: error[broken]",
        "d.txt.yaml:3:1: error[unknown-book] the corpus has no book 'd.txt', but 'a.txt' has its very text",
    ] {
        assert!(all.contains(part), "{part}\n{all}");
    }
    assert_eq!(texts.len(), 4, "{all}");
    assert_eq!(checked.files.len(), 4);
    let sound: Vec<_> = checked.valid.iter().map(|sound| &sound.answer).collect();
    assert_eq!(sound, [&("a.txt".to_owned(), 8)]);
}

#[test]
fn an_end_is_as_wrong_as_its_nearest_defended_line() {
    let text = BookText::new(BOOK.as_bytes().to_vec());
    let mut record = record("a.txt");
    let found = Cuts {
        preamble_end: 3,
        epilogue_start: None,
    };
    let errors = |record: &Record| cut_errors(&text, record, found);
    assert_eq!(errors(&record), CutErrors { start: 1, end: -1 });
    for (end, line) in [(End::Start, 3), (End::End, 9)] {
        record.alternatives.push(Alternative {
            end,
            line,
            why: String::new(),
        });
    }
    assert!(errors(&record).is_exact());
}
