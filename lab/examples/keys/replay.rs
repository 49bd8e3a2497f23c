//! One book on the screen, and the shortest keys to its label.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use endpaper_detect::End;
use endpaper_review::chord::{Chord, NamedKey};
use endpaper_review::keymap::Keymap;
use endpaper_review::rows::{PaneRow, rule_of};
use endpaper_review::{
    BookPage, Effect, Message, Opened, Queue, QueueEntry, Session, SessionOptions, presenter,
    update,
};
use endpaper_text::corpus::BookId;

/// Keys tried at one end, besides the digits: moves of the cut, the cut at the cursor, scrolling, folds.
const KEYS: &str = "JK[]{}M0dcjkz";
const DEPTH: usize = 7;
/// The search of an end stops after this many states.
const STATES: usize = 40_000;

pub struct Player {
    pub width: u16,
    pub height: u16,
}

/// Cost of a book.
pub struct Played {
    /// For a curator who knows the position beforehand.
    pub informed: Cost,
    /// For a curator who uses a digit only when its line is on the screen.
    pub searching: Cost,
    /// The initial errors, as text.
    pub wrong: String,
}

/// The shortest keys found, without the Enters that keep the cuts.
#[derive(Clone)]
pub struct Cost {
    keys: Option<Vec<Chord>>,
    enters: usize,
}

impl Cost {
    pub fn total(&self, enters: bool) -> Option<usize> {
        let more = if enters { self.enters } else { 0 };
        self.keys.as_ref().map(|keys| keys.len() + more)
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.keys {
            None => write!(f, "nothing found with {DEPTH} keys at an end"),
            Some(keys) => keys.iter().try_for_each(|key| write!(f, "{key}")),
        }
    }
}

/// The line after each right cut.
#[derive(Clone, Copy)]
struct ReplayGoal([u32; 2]);

impl ReplayGoal {
    fn new(page: &BookPage, (first, last): (u32, u32)) -> ReplayGoal {
        let line = |line| page.non_blank_at_or_after(line).unwrap_or(page.lines() + 1);
        ReplayGoal([line(first), line(last + 1)])
    }

    /// Whether the cut is right, and seen with the lines on both sides.
    fn is_reached(self, session: &Session, end: End) -> bool {
        self.is_right(session, end) && is_rule_visible(session, end)
    }

    fn is_right(self, session: &Session, end: End) -> bool {
        place(session, end) == Some(self.0[end as usize])
    }
}

fn place(session: &Session, end: End) -> Option<u32> {
    let open = session.doc.open.as_ref()?;
    Some(open.page.cut_position(open.decision.cuts, end))
}

/// Whether the rule of the cut is on the screen with the line above and the line below, as far as the book has them.
fn is_rule_visible(session: &Session, end: End) -> bool {
    let rows = &session.doc.rows;
    let Some(rule) = rule_of(rows, end) else {
        return false;
    };
    let shown = |&pane: &End| presenter::has_context(rows, presenter::visible(session, pane), rule);
    [End::Start, End::End].iter().any(shown)
}

impl Player {
    pub fn play(&self, page: &Arc<BookPage>, label: (u32, u32)) -> Played {
        let goal = ReplayGoal::new(page, label);
        let session = self.open(page);
        let knowing = cost(&session, goal, false);
        let looking = if knowing.total(false) == Some(0) {
            knowing.clone()
        } else {
            cost(&session, goal, true)
        };
        Played {
            informed: knowing,
            searching: looking,
            wrong: wrong(&session, goal),
        }
    }

    fn open(&self, page: &Arc<BookPage>) -> Session {
        let mut session = Session::new(
            SessionOptions::default(),
            Queue::default(),
            Keymap::defaults(),
        );
        update(&mut session, Message::Resize(self.width, self.height));
        let entry = QueueEntry {
            id: Some(BookId::new("book.txt")),
            ..QueueEntry::default()
        };
        let asked = update(
            &mut session,
            Message::Entries {
                entries: vec![entry],
                counts_changed: false,
                model: None,
            },
        );
        for effect in asked {
            if let Effect::Open { ticket, book } = effect {
                let opened = Opened::without_record(ticket, book, page.clone());
                update(&mut session, Message::Opened(Box::new(opened)));
            }
        }
        session
    }
}

/// Returns the shortest keys to both cuts, in the order of ends that is shorter.
fn cost(session: &Session, goal: ReplayGoal, look: bool) -> Cost {
    let orders = [[End::Start, End::End], [End::End, End::Start]];
    // Going to the end of the book first costs one more key, and helps only where its cut is in the way.
    let found = orders
        .iter()
        .find_map(|order| both(session, goal, *order, look));
    let enters = found.as_ref().map_or(0, |(_, session)| enters(session));
    Cost {
        keys: found.map(|(keys, _)| keys),
        enters,
    }
}

fn both(
    session: &Session,
    goal: ReplayGoal,
    order: [End; 2],
    look: bool,
) -> Option<(Vec<Chord>, Session)> {
    let mut session = session.clone();
    let mut keys = Vec::new();
    for end in order {
        if goal.is_reached(&session, end) {
            continue;
        }
        if session.doc.end != end {
            let tab = Chord::named(NamedKey::Tab);
            update(&mut session, Message::Key(tab));
            keys.push(tab);
        }
        let found = shortest(&session, goal, end, look)?;
        for &key in &found {
            update(&mut session, Message::Key(key));
        }
        keys.extend(found);
    }
    let right = [End::Start, End::End].map(|end| goal.is_right(&session, end));
    (right == [true; 2]).then_some((keys, session))
}

/// Breadth-first search over the effects of keys on the active end.
fn shortest(session: &Session, goal: ReplayGoal, end: End, look: bool) -> Option<Vec<Chord>> {
    if goal.is_reached(session, end) {
        return Some(Vec::new());
    }
    let alphabet = alphabet();
    let mut known = HashSet::from([state(session)]);
    let mut layer: Vec<Vec<Chord>> = vec![Vec::new()];
    for _ in 0..DEPTH {
        let mut next = Vec::new();
        for keys in &layer {
            // Sessions are large and keys are few: a state is stored as the keys that lead to it.
            let mut here = session.clone();
            for &key in keys {
                update(&mut here, Message::Key(key));
            }
            for &key in &alphabet {
                if look && !shows(&here, end, key) {
                    continue;
                }
                let mut there = here.clone();
                update(&mut there, Message::Key(key));
                let longer = || keys.iter().copied().chain([key]).collect();
                if goal.is_reached(&there, end) {
                    return Some(longer());
                }
                if known.insert(state(&there)) {
                    next.push(longer());
                }
            }
            if known.len() > STATES {
                return None;
            }
        }
        layer = next;
    }
    None
}

/// The part of the state that changes while one end is played.
fn state(session: &Session) -> (Option<u32>, usize, usize, Vec<u32>) {
    let pane = session.pane(session.doc.end);
    let toggled = session.doc.folding.toggled.iter().copied().collect();
    (
        place(session, session.doc.end),
        pane.top,
        pane.cursor,
        toggled,
    )
}

/// Whether the line that a digit cuts before is on the screen; true of every other key.
fn shows(session: &Session, end: End, key: Chord) -> bool {
    let Some(digit @ 1..=9) = key.digit() else {
        return true;
    };
    let Some(&place) = session.doc.digit_positions().get(digit as usize - 1) else {
        return false;
    };
    let seen = presenter::visible(session, end);
    session.doc.rows[seen].contains(&PaneRow::Line(place))
}

fn alphabet() -> Vec<Chord> {
    let scrolling = ["<PageDown>", "<PageUp>", "<C-d>", "<C-u>"];
    let scrolling = scrolling.iter().filter_map(|key| key.parse().ok());
    let digits = ('1'..='9').map(Chord::char);
    digits
        .chain(KEYS.chars().map(Chord::char))
        .chain(scrolling)
        .collect()
}

fn enters(session: &Session) -> usize {
    let mut session = session.clone();
    let mut saved = || {
        let effects = update(&mut session, Message::Key(Chord::named(NamedKey::Enter)));
        effects
            .iter()
            .any(|effect| matches!(effect, Effect::Save(_)))
    };
    (1..=3).find(|_| saved()).unwrap_or(3)
}

/// Describes how far each wrong cut is from the label, and whether the right position has a digit.
fn wrong(session: &Session, goal: ReplayGoal) -> String {
    let Some(open) = &session.doc.open else {
        return String::new();
    };
    let page = &open.page;
    let mut words = Vec::new();
    for (end, name) in [(End::Start, "start"), (End::End, "end")] {
        let (here, right) = (place(session, end).unwrap_or(0), goal.0[end as usize]);
        if here == right {
            if !is_rule_visible(session, end) {
                words.push(format!("{name} not in sight"));
            }
            continue;
        }
        let lines = |from: u32, to: u32| (from..to).filter(|&line| !page.is_blank(line)).count();
        let far = lines(here.min(right), here.max(right));
        let sign = if here > right { '+' } else { '-' };
        let digit = match page
            .candidate_positions(end)
            .position(|place| place == right)
        {
            Some(at) => format!("digit {}", at + 1),
            None => "no digit".to_owned(),
        };
        words.push(format!("{name} {sign}{far}, {digit}"));
    }
    words.join("; ")
}
