//! Marks for all books of a filtered queue, and one undo of them.

use super::*;
use crate::bulk::BulkMark;

/// Five books; the first is confirmed, the others are undecided, and only these are in the queue. `b.txt` is open.
fn desk() -> UpdateFixture {
    let names = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"];
    let texts = names.map(|name| (name, book(name)));
    let mut desk = UpdateFixture::new(texts.to_vec());
    desk.keys("<Enter>").wait(5000).keys("sundecided<Enter>");
    assert_eq!(desk.session.queue.books, [1, 2, 3, 4]);
    assert_eq!(desk.name(), "b.txt");
    desk
}

fn flags(desk: &UpdateFixture, id: &str) -> Vec<String> {
    desk.record(id).map_or_else(Vec::new, |record| record.flags)
}

/// The tally that the message line reports, and whether it reports an undo.
fn tally(desk: &UpdateFixture) -> (&BulkTally, bool) {
    match desk.said() {
        Some(Notice::Bulk(BulkNotice::Marked { tally, .. })) => (tally, false),
        Some(Notice::Bulk(BulkNotice::Undone { tally, .. })) => (tally, true),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_flag_is_set_on_all_filtered_books_and_one_undo_takes_it_back() {
    let mut desk = desk();
    let before = desk.disk.clone();
    desk.keys("Fflag ads<Enter>");
    let question = desk.session.screen.popups.last();
    let Some(Popup::Confirm(crate::popup::ConfirmQuestion::MarkAll { books, .. })) = question
    else {
        panic!("{question:?}");
    };
    assert_eq!(books.len(), 4);
    assert_eq!(desk.disk, before, "nothing is written before the answer");
    desk.keys("y");
    assert_eq!(desk.words(), "flag ads: 4 books changed; u takes it back");
    for id in ["b.txt", "c.txt", "d.txt", "e.txt"] {
        let record = desk.record(id).unwrap();
        assert_eq!(record.flags, ["ads"], "{id}");
        assert_eq!((record.verdict, record.reviews.len()), (Verdict::Open, 0));
    }
    assert_eq!(desk.disk["a.txt"], before["a.txt"]);
    let entry = &desk.session.entries[3];
    assert_eq!((entry.status, entry.flags.len()), (ReviewStatus::Draft, 1));
    // The open book shows the flag, and has nothing left to save.
    let open = desk.session.doc.open.as_ref().unwrap();
    assert_eq!(open.decision.flags, ["ads"]);
    assert!(!open.has_unsaved_changes());
    desk.keys("u");
    assert_eq!(desk.words(), "undone: flag ads on 4 books");
    assert_eq!(desk.disk, before);
    let entry = &desk.session.entries[3];
    assert_eq!(
        (entry.status, entry.flags.len()),
        (ReviewStatus::Undecided, 0)
    );
    let open = desk.session.doc.open.as_ref().unwrap();
    assert!(open.decision.flags.is_empty() && open.record.is_none());
    // The step before it is the verdict.
    desk.keys("U");
    assert_eq!(tally(&desk).0.changed, 4);
    desk.keys("uu");
    assert!(desk.disk.is_empty());
    assert_eq!(desk.name(), "a.txt");
}

/// A record made for many books at once equals the one that `f` makes in the open book.
#[test]
fn an_undecided_book_gets_the_record_that_a_single_flag_makes() {
    let mut single = desk();
    single.keys("fads<Enter>").wait(5000);
    let mut all = desk();
    all.keys("Fflag ads<Enter>y");
    assert_eq!(all.disk["b.txt"], single.disk["b.txt"]);
}

#[test]
fn a_decided_book_keeps_its_verdict_its_cuts_and_its_reviews() {
    let mut desk = desk();
    desk.keys("sconfirmed<Enter>");
    let before = desk.record("a.txt").unwrap();
    for (keys, mark) in [
        ("Fhard<Enter>y", BulkMark::Hard(true)),
        (
            "Fnote<Enter>see page 4<Enter>y",
            BulkMark::Note("see page 4".into()),
        ),
        ("Fflag ads<Enter>y", BulkMark::Flag("ads".into())),
    ] {
        desk.keys(keys);
        assert_said!(desk, Notice::Bulk(BulkNotice::Marked { mark: set, .. }) if *set == mark);
    }
    let after = desk.record("a.txt").unwrap();
    let expected = endpaper_truth::Record {
        hard: true,
        note: "see page 4".to_owned(),
        flags: vec!["ads".to_owned()],
        ..before
    };
    assert_eq!(after, expected);
    let decided = &desk.session.sitting.tally;
    assert_eq!((decided.decided.len(), decided.hard.len()), (1, 1));
    // Each undo takes one of them back, and the books come up as they were.
    desk.keys("uuu");
    assert_eq!(tally(&desk).0.changed, 1);
    assert_eq!(desk.record("a.txt").unwrap(), before_of(&expected));
    assert!(desk.session.sitting.tally.hard.is_empty());
}

/// The record without its marks.
fn before_of(record: &endpaper_truth::Record) -> endpaper_truth::Record {
    endpaper_truth::Record {
        hard: false,
        note: String::new(),
        flags: Vec::new(),
        ..record.clone()
    }
}

#[test]
fn a_book_that_has_the_mark_is_not_written_again() {
    let mut desk = desk();
    desk.keys("fads<Enter>").wait(5000);
    let before = desk.disk["b.txt"].clone();
    desk.session.sitting.tally.files.clear();
    desk.keys("Fflag ads<Enter>y");
    assert_eq!(
        desk.words(),
        "flag ads: 3 books changed; 1 had it; u takes it back"
    );
    assert_eq!(desk.disk["b.txt"], before);
    assert_eq!(desk.session.sitting.tally.files.len(), 3);
    // Removing it writes no record of a book that has none.
    desk.keys("uFno flag ads<Enter>y");
    assert_eq!((tally(&desk).0.changed, tally(&desk).0.unchanged), (1, 3));
    assert_eq!(desk.disk.len(), 2);
    assert!(flags(&desk, "b.txt").is_empty());
}

#[test]
fn the_list_offers_what_would_change_a_book() {
    let mut desk = desk();
    let words = |desk: &UpdateFixture| -> Vec<String> {
        match desk.session.screen.popups.last() {
            Some(Popup::Words { picker, .. }) => picker
                .items
                .iter()
                .map(|(_, (word, _))| word.clone())
                .collect(),
            _ => panic!("no list"),
        }
    };
    desk.keys("F");
    assert_eq!(words(&desk)[..3], ["hard", "note", "flag note-inside"]);
    assert!(
        !words(&desk)
            .iter()
            .any(|word| word.starts_with("no") && word != "note")
    );
    desk.keys("flag ads<Enter>yF");
    assert!(words(&desk).contains(&"no flag ads".to_owned()));
    assert!(!words(&desk).contains(&"flag ads".to_owned()));
}

#[test]
fn nothing_happens_without_a_filter_an_answer_or_a_note() {
    let mut desk = desk();
    let before = desk.disk.clone();
    for keys in [
        "Fflag ads<Enter>n",
        "Fflag ads<Enter><Esc>",
        "Fflag ads<Esc>",
        "Fnote<Enter>  <Enter>",
        "Fnote<Enter>why<Esc>",
    ] {
        desk.keys(keys);
        assert!(desk.session.screen.popups.is_empty(), "{keys}");
        assert_eq!(desk.disk, before, "{keys}");
    }
    desk.keys("sall<Enter>F");
    assert!(desk.session.screen.popups.is_empty());
    assert_eq!(
        desk.words(),
        "the queue is not filtered (5 books): filter it first, with s or b"
    );
}

/// The mode at the time of the answer matters.
#[test]
fn a_mode_that_began_after_the_question_refuses_the_answer() {
    let mut desk = desk();
    let before = desk.disk.clone();
    desk.keys("Fflag ads<Enter>");
    desk.session.modes.blind = true;
    desk.keys("y");
    assert_said!(desk, Notice::Refused(ModeRefusal::OneByOne));
    assert_eq!(desk.disk, before);
    assert!(desk.session.screen.popups.is_empty());
}

#[test]
fn books_that_cannot_be_marked_are_named_and_the_others_are_marked() {
    let mut desk = desk();
    desk.disk.insert("c.txt".into(), b"schema: [".to_vec());
    desk.session.entries[3].unreadable = Some("binary".into());
    desk.keys("Fflag ads<Enter>y");
    assert_eq!(
        desk.words(),
        "flag ads: 2 books changed; not on c.txt (its record does not parse), d.txt (cannot be read); u takes it back"
    );
    assert_eq!(desk.said().unwrap().tone(), Tone::Warning);
    assert_eq!(desk.disk["c.txt"], b"schema: [");
    assert_eq!(
        (flags(&desk, "e.txt").len(), desk.disk.contains_key("d.txt")),
        (1, false)
    );
}

#[test]
fn a_book_that_can_no_longer_be_read_is_named() {
    let mut desk = desk();
    desk.keys("Fflag ads<Enter>");
    for effect in desk.hold("y") {
        if let Effect::Open { ticket, book } = effect {
            let mut opened = desk.open(ticket, book);
            opened.page = Err("No such file or directory".to_owned());
            desk.send(Message::Opened(Box::new(opened)));
        }
    }
    assert_eq!(
        desk.words(),
        "flag ads: 3 books changed; not on b.txt (cannot be read); u takes it back"
    );
    assert!(desk.record("b.txt").is_none());
}

#[test]
fn a_record_that_someone_else_changed_is_left_alone_by_a_mark_and_by_its_undo() {
    let mut desk = desk();
    let mut other = self::desk();
    other.keys("Lwu");
    let theirs = other.disk["c.txt"].clone();
    // It changes after it was read.
    desk.keys("Fflag ads<Enter>");
    let mut waiting: Vec<Effect> = desk.hold("y");
    while let Some(effect) = (!waiting.is_empty()).then(|| waiting.remove(0)) {
        if let Effect::Save(request) = &effect
            && request.record.book == "c.txt"
        {
            desk.disk.insert("c.txt".into(), theirs.clone());
        }
        match effect {
            Effect::Open { ticket, book } => {
                let opened = Message::Opened(Box::new(desk.open(ticket, book)));
                waiting.extend(update(&mut desk.session, opened));
            }
            effect => desk.outside(effect),
        }
    }
    assert_eq!(
        desk.words(),
        "flag ads: 3 books changed; not on c.txt (someone else changed it); u takes it back"
    );
    assert_eq!(desk.disk["c.txt"], theirs);
    // Another one changes before the undo.
    desk.disk.insert("d.txt".into(), theirs.clone());
    desk.keys("u");
    assert_eq!(
        desk.words(),
        "undone: flag ads on 2 books; not on d.txt (someone else changed it)"
    );
    assert_eq!((desk.disk.len(), &desk.disk["d.txt"]), (3, &theirs));
}

#[test]
fn marks_that_cannot_be_written_are_kept_and_tried_again() {
    let mut desk = desk();
    desk.disk_full = true;
    desk.keys("Fflag ads<Enter>y");
    let (found, _) = tally(&desk);
    assert_eq!((found.changed, found.unsaved), (0, 4));
    assert!(desk.words().contains("4 not saved: "), "{}", desk.words());
    assert_eq!(desk.said().unwrap().tone(), Tone::Error);
    // Quitting asks.
    desk.keys("q");
    assert!(!desk.quit && !desk.session.screen.popups.is_empty());
    desk.keys("<Esc>");
    // They are written later, and one undo still takes all of them back.
    desk.disk_full = false;
    desk.wait(6000);
    assert_eq!((desk.disk.len(), flags(&desk, "e.txt").len()), (5, 1));
    assert!(!desk.session.doc.has_unsaved_changes());
    desk.keys("u");
    assert_eq!((tally(&desk).0.changed, desk.disk.len()), (4, 1));
}

#[test]
fn an_edit_of_a_book_whose_mark_is_not_written_yet_keeps_the_mark() {
    let mut desk = desk();
    desk.disk_full = true;
    desk.keys("Fflag ads<Enter>yh");
    desk.disk_full = false;
    desk.wait(2000);
    let record = desk.record("b.txt").unwrap();
    assert_eq!((record.hard, record.flags.len()), (true, 1));
}

#[test]
fn a_book_with_a_change_that_could_not_be_saved_is_left_out_and_loses_nothing() {
    let mut desk = desk();
    desk.disk_full = true;
    desk.keys("h").wait(2000).keys("L");
    assert_eq!(desk.name(), "c.txt");
    desk.disk_full = false;
    desk.keys("Fflag ads<Enter>y");
    assert_eq!(
        desk.words(),
        "flag ads: 3 books changed; not on b.txt (an earlier change is not saved yet); u takes it back"
    );
    desk.wait(6000);
    let record = desk.record("b.txt").unwrap();
    assert_eq!((record.hard, record.flags.len()), (true, 0));
}

#[test]
fn undo_gives_up_marks_that_could_not_be_written() {
    let mut desk = desk();
    desk.disk_full = true;
    desk.keys("Fflag ads<Enter>yu");
    assert_eq!(
        tally(&desk),
        (
            &BulkTally {
                changed: 4,
                ..BulkTally::default()
            },
            true
        )
    );
    desk.disk_full = false;
    desk.wait(6000);
    assert_eq!(desk.disk.len(), 1);
    assert!(
        desk.session
            .doc
            .open
            .as_ref()
            .unwrap()
            .decision
            .flags
            .is_empty()
    );
}

#[test]
fn an_undo_that_cannot_be_written_can_be_tried_again() {
    let mut desk = desk();
    let before = desk.disk.clone();
    desk.keys("Fflag ads<Enter>y");
    desk.disk_full = true;
    desk.keys("u");
    assert_eq!(tally(&desk).0.unsaved, 4);
    assert!(desk.words().ends_with("u tries again"), "{}", desk.words());
    desk.disk_full = false;
    desk.keys("u");
    assert_eq!((tally(&desk).0.changed, &desk.disk), (4, &before));
}

#[test]
fn an_edit_that_is_not_saved_yet_is_saved_first() {
    let mut desk = desk();
    desk.keys("hFflag ads<Enter>y");
    let record = desk.record("b.txt").unwrap();
    assert_eq!((record.hard, record.flags.len()), (true, 1));
    desk.keys("u");
    let record = desk.record("b.txt").unwrap();
    assert_eq!((record.hard, record.flags.len()), (true, 0));
}

#[test]
fn an_edit_made_while_its_draft_is_being_saved_comes_after_the_mark() {
    let mut desk = desk();
    desk.keys("h");
    desk.session.now += 2000;
    let draft = update(&mut desk.session, Message::Tick);
    assert_eq!(draft.len(), 1);
    desk.keys("nsee page 4<Enter>Fflag ads<Enter>y");
    assert!(!desk.session.is_idle());
    desk.session.now += 2000;
    assert!(update(&mut desk.session, Message::Tick).is_empty());
    desk.release(draft);
    assert_eq!(tally(&desk).0.changed, 4);
    desk.wait(2000);
    let record = desk.record("b.txt").unwrap();
    assert_eq!((record.hard, record.flags.len()), (true, 1));
    assert_eq!(record.note, "see page 4");
}

/// A draft of this sitting is no change by someone else.
#[test]
fn an_edit_after_the_mark_is_undone_before_it() {
    let mut desk = desk();
    let before = desk.disk.clone();
    desk.keys("Fflag ads<Enter>yh").wait(5000);
    assert!(desk.record("b.txt").unwrap().hard);
    desk.keys("u").wait(5000).keys("u");
    assert_eq!(desk.words(), "undone: flag ads on 4 books");
    assert_eq!(desk.disk, before);
    // Also at once, before the draft is saved.
    desk.keys("Fflag ads<Enter>yh").wait(5000).keys("uu");
    assert_eq!(desk.disk, before);
    desk.wait(5000);
    assert_eq!(desk.disk, before);
}

#[test]
fn keys_wait_for_the_mark_and_esc_stops_it() {
    let mut desk = desk();
    desk.keys("Fflag ads<Enter>");
    let first = desk.hold("y");
    assert!(desk.hold("h").is_empty());
    assert!(!desk.session.doc.has_unsaved_changes());
    assert!(!desk.session.is_idle());
    assert!(desk.hold("<Esc>").is_empty());
    assert!(
        desk.words().contains("stopped before 4 books"),
        "{}",
        desk.words()
    );
    // The answer comes too late.
    desk.release(first);
    assert_eq!(desk.disk.len(), 1);
    assert!(desk.session.bulk.is_none());
    let next = desk.hold("L");
    assert!(!next.is_empty());
}

/// A loading thread drops a request that has not started for a newer one.
#[test]
fn a_request_that_is_replaced_is_made_again() {
    let mut desk = desk();
    desk.keys("Fflag ads<Enter>");
    let lost = desk.hold("y");
    assert!(
        lost.iter()
            .any(|effect| matches!(effect, Effect::Open { .. }))
    );
    desk.send(Message::Returned);
    assert_eq!(desk.disk.len(), 5);
    assert!(desk.session.bulk.is_none() && desk.session.is_idle());
}

#[test]
fn quitting_stops_it_and_saves_what_is_under_way() {
    let mut desk = desk();
    desk.keys("Fflag ads<Enter>");
    let mut waiting = desk.hold("y");
    let at = waiting
        .iter()
        .position(|effect| matches!(effect, Effect::Open { .. }));
    let Effect::Open { ticket, book } = waiting.remove(at.unwrap()) else {
        unreachable!()
    };
    let opened = Message::Opened(Box::new(desk.open(ticket, book)));
    let effects = update(&mut desk.session, opened);
    desk.send(Message::Key(chords("q").unwrap()[0]));
    assert!(!desk.quit);
    desk.release(effects);
    assert!(desk.quit);
    assert_eq!((desk.disk.len(), flags(&desk, "b.txt").len()), (2, 1));
}
