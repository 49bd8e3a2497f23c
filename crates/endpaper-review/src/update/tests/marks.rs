//! Hard, flags and alternatives; and messages that name keys.

use super::*;

#[test]
fn flags_outlast_hard_and_the_message_says_so() {
    let mut desk = UpdateFixture::three();
    desk.keys("fnote-inside<Enter>h");
    assert_said!(desk, Notice::Mark(MarkNotice::Hard(flags) | MarkNotice::NotHard(flags)) if flags.contains(&"note-inside".to_owned()));
    desk.keys("hfads<Enter><Enter>");
    let record = desk.record("a.txt").unwrap();
    assert_eq!(
        (record.hard, record.flags),
        (false, vec!["note-inside".to_owned(), "ads".to_owned()])
    );
}

#[test]
fn the_cut_is_no_alternative_of_itself() {
    // The blank line before the line of the cut has the same cut position, the lines after it do not.
    for (keys, asks) in [(":5", false), (":4", false), (":6", true), (":9", true)] {
        let mut desk = UpdateFixture::three();
        desk.keys(keys).keys("<Enter>a");
        assert_eq!(!desk.session.screen.popups.is_empty(), asks, "{keys}");
        let refused = desk.said() == Some(&MarkNotice::AlternativeIsCut.into());
        assert_eq!(refused, !asks, "{keys}: {:?}", desk.said());
    }
    // An alternative that was added before the cut moved there can be removed.
    let mut desk = UpdateFixture::three();
    desk.keys(":9<Enter>atitle<Enter>c:9<Enter>a");
    assert_said!(desk, Notice::Mark(MarkNotice::AlternativeDropped));
}

/// A fixture with custom keys.
fn with_keys(text: &str) -> UpdateFixture {
    let (config, _) = endpaper_text::config::Config::parse(text);
    let (keymap, mistakes) = Keymap::with(&config.keys);
    assert_eq!(mistakes, []);
    let mut desk = UpdateFixture::three();
    desk.session.keymap = keymap;
    desk
}

#[test]
fn messages_name_the_keys_in_force() {
    let own = "keys:\n  versions: \"C\"\n  undo: \"X\"\n  filter: \"Q\"\n  heat-lines: \"T\"\n";
    let mut desk = with_keys(own);
    // Another curator decides the book in the meantime.
    let mut other = UpdateFixture::three();
    other.keys("wu");
    desk.disk.clone_from(&other.disk);
    desk.keys("<Enter>");
    assert!(
        desk.words().ends_with(": C resolves it"),
        "{}",
        desk.words()
    );
    let mut desk = with_keys(own);
    desk.keys("gmk");
    assert!(desk.words().contains("; T shows two"), "{}", desk.words());
}

#[test]
fn one_candidate_is_one_candidate() {
    let mut desk = UpdateFixture::three();
    let page = &mut desk.session.doc.open.as_mut().unwrap().page;
    Arc::get_mut(page).unwrap().detection.candidates.truncate(1);
    desk.keys("9");
    assert_said!(desk, Notice::Cut(CutNotice::Candidates(1)));
}

#[test]
fn enter_in_the_list_of_flags_takes_no_flag_away() {
    for keys in ["f<Space><Enter>", "f<Enter>", "f<Space><Enter>f<Enter>"] {
        let mut desk = UpdateFixture::three();
        desk.keys(keys).keys("<Enter>");
        let record = desk.record("a.txt").unwrap();
        assert_eq!(record.flags.len(), 1, "{keys}");
    }
}

#[test]
fn a_flag_marks_no_book_hard_and_hard_takes_no_flag() {
    let mut desk = UpdateFixture::three();
    desk.keys("fads<Enter>");
    assert_said!(desk, Notice::Mark(MarkNotice::Flagged(flags)) if flags == &["ads"]);
    let decision = |desk: &UpdateFixture| desk.session.doc.open.as_ref().unwrap().decision.clone();
    assert!(!decision(&desk).hard);
    desk.keys("hh");
    assert_eq!(decision(&desk).flags, ["ads"]);
    // The list names the meaning of each flag, and finds flags by it.
    desk.keys("fadvertisements<Enter>");
    assert_eq!(decision(&desk).flags, ["ads"]);
}

#[test]
fn a_sitting_lists_its_hard_cases_flags_alternatives_and_notes() {
    let mut desk = UpdateFixture::three();
    desk.keys("gk");
    assert_said!(desk, Notice::Queue(QueueNotice::NothingMarked));
    desk.keys("nodd<Enter>h:9<Enter>atitle<Enter>fads<Enter><Enter>J<Enter>gk");
    let Some(Popup::Books { picker, .. }) = desk.session.screen.popups.last() else {
        panic!("the list is not open");
    };
    let labels: Vec<&str> = picker
        .items
        .iter()
        .map(|(label, _)| label.as_str())
        .collect();
    assert_eq!(
        labels,
        ["a.txt  hard · flags ads · alternative start 5: title · note: odd"]
    );
    desk.keys("<Enter>");
    assert_eq!(desk.name(), "a.txt");
    // What is undone leaves the list.
    desk.keys("uuuuuuuu").keys("gk");
    assert!(desk.session.screen.popups.is_empty(), "{}", desk.words());
}

#[test]
fn the_marks_of_a_sitting_follow_their_books_to_new_places_in_the_list() {
    let mut desk = UpdateFixture::three();
    desk.keys("fads<Enter><Enter>");
    let mut entries = desk.session.entries.clone();
    entries.rotate_right(1);
    desk.send(Message::Entries {
        entries,
        counts_changed: false,
        model: None,
    });
    desk.keys("gk");
    let Some(Popup::Books { picker, .. }) = desk.session.screen.popups.last() else {
        panic!("the list is not open");
    };
    assert_eq!(picker.items, [("a.txt  flags ads".to_owned(), 1)]);
}
