//! Screens with the heat map.

use super::*;
use crate::heat::{BookShades, LineShades};
use endpaper_detect::Cuts;

/// Number of books on the map.
const BOOKS: usize = 100;
/// Number of counted lines at each end of a book that is not short.
const WINDOW: u32 = 300;

/// A book whose values differ from column to column: cut, shade of the preamble, doubt, status, template, length.
fn entry(book: usize) -> QueueEntry {
    let standings = [
        ReviewStatus::Undecided,
        ReviewStatus::Decided(Verdict::Confirmed),
        ReviewStatus::Decided(Verdict::Corrected),
        ReviewStatus::Draft,
    ];
    let unreadable = book == 40;
    QueueEntry {
        id: Some(BookId::new(&format!("book{book:02}.txt"))),
        title: format!("Story {book}"),
        cuts: Some(Cuts {
            preamble_end: preamble(book),
            epilogue_start: (book % 10 != 3).then(|| 4000 - 2 * preamble(book)),
        })
        .filter(|_| !unreadable),
        lines: 4000,
        doubt: Some(book as f32 / BOOKS as f32),
        status: match unreadable {
            true => ReviewStatus::Unreadable,
            false => standings[book % standings.len()],
        },
        unreadable: unreadable.then(|| "is empty".to_owned()),
        template: Template(book as u64 / 30),
        template_rank: book as u32 / 30,
        ..QueueEntry::default()
    }
}

fn preamble(book: usize) -> u32 {
    (book as u32 * 37) % 200
}

/// A shades with frequent lines in the preamble and rare ones after it; every tenth book is short.
fn shades(book: usize) -> Option<Box<BookShades>> {
    if book == 40 {
        return None;
    }
    let lines = if book % 10 == 7 { 120 } else { WINDOW };
    let shade = |outside: u32| {
        move |line: u32| match line {
            line if line <= outside => (line, 3 + (line / 20 % 3) as u8),
            line => (line, (line / 64 % 3) as u8),
        }
    };
    let strip = |outside| LineShades::new((1..=lines).map(shade(outside)), lines < WINDOW);
    Some(Box::new(BookShades::new(
        strip(preamble(book)),
        strip(2 * preamble(book)),
    )))
}

/// A map after the answers for the first `read` requested books.
fn map(size: (u16, u16), keys: &str, read: usize) -> ViewFixture {
    let mut desk = ViewFixture::new(book(4), size);
    desk.send(Message::Entries {
        entries: (0..BOOKS).map(entry).collect(),
        counts_changed: false,
        model: None,
    });
    let mut desk = desk.keys("gm").keys(keys);
    let epoch = (0..9).find_map(|epoch| answer(&mut desk, epoch, read));
    assert!(epoch.is_some(), "the map asked for nothing");
    desk
}

/// Answers with the shades of the first `read` books; `None` if `epoch` is not the current request.
fn answer(desk: &mut ViewFixture, epoch: u64, read: usize) -> Option<u64> {
    let before = desk.session.background.heat.unread();
    desk.send(Message::Heat {
        epoch,
        books: (0..read).map(|book| (book, shades(book))).collect(),
    });
    (desk.session.background.heat.unread() < before).then_some(epoch)
}

#[test]
fn the_heat_map_at_every_size() {
    for (width, height) in [(40, 8), (40, 10), (80, 24), (160, 48), (300, 100)] {
        let desk = map((width, height), "ooooo", BOOKS);
        snapshot(&format!("heat-{width}x{height}"), &desk);
    }
}

#[test]
fn the_heat_map_in_its_orders_and_magnifications() {
    for (name, keys) in [
        ("tails-by-cut", "<Tab>o12<Right>"),
        ("by-status", "ooo<Right>"),
        ("by-template", "oooo<Right>"),
        ("two-books-a-column", "o-G"),
        ("two-lines-a-row", "ol9<Down>"),
        ("count", "4"),
        ("confirmed", "sconfirmed<Enter>"),
        ("help", "?"),
    ] {
        snapshot(&format!("heat-{name}"), &map((80, 24), keys, BOOKS));
    }
}

#[test]
fn books_that_are_not_read_yet_are_seen_as_such_on_the_heat_map() {
    let desk = map((80, 24), "ooooo", 30);
    snapshot("heat-unread", &desk);
    assert!(desk.text().contains("mapped 30/100"), "{}", desk.text());
}

#[test]
fn without_six_colours_shades_are_glyphs() {
    let desk = map((80, 24), "o", BOOKS);
    let cases = [
        ("dark", ColourDepth::True, &UNICODE, true),
        ("light", ColourDepth::True, &UNICODE, true),
        ("colour-blind-dark", ColourDepth::Table, &UNICODE, true),
        ("colour-blind-light", ColourDepth::Table, &UNICODE, true),
        ("dark", ColourDepth::Table, &UNICODE, true),
        ("light", ColourDepth::Table, &UNICODE, true),
        ("dark", ColourDepth::Sixteen, &UNICODE, false),
        ("16-colour", ColourDepth::True, &UNICODE, false),
        ("mono", ColourDepth::True, &UNICODE, false),
        ("light", ColourDepth::Mono, &UNICODE, false),
        ("dark", ColourDepth::True, &ASCII, false),
    ];
    for (name, depth, glyphs, halves) in cases {
        let theme = Theme::built_in(name, depth, glyphs).unwrap();
        let text = characters(&desk.draw(&theme));
        assert_eq!(text.contains('▀'), halves, "{name} {depth:?}\n{text}");
        let shade = glyphs.shades[4].repeat(2);
        assert_eq!(text.contains(&shade), !halves, "{name} {depth:?}\n{text}");
        assert!(text.contains(glyphs.rule), "{text}");
    }
    let theme = Theme::built_in("mono", ColourDepth::Mono, &ASCII).unwrap();
    let text = characters(&desk.draw(&theme));
    assert!(text.is_ascii(), "{text}");
    snapshot_of("heat-ascii", &text);
}

#[test]
fn nothing_breaks_on_the_heat_map_at_any_size() {
    let theme = Theme::built_in("dark", ColourDepth::True, &UNICODE).unwrap();
    for (width, height) in SIZES {
        for keys in ["", "---", "l<Down>", "<Tab>oo", "sbroken<Enter>", "g", "b"] {
            let mut desk = map((120, 40), keys, 60);
            desk.send(Message::Resize(width, height));
            desk.draw(&theme);
            // The terminal shrank before the session received the new size.
            let mut small = Buffer::empty(Rect::new(0, 0, width / 2, height / 2));
            let area = Rect::new(0, 0, width, height);
            draw(&desk.session, &theme, area, &mut small);
        }
    }
}
