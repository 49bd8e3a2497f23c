//! The words of the message line.

use crate::action::Action;
use crate::chord::Chord;
use crate::session::{
    BlindNotice, CutNotice, KeyNotice, MarkNotice, News, Notice, PageNotice, QueueNotice,
    RecordNotice, ReplayNotice, SaveNotice, SavedAs, Session, Tone, UndoNotice,
};
use crate::update::{Anchoring, FileChange, ModeRefusal};
use endpaper_detect::End;
use endpaper_text::words::{plain, plural};
use endpaper_truth::Verdict;
use endpaper_truth::anchor::Refusal;

/// What a notice says, in characters that can be shown.
pub(crate) fn words(session: &Session, notice: &Notice) -> String {
    let key = |action| session.keymap.label(action);
    let text = match notice {
        Notice::Refused(refusal) => refused(refusal, key),
        Notice::Key(notice) => of_keys(notice, key),
        Notice::Queue(notice) => of_queue(session, notice, key),
        Notice::Page(notice) => of_page(notice, key),
        Notice::Cut(notice) => of_cut(*notice, key),
        Notice::Mark(notice) => of_mark(notice, key),
        Notice::Blind(notice) => of_blind(session, notice, key),
        Notice::Save(notice) => of_save(notice, key),
        Notice::Undo(notice) => of_undo(notice, key),
        Notice::Record(notice) => of_record(notice, key),
        Notice::Replay(notice) => of_replay(notice, key),
        Notice::Behind(before, news) => behind(session, before.as_deref(), news),
        Notice::Outside(text) => text.clone(),
    };
    plain(&text).into_owned()
}

/// What was said before, to be said once more in front of something else.
fn in_front(session: &Session, before: Option<&Notice>) -> String {
    before.map_or(String::new(), |notice| {
        format!("{} · ", words(session, notice))
    })
}

/// News behind what was said before, which is made shorter where it is the word on a save and there is no room for both,
/// and goes where there is none at all.
fn behind(session: &Session, before: Option<&Notice>, news: &News) -> String {
    let width = usize::from(session.screen.size.0).saturating_sub(2);
    let told = of_news(session, news);
    let Some(before) = before else { return told };
    let mut texts = vec![format!("{} · {told}", words(session, before))];
    if let (Tone::Good, News::Propagates { name, standing, .. }) = (before.tone(), news) {
        texts.extend([
            format!("saved {name}: {} · {told}", standing.word()),
            format!("saved {name} · {told}"),
            format!("saved · {told}"),
        ]);
    }
    let fits = |text: &String| text.chars().count() <= width;
    texts.into_iter().find(fits).unwrap_or(told)
}

fn of_news(session: &Session, news: &News) -> String {
    match news {
        News::Propagates { copies, others, .. } => {
            let key = session.keymap.label(Action::BringUp);
            let them = if copies + others == 1 { "it" } else { "them" };
            let news = match counted(*copies, *others, ["other", "others"]) {
                [Some(copies), None] => format!("same words in {copies}"),
                [Some(copies), Some(others)] => format!("{copies}, same block in {others}"),
                [_, others] => format!("same block in {}", others.unwrap_or_default()),
            };
            format!("{news}: {key} brings {them} up next")
        }
        News::Learned { cuts, verdicts } => {
            let cuts = match cuts {
                0 => "no cut".to_owned(),
                &count => format!("{count} {}", plural(count, "cut")),
            };
            let word = plural(*verdicts, "verdict");
            format!("{cuts} changed after {verdicts} {word}")
        }
        News::NotLearned(why) => format!("nothing is learnt from the verdicts: {why}"),
    }
}

/// Copies and other books as words; none of what there is none.
fn counted(copies: usize, others: usize, other: [&str; 2]) -> [Option<String>; 2] {
    let words = |count: usize, [one, more]: [&str; 2]| {
        let word = if count == 1 { one } else { more };
        (count > 0).then(|| format!("{count} {word}"))
    };
    [words(copies, ["copy", "copies"]), words(others, other)]
}

fn refused(refusal: &ModeRefusal, key: impl Fn(Action) -> String) -> String {
    let text = match refusal {
        ModeRefusal::OnlyLooks => {
            return format!(
                "the replay only looks: {} takes this decision up to correct it",
                key(Action::Undo)
            );
        }
        ModeRefusal::CutIsHidden => {
            return format!(
                "blind: {} shows what the detector has, once both cuts are placed",
                key(Action::Reveal)
            );
        }
        ModeRefusal::NotOnMap(action) => {
            return format!(
                "{} is for the page of a book: {} opens the chosen one, Esc goes back",
                action.facts().id,
                key(Action::Keep)
            );
        }
        ModeRefusal::CandidatesHidden(end) => return place_cut(*end, key),
        ModeRefusal::ReadOnly(why) => return why.clone(),
        ModeRefusal::NotCorrected => "a second look is not corrected: it would be no second look",
        ModeRefusal::NothingChangedSince => "nothing was changed since this decision was taken up",
        ModeRefusal::MapShowsCuts => "blind: the heat map would show the cuts of all books",
        ModeRefusal::SampleIsWhole => {
            "the books of a sample come up as they were drawn, all of them"
        }
        ModeRefusal::SampleIsBlind => "the books of a sample are looked at blind",
        ModeRefusal::SecondLookIsBlind => "a second look at decided books is always blind",
        ModeRefusal::OnlyCuts => "this look says where the cuts are, and nothing else",
        ModeRefusal::NoPropagation => {
            "nothing is brought up: what is reviewed here is not to be drawn by other reviews"
        }
    };
    text.to_owned()
}

fn place_cut(end: End, key: impl Fn(Action) -> String) -> String {
    let (cut, nothing) = (key(Action::CutHere), key(Action::CutNothing));
    match end {
        End::Start => format!(
            "blind: {cut} on the first line of the body places this cut, {nothing} says there is no preamble"
        ),
        End::End => format!(
            "blind: {cut} on the first line of the epilogue places this cut, {nothing} says there is none"
        ),
    }
}

fn of_keys(notice: &KeyNotice, key: impl Fn(Action) -> String) -> String {
    match notice {
        KeyNotice::TypedTooEarly(keys) => {
            format!("{keys} was typed before this book was shown: press it again")
        }
        KeyNotice::ClickedTooEarly => {
            "that click came before this book was shown: click again".to_owned()
        }
        KeyNotice::Unknown(keys) => {
            format!(
                "{keys} does nothing here; {} shows all keys",
                key(Action::Help)
            )
        }
        KeyNotice::TakesNoCount(action) => format!("{action} takes no count"),
        KeyNotice::OnlyOnMap => {
            format!(
                "that is for the heat map: {} shows it",
                key(Action::HeatMap)
            )
        }
        KeyNotice::OnlyInLists(action) => {
            format!("{action} works where a list or a line of text is open")
        }
        KeyNotice::NotBesideEdition(chord) => beside_edition(*chord, &key(Action::ListClose)),
        KeyNotice::CountBegun => "a number, then a key that moves something".to_owned(),
        KeyNotice::NoLineNumber(text) => format!("'{text}' is no line number"),
    }
}

fn beside_edition(chord: Chord, close: &str) -> String {
    format!("{chord} does nothing beside another edition; {close} closes it")
}

fn of_queue(session: &Session, notice: &QueueNotice, key: impl Fn(Action) -> String) -> String {
    let text = match notice {
        QueueNotice::NoOther(what) => return format!("no other {what}"),
        QueueNotice::Arranged {
            count,
            what,
            order,
            by_terms,
        } => {
            let text = format!("{count} {}: {what}, by {order}", plural(*count, "book"));
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
            saved,
            this_is_open,
            decided,
            readable,
        } => {
            let none = match this_is_open {
                true => "this is the only undecided book in this queue",
                false => "no undecided book is left in this queue",
            };
            return format!(
                "{}{none}: {decided} of {readable} decided; {} quits",
                in_front(session, saved.as_deref()),
                key(Action::Quit)
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
                "reading '{name}' takes long ({seconds} s): {} goes on to the next book, {} quits",
                key(Action::NextBook),
                key(Action::Quit)
            );
        }
        QueueNotice::BroughtUp { copies, others } => return brought_up(*copies, *others, key),
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
            "the corpus is counted: the cuts of this book are proposed anew"
        }
        QueueNotice::StillLookingForCopies => "other books are still looked through",
        QueueNotice::NothingToBringUp => {
            "nothing to bring up: after a verdict its copies are, after a correction books with the same block"
        }
        QueueNotice::DecidedMeanwhile => "these books are decided meanwhile",
    };
    text.to_owned()
}

fn brought_up(copies: usize, others: usize, key: impl Fn(Action) -> String) -> String {
    let [copies, others] = counted(copies, others, ["book", "books"]);
    let copies = copies.map(|copies| format!("{copies} with the same words"));
    let others = others.map(|others| format!("{others} with the same block"));
    let parts: Vec<String> = copies.into_iter().chain(others).collect();
    format!(
        "{}: {} keeps, {} puts the detector's cut back",
        parts.join(", "),
        key(Action::Keep),
        key(Action::CutDetected)
    )
}

fn of_page(notice: &PageNotice, key: impl Fn(Action) -> String) -> String {
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
                "there is no jump to come back from; {} lists places to jump to",
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

/// What is said of the page in the same words always.
fn fixed(notice: &PageNotice) -> &'static str {
    match notice {
        PageNotice::Folded => "long blocks are folded",
        PageNotice::Unfolded => "long blocks are unfolded",
        PageNotice::BlankLine => "this line is blank: put the cursor on a line of text",
        PageNotice::NoSkeletons => {
            "skeletons are known only with the posterior detector; without it lines are compared as they stand"
        }
        PageNotice::CameBack => "back where you were",
        PageNotice::NoOutline => "the text is too long for an outline",
        PageNotice::OnlyEdition => "this is the only other edition",
        PageNotice::NoEditionYet => "no other edition yet: the corpus is still read",
        PageNotice::NothingDiffers(End::Start) => {
            "nothing else differs in that direction at the start"
        }
        PageNotice::NothingDiffers(End::End) => "nothing else differs in that direction at the end",
        PageNotice::NoGrams => {
            "the alternation detector was not asked: there are no n-grams to shade by"
        }
        PageNotice::ShadedByLine => "shaded by line: how often it occurs",
        PageNotice::Copied(_) => "the book's id is sent to the terminal's clipboard",
        PageNotice::Mouse(_) => "the wheel scrolls and clicks work here",
        // The others name keys or what was found.
        _ => "",
    }
}

fn of_cut(notice: CutNotice, key: impl Fn(Action) -> String) -> String {
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
                "nothing of the book would be left; {} says that it is no book",
                key(Action::NotABook)
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

fn of_mark(notice: &MarkNotice, key: impl Fn(Action) -> String) -> String {
    let text = match notice {
        MarkNotice::Hard(flags) if flags.is_empty() => {
            return format!("hard; {} says why", key(Action::Flag));
        }
        MarkNotice::Hard(flags) => return format!("hard: {}", flags.join(", ")),
        MarkNotice::NotHard(flags) if flags.is_empty() => "not hard",
        // They may say something of an easy case too: only the list takes them out.
        MarkNotice::NotHard(flags) => {
            return format!(
                "not hard; its flags stay ({}): {} takes them out",
                flags.join(", "),
                key(Action::Flag)
            );
        }
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

fn of_blind(session: &Session, notice: &BlindNotice, key: impl Fn(Action) -> String) -> String {
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
        BlindNotice::Revealed => "shown: moving a cut now makes this no blind review any more",
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
            return format!("second look at {name} saved: {words}, which stays in force");
        }
        BlindNotice::SampleDone(told) => return format!("{told} · {} quits", key(Action::Quit)),
        BlindNotice::NoneLeft { before, looked } => {
            return format!(
                "{}no decided book is left in this queue: {looked} looked at again; {} quits",
                in_front(session, before.as_deref()),
                key(Action::Quit)
            );
        }
    };
    text.to_owned()
}

fn of_save(notice: &SaveNotice, key: impl Fn(Action) -> String) -> String {
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
        SaveNotice::AfterAll(name) => return format!("saved {name} after all"),
        SaveNotice::Conflict(book) => {
            return format!(
                "somebody else changed '{book}'; yours is kept: {} settles it",
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

fn of_undo(notice: &UndoNotice, key: impl Fn(Action) -> String) -> String {
    let text = match notice {
        UndoNotice::Nothing => "nothing to undo in this sitting",
        UndoNotice::BeingSaved => {
            return format!(
                "that book is being saved; press {} again",
                key(Action::Undo)
            );
        }
        UndoNotice::Failed(error) => return format!("not undone: {error}"),
        UndoNotice::Undid(what) => return format!("undid: {what}"),
        UndoNotice::NothingToRedo => "nothing to do again",
        UndoNotice::RedoHere => "this book has a change to do again: press the key once more",
        UndoNotice::Redid(what) => return format!("did again: {what}"),
    };
    text.to_owned()
}

fn of_record(notice: &RecordNotice, key: impl Fn(Action) -> String) -> String {
    let versions = key(Action::Versions);
    let text = match notice {
        RecordNotice::Elsewhere { book, verdict } => {
            return format!(
                "the same text is decided as '{book}' ({verdict}): its cuts are shown, {} keeps them",
                key(Action::Keep)
            );
        }
        RecordNotice::Trouble(why) => return why.clone(),
        RecordNotice::Changed(anchoring) => return changed(anchoring, &key(Action::Keep)),
        RecordNotice::Clash(1) => {
            return format!("CLASH: another version of this record waits: {versions} settles it");
        }
        RecordNotice::Clash(many) => {
            return format!(
                "CLASH: {many} other versions of this record wait: {versions} settles them"
            );
        }
        RecordNotice::NoVersions => "nobody else's version of this record waits",
        RecordNotice::VersionsWait => {
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
            "that version is about other bytes than these; decide anew, or keep the one in force"
        }
    };
    text.to_owned()
}

/// What became of the cuts of a file that changed.
fn changed(anchoring: &Anchoring, keep: &str) -> String {
    let not_found = |change, what: &str, why: &Refusal| {
        let change = what_changed(change);
        format!("{change}: {what} NOT found again, the detector's shown: {why}")
    };
    match anchoring {
        Anchoring::NotTried(change) => {
            format!(
                "{} since it was decided: {keep} decides anew",
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

fn what_changed(change: &FileChange) -> String {
    match change {
        FileChange::Reader { decided, now } => {
            format!("the text CHANGED ({decided}, now {now})")
        }
        FileChange::Bytes => "the file CHANGED".to_owned(),
    }
}

fn of_replay(notice: &ReplayNotice, key: impl Fn(Action) -> String) -> String {
    let text = match notice {
        ReplayNotice::NothingDecided => "nothing was decided in this sitting yet",
        ReplayNotice::First => "this is the first decision of the replay",
        // The keys stand below, in the line of hints.
        ReplayNotice::Shown {
            at,
            of,
            verdict,
            body,
        } => {
            let body = body.map_or(String::new(), |(first, last)| {
                format!(", body {first}-{last}")
            });
            return format!("replay {at} of {of}: {verdict}{body}");
        }
        ReplayNotice::PutRight => {
            return format!(
                "put it right; {} saves it and goes on with the replay",
                key(Action::Keep)
            );
        }
        ReplayNotice::Over => "the replay is over",
    };
    text.to_owned()
}
