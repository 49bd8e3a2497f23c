//! Propagation of a correction to the books with the same block.

use endpaper_truth::Verdict;

use crate::review::sitting::{Desk, book, quit};

const BOOKS: usize = 5;

/// Two lines before each story, which the detector takes for text by the producer.
const BLOCK: &str = "The tales of the seven houses on the river, told by the fire\n\
                     to those who had come in from the snow with their horses.\n";

#[test]
fn a_correction_is_proposed_in_the_books_with_the_same_block() {
    let desk = Desk::with_books(BOOKS);
    for number in 1..=BOOKS {
        let title = format!("\nSTORY {number}\n\nby");
        let text = book(number).replace(&title, &format!("\n{BLOCK}\n\n\nSTORY {number}\n\nby"));
        assert!(text.contains(BLOCK));
        desk.home.write(format!("books/book-{number}.txt"), text);
    }
    let terminal = desk.sit();
    terminal.wait_for("the block in the preamble", |screen| {
        screen.row(1).contains("body starts 23")
    });
    terminal.send("[<Enter>");
    terminal.wait_for_text("same block in 4 others: A puts them next");
    terminal.send("A");
    let place = |number: usize| {
        let place = format!("{number} of 4 as in book-1.txt");
        terminal.wait_for(&place, |screen| {
            screen.row(0).contains(&place) && screen.row(1).contains("body starts 18 (moved")
        });
    };
    place(1);
    terminal.send("<Enter>");
    place(2);
    terminal.send("<Enter>");
    place(3);
    let screen = quit(&terminal);
    assert!(screen.contains("with another book's cuts 2"), "{screen}");
    let records = desk.records();
    assert_eq!(records.len(), 3);
    for record in records {
        assert_eq!(record.verdict, Verdict::Corrected, "{}", record.book);
        let drawn = if record.book == "book-1.txt" {
            "name"
        } else {
            "propagated:book-1.txt"
        };
        assert_eq!(record.reviews[0].drawn, drawn, "{}", record.book);
    }
}
