//! A thread that computes the shades of the heat map, from the scans of the last analysis or from the books.
//!
//! A new request replaces the previous one; answers come in batches, about twenty per second. With no request, the thread
//! sleeps and drops the index of the scans.

use std::sync::mpsc::Sender;
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use super::library::Library;
use super::worker::{LatestWorker, WorkTurn};
use crate::Message;
use crate::heat::BookShades;
use endpaper_detect::pipeline::ScanReader;
use endpaper_text::scan::Scan;

/// Interval between answers, so that the map grows smoothly and the screen is not flooded.
const ANSWER_INTERVAL: Duration = Duration::from_millis(50);
/// Delay of the first answer to a request, which is shorter because a curator waits for it.
const FIRST: Duration = Duration::from_millis(15);

/// A request for shades of books.
pub struct HeatRequest {
    /// Returned in the answers.
    pub epoch: u64,
    /// The books, in order of priority.
    pub books: Vec<usize>,
}

/// The thread. It ends when this is dropped, after the current book.
pub type HeatPainter = LatestWorker<HeatRequest>;

/// Starts the thread.
pub fn start(library: Arc<RwLock<Library>>, answers: Sender<Message>) -> HeatPainter {
    let mut kept = None;
    let work = move |request: &HeatRequest, turn: &WorkTurn<'_, HeatRequest>| match request
        .books
        .is_empty()
    {
        true => kept = None,
        false => work(&mut kept, &library, request, turn),
    };
    let failed =
        |_: &HeatRequest, why| Message::Notice(format!("the heat map cannot be drawn: {why}"));
    LatestWorker::start(answers, work, failed)
}

/// Computes shades until all are done or others are wanted. The scans are kept in `kept` only for a newer request.
fn work(
    kept: &mut Option<(u64, ScanReader)>,
    library: &RwLock<Library>,
    request: &HeatRequest,
    turn: &WorkTurn<'_, HeatRequest>,
) {
    let library = Library::current(library);
    let generation = library.generation();
    // Another analysis has other scans.
    let (_, mut scans) = kept
        .take_if(|(of, _)| *of == generation)
        .unwrap_or_else(|| {
            (
                generation,
                ScanReader::open(&library.books, &library.analysis_options),
            )
        });
    let shades = |scan: &Scan| {
        let threshold = library.parameters.threshold;
        Some(Box::new(BookShades::of(
            scan,
            library.frequencies(),
            threshold,
        )))
    };
    let mut batch = ProfileBatch::begin(request.epoch);
    for &book in request.books.iter().take_while(|_| turn.is_wanted()) {
        let shades = library.with_scan(&mut scans, book, shades);
        batch.books.push((book, shades));
        if batch.is_due() {
            batch.send(turn);
        }
    }
    batch.send(turn);
    *kept = (!turn.is_wanted()).then_some((generation, scans));
}

/// Shades of books that are sent together. The batch is due `patience` after it began.
struct ProfileBatch {
    epoch: u64,
    books: Vec<(usize, Option<Box<BookShades>>)>,
    since: Instant,
    patience: Duration,
}

impl ProfileBatch {
    /// An empty batch for the request `epoch`.
    fn begin(epoch: u64) -> ProfileBatch {
        ProfileBatch {
            epoch,
            books: Vec::new(),
            since: Instant::now(),
            patience: FIRST,
        }
    }

    /// Whether the batch should be sent.
    fn is_due(&self) -> bool {
        self.since.elapsed() >= self.patience
    }

    /// Sends the books of the batch and begins another.
    fn send(&mut self, turn: &WorkTurn<'_, HeatRequest>) {
        if self.books.is_empty() {
            return;
        }
        turn.answer(Message::Heat {
            epoch: self.epoch,
            books: std::mem::take(&mut self.books),
        });
        (self.since, self.patience) = (Instant::now(), ANSWER_INTERVAL);
    }
}
