//! Panics: caught ones are reported only to the catcher; others are printed in one line.
//!
//! Readers of strangers' files panic, and their reasons quote the files. What the standard library prints of a panic would bring
//! that to the terminal as it is.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    /// How many callers of this thread catch its panics.
    static CATCH_DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Whether panics of this thread are being caught, so that they are not printed.
pub fn is_catching() -> bool {
    CATCH_DEPTH.get() > 0
}

/// Does a job. A panic in it becomes its message, and nothing is printed; threads that the job starts are not in this.
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

/// Sees to it that other panics are handed to `say`, in one line, unless the developer asked for backtraces.
pub fn report_in_one_line(say: fn(&str)) {
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        panic::set_hook(Box::new(move |info| say(&panic_message(info))));
    }
    // The hook of those that are caught goes before it.
    let _ = catch_panic_message(|| ());
}

fn panic_message(info: &panic::PanicHookInfo<'_>) -> String {
    let place = info.location();
    let place = place.map_or_else(String::new, |place| format!(" in {place}"));
    let message = payload_text(info.payload());
    format!("endpaper itself failed{place} ({message}); please report this")
}

/// What a panic says of itself.
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
