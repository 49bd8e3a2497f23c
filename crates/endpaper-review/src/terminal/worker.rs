//! A thread that handles only the newest request; an older one in progress is cancelled.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::guard::panic_text;
use super::job_slot::{JobSender, JobSlot};
use crate::Message;

/// The requesting side. When it is dropped, the thread ends as soon as its work checks its [`WorkTurn`].
pub struct LatestWorker<W> {
    jobs: JobSender<LatestRequest<W>>,
}

/// The newest request until it is started.
struct LatestRequest<W> {
    request: Option<W>,
    /// Set once the request is replaced or the worker is dropped.
    is_cancelled: Arc<AtomicBool>,
}

impl<W> Default for LatestRequest<W> {
    fn default() -> LatestRequest<W> {
        LatestRequest {
            request: None,
            is_cancelled: Arc::default(),
        }
    }
}

/// The context of the work on one request.
pub struct WorkTurn<'a, W> {
    jobs: &'a JobSlot<LatestRequest<W>>,
    is_cancelled: Arc<AtomicBool>,
    answers: &'a Sender<Message>,
}

impl<W: Send + 'static> LatestWorker<W> {
    /// Starts the thread. A panic in the work is answered with `failed`, and the next request is handled normally.
    pub fn start(
        answers: Sender<Message>,
        mut work: impl FnMut(&W, &WorkTurn<'_, W>) + Send + 'static,
        failed: impl Fn(&W, String) -> Message + Send + 'static,
    ) -> LatestWorker<W> {
        let desk = JobSender::<LatestRequest<W>>::new();
        let back = desk.back();
        std::thread::spawn(move || {
            let take = |newest: &mut LatestRequest<W>| {
                Some((newest.request.take()?, newest.is_cancelled.clone()))
            };
            while let Some((wish, over)) = back.wait(take) {
                let turn = WorkTurn {
                    jobs: &back,
                    is_cancelled: over,
                    answers: &answers,
                };
                let done = catch_unwind(AssertUnwindSafe(|| work(&wish, &turn)));
                if let Err(panic) = done
                    && turn.is_wanted()
                {
                    turn.answer(failed(&wish, panic_text(&*panic)));
                }
            }
        });
        LatestWorker { jobs: desk }
    }

    /// Replaces the request; `None` cancels the current one.
    pub fn ask(&self, wish: impl Into<Option<W>>) {
        let wish = wish.into();
        self.jobs.put(|newest| {
            newest.is_cancelled.store(true, Ordering::Relaxed);
            *newest = LatestRequest {
                request: wish,
                is_cancelled: Arc::default(),
            };
        });
    }
}

impl<W> Drop for LatestWorker<W> {
    fn drop(&mut self) {
        self.jobs
            .with(|newest| newest.is_cancelled.store(true, Ordering::Relaxed));
    }
}

impl<W> WorkTurn<'_, W> {
    /// Whether the request is still current and its answer is awaited.
    pub fn is_wanted(&self) -> bool {
        !self.is_cancelled.load(Ordering::Relaxed)
    }

    /// A flag that is set once the request is cancelled.
    pub fn cancelled(&self) -> &AtomicBool {
        &self.is_cancelled
    }

    /// Waits for `patience`, or until the request is cancelled.
    pub fn rest(&self, patience: Duration) {
        if !patience.is_zero() {
            self.jobs.wait_for(patience, |_| !self.is_wanted());
        }
    }

    /// Sends an answer. If the receiver is gone, the request is cancelled.
    pub fn answer(&self, message: Message) {
        if self.answers.send(message).is_err() {
            self.is_cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// The channel of the answers.
    pub fn answers(&self) -> &Sender<Message> {
        self.answers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};

    /// A timeout that no machine reaches unless the test fails.
    const LONG: Duration = Duration::from_secs(60);

    fn said(answers: &Receiver<Message>) -> String {
        match answers.recv_timeout(LONG) {
            Ok(Message::Notice(text)) => text,
            other => panic!("{other:?}"),
        }
    }

    /// A worker that answers a number with itself once it is allowed to continue; 0 panics.
    fn numbers() -> (
        LatestWorker<u32>,
        Receiver<Message>,
        Receiver<u32>,
        Sender<()>,
    ) {
        let (sender, answers) = channel();
        let (begins, begun) = channel();
        let (go, gate) = channel();
        let work = move |&wish: &u32, turn: &WorkTurn<'_, u32>| {
            begins.send(wish).unwrap();
            let _ = gate.recv();
            assert_ne!(wish, 0, "no number");
            if turn.is_wanted() {
                turn.answer(Message::Notice(wish.to_string()));
            }
        };
        let failed = |wish: &u32, why: String| Message::Notice(format!("{wish} failed: {why}"));
        (
            LatestWorker::start(sender, work, failed),
            answers,
            begun,
            go,
        )
    }

    #[test]
    fn the_newest_wish_wins() {
        let (worker, answers, begun, go) = numbers();
        worker.ask(1);
        assert_eq!(begun.recv_timeout(LONG), Ok(1));
        worker.ask(2);
        worker.ask(3);
        go.send(()).unwrap();
        assert_eq!(begun.recv_timeout(LONG), Ok(3), "2 is never begun");
        go.send(()).unwrap();
        assert_eq!(said(&answers), "3", "1 answers nothing");
    }

    #[test]
    fn a_wish_for_nothing_ends_the_one_before() {
        let (worker, answers, begun, go) = numbers();
        worker.ask(1);
        assert_eq!(begun.recv_timeout(LONG), Ok(1));
        worker.ask(None);
        go.send(()).unwrap();
        worker.ask(2);
        go.send(()).unwrap();
        assert_eq!(said(&answers), "2");
    }

    #[test]
    fn it_ends_with_its_owner() {
        let (worker, answers, begun, go) = numbers();
        worker.ask(1);
        assert_eq!(begun.recv_timeout(LONG), Ok(1));
        drop(worker);
        go.send(()).unwrap();
        // The thread held the only sender.
        let end = answers.recv_timeout(LONG).unwrap_err();
        assert_eq!(end, RecvTimeoutError::Disconnected);
    }

    #[test]
    fn a_panic_is_an_answer_and_not_the_end() {
        let (worker, answers, _begun, go) = numbers();
        worker.ask(0);
        go.send(()).unwrap();
        let text = said(&answers);
        assert!(
            text.starts_with("0 failed: ") && text.contains("no number"),
            "{text}"
        );
        worker.ask(4);
        go.send(()).unwrap();
        assert_eq!(said(&answers), "4");
    }

    #[test]
    fn a_panic_for_a_wish_nobody_has_any_more_is_no_answer() {
        let (worker, answers, begun, go) = numbers();
        worker.ask(0);
        assert_eq!(begun.recv_timeout(LONG), Ok(0));
        worker.ask(5);
        go.send(()).unwrap();
        go.send(()).unwrap();
        assert_eq!(said(&answers), "5");
    }

    #[test]
    fn who_rests_is_woken_by_a_newer_wish() {
        let (sender, answers) = channel();
        let work = |&wish: &u32, turn: &WorkTurn<'_, u32>| {
            turn.rest(if wish == 1 { LONG * 60 } else { Duration::ZERO });
            turn.answer(Message::Notice(format!("{wish} {}", turn.is_wanted())));
        };
        let worker = LatestWorker::start(sender, work, |_, why| Message::Notice(why));
        worker.ask(1);
        worker.ask(2);
        let first = said(&answers);
        let last = match first.as_str() {
            // The first was started before the second arrived.
            "1 false" => said(&answers),
            _ => first,
        };
        assert_eq!(last, "2 true");
    }
}
