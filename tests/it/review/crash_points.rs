//! Crash points of a sitting: the n-th system call that changes files fails, or the program is killed there. What was shown as saved
//! is on the disk, every record is whole, and the next sitting leaves no temporary file.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use endpaper_truth::Verdict;

use crate::crash_points::{
    CrashPoint, FAULTS, Fault, chosen, injected, may_trace, points_in, traced, was_hit,
};
use crate::review::sitting::{Desk, SIZE, is_surveyed, quit};
use crate::support::pty::PATIENCE;
use crate::support::{ENDPAPER, Terminal};

/// The calls that change files. Text is written to the terminal as well, by another thread and at any time: `kills` does that.
const CALLS: &str = "fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,ftruncate,fchmod";

const BOOKS: usize = 3;

/// Whether the program still runs.
fn runs(terminal: &Terminal) -> bool {
    PathBuf::from(format!("/proc/{}", terminal.process())).exists()
}

/// Keeps the cuts of every book, again where that failed. Returns the books that were shown as saved.
fn keep_all(terminal: &Terminal) -> BTreeSet<usize> {
    let mut saved = BTreeSet::new();
    let end = Instant::now() + PATIENCE * 2;
    let (mut typed, mut before): (Option<Instant>, _) = (None, 0);
    while runs(terminal) && Instant::now() < end {
        let screen = terminal.screen();
        let said = |book: &usize| screen.contains(&format!("saved book-{book}.txt: confirmed"));
        saved.extend((1..=BOOKS).filter(said));
        if screen.contains(&format!("{BOOKS} of {BOOKS} decided")) {
            break;
        }
        // The first key waits for the end of the analysis; a later one is typed again if nothing came of it.
        let is_due = match typed {
            None => is_surveyed(&screen),
            Some(at) => saved.len() > before || at.elapsed() > Duration::from_secs(1),
        };
        if is_due && screen.row(1).contains("body starts") {
            (typed, before) = (Some(Instant::now()), saved.len());
            terminal.send("<Enter>");
        }
        thread::sleep(Duration::from_millis(10));
    }
    saved
}

/// Starts a sitting under `strace`.
fn sit(desk: &Desk, options: &[String]) -> Terminal {
    desk.survey();
    let options = options.iter().map(String::as_str).chain([ENDPAPER]);
    let words: Vec<&str> = options.chain(desk.arguments(&[])).collect();
    desk.home.run("strace", &words, SIZE, &[])
}

/// The calls of a sitting without a fault.
fn points() -> Vec<CrashPoint> {
    let desk = Desk::with_books(BOOKS);
    let log = desk.home.work().join("calls.log");
    let terminal = sit(&desk, &traced(CALLS, &log));
    keep_all(&terminal);
    quit(&terminal);
    assert_eq!(desk.records().len(), BOOKS);
    points_in(&log)
}

/// A sitting with a fault. Returns whether it came to that.
fn try_at(fault: Fault, point: &CrashPoint) -> bool {
    let desk = Desk::with_books(BOOKS);
    let log = desk.home.work().join("calls.log");
    let terminal = sit(&desk, &injected(fault, point, &log));
    let saved = keep_all(&terminal);
    let context = format!("{fault:?} at {point:?}\n{}", terminal.text());
    let killed = !runs(&terminal);
    if !killed {
        quit(&terminal);
        assert_eq!(desk.records().len(), BOOKS, "not all was saved: {context}");
    }
    assert!(!killed || matches!(fault, Fault::Kill), "{context}");
    // Every record is whole, or this panics.
    let records = desk.records();
    assert!(
        records
            .iter()
            .all(|record| record.verdict == Verdict::Confirmed),
        "{context}"
    );
    for book in saved {
        desk.assert_confirmed(book);
    }
    quit(&desk.sit());
    assert_eq!(desk.temporary_files(), 0, "{context}");
    was_hit(&log)
}

#[test]
fn what_was_shown_as_saved_is_on_the_disk_at_every_call() {
    if !may_trace() {
        return;
    }
    let points = points();
    for fault in FAULTS {
        let tried = chosen(&points)
            .into_iter()
            .filter(|point| try_at(fault, point));
        println!(
            "sitting: {fault:?} at {} of {} calls",
            tried.count(),
            points.len()
        );
    }
}
