//! Books that take long to read.

use super::*;

#[test]
fn a_book_that_takes_long_is_said_to_and_others_can_be_had_meanwhile() {
    let mut desk = UpdateFixture::three();
    let first = desk.hold("<Right>");
    assert!(matches!(first[..], [Effect::Open { book: 1, .. }]));
    desk.wait(500);
    assert_eq!(desk.said(), None);
    desk.wait(1_500);
    assert_said!(desk, Notice::Queue(QueueNotice::Slow { name, seconds: 2 }) if name == "b.txt");
    desk.wait(10_000);
    assert_said!(desk, Notice::Queue(QueueNotice::Slow { seconds: 12, .. }));
    desk.keys("<Right>");
    assert_eq!((desk.name(), desk.said()), ("c.txt", None));
    // The slow book may still arrive, but is no longer wanted.
    desk.release(first);
    assert_eq!(desk.name(), "c.txt");
}

#[test]
fn the_clock_runs_only_while_a_book_is_waited_for() {
    let mut desk = UpdateFixture::three();
    assert_eq!(deadline(&desk.session), None);
    let first = desk.hold("<Right>");
    assert!(deadline(&desk.session).is_some());
    desk.release(first);
    assert_eq!(deadline(&desk.session), None);
}

#[test]
fn what_went_wrong_stays_on_screen_while_a_book_takes_long_and_after() {
    let mut desk = UpdateFixture::three();
    let first = desk.hold("<Right>");
    let error = Notice::from(SaveNotice::Failed("the disk is full".to_owned()));
    desk.session.notify(error.clone());
    desk.wait(2_000);
    assert_eq!(desk.said(), Some(&error));
    desk.release(first);
    assert_eq!((desk.name(), desk.said()), ("b.txt", Some(&error)));
}
