//! Tests of the save queue, as tables of steps and the expected state.

use super::*;

/// A step of a test. Tickets are numbered from 1.
enum SaveStep {
    /// A draft (`None`) or a verdict of the book is sent.
    Send(usize, Option<AfterSave>),
    /// The disk answers the save with this ticket; `Full`: the disk is full.
    Written(u64),
    Full(u64),
    Conflict(u64),
    /// A second Enter.
    Enter,
    /// This many milliseconds pass.
    Wait(u64),
    /// The book is opened (`None`: no book), and its record file holds these bytes.
    Open(Option<usize>, &'static [u8]),
    Quit,
    /// The curator confirms quitting.
    MayEnd,
}

/// State of the queue: number of saves underway, books to retry, number of unsaved books, whether Enter continues, whether
/// the program is about to quit.
type SaveQueueState = (usize, Vec<usize>, usize, bool, bool);

/// Steps with their expected answers.
type Steps = Vec<(SaveStep, &'static str)>;

struct SaveCase {
    queue: SaveQueue,
    ticket: u64,
    now: u64,
    open: Option<usize>,
}

fn save(ticket: u64, book: usize, then: Option<AfterSave>) -> PendingSave {
    PendingSave {
        ticket,
        book,
        record: None,
        decision: Decision::default(),
        before: Snapshot(None),
        then,
        settles: Vec::new(),
        bulk: None,
    }
}

impl SaveCase {
    fn new() -> SaveCase {
        SaveCase {
            queue: SaveQueue::default(),
            ticket: 0,
            now: 1_000_000,
            open: Some(0),
        }
    }

    fn answer(&mut self, ticket: u64, error: Option<SaveError>) -> String {
        let save = self.queue.take(ticket).unwrap();
        let on_screen = self.open == Some(save.book);
        let outcome = self
            .queue
            .answered(&save, error.as_ref(), on_screen, self.now);
        format!("{outcome:?}")
    }

    /// Runs a step; returns its answer as text.
    fn step(&mut self, step: &SaveStep) -> String {
        match *step {
            SaveStep::Send(book, then) => {
                self.ticket += 1;
                self.queue.send(save(self.ticket, book, then));
                String::new()
            }
            SaveStep::Written(ticket) => self.answer(ticket, None),
            SaveStep::Full(ticket) => {
                let (path, reason) = ("a.yaml".into(), "no space left".into());
                self.answer(ticket, Some(SaveError::Io { path, reason }))
            }
            SaveStep::Conflict(ticket) => {
                let (book, kept) = ("a".into(), "b".into());
                let theirs = Snapshot(None);
                self.answer(ticket, Some(SaveError::Conflict { book, kept, theirs }))
            }
            SaveStep::Enter => format!("{}", self.queue.confirms_failure(self.now)),
            SaveStep::Wait(time) => {
                self.now += time;
                let ticket = &mut self.ticket;
                let again = self.queue.retry(false, self.now, || {
                    *ticket += 1;
                    *ticket
                });
                format!("{} again", again.len())
            }
            SaveStep::Open(book, bytes) => {
                self.open = book;
                self.queue.forget_warning();
                let known = Snapshot((!bytes.is_empty()).then(|| bytes.to_vec()));
                let ours = book.and_then(|book| self.queue.reclaim(book, &known));
                format!("{}", ours.is_some())
            }
            SaveStep::Quit => {
                self.queue.quit();
                String::new()
            }
            SaveStep::MayEnd => format!("{}", self.queue.can_quit()),
        }
    }

    fn state(&self) -> SaveQueueState {
        let queue = &self.queue;
        (
            queue.underway.len(),
            queue.failed.iter().map(|save| save.book).collect(),
            queue.unsaved(),
            queue.warned,
            queue.is_quitting(),
        )
    }
}

#[test]
fn save_queue_follows_the_table() {
    use SaveStep::*;
    const NEXT: Option<AfterSave> = Some(AfterSave::Next);
    const OK: &str = "Saved { was_retry: false }";
    const LATER: &str = "Failed { asks_to_quit: false }";
    let none = Vec::new;
    #[rustfmt::skip]
    let table: &[(&str, Steps, SaveQueueState)] = &[
        ("a verdict is written",
         vec![(Send(0, NEXT), ""), (Written(1), OK)],
         (0, none(), 0, false, false)),
        ("a draft fails: nothing is asked of the next Enter",
         vec![(Send(0, None), ""), (Full(1), LATER)],
         (0, vec![0], 1, false, false)),
        ("a verdict fails: the second Enter goes on, a third is a first one",
         vec![(Send(0, NEXT), ""), (Full(1), LATER), (Enter, "true"), (Enter, "false")],
         (0, vec![0], 1, false, false)),
        ("a verdict fails after its book was left: Enter is meant for another one",
         vec![(Send(0, NEXT), ""), (Open(Some(1), b""), "false"), (Full(1), LATER)],
         (0, vec![0], 1, false, false)),
        ("what failed is tried again after five seconds, and saved after all",
         vec![(Send(0, NEXT), ""), (Full(1), LATER), (Wait(4999), "0 again"), (Wait(1), "1 again"),
              (Written(2), "Saved { was_retry: true }"), (Wait(9000), "0 again")],
         (0, none(), 0, false, false)),
        ("a second failure waits as long",
         vec![(Send(0, NEXT), ""), (Full(1), LATER), (Wait(5000), "1 again"), (Full(2), LATER), (Wait(4999), "0 again")],
         (0, vec![0], 1, false, false)),
        ("going on by Enter puts the next attempt off",
         vec![(Send(0, NEXT), ""), (Full(1), LATER), (Wait(3000), "0 again"), (Enter, "true"), (Wait(3000), "0 again")],
         (0, vec![0], 1, false, false)),
        ("a newer save of the same book replaces the one that failed",
         vec![(Send(0, NEXT), ""), (Full(1), LATER), (Send(0, NEXT), ""), (Wait(9000), "0 again")],
         (1, none(), 1, true, false)),
        ("two books fail, each is tried again",
         vec![(Send(0, NEXT), ""), (Send(1, None), ""), (Full(1), LATER), (Full(2), LATER), (Wait(5000), "2 again"),
              (Written(4), "Saved { was_retry: true }")],
         (1, none(), 1, true, false)),
        ("somebody else's record is current: ours is not tried again",
         vec![(Send(0, NEXT), ""), (Conflict(1), "Superseded"), (Wait(9000), "0 again")],
         (0, none(), 0, false, false)),
        ("what failed meets somebody else's record",
         vec![(Send(0, NEXT), ""), (Full(1), LATER), (Wait(5000), "1 again"), (Conflict(2), "Superseded")],
         (0, none(), 0, true, false)),
        ("opened again, the book shows what failed",
         vec![(Send(0, NEXT), ""), (Full(1), LATER), (Open(Some(1), b""), "false"), (Open(Some(0), b""), "true")],
         (0, none(), 1, false, false)),
        ("opened again with another record, it does not",
         vec![(Send(0, NEXT), ""), (Full(1), LATER), (Open(Some(0), b"theirs"), "false")],
         (0, vec![0], 1, false, false)),
        ("opened again while it is saved, nothing has failed yet",
         vec![(Send(0, NEXT), ""), (Open(Some(0), b""), "false"), (Written(1), OK)],
         (0, none(), 0, false, false)),
        ("quitting with everything saved ends",
         vec![(Send(0, NEXT), ""), (Quit, ""), (Written(1), OK), (MayEnd, "true")],
         (0, none(), 0, false, true)),
        ("quitting while the last save fails asks, once",
         vec![(Send(0, NEXT), ""), (Quit, ""), (Full(1), "Failed { asks_to_quit: true }"), (Wait(5000), "1 again"), (Full(2), LATER)],
         (0, vec![0], 1, false, false)),
        ("quitting with what failed before does not end",
         vec![(Send(0, NEXT), ""), (Full(1), LATER), (Quit, ""), (MayEnd, "false")],
         (0, vec![0], 1, true, false)),
    ];
    for (name, steps, state) in table {
        let mut case = SaveCase::new();
        for (at, (step, expected)) in steps.iter().enumerate() {
            assert_eq!(case.step(step), *expected, "{name}: step {at}");
        }
        assert_eq!(case.state(), *state, "{name}");
    }
}

#[test]
fn save_queue_knows_what_is_free() {
    let mut case = SaveCase::new();
    assert!(case.queue.has_no_saves(0) && case.queue.is_empty());
    case.step(&SaveStep::Send(0, None));
    assert!(!case.queue.has_no_saves(0) && case.queue.has_no_saves(1));
    assert!(case.queue.is_underway(0) && case.queue.newest(0).is_some());
    case.step(&SaveStep::Full(1));
    assert!(!case.queue.has_no_saves(0) && case.queue.is_empty());
    // A save that restores a file has no content to retry.
    assert!(!case.queue.will_retry(0));
    assert_eq!(case.queue.retry_due(), Some(1_005_000));
    case.queue.drop_failed(0);
    assert!(case.queue.has_no_saves(0));
    assert_eq!(case.queue.retry_due(), None);
}
