//! Kills at random moments of scripted sittings: everything reported as saved is on disk, and every file is whole.
//!
//! `ENDPAPER_KILLS` sets the number of kills (default 20), `ENDPAPER_SEED` the random numbers.

use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

use endpaper_truth::Verdict;

use crate::review::sitting::{Desk, SIZE, is_surveyed, quit};
use crate::support::Terminal;
use crate::support::screen::ScreenSnapshot;

/// Books of one truth folder; when all are decided, the next folder begins.
const BOOKS: usize = 8;
/// Maximum time from a shown book to the kill.
const LONGEST: u64 = 1800;
/// Polling interval of the screen: a kill must not wait for a change.
const LOOK: Duration = Duration::from_millis(2);

/// Reproducible random numbers (splitmix64).
struct KillRandom(u64);

impl KillRandom {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }
}

fn number(variable: &str, usual: u64) -> u64 {
    let set = std::env::var(variable).ok();
    set.map_or(usual, |word| word.parse().expect("a number"))
}

/// Verdicts that the screen reported as saved, by book.
type Claims = BTreeMap<usize, Verdict>;

fn on_screen(screen: &ScreenSnapshot) -> Option<usize> {
    let row = screen.row(0);
    let (_, rest) = row.split_once("book-")?;
    rest.split('.').next()?.parse().ok()
}

/// Adds what the screen reports as saved.
fn hear(screen: &ScreenSnapshot, claims: &mut Claims) {
    let status = screen.row(22);
    let Some((_, said)) = status.split_once("saved book-") else {
        return;
    };
    let verdicts = [
        ("confirmed", Verdict::Confirmed),
        ("corrected", Verdict::Corrected),
        ("undecidable", Verdict::Undecidable),
        ("not-a-book", Verdict::NotABook),
    ];
    let book = said.split('.').next().and_then(|word| word.parse().ok());
    let verdict = verdicts.iter().find(|(word, _)| said.contains(word));
    if let (Some(book), Some((_, verdict))) = (book, verdict) {
        claims.insert(book, *verdict);
    }
}

/// Decides, corrects, changes and undoes at random until the time of the kill, never waiting longer for the disk than the screen makes a curator
/// wait.
///
/// Returns the verdicts reported as saved; `None` for an undo that was not reported yet.
fn work(
    terminal: &Terminal,
    dice: &mut KillRandom,
    claims: &mut Claims,
    end: Instant,
) -> Option<Claims> {
    let answers = ["undid: ", "nothing to undo", "not undone", "press u again"];
    let (mut asked, mut undoing, mut said) = (None, false, Claims::new());
    while Instant::now() < end {
        thread::sleep(LOOK);
        let screen = terminal.screen();
        let shown = on_screen(&screen);
        let answered = answers.iter().any(|answer| screen.contains(answer));
        if undoing {
            if !answered {
                continue;
            }
            // The intended book is on screen now.
            undoing = false;
            asked = None;
            for claims in [&mut said, &mut *claims] {
                shown.map(|book| claims.remove(&book));
            }
        }
        hear(&screen, &mut said);
        if shown.is_none() || asked == shown {
            continue;
        }
        asked = shown;
        match dice.below(12) {
            0..=4 => terminal.send("<Enter>"),
            5 | 6 => terminal.send("J<Enter>"),
            7 => terminal.send("h<Enter>"),
            8 => terminal.send("wu"),
            9 => terminal.send("J<C-s>"),
            10 => terminal.send("J"),
            // The answer to a second undo would look the same as the one still on screen.
            _ if answered => terminal.send("<Enter>"),
            _ => {
                terminal.send("u");
                undoing = true;
            }
        }
    }
    // Includes output that was written before the kill.
    terminal.kill("KILL");
    assert!(terminal.exit_status().signal().is_some());
    if undoing {
        // One of these may have been undone.
        claims.retain(|book, _| !said.contains_key(book));
        return None;
    }
    hear(&terminal.screen(), &mut said);
    Some(said)
}

/// Asserts that every claim is on disk and every file below the truth folder parses.
fn check(desk: &Desk, claims: &Claims) {
    // Panics on an incomplete file.
    let records = desk.records();
    for (book, verdict) in claims {
        let name = format!("book-{book}.txt");
        let record = records.iter().find(|record| record.book == name);
        let found = record.map(|record| record.verdict);
        assert_eq!(found, Some(*verdict), "{name} was shown as saved");
    }
}

#[test]
fn killed_at_random_moments_no_decided_book_is_lost_and_no_file_is_half_written() {
    let kills = number("ENDPAPER_KILLS", 20);
    let mut dice = KillRandom(number("ENDPAPER_SEED", 1));
    let mut desk = Desk::with_books(BOOKS);
    desk.survey();
    let (mut claims, mut claimed, mut leftovers) = (Claims::new(), 0, 0);
    for _ in 0..kills {
        let terminal = desk.home.terminal(&desk.arguments(&[]), SIZE, &[]);
        terminal.wait_for("a surveyed corpus", is_surveyed);
        let end = Instant::now() + Duration::from_millis(dice.below(LONGEST));
        if let Some(said) = work(&terminal, &mut dice, &mut claims, end) {
            claims.extend(said);
        }
        check(&desk, &claims);
        leftovers += desk.temporary_files();
        if desk.records().len() == BOOKS {
            claimed += claims.len();
            finish(&desk, &claims);
            desk = Desk::with_books(BOOKS);
            desk.survey();
            claims.clear();
        }
    }
    claimed += claims.len();
    finish(&desk, &claims);
    println!(
        "{kills} kills, {claimed} books claimed as saved, all on disk; {leftovers} temporary files swept"
    );
}

/// The next sitting starts normally and removes temporary files left by the kills.
fn finish(desk: &Desk, claims: &Claims) {
    let terminal = desk.sit();
    quit(&terminal);
    check(desk, claims);
    assert_eq!(desk.temporary_files(), 0);
    if !desk.home.work().join("truth").exists() {
        // Killed before the first save.
        assert!(claims.is_empty());
        return;
    }
    let mut status = desk.home.endpaper(&["truth", "status", "--truth", "truth"]);
    status.assert().success();
}
