//! The signals of Unix.

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::{Handle, Signals};

use super::{Signal, SignalCloser, SignalSource};

/// The signals that the system sends to this process.
pub struct UnixSignals(Signals);

impl UnixSignals {
    /// Takes over the signals from the system.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub fn new() -> std::io::Result<UnixSignals> {
        let wanted = [SIGHUP, SIGTERM, SIGINT, SIGTSTP, SIGCONT, SIGWINCH];
        Signals::new(wanted).map(UnixSignals)
    }
}

impl SignalSource for UnixSignals {
    type Closer = Handle;

    fn next(&mut self) -> Option<Signal> {
        self.0.forever().next().map(|signal| match signal {
            SIGHUP => Signal::HangUp,
            SIGTSTP => Signal::Stop,
            SIGCONT => Signal::Continue,
            SIGWINCH => Signal::Resize,
            _ => Signal::End,
        })
    }

    fn closer(&self) -> Handle {
        self.0.handle()
    }
}

impl SignalCloser for Handle {
    fn close(&self) {
        Handle::close(self);
    }
}

/// Stops the program like Ctrl-Z, and returns when it runs again.
///
/// # Errors
///
/// The system refuses.
pub fn stop() -> std::io::Result<()> {
    signal_hook::low_level::emulate_default_handler(SIGTSTP)
}
