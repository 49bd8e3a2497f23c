//! A clock that never goes backwards, for what must happen "within a second".
//!
//! The system's clock may be put back at any time (by a time server, or by hand); a draft that is due at a time of that
//! clock would then wait for an hour. This one goes on as long as time does, and says how far the system's clock stands
//! behind it, so that reviews carry the time that the system says.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A clock in milliseconds since 1970.
#[derive(Debug)]
pub struct Clock {
    now: u64,
    read: Instant,
}

impl Clock {
    /// A clock that begins with what the system says.
    pub fn start() -> Clock {
        Clock {
            now: system(),
            read: Instant::now(),
        }
    }

    /// The time, and how far the system's clock stands behind it.
    pub fn read(&mut self) -> (u64, u64) {
        let passed = u64::try_from(self.read.elapsed().as_millis()).unwrap_or(u64::MAX);
        // Parts of a millisecond are left for the next time, or a clock that is read often would stand still.
        self.read += Duration::from_millis(passed);
        self.advance(passed, system())
    }

    /// So many milliseconds passed, and the system's clock shows `wall`.
    fn advance(&mut self, passed: u64, wall: u64) -> (u64, u64) {
        self.now = self.now.saturating_add(passed).max(wall);
        (self.now, self.now - wall)
    }
}

/// What the system's clock shows.
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
        // Put back by an hour.
        assert_eq!(clock.advance(second, 6_402_000), (10_002_000, 3_600_000));
        assert_eq!(clock.advance(second, 6_403_000), (10_003_000, 3_600_000));
        // And put right again.
        assert_eq!(clock.advance(second, 10_004_000), (10_004_000, 0));
        // The computer slept: only the system's clock went on.
        assert_eq!(clock.advance(second, 20_000_000), (20_000_000, 0));
        // Before 1970 there is no time.
        assert_eq!(clock.advance(second, 0), (20_001_000, 20_001_000));
    }
}
