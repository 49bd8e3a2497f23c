//! User settings, valid and invalid: none keeps the program from starting.

use crate::review::sitting::{Desk, SIZE, quit, wait_for_book};
use crate::support::Home;

/// Every kind of mistake, with valid entries in between.
const BROKEN: &str = "\
theem: light
theme: nihgt
order: dout
policy: gide
mouse: maybe
colours: 255
keys:
  hard: \"!\"
  harrd: \"x\"
  note: \"u\"
  inside: \"g\"
  redo: \"<Entr>\"
  flag: [\"F\", \"<C-i>\"]
  cut-here: [
";

/// The expected messages: position and fix.
const TOLD: [(&str, &str); 11] = [
    ("1:1", "unknown setting 'theem'; did you mean 'theme'?"),
    ("2:8", "unknown theme 'nihgt'; did you mean 'night'?"),
    ("3:8", "unknown order 'dout'; did you mean 'doubt'?"),
    ("4:9", "did you mean 'guide'?"),
    ("5:8", "unknown state of the mouse 'maybe'"),
    (
        "6:10",
        "'255' is not a number of colours; one of mono, 16, 256, true",
    ),
    ("9:3", "unknown action 'harrd'; did you mean 'hard'?"),
    ("10:9", "'u' is the key of undo already"),
    ("11:11", "'g' would hide 'gg' (top)"),
    ("12:9", "unknown key '<Entr>'; did you mean '<Enter>'?"),
    ("13:15", "terminals send <Tab> for it"),
];

const NIGHT: &str = "\
inherits: dark
roles:
  text: {fg: \"#e1e2e3\", bg: \"#010203\"}
  cut: {fg: \"#12\"}
";

fn broken_home(home: &Home) {
    home.configure("config.yaml", BROKEN);
    home.configure("themes/night.yaml", NIGHT);
}

#[test]
fn a_broken_configuration_still_starts_and_a_key_of_ones_own_works() {
    let desk = Desk::with_books(2);
    desk.survey();
    broken_home(&desk.home);
    let usual = desk.arguments(&[]);
    let terminal = desk.home.terminal(&usual, SIZE, &[]);
    wait_for_book(&terminal, 1, 2);
    let said = "config.yaml:1:1: unknown setting 'theem'; did you mean 'theme'?";
    terminal.wait_for_text(said);
    // `hard` is on its configured key; refused entries leave the default active.
    terminal.send("!");
    terminal.wait_for_text("f says what is unusual");
    terminal.send("h");
    terminal.wait_for_text("h does nothing here; ? shows all keys");
    terminal.send("u");
    terminal.wait_for_text("undone in book-1.txt: hard");
    terminal.send("?!");
    terminal.wait_for_text("Mark the case hard");
    terminal.send("<Esc>");
    terminal.wait_until_gone("Mark the case hard");
    terminal.send("<Enter>");
    terminal.wait_for_text("saved book-1.txt");
    terminal.send("q");
    assert!(terminal.exit_status().success());
    desk.assert_confirmed(1);
    // All messages are above, where the terminal was before.
    let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
    let (before, _) = raw.split_once("\x1b[?1049h").expect("the alternate screen");
    for (place, text) in TOLD {
        assert!(
            before.contains(&format!("config.yaml:{place}: ")),
            "{place}\n{before}"
        );
        assert!(before.contains(text), "{text}\n{before}");
    }
    assert!(
        before.contains("night.yaml:4:13: unknown colour '#12'"),
        "{before}"
    );
}

#[test]
fn commands_without_a_screen_name_the_mistakes_too_and_do_their_work() {
    let desk = Desk::with_books(1);
    broken_home(&desk.home);
    for (arguments, expected, themes) in [
        (&["detect", "books"][..], "book-1.txt", false),
        (&["keys"], "* !", false),
        (&["themes"], "dark  (active)\n", true),
    ] {
        let output = desk.home.endpaper(arguments).assert().success();
        let output = output.get_output();
        let (out, err) = (
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        );
        assert!(out.contains(expected), "{arguments:?}: {out}");
        for (place, text) in TOLD {
            let told = err.lines().filter(|line| line.contains(text)).count();
            let wanted = usize::from(themes || !text.contains("unknown theme"));
            assert_eq!(told, wanted, "{arguments:?} {place}: {err}");
        }
        assert_eq!(err.contains("night.yaml:4:13"), themes, "{err}");
    }
}

#[test]
fn a_theme_of_ones_own_is_shown_listed_and_printed() {
    let desk = Desk::with_books(1);
    desk.home
        .configure("config.yaml", "theme: night\nkeys:\n  theme: \"T\"\n");
    desk.home.configure("themes/night.yaml", NIGHT);
    let themes = desk.home.endpaper(&["themes"]).assert().success();
    let listed = String::from_utf8_lossy(&themes.get_output().stdout).into_owned();
    let line = listed.lines().find(|line| line.starts_with("night"));
    let line = line.unwrap_or_else(|| panic!("{listed}"));
    assert!(
        line.contains("(active)") && line.contains("(yours: "),
        "{line}"
    );
    let printed = desk.home.endpaper(&["themes", "night"]).assert();
    printed.success().stdout(NIGHT);
    desk.survey();
    let colours = [("COLORTERM", "truecolor")];
    let terminal = desk.home.terminal(&desk.arguments(&[]), SIZE, &colours);
    // Messages of the analysis do not hide the diagnostic.
    terminal.wait_for_text("night.yaml:4:13: unknown colour '#12'");
    wait_for_book(&terminal, 1, 1);
    terminal.send("T");
    terminal.wait_for_text("theme dark");
    quit(&terminal);
    let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
    assert!(raw.contains("48;2;1;2;3"), "the paper of the night");
    // An invalid colour of a role falls back to the base theme.
    assert!(raw.contains("38;2;92;192;255"), "the cut of the dark theme");
}

#[test]
fn hostile_files_of_settings_stop_nothing() {
    let desk = Desk::with_books(1);
    let laughs: String = (1..40)
        .map(|n| format!("l{n}: &l{n} [*l{m}, *l{m}, *l{m}, *l{m}]\n", m = n - 1))
        .collect();
    let texts = [
        "[".repeat(20_000),
        format!("l0: &l0 [x, x]\n{laughs}"),
        "keys: &k\n  hard: *k\n".to_owned(),
        "\u{0}\u{feff}: \u{1b}[31m\n".to_owned(),
        format!("keys:\n  hard: [{}]\n", "\"x\", ".repeat(50_000)),
        "a: b\n".repeat(20_000),
        "\t\t: -\n%YAML 9\n".to_owned(),
        format!("keys:\n  {}: x\n", "x".repeat(200_000)),
        (0..60_000).map(|n| format!("name-{n}: x\n")).collect(),
    ];
    for text in texts {
        desk.home.configure("config.yaml", &text);
        desk.home.configure("themes/bad.yaml", &text);
        for arguments in [&["keys"][..], &["themes"], &["detect", "books"]] {
            let output = desk.home.endpaper(arguments).assert().success();
            let err = &output.get_output().stderr;
            assert!(!err.contains(&0x1b), "{}", String::from_utf8_lossy(err));
            let lines = err.split(|byte| *byte == b'\n').count();
            assert!(lines < 60, "{lines} lines are too many to read");
        }
    }
}

#[test]
fn the_first_sitting_shows_the_tour_and_the_next_does_not() {
    let desk = Desk::with_books(2);
    desk.home.forget_the_tour();
    let terminal = desk.sit();
    let screen = terminal.wait_for_text("to begin with");
    assert!(
        screen.contains("preamble ends") && screen.contains("epilogue starts"),
        "{screen}"
    );
    assert!(screen.contains("keeps both cuts"), "{screen}");
    terminal.send("<Enter>");
    terminal.wait_for_text("saved book-1.txt");
    terminal.wait_until_gone("to begin with");
    wait_for_book(&terminal, 2, 2);
    quit(&terminal);
    let terminal = desk.sit();
    assert!(
        !terminal.screen().contains("to begin with"),
        "{}",
        terminal.screen()
    );
    quit(&terminal);
}

#[test]
fn the_line_goes_to_the_clipboard_and_the_mouse_to_the_terminal() {
    let desk = Desk::with_books(1);
    let terminal = desk.sit();
    terminal.send("Y");
    terminal.wait_for_text("sent to the terminal's clipboard");
    terminal.send("gM");
    terminal.wait_for_text("mouse off");
    terminal.send("gM");
    terminal.wait_for("the mouse again", |screen| !screen.contains("mouse off"));
    quit(&terminal);
    let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
    // book-1.txt
    assert!(raw.contains("\x1b]52;c;Ym9vay0xLnR4dA==\x07"));
    let switches: Vec<&str> = raw.matches("\x1b[?1006").collect();
    assert_eq!(switches.len(), 4, "on, off, on, and off at the end");
}
