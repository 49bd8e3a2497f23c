//! A system without signals.

use super::{Signal, SignalCloser, SignalSource};

/// No signals.
pub struct SystemSignals;

impl SystemSignals {
    /// Never fails.
    ///
    /// # Errors
    ///
    /// None.
    pub fn new() -> std::io::Result<SystemSignals> {
        Ok(SystemSignals)
    }
}

impl SignalSource for SystemSignals {
    type Closer = SystemSignals;

    fn next(&mut self) -> Option<Signal> {
        None
    }

    fn closer(&self) -> SystemSignals {
        SystemSignals
    }
}

impl SignalCloser for SystemSignals {
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
