//! Crash points: the n-th system call that changes files fails, or the program is killed there, for every n, as SQLite tests its
//! writes. Each file is then as before or as after, and the next run makes all of them as after.
//!
//! `strace` makes the calls fail, in the program as it ships. It counts the calls of one kind of each thread; the first thread that
//! has made n of them is meant. With `ENDPAPER_LONG` every n is tried, else some of each operation.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::support::{ENDPAPER, Home, absent, fine, small_book, stderr};

/// The calls that change files.
const CALLS: &str = "write,pwrite64,writev,fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,\
     ftruncate,fchmod,copy_file_range,sendfile";

/// The n-th call of a kind.
pub type CrashPoint = (String, usize);

/// Crash points of one operation and fault in the short form.
const SOME: usize = 5;

/// What happens at a call.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    Kill,
    Fail(&'static str),
}

pub const FAULTS: [Fault; 3] = [Fault::Kill, Fault::Fail("ENOSPC"), Fault::Fail("EIO")];

impl Fault {
    pub fn injection(self) -> String {
        match self {
            Fault::Kill => "signal=SIGKILL".to_owned(),
            Fault::Fail(error) => format!("error={error}"),
        }
    }
}

/// A command that changes files.
struct Operation {
    name: &'static str,
    /// Commands that are run beforehand, without faults.
    before: &'static [&'static str],
    command: &'static str,
    /// Files and folders that are as before or as after, below the working folder.
    watched: &'static [&'static str],
    /// A command whose output is the same after the operation, however often that was interrupted.
    seen_by: &'static str,
}

const OPERATIONS: [Operation; 7] = [
    Operation {
        name: "import",
        before: &[
            "truth import labels.tsv books --truth first --curator ms",
            "truth export --truth first --out labels.yaml",
        ],
        command: "truth import labels.yaml --truth truth",
        watched: &["truth"],
        seen_by: "truth status --truth truth",
    },
    Operation {
        name: "merge",
        before: &[
            "truth import labels.tsv books --truth anna --curator anna",
            "truth import labels.tsv books --truth ben --curator ben",
        ],
        command: "truth merge --truth anna --truth ben --out both",
        watched: &["anna", "ben", "both"],
        seen_by: "truth status --truth both",
    },
    Operation {
        name: "strip",
        before: &[],
        command: "strip books --out bodies --threads 1",
        watched: &["books"],
        seen_by: "detect bodies --format tsv --no-cache",
    },
    Operation {
        name: "shard",
        before: &[],
        command: "strip books --out bodies.jsonl --force --threads 1",
        watched: &["books", "bodies.jsonl"],
        seen_by: "detect books --format tsv",
    },
    Operation {
        name: "index",
        before: &[],
        command: "search --index-only books --index index --threads 1",
        watched: &["books"],
        seen_by: "search licence books --in preamble,body --index index --format tsv",
    },
    Operation {
        name: "cache",
        before: &[],
        command: "detect books --threads 1",
        watched: &["books"],
        seen_by: "detect books --format tsv",
    },
    Operation {
        name: "model",
        before: &[],
        command: "model build books --out new.model --force --threads 1",
        watched: &["books", "new.model"],
        seen_by: "model info new.model",
    },
];

/// A home where an operation may be tried.
fn prepared(operation: &Operation) -> Home {
    let home = Home::new();
    let mut labels = "book\tpreamble_end\tepilogue_start\n".to_owned();
    for number in 1..=4 {
        home.write(format!("books/{number}.txt"), small_book(number));
        labels += &format!("{number}.txt\t13\t52\n");
    }
    home.write("labels.tsv", labels);
    for command in operation.before {
        run(&home, command);
    }
    home
}

/// A home with the same working folder.
fn copy_of(template: &Home) -> Home {
    let home = Home::new();
    for (path, bytes) in state(template, &[""]) {
        home.write(path, bytes);
    }
    home
}

/// Runs a command to its end.
#[track_caller]
fn run(home: &Home, command: &str) -> String {
    let words: Vec<&str> = command.split(' ').collect();
    let output = home.endpaper(&words).output().unwrap();
    fine(&output)
}

/// Runs a command with a fault. Returns whether it came to that.
fn run_with_fault(home: &Home, command: &str, fault: Fault, point: &CrashPoint) -> (Output, bool) {
    let log = home.work().join("calls.log");
    let mut words = injected(fault, point, &log);
    words.push(ENDPAPER.to_owned());
    words.extend(command.split(' ').map(str::to_owned));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let output = home.program("strace", &words).output().unwrap();
    let hit = was_hit(&log);
    fs::remove_file(&log).unwrap();
    (output, hit)
}

/// The arguments of `strace` for a fault.
pub fn injected(fault: Fault, (call, at): &CrashPoint, log: &Path) -> Vec<String> {
    let mut words = traced(call, log);
    words.push("-e".to_owned());
    words.push(format!("inject={call}:{}:when={at}", fault.injection()));
    words
}

/// The arguments of `strace` for a list of these calls in a file.
pub fn traced(calls: &str, log: &Path) -> Vec<String> {
    let log = log.to_string_lossy().into_owned();
    let trace = format!("trace={calls}");
    ["-f", "-qq", "-o", &log, "-e", &trace]
        .map(str::to_owned)
        .to_vec()
}

/// Whether a run came to its fault.
pub fn was_hit(log: &Path) -> bool {
    let calls = fs::read_to_string(log).unwrap_or_default();
    calls.contains("INJECTED") || calls.contains("killed by SIGKILL")
}

/// The calls in a list: of each kind, as many as the thread has made that made most.
pub fn points_in(log: &Path) -> Vec<CrashPoint> {
    let mut threads: BTreeMap<(String, String), usize> = BTreeMap::new();
    for line in fs::read_to_string(log).unwrap().lines() {
        let (thread, call) = line.split_once(' ').unwrap_or_default();
        // The rest of a call that another thread interrupted begins with dots.
        if let Some((kind, _)) = call.trim_start().split_once('(')
            && !kind.contains('<')
        {
            *threads
                .entry((kind.to_owned(), thread.to_owned()))
                .or_default() += 1;
        }
    }
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for ((kind, _), calls) in threads {
        let most = kinds.entry(kind).or_default();
        *most = calls.max(*most);
    }
    let each = kinds.into_iter();
    each.flat_map(|(kind, calls)| (1..=calls).map(move |at| (kind.clone(), at)))
        .collect()
}

/// The calls of a command, which runs.
fn points_of(home: &Home, command: &str) -> Vec<CrashPoint> {
    let log = home.work().join("calls.log");
    let mut words = traced(CALLS, &log);
    words.push(ENDPAPER.to_owned());
    words.extend(command.split(' ').map(str::to_owned));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    fine(&home.program("strace", &words).output().unwrap());
    let points = points_in(&log);
    fs::remove_file(&log).unwrap();
    points
}

/// The bytes of all files below these paths, but for those of a run that is not over, whose names begin with a dot.
fn state(home: &Home, watched: &[&str]) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for path in watched {
        collect(&home.work(), Path::new(path), &mut files);
    }
    files
}

fn collect(root: &Path, path: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    let full = root.join(path);
    if let Ok(entries) = fs::read_dir(&full) {
        for entry in entries {
            let name = entry.unwrap().file_name();
            if !name.to_string_lossy().starts_with('.') {
                collect(root, &path.join(name), files);
            }
        }
    } else if let Ok(bytes) = fs::read(&full) {
        files.insert(path.to_owned(), bytes);
    }
}

/// Names of temporary files below the working folder.
fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(leftovers(&path));
        } else if path.extension().is_some_and(|end| end == "tmp") {
            found.push(path);
        }
    }
    found
}

/// The points at which a fault is tried: all, or some from the first to the last.
pub fn chosen(points: &[CrashPoint]) -> Vec<&CrashPoint> {
    if std::env::var_os("ENDPAPER_LONG").is_some() || points.len() <= SOME {
        return points.iter().collect();
    }
    let last = points.len() - 1;
    (0..SOME)
        .map(|place| &points[place * last / (SOME - 1)])
        .collect()
}

/// Tries an operation at every point.
fn try_everywhere(name: &str) {
    if !may_trace() {
        return;
    }
    let operation = OPERATIONS
        .iter()
        .find(|operation| operation.name == name)
        .unwrap();
    let template = prepared(operation);
    let home = copy_of(&template);
    let points = points_of(&home, operation.command);
    let after = state(&home, operation.watched);
    let seen = run(&home, operation.seen_by);
    assert!(points.len() > 2, "{name}: {points:?}");
    let mut tried = 0;
    for fault in FAULTS {
        for point in chosen(&points) {
            let home = copy_of(&template);
            let old = state(&home, operation.watched);
            let (output, hit) = run_with_fault(&home, operation.command, fault, point);
            let context = format!("{name}: {fault:?} at {point:?}\n{}", stderr(&output));
            if !hit {
                continue;
            }
            tried += 1;
            for (path, bytes) in state(&home, operation.watched) {
                let is = |other: &BTreeMap<PathBuf, Vec<u8>>| other.get(&path) == Some(&bytes);
                assert!(
                    is(&old) || is(&after),
                    "{path:?} is neither old nor new: {context}"
                );
            }
            assert!(
                old.keys().all(|path| home.work().join(path).exists()),
                "a file is lost: {context}"
            );
            if matches!(fault, Fault::Fail(_)) {
                assert!(
                    output.status.code().is_some_and(|code| code != 101),
                    "{context}"
                );
            }
            let again = run_again(&home, operation.command);
            assert!(
                again.status.code() == Some(0),
                "{context}\nagain: {}",
                stderr(&again)
            );
            assert_eq!(run(&home, operation.seen_by), seen, "{context}");
            let left = leftovers(&home.work());
            assert!(left.is_empty(), "{left:?}: {context}");
        }
    }
    println!("{name}: {tried} faults at {} calls", points.len());
}

fn run_again(home: &Home, command: &str) -> Output {
    let words: Vec<&str> = command.split(' ').collect();
    home.endpaper(&words).output().unwrap()
}

/// Whether the system lets a test trace a program.
pub fn may_trace() -> bool {
    let tried = std::process::Command::new("strace")
        .args(["-qq", "-e", "inject=fsync:error=EIO", "true"])
        .output();
    let may = tried.is_ok_and(|output| output.status.success());
    if !may {
        absent("strace");
    }
    may
}

#[test]
fn import_leaves_the_old_or_the_new_state_at_every_call() {
    try_everywhere("import");
}

#[test]
fn merge_leaves_the_old_or_the_new_state_at_every_call() {
    try_everywhere("merge");
}

#[test]
fn strip_leaves_the_old_or_the_new_state_at_every_call() {
    try_everywhere("strip");
}

#[test]
fn shards_leave_the_old_or_the_new_state_at_every_call() {
    try_everywhere("shard");
}

#[test]
fn index_is_complete_after_a_crash_at_any_call() {
    try_everywhere("index");
}

#[test]
fn cache_is_never_believed_after_a_crash_at_any_call() {
    try_everywhere("cache");
}

#[test]
fn model_is_the_old_or_the_new_one_at_every_call() {
    try_everywhere("model");
}
