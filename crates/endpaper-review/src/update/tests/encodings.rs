//! The open book in other encodings.

use super::*;
use endpaper_text::corpus::Encoding;

fn desk() -> UpdateFixture {
    let text = book("ONE").replacen("Produced by Somebody", "Produced by Andr\u{e9}", 1);
    UpdateFixture::new(vec![("a.txt", text), ("b.txt", book("TWO"))])
}

fn shown(desk: &UpdateFixture) -> Vec<String> {
    let Some(Popup::Words { picker, .. }) = desk.session.screen.popups.last() else {
        panic!("no list is shown: {}", desk.words());
    };
    let rows = picker.shown();
    rows.into_iter().map(|(text, _)| text.clone()).collect()
}

#[test]
fn a_line_is_shown_in_every_encoding_and_enter_keeps_one() {
    let mut desk = desk();
    desk.keys("E");
    let rows = shown(&desk);
    assert_eq!(rows.len(), Encoding::all().len() + 1);
    assert!(
        rows[0].starts_with("utf-8 ") && rows[0].ends_with("Andr\u{e9}"),
        "{}",
        rows[0]
    );
    let dos = rows.iter().find(|row| row.starts_with("cp437")).unwrap();
    assert!(dos.ends_with("Andr\u{251c}\u{2310}"), "{dos}");
    let effects = desk.hold("cp437<Enter>");
    let cp437 = "cp437".parse().ok();
    assert!(
        effects.iter().any(|effect| matches!(
            effect,
            Effect::KeepEncoding { book: Some(0), encoding } if *encoding == cp437
        )),
        "{effects:?}"
    );
    assert!(matches!(effects.last(), Some(Effect::Open { book: 0, .. })));
    desk.release(effects);
    assert!(desk.session.screen.popups.is_empty());
    let effects = desk.hold("Eguess<Enter>");
    assert!(matches!(
        effects.first(),
        Some(Effect::KeepEncoding {
            book: Some(0),
            encoding: None
        })
    ));
}

#[test]
fn tab_keeps_an_encoding_for_all_books_and_takes_it_back() {
    let mut desk = desk();
    let effects = desk.hold("Ecp437<Tab>");
    let cp437 = "cp437".parse().ok();
    assert!(
        matches!(
            effects[..],
            [
                Effect::KeepEncoding { book: None, encoding },
                Effect::Open { book: 0, .. }
            ] if encoding == cp437
        ),
        "{effects:?}"
    );
    desk.release(effects);
    assert!(desk.session.screen.popups.is_empty());
    assert!(desk.words().starts_with("all books are read as cp437"));
    let effects = desk.hold("Eguess<Tab>");
    assert!(matches!(
        effects.first(),
        Some(Effect::KeepEncoding {
            book: None,
            encoding: None
        })
    ));
    assert!(desk.words().contains("taken back"), "{}", desk.words());
}

#[test]
fn no_encoding_is_kept_for_all_that_gives_decided_books_other_lines() {
    let mut desk = desk();
    desk.keys("<Enter>");
    assert!(desk.record("a.txt").is_some());
    assert_eq!(desk.session.current, 1);
    assert!(desk.hold("Eutf-16le<Tab>").is_empty());
    assert_said!(desk, Notice::Page(PageNotice::EncodingOfDecided));
    assert!(!desk.hold("Ecp437<Tab>").is_empty());
}

#[test]
fn nothing_is_kept_over_unsaved_changes_or_in_a_read_only_sitting() {
    let mut desk = desk();
    desk.hold("h");
    assert!(desk.hold("Ecp437<Enter>").is_empty());
    assert_said!(desk, Notice::Page(PageNotice::EncodingLater));
    let mut desk = self::desk();
    desk.session.options.read_only = true;
    for keys in ["Ecp437<Enter>", "Ecp437<Tab>"] {
        assert!(desk.hold(keys).is_empty());
        assert_said!(desk, Notice::Page(PageNotice::EncodingReadOnly));
    }
}

#[test]
fn with_a_record_no_encoding_is_offered_that_numbers_lines_otherwise() {
    let mut desk = desk();
    desk.keys("<Enter><Left>E");
    assert!(desk.record("a.txt").is_some());
    let rows = shown(&desk);
    assert!(rows.iter().all(|row| !row.starts_with("utf-16")));
    assert_eq!(rows.len(), Encoding::all().len() - 1);
}
