use std::fs;
use std::path::{Path, PathBuf};

use super::lock::MARK;
use super::*;
use endpaper_detect::Cuts;
use endpaper_text::checksum::sha256;

fn record(id: &str) -> Record {
    let source = SourceFacts {
        sha256: sha256(id.as_bytes()),
        bytes: 10,
        lines: 100,
        encoding: "ascii".into(),
        newline: "lf".into(),
        extractor: None,
    };
    Record::new(id, source)
}

fn decided(id: &str, by: &str, preamble_end: u32) -> Record {
    let mut record = record(id);
    record.add_review(review(by, Verdict::Confirmed, preamble_end));
    record
}

fn review(by: &str, verdict: Verdict, preamble_end: u32) -> Review {
    Review {
        by: by.into(),
        at: "2026-11-21T03:22:00Z".into(),
        verdict,
        cuts: Cuts {
            preamble_end,
            epilogue_start: Some(90),
        },
        ..Review::default()
    }
}

fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("truth")).unwrap();
    (folder, store)
}

fn loaded(store: &Store, id: &str) -> Record {
    match store.load(id).unwrap().0 {
        StoredRecord::Record(record) => *record,
        other => panic!("{other:?}"),
    }
}

/// Every file below a folder except locks and what keeps them out of version control, to check that nothing was left behind.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name();
    let files = entries
        .into_iter()
        .flatten()
        .filter(|entry| entry.file_type().is_file());
    let files = files.map(|entry| entry.path().strip_prefix(folder).unwrap().to_owned());
    files
        .filter(|file| file.extension().is_none_or(|end| end != "lock") && !file.ends_with("lock"))
        .filter(|file| !file.ends_with(".gitignore"))
        .collect()
}

#[test]
fn opening_and_looking_makes_nothing() {
    let (_guard, store) = store();
    assert!(matches!(
        store.load("a/b.txt").unwrap(),
        (StoredRecord::Nothing, Snapshot(None))
    ));
    assert!(store.existing().unwrap().is_empty());
    assert_eq!(store.status().unwrap(), StatusReport::default());
    assert_eq!(store.announce().other_process(), None);
    assert_eq!(store.writable(), Ok(()));
    assert_eq!(store.find_by_sha256("00"), None);
    assert!(!store.folder().exists());
}

#[test]
fn locks_stay_out_of_version_control_and_a_changed_list_is_kept() {
    let (_guard, store) = store();
    let list = store.folder().join(MARK).join(".gitignore");
    let (_, known) = store.load("a.txt").unwrap();
    let saved = store.save(&record("a.txt"), &known).unwrap();
    assert_eq!(fs::read_to_string(&list).unwrap(), "lock\nreviewing.lock\n");
    fs::write(&list, "*\n").unwrap();
    store.restore("a.txt", &known, &saved.now).unwrap();
    assert_eq!(fs::read_to_string(&list).unwrap(), "*\n");
}

#[test]
fn a_file_in_place_of_the_folder_is_refused_in_one_sentence() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = Store::open(file.path()).unwrap_err();
    assert_eq!(
        error.downcast_ref(),
        Some(&NotAFolder(file.path().to_owned())),
        "{error}"
    );
}

#[test]
fn what_is_saved_is_loaded_and_marks_the_folder() {
    let (_guard, store) = store();
    let record = decided("etext98/2city12.txt", "ms", 7);
    let saved = store.save(&record, &Snapshot(None)).unwrap();
    assert_eq!(saved.path, Path::new("etext98/2city12.txt.yaml"));
    assert!(saved.written);
    assert!(store.folder().join(MARK).is_dir());
    let (_, known) = store.load(&record.book).unwrap();
    assert_eq!(known, saved.now);
    assert_eq!(loaded(&store, &record.book), record);
    let existing = store.existing().unwrap();
    assert_eq!(existing.len(), 1);
    assert!(Store::is_among(&existing, &record.book));
    assert!(!Store::is_among(&existing, "other.txt"));
    assert_eq!(files(store.folder()), [saved.path]);
}

#[test]
fn a_record_that_could_not_be_read_again_is_not_saved() {
    let (_guard, store) = store();
    let mut record = decided("a.txt", "ms", 7);
    let known = store.save(&record, &Snapshot(None)).unwrap().now;
    record.note = "n".repeat(5 << 20);
    let error = store.save(&record, &known).unwrap_err().to_string();
    assert!(
        error.contains("more than the 4194304 of a record; shorten"),
        "{error}"
    );
    assert_eq!(loaded(&store, "a.txt").note, "");
}

#[test]
fn unchanged_is_not_written() {
    let (_guard, store) = store();
    let record = decided("a.txt", "ms", 7);
    let first = store.save(&record, &Snapshot(None)).unwrap();
    let path = store.folder().join(&first.path);
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    let again = store.save(&record, &first.now).unwrap();
    assert!(!again.written);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
}

#[test]
fn of_two_curators_on_one_folder_both_versions_are_kept() {
    let (_guard, ours) = store();
    let theirs = Store::open(ours.folder()).unwrap();
    let first = ours
        .save(&decided("d/a.txt", "ann", 1), &Snapshot(None))
        .unwrap();
    theirs
        .save(&decided("d/a.txt", "bob", 2), &first.now)
        .unwrap();
    for number in 1..=2 {
        let error = ours
            .save(&decided("d/a.txt", "ann", 3), &first.now)
            .unwrap_err();
        let SaveError::Conflict { kept, theirs, .. } = error else {
            panic!("{error}")
        };
        assert!(
            kept.ends_with(format!("conflicts/d/a.txt.{number}.yaml")),
            "{kept:?}"
        );
        assert_eq!(
            yaml::read_bytes(&fs::read(&kept).unwrap()).unwrap(),
            decided("d/a.txt", "ann", 3)
        );
        assert_eq!(
            yaml::read_bytes(&theirs.0.unwrap()).unwrap().reviews[0].by,
            "bob"
        );
    }
    assert_eq!(loaded(&ours, "d/a.txt").cuts.preamble_end, 2);
    assert_eq!(ours.status().unwrap().conflicts.len(), 2);
    assert_eq!(ours.existing().unwrap().len(), 1);
}

#[test]
fn a_record_made_or_removed_meanwhile_is_a_conflict() {
    let (_guard, store) = store();
    let first = store.save(&record("a"), &Snapshot(None)).unwrap();
    let clash = store.save(&decided("a", "ann", 1), &Snapshot(None));
    assert!(matches!(clash, Err(SaveError::Conflict { .. })));
    fs::remove_file(store.folder().join(&first.path)).unwrap();
    let clash = store.save(&decided("a", "ann", 1), &first.now);
    assert!(matches!(
        clash,
        Err(SaveError::Conflict {
            theirs: Snapshot(None),
            ..
        })
    ));
}

#[test]
fn many_threads_saving_lose_nothing() {
    let (_guard, store) = store();
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let store = &store;
            scope.spawn(move || {
                for number in 0..5 {
                    let id = format!("{worker}/{number}.txt");
                    store
                        .save(&decided(&id, "ann", number), &Snapshot(None))
                        .unwrap();
                }
            });
        }
    });
    assert_eq!(store.status().unwrap().records, 20);
}

#[test]
fn undo_puts_the_previous_bytes_back_or_removes_the_file() {
    let (_guard, store) = store();
    let first = store.save(&record("a"), &Snapshot(None)).unwrap();
    let second = store.save(&decided("a", "ann", 1), &first.now).unwrap();
    let undone = store.restore("a", &first.now, &second.now).unwrap();
    assert_eq!(undone.now, first.now);
    assert_eq!(loaded(&store, "a"), record("a"));
    let gone = store.restore("a", &Snapshot(None), &first.now).unwrap();
    assert_eq!(gone.now, Snapshot(None));
    assert!(files(store.folder()).is_empty());
}

#[test]
fn undo_leaves_what_somebody_else_changed() {
    let (_guard, store) = store();
    let first = store.save(&record("a"), &Snapshot(None)).unwrap();
    let theirs = store.save(&decided("a", "bob", 1), &first.now).unwrap();
    let error = store.restore("a", &Snapshot(None), &first.now).unwrap_err();
    assert!(matches!(error, SaveError::Changed { theirs: bytes, .. } if bytes == theirs.now));
    assert_eq!(loaded(&store, "a").reviews[0].by, "bob");
}

#[test]
fn ids_equal_but_for_case_have_files_that_differ_in_more() {
    let (_guard, store) = store();
    let ids = ["Dir/Book.txt", "dir/book.txt", "DIR/BOOK.TXT"];
    let mut names = std::collections::HashSet::new();
    for (number, id) in (1..).zip(ids) {
        let saved = store
            .save(&decided(id, "ann", number), &Snapshot(None))
            .unwrap();
        assert!(
            names.insert(saved.path.to_str().unwrap().to_lowercase()),
            "{names:?}"
        );
    }
    let existing = store.existing().unwrap();
    for (number, id) in (1..).zip(ids) {
        assert_eq!(loaded(&store, id).cuts.preamble_end, number);
        assert!(Store::is_among(&existing, id));
    }
}

#[test]
fn another_books_record_under_our_name_is_not_ours() {
    let (_guard, store) = store();
    let saved = store.save(&record("a"), &Snapshot(None)).unwrap();
    let other = yaml::write(&record("b"));
    fs::write(store.folder().join(&saved.path), &other).unwrap();
    assert!(matches!(store.load("a").unwrap().0, StoredRecord::Nothing));
    store
        .save(&decided("a", "ann", 1), &Snapshot(None))
        .unwrap();
    assert_eq!(loaded(&store, "a").reviews.len(), 1);
    assert_eq!(
        fs::read_to_string(store.folder().join(&saved.path)).unwrap(),
        other
    );
}

#[test]
fn a_broken_record_is_named_and_never_written_over() {
    let (_guard, store) = store();
    let saved = store.save(&record("a"), &Snapshot(None)).unwrap();
    let path = store.folder().join(&saved.path);
    fs::write(&path, "schema: 1\nbook: [").unwrap();
    let (found, known) = store.load("a").unwrap();
    assert!(matches!(found, StoredRecord::Broken { error, .. } if error.line >= 2));
    let error = store.save(&record("a"), &known).unwrap_err();
    assert!(error.to_string().contains("does not parse"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "schema: 1\nbook: [");
    let status = store.status().unwrap();
    assert_eq!(status.broken[0].path, saved.path);
    assert!(status.to_string().contains("a.yaml: line "), "{status}");
}

#[test]
fn what_a_killed_process_left_is_no_record_and_is_swept() {
    let (_guard, store) = store();
    store.save(&record("d/a"), &Snapshot(None)).unwrap();
    for leftover in ["d/.endpaper-x1.tmp", ".endpaper-x2.tmp"] {
        fs::write(store.folder().join(leftover), "schema: 1").unwrap();
    }
    assert_eq!(store.existing().unwrap().len(), 1);
    assert_eq!(store.status().unwrap().records, 1);
    let _announcement = store.announce();
    assert_eq!(files(store.folder()), [Path::new("d/a.yaml")]);
}

#[test]
fn a_second_reviewer_is_told_of_the_first() {
    let (_guard, store) = store();
    store.save(&record("a"), &Snapshot(None)).unwrap();
    let first = store.announce();
    assert_eq!(first.other_process(), None);
    let second = store.announce();
    assert_eq!(second.other_process(), Some(std::process::id()));
    drop((first, second));
    assert_eq!(store.announce().other_process(), None);
}

#[test]
fn a_text_is_known_again_in_another_place() {
    let (_guard, store) = store();
    let mut draft = record("old/a.txt");
    draft.source.sha256 = sha256(b"text");
    let mut done = decided("new/a.txt", "ann", 4);
    done.source.sha256 = sha256(b"text").to_uppercase();
    store.save(&draft, &Snapshot(None)).unwrap();
    let find = || {
        store
            .find_by_sha256(&sha256(b"text"))
            .map(|(_, record)| record.book)
    };
    assert_eq!(find().as_deref(), Some("old/a.txt"));
    let saved = store.save(&done, &Snapshot(None)).unwrap();
    assert_eq!(
        find().as_deref(),
        Some("new/a.txt"),
        "a decided one is preferred"
    );
    store
        .restore(&done.book, &Snapshot(None), &saved.now)
        .unwrap();
    assert_eq!(
        find().as_deref(),
        Some("old/a.txt"),
        "an undone one is not found"
    );
}

#[test]
fn the_status_counts_everything() {
    let (_guard, store) = store();
    let mut hard = decided("a", "ann", 1);
    hard.hard = true;
    hard.flags = vec!["ads".into()];
    hard.add_review(review("bob", Verdict::Corrected, 2));
    let mut none = record("b");
    none.add_review(review("ann", Verdict::NotABook, 0));
    for record in [&hard, &none, &decided("c", "ann", 1), &record("d")] {
        store.save(record, &Snapshot(None)).unwrap();
    }
    let status = store.status().unwrap();
    assert_eq!((status.records, status.decided(), status.hard), (4, 3, 1));
    assert_eq!(status.corrected_share(), Some(0.5));
    assert_eq!(status.kinds[&RecordKind::NotABook], 1);
    assert_eq!((status.curators["ann"], status.curators["bob"]), (3, 1));
    let table = status.to_string();
    for (name, count) in [
        ("records", 4),
        ("  corrected", 1),
        ("  ads", 1),
        ("  ann", 3),
    ] {
        let row = format!("{name:<28}{count:>7}\n");
        assert!(table.contains(&row), "{row}: {table}");
    }
}

#[test]
fn a_decision_joins_earlier_ones_and_comes_into_force() {
    let mut record = record("a");
    record.add_review(review("ann", Verdict::NotABook, 0));
    assert_eq!(
        (record.kind, record.verdict),
        (RecordKind::NotABook, Verdict::NotABook)
    );
    record.add_review(review("bob", Verdict::Corrected, 5));
    assert_eq!(
        (record.kind, record.verdict),
        (RecordKind::Book, Verdict::Corrected)
    );
    assert_eq!(record.cuts.preamble_end, 5);
    let by: Vec<_> = record
        .reviews
        .iter()
        .map(|review| review.by.as_str())
        .collect();
    assert_eq!(by, ["ann", "bob"]);
    assert_eq!(record.find_problems(), Vec::<String>::new());
}

#[test]
fn what_is_wrong_in_a_record_is_said() {
    type Spoil = fn(&mut Record);
    let cases: &[(Spoil, &str)] = &[
        (|r| r.book.clear(), "book is empty"),
        (|r| r.source.lines = 0, "source.lines is 0"),
        (|r| r.source.sha256 = "xyz".into(), "'xyz'; it has 64"),
        (
            |r| r.cuts.preamble_end = 101,
            "preamble_end 101 is outside the 100 lines",
        ),
        (
            |r| r.cuts.epilogue_start = Some(101),
            "write null for no epilogue",
        ),
        (
            |r| r.cuts.epilogue_start = Some(0),
            "epilogue_start 0 is outside",
        ),
        (
            |r| r.cuts.preamble_end = 90,
            "preamble_end 90 does not come before epilogue_start 90",
        ),
        (
            |r| r.reviews[0].by = " ".into(),
            "reviews[0]: 'by' is empty",
        ),
        (|r| r.reviews[0].at = "today".into(), "'at' is 'today'"),
        (
            |r| r.reviews[0].cuts.preamble_end = 200,
            "reviews[0]: preamble_end 200",
        ),
        (|r| r.kind = RecordKind::NotABook, "contradict each other"),
        (
            |r| {
                r.inside.push(InnerBoilerplate {
                    first: 9,
                    last: 8,
                    kind: "list".into(),
                })
            },
            "inside: 9 to 8",
        ),
        (
            |r| {
                r.alternatives.push(Alternative {
                    end: endpaper_detect::End::Start,
                    line: 101,
                    why: "".into(),
                })
            },
            "line 101",
        ),
    ];
    assert_eq!(decided("a", "ann", 1).find_problems(), Vec::<String>::new());
    for (spoil, expected) in cases {
        let mut record = decided("a", "ann", 1);
        spoil(&mut record);
        let wrong = record.find_problems().join("; ");
        assert!(wrong.contains(expected), "{expected}: {wrong}");
    }
}

#[test]
fn every_name_reads_back() {
    for verdict in Verdict::ALL {
        assert_eq!(verdict.to_string().parse(), Ok(*verdict));
    }
    for kind in RecordKind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(*kind));
    }
    assert!("Book".parse::<RecordKind>().is_err());
}

#[test]
fn times_are_written_to_the_second() {
    let at: jiff::Timestamp = "2026-11-21T04:22:00.987654+01:00".parse().unwrap();
    assert_eq!(timestamp(at), "2026-11-21T03:22:00Z");
    for at in [
        jiff::Timestamp::MIN,
        jiff::Timestamp::MAX,
        jiff::Timestamp::UNIX_EPOCH,
    ] {
        assert!(timestamp(at).ends_with('Z'));
    }
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn permissions_of_an_existing_file_are_kept_and_a_new_one_is_readable() {
        let (_guard, store) = store();
        let first = store.save(&record("a"), &Snapshot(None)).unwrap();
        let path = store.folder().join(&first.path);
        assert_eq!(mode(&path) & 0o400, 0o400);
        assert_eq!(mode(&path) & 0o133, 0);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        store.save(&decided("a", "ann", 1), &first.now).unwrap();
        assert_eq!(mode(&path), 0o640);
    }

    #[test]
    fn a_record_that_is_a_link_is_refused_and_stays_a_link() {
        let (guard, store) = store();
        let first = store.save(&record("a"), &Snapshot(None)).unwrap();
        let path = store.folder().join(&first.path);
        let elsewhere = guard.path().join("elsewhere.yaml");
        fs::rename(&path, &elsewhere).unwrap();
        let bytes = fs::read(&elsewhere).unwrap();
        symlink(&elsewhere, &path).unwrap();
        let error = store
            .save(&decided("a", "ann", 1), &first.now)
            .unwrap_err()
            .to_string();
        assert!(error.contains("is a symbolic link"), "{error}");
        assert!(path.is_symlink());
        assert_eq!(fs::read(&elsewhere).unwrap(), bytes);
    }

    #[test]
    fn a_link_to_nothing_is_named() {
        let (guard, store) = store();
        store.save(&record("b"), &Snapshot(None)).unwrap();
        symlink(guard.path().join("nowhere"), store.folder().join("a.yaml")).unwrap();
        let error = store
            .save(&record("a"), &Snapshot(None))
            .unwrap_err()
            .to_string();
        assert!(error.contains("is a symbolic link"), "{error}");
        assert!(!guard.path().join("nowhere").exists());
    }

    /// Everything below a folder: names, and contents of files.
    fn tree(folder: &Path) -> Vec<(PathBuf, Option<Vec<u8>>)> {
        let entries = walkdir::WalkDir::new(folder).sort_by_file_name();
        let entries = entries.into_iter().map(Result::unwrap);
        entries
            .map(|entry| (entry.path().to_owned(), fs::read(entry.path()).ok()))
            .collect()
    }

    #[test]
    fn nothing_is_written_removed_or_made_through_links_of_a_strangers_folder() {
        for link in [
            ".endpaper",
            ".endpaper/lock",
            ".endpaper/reviewing.lock",
            ".endpaper/conflicts",
            "etext98",
        ] {
            for leads_to in ["precious", "precious/file", "nowhere"] {
                let guard = tempfile::tempdir().unwrap();
                let precious = guard.path().join("precious");
                fs::create_dir(&precious).unwrap();
                fs::write(precious.join("file"), "precious").unwrap();
                fs::write(precious.join("a.1.yaml"), yaml::write(&record("etext98/a"))).unwrap();
                let before = tree(&precious);
                let folder = guard.path().join("truth");
                let link = folder.join(link);
                fs::create_dir_all(link.parent().unwrap()).unwrap();
                symlink(guard.path().join(leads_to), &link).unwrap();

                let store = Store::open(&folder).unwrap();
                let announcement = store.announce();
                assert_eq!(announcement.other_process(), None);
                let saved = store.save(&record("etext98/a"), &Snapshot(None));
                let known = saved.map_or(Snapshot(None), |saved| saved.now);
                let _ = store.save(&decided("etext98/a", "ann", 1), &Snapshot(None));
                let conflict_copies: Vec<_> = store
                    .conflict_copies("etext98/a")
                    .into_iter()
                    .map(|a| a.path)
                    .collect();
                let _ =
                    store.save_settled(&decided("etext98/a", "ann", 2), &known, &conflict_copies);
                let _ = store.forget_conflicts(|_| true);
                let _ = store.restore("etext98/a", &Snapshot(None), &known);

                assert_eq!(tree(&precious), before, "{}", link.display());
                assert!(!guard.path().join("nowhere").exists());
                assert!(link.is_symlink());
            }
        }
    }

    #[test]
    fn a_truth_folder_that_is_a_link_itself_is_written_to() {
        let guard = tempfile::tempdir().unwrap();
        fs::create_dir(guard.path().join("real")).unwrap();
        symlink(guard.path().join("real"), guard.path().join("link")).unwrap();
        let store = Store::open(&guard.path().join("link")).unwrap();
        store.save(&record("a"), &Snapshot(None)).unwrap();
        assert!(guard.path().join("real/a.yaml").is_file());
    }

    #[test]
    fn a_lock_that_is_a_pipe_is_refused_by_name() {
        let (_guard, store) = store();
        let lock = store.folder().join(MARK).join("lock");
        fs::create_dir_all(lock.parent().unwrap()).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&lock).status();
        assert!(made.unwrap().success());
        let saved = store.save(&record("a"), &Snapshot(None));
        let error = saved.unwrap_err().to_string();
        let expected = format!("its lock '{}': is not a regular file", lock.display());
        assert!(error.contains(&expected), "{error}");
    }

    #[test]
    fn a_record_that_is_a_pipe_or_too_long_is_told_as_broken() {
        let (_guard, store) = store();
        store.save(&record("good"), &Snapshot(None)).unwrap();
        let pipe = store.folder().join("a.yaml");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let long = fs::File::create(store.folder().join("b.yaml")).unwrap();
        long.set_len(1 << 40).unwrap();
        let records = store.records().unwrap();
        let reasons: Vec<_> = records
            .iter()
            .map(|(_, record)| record.as_ref().map_err(|error| error.message.clone()).err())
            .collect();
        assert!(reasons[0].as_ref().unwrap().contains("not a regular file"));
        assert!(reasons[1].as_ref().unwrap().contains("is longer than"));
        assert_eq!(reasons[2], None);
        assert!(store.load("a").is_err());
        assert!(store.save(&record("a"), &Snapshot(None)).is_err());
    }

    #[test]
    fn a_read_only_folder_is_read() {
        let (_guard, store) = store();
        store.save(&record("a"), &Snapshot(None)).unwrap();
        let folder = store.folder().to_owned();
        let set = |mode| {
            for path in [&folder.join(MARK), &folder] {
                fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
            }
        };
        set(0o555);
        let again = Store::open(&folder).unwrap();
        assert_eq!(loaded(&again, "a"), record("a"));
        let _announcement = again.announce();
        // The superuser may write anywhere.
        if let Err(reason) = again.writable() {
            assert!(reason.contains("cannot be written to"), "{reason}");
            assert!(matches!(
                again.save(&record("b"), &Snapshot(None)),
                Err(SaveError::Io { .. })
            ));
        }
        set(0o755);
    }
}
