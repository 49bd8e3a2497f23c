//! The list of the queue and its filter.

use super::*;
use crate::QueueFilter;

fn shown(desk: &UpdateFixture) -> Vec<usize> {
    match desk.session.screen.popups.last() {
        Some(Popup::Queue(picker)) => picker.shown().iter().map(|(_, book)| *book).collect(),
        other => panic!("no queue but {other:?}"),
    }
}

fn problem(desk: &UpdateFixture) -> Option<&str> {
    match desk.session.screen.popups.last() {
        Some(Popup::Queue(picker)) => picker.problem.as_deref(),
        _ => None,
    }
}

#[test]
fn the_list_finds_books_by_words_and_terms() {
    let mut desk = UpdateFixture::three();
    desk.keys("<Enter>b");
    assert_eq!(shown(&desk), [0, 1, 2]);
    desk.keys("is:und");
    assert_eq!(shown(&desk), [1, 2]);
    desk.keys("<Space>c");
    assert_eq!(shown(&desk), [2]);
    desk.keys("<Enter>");
    assert_eq!(desk.name(), "c.txt");
    assert_eq!(desk.session.queue.books, [0, 1, 2], "Enter keeps no filter");
}

#[test]
fn a_filter_is_kept_until_all_are_asked_for() {
    let mut desk = UpdateFixture::three();
    desk.keys("<Enter>bis:und<Tab>");
    assert_eq!(desk.session.queue.books, [1, 2]);
    assert_eq!(desk.session.queue.what(), "is:und");
    assert_said!(desk, Notice::Queue(QueueNotice::Arranged { count: 2, what, order: QueueOrder::Name, .. }) if what == "is:und");
    // The list shows the current filter for editing; deleting it finds all books again.
    desk.keys("b");
    assert_eq!(shown(&desk), [1, 2]);
    desk.keys("<Backspace><Backspace><Backspace><Backspace><Backspace><Backspace>");
    assert_eq!(shown(&desk), [0, 1, 2]);
    desk.keys("<Esc>sundecided<Enter>");
    assert_eq!(desk.session.queue.what(), "undecided, is:und");
    desk.keys("sall<Enter>");
    assert_eq!(
        (desk.session.queue.filter, desk.session.queue.books.len()),
        (QueueFilter::All, 3)
    );
}

#[test]
fn a_term_that_went_wrong_is_named_and_not_kept() {
    let mut desk = UpdateFixture::three();
    desk.keys("bis:xyzzy");
    assert!(
        problem(&desk)
            .unwrap()
            .starts_with("unknown status 'is:xyzzy'")
    );
    desk.keys("<Tab>");
    assert!(problem(&desk).is_some() && !desk.session.queue.is_narrowed());
    desk.keys("<Backspace><Backspace><Backspace><Backspace><Backspace>hard");
    assert_eq!((problem(&desk), shown(&desk).len()), (None, 0));
    // Nothing is found, so there is nothing to keep or open.
    desk.keys("<Tab>");
    assert!(!desk.session.queue.is_narrowed());
}

#[test]
fn what_is_typed_over_a_kept_filter_is_a_word_of_its_own() {
    let mut desk = UpdateFixture::three();
    desk.keys("<Enter>bis:und<Tab>bc.t");
    assert_eq!((shown(&desk), problem(&desk)), (vec![2], None));
    assert_eq!(filter(&desk), "is:und c.t");
    // Further characters extend that word, and a space after it is not doubled.
    desk.keys("xt<Esc>b<Space>b.t");
    assert_eq!(filter(&desk), "is:und b.t");
}

#[test]
fn one_key_empties_the_filter_of_a_list_and_one_takes_a_word() {
    let mut desk = UpdateFixture::three();
    desk.keys("<Enter>bis:und<Tab>b<C-u>");
    assert_eq!((filter(&desk), shown(&desk)), ("", vec![0, 1, 2]));
    desk.keys("a.txt<Space>txt<C-w>");
    assert_eq!((filter(&desk), shown(&desk)), ("a.txt ", vec![0]));
    desk.keys("<C-w>");
    assert_eq!(filter(&desk), "");
    desk.keys("<Esc>?undo<C-u>hard<Space>or");
    let Some(Popup::Help(picker)) = desk.session.screen.popups.last() else {
        panic!("no help");
    };
    assert_eq!(picker.filter, "hard or");
}

#[test]
fn one_key_empties_every_prompt() {
    for opens in ["/", "n", ":", "g/", ":9<Enter>a"] {
        let mut desk = UpdateFixture::three();
        desk.keys(&format!("{opens}12<Space>34<C-u>5"));
        let Some(Popup::Prompt { input, .. }) = desk.session.screen.popups.last() else {
            panic!("{opens} asks for nothing");
        };
        assert_eq!(input.value(), "5", "{opens}");
    }
}

fn filter(desk: &UpdateFixture) -> &str {
    match desk.session.screen.popups.last() {
        Some(Popup::Queue(picker)) => &picker.filter,
        other => panic!("no queue but {other:?}"),
    }
}
