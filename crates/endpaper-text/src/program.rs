//! Which file on disk is this program: it reads documents in a process of its own, and caches name the build that wrote them.

use std::path::PathBuf;
use std::sync::OnceLock;

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Names the program that came with this library, where another program (an interpreter) has loaded the library. Only the first
/// call counts.
pub fn set(program: PathBuf) {
    let _ = PROGRAM.set(program);
}

/// The file of the program: the one named by [`set`], else the running one; `None` if the system does not tell.
pub fn path() -> Option<PathBuf> {
    let named = PROGRAM.get().cloned();
    named.or_else(|| std::env::current_exe().ok())
}

/// Whether another program has loaded the library and named its own program.
pub fn is_named() -> bool {
    PROGRAM.get().is_some()
}
