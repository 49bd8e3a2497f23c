//! The terminal around the screen: suspension, size, mouse.

use crate::review::sitting::{Desk, SIZE, quit, wait_for_book};
use crate::support::screen::ScreenSnapshot;
use crate::support::{ENDPAPER, Terminal};

#[test]
fn ctrl_z_gives_the_terminal_back_and_fg_takes_it_again() {
    let desk = Desk::with_books(2);
    desk.survey();
    let variables = [("PS1", "prompt> "), ("ENV", "")];
    let shell = desk.home.run("sh", &["-i"], SIZE, &variables);
    shell.wait_for_text("prompt>");
    shell.send(&format!(
        "{ENDPAPER} review books --truth truth --order name<Enter>"
    ));
    wait_for_book(&shell, 1, 2);
    shell.send("J");
    shell.wait_for_text("(moved +");
    shell.send("<C-z>");
    let screen = shell.wait_for("the shell again", |screen| {
        !screen.is_alternate() && screen.contains("Stopped")
    });
    assert!(!screen.cursor_hidden(), "{screen}");
    shell.send("echo a'n's; stty -a<Enter>");
    shell.wait_for_text(" icanon");
    shell.send("fg<Enter>");
    let screen = shell.wait_for("the book again", |screen| {
        screen.is_alternate()
            && screen.row(0).contains("1/2 book-1.txt")
            && screen.contains("(moved +")
    });
    assert!(screen.cursor_hidden(), "{screen}");
    shell.send("<Enter>");
    shell.wait_for_text("saved book-1.txt: corrected");
    shell.send("q");
    leave(&shell, "decided 1");
}

/// Ends the shell once the program has returned the terminal to it: input typed while the program is still restoring the terminal is lost.
fn leave(shell: &Terminal, farewell: &str) {
    shell.wait_for("the prompt below the farewell", |screen| {
        let mut rows = (0..SIZE.1).map(|row| screen.row(row));
        rows.any(|row| row.starts_with(farewell)) && rows.any(|row| row == "prompt>")
    });
    shell.send("exit<Enter>");
    shell.exit_status();
}

#[test]
fn a_stop_from_outside_gives_the_terminal_back_too() {
    let desk = Desk::with_books(2);
    desk.survey();
    let variables = [("PS1", "prompt> "), ("ENV", "")];
    let shell = desk.home.run("sh", &["-i"], SIZE, &variables);
    shell.wait_for_text("prompt>");
    let command = format!("sh -c 'echo $$ > pid; exec {ENDPAPER} review books --truth truth'");
    shell.send(&format!("{command}<Enter>"));
    wait_for_book(&shell, 1, 2);
    let process = std::fs::read_to_string(desk.home.work().join("pid")).expect("its number");
    let sent = std::process::Command::new("kill")
        .args(["-s", "TSTP", process.trim()])
        .status();
    assert!(sent.is_ok_and(|status| status.success()));
    shell.wait_for("the shell again", |screen| {
        !screen.is_alternate() && screen.contains("Stopped")
    });
    shell.send("fg<Enter>");
    wait_for_book(&shell, 1, 2);
    shell.send("q");
    leave(&shell, "decided 0");
}

#[test]
fn another_size_is_drawn_anew_with_both_cuts() {
    let desk = Desk::with_books(1);
    let terminal = desk.sit();
    for (columns, rows) in [(120, 40), (60, 18), (200, 60), (80, 24)] {
        terminal.resize(columns, rows);
        let last = rows - 1;
        let screen = terminal.wait_for("the new size", |screen| {
            let both = ["preamble ends", "epilogue starts"];
            screen.row(last).contains("Enter")
                && screen.row(0).contains("book-1.txt")
                && both.iter().all(|text| screen.contains(text))
        });
        assert_eq!(screen.size(), (columns, rows));
    }
    let_the_resize_pass();
    quit(&terminal);
}

/// Waits until a resize is over. A key that arrives in the same instant takes effect only with the next key, because crossterm drops the readiness of
/// the input when it handles the resize; the screen is drawn before that.
fn let_the_resize_pass() {
    std::thread::sleep(std::time::Duration::from_millis(300));
}

#[test]
fn a_terminal_too_small_for_anything_does_no_harm() {
    let desk = Desk::with_books(1);
    let terminal = desk.sit();
    terminal.resize(1, 1);
    terminal.resize(10, 3);
    terminal.send("j");
    terminal.resize(80, 24);
    wait_for_book(&terminal, 1, 1);
    let_the_resize_pass();
    terminal.send("J");
    terminal.wait_for_text("(moved +");
    quit(&terminal);
}

#[test]
fn a_click_on_a_digit_puts_the_cut_there() {
    let desk = Desk::with_demo_books(&["cdbfr10.txt"]);
    let terminal = desk.sit();
    // A candidate above the current cut.
    let candidate = |screen: &ScreenSnapshot| {
        (2..24).find(|&row| screen.row(row).starts_with(|c: char| c.is_ascii_digit()))
    };
    let screen = terminal.wait_for("a candidate", |screen| candidate(screen).is_some());
    let row = candidate(&screen).expect("a candidate");
    let line = screen.row(row)[1..7].trim().to_owned();
    // Mouse columns and rows are counted from 1.
    let (x, y) = (1, row + 1);
    terminal.send_bytes(format!("\x1b[<0;{x};{y}M\x1b[<0;{x};{y}m").as_bytes());
    terminal.wait_for_text(&format!("body starts {line} (moved"));
    terminal.send("<Enter>");
    terminal.wait_for_text("saved cdbfr10.txt: corrected");
    quit(&terminal);
}
