//! A limit for the total size of the books that wait to be indexed.
//!
//! Tantivy itself queues up to ten thousand documents before it blocks, which is more than fits into memory.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// A thread that waited this long proceeds anyway: exceeding the budget is better than never finishing.
const MAX_WAIT: Duration = Duration::from_secs(30);

/// A budget of `limit` bytes.
pub(super) struct ByteBudget {
    limit: usize,
    used: Mutex<usize>,
    freed: Condvar,
}

/// A reserved part of a [`ByteBudget`], which is released on drop.
pub(super) struct BudgetReservation {
    budget: Arc<ByteBudget>,
    bytes: usize,
}

impl ByteBudget {
    /// A budget of `limit` bytes, all of it free.
    pub fn new(limit: usize) -> Arc<ByteBudget> {
        Arc::new(ByteBudget {
            limit,
            used: Mutex::new(0),
            freed: Condvar::new(),
        })
    }

    /// Blocks until `bytes` fit into the budget. A reservation larger than the whole budget waits until nothing else is
    /// reserved.
    pub fn reserve(self: &Arc<ByteBudget>, bytes: usize) -> BudgetReservation {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |used: &mut usize| *used > 0 && used.saturating_add(bytes) > self.limit;
        let waited = self.freed.wait_timeout_while(used, MAX_WAIT, full);
        let (mut used, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *used = used.saturating_add(bytes);
        BudgetReservation {
            budget: Arc::clone(self),
            bytes,
        }
    }
}

impl Drop for BudgetReservation {
    fn drop(&mut self) {
        let mut used = self
            .budget
            .used
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *used = used.saturating_sub(self.bytes);
        self.budget.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn no_more_than_the_limit_is_inside() {
        let room = ByteBudget::new(10);
        let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|threads| {
            for _ in 0..4 {
                threads.spawn(|| {
                    for _ in 0..200 {
                        let place = room.reserve(4);
                        let now = inside.fetch_add(4, Ordering::SeqCst) + 4;
                        most.fetch_max(now, Ordering::SeqCst);
                        inside.fetch_sub(4, Ordering::SeqCst);
                        drop(place);
                    }
                });
            }
        });
        assert!(most.into_inner() <= 8);
        assert_eq!(*room.used.lock().unwrap(), 0);
        // Larger than the budget, with nothing else reserved.
        drop(room.reserve(1000));
    }
}
