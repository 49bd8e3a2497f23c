//! Converts decisions to the records that are written.

use crate::decision::{BookState, Decision};
use crate::page::BookPage;
use crate::queue::QueueOrder;
use crate::session::Session;
use endpaper_detect::End;
use endpaper_truth::{self as truth, DetectedCuts, Record, Review, SourceFacts};

/// The record of the open book's current decision. A verdict adds a review, a draft does not.
pub(super) fn record(session: &Session, book: &BookState) -> Record {
    let mut record = match &book.record {
        Some(record) => (**record).clone(),
        None => Record::new(session.entries[session.current].id(), source(&book.page)),
    };
    // The cuts refer to the bytes on screen, even if the record was made on others.
    record.set_source(source(&book.page));
    if book.is_second_look() {
        // A second look is a measurement: it keeps the outcome.
        record.reviews.push(review(session, book));
        return record;
    }
    outcome(&mut record, &book.decision);
    // A verdict is about what this policy proposed.
    if book.record.is_none() || book.decision.verdict.is_decided() {
        record.policy = session.options.policy.name.clone();
    }
    record.context = truth::context_of_record(&book.page.text, &record);
    if book.decision.verdict.is_decided() {
        record.reviews.push(review(session, book));
    }
    record
}

/// The first record of a book, without a verdict.
pub(super) fn draft_record(
    session: &Session,
    id: &str,
    page: &BookPage,
    decision: &Decision,
) -> Record {
    let mut record = Record::new(id, source(page));
    outcome(&mut record, decision);
    record.policy = session.options.policy.name.clone();
    record.context = truth::context_of_record(&page.text, &record);
    record
}

/// The facts about the text of a book that its record stores.
fn source(page: &BookPage) -> SourceFacts {
    let text = &page.text;
    SourceFacts {
        sha256: page.sha256.clone(),
        bytes: text.bytes().len() as u64,
        lines: text.lines(),
        encoding: text.encoding().to_string(),
        newline: text.newline().to_string(),
        extractor: text.extractor().map(ToOwned::to_owned),
    }
}

/// Copies a decision to a record.
fn outcome(record: &mut Record, decision: &Decision) {
    record.kind = decision.kind;
    record.verdict = decision.verdict;
    record.cuts = decision.cuts;
    record.alternatives = decision.alternatives.clone();
    record.inside = decision.inside.clone();
    record.hard = decision.hard;
    record.flags = decision.flags.clone();
    record.note = decision.note.clone();
}

/// The curator's review of the open book.
fn review(session: &Session, book: &BookState) -> Review {
    let (detection, model) = (&book.page.detection, &session.options.model);
    let model = match &book.page.learned_digest {
        Some(weights) => format!("{model}+{weights}"),
        None => model.clone(),
    };
    Review {
        by: session.options.curator.clone(),
        at: utc(session.now.saturating_sub(session.clock_lag)),
        seconds: session.time_on_screen() / 1000,
        sitting: session.options.sitting.clone(),
        drawn: selection(session, book),
        blind: book.is_blind(),
        verdict: book.decision.verdict,
        cuts: book.decision.cuts,
        detected: Some(DetectedCuts::new(
            detection.cuts,
            detection.doubt,
            &session.options.detector,
            &model,
        )),
        source: None,
        unknown: Default::default(),
    }
}

/// How the open book was selected.
fn selection(session: &Session, book: &BookState) -> String {
    let picked = session.sitting.selection.get(&session.current);
    let sampling = session.modes.sampling.as_ref();
    if let Some(sampling) = sampling.filter(|sampling| sampling.books.contains(&session.current)) {
        // It belongs to the random sample however it was reached on screen.
        return sampling.review_tag.clone();
    }
    // Books shown before the corpus was read came in order of name, whatever order was requested.
    let order = match session.sitting.by_name.contains(&session.current) {
        true => QueueOrder::Name,
        false => session.queue.active_order(),
    };
    match picked {
        _ if session.options.adjudicates => truth::ADJUDICATION.to_owned(),
        _ if book.is_second_look() => truth::SECOND_LOOK.to_owned(),
        _ if book.propagation.is_some() => propagated(book),
        Some(picked) => (*picked).to_owned(),
        // A filtered queue is not a random sample of the corpus.
        None if session.queue.is_narrowed() => format!("filtered:{order}"),
        None => order.to_string(),
    }
}

/// The selection of a book that was shown because of a decision on another one.
fn propagated(book: &BookState) -> String {
    let from = book.propagation.as_ref().map_or("", |run| &run.from);
    format!("{}{from}", truth::PROPAGATED)
}

/// Converts a time in milliseconds to the format of reviews.
fn utc(milliseconds: u64) -> String {
    let seconds = i64::try_from(milliseconds / 1000).unwrap_or(0);
    truth::timestamp(jiff::Timestamp::from_second(seconds).unwrap_or_default())
}

/// First and last non-blank line of the body.
pub(super) fn body(book: &BookState) -> (u32, u32) {
    let page = &book.page;
    let first = page.body_first(book.decision.cuts).unwrap_or(0);
    let last = page.non_blank_at_or_before(page.cut_position(book.decision.cuts, End::End) - 1);
    (first, last)
}
