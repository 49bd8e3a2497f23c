//! Custom keys, counts, and what keys open.

use super::*;
use crate::{Action, Popup};

/// A fixture with custom keys.
fn with_keys(keys: &str) -> UpdateFixture {
    let (config, mistakes) = endpaper_text::config::Config::parse(&format!("keys:\n{keys}"));
    assert_eq!(mistakes, []);
    let (keymap, mistakes) = Keymap::with(&config.keys);
    assert_eq!(mistakes, []);
    let mut desk = UpdateFixture::three();
    desk.session.keymap = keymap;
    desk
}

fn said(desk: &UpdateFixture) -> String {
    desk.words()
}

#[test]
fn a_count_repeats_what_moves_and_nothing_else() {
    let place = |desk: &UpdateFixture| {
        let book = desk.session.doc.open.as_ref().unwrap();
        book.page
            .cut_position(book.decision.cuts, desk.session.doc.end)
    };
    for (counted, one_by_one) in [
        ("#3J", "JJJ"),
        ("#2]", "]]"),
        ("#12<Backspace>J", "J"),
        ("#3j", "jjj"),
        ("#2J#2K", ""),
        ("#0J", "J"),
        ("#3<Esc>", ""),
    ] {
        let (mut one, mut other) = (UpdateFixture::three(), UpdateFixture::three());
        one.keys(counted);
        other.keys(one_by_one);
        assert_eq!(place(&one), place(&other), "{counted}");
        assert_eq!(
            one.session.cursor_line(),
            other.session.cursor_line(),
            "{counted}"
        );
        assert_eq!(one.session.keys.count, None, "{counted}");
    }
    let mut desk = UpdateFixture::three();
    desk.keys("#14G");
    assert_eq!(desk.session.cursor_line(), 14);
    desk.keys("#99999J#99999999999]");
    desk.keys("#7h");
    assert_said!(desk, Notice::Key(KeyNotice::TakesNoCount(Action::Hard)));
    assert!(!desk.session.doc.open.as_ref().unwrap().decision.hard);
}

#[test]
fn what_the_screen_says_names_the_curators_keys() {
    let mut desk = with_keys(
        "  keep: \"<F2>\"\n  hard: \"!\"\n  flag: \"gF\"\n  undo: \"<A-u>\"\n  help: \"<F3>\"\n  not-a-book: \"w!\"\n",
    );
    let hints = crate::presenter::keys(&desk.session);
    let found = |word: &str| {
        let hint = hints.iter().find(|(_, said)| *said == word);
        hint.map(|(key, _)| key.as_str())
    };
    for (word, key) in [
        ("hard", "!"),
        ("undo", "<A-u>"),
        ("help", "F3"),
        ("whole file", "w"),
    ] {
        assert_eq!(found(word), Some(key), "{word}");
    }
    assert!(hints[0].0 == "F2", "{hints:?}");
    desk.keys("!");
    assert_eq!(
        said(&desk),
        "hard; a notes another line, gF says what is unusual"
    );
    desk.keys("h");
    assert_eq!(said(&desk), "h does nothing here; F3 shows all keys");
    desk.keys("<F3>F2");
    let Some(Popup::Help(picker)) = desk.session.screen.popups.last() else {
        panic!("help is open");
    };
    assert_eq!(picker.choice(), Some(&Action::Keep));
}

#[test]
fn lists_and_prompts_have_keys_of_their_own() {
    let mut desk = with_keys(
        "  list-down: \"<C-j>\"\n  list-close: \"<C-g>\"\n  prompt-leave: \"<C-g>\"\n  prompt-keep: [\"<Enter>\", \"<C-o>\"]\n",
    );
    desk.keys("f<C-j><Space>");
    let Some(Popup::Words { picker, .. }) = desk.session.screen.popups.last() else {
        panic!("flags are open");
    };
    assert_eq!((picker.chosen, picker.filter.as_str()), (1, ""));
    desk.keys("<C-g>n<C-g>");
    assert!(desk.session.screen.popups.is_empty());
    desk.keys("nodd<C-o>");
    let decision = &desk.session.doc.open.as_ref().unwrap().decision;
    assert_eq!((decision.note.as_str(), decision.flags.len()), ("odd", 1));
}

#[test]
fn the_tour_takes_no_key_and_goes_with_the_first_verdict() {
    let mut desk = UpdateFixture::three();
    desk.keys("gt");
    assert!(desk.session.screen.layout().tour.is_some());
    assert_eq!(crate::presenter::rules_on_screen(&desk.session), [true; 2]);
    desk.keys("j<Esc>");
    assert!(desk.session.screen.layout().tour.is_none());
    desk.keys("gtJ<Enter>");
    assert!(desk.session.screen.layout().tour.is_none());
    assert_eq!(desk.session.sitting.tally.decided.len(), 1);
    assert_eq!(crate::presenter::rules_on_screen(&desk.session), [true; 2]);
}

#[test]
fn the_guidelines_scroll_and_close() {
    let mut desk = UpdateFixture::three();
    desk.keys("g?");
    let top = |desk: &UpdateFixture| match desk.session.screen.popups.last() {
        Some(Popup::Guidelines(top)) => Some(*top),
        _ => None,
    };
    assert_eq!(top(&desk), Some(0));
    desk.keys("j<Down><PageDown>");
    assert!(top(&desk).is_some_and(|top| top > 10));
    desk.keys("<End>j");
    let last = top(&desk);
    desk.keys("k");
    assert_eq!(top(&desk), last.map(|last| last - 1));
    desk.keys("q");
    assert_eq!(top(&desk), None);
    assert!(desk.session.doc.open.is_some());
}

#[test]
fn records_say_which_policy_the_cuts_follow() {
    let mut desk = UpdateFixture::three();
    desk.session.options.policy = endpaper_detect::Policy::named("keep-notes").unwrap();
    desk.keys("J<Enter>");
    let record = desk.record("a.txt").unwrap();
    assert_eq!(record.policy, "keep-notes");
    desk.keys("n<Enter>h").wait(2000);
    assert_eq!(desk.record("b.txt").unwrap().policy, "keep-notes");
}

/// The first analysis may change the book while no key was pressed: a verdict on the previous book is dropped.
#[test]
fn a_key_that_was_meant_for_the_book_before_decides_nothing() {
    for (later, decided) in [(200, 0), (2_000, 1)] {
        let mut desk = UpdateFixture::three();
        desk.session.queue.order = QueueOrder::Doubt;
        let mut entries = desk.session.entries.clone();
        for (entry, doubt) in entries.iter_mut().zip([0.1, 0.9, 0.2]) {
            entry.doubt = Some(doubt);
        }
        desk.send(Message::Entries {
            entries,
            counts_changed: true,
            model: None,
        });
        assert_eq!(desk.session.current, 1);
        desk.session.now += later;
        desk.keys("<Enter>");
        assert_eq!(desk.disk.len(), decided, "{later}: {}", said(&desk));
        desk.keys("<Enter>");
        assert_eq!(desk.disk.len(), decided + 1, "the second time it is meant");
    }
}

#[test]
fn a_flag_is_set_and_undone() {
    let mut desk = UpdateFixture::three();
    desk.keys("fads<Enter>");
    let decision = &desk.session.doc.open.as_ref().unwrap().decision;
    assert_eq!(
        (decision.hard, &decision.flags[..]),
        (false, &["ads".to_owned()][..])
    );
    assert_said!(desk, Notice::Mark(MarkNotice::Flagged(flags)) if flags == &["ads"]);
    desk.keys("u");
    let decision = &desk.session.doc.open.as_ref().unwrap().decision;
    assert!(decision.flags.is_empty());
}

/// A curator who goes to a line of the whole text wants to cut there: both ends show it if it is near a cut.
#[test]
fn a_place_found_in_the_whole_text_is_still_there_at_both_ends() {
    let mut desk = UpdateFixture::three();
    desk.keys("W:20<Enter>W");
    assert_eq!(
        (desk.session.doc.end, desk.session.cursor_line()),
        (End::Start, 20)
    );
    let last = desk.session.doc.open.as_ref().unwrap().page.lines() - 3;
    desk.keys(&format!("W:{last}<Enter>W"));
    assert_eq!(
        (desk.session.doc.end, desk.session.cursor_line()),
        (End::End, last)
    );
}

#[test]
fn a_search_is_shown_in_another_book_once_it_goes_on_there() {
    let mut desk = UpdateFixture::three();
    desk.keys("/ONE<Enter>");
    assert!(!desk.session.doc.search.as_ref().unwrap().idle);
    desk.keys("<Right>");
    assert!(desk.session.doc.search.as_ref().unwrap().idle);
    desk.keys("<Left>");
    assert!(desk.session.doc.search.as_ref().unwrap().idle);
    desk.keys(">");
    assert!(!desk.session.doc.search.as_ref().unwrap().idle);
}
