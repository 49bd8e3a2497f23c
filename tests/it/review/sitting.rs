//! Small corpora, and sittings on them.

use std::cell::Cell;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use endpaper_truth::{Record, Verdict, yaml};

use crate::support::screen::ScreenSnapshot;
use crate::support::{Home, Terminal, demo};

pub const SIZE: (u16, u16) = (80, 24);

/// A home with a corpus `books` and a truth folder `truth` in its working folder.
pub struct Desk {
    pub home: Home,
    surveyed: Cell<bool>,
}

impl Desk {
    /// Makes `count` different small books, `book-1.txt` and so on.
    pub fn with_books(count: usize) -> Desk {
        let home = Home::new();
        for number in 1..=count {
            home.write(format!("books/book-{number}.txt"), book(number));
        }
        Desk::new(home)
    }

    /// Uses books that ship with the program.
    pub fn with_demo_books(names: &[&str]) -> Desk {
        let home = Home::new();
        let file = fs::File::open(demo()).expect("the books that ship");
        let mut archive = zip::ZipArchive::new(file).expect("an archive");
        for name in names {
            let mut bytes = Vec::new();
            let mut member = archive.by_name(name).expect("a book that ships");
            member.read_to_end(&mut bytes).expect("its bytes");
            home.write(format!("books/{name}"), bytes);
        }
        Desk::new(home)
    }

    /// Uses the corpus of a home.
    pub fn new(home: Home) -> Desk {
        Desk {
            home,
            surveyed: Cell::new(false),
        }
    }

    /// Analyses the books beforehand: an analysis in the background reloads the book on screen, and keys typed in the meantime may be refused.
    pub fn survey(&self) {
        if !self.surveyed.replace(true) {
            self.home.endpaper(&["detect", "books"]).assert().success();
        }
    }

    pub fn arguments<'a>(&self, further: &[&'a str]) -> Vec<&'a str> {
        let usual = ["review", "books", "--truth", "truth", "--order", "name"];
        usual.into_iter().chain(further.iter().copied()).collect()
    }

    /// Starts a sitting and waits until a book is shown and the analysis has ended.
    pub fn sit(&self) -> Terminal {
        self.sit_with(&[], &[])
    }

    /// Like [`Desk::sit`], with further arguments and variables.
    pub fn sit_with(&self, further: &[&str], variables: &[(&str, &str)]) -> Terminal {
        self.survey();
        let terminal = self
            .home
            .terminal(&self.arguments(further), SIZE, variables);
        terminal.wait_for("a surveyed corpus", is_surveyed);
        terminal
    }

    pub fn truth(&self, name: &str) -> PathBuf {
        self.home.work().join("truth").join(name)
    }

    pub fn record(&self, book: &str) -> Option<Record> {
        let text = fs::read_to_string(self.truth(&format!("{book}.yaml"))).ok()?;
        Some(yaml::read(&text).unwrap_or_else(|error| panic!("{book}: {error}\n{text}")))
    }

    pub fn verdict(&self, book: &str) -> Option<Verdict> {
        self.record(book).map(|record| record.verdict)
    }

    /// Asserts that the n-th small book has a confirmed record.
    #[track_caller]
    pub fn assert_confirmed(&self, number: usize) {
        let name = format!("book-{number}.txt");
        assert_eq!(self.verdict(&name), Some(Verdict::Confirmed), "{name}");
    }

    pub fn temporary_files(&self) -> usize {
        let mut files = Vec::new();
        walk(&self.home.work().join("truth"), &mut files);
        let temporary = |path: &&PathBuf| path.extension().is_some_and(|end| end == "tmp");
        files.iter().filter(temporary).count()
    }

    /// Returns every record of the truth folder; each must parse.
    pub fn records(&self) -> Vec<Record> {
        let mut files = Vec::new();
        walk(&self.home.work().join("truth"), &mut files);
        let yaml_files = files
            .iter()
            .filter(|path| path.extension().is_some_and(|end| end == "yaml"));
        yaml_files
            .map(|path| {
                let text = fs::read_to_string(path).expect("a readable record");
                yaml::read(&text).unwrap_or_else(|error| panic!("{path:?}: {error}\n{text}"))
            })
            .collect()
    }
}

/// The analysis ends with a message about its model.
pub fn is_surveyed(screen: &ScreenSnapshot) -> bool {
    screen.contains("the built-in ") && screen.row(1).contains("body starts")
}

/// Waits until small book `number` of `count` is on screen.
#[track_caller]
pub fn wait_for_book(terminal: &Terminal, number: usize, count: usize) -> ScreenSnapshot {
    let title = format!("{number}/{count} book-{number}.txt");
    terminal.wait_for(&title, |screen| screen.row(0).contains(&title))
}

/// Waits for the n-th small book, keeps its cuts and waits until they are saved: a verdict typed before its book is shown is refused.
#[track_caller]
pub fn keep(terminal: &Terminal, number: usize) {
    let book = format!("book-{number}.txt");
    terminal.wait_for(&book, |screen| screen.row(0).contains(&book));
    terminal.send("<Enter>");
    terminal.wait_for_text(&format!("saved {book}: confirmed"));
}

/// Quits and expects success.
#[track_caller]
pub fn quit(terminal: &Terminal) -> ScreenSnapshot {
    terminal.send("q");
    let status = terminal.exit_status();
    let screen = terminal.screen();
    assert!(status.success(), "{status}\n{screen}");
    screen
}

/// Opens a popup with `keys`, waits for it, and closes it.
#[track_caller]
pub fn look_at(terminal: &Terminal, keys: &str) -> ScreenSnapshot {
    let usual = |screen: &ScreenSnapshot| screen.row(23).contains("keep & next");
    terminal.send(keys);
    let popup = terminal.wait_for("a popup", |screen| !usual(screen));
    // Sent alone: together with another key it would be Alt and that key.
    terminal.send("<Esc>");
    terminal.wait_for("no popup", usual);
    popup
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// A small book with a typical preamble and epilogue.
pub fn book(number: usize) -> String {
    let paragraphs: String = (1..=6)
        .map(|paragraph| {
            format!(
                "Story {number} went on in its paragraph {paragraph}, where the miller\n\
                 of house {number} told his {paragraph} daughters what the river had said.\n\n"
            )
        })
        .collect();
    format!(
        "The Project Gutenberg EBook of Story {number}, by Nobody Known\n\n\
         This eBook is for the use of anyone anywhere at no cost and with\n\
         almost no restrictions whatsoever.  You may copy it, give it away or\n\
         re-use it under the terms of the Project Gutenberg License included\n\
         with this eBook or online at www.gutenberg.org\n\n\n\
         Title: Story {number}\n\n\
         Author: Nobody Known\n\n\
         *** START OF THIS PROJECT GUTENBERG EBOOK STORY {number} ***\n\n\n\n\n\
         STORY {number}\n\n\
         by Nobody Known\n\n\n\n\
         CHAPTER I\n\n\
         {paragraphs}\
         THE END\n\n\n\n\n\
         *** END OF THIS PROJECT GUTENBERG EBOOK STORY {number} ***\n\n\
         ***** This file should be named book-{number}.txt *****\n\n\
         Updated editions will replace the previous one--the old editions\n\
         will be renamed.\n"
    )
}
