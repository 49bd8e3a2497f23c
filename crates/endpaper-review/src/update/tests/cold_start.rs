//! The beginning in a collection that no profile knows.

use super::*;
use crate::message::LearningSummary;
use endpaper_detect::Cuts;

/// Books `0.txt` ... `7.txt`, most doubtful first; 6 and 2 stand for their kinds. Some have a record.
fn desk(recorded: usize) -> UpdateFixture {
    const NAMES: [&str; 8] = [
        "0.txt", "1.txt", "2.txt", "3.txt", "4.txt", "5.txt", "6.txt", "7.txt",
    ];
    let texts = NAMES.iter().map(|name| (*name, book(name)));
    let mut desk = UpdateFixture::new(texts.collect());
    desk.session.options.learning = true;
    desk.session.queue.order = QueueOrder::Doubt;
    desk.session.screen.notice = None;
    desk.analysed(true, |at, entry| {
        entry.doubt = Some(0.9 - at as f32 / 20.0);
        entry.cuts = Some(Cuts {
            preamble_end: 5,
            epilogue_start: Some(MARKER),
        });
        entry.exemplar = [0, 0, 2, 0, 0, 0, 1, 0][at];
        if at >= NAMES.len() - recorded {
            entry.status = ReviewStatus::Recorded;
        }
    });
    // A key typed just after the book on screen changed would be dropped.
    desk.wait(5000);
    desk
}

#[test]
fn one_book_of_each_kind_comes_first_and_the_screen_says_why() {
    let mut desk = desk(0);
    assert_eq!(
        desk.words(),
        "a collection it does not know: deciding about 10 books teaches it"
    );
    assert_eq!(desk.name(), "6.txt");
    desk.keys("<Enter>");
    assert_eq!(desk.name(), "2.txt");
    desk.keys("<Enter>");
    assert_eq!(desk.name(), "0.txt");
    // The third verdict asks for a round, whose news says how right the last proposals were.
    desk.keys("]<Enter>");
    let learning = &desk.session.background.learning;
    assert!(learning.is_underway);
    let epoch = learning.epoch;
    let before = desk.session.queue.books.clone();
    desk.send(Message::Learned {
        epoch,
        result: Ok(Box::new(LearningSummary {
            has_opinions: true,
            verdicts: 3,
            proposals: Vec::new(),
        })),
    });
    assert!(
        desk.words()
            .ends_with("learned from 3 verdicts: no proposal changed; 2 of your last 3 kept"),
        "{}",
        desk.words()
    );
    assert_eq!(desk.session.queue.books, before);
}

#[test]
fn what_was_decided_before_counts_and_a_known_collection_says_nothing() {
    let desk = desk(3);
    assert_eq!(
        desk.words(),
        "a collection it does not know: deciding about 10 books teaches it (3 so far)"
    );
    let mut quiet = self::desk(0);
    quiet.session.screen.notice = None;
    quiet.analysed(false, |_, entry| entry.exemplar = 0);
    assert_eq!(quiet.said(), None);
}

#[test]
fn it_says_nothing_where_nothing_is_learned() {
    let mut desk = self::desk(0);
    let entries = desk.session.entries.clone();
    for entry in &mut desk.session.entries {
        entry.exemplar = 0;
    }
    desk.session.screen.notice = None;
    desk.session.options.read_only = true;
    desk.send(Message::Entries {
        entries,
        counts_changed: false,
        model: None,
    });
    assert_eq!(desk.said(), None);
}
