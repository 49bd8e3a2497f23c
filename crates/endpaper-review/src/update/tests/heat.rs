//! The heat map during a sitting: choosing books, counts, requests.

use super::*;

#[test]
fn the_heat_map_chooses_a_book_and_comes_back_where_one_was() {
    let mut desk = UpdateFixture::three();
    desk.keys("gm<Right><Right>");
    assert!(desk.session.background.heat.shown);
    assert_eq!(desk.session.background.heat.chosen_book(), Some(2));
    desk.keys("<Esc>");
    assert!(!desk.session.background.heat.shown);
    assert_eq!(desk.session.current, 0);
    desk.keys("gm<Right><Enter>");
    assert!(!desk.session.background.heat.shown);
    assert_eq!(desk.session.current, 1);
    assert!(desk.session.doc.open.is_some());
    // The map starts at the current book.
    desk.keys("gm");
    assert_eq!(desk.session.background.heat.chosen_book(), Some(1));
    desk.keys("q");
    assert!(!desk.session.background.heat.shown && !desk.quit);
    assert!(desk.disk.is_empty(), "looking decides nothing");
}

#[test]
fn keys_of_the_page_do_nothing_on_the_heat_map() {
    let mut desk = UpdateFixture::three();
    let before = desk.session.doc.open.as_ref().unwrap().decision.clone();
    desk.keys("gmhJwnc1<Esc>u0");
    let open = desk.session.doc.open.as_ref().unwrap();
    assert_eq!(open.decision, before);
    assert_eq!(desk.session.current, 0);
    assert!(desk.disk.is_empty());
    let refused = ModeRefusal::NotOnMap(Action::CutNothing).into();
    assert_eq!(desk.said(), Some(&refused));
    assert!(desk.session.background.heat.shown);
}

#[test]
fn counts_repeat_moves_on_the_heat_map() {
    let mut desk = UpdateFixture::three();
    let mut at = |keys: &str| {
        desk.keys(keys);
        desk.session.background.heat.chosen_position
    };
    assert_eq!(at("gm"), 0);
    for (keys, expected) in [
        ("2<Right>", 2),
        ("9<Left>", 0),
        ("G", 2),
        ("2G", 1),
        ("gg", 0),
        ("3gg", 2),
        // The count is cancelled: the next key is not repeated.
        ("2<Esc><Left>", 1),
        ("10<Left>", 0),
        ("<PageDown>", 2),
        ("<PageUp>", 0),
    ] {
        assert_eq!(at(keys), expected, "{keys}");
    }
}

#[test]
fn cuts_under_the_heat_map_are_not_seen() {
    let mut desk = UpdateFixture::three();
    desk.session.screen.size = (80, 24);
    desk.keys("gm");
    desk.session.doc.seen = [false; 2];
    desk.keys("<Right><Left>");
    assert_eq!(desk.session.doc.seen, [false; 2]);
    desk.keys("<Esc>");
    assert_eq!(desk.session.doc.seen, [true; 2]);
}

#[test]
fn lists_over_the_heat_map_choose_on_it() {
    let mut desk = UpdateFixture::three();
    desk.keys("gmbc.txt<Enter>");
    assert_eq!(desk.session.background.heat.chosen_book(), Some(2));
    assert!(desk.session.background.heat.shown);
    assert_eq!(desk.session.current, 0);
    // Help lists the actions of the map and runs them there.
    desk.keys("?last line of<Enter>gg?last line of<Enter>");
    assert_eq!(desk.session.background.heat.chosen_position, 2);
    desk.keys("?undo");
    let Some(Popup::Help(picker)) = desk.session.screen.popups.last() else {
        panic!("help is open");
    };
    assert!(picker.shown().is_empty());
    desk.keys("<Esc>sconfirmed<Enter>");
    assert!(desk.session.background.heat.order.is_empty());
    desk.keys("<Enter><Right>gn-+l<Tab>o<Esc>");
    assert_eq!(desk.session.current, 0);
}

#[test]
fn what_the_heat_map_lacks_is_asked_for_once_and_dropped_when_it_is_left() {
    let mut desk = UpdateFixture::three();
    let asked = |session: &mut Session, message: Message| {
        let effects = update(session, message);
        let heat = effects.into_iter().filter_map(|effect| match effect {
            Effect::Heat { epoch, books } => Some((epoch, books)),
            _ => None,
        });
        heat.collect::<Vec<_>>()
    };
    let key = |key: &str| Message::Key(key.parse().unwrap());
    let session = &mut desk.session;
    assert_eq!(asked(session, key("g")), []);
    let epoch = session.background.heat.epoch;
    assert_eq!(asked(session, key("m")), [(epoch, vec![0, 1, 2])]);
    assert_eq!(asked(session, key("<Right>")), []);
    let answer = |epoch, books: &[usize]| Message::Heat {
        epoch,
        books: books.iter().map(|&book| (book, None)).collect(),
    };
    assert_eq!(asked(session, answer(epoch + 1, &[0, 1, 2])), []);
    assert_eq!(
        session.background.heat.unread(),
        3,
        "an answer to another question"
    );
    assert_eq!(asked(session, answer(epoch, &[0, 7])), []);
    assert_eq!(session.background.heat.unread(), 2);
    // With other frequencies, everything is requested again.
    let entries = Message::Entries {
        entries: session.entries.clone(),
        counts_changed: true,
        model: None,
    };
    assert_eq!(asked(session, entries), [(epoch + 1, vec![0, 1, 2])]);
    assert_eq!(asked(session, key("<Esc>")), [(epoch + 1, vec![])]);
    assert_eq!(asked(session, key("j")), []);
}

#[test]
fn the_mouse_chooses_and_opens_on_the_heat_map() {
    let mut desk = UpdateFixture::three();
    desk.session.screen.size = (80, 24);
    desk.keys("gm");
    let click = |x, y| Message::Mouse(MouseInput::Click(x, y));
    desk.send(click(8, 10));
    assert_eq!(desk.session.background.heat.chosen_position, 2);
    desk.send(click(9, 10));
    assert_eq!(
        desk.session.background.heat.chosen_position, 2,
        "no book there"
    );
    desk.send(click(2, 10));
    assert_eq!(
        desk.session.background.heat.chosen_position, 2,
        "the line numbers"
    );
    desk.send(Message::Mouse(MouseInput::Wheel(8, 10, -1)));
    assert_eq!(desk.session.background.heat.chosen_position, 0);
    desk.send(click(7, 1));
    desk.send(click(7, 20));
    assert!(!desk.session.background.heat.shown);
    assert_eq!(desk.session.current, 1);
}

#[test]
fn a_decision_moves_the_cut_on_the_heat_map() {
    let mut desk = UpdateFixture::three();
    let cut = |desk: &UpdateFixture| desk.session.entries[0].cuts.unwrap().preamble_end;
    let before = cut(&desk);
    desk.keys("J<Enter>");
    let record = yaml::read(&String::from_utf8_lossy(&desk.disk["a.txt"])).unwrap();
    assert_ne!(cut(&desk), before);
    assert_eq!(cut(&desk), record.cuts.preamble_end);
}
