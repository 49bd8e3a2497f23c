//! Texts of notices on the queue, on records and on saving.

use super::parts::{count_words, moved_ends};
use crate::action::Action;
use crate::cold_start::ENOUGH_DECIDED;
use crate::session::{
    Anchoring, FileChange, QueueNotice, RecordNotice, SaveNotice, SavedAs, Session, UndoNotice,
};
use endpaper_detect::End;
use endpaper_text::wording::plural;
use endpaper_truth::anchor::Refusal;

/// The text of a message about the queue; `key` gives the keys of an action.
pub(super) fn of_queue(
    session: &Session,
    notice: &QueueNotice,
    key: impl Fn(Action) -> String,
) -> String {
    let text = match notice {
        QueueNotice::NoOther(what) => return format!("no other {what}"),
        QueueNotice::Arranged {
            count,
            what,
            order,
            by_terms,
        } => {
            let order = match session.queue.active_order() == *order {
                true => session.queue.order_words(),
                false => format!("by {order}"),
            };
            let text = format!("{count} {}: {what}, {order}", plural(*count, "book"));
            return match by_terms {
                false => text,
                true => format!(
                    "{text}; {} and {} shows all again",
                    key(Action::Filter),
                    key(Action::ListChoose)
                ),
            };
        }
        QueueNotice::Empty { what } => {
            return format!("no book is {what}; {} shows others", key(Action::Filter));
        }
        QueueNotice::NoneLeft {
            this_is_open,
            decided,
            readable,
            ..
        } => {
            let none = match this_is_open {
                true => "this is the only undecided book in this queue",
                false => "no undecided book is left in this queue",
            };
            return format!(
                "{none}: {decided} of {readable} decided; {} quits",
                key(Action::Quit)
            );
        }
        QueueNotice::MostDoubtful { is_open, outlook } => {
            let outlook = outlook.map_or(String::new(), |outlook| format!(": {}", outlook.words()));
            let this = if *is_open { "this is " } else { "" };
            return format!("{this}the most doubtful undecided book{outlook}");
        }
        QueueNotice::NoneDoubtful(outlook) => return outlook.when_to_stop(),
        QueueNotice::NoDoubtKnown => {
            "no undecided book of this queue has a doubt: all are decided, or still read"
        }
        QueueNotice::NothingMarked => {
            return format!(
                "nothing was marked in this sitting: {} writes a note, {} sets a flag, {} notes an alternative",
                key(Action::Note),
                key(Action::Flag),
                key(Action::Alternative)
            );
        }
        QueueNotice::HiddenOnMap => {
            return format!(
                "the filter of the queue hides that book; {} shows others",
                key(Action::Filter)
            );
        }
        QueueNotice::Slow { name, seconds } => {
            return format!(
                "still reading '{name}' ({seconds} s): {} goes to the next book, {} quits",
                key(Action::NextBook),
                key(Action::Quit)
            );
        }
        QueueNotice::CopiesDisagree {
            names: [a, b],
            at_end,
            lines: [ours, theirs],
        } => {
            let does = if *at_end { "ends" } else { "begins" };
            return format!(
                "copies DISAGREE: {a} {does} at {ours}, {b} at {theirs}: compare them ({}), decide one again",
                key(Action::Editions)
            );
        }
        QueueNotice::BroughtUp {
            copies,
            others,
            marks,
            moved,
        } => return brought_up(*copies, *others, *marks, *moved, key),
        QueueNotice::UnknownCollection { decided } => return unknown_collection(*decided),
        QueueNotice::Searching(text) => return format!("searching all books for {text} …"),
        QueueNotice::SearchFailed(why) => return why.clone(),
        QueueNotice::NotFound(query) => return format!("no book has {query}"),
        QueueNotice::Found(heading) => {
            return format!(
                "{heading}; {} {} shows them",
                key(Action::SearchCorpus),
                key(Action::PromptKeep)
            );
        }
        QueueNotice::OnlyBook => "this is the only book in the queue",
        QueueNotice::NoneUndecidedOnMap => "no other book of the map is undecided",
        QueueNotice::ProposedAgain => {
            "the corpus was counted: the cuts of this book are proposed again"
        }
        QueueNotice::StillLookingForCopies => "other books are still being searched",
        QueueNotice::NothingToBringUp => {
            "nothing to propagate: no copies of a decided book, no books with its block"
        }
        QueueNotice::DecidedMeanwhile => "these books have been decided in the meantime",
    };
    text.to_owned()
}

/// What is said in a collection that no profile knows.
fn unknown_collection(decided: usize) -> String {
    let so_far = match decided {
        0 => String::new(),
        decided => format!(" ({decided} so far)"),
    };
    format!(
        "a collection it does not know: deciding about {ENOUGH_DECIDED} books teaches it{so_far}"
    )
}

/// The text about the books to which a decision was propagated.
fn brought_up(
    copies: usize,
    others: usize,
    marks: usize,
    moved: [bool; 2],
    key: impl Fn(Action) -> String,
) -> String {
    let [copies, others] = count_words(copies, others, ["book", "books"]);
    let copies = copies.map(|copies| format!("{copies} with the same words"));
    let others = others.map(|others| format!("{others} with the same block"));
    let marks = (marks > 0).then(|| format!("{marks} {} inside", plural(marks, "mark")));
    let back = match moved {
        [true, true] => "puts them back",
        [false, false] => "puts the detector's cuts back",
        _ => "puts it back",
    };
    let moved = moved_ends(moved).map(str::to_owned);
    let parts = copies.into_iter().chain(others).chain(marks).chain(moved);
    let parts: Vec<String> = parts.collect();
    format!(
        "{}: {} keeps, {} {back}",
        parts.join(", "),
        key(Action::Keep),
        key(Action::CutDetected)
    )
}

/// The text of a message about saving.
pub(super) fn of_save(notice: &SaveNotice, key: impl Fn(Action) -> String) -> String {
    let text = match notice {
        SaveNotice::Nothing => "nothing to save",
        SaveNotice::Saved { name, as_what } => {
            let told = match as_what {
                SavedAs::Verdict(verdict) => verdict.to_string(),
                SavedAs::Body(verdict, (first, last)) => {
                    format!("{verdict}, body {first}-{last}")
                }
                SavedAs::Sample(words) => words.clone(),
            };
            return format!("saved {name}: {told} · {} undoes", key(Action::Undo));
        }
        SaveNotice::AfterAll(name) => return format!("saved {name} (earlier attempts failed)"),
        SaveNotice::Conflict(book) => {
            return format!(
                "'{book}' was changed by another curator; your version was kept: {} resolves it",
                key(Action::Versions)
            );
        }
        SaveNotice::Failed(why) => return why.clone(),
        SaveNotice::KeptInMemory => {
            "NOT SAVED: the decision is kept in memory and tried again every few seconds"
        }
        SaveNotice::ShownAsLeft => {
            "shown as you left it; it could NOT be saved yet and is tried again"
        }
    };
    text.to_owned()
}

/// The text of a message about undo and redo.
pub(super) fn of_undo(notice: &UndoNotice, key: impl Fn(Action) -> String) -> String {
    let text = match notice {
        UndoNotice::Nothing => "nothing to undo in this sitting",
        UndoNotice::BeingSaved => {
            return format!(
                "that book is being saved; press {} again",
                key(Action::Undo)
            );
        }
        UndoNotice::Failed(error) => return format!("not undone: {error}"),
        UndoNotice::Undid { book, what } => return format!("undone in {book}: {what}"),
        UndoNotice::NothingToRedo => "nothing to redo",
        UndoNotice::SecondOpinion(book) => {
            return format!(
                "{book} again: a sample keeps every opinion, your next one stands beside the first"
            );
        }
        UndoNotice::RedoHere => "press the key again to redo the change in this book",
        UndoNotice::Redid { book, what } => return format!("redone in {book}: {what}"),
    };
    text.to_owned()
}

/// The text of a message about the record.
pub(super) fn of_record(notice: &RecordNotice, key: impl Fn(Action) -> String) -> String {
    let versions = key(Action::Versions);
    let text = match notice {
        RecordNotice::Elsewhere { book, verdict } => {
            return format!(
                "the same text is decided as '{book}' ({verdict}): its cuts are shown, {} keeps them",
                key(Action::Keep)
            );
        }
        RecordNotice::ReadOnly(why) => return why.to_string(),
        RecordNotice::Changed(anchoring) => return changed(anchoring, &key(Action::Keep)),
        RecordNotice::ConflictCopies(1) => {
            return format!("conflict: another version of this record: {versions} resolves it");
        }
        RecordNotice::ConflictCopies(many) => {
            return format!(
                "conflict: {many} other versions of this record: {versions} resolves it"
            );
        }
        RecordNotice::NoVersions => "this record has no other version",
        RecordNotice::ConflictCopiesWait => {
            return format!(
                "this book has a change of yours: {} takes it back, or wait until it is saved",
                key(Action::Undo)
            );
        }
        RecordNotice::SettleAgain => {
            return format!("this book is being saved; press {versions} again");
        }
        RecordNotice::NothingToKeep => "there is no record to keep; choose another version",
        RecordNotice::OfOtherBytes => {
            "that version was made from a different file; decide again, or keep the current one"
        }
    };
    text.to_owned()
}

/// Describes whether the cuts of a changed file were found again.
fn changed(anchoring: &Anchoring, keep: &str) -> String {
    let not_found = |change, what: &str, why: &Refusal| {
        let change = what_changed(change);
        format!("{change}: {what} NOT found again ({why}); showing the detector's")
    };
    match anchoring {
        Anchoring::NotTried(change) => {
            format!(
                "{} since it was decided: {keep} decides again",
                what_changed(change)
            )
        }
        Anchoring::Found {
            change,
            confidence,
            lost,
        } => {
            let change = what_changed(change);
            let lost = match lost {
                0 => String::new(),
                1 => " · 1 mark is lost".to_owned(),
                lost => format!(" · {lost} marks are lost"),
            };
            format!("{change}: its cuts are found again ({confidence:.2}): {keep} confirms{lost}")
        }
        Anchoring::CutsLost(change, why) => not_found(change, "cuts", why),
        Anchoring::CutLost(change, End::Start, why) => not_found(change, "preamble cut", why),
        Anchoring::CutLost(change, End::End, why) => not_found(change, "epilogue cut", why),
    }
}

/// The change of a file in words.
fn what_changed(change: &FileChange) -> String {
    match change {
        FileChange::Reader { decided, now } => {
            format!("the text CHANGED ({decided}, now {now})")
        }
        FileChange::Bytes => "the file CHANGED".to_owned(),
    }
}
