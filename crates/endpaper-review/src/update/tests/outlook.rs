//! The most doubtful book, what is left, and the order that the column and the list share.

use super::*;

/// Three books with doubts, in order of name.
fn desk(doubts: [f32; 3]) -> UpdateFixture {
    let mut desk = UpdateFixture::three();
    desk.analysed(false, |at, entry| entry.doubt = Some(doubts[at]));
    desk
}

#[test]
fn one_key_goes_to_the_most_doubtful_book_in_any_order() {
    let mut desk = desk([0.1, 0.3, 0.9]);
    desk.keys("gu");
    assert_eq!(desk.name(), "c.txt");
    assert!(desk.words().contains("doubtful left"), "{}", desk.words());
    desk.keys("<Enter>");
    // The record says how the book was selected, although the order is by name.
    assert_eq!(desk.record("c.txt").unwrap().reviews[0].drawn, "doubt");
}

#[test]
fn the_most_doubtful_book_stays_on_screen() {
    let mut desk = desk([0.9, 0.3, 0.1]);
    desk.keys("gu");
    assert_eq!(desk.name(), "a.txt");
    let words = desk.words();
    assert!(words.contains("this is the most doubtful"), "{words}");
}

#[test]
fn no_doubtful_book_left_says_when_to_stop() {
    let mut desk = desk([0.1, 0.02, 0.05]);
    // The doubt of the open book is that of its page.
    desk.session.entries[0].status = ReviewStatus::Decided(Verdict::Confirmed);
    desk.keys("gu");
    assert_eq!(desk.name(), "c.txt");
    assert!(desk.words().contains("stop here"), "{}", desk.words());
}

#[test]
fn a_blind_review_does_not_show_the_most_doubtful_book() {
    let mut desk = desk([0.1, 0.3, 0.9]);
    desk.session.modes.blind = true;
    desk.keys("gu");
    assert_said!(desk, Notice::Refused(ModeRefusal::DoubtIsHidden));
    assert_eq!(desk.name(), "a.txt");
}

#[test]
fn the_list_has_the_order_of_the_column() {
    let mut desk = desk([0.1, 0.3, 0.9]);
    desk.session.queue.order = QueueOrder::Doubt;
    // Visited books keep their places in the column.
    desk.session.queue.books = vec![0, 2, 1];
    desk.keys("b");
    let Some(Popup::Queue(picker)) = desk.session.screen.popups.last() else {
        panic!("the queue is not open");
    };
    let listed: Vec<usize> = picker.shown().iter().map(|(_, book)| *book).collect();
    assert_eq!(listed, [0, 2, 1]);
}

#[test]
fn names_order_the_queue_until_doubts_are_known_and_it_says_so() {
    let queue = |order, has_only_names| Queue {
        order,
        has_only_names,
        ..Queue::default()
    };
    assert_eq!(
        queue(QueueOrder::Doubt, true).order_words(),
        "by name so far"
    );
    assert_eq!(queue(QueueOrder::Doubt, false).order_words(), "by doubt");
    assert_eq!(queue(QueueOrder::Name, true).order_words(), "by name");
}
