//! A flag for all books of a filtered queue, and one undo of it.

use std::collections::BTreeMap;
use std::fs;

use endpaper_truth::Verdict;

use crate::review::sitting::{Desk, keep, quit, wait_for_book};

const BOOKS: usize = 5;

/// The bytes of all records, by book; `None` if there is no file.
fn files(desk: &Desk) -> BTreeMap<usize, Option<Vec<u8>>> {
    let file = |number: usize| fs::read(desk.truth(&format!("book-{number}.txt.yaml"))).ok();
    (1..=BOOKS).map(|number| (number, file(number))).collect()
}

#[test]
fn a_flag_on_all_filtered_books_is_one_step() {
    let desk = Desk::with_books(BOOKS);
    let terminal = desk.sit();
    // One decided book outside the filter, one with the flag, one hard.
    keep(&terminal, 1);
    wait_for_book(&terminal, 2, BOOKS);
    terminal.send("fads<Enter>");
    terminal.wait_for_text("flags: ads");
    terminal.send("L");
    wait_for_book(&terminal, 3, BOOKS);
    terminal.send("h<C-s>");
    terminal.wait_for("a saved draft", |_| {
        desk.record("book-3.txt").is_some_and(|record| record.hard)
    });
    terminal.send("F");
    terminal.wait_for_text("the queue is not filtered (5 books): filter it first");
    terminal.send("sundecided<Enter>");
    terminal.wait_for_text("4 books");
    let before = files(&desk);
    assert_eq!(before.values().flatten().count(), 3);
    terminal.send("Fflag ads<Enter>");
    terminal.wait_for_text("flag ads on 4 books (undecided)?");
    assert_eq!(files(&desk), before, "nothing is written before the answer");
    terminal.send("y");
    terminal.wait_for_text("flag ads: 3 books changed; 1 had it; u takes it back");
    let after = files(&desk);
    assert_eq!((&after[&1], &after[&2]), (&before[&1], &before[&2]));
    for number in 2..=BOOKS {
        let name = format!("book-{number}.txt");
        let record = desk.record(&name).expect("a record");
        assert_eq!((record.verdict, record.reviews.len()), (Verdict::Open, 0));
        assert_eq!(
            (record.hard, record.flags),
            (number == 3, vec!["ads".to_owned()])
        );
    }
    terminal.send("u");
    terminal.wait_for_text("undone: flag ads on 3 books");
    assert_eq!(files(&desk), before);
    terminal.send("U");
    terminal.wait_for_text("flag ads: 3 books changed");
    assert_eq!(files(&desk), after);
    quit(&terminal);
    assert_eq!(desk.records().len(), BOOKS);
}
