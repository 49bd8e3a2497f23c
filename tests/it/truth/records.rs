//! A world with three books, and records of them.

use endpaper_detect::Cuts;
use endpaper_text::corpus::BookText;
use endpaper_truth::{Record, Review, SourceFacts, Store, Verdict, context_of};

use crate::support::long_book;
use crate::support::world::World;

/// The right cuts of [`long_book`].
pub const RIGHT: Cuts = Cuts {
    preamble_end: 12,
    epilogue_start: None,
};

impl World {
    /// Three books in `books`, `0.txt` to `2.txt`.
    pub fn of_three_books() -> World {
        World::of((0..3).map(|number| (format!("books/{number}.txt"), long_book(number))))
    }

    /// A decided record of one of the books.
    pub fn record(&self, number: usize, cuts: Cuts, by: &str) -> Record {
        let text = BookText::new(long_book(number).into_bytes());
        let mut record = Record::new(&format!("{number}.txt"), SourceFacts::of(&text));
        record.context = context_of(&text, cuts);
        record.add_review(Review {
            by: by.into(),
            at: "2026-11-21T03:22:00Z".into(),
            drawn: "queue".into(),
            verdict: Verdict::Corrected,
            cuts,
            ..Review::default()
        });
        record
    }

    pub fn save(&self, folder: &str, record: &Record) {
        let store = Store::open(&self.path(folder)).unwrap();
        let (_, known) = store.load(&record.book).unwrap();
        store.save(record, &known).unwrap();
    }

    pub fn records(&self, folder: &str) -> Vec<Record> {
        let store = Store::open(&self.path(folder)).unwrap();
        let records = store.records().unwrap().into_iter();
        records.map(|(_, record)| record.unwrap()).collect()
    }
}
