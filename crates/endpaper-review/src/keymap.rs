//! Maps key sequences to actions.
//!
//! A trie over chords for each [`KeyContext`]. The user's keys replace the defaults of the action table, action by action. Keys
//! that would be ambiguous or unreachable are reported and ignored; their action keeps its defaults.

use std::collections::{BTreeMap, BTreeSet};

use super::action::{ACTIONS, Action, KeyContext};
use super::chord::{Chord, ChordKey, NamedKey, chords, label, notation};
use endpaper_text::config::{Diagnostic, KeyBinding, TextPosition};

/// Maximum number of keys per action, and of chords per key sequence.
const MAX_KEYS: usize = 12;

/// The key bindings of the review screen.
#[derive(Clone, Debug, Default)]
pub struct Keymap {
    page: KeyNode,
    list: KeyNode,
    prompt: KeyNode,
    /// The keys of each action, in the order of the action table.
    keys: Vec<Vec<KeySequence>>,
    changed: Vec<bool>,
}

/// Chords pressed one after another.
type KeySequence = Vec<Chord>;

/// A node of the trie: the action of the sequence that leads to it, and the chords that continue the sequence.
#[derive(Clone, Debug, Default)]
struct KeyNode {
    action: Option<Action>,
    next: BTreeMap<Chord, KeyNode>,
}

/// The meaning of the chords pressed so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// They are the keys of this action.
    Matched(Action),
    /// They begin longer sequences: the remaining chords, with their actions.
    Pending(Vec<(Vec<Chord>, Action)>),
    /// They mean nothing.
    NotFound,
}

impl Keymap {
    /// The default keys.
    pub fn defaults() -> Keymap {
        Keymap::with(&[]).0
    }

    /// Returns a keymap with the user's bindings over the defaults, and a diagnostic for each binding that is ignored.
    pub fn with(bindings: &[KeyBinding]) -> (Keymap, Vec<Diagnostic>) {
        let mut mistakes = Vec::new();
        let mut wishes: Vec<WantedKeys> = Vec::new();
        for binding in bindings {
            match WantedKeys::read(binding) {
                Ok(request) => wishes.push(request),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        // An action whose binding is removed regains its defaults, which may clash with another binding; repeat until none does.
        while let Some((at, mistake)) = first_clash(&wishes) {
            wishes.remove(at);
            mistakes.push(mistake);
        }
        mistakes.sort_by_key(|mistake| mistake.position);
        let mut keymap = Keymap::default();
        for facts in ACTIONS {
            let request = wishes.iter().find(|request| request.action == facts.action);
            let keys = request.map_or_else(|| default_keys(facts.action), WantedKeys::all);
            for keys in &keys {
                keymap.bind(keys, facts.action);
            }
            keymap.changed.push(request.is_some());
            keymap.keys.push(keys);
        }
        (keymap, mistakes)
    }

    /// Binds a key sequence to an action.
    fn bind(&mut self, keys: &[Chord], action: Action) {
        let mut node = match action.key_context() {
            KeyContext::Page => &mut self.page,
            KeyContext::List => &mut self.list,
            KeyContext::Prompt => &mut self.prompt,
        };
        for chord in keys {
            node = node.next.entry(*chord).or_default();
        }
        node.action = Some(action);
    }

    /// Looks up a sequence of chords on the page.
    pub fn lookup(&self, keys: &[Chord]) -> Lookup {
        find(&self.page, keys)
    }

    /// Looks up a chord in a list or a prompt.
    pub fn lookup_over(&self, context: KeyContext, chord: Chord) -> Option<Action> {
        let root = match context {
            KeyContext::Page => &self.page,
            KeyContext::List => &self.list,
            KeyContext::Prompt => &self.prompt,
        };
        root.next.get(&chord)?.action
    }

    /// The keys of an action.
    pub fn keys(&self, action: Action) -> &[Vec<Chord>] {
        self.keys.get(action as usize).map_or(&[], Vec::as_slice)
    }

    /// The keys of an action in the notation of the settings.
    pub fn notation(&self, action: Action) -> Vec<String> {
        self.keys(action)
            .iter()
            .map(|keys| notation(keys))
            .collect()
    }

    /// The first key of an action for running text; the action's id if it has no key.
    pub fn label(&self, action: Action) -> String {
        let first = self.keys(action).first();
        first.map_or_else(|| action.to_string(), |keys| label(keys))
    }

    /// The first keys of those actions that have any, separated by spaces; `None` if none has.
    pub fn labels(&self, actions: &[Action]) -> Option<String> {
        let with_keys = actions
            .iter()
            .filter(|action| !self.keys(**action).is_empty());
        let keys: Vec<String> = with_keys.map(|action| self.label(*action)).collect();
        (!keys.is_empty()).then(|| keys.join(" "))
    }

    /// The first chord that the keys of all these actions have in common: `w` for `wn`, `wu`, `ws`.
    pub fn prefix(&self, actions: &[Action]) -> Option<String> {
        let firsts = actions
            .iter()
            .map(|action| match &self.keys(*action).first()?[..] {
                [first, _, ..] => Some(*first),
                _ => None,
            });
        let firsts: Option<BTreeSet<Chord>> = firsts.collect();
        let firsts = firsts?;
        (firsts.len() == 1).then(|| firsts.iter().map(|chord| chord.label()).collect())
    }

    /// Whether the user bound the action.
    pub fn is_changed(&self, action: Action) -> bool {
        self.changed.get(action as usize).copied().unwrap_or(false)
    }
}

/// What the keys typed so far mean: an action, the beginning of a sequence, or nothing.
fn find(root: &KeyNode, keys: &[Chord]) -> Lookup {
    let mut node = root;
    for chord in keys {
        match node.next.get(chord) {
            Some(next) => node = next,
            None => return Lookup::NotFound,
        }
    }
    match node.action {
        Some(action) => Lookup::Matched(action),
        None => {
            let mut follow = Vec::new();
            below(node, &mut Vec::new(), &mut follow);
            Lookup::Pending(follow)
        }
    }
}

/// Collects all sequences below a node, which have at most [`MAX_KEYS`] chords.
fn below(node: &KeyNode, so_far: &mut KeySequence, found: &mut Vec<(KeySequence, Action)>) {
    for (chord, next) in &node.next {
        so_far.push(*chord);
        match next.action {
            Some(action) => found.push((so_far.clone(), action)),
            None => below(next, so_far, found),
        }
        so_far.pop();
    }
}

/// The key sequences of the action table.
fn default_keys(action: Action) -> Vec<KeySequence> {
    // A test checks that all keys in the table parse.
    let keys = action.info().keys.iter();
    keys.filter_map(|keys| chords(keys).ok()).collect()
}

/// The user's keys for an action.
struct WantedKeys {
    action: Action,
    keys: Vec<(KeySequence, TextPosition)>,
}

impl WantedKeys {
    /// Parses a binding of the settings.
    fn read(binding: &KeyBinding) -> Result<WantedKeys, Diagnostic> {
        let name = &binding.action;
        let action: Action =
            (name.text.parse()).map_err(|text: String| Diagnostic::at(name.position, text))?;
        if binding.keys.is_empty() && action.is_needed() {
            let text = format!("'{action}' needs a key: the screen could not be used without one");
            return Err(Diagnostic::at(name.position, text));
        }
        if binding.keys.len() > MAX_KEYS {
            let text = format!("'{action}' has more than {MAX_KEYS} keys; take some out");
            return Err(Diagnostic::at(name.position, text));
        }
        let mut keys = Vec::new();
        for word in &binding.keys {
            let read = sequence(&word.text, action);
            keys.push((
                read.map_err(|text| Diagnostic::at(word.position, text))?,
                word.position,
            ));
        }
        Ok(WantedKeys { action, keys })
    }

    /// The wanted key sequences without their positions.
    fn all(&self) -> Vec<KeySequence> {
        self.keys.iter().map(|(keys, _)| keys.clone()).collect()
    }
}

/// Parses the keys, and checks that they can be pressed and reach the action.
fn sequence(text: &str, action: Action) -> Result<KeySequence, String> {
    let keys = chords(text).map_err(|error| error.to_string())?;
    if keys.is_empty() || keys.len() > MAX_KEYS {
        return Err(format!(
            "unknown key '{text}'; write one to {MAX_KEYS} keys"
        ));
    }
    if let Some((chord, sent)) = keys.iter().find_map(|key| Some((key, key.arrives_as()?))) {
        return Err(format!(
            "'{chord}' never arrives: terminals send {sent} for it; write {sent}"
        ));
    }
    match action.key_context() {
        KeyContext::Page => check_page_keys(text, &keys)?,
        KeyContext::List | KeyContext::Prompt if keys.len() > 1 => {
            return Err(format!(
                "'{text}' is {} keys; only single ones work there",
                keys.len()
            ));
        }
        KeyContext::List | KeyContext::Prompt => check_overlay_keys(text, &keys, action)?,
    }
    Ok(keys)
}

/// Refuses keys that would never be reached on a page.
fn check_page_keys(text: &str, keys: &[Chord]) -> Result<(), String> {
    let digit = keys.first().and_then(|key| key.digit());
    if digit.is_some_and(|digit| digit > 0) {
        return Err(format!(
            "'{text}' is never reached: the digits 1 to 9 put cuts; write another key"
        ));
    }
    let cancels = |key: &Chord| *key == Chord::named(NamedKey::Esc);
    if keys.iter().skip(1).any(cancels) {
        return Err(format!(
            "'{text}' is never reached: <Esc> ends a sequence; write another key"
        ));
    }
    Ok(())
}

/// In lists and prompts, characters are input.
fn check_overlay_keys(text: &str, keys: &[Chord], action: Action) -> Result<(), String> {
    let space = action == Action::ListMark && keys == [Chord::named(NamedKey::Space)];
    let types = keys
        .iter()
        .any(|key| key.inserts().is_some() || key.code == ChordKey::Named(NamedKey::Backspace));
    match types && !space {
        true => Err(format!(
            "'{text}' is typed there; write a key with <C-...>, <A-...>, or a named one"
        )),
        false => Ok(()),
    }
}

/// Bound keys and their action.
struct TakenKeys(KeySequence, Action);

/// The first binding whose keys clash with, hide or are hidden by other keys: its index and the diagnostic.
fn first_clash(wanted: &[WantedKeys]) -> Option<(usize, Diagnostic)> {
    let wished = |action: Action| wanted.iter().any(|request| request.action == action);
    let mut taken: Vec<TakenKeys> = Vec::new();
    for facts in ACTIONS.iter().filter(|facts| !wished(facts.action)) {
        let keys = default_keys(facts.action).into_iter();
        taken.extend(keys.map(|keys| TakenKeys(keys, facts.action)));
    }
    for (at, request) in wanted.iter().enumerate() {
        for (keys, place) in &request.keys {
            if let Some(text) = clash(keys, request.action, &taken) {
                return Some((at, Diagnostic::at(*place, text)));
            }
            taken.push(TakenKeys(keys.clone(), request.action));
        }
    }
    None
}

/// Why a sequence cannot be bound: another action in its context has it, or one that begins in the same way.
fn clash(keys: &[Chord], action: Action, taken: &[TakenKeys]) -> Option<String> {
    let there = taken
        .iter()
        .filter(|taken| taken.1.key_context() == action.key_context());
    let in_the_way: Vec<&TakenKeys> = there
        .filter(|taken| taken.0.starts_with(keys) || keys.starts_with(&taken.0))
        .collect();
    let TakenKeys(first, other) = in_the_way.first()?;
    let (shown, first_shown) = (notation(keys), notation(first));
    if *other == action {
        return Some(format!(
            "'{shown}' and '{first_shown}' are both keys of {action}; take one of them out"
        ));
    }
    if first.len() == keys.len() {
        return Some(format!(
            "'{shown}' is the key of {other} already; write another, or give {other} another ({other}: [] for none)"
        ));
    }
    let named = |taken: &&TakenKeys| format!("'{}' ({})", notation(&taken.0), taken.1);
    let all: Vec<String> = in_the_way.iter().take(3).map(named).collect();
    let more = if in_the_way.len() > 3 {
        " and others"
    } else {
        ""
    };
    Some(match first.len() > keys.len() {
        true => format!(
            "'{shown}' would hide {}{more}; write another key",
            all.join(", ")
        ),
        false => format!(
            "'{shown}' is never reached after {}; write another key",
            all.join(", ")
        ),
    })
}

#[cfg(test)]
mod tests;
