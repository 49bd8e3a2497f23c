//! A tally that counts the books of all threads in the order of their ids.
//!
//! It serves structures whose counts depend on this order ([`Accumulate::IN_ORDER`]). Threads read and scan books at
//! the same time, which is most of the work; the keys of a book that is early wait here.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Result;

use super::parallel::RunContext;
use crate::frequency::{Accumulate, BookLines, EndCounters};

/// Most books that wait for an earlier one: about 20 MB.
const MAX_WAITING: usize = 4096;

/// How often a blocked thread checks whether the run was cancelled.
const CANCEL_INTERVAL: Duration = Duration::from_millis(100);

/// Counters that several threads add books to, in the order of the books' ids. Threads that are early wait for
/// `advanced`.
pub(super) struct OrderedTally<C> {
    state: Mutex<OrderedState<C>>,
    advanced: Condvar,
}

/// The state that the threads of an [`OrderedTally`] share.
struct OrderedState<C> {
    tally: EndCounters<C>,
    /// Index of the next book to be counted.
    next: usize,
    /// Books that are early; `None` for one that is not counted.
    waiting: BTreeMap<usize, Option<BookLines>>,
}

impl<C: Accumulate> OrderedState<C> {
    /// Counts the next book (`None`: it is not counted).
    fn count_book(&mut self, book: Option<&BookLines>) -> Result<()> {
        self.next += 1;
        book.map_or(Ok(()), |book| self.tally.add_book(book))
    }

    /// Counts the books that waited for their turn.
    fn count_waiting(&mut self) -> Result<()> {
        while let Some(book) = self.waiting.remove(&self.next) {
            self.count_book(book.as_ref())?;
        }
        Ok(())
    }
}

impl<C: Accumulate> OrderedTally<C> {
    /// A tally that waits for the first book.
    pub fn new(tally: EndCounters<C>) -> OrderedTally<C> {
        OrderedTally {
            state: Mutex::new(OrderedState {
                tally,
                next: 0,
                waiting: BTreeMap::new(),
            }),
            advanced: Condvar::new(),
        }
    }

    /// Counts the book with this index when it is its turn; `None` for a book that is not counted. Every index from 0
    /// on must be added, and each thread must add its own in ascending order.
    pub fn add_book(
        &self,
        index: usize,
        book: Option<&BookLines>,
        run: &RunContext<'_>,
    ) -> Result<()> {
        let mut state = self.lock();
        while index != state.next && state.waiting.len() >= MAX_WAITING && !run.is_over() {
            let waited = self.advanced.wait_timeout(state, CANCEL_INTERVAL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if index != state.next {
            state.waiting.insert(index, book.cloned());
            return Ok(());
        }
        let taken = state.count_book(book).and_then(|()| state.count_waiting());
        self.advanced.notify_all();
        taken
    }

    /// The counters, when all books are counted.
    pub fn into_tally(self) -> EndCounters<C> {
        let state = self.state.into_inner();
        state.unwrap_or_else(PoisonError::into_inner).tally
    }

    fn lock(&self) -> MutexGuard<'_, OrderedState<C>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::frequency::{Counting, MisraGries};
    use endpaper_text::line::Key;
    use endpaper_text::scan::Window;

    fn book(index: usize) -> BookLines {
        let mut book = BookLines::default();
        for line in 0..7 {
            book.push(Key((index * line % 11) as u64), Window::Head, None);
        }
        book
    }

    /// The counts if the books are added in this order.
    fn counted(order: impl Iterator<Item = usize>) -> Vec<(Key, u64)> {
        let cancel = AtomicBool::new(false);
        let run = RunContext::new(1, &|_| {}, &cancel).unwrap();
        let tally = EndCounters::new(Counting::default(), |_| Ok(MisraGries::new(3))).unwrap();
        let ordered = OrderedTally::new(tally);
        for index in order {
            // Every fifth book cannot be read.
            let book = (index % 5 > 0).then(|| book(index));
            ordered.add_book(index, book.as_ref(), &run).unwrap();
        }
        let (_, hot) = ordered.into_tally().into_sets().next().unwrap();
        let mut counters: Vec<_> = hot.counters().collect();
        counters.sort_unstable();
        counters
    }

    #[test]
    fn books_that_come_in_any_order_are_counted_in_that_of_their_ids() {
        let expected = counted(0..60);
        assert_eq!(counted((0..60).rev()), expected);
        assert_eq!(counted((0..60).map(|n| n * 7 % 60)), expected);
    }
}
