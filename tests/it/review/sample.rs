//! The books of a sample, on a terminal.

use std::fs;

use endpaper_evaluate::sample::BookSample;

use crate::review::blind::{is_veiled, place};
use crate::review::sitting::{Desk, SIZE, quit};

#[test]
fn the_books_of_a_sample_come_up_as_drawn_and_the_plan_is_told() {
    let desk = Desk::with_books(4);
    let draw = "sample draw books --out sample.yaml --size 2 --seed 5 --limit 90%";
    let draw: Vec<&str> = draw.split(' ').collect();
    desk.home.endpaper(&draw).assert().success();
    let text = fs::read_to_string(desk.home.work().join("sample.yaml")).expect("a sample");
    let sample = BookSample::parse(&text).expect("a sample");
    let arguments = [
        "review",
        "books",
        "--truth",
        "truth",
        "--sample",
        "sample.yaml",
    ];
    let terminal = desk.home.terminal(&arguments, SIZE, &[]);
    for (at, drawn) in sample.books.iter().enumerate() {
        let header = format!("{}/2 {}", at + 1, drawn.id);
        terminal.wait_for("the next book, veiled", |screen| {
            screen.row(0).contains(&header) && is_veiled(screen)
        });
        assert!(
            terminal.screen().contains("continue, 0/"),
            "{}",
            terminal.screen()
        );
        let number = drawn.id.trim_matches(|c: char| !c.is_ascii_digit());
        let number: usize = number.parse().expect("a number");
        place(&terminal, number, &format!("STORY {number}"));
        terminal.wait_for_text(&format!("{} of 2 reviewed", at + 1));
    }
    terminal.send("o");
    terminal.wait_for_text("cannot be filtered or sorted");
    quit(&terminal);
    for drawn in &sample.books {
        let record = desk.record(&drawn.id).expect("a record");
        let review = &record.reviews[0];
        assert_eq!(
            (review.drawn.as_str(), review.blind),
            (sample.review_tag().as_str(), true)
        );
    }
    let certify = [
        "sample",
        "certify",
        "books",
        "--sample",
        "sample.yaml",
        "--truth",
        "truth",
    ];
    let output = desk.home.endpaper(&certify).output().expect("a run");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("2 books drawn at random"), "{text}");
}
