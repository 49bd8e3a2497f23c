//! Proposed boilerplate inside the body: going to it, marking it whole, and hiding it in blind reviews.

use super::*;
use endpaper_detect::{BlockKind, InsideBlock};

/// A book with two proposed blocks inside the body, of two and of three of its lines.
fn desk() -> UpdateFixture {
    let lines: String = (0..9).map(|n| format!("A line of text {n}\n\n")).collect();
    let text = book("ONE").replace("THE END", &format!("{lines}THE END"));
    let mut desk = UpdateFixture::new(vec![("a.txt", text)]);
    let open = desk.session.doc.open.as_mut().unwrap();
    let page = Arc::get_mut(&mut open.page).expect("nobody else holds the page");
    page.detection.inside = [(191, 193, BlockKind::Licence), (197, 201, BlockKind::List)]
        .map(|(first, last, kind)| InsideBlock { first, last, kind })
        .to_vec();
    desk
}

fn proposed(desk: &UpdateFixture) -> Vec<u32> {
    let open = desk.session.doc.open.as_ref().unwrap();
    open.proposed_inside().map(|block| block.first).collect()
}

#[test]
fn proposed_blocks_are_gone_to_round_and_round_and_marked_whole() {
    let mut desk = desk();
    for (at, line) in [(1, 191), (2, 197), (1, 191)] {
        desk.keys("gi");
        assert_eq!(desk.session.cursor_line(), line);
        assert_said!(
            desk,
            Notice::Mark(MarkNotice::ProposedInside { at: told, of: 2, .. }) if *told == at
        );
    }
    // Marking any line of a proposed block marks all of it with the detector's kind, across blank lines.
    desk.keys("jx");
    assert_eq!(proposed(&desk), [197]);
    desk.keys("gi<Enter>");
    let marked = desk.record("a.txt").unwrap().inside;
    let marked: Vec<_> = marked
        .iter()
        .map(|block| (block.first, block.last, block.kind.as_str()))
        .collect();
    assert_eq!(marked, [(191, 193, "licence")]);
}

#[test]
fn what_is_cut_away_is_not_proposed_and_what_is_not_there_is_said() {
    let mut desk = desk();
    desk.keys("<Tab>:197<Enter>c");
    assert_eq!(proposed(&desk), [191]);
    desk.keys(":191<Enter>c");
    assert_eq!(proposed(&desk), [0_u32; 0]);
    desk.keys("gi");
    assert_said!(desk, Notice::Mark(MarkNotice::NoneProposedInside));
}

#[test]
fn nothing_is_proposed_while_a_review_is_blind() {
    let mut desk = desk();
    let open = desk.session.doc.open.as_mut().unwrap();
    open.blind = Some(crate::BlindReview::default());
    assert_eq!(proposed(&desk), [0_u32; 0]);
    desk.keys("gi");
    assert_said!(desk, Notice::Mark(MarkNotice::NoneProposedInside));
}
