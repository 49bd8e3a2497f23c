//! Resource limits of a process that reads an untrusted file. The process sets them itself before it reads; they also
//! hold for a program that it becomes by `exec`.

/// Processor time for one file, in seconds: enough for a book of some thousand pages, and a bound for hostile files.
pub(super) const SECONDS: u64 = 8;

/// Stack of a built-in reader, in bytes. Only the part used costs memory.
pub(super) const STACK: usize = 256 << 20;

/// Memory of a reader process, in bytes.
pub(super) const MEMORY: u64 = 960 << 20;

/// Limits the memory and processor time of this process, which is about to read one file, and ends it when its parent
/// ends. A built-in reader gets the address space of its stack on top, most of which it never touches.
///
/// Limits that the system does not support are skipped: macOS does not enforce the memory limit.
pub fn confine(is_built_in: bool) {
    die_with_parent();
    let stack = if is_built_in { STACK as u64 } else { 0 };
    limit(SECONDS, MEMORY + stack);
}

/// Limits processor time (in seconds) and memory (in bytes) of this process.
#[cfg(unix)]
fn limit(seconds: u64, memory: u64) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    // The hard limit cannot be raised again; at the soft limit of processor time the system sends a signal, at the
    // hard one it kills.
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

/// Limits cannot be set on this system.
#[cfg(not(unix))]
fn limit(_: u64, _: u64) {}

/// Lets the system kill this process when its parent ends.
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
