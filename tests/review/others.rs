//! Others at the same records: a second process, an edited file, a broken one.

use std::fs;

use endpaper::truth::Verdict;

use crate::sitting::{Desk, SIZE, keep, quit, wait_for_book};

#[test]
fn a_second_sitting_on_the_same_truth_folder_says_so() {
    let desk = Desk::with_books(2);
    // The folder is made with the first record; before that there is nothing to announce anything in.
    let before = desk.sit();
    keep(&before, 1);
    quit(&before);
    let first = desk.sit();
    let second = desk.home.terminal(&desk.arguments(&[]), SIZE, &[]);
    second.wait_for_text(&format!("another review (process {})", first.process()));
    quit(&second);
    quit(&first);
}

#[test]
fn a_record_that_somebody_else_made_meanwhile_is_kept_and_ours_is_put_aside() {
    let desk = Desk::with_books(2);
    let (ours, theirs) = (desk.sit(), desk.sit());
    theirs.send("J<Enter>");
    theirs.wait_for_text("saved book-1.txt: corrected");
    let file = desk.truth("book-1.txt.yaml");
    let bytes = fs::read(&file).expect("their record");
    ours.send("<Enter>");
    ours.wait_for_text("somebody else changed the record of 'book-1.txt'; yours is kept");
    assert_eq!(fs::read(&file).expect("their record"), bytes);
    let aside = desk.truth(".endpaper/conflicts/book-1.txt.1.yaml");
    let kept = fs::read_to_string(aside).expect("our record");
    let kept = endpaper::truth::yaml::read(&kept).expect("a whole record");
    assert_eq!(kept.verdict, Verdict::Confirmed);
    assert_eq!(desk.verdict("book-1.txt"), Some(Verdict::Corrected));
    quit(&theirs);
    quit(&ours);
}

#[test]
fn a_broken_record_is_named_and_left_alone() {
    let desk = Desk::with_books(2);
    let broken = "schema: 1\nbook: \"book-1.txt\nverdict: [\n";
    let file = desk.home.write("truth/book-1.txt.yaml", broken);
    let terminal = desk.sit();
    wait_for_book(&terminal, 2, 2);
    terminal.send("<Left>");
    wait_for_book(&terminal, 1, 2);
    terminal.wait_for_text("book-1.txt.yaml' does not parse");
    terminal.send("J");
    terminal.wait_for_text("does not parse");
    terminal.send("wn");
    terminal.wait_for_text("does not parse");
    quit(&terminal);
    assert_eq!(fs::read_to_string(file).expect("the file"), broken);
    assert!(!desk.truth(".endpaper/conflicts").exists());
}
