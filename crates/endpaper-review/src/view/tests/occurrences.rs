//! Screens with the list of occurrences.

use super::*;
use crate::occurrences::{OccurrenceBatch, OccurrenceHit};
use endpaper_detect::{Cuts, End};

/// The list for the line of the cursor in the default book, with the hits found so far.
fn list(size: (u16, u16), hits: &[(usize, u32)], batch: OccurrenceBatch) -> ViewFixture {
    let mut desk = ViewFixture::open(size);
    for (book, entry) in desk.session.entries.iter_mut().enumerate() {
        entry.lines = 425;
        let end = (book != 1).then_some(421);
        entry.cuts = (book != 3).then_some(Cuts {
            preamble_end: 8,
            epilogue_start: end,
        });
    }
    let mut desk = desk.keys(":3<Enter>gl");
    let hits = hits.iter().map(|&(book, line)| OccurrenceHit {
        book,
        line,
        end: if line < 200 { End::Start } else { End::End },
    });
    desk.send(Message::Hits(OccurrenceBatch {
        epoch: desk.epoch,
        hits: hits.collect(),
        windows: (300, 300),
        ..batch
    }));
    desk
}

const HITS: &[(usize, u32)] = &[
    (0, 3),
    (0, 425),
    (1, 3),
    (1, 12),
    (2, 3),
    (2, 425),
    (2, 5),
    (3, 17),
];

#[test]
fn occurrences_on_screens_of_every_size() {
    for (width, height) in [(40, 10), (80, 24), (160, 48)] {
        let batch = OccurrenceBatch {
            read: 4,
            unreadable: 1,
            done: true,
            ..OccurrenceBatch::default()
        };
        let desk = list((width, height), HITS, batch).keys("<Down>");
        snapshot(&format!("occurrences-{width}x{height}"), &desk);
    }
}

#[test]
fn a_list_that_still_fills_says_how_far_it_is_and_can_be_searched() {
    let batch = OccurrenceBatch {
        read: 2,
        ..OccurrenceBatch::default()
    };
    let desk = list((80, 24), HITS, batch).keys("decided epilogue");
    snapshot("occurrences-filling", &desk);
}

#[test]
fn a_blind_list_shows_heads_and_tails_only() {
    let mut desk = list((80, 24), HITS, OccurrenceBatch::default()).keys("<Esc>");
    desk.session.modes.blind = true;
    desk.session.entries[2].status = ReviewStatus::Undecided;
    let mut desk = desk.keys("gl");
    let hit = OccurrenceHit {
        book: 2,
        line: 425,
        end: End::End,
    };
    desk.send(Message::Hits(OccurrenceBatch {
        epoch: desk.epoch,
        hits: vec![hit],
        read: 4,
        done: true,
        windows: (300, 200),
        ..OccurrenceBatch::default()
    }));
    let text = desk.text();
    assert!(
        !text.contains("detected") && !text.contains("epilogue,"),
        "{text}"
    );
    assert!(text.contains("first 300 and last 200"), "{text}");
    let row = text.lines().find(|row| row.contains("vale10.txt"));
    assert!(row.is_some_and(|row| row.contains("425  tail")), "{text}");
}
