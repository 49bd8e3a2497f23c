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
/// Most keys at one end.
const DEPTH: usize = 7;
/// So many states are looked at before the search of an end is given up.
const STATES: usize = 40_000;

/// The screen that is played on.
pub struct Player {
    pub width: u16,
    pub height: u16,
}

/// What a book costs.
pub struct Played {
    /// The curator knows the place beforehand.
    pub informed: Cost,
    /// The curator takes a digit only when its line is on the screen.
    pub searching: Cost,
    /// What was wrong at first.
    pub wrong: String,
}

/// The shortest keys that were found, before the Enters that keep the cuts.
#[derive(Clone)]
pub struct Cost {
    keys: Option<Vec<Chord>>,
    /// Enters until the verdict is saved.
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

/// The line before which each cut belongs.
#[derive(Clone, Copy)]
struct ReplayGoal([u32; 2]);

impl ReplayGoal {
    fn new(page: &BookPage, (first, last): (u32, u32)) -> ReplayGoal {
        let line = |line| page.non_blank_at_or_after(line).unwrap_or(page.lines() + 1);
        ReplayGoal([line(first), line(last + 1)])
    }

    /// The cut is right, and seen with what stands on both sides of it.
    fn is_reached(self, session: &Session, end: End) -> bool {
        self.is_right(session, end) && is_rule_visible(session, end)
    }

    fn is_right(self, session: &Session, end: End) -> bool {
        place(session, end) == Some(self.0[end as usize])
    }
}

/// The line before which a cut stands.
fn place(session: &Session, end: End) -> Option<u32> {
    let open = session.doc.open.as_ref()?;
    Some(open.page.cut_position(open.decision.cuts, end))
}

/// The rule of the cut is on the screen, with a line above and a line below it, as far as the book has them.
fn is_rule_visible(session: &Session, end: End) -> bool {
    let rows = &session.doc.rows;
    let Some(rule) = rule_of(rows, end) else {
        return false;
    };
    let shown = |&pane: &End| presenter::has_context(rows, presenter::visible(session, pane), rule);
    [End::Start, End::End].iter().any(shown)
}

impl Player {
    /// Plays a book whose first and last line are known.
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

    /// A session with the book just opened.
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

/// The shortest keys to both cuts: one end, then the other, in the order that is shorter.
fn cost(session: &Session, goal: ReplayGoal, look: bool) -> Cost {
    let orders = [[End::Start, End::End], [End::End, End::Start]];
    // Going to the end of the book first costs one key more, and serves only where its cut stands in the way.
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

/// A breadth-first search over what the keys do to the active end.
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
            // Sessions are large and keys are few: a state is kept as the keys that lead to it.
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

/// What differs between sessions that one end was played on.
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

/// The line that a digit cuts before is on the screen; true of every other key.
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

/// Enters until the verdict goes to the disk.
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

/// How far each wrong cut is from the label, and whether the right place has a digit.
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
