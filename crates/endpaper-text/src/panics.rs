//! Catching panics without printing them, and printing the others in one line.
//!
//! Readers of untrusted files may panic with messages that quote the files. The standard panic message would write
//! these to the terminal unescaped.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    /// Nesting depth of [`catch_panic_message`] on this thread.
    static CATCH_DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Whether panics of this thread are being caught and thus not printed.
pub fn is_catching() -> bool {
    CATCH_DEPTH.get() > 0
}

/// Runs a job. A panic becomes an error with its message and is not printed. Panics of threads that the job starts
/// are not caught.
pub fn catch_panic_message<T>(job: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !is_catching() {
                before(info);
            }
        }));
    });
    CATCH_DEPTH.set(CATCH_DEPTH.get() + 1);
    let done = catch_unwind(AssertUnwindSafe(job));
    CATCH_DEPTH.set(CATCH_DEPTH.get() - 1);
    done.map_err(|panic| payload_text(&*panic).to_owned())
}

/// Installs a hook that passes uncaught panics to `say` in one line, unless `RUST_BACKTRACE` is set.
pub fn report_in_one_line(say: fn(&str)) {
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        panic::set_hook(Box::new(move |info| say(&panic_message(info))));
    }
    // Installs the hook for caught panics in front of it.
    let _ = catch_panic_message(|| ());
}

/// The message of a panic in one line.
fn panic_message(info: &panic::PanicHookInfo<'_>) -> String {
    let place = info.location();
    let place = place.map_or_else(String::new, |place| format!(" in {place}"));
    let message = payload_text(info.payload());
    format!("internal error{place} ({message}); please report this")
}

/// The message of a panic.
pub(crate) fn payload_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panic_becomes_its_message() {
        assert_eq!(catch_panic_message(|| 7), Ok(7));
        let inner = catch_panic_message(|| catch_panic_message(|| -> u32 { panic!("line {}", 7) }));
        assert_eq!(inner, Ok(Err("line 7".to_owned())));
        assert!(!is_catching());
    }
}
