//! The books of a sample, on a terminal.

use std::fs;

use endpaper_evaluate::sample::BookSample;

use crate::review::blind::{is_veiled, place};
use crate::review::sitting::{Desk, SIZE, quit};

/// Draws two of the books of a desk.
fn draw_two(desk: &Desk) -> BookSample {
    let draw = "sample draw books --out sample.yaml --size 2 --seed 5 --bad 90%";
    let draw: Vec<&str> = draw.split(' ').collect();
    desk.home.endpaper(&draw).assert().success();
    let text = fs::read_to_string(desk.home.work().join("sample.yaml")).expect("a sample");
    BookSample::parse(&text).expect("a sample")
}

fn number_of(id: &str) -> usize {
    let number = id.trim_matches(|c: char| !c.is_ascii_digit());
    number.parse().expect("a number")
}

#[test]
fn the_books_of_a_sample_come_up_as_drawn_and_the_plan_is_told() {
    let desk = Desk::with_books(4);
    let sample = draw_two(&desk);
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
            terminal.screen().contains(&format!("{at} of 2 decided")),
            "{}",
            terminal.screen()
        );
        let number = number_of(&drawn.id);
        place(&terminal, number, &format!("STORY {number}"));
        let told = ["1 of 2 decided", "2 of 2 reviewed"][at];
        terminal.wait_for_text(told);
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

#[test]
fn an_opinion_that_is_taken_back_in_a_sample_is_kept_and_counted() {
    let desk = Desk::with_books(3);
    let sample = draw_two(&desk);
    let first = &sample.books[0].id;
    let number = number_of(first);
    let review = "review books --truth truth --sample sample.yaml";
    let review: Vec<&str> = review.split(' ').collect();
    let terminal = desk.home.terminal(&review, SIZE, &[]);
    let veiled = |id: &str| {
        terminal.wait_for("a veiled book", |screen| {
            screen.row(0).contains(id) && is_veiled(screen)
        })
    };
    // Cut wrongly first, to see what the footer says; then as the detector has it.
    veiled(first);
    place(&terminal, number, "CHAPTER I");
    terminal.wait_for_text("1 of 2 decided");
    veiled(&sample.books[1].id);
    terminal.send("u");
    terminal.wait_for_text("a sample keeps every opinion");
    veiled(first);
    place(&terminal, number, &format!("STORY {number}"));
    veiled(&sample.books[1].id);
    let second = number_of(&sample.books[1].id);
    place(&terminal, second, &format!("STORY {second}"));
    terminal.wait_for_text("2 of 2 reviewed");
    quit(&terminal);
    let record = desk.record(first).expect("a record");
    let opinions: Vec<_> = record.reviews.iter().map(|review| review.cuts).collect();
    assert_eq!(opinions.len(), 2, "{record:?}");
    assert_ne!(opinions[0], opinions[1]);
    assert_eq!(record.cuts, opinions[1]);
    assert!(record.reviews.iter().all(|review| review.blind));
    let certify = "sample certify books --sample sample.yaml --truth truth";
    let certify: Vec<&str> = certify.split(' ').collect();
    let output = desk.home.endpaper(&certify).output().expect("a run");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("1 book got a second opinion that differs from the first one"),
        "{text}"
    );
}
