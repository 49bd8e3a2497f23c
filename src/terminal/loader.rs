//! Threads that read books and prepare their pages, so that the drawing thread never waits for a disk.
//!
//! The newest request comes first and an older one that has not begun is dropped; then come the books that may be wanted
//! soon. A few prepared pages are kept, as long as file and counts are the same.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use super::guard::panic_text;
use super::library::Library;
use crate::corpus::{Book, Place, Stamp, Text};
use crate::review::{Message, Opened, Page, opinion};
use crate::truth::{Found, Record, Snapshot, Verdict, reanchor};

/// Pages kept besides the newest.
const PAGES: usize = 4;
/// Bytes of text kept in pages besides the newest.
const BYTES: usize = 64 << 20;
/// How long a book waits for records to be searchable by text.
const PREPARING: Duration = Duration::from_millis(40);
/// Threads: one reads what is wanted while another still prepares something large.
const THREADS: usize = 2;

/// What a page was made from: the same key gives the same page.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Made {
    book: usize,
    stamp: Stamp,
    generation: u64,
}

/// What is asked for, what is at work, what is kept.
#[derive(Default)]
struct Desk {
    open: Option<(u64, usize)>,
    preload: Vec<usize>,
    busy: HashSet<usize>,
    kept: Vec<(Made, Arc<Page>)>,
    closed: bool,
    /// Records can be found by their text without reading all of them.
    prepared: bool,
}

enum Job {
    Open(u64, usize),
    Preload(usize),
}

impl Desk {
    /// The next job that no other thread is at.
    fn next(&mut self) -> Option<Job> {
        if let Some((ticket, book)) = self.open.filter(|(_, book)| !self.busy.contains(book)) {
            self.open = None;
            self.busy.insert(book);
            return Some(Job::Open(ticket, book));
        }
        let at = self
            .preload
            .iter()
            .position(|book| !self.busy.contains(book))?;
        let book = self.preload.remove(at);
        self.busy.insert(book);
        Some(Job::Preload(book))
    }

    /// The page made from just this, which becomes the newest.
    fn find(&mut self, made: &Made) -> Option<Arc<Page>> {
        let at = self.kept.iter().position(|(kept, _)| kept == made)?;
        let found = self.kept.remove(at);
        let page = found.1.clone();
        self.kept.push(found);
        Some(page)
    }

    /// Keeps a page as the newest and drops what is too old or too much.
    fn keep(&mut self, made: Made, page: Arc<Page>) {
        self.kept.retain(|(kept, _)| kept.book != made.book);
        self.kept.push((made, page));
        let size = |kept: &[(Made, Arc<Page>)]| -> usize {
            kept.iter().map(|(_, page)| page.text.bytes().len()).sum()
        };
        while self.kept.len() > 1 && (self.kept.len() > PAGES || size(&self.kept) > BYTES) {
            self.kept.remove(0);
        }
    }
}

#[derive(Default)]
struct Shared {
    desk: Mutex<Desk>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether records can be searched by text; waits a little for it, since the first book may be the very one, but
    /// not so long that a curator would.
    fn is_prepared(&self) -> bool {
        let waiting = |desk: &mut Desk| !desk.prepared && !desk.closed;
        let waited = self
            .changed
            .wait_timeout_while(self.lock(), PREPARING, waiting);
        let (desk, _) = waited.unwrap_or_else(PoisonError::into_inner);
        desk.prepared
    }

    /// Waits for a job; `None` ends the thread.
    fn wait(&self) -> Option<Job> {
        let mut desk = self.lock();
        loop {
            if desk.closed {
                return None;
            }
            if let Some(job) = desk.next() {
                return Some(job);
            }
            desk = self
                .changed
                .wait(desk)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The reading threads. They end when this is dropped, each after the book it is at.
pub struct Loader {
    shared: Arc<Shared>,
}

/// Starts the threads.
pub fn start(library: Arc<RwLock<Library>>, answers: Sender<Message>) -> Loader {
    let shared = Arc::new(Shared::default());
    let (preparing, prepared) = (library.clone(), shared.clone());
    std::thread::spawn(move || {
        let records = {
            let library = preparing.read().unwrap_or_else(PoisonError::into_inner);
            library.records.clone()
        };
        // Without it every search reads more; it is not worth a word.
        let _ = catch_unwind(AssertUnwindSafe(|| records.prepare()));
        prepared.lock().prepared = true;
        prepared.changed.notify_all();
    });
    for _ in 0..THREADS {
        let (shared, library, answers) = (shared.clone(), library.clone(), answers.clone());
        std::thread::spawn(move || work(&shared, &library, &answers));
    }
    Loader { shared }
}

impl Loader {
    /// Asks for a book; an older request that has not begun is dropped.
    pub fn open(&self, ticket: u64, book: usize) {
        self.shared.lock().open = Some((ticket, book));
        self.shared.changed.notify_all();
    }

    /// These books may be wanted soon, the likeliest first.
    pub fn preload(&self, books: Vec<usize>) {
        self.shared.lock().preload = books;
        self.shared.changed.notify_all();
    }
}

impl Drop for Loader {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_all();
    }
}

fn work(shared: &Shared, library: &RwLock<Library>, answers: &Sender<Message>) {
    while let Some(job) = shared.wait() {
        let library = library
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let (Job::Open(_, book) | Job::Preload(book)) = job;
        let page = page(shared, &library, book);
        let sent = match job {
            Job::Open(ticket, _) => {
                let opened = opened(&library, ticket, book, page, shared.is_prepared());
                answers.send(Message::Opened(Box::new(opened))).is_ok()
            }
            Job::Preload(_) => true,
        };
        shared.lock().busy.remove(&book);
        shared.changed.notify_all();
        if !sent {
            return;
        }
    }
}

/// The page of a book: one that is kept, or a new one.
fn page(shared: &Shared, library: &Library, index: usize) -> Result<Arc<Page>, String> {
    let book = library
        .books
        .get(index)
        .ok_or_else(|| "is not in the corpus any more".to_owned())?;
    let made = Made {
        book: index,
        stamp: stamp(book),
        generation: library.generation(),
    };
    if let Some(page) = shared.lock().find(&made) {
        return Ok(page);
    }
    let prepare = AssertUnwindSafe(|| {
        let bytes = book
            .read(library.max_size)
            .map_err(|error| error.to_string())?;
        let mut page = Page::new(Text::new(bytes), library.frequencies(), &library.parameters);
        page.learned = library.learned();
        if let Some(opinions) = library.opinions.get(book.id.as_str()) {
            opinion::offer(&mut page, opinions);
        }
        Ok(Arc::new(page))
    });
    let page: Result<Arc<Page>, String> = catch_unwind(prepare)
        .unwrap_or_else(|panic| Err(format!("cannot be shown: {}", panic_text(&*panic))));
    if let Ok(page) = &page {
        shared.lock().keep(made, page.clone());
    }
    page
}

/// The state of the file a book is in, now.
fn stamp(book: &Book) -> Stamp {
    let (Place::File(path) | Place::Gzip(path) | Place::Member { archive: path, .. }) = &book.place
    else {
        return book.stamp;
    };
    Stamp::of(path).unwrap_or(book.stamp)
}

/// The answer: the page with the record of the book.
fn opened(
    library: &Library,
    ticket: u64,
    book: usize,
    page: Result<Arc<Page>, String>,
    prepared: bool,
) -> Opened {
    let id = library.books.get(book).map_or("", |book| book.id.as_str());
    let load = AssertUnwindSafe(|| library.records.load(id));
    let loaded = catch_unwind(load).unwrap_or_else(|panic| {
        let why = panic_text(&*panic);
        Err(anyhow::anyhow!(
            "the record of '{id}' cannot be read: {why}"
        ))
    });
    let (found, known, trouble) = match loaded {
        Ok((found, known)) => (found, known, None),
        Err(error) => (
            Found::Nothing,
            Snapshot::default(),
            Some(format!("{error:#}")),
        ),
    };
    let elsewhere = match (&found, &page) {
        (Found::Nothing, Ok(page)) if prepared => library.records.elsewhere(&page.sha256, id),
        _ => None,
    };
    let anchored = match (&found, &page) {
        (Found::Record(record), Ok(page)) if needs_anchoring(record, page) => {
            let look = AssertUnwindSafe(|| Box::new(reanchor(record, &page.text)));
            // Then the detector's cuts are shown, as for a book nobody has decided.
            catch_unwind(look).ok()
        }
        _ => None,
    };
    Opened {
        ticket,
        book,
        page,
        found,
        known,
        anchored,
        asides: library.records.asides(id),
        elsewhere,
        trouble,
    }
}

/// The record has cuts that somebody put into other bytes.
fn needs_anchoring(record: &Record, page: &Page) -> bool {
    let has_cuts = record.verdict.has_cuts() || record.verdict == Verdict::Open;
    has_cuts && !record.is_about(&page.sha256)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::Parameters;
    use crate::frequency::Frequencies;

    fn made(book: usize) -> Made {
        Made {
            book,
            stamp: Stamp::default(),
            generation: 0,
        }
    }

    fn any_page(bytes: usize) -> Arc<Page> {
        let text = Text::new(vec![b'x'; bytes]);
        Arc::new(Page::new(
            text,
            &Frequencies::default(),
            &Parameters::default(),
        ))
    }

    #[test]
    fn the_newest_request_comes_first_and_replaces_an_older_one() {
        let mut desk = Desk {
            open: Some((1, 5)),
            preload: vec![7, 8],
            ..Desk::default()
        };
        desk.open = Some((2, 6));
        assert!(matches!(desk.next(), Some(Job::Open(2, 6))));
        assert!(matches!(desk.next(), Some(Job::Preload(7))));
        // A book that is being prepared is waited for, not read twice.
        desk.open = Some((3, 7));
        assert!(matches!(desk.next(), Some(Job::Preload(8))));
        assert!(desk.next().is_none());
        desk.busy.remove(&7);
        assert!(matches!(desk.next(), Some(Job::Open(3, 7))));
    }

    #[test]
    fn few_pages_are_kept_and_the_newest_always() {
        let mut desk = Desk::default();
        for book in 0..6 {
            desk.keep(made(book), any_page(10));
        }
        assert!(desk.find(&made(1)).is_none());
        assert!(desk.find(&made(2)).is_some());
        desk.keep(made(9), any_page(10));
        assert!(desk.find(&made(3)).is_none(), "the oldest goes");
        assert!(desk.find(&made(2)).is_some(), "what was used stays");
        let mut changed = made(2);
        changed.generation = 1;
        assert!(desk.find(&changed).is_none());
    }
}
