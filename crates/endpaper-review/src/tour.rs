//! The tour of a first sitting: six lines at the bottom of the screen. All keys keep working.

use super::action::Action;
use super::session::Session;

/// Number of lines.
pub const LINES: usize = 6;

/// The heading.
pub fn heading(session: &Session) -> String {
    let key = session.keymap.label(Action::Tour);
    format!("to begin with (Esc puts this away, {key} brings it back)")
}

/// Keys and what they do.
pub fn lines(session: &Session) -> [(String, String); LINES] {
    let key = |action| session.keymap.label(action);
    let keys = |actions: &[Action]| {
        let labels: Vec<String> = actions.iter().map(|action| key(*action)).collect();
        labels.join(" ")
    };
    let blocks = [Action::CutPreviousBlock, Action::CutNextBlock];
    let lines = [Action::CutDown, Action::CutUp];
    [
        (
            String::new(),
            "both ends of one book: dim lines are outside it, ruled lines are its cuts".to_owned(),
        ),
        (
            key(Action::Keep),
            "keeps both cuts, saves, and brings the next book".to_owned(),
        ),
        (
            "1-9".to_owned(),
            format!(
                "cut at the digit; {} goes to the other end",
                key(Action::OtherEnd)
            ),
        ),
        (
            keys(&blocks),
            format!(
                "move the cut by block, {} by line; {} puts it at the cursor",
                keys(&lines),
                key(Action::CutHere)
            ),
        ),
        (
            key(Action::Hard),
            format!(
                "marks a hard case; {} marks the file as not a book; {} undoes",
                key(Action::NotABook),
                key(Action::Undo)
            ),
        ),
        (
            key(Action::Help),
            format!(
                "shows all keys; {} shows what belongs to a book",
                key(Action::Guidelines)
            ),
        ),
    ]
}
