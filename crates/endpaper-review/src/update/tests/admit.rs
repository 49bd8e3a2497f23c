//! What each mode refuses, for every way to attempt it.

use super::blind::{again, blind, blind_with, sample};
use super::mouse::{click, digit_at};
use super::*;
use crate::action::ACTIONS;
use crate::update::admit::{Attempt, admit};

fn normal_with(set: impl FnOnce(&mut SessionOptions)) -> UpdateFixture {
    blind_with(|options| {
        options.blind = false;
        set(options);
    })
}

fn replay() -> UpdateFixture {
    let mut desk = UpdateFixture::three();
    desk.keys("<Enter>R");
    desk
}

fn read_only() -> UpdateFixture {
    normal_with(|options| options.read_only = true)
}

/// Every mode, with an open book to which it applies.
fn desks() -> Vec<(&'static str, UpdateFixture)> {
    let adjudicate = normal_with(|options| options.adjudicates = true);
    vec![
        ("normal", UpdateFixture::three()),
        ("replay", replay()),
        ("blind", blind()),
        ("sample", sample()),
        ("second look", again()),
        ("adjudicate", adjudicate),
        ("read-only", read_only()),
    ]
}

/// The actions that a session refuses, each with the reason.
fn refused(session: &Session) -> Vec<(&'static str, ModeRefusal)> {
    let refusal = |action| admit(session, Attempt::Run(action)).err();
    let facts = ACTIONS.iter();
    facts
        .filter_map(|facts| Some((facts.id, refusal(facts.action)?)))
        .collect()
}

#[test]
fn each_mode_refuses_its_actions() {
    use crate::decision;
    use ModeRefusal::*;
    const DECIDE: &[&str] = &[
        "hard",
        "note",
        "alternative",
        "inside",
        "not-a-book",
        "undecidable",
        "several-books",
        "fragment",
        "one-book",
        "flag",
    ];
    const CUT: &[&str] = &[
        "cut-here",
        "cut-nothing",
        "cut-detected",
        "cut-previous-block",
        "cut-next-block",
        "cut-previous-gap",
        "cut-next-gap",
        "cut-next-marker",
        "cut-down",
        "cut-up",
    ];
    let all =
        |ids: &[&[&'static str]], refusal: &ModeRefusal| -> Vec<(&'static str, ModeRefusal)> {
            let ids = ids.iter().copied().flatten();
            ids.map(|&id| (id, refusal.clone())).collect()
        };
    let says_more: Vec<&str> = DECIDE
        .iter()
        .copied()
        .filter(|id| !["not-a-book", "undecidable"].contains(id))
        .collect();
    let hidden = [
        ("most-doubtful", DoubtIsHidden),
        ("heat-map", MapShowsCuts),
        ("cut-detected", CutIsHidden),
        ("bring-up", NoPropagation),
    ];
    let none = [("bring-up", NoPropagation)];
    let one_by_one = vec![("mark-all", OneByOne)];
    let expected = [
        vec![],
        [
            all(&[DECIDE, CUT, &["redo"]], &ReplayIsReadOnly),
            one_by_one.clone(),
        ]
        .concat(),
        [hidden.to_vec(), one_by_one.clone()].concat(),
        [
            hidden.to_vec(),
            all(&[&["filter", "order"]], &SampleIsWhole),
            all(&[&["blind-mode"]], &SampleIsBlind),
            one_by_one.clone(),
        ]
        .concat(),
        [
            hidden.to_vec(),
            all(&[&says_more], &OnlyCuts),
            all(&[&["blind-mode"]], &SecondLookIsBlind),
            one_by_one.clone(),
        ]
        .concat(),
        [
            none.to_vec(),
            vec![("blind-mode", AdjudicationIsOpen)],
            one_by_one,
        ]
        .concat(),
        [
            none.to_vec(),
            all(
                &[DECIDE, CUT, &["mark-all"]],
                &ModeRefusal::ReadOnly(decision::ReadOnly::Sitting),
            ),
        ]
        .concat(),
    ];
    for ((name, desk), mut expected) in desks().into_iter().zip(expected) {
        let mut found = refused(&desk.session);
        found.sort_by_key(|(id, _)| *id);
        expected.sort_by_key(|(id, _)| *id);
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn heat_map_refuses_what_is_for_the_page() {
    let mut desk = UpdateFixture::three();
    desk.keys("gm");
    for facts in ACTIONS {
        let admitted = admit(&desk.session, Attempt::Run(facts.action));
        let expected = match facts.action.works_on_map() {
            true => Ok(()),
            false => Err(ModeRefusal::NotOnMap(facts.action)),
        };
        assert_eq!(admitted, expected, "{}", facts.id);
    }
}

/// A click changes a cut only where a digit key may, and in the same way.
#[test]
fn clicks_and_digits_are_admitted_alike() {
    for (name, mut desk) in desks() {
        desk.send(Message::Resize(160, 48));
        let decision = |session: &Session| {
            let open = session.doc.open.as_ref();
            open.map(|open| open.decision.clone())
        };
        let before = decision(&desk.session);
        let may = admit(&desk.session, Attempt::Candidate).is_ok();
        assert_eq!(may, ["normal", "adjudicate"].contains(&name), "{name}");
        let digits = desk.session.screen.layout().head.x;
        let columns = (0..160).step_by(8).chain([digits]);
        let mut changed = 0;
        for (x, y) in (0..48).flat_map(|y| columns.clone().map(move |x| (x, y))) {
            let mut session = desk.session.clone();
            let effects = update(&mut session, Message::Mouse(MouseInput::Click(x, y)));
            let writes =
                |effect: &Effect| matches!(effect, Effect::Save(_) | Effect::Restore { .. });
            assert!(!effects.iter().any(writes), "{name} {x} {y}");
            changed += usize::from(decision(&session) != before);
        }
        for digit in 1..=9 {
            let mut session = desk.session.clone();
            let key = chords(&digit.to_string()).unwrap().remove(0);
            update(&mut session, Message::Key(key));
            assert!(may || decision(&session) == before, "{name} {digit}");
        }
        assert_eq!(changed > 0, may, "{name}");
    }
}

#[test]
fn a_click_on_a_digit_says_what_the_key_says() {
    let mut desk = read_only();
    let cell = digit_at(&desk, TITLE);
    click(&mut desk, cell);
    let said = desk.said().cloned();
    assert_said!(desk, Notice::Refused(ModeRefusal::ReadOnly(_)));
    assert_eq!(desk.keys("1").said(), said.as_ref());
}

/// In a sample, the list of the queue can be shown, but its filter cannot be kept.
#[test]
fn a_sample_is_not_narrowed_by_the_list_of_its_queue() {
    let mut desk = sample();
    let all = desk.session.queue.books.clone();
    desk.keys("bb.txt<Tab>");
    assert_eq!(desk.session.queue.books, all);
    assert_said!(desk, Notice::Refused(ModeRefusal::SampleIsWhole));
}

#[test]
fn a_read_only_book_refuses_lists_and_prompts_with_the_reason() {
    for keys in ["n", "f", "a", "x", "]", "wu"] {
        let mut desk = read_only();
        desk.keys(keys);
        let refused = Notice::from(ModeRefusal::ReadOnly(ReadOnly::Sitting));
        assert_eq!(desk.said(), Some(&refused), "{keys}");
        assert!(desk.session.screen.popups.is_empty(), "{keys}");
    }
}

fn gone() -> ReadOnly {
    ReadOnly::Folder("gone".to_owned())
}

/// The answer to a list is admitted according to the mode at the time of the answer.
#[test]
fn answers_are_admitted_when_they_are_given() {
    for keys in ["nwhy<Enter>", "f<Space>", "f<Enter>"] {
        let mut desk = UpdateFixture::three();
        let (opens, answers) = keys.split_at(1);
        desk.keys(opens);
        desk.session.doc.open.as_mut().unwrap().read_only = Some(gone());
        desk.keys(answers);
        let refused = Notice::from(ModeRefusal::ReadOnly(gone()));
        assert_eq!(desk.said(), Some(&refused), "{keys}");
        assert!(!desk.session.doc.has_unsaved_changes(), "{keys}");
    }
}
