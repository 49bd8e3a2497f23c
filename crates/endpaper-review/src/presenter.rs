//! The texts of the screen, derived from a session: headline, evidence line, key hints.

use std::collections::BTreeSet;
use std::ops::Range;

use super::action::Action;
use super::alerts::ends_seen;
use super::chord::Chord;
use super::decision::{BookState, SaveState};
use super::dispute::{how_to_choose, numbers_in_words, opinion_count};
use super::editions::EditionOffer;
use super::entry::{QueueEntry, ReviewStatus};
use super::evidence::is_contradicted_by_page;
use super::keymap::Lookup;
use super::rows::PaneRow;
use super::session::{Headline, Session};
use super::update;
use endpaper_detect::{BlockKind, End, Reason};
use endpaper_truth::{RecordKind, Verdict};

/// Returns the header line of the current book.
pub fn headline(session: &Session) -> Headline {
    let Some(entry) = session.entry() else {
        return Headline::default();
    };
    let related = same_template_books(&session.entries, entry);
    let copies = copies(session, entry);
    Headline {
        position: session
            .queue
            .position(session.current)
            .map_or(0, |at| at + 1),
        total: session.queue.books.len(),
        name: entry.name().to_owned(),
        title: entry.distinct_title().to_owned(),
        producer: entry.producer.clone(),
        template: entry.template_rank,
        siblings: related.books,
        decided: related.decided,
        agree: related.agree,
        copies,
        warnings: warnings(session, entry),
        profile: session
            .doc
            .open
            .as_ref()
            .filter(|book| !book.hides_proposal())
            .and_then(|book| book.page.profile.as_ref())
            .map_or_else(String::new, ToString::to_string),
        doubt: session
            .doc
            .open
            .as_ref()
            .map(|book| book.page.detection.doubt)
            .or(entry.doubt)
            .filter(|_| !hides_proposal(session)),
        ends_seen: ends_seen(session).iter().filter(|&&seen| seen).count(),
        saved: saved(session),
        status: status_words(session, entry),
        propagation: session
            .doc
            .open
            .as_ref()
            .and_then(|book| book.propagation.as_ref())
            .map(|run| (run.name.clone(), run.at, run.of)),
    }
}

/// Whether the proposal of the detector must not be shown.
fn hides_proposal(session: &Session) -> bool {
    match &session.doc.open {
        Some(book) => book.hides_proposal(),
        None => session.modes.blind,
    }
}

/// The books of the open book's template: how many there are, how many are decided, and whether these were cut alike.
struct TemplateBooks {
    books: usize,
    decided: usize,
    agree: bool,
}

/// Counts the other books of an entry's template.
fn same_template_books(entries: &[QueueEntry], entry: &QueueEntry) -> TemplateBooks {
    let mut related = TemplateBooks {
        books: 0,
        decided: 0,
        agree: false,
    };
    if entry.template_rank == 0 {
        return related;
    }
    let mut manners = BTreeSet::new();
    for other in entries
        .iter()
        .filter(|other| other.template == entry.template)
    {
        related.books += 1;
        if other.status.is_decided() {
            related.decided += 1;
            manners.insert(other.labelling_signature);
        }
    }
    related.agree = related.decided > 1 && manners.len() == 1;
    related
}

/// Whether the current book and a near copy are cut at other words: by a comparison of their present cuts, else by the analysis,
/// unless all of these books are decided since.
pub fn is_contradicted(session: &Session) -> bool {
    let Some(entry) = session.entry().filter(|_| !hides_proposal(session)) else {
        return false;
    };
    if let Some(known) = update::is_cut_differently(session) {
        return known;
    }
    let (copies, decided) = copies(session, entry);
    let settled = entry.status.is_decided() && decided == copies;
    entry.copies.is_cut_differently && !settled
}

/// Objections to the cuts of the current book that do not come from its detector: near copies, n-grams, its table of contents.
pub fn objections(session: &Session) -> Vec<Reason> {
    let copies = is_contradicted(session).then_some(Reason::CopiesDiffer);
    let entry = session
        .entry()
        .filter(|entry| entry.is_contested && !entry.status.is_decided());
    let grams = entry
        .filter(|_| !hides_proposal(session))
        .map(|_| Reason::AlternationDiffers);
    let book = session
        .doc
        .open
        .as_ref()
        .filter(|book| !book.hides_proposal());
    let contents = book
        .filter(|book| book.page.toc_outside_body(book.decision.cuts).is_some())
        .map(|_| Reason::ContentsOutside);
    copies.into_iter().chain(grams).chain(contents).collect()
}

/// Number of near copies of a book, and how many of them are decided.
fn copies(session: &Session, entry: &QueueEntry) -> (usize, usize) {
    if entry.copies.cluster == 0 {
        return (0, 0);
    }
    let books = 0..session.entries.len();
    let others = books.filter(|&book| book != session.current);
    let copies = others.filter(|&book| session.entries[book].is_copy_of(entry));
    copies.fold((0, 0), |(count, decided), book| {
        let shown = session.visible_entry(book);
        let is_decided = shown.is_some_and(|shown| shown.status.is_decided());
        (count + 1, decided + usize::from(is_decided))
    })
}

/// The save state of the open book, in one word.
fn saved(session: &Session) -> &'static str {
    let Some(book) = &session.doc.open else {
        return "";
    };
    if book.read_only.is_some() {
        return "read-only";
    }
    match &book.save {
        _ if session.saves.is_unsaved(session.current) => "NOT SAVED",
        SaveState::Failed(_) => "NOT SAVED",
        SaveState::Dirty { .. } => "draft…",
        SaveState::Saving => "saving…",
        SaveState::Saved if book.decision.verdict == Verdict::Open => "draft saved",
        SaveState::Saved => "saved",
        SaveState::Clean if session.modes.is_unreviewed_in_sample(session.current) => "new",
        SaveState::Clean if book.awaits_choice() => "disputed",
        SaveState::Clean if book.on_disk.verdict == Verdict::Open && book.record.is_some() => {
            "draft"
        }
        SaveState::Clean if book.record.is_some() => "on disk",
        SaveState::Clean => "new",
    }
}

/// What a curator must see before all else, the most important first.
fn warnings(session: &Session, entry: &QueueEntry) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let book = session.doc.open.as_ref();
    if book.is_some_and(|book| !book.conflict_copies.is_empty()) {
        words.push("CONFLICT".to_owned());
    }
    if is_contradicted(session) {
        words.push("COPIES DISAGREE".to_owned());
    }
    if book.is_some_and(|book| book.decision.hard) {
        words.push("HARD".to_owned());
    }
    match book.map(|book| (book.anchor_confidence, book.changed)) {
        Some((Some(confidence), _)) => words.push(format!("RELOCATED {confidence:.2}")),
        Some((None, true)) => words.push("CHANGED since it was decided".to_owned()),
        _ => {}
    }
    match book.and_then(|book| book.blind) {
        Some(blind) if blind.is_second_look && session.modes.sampling.is_none() => {
            words.push("SECOND LOOK".to_owned());
        }
        Some(_) => words.push("BLIND".to_owned()),
        None => {}
    }
    if book.is_none()
        && matches!(
            entry.status,
            ReviewStatus::Broken | ReviewStatus::Unreadable
        )
    {
        words.push(entry.status.word().to_uppercase());
    }
    words
}

/// Verdict, kind and flags.
fn status_words(session: &Session, entry: &QueueEntry) -> String {
    let Some(book) = &session.doc.open else {
        return match entry.status {
            ReviewStatus::Broken | ReviewStatus::Unreadable => String::new(),
            status => status.word().to_owned(),
        };
    };
    let decision = &book.decision;
    let mut words: Vec<String> = Vec::new();
    if decision.verdict.is_decided() {
        words.push(ReviewStatus::Decided(decision.verdict).word().to_owned());
    }
    match decision.kind {
        RecordKind::SeveralBooks => words.push("several books".to_owned()),
        RecordKind::Fragment => words.push("fragment".to_owned()),
        RecordKind::Book | RecordKind::NotABook => {}
    }
    words.extend(decision.flags.iter().cloned());
    words.join(" · ")
}

/// Describes the position of a cut, for the title of its pane.
pub fn pane_title(session: &Session, end: End) -> String {
    let Some(book) = &session.doc.open else {
        return String::new();
    };
    let page = &book.page;
    let cuts = book.decision.cuts;
    if book.decision.unplaced[end as usize] {
        return match (&book.dispute, book.decision.verdict) {
            (None, _) => "no cut placed yet".to_owned(),
            (Some(_), Verdict::Open) => "nothing chosen yet".to_owned(),
            (Some(_), verdict) => verdict.to_string(),
        };
    }
    let position = page.cut_position(cuts, end);
    let text = match end {
        End::Start if cuts.preamble_end == 0 => "no preamble".to_owned(),
        End::Start if position > page.lines() => "no body: all is preamble".to_owned(),
        End::Start => format!("body starts {position}"),
        End::End if cuts.epilogue_start.is_none() => "no epilogue".to_owned(),
        End::End => format!("epilogue starts {position}"),
    };
    let shaded = if session.screen.view_options.grams {
        " · shaded by n-grams"
    } else {
        ""
    };
    let text = text + shaded;
    if book.dispute.is_some() {
        let opinions = book.opinions_at(end, position);
        return match opinions.is_empty() {
            true => text,
            false => format!("{text} · {}", numbers_in_words(&opinions)),
        };
    }
    let detected = page.cut_position(page.detection.cuts, end);
    if detected == position || book.hides_proposal() {
        return text;
    }
    format!(
        "{text} (moved {:+} from {detected})",
        i64::from(position) - i64::from(detected)
    )
}

/// Returns one line of evidence for the active end. Omits facts that only say that a block is the book's own text.
pub fn evidence_line(session: &Session) -> String {
    let Some(book) = &session.doc.open else {
        return String::new();
    };
    if book.hides_proposal() {
        let key = |action| session.keymap.label(action);
        return match book.decision.is_placed() {
            true => format!(
                "blind: both cuts are placed; {} keeps them",
                key(Action::Keep)
            ),
            false => format!(
                "blind: nothing is proposed; {} cuts before the cursor, {}: there is none",
                key(Action::CutHere),
                key(Action::CutNothing)
            ),
        };
    }
    if book.awaits_choice() {
        return how_to_choose(session);
    }
    let facts = book
        .page
        .detection
        .evidence
        .iter()
        .filter(|fact| fact.end == session.doc.end && fact.kind() != Some(BlockKind::Book));
    let offers = book
        .offers
        .iter()
        .filter(|offer| offer.end == session.doc.end);
    let edition = book.edition_evidence.iter().filter(|offer| {
        let same = |other: &EditionOffer| other.position == offer.position;
        offer.end == session.doc.end && !book.offers.iter().any(same)
    });
    let mut words: Vec<String> = edition
        .chain(offers)
        .map(|offer| book.words_of(offer))
        .collect();
    words.extend(facts.map(|fact| fact.phrase()));
    let reasons = book.page.detection.own_reasons();
    let reasons = reasons.filter(|reason| !is_contradicted_by_page(&book.page, **reason));
    let reasons = reasons.take(2);
    words.extend(reasons.map(ToString::to_string));
    // Objections come first, as a narrow screen cuts off the rest.
    words.splice(0..0, objections(session).iter().map(ToString::to_string));
    words.join(" · ")
}

/// Returns the continuations of the keys pressed so far, for the hint lines.
pub fn hints(session: &Session) -> Vec<(Vec<Chord>, Action)> {
    match session.keymap.lookup(&session.keys.pending) {
        Lookup::Pending(follow) if !session.keys.pending.is_empty() => follow,
        _ => Vec::new(),
    }
}

/// A key and a word for what it does.
type KeyHint = (String, &'static str);

/// Returns the key hints, most useful first; the screen shows as many as fit.
pub fn keys(session: &Session) -> Vec<KeyHint> {
    if session.background.heat.shown {
        return super::heat::words::keys(session);
    }
    let replay = session.modes.replay.as_ref();
    let hints = match (
        &session.doc.open,
        replay.filter(|replay| !replay.is_correcting),
    ) {
        (None, _) => while_reading(session),
        (Some(_), Some(replay)) => in_replay(session, replay.at + 1 == replay.books.len()),
        (Some(book), None) if book.hides_proposal() => while_blind(session, book),
        (Some(book), None) => on_page(session, book),
    };
    hints.into_iter().flatten().collect()
}

/// The keys of the actions with the word that explains them; `None` if they have no key.
fn hint(session: &Session, actions: &[Action], word: &'static str) -> Option<KeyHint> {
    Some((session.keymap.labels(actions)?, word))
}

/// Other keys wait until the book is read.
fn while_reading(session: &Session) -> Vec<Option<KeyHint>> {
    let hint = |actions: &[Action], word| hint(session, actions, word);
    let next = match session.waits.waiting {
        Some(_) => Action::NextBook,
        None => Action::Keep,
    };
    vec![
        hint(&[next], "next book"),
        hint(&[Action::Queue], "queue"),
        hint(&[Action::Help], "help"),
        hint(&[Action::Quit], "quit"),
    ]
}

/// The hints in a replay; `last`: at its last decision.
fn in_replay(session: &Session, last: bool) -> Vec<Option<KeyHint>> {
    let hint = |actions: &[Action], word| hint(session, actions, word);
    vec![
        hint(&[Action::Keep], if last { "leave" } else { "next" }),
        hint(&[Action::PreviousBook], "previous"),
        hint(&[Action::Undo], "correct it"),
        Some(("Esc".to_owned(), "leave the replay")),
        hint(&[Action::OtherEnd], "other end"),
        hint(&[Action::Help], "help"),
    ]
}

/// The hints while proposals are hidden.
fn while_blind(session: &Session, book: &BookState) -> Vec<Option<KeyHint>> {
    let hint = |actions: &[Action], word| hint(session, actions, word);
    let keep = match book.decision.is_placed() {
        true => "keep & next",
        false => "next cut to place",
    };
    vec![
        hint(&[Action::Keep], keep),
        hint(&[Action::CutHere], "cut at cursor"),
        hint(&[Action::CutNothing], "none"),
        hint(&[Action::OtherEnd], "other end"),
        hint(&[Action::Reveal], "show detector"),
        hint(&[Action::Help], "help"),
        hint(&[Action::CutPreviousBlock, Action::CutNextBlock], "block"),
        hint(&[Action::CutDown, Action::CutUp], "line"),
        hint(&[Action::NotABook], "not a book"),
        hint(&[Action::BlindMode], "blind off").filter(|_| !book.is_second_look()),
    ]
}

/// The hints on a page.
fn on_page(session: &Session, book: &BookState) -> Vec<Option<KeyHint>> {
    let hint = |actions: &[Action], word| hint(session, actions, word);
    let digits = match opinion_count(session) {
        0 => ("1-9".to_owned(), "cut here"),
        count => (format!("1-{count}"), "take opinion"),
    };
    let keep = if book.read_only.is_some() {
        "next"
    } else if session.doc.seen.contains(&false) && book.decision.is_placed() {
        "show other cut"
    } else if ends_seen(session).contains(&false) && book.decision.is_placed() {
        "show what is beyond"
    } else if matches!(book.save, SaveState::Failed(_)) {
        "continue unsaved"
    } else {
        "keep & next"
    };
    let verdicts = [Action::NotABook, Action::Undecidable, Action::SeveralBooks];
    let whole_file = match session.keymap.prefix(&verdicts) {
        Some(key) => Some((key, "whole file")),
        None => hint(&[Action::NotABook], "not a book"),
    };
    vec![
        hint(&[Action::Keep], keep).filter(|_| !book.awaits_choice()),
        hint(&[Action::BringUp], "propagate").filter(|_| session.offered_book_count() > 0),
        Some(digits),
        hint(&[Action::OtherEnd], "other end"),
        hint(&[Action::Hard], "hard"),
        // At 80 columns the rest is cut off; help lists all keys.
        hint(&[Action::Help], "help"),
        whole_file,
        hint(&[Action::Undo], "undo"),
        hint(&[Action::CutPreviousBlock, Action::CutNextBlock], "block"),
        hint(&[Action::CutDown, Action::CutUp], "line"),
        hint(&[Action::CutHere], "cut at cursor"),
        hint(&[Action::CutNothing], "none"),
        hint(&[Action::Editions], "editions"),
        hint(&[Action::Siblings], "siblings"),
        hint(&[Action::WholeText], "whole text"),
        hint(&[Action::Search], "search"),
        hint(&[Action::Queue], "queue"),
        hint(&[Action::Occurrences], "line elsewhere"),
        hint(&[Action::Guidelines], "guidelines"),
    ]
}

/// Range of the rows of a pane that are on screen.
pub fn visible(session: &Session, end: End) -> Range<usize> {
    let height = usize::from(session.screen.layout().pane(end).height);
    let top = session.pane(end).top.min(session.doc.rows.len());
    top..(top + height).min(session.doc.rows.len())
}

/// Whether a rule is visible together with a line of the book on each side, where the book has one.
pub fn has_context(rows: &[PaneRow], visible: Range<usize>, rule: usize) -> bool {
    let line = |row: &PaneRow| matches!(row, PaneRow::Line(_));
    let beside =
        |all: &[PaneRow], shown: &[PaneRow]| shown.iter().any(line) || !all.iter().any(line);
    visible.contains(&rule)
        && beside(&rows[..rule], &rows[visible.start..rule])
        && beside(&rows[rule..], &rows[rule..visible.end])
}

/// Whether the rules of the cuts are on screen: start, end.
pub fn rules_on_screen(session: &Session) -> [bool; 2] {
    [End::Start, End::End].map(|end| {
        let Some(at) = super::rows::rule_of(&session.doc.rows, end) else {
            return false;
        };
        let panes: &[End] = if session.screen.view_options.whole_text {
            &[End::Start]
        } else {
            &[End::Start, End::End]
        };
        panes
            .iter()
            .any(|&pane| visible(session, pane).contains(&at))
    })
}

/// Index of the first book in a queue column of `height` rows: the current book stays in the middle.
pub fn queue_top(session: &Session, height: usize) -> usize {
    let at = session.queue.position(session.current).unwrap_or(0);
    at.saturating_sub(height / 2)
        .min(session.queue.books.len().saturating_sub(height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_has_context_if_a_line_is_shown_on_each_side_of_it() {
        let rule = PaneRow::Rule(End::Start, 4);
        let middle = [
            PaneRow::Line(1),
            PaneRow::Blanks(2, 2),
            rule,
            PaneRow::Line(4),
            PaneRow::Fold(5, 9),
        ];
        let first = [rule, PaneRow::Line(4), PaneRow::Line(5)];
        let last = [PaneRow::Line(1), PaneRow::Blanks(2, 2), rule];
        let table: &[(&[PaneRow], Range<usize>, usize, bool)] = &[
            (&middle, 0..5, 2, true),
            (&middle, 0..4, 2, true),
            // A neighbouring line is hidden, above or below, or the rule itself is.
            (&middle, 1..5, 2, false),
            (&middle, 0..3, 2, false),
            (&middle, 3..5, 2, false),
            (&middle, 0..2, 2, false),
            // The book has no line above, or none below.
            (&first, 0..2, 0, true),
            (&first, 0..1, 0, false),
            (&last, 0..3, 2, true),
            (&last, 1..3, 2, false),
        ];
        for (rows, visible, rule, expected) in table {
            let found = has_context(rows, visible.clone(), *rule);
            assert_eq!(found, *expected, "{visible:?} of {rows:?}");
        }
    }
}
