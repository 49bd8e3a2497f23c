//! Records of other curators, of other programs and of changed files.

use super::*;

#[test]
fn another_persons_record_is_never_overwritten() {
    let mut desk = UpdateFixture::three();
    let mut theirs = UpdateFixture::three();
    theirs.keys("wu");
    let record = theirs.disk["a.txt"].clone();
    desk.disk.insert("a.txt".into(), record.clone());
    desk.keys("<Enter>");
    assert_eq!(desk.disk["a.txt"], record);
    assert_eq!(desk.name(), "a.txt");
    assert_said!(desk, Notice::Save(SaveNotice::Conflict(_)));
    assert_eq!(
        desk.session.doc.open.as_ref().unwrap().decision.verdict,
        Verdict::Undecidable
    );
}

#[test]
fn the_cuts_of_a_changed_file_are_found_again_and_wait_for_one_enter() {
    let mut desk = UpdateFixture::three();
    desk.keys("]<Enter>");
    let (old, bytes) = (desk.record("a.txt").unwrap(), desk.disk["a.txt"].clone());
    desk.texts[0]
        .1
        .insert_str(0, "one more line that was not there\n");
    desk.keys("<Left>");
    let book = desk.session.doc.open.as_ref().unwrap();
    assert!(
        book.changed
            && book
                .anchor_confidence
                .is_some_and(|confidence| confidence > 0.8)
    );
    let (cuts, verdict) = (book.decision.cuts, book.decision.verdict);
    assert_eq!(cuts.preamble_end, old.cuts.preamble_end + 1);
    assert_eq!(
        cuts.epilogue_start,
        old.cuts.epilogue_start.map(|line| line + 1)
    );
    assert_eq!(verdict, Verdict::Open);
    assert_said!(
        desk,
        Notice::Record(RecordNotice::Changed(Anchoring::Found { .. }))
    );
    // Moving the cursor and passing on writes nothing.
    desk.keys("jk<Right><Left>");
    assert_eq!(desk.disk["a.txt"], bytes);
    desk.keys("<Enter>");
    let record = desk.record("a.txt").unwrap();
    assert_eq!((record.reviews.len(), record.cuts), (2, cuts));
    // The first review still states which bytes it was about.
    let about = record.reviews[0].source.clone().unwrap();
    assert_eq!(about.sha256, old.source.sha256);
    assert_eq!(record.reviews[1].source, None);
}

#[test]
fn a_cut_that_is_not_found_again_is_the_detectors_and_said_so() {
    let mut desk = UpdateFixture::three();
    desk.keys("]<Enter>");
    desk.texts[0]
        .1
        .push_str("one more line that was not there\n");
    let before = desk.record("a.txt").unwrap().cuts;
    desk.keys("<Left>");
    // The preamble is unchanged; the start of the epilogue was relocated too.
    let book = desk.session.doc.open.as_ref().unwrap();
    assert_eq!(book.decision.cuts, before);
    let all = desk.texts[0].1.clone();
    desk.texts[0].1 = all.replacen('\n', "\nnew line\n", usize::MAX);
    desk.keys("<Right><Left>");
    let book = desk.session.doc.open.as_ref().unwrap();
    assert!(book.changed && book.anchor_confidence.is_none());
    assert_eq!(book.decision.cuts, book.page.detection.cuts);
    assert_said!(
        desk,
        Notice::Record(RecordNotice::Changed(
            Anchoring::CutsLost(..) | Anchoring::CutLost(..)
        ))
    );
}

#[test]
fn a_clash_is_settled_and_the_opinions_of_both_are_kept() {
    for (keys, verdict) in [
        ("V<Enter>", Verdict::Undecidable),
        ("V<Down><Enter>", Verdict::Corrected),
    ] {
        let mut ours = UpdateFixture::three();
        ours.keys("]<Enter>");
        let aside = ConflictCopy {
            path: PathBuf::from("aside.yaml"),
            record: ours.record("a.txt").unwrap(),
        };
        let mut desk = UpdateFixture::three();
        desk.session.options.curator = "ann".into();
        desk.keys("wu");
        desk.conflict_copies.push(aside);
        desk.keys("<Left>");
        assert_said!(desk, Notice::Record(RecordNotice::ConflictCopies(_)));
        desk.keys(keys);
        let record = desk.record("a.txt").unwrap();
        assert_eq!(record.verdict, verdict);
        let by: Vec<_> = record
            .reviews
            .iter()
            .map(|review| review.by.as_str())
            .collect();
        assert_eq!(by, ["ann", "ms"]);
        assert_eq!(desk.settled, [PathBuf::from("aside.yaml")]);
        assert!(
            desk.session
                .doc
                .open
                .as_ref()
                .unwrap()
                .conflict_copies
                .is_empty()
        );
        // Undo would remove the other curator's review.
        desk.keys("u");
        assert_eq!(desk.record("a.txt").unwrap().reviews.len(), 2);
    }
}

#[test]
fn who_keeps_what_somebody_else_decided_gives_an_opinion_once() {
    let mut desk = UpdateFixture::three();
    desk.session.options.curator = "ann".into();
    desk.keys("]<Enter>");
    desk.session.options.curator = "ms".into();
    let by = |desk: &UpdateFixture| {
        let record = desk.record("a.txt").unwrap();
        let by = record.reviews.iter().map(|review| review.by.clone());
        by.collect::<Vec<_>>()
    };
    for _ in 0..2 {
        desk.keys("<Left><Enter>");
        assert_eq!(by(&desk), ["ann", "ms"]);
        assert_eq!(desk.record("a.txt").unwrap().verdict, Verdict::Corrected);
    }
}

#[test]
fn a_broken_record_is_left_untouched() {
    let mut desk = UpdateFixture::three();
    desk.disk.insert("b.txt".into(), b"schema: [".to_vec());
    desk.keys("<Right>]h");
    assert_eq!(desk.cuts(), (5, MARKER));
    assert_said!(
        desk,
        Notice::Refused(ModeRefusal::ReadOnly(ReadOnly::BrokenRecord { .. }))
    );
    desk.keys("<Enter>");
    assert_eq!(desk.name(), "c.txt");
    assert_eq!(desk.disk["b.txt"], b"schema: [");
}

#[test]
fn undo_after_a_clash_leaves_the_other_record_alone() {
    let mut desk = UpdateFixture::three();
    let mut theirs = UpdateFixture::three();
    theirs.keys("wu");
    desk.disk
        .insert("a.txt".into(), theirs.disk["a.txt"].clone());
    desk.keys("<Enter>u").wait(5000);
    assert_eq!(desk.disk, theirs.disk);
    assert_said!(desk, Notice::Undo(UndoNotice::Nothing));
}

#[test]
fn passing_over_a_text_decided_elsewhere_writes_nothing() {
    let mut desk = UpdateFixture::three();
    desk.keys("]<Enter>");
    let other = desk.record("a.txt").unwrap();
    let effects = desk.hold("<Right>");
    let &[Effect::Open { ticket, book }, ..] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    let mut opened = desk.open(ticket, book);
    opened.same_text_record = Some(Box::new(other));
    desk.send(Message::Opened(Box::new(opened)));
    assert_eq!(desk.cuts(), (TITLE, MARKER));
    desk.keys("<Left>");
    assert_eq!(desk.disk.len(), 1);
}

#[test]
fn cuts_of_a_record_written_by_hand_are_shown_and_can_be_kept() {
    for (start, end) in [(4, 192), (u32::MAX, 1), (0, u32::MAX), (196, 0)] {
        let mut desk = UpdateFixture::three();
        desk.keys("<Enter>");
        let mut record = desk.record("a.txt").unwrap();
        record.cuts.preamble_end = start;
        record.cuts.epilogue_start = Some(end);
        desk.disk
            .insert("a.txt".into(), yaml::write(&record).into_bytes());
        desk.keys("<Left>jk<Tab>jk<Enter><Enter><Enter>");
        let is_left = desk.name() != "a.txt";
        assert_eq!(is_left, start < end, "{start} {end}: {}", desk.words());
        assert_eq!(desk.words().contains("leave no body"), start >= end);
    }
}

#[test]
fn cuts_in_what_was_no_book_make_it_a_book_again() {
    let mut desk = UpdateFixture::three();
    desk.keys("wn<Left>]<Enter>");
    let record = desk.record("a.txt").unwrap();
    assert_eq!(
        (record.verdict, record.kind),
        (Verdict::Corrected, endpaper_truth::RecordKind::Book)
    );
}
