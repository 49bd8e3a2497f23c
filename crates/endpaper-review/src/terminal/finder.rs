//! A thread that looks for a line in the Scans of the last survey, or in the books.
//!
//! The newest wish replaces the older one at once; what is found comes in batches, some ten a second. It rests, and lets
//! go of the index of the Scans, as soon as nothing is wanted.

use std::sync::mpsc::Sender;
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use super::desk::{Desk, Front};
use super::library::Library;
use crate::Message;
use crate::occurrences::{Batch, Seek, hits};
use endpaper_detect::pipeline::Scans;
use endpaper_text::scan::Scan;

/// An answer is sent after so long, so that the list grows smoothly and the screen is not flooded.
const PATIENCE: Duration = Duration::from_millis(100);
/// The first answer to a wish comes sooner: a curator waits for it.
const FIRST: Duration = Duration::from_millis(30);

/// What is asked for.
#[derive(Default)]
struct Wanted {
    seek: Option<Seek>,
    /// Counts wishes.
    wish: u64,
}

/// The thread. It ends when this is dropped, after the book it is at.
pub struct Finder {
    desk: Front<Wanted>,
}

/// Starts the thread.
pub fn start(library: Arc<RwLock<Library>>, answers: Sender<Message>) -> Finder {
    let desk = Front::<Wanted>::new();
    let back = desk.back();
    std::thread::spawn(move || {
        let take = |wanted: &mut Wanted| Some((wanted.wish, wanted.seek.take()?));
        while let Some((wish, seek)) = back.wait(take) {
            let newer = |wanted: &Wanted| wanted.wish != wish;
            // A cursor that moves on wants nothing of the lines it passes.
            if !seek.rest.is_zero() && back.wait_for(seek.rest, newer) {
                continue;
            }
            if !work(&back, wish, &seek, &library, &answers) {
                return;
            }
        }
    });
    Finder { desk }
}

impl Finder {
    /// Looks for something else from now on; `None`: for nothing.
    pub fn ask(&self, seek: Option<Seek>) {
        self.desk.put(|wanted| {
            wanted.seek = seek;
            wanted.wish += 1;
        });
    }
}

/// Looks into one book after another until something else is wanted; `false` if nobody listens any more.
fn work(
    desk: &Desk<Wanted>,
    wish: u64,
    seek: &Seek,
    library: &RwLock<Library>,
    answers: &Sender<Message>,
) -> bool {
    let library = Library::now(library);
    let mut scans = Scans::open(&library.books, &library.survey);
    let windows = (library.parameters.head, library.parameters.tail);
    let mut batch = Batch {
        epoch: seek.epoch,
        windows,
        ..Batch::default()
    };
    let mut since = Instant::now();
    let (mut patience, mut found) = (FIRST, 0);
    for &book in &seek.books {
        // A closed desk answers nothing.
        let wanted = desk.take(|wanted| Some(wanted.wish == wish));
        if wanted != Some(true) {
            return wanted.is_some();
        }
        let before = batch.hits.len();
        let look = |scan: &Scan| Some(hits(scan, book, seek.sought).collect::<Vec<_>>());
        match library.of_scan(&mut scans, book, look) {
            Some(hits) => batch.hits.extend(hits),
            None => batch.unreadable += 1,
        }
        batch.read += 1;
        found += usize::from(batch.hits.len() > before);
        if found >= seek.enough {
            break;
        }
        if since.elapsed() >= patience {
            (since, patience) = (Instant::now(), PATIENCE);
            let hits = std::mem::take(&mut batch.hits);
            let full = Batch {
                hits,
                ..batch.clone()
            };
            if answers.send(Message::Hits(full)).is_err() {
                return false;
            }
        }
    }
    batch.done = true;
    answers.send(Message::Hits(batch)).is_ok()
}
