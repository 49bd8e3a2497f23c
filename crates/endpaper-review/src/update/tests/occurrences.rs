//! Occurrences of a line in other books: the list, the books named in the evidence, jumping and coming back.

use super::*;
use crate::occurrences::{
    OccurrenceBatch, OccurrenceHit, OccurrenceList, OccurrenceQuery, OccurrenceRequest, find_hits,
};

/// The last line of every book.
const LAST: &str = "*** END OF THIS PROJECT GUTENBERG EBOOK ***";

/// The requests sent by some keys.
fn asked(desk: &mut UpdateFixture, keys: &str) -> Vec<Option<OccurrenceRequest>> {
    let effects = desk.hold(keys);
    let seeks = effects.iter().filter_map(|effect| match effect {
        Effect::FindOccurrences(seek) => Some(seek.clone()),
        _ => None,
    });
    let seeks = seeks.collect();
    desk.release(effects);
    seeks
}

/// The only request sent by some keys.
fn sought(desk: &mut UpdateFixture, keys: &str) -> OccurrenceRequest {
    let seeks = asked(desk, keys);
    assert_eq!(seeks.len(), 1, "{keys}");
    seeks.into_iter().next().flatten().unwrap()
}

impl UpdateFixture {
    /// Searches the books as the worker does, in one batch.
    fn answer(&mut self, seek: &OccurrenceRequest) -> OccurrenceBatch {
        let mut batch = OccurrenceBatch {
            epoch: seek.epoch,
            windows: (300, 300),
            done: true,
            ..OccurrenceBatch::default()
        };
        for &book in &seek.books {
            let text = BookText::new(self.texts[book].1.clone().into_bytes());
            let scan = endpaper_text::scan::scan(text.bytes(), Default::default());
            batch.hits.extend(find_hits(&scan, book, seek.query));
            batch.read += 1;
        }
        batch
    }

    fn list(&self) -> &OccurrenceList {
        self.session.background.occurrences.list.as_ref().unwrap()
    }

    fn listed(&self) -> Vec<(usize, u32)> {
        let shown = self.list().picker.shown().into_iter();
        shown
            .map(|(_, item)| (item.hit.book, item.hit.line))
            .collect()
    }
}

#[test]
fn the_list_fills_counts_places_and_jumps_to_one_and_back() {
    let mut desk = UpdateFixture::three();
    // A copy of the last line is in the body of the third book.
    let line = "Line 3 of paragraph 9 of THREE, which nobody wrote before";
    desk.texts[2].1 = desk.texts[2].1.replace(line, LAST);
    for entry in &mut desk.session.entries {
        entry.cuts = Some(endpaper_detect::Cuts {
            preamble_end: 5,
            epilogue_start: Some(MARKER),
        });
    }
    desk.keys("<Tab>G");
    assert_eq!(desk.session.cursor_line(), 194);
    let before = (
        desk.session.doc.tail,
        desk.session.doc.head,
        desk.session.doc.end,
    );
    let seek = sought(&mut desk, "gl");
    assert_eq!(seek.books, [0, 1, 2]);
    assert_eq!(
        desk.list().title(),
        "0 in preambles, 0 in bodies, 0 in epilogues"
    );
    let batch = desk.answer(&seek);
    // Answers to older requests are ignored.
    let old = OccurrenceBatch {
        epoch: seek.epoch - 1,
        ..batch.clone()
    };
    desk.send(Message::Hits(old));
    assert!(desk.listed().is_empty());
    desk.send(Message::Hits(batch));
    assert_eq!(
        desk.list().title(),
        "0 in preambles, 1 in bodies, 3 in epilogues"
    );
    assert_eq!(desk.listed(), [(2, 95), (0, 194), (1, 194), (2, 194)]);
    let (text, _) = desk.list().picker.shown()[0];
    assert!(
        text.contains("body, 90 lines after the cut detected"),
        "{text}"
    );
    desk.keys("<Enter>");
    assert_eq!((desk.name(), desk.session.cursor_line()), ("c.txt", 95));
    assert!(presenter::visible(&desk.session, End::Start).contains(&desk.session.doc.head.cursor));
    assert_said!(desk, Notice::Page(PageNotice::Jumped(Some(95))));
    assert_eq!(desk.session.sitting.selection.get(&2), Some(&"search"));
    desk.keys("<C-o>");
    assert_eq!((desk.name(), desk.session.cursor_line()), ("a.txt", 194));
    let after = (
        desk.session.doc.tail,
        desk.session.doc.head,
        desk.session.doc.end,
    );
    assert_eq!(after, before);
    assert_eq!(desk.session.doc.seen, [true, true]);
    assert!(desk.disk.is_empty(), "looking decides nothing");
    desk.keys("<C-o>");
    assert_said!(desk, Notice::Page(PageNotice::NoJump));
}

#[test]
fn a_list_that_is_whole_is_shown_again_with_what_was_decided_since() {
    let mut desk = UpdateFixture::three();
    desk.session.entries[1].cuts = Some(Default::default());
    let seek = sought(&mut desk, "<Tab>Ggl");
    let batch = desk.answer(&seek);
    desk.send(Message::Hits(batch));
    let basis = |desk: &UpdateFixture, book: usize| {
        let shown = desk.list().picker.shown();
        let found = shown.into_iter().find(|(_, item)| item.hit.book == book);
        found.unwrap().1.position.map(|place| place.basis.word())
    };
    assert_eq!(basis(&desk, 0), Some("detected"));
    assert_eq!(basis(&desk, 2), None, "nothing is known of its cuts");
    assert_eq!(
        desk.list().title(),
        "0 in preambles, 1 in bodies, 1 in epilogues, 1 in tails"
    );
    desk.keys("<Down><Esc><Enter><Left>");
    assert_eq!(desk.name(), "a.txt");
    assert_eq!(asked(&mut desk, "<Tab>Ggl"), []);
    assert_eq!(basis(&desk, 0), Some("decided"));
    let chosen = desk.list().picker.choice().unwrap();
    assert_eq!(chosen.hit.book, 0, "the chosen row is still chosen");
    // The filter matches name, line, position and title.
    desk.keys("decided<Space>epilogue");
    assert_eq!(desk.listed(), [(0, 194)]);
    desk.keys("<Esc>jjG");
    assert!(desk.session.screen.popups.is_empty());
}

#[test]
fn closing_the_list_stops_the_search_and_opening_it_begins_anew() {
    let mut desk = UpdateFixture::three();
    let first = sought(&mut desk, "<Tab>Ggl");
    assert_eq!(asked(&mut desk, "<Esc>"), [None]);
    let batch = desk.answer(&first);
    desk.send(Message::Hits(batch.clone()));
    let second = sought(&mut desk, "gl");
    assert!(second.epoch > first.epoch);
    desk.send(Message::Hits(batch));
    assert!(desk.listed().is_empty(), "that was for the first list");
    // Another line has another list.
    desk.keys("<Esc>k");
    let third = sought(&mut desk, "gl");
    assert_ne!(third.query, second.query);
    // After the last answer there is nothing to stop.
    let batch = desk.answer(&third);
    desk.send(Message::Hits(batch));
    assert_eq!(asked(&mut desk, "<Esc>"), []);
}

#[test]
fn a_corpus_that_is_known_better_is_searched_again() {
    let mut desk = UpdateFixture::three();
    let first = sought(&mut desk, "<Tab>Ggl");
    desk.keys("end");
    let entries = desk.session.entries.clone();
    let message = Message::Entries {
        entries,
        counts_changed: true,
        model: None,
    };
    let effects = update(&mut desk.session, message);
    let again = effects.iter().find_map(|effect| match effect {
        Effect::FindOccurrences(seek) => seek.clone(),
        _ => None,
    });
    let again = again.unwrap();
    assert_eq!(again.query, first.query);
    assert!(again.epoch > first.epoch);
    assert_eq!(desk.list().picker.filter, "end");
}

#[test]
fn a_skeleton_finds_lines_with_other_names() {
    let mut desk = UpdateFixture::three();
    desk.texts[1].1 = desk.texts[1]
        .1
        .replace("Produced by Somebody", "Produced by Al Haines");
    desk.keys(":5<Enter>");
    let exact = sought(&mut desk, "gl");
    assert_eq!(desk.answer(&exact).hits.len(), 2);
    desk.keys("<Esc>");
    // The page of the gap detector has no skeletons.
    assert_eq!(asked(&mut desk, "gs"), []);
    assert_said!(desk, Notice::Page(PageNotice::NoSkeletons));
    reread(&mut desk, Frequencies::default());
    let seek = sought(&mut desk, "gs");
    assert!(matches!(seek.query, OccurrenceQuery::Skeleton(_)));
    let batch = desk.answer(&seek);
    let lines: Vec<(usize, u32)> = batch.hits.iter().map(|hit| (hit.book, hit.line)).collect();
    assert_eq!(lines, [(0, 5), (1, 5), (2, 5)]);
    desk.send(Message::Hits(batch));
    assert_eq!(desk.list().label, "produced by X");
    desk.keys("<Esc>:2<Enter>");
    assert_eq!(asked(&mut desk, "gl"), []);
    assert_said!(desk, Notice::Page(PageNotice::BlankLine));
}

#[test]
fn a_blind_review_is_told_no_places_of_undecided_books() {
    let mut desk = UpdateFixture::three();
    desk.session.modes.blind = true;
    desk.keys("<Right>");
    assert!(desk.session.doc.open.as_ref().unwrap().hides_proposal());
    for entry in &mut desk.session.entries {
        entry.cuts = Some(Default::default());
    }
    desk.session.entries[2].status = ReviewStatus::Decided(Verdict::Confirmed);
    let seek = sought(&mut desk, "Ggl");
    let batch = desk.answer(&seek);
    desk.send(Message::Hits(batch));
    let told = |desk: &UpdateFixture| {
        let shown = desk.list().picker.shown().into_iter();
        let mut told: Vec<(usize, bool)> = shown
            .map(|(_, item)| (item.hit.book, item.position.is_some()))
            .collect();
        told.sort();
        told
    };
    assert_eq!(told(&desk), [(0, false), (1, false), (2, true)]);
    // A second look shows no positions at all.
    desk.keys("<Esc>");
    desk.session.options.re_review = true;
    desk.keys("gl");
    assert_eq!(told(&desk), [(0, false), (1, false), (2, false)]);
}

/// Replaces the page of the open book by that of the posterior detector with these frequencies.
fn reread(desk: &mut UpdateFixture, frequencies: Frequencies) {
    let open = desk.session.doc.open.as_mut().unwrap();
    let text = BookText::new(open.page.text.bytes().to_vec());
    open.page = Arc::new(BookPage::new(text, &frequencies, &Parameters::default()));
}

#[test]
fn the_evidence_names_three_other_books_and_keys_lead_there() {
    let mut texts: Vec<(&'static str, String)> = vec![("a.txt", book("ONE"))];
    for name in ["b.txt", "c.txt", "d.txt", "e.txt"] {
        texts.push((name, book("OTHER")));
    }
    let mut desk = UpdateFixture::new(texts);
    let key = endpaper_text::line::Normaliser::default().text(LAST).key();
    let certain = endpaper_detect::frequency::Certainty::Exact;
    let counts = endpaper_detect::frequency::Counts::from_pairs([(key, 5)], certain);
    reread(&mut desk, counts.into());
    assert_eq!(asked(&mut desk, "<Tab>G"), [], "no evidence is on screen");
    let seek = sought(&mut desk, "i");
    assert_eq!((seek.max_books, &seek.books[..]), (3, &[1, 2, 3, 4][..]));
    assert!(!seek.delay.is_zero());
    let said = |desk: &UpdateFixture| {
        let facts = crate::evidence::facts(&desk.session);
        let texts: Vec<String> = facts.into_iter().map(|(_, text)| text).collect();
        texts.join("\n")
    };
    assert!(said(&desk).contains("other books are being searched"));
    let batch = desk.answer(&seek);
    desk.send(Message::Hits(batch));
    let text = "also in: g1 b.txt 194 · g2 c.txt 194 · g3 d.txt 194 · gl all";
    assert!(said(&desk).contains(text), "{}", said(&desk));
    // The evidence closes, and the key has its usual effect.
    desk.keys("g2");
    assert_eq!((desk.name(), desk.session.cursor_line()), ("c.txt", 194));
    desk.keys("<C-o>");
    assert_eq!((desk.name(), desk.session.cursor_line()), ("a.txt", 194));
    // Without a search, a message explains how to start one.
    desk.keys("k");
    desk.keys("g1");
    assert_eq!(desk.name(), "a.txt");
    assert_said!(desk, Notice::Page(PageNotice::NoOtherBook));
}

#[test]
fn the_cursor_asks_for_other_books_only_while_the_evidence_is_on_screen() {
    let mut desk = UpdateFixture::three();
    desk.send(Message::Resize(200, 50));
    // The line is not known from other books: no request.
    assert_eq!(asked(&mut desk, "jjGk"), []);
    let hit = OccurrenceHit {
        book: 1,
        line: 3,
        end: End::Start,
    };
    let batch = OccurrenceBatch {
        hits: vec![hit],
        done: true,
        ..OccurrenceBatch::default()
    };
    desk.send(Message::Hits(batch));
    assert!(desk.session.line_neighbours().is_none());
}

#[test]
fn every_pick_of_a_book_can_be_come_back_from() {
    let mut desk = UpdateFixture::three();
    desk.keys("jjj");
    let line = desk.session.cursor_line();
    desk.keys("bc.txt<Enter>");
    assert_eq!(desk.name(), "c.txt");
    desk.keys("W:50<Enter>bb.txt<Enter>");
    assert_eq!(desk.name(), "b.txt");
    desk.keys("W<C-o>");
    assert_eq!((desk.name(), desk.session.cursor_line()), ("c.txt", 50));
    assert!(desk.session.screen.view_options.whole_text);
    desk.keys("<C-o>");
    assert_eq!((desk.name(), desk.session.cursor_line()), ("a.txt", line));
    assert!(!desk.session.screen.view_options.whole_text);
    // A draft of the previous book is kept.
    desk.keys("hbb.txt<Enter><C-o>");
    assert_eq!(desk.name(), "a.txt");
    assert!(desk.session.doc.open.as_ref().unwrap().decision.hard);
    assert!(desk.record("a.txt").unwrap().hard);
}

#[test]
fn texts_over_the_page_are_scrolled_and_closed() {
    let mut desk = UpdateFixture::three();
    desk.session.screen.size = (60, 12);
    let top = |desk: &UpdateFixture| match desk.session.screen.popups.last() {
        Some(Popup::Evidence(top) | Popup::Bytes(top)) => Some(*top),
        _ => None,
    };
    desk.keys("i<Down><Down>");
    assert_eq!(top(&desk), Some(2));
    desk.keys("<Up>");
    assert_eq!(top(&desk), Some(1));
    desk.keys("<End><Down>");
    let last = top(&desk).unwrap();
    assert!(last > 2);
    desk.keys("<Home>");
    assert_eq!(top(&desk), Some(0));
    // Keys of the page close the evidence and have their usual effect.
    desk.keys("h");
    assert_eq!(top(&desk), None);
    assert!(desk.session.doc.open.as_ref().unwrap().decision.hard);
    desk.keys("gbG");
    assert!(top(&desk).is_some());
    desk.keys("h");
    assert!(desk.session.doc.open.as_ref().unwrap().decision.hard);
    desk.keys("q");
    assert_eq!(top(&desk), None);
    assert!(!desk.quit);
}
