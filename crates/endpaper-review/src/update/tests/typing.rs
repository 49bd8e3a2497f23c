//! Keys typed ahead: they decide no book that was not seen, and are not lost otherwise.

use super::*;

#[test]
fn an_enter_typed_before_a_book_was_shown_decides_nothing() {
    let mut desk = UpdateFixture::three();
    // Enter twice, before the disk and the next book have answered.
    let first = update(&mut desk.session, Message::Key("<Enter>".parse().unwrap()));
    let second = update(&mut desk.session, Message::Key("<Enter>".parse().unwrap()));
    let third = update(&mut desk.session, Message::Key("h".parse().unwrap()));
    assert!(second.is_empty() && third.is_empty());
    for effect in first {
        desk.outside(effect);
    }
    assert_eq!((desk.name(), desk.disk.len()), ("b.txt", 1));
    assert!(
        desk.session.doc.open.as_ref().unwrap().decision.hard,
        "other keys are not lost"
    );
}

#[test]
fn a_verdict_of_two_keys_typed_before_a_book_was_shown_decides_nothing() {
    let mut desk = UpdateFixture::three();
    let first = desk.hold("<Enter>wn");
    desk.release(first);
    assert_eq!((desk.name(), desk.disk.len()), ("b.txt", 1));
    assert_said!(desk, Notice::Key(KeyNotice::TypedTooEarly(keys)) if keys == "wn");
    assert!(desk.session.keys.pending.is_empty());
}

#[test]
fn an_enter_typed_ahead_does_not_hide_that_saving_failed() {
    let mut desk = UpdateFixture::three();
    desk.disk_full = true;
    let first = desk.hold("<Enter><Enter>");
    desk.release(first);
    assert_said!(desk, Notice::Save(SaveNotice::Failed(why)) if why.contains("no space left"));
    assert_eq!(desk.name(), "a.txt");
}

#[test]
fn digits_typed_ahead_into_a_prompt_are_not_lost() {
    let mut desk = UpdateFixture::three();
    let first = desk.hold("<Enter>:9<Enter>");
    desk.release(first);
    assert_eq!((desk.name(), desk.session.cursor_line()), ("b.txt", TITLE));
}

#[test]
fn a_verdict_that_waits_for_a_draft_is_not_lost_to_the_next_key() {
    for keys in ["<Enter><Right>", "<Enter>q", "<Enter>b", "wn<Right>"] {
        let mut desk = UpdateFixture::three();
        desk.keys("]");
        desk.session.now += 2000;
        let draft = update(&mut desk.session, Message::Tick);
        let later = desk.hold(keys);
        desk.release(draft);
        desk.release(later);
        let record = desk.record("a.txt").unwrap();
        assert!(record.verdict.is_decided(), "{keys}: {}", record.verdict);
        assert_eq!(desk.quit, keys.ends_with('q'), "{keys}");
    }
}

#[test]
fn the_rest_of_a_sequence_typed_ahead_does_not_quit() {
    let mut desk = UpdateFixture::three();
    let first = desk.hold("<Enter>gq");
    desk.release(first);
    assert!(!desk.quit && !desk.session.screen.view_options.queue);
}
