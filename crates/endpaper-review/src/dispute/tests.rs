use super::*;
use endpaper_detect::Parameters;
use endpaper_detect::frequency::built_in;
use endpaper_text::corpus::BookText;
use endpaper_truth::merge::{MergeOutcome, MergeSide, merge};
use endpaper_truth::{Alternative, Review, SourceFacts};

const BOOK: &str = "licence\n\nTitle\n\nText.\nEnd.\n\nlicence\n";

fn page() -> BookPage {
    let text = BookText::new(BOOK.as_bytes().to_vec());
    BookPage::new(text, &built_in().frequencies, &Parameters::default())
}

/// A decided record of the book, with its curator's name as its note.
fn record(book: &str, by: &str, verdict: Verdict, preamble_end: u32) -> Record {
    let text = BookText::new(BOOK.as_bytes().to_vec());
    let mut record = Record::new(book, SourceFacts::of(&text));
    record.note = format!("note of {by}");
    record.add_review(Review {
        by: by.into(),
        at: "2026-11-21T03:22:00Z".into(),
        verdict,
        cuts: Cuts {
            preamble_end,
            epilogue_start: None,
        },
        ..Review::default()
    });
    record
}

fn conflict(versions: Vec<Record>) -> MergeConflict {
    let book = versions[0].book.clone();
    let sides = versions
        .into_iter()
        .map(|record| MergeSide::of_records([record]));
    let sides: Vec<MergeSide> = sides.collect();
    match merge(None, &sides).books.remove(&book) {
        Some(MergeOutcome::Conflict(conflict)) => *conflict,
        other => panic!("{other:?}"),
    }
}

fn opinion<'a>(dispute: &'a Dispute, by: &str) -> &'a CuratorOpinion {
    let of = |opinion: &&CuratorOpinion| opinion.record.reviews[0].by == by;
    dispute.opinions.iter().find(of).expect("an opinion")
}

#[test]
fn an_opinion_tells_everything_its_curator_said() {
    let mut one = record("a.txt", "anna", Verdict::Corrected, 1);
    one.hard = true;
    one.flags = vec!["ads".into()];
    one.alternatives = vec![Alternative {
        end: End::Start,
        line: 3,
        why: "title page".into(),
    }];
    let unsure = record("a.txt", "ben", Verdict::Undecidable, 1);
    let mut other_text = record("a.txt", "carl", Verdict::Confirmed, 0);
    other_text.source.sha256 = "0".repeat(64);
    let dispute = Dispute::new(&conflict(vec![one, unsure, other_text]), false);
    let words = |by| opinion(&dispute, by).words(&page()).join(", ");
    assert_eq!(
        words("anna"),
        "corrected, body starts 3, no epilogue, hard, ads, or 3 (title page)"
    );
    assert_eq!(words("ben"), "undecidable");
    assert_eq!(words("carl"), "confirmed, about another text of this book");
    assert_eq!(opinion(&dispute, "ben").note(), Some("note of ben"));
}

#[test]
fn a_decision_is_the_whole_opinion_and_keeps_every_note() {
    let versions = vec![
        record("a.txt", "anna", Verdict::Corrected, 1),
        record("a.txt", "ben", Verdict::NotABook, 3),
    ];
    let dispute = Dispute::new(&conflict(versions), false);
    let decision = |by| opinion(&dispute, by).decision(&page()).expect("takable");
    let anna = decision("anna");
    assert_eq!((anna.verdict, anna.cuts.preamble_end), (Verdict::Open, 1));
    assert_eq!((anna.kind, anna.is_placed()), (RecordKind::Book, true));
    assert_eq!(anna.note, "note of anna / note of ben");
    let ben = decision("ben");
    assert_eq!(
        (ben.verdict, ben.kind),
        (Verdict::NotABook, RecordKind::NotABook)
    );
    assert!(!ben.is_placed());
    assert_eq!(ben.note, "note of ben / note of anna");
}

#[test]
fn a_draft_and_lines_of_another_text_cannot_be_taken() {
    let mut draft = record("a.txt", "anna", Verdict::Corrected, 1);
    draft.verdict = Verdict::Open;
    let mut other_text = record("a.txt", "ben", Verdict::Confirmed, 0);
    other_text.source.sha256 = "0".repeat(64);
    let dispute = Dispute::new(&conflict(vec![draft, other_text]), false);
    let why = |by| opinion(&dispute, by).decision(&page()).err();
    assert_eq!(why("anna"), Some(Untakable::Draft));
    assert_eq!(why("ben"), Some(Untakable::OtherText));
}

#[test]
fn names_are_hidden_unless_asked_for_and_the_order_is_the_books() {
    let mut firsts = std::collections::BTreeSet::new();
    for number in 0..16 {
        let book = format!("{number}.txt");
        let versions = vec![
            record(&book, "anna", Verdict::Corrected, 1),
            record(&book, "ben", Verdict::Corrected, 3),
        ];
        let conflict = conflict(versions);
        let hidden = Dispute::new(&conflict, false);
        let names: Vec<&str> = hidden.opinions.iter().map(|one| &*one.name).collect();
        assert_eq!(names, ["opinion 1", "opinion 2"]);
        let shown = Dispute::new(&conflict, true);
        let by = &shown.opinions[0].record.reviews[0].by;
        assert_eq!(shown.opinions[0].name, format!("opinion 1 ({by})"));
        // The order of the notes gives nothing away either.
        assert!(hidden.draft.note.starts_with(&format!("note of {by}")));
        firsts.insert(by.clone());
    }
    assert_eq!(firsts.len(), 2);
}

#[test]
fn rows_that_do_not_fit_are_counted() {
    let opinion = |rows: usize| -> Vec<String> { (0..rows).map(|row| row.to_string()).collect() };
    let fitted = |beside, height| {
        let more = |rows: usize| format!("{rows} more");
        fitted_rows(vec![opinion(2), opinion(5)], beside, height, more)
    };
    assert_eq!(fitted(false, 7), vec![opinion(2), opinion(5)]);
    let short = fitted(false, 5);
    assert_eq!(short[0], ["0", "1"]);
    assert_eq!(short[1], ["0", "1", "3 more"]);
    assert_eq!(fitted(true, 4)[1], ["0", "1", "2", "2 more"]);
    // A short opinion leaves its room to a long one, wherever it is.
    assert_eq!(
        fitted_rows(vec![opinion(3), opinion(1)], false, 4, |_| String::new())[0].len(),
        3
    );
    // With one row each, the first one stays.
    assert_eq!(fitted(false, 2), vec![vec!["0"], vec!["0"]]);
}
