//! Screens as drawn, both characters and roles, for sessions driven by keys.

mod dispute;
mod editions;
mod grams;
mod heat;
mod notices;
mod occurrences;
mod outline;
mod profile;
mod runs;
mod scripts;
mod warnings;

use std::fmt::Write;
use std::sync::Arc;

use ratatui::style::{Color, Style};

use super::glyphs::{ASCII, UNICODE};
use super::*;
use crate::chord::chords;
use crate::keymap::Keymap;
use crate::session::PassProgress;
use crate::{
    BookPage, Effect, Message, Opened, Queue, QueueEntry, QueueOrder, ReviewStatus, SessionOptions,
    update,
};
use endpaper_detect::frequency::{Certainty, Counts, Frequencies};
use endpaper_detect::{Method, Parameters};
use endpaper_text::corpus::{BookId, BookText};
use endpaper_text::line::{Key, Normaliser};
use endpaper_text::scan::Template;
use endpaper_truth::Verdict;

const SIZES: [(u16, u16); 10] = [
    (0, 0),
    (1, 1),
    (3, 3),
    (20, 5),
    (39, 7),
    (40, 8),
    (80, 24),
    (110, 30),
    (160, 48),
    (300, 100),
];

/// A book with everything that is drawn in its own way, and `paragraphs` paragraphs.
fn book(paragraphs: usize) -> String {
    let mut text = String::from(
        "The Project Gutenberg EBook of A Study in Scarlet, by A. Conan Doyle\n\
         \n\
         This eBook is for the use of anyone anywhere at no cost and with\n\
         almost no restrictions whatsoever.  You may copy it, give it away or\n\
         re-use it under the terms of the Project Gutenberg License included\n\
         with this eBook or online at www.gutenberg.org\n\
         \n\
         *** START OF THIS PROJECT GUTENBERG EBOOK A STUDY IN SCARLET ***\n\
         \n\n\n\n\
         Etext prepared by Roger Squires  rsquires@unm.edu\n\
         \n\
         A STUDY IN SCARLET.\n\
         \n\
         By A. CONAN DOYLE\n\n",
    );
    for paragraph in 0..paragraphs {
        for line in 0..9 {
            let _ = writeln!(
                text,
                "Paragraph {paragraph} has a line {line} that nobody wrote before it"
            );
        }
        text.push('\n');
    }
    text.push_str(
        "his hundred wives under this endearing epithet.\n\
         \n\
         End of the Project Gutenberg EBook of A Study in Scarlet, by A. Conan Doyle\n\
         \n\
         *** END OF THIS PROJECT GUTENBERG EBOOK A STUDY IN SCARLET ***\n\
         \n\
         This eBook is for the use of anyone anywhere at no cost and with\n",
    );
    text
}

/// Counts in which the licence is frequent and one line was seen a few times.
fn counts() -> Counts {
    let lines = [
        (
            "This eBook is for the use of anyone anywhere at no cost and with",
            900,
        ),
        (
            "almost no restrictions whatsoever.  You may copy it, give it away or",
            200,
        ),
        (
            "re-use it under the terms of the Project Gutenberg License included",
            30,
        ),
        ("with this eBook or online at www.gutenberg.org", 9),
        ("Etext prepared by Roger Squires  rsquires@unm.edu", 4),
    ];
    let key = |line: &str| -> Key { Normaliser::default().text(line).key() };
    Counts::from_pairs(
        lines.map(|(line, count)| (key(line), count)),
        Certainty::Exact,
    )
}

fn entries() -> Vec<QueueEntry> {
    let entry = |(id, title, standing, doubt): (&str, &str, ReviewStatus, f32)| QueueEntry {
        id: Some(BookId::new(id)),
        title: title.to_owned(),
        producer: "R. Squires".to_owned(),
        template: Template(7),
        template_rank: 7,
        doubt: Some(doubt),
        status: standing,
        labelling_signature: 1,
        ..QueueEntry::default()
    };
    [
        (
            "study10.txt",
            "A Study in Scarlet",
            ReviewStatus::Undecided,
            0.31,
        ),
        (
            "sign10.txt",
            "The Sign of the Four",
            ReviewStatus::Decided(Verdict::Confirmed),
            0.02,
        ),
        (
            "vale10.txt",
            "The Valley of Fear",
            ReviewStatus::Decided(Verdict::Corrected),
            0.64,
        ),
        (
            "odd.zip!a\u{202e}b.txt",
            "caf\u{e9} \u{6f22}\u{5b57} \u{1b}[31mred",
            ReviewStatus::Unreadable,
            0.9,
        ),
    ]
    .map(entry)
    .to_vec()
}

/// A session to try keys in: books are read at once, nothing is written.
struct ViewFixture {
    session: Session,
    text: String,
    /// Number of the last request for occurrences.
    epoch: u64,
    /// The text of every other edition, or why it cannot be read.
    other: Result<String, String>,
    /// What is known of the corpus.
    frequencies: Frequencies,
}

impl ViewFixture {
    fn new(text: String, size: (u16, u16)) -> ViewFixture {
        let options = SessionOptions {
            curator: "ms".into(),
            ..SessionOptions::default()
        };
        let queue = Queue {
            order: QueueOrder::Name,
            ..Queue::default()
        };
        let mut desk = ViewFixture {
            session: Session::new(options, queue, Keymap::defaults()),
            text,
            epoch: 0,
            other: Err("is not there".to_owned()),
            frequencies: counts().into(),
        };
        desk.send(Message::Resize(size.0, size.1));
        desk
    }

    /// The default book on a screen of a given size.
    fn open(size: (u16, u16)) -> ViewFixture {
        let mut desk = ViewFixture::new(book(40), size);
        desk.send(Message::Entries {
            entries: entries(),
            counts_changed: false,
            model: None,
        });
        desk
    }

    fn of(text: &str, size: (u16, u16)) -> ViewFixture {
        let mut desk = ViewFixture::new(text.to_owned(), size);
        desk.send(Message::Entries {
            entries: entries(),
            counts_changed: false,
            model: None,
        });
        desk
    }

    fn send(&mut self, message: Message) {
        for effect in update(&mut self.session, message) {
            match effect {
                Effect::Open { ticket, book } => {
                    let opened = Opened::without_record(
                        ticket,
                        book,
                        page_in(&self.text, &self.frequencies),
                    );
                    self.send(Message::Opened(Box::new(opened)));
                }
                Effect::Align(request) => {
                    let other = self.other.clone();
                    let result = other.map(|text| editions::aligned(&request, page(&text)));
                    let ticket = request.ticket;
                    self.send(Message::Aligned { ticket, result });
                }
                Effect::FindOccurrences(Some(seek)) => self.epoch = seek.epoch,
                _ => {}
            }
        }
    }

    fn keys(mut self, keys: &str) -> ViewFixture {
        for chord in chords(keys).unwrap() {
            self.send(Message::Key(chord));
        }
        self
    }

    fn draw(&self, theme: &Theme) -> Buffer {
        let (width, height) = self.session.screen.size;
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        draw(&self.session, theme, area, &mut buffer);
        buffer
    }

    fn text(&self) -> String {
        characters(&self.draw(&Theme::of_roles(&UNICODE)))
    }

    /// Characters and roles.
    fn planes(&self) -> String {
        let buffer = self.draw(&Theme::of_roles(&UNICODE));
        format!("{}\n{}", characters(&buffer), roles(&buffer))
    }
}

fn page(text: &str) -> Arc<BookPage> {
    page_in(text, &counts().into())
}

fn page_in(text: &str, frequencies: &Frequencies) -> Arc<BookPage> {
    let parameters = Parameters {
        // Snapshots of the screen need fixed proposals: they come from marker lines.
        method: Method::Gap,
        ..Parameters::default()
    };
    let text = BookText::new(text.as_bytes().to_vec());
    Arc::new(BookPage::new(text, frequencies, &parameters))
}

fn characters(buffer: &Buffer) -> String {
    use ratatui::buffer::CellWidth;
    let mut out = String::new();
    for y in buffer.area.top()..buffer.area.bottom() {
        let mut row = String::new();
        let mut x = buffer.area.left();
        while x < buffer.area.right() {
            let cell = &buffer[(x, y)];
            row.push_str(cell.symbol());
            x += cell.cell_width().max(1);
        }
        let _ = writeln!(out, "{}", row.trim_end());
    }
    out
}

/// One letter for each combination of roles (of the text, of the background), and a legend.
fn roles(buffer: &Buffer) -> String {
    let name = |colour: Color| match colour {
        Color::Indexed(index) => ThemeRole::ALL[usize::from(index)].1,
        _ => "none",
    };
    let mut seen: Vec<(Color, Color)> = Vec::new();
    let mut out = String::new();
    for y in buffer.area.top()..buffer.area.bottom() {
        let mut row = String::new();
        for x in buffer.area.left()..buffer.area.right() {
            let style: Style = buffer[(x, y)].style();
            let (fg, bg) = (style.fg.unwrap_or_default(), style.bg.unwrap_or_default());
            let plain = name(fg) == "text" && name(bg) == "text";
            let at = seen
                .iter()
                .position(|pair| *pair == (fg, bg))
                .unwrap_or_else(|| {
                    if !plain {
                        seen.push((fg, bg));
                    }
                    seen.len().saturating_sub(1)
                });
            let letters = ('a'..='z').chain('A'..='Z').chain('0'..='9');
            row.push(if plain {
                '.'
            } else {
                letters.clone().nth(at).unwrap()
            });
        }
        let _ = writeln!(out, "{}", row.trim_end_matches('.'));
    }
    let letters = ('a'..='z').chain('A'..='Z').chain('0'..='9');
    for (letter, (fg, bg)) in letters.zip(seen) {
        let _ = writeln!(out, "{letter} = {} on {}", name(fg), name(bg));
    }
    out
}

fn snapshot(name: &str, desk: &ViewFixture) {
    snapshot_of(name, &desk.planes());
}

fn snapshot_of(name: &str, text: &str) {
    insta::with_settings!({prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!(name, text);
    });
}

#[test]
fn the_two_ends_of_a_book_at_every_size() {
    for (width, height) in SIZES {
        snapshot(
            &format!("book-{width}x{height}"),
            &ViewFixture::open((width, height)),
        );
    }
}

#[test]
fn cuts_that_were_moved_leave_a_ghost() {
    snapshot("moved", &ViewFixture::open((80, 24)).keys("J<Tab>0"));
}

#[test]
fn marks_of_every_kind() {
    let desk = ViewFixture::open((80, 24)).keys("vGkkkkkkxkkalater<Enter>k");
    snapshot("marks", &desk);
}

#[test]
fn a_search_is_seen_where_it_matched() {
    snapshot(
        "search",
        &ViewFixture::open((110, 30)).keys("/study<Enter>"),
    );
}

#[test]
fn what_lies_over_the_page() {
    for (name, keys) in [
        ("help", "?"),
        ("help-filtered", "?gap"),
        ("queue", "b"),
        ("filters", "s"),
        ("flags", "f<Space>"),
        ("mark-all", "sundecided<Enter>F"),
        ("mark-all-asked", "sundecided<Enter>Fflag ads<Enter>"),
        ("siblings", "'"),
        ("note", "na note of some length"),
        ("evidence", "i"),
        ("evidence-below", "i<PageDown>"),
        ("bytes", "gb"),
        ("encodings", "E"),
        ("hints", "w"),
        ("guidelines", "g?"),
        ("tour", "gt"),
    ] {
        snapshot(
            &format!("popup-{name}"),
            &ViewFixture::open((80, 24)).keys(keys),
        );
    }
}

#[test]
fn books_that_are_not_there_are_a_sentence() {
    let mut desk = ViewFixture::new(String::new(), (80, 24));
    assert!(desk.text().contains("looking for books"));
    desk.session.doc.trouble = Some("is encrypted; unpack it with its password first".into());
    desk.session.entries = entries();
    desk.session.queue.arrange(&desk.session.entries);
    assert!(
        desk.text().contains("cannot be shown: is encrypted"),
        "{}",
        desk.text()
    );
    desk.session.doc.trouble = None;
    assert!(desk.text().contains("reading "), "{}", desk.text());
}

#[test]
fn progress_and_notices_share_a_line() {
    let mut desk = ViewFixture::open((80, 24));
    desk.send(Message::Progress(Some(PassProgress {
        step: "counting".into(),
        done: 1200,
        total: 9000,
    })));
    desk.send(Message::Notice("something \u{1b}[31mhappened".into()));
    let text = desk.text();
    let line = text.lines().nth(22).unwrap();
    assert!(
        line.starts_with(" ! something \u{241b}[31mhappened"),
        "{line}"
    );
    assert!(line.ends_with("counting 1,200/9,000"), "{line}");
}

#[test]
fn nothing_breaks_with_strange_texts_popups_and_sizes() {
    let long = "x".repeat(1 << 20);
    let wide = "\u{6f22}".repeat(300);
    let marks = format!("e{}", "\u{301}".repeat(2000));
    let texts = [
        "",
        "\n\n\n",
        &long,
        &wide,
        &marks,
        "a\u{1b}]52;c;aGk=\u{7}\u{9b}31m\u{202e}\tb\u{0}\n",
        "one line",
        &book(3),
    ];
    let theme = Theme::built_in("dark", ColourDepth::True, &UNICODE).unwrap();
    for text in texts {
        for (width, height) in SIZES {
            for keys in [
                "",
                "v",
                "W",
                "Wv",
                "?",
                "b",
                "n\u{6f22}x",
                "i",
                "gb",
                "gl",
                "w",
                "/a<Enter>",
                "G<Tab>",
            ] {
                let desk = ViewFixture::of(text, (width, height)).keys(keys);
                let buffer = desk.draw(&theme);
                for cell in buffer.content() {
                    assert!(
                        !cell.symbol().chars().any(char::is_control),
                        "{:?}",
                        cell.symbol()
                    );
                }
                // The terminal shrank before the session received the new size.
                let mut small = Buffer::empty(Rect::new(0, 0, width / 2, height / 2));
                draw(
                    &desk.session,
                    &theme,
                    Rect::new(0, 0, width, height),
                    &mut small,
                );
            }
        }
    }
}

#[test]
fn a_line_is_cut_with_a_mark_and_72_columns_are_never_cut() {
    let line = "y".repeat(72);
    let text = format!("{line}\n\n{line}zz\n");
    let desk = ViewFixture::of(&text, (80, 24));
    let screen = desk.text();
    assert!(screen.contains(&line), "{screen}");
    assert!(
        screen.contains(&format!("{}\u{2026}", "y".repeat(72))),
        "{screen}"
    );
}

#[test]
fn line_numbers_keep_their_gutter_in_huge_books() {
    let text = "a line of text\n".repeat(123_456);
    let desk = ViewFixture::of(&text, (80, 24)).keys("vG");
    assert!(
        desk.text().contains("23456 a line of text"),
        "{}",
        desk.text()
    );
}

#[test]
fn ascii_screens_are_ascii() {
    let theme = Theme::built_in("mono", ColourDepth::Mono, &ASCII).unwrap();
    for keys in [
        "",
        "?",
        "f",
        "J",
        "ww",
        "nx",
        "/study<Enter>",
        "i",
        "gb",
        "gl",
    ] {
        let desk = ViewFixture::open((160, 48)).keys(keys);
        let mut session = desk.session;
        session.entries.truncate(3);
        session.queue.arrange(&session.entries);
        let area = Rect::new(0, 0, 160, 48);
        let mut buffer = Buffer::empty(area);
        draw(&session, &theme, area, &mut buffer);
        let text = characters(&buffer);
        let strange: String = text.chars().filter(|c| !c.is_ascii()).collect();
        assert_eq!(strange, "", "{keys}\n{text}");
    }
}

#[test]
fn help_is_not_cut_where_there_is_room() {
    let longest = crate::action::ACTIONS
        .iter()
        .max_by_key(|facts| facts.doc.len())
        .unwrap();
    let desk = ViewFixture::open((160, 48)).keys("?").keys(longest.id);
    assert!(desk.text().contains(longest.doc), "{}", desk.text());
    // On a narrow screen the chosen item has as many rows as it needs.
    let desk = ViewFixture::open((80, 24)).keys("?").keys(longest.id);
    let last = longest.doc.rsplit(' ').next().unwrap();
    assert!(desk.text().contains(last), "{}", desk.text());
}

#[test]
fn evidence_that_does_not_fit_its_panel_says_how_to_see_the_rest() {
    let mut desk = ViewFixture::open((210, 14));
    assert!(desk.session.screen.layout().evidence.is_some());
    let text = desk.text();
    let more = text.lines().find(|line| line.contains(" more rows: i"));
    assert!(more.is_some(), "{text}");
    // The popup with all of it, then nothing, then the panel again.
    desk = desk.keys("i");
    assert!(matches!(
        desk.session.screen.popups.last(),
        Some(crate::Popup::Evidence(_))
    ));
    desk = desk.keys("<End>");
    assert!(desk.text().contains("study10.txt, "), "{}", desk.text());
    desk = desk.keys("i");
    assert!(
        desk.session.screen.popups.is_empty() && desk.session.screen.layout().evidence.is_none()
    );
    desk = desk.keys("i");
    assert!(
        desk.session.screen.popups.is_empty() && desk.session.screen.layout().evidence.is_some()
    );
}
