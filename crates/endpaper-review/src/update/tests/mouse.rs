//! The mouse is allowed and refused the same things as the keys.

use super::*;
use crate::layout::GUTTER;

/// The cell of the digit of a line in the head pane.
pub(super) fn digit_at(desk: &UpdateFixture, line: u32) -> (u16, u16) {
    let session = &desk.session;
    let pane = session.screen.layout().pane(End::Start);
    let row = crate::rows::row_of(&session.doc.rows, line);
    let y = pane.y + u16::try_from(row - session.pane(End::Start).top).unwrap();
    assert!(GUTTER > 0 && y < pane.bottom(), "line {line} is on screen");
    (pane.x, y)
}

pub(super) fn click(desk: &mut UpdateFixture, (x, y): (u16, u16)) {
    desk.send(Message::Mouse(MouseInput::Click(x, y)));
}

#[test]
fn a_click_on_a_digit_puts_the_cut_there_as_the_key_does() {
    let mut desk = UpdateFixture::three();
    let cell = digit_at(&desk, TITLE);
    click(&mut desk, cell);
    assert_eq!(desk.cuts(), (TITLE, MARKER), "{}", desk.words());
}

#[test]
fn a_click_on_a_digit_changes_nothing_while_a_replay_only_looks() {
    let mut desk = UpdateFixture::three();
    desk.keys("<Enter>R");
    let before = desk.disk.clone();
    let cell = digit_at(&desk, TITLE);
    click(&mut desk, cell);
    assert_eq!(desk.cuts(), (5, MARKER));
    assert_said!(desk, Notice::Refused(ModeRefusal::ReplayIsReadOnly));
    desk.wait(5000);
    assert_eq!(desk.disk, before);
}

#[test]
fn a_click_in_the_queue_ends_a_replay_as_picking_a_book_does() {
    let mut desk = UpdateFixture::three();
    desk.send(Message::Resize(160, 48));
    desk.keys("<Enter>R");
    let queue = desk.session.screen.layout().queue.unwrap();
    click(&mut desk, (queue.x + 5, queue.y + 3));
    assert_eq!(
        (desk.name(), desk.session.modes.replay.is_none()),
        ("c.txt", true)
    );
    // Keys that follow apply to that book.
    desk.keys("]<Enter>");
    assert_eq!(desk.record("c.txt").unwrap().verdict, Verdict::Corrected);
    assert_eq!(desk.record("a.txt").unwrap().reviews.len(), 1);
}

#[test]
fn a_sitting_with_the_mouse_alone_keeps_its_book_when_the_survey_ends() {
    let click = Message::Mouse(MouseInput::Click(20, 5));
    let wheel = Message::Mouse(MouseInput::Wheel(20, 5, 1));
    for by_mouse in [click, wheel] {
        let mut desk = UpdateFixture::three();
        desk.session.queue.order = QueueOrder::Doubt;
        desk.send(by_mouse);
        let message = analysis_message(&desk);
        desk.send(message);
        assert_eq!(desk.name(), "a.txt");
    }
}

#[test]
fn a_click_meant_for_the_book_before_puts_no_cut() {
    let mut desk = UpdateFixture::three();
    desk.session.queue.order = QueueOrder::Doubt;
    let message = analysis_message(&desk);
    desk.send(message);
    assert_eq!(desk.name(), "c.txt", "the survey brought another book");
    let cell = digit_at(&desk, TITLE);
    click(&mut desk, cell);
    assert_eq!(desk.cuts(), (5, MARKER));
    click(&mut desk, cell);
    assert_eq!(desk.cuts(), (TITLE, MARKER));
}
