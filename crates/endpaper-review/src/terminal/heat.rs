//! A thread that makes the profiles of the heat map: from the Scans of the last survey, or from the books.
//!
//! The newest request replaces the older one; answers come in batches, some twenty a second. It rests, and lets go of
//! the index of the Scans, as soon as nothing is wanted.

use std::collections::VecDeque;
use std::sync::mpsc::Sender;
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use super::desk::{Desk, Front};
use super::library::Library;
use crate::Message;
use crate::heat::Profile;
use endpaper_detect::pipeline::Scans;
use endpaper_text::scan::Scan;

/// An answer is sent after so long, so that the picture grows smoothly and the screen is not flooded.
const PATIENCE: Duration = Duration::from_millis(50);
/// The first answer to a request comes sooner: a curator waits for it.
const FIRST: Duration = Duration::from_millis(15);

/// What is asked for.
#[derive(Default)]
struct Wanted {
    epoch: u64,
    books: VecDeque<usize>,
    /// Counts requests.
    request: u64,
}

impl Wanted {
    /// The next book of the newest request.
    fn next(&mut self) -> Option<Task> {
        Some(Task {
            request: self.request,
            epoch: self.epoch,
            book: self.books.pop_front()?,
        })
    }
}

struct Task {
    request: u64,
    epoch: u64,
    book: usize,
}

/// The thread. It ends when this is dropped, after the book it is at.
pub struct Painter {
    desk: Front<Wanted>,
}

/// Starts the thread.
pub fn start(library: Arc<RwLock<Library>>, answers: Sender<Message>) -> Painter {
    let desk = Front::<Wanted>::new();
    let back = desk.back();
    std::thread::spawn(move || {
        let wanted = |wanted: &mut Wanted| (!wanted.books.is_empty()).then_some(());
        while back.wait(wanted).is_some() {
            if !work(&back, &library, &answers) {
                return;
            }
        }
    });
    Painter { desk }
}

impl Painter {
    /// Asks for the profiles of some books; what was asked before and is not begun is dropped.
    pub fn ask(&self, epoch: u64, books: Vec<usize>) {
        self.desk.put(|wanted| {
            wanted.epoch = epoch;
            wanted.books = books.into();
            wanted.request += 1;
        });
    }
}

/// Does what is wanted until nothing is left; `false` if nobody listens any more.
fn work(desk: &Desk<Wanted>, library: &RwLock<Library>, answers: &Sender<Message>) -> bool {
    let shared = library;
    let mut library = Library::now(shared);
    let mut scans = Scans::open(&library.books, &library.survey);
    let (mut batch, mut request) = (Batch::default(), 0);
    while let Some(task) = desk.take(Wanted::next) {
        let new = task.request != request;
        if new && !batch.send(answers) {
            return false;
        }
        if new {
            request = task.request;
            batch = Batch::begin(task.epoch);
            let generation = library.generation();
            library = Library::now(shared);
            if library.generation() != generation {
                // A survey ended: there are other Scans now.
                scans = Scans::open(&library.books, &library.survey);
            }
        }
        let profile = |scan: &Scan| {
            let threshold = library.parameters.threshold;
            Some(Box::new(Profile::of(
                scan,
                library.frequencies(),
                threshold,
            )))
        };
        let profile = library.of_scan(&mut scans, task.book, profile);
        batch.books.push((task.book, profile));
        if batch.is_due() && !batch.send(answers) {
            return false;
        }
    }
    batch.send(answers)
}

/// Profiles that were made and not sent yet.
struct Batch {
    epoch: u64,
    books: Vec<(usize, Option<Box<Profile>>)>,
    since: Instant,
    patience: Duration,
}

impl Default for Batch {
    fn default() -> Batch {
        Batch::begin(0)
    }
}

impl Batch {
    fn begin(epoch: u64) -> Batch {
        Batch {
            epoch,
            books: Vec::new(),
            since: Instant::now(),
            patience: FIRST,
        }
    }

    fn is_due(&self) -> bool {
        self.since.elapsed() >= self.patience
    }

    /// `false` if nobody listens any more.
    fn send(&mut self, answers: &Sender<Message>) -> bool {
        if self.books.is_empty() {
            return true;
        }
        let message = Message::Heat {
            epoch: self.epoch,
            books: std::mem::take(&mut self.books),
        };
        (self.since, self.patience) = (Instant::now(), PATIENCE);
        answers.send(message).is_ok()
    }
}
