//! Failing disks and clocks: a disk that fills up, a folder that is not writable, one that vanishes, a clock that is put back. If the system does not
//! allow a test to cause the fault, the test reports this and is skipped.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use endpaper_truth::Verdict;

use crate::review::sitting::{Desk, SIZE, is_surveyed, keep, quit, wait_for_book};
use crate::support::{ENDPAPER, Terminal, absent};

/// Whether an ordinary user may mount file systems in a namespace here.
fn may_mount() -> bool {
    let tried = Command::new("unshare")
        .args(["-rm", "sh", "-c", "mount -t tmpfs tmpfs /mnt"])
        .output();
    let may = tried.is_ok_and(|output| output.status.success());
    if !may {
        absent("a mount of one's own");
    }
    may
}

/// Starts a sitting in a separate namespace after running a shell command there.
fn sit_after(desk: &Desk, command: &str) -> Terminal {
    desk.survey();
    let words = desk.arguments(&[]).join(" ");
    let command = format!("{command} && exec {ENDPAPER} {words}");
    let arguments = ["-rm", "sh", "-c", &command];
    let terminal = desk.home.run("unshare", &arguments, SIZE, &[]);
    terminal.wait_for("a surveyed corpus", is_surveyed);
    terminal
}

/// Returns a path as the running program sees it.
fn seen_by(terminal: &Terminal, path: &Path) -> PathBuf {
    let root = PathBuf::from(format!("/proc/{}/root", terminal.process()));
    root.join(path.strip_prefix("/").expect("an absolute path"))
}

fn fill(file: &Path) {
    use std::io::Write as _;
    let mut file = fs::File::create(file).expect("room for a name");
    for size in [4096, 1] {
        while file.write_all(&vec![b'x'; size]).is_ok() {}
    }
}

#[test]
fn a_disk_that_fills_up_loses_nothing_and_what_waited_is_saved_when_there_is_room() {
    if !may_mount() {
        return;
    }
    let desk = Desk::with_books(4);
    let folder = desk.home.work().join("truth");
    fs::create_dir(&folder).expect("the truth folder");
    let terminal = sit_after(&desk, "mount -t tmpfs -o size=128k,mode=755 tmpfs truth");
    let inside = seen_by(&terminal, &folder);
    keep(&terminal, 1);
    wait_for_book(&terminal, 2, 4);
    fill(&inside.join("filler"));
    terminal.send("<Enter>");
    terminal.wait_for_text("No space left");
    // The book stays on screen; a second Enter continues, and the decision is kept in memory.
    wait_for_book(&terminal, 2, 4);
    terminal.send("<Enter>");
    wait_for_book(&terminal, 3, 4);
    terminal.wait_for_text("NOT SAVED");
    let read = |number: usize| {
        let file = inside.join(format!("book-{number}.txt.yaml"));
        let text = fs::read_to_string(file).ok()?;
        Some(endpaper_truth::yaml::read(&text).expect("a whole record"))
    };
    assert_eq!(
        read(1).map(|record| record.verdict),
        Some(Verdict::Confirmed)
    );
    assert_eq!(read(2), None);
    fs::remove_file(inside.join("filler")).expect("the filler goes");
    terminal.send("<C-s>");
    terminal.wait_for_text("saved book-2.txt (earlier attempts failed)");
    assert_eq!(
        read(2).map(|record| record.verdict),
        Some(Verdict::Confirmed)
    );
    let last = quit(&terminal);
    assert!(last.contains("decided 2"), "{last}");
}

#[test]
fn a_folder_that_cannot_be_written_is_named_and_stays_as_it_was() {
    if !may_mount() {
        return;
    }
    let desk = Desk::with_books(3);
    let before = desk.sit();
    keep(&before, 1);
    quit(&before);
    let bytes = fs::read(desk.truth("book-1.txt.yaml")).expect("a record");
    let mount = "mount --bind truth truth && mount -o remount,bind,ro truth";
    let terminal = sit_after(&desk, mount);
    wait_for_book(&terminal, 2, 3);
    terminal.send("<Enter>");
    terminal.wait_for_text("Read-only file system");
    wait_for_book(&terminal, 2, 3);
    terminal.send("q");
    terminal.wait_for_text("could not be saved");
    terminal.send("y");
    assert_eq!(terminal.exit_status().exit_code(), 1);
    assert_eq!(
        fs::read(desk.truth("book-1.txt.yaml")).expect("a record"),
        bytes
    );
    assert_eq!(desk.records().len(), 1);
    assert_eq!(desk.temporary_files(), 0);
}

#[test]
fn a_folder_that_vanishes_is_not_made_anew_and_gets_what_waited_when_it_is_back() {
    let desk = Desk::with_books(4);
    let terminal = desk.sit();
    keep(&terminal, 1);
    wait_for_book(&terminal, 2, 4);
    let (folder, away) = (
        desk.home.work().join("truth"),
        desk.home.work().join("away"),
    );
    fs::rename(&folder, &away).expect("the folder is moved away");
    terminal.send("<Enter>");
    terminal.wait_for_text("the truth folder is gone");
    wait_for_book(&terminal, 2, 4);
    assert!(!folder.exists(), "made again");
    fs::rename(&away, &folder).expect("the folder is back");
    terminal.send("<C-s>");
    terminal.wait_for_text("saved book-2.txt (earlier attempts failed)");
    desk.assert_confirmed(2);
    // An empty folder in its place, as left by an unmounted share, is not accepted either.
    fs::rename(&folder, &away).expect("the folder is moved away");
    fs::create_dir(&folder).expect("an empty place");
    terminal.send("<Right>");
    terminal.wait_for_text("the truth folder is gone");
    assert_eq!(fs::read_dir(&folder).expect("the place").count(), 0);
    fs::remove_dir(&folder).expect("it is empty");
    fs::rename(&away, &folder).expect("the folder is back");
    terminal.send("<Left>");
    wait_for_book(&terminal, 2, 4);
    terminal.send("<Right>");
    wait_for_book(&terminal, 3, 4);
    keep(&terminal, 3);
    quit(&terminal);
    (1..=3).for_each(|number| desk.assert_confirmed(number));
}

/// Builds a library that puts the clock back by an hour once a file exists. `None` without a compiler.
fn clock_that_goes_back(desk: &Desk, flag: &Path) -> Option<PathBuf> {
    let source = format!(
        "#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <time.h>\n#include <unistd.h>\n\
         int clock_gettime(clockid_t id, struct timespec *t) {{\n\
           static int (*real)(clockid_t, struct timespec *);\n\
           if (!real) real = dlsym(RTLD_NEXT, \"clock_gettime\");\n\
           int result = real(id, t);\n\
           if (id == CLOCK_REALTIME && access(\"{}\", F_OK) == 0) t->tv_sec -= 3600;\n\
           return result;\n}}\n",
        flag.display()
    );
    let source = desk.home.write("clock.c", source);
    let library = source.with_extension("so");
    let made = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .args([&library, &source])
        .arg("-ldl")
        .status();
    made.is_ok_and(|status| status.success()).then_some(library)
}

#[test]
fn a_clock_that_is_put_back_delays_no_draft_and_dates_reviews_as_the_system_does() {
    let desk = Desk::with_books(2);
    let flag = desk.home.work().join("back");
    let Some(library) = clock_that_goes_back(&desk, &flag) else {
        absent("a C compiler");
        return;
    };
    let preload = library.to_string_lossy().into_owned();
    let before = jiff::Timestamp::now();
    let terminal = desk.sit_with(&[], &[("LD_PRELOAD", &preload)]);
    terminal.send("J");
    terminal.wait_for_text("(moved +");
    // Less than a second later: the draft is due, but not saved yet.
    fs::write(&flag, "").expect("a file");
    terminal.wait_for_text("draft saved");
    assert_eq!(desk.verdict("book-1.txt"), Some(Verdict::Open));
    terminal.send("<Enter>");
    terminal.wait_for_text("saved book-1.txt: corrected");
    quit(&terminal);
    let record = desk.record("book-1.txt").expect("a record");
    let at: jiff::Timestamp = record.reviews[0].at.parse().expect("a time");
    assert!(at < before, "{at} is not an hour before {before}");
}

#[test]
fn a_record_behind_a_link_is_said_when_its_book_opens_not_when_it_is_decided() {
    let desk = Desk::with_books(2);
    desk.survey();
    let elsewhere = desk.home.work().join("elsewhere.yaml");
    fs::create_dir_all(desk.truth("")).unwrap();
    std::os::unix::fs::symlink(&elsewhere, desk.truth("book-1.txt.yaml")).unwrap();
    let terminal = desk.home.terminal(&desk.arguments(&[]), SIZE, &[]);
    terminal.wait_for_text("the record of 'book-1.txt' cannot be saved");
    quit(&terminal);
    assert!(!elsewhere.exists());
}
