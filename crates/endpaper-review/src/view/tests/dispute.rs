//! The opinions of an adjudication, on the page and below it.

use super::*;
use crate::dispute::Dispute;
use endpaper_detect::Cuts;
use endpaper_truth::merge::{MergeOutcome, MergeSide, merge};
use endpaper_truth::{Record, Review, SourceFacts, StoredRecord};

/// A session on the default book, which two curators decided: they differ in the start, and the second one wrote a long note.
fn disputed(size: (u16, u16), named: bool) -> ViewFixture {
    let mut desk = ViewFixture::open(size);
    desk.session.options.adjudicates = true;
    let page = page(&desk.text);
    let opinion = |by: &str, cuts: Cuts, note: &str| {
        let mut record = Record::new("study10.txt", SourceFacts::of(&page.text));
        record.note = note.to_owned();
        record.hard = by == "anna";
        record.add_review(Review {
            by: by.to_owned(),
            at: "2026-11-21T03:22:00Z".to_owned(),
            verdict: Verdict::of_cuts(cuts, page.detection.cuts),
            cuts,
            ..Review::default()
        });
        MergeSide::of_records([record])
    };
    let detected = page.detection.cuts;
    let later = Cuts {
        preamble_end: 17,
        ..detected
    };
    let sides = [
        opinion("anna", detected, ""),
        opinion(
            "ben",
            later,
            "The author's name stands below the title, so that both lines are the file's and not the book's",
        ),
    ];
    let mut merge = merge(None, &sides);
    let Some(MergeOutcome::Conflict(conflict)) = merge.books.remove("study10.txt") else {
        panic!("no conflict");
    };
    let dispute = Dispute::new(&conflict, named);
    let mut effects = update(&mut desk.session, Message::Returned);
    let ticket = effects.iter_mut().find_map(|effect| match effect {
        Effect::Open { ticket, .. } => Some(*ticket),
        _ => None,
    });
    let ticket = ticket.expect("the book is read again");
    let opened = Opened {
        record: StoredRecord::Record(Box::new(dispute.draft.clone())),
        dispute: Some(Arc::new(dispute)),
        ..Opened::without_record(ticket, 0, page)
    };
    desk.send(Message::Opened(Box::new(opened)));
    desk
}

#[test]
fn opinions_are_on_the_page_and_below_it() {
    for (width, height) in [(40, 8), (80, 24), (160, 48)] {
        let name = format!("dispute-{width}x{height}");
        snapshot(&name, &disputed((width, height), false));
    }
    snapshot(
        "dispute-refused",
        &disputed((80, 24), false).keys("<Enter>"),
    );
    snapshot("dispute-chosen", &disputed((80, 24), false).keys("2"));
}

#[test]
fn names_are_on_the_screen_only_if_they_are_asked_for() {
    for size in [(80, 24), (160, 48)] {
        for (named, keys) in [(false, ""), (false, "2"), (false, "i"), (true, "")] {
            let text = disputed(size, named).keys(keys).text();
            for name in ["(anna)", "(ben)"] {
                assert_eq!(text.contains(name), named, "{text}");
            }
        }
    }
}
