//! Running a reader as a separate program, with limits on its time and output.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::confine::{MEMORY, SECONDS};
use super::failure::{not_read, too_large};
use super::format::DocumentFormat;
use crate::corpus::unreadable::Unreadable;

/// A reader that takes longer is killed.
const TIMEOUT: Duration = Duration::from_secs(180);

/// Number of bytes kept of the program's stderr output.
const COMPLAINTS: u64 = 64 << 10;

/// Why a program gave no text.
#[derive(Debug)]
pub(super) enum ProgramFailure {
    /// It could not be started, or its output not read.
    Io(io::Error),
    /// It printed more than this many bytes.
    TooLarge(u64),
    TimedOut,
    /// It used up its processor time ([`SECONDS`]).
    CpuLimit,
    /// It failed.
    Ended {
        /// Its exit status; `None` if a signal ended it.
        status: Option<i32>,
        /// Its stderr output.
        stderr: String,
    },
}

impl ProgramFailure {
    /// Whether it exceeded its processor time or memory.
    pub fn hit_limit(&self) -> bool {
        match self {
            ProgramFailure::CpuLimit => true,
            ProgramFailure::Ended { stderr: said, .. } => is_out_of_memory(said),
            _ => false,
        }
    }

    /// The reason to report for a file of a format. Endpaper's reader writes its reason as the last line of stderr.
    pub fn reason(self, format: DocumentFormat) -> Unreadable {
        match self {
            ProgramFailure::Io(error) => Unreadable::Io(error.to_string()),
            ProgramFailure::TooLarge(limit) => too_large(limit),
            ProgramFailure::TimedOut => not_read(
                format,
                &format!("no end after {} seconds", TIMEOUT.as_secs()),
            ),
            ProgramFailure::CpuLimit => not_read(
                format,
                &format!("it takes more than {SECONDS} seconds of processor time"),
            ),
            ProgramFailure::Ended {
                stderr: ref said, ..
            } if is_out_of_memory(said) => not_read(
                format,
                &format!(
                    "it takes more than the limit of {} MiB of memory",
                    MEMORY >> 20
                ),
            ),
            ProgramFailure::Ended {
                status: Some(_),
                stderr: said,
            } if !said.trim().is_empty() => {
                // A panic message may come before the last line.
                let last = said.trim().lines().last().unwrap_or_default();
                Unreadable::Extraction(last.to_owned())
            }
            ProgramFailure::Ended { .. } => not_read(format, "its reader broke down"),
        }
    }
}

/// Whether stderr holds a message that Rust, C++ or poppler print when out of memory.
fn is_out_of_memory(said: &str) -> bool {
    ["memory allocation of", "bad_alloc", "Out of memory"]
        .iter()
        .any(|words| said.contains(words))
}

/// Whether the system killed a program that used up its processor time.
#[cfg(unix)]
fn is_out_of_time(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal() == Some(rustix::process::Signal::XCPU.as_raw())
}

/// Whether the program was killed because of its limit of processor time; unknown on this system.
#[cfg(not(unix))]
fn is_out_of_time(_: ExitStatus) -> bool {
    false
}

/// The output of a program, at most `limit` bytes.
pub(super) fn read(command: Command, limit: u64) -> Result<Vec<u8>, ProgramFailure> {
    read_within(command, limit, TIMEOUT)
}

/// Runs a program and returns what it prints, up to `limit` bytes; it is killed after `patience`.
fn read_within(
    mut command: Command,
    limit: u64,
    patience: Duration,
) -> Result<Vec<u8>, ProgramFailure> {
    command
        // Held open until the program ends; the reader exits if it closes (see `die_with_parent`).
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let start = Instant::now();
    let mut child = command.spawn().map_err(ProgramFailure::Io)?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let complaints = thread::spawn(move || {
        let mut said = Vec::new();
        if let Some(mut stderr) = stderr {
            let _ = stderr.by_ref().take(COMPLAINTS).read_to_end(&mut said);
            // A full pipe would block the program.
            let _ = io::copy(&mut stderr, &mut io::sink());
        }
        String::from_utf8_lossy(&said).into_owned()
    });
    let child = Arc::new(Mutex::new(child));
    let (done, wait) = channel::<()>();
    let watched = child.clone();
    let watchdog = thread::spawn(move || {
        let timed_out = wait.recv_timeout(patience) == Err(RecvTimeoutError::Timeout);
        if timed_out {
            kill(&watched);
        }
        timed_out
    });
    let mut text = Vec::new();
    let read = stdout.map_or(Ok(0), |stdout| {
        stdout.take(limit.saturating_add(1)).read_to_end(&mut text)
    });
    let is_too_large = text.len() as u64 > limit;
    if is_too_large || read.is_err() {
        kill(&child);
    }
    let status = wait_for_exit(&child, start, patience);
    drop(done);
    let timed_out = watchdog.join().unwrap_or(false);
    let said = complaints.join().unwrap_or_default();
    let status = status.map_err(ProgramFailure::Io)?;
    read.map_err(ProgramFailure::Io)?;
    if is_too_large {
        return Err(ProgramFailure::TooLarge(limit));
    }
    match status {
        Some(status) if status.success() => Ok(text),
        Some(_) | None if timed_out => Err(ProgramFailure::TimedOut),
        None => Err(ProgramFailure::TimedOut),
        Some(status) if is_out_of_time(status) => Err(ProgramFailure::CpuLimit),
        Some(status) => Err(ProgramFailure::Ended {
            status: status.code(),
            stderr: said,
        }),
    }
}

/// Kills the program, if it still runs.
fn kill(child: &Mutex<Child>) {
    let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = child.kill();
}

/// Waits for a program that closed its stdout, and kills it 5 seconds after its `patience` ran out.
fn wait_for_exit(
    child: &Mutex<Child>,
    start: Instant,
    patience: Duration,
) -> io::Result<Option<ExitStatus>> {
    loop {
        // The lock is not held while sleeping: the watchdog needs it.
        let status = child
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .try_wait()?;
        if status.is_some() {
            return Ok(status);
        }
        if start.elapsed() > patience + Duration::from_secs(5) {
            kill(child);
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(2));
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, limit: u64, patience: Duration) -> Result<Vec<u8>, ProgramFailure> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        read_within(command, limit, patience)
    }

    #[test]
    fn what_it_prints_is_the_text_however_much_it_complains() {
        let long = Duration::from_secs(60);
        let script = "printf 'a text'; head -c 300000 /dev/zero >&2";
        assert_eq!(shell(script, 100, long).unwrap(), b"a text");
    }

    #[test]
    fn it_may_neither_print_without_end_nor_take_forever() {
        let long = Duration::from_secs(60);
        let endless = shell("while :; do echo again; done", 1000, long);
        assert!(matches!(endless, Err(ProgramFailure::TooLarge(1000))));
        let silent = shell("exec sleep 1000", 1000, Duration::from_millis(50));
        assert!(matches!(silent, Err(ProgramFailure::TimedOut)));
    }

    #[test]
    fn its_last_words_are_the_reason() {
        let long = Duration::from_secs(60);
        let failed = shell("echo panicked >&2; echo 'is broken' >&2; exit 2", 9, long).unwrap_err();
        assert_eq!(
            failed.reason(DocumentFormat::Pdf),
            Unreadable::Extraction("is broken".to_owned())
        );
        let killed = shell("kill -9 $$", 9, long).unwrap_err();
        assert!(
            killed
                .reason(DocumentFormat::Epub)
                .to_string()
                .contains("broke down")
        );
        let missing = read(Command::new("/no/such/program"), 9).unwrap_err();
        assert!(matches!(
            missing.reason(DocumentFormat::Pdf),
            Unreadable::Io(_)
        ));
    }
}
