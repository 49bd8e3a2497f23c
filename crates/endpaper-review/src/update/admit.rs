//! The gate for keys, the mouse and answers to popups: refuses what the current modes do not allow.

use super::blind;
use crate::action::{Action, HelpGroup};
use crate::decision::{BookState, ReadOnly};
use crate::history::HistoryStep;
use crate::session::{ModeRefusal, Session};

/// A mode of a sitting. Several can be active at once: a sample is reviewed blind, and any sitting can be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SittingMode {
    Normal,
    /// The last decisions are shown again, read-only.
    Replay,
    /// Nothing is proposed until both cuts are placed.
    Blind,
    /// The books of a sample are reviewed in the order of the sample.
    Sample,
    /// Decided books are reviewed again, for their cuts only.
    SecondLook,
    /// The curator adjudicates decisions of others.
    Adjudicate,
    /// The record of the open book cannot be written.
    ReadOnly,
}

/// An attempt of the curator to do something, with the keyboard or the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attempt {
    Run(Action),
    /// Move the cut to a candidate: a digit, or a click on one.
    Candidate,
    /// Answer the list or the prompt that this action opened.
    Answer(Action),
}

impl SittingMode {
    const ALL: [SittingMode; 7] = [
        SittingMode::Normal,
        SittingMode::Replay,
        SittingMode::Blind,
        SittingMode::Sample,
        SittingMode::SecondLook,
        SittingMode::Adjudicate,
        SittingMode::ReadOnly,
    ];

    /// Whether the session is in this mode.
    fn is_in_force(self, session: &Session) -> bool {
        let open = session.doc.open.as_ref();
        match self {
            SittingMode::Normal => true,
            SittingMode::Replay => session.modes.replay.is_some(),
            SittingMode::Blind => {
                session.modes.blind || open.is_some_and(BookState::hides_proposal)
            }
            SittingMode::Sample => session.modes.sampling.is_some(),
            SittingMode::SecondLook => {
                session.options.re_review || open.is_some_and(BookState::is_second_look)
            }
            SittingMode::Adjudicate => session.options.adjudicates,
            SittingMode::ReadOnly => {
                session.options.read_only || open.is_some_and(|open| open.read_only.is_some())
            }
        }
    }

    /// Why this mode refuses an attempt; `None` if it does not.
    fn refusal(self, session: &Session, attempt: Attempt) -> Option<ModeRefusal> {
        let open = session.doc.open.as_ref();
        if attempt.action() == Some(Action::MarkAll) {
            return self.refuses_mark_all(session);
        }
        match (self, attempt.action()) {
            (SittingMode::Replay, _) => replay_refuses(session, attempt),
            (SittingMode::Blind, Some(Action::HeatMap)) if session.modes.blind => {
                Some(ModeRefusal::MapShowsCuts)
            }
            (SittingMode::Blind, Some(Action::MostDoubtful)) if session.modes.blind => {
                Some(ModeRefusal::DoubtIsHidden)
            }
            (SittingMode::Blind, _) if !open.is_some_and(BookState::hides_proposal) => None,
            (SittingMode::Blind, Some(Action::CutDetected)) => Some(ModeRefusal::CutIsHidden),
            (SittingMode::Blind, None) => {
                open.map(|open| ModeRefusal::CandidatesHidden(blind::first_unplaced(open)))
            }
            (SittingMode::Sample, Some(Action::BlindMode)) => Some(ModeRefusal::SampleIsBlind),
            // The heat map has a separate order.
            (SittingMode::Sample, Some(Action::Order)) if session.background.heat.shown => None,
            (SittingMode::Sample, Some(Action::Filter | Action::Order)) => {
                Some(ModeRefusal::SampleIsWhole)
            }
            (SittingMode::SecondLook, Some(Action::BlindMode)) if session.options.re_review => {
                Some(ModeRefusal::SecondLookIsBlind)
            }
            (SittingMode::SecondLook, Some(action))
                if open.is_some_and(BookState::is_second_look) =>
            {
                is_annotation(action).then_some(ModeRefusal::OnlyCuts)
            }
            (SittingMode::Adjudicate, Some(Action::BlindMode)) => {
                Some(ModeRefusal::AdjudicationIsOpen)
            }
            (SittingMode::ReadOnly, _) if attempt.writes() => {
                let why = open.and_then(|open| open.read_only.clone());
                why.map(ModeRefusal::ReadOnly)
            }
            _ => None,
        }
    }

    /// Why this mode refuses to mark many books; `None` if it does not. The record of the open book does not matter: it is one of
    /// many.
    fn refuses_mark_all(self, session: &Session) -> Option<ModeRefusal> {
        let open = session.doc.open.as_ref();
        match self {
            SittingMode::Normal => None,
            SittingMode::ReadOnly if session.options.read_only => {
                Some(ModeRefusal::ReadOnly(ReadOnly::Sitting))
            }
            SittingMode::ReadOnly => match open.and_then(|open| open.read_only.clone()) {
                Some(why @ ReadOnly::Folder(_)) => Some(ModeRefusal::ReadOnly(why)),
                _ => None,
            },
            _ => Some(ModeRefusal::OneByOne),
        }
    }
}

impl Attempt {
    /// The action concerned; `None` for a candidate.
    fn action(self) -> Option<Action> {
        match self {
            Attempt::Run(action) | Attempt::Answer(action) => Some(action),
            Attempt::Candidate => None,
        }
    }

    /// Whether it changes the decision on the open book. Undo and saving do not count as changes.
    fn writes(self) -> bool {
        match self {
            Attempt::Candidate | Attempt::Answer(Action::Versions) => true,
            Attempt::Run(action) | Attempt::Answer(action) => {
                changes_decision(action) && action != Action::Keep
            }
        }
    }
}

/// Whether the action changes the decision on a book, including its cuts.
fn changes_decision(action: Action) -> bool {
    use Action::{Redo, Replay, SaveDraft, Undo, Versions};
    matches!(action.info().group, HelpGroup::Decide | HelpGroup::Cut)
        && !matches!(action, Replay | Undo | Redo | SaveDraft | Versions)
}

/// Whether the action records something other than a verdict and cuts.
fn is_annotation(action: Action) -> bool {
    use Action::{Alternative, Flag, Fragment, Hard, Inside, Note, OneBook, SeveralBooks};
    matches!(
        action,
        Alternative | Flag | Fragment | Hard | Inside | Note | OneBook | SeveralBooks
    )
}

/// Why a replay refuses an attempt.
fn replay_refuses(session: &Session, attempt: Attempt) -> Option<ModeRefusal> {
    let replay = session.modes.replay.as_ref()?;
    let action = attempt.action();
    if !replay.is_correcting {
        return match action {
            Some(Action::Undo) if session.options.re_review => Some(ModeRefusal::NotCorrected),
            // In a replay, `Keep` goes to the next decision.
            Some(Action::Keep) => None,
            Some(Action::Redo) | None => Some(ModeRefusal::ReplayIsReadOnly),
            Some(action) => changes_decision(action).then_some(ModeRefusal::ReplayIsReadOnly),
        };
    }
    // Not beyond this book: older edits belong to another decision.
    let last = session.sitting.history.last();
    let own = last.is_some_and(|step| match step {
        HistoryStep::Edit(edit) => edit.book == session.current && edit.disk.is_none(),
        HistoryStep::Bulk(_) => false,
    });
    (action == Some(Action::Undo) && !own).then_some(ModeRefusal::NothingChangedSince)
}

/// Checks an attempt against the active modes; the error is the reason for refusal. Changes nothing.
pub(super) fn admit(session: &Session, attempt: Attempt) -> Result<(), ModeRefusal> {
    let on_map = session.background.heat.shown;
    if let Attempt::Run(action) = attempt
        && on_map
        && !action.works_on_map()
    {
        return Err(ModeRefusal::NotOnMap(action));
    }
    if attempt == Attempt::Run(Action::BringUp) && !session.is_propagation_on() {
        // Off in most modes, and in random order, which is not a mode.
        return Err(ModeRefusal::NoPropagation);
    }
    let modes = SittingMode::ALL
        .iter()
        .filter(|mode| mode.is_in_force(session));
    let mut refusals = modes.filter_map(|mode| mode.refusal(session, attempt));
    refusals.next().map_or(Ok(()), Err)
}

/// Like [`admit`], but shows the reason on screen; returns whether the attempt is allowed.
pub(super) fn admit_or_notify(session: &mut Session, attempt: Attempt) -> bool {
    match admit(session, attempt) {
        Ok(()) => true,
        Err(ModeRefusal::CandidatesHidden(_)) => {
            blind::ask_for_cut(session);
            false
        }
        Err(refusal) => {
            if refusal == ModeRefusal::NoPropagation {
                session.background.propagation.clear();
            }
            session.notify(refusal);
            false
        }
    }
}
