//! What another edition says about the cuts without a key.

use super::*;
use crate::alerts::alerts;
use crate::evidence::facts;
use crate::presenter::evidence_line;

/// How the other books are related to the first: `b.txt` lacks its credits, `c.txt` has other ones, `d.txt` is another work.
#[derive(Clone, Copy)]
struct RelatedBooks {
    /// Which of the four books are near copies of each other.
    copies: [bool; 4],
    /// Which have the same e-book number.
    numbered: [bool; 4],
    /// Which are decided.
    decided: [bool; 4],
}

/// No book has anything to do with another one.
const UNRELATED: RelatedBooks = RelatedBooks {
    copies: [false; 4],
    numbered: [false; 4],
    decided: [false; 4],
};

/// The first book after an analysis that found these relations.
fn desk(related: RelatedBooks) -> UpdateFixture {
    desk_with(related, |_| {})
}

/// The same, opened after `prepare`.
fn desk_with(related: RelatedBooks, prepare: impl FnOnce(&mut UpdateFixture)) -> UpdateFixture {
    let one = book("ONE");
    let credits = "Produced by Somebody\n";
    let mut desk = UpdateFixture::new(vec![
        ("a.txt", one.clone()),
        ("b.txt", one.replace(&format!("{credits}\n\n\n"), "")),
        ("c.txt", one.replace(credits, "Scanned by Nobody at all\n")),
        ("d.txt", book("TWO")),
    ]);
    desk.keys("L");
    desk.analysed(false, |at, entry| {
        entry.copies.cluster = u32::from(related.copies[at]);
        entry.number = related.numbered[at].then_some(244);
        if related.decided[at] {
            entry.status = ReviewStatus::Decided(Verdict::Confirmed);
        }
    });
    prepare(&mut desk);
    desk.keys("H");
    desk
}

/// All evidence that names an edition.
fn said(desk: &UpdateFixture) -> Vec<String> {
    let all = facts(&desk.session).into_iter().map(|(_, text)| text);
    all.filter(|text| text.contains(".txt") && !text.contains(" lines"))
        .collect()
}

#[test]
fn the_first_of_the_editions_says_what_it_lacks_without_a_key() {
    let with_b = [true, true, false, false];
    let with_c = [true, false, true, false];
    let with_both = [true, true, true, false];
    // The relations, and the edition that speaks.
    let table = [
        ("unrelated", UNRELATED, None),
        (
            "a copy",
            RelatedBooks {
                copies: with_b,
                ..UNRELATED
            },
            Some("b.txt"),
        ),
        (
            "an edition that is no copy",
            RelatedBooks {
                numbered: with_b,
                ..UNRELATED
            },
            Some("b.txt"),
        ),
        (
            "a copy before an edition",
            RelatedBooks {
                copies: with_c,
                numbered: with_both,
                ..UNRELATED
            },
            Some("c.txt"),
        ),
        (
            "a decided edition before an undecided copy",
            RelatedBooks {
                copies: with_c,
                numbered: with_both,
                decided: [false, true, false, false],
            },
            Some("b.txt"),
        ),
        (
            "a number of another work",
            RelatedBooks {
                numbered: [false, true, true, true],
                ..UNRELATED
            },
            None,
        ),
    ];
    for (name, related, expected) in table {
        let mut desk = desk(related);
        assert_eq!(desk.name(), "a.txt", "{name}");
        let line = evidence_line(&desk.session);
        let found = said(&desk);
        match expected {
            None => assert!(
                found.is_empty() && !line.contains(".txt"),
                "{name}: {found:?}"
            ),
            Some(edition) => {
                let absent = format!("line 5 absent from {edition}");
                // After its digit.
                assert!(line[3..].starts_with(&absent), "{name}: {line}");
                let tells = found.iter().any(|text| text.ends_with(&absent));
                assert!(tells, "{name}: {found:?}");
            }
        }
        // It is evidence only.
        let open = desk.session.doc.open.as_ref().unwrap();
        assert!(
            open.offers.is_empty() && !open.has_unsaved_changes(),
            "{name}"
        );
        let digits = desk.session.doc.digit_positions();
        let sorted = digits.iter().filter(|&&place| place != TITLE);
        assert!(sorted.is_sorted(), "{name}: {digits:?}");
        desk.keys("=");
        let popup = desk.session.screen.popups.last();
        let shown = match popup {
            Some(Popup::Editions(view)) => view.book(),
            _ => None,
        };
        let shown = shown.map(|book| desk.session.entries[book].name());
        assert_eq!(shown, expected, "{name}");
        // With the key it is not said twice.
        desk.keys("<Esc>");
        assert_eq!(said(&desk), found, "{name}");
        let said_of = |line: &str| line.split_once("line 5").map(|(_, rest)| rest.to_owned());
        assert_eq!(
            said_of(&evidence_line(&desk.session)),
            said_of(&line),
            "{name}"
        );
    }
}

const COPY: RelatedBooks = RelatedBooks {
    copies: [true, true, false, false],
    ..UNRELATED
};

#[test]
fn nothing_is_said_where_it_would_influence_a_measurement() {
    type Prepare = fn(&mut UpdateFixture);
    let table: [(&str, Prepare, bool); 3] = [
        ("normal", |_| {}, true),
        (
            "blind",
            |desk| {
                desk.session.modes.blind = true;
                desk.session.modes.proposal_seen.clear();
            },
            false,
        ),
        (
            "replay",
            |desk| {
                desk.keys("H<Enter>").wait(5000).keys("R");
            },
            false,
        ),
    ];
    for (name, prepare, expected) in table {
        let desk = desk_with(COPY, prepare);
        assert_eq!(desk.name(), "a.txt", "{name}");
        let line = evidence_line(&desk.session);
        assert_eq!(line.contains(".txt"), expected, "{name}: {line}");
        assert_eq!(said(&desk).is_empty(), !expected, "{name}");
        // Nor is another edition read for it.
        let mut asked = false;
        let mut desk = desk;
        for effect in update(&mut desk.session, Message::Returned) {
            if let Effect::Open { ticket, book } = effect {
                let opened = Message::Opened(Box::new(desk.open(ticket, book)));
                let effects = update(&mut desk.session, opened);
                asked = effects
                    .iter()
                    .any(|effect| matches!(effect, Effect::Align(_)));
            }
        }
        assert_eq!(asked, expected, "{name}");
    }
}

/// Only the cut of a near copy must be seen before Enter keeps the cuts: other editions may be cut elsewhere with good reason.
#[test]
fn only_the_cut_of_a_copy_holds_enter_up() {
    let edition = RelatedBooks {
        numbered: COPY.copies,
        ..UNRELATED
    };
    for (name, related, expected) in [("copy", COPY, 1), ("edition", edition, 0)] {
        let mut other = UpdateFixture::new(vec![("b.txt", desk(COPY).texts[1].1.clone())]);
        other.keys(":8<Enter>c<Enter>");
        let decided = other.disk["b.txt"].clone();
        let desk = desk_with(related, |desk| {
            drop(desk.disk.insert("b.txt".into(), decided))
        });
        let open = desk.session.doc.open.as_ref().unwrap();
        let cuts = open.edition_evidence.iter().filter(|offer| offer.is_cut);
        assert_eq!(cuts.count(), 2, "{name}");
        assert_eq!(alerts(&desk.session, End::Start).len(), expected, "{name}");
    }
}

#[test]
fn an_answer_that_comes_too_late_says_nothing() {
    let mut desk = desk_with(COPY, |_| {});
    assert!(!said(&desk).is_empty());
    desk.keys("L");
    // Opened again, with the answer held back.
    let opening = desk.hold("H");
    let mut late = Vec::new();
    for effect in opening {
        if let Effect::Open { ticket, book } = effect {
            let opened = Message::Opened(Box::new(desk.open(ticket, book)));
            late.extend(update(&mut desk.session, opened));
        }
    }
    assert!(late.iter().any(|effect| matches!(effect, Effect::Align(_))));
    assert!(said(&desk).is_empty());
    // It is not taken for the answer about the next book, which is still awaited.
    let opening = desk.hold("L");
    for effect in opening {
        if let Effect::Open { ticket, book } = effect {
            let opened = Message::Opened(Box::new(desk.open(ticket, book)));
            drop(update(&mut desk.session, opened));
        }
    }
    desk.release(late);
    assert_eq!(desk.name(), "b.txt");
    assert!(desk.session.background.evidence_request.is_some());
    let open = desk.session.doc.open.as_ref().unwrap();
    assert!(open.edition_evidence.is_empty());
}
