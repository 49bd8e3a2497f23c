//! Screens with the outline of a book, and with the books found by a search.

use std::time::Duration;

use super::*;
use crate::corpus_search::{FoundBook, FoundBooks};

/// A book with a table of contents, and a heading with control characters.
fn listed() -> String {
    let mut text = String::from(
        "The Project Gutenberg EBook of The Storm, by A. Sailor\n\nTitle: The Storm\n\nAuthor: A. Sailor\n\n\
         *** START OF THIS PROJECT GUTENBERG EBOOK ***\n\n\nTHE STORM\n\n\nCONTENTS\n\n",
    );
    let chapters = ["A FINE \u{1b}[31mMORNING", "THE STORM AT SEA", "HOME AGAIN"];
    for (at, chapter) in chapters.iter().enumerate() {
        text += &format!("  Chapter {}. {chapter}\n", at + 1);
    }
    for (at, chapter) in chapters.iter().enumerate() {
        text += &format!("\n\n\n\nCHAPTER {}\n\n{chapter}\n\n", at + 1);
        for line in 0..40 {
            text += &format!("Line {line} of chapter {at}, which nobody wrote before\n");
        }
    }
    text
}

#[test]
fn the_outline_on_screens_of_every_size() {
    for (width, height) in [(40, 10), (80, 24), (160, 48)] {
        let desk = ViewFixture::of(&listed(), (width, height)).keys("O");
        snapshot(&format!("outline-{width}x{height}"), &desk);
    }
}

#[test]
fn books_that_were_found_on_screens_of_every_size() {
    for (width, height) in [(40, 10), (80, 24), (160, 48)] {
        let mut desk = ViewFixture::of(&listed(), (width, height)).keys("g/storm<Enter>");
        let ids: Vec<String> = desk
            .session
            .entries
            .iter()
            .filter_map(|entry| Some(entry.id.as_ref()?.to_string()))
            .collect();
        let books = ids.iter().enumerate().map(|(at, id)| FoundBook {
            id: id.clone(),
            title: (at > 0).then(|| "The Storm, or, \u{1b}[31mHome Again at Last".to_owned()),
            line: (at != 2).then_some(1234),
            chapter: (at % 2 == 0).then(|| "Chapter 2. THE STORM AT SEA".to_owned()),
            text: "which nobody wrote before the storm came over the sea".to_owned(),
        });
        let result = Ok(FoundBooks {
            query: "storm".to_owned(),
            total: 12,
            time: Duration::from_micros(800),
            books: books.collect(),
        });
        desk.send(Message::FoundBooks { epoch: 1, result });
        snapshot(&format!("found-{width}x{height}"), &desk);
    }
}
