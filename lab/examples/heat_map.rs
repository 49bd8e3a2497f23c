//! Time from a key to the frame on the heat map, with the number of books of a large corpus.
//!
//! ```text
//! cargo run --release -p lab --example heat_map -- [BOOKS]
//! ```
//!
//! The books are synthetic; their profiles are as large as real ones. Each key is one `update` and one frame, drawn by the terminal backend into a
//! writer that discards its bytes.

#[path = "screen/nowhere.rs"]
mod nowhere;

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use endpaper_detect::Cuts;
use endpaper_review::chord::chords;
use endpaper_review::heat::{BookShades, LineShades};
use endpaper_review::keymap::Keymap;
use endpaper_review::view::Theme;
use endpaper_review::{
    Effect, Message, Opened, Queue, QueueEntry, Session, SessionOptions, update,
};
use endpaper_text::config::MarkStyle;
use endpaper_text::corpus::BookId;
use endpaper_text::scan::Template;
use endpaper_truth::{Snapshot, StoredRecord};

use self::nowhere::{NullTerminal, theme};

const SIZES: [(u16, u16); 3] = [(80, 24), (160, 48), (300, 100)];
/// Measurements: a name, keys that lead there, and keys that are measured one by one.
const PLAYS: [(&str, &str, &str); 6] = [
    ("a book on", "", "<Right>"),
    ("a page on", "", "<PageDown>"),
    (
        "all on screen, a column on",
        "--------------------",
        "<Right>",
    ),
    ("other end, by cut", "o", "<Tab>"),
    (
        "other end, all on screen, by cut",
        "o--------------------",
        "<Tab>",
    ),
    ("next order, all on screen", "--------------------", "o"),
];
const ROUNDS: usize = 200;

fn main() -> Result<()> {
    let books = std::env::args().nth(1);
    let books: usize = books.map_or(Ok(10_000), |books| books.parse())?;
    println!("{books} books; key to frame, p50 and p99 of {ROUNDS}");
    for size in SIZES {
        for (name, before, keys) in PLAYS {
            let mut play = HeatPlay::new(size, books)?;
            play.keys(before)?;
            let mut times = Vec::with_capacity(ROUNDS);
            for _ in 0..ROUNDS {
                let start = Instant::now();
                play.keys(keys)?;
                times.push(start.elapsed());
            }
            times.sort_unstable();
            let at = |share: usize| ms(times[ROUNDS * share / 100]);
            let (width, height) = size;
            println!(
                "{width:>3}x{height:<3} {name:<34} {:>7} {:>7}",
                at(50),
                at(99)
            );
        }
    }
    Ok(())
}

fn ms(time: Duration) -> String {
    format!("{:.2}ms", time.as_secs_f64() * 1e3)
}

/// A heat map for which every book has been read.
struct HeatPlay {
    session: Session,
    screen: NullTerminal,
    theme: Theme,
}

impl HeatPlay {
    fn new((width, height): (u16, u16), books: usize) -> Result<HeatPlay> {
        let session = Session::new(
            SessionOptions::default(),
            Queue::default(),
            Keymap::defaults(),
        );
        let mut play = HeatPlay {
            session,
            screen: NullTerminal::new((width, height))?,
            theme: theme(MarkStyle::Unicode)?,
        };
        play.message(Message::Resize(width, height));
        play.message(Message::Entries {
            entries: (0..books).map(entry).collect(),
            counts_changed: false,
            model: None,
        });
        play.keys("gm")?;
        ensure!(play.session.background.heat.shown, "the map is not shown");
        Ok(play)
    }

    fn keys(&mut self, keys: &str) -> Result<()> {
        for chord in chords(keys)? {
            self.message(Message::Key(chord));
            self.screen.frame(&self.session, &self.theme)?;
        }
        Ok(())
    }

    fn message(&mut self, message: Message) {
        for effect in update(&mut self.session, message) {
            match effect {
                Effect::Heat { epoch, books } => {
                    let books = books.into_iter().map(|book| (book, shades(book)));
                    let books = books.collect();
                    self.message(Message::Heat { epoch, books });
                }
                // The map does not need a book, only that no load is pending.
                Effect::Open { ticket, book } => self.message(Message::Opened(Box::new(Opened {
                    ticket,
                    book,
                    page: Err("is not there".to_owned()),
                    record: StoredRecord::Nothing,
                    snapshot: Snapshot::default(),
                    anchored: None,
                    conflict_copies: Vec::new(),
                    same_text_record: None,
                    trouble: None,
                    dispute: None,
                }))),
                _ => {}
            }
        }
    }
}

fn mixed(number: usize) -> u32 {
    (number as u64)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .to_be_bytes()[0]
        .into()
}

fn entry(book: usize) -> QueueEntry {
    let outside = mixed(book);
    QueueEntry {
        id: Some(BookId::new(&format!("{book:05}.txt"))),
        title: format!("Story {book}"),
        cuts: Some(Cuts {
            preamble_end: outside,
            epilogue_start: Some(9000 - outside / 2),
        }),
        lines: 9000,
        doubt: Some(mixed(book + 1) as f32 / 256.0),
        template: Template(u64::from(mixed(book / 30))),
        template_rank: mixed(book / 30),
        ..QueueEntry::default()
    }
}

/// Returns 300 counted lines at each end, with a trivial line after each third.
fn shades(book: usize) -> Option<Box<BookShades>> {
    let outside = mixed(book);
    let line = |at: u32| {
        let line = at + at / 3;
        let shade = if line <= outside {
            3 + at % 3
        } else {
            at % 7 / 5
        };
        (line, shade as u8)
    };
    let strip = || LineShades::new((1..=300).map(line), false);
    Some(Box::new(BookShades::new(strip(), strip())))
}
