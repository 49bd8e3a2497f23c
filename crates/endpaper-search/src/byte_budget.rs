//! How many books may wait for the index at once, by their size.
//!
//! The index itself takes ten thousand documents before it lets anybody wait, which is more than memory has room for.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// A thread that waits this long goes in anyway: too full is better than never.
const MAX_WAIT: Duration = Duration::from_secs(30);

/// A budget of this many bytes.
pub(super) struct ByteBudget {
    limit: usize,
    used: Mutex<usize>,
    freed: Condvar,
}

/// A part of the room that is taken. It is free again when this is dropped.
pub(super) struct BudgetReservation {
    budget: Arc<ByteBudget>,
    bytes: usize,
}

impl ByteBudget {
    pub fn new(limit: usize) -> Arc<ByteBudget> {
        Arc::new(ByteBudget {
            limit,
            used: Mutex::new(0),
            freed: Condvar::new(),
        })
    }

    /// Waits until there is room. One that is larger than all of it goes in alone.
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
        // Larger than the whole budget: admitted when nothing else is held.
        drop(room.reserve(1000));
    }
}
