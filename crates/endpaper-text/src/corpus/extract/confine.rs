//! Bounds of a process that reads a hostile format. It sets them itself before it reads: a system keeps them from then on,
//! also for the program that the process becomes.

/// Processor time for one file, in seconds: enough for a book of some thousand pages, and a hostile file that is padded gets no
/// more of it.
pub(super) const SECONDS: u64 = 8;

/// Stack of a built-in reader, in bytes: only what is used of it costs memory.
pub(super) const STACK: usize = 256 << 20;

/// Memory of a reader process, in bytes.
pub(super) const MEMORY: u64 = 960 << 20;

/// Bounds this process, which is about to read one file: memory, processor time, and its life by that of the process that
/// started it. A built-in reader gets the address space of its stack besides, which it hardly uses.
///
/// What a system does not know is left out: macOS keeps no bound of memory.
pub fn confine(is_built_in: bool) {
    die_with_parent();
    let stack = if is_built_in { STACK as u64 } else { 0 };
    limit(SECONDS, MEMORY + stack);
}

#[cfg(unix)]
fn limit(seconds: u64, memory: u64) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    // The second number is what the process may not raise; at it the system asks no more.
    let bounds = [
        (Resource::As, memory, memory),
        (Resource::Cpu, seconds, seconds + 5),
        (Resource::Core, 0, 0),
    ];
    for (resource, soft, hard) in bounds {
        let most = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        let _ = setrlimit(
            resource,
            Rlimit {
                current: Some(soft.min(most)),
                maximum: Some(hard.min(most)),
            },
        );
    }
}

#[cfg(not(unix))]
fn limit(_: u64, _: u64) {}

#[cfg(target_os = "linux")]
fn die_with_parent() {
    use rustix::process::{Signal, set_parent_process_death_signal};
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
}

/// Standard input is a pipe that the parent holds open: it ends when the parent does.
#[cfg(not(target_os = "linux"))]
fn die_with_parent() {
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        std::process::exit(1);
    });
}
