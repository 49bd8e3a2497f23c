//! A thread that searches for a line in the scans of the last analysis, or in the books.
//!
//! A new request replaces the previous one immediately; results come in batches, about ten per second. With no request, the
//! thread sleeps and drops the index of the scans.

use std::sync::mpsc::Sender;
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use super::library::Library;
use super::worker::{LatestWorker, WorkTurn};
use crate::Message;
use crate::occurrences::{OccurrenceBatch, OccurrenceRequest, find_hits};
use endpaper_detect::pipeline::ScanReader;
use endpaper_text::scan::Scan;

/// Interval between answers, so that the list grows smoothly and the screen is not flooded.
const ANSWER_INTERVAL: Duration = Duration::from_millis(100);
/// Delay of the first answer to a request, which is shorter because a curator waits for it.
const FIRST: Duration = Duration::from_millis(30);

/// The thread. It ends when this is dropped, after the current book.
pub type OccurrenceFinder = LatestWorker<OccurrenceRequest>;

/// Starts the thread.
pub fn start(library: Arc<RwLock<Library>>, answers: Sender<Message>) -> OccurrenceFinder {
    let work = move |seek: &OccurrenceRequest, turn: &WorkTurn<'_, OccurrenceRequest>| {
        // Lines that a moving cursor passes are not searched.
        turn.rest(seek.delay);
        if turn.is_wanted() {
            look(seek, &Library::current(&library), turn);
        }
    };
    let failed = |_: &OccurrenceRequest, why| {
        Message::Notice(format!("the search for the line failed: {why}"))
    };
    LatestWorker::start(answers, work, failed)
}

/// Searches one book after another until the request is replaced.
fn look(seek: &OccurrenceRequest, library: &Library, turn: &WorkTurn<'_, OccurrenceRequest>) {
    let mut scans = ScanReader::open(&library.books, &library.analysis_options);
    let windows = (library.parameters.head, library.parameters.tail);
    let mut batch = OccurrenceBatch {
        epoch: seek.epoch,
        windows,
        ..OccurrenceBatch::default()
    };
    let mut since = Instant::now();
    let (mut patience, mut found) = (FIRST, 0);
    for &book in &seek.books {
        if !turn.is_wanted() {
            return;
        }
        let before = batch.hits.len();
        let look = |scan: &Scan| Some(find_hits(scan, book, seek.query).collect::<Vec<_>>());
        match library.with_scan(&mut scans, book, look) {
            Some(hits) => batch.hits.extend(hits),
            None => batch.unreadable += 1,
        }
        batch.read += 1;
        found += usize::from(batch.hits.len() > before);
        if found >= seek.max_books {
            break;
        }
        if since.elapsed() >= patience {
            (since, patience) = (Instant::now(), ANSWER_INTERVAL);
            let hits = std::mem::take(&mut batch.hits);
            turn.answer(Message::Hits(OccurrenceBatch {
                hits,
                ..batch.clone()
            }));
        }
    }
    batch.done = true;
    turn.answer(Message::Hits(batch));
}
