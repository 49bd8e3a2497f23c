//! The command line as shells, readers and pipes see it: completions, manual pages, folders, standard input and output.
#![cfg(unix)]

use std::process::{Command, Stdio};

use crate::support::{ENDPAPER, Home, absent, fine, small_book, stderr, text};

/// Whether a program can be started; reports a skipped test otherwise.
fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    let started = command
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let is_there = started.is_ok_and(|status| status.success());
    if !is_there {
        absent(program);
    }
    is_there
}

#[test]
fn completions_load_and_complete_in_each_shell() {
    let home = Home::new();
    home.endpaper(&["completions", "--out", "made"])
        .assert()
        .success();
    let shells = [
        (
            "bash",
            "made/endpaper.bash",
            "source made/endpaper.bash && COMP_WORDS=(endpaper str) && COMP_CWORD=1 && \
             _endpaper endpaper str endpaper && echo \"${COMPREPLY[@]}\"",
        ),
        (
            "zsh",
            "made/_endpaper",
            "autoload -U compinit && compinit -u -d dump && source made/_endpaper && (( $+functions[_endpaper] )) && \
             grep -o 'strip:' made/_endpaper",
        ),
        (
            "fish",
            "made/endpaper.fish",
            "source made/endpaper.fish; complete -C 'endpaper str'",
        ),
    ];
    for (shell, file, script) in shells {
        assert!(home.work().join(file).is_file(), "{file}");
        if !is_there(shell) {
            continue;
        }
        let output = home.program(shell, &["-c", script]).output().unwrap();
        let said = fine(&output);
        assert!(said.contains("strip"), "{shell}: {said}{}", stderr(&output));
        assert_eq!(stderr(&output), "", "{shell}");
        let printed = fine(&home.endpaper(&["completions", shell]).output().unwrap());
        let written = std::fs::read_to_string(home.work().join(file)).unwrap();
        assert_eq!(printed, written, "{shell}");
    }
}

#[test]
fn manual_pages_of_all_commands_render() {
    let home = Home::new();
    home.endpaper(&["man", "--out", "man1"]).assert().success();
    let pages = std::fs::read_dir(home.work().join("man1")).unwrap();
    let mut pages: Vec<String> = pages
        .map(|page| page.unwrap().file_name().into_string().unwrap())
        .collect();
    pages.sort();
    for page in [
        "endpaper.1",
        "endpaper-strip-check.1",
        "endpaper-truth-merge.1",
    ] {
        assert!(pages.iter().any(|there| there == page), "{page}: {pages:?}");
    }
    let printed = fine(&home.endpaper(&["man", "strip", "check"]).output().unwrap());
    let file = home.work().join("man1/endpaper-strip-check.1");
    assert_eq!(printed, std::fs::read_to_string(file).unwrap());
    if !is_there("man") {
        return;
    }
    for (page, words) in [
        ("endpaper.1", "where a book begins"),
        ("endpaper-strip-check.1", "--accept-all"),
        // Left out by -h.
        (
            "endpaper-detect.1",
            "A line is frequent if it occurs more often",
        ),
    ] {
        let file = format!("man1/{page}");
        let mut man = home.program("man", &["-l", &file]);
        let output = man.env("MANPAGER", "cat").env("MANWIDTH", "80").output();
        let output = output.unwrap();
        // Lines are justified.
        let said = fine(&output);
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            said.contains("NAME") && said.contains(words),
            "{page}: {said}"
        );
    }
}

#[test]
fn paths_names_the_folders() {
    let home = Home::new();
    home.configure("config.yaml", "truth: \"labels\"\n");
    let said = fine(&home.endpaper(&["paths"]).output().unwrap());
    let names = said.lines().filter_map(|line| line.split(' ').next());
    let names: Vec<&str> = names.collect();
    assert_eq!(
        names,
        ["settings", "themes", "cache", "data", "state", "truth"]
    );
    assert!(said.contains("endpaper/config/config.yaml\n"), "{said}");
    assert!(said.contains("work/labels  (not there yet)\n"), "{said}");
}

#[test]
fn one_text_goes_through_a_pipe() {
    let home = Home::new();
    home.write("book.txt", small_book(1));
    home.endpaper(&["strip", "book.txt", "-o", "bodies", "-q"])
        .assert()
        .success();
    let body = std::fs::read(home.work().join("bodies/book.txt")).unwrap();
    let mut strip = home.endpaper(&["strip", "-", "-o", "-"]);
    let output = strip.write_stdin(small_book(1)).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(output.stdout == body, "{}", text(&output.stdout));
    let mut detect = home.endpaper(&["detect", "-", "-f", "tsv", "-q"]);
    let cuts = fine(&detect.write_stdin(small_book(1)).output().unwrap());
    assert!(
        cuts.lines().nth(1).unwrap().starts_with("stdin\t53\t"),
        "{cuts}"
    );
    let mut printed = home.endpaper(&["text", "-"]);
    let printed = printed.write_stdin(small_book(1)).output().unwrap();
    assert_eq!(fine(&printed), small_book(1));
    // A file of that name is still a file.
    home.write("-", small_book(2));
    let named = home.endpaper(&["text", "./-"]).output().unwrap();
    assert_eq!(fine(&named), small_book(2));
}

#[test]
fn records_go_through_a_pipe() {
    let home = Home::new();
    home.write("books/1.txt", small_book(1));
    home.write("labels.tsv", "book\tbody_first\tbody_last\n1.txt\t14\t53\n");
    home.endpaper(&["truth", "import", "labels.tsv", "books", "--truth", "one"])
        .assert()
        .success();
    let export = ["truth", "export", "--truth", "one", "--out", "-"];
    let records = fine(&home.endpaper(&export).output().unwrap());
    let import = ["truth", "import", "-", "-f", "yaml", "--truth", "two"];
    let mut import = home.endpaper(&import);
    let said = fine(&import.write_stdin(records).output().unwrap());
    assert_eq!(said, "imported 1 records, 0 unchanged, 0 refused\n");
    let record = |folder: &str| std::fs::read(home.work().join(folder).join("1.txt.yaml"));
    assert!(record("one").unwrap() == record("two").unwrap());
}

#[cfg(unix)]
#[test]
fn endless_standard_input_is_read_to_the_limit_only() {
    let home = Home::new();
    let script = "ulimit -v 2000000; yes | \"$0\" detect - --max-size 100K";
    let output = home
        .program("sh", &["-c", script, ENDPAPER])
        .output()
        .unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("'stdin' is larger than the limit of 100 KiB"),
        "{said}"
    );
}

#[test]
fn a_mode_is_a_subcommand_and_a_folder_of_its_name_is_written_with_its_path() {
    let home = Home::new();
    home.write("check/1.txt", small_book(1));
    home.endpaper(&["strip", "./check", "-o", "bodies", "-q"])
        .assert()
        .success();
    home.endpaper(&["strip", "-q", "check", "-o", "others"])
        .assert()
        .success();
    let help = home.endpaper(&["strip", "check", "--help"]).output();
    let help = String::from_utf8(help.unwrap().stdout).unwrap();
    assert!(
        help.contains("[BODIES]") && !help.contains("CORPUS"),
        "{help}"
    );
    let checked = home.endpaper(&["strip", "check", "bodies"]).output();
    assert!(stderr(&checked.unwrap()).contains("1 finding in 1 file, 1 body checked"));
}

#[test]
fn colour_is_as_asked_for() {
    let home = Home::new();
    for (arguments, coloured) in [
        (&["--help"][..], false),
        (&["--help", "--color", "always"], true),
        (&["--colour=always", "detect", "-h"], true),
        (&["themes", "--color", "never"], false),
    ] {
        let said = fine(&home.endpaper(arguments).output().unwrap());
        assert_eq!(said.contains('\u{1b}'), coloured, "{arguments:?}: {said}");
    }
}
