//! Which keys mean which action.
//!
//! A trie over chords. The defaults come from the action table; two actions on one key, or a key that hides a longer
//! one, fail a test.

use std::collections::BTreeMap;

use super::action::{ACTIONS, Action};
use super::chord::{BadChord, Chord, chords};

/// Keys of the review screen.
#[derive(Clone, Debug, Default)]
pub struct Keymap {
    root: Node,
}

#[derive(Clone, Debug, Default)]
struct Node {
    action: Option<Action>,
    next: BTreeMap<Chord, Node>,
}

/// What the keys pressed so far mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// An action.
    Matched(Action),
    /// The beginning of several: what may follow.
    Pending(Vec<(Chord, Action)>),
    /// Nothing.
    NotFound,
}

impl Keymap {
    /// The keys of the action table.
    pub fn defaults() -> Keymap {
        let mut keymap = Keymap::default();
        for facts in ACTIONS {
            for keys in facts.keys {
                // The table is checked by a test, so no default key is ever refused here.
                let _ = keymap.bind(keys, facts.action);
            }
        }
        keymap
    }

    /// Binds a sequence of keys.
    pub fn bind(&mut self, keys: &str, action: Action) -> Result<(), BadChord> {
        let mut node = &mut self.root;
        for chord in chords(keys)? {
            node = node.next.entry(chord).or_default();
        }
        node.action = Some(action);
        Ok(())
    }

    /// What a sequence of keys means.
    pub fn lookup(&self, keys: &[Chord]) -> Lookup {
        let mut node = &self.root;
        for chord in keys {
            match node.next.get(chord) {
                Some(next) => node = next,
                None => return Lookup::NotFound,
            }
        }
        match node.action {
            Some(action) => Lookup::Matched(action),
            None => {
                let follow =
                    |(chord, next): (&Chord, &Node)| next.action.map(|action| (*chord, action));
                Lookup::Pending(node.next.iter().filter_map(follow).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_default_key_is_taken_twice_or_hidden_by_a_shorter_one() {
        let mut seen: Vec<(Vec<Chord>, &str)> = Vec::new();
        for facts in ACTIONS {
            for keys in facts.keys {
                let keys = chords(keys).unwrap();
                for (other, id) in &seen {
                    let shared = keys.len().min(other.len());
                    assert_ne!(
                        keys[..shared],
                        other[..shared],
                        "{} and {id} share a key",
                        facts.id
                    );
                }
                seen.push((keys, facts.id));
            }
        }
    }

    #[test]
    fn digits_but_zero_are_left_to_candidates() {
        let keymap = Keymap::defaults();
        for digit in '1'..='9' {
            assert_eq!(keymap.lookup(&[Chord::char(digit)]), Lookup::NotFound);
        }
    }

    #[test]
    fn a_prefix_says_what_may_follow() {
        let Lookup::Pending(follow) = Keymap::defaults().lookup(&[Chord::char('w')]) else {
            panic!("w is a prefix");
        };
        assert!(follow.contains(&(Chord::char('n'), Action::NotABook)));
        assert!(follow.len() >= 4);
    }
}
