//! A folder with three small books and a place for records, and the program run in it.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use endpaper_detect::Cuts;
use endpaper_text::corpus::Text;
use endpaper_truth::{Record, Review, SourceFacts, Store, Verdict, context_of};
use tempfile::TempDir;

/// Books of one licence: lines 1 to 12 licence, 13 blank, then 700 lines of text.
pub fn book(number: usize) -> String {
    let licence =
        (0..12).map(|line| format!("Line {line} of a licence that stands in every book.\n"));
    let body = (0..700)
        .map(|line| format!("Book {number} says in line {line} what no other book says.\n"));
    licence.chain(["\n".to_owned()]).chain(body).collect()
}

/// The cuts that are right for [`book`].
pub const RIGHT: Cuts = Cuts {
    preamble_end: 12,
    epilogue_start: None,
};

pub struct Desk {
    folder: TempDir,
}

impl Desk {
    pub fn new() -> Desk {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("books")).unwrap();
        for number in 0..3 {
            let path = folder.path().join(format!("books/{number}.txt"));
            fs::write(path, book(number)).unwrap();
        }
        Desk { folder }
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The program with these words; commands that detect count the three books themselves.
    pub fn run(&self, words: &str) -> Command {
        let mut command = Command::cargo_bin("endpaper").unwrap();
        command
            .current_dir(self.folder.path())
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("HOME", self.folder.path())
            .args(words.split_whitespace());
        command
    }

    /// What the program prints when all is well.
    pub fn stdout(&self, words: &str) -> String {
        let output = self.run(words).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words}: {said}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// A decided record of one of the books.
    pub fn record(&self, number: usize, cuts: Cuts, by: &str) -> Record {
        let text = Text::new(book(number).into_bytes());
        let mut record = Record::new(&format!("{number}.txt"), SourceFacts::of(&text));
        record.context = context_of(&text, cuts);
        record.decide(Review {
            by: by.into(),
            at: "2026-11-21T03:22:00Z".into(),
            drawn: "queue".into(),
            verdict: Verdict::Corrected,
            cuts,
            ..Review::default()
        });
        record
    }

    /// Saves a record into a truth folder.
    pub fn save(&self, folder: &str, record: &Record) {
        let store = Store::open(&self.path(folder)).unwrap();
        let (_, known) = store.load(&record.book).unwrap();
        store.save(record, &known).unwrap();
    }

    /// All records of a folder, by book.
    pub fn records(&self, folder: &str) -> Vec<Record> {
        let store = Store::open(&self.path(folder)).unwrap();
        let records = store.records().unwrap().into_iter();
        records.map(|(_, record)| record.unwrap()).collect()
    }
}
