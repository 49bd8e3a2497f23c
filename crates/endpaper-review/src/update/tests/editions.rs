//! Another edition next to the open book: its offers, its keys, and what must not be lost.

use super::*;
use crate::editions::{EditionAnswer, EditionRow, EditionView, visible_edition};
use endpaper_text::corpus::EncodingChoice;

/// The book, an edition without the line of credits, one with other credits, and another work. The first three share an
/// e-text number.
fn editions() -> UpdateFixture {
    let one = book("ONE");
    let other = one.replace("Produced by Somebody\n", "Scanned by Nobody at all\n");
    let plain = one.replace("Produced by Somebody\n\n\n\n", "");
    surveyed(vec![
        ("a.txt", one),
        ("b.txt", plain),
        ("c.txt", other),
        ("d.txt", book("TWO")),
    ])
}

/// A fixture after the analysis: the first three books are editions of one work.
fn surveyed(texts: Vec<(&'static str, String)>) -> UpdateFixture {
    let mut desk = UpdateFixture::new(texts);
    desk.analysed(false, |at, entry| {
        entry.number = Some(244).filter(|_| at < 3);
    });
    desk
}

fn view(desk: &UpdateFixture) -> Option<&EditionView> {
    match desk.session.screen.popups.last() {
        Some(Popup::Editions(view)) => Some(view),
        _ => None,
    }
}

/// Name of the edition next to the book.
fn beside(desk: &UpdateFixture) -> Option<&str> {
    let book = view(desk)?.book()?;
    Some(desk.session.entries[book].name())
}

fn rows(desk: &UpdateFixture) -> Vec<EditionRow> {
    view(desk)
        .and_then(|view| visible_edition(&desk.session, view))
        .map_or_else(Vec::new, |shown| shown.rows)
}

fn whys(desk: &UpdateFixture) -> Vec<&str> {
    let offers = &desk.session.doc.open.as_ref().unwrap().offers;
    offers.iter().map(|offer| offer.why.as_str()).collect()
}

#[test]
fn a_block_absent_from_another_edition_has_a_digit_that_puts_the_cut_behind_it() {
    let mut desk = editions();
    assert_eq!(desk.cuts(), (5, MARKER));
    desk.keys("=");
    assert_eq!(beside(&desk), Some("b.txt"));
    assert_eq!(whys(&desk), ["line 5 absent from b.txt"]);
    let digit = desk
        .session
        .doc
        .digit_positions()
        .iter()
        .position(|&place| place == TITLE);
    let digit = digit.expect("a digit at the title") + 1;
    desk.keys(&digit.to_string());
    // The page is shown again with the new cut; nothing is decided yet.
    assert!(desk.session.screen.popups.is_empty());
    assert_eq!(
        (desk.cuts(), desk.session.doc.end),
        ((TITLE, MARKER), End::Start)
    );
    let decision = &desk.session.doc.open.as_ref().unwrap().decision;
    assert_eq!(decision.verdict, Verdict::Open);
    // The digit and its reason remain while the book is on screen.
    assert_eq!(whys(&desk), ["line 5 absent from b.txt"]);
    let said = crate::presenter::evidence_line(&desk.session);
    let expected = format!("{digit}: line 5 absent from b.txt");
    assert!(said.starts_with(&expected), "{said}");
    desk.keys("<Enter>");
    assert_eq!(desk.record("a.txt").unwrap().verdict, Verdict::Corrected);
}

#[test]
fn nothing_changes_by_looking() {
    for keys in [
        "=<Esc>",
        "==",
        "=q",
        "=<Tab><Esc>",
        "=jkGggz<Right><Left>><lt>t=",
        "=b<Esc>",
    ] {
        let mut desk = editions();
        desk.keys(keys);
        assert!(desk.session.screen.popups.is_empty(), "{keys}");
        assert_eq!((desk.name(), desk.cuts()), ("a.txt", (5, MARKER)), "{keys}");
        assert!(
            !desk
                .session
                .doc
                .open
                .as_ref()
                .unwrap()
                .has_unsaved_changes(),
            "{keys}"
        );
        assert!(desk.disk.is_empty() && !desk.quit, "{keys}");
    }
}

#[test]
fn the_decided_edition_comes_first_and_its_cut_is_carried_over() {
    let mut desk = editions();
    // The second edition begins with its title at line 5; c.txt is corrected to its title at line 9.
    desk.keys("<Right><Right>]<Enter>");
    assert_eq!(desk.record("c.txt").unwrap().cuts.preamble_end, 5);
    desk.keys("<Left><Left><Left>");
    assert_eq!(desk.name(), "a.txt");
    desk.keys("=");
    assert_eq!(beside(&desk), Some("c.txt"));
    let expected = [
        "9 is the cut of c.txt (corrected), carried over",
        "193 is the cut of c.txt (corrected), carried over",
    ];
    assert_eq!(whys(&desk), expected);
    assert!(desk.session.doc.digit_positions().contains(&TITLE));
    // The cut of the other edition is at its title, ours before the credits.
    let cuts: Vec<EditionRow> = rows(&desk)
        .into_iter()
        .filter(|row| matches!(row, EditionRow::Cut { .. }))
        .collect();
    let cut = |here, there| EditionRow::Cut { here, there };
    assert_eq!(cuts, [cut(true, false), cut(false, true)]);
}

#[test]
fn arrows_go_through_the_editions_and_enter_opens_one() {
    let mut desk = editions();
    desk.keys("=");
    for (key, name) in [
        ("<Right>", "c.txt"),
        ("<Right>", "b.txt"),
        ("<Left>", "c.txt"),
    ] {
        desk.keys(key);
        assert_eq!(beside(&desk), Some(name));
    }
    desk.keys("<Enter>");
    assert_eq!(desk.name(), "c.txt");
    assert!(desk.session.screen.popups.is_empty());
    desk.keys("<Enter>");
    let record = desk.record("c.txt").unwrap();
    assert_eq!(record.reviews[0].drawn, "editions");
}

#[test]
fn the_list_takes_the_place_of_the_comparison() {
    let mut desk = editions();
    desk.keys("=b");
    let Some(Popup::Books { picker, title, .. }) = desk.session.screen.popups.last() else {
        panic!("no list");
    };
    assert_eq!(
        (picker.items.len(), title.as_str()),
        (2, "2 editions of this work")
    );
    desk.keys("<Down><Enter>");
    assert_eq!(desk.name(), "c.txt");
    assert!(desk.session.screen.popups.is_empty());
}

#[test]
fn a_work_with_one_edition_says_so() {
    let mut desk = editions();
    desk.keys("<Left>=");
    assert_eq!(desk.name(), "d.txt");
    assert!(desk.session.screen.popups.is_empty());
    assert_said!(
        desk,
        Notice::Queue(QueueNotice::NoOther("editions of this work"))
    );
    // With only one other edition there is no next one.
    let mut desk = surveyed(vec![("a.txt", book("ONE")), ("b.txt", book("ONE"))]);
    desk.keys("=<Right>");
    assert_said!(desk, Notice::Page(PageNotice::OnlyEdition));
}

#[test]
fn an_edition_that_cannot_be_read_is_said_and_nothing_is_lost() {
    let mut desk = editions();
    desk.keys("h");
    let asked = desk.hold("=");
    let [Effect::Align(request)] = asked.as_slice() else {
        panic!("{asked:?}");
    };
    desk.send(Message::Aligned {
        ticket: request.ticket,
        result: Err("No such file or directory".to_owned()),
    });
    let answer = view(&desk).map(|view| &view.answer);
    assert!(matches!(answer, Some(EditionAnswer::Failed(why)) if why.contains("No such file")));
    // Digits do nothing without a comparison on screen, and the next edition can be opened.
    desk.keys("1j");
    assert_eq!(desk.cuts(), (5, MARKER));
    desk.keys("<Right>");
    assert!(view(&desk).unwrap().edition().is_some());
    desk.keys("=");
    assert!(desk.session.doc.open.as_ref().unwrap().decision.hard);
}

#[test]
fn an_answer_that_comes_too_late_changes_nothing() {
    let mut desk = editions();
    let late = desk.hold("=");
    desk.keys("<Esc>").release(late);
    assert!(desk.session.screen.popups.is_empty() && whys(&desk).is_empty());
    // Nor does an answer for the previous edition.
    let late = desk.hold("=");
    desk.keys("<Right>").release(late);
    assert_eq!(beside(&desk), Some("c.txt"));
    assert_eq!(whys(&desk), ["line 5 absent from c.txt"]);
}

#[test]
fn another_text_of_the_book_closes_what_lay_beside_the_old_one() {
    let mut desk = editions();
    desk.keys("=");
    desk.send(Message::Returned);
    assert!(view(&desk).is_some() && !whys(&desk).is_empty());
    desk.texts[0].1.push_str("one more line\n");
    desk.send(Message::Returned);
    assert!(desk.session.screen.popups.is_empty() && whys(&desk).is_empty());
    // Offers belong to a book: another book does not have them.
    desk.keys("=<Esc><Right>");
    assert_eq!((desk.name(), whys(&desk).len()), ("b.txt", 0));
}

#[test]
fn a_blind_review_sees_the_lines_and_no_cut() {
    let mut desk = editions();
    let options = SessionOptions {
        blind: true,
        ..desk.session.options.clone()
    };
    let (queue, entries) = (desk.session.queue.clone(), desk.session.entries.clone());
    desk.session = Session::new(options, queue, Keymap::defaults());
    desk.send(Message::Entries {
        entries,
        counts_changed: false,
        model: None,
    });
    desk.keys("=");
    assert!(view(&desk).unwrap().edition().is_some());
    assert!(whys(&desk).is_empty() && desk.session.doc.digit_positions().is_empty());
    let cuts = |desk: &UpdateFixture| {
        let cut = |row: &&EditionRow| matches!(row, EditionRow::Cut { .. });
        rows(desk).iter().filter(cut).count()
    };
    assert!(!rows(&desk).is_empty());
    assert_eq!(cuts(&desk), 0);
    desk.keys("1");
    assert_said!(desk, Notice::Blind(BlindNotice::PlaceCut(_)));
    // The curator's own cut is shown once it is placed.
    desk.keys("<Esc>:9<Enter>c=");
    assert_eq!(cuts(&desk), 1);
    assert!(whys(&desk).is_empty());
    // After the proposal is revealed, the offers of the edition can be requested.
    desk.keys("=<Tab>:193<Enter>cgd=");
    assert_eq!(whys(&desk), ["line 5 absent from b.txt"]);
}

#[test]
fn another_encoding_of_the_book_takes_the_offers_away() {
    let mut desk = editions();
    desk.keys("=<Esc>");
    assert!(!whys(&desk).is_empty());
    for effect in update(&mut desk.session, Message::Returned) {
        let Effect::Open { ticket, book } = effect else {
            continue;
        };
        let mut opened = desk.open(ticket, book);
        let choice = EncodingChoice::Forced("cp437".parse().unwrap());
        let text = BookText::in_encoding(desk.texts[book].1.clone().into_bytes(), choice);
        let parameters = Parameters {
            method: Method::Gap,
            ..Parameters::default()
        };
        let page = BookPage::new(text, &Frequencies::default(), &parameters);
        opened.page = Ok(Arc::new(page));
        desk.send(Message::Opened(Box::new(opened)));
    }
    assert!(desk.session.doc.open.is_some() && whys(&desk).is_empty());
}
