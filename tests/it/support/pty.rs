//! A program in a real pseudo-terminal, read through a terminal emulator.
//!
//! One thread feeds the program's output to the emulator; a second one waits for its end. Tests wait for a condition on the screen and are woken
//! by new output: nothing sleeps, and a slow machine only takes longer. This file does not depend on endpaper, so that the screenshot tool can
//! use it too.

use std::io::{Read, Write};
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

use super::keys;
use super::screen::ScreenSnapshot;

/// Time limit of a condition: generous, because only failures reach it.
pub const PATIENCE: Duration = Duration::from_secs(20);

pub struct TerminalSetup {
    pub command: CommandBuilder,
    /// Columns and rows.
    pub size: (u16, u16),
    /// Whether to answer terminal queries: cursor position, identity, background colour.
    pub answers: bool,
}

pub struct Terminal {
    shared: Arc<TerminalShared>,
    master: Option<Box<dyn MasterPty + Send>>,
    #[cfg(unix)]
    device: Option<std::path::PathBuf>,
    process: Option<u32>,
}

struct TerminalShared {
    state: Mutex<TerminalState>,
    // Locked separately from the state: a blocked write must not keep the reader from emptying the terminal.
    writer: Mutex<Option<Box<dyn Write + Send>>>,
    changed: Condvar,
}

struct TerminalState {
    parser: vt100::Parser<TerminalQueries>,
    raw: Vec<u8>,
    last_output: Instant,
    hanging_up: bool,
    reader_gone: bool,
    status: Option<ExitStatus>,
}

impl Terminal {
    pub fn spawn(setup: TerminalSetup) -> Terminal {
        let state = TerminalState::new(&setup);
        let pair = native_pty_system()
            .openpty(pty_size(setup.size))
            .expect("the system gives a pseudo-terminal");
        let mut child = (pair.slave.spawn_command(setup.command)).expect("the program starts");
        drop(pair.slave);
        let reader = pair.master.try_clone_reader().expect("a reading end");
        let shared = Arc::new(TerminalShared {
            state: Mutex::new(state),
            writer: Mutex::new(pair.master.take_writer().ok()),
            changed: Condvar::new(),
        });
        let terminal = Terminal {
            shared: Arc::clone(&shared),
            #[cfg(unix)]
            device: pair.master.tty_name(),
            master: Some(pair.master),
            process: child.process_id(),
        };
        let watched = Arc::clone(&shared);
        thread::spawn(move || watched.read_all(reader));
        thread::spawn(move || {
            let status = child.wait().ok();
            shared.change(|state| state.status = status);
        });
        terminal
    }

    /// Sends keys: text with names such as `<Enter>`, `<C-c>`, `<Tab>`.
    pub fn send(&self, keys: &str) {
        self.send_bytes(&keys::bytes(keys));
    }

    pub fn send_bytes(&self, bytes: &[u8]) {
        self.shared.write(bytes);
    }

    pub fn screen(&self) -> ScreenSnapshot {
        self.shared.lock().screen()
    }

    pub fn text(&self) -> String {
        self.screen().text()
    }

    /// Returns the styles on the screen; see [`ScreenSnapshot::style_plane`].
    pub fn style_plane(&self) -> String {
        self.screen().style_plane()
    }

    /// Returns everything the program has written, escape sequences included.
    pub fn raw(&self) -> Vec<u8> {
        self.shared.lock().raw.clone()
    }

    pub fn process(&self) -> u32 {
        self.process.expect("the program was started")
    }

    /// Waits until the screen fulfils a condition, and returns it.
    #[track_caller]
    pub fn wait_for(
        &self,
        what: &str,
        condition: impl Fn(&ScreenSnapshot) -> bool,
    ) -> ScreenSnapshot {
        self.wait_until(what, PATIENCE, |state| {
            let screen = state.screen();
            condition(&screen).then_some(screen)
        })
    }

    #[track_caller]
    pub fn wait_for_text(&self, text: &str) -> ScreenSnapshot {
        self.wait_for(&format!("'{text}'"), |screen| screen.contains(text))
    }

    #[track_caller]
    pub fn wait_until_gone(&self, text: &str) -> ScreenSnapshot {
        self.wait_for(&format!("no '{text}'"), |screen| !screen.contains(text))
    }

    /// Waits until nothing has been written for `quiet`: for screenshots, where no condition is known. In a test this would be a guess.
    pub fn wait_quiet(&self, quiet: Duration) -> ScreenSnapshot {
        let begun = Instant::now();
        let mut state = self.shared.lock();
        loop {
            let rest = quiet.saturating_sub(state.last_output.max(begun).elapsed());
            if rest.is_zero() || state.reader_gone {
                return state.screen();
            }
            state = self.shared.wait(state, rest);
        }
    }

    /// Waits for the end of the program and of its output.
    #[track_caller]
    pub fn exit_status(&self) -> ExitStatus {
        self.wait_until("the end of the program", PATIENCE, |state| {
            let status = state.status.clone();
            status.filter(|_| state.reader_gone)
        })
    }

    /// Resizes the terminal, as dragging a window does.
    pub fn resize(&self, columns: u16, rows: u16) {
        let mut state = self.shared.lock();
        let size = pty_size((columns, rows));
        let (rows, columns) = (cells(rows), cells(columns));
        state.parser.set_size(rows, columns);
        let master = self.master.as_ref().expect("the terminal is not hung up");
        master.resize(size).expect("the size changes");
    }

    /// Sends a signal by name (`KILL`, `TERM`, `TSTP`, …).
    pub fn kill(&self, signal: &str) {
        let process = self.process().to_string();
        let sent = Command::new("kill").args(["-s", signal, &process]).status();
        assert!(
            sent.is_ok_and(|status| status.success()),
            "kill -s {signal} {process}"
        );
    }

    /// Closes the terminal, as a broken ssh connection does: all our ends are closed, and the kernel sends SIGHUP.
    #[cfg(unix)]
    #[track_caller]
    pub fn hang_up(&mut self) {
        use rustix::fs::{Mode, OFlags, open};
        use rustix::termios::{OptionalActions, SpecialCodeIndex, tcgetattr, tcsetattr};

        let device = self.device.clone().expect("the terminal has a name");
        // Opening the other end must not make it the controlling terminal of the test.
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let other = open(&device, flags, Mode::empty()).expect("the terminal's other end opens");
        // The writer's destructor would type a newline and the end-of-file character; without the latter it is silent.
        let mut modes = tcgetattr(&other).expect("the modes of the terminal");
        modes.special_codes[SpecialCodeIndex::VEOF] = 0;
        tcsetattr(&other, OptionalActions::Now, &modes).expect("the modes of the terminal change");
        self.shared.lock().hanging_up = true;
        // One byte from the other end wakes the reading thread, which then closes its end.
        let mut other = std::fs::File::from(other);
        other.write_all(b" ").expect("a byte to wake the reader");
        drop(other);
        self.wait_until("the reader to let go", PATIENCE, |state| {
            state.reader_gone.then_some(())
        });
        *self
            .shared
            .writer
            .lock()
            .expect("no test failed while typing") = None;
        self.master = None;
    }

    #[track_caller]
    fn wait_until<T>(
        &self,
        what: &str,
        patience: Duration,
        ready: impl Fn(&TerminalState) -> Option<T>,
    ) -> T {
        let deadline = Instant::now() + patience;
        let mut state = self.shared.lock();
        loop {
            if let Some(result) = ready(&state) {
                return result;
            }
            let rest = deadline.saturating_duration_since(Instant::now());
            let over = state.status.is_some() && state.reader_gone;
            assert!(
                !rest.is_zero() && !over,
                "waited for {what}; the program {} and the screen is\n{}",
                state
                    .status
                    .as_ref()
                    .map_or("runs".to_owned(), |status| format!("has ended ({status})")),
                state.screen()
            );
            state = self.shared.wait(state, rest);
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if self.shared.lock().status.is_none() {
            self.kill("KILL");
        }
    }
}

impl TerminalShared {
    fn lock(&self) -> MutexGuard<'_, TerminalState> {
        // A panic elsewhere must not hide the failure that caused it.
        self.state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn wait<'a>(
        &self,
        state: MutexGuard<'a, TerminalState>,
        rest: Duration,
    ) -> MutexGuard<'a, TerminalState> {
        match self.changed.wait_timeout(state, rest) {
            Ok((state, _)) => state,
            Err(poisoned) => poisoned.into_inner().0,
        }
    }

    fn change(&self, change: impl FnOnce(&mut TerminalState)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    fn write(&self, bytes: &[u8]) {
        let mut writer = self.writer.lock().expect("no test failed while typing");
        if let Some(writer) = writer.as_mut() {
            // An ended program does not read: the test sees that on the screen or in the status.
            let _ = writer.write_all(bytes).and_then(|()| writer.flush());
        }
    }

    fn read_all(&self, mut reader: Box<dyn Read + Send>) {
        let mut buffer = [0; 65536];
        while let Ok(length @ 1..) = reader.read(&mut buffer) {
            if self.lock().hanging_up {
                break;
            }
            let mut replies = Vec::new();
            self.change(|state| replies = state.feed(&buffer[..length]));
            self.write(&replies);
        }
        drop(reader);
        self.change(|state| state.reader_gone = true);
    }
}

impl TerminalState {
    fn new(setup: &TerminalSetup) -> TerminalState {
        let (columns, rows) = setup.size;
        let queries = TerminalQueries {
            answers: setup.answers,
            replies: Vec::new(),
            whole: None,
        };
        TerminalState {
            parser: vt100::Parser::new_with_callbacks(cells(rows), cells(columns), 0, queries),
            raw: Vec::new(),
            last_output: Instant::now(),
            hanging_up: false,
            reader_gone: false,
            status: None,
        }
    }

    /// Processes the program's output and returns the terminal's replies.
    fn feed(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.raw.extend_from_slice(bytes);
        self.parser.process(bytes);
        self.last_output = Instant::now();
        std::mem::take(&mut self.parser.callbacks_mut().replies)
    }

    /// During a synchronised update, returns the last complete frame, as terminals do.
    fn screen(&self) -> ScreenSnapshot {
        let whole = self.parser.callbacks().whole.as_ref();
        ScreenSnapshot::new(whole.unwrap_or(self.parser.screen()).clone())
    }
}

/// Terminal queries of the program, and the replies.
struct TerminalQueries {
    answers: bool,
    replies: Vec<u8>,
    /// The screen to show during a synchronised update.
    whole: Option<vt100::Screen>,
}

impl TerminalQueries {
    fn reply(&mut self, text: &str) {
        if self.answers {
            self.replies.extend_from_slice(text.as_bytes());
        }
    }
}

impl vt100::Callbacks for TerminalQueries {
    fn unhandled_csi(
        &mut self,
        screen: &mut vt100::Screen,
        first: Option<u8>,
        _: Option<u8>,
        parameters: &[&[u16]],
        end: char,
    ) {
        let number = parameters.first().and_then(|list| list.first());
        match (first, end, number) {
            (None, 'n', Some(6)) => {
                let (row, column) = screen.cursor_position();
                self.reply(&format!("\x1b[{};{}R", row + 1, column + 1));
            }
            (None, 'n', Some(5)) => self.reply("\x1b[0n"),
            (None, 'c', _) => self.reply("\x1b[?62;22c"),
            (Some(b'?'), 'h', Some(2026)) => self.whole = Some(screen.clone()),
            (Some(b'?'), 'l', Some(2026)) => self.whole = None,
            _ => (),
        }
    }

    fn unhandled_osc(&mut self, _: &mut vt100::Screen, parameters: &[&[u8]]) {
        if parameters == [b"11".as_slice(), b"?".as_slice()] {
            self.reply("\x1b]11;rgb:0000/0000/0000\x1b\\");
        }
    }
}

fn pty_size((columns, rows): (u16, u16)) -> PtySize {
    PtySize {
        rows,
        cols: columns,
        pixel_width: 0,
        pixel_height: 0,
    }
}

/// The emulator has no empty screen; the program gets the requested size.
fn cells(count: u16) -> std::num::NonZeroU16 {
    std::num::NonZeroU16::new(count).unwrap_or(std::num::NonZeroU16::MIN)
}
