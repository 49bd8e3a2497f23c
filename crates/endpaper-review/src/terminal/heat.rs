//! A thread that makes the profiles of the heat map: from the Scans of the last survey, or from the books.
//!
//! The newest request replaces the older one; answers come in batches, some twenty a second. It rests, and lets go of
//! the index of the Scans, as soon as nothing is wanted.

use std::sync::mpsc::Sender;
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use super::library::Library;
use super::worker::{LatestWorker, WorkTurn};
use crate::Message;
use crate::heat::BookProfile;
use endpaper_detect::pipeline::ScanReader;
use endpaper_text::scan::Scan;

/// An answer is sent after so long, so that the picture grows smoothly and the screen is not flooded.
const PATIENCE: Duration = Duration::from_millis(50);
/// The first answer to a request comes sooner: a curator waits for it.
const FIRST: Duration = Duration::from_millis(15);

/// The books whose profiles are asked for.
pub struct HeatRequest {
    /// Comes back in the answers.
    pub epoch: u64,
    /// The books, the most wanted first.
    pub books: Vec<usize>,
}

/// The thread. It ends when this is dropped, after the book it is at.
pub type HeatPainter = LatestWorker<HeatRequest>;

/// Starts the thread.
pub fn start(library: Arc<RwLock<Library>>, answers: Sender<Message>) -> HeatPainter {
    let mut kept = None;
    let work =
        move |wish: &HeatRequest, turn: &WorkTurn<'_, HeatRequest>| match wish.books.is_empty() {
            true => kept = None,
            false => work(&mut kept, &library, wish, turn),
        };
    let failed =
        |_: &HeatRequest, why| Message::Notice(format!("the heat map cannot be drawn: {why}"));
    LatestWorker::start(answers, work, failed)
}

/// Makes the profiles of books until all are made or others are wanted. The Scans are kept for a newer wish only.
fn work(
    kept: &mut Option<(u64, ScanReader)>,
    library: &RwLock<Library>,
    wish: &HeatRequest,
    turn: &WorkTurn<'_, HeatRequest>,
) {
    let library = Library::current(library);
    let generation = library.generation();
    // After another survey there are other Scans.
    let (_, mut scans) = kept
        .take_if(|(of, _)| *of == generation)
        .unwrap_or_else(|| {
            (
                generation,
                ScanReader::open(&library.books, &library.analysis_options),
            )
        });
    let profile = |scan: &Scan| {
        let threshold = library.parameters.threshold;
        Some(Box::new(BookProfile::of(
            scan,
            library.frequencies(),
            threshold,
        )))
    };
    let mut batch = ProfileBatch::begin(wish.epoch);
    for &book in wish.books.iter().take_while(|_| turn.is_wanted()) {
        let profile = library.with_scan(&mut scans, book, profile);
        batch.books.push((book, profile));
        if batch.is_due() {
            batch.send(turn);
        }
    }
    batch.send(turn);
    *kept = (!turn.is_wanted()).then_some((generation, scans));
}

/// Profiles that were made and not sent yet.
struct ProfileBatch {
    epoch: u64,
    books: Vec<(usize, Option<Box<BookProfile>>)>,
    since: Instant,
    patience: Duration,
}

impl ProfileBatch {
    fn begin(epoch: u64) -> ProfileBatch {
        ProfileBatch {
            epoch,
            books: Vec::new(),
            since: Instant::now(),
            patience: FIRST,
        }
    }

    fn is_due(&self) -> bool {
        self.since.elapsed() >= self.patience
    }

    fn send(&mut self, turn: &WorkTurn<'_, HeatRequest>) {
        if self.books.is_empty() {
            return;
        }
        turn.answer(Message::Heat {
            epoch: self.epoch,
            books: std::mem::take(&mut self.books),
        });
        (self.since, self.patience) = (Instant::now(), PATIENCE);
    }
}
