//! Converts signals to messages: hang-up, termination, stop, continue and resize.
//!
//! Reading a terminal that is gone may never fail, so hang-up is detected by its signal. After a hang-up nothing is written
//! to the terminal; on termination the program saves, restores the terminal and ends.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;

use crate::Message;

/// Signals that the drawing thread has not handled yet.
#[derive(Default)]
pub struct SignalState {
    /// The program must stop (`SIGTSTP` from outside).
    pub stop: AtomicBool,
    /// The program was resumed: the terminal may be in any state.
    pub resumed: AtomicBool,
}

/// The thread that receives signals.
pub struct Signals {
    /// Signals to handle.
    pub asked: Arc<SignalState>,
    #[cfg(unix)]
    handle: signal_hook::iterator::Handle,
}

#[cfg(unix)]
impl Signals {
    /// Starts receiving signals.
    pub fn watch(sender: Sender<Message>, gone: Arc<AtomicBool>) -> std::io::Result<Signals> {
        use std::sync::atomic::Ordering;

        use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
        let wanted = [SIGHUP, SIGTERM, SIGINT, SIGTSTP, SIGCONT, SIGWINCH];
        let mut signals = signal_hook::iterator::Signals::new(wanted)?;
        let (asked, handle) = (Arc::new(SignalState::default()), signals.handle());
        let flags = asked.clone();
        std::thread::spawn(move || {
            for signal in signals.forever() {
                let message = match signal {
                    SIGHUP => {
                        gone.store(true, Ordering::SeqCst);
                        Message::HangUp
                    }
                    SIGTSTP => {
                        flags.stop.store(true, Ordering::SeqCst);
                        Message::Tick
                    }
                    SIGCONT => {
                        flags.resumed.store(true, Ordering::SeqCst);
                        Message::Tick
                    }
                    // crossterm polls edge-triggered and may withhold a size that came with a key. The drawing thread asks the
                    // terminal for the numbers.
                    SIGWINCH => Message::Resize(0, 0),
                    _ => Message::HangUp,
                };
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Ok(Signals { asked, handle })
    }
}

#[cfg(not(unix))]
impl Signals {
    /// Does nothing: this platform has no such signals.
    pub fn watch(_: Sender<Message>, _: Arc<AtomicBool>) -> std::io::Result<Signals> {
        Ok(Signals {
            asked: Arc::default(),
        })
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        #[cfg(unix)]
        self.handle.close();
    }
}

/// Stops the program like Ctrl-Z, and returns when it runs again.
#[cfg(unix)]
pub fn stop() -> std::io::Result<()> {
    signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)
}

/// Does nothing: this platform cannot stop a program.
#[cfg(not(unix))]
pub fn stop() -> std::io::Result<()> {
    Ok(())
}
