use std::fs;
use std::path::PathBuf;

use super::*;
use crate::{Alternative, RecordKind, Review, SourceFacts, Store, Verdict, yaml};
use endpaper_detect::{Cuts, End};

fn cuts(preamble_end: u32) -> Cuts {
    Cuts {
        preamble_end,
        epilogue_start: Some(90),
    }
}

fn draft() -> Record {
    let source = SourceFacts {
        sha256: "0a".repeat(32),
        bytes: 900,
        lines: 100,
        encoding: "ascii".into(),
        newline: "lf".into(),
        extractor: None,
    };
    Record::new("a.txt", source)
}

fn decided(mut record: Record, by: &str, hour: u32, preamble_end: u32) -> Record {
    record.add_review(Review {
        by: by.into(),
        at: format!("2026-11-21T{hour:02}:00:00Z"),
        verdict: Verdict::Corrected,
        cuts: cuts(preamble_end),
        ..Review::default()
    });
    record
}

fn names(differing: &[FieldDifference]) -> Vec<&str> {
    differing.iter().map(|field| field.field.as_str()).collect()
}

fn by(record: &Record) -> Vec<&str> {
    record
        .reviews
        .iter()
        .map(|review| review.by.as_str())
        .collect()
}

#[test]
fn who_agrees_is_merged_with_all_reviews_in_order() {
    let ours = decided(draft(), "b", 9, 12);
    let mut theirs = decided(draft(), "a", 8, 12);
    // What had been proposed to them was right.
    theirs.verdict = Verdict::Confirmed;
    theirs.reviews[0].verdict = Verdict::Confirmed;
    theirs.unknown.insert("era".into(), "old".into());
    let (merged, differing) = merge_two(None, &ours, &theirs);
    assert_eq!(differing, []);
    assert_eq!(by(&merged), ["a", "b"]);
    assert_eq!(merged.cuts, cuts(12));
    assert_eq!(merged.unknown["era"], "old");
    // Merging again adds nothing.
    assert_eq!(merge_two(None, &merged, &theirs), (merged.clone(), vec![]));
}

#[test]
fn who_differs_is_never_merged_by_order() {
    type Change = fn(&mut Record);
    let table: [(Change, &str); 8] = [
        (|r| *r = decided(draft(), "b", 9, 13), "cuts"),
        (|r| r.kind = RecordKind::Fragment, "cuts"),
        (|r| r.verdict = Verdict::Undecidable, "cuts"),
        (|r| r.hard = true, "hard"),
        (|r| r.flags = vec!["ads".into()], "flags"),
        (|r| r.note = "x".into(), "note"),
        (|r| r.policy = "keep-credits".into(), "policy"),
        (
            |r| {
                r.alternatives = vec![Alternative {
                    end: End::Start,
                    line: 3,
                    why: String::new(),
                }]
            },
            "alternatives",
        ),
    ];
    let ours = decided(draft(), "a", 8, 12);
    for (change, field) in table {
        let mut theirs = decided(draft(), "b", 9, 12);
        change(&mut theirs);
        for (one, other) in [(&ours, &theirs), (&theirs, &ours)] {
            let (merged, differing) = merge_two(None, one, other);
            assert_eq!(names(&differing), [field]);
            assert_eq!(by(&merged), ["a", "b"]);
        }
    }
}

#[test]
fn with_a_base_each_side_keeps_what_it_alone_changed() {
    let base = decided(draft(), "a", 8, 12);
    let mut ours = base.clone();
    ours.note = "seen".into();
    ours.unknown.insert("era".into(), "old".into());
    let mut theirs = decided(base.clone(), "b", 9, 14);
    theirs.flags = vec!["ads".into()];
    let (merged, differing) = merge_two(Some(&base), &ours, &theirs);
    assert_eq!(differing, []);
    assert_eq!((merged.cuts, merged.note.as_str()), (cuts(14), "seen"));
    assert_eq!(merged.flags, ["ads"]);
    assert_eq!(merged.unknown["era"], "old");
    assert_eq!(by(&merged), ["a", "b"]);
    let ours = decided(base.clone(), "a", 10, 15);
    let (_, differing) = merge_two(Some(&base), &ours, &theirs);
    assert_eq!(names(&differing), ["cuts"]);
}

#[test]
fn a_later_decision_follows_an_earlier_one_it_knew() {
    let earlier = decided(draft(), "a", 8, 12);
    let later = decided(earlier.clone(), "b", 9, 14);
    for (one, other) in [(&earlier, &later), (&later, &earlier)] {
        let (merged, differing) = merge_two(None, one, other);
        assert_eq!((differing.len(), merged.cuts), (0, cuts(14)));
    }
    // A draft gives way if it says nothing, and only then.
    let mut idle = draft();
    idle.cuts = cuts(3);
    assert_eq!(merge_two(None, &idle, &later), (later.clone(), vec![]));
    idle.note = "half a thought".into();
    assert_eq!(names(&merge_two(None, &idle, &later).1), ["cuts", "note"]);
}

#[test]
fn lines_of_another_text_go_with_its_cuts() {
    let base = decided(draft(), "a", 8, 12);
    let mut theirs = decided(moved(&base, "0b"), "b", 9, 20);
    theirs.alternatives = vec![Alternative {
        end: End::Start,
        line: 22,
        why: String::new(),
    }];
    let (merged, differing) = merge_two(Some(&base), &base, &theirs);
    assert_eq!(differing, []);
    assert_eq!(merged, theirs);
    let mut ours = base.clone();
    ours.alternatives = vec![Alternative {
        end: End::Start,
        line: 9,
        why: String::new(),
    }];
    assert_eq!(names(&merge_two(Some(&base), &ours, &theirs).1), ["cuts"]);
}

/// The record about other bytes of its book.
fn moved(record: &Record, byte: &str) -> Record {
    let mut moved = record.clone();
    moved.set_source(SourceFacts {
        sha256: byte.repeat(32),
        lines: 120,
        ..record.source.clone()
    });
    moved
}

/// Who said what, and the bytes it is about.
fn said(record: &Record) -> Vec<(&str, u32, String)> {
    let said = record.reviews.iter().map(|review| {
        let about = review.source.as_ref().map(|source| &source.sha256);
        let about = about.unwrap_or(&record.source.sha256);
        let line = review.cuts.preamble_end;
        (review.by.as_str(), line, about[..2].to_owned())
    });
    said.collect()
}

#[test]
fn a_review_is_about_the_same_bytes_after_a_merge_and_there_once() {
    let base = decided(draft(), "a", 8, 12);
    let later = decided(moved(&base, "0b"), "b", 9, 20);
    let expected = [("a", 12, "0a".into()), ("b", 20, "0b".into())];
    for base in [None, Some(&base)] {
        let earlier = decided(draft(), "a", 8, 12);
        for (ours, theirs) in [(&earlier, &later), (&later, &earlier)] {
            let (merged, differing) = merge_two(base, ours, theirs);
            assert_eq!(differing, []);
            assert_eq!(said(&merged), expected);
            assert!(merged.is_decided_on(&later.source.sha256));
            assert_eq!(merged.find_problems(), Vec::<String>::new());
            assert_eq!(merge_two(base, &merged, theirs).0, merged);
        }
    }
}

#[test]
fn the_draft_of_a_conflict_keeps_opinions_about_other_bytes_apart() {
    let base = decided(draft(), "a", 8, 12);
    let versions = [
        decided(base.clone(), "c", 10, 14),
        decided(moved(&base, "0b"), "b", 9, 20),
        decided(moved(&base, "0c"), "d", 11, 30),
    ];
    let expected = [
        ("a", 12, "0a".into()),
        ("b", 20, "0b".into()),
        ("c", 14, "0a".into()),
        ("d", 30, "0c".into()),
    ];
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        let sides = order.map(|index| MergeSide {
            books: [("a.txt".to_owned(), vec![versions[index].clone()])].into(),
            ..MergeSide::default()
        });
        let merge = merge(None, &sides);
        let MergeOutcome::Conflict(conflict) = &merge.books["a.txt"] else {
            panic!("{order:?}");
        };
        assert_eq!(said(&conflict.draft), expected, "{order:?}");
        assert_eq!(conflict.draft.find_problems(), Vec::<String>::new());
        // It is settled on other bytes than those the draft is about.
        let settled = decided(moved(&conflict.draft, "0b"), "judge", 12, 20);
        assert!(conflict.is_settled_by(&settled), "{order:?}");
    }
}

#[test]
fn an_outcome_about_other_bytes_takes_no_opinion_along() {
    let base = decided(draft(), "a", 8, 12);
    let other = decided(moved(&base, "0b"), "b", 9, 20);
    let mut record = base;
    record.add_opinions(&other);
    let expected = [("a", 12, "0a".into()), ("b", 20, "0b".into())];
    assert_eq!(said(&record), expected);
    record.adopt_outcome(&other);
    assert_eq!(said(&record), expected);
    assert_eq!(record, other);
}

/// Both versions as sides of a merge without a base.
fn conflict_of(versions: [&Record; 2], base: Option<&Record>) -> MergeConflict {
    let side = |record: &Record| MergeSide::of_records([record.clone()]);
    let base = base.map(side);
    let mut merge = merge(base.as_ref(), &versions.map(side));
    match merge.books.remove("a.txt") {
        Some(MergeOutcome::Conflict(conflict)) => *conflict,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_outcome_of_a_version_has_its_disputed_fields_and_all_notes() {
    let mut one = decided(draft(), "a", 8, 12);
    (one.note, one.hard) = ("title twice".into(), true);
    one.flags = vec!["ads".into()];
    let mut other = decided(draft(), "b", 9, 14);
    other.note = "see line 14".into();
    let undecidable = Review {
        verdict: Verdict::Undecidable,
        ..other.reviews[0].clone()
    };
    let mut unsure = draft();
    unsure.add_review(undecidable);
    unsure.note = "title twice / unsure".into();

    let conflict = conflict_of([&one, &other], None);
    let outcome = conflict.outcome_of(&other);
    assert_eq!(outcome.note, "see line 14 / title twice");
    assert_eq!((outcome.verdict, outcome.cuts), (other.verdict, other.cuts));
    assert_eq!((outcome.hard, outcome.flags.len()), (false, 0));
    assert_eq!(by(&outcome), ["a", "b"]);
    let outcome = conflict.outcome_of(&one);
    assert_eq!(outcome.note, "title twice / see line 14");
    assert_eq!((outcome.hard, &outcome.flags), (true, &one.flags));

    let conflict = conflict_of([&one, &unsure], None);
    let outcome = conflict.outcome_of(&unsure);
    assert_eq!(outcome.verdict, Verdict::Undecidable);
    // What both noted is there once.
    assert_eq!(outcome.note, "title twice / unsure");
}

#[test]
fn what_is_agreed_is_in_the_outcome_of_every_version() {
    let mut base = decided(draft(), "a", 8, 12);
    let mut one = decided(base.clone(), "a", 9, 13);
    one.flags = vec!["ads".into()];
    let other = decided(base.clone(), "b", 10, 14);
    let outcome = conflict_of([&one, &other], Some(&base)).outcome_of(&other);
    assert_eq!((outcome.cuts, &outcome.flags), (cuts(14), &one.flags));
    // Notes alone differ: the verdict is agreed on.
    base.note = "first".into();
    let mut other = base.clone();
    other.note = "second".into();
    let outcome = conflict_of([&base, &other], None).outcome_of(&other);
    assert_eq!((outcome.verdict, outcome.cuts), (base.verdict, base.cuts));
    assert_eq!(outcome.note, "second / first");
}

struct MergeFixture(tempfile::TempDir);

impl MergeFixture {
    fn put(&self, folder: &str, record: &Record) {
        let path = self.path(folder);
        fs::create_dir_all(&path).unwrap();
        fs::write(
            path.join(format!("{}.yaml", record.book)),
            yaml::write(record),
        )
        .unwrap();
    }

    fn path(&self, folder: &str) -> PathBuf {
        self.0.path().join(folder)
    }

    fn merged(&self, base: Option<&str>, of: &[&str]) -> FolderMerge {
        let paths: Vec<PathBuf> = of.iter().map(|folder| self.path(folder)).collect();
        let (sides, unread) = sides(&paths).unwrap();
        assert_eq!(unread, []);
        let base = base.map(|base| super::sides(&[self.path(base)]).unwrap().0.remove(0));
        merge(base.as_ref(), &sides)
    }
}

#[test]
fn a_record_that_does_not_parse_was_not_removed() {
    let folders = MergeFixture(tempfile::tempdir().unwrap());
    let record = decided(draft(), "a", 8, 12);
    for folder in ["base", "a", "b"] {
        folders.put(folder, &record);
    }
    let file = folders.path("a").join(format!("{}.yaml", record.book));
    let side = |folder| {
        let (mut sides, unread) = super::sides(&[folders.path(folder)]).unwrap();
        (sides.remove(0), unread.len())
    };
    let mut wrong = decided(record.clone(), "b", 9, 12);
    wrong.reviews[1].at = "2026-1c-23".to_owned();
    // A record that contradicts itself is treated like one that does not parse.
    for text in ["x: [".to_owned(), yaml::write(&wrong)] {
        fs::write(&file, text).unwrap();
        let (a, unread) = side("a");
        assert_eq!(unread, 1);
        let merge = merge(Some(&side("base").0), &[a, side("b").0]);
        let expected = MergeOutcome::Merged(Box::new(record.clone()));
        assert_eq!(merge.books[&record.book], expected);
    }
}

#[test]
fn a_book_whose_name_makes_no_file_is_left_out_and_the_others_are_merged() {
    let folders = MergeFixture(tempfile::tempdir().unwrap());
    let record = decided(draft(), "a", 8, 12);
    folders.put("a", &record);
    let long = named(&format!("{}x", "a/".repeat(3000)), &record);
    fs::write(folders.path("a").join("long.yaml"), yaml::write(&long)).unwrap();
    let (sides, unread) = super::sides(&[folders.path("a")]).unwrap();
    assert_eq!(unread.len(), 1);
    assert!(
        unread[0].error.to_string().len() < 200,
        "{}",
        unread[0].error
    );
    assert_eq!(merge(None, &sides[..1]).books.len(), 1);
}

fn named(book: &str, record: &Record) -> Record {
    Record {
        book: book.into(),
        ..record.clone()
    }
}

#[test]
fn folders_are_merged_and_conflicts_wait_until_they_are_settled() {
    let folders = MergeFixture(tempfile::tempdir().unwrap());
    let (one, two) = (decided(draft(), "a", 8, 12), decided(draft(), "b", 9, 12));
    let other = decided(draft(), "b", 9, 14);
    folders.put("a", &named("alike.txt", &one));
    folders.put("b", &named("alike.txt", &two));
    folders.put("a", &named("clash.txt", &one));
    folders.put("b", &named("clash.txt", &other));
    folders.put("a", &named("left.txt", &one));
    folders.put("b", &named("right.txt", &two));
    let merge = folders.merged(None, &["a", "b"]);
    let into = Store::open(&folders.path("c")).unwrap();
    let written = merge.write(&into).unwrap();
    assert_eq!(
        (written.written, written.conflicts),
        (3, vec!["clash.txt".to_owned()])
    );
    let open = merge.open_conflicts(&into).unwrap();
    let conflict = open["clash.txt"];
    assert_eq!(conflict.opinions.len(), 2);
    assert_eq!(
        (by(&conflict.draft), conflict.draft.verdict),
        (vec!["a", "b"], Verdict::Open)
    );
    // A person settles it; both opinions stay in the record.
    let settled = decided(conflict.draft.clone(), "judge", 10, 14);
    folders.put("c", &settled);
    assert!(merge.open_conflicts(&into).unwrap().is_empty());
    let written = merge.write(&into).unwrap();
    assert_eq!(
        (written.written, written.unchanged, written.settled),
        (0, 3, 1)
    );
    // A record no one brought along is not replaced.
    folders.put("c", &named("left.txt", &other));
    assert_eq!(merge.write(&into).unwrap().refused[0].0, "left.txt");
}

#[test]
fn what_was_removed_stays_removed_unless_somebody_changed_it() {
    let folders = MergeFixture(tempfile::tempdir().unwrap());
    let one = decided(draft(), "a", 8, 12);
    for folder in ["base", "a", "b"] {
        folders.put(folder, &named("x.txt", &one));
    }
    for folder in ["base", "a"] {
        folders.put(folder, &named("gone.txt", &one));
        folders.put(folder, &named("kept.txt", &one));
    }
    folders.put("a", &named("kept.txt", &decided(one.clone(), "a", 9, 14)));
    let merge = folders.merged(Some("base"), &["a", "b"]);
    assert_eq!(merge.books["gone.txt"], MergeOutcome::Removed);
    assert!(
        matches!(&merge.books["kept.txt"], MergeOutcome::Merged(record) if record.cuts == cuts(14))
    );
}

#[test]
fn versions_kept_aside_are_the_other_side_of_a_lone_folder() {
    let folders = MergeFixture(tempfile::tempdir().unwrap());
    let store = Store::open(&folders.path("a")).unwrap();
    let mine = decided(draft(), "a", 8, 12);
    let (_, none) = store.load("a.txt").unwrap();
    store.save(&mine, &none).unwrap();
    // Two others had seen no record: one agrees, one does not.
    for (name, line) in [("b", 12), ("c", 14)] {
        store
            .save(&decided(draft(), name, 9, line), &none)
            .unwrap_err();
    }
    assert_eq!(store.conflicts().len(), 2);
    let merge = folders.merged(None, &["a"]);
    let MergeOutcome::Conflict(conflict) = &merge.books["a.txt"] else {
        panic!("{:?}", merge.books);
    };
    assert_eq!(
        (conflict.opinions.len(), by(&conflict.draft)),
        (2, vec!["a", "b", "c"])
    );
    assert_eq!(store.forget_conflicts(|book| book == "a.txt").unwrap(), 2);
    assert!(store.conflicts().is_empty());
}
