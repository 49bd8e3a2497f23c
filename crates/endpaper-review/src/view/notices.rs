//! The texts of notices in the message line.

mod books;
mod bulk;
mod page;
mod parts;

use crate::action::Action;
use crate::chord::Chord;
use crate::outlook::outlook;
use crate::session::{
    KeyNotice, ModeRefusal, News, Notice, ReplayNotice, SaveNotice, Session, Tone,
};
use books::{of_queue, of_record, of_save, of_undo};
use bulk::of_bulk;
use endpaper_text::wording::{plural, without_system_noise};
use page::{of_blind, of_cut, of_dispute, of_mark, of_page};
use parts::{count_words, moved_ends, place_cut};

/// The text of a notice, with only characters that can be shown.
pub(crate) fn words(session: &Session, notice: &Notice) -> String {
    let key = |action| session.keymap.label(action);
    let text = match notice {
        Notice::Refused(refusal) => refused(refusal, key),
        Notice::Key(notice) => of_keys(notice, key),
        Notice::Queue(notice) => of_queue(session, notice, key),
        Notice::Page(notice) => of_page(notice, key),
        Notice::Cut(notice) => of_cut(*notice, key),
        Notice::Mark(notice) => of_mark(notice, key),
        Notice::Bulk(notice) => of_bulk(notice, key),
        Notice::Blind(notice) => of_blind(session, notice, key),
        Notice::Dispute(notice) => of_dispute(session, *notice, key),
        Notice::Save(notice) => with_outlook(session, notice, of_save(notice, key)),
        Notice::Undo(notice) => of_undo(notice, key),
        Notice::Record(notice) => of_record(notice, key),
        Notice::Replay(notice) => of_replay(notice, key),
        Notice::WithNews(before, news) => with_news(session, before.as_deref(), news),
        Notice::External(text) => text.clone(),
    };
    match notice.previous_notice() {
        Some(before) => format!(
            "{} · {}",
            words(session, before),
            without_system_noise(&text)
        ),
        None => without_system_noise(&text).into_owned(),
    }
}

/// Appends news to the previous notice. If that does not fit and the notice reports a save, shortens it, and drops it if nothing
/// else fits.
fn with_news(session: &Session, before: Option<&Notice>, news: &News) -> String {
    let width = usize::from(session.screen.size.0).saturating_sub(2);
    let told = of_news(session, news);
    let Some(before) = before else { return told };
    let mut texts = vec![format!("{} · {told}", words(session, before))];
    if let (
        Tone::Good,
        News::Propagates {
            name,
            status: standing,
            ..
        },
    ) = (before.tone(), news)
    {
        texts.extend([
            format!("saved {name}: {} · {told}", standing.word()),
            format!("saved {name} · {told}"),
            format!("saved · {told}"),
        ]);
    }
    if let (
        Notice::Save(SaveNotice::Saved { name, .. }),
        News::Learned {
            cuts,
            verdicts,
            apart: None,
            is_open_book_behind,
            ..
        },
    ) = (before, news)
    {
        // That the book is saved is never hidden by what was learned.
        let short = of_news(
            session,
            &News::Learned {
                cuts: *cuts,
                verdicts: *verdicts,
                apart: None,
                kept: None,
                is_open_book_behind: *is_open_book_behind,
            },
        );
        texts.extend([
            format!("saved {name} · {told}"),
            format!("saved · {told}"),
            format!("saved {name} · {short}"),
            format!("saved · {short}"),
        ]);
    }
    let fits = |text: &String| text.chars().count() <= width;
    texts.into_iter().find(fits).unwrap_or(told)
}

/// Appends how much is left to decide to the report of a save, where it fits.
fn with_outlook(session: &Session, notice: &SaveNotice, text: String) -> String {
    let width = usize::from(session.screen.size.0).saturating_sub(4);
    let outlook = match notice {
        SaveNotice::Saved { .. } => outlook(session),
        _ => None,
    };
    match outlook.map(|outlook| format!("{text} · {}", outlook.words())) {
        Some(long) if long.chars().count() <= width => long,
        _ => text,
    }
}

/// The text of news about background work.
fn of_news(session: &Session, news: &News) -> String {
    match news {
        News::Propagates {
            copies,
            others,
            moved,
            ..
        } => {
            let key = session.keymap.label(Action::BringUp);
            let them = if copies + others == 1 { "it" } else { "them" };
            let news = match count_words(*copies, *others, ["other", "others"]) {
                [Some(copies), None] => format!("same words in {copies}"),
                [Some(copies), Some(others)] => format!("{copies}, same block in {others}"),
                [_, others] => format!("same block in {}", others.unwrap_or_default()),
            };
            let moved = moved_ends(*moved).map_or(String::new(), |moved| format!("{moved}, "));
            format!("{moved}{news}: {key} puts {them} next")
        }
        News::Learned {
            cuts,
            verdicts,
            apart,
            kept,
            is_open_book_behind,
        } => {
            let cuts = match cuts {
                0 => "no proposal".to_owned(),
                &count => format!("{count} {}", plural(count, "proposal")),
            };
            let word = plural(*verdicts, "verdict");
            let apart = match apart {
                None => String::new(),
                Some(([a, b], 1)) => format!("; copies DISAGREE now: {a}, {b}"),
                Some(([a, b], pairs)) => {
                    format!("; {pairs} pairs of copies DISAGREE now: {a}, {b} …")
                }
            };
            let kept = kept.map_or(String::new(), |(kept, of)| {
                format!("; {kept} of your last {of} kept")
            });
            let here = match is_open_book_behind {
                false => String::new(),
                true => {
                    let key = |action| session.keymap.label(action);
                    let keys = (key(Action::NextBook), key(Action::PreviousBook));
                    format!("; this book's too: {} {}", keys.0, keys.1)
                }
            };
            format!("learned from {verdicts} {word}: {cuts} changed{here}{kept}{apart}")
        }
        News::NotLearned(why) => format!("learning from the verdicts failed: {why}"),
    }
}

/// The text of a refusal; `key` gives the keys of an action.
fn refused(refusal: &ModeRefusal, key: impl Fn(Action) -> String) -> String {
    let text = match refusal {
        ModeRefusal::ReplayIsReadOnly => {
            return format!(
                "the replay is read-only: {} reopens this decision to correct it",
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
                action.info().id,
                key(Action::Keep)
            );
        }
        ModeRefusal::CandidatesHidden(end) => return place_cut(*end, key),
        ModeRefusal::ReadOnly(why) => return why.to_string(),
        ModeRefusal::NotCorrected => "a second look is not corrected: it would be no second look",
        ModeRefusal::NothingChangedSince => "nothing was changed since this decision was taken up",
        ModeRefusal::DoubtIsHidden => {
            "blind: the most doubtful book would show what the detector doubts"
        }
        ModeRefusal::MapShowsCuts => "blind: the heat map would show the cuts of all books",
        ModeRefusal::SampleIsWhole => "a sample cannot be filtered or sorted",
        ModeRefusal::SampleIsBlind => "the books of a sample are reviewed blind",
        ModeRefusal::SecondLookIsBlind => "a second look at decided books is always blind",
        ModeRefusal::AdjudicationIsOpen => "an adjudication is not blind: it shows all opinions",
        ModeRefusal::OneByOne => {
            "reviews that are measured, replayed or adjudicated are marked one by one"
        }
        ModeRefusal::OnlyCuts => "a second look records only the cuts",
        ModeRefusal::NoPropagation => {
            "propagation is off in this session: its reviews must not influence each other"
        }
    };
    text.to_owned()
}

/// The text of a message about keys.
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
        KeyNotice::NoLineNumber(text) => format!("'{text}' is not a line number"),
    }
}

/// The text for a key that does nothing beside another edition.
fn beside_edition(chord: Chord, close: &str) -> String {
    format!("{chord} does nothing beside another edition; {close} closes it")
}

/// The text of a message about the replay.
fn of_replay(notice: &ReplayNotice, key: impl Fn(Action) -> String) -> String {
    let text = match notice {
        ReplayNotice::NothingDecided => "nothing was decided in this sitting yet",
        ReplayNotice::First => "this is the first decision of the replay",
        // The hint line shows the keys.
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
                "correct the cuts; {} saves them and continues the replay",
                key(Action::Keep)
            );
        }
        ReplayNotice::Over => "the replay is over",
    };
    text.to_owned()
}
