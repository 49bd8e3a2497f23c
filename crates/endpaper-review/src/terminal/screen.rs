//! What the runtime needs of a terminal besides drawing: atomic frames, suspension, the editor, and whether it still exists.
//! Tests use another implementation.

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

/// The runtime's interface to the terminal.
pub trait TerminalHost {
    /// Begins a frame: nothing is shown until it ends.
    fn begin_frame(&mut self);
    /// Ends a frame.
    fn end_frame(&mut self);
    /// Restores the terminal, stops the program, and returns when it runs again.
    fn suspend(&mut self) -> std::io::Result<()>;
    /// Opens a file in the editor at a line, and returns when the editor exits.
    fn edit(&mut self, file: &Path, line: u32) -> anyhow::Result<()>;
    /// Copies a text to the clipboard.
    fn copy(&mut self, text: &str) -> std::io::Result<()>;
    /// Captures the mouse, or releases it to the terminal.
    fn mouse(&mut self, on: bool) -> std::io::Result<()>;
    /// Whether the program was asked to stop from outside since the last call.
    fn take_stop_request(&mut self) -> bool;
    /// Whether the program was resumed since the last call: the terminal was set up again and must be redrawn.
    fn take_resumed(&mut self) -> bool;
    /// Whether the terminal is gone and must not be drawn on.
    fn is_gone(&mut self) -> bool;
    /// Restores the terminal at the end.
    fn close(&mut self);
}

/// The real terminal.
pub struct RealTerminal {
    guard: TerminalGuard,
    keys: InputReader,
    signals: Signals,
    editor: Option<String>,
    gone: Arc<AtomicBool>,
}

impl RealTerminal {
    /// Creates a terminal from its parts.
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

    /// Runs `work` while another program uses the terminal.
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
        // Terminals without synchronised updates ignore this.
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
        // A terminal may disappear without a signal, and reading it may never fail.
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
