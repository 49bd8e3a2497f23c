//! Search in all books, and going to a line of one of them.

use std::time::Duration;

use super::*;
use crate::corpus_search::{FoundBook, FoundBooks};

fn found(query: &str) -> FoundBooks {
    let book = |id: &str, line: Option<u32>| FoundBook {
        id: id.to_owned(),
        title: Some(format!("The Book {id}")),
        line,
        chapter: line.map(|_| "CHAPTER I".to_owned()),
        text: "a few words of it".to_owned(),
    };
    FoundBooks {
        query: query.to_owned(),
        total: 7,
        time: Duration::from_micros(1234),
        books: vec![
            book("c.txt", Some(40)),
            book("gone.txt", Some(3)),
            book("a.txt", Some(20)),
            book("b.txt", None),
        ],
    }
}

/// Searches; returns the number of the request.
fn ask(desk: &mut UpdateFixture, text: &str) -> u64 {
    let keys: String = text
        .chars()
        .map(|c| {
            if c == ' ' {
                "<Space>".into()
            } else {
                c.to_string()
            }
        })
        .collect();
    let effects = desk.hold(&format!("g/{keys}<Enter>"));
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::SearchCorpus { epoch, text } => Some((*epoch, text.clone())),
        _ => None,
    });
    let (epoch, asked) = asked.unwrap();
    assert_eq!(asked, text);
    epoch
}

fn answer(desk: &mut UpdateFixture, epoch: u64, result: Result<FoundBooks, String>) {
    desk.send(Message::FoundBooks { epoch, result });
}

#[test]
fn what_was_found_is_listed_and_enter_goes_to_the_line() {
    let mut desk = UpdateFixture::three();
    let epoch = ask(&mut desk, "white whale");
    answer(&mut desk, epoch, Ok(found("white whale")));
    let Some(Popup::Found { title, picker }) = desk.session.screen.popups.last() else {
        panic!("no list: {}", desk.words());
    };
    assert_eq!(title, "7 books for white whale in 1.2 ms, the best 4");
    // Books outside the sitting cannot be opened.
    assert_eq!(picker.items.len(), 3);
    assert!(picker.items[0].0.starts_with("The Book c.txt"));
    assert!(
        picker.items[0]
            .0
            .ends_with("     40  [CHAPTER I] a few words of it")
    );
    desk.keys("<Enter>");
    assert_eq!((desk.name(), desk.session.cursor_line()), ("c.txt", 40));
    desk.keys("<C-o>");
    assert_eq!(desk.name(), "a.txt");
    // Without words the list is shown again; a hit can be in the open book, and may have no line.
    desk.keys("g/<Enter><Down><Enter>");
    assert_eq!((desk.name(), desk.session.cursor_line()), ("a.txt", 20));
    desk.keys("g/<Enter><Down><Down><Enter>");
    assert_eq!(desk.name(), "b.txt");
}

#[test]
fn older_answers_count_for_nothing_and_failures_are_told() {
    let mut desk = UpdateFixture::three();
    let older = ask(&mut desk, "whale");
    let newer = ask(&mut desk, "shark");
    answer(&mut desk, older, Ok(found("whale")));
    assert!(desk.session.screen.popups.is_empty());
    answer(
        &mut desk,
        newer,
        Err("the query cannot be understood".to_owned()),
    );
    assert_said!(desk, Notice::Queue(QueueNotice::SearchFailed(_)));
    let nothing = FoundBooks {
        query: "kraken".to_owned(),
        ..FoundBooks::default()
    };
    let newer = ask(&mut desk, "kraken");
    answer(&mut desk, newer, Ok(nothing));
    assert_said!(desk, Notice::Queue(QueueNotice::NotFound(query)) if query == "kraken");
    assert!(desk.session.screen.popups.is_empty());
}

#[test]
fn a_list_does_not_come_between_a_curator_and_what_is_being_typed() {
    let mut desk = UpdateFixture::three();
    let epoch = ask(&mut desk, "whale");
    desk.keys("n");
    answer(&mut desk, epoch, Ok(found("whale")));
    assert!(matches!(
        desk.session.screen.popups.last(),
        Some(Popup::Prompt { .. })
    ));
    assert_said!(desk, Notice::Queue(QueueNotice::Found(heading)) if heading.starts_with("7 books for whale"));
    desk.keys("<Esc>g/<Enter>");
    assert!(matches!(
        desk.session.screen.popups.last(),
        Some(Popup::Found { .. })
    ));
}
