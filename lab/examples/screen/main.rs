//! Times of the review screen without a terminal: from a key to the bytes of its frame, and to the next book.
//!
//! ```text
//! cargo run --release -p lab --example screen -- FOLDER [ROUNDS]
//! ```
//!
//! Books of several lengths are assembled from the texts of the folder. Every key of a script goes through the same update, drawing and encoding
//! as in the program, with a queue of [`QUEUE`] books, once idle and once while the folder is analysed with the number of threads that the
//! program uses for such work.

mod nowhere;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use endpaper_detect::Parameters;
use endpaper_detect::frequency::built_in;
use endpaper_detect::pipeline::{AnalysisOptions, ModelSource, analyse, background_threads};
use endpaper_review::chord::{Chord, chords};
use endpaper_review::keymap::Keymap;
use endpaper_review::view::Theme;
use endpaper_review::{BookPage, Effect, Message, Opened, Queue, QueueEntry, Session, update};
use endpaper_text::config::MarkStyle;
use endpaper_text::corpus::{Book, BookId, BookText, Listing, ListingRequest, list};
use endpaper_text::scan::Template;

use self::nowhere::{NullTerminal, theme};

/// Books in the queue.
const QUEUE: usize = 75_000;

const SIZES: [(u16, u16); 2] = [(80, 24), (160, 48)];

/// The keys played: moves, cuts at both ends, folds, a search, the whole text, overlays, undo.
const SCRIPT: &str = "jjjjjkkk<C-d><C-u><PageDown><PageUp>JJJJKKKK]][[}}{{MMd123d<Tab>JJKK][}{12d<Tab>zzZZ\
    /the<Enter>>>>>>>>><lt><lt>/GUTENBERG<Enter>>>>v<PageDown><PageDown><PageDown><PageDown><C-d>jjjj]]]JJJGggv.\
    ?cut<Esc>i<Esc>b<Esc>s<Esc>ttth:1000<Enter>cx%x<lt>uuuUUUmmgqgqJKJKJKJK<Tab>JKJKJKJK";

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().context("usage: screen FOLDER [ROUNDS]")?;
    let rounds = arguments.next().map_or(Ok(10), |rounds| rounds.parse())?;
    let listing = list(&ListingRequest {
        roots: vec![folder.into()],
        ..ListingRequest::default()
    })?;
    let books = [
        ("4,000 lines", text_of(&listing, 4_000)?),
        ("40,000 lines", text_of(&listing, 40_000)?),
        ("100,000 lines", text_of(&listing, 100_000)?),
        ("one line of 10 MB", one_line(10 << 20)),
    ];
    let bench = ScreenBench {
        theme: theme(MarkStyle::Auto)?,
        entries: entries(&listing),
        script: chords(SCRIPT).map_err(|error| anyhow::anyhow!("{error}"))?,
        rounds,
    };
    println!("key to frame, {rounds} x {} keys", bench.script.len());
    println!(
        "{:<18} {:>7} {:<9} {:>9} {:>9} {:>9}  slowest key",
        "book", "screen", "survey", "p50", "p99", "max"
    );
    for busy in [false, true] {
        let behind = busy.then(|| LoopingSurveys::start(&listing));
        for (name, text) in &books {
            bench.keys(name, text, if busy { "running" } else { "none" })?;
        }
        drop(behind);
    }
    println!(
        "\nopen the next book\n{:<18} {:>9} {:>9} {:>9}",
        "book", "read", "page", "frame"
    );
    books
        .iter()
        .try_for_each(|(name, text)| bench.opening(name, text))
}

struct ScreenBench {
    theme: Theme,
    entries: Vec<QueueEntry>,
    script: Vec<Chord>,
    rounds: usize,
}

impl ScreenBench {
    /// One line of the first table for each size of the screen.
    fn keys(&self, name: &str, text: &[u8], report: &str) -> Result<()> {
        let page = Arc::new(page_of(text));
        for (width, height) in SIZES {
            let mut times = Vec::new();
            for _ in 0..self.rounds {
                let mut play = self.play(width, height)?;
                play.open(&page);
                play.screen.frame(&play.session, &self.theme)?;
                for &chord in &self.script {
                    let start = Instant::now();
                    play.message(Message::Key(chord));
                    play.screen.frame(&play.session, &self.theme)?;
                    times.push((start.elapsed(), chord));
                    ensure!(!play.left, "'{chord}' left the book");
                }
            }
            times.sort_unstable_by_key(|(time, _)| *time);
            let at = |percent: usize| times[(times.len() - 1) * percent / 100].0;
            let (max, key) = times[times.len() - 1];
            println!(
                "{name:<18} {:>7} {report:<9} {:>9.1?} {:>9.1?} {max:>9.1?}  {key}",
                format!("{width}x{height}"),
                at(50),
                at(99),
            );
        }
        Ok(())
    }

    /// Prints one row of the second table: medians of reading the file, preparing its page and drawing the first frame.
    fn opening(&self, name: &str, text: &[u8]) -> Result<()> {
        let file = tempfile::NamedTempFile::new()?;
        std::fs::write(file.path(), text)?;
        let mut times: [Vec<Duration>; 3] = Default::default();
        for _ in 0..self.rounds.max(5) {
            let mut play = self.play(160, 48)?;
            let start = Instant::now();
            let bytes = std::fs::read(file.path())?;
            let read = start.elapsed();
            let page = Arc::new(page_of(&bytes));
            let made = start.elapsed();
            play.open(&page);
            play.screen.frame(&play.session, &self.theme)?;
            let drawn = start.elapsed();
            for (times, time) in times.iter_mut().zip([read, made - read, drawn - made]) {
                times.push(time);
            }
        }
        let [read, page, frame] = times.map(median);
        println!("{name:<18} {read:>9.1?} {page:>9.1?} {frame:>9.1?}");
        Ok(())
    }

    /// Starts a session with the whole queue, before its first book.
    fn play(&self, width: u16, height: u16) -> Result<PlayedSession> {
        let options = endpaper_review::SessionOptions {
            themes: vec![self.theme.name.clone()],
            ..Default::default()
        };
        let session = Session::new(options, Queue::default(), Keymap::defaults());
        let mut play = PlayedSession {
            session,
            screen: NullTerminal::new((width, height))?,
            asked: None,
            left: false,
        };
        play.message(Message::Resize(width, height));
        play.message(Message::Entries {
            entries: self.entries.clone(),
            counts_changed: false,
            model: None,
        });
        Ok(play)
    }
}

struct PlayedSession {
    session: Session,
    screen: NullTerminal,
    /// Ticket and index of the book that the session waits for.
    asked: Option<(u64, usize)>,
    /// Whether the session requested another book after the first.
    left: bool,
}

impl PlayedSession {
    fn message(&mut self, message: Message) {
        for effect in update(&mut self.session, message) {
            if let Effect::Open { ticket, book } = effect {
                self.left = self.session.doc.open.is_some();
                self.asked = Some((ticket, book));
            }
        }
    }

    fn open(&mut self, page: &Arc<BookPage>) {
        let Some((ticket, book)) = self.asked.take() else {
            return;
        };
        let opened = Opened::without_record(ticket, book, page.clone());
        self.message(Message::Opened(Box::new(opened)));
    }
}

/// Analyses the folder repeatedly until dropped.
struct LoopingSurveys {
    cancel: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl LoopingSurveys {
    fn start(listing: &Listing) -> LoopingSurveys {
        let cancel = Arc::new(AtomicBool::new(false));
        let (listing, stop) = (listing.clone(), cancel.clone());
        let options = AnalysisOptions {
            model: ModelSource::Corpus.into(),
            threads: background_threads(),
            ..AnalysisOptions::default()
        };
        let work = move || {
            while !stop.load(Ordering::Relaxed) {
                // The result is irrelevant; the last analysis is cancelled.
                let _ = analyse(&listing, &options, &|_| {}, &stop);
            }
        };
        LoopingSurveys {
            cancel,
            thread: Some(std::thread::spawn(work)),
        }
    }
}

impl Drop for LoopingSurveys {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Returns [`QUEUE`] entries, repeating the names of the folder's books.
fn entries(listing: &Listing) -> Vec<QueueEntry> {
    let names = listing.books.iter().cycle().take(QUEUE);
    let entry = |(number, book): (usize, &Book)| QueueEntry {
        id: Some(BookId::new(&format!("{number:05}/{}", book.id.as_str()))),
        title: book.id.name().to_owned(),
        producer: format!("hand {}", number % 50),
        template: Template(number as u64 % 300 + 1),
        template_rank: 1 + (number % 300) as u32,
        doubt: Some(number as f32 / QUEUE as f32),
        ..QueueEntry::default()
    };
    names.enumerate().map(entry).collect()
}

fn page_of(bytes: &[u8]) -> BookPage {
    BookPage::new(
        BookText::new(bytes.to_vec()),
        &built_in().frequencies,
        &Parameters::default(),
    )
}

/// Concatenates the first texts of the folder, cut after `lines` lines. The end of one book is kept at the end.
fn text_of(listing: &Listing, lines: usize) -> Result<Vec<u8>> {
    const END: usize = 300;
    let mut text = Vec::new();
    let mut count = 0;
    for book in &listing.books {
        for line in book.read(u64::MAX)?.split_inclusive(|&byte| byte == b'\n') {
            count += 1;
            if count <= lines - END {
                text.extend_from_slice(line);
            }
        }
        if count >= lines {
            let last = book.read(u64::MAX)?;
            let last: Vec<&[u8]> = last.split_inclusive(|&byte| byte == b'\n').collect();
            text.extend(last[last.len().saturating_sub(END)..].concat());
            return Ok(text);
        }
    }
    anyhow::bail!("the folder has only {count} lines; {lines} are needed")
}

fn one_line(bytes: usize) -> Vec<u8> {
    let words =
        b"It is a truth universally acknowledged, that a single line may hold a whole book. ";
    words.iter().copied().cycle().take(bytes).collect()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
