//! Learning from the verdicts of a sitting.

use crate::review::sitting::{Desk, keep, quit, wait_for_book};

const BOOKS: usize = 5;

/// Keeps the first three of five books. The message about learning may hide that the third one was saved.
fn decide_three(terminal: &crate::support::Terminal) {
    for number in 1..=3 {
        terminal.send("<Enter>");
        wait_for_book(terminal, number + 1, BOOKS);
    }
}

#[test]
fn verdicts_are_learned_from_and_the_screen_says_so() {
    let desk = Desk::with_books(BOOKS);
    let terminal = desk.sit_with(&[], &[]);
    decide_three(&terminal);
    terminal.wait_for_text("learned from 3 verdicts");
    // Books shown from now on name the weights that proposed their cuts.
    for number in 4..=BOOKS {
        keep(&terminal, number);
    }
    quit(&terminal);
    let model = |number: usize| {
        let record = desk.record(&format!("book-{number}.txt")).unwrap();
        record.reviews[0].detected.clone().unwrap().model
    };
    assert!(!model(1).contains('+'), "{}", model(1));
    let learned = model(BOOKS);
    let (before, weights) = learned.split_once('+').unwrap();
    assert_eq!(before, model(1));
    assert_eq!(weights.len(), 16, "{learned}");
}

#[test]
fn nothing_is_learned_where_it_is_switched_off() {
    for (further, setting) in [(Some("--no-learning"), ""), (None, "learning: false\n")] {
        let desk = Desk::with_books(BOOKS);
        desk.home.configure("config.yaml", setting);
        let arguments: Vec<&str> = further.into_iter().collect();
        let terminal = desk.sit_with(&arguments, &[]);
        for number in 1..=BOOKS {
            keep(&terminal, number);
        }
        quit(&terminal);
        let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
        assert!(!raw.contains("learned from"), "{further:?}");
        for record in desk.records() {
            let model = &record.reviews[0].detected.as_ref().unwrap().model;
            assert!(!model.contains('+'), "{further:?}: {model}");
        }
    }
}
