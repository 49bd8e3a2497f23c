//! Converts signals to messages: hang-up, termination, stop, continue and resize.
//!
//! Reading a terminal that is gone may never fail, so hang-up is detected by its signal. After a hang-up nothing is written
//! to the terminal; on termination the program saves, restores the terminal and ends.

#[cfg(not(unix))]
mod none;
#[cfg(unix)]
mod unix;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use crate::Message;
#[cfg(not(unix))]
pub use none::{NoSignals as SystemSignals, stop};
#[cfg(unix)]
pub use unix::{UnixSignals as SystemSignals, stop};

/// What a signal asks of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(unix), allow(dead_code, reason = "a system without signals"))]
pub enum Signal {
    /// The terminal is gone.
    HangUp,
    /// To save and end.
    End,
    /// To stop, as Ctrl-Z does.
    Stop,
    /// To go on after a stop.
    Continue,
    /// The terminal has another size.
    Resize,
}

/// Where signals come from: a system that has them, or a test.
pub trait SignalSource: Send + 'static {
    /// What ends the waiting.
    type Closer: SignalCloser;

    /// The next signal, waiting for it; `None` after the closer was used.
    fn next(&mut self) -> Option<Signal>;

    /// What ends the waiting.
    fn closer(&self) -> Self::Closer;
}

/// Ends the waiting for signals.
pub trait SignalCloser {
    /// Makes [`SignalSource::next`] return `None`.
    fn close(&self);
}

/// Signals that the drawing thread has not handled yet.
#[derive(Default)]
pub struct SignalState {
    /// The program must stop (`SIGTSTP` from outside).
    pub stop: AtomicBool,
    /// The program was resumed: the terminal may be in any state.
    pub resumed: AtomicBool,
}

/// The thread that receives signals. It ends when this is dropped.
pub struct Signals {
    /// Signals to handle.
    pub asked: Arc<SignalState>,
    closer: Box<dyn SignalCloser>,
}

impl Signals {
    /// Starts receiving signals. `gone` becomes true when the terminal is gone.
    pub fn watch<S: SignalSource>(
        mut source: S,
        sender: Sender<Message>,
        gone: Arc<AtomicBool>,
    ) -> Signals
    where
        S::Closer: 'static,
    {
        let asked = Arc::new(SignalState::default());
        let (flags, closer) = (asked.clone(), Box::new(source.closer()));
        std::thread::spawn(move || {
            while let Some(signal) = source.next() {
                let message = match signal {
                    Signal::HangUp => {
                        gone.store(true, Ordering::SeqCst);
                        Message::HangUp
                    }
                    Signal::End => Message::HangUp,
                    Signal::Stop => {
                        flags.stop.store(true, Ordering::SeqCst);
                        Message::Tick
                    }
                    Signal::Continue => {
                        flags.resumed.store(true, Ordering::SeqCst);
                        Message::Tick
                    }
                    // crossterm polls edge-triggered and may withhold a size that came with a key. The drawing thread asks the
                    // terminal for the numbers.
                    Signal::Resize => Message::Resize(0, 0),
                };
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Signals { asked, closer }
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.closer.close();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// Signals that a test sends.
    struct Sent(mpsc::Receiver<Signal>, mpsc::Sender<()>);

    struct Close(mpsc::Sender<()>);

    impl SignalCloser for Close {
        fn close(&self) {
            let _ = self.0.send(());
        }
    }

    impl SignalSource for Sent {
        type Closer = Close;

        fn next(&mut self) -> Option<Signal> {
            self.0.recv().ok()
        }

        fn closer(&self) -> Close {
            Close(self.1.clone())
        }
    }

    #[test]
    fn signals_become_messages_and_flags_on_every_system() {
        let table = [
            (Signal::HangUp, Message::HangUp, [true, false, false]),
            (Signal::End, Message::HangUp, [false, false, false]),
            (Signal::Stop, Message::Tick, [false, true, false]),
            (Signal::Continue, Message::Tick, [false, false, true]),
            (Signal::Resize, Message::Resize(0, 0), [false, false, false]),
        ];
        for (signal, expected, flags) in table {
            let (send, receiver) = mpsc::channel();
            let (close, closed) = mpsc::channel();
            let (sender, messages) = mpsc::channel();
            let gone = Arc::new(AtomicBool::new(false));
            let signals = Signals::watch(Sent(receiver, close), sender, gone.clone());
            send.send(signal).unwrap();
            let message = messages.recv().unwrap();
            assert_eq!(
                format!("{message:?}"),
                format!("{expected:?}"),
                "{signal:?}"
            );
            let of = |flag: &AtomicBool| flag.load(Ordering::SeqCst);
            let asked = signals.asked.clone();
            assert_eq!(
                [of(&gone), of(&asked.stop), of(&asked.resumed)],
                flags,
                "{signal:?}"
            );
            drop(signals);
            assert!(closed.recv().is_ok(), "{signal:?}");
        }
    }
}
