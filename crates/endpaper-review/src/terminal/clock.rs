//! A clock that never goes backwards, for deadlines such as "within a second".
//!
//! The system clock may be set back at any time, by a time server or manually; a draft due at a time of that clock would then
//! wait for an hour. This clock runs monotonically and reports how far the system clock lags behind it, so that reviews
//! carry the system time.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A monotonic clock in milliseconds since 1970.
#[derive(Debug)]
pub struct Clock {
    now: u64,
    read: Instant,
}

impl Clock {
    /// A clock that starts at the system time.
    pub fn start() -> Clock {
        Clock {
            now: system(),
            read: Instant::now(),
        }
    }

    /// Returns the time, and by how much the system clock lags behind it, both in milliseconds.
    pub fn read(&mut self) -> (u64, u64) {
        let passed = u64::try_from(self.read.elapsed().as_millis()).unwrap_or(u64::MAX);
        // Keep fractions of a millisecond for the next call; otherwise a clock that is read often would never advance.
        self.read += Duration::from_millis(passed);
        self.advance(passed, system())
    }

    /// Advances by `passed` milliseconds; the system clock shows `wall`.
    fn advance(&mut self, passed: u64, wall: u64) -> (u64, u64) {
        self.now = self.now.saturating_add(passed).max(wall);
        (self.now, self.now - wall)
    }
}

/// The system time in milliseconds since 1970; 0 for an earlier time.
fn system() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_clock_that_is_put_back_stops_nothing() {
        let mut clock = Clock {
            now: 10_000_000,
            read: Instant::now(),
        };
        let second = 1000;
        assert_eq!(clock.advance(second, 10_001_000), (10_001_000, 0));
        // Set back by an hour.
        assert_eq!(clock.advance(second, 6_402_000), (10_002_000, 3_600_000));
        assert_eq!(clock.advance(second, 6_403_000), (10_003_000, 3_600_000));
        // Set right again.
        assert_eq!(clock.advance(second, 10_004_000), (10_004_000, 0));
        // After sleep only the system clock has advanced.
        assert_eq!(clock.advance(second, 20_000_000), (20_000_000, 0));
        // Times before 1970 are 0.
        assert_eq!(clock.advance(second, 0), (20_001_000, 20_001_000));
    }
}
