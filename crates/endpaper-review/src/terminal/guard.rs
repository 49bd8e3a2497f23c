//! Restores the terminal: raw mode, alternate screen, mouse, paste and cursor are reset however the program ends.
//!
//! Leaving is idempotent: dropping the guard, a panic of the drawing thread and suspension may all do so. A panic of any
//! other thread leaves the screen alone, since the drawing thread continues. Nothing is written to a terminal that is
//! gone.

use std::io::{self, Write, stdout};
use std::panic::{self, PanicHookInfo};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ThreadId};

use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::style::{self, Print};
use ratatui::crossterm::terminal::{
    EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};

use endpaper_text::panics::is_catching;

/// Rows run from left to right, also on terminals that reorder right-to-left text and would take the direction of a row from
/// its first letter: mode 2501 (saved and reset), then ECMA-48's select character path. Other terminals ignore both.
const ROWS_LEFT_TO_RIGHT: &str = "\x1b[?2501s\x1b[?2501l\x1b[1 k";
/// The direction of rows as it was before [`ROWS_LEFT_TO_RIGHT`].
const ROWS_AS_BEFORE: &str = "\x1b[ k\x1b[?2501r";

type PanicHook = Arc<dyn Fn(&PanicHookInfo<'_>) + Send + Sync>;

/// Keeps the terminal in review mode.
pub struct TerminalGuard {
    mouse: bool,
    is_in_review: Arc<AtomicBool>,
    before: PanicHook,
}

impl TerminalGuard {
    /// Enters review mode, and ensures that a panic of this thread leaves it.
    pub fn enter(mouse: bool) -> io::Result<TerminalGuard> {
        // Colours are decided elsewhere: crossterm's NO_COLOR handling breaks reverse video.
        style::force_color_output(true);
        let inside = Arc::new(AtomicBool::new(false));
        let before: PanicHook = Arc::from(panic::take_hook());
        let guard = TerminalGuard {
            mouse,
            is_in_review: inside,
            before,
        };
        guard.hook(thread::current().id());
        guard.again()?;
        Ok(guard)
    }

    /// Enters review mode again after [`TerminalGuard::leave`], or after a stop that left the terminal in an unknown state.
    pub fn again(&self) -> io::Result<()> {
        self.is_in_review.store(true, Ordering::SeqCst);
        enable_raw_mode()?;
        execute!(
            stdout(),
            EnterAlternateScreen,
            Print(ROWS_LEFT_TO_RIGHT),
            EnableBracketedPaste,
            Hide
        )?;
        if self.mouse {
            execute!(stdout(), EnableMouseCapture)?;
        }
        Ok(())
    }

    /// Captures the mouse or releases it; the setting survives suspension.
    pub fn mouse(&mut self, on: bool) -> io::Result<()> {
        self.mouse = on;
        match on {
            true => execute!(stdout(), EnableMouseCapture),
            false => execute!(stdout(), DisableMouseCapture),
        }
    }

    /// Restores the terminal; does nothing the second time.
    pub fn leave(&self) {
        leave(&self.is_in_review);
    }

    /// Stops writing to the terminal, because it is gone.
    pub fn abandon(&self) {
        self.is_in_review.store(false, Ordering::SeqCst);
    }

    /// Restores the terminal before a panic of the drawing thread is reported; keeps reports of other threads off the screen.
    fn hook(&self, drawing: ThreadId) {
        let (inside, before) = (self.is_in_review.clone(), self.before.clone());
        panic::set_hook(Box::new(move |info| {
            if is_catching() {
                return;
            }
            if thread::current().id() == drawing {
                leave(&inside);
                before(info);
            } else if !inside.load(Ordering::SeqCst) {
                before(info);
            }
        }));
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        self.leave();
        // A hook cannot be changed during a panic; the process ends then anyway.
        if !thread::panicking() {
            let before = self.before.clone();
            panic::set_hook(Box::new(move |info| before(info)));
        }
    }
}

/// Restores the terminal, unless this was done.
fn leave(inside: &AtomicBool) {
    if !inside.swap(false, Ordering::SeqCst) {
        return;
    }
    // Nothing can be done about a terminal that cannot be written to.
    let _ = execute!(
        stdout(),
        EndSynchronizedUpdate,
        DisableMouseCapture,
        DisableBracketedPaste,
        Print(ROWS_AS_BEFORE),
        LeaveAlternateScreen,
        Show
    );
    let _ = disable_raw_mode();
    let _ = stdout().flush();
}

/// The message of a panic.
pub fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "for an unknown reason".to_owned())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::io::Read;

    use portable_pty::{CommandBuilder, PtySize, native_pty_system};

    use super::*;

    /// Environment variable that tells the child process where to panic.
    const PANICS: &str = "ENDPAPER_TEST_PANICS";

    /// What a panicking process writes to its terminal. It needs a process because hooks and terminals are global.
    fn output(place: &str) -> String {
        let size = PtySize {
            rows: 24,
            cols: 80,
            ..PtySize::default()
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
        command.args([
            "--exact",
            "terminal::guard::tests::the_process_that_panics",
            "--nocapture",
        ]);
        command.env(PANICS, place);
        let mut child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut written = Vec::new();
        // Linux reports the end of a terminal as an error.
        let _ = pair
            .master
            .try_clone_reader()
            .unwrap()
            .read_to_end(&mut written);
        child.wait().unwrap();
        String::from_utf8_lossy(&written).into_owned()
    }

    #[test]
    fn the_process_that_panics() {
        let Ok(place) = std::env::var(PANICS) else {
            return;
        };
        let guard = TerminalGuard::enter(true).unwrap();
        if place == "elsewhere" {
            std::thread::spawn(|| panic!("of no harm"))
                .join()
                .unwrap_err();
            guard.leave();
            return;
        }
        panic!("the drawing thread fell");
    }

    #[test]
    fn a_panic_brings_the_terminal_back_before_it_is_reported() {
        let written = output("here");
        let report = written
            .find("the drawing thread fell")
            .expect("the report of the panic");
        for mode in ["?1049", "?2004", "?1000", "?1006"] {
            assert!(written.contains(&format!("\x1b[{mode}h")), "{mode}");
            let off = written
                .find(&format!("\x1b[{mode}l"))
                .expect("the mode is left");
            assert!(off < report, "{mode} is left after the report");
        }
        let [forced, restored] =
            [ROWS_LEFT_TO_RIGHT, ROWS_AS_BEFORE].map(|mode| written.find(mode));
        assert!(forced < restored && restored < Some(report));
        let shown = written.find("\x1b[?25h").expect("the cursor is shown");
        assert!(shown < report);
        // In raw mode a line feed would not return the cursor: the report is written with the terminal restored.
        assert!(written[report..].contains("\r\n"), "{written:?}");
        assert_eq!(written.matches("\x1b[?1049l").count(), 1, "left twice");
    }

    #[test]
    fn a_panic_of_another_thread_stays_off_the_screen() {
        let written = output("elsewhere");
        assert!(written.contains("\x1b[?1049l"));
        assert!(!written.contains("of no harm"), "{written:?}");
    }
}
