//! The header line of a book with a propagated correction.

use super::*;
use crate::propagation::PropagationTarget;
use endpaper_detect::Cuts;
use endpaper_truth::{SavedRecord, Snapshot};

/// A session in which the first book was corrected and the correction was propagated to another one.
fn brought_up() -> ViewFixture {
    let mut desk = ViewFixture::new(book(40), (80, 24));
    let mut entries = entries();
    for entry in &mut entries[..3] {
        entry.status = ReviewStatus::Undecided;
        entry.cuts = Some(Cuts {
            preamble_end: 8,
            epilogue_start: None,
        });
    }
    desk.send(Message::Entries {
        entries,
        counts_changed: false,
        model: None,
    });
    for chord in chords("]<Enter>A").unwrap() {
        let mut waiting = update(&mut desk.session, Message::Key(chord));
        while let Some(effect) = waiting.pop() {
            let message = match effect {
                Effect::Save(request) => Message::Saved {
                    ticket: request.ticket,
                    result: Ok(SavedRecord {
                        path: "study10.txt.yaml".into(),
                        written: true,
                        now: Snapshot(None),
                    }),
                },
                Effect::FindPropagationTargets { epoch, books, .. } => {
                    Message::PropagationTargets {
                        epoch,
                        books: books.into_iter().map(corrected).collect(),
                    }
                }
                Effect::Open { ticket, book } => {
                    let text = BookText::new(desk.text.clone().into_bytes());
                    let parameters = Parameters {
                        method: Method::Gap,
                        ..Parameters::default()
                    };
                    let page = BookPage::new(text, &counts().into(), &parameters);
                    let opened = Opened::without_record(ticket, book, Arc::new(page));
                    Message::Opened(Box::new(opened))
                }
                _ => continue,
            };
            waiting.extend(update(&mut desk.session, message));
        }
    }
    desk
}

fn corrected(alike: PropagationTarget) -> PropagationTarget {
    PropagationTarget {
        cuts: Cuts {
            preamble_end: 15,
            ..alike.cuts
        },
        ..alike
    }
}

#[test]
fn the_header_says_where_a_proposal_comes_from_and_how_far_the_run_is() {
    let mut desk = brought_up();
    let mut rows = String::new();
    for width in [40, 60, 80, 110, 160, 220] {
        desk.send(Message::Resize(width, 24));
        let _ = writeln!(rows, "{}", desk.text().lines().next().unwrap_or_default());
    }
    snapshot_of("run-header", &rows);
    desk.send(Message::Resize(80, 24));
    snapshot("run", &desk);
}

#[test]
fn the_header_counts_copies_and_says_where_one_is_cut_elsewhere() {
    use crate::BookCopies;
    let table = [
        // A narrow screen shows only what matters.
        ((80, 24), false, 1, ""),
        ((80, 24), true, 1, "COPIES DISAGREE"),
        ((160, 48), false, 2, "2 copies (0 decided)"),
        ((160, 48), true, 2, "2 copies (0 decided)"),
    ];
    for (size, differ, copies, expected) in table {
        let mut desk = ViewFixture::new(book(40), size);
        desk.send(Message::Entries {
            entries: entries(),
            counts_changed: false,
            model: None,
        });
        let current = desk.session.current;
        let others = (0..desk.session.entries.len()).filter(|&other| other != current);
        let places: Vec<usize> = others.take(copies).chain([current]).collect();
        for &place in &places {
            desk.session.entries[place].copies = BookCopies {
                cluster: 1,
                is_cut_differently: differ,
            };
            desk.session.entries[place].status = ReviewStatus::Undecided;
        }
        desk.session.entries[current].title = "A".to_owned();
        let line = desk.text().lines().next().unwrap_or_default().to_owned();
        assert!(line.contains(expected), "{line}");
        assert_eq!(line.contains("COPIES DISAGREE"), differ, "{line}");
    }
}
