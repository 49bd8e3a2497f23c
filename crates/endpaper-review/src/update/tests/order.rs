//! The order of the queue before and after the corpus was read, and how reviews record it.

use super::*;

fn desk(count: usize) -> UpdateFixture {
    const NAMES: [&str; 8] = [
        "a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "f.txt", "g.txt", "h.txt",
    ];
    let books = NAMES[..count].iter().map(|name| (*name, book(name)));
    let mut desk = UpdateFixture::new(books.collect());
    // The sitting began with this order before anything was known.
    desk.session.queue.order = QueueOrder::Doubt;
    desk
}

#[test]
fn what_came_up_by_name_is_recorded_so_and_what_came_by_doubt_too() {
    let mut desk = desk(8);
    desk.keys("<Enter>");
    // Doubt grows with the names: book a would come last.
    let message = analysis_message(&desk);
    desk.send(message);
    assert_eq!(desk.name(), "b.txt");
    for _ in 0..7 {
        desk.wait(1000).keys("<Enter>");
    }
    let drawn = |id: &str| desk.record(id).unwrap().reviews[0].drawn.clone();
    // The current book and the next three keep their positions when the analysis ends.
    for id in ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"] {
        assert_eq!(drawn(id), "name", "{id}");
    }
    for id in ["f.txt", "g.txt", "h.txt"] {
        assert_eq!(drawn(id), "doubt", "{id}");
    }
}

#[test]
fn no_doubtful_book_falls_behind_when_the_survey_ends() {
    let mut desk = desk(8);
    desk.keys("<Enter><Right>");
    assert_eq!(desk.name(), "c.txt");
    let message = analysis_message(&desk);
    desk.send(message);
    // Decided, passed over, current, the next three; then the most doubtful.
    assert_eq!(desk.session.queue.books, [0, 1, 2, 3, 4, 5, 7, 6]);
    // Later results keep all of these in place.
    let entries = desk.session.entries.clone();
    desk.send(Message::Entries {
        entries,
        counts_changed: false,
        model: None,
    });
    assert_eq!(desk.session.queue.books[..6], [0, 1, 2, 3, 4, 5]);
    assert_eq!(presenter::headline(&desk.session).position, 3);
}

#[test]
fn a_book_that_was_read_meanwhile_does_not_overtake_the_names() {
    let mut desk = desk(3);
    desk.keys("<Right>");
    desk.session.entries[1].doubt = Some(0.9);
    desk.keys("sall<Enter>");
    assert_eq!(desk.session.queue.books, [0, 1, 2]);
    assert_said!(
        desk,
        Notice::Queue(QueueNotice::Arranged {
            order: QueueOrder::Name,
            ..
        })
    );
}

#[test]
fn the_only_undecided_book_is_not_said_to_be_decided() {
    let mut desk = UpdateFixture::three();
    desk.keys("<Enter><Enter>");
    assert_eq!(desk.name(), "c.txt");
    desk.keys("gn");
    assert_eq!(desk.name(), "c.txt");
    assert_said!(
        desk,
        Notice::Queue(QueueNotice::NoneLeft {
            this_is_open: true,
            ..
        })
    );
    desk.keys("<Enter>");
    assert_said!(
        desk,
        Notice::Queue(QueueNotice::NoneLeft {
            this_is_open: false,
            ..
        })
    );
}

#[test]
fn the_seconds_of_a_review_are_all_that_its_book_was_on_screen() {
    let mut desk = UpdateFixture::three();
    desk.wait(30_000).keys("<Right>");
    desk.wait(7_000).keys("<Left>");
    desk.wait(5_000).keys("<Enter>");
    let seconds = |id: &str| desk.record(id).unwrap().reviews[0].seconds;
    assert_eq!(seconds("a.txt"), 35);
    desk.wait(2_000).keys("<Enter>");
    assert_eq!(desk.record("b.txt").unwrap().reviews[0].seconds, 9);
}

#[test]
fn seconds_of_a_review_count_long_pauses_up_to_the_idle_limit() {
    let mut desk = UpdateFixture::three();
    // Working for five minutes counts whole: no pause is long.
    for _ in 0..5 {
        desk.wait(60_000).keys("<Down>");
    }
    // An hour without input counts as two minutes, here and in a later visit.
    desk.wait(3_600_000).keys("<Right>");
    desk.wait(1_000).keys("<Left>");
    desk.wait(3_600_000).keys("<Enter>");
    let seconds = |id: &str| desk.record(id).unwrap().reviews[0].seconds;
    assert_eq!(seconds("a.txt"), 5 * 60 + 2 * 120);
}

#[test]
fn seconds_of_a_review_survive_new_books_in_the_list() {
    let mut desk = UpdateFixture::three();
    desk.wait(30_000).keys("<Right>");
    desk.wait(7_000).keys("<Left>");
    let mut entries = desk.session.entries.clone();
    // The first book is gone from the place it had.
    entries.rotate_right(1);
    desk.send(Message::Entries {
        entries,
        counts_changed: false,
        model: None,
    });
    let book = desk.name().to_owned();
    desk.wait(5_000).keys("<Enter>");
    assert_eq!(desk.record(&book).unwrap().reviews[0].seconds, 35, "{book}");
}

#[test]
fn after_another_order_is_chosen_books_are_drawn_by_it_but_for_the_one_on_screen() {
    let mut desk = desk(8);
    desk.keys("<Enter>");
    let message = analysis_message(&desk);
    desk.send(message);
    desk.keys("orandom<Enter>");
    for drawn in ["name", "random", "random"] {
        let book = desk.name().to_owned();
        let record = desk.wait(1000).keys("<Enter>").record(&book).unwrap();
        assert_eq!(record.reviews[0].drawn, drawn, "{book}");
    }
}
