//! Threads that read books and prepare their pages, so that the drawing thread never waits for a disk.
//!
//! The newest request to open a book comes first and replaces one that has not started; then comes another edition to align
//! with the open book, then the one whose evidence is shown, then books that may be opened soon. A few pages are cached while
//! their file and counts are unchanged.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use super::guard::panic_text;
use super::job_slot::{JobSender, JobSlot};
use super::library::Library;
use crate::editions::{EditionComparison, EditionRequest};
use crate::{BookPage, Message, Opened};
use endpaper_text::corpus::{Book, FileStamp};
use endpaper_truth::{Record, Snapshot, StoredRecord, Verdict, relocate};

const PAGES: usize = 4;
/// Maximum size of cached pages, in bytes of text; the newest page is always cached.
const BYTES: usize = 64 << 20;
/// How long opening a book waits until records can be searched by text.
const PREPARING: Duration = Duration::from_millis(40);
/// Minimum number of threads: one opens a book while another still prepares a large one.
const THREADS: usize = 2;
/// Maximum number of threads: a book may take minutes, and others are opened in the meantime.
const MOST_THREADS: usize = 8;

/// Inputs of a page: equal keys mean equal pages.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PageKey {
    book: usize,
    stamp: FileStamp,
    generation: u64,
}

/// What the drawing thread asked the loading threads for, and the pages they keep.
#[derive(Default)]
struct LoaderState {
    open: Option<(u64, usize)>,
    align: Option<EditionRequest>,
    /// The edition whose evidence is shown, which is aligned after one that was asked for.
    evidence: Option<EditionRequest>,
    preload: Vec<usize>,
    busy: HashSet<usize>,
    cached_pages: Vec<(PageKey, Arc<BookPage>)>,
    /// Records can be found by text without reading all of them.
    prepared: bool,
    /// Number of threads, and of those that are idle.
    threads: usize,
    idle: usize,
}

/// What a loading thread does next: opens a book (ticket, index), aligns an edition, or prepares a book that may be
/// opened soon.
enum LoadJob {
    Open(u64, usize),
    Align(EditionRequest),
    Preload(usize),
}

impl LoaderState {
    /// Registers another thread if all are busy and the maximum is not reached; returns whether to start it.
    fn claim_thread(&mut self) -> bool {
        let wanted = self.idle == 0 && self.threads < MOST_THREADS;
        self.threads += usize::from(wanted);
        wanted
    }

    /// Unregisters an additional thread once another one is idle; returns whether it ends.
    fn release_thread(&mut self) -> bool {
        let leaves = self.threads > THREADS && self.idle > 0;
        self.threads -= usize::from(leaves);
        leaves
    }

    /// The next job on a book that no other thread is working on.
    fn next(&mut self) -> Option<LoadJob> {
        if let Some((ticket, book)) = self.open.filter(|(_, book)| !self.busy.contains(book)) {
            self.open = None;
            self.busy.insert(book);
            return Some(LoadJob::Open(ticket, book));
        }
        let busy = &self.busy;
        let is_free = |request: &mut EditionRequest| !busy.contains(&request.book);
        let asked = self.align.take_if(is_free);
        if let Some(request) = asked.or_else(|| self.evidence.take_if(is_free)) {
            self.busy.insert(request.book);
            return Some(LoadJob::Align(request));
        }
        let at = self
            .preload
            .iter()
            .position(|book| !self.busy.contains(book))?;
        let book = self.preload.remove(at);
        self.busy.insert(book);
        Some(LoadJob::Preload(book))
    }

    /// The cached page with this key, which becomes the newest.
    fn find(&mut self, made: &PageKey) -> Option<Arc<BookPage>> {
        let at = self
            .cached_pages
            .iter()
            .position(|(kept, _)| kept == made)?;
        let found = self.cached_pages.remove(at);
        let page = found.1.clone();
        self.cached_pages.push(found);
        Some(page)
    }

    /// Caches a page as the newest, and drops old pages beyond the limits.
    fn keep(&mut self, made: PageKey, page: Arc<BookPage>) {
        self.cached_pages.retain(|(kept, _)| kept.book != made.book);
        self.cached_pages.push((made, page));
        let size = |kept: &[(PageKey, Arc<BookPage>)]| -> usize {
            kept.iter().map(|(_, page)| page.text.bytes().len()).sum()
        };
        while self.cached_pages.len() > 1
            && (self.cached_pages.len() > PAGES || size(&self.cached_pages) > BYTES)
        {
            self.cached_pages.remove(0);
        }
    }
}

/// The loader threads. When this is dropped, each ends after its current book.
pub struct PageLoader {
    jobs: JobSender<LoaderState>,
    library: Arc<RwLock<Library>>,
    answers: Sender<Message>,
}

/// Starts the threads.
pub fn start(library: Arc<RwLock<Library>>, answers: Sender<Message>) -> PageLoader {
    let desk = JobSender::<LoaderState>::new();
    let (preparing, prepared) = (library.clone(), desk.back());
    std::thread::spawn(move || {
        let records = Library::current(&preparing).records;
        // Without the index every search reads more; a failure is not reported.
        let _ = catch_unwind(AssertUnwindSafe(|| records.index_texts()));
        prepared.put(|wanted| wanted.prepared = true);
    });
    let loader = PageLoader {
        jobs: desk,
        library,
        answers,
    };
    for _ in 0..THREADS {
        loader.jobs.with(|wanted| wanted.threads += 1);
        loader.spawn();
    }
    loader
}

impl PageLoader {
    /// Requests a book; an older request that has not started is dropped.
    pub fn open(&self, ticket: u64, book: usize) {
        self.jobs.put(|wanted| wanted.open = Some((ticket, book)));
        if self.jobs.with(LoaderState::claim_thread) {
            self.spawn();
        }
    }

    /// Starts one more thread.
    fn spawn(&self) {
        let (library, answers) = (self.library.clone(), self.answers.clone());
        let desk = self.jobs.back();
        std::thread::spawn(move || work(&desk, &library, &answers));
    }

    /// Requests another edition aligned with the open book; an older request that has not started is dropped, if both or
    /// neither are for evidence.
    pub fn align(&self, request: EditionRequest) {
        self.jobs.put(|wanted| match request.is_evidence {
            true => wanted.evidence = Some(request),
            false => wanted.align = Some(request),
        });
    }

    /// Prepares books that may be opened soon, in order of likelihood.
    pub fn preload(&self, books: Vec<usize>) {
        self.jobs.put(|wanted| wanted.preload = books);
    }
}

/// Takes jobs and sends their results, until the slot is closed.
fn work(desk: &JobSlot<LoaderState>, library: &RwLock<Library>, answers: &Sender<Message>) {
    while let Some(job) = next(desk) {
        let library = Library::current(library);
        let book = match &job {
            LoadJob::Open(_, book) | LoadJob::Preload(book) => *book,
            LoadJob::Align(request) => request.book,
        };
        let page = page(desk, &library, book);
        let sent = match job {
            LoadJob::Open(ticket, _) => {
                // Records should be searchable by text first, but the curator must not wait long.
                let prepared = desk.wait_for(PREPARING, |wanted| wanted.prepared);
                let opened = opened(&library, ticket, book, page, prepared);
                answers.send(Message::Opened(Box::new(opened))).is_ok()
            }
            LoadJob::Align(request) => {
                let ticket = request.ticket;
                let result = page.and_then(|page| aligned(&library, &request, page));
                answers.send(Message::Aligned { ticket, result }).is_ok()
            }
            LoadJob::Preload(_) => true,
        };
        let mut leaves = false;
        desk.put(|wanted| {
            wanted.busy.remove(&book);
            leaves = wanted.release_thread();
        });
        if !sent || leaves {
            return;
        }
    }
}

/// Waits for the next job; `None` when the slot is closed.
fn next(desk: &JobSlot<LoaderState>) -> Option<LoadJob> {
    desk.with(|wanted| wanted.idle += 1);
    desk.wait(|wanted| {
        let job = wanted.next()?;
        wanted.idle -= 1;
        Some(job)
    })
}

/// The page of a book, from the cache or newly prepared.
fn page(
    desk: &JobSlot<LoaderState>,
    library: &Library,
    index: usize,
) -> Result<Arc<BookPage>, String> {
    let book = library
        .books
        .get(index)
        .ok_or_else(|| "is no longer in the corpus".to_owned())?;
    let made = PageKey {
        book: index,
        stamp: stamp(book),
        generation: library.generation(),
    };
    if let Some(page) = desk.with(|wanted| wanted.find(&made)) {
        return Ok(page);
    }
    let prepare = AssertUnwindSafe(|| {
        let text = book
            .text(library.max_size)
            .map_err(|error| error.to_string())?;
        let mut page = BookPage::new(text, library.frequencies(), &library.parameters);
        page.learned_digest = library.learned_digest();
        if let Some(opinions) = library.opinions().get(index) {
            let lines = page.lines();
            (page.detection).add_opinions(opinions, lines, &library.parameters);
        }
        if let Some(grams) = library.grams() {
            page.apply_alternation(grams);
        }
        page.add_contents_evidence();
        Ok(Arc::new(page))
    });
    let page: Result<Arc<BookPage>, String> = catch_unwind(prepare)
        .unwrap_or_else(|panic| Err(format!("cannot be shown: {}", panic_text(&*panic))));
    if let Ok(page) = &page {
        desk.with(|wanted| wanted.keep(made, page.clone()));
    }
    page
}

/// The current state of the file that contains a book.
fn stamp(book: &Book) -> FileStamp {
    let now = book.location.path().map(FileStamp::of);
    now.and_then(Result::ok).unwrap_or(book.stamp)
}

/// The answer to a request: the page with the record of the book.
fn opened(
    library: &Library,
    ticket: u64,
    book: usize,
    page: Result<Arc<BookPage>, String>,
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
        Ok((found, known)) => (found, known, library.records.save_obstacle(id)),
        Err(error) => (
            StoredRecord::Nothing,
            Snapshot::default(),
            Some(format!("{error:#}")),
        ),
    };
    let elsewhere = match (&found, &page) {
        (StoredRecord::Nothing, Ok(page)) if prepared => {
            library.records.find_same_text(&page.sha256, id)
        }
        _ => None,
    };
    let anchored = match (&found, &page) {
        (StoredRecord::Record(record), Ok(page)) if needs_anchoring(record, page) => {
            let look = AssertUnwindSafe(|| Box::new(relocate(record, &page.text)));
            // On a panic the detector's cuts are shown, as for an undecided book.
            catch_unwind(look).ok()
        }
        _ => None,
    };
    Opened {
        ticket,
        book,
        page,
        record: found,
        snapshot: known,
        anchored,
        conflict_copies: library.records.conflict_copies(id),
        dispute: library.disputes.get(id).cloned(),
        same_text_record: elsewhere,
        trouble,
    }
}

/// Compares another edition with the open book. An unreadable record counts as no record.
fn aligned(
    library: &Library,
    request: &EditionRequest,
    page: Arc<BookPage>,
) -> Result<Arc<EditionComparison>, String> {
    let id = library
        .books
        .get(request.book)
        .map_or("", |book| book.id.as_str());
    let align = AssertUnwindSafe(|| {
        let found = library.records.load(id).map(|(found, _)| found);
        let found = found.unwrap_or(StoredRecord::Nothing);
        Arc::new(EditionComparison::of(request, page, &found))
    });
    catch_unwind(align).map_err(|panic| format!("cannot be aligned: {}", panic_text(&*panic)))
}

/// Whether the record has cuts that refer to other bytes.
fn needs_anchoring(record: &Record, page: &BookPage) -> bool {
    let has_cuts = record.verdict.has_cuts() || record.verdict == Verdict::Open;
    has_cuts && !record.is_decided_on(&page.sha256)
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_detect::Parameters;
    use endpaper_detect::frequency::Frequencies;
    use endpaper_text::corpus::BookText;

    fn made(book: usize) -> PageKey {
        PageKey {
            book,
            stamp: FileStamp::default(),
            generation: 0,
        }
    }

    fn any_page(bytes: usize) -> Arc<BookPage> {
        let text = BookText::new(vec![b'x'; bytes]);
        Arc::new(BookPage::new(
            text,
            &Frequencies::default(),
            &Parameters::default(),
        ))
    }

    #[test]
    fn the_newest_request_comes_first_and_replaces_an_older_one() {
        let mut desk = LoaderState {
            open: Some((1, 5)),
            preload: vec![7, 8],
            ..LoaderState::default()
        };
        desk.open = Some((2, 6));
        assert!(matches!(desk.next(), Some(LoadJob::Open(2, 6))));
        assert!(matches!(desk.next(), Some(LoadJob::Preload(7))));
        // A book that is being prepared is not read twice: the request waits.
        desk.open = Some((3, 7));
        assert!(matches!(desk.next(), Some(LoadJob::Preload(8))));
        assert!(desk.next().is_none());
        desk.busy.remove(&7);
        assert!(matches!(desk.next(), Some(LoadJob::Open(3, 7))));
    }

    #[test]
    fn another_edition_comes_before_what_may_be_wanted_and_is_not_read_twice() {
        let request = |ticket, book| EditionRequest {
            ticket,
            book,
            here: any_page(1),
            positions: [1, 2],
            hides_proposal: false,
            is_evidence: false,
        };
        let mut desk = LoaderState {
            open: Some((1, 5)),
            align: Some(request(2, 7)),
            evidence: Some(request(4, 9)),
            preload: vec![7, 8],
            ..LoaderState::default()
        };
        assert!(matches!(desk.next(), Some(LoadJob::Open(1, 5))));
        assert!(matches!(desk.next(), Some(LoadJob::Align(found)) if found.ticket == 2));
        assert!(matches!(desk.next(), Some(LoadJob::Align(found)) if found.ticket == 4));
        assert!(matches!(desk.next(), Some(LoadJob::Preload(8))));
        desk.align = Some(request(3, 8));
        assert!(desk.next().is_none());
        desk.busy.remove(&8);
        assert!(matches!(desk.next(), Some(LoadJob::Align(found)) if found.ticket == 3));
    }

    #[test]
    fn a_thread_is_added_for_a_book_while_all_others_are_at_work_and_leaves_again() {
        let mut desk = LoaderState {
            threads: THREADS,
            idle: 1,
            ..LoaderState::default()
        };
        assert!(!desk.claim_thread(), "one waits for work");
        desk.idle = 0;
        let added = (0..100).filter(|_| desk.claim_thread()).count();
        assert_eq!(
            (added, desk.threads),
            (MOST_THREADS - THREADS, MOST_THREADS)
        );
        assert!(!desk.release_thread(), "no other one waits for work");
        desk.idle = 1;
        while desk.release_thread() {}
        assert_eq!(desk.threads, THREADS);
    }

    #[test]
    fn few_pages_are_kept_and_the_newest_always() {
        let mut desk = LoaderState::default();
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
