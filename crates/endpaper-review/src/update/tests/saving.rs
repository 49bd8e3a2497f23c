//! Drafts, full disks, hang-ups: every change is saved or reported as unsaved.

use super::*;

#[test]
fn a_change_is_saved_as_a_draft_within_a_second_and_when_the_book_is_left() {
    let mut desk = UpdateFixture::three();
    desk.keys("]").wait(500);
    assert!(desk.disk.is_empty());
    desk.wait(600);
    let draft = desk.record("a.txt").unwrap();
    assert_eq!((draft.verdict, draft.reviews.len()), (Verdict::Open, 0));
    desk.keys("<Right>]<Right>");
    assert!(desk.record("b.txt").is_some());
    assert_eq!(desk.session.entries[1].status, ReviewStatus::Draft);
    desk.keys("<Left><Left>");
    assert_eq!((desk.name(), desk.cuts()), ("a.txt", (TITLE, MARKER)));
}

#[test]
fn a_draft_that_says_nothing_any_more_is_taken_away() {
    let mut desk = UpdateFixture::three();
    desk.keys("]").wait(2000).keys("d").wait(2000);
    assert!(desk.disk.is_empty());
    assert_eq!(desk.session.entries[0].status, ReviewStatus::Undecided);
}

#[test]
fn a_full_disk_keeps_the_book_on_screen_and_nothing_is_lost() {
    let mut desk = UpdateFixture::three();
    desk.disk_full = true;
    desk.keys("]<Enter>");
    assert_eq!(desk.name(), "a.txt");
    assert_said!(desk, Notice::Save(SaveNotice::Failed(why)) if why.contains("no space left"));
    desk.keys("<Enter>");
    assert_eq!(desk.name(), "b.txt");
    assert_eq!(desk.session.saves.unsaved(), 1);
    desk.keys("q");
    assert!(!desk.quit && !desk.session.screen.popups.is_empty());
    desk.keys("n");
    desk.disk_full = false;
    desk.wait(6000);
    assert_eq!(desk.session.saves.unsaved(), 0);
    assert_eq!(desk.record("a.txt").unwrap().verdict, Verdict::Corrected);
    desk.keys("q");
    assert!(desk.quit);
}

#[test]
fn a_draft_still_on_its_way_is_waited_for_when_its_book_is_wanted_again() {
    let mut desk = UpdateFixture::three();
    desk.keys("]");
    let mut first = desk.hold("<Right>");
    let draft = first.remove(0);
    assert!(matches!(draft, Effect::Save(_)));
    desk.release(first);
    assert_eq!(desk.name(), "b.txt");
    let back = desk.hold("<Left>");
    assert!(back.is_empty(), "{back:?}");
    desk.outside(draft);
    assert_eq!((desk.name(), desk.cuts()), ("a.txt", (TITLE, MARKER)));
    desk.wait(5000);
    assert!(desk.record("a.txt").is_some());
}

#[test]
fn a_change_taken_back_while_its_draft_is_on_its_way_is_taken_back_on_disk_too() {
    let mut desk = UpdateFixture::three();
    desk.keys("]");
    desk.session.now += 2000;
    let draft = update(&mut desk.session, Message::Tick);
    let later = desk.hold("d<Right>");
    desk.release(draft);
    desk.release(later);
    assert_eq!((desk.name(), desk.disk.len()), ("b.txt", 0));
}

#[test]
fn a_decision_that_could_not_be_saved_is_shown_again_and_saved_as_it_is() {
    let mut desk = UpdateFixture::three();
    desk.disk_full = true;
    desk.keys("]<Enter><Enter><Left>");
    assert_eq!((desk.name(), desk.cuts()), ("a.txt", (TITLE, MARKER)));
    assert_said!(desk, Notice::Save(SaveNotice::ShownAsLeft));
    desk.keys("h").wait(2000).keys("<Right>");
    desk.disk_full = false;
    desk.wait(9000).wait(9000);
    assert_eq!(desk.session.saves.unsaved(), 0);
    let record = desk.record("a.txt").unwrap();
    assert_eq!((record.verdict, record.hard), (Verdict::Corrected, true));
    assert!(!matches!(
        desk.said(),
        Some(Notice::Save(
            SaveNotice::Conflict(_) | SaveNotice::Failed(_)
        ))
    ));
    assert_said!(desk, Notice::Save(SaveNotice::AfterAll(_)));
}

#[test]
fn a_change_after_a_failed_save_replaces_what_failed() {
    let mut desk = UpdateFixture::three();
    desk.disk_full = true;
    desk.keys("]<Enter>");
    desk.disk_full = false;
    desk.keys("h").wait(2000).wait(9000);
    assert!(desk.record("a.txt").unwrap().hard);
    assert!(desk.session.saves.has_no_saves(0) && desk.session.saves.unsaved() == 0);
    assert!(!matches!(
        desk.said(),
        Some(Notice::Save(
            SaveNotice::Conflict(_) | SaveNotice::Failed(_)
        ))
    ));
}

#[test]
fn a_draft_that_could_not_be_taken_away_is_tried_again() {
    let mut desk = UpdateFixture::three();
    desk.keys("]").wait(2000);
    desk.disk_full = true;
    desk.keys("d").wait(2000).keys("<Right>");
    desk.disk_full = false;
    desk.wait(9000).wait(9000);
    assert!(desk.disk.is_empty() && desk.session.saves.unsaved() == 0);
}

#[test]
fn a_read_only_sitting_says_nothing_was_changed() {
    let mut desk = UpdateFixture::three();
    desk.keys(":20<Enter>x:9<Enter>aor<Enter><Enter><Left>");
    desk.session.doc.open.as_mut().unwrap().read_only = Some(ReadOnly::Sitting);
    for keys in [":20<Enter>x", ":9<Enter>a", "h", "]", "wn"] {
        desk.keys(keys);
        let refused = Notice::from(ModeRefusal::ReadOnly(ReadOnly::Sitting));
        assert_eq!(desk.said(), Some(&refused), "{keys}");
    }
}

#[test]
fn a_hang_up_saves_and_ends() {
    let mut desk = UpdateFixture::three();
    desk.keys("]");
    desk.send(Message::HangUp);
    assert!(desk.quit && desk.record("a.txt").is_some());
}

#[test]
fn what_could_not_be_saved_and_was_taken_back_is_not_unsaved() {
    let mut desk = UpdateFixture::three();
    desk.disk_full = true;
    desk.keys("]").wait(2000).keys("<Right><Left>");
    assert_eq!((desk.name(), desk.session.saves.unsaved()), ("a.txt", 1));
    desk.keys("[");
    assert_eq!(desk.session.saves.unsaved(), 0);
    desk.keys("q");
    assert!(desk.quit);
}

#[test]
fn an_undone_verdict_no_longer_counts_while_its_book_is_read_again() {
    let mut desk = UpdateFixture::three();
    desk.keys("<Enter>");
    assert!(desk.session.entries[0].status.is_decided());
    let effects = desk.hold("u");
    let [
        Effect::Restore {
            ticket,
            id,
            previous,
            expected,
        },
    ] = effects.as_slice()
    else {
        panic!("{effects:?}");
    };
    let result = desk.write(id, expected, previous.0.clone());
    let ticket = *ticket;
    let effects = update(&mut desk.session, Message::Saved { ticket, result });
    assert!(
        matches!(effects.first(), Some(Effect::Open { book: 0, .. })),
        "{effects:?}"
    );
    assert_eq!(desk.session.entries[0].status, ReviewStatus::Undecided);
}
