use proptest::prelude::*;

use super::*;
use endpaper_text::config::Config;

#[test]
fn no_default_key_is_taken_twice_or_hidden_by_a_shorter_one() {
    let mut seen: Vec<(Vec<Chord>, Action)> = Vec::new();
    for facts in ACTIONS {
        for keys in facts.keys {
            let keys = sequence(keys, facts.action).unwrap();
            for (other, action) in &seen {
                let shared = keys.len().min(other.len());
                assert!(
                    action.key_context() != facts.action.key_context()
                        || keys[..shared] != other[..shared],
                    "{} and {action} share a key",
                    facts.id
                );
            }
            seen.push((keys, facts.action));
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
    assert!(follow.contains(&(vec![Chord::char('n')], Action::NotABook)));
    assert!(follow.len() >= 4);
}

fn with(keys: &str) -> (Keymap, Vec<String>) {
    let (config, mistakes) = Config::parse(&format!("keys:\n{keys}"));
    assert_eq!(mistakes, [], "{keys}");
    let (keymap, mistakes) = Keymap::with(&config.keys);
    let problem = |mistake: Diagnostic| {
        mistake
            .in_file(std::path::Path::new("config.yaml"))
            .to_string()
    };
    (keymap, mistakes.into_iter().map(problem).collect())
}

fn means(keymap: &Keymap, keys: &str) -> Option<Action> {
    match keymap.lookup(&chords(keys).unwrap()) {
        Lookup::Matched(action) => Some(action),
        _ => None,
    }
}

#[test]
fn the_users_keys_take_the_place_of_the_defaults() {
    let (keymap, problems) = with(
        "  hard: \"!\"\n  up: \"j\"\n  down: [\"k\", \"zk\"]\n  fold: []\n  list-down: \"<C-j>\"\n",
    );
    assert_eq!(problems, [""; 0]);
    assert_eq!(means(&keymap, "!"), Some(Action::Hard));
    assert_eq!(means(&keymap, "h"), None);
    assert_eq!(means(&keymap, "j"), Some(Action::Up));
    assert_eq!(means(&keymap, "k"), Some(Action::Down));
    assert_eq!(means(&keymap, "zk"), Some(Action::Down));
    assert_eq!(means(&keymap, "<Up>"), None);
    assert_eq!(keymap.notation(Action::Fold), [""; 0]);
    assert_eq!(keymap.notation(Action::Down), ["k", "zk"]);
    assert_eq!(
        keymap.lookup_over(KeyContext::List, "<C-j>".parse().unwrap()),
        Some(Action::ListDown)
    );
    assert!(keymap.is_changed(Action::Fold) && !keymap.is_changed(Action::Quit));
    assert_eq!(keymap.label(Action::Fold), "fold");
}

#[test]
fn keys_that_cannot_work_are_named_and_the_defaults_stay() {
    let cases = [
        (
            "  hardd: \"x\"\n",
            "2:3: unknown action 'hardd'; did you mean 'hard'?",
        ),
        (
            "  zzzzzzzzzz: \"x\"\n",
            "2:3: unknown action 'zzzzzzzzzz'; `endpaper keys` lists them",
        ),
        (
            "  hard: \"<Entr>\"\n",
            "2:9: unknown key '<Entr>'; did you mean '<Enter>'?",
        ),
        (
            "  hard: \"u\"\n",
            "2:9: 'u' is the key of undo already; write another, or give undo another (undo: [] for none)",
        ),
        (
            "  hard: [\"!\", \"u\"]\n",
            "2:15: 'u' is the key of undo already",
        ),
        (
            "  hard: \"!\"\n  note: \"!\"\n",
            "3:9: '!' is the key of hard already",
        ),
        (
            "  hard: \"g\"\n",
            "2:9: 'g' would hide 'gg' (top), 'gc' (to-cut), 'gi' (next-inside) and others; write another key",
        ),
        (
            "  hard: \"xx\"\n",
            "2:9: 'xx' is never reached after 'x' (inside); write another key",
        ),
        (
            "  hard: [\"!\", \"!!\"]\n",
            "2:15: '!!' and '!' are both keys of hard",
        ),
        (
            "  hard: \"1\"\n",
            "2:9: '1' is never reached: the digits 1 to 9 put cuts",
        ),
        (
            "  hard: \"!<Esc>\"\n",
            "2:9: '!<Esc>' is never reached: <Esc> ends a sequence",
        ),
        (
            "  hard: \"<C-i>\"\n",
            "2:9: '<C-i>' never arrives: terminals send <Tab> for it; write <Tab>",
        ),
        (
            "  hard: \"\"\n",
            "2:9: unknown key ''; write one to 12 keys",
        ),
        ("  quit: []\n", "2:3: 'quit' needs a key"),
        (
            "  list-down: \"j\"\n",
            "2:14: 'j' is typed there; write a key with <C-...>",
        ),
        (
            "  list-down: \"<C-x>j\"\n",
            "2:14: '<C-x>j' is 2 keys; only single ones work there",
        ),
        (
            "  list-down: \"<Esc>\"\n",
            "2:14: '<Esc>' is the key of list-close already",
        ),
    ];
    for (keys, expected) in cases {
        let (keymap, problems) = with(keys);
        assert_eq!(problems.len(), 1, "{keys}: {problems:?}");
        let start = format!("config.yaml:{expected}");
        assert!(problems[0].starts_with(&start), "{keys}: {problems:?}");
        for action in [Action::Note, Action::Quit, Action::ListDown] {
            assert_eq!(keymap.notation(action), action.info().keys, "{keys}");
        }
        let hard = if keys.contains("note") { "!" } else { "h" };
        assert_eq!(keymap.notation(Action::Hard), [hard], "{keys}");
    }
}

#[test]
fn defaults_that_come_back_push_out_those_who_took_their_key() {
    // `up` is refused, so it gets `k` back, and `down` cannot have it.
    let (keymap, problems) = with("  down: \"k\"\n  up: \"u\"\n");
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].starts_with("config.yaml:2:9: 'k' is the key of up already"));
    assert!(problems[1].starts_with("config.yaml:3:7: 'u' is the key of undo already"));
    for facts in ACTIONS {
        assert_eq!(keymap.notation(facts.action), facts.keys);
    }
}

#[test]
fn hints_know_the_key_that_actions_begin_with() {
    let verdicts = [Action::NotABook, Action::Undecidable];
    assert_eq!(Keymap::defaults().prefix(&verdicts).as_deref(), Some("w"));
    let (keymap, _) = with("  undecidable: \"!\"\n");
    assert_eq!(keymap.prefix(&verdicts), None);
    assert_eq!(keymap.label(Action::Undecidable), "!");
}

fn keys() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop::sample::select(vec![
            "g", "x", "!", "<C-d>", "<Enter>", "1", "0", "<F5>", "<Oops>",
        ]),
        0..4,
    )
    .prop_map(|keys| keys.concat())
}

proptest! {
    /// For any configuration, each key has one meaning, and every key of an action reaches it.
    #[test]
    fn every_key_in_force_reaches_its_action(
        wishes in prop::collection::vec((0..ACTIONS.len(), prop::collection::vec(keys(), 0..3)), 0..12)
    ) {
        let lines: BTreeMap<&str, &Vec<String>> =
            wishes.iter().map(|(at, keys)| (ACTIONS[*at].id, keys)).collect();
        let text: String = lines.iter().map(|(id, keys)| format!("  {id}: {keys:?}\n")).collect();
        let (keymap, _) = with(&text);
        for facts in ACTIONS {
            for keys in keymap.keys(facts.action) {
                let reached = match facts.action.key_context() {
                    KeyContext::Page => keymap.lookup(keys) == Lookup::Matched(facts.action),
                    context => keymap.lookup_over(context, keys[0]) == Some(facts.action),
                };
                prop_assert!(reached, "{} by {}", facts.id, notation(keys));
            }
            prop_assert!(!facts.action.is_needed() || !keymap.keys(facts.action).is_empty());
        }
    }
}
