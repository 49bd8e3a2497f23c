//! Tests of the harness itself, with programs that every system has.
#![cfg(unix)]

use std::fs;

use crate::support::{Home, Terminal, TerminalSetup, keys};

fn sh(home: &Home, script: &str) -> Terminal {
    home.run("sh", &["-c", script], (40, 6), &[])
}

#[test]
fn shows_what_a_program_writes_and_its_exit_status() {
    let home = Home::new();
    let terminal = sh(&home, "printf 'one\\r\\ntwo'; exit 3");
    assert_eq!(terminal.exit_status().exit_code(), 3);
    assert_eq!(terminal.text(), "one\ntwo\n\n\n\n\n");
}

#[test]
fn sends_keys_and_waits_for_their_effect() {
    let home = Home::new();
    let terminal = home.run("cat", &[], (40, 6), &[]);
    terminal.send("hello<Enter>");
    terminal.wait_for("hello twice", |screen| {
        screen.text().matches("hello").count() == 2
    });
    terminal.send("<C-d>");
    assert!(terminal.exit_status().success());
}

#[test]
fn an_interrupt_key_reaches_the_program_as_a_signal() {
    let home = Home::new();
    let terminal = sh(
        &home,
        "trap 'echo caught; exit 7' INT; echo ready; while :; do read line; done",
    );
    terminal.wait_for_text("ready");
    terminal.send("<C-c>");
    terminal.wait_for_text("caught");
    assert_eq!(terminal.exit_status().exit_code(), 7);
}

#[test]
fn the_style_plane_has_one_letter_per_style() {
    let home = Home::new();
    let terminal = sh(
        &home,
        r"printf 'a\033[1;31mbc\033[0m \033[38;2;1;2;3;7md\033[0m\r\n\033[31;1me'",
    );
    terminal.exit_status();
    let expected = ".aa.b\na\n\n\n\n\na = 1 on default bold\nb = #010203 on default inverse\n";
    assert_eq!(terminal.style_plane(), expected);
}

#[test]
fn wide_characters_take_two_cells() {
    let home = Home::new();
    let terminal = sh(&home, "printf '\u{6f22}!'");
    terminal.exit_status();
    let screen = terminal.screen();
    assert_eq!(screen.row(0), "\u{6f22}!");
    assert_eq!(screen.symbol(2, 0), Some("!"));
}

#[test]
fn a_resize_is_seen_by_the_program() {
    let home = Home::new();
    let terminal = sh(
        &home,
        "trap 'stty size' WINCH; echo ready; while :; do read line || :; done",
    );
    terminal.wait_for_text("ready");
    terminal.resize(50, 9);
    let screen = terminal.wait_for_text("9 50");
    assert_eq!(screen.size(), (50, 9));
}

#[test]
fn a_question_for_the_cursor_is_answered() {
    let home = Home::new();
    let script = r"stty raw -echo; printf 'ab\033[6n'; dd bs=1 count=6 2>/dev/null | tr '\033' '^'";
    let terminal = sh(&home, script);
    terminal.exit_status();
    assert_eq!(terminal.screen().row(0), "ab^[1;3R");
}

#[test]
fn a_question_stays_open_where_answers_are_off() {
    let home = Home::new();
    let script =
        r"stty raw -echo min 0 time 2; printf 'ab\033[6n'; dd bs=1 count=6 2>/dev/null | wc -c";
    let command = home.command("sh", &["-c", script], &[]);
    let terminal = Terminal::spawn(TerminalSetup {
        command,
        size: (40, 6),
        answers: false,
    });
    terminal.exit_status();
    assert_eq!(terminal.screen().row(0), "ab0");
}

#[test]
fn a_kill_ends_the_program_at_once() {
    let home = Home::new();
    let terminal = sh(&home, "trap '' INT TERM HUP; echo ready; read line");
    terminal.wait_for_text("ready");
    terminal.kill("KILL");
    assert!(terminal.exit_status().signal().is_some());
}

#[test]
fn a_hang_up_reaches_the_program_and_types_nothing() {
    let home = Home::new();
    // A hang-up ends the read and sends the signal, in this order: the shell may return from its read without input, and receive the signal a
    // moment later.
    let script = "trap 'echo hung up >&3; exit 9' HUP; exec 3>note; echo ready; read line; \
                  test -z \"$line\" || echo \"read '$line'\" >&3; while :; do sleep 1; done";
    let mut terminal = sh(&home, script);
    terminal.wait_for_text("ready");
    terminal.hang_up();
    assert_eq!(terminal.exit_status().exit_code(), 9);
    let note = fs::read_to_string(home.work().join("note")).expect("the note was written");
    assert_eq!(note, "hung up\n");
}

#[test]
#[should_panic(expected = "waited for 'never'; the program has ended")]
fn waiting_for_what_cannot_come_fails_at_once_with_the_screen() {
    let home = Home::new();
    sh(&home, "echo something else").wait_for_text("never");
}

#[test]
fn each_test_has_a_home_of_its_own() {
    let home = Home::new();
    let terminal = home.run(
        "sh",
        &["-c", "echo $HOME; echo ${NO_COLOR-unset}"],
        (200, 6),
        &[],
    );
    terminal.exit_status();
    let screen = terminal.screen();
    let parent = home.work();
    let parent = parent
        .parent()
        .expect("the home")
        .to_string_lossy()
        .into_owned();
    assert!(screen.row(0).starts_with(&parent), "{screen}");
    assert_eq!(screen.row(1), "unset");
}

#[test]
fn keys_have_names() {
    let cases: [(&str, &[u8]); 5] = [
        ("jk", b"jk"),
        ("<Enter><Tab>", b"\r\t"),
        ("a<C-c>b", b"a\x03b"),
        ("<lt>x>", b"<x>"),
        ("<S-Tab><M-x>", b"\x1b[Z\x1bx"),
    ];
    for (keys, bytes) in cases {
        assert_eq!(keys::bytes(keys), bytes, "{keys}");
    }
}
