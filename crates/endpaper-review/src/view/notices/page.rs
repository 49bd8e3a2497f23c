//! Texts of notices on the page, on cuts and marks, on blind review and adjudication.

use super::parts::place_cut;
use crate::action::Action;
use crate::dispute::{Untakable, how_to_choose};
use crate::session::{BlindNotice, CutNotice, DisputeNotice, MarkNotice, PageNotice, Session};
use endpaper_detect::End;
use endpaper_truth::Verdict;

/// The text of a message about the page; `key` gives the keys of an action.
pub(super) fn of_page(notice: &PageNotice, key: impl Fn(Action) -> String) -> String {
    let text = match notice {
        PageNotice::NothingSearched => {
            return format!("nothing searched yet; {} searches", key(Action::Search));
        }
        PageNotice::NoMatch(text) => return format!("'{text}' is not in this book"),
        PageNotice::Match { text, at, count } => return format!("'{text}' line {at} of {count}"),
        PageNotice::NoOtherBook => {
            return format!(
                "{} names other books with the line of the cursor where there are any; {} lists all",
                key(Action::Evidence),
                key(Action::Occurrences)
            );
        }
        PageNotice::NoJump => {
            return format!(
                "the jump list is empty; {} lists places to jump to",
                key(Action::Occurrences)
            );
        }
        PageNotice::Jumped(Some(line)) => {
            return format!("line {line}; {} goes back", key(Action::Back));
        }
        PageNotice::Jumped(None) => return format!("{} goes back", key(Action::Back)),
        PageNotice::OutlineEmpty => {
            return format!(
                "neither a table of contents nor headings were found; {} searches",
                key(Action::Search)
            );
        }
        PageNotice::ShadedByGrams(n) => {
            return format!(
                "shaded: what frequent n-grams of {n} characters cover; {}: by line",
                key(Action::Grams)
            );
        }
        PageNotice::AllLinesShown => {
            return format!(
                "all lines of the windows are on screen; {} shows two in a row, to scroll",
                key(Action::HeatLines)
            );
        }
        PageNotice::Theme(name) => return format!("theme {name}"),
        PageNotice::EncodingKept { name, for_all } => {
            return encoding_kept(name.as_deref(), *for_all);
        }
        PageNotice::Copied(Some(line)) => {
            return format!("line {line} is sent to the terminal's clipboard");
        }
        PageNotice::Mouse(false) => {
            return format!(
                "the mouse is the terminal's, for selecting text; {} takes it back",
                key(Action::Mouse)
            );
        }
        notice => fixed(notice),
    };
    text.to_owned()
}

/// Which encoding is kept, or taken back, and for which books.
fn encoding_kept(name: Option<&str>, for_all: bool) -> String {
    match (name, for_all) {
        (Some(name), false) => format!("read as {name}, which is kept for this book"),
        (None, false) => "the encoding chosen for this book is taken back".to_owned(),
        (Some(name), true) => format!(
            "all books are read as {name}, if they have none of their own; counts follow at the next start"
        ),
        (None, true) => {
            "the encoding chosen for all books is taken back; counts follow at the next start"
                .to_owned()
        }
    }
}

/// The texts that depend on nothing else.
fn fixed(notice: &PageNotice) -> &'static str {
    match notice {
        PageNotice::Folded => "long blocks are folded",
        PageNotice::Unfolded => "long blocks are unfolded",
        PageNotice::BlankLine => "this line is blank: put the cursor on a line of text",
        PageNotice::NoSkeletons => {
            "skeletons are known only with the posterior detector; without it lines are compared unchanged"
        }
        PageNotice::CameBack => "back where you were",
        PageNotice::NoOutline => "the text is too long for an outline",
        PageNotice::EncodingLater => {
            "this book has changes that are not saved; save them, then choose"
        }
        PageNotice::EncodingReadOnly => "this sitting is read-only: no encoding can be kept",
        PageNotice::EncodingOfDecided => {
            "this encoding would give decided books other line numbers: keep it for single books"
        }
        PageNotice::OnlyEdition => "this is the only other edition",
        PageNotice::NoEditionYet => "no other edition yet: the corpus is still read",
        PageNotice::NothingDiffers(End::Start) => {
            "nothing else differs in that direction at the start"
        }
        PageNotice::NothingDiffers(End::End) => "nothing else differs in that direction at the end",
        PageNotice::NoGrams => "the alternation detector is off: there are no n-grams to shade by",
        PageNotice::ShadedByLine => "shaded by line: how often it occurs",
        PageNotice::Copied(_) => "the book's id is sent to the terminal's clipboard",
        PageNotice::Mouse(_) => "the wheel scrolls and clicks work here",
        // The texts of the others depend on keys or results.
        _ => "",
    }
}

/// The text of a message about adjudication.
pub(super) fn of_dispute(
    session: &Session,
    notice: DisputeNotice,
    key: impl Fn(Action) -> String,
) -> String {
    match notice {
        DisputeNotice::ChooseFirst => how_to_choose(session),
        DisputeNotice::Taken(opinion) => format!(
            "opinion {opinion} is taken, not saved yet: {} saves it, {} takes it back",
            key(Action::Keep),
            key(Action::Undo)
        ),
        DisputeNotice::NoSuch(count) => format!("there are {count} opinions"),
        DisputeNotice::Untakable(opinion, Untakable::OtherText) => format!(
            "opinion {opinion} is about another text of this book: its cuts do not fit; place both cuts yourself"
        ),
        DisputeNotice::Untakable(opinion, Untakable::Draft) => {
            format!("opinion {opinion} is a draft without a verdict, so it cannot be taken")
        }
    }
}

/// The text of a message about a cut.
pub(super) fn of_cut(notice: CutNotice, key: impl Fn(Action) -> String) -> String {
    let text = match notice {
        CutNotice::Candidates(1) => "there is 1 candidate at this end",
        CutNotice::Candidates(count) => {
            return format!("there are {count} candidates at this end");
        }
        CutNotice::Nowhere(Action::CutNextMarker) => "no marker line at this end",
        CutNotice::Nowhere(Action::CutNextGap | Action::CutPreviousGap) => {
            "no gap of three blank lines in that direction"
        }
        CutNotice::Nowhere(_) => "nothing further in that direction",
        CutNotice::AlreadyThere => "the cut is already there",
        CutNotice::NoBodyLeft => {
            return format!(
                "these cuts leave no body: move one ({} cuts nothing); {} marks the file as not a book",
                key(Action::CutNothing),
                key(Action::NotABook)
            );
        }
        CutNotice::Contradicted(alert) => {
            return format!(
                "{} at {} had not been on screen; {} again keeps both cuts",
                alert.what,
                alert.line,
                key(Action::Keep)
            );
        }
        CutNotice::NotSeenYet => {
            return format!(
                "this cut had not been on screen; {} again keeps both",
                key(Action::Keep)
            );
        }
    };
    text.to_owned()
}

/// The text of a message about an annotation.
pub(super) fn of_mark(notice: &MarkNotice, key: impl Fn(Action) -> String) -> String {
    let text = match notice {
        MarkNotice::Hard(flags) if flags.is_empty() => {
            return format!(
                "hard; {} notes another line, {} says what is unusual",
                key(Action::Alternative),
                key(Action::Flag)
            );
        }
        MarkNotice::Hard(flags) => return format!("hard: {}", flags.join(", ")),
        MarkNotice::NotHard(flags) if flags.is_empty() => "not hard",
        // Flags may also apply to an easy book, so only the list removes them.
        MarkNotice::NotHard(flags) => {
            return format!(
                "not hard; its flags stay ({}): {} takes them out",
                flags.join(", "),
                key(Action::Flag)
            );
        }
        MarkNotice::Flagged(flags) if flags.is_empty() => "no flag is left",
        MarkNotice::Flagged(flags) => return format!("flags: {}", flags.join(", ")),
        MarkNotice::AlternativeIsCut => {
            "the cut is at this line: an alternative is another line that could be defended"
        }
        MarkNotice::AlternativeAdded => {
            return format!(
                "a second curator could cut here; {} drops it again",
                key(Action::Alternative)
            );
        }
        MarkNotice::AlternativeDropped => "alternative dropped",
        MarkNotice::InsideUnmarked => "no longer marked as boilerplate inside",
        MarkNotice::NotInside => {
            return format!(
                "{} marks a block between the cuts; the cursor is not in one",
                key(Action::Inside)
            );
        }
        MarkNotice::InsideMarked {
            lines: (first, last),
            kind,
        } => return format!("lines {first}-{last} are boilerplate inside ({kind})"),
        MarkNotice::MoreInside(1) => {
            return format!("1 more block marked; {} takes it back", key(Action::Undo));
        }
        MarkNotice::MoreInside(count) => {
            return format!(
                "{count} more blocks marked; {} takes them back",
                key(Action::Undo)
            );
        }
        MarkNotice::NoneProposedInside => {
            "no block between the cuts is proposed as boilerplate inside"
        }
        MarkNotice::ProposedInside {
            lines: (first, last),
            kind,
            at,
            of,
        } => {
            return format!(
                "lines {first}-{last} look like boilerplate inside ({kind}), {at} of {of}: {} marks them",
                key(Action::Inside)
            );
        }
    };
    text.to_owned()
}

/// The text of a message about hidden proposals.
pub(super) fn of_blind(
    _session: &Session,
    notice: &BlindNotice,
    key: impl Fn(Action) -> String,
) -> String {
    let text = match notice {
        BlindNotice::FromNextBook => "blind from the next book on: nothing is proposed",
        BlindNotice::ShownAgain => "proposals are shown again",
        BlindNotice::ShownAgainHere => "proposals are shown again, and those of this book now",
        BlindNotice::NothingHidden => {
            return format!(
                "nothing is hidden here; {} hides what is proposed for the next books",
                key(Action::BlindMode)
            );
        }
        BlindNotice::Revealed => "shown: moving a cut now ends the blind review",
        BlindNotice::PlaceCut(end) => return place_cut(*end, key),
        BlindNotice::Placed => {
            return format!("placed; {} goes to the other end", key(Action::OtherEnd));
        }
        BlindNotice::BothPlaced => {
            return format!(
                "both cuts are placed: {} keeps them, {} shows what the detector has",
                key(Action::Keep),
                key(Action::Reveal)
            );
        }
        BlindNotice::SecondLook {
            name,
            lines,
            before,
        } => {
            let words = match (lines, before) {
                (Some(0), _) => "as before".to_owned(),
                (Some(1), _) => "1 line from the decision before".to_owned(),
                (Some(lines), _) => format!("{lines} lines from the decision before"),
                (None, Verdict::Undecidable | Verdict::NotABook) => {
                    format!("before it was {before}")
                }
                (None, _) => "before it was a book with cuts".to_owned(),
            };
            return format!(
                "second look at {name} saved: {words}, which stays the current decision"
            );
        }
        BlindNotice::SampleDone(told) => return format!("{told} · {} quits", key(Action::Quit)),
        BlindNotice::NoneLeft { looked, .. } => {
            return format!(
                "no decided book is left in this queue: {looked} reviewed again; {} quits",
                key(Action::Quit)
            );
        }
    };
    text.to_owned()
}
