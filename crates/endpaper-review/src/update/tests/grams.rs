//! The alternation detector: on the page, in the queue, and for shading characters.

use super::*;
use crate::entry::EntryOpinions;
use crate::presenter::{evidence_line, headline, pane_title};
use endpaper_detect::CandidateSource;

/// Three books, and a detector that knows their headers, footers and credits.
fn desk() -> UpdateFixture {
    let mut desk = UpdateFixture::three();
    desk.grams = Some(known());
    desk.session.doc.open = None;
    desk.send(Message::Entries {
        entries: desk.session.entries.clone(),
        counts_changed: true,
        model: None,
    });
    desk.keys("L<Left>");
    desk
}

fn known() -> FrequentGrams {
    let text = "endpaper frequent n-grams, n 12\nThe Project Gutenberg EBook of \n\
                *** START OF THIS PROJECT GUTENBERG EBOOK *** Produced by Somebody\n\
                End of the Project Gutenberg EBook of ";
    FrequentGrams::from_text(text).unwrap()
}

#[test]
fn where_it_cuts_is_a_candidate_and_a_word_of_evidence() {
    let desk = desk();
    let page = &desk.session.doc.open.as_ref().unwrap().page;
    assert_eq!(page.grams(), Some(12));
    let words = page.detection.evidence.iter().map(|fact| fact.text());
    let words: Vec<String> = words.collect();
    let says = |text: &str| words.iter().any(|word| word == text);
    assert!(says("by n-grams the body starts 9"), "{words:?}");
    assert!(says("the same by n-grams"), "{words:?}");
    // The end of the credits may be a candidate for other reasons: it still has one digit.
    let places = page
        .candidate_positions(End::Start)
        .filter(|&place| place == 9);
    assert_eq!(places.count(), 1);
    assert_eq!(desk.cuts(), (5, MARKER));
}

#[test]
fn a_tenth_candidate_takes_the_place_of_the_least_likely_one() {
    let text = BookText::new(book("ONE").into_bytes());
    let mut page = BookPage::new(text, &Frequencies::default(), &Parameters::default());
    let proposal = page.detection.cuts;
    let mut candidates = Vec::new();
    let starts = [3, 17, 24, 33, 42, 51, 60, 69].into_iter().chain([0]);
    for (at, line) in starts.enumerate() {
        candidates.push(endpaper_detect::Candidate {
            end: End::Start,
            line,
            score: -(at as f32),
            source: if line == 0 {
                CandidateSource::Nothing
            } else {
                CandidateSource::Block
            },
        });
    }
    page.override_candidates(candidates, Vec::new());
    page.apply_alternation(&known());
    let lines: Vec<u32> = page
        .detection
        .candidates
        .iter()
        .filter(|one| one.end == End::Start)
        .map(|one| one.line)
        .collect();
    assert_eq!(lines, [3, 17, 24, 33, 42, 51, 60, 0, 5], "of {proposal:?}");
    // A position that has a digit already is not added again.
    page.apply_alternation(&known());
    let count = page
        .detection
        .candidates
        .iter()
        .filter(|one| one.end == End::Start)
        .count();
    assert_eq!(count, 9);
}

/// What is told of books that the detector cuts far elsewhere, or not.
fn opinions(contested: &[bool]) -> Message {
    let of = |&is_contested: &bool| EntryOpinions {
        is_contested,
        doubt: is_contested.then_some(0.3),
        ..EntryOpinions::default()
    };
    Message::Opinions(contested.iter().map(of).collect())
}

#[test]
fn a_book_that_it_cuts_far_elsewhere_is_in_doubt_until_it_is_decided() {
    let mut desk = desk();
    let mut entries = desk.session.entries.clone();
    entries.iter_mut().for_each(|entry| entry.doubt = Some(0.1));
    desk.send(Message::Entries {
        entries,
        counts_changed: false,
        model: None,
    });
    desk.send(opinions(&[true, false, true]));
    // The open book is read again, which gives it the doubt of its page.
    let doubts = desk.session.entries[1..].iter().map(|entry| entry.doubt);
    assert_eq!(doubts.collect::<Vec<_>>(), [Some(0.1), Some(0.3)]);
    assert!(evidence_line(&desk.session).starts_with("alternation-differs"));
    // Another listing, and an analysis without this result.
    desk.send(opinions(&[true]));
    let mut entries = desk.session.entries.clone();
    entries
        .iter_mut()
        .for_each(|entry| entry.is_contested = false);
    desk.send(Message::Entries {
        entries,
        counts_changed: false,
        model: None,
    });
    assert!(desk.session.entries[0].is_contested);
    desk.keys("<Enter>").keys("H");
    assert!(desk.session.entries[0].status.is_decided());
    assert!(!evidence_line(&desk.session).contains("alternation-differs"));
}

#[test]
fn a_blind_review_says_nothing_of_it() {
    let mut desk = desk();
    desk.session.modes.blind = true;
    desk.send(opinions(&[true, true, true]));
    desk.keys("LL");
    assert!(desk.session.doc.open.as_ref().unwrap().hides_proposal());
    assert!(!evidence_line(&desk.session).contains("alternation"));
    assert_eq!(headline(&desk.session).doubt, None);
}

#[test]
fn characters_are_shaded_on_a_key_and_lines_again() {
    let mut desk = desk();
    desk.keys("v");
    assert!(desk.session.screen.view_options.grams);
    assert!(pane_title(&desk.session, End::Start).ends_with("shaded by n-grams"));
    let page = &desk.session.doc.open.as_ref().unwrap().page;
    let useless = |line| -> Vec<(usize, usize)> {
        let ranges = page.useless(line);
        ranges.map(|range| (range.start, range.end)).collect()
    };
    assert_eq!(useless(1), [(0, 31)]);
    // Including the line's end, since the credits follow.
    assert_eq!(useless(3), [(0, 46)]);
    assert_eq!(useless(5), [(0, 20)]);
    assert!(useless(40).is_empty());
    desk.keys("v");
    assert!(!desk.session.screen.view_options.grams);
    // Without the detector, a message says that shading is not possible.
    let mut without = UpdateFixture::three();
    without.keys("v");
    assert!(!without.session.screen.view_options.grams);
    assert_eq!(without.said(), Some(&PageNotice::NoGrams.into()));
}
