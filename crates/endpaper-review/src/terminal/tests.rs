//! Tests of the event loop with a screen and records in memory, and real threads. No test depends on time: each ends by a key.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::Receiver;

use ratatui::backend::TestBackend;

use super::runtime::{Runtime, Workers};
use super::screen::TerminalHost;
use super::*;
use crate::Session;
use crate::chord::chords;
use crate::keymap::Keymap;
use crate::view::Theme;
use crate::view::{ColourDepth, glyphs};
use crate::{Chord, Queue, QueueEntry, QueueOrder, SessionOptions};
use endpaper_detect::Parameters;
use endpaper_detect::frequency::Frequencies;
use endpaper_text::corpus::BookId;
use endpaper_text::corpus::{Book, BookLocation, EncodingChoice, FileStamp, ListingRequest};
use endpaper_truth::{Record, SaveError, SavedRecord, Snapshot, StoredRecord, yaml};
use std::path::PathBuf;

#[derive(Default)]
struct MemoryRecords {
    files: Mutex<BTreeMap<String, Vec<u8>>>,
    breaks: bool,
}

impl MemoryRecords {
    fn put(
        &self,
        id: &str,
        known: &Snapshot,
        bytes: Option<Vec<u8>>,
    ) -> Result<SavedRecord, SaveError> {
        assert!(!self.breaks, "the disk broke");
        let mut files = self.files.lock().unwrap();
        assert_eq!(
            files.get(id),
            known.0.as_ref(),
            "what was known is what is there"
        );
        match bytes.clone() {
            Some(bytes) => files.insert(id.to_owned(), bytes),
            None => files.remove(id),
        };
        Ok(SavedRecord {
            path: PathBuf::from(format!("{id}.yaml")),
            written: true,
            now: Snapshot(bytes),
        })
    }
}

impl Records for MemoryRecords {
    fn load(&self, id: &str) -> anyhow::Result<(StoredRecord, Snapshot)> {
        let bytes = self.files.lock().unwrap().get(id).cloned();
        let found = match &bytes {
            None => StoredRecord::Nothing,
            Some(bytes) => StoredRecord::Record(Box::new(yaml::read(std::str::from_utf8(bytes)?)?)),
        };
        Ok((found, Snapshot(bytes)))
    }

    fn save(&self, record: &Record, known: &Snapshot) -> Result<SavedRecord, SaveError> {
        self.put(&record.book, known, Some(yaml::write(record).into_bytes()))
    }

    fn restore(
        &self,
        id: &str,
        previous: &Snapshot,
        known: &Snapshot,
    ) -> Result<SavedRecord, SaveError> {
        self.put(id, known, previous.0.clone())
    }

    fn find_same_text(&self, _: &str, _: &str) -> Option<Box<Record>> {
        None
    }
}

/// A terminal that records its calls.
#[derive(Default)]
struct FakeTerminal {
    said: Arc<Mutex<Vec<String>>>,
    gone: Arc<AtomicBool>,
}

impl FakeTerminal {
    fn note(&self, what: impl Into<String>) {
        self.said.lock().unwrap().push(what.into());
    }
}

impl TerminalHost for FakeTerminal {
    fn begin_frame(&mut self) {}
    fn end_frame(&mut self) {
        assert!(
            !self.gone.load(Ordering::SeqCst),
            "nothing is drawn on a terminal that is gone"
        );
    }
    fn suspend(&mut self) -> std::io::Result<()> {
        self.note("stopped");
        Ok(())
    }
    fn edit(&mut self, file: &Path, line: u32) -> anyhow::Result<()> {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        self.note(format!("edited {name} at {line}"));
        std::fs::write(file, "rewritten by the editor\n")?;
        Ok(())
    }
    fn copy(&mut self, text: &str) -> std::io::Result<()> {
        self.note(format!("copied {text}"));
        Ok(())
    }
    fn mouse(&mut self, on: bool) -> std::io::Result<()> {
        self.note(format!("mouse {on}"));
        Ok(())
    }
    fn take_stop_request(&mut self) -> bool {
        false
    }
    fn take_resumed(&mut self) -> bool {
        false
    }
    fn is_gone(&mut self) -> bool {
        self.gone.load(Ordering::SeqCst)
    }
    fn close(&mut self) {
        self.note("closed");
    }
}

/// A runtime and its surroundings.
struct TestStage {
    runtime: Runtime<TestBackend, FakeTerminal>,
    messages: Receiver<Message>,
    sender: Sender<Message>,
    records: Arc<MemoryRecords>,
    library: Arc<RwLock<Library>>,
    said: Arc<Mutex<Vec<String>>>,
    gone: Arc<AtomicBool>,
    folder: tempfile::TempDir,
}

const TEXT: &str = "The Project Gutenberg EBook of Nothing\n\n*** START OF THIS PROJECT GUTENBERG EBOOK ***\n\n\n\
    A title\n\nSome text that is the body of a very small book indeed\n\n\
    *** END OF THIS PROJECT GUTENBERG EBOOK ***\n";

impl TestStage {
    fn new(memory: MemoryRecords) -> TestStage {
        let folder = tempfile::tempdir().unwrap();
        let book = |name: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, TEXT).unwrap();
            Book {
                id: BookId::new(name),
                location: BookLocation::File(path),
                stamp: FileStamp::default(),
                encoding: EncodingChoice::Guessed,
            }
        };
        let books: Vec<Book> = ["a.txt", "b.txt", "c.txt"].into_iter().map(book).collect();
        let entry = |book: &Book| QueueEntry {
            id: Some(book.id.clone()),
            ..QueueEntry::default()
        };
        let entries: Vec<QueueEntry> = books.iter().map(entry).collect();
        let records = Arc::new(memory);
        let library = Library::new(
            books,
            Frequencies::default(),
            Parameters::default(),
            records.clone(),
            1 << 20,
        );
        let library = Arc::new(RwLock::new(library));
        let (sender, messages) = channel();
        let outside = Workers {
            library: library.clone(),
            loader: loader::start(library.clone(), sender.clone()),
            painter: heat::start(library.clone(), sender.clone()),
            finder: occurrence_finder::start(library.clone(), sender.clone()),
            searcher: None,
            learner: learner::start(library.clone(), sender.clone()),
            propagator: propagator::start(library.clone(), sender.clone()),
            copy_comparer: copy_comparer::start(library.clone(), sender.clone()),
            saver: Some(saver::start(library.clone(), sender.clone(), None)),
            first_book_shown: None,
        };
        let queue = Queue {
            order: QueueOrder::Name,
            ..Queue::default()
        };
        let session = Session::new(SessionOptions::default(), queue, Keymap::defaults());
        let host = FakeTerminal::default();
        let (said, gone) = (host.said.clone(), host.gone.clone());
        let terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
        let themes = Theme::all(ColourDepth::True, &glyphs::UNICODE);
        let runtime = Runtime::new(session, themes, terminal, host, outside);
        sender
            .send(Message::Entries {
                entries,
                counts_changed: false,
                model: None,
            })
            .unwrap();
        TestStage {
            runtime,
            messages,
            sender,
            records,
            library,
            said,
            gone,
            folder,
        }
    }

    /// Waits until the book is open and nothing is pending.
    fn settle(&mut self) {
        while self.runtime.session.entries.is_empty() || !self.runtime.session.is_idle() {
            self.runtime.turn(&self.messages).unwrap();
        }
    }

    /// Types keys, waiting for each to take effect.
    fn keys(&mut self, keys: &str) {
        for chord in chords(keys).unwrap() {
            self.settle();
            self.sender.send(Message::Key(chord)).unwrap();
            self.runtime.turn(&self.messages).unwrap();
        }
        self.settle();
    }

    /// Draws what the last message changed: a turn draws before it waits, and a book from the cache may come in the turn of its key.
    fn draw(&mut self) {
        self.sender.send(Message::Tick).unwrap();
        self.runtime.turn(&self.messages).unwrap();
    }

    /// Types keys and quits.
    fn play(&mut self, keys: &str) {
        self.keys(keys);
        self.sender.send(Message::Key(Chord::char('q'))).unwrap();
        self.runtime.run(&self.messages, Vec::new()).unwrap();
    }

    fn screen(&self) -> String {
        self.runtime.terminal.backend().to_string()
    }
}

#[test]
fn a_sitting_decides_books_and_tells_what_it_brought() {
    let mut stage = TestStage::new(MemoryRecords::default());
    stage.play("<Enter>J<Enter>");
    assert_eq!(*stage.said.lock().unwrap(), ["closed"]);
    let outcome = stage.runtime.finish(&stage.messages);
    assert_eq!(
        (outcome.decided, outcome.corrected, outcome.unsaved),
        (2, 1, 0)
    );
    assert_eq!(
        outcome.files,
        [PathBuf::from("a.txt.yaml"), PathBuf::from("b.txt.yaml")]
    );
    let files = stage.records.files.lock().unwrap();
    assert!(String::from_utf8_lossy(&files["a.txt"]).contains("verdict: \"confirmed\""));
    assert!(String::from_utf8_lossy(&files["b.txt"]).contains("verdict: \"corrected\""));
}

#[test]
fn a_draft_is_on_disk_when_the_program_ends() {
    let mut stage = TestStage::new(MemoryRecords::default());
    stage.play("h");
    stage.runtime.finish(&stage.messages);
    let files = stage.records.files.lock().unwrap();
    assert!(String::from_utf8_lossy(&files["a.txt"]).contains("verdict: \"open\""));
}

#[test]
fn a_line_is_looked_for_in_every_book_that_can_be_read() {
    let mut stage = TestStage::new(MemoryRecords::default());
    stage.settle();
    std::fs::remove_file(stage.folder.path().join("c.txt")).unwrap();
    stage.keys("gl");
    let list = |stage: &TestStage| {
        stage
            .runtime
            .session
            .background
            .occurrences
            .list
            .clone()
            .unwrap()
    };
    while !list(&stage).done {
        stage.runtime.turn(&stage.messages).unwrap();
    }
    let list = list(&stage);
    assert_eq!((list.count(), list.read, list.unreadable), (2, 3, 1));
    assert_eq!(list.windows, Some((300, 300)));
    stage.play("<Down><Enter><C-o>");
    assert_eq!(stage.runtime.session.current, 0);
}

#[test]
fn a_terminal_that_goes_away_ends_the_sitting_with_everything_saved() {
    let mut stage = TestStage::new(MemoryRecords::default());
    stage.keys("h");
    stage.gone.store(true, Ordering::SeqCst);
    stage.sender.send(Message::HangUp).unwrap();
    stage.runtime.run(&stage.messages, Vec::new()).unwrap();
    stage.runtime.finish(&stage.messages);
    assert!(stage.records.files.lock().unwrap().contains_key("a.txt"));
}

#[test]
fn a_disk_that_breaks_is_reported_and_does_not_end_the_program() {
    let mut stage = TestStage::new(MemoryRecords {
        breaks: true,
        ..MemoryRecords::default()
    });
    // Quitting asks because of the unsaved record.
    stage.keys("<Enter><Enter>q");
    stage.sender.send(Message::Key(Chord::char('y'))).unwrap();
    stage.runtime.run(&stage.messages, Vec::new()).unwrap();
    let outcome = stage.runtime.finish(&stage.messages);
    assert_eq!((outcome.files.len(), outcome.unsaved), (0, 1));
}

#[test]
fn the_editor_gets_the_book_and_its_change_is_seen() {
    let mut stage = TestStage::new(MemoryRecords::default());
    stage.play("e");
    assert_eq!(*stage.said.lock().unwrap(), ["edited a.txt at 6", "closed"]);
    assert!(
        stage.screen().contains("rewritten by the editor"),
        "{}",
        stage.screen()
    );
}

#[test]
fn stopping_comes_back_to_the_same_screen() {
    let mut stage = TestStage::new(MemoryRecords::default());
    stage.play("<C-z>");
    assert_eq!(*stage.said.lock().unwrap(), ["stopped", "closed"]);
    assert!(stage.screen().contains("A title"), "{}", stage.screen());
}

#[test]
fn the_terminal_gets_what_is_copied_and_the_mouse() {
    let mut stage = TestStage::new(MemoryRecords::default());
    stage.play("yYgMgM");
    assert_eq!(
        *stage.said.lock().unwrap(),
        [
            "copied A title",
            "copied a.txt",
            "mouse true",
            "mouse false",
            "closed"
        ]
    );
}

#[test]
fn many_messages_are_one_frame_and_ticks_without_work_are_none() {
    let mut stage = TestStage::new(MemoryRecords::default());
    stage.settle();
    stage
        .runtime
        .turn(&{
            let (sender, messages) = channel();
            sender.send(Message::Tick).unwrap();
            messages
        })
        .unwrap();
    let before = stage.runtime.frames;
    for _ in 0..200 {
        stage.sender.send(Message::Tick).unwrap();
    }
    stage.runtime.turn(&stage.messages).unwrap();
    for _ in 0..200 {
        stage.sender.send(Message::Key(Chord::char('j'))).unwrap();
    }
    stage.runtime.turn(&stage.messages).unwrap();
    assert_eq!(stage.runtime.frames, before, "ticks draw nothing");
    stage.sender.send(Message::Tick).unwrap();
    stage.runtime.turn(&stage.messages).unwrap();
    assert_eq!(stage.runtime.frames, before + 1, "all keys are one frame");
}

#[test]
fn the_next_theme_is_drawn_when_it_is_asked_for() {
    let mut stage = TestStage::new(MemoryRecords::default());
    stage.runtime.session.options.themes = vec!["dark".into(), "light".into()];
    stage.play("t");
    let light = Theme::built_in("light", ColourDepth::True, &glyphs::UNICODE).unwrap();
    let buffer = stage.runtime.terminal.backend().buffer();
    let paper = light.style(crate::view::theme::ThemeRole::Text).bg;
    assert_eq!(Some(buffer[(0, 20)].bg), paper);
}

#[test]
fn other_counts_make_other_pages() {
    let stage = TestStage::new(MemoryRecords::default());
    let mut library = stage.library.write().unwrap();
    let before = library.generation();
    library.replace_frequencies(Frequencies::default(), Arc::default());
    assert_ne!(library.generation(), before);
}

#[test]
fn a_chosen_encoding_is_stored_and_the_book_is_read_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    std::fs::write(&path, b"\x82\xa0\n").unwrap();
    let book = Book {
        id: BookId::new("a.txt"),
        location: BookLocation::File(path),
        stamp: FileStamp::default(),
        encoding: EncodingChoice::Guessed,
    };
    let truth = folder.path().join("truth");
    let store = Arc::new(endpaper_truth::Store::open(&truth).unwrap());
    let parameters = Parameters::default();
    let mut library = Library::new(
        vec![book],
        Frequencies::default(),
        parameters,
        store,
        1 << 20,
    );
    let line = |library: &Library| {
        let text = library.books[0].text(1 << 20).unwrap();
        text.display(1, 100).into_owned()
    };
    let before = library.generation();
    library.keep_encoding(0, "shift_jis".parse().ok()).unwrap();
    assert_eq!(line(&library), "\u{3042}");
    assert_ne!(
        library.generation(),
        before,
        "pages in the old encoding are not shown"
    );
    let kept = endpaper_text::corpus::ChosenEncodings::read(&truth).unwrap();
    assert_eq!(kept.of("a.txt"), "shift_jis".parse().ok());
    library.keep_encoding(0, None).unwrap();
    assert_eq!(line(&library), "\u{201a}\u{a0}");
    library.usual_encoding = EncodingChoice::Forced("cp437".parse().unwrap());
    library.keep_encoding(0, "shift_jis".parse().ok()).unwrap();
    library.keep_encoding(0, None).unwrap();
    assert_eq!(line(&library), "\u{e9}\u{e1}", "what holds for all books");
}

#[test]
fn an_encoding_of_all_books_leaves_the_choices_of_single_books() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.txt", "b.txt"] {
        std::fs::write(folder.path().join(name), b"\x82\xa0\n").unwrap();
    }
    let truth = tempfile::tempdir().unwrap();
    let mut request = ListingRequest {
        roots: vec![folder.path().to_owned()],
        truth: Some(truth.path().to_owned()),
        ..ListingRequest::default()
    };
    let books = endpaper_text::corpus::list(&request).unwrap().books;
    let mut library = Library::new(
        books,
        Frequencies::default(),
        Parameters::default(),
        Arc::new(endpaper_truth::Store::open(truth.path()).unwrap()),
        1 << 20,
    );
    library.request = Arc::new(request.clone());
    let lines = |library: &Library| {
        let texts = library.books.iter().map(|book| book.text(1 << 20).unwrap());
        let lines = texts.map(|text| text.display(1, 100).into_owned());
        lines.collect::<Vec<_>>()
    };
    let named = |name: &str| name.parse().ok();
    library.keep_encoding(0, named("shift_jis")).unwrap();
    library.keep_usual_encoding(named("cp437")).unwrap();
    assert_eq!(lines(&library), ["\u{3042}", "\u{e9}\u{e1}"]);
    library.keep_encoding(0, None).unwrap();
    assert_eq!(lines(&library), ["\u{e9}\u{e1}"; 2]);
    library.keep_usual_encoding(None).unwrap();
    assert_eq!(lines(&library), ["\u{201a}\u{a0}"; 2]);
    request.encoding = named("gbk");
    library.request = Arc::new(request);
    let refused = library.keep_usual_encoding(named("cp437")).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "all books of this sitting are to be read as gbk"
    );
}

#[test]
fn no_encoding_is_kept_for_a_text_that_is_extracted() {
    let book = Book {
        id: BookId::new("demo/a.txt"),
        location: BookLocation::Demo { index: 0 },
        stamp: FileStamp::default(),
        encoding: EncodingChoice::Guessed,
    };
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(endpaper_truth::Store::open(folder.path()).unwrap());
    let mut library = Library::new(
        vec![book],
        Frequencies::default(),
        Parameters::default(),
        store,
        1 << 20,
    );
    let refused = library.keep_encoding(0, "cp437".parse().ok()).unwrap_err();
    assert_eq!(refused.to_string(), "its text is extracted, and UTF-8");
    assert_eq!(library.books[0].encoding, EncodingChoice::Guessed);
    assert!(!folder.path().join("encodings.tsv").exists());
}

#[test]
fn an_encoding_that_cannot_be_stored_is_told() {
    let mut stage = TestStage::new(MemoryRecords::default());
    stage.keys("Ecp437<Enter>");
    stage.draw();
    assert!(
        stage.screen().contains("cannot keep the encoding"),
        "{}",
        stage.screen()
    );
}

#[test]
fn without_a_terminal_one_sentence_says_so() {
    let text = NotATerminal("input").to_string();
    assert!(text.starts_with("the review screen needs a terminal, and standard input is not one"));
}
