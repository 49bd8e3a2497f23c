//! What contradicts a cut beyond the edge of its pane.

use super::*;
use crate::alerts::{beyond_pane, ends_seen};
use endpaper_detect::{BlockKind, InsideBlock};

/// A book with single lines after its first cut, and a block proposed as credits in the `at`-th of them.
fn desk(at: usize) -> UpdateFixture {
    let lines: String = (0..60).map(|n| format!("Verse {n}\n\n")).collect();
    let text = book("ONE").replacen("ONE\n", &format!("ONE\n\n{lines}"), 1);
    let line = 1 + text
        .lines()
        .position(|line| line == format!("Verse {at}"))
        .unwrap() as u32;
    let mut desk = UpdateFixture::new(vec![("a.txt", text.clone()), ("b.txt", text)]);
    desk.send(Message::Resize(80, 24));
    let open = desk.session.doc.open.as_mut().unwrap();
    let page = Arc::get_mut(&mut open.page).expect("nothing else holds the page");
    page.detection.inside = vec![InsideBlock {
        first: line,
        last: line,
        kind: BlockKind::Credits,
    }];
    desk.keys("gc");
    desk
}

#[test]
fn what_is_just_below_the_fold_is_scrolled_into_view() {
    let desk = desk(1);
    assert_eq!(beyond_pane(&desk.session, End::Start), None);
    assert_eq!(ends_seen(&desk.session), [true, true]);
    assert!(presenter::rules_on_screen(&desk.session)[0]);
}

#[test]
fn what_does_not_fit_is_announced_and_shown_before_enter_keeps_the_cuts() {
    let mut desk = desk(8);
    let alert = beyond_pane(&desk.session, End::Start).expect("it is beyond the pane");
    assert_eq!(alert.what, "credits");
    assert_eq!(presenter::headline(&desk.session).ends_seen, 1);
    desk.keys("<Enter>");
    assert_said!(desk, Notice::Cut(CutNotice::Contradicted(told)) if *told == alert);
    assert_eq!(
        (desk.name(), desk.session.cursor_line()),
        ("a.txt", alert.line)
    );
    assert_eq!(presenter::headline(&desk.session).ends_seen, 2);
    desk.keys("<Enter>");
    assert_eq!(desk.name(), "b.txt");
}

#[test]
fn what_is_far_from_the_cut_holds_nothing_up() {
    let desk = desk(55);
    assert_eq!(beyond_pane(&desk.session, End::Start), None);
    assert_eq!(ends_seen(&desk.session), [true, true]);
}

#[test]
fn licences_that_occur_several_times_are_found_inside_the_body() {
    let licence = "THIS COPY IS COPYRIGHT BY A SOCIETY\nAND NOT TO BE SOLD\n\n";
    let acts: String = (0..3).map(|n| format!("Act {n}\n\n{licence}")).collect();
    let single = "A line on the copyright of printers\n\n";
    let text = book("ONE").replace("THE END", &format!("{acts}{single}THE END"));
    let mut desk = UpdateFixture::new(vec![("a.txt", text)]);
    for at in [1, 2, 3, 1] {
        desk.keys("gi");
        assert_said!(desk, Notice::Mark(MarkNotice::ProposedInside { at: told, of: 3, .. }) if *told == at);
    }
}
