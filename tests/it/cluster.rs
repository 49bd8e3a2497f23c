//! `cluster/spark.py` on a cluster of two local executors, compared with one run without a cluster.
//!
//! Needs Java and a python3 with PySpark: the one in `PYSPARK_PYTHON`, as for Spark itself, else the first on the path. The books are the real
//! ones of `ENDPAPER_CORPUS`, or synthetic ones. If `ENDPAPER_LONG` is set, an executor of a cluster is killed during counting; otherwise
//! counting runs on two threads.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::world::World;
use crate::support::{ENDPAPER, absent, small_book};

/// Returns a python3 with PySpark if Java exists too; otherwise reports what is missing.
fn python() -> Option<String> {
    let python = std::env::var("PYSPARK_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let works = |mut command: Command| {
        let command = command.stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let mut import = Command::new(&python);
    import.args(["-c", "import pyspark"]);
    let mut java = Command::new("java");
    java.arg("-version");
    for (command, name) in [(import, "PySpark"), (java, "Java")] {
        if !works(command) {
            absent(name);
            return None;
        }
    }
    let mut java = Command::new("java");
    let told = java.arg("-version").output().unwrap().stderr;
    let told = String::from_utf8_lossy(&told).into_owned();
    let version = told
        .split(['"', '.'])
        .nth(1)
        .and_then(|version| version.parse::<u32>().ok());
    if version.is_none_or(|version| version < 17) {
        println!(
            "skipped: PySpark needs Java 17, and this is {told}; nothing was run on a cluster"
        );
        return None;
    }
    Some(python)
}

/// The real books, or a folder of synthetic ones, with their number.
fn books(world: &World) -> (PathBuf, usize) {
    let folder = std::env::var_os("ENDPAPER_CORPUS").map(|folder| Path::new(&folder).join("books"));
    if let Some(folder) = folder
        && let (Ok(books), Ok(entries)) = (folder.canonicalize(), fs::read_dir(folder))
    {
        return (books, entries.count());
    }
    (world.path("books"), 120)
}

/// Synthetic books, a folder of ignored files, and programs that replace endpaper on an executor.
fn world() -> World {
    let world = World::of((0..120).map(|number| {
        let name = format!("books/{}/{number:03}.txt", number % 4);
        (name, small_book(number))
    }));
    let script = |name: &str, text: &str| {
        fs::write(
            world.path(name),
            format!("#!/bin/sh\n{text}\nexec '{ENDPAPER}' \"$@\"\n"),
        )
        .unwrap();
        fs::set_permissions(world.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    };
    // Slow enough to be killed in the middle.
    script("slow", "sleep 0.4");
    // Reports another version on some calls.
    script(
        "mixed",
        "if [ \"$1\" = --version ] && ! mkdir \"$(dirname \"$0\")/asked\" 2>/dev/null; then echo 'endpaper 9.9.9'; exit; fi",
    );
    // Fails on the shard with book 005 while a file exists.
    script(
        "failing",
        "if [ \"$1\" != --version ]; then cat > /tmp/paths.$$; if grep -q 005 /tmp/paths.$$ && [ -e \"$(dirname \"$0\")/fails\" ]; then\n\
         rm /tmp/paths.$$; echo 'disk on fire' >&2; exit 2; fi; exec < /tmp/paths.$$; rm /tmp/paths.$$; fi",
    );
    world
}

/// Two executors of one core and 1 GiB.
const CLUSTER: &str = "local-cluster[2,1,1024]";
/// Two threads: for tests that do not depend on executors; starts faster.
const THREADS: &str = "local[2]";

fn spark(world: &World, python: &str, master: &str, arguments: &[&str]) -> Child {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("cluster/spark.py");
    let log = File::create(world.path("log")).unwrap();
    let mut command = Command::new(python);
    command
        .arg(script)
        .args(arguments)
        .current_dir(world.path(""))
        .env("PYSPARK_PYTHON", python)
        .env(
            "PYSPARK_SUBMIT_ARGS",
            format!("--master {master} --conf spark.ui.enabled=false --conf spark.sql.shuffle.partitions=4 pyspark-shell"),
        )
        .env("SPARK_LOCAL_IP", "127.0.0.1")
        .env("XDG_CACHE_HOME", world.path("cache"))
        .env("XDG_CONFIG_HOME", world.path("config"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log);
    command.spawn().unwrap()
}

fn said(world: &World) -> String {
    let log = String::from_utf8_lossy(&world.bytes("log")).into_owned();
    log.lines()
        .filter(|line| line.starts_with("spark.py: "))
        .map(|line| format!("{line}\n"))
        .collect()
}

fn run(world: &World, python: &str, master: &str, arguments: &[&str], code: i32) -> String {
    let status: ExitStatus = spark(world, python, master, arguments).wait().unwrap();
    let said = said(world);
    assert_eq!(
        status.code(),
        Some(code),
        "{arguments:?}: {said}\n{}",
        String::from_utf8_lossy(&world.bytes("log"))
    );
    said
}

/// Asserts that the output contains all parts.
fn names(said: &str, parts: &[&str]) {
    for part in parts {
        assert!(said.contains(part), "{part}: {said}");
    }
}

fn finished(out: &Path) -> usize {
    let receipts = fs::read_dir(out.join("shards"))
        .into_iter()
        .flatten()
        .flatten();
    receipts
        .filter(|entry| entry.path().extension().is_some_and(|end| end == "json"))
        .count()
}

/// The executors among the descendants of a process.
fn executors(of: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut waiting = vec![of];
    while let Some(process) = waiting.pop() {
        let commands = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        if commands
            .windows(29)
            .any(|words| words == b"CoarseGrainedExecutorBackend\0")
        {
            found.push(process);
        }
        let threads = fs::read_dir(format!("/proc/{process}/task"))
            .into_iter()
            .flatten()
            .flatten();
        for thread in threads {
            let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            waiting.extend(
                children
                    .split_whitespace()
                    .filter_map(|child| child.parse::<u32>().ok()),
            );
        }
    }
    found
}

/// Asserts that the imported rows equal the model made on one machine, entry by entry.
fn is_the_model(world: &World, out: &str, books: &str) {
    let top = |model: &str| world.stdout(&format!("model info {model} --top 20"));
    world.run(&format!(
        "model import {out}/rows -q --part --force --out cluster.part"
    ));
    world.run("model merge cluster.part -q --min-count 1 --texts 0 --force --out cluster.model");
    world.run(&format!(
        "model build {books} -q --no-cache --min-count 1 --texts 0 --force --out one.model"
    ));
    assert!(world.bytes("cluster.model") == world.bytes("one.model"));
    // Texts come from other books of the corpus, and are the same lines.
    world.run("model merge cluster.part -q --force --out cluster-texts.model");
    world.run(&format!(
        "model build {books} -q --no-cache --force --out one-texts.model"
    ));
    assert_eq!(top("cluster-texts.model"), top("one-texts.model"));
    assert!(!top("cluster-texts.model").contains("[key "));
}

/// Runs the script, kills an executor in the middle and expects success.
fn count_with_a_killed_executor(world: &World, python: &str, arguments: &[&str]) {
    let mut child = spark(world, python, CLUSTER, arguments);
    let killed = loop {
        thread::sleep(Duration::from_millis(20));
        let over = child.try_wait().unwrap();
        assert!(
            over.is_none(),
            "{over:?}: {}",
            String::from_utf8_lossy(&world.bytes("log"))
        );
        if finished(&world.path("out")) >= 3 {
            let executor = executors(child.id())[0];
            let status = Command::new("kill")
                .args(["-9", &executor.to_string()])
                .status()
                .unwrap();
            assert!(status.success());
            break finished(&world.path("out"));
        }
    };
    let status = child.wait().unwrap();
    let log = String::from_utf8_lossy(&world.bytes("log")).into_owned();
    assert!(status.success(), "{status}: {log}");
    assert!(
        killed < 10,
        "{killed} shards were finished before an executor was killed"
    );
    assert!(String::from_utf8_lossy(&world.bytes("log")).contains("Lost executor"));
}

#[test]
fn a_cluster_counts_and_detects_what_one_machine_does() {
    let Some(python) = python() else { return };
    let world = world();
    let (folder, number) = books(&world);
    let books = folder.to_str().unwrap();
    let size = number.div_ceil(12).to_string();
    let slow = world.path("slow");
    let slow = slow.to_str().unwrap();

    let arguments = |binary| {
        [
            "count",
            books,
            "--out",
            "out",
            "--shard-size",
            &size,
            "--binary",
            binary,
        ]
    };
    let master = match std::env::var_os("ENDPAPER_LONG") {
        Some(_) => {
            count_with_a_killed_executor(&world, &python, &arguments(slow));
            CLUSTER
        }
        None => {
            run(&world, &python, THREADS, &arguments(ENDPAPER), 0);
            THREADS
        }
    };
    assert_eq!(finished(&world.path("out")), 12);
    is_the_model(&world, "out", books);

    let arguments = [
        "detect",
        books,
        "--out",
        "out",
        "--shard-size",
        &size,
        "--model",
        "one.model",
        "--profile",
        "generic",
        "--ship",
        ENDPAPER,
    ];
    run(&world, &python, master, &arguments, 0);
    let tsv = world.stdout(&format!(
        "detect {books} --model one.model --profile generic --no-opinions --format tsv -q --no-cache"
    ));
    assert_eq!(world.text("out/detected.tsv"), tsv);
    assert_eq!(tsv.lines().count(), number + 1);
    let left = fs::read_dir(world.path("out/shards")).unwrap().flatten();
    let left: Vec<_> = left
        .filter(|entry| entry.file_name().as_encoded_bytes()[0] == b'.')
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn what_does_not_fit_together_is_named_and_never_summed() {
    let Some(python) = python() else { return };
    let world = world();
    fs::write(world.path("books/1/009.txt"), "").unwrap();
    fs::write(world.path("fails"), "").unwrap();
    let path = |name: &str| world.path(name).to_str().unwrap().to_owned();

    let missing = [
        "count",
        "books",
        "--out",
        "a",
        "--shard-size",
        "60",
        "--binary",
        "no-such-endpaper",
    ];
    let said = run(&world, &python, THREADS, &missing, 2);
    names(
        &said,
        &[
            "shard 0 ('0/000.txt' to ",
            "60 paths",
            "there is no program 'no-such-endpaper'",
            "2 of 2 shards failed",
        ],
    );
    assert!(!world.path("a/rows").exists());

    let mixed = [
        "count",
        "books",
        "--out",
        "b",
        "--shard-size",
        "30",
        "--binary",
        &path("mixed"),
    ];
    let said = run(&world, &python, THREADS, &mixed, 2);
    let version = concat!("endpaper ", env!("CARGO_PKG_VERSION"), " (");
    names(
        &said,
        &[
            version,
            "did 1 shards",
            "endpaper 9.9.9 (",
            "did 3 shards",
            "two versions of the program",
        ],
    );
    assert!(!world.path("b/rows").exists());

    // One shard always fails; the others are kept, and only that one is redone when the cause is gone.
    let failing = [
        "count",
        "books",
        "--out",
        "c",
        "--shard-size",
        "20",
        "--min-count",
        "2",
        "--binary",
        &path("failing"),
    ];
    let said = run(&world, &python, THREADS, &failing, 2);
    names(
        &said,
        &[
            "shard 1 ('0/080.txt' to '1/037.txt', 20 paths) failed",
            "disk on fire",
            "1 of 6 shards failed",
        ],
    );
    assert!(!world.path("c/rows").exists());
    fs::remove_file(world.path("fails")).unwrap();
    let said = run(&world, &python, THREADS, &failing, 1);
    names(
        &said,
        &[
            "6 shards, 5 of them finished before",
            "skipped '1/009.txt': is empty",
            "makes a model of them",
        ],
    );
    let import = world
        .command("model import c/rows --texts 0 -q --force --out cluster.model")
        .output()
        .unwrap();
    assert_eq!(import.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&import.stderr).contains("'1/009.txt': is empty"));
    world
        .command("model build books --texts 0 -q --no-cache --out one.model")
        .assert()
        .code(1);
    assert!(world.bytes("cluster.model") == world.bytes("one.model"));

    // An unreadable shard is not a failure, changed books are read again, and the executors' settings have no effect.
    fs::write(
        world.path("list"),
        "books/0/000.txt\nbooks/1/009.txt\nbooks/0/000.txt\nbooks/2/002.txt\n",
    )
    .unwrap();
    fs::create_dir_all(world.path("config/endpaper")).unwrap();
    fs::write(world.path("config/endpaper/config.toml"), "policy = 7").unwrap();
    let detect = "detect --files-from list --model one.model --profile generic --no-opinions --format tsv -q --no-cache";
    let few = [
        "detect",
        "--files-from",
        "list",
        "--out",
        "d",
        "--shard-size",
        "1",
        "--model",
        "one.model",
        "--profile",
        "generic",
        "--binary",
        ENDPAPER,
    ];
    let said = run(&world, &python, THREADS, &few, 1);
    names(
        &said,
        &[
            "3 shards, 0 of them finished before",
            "'books/1/009.txt' is empty",
        ],
    );
    let expected = world.command(detect).output().unwrap().stdout;
    assert!(world.bytes("d/detected.tsv") == expected);
    fs::write(world.path("books/1/009.txt"), small_book(9)).unwrap();
    let said = run(&world, &python, THREADS, &few, 0);
    assert!(
        said.contains("3 shards, 2 of them finished before"),
        "{said}"
    );
    assert_eq!(world.text("d/detected.tsv"), world.stdout(detect));

    // Reported before Spark starts.
    fs::create_dir_all(world.path("e/rows")).unwrap();
    fs::write(world.path("e/rows/precious.txt"), "").unwrap();
    let refused = [
        (
            &["count", "books", "--out", "books/run"][..],
            "the next run would count its files as books",
        ),
        (
            &["count", "books", "--out", "x*"],
            "Spark reads as a pattern",
        ),
        (
            &["count", "books", "--out", "e"],
            "'precious.txt', which is not of an earlier run",
        ),
        (
            &["count", "books", "--out", "f", "--", "--rows"],
            "leave it out after --",
        ),
        (
            &["count", "nowhere", "--out", "f"],
            "'nowhere' is not a folder",
        ),
        (
            &["count", "books", "--out", "f", "--ship", "nowhere"],
            "'nowhere' is not a file",
        ),
        (
            &["count", "--out", "f"],
            "CORPUS, a folder, or --files-from",
        ),
    ];
    for (arguments, part) in refused {
        let status = spark(&world, &python, THREADS, arguments).wait().unwrap();
        let log = String::from_utf8_lossy(&world.bytes("log")).into_owned();
        assert_eq!(status.code(), Some(2), "{log}");
        assert!(log.contains(part), "{part}: {log}");
    }
}

/// The part of PySpark that `detect` uses: one task after the other in the driver.
const STAND_IN: &str = r#"
class SparkFiles:
    files = {}
    get = files.__getitem__

class TaskContext:
    get = classmethod(lambda cls: cls())
    attemptNumber = lambda self: 0
    cpus = lambda self: 1

class Shards(list):
    map = lambda self, run: Shards(run(shard) for shard in self)
    collect = list

class Session:
    master = "local"
    sparkContext = builder = property(lambda self: self)
    appName = lambda self, name: self
    getOrCreate = getConf = lambda self: self
    get = lambda self, name, usual: usual
    addFile = lambda self, file: SparkFiles.files.update({file.split("/")[-1]: __import__("os").path.abspath(file)})
    parallelize = lambda self, shards, number: Shards(shards)
    stop = lambda self: None
"#;

/// Runs the script with [`STAND_IN`] for Spark.
fn run_without_spark(world: &World, arguments: &[&str], code: i32) -> String {
    let module = world.path("stand-in/pyspark");
    fs::create_dir_all(&module).unwrap();
    fs::write(module.join("__init__.py"), STAND_IN).unwrap();
    let sql =
        "from pyspark import Session; import sys; SparkSession = Session(); functions = sys\n";
    fs::write(module.join("sql.py"), sql).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("cluster/spark.py");
    let ran = Command::new("python3")
        .arg("-B")
        .arg(script)
        .args(arguments)
        .current_dir(world.path(""))
        .env("PYTHONPATH", world.path("stand-in"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(code), "{arguments:?}: {said}");
    said
}

/// Half of the books are of Project Gutenberg, each shard has books of one kind, and the text has no encoding of its own.
#[test]
fn shards_detect_with_the_profile_and_encoding_of_the_whole_corpus() {
    let has_python = Command::new("python3").arg("--version").output();
    if has_python.is_err() {
        return absent("python3");
    }
    let world = World::of((0..24).map(|number| {
        let marker = match number < 12 {
            true => "*** START OF THE PROJECT GUTENBERG EBOOK OF A MADE-UP TITLE ***\n",
            false => "",
        };
        let text = small_book(number).replacen("\n\n", &format!("\n{marker}\n"), 1);
        (format!("books/{number:02}.txt"), text)
    }));
    let koi8 = [
        small_book(30).as_bytes(),
        &[0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4, b'\n'],
    ]
    .concat();
    fs::write(world.path("books/30.txt"), koi8).unwrap();
    world.run("model build books -q --no-cache --encoding koi8-r --out one.model");
    let detect = |more: &[&str], out: &str, code| {
        let words = [
            "detect",
            "books",
            "--out",
            out,
            "--shard-size",
            "7",
            "--model",
            "one.model",
            "--binary",
            ENDPAPER,
        ];
        run_without_spark(&world, &[&words[..], more].concat(), code)
    };
    fs::write(
        world.path("own.tsv"),
        "end\tfact\tweight\nstart\tcut:block\t0\n",
    )
    .unwrap();
    for profile in ["gutenberg", "own.tsv"] {
        let options = ["--profile", profile, "--encoding", "koi8-r"];
        let out = format!("out-{profile}");
        detect(&options, &out, 0);
        let one = format!(
            "detect books --model one.model --profile {profile} --encoding koi8-r --no-opinions --format tsv -q --no-cache"
        );
        assert_eq!(
            world.text(format!("{out}/detected.tsv")),
            world.stdout(&one)
        );
    }
    fs::create_dir(world.path("other")).unwrap();
    fs::write(world.path("other/one.model"), "").unwrap();
    for (options, part) in [
        (&[][..], "required: --profile"),
        (&["--profile", "auto"], "each shard choose by its own books"),
        (&["--profile", "nowhere.tsv"], "'nowhere.tsv' is not a file"),
        (&["--profile", "other/one.model"], "have the same name"),
        (
            &["--profile", "generic", "--", "--encoding=koi8-r"],
            "leave it out after --",
        ),
    ] {
        let said = detect(options, "refused", 2);
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn the_paths_of_a_folder_are_those_of_one_machine() {
    let Some(python) = python() else { return };
    let names = [
        "a.txt",
        "b.TEXT",
        "c/d.asc",
        ".hidden.txt",
        "c/.hidden/e.txt",
        "t/e.txt",
        "f.png",
        "g.csv",
    ];
    let files = names.map(|name| (format!("shelf/{name}"), small_book(name.len())));
    let world = World::of(files);
    fs::create_dir(world.path("shelf/t/.endpaper")).unwrap();
    std::os::unix::fs::symlink("..", world.path("shelf/c/loop")).unwrap();
    let snippet = "import argparse, sys; sys.path.insert(0, sys.argv[1]); sys.dont_write_bytecode = True; import spark; \
                   print(*spark.list_paths(argparse.Namespace(files_from=None, corpus='shelf'))[1], sep='\\n'); print(*spark.TOLD)";
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("cluster");
    let listed = Command::new(python)
        .args(["-c", snippet])
        .arg(script)
        .current_dir(world.path(""))
        .output()
        .unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let tsv = world
        .command("detect shelf --model built-in --format tsv -q --no-cache")
        .output()
        .unwrap();
    let tsv = String::from_utf8(tsv.stdout).unwrap();
    let ids: Vec<&str> = tsv
        .lines()
        .skip(1)
        .filter_map(|line| line.split('\t').next())
        .collect();
    assert_eq!(ids, ["a.txt", "b.TEXT", "c/d.asc"]);
    let told = "2 other files were left out, 'f.png' among them; --files-from names what should count all the same";
    assert_eq!(listed, format!("{}\n{told}\n", ids.join("\n")));
}
