//! Repeated searches of all books from the screen.

use std::fs;

use crate::review::sitting::{Desk, quit};

#[test]
fn a_book_that_was_edited_after_the_first_search_is_found_by_its_new_words() {
    let desk = Desk::with_books(3);
    let terminal = desk.sit();
    let search = |words: &str, found: &str| {
        terminal.send("g/");
        terminal.wait_for_text("all books with:");
        terminal.send(words);
        terminal.send("<Enter>");
        terminal.wait_for_text(found);
    };
    search("quokka", "no book has quokka");
    let path = desk.home.work().join("books/book-2.txt");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("miller"));
    fs::write(&path, text.replace("miller", "quokka")).unwrap();
    search("quokka", "1 book for quokka");
    terminal.send("<Esc>");
    terminal.wait_until_gone("search:");
    quit(&terminal);
}
