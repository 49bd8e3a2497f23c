//! A slot for work, filled by the drawing thread and emptied by worker threads.

use std::ops::Deref;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The slot as seen by the worker threads.
pub(super) struct JobSlot<T> {
    state: Mutex<JobSlotState<T>>,
    changed: Condvar,
}

/// The work in a slot, and whether the slot is closed, which ends its threads.
struct JobSlotState<T> {
    work: T,
    closed: bool,
}

/// The sending side. When it is dropped, each thread ends after its current job.
pub(super) struct JobSender<T>(Arc<JobSlot<T>>);

impl<T: Default> JobSender<T> {
    /// An empty slot.
    pub fn new() -> JobSender<T> {
        JobSender(Arc::new(JobSlot {
            state: Mutex::new(JobSlotState {
                work: T::default(),
                closed: false,
            }),
            changed: Condvar::new(),
        }))
    }
}

impl<T> JobSender<T> {
    /// Returns the side of the worker threads.
    pub fn back(&self) -> Arc<JobSlot<T>> {
        self.0.clone()
    }
}

impl<T> Deref for JobSender<T> {
    type Target = JobSlot<T>;

    fn deref(&self) -> &JobSlot<T> {
        &self.0
    }
}

impl<T> Drop for JobSender<T> {
    fn drop(&mut self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }
}

impl<T> JobSlot<T> {
    fn lock(&self) -> MutexGuard<'_, JobSlotState<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `look` with the work, without waking any thread.
    pub fn with<R>(&self, look: impl FnOnce(&mut T) -> R) -> R {
        look(&mut self.lock().work)
    }

    /// Changes the work and wakes the waiting threads.
    pub fn put(&self, change: impl FnOnce(&mut T)) {
        self.with(change);
        self.changed.notify_all();
    }

    /// Waits until `take` returns a value; `None` once the slot is closed.
    pub fn wait<R>(&self, mut take: impl FnMut(&mut T) -> Option<R>) -> Option<R> {
        let mut papers = self.lock();
        while !papers.closed {
            let taken = take(&mut papers.work);
            if taken.is_some() {
                // Another thread may be waiting for work to be taken.
                self.changed.notify_all();
                return taken;
            }
            let woken = self.changed.wait(papers);
            papers = woken.unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// Waits until `holds` is true, the slot is closed or `patience` has passed; returns whether it holds.
    pub fn wait_for(&self, patience: Duration, holds: impl Fn(&T) -> bool) -> bool {
        let waiting = |papers: &mut JobSlotState<T>| !papers.closed && !holds(&papers.work);
        let waited = self
            .changed
            .wait_timeout_while(self.lock(), patience, waiting);
        let (papers, _) = waited.unwrap_or_else(PoisonError::into_inner);
        holds(&papers.work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_there_is_taken_once_and_a_closed_desk_ends_the_thread() {
        let front = JobSender::<Vec<u32>>::new();
        let back = front.back();
        let worker = std::thread::spawn(move || {
            let mut taken = Vec::new();
            while let Some(number) = back.wait(Vec::pop) {
                taken.push(number);
            }
            assert_eq!(back.wait(|work| Some(work.len())), None);
            taken
        });
        front.put(|work| work.extend([1, 2]));
        let empty = |work: &Vec<u32>| work.is_empty();
        assert!(front.wait_for(Duration::from_secs(60), empty));
        assert!(!front.wait_for(Duration::ZERO, |work| !work.is_empty()));
        drop(front);
        assert_eq!(worker.join().unwrap(), [2, 1]);
    }
}
