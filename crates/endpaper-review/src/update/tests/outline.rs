//! The outline as a list, and as a check of the cuts.

use super::*;
use crate::presenter::{evidence_line, objections};
use endpaper_detect::Reason;

/// A book with a table of contents (lines 13 to 18), three chapters, and a list of references at the end.
fn listed() -> String {
    let chapters = ["A FINE MORNING", "THE STORM AT SEA", "HOME AGAIN"];
    let head = "The Project Gutenberg EBook of The Storm, by A. Sailor\n\nTitle: The Storm\n\nAuthor: A. Sailor\n\n\
                *** START OF THIS PROJECT GUTENBERG EBOOK ***\n\n\nTHE STORM\n\n\nCONTENTS\n\n";
    let mut text = head.to_owned();
    for (at, chapter) in chapters.iter().enumerate() {
        text += &format!("  Chapter {}. {chapter}\n", at + 1);
    }
    for (at, chapter) in chapters.iter().enumerate() {
        text += &format!("\n\n\n\nCHAPTER {}\n\n{chapter}\n\n", at + 1);
        for line in 0..40 {
            text += &format!("Line {line} of chapter {at}, which nobody wrote before\n");
        }
    }
    text + "\n\nREFERENCES\n\n1. Smith, A. On storms. 1901.\n2. Jones, B. On seas. 1902.\n\n\n\
            End of the Project Gutenberg EBook of The Storm\n"
}

fn desk() -> UpdateFixture {
    UpdateFixture::new(vec![("storm.txt", listed()), ("b.txt", book("TWO"))])
}

fn shown(desk: &UpdateFixture) -> (String, Vec<String>) {
    let Some(Popup::Outline { title, picker }) = desk.session.screen.popups.last() else {
        panic!("no outline is shown: {}", desk.words());
    };
    let rows = picker.shown();
    (
        title.clone(),
        rows.into_iter().map(|(text, _)| text.clone()).collect(),
    )
}

#[test]
fn parts_stand_with_their_lines_and_enter_goes_to_one() {
    let mut desk = desk();
    desk.keys("O");
    let (title, rows) = shown(&desk);
    assert_eq!(title, "4 parts: The Storm, A. Sailor");
    let lines = listed();
    let line_of = |what: &str| 1 + lines.lines().position(|line| line == what).unwrap();
    assert!(
        rows[0].contains("[table of contents: 3 parts]"),
        "{rows:#?}"
    );
    let storm = rows
        .iter()
        .find(|row| row.contains("THE STORM AT SEA"))
        .unwrap();
    assert!(
        storm
            .trim_start()
            .starts_with(&line_of("CHAPTER 2").to_string()),
        "{storm}"
    );
    assert!(
        rows.last().unwrap().contains("[references: 2 items]"),
        "{rows:#?}"
    );
    assert!(
        rows.iter().all(|row| !row.contains("(preamble)")),
        "{rows:#?}"
    );
    desk.keys("home<Enter>");
    assert!(desk.session.screen.popups.is_empty());
    assert_eq!(desk.session.cursor_line() as usize, line_of("CHAPTER 3"));
    // The part at the cursor is chosen.
    desk.keys("jjO<Enter>");
    assert_eq!(desk.session.cursor_line() as usize, line_of("CHAPTER 3"));
}

#[test]
fn a_cut_that_swallows_the_table_of_contents_is_told_at_once() {
    let mut desk = desk();
    assert_eq!(objections(&desk.session), []);
    let page = desk.session.doc.open.as_ref().unwrap().page.clone();
    let list = page.outline().unwrap().lists[0];
    desk.keys(&format!("#{}Gc", list.last + 3));
    assert_eq!(objections(&desk.session), [Reason::ContentsOutside]);
    assert!(evidence_line(&desk.session).starts_with("contents-outside"));
    desk.keys("O");
    let (_, rows) = shown(&desk);
    assert!(rows[0].ends_with("(preamble)"), "{rows:#?}");
    desk.keys("<Esc>d");
    assert_eq!(objections(&desk.session), []);
}

#[test]
fn a_table_of_contents_is_evidence_at_the_end_where_it_stands() {
    let parameters = Parameters {
        method: Method::Gap,
        ..Parameters::default()
    };
    let text = BookText::new(listed().into_bytes());
    let mut page = BookPage::new(text, &Frequencies::default(), &parameters);
    page.detection.evidence = endpaper_detect::EvidenceList::default();
    page.add_contents_evidence();
    let evidence = page.detection.evidence.iter();
    let told = evidence.filter(|fact| fact.text() == "table of contents: 3 parts listed");
    assert_eq!(told.map(|fact| fact.end).collect::<Vec<_>>(), [End::Start]);
}

#[test]
fn a_blind_curator_sees_parts_and_nothing_of_the_cuts() {
    let mut desk = desk();
    let (queue, entries) = (desk.session.queue.clone(), desk.session.entries.clone());
    let options = SessionOptions {
        curator: "ms".into(),
        blind: true,
        ..SessionOptions::default()
    };
    desk.session = Session::new(options, queue, Keymap::defaults());
    desk.send(Message::Entries {
        entries,
        counts_changed: false,
        model: None,
    });
    desk.keys("O");
    assert!(desk.session.doc.open.as_ref().unwrap().hides_proposal());
    let (_, rows) = shown(&desk);
    assert!(
        rows.iter()
            .all(|row| !row.contains("amble)") && !row.contains("logue)"))
    );
    assert_eq!(objections(&desk.session), []);
}

#[test]
fn a_book_without_parts_says_so() {
    let mut desk = UpdateFixture::three();
    desk.keys("O");
    assert!(desk.session.screen.popups.is_empty());
    assert_said!(desk, Notice::Page(PageNotice::OutlineEmpty));
}
