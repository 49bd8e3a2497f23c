//! Books whose text loads slowly block neither the screen nor other books.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::review::sitting::{Desk, SIZE, quit};

/// A reader of PDF files that answers and then never ends.
const READER: &str = "#!/bin/sh
case \"$1\" in -v) echo 'pdftotext version 24.02.0, The Poppler Developers' >&2; exit 0;; esac
exec sleep 100
";

#[test]
fn books_that_take_long_leave_the_screen_and_the_next_book_alone() {
    let desk = Desk::with_books(2);
    // Sorted before the text file; more of them than reading threads.
    for name in ["a.pdf", "a2.pdf", "a3.pdf"] {
        desk.home
            .write(format!("books/{name}"), "%PDF-1.4\n%%EOF\n");
    }
    desk.home.write("bin/pdftotext", READER);
    let bin = desk.home.work().join("bin");
    fs::set_permissions(bin.join("pdftotext"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let variables = [("PATH", path.as_str())];
    let terminal = desk.home.terminal(&desk.arguments(&[]), SIZE, &variables);
    let first = terminal.wait_for_text("reading a.pdf");
    assert!(first.row(23).contains("next book"), "{first}");
    terminal.wait_for_text("still reading");
    for name in ["'a2.pdf'", "'a3.pdf'"] {
        terminal.send("<Right>");
        terminal.wait_for_text(name);
    }
    terminal.send("<Right>");
    terminal.wait_for("a text", |screen| {
        screen.row(0).contains("book-1.txt") && screen.row(1).contains("body starts")
    });
    terminal.send("<Left>");
    terminal.wait_for_text("still reading 'a3.pdf'");
    quit(&terminal);
}
