//! Concurrent changes to the records: a second process, an edited file, a broken one.

use std::fs;

use endpaper_truth::Verdict;

use crate::review::sitting::{Desk, SIZE, keep, quit, wait_for_book};
use crate::support::screen::ScreenSnapshot;

#[test]
fn a_second_sitting_on_the_same_truth_folder_says_so() {
    let desk = Desk::with_books(2);
    // The folder is created with the first record, so there is no place to announce a sitting before.
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
    ours.wait_for_text(
        "'book-1.txt' was changed by another curator; your version was kept: V resol",
    );
    assert_eq!(fs::read(&file).expect("their record"), bytes);
    let aside = desk.truth(".endpaper/conflicts/book-1.txt.1.yaml");
    let kept = fs::read_to_string(aside).expect("our record");
    let kept = endpaper_truth::yaml::read(&kept).expect("a whole record");
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

fn opinions(desk: &Desk, number: usize) -> Vec<String> {
    let name = format!("book-{number}.txt");
    let records = desk
        .records()
        .into_iter()
        .filter(|record| record.book == name);
    let reviews = records.flat_map(|record| record.reviews);
    let mut by: Vec<String> = reviews.map(|review| review.by).collect();
    by.sort();
    by
}

#[test]
fn two_curators_on_one_truth_folder_lose_nothing_and_settle_their_clashes_on_screen() {
    const BOOKS: usize = 6;
    let desk = Desk::with_books(BOOKS);
    // What is learned would be reported in place of the names of books.
    let ann = desk.sit_with(&["--curator", "ann", "--no-learning"], &[]);
    let ben = desk.sit_with(&["--curator", "ben", "--no-learning"], &[]);
    for number in 1..=BOOKS {
        wait_for_book(&ann, number, BOOKS);
        wait_for_book(&ben, number, BOOKS);
        // Simultaneously; each is first half of the time.
        let mut both = [(&ann, "<Enter>"), (&ben, "J<Enter>")];
        if number % 2 == 0 {
            both.reverse();
        }
        both.iter().for_each(|(terminal, keys)| terminal.send(keys));
        let saved = format!("saved book-{number}.txt");
        let is_saved = |screen: &ScreenSnapshot| screen.contains(&saved);
        let told = |screen: &ScreenSnapshot| {
            is_saved(screen) || screen.contains("changed by another curator")
        };
        let clashed: Vec<_> = [&ann, &ben]
            .into_iter()
            .filter(|terminal| {
                let screen = terminal.wait_for("an answer", told);
                screen.contains("changed by another curator")
            })
            .collect();
        // Both versions are on disk as soon as the screen reports them.
        assert_eq!(opinions(&desk, number), ["ann", "ben"]);
        assert_eq!(clashed.len(), 1, "one was first, the other was told");
        let late = clashed[0];
        late.wait_for_text("CONFLICT");
        if number % 3 == 0 {
            // Left unresolved.
            late.send("<Right>");
            continue;
        }
        late.send("V");
        late.wait_for_text("second version: ");
        // The current one, or the own one.
        late.send(if number % 3 == 1 {
            "<Enter>"
        } else {
            "<Down><Enter>"
        });
        late.wait_for("what was chosen", is_saved);
        assert!(
            !desk
                .truth(&format!(".endpaper/conflicts/book-{number}.txt.1.yaml"))
                .exists()
        );
        assert_eq!(opinions(&desk, number), ["ann", "ben"]);
        late.send("<Right>");
    }
    quit(&ann);
    quit(&ben);
    (1..=BOOKS).for_each(|number| assert_eq!(opinions(&desk, number), ["ann", "ben"]));
    let mut status = desk.home.endpaper(&["truth", "status", "--truth", "truth"]);
    let said = status.assert().success().get_output().stdout.clone();
    let said = String::from_utf8(said).expect("text");
    assert!(
        said.contains("conflicts unresolved              2"),
        "{said}"
    );
    let terminal = desk.sit();
    terminal.send("<Home>");
    terminal.send("b");
    terminal.wait_for_text("queue:");
    terminal.send("book-3<Enter>");
    wait_for_book(&terminal, 3, BOOKS);
    terminal.wait_for_text("another version of this record: V");
    quit(&terminal);
}
