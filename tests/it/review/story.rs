//! The walkthrough of the manual, from a corpus to a certificate and a release: its commands in order over the books
//! that ship with the program, with the described actions on the screen.

use std::collections::HashMap;

use endpaper_detect::Cuts;
use endpaper_evaluate::sample::BookSample;

use crate::review::blind::is_veiled;
use crate::review::sitting::{Desk, SIZE, quit};
use crate::support::screen::ScreenSnapshot;
use crate::support::{Home, Terminal};

/// The chapter with the commands.
const CHAPTER: &str = include_str!("../../../docs/src/certificates.md");

fn commands() -> Vec<Vec<&'static str>> {
    let (_, story) = CHAPTER.split_once("```sh,no-run\n").expect("its commands");
    let (story, _) = story.split_once("```").expect("their end");
    let commands = story.lines().map(|line| {
        let command = line.split('#').next().unwrap_or_default();
        let mut words = command.split_whitespace();
        assert_eq!(words.next(), Some("endpaper"), "{line}");
        words.collect()
    });
    commands.collect()
}

#[test]
fn the_story_of_the_manual_is_true() {
    let home = Home::new();
    home.endpaper(&["demo", "shelf"]).assert().success();
    let desk = Desk::new(home);
    let mut certified = None;
    for command in commands() {
        if command[0] == "review" {
            let terminal = desk.home.terminal(&command, SIZE, &[]);
            match command.contains(&"--sample") {
                true => look_at_the_sample(&desk, &terminal),
                false => decide_a_twentieth(&terminal),
            }
            quit(&terminal);
            continue;
        }
        let output = desk.home.endpaper(&command).output().expect("a run");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{command:?}: {said}{complaint}"
        );
        if command[..2] == ["sample", "certify"] {
            certified = Some(said);
        }
    }
    let certified = certified.expect("a certificate");
    let sample = sample(&desk);
    let expected = format!(
        "**accepted.** {} books drawn at random, 0 bad, so at most",
        sample.books.len()
    );
    assert!(certified.contains(&expected), "{certified}");
    assert!(
        CHAPTER.contains(&expected),
        "the manual does not say: {expected}"
    );
    for file in ["certificate.yaml", "bodies/endpaper-manifest.tsv"] {
        assert!(desk.home.work().join(file).is_file(), "{file}");
    }
    let labels = std::fs::read_dir(desk.home.work().join("labels")).expect("a folder of labels");
    let names = labels.map(|entry| entry.expect("a file").file_name());
    let decided = names.filter(|name| name.to_string_lossy().ends_with(".yaml"));
    assert!(decided.count() >= sample.books.len());
}

/// Reviews the most doubtful of twenty-one books; the curator agrees with the detector.
fn decide_a_twentieth(terminal: &Terminal) {
    terminal.wait_for("the first book", |screen| screen.row(0).contains(" 1/21 "));
    let is_seen = |screen: &ScreenSnapshot| {
        let header = screen.row(0);
        header.contains("2 ends seen")
            || header.contains("2 of 2 seen")
            || header.contains(" seen ")
    };
    if !is_seen(&terminal.screen()) {
        // The first key scrolls to a cut that is not visible.
        terminal.send("<Enter>");
        terminal.wait_for("both cuts", is_seen);
    }
    // Nor is a book kept before boilerplate that its cuts leave in the body was shown.
    for _ in 0..9 {
        if !terminal.screen().row(23).contains("show what is beyond") {
            break;
        }
        terminal.send("<Enter>");
        terminal.wait_quiet(std::time::Duration::from_millis(300));
    }
    terminal.send("<Enter>");
    terminal.wait_for_text("saved ");
}

/// Reviews every book of the sample blind; the curator cuts where the detector does.
fn look_at_the_sample(desk: &Desk, terminal: &Terminal) {
    let (sample, cuts) = (sample(desk), detected(desk));
    for (at, drawn) in sample.books.iter().enumerate() {
        let header = format!("{}/{} {}", at + 1, sample.books.len(), drawn.id);
        let shown: String = header.chars().take(24).collect();
        terminal.wait_for(&header, |screen| {
            screen.row(0).contains(&shown) && is_veiled(screen)
        });
        let Cuts {
            preamble_end,
            epilogue_start,
        } = cuts[&drawn.id];
        match preamble_end {
            0 => terminal.send("0"),
            end => terminal.send(&format!(":{}<Enter>c", end + 1)),
        }
        terminal.wait_for("the first cut", |screen| {
            screen.contains("preamble ends") || screen.contains("no preamble")
        });
        match epilogue_start {
            None => terminal.send("<Tab>0"),
            Some(start) => terminal.send(&format!("<Tab>:{start}<Enter>c")),
        }
        terminal.wait_for_text("both cuts are placed");
        terminal.send("<Enter>");
        let (done, all) = (at + 1, sample.books.len());
        // The outcome is told only after the last book: abbreviated on the line of a file, in full at the end.
        let told = match done < all {
            true => vec![format!("{done} of {all} decided")],
            false => vec![
                format!(", 0/{done} bad (<="),
                format!("{done} of {all} reviewed"),
            ],
        };
        terminal.wait_for("how far the plan is", |screen| {
            told.iter().any(|told| screen.contains(told))
        });
    }
}

fn sample(desk: &Desk) -> BookSample {
    let file = desk.home.work().join("sample.yaml");
    let text = std::fs::read_to_string(file).expect("a sample");
    BookSample::parse(&text).expect("a sample")
}

fn detected(desk: &Desk) -> HashMap<String, Cuts> {
    let table = desk
        .home
        .endpaper(&["detect", "shelf", "--format", "tsv", "-q"])
        .output()
        .expect("a run");
    let table = String::from_utf8(table.stdout).expect("a table");
    let rows = table.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let number = |at: usize| cells[at].parse::<u32>().expect("a number");
        let start = Some(number(3)).filter(|&start| start <= number(1));
        let cuts = Cuts {
            preamble_end: number(2),
            epilogue_start: start,
        };
        (cells[0].to_owned(), cuts)
    });
    rows.collect()
}
