//! A system without signals.

use super::{Signal, SignalCloser, SignalSource};

/// No signals.
pub struct NoSignals;

impl NoSignals {
    /// Never fails.
    ///
    /// # Errors
    ///
    /// None.
    pub fn new() -> std::io::Result<NoSignals> {
        Ok(NoSignals)
    }
}

impl SignalSource for NoSignals {
    type Closer = NoSignals;

    fn next(&mut self) -> Option<Signal> {
        None
    }

    fn closer(&self) -> NoSignals {
        NoSignals
    }
}

impl SignalCloser for NoSignals {
    fn close(&self) {}
}

/// Does nothing: this system cannot stop a program.
///
/// # Errors
///
/// None.
pub fn stop() -> std::io::Result<()> {
    Ok(())
}
