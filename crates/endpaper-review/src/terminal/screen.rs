//! What the runtime needs of a terminal besides drawing: frames shown at once, stopping, the editor, and whether it is
//! still there. Tests drive the runtime with another one.

use std::io::{IsTerminal, Write, stdout};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};

use super::clipboard;
use super::editor;
use super::guard::TerminalGuard;
use super::input::InputReader;
use super::signals::{self, Signals};

/// A terminal as the runtime sees it.
pub trait TerminalHost {
    /// A frame begins: nothing is shown until it ends.
    fn begin_frame(&mut self);
    /// The frame is complete.
    fn end_frame(&mut self);
    /// Gives the terminal back, stops the program, and returns when it runs again.
    fn suspend(&mut self) -> std::io::Result<()>;
    /// Opens a file in the editor at a line, and returns when it is closed.
    fn edit(&mut self, file: &Path, line: u32) -> anyhow::Result<()>;
    /// Puts a text into the clipboard.
    fn copy(&mut self, text: &str) -> std::io::Result<()>;
    /// Takes the mouse, or leaves it to the terminal.
    fn mouse(&mut self, on: bool) -> std::io::Result<()>;
    /// The program was asked to stop from outside.
    fn take_stop_request(&mut self) -> bool;
    /// The program ran again after a stop: the terminal was set up anew and must be drawn anew.
    fn take_resumed(&mut self) -> bool;
    /// Nothing may be drawn any more.
    fn is_gone(&mut self) -> bool;
    /// Gives the terminal back for good.
    fn close(&mut self);
}

/// The real one.
pub struct RealTerminal {
    guard: TerminalGuard,
    keys: InputReader,
    signals: Signals,
    editor: Option<String>,
    gone: Arc<AtomicBool>,
}

impl RealTerminal {
    /// Takes over what was set up.
    pub fn new(
        guard: TerminalGuard,
        keys: InputReader,
        signals: Signals,
        editor: Option<String>,
        gone: Arc<AtomicBool>,
    ) -> RealTerminal {
        RealTerminal {
            guard,
            keys,
            signals,
            editor,
            gone,
        }
    }

    /// Does something while another program has the terminal.
    fn away<T>(&mut self, work: impl FnOnce(&RealTerminal) -> T) -> std::io::Result<T> {
        self.keys.hold();
        self.guard.leave();
        let result = work(self);
        let back = self.guard.again();
        self.keys.release();
        back.map(|()| result)
    }
}

impl TerminalHost for RealTerminal {
    fn begin_frame(&mut self) {
        // A terminal that does not know synchronised updates ignores them.
        let _ = execute!(stdout(), BeginSynchronizedUpdate);
    }

    fn end_frame(&mut self) {
        let _ = execute!(stdout(), EndSynchronizedUpdate);
    }

    fn suspend(&mut self) -> std::io::Result<()> {
        self.away(|_| signals::stop())?
    }

    fn edit(&mut self, file: &Path, line: u32) -> anyhow::Result<()> {
        self.away(|screen| editor::edit(screen.editor.as_deref(), file, line))?
    }

    fn copy(&mut self, text: &str) -> std::io::Result<()> {
        let mut out = stdout().lock();
        out.write_all(&clipboard::sequence(text, |name| std::env::var(name).ok()))?;
        out.flush()
    }

    fn mouse(&mut self, on: bool) -> std::io::Result<()> {
        self.guard.mouse(on)
    }

    fn take_stop_request(&mut self) -> bool {
        self.signals.asked.stop.swap(false, Ordering::SeqCst)
    }

    fn take_resumed(&mut self) -> bool {
        let again = self.signals.asked.resumed.swap(false, Ordering::SeqCst);
        if again {
            let _ = self.guard.again();
        }
        again
    }

    fn is_gone(&mut self) -> bool {
        // A terminal may go away without a signal, and reading it would never say so.
        if !self.gone.load(Ordering::SeqCst) && !stdout().is_terminal() {
            self.gone.store(true, Ordering::SeqCst);
        }
        let gone = self.gone.load(Ordering::SeqCst);
        if gone {
            self.guard.abandon();
        }
        gone
    }

    fn close(&mut self) {
        if !self.is_gone() {
            self.guard.leave();
        }
    }
}
