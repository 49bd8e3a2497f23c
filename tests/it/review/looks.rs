//! The bytes sent to the terminal: no control characters from books, no unwanted colours.

use std::fs;
use std::path::Path;

use crate::review::sitting::{Desk, SIZE, look_at, quit};
use crate::support::Home;

/// Returns the escape sequences of an output, each with its introducer and final byte.
fn sequences(raw: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in raw.split('\x1b').skip(1) {
        let end = match part.strip_prefix('[') {
            Some(rest) => rest
                .find(|c: char| ('@'..='~').contains(&c))
                .map(|at| at + 2),
            None => part.chars().next().map(char::len_utf8),
        };
        found.push(part[..end.unwrap_or(part.len())].to_owned());
    }
    found
}

/// Returns the parameters of all graphic renditions.
fn renditions(raw: &str) -> Vec<Vec<u16>> {
    let numbers = |text: String| {
        let text = text.strip_prefix('[')?.strip_suffix('m')?.to_owned();
        let number = |part: &str| part.parse().unwrap_or(0);
        Some(text.split([';', ':']).map(number).collect())
    };
    sequences(raw).into_iter().filter_map(numbers).collect()
}

#[test]
fn no_control_of_a_hostile_book_reaches_the_terminal() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/hostile/texts");
    let home = Home::new();
    let mut count = 0;
    for file in fs::read_dir(folder).expect("the hostile texts").flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        home.write(format!("books/{name}"), fs::read(file.path()).expect(&name));
        count += 1;
    }
    // File names are untrusted text too.
    home.write(
        "books/z\x1b]0;owned\x07\u{202e}.txt",
        "A book.\n\nIts end.\n",
    );
    count += 1;
    let arguments = ["review", "books", "--truth", "truth", "--order", "name"];
    // Analysed beforehand, since an analysis that ends in the background returns to the first book. Some of these are refused.
    let surveyed = home.endpaper(&["detect", "books"]).output();
    assert!(surveyed.is_ok());
    let terminal = home.terminal(&arguments, SIZE, &[]);
    for number in 1..=count {
        terminal.wait_for(&format!("book {number}"), |screen| {
            screen.row(0).contains(&format!(" {number}/"))
        });
        terminal.send("W");
        terminal.send("W");
        terminal.send("L");
    }
    terminal.wait_for("the first book again", |screen| {
        screen.row(0).starts_with(" 1/")
    });
    let queue = look_at(&terminal, "b");
    assert!(queue.contains("owned"), "{queue}");
    terminal.send("q");
    terminal.exit_status();
    let raw = String::from_utf8(terminal.raw()).expect("the program writes UTF-8");
    // The direction of rows, when the screen is entered and left.
    let direction = ["[?2501s", "[1 k", "[ k"];
    for sequence in sequences(&raw) {
        if direction.contains(&&*sequence) {
            continue;
        }
        let end = sequence.chars().last().unwrap_or(' ');
        assert!(sequence.starts_with('['), "ESC {sequence:?}");
        assert!("HJKmhlrABCDG".contains(end), "ESC {sequence:?}");
    }
    assert!(!renditions(&raw).contains(&vec![31]), "the book's own red");
    let allowed = |c: char| matches!(c, '\x1b' | '\r' | '\n') || !c.is_control();
    let bad = raw.chars().find(|&c| !allowed(c));
    assert_eq!(bad, None);
    let turns = |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    assert!(!raw.contains(turns), "a turn of direction");
}

#[test]
fn without_colour_no_colour_is_sent_and_the_cursor_is_still_seen() {
    // The line numbers of the second book are so long that the cursor has no separate mark.
    for book in ["7256.txt", "cdbfr10.txt"] {
        let desk = Desk::with_demo_books(&[book]);
        let terminal = desk.sit_with(&[], &[("NO_COLOR", "1")]);
        let screen = terminal.screen();
        let marked = |row: &u16| {
            let style = screen.style(40, *row);
            screen.row(*row).contains('▸') || style.inverse
        };
        let rows: Vec<u16> = (2..11).filter(marked).collect();
        assert_eq!(
            rows.len(),
            1,
            "{rows:?}\n{screen}\n{}",
            screen.style_plane()
        );
        for keys in ["i", "?", "b"] {
            look_at(&terminal, keys);
        }
        terminal.send("jt");
        terminal.send("q");
        terminal.exit_status();
        let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
        for numbers in renditions(&raw) {
            let colour = |n: &u16| matches!(n, 30..=38 | 40..=48 | 90..=97 | 100..=107);
            assert!(!numbers.iter().any(colour), "{numbers:?}");
        }
    }
}

#[test]
fn with_colour_colours_are_sent() {
    let desk = Desk::with_books(1);
    let terminal = desk.sit();
    quit(&terminal);
    let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
    assert!(
        renditions(&raw)
            .iter()
            .any(|numbers| numbers.starts_with(&[38, 5]))
    );
}

#[test]
fn ascii_draws_an_ascii_book_with_ascii_alone() {
    let desk = Desk::with_books(2);
    let terminal = desk.sit_with(&["--ascii"], &[]);
    for keys in ["i", "?", "b", "f", "n", "/story", ":"] {
        look_at(&terminal, keys);
    }
    terminal.send("wxvv/story<Enter>J");
    terminal.wait_for_text("moved +");
    terminal.send("<Enter>");
    terminal.wait_for_text("saved book-1.txt");
    quit(&terminal);
    let raw = terminal.raw();
    let odd: String = String::from_utf8_lossy(&raw)
        .chars()
        .filter(|c| !c.is_ascii())
        .collect();
    assert_eq!(odd, "");
}
