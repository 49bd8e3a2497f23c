//! A verdict on one of two copies is offered for the other.

use endpaper_truth::Verdict;

use crate::review::sitting::{Desk, book, keep, quit, wait_for_book};

/// A tale of 600 different words, `width` words on a line.
fn tale(width: usize) -> String {
    let words: Vec<String> = (0..600)
        .map(|at| format!("w{:x}", at * 7919 % 10_007))
        .collect();
    let lines = words.chunks(width).map(|line| line.join(" ") + "\n");
    lines.collect()
}

/// Three books; the second is the first with other line breaks and another header.
fn copied() -> Desk {
    let desk = Desk::with_books(3);
    let with =
        |width: usize| book(1).replace("CHAPTER I\n\n", &format!("CHAPTER I\n\n{}\n", tale(width)));
    desk.home.write("books/book-1.txt", with(10));
    let copy = with(7).replace(
        "Title: Story 1\n\n",
        "Title: Story 1\n\nLanguage: English\n\n",
    );
    desk.home.write("books/book-2.txt", copy);
    desk
}

#[test]
fn a_verdict_is_offered_to_a_copy_in_other_lines() {
    let desk = copied();
    let terminal = desk.sit();
    terminal.wait_for("the copy", |screen| screen.row(0).contains("1 copy"));
    terminal.send("<Enter>");
    terminal.wait_for_text("same words in 1 copy: A puts it next");
    terminal.send("A");
    let place = "1 of 1 as in book-1.txt";
    terminal.wait_for(place, |screen| screen.row(0).contains(place));
    terminal.send("<Enter>");
    let last = wait_for_book(&terminal, 3, 3);
    assert!(!last.row(0).contains("copy"), "{last}");
    let screen = quit(&terminal);
    assert!(screen.contains("with another book's cuts 1"), "{screen}");
    for (name, drawn) in [
        ("book-1.txt", "name"),
        ("book-2.txt", "propagated:book-1.txt"),
    ] {
        let record = desk.record(name).expect("a record");
        assert_eq!(record.verdict, Verdict::Confirmed, "{name}");
        assert_eq!(record.reviews[0].drawn, drawn, "{name}");
    }
}

#[test]
fn copies_decided_at_other_words_are_told_at_once_and_when_one_is_opened() {
    let desk = copied();
    let terminal = desk.sit();
    terminal.wait_for("the copy", |screen| screen.row(0).contains("1 copy"));
    keep(&terminal, 1);
    wait_for_book(&terminal, 2, 3);
    // The heading goes.
    terminal.send("]");
    terminal.send("<Enter>");
    terminal.wait_for_text("copies DISAGREE: book-1.txt begins at");
    terminal.send("HH");
    terminal.wait_for("the first copy", |screen| {
        screen.row(0).contains("book-1.txt") && screen.row(0).contains("DISAGREE")
    });
    terminal.wait_for_text("copies DISAGREE: book-1.txt begins at");
    quit(&terminal);
}

#[test]
fn copies_are_not_looked_for_where_nobody_wants_it() {
    let desk = copied();
    let terminal = desk.sit_with(&["--no-opinions"], &[]);
    keep(&terminal, 1);
    let screen = wait_for_book(&terminal, 2, 3);
    assert!(!screen.contains("same words"), "{screen}");
    assert!(!screen.row(0).contains("copy"), "{screen}");
    quit(&terminal);
}
