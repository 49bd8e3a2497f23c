//! `config.yaml`: reading and checking.

use std::path::{Path, PathBuf};

use super::yaml_tree::{YamlNode, YamlValue, YamlWord, parse, read_file};
use super::{ConfigProblem, Diagnostic, suggestion};
use crate::corpus::Encoding;

/// Name of the settings file in [`Paths::config`](super::Paths::config).
pub const SETTINGS_FILE: &str = "config.yaml";

/// All settings: name, value without the setting, and what it sets. The manual's table is made of it.
pub const SETTINGS: [(&str, &str, &str); 12] = [
    (
        "truth",
        "`endpaper-truth` in the current folder",
        "The truth folder",
    ),
    (
        "curator",
        "your user name",
        "Your name in the reviews of records",
    ),
    (
        "theme",
        "`dark`",
        "A theme of the program, or one of your own",
    ),
    (
        "order",
        "`doubt`",
        "The order of the queue: `doubt`, `template`, `producer`, `name` or `random`",
    ),
    (
        "editor",
        "`$VISUAL`, then `$EDITOR`",
        "The command of your editor",
    ),
    (
        "policy",
        "`guide`",
        "What belongs to a book: `guide`, `keep-credits`, `keep-notes`, or a file beside the settings",
    ),
    (
        "encoding",
        "a guess for each book",
        "The encoding of all books for which the truth folder names none",
    ),
    (
        "glyphs",
        "`auto`",
        "The characters the screen is drawn with: `auto`, `unicode` or `ascii`",
    ),
    (
        "colours",
        "what the terminal says",
        "The number of colours: `true`, `256`, `16` or `mono`",
    ),
    ("mouse", "on", "Off leaves the mouse to the terminal"),
    (
        "learning",
        "on",
        "Off: your decisions change no other proposals",
    ),
    ("keys", "`endpaper keys --default`", "Your keys"),
];

/// Orders of the queue.
pub const ORDERS: [&str; 5] = ["doubt", "template", "producer", "name", "random"];

/// The former name of an order, which is still accepted, and its present one.
pub const RENAMED_ORDER: (&str, &str) = ("hand", "producer");

/// The user's settings. Command-line arguments override them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The truth folder. A relative path is relative to the current folder.
    pub truth: Option<PathBuf>,
    /// The curator's name in decisions.
    pub curator: Option<String>,
    /// The theme's name: a built-in theme, or that of a file in the folder `themes`.
    pub theme: Option<YamlWord>,
    /// The order of the queue, one of [`ORDERS`].
    pub order: Option<String>,
    /// The editor's command, overriding `$VISUAL` and `$EDITOR`.
    pub editor: Option<String>,
    /// Which kinds of blocks belong to the book: the name of a policy, or a file.
    pub policy: Option<YamlWord>,
    /// The encoding of the books for which the truth folder names none.
    pub encoding: Option<Encoding>,
    /// The characters that the screen is drawn with.
    pub glyphs: MarkStyle,
    /// Number of colours of the terminal: `true`, `256`, `16`, `mono`.
    pub colours: Option<YamlWord>,
    /// Whether the program captures the mouse.
    pub mouse: Option<bool>,
    /// Whether the detector learns from the verdicts of a sitting.
    pub learning: Option<bool>,
    /// Key bindings, in the order of the file.
    pub keys: Vec<KeyBinding>,
}

/// Which characters the screen is drawn with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MarkStyle {
    /// Those that the terminal claims to support.
    #[default]
    Auto,
    /// Box characters and shades.
    Unicode,
    /// ASCII only.
    Ascii,
}

impl MarkStyle {
    /// The styles with their names in the settings.
    pub const ALL: [(&'static str, MarkStyle); 3] = [
        ("auto", MarkStyle::Auto),
        ("unicode", MarkStyle::Unicode),
        ("ascii", MarkStyle::Ascii),
    ];
}

/// The user's keys for an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyBinding {
    /// The action's id.
    pub action: YamlWord,
    /// Its keys, replacing the default ones; if empty, the action has no key.
    pub keys: Vec<YamlWord>,
}

impl Config {
    /// Reads the settings in a folder; a missing file means defaults.
    pub fn read(folder: &Path) -> (Config, Vec<ConfigProblem>) {
        let path = folder.join(SETTINGS_FILE);
        let (config, mistakes) = match read_file(&path) {
            Ok(text) => Config::parse(&text.unwrap_or_default()),
            Err(mistake) => (Config::default(), vec![mistake]),
        };
        let problems = mistakes.into_iter().map(|mistake| mistake.in_file(&path));
        (config, problems.collect())
    }

    /// Parses settings. Invalid settings are reported and keep their defaults.
    pub fn parse(text: &str) -> (Config, Vec<Diagnostic>) {
        let (root, mut mistakes) = parse(text);
        let mut config = Config::default();
        if let Some(root) = root {
            for (name, node) in root.entries(&mut mistakes) {
                if let Err(mistake) = config.set(&name, node, &mut mistakes) {
                    mistakes.push(mistake);
                }
            }
        }
        mistakes.sort_by_key(|mistake| mistake.position);
        (config, mistakes)
    }

    /// Sets one setting. Wrong parts that need not stop the rest are added to `mistakes`.
    fn set(
        &mut self,
        name: &YamlWord,
        node: &YamlNode,
        mistakes: &mut Vec<Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let names = SETTINGS.map(|(name, ..)| name);
        if !names.contains(&name.text.as_str()) {
            let meant = suggestion(&name.text, &names);
            let text = format!("unknown setting '{}'; {meant}", name.text);
            return Err(Diagnostic::at(name.position, text));
        }
        if name.text == "keys" {
            self.keys = bindings(node, mistakes);
            return Ok(());
        }
        if node.value == YamlValue::Null {
            return Ok(());
        }
        let word = node.word().ok_or_else(|| {
            let text = format!("'{}' is {}; write one word", name.text, node.kind_name());
            Diagnostic::at(node.position, text)
        })?;
        match name.text.as_str() {
            "truth" => self.truth = Some(word.text.into()),
            "curator" => self.curator = Some(word.text),
            "theme" => self.theme = Some(word),
            "editor" => self.editor = Some(word.text),
            "policy" => self.policy = Some(word),
            "colours" => self.colours = Some(word),
            "encoding" => {
                let known = word.text.parse();
                self.encoding =
                    Some(known.map_err(|why: String| Diagnostic::at(word.position, why))?);
            }
            "order" if word.text == RENAMED_ORDER.0 => {
                let (old, new) = RENAMED_ORDER;
                self.order = Some(new.to_owned());
                let text = format!("the order '{old}' is now called '{new}'; write 'order: {new}'");
                return Err(Diagnostic::at(word.position, text));
            }
            "order" => {
                let orders = ORDERS.map(|order| (order, order.to_owned()));
                self.order = Some(one_of(&word, "order", &orders)?);
            }
            "glyphs" => self.glyphs = one_of(&word, "kind of glyphs", &MarkStyle::ALL)?,
            "learning" => self.learning = Some(one_of(&word, "state of learning", &SWITCH)?),
            "mouse" => self.mouse = Some(one_of(&word, "state of the mouse", &SWITCH)?),
            // For names in `SETTINGS` without an arm here; a test checks that there are none.
            other => {
                let text = format!("'{other}' cannot be set in this version");
                return Err(Diagnostic::at(name.position, text));
            }
        }
        Ok(())
    }

    /// The curator's name in decisions: the setting, else the user's name (`$USER`, `$USERNAME`), else `curator`.
    pub fn curator_name(&self, environment: impl Fn(&str) -> Option<String>) -> String {
        let given = |name: Option<String>| {
            let name = name?.trim().to_owned();
            (!name.is_empty()).then_some(name)
        };
        given(self.curator.clone())
            .or_else(|| given(environment("USER")))
            .or_else(|| given(environment("USERNAME")))
            .unwrap_or_else(|| "curator".to_owned())
    }
}

/// The values of switches in YAML 1.1 and 1.2.
const SWITCH: [(&str, bool); 6] = [
    ("on", true),
    ("off", false),
    ("true", true),
    ("false", false),
    ("yes", true),
    ("no", false),
];

/// The value of a word in a table; an error that suggests the most similar word if it is not in it. `what`: what the
/// words are.
fn one_of<T: Clone>(word: &YamlWord, what: &str, words: &[(&str, T)]) -> Result<T, Diagnostic> {
    let found = words.iter().find(|(name, _)| *name == word.text);
    found.map(|(_, value)| value.clone()).ok_or_else(|| {
        let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
        let meant = suggestion(&word.text, &names);
        Diagnostic::at(
            word.position,
            format!("unknown {what} '{}'; {meant}", word.text),
        )
    })
}

/// The bindings below `keys`: action ids, each with a key or a list of keys.
fn bindings(node: &YamlNode, mistakes: &mut Vec<Diagnostic>) -> Vec<KeyBinding> {
    let mut found = Vec::new();
    for (action, node) in node.entries(mistakes) {
        match keys(&action, node) {
            Ok(keys) => found.push(KeyBinding { action, keys }),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    found
}

/// The keys of an action: one, or a list of them.
fn keys(action: &YamlWord, node: &YamlNode) -> Result<Vec<YamlWord>, Diagnostic> {
    let wrong = |node: &YamlNode| {
        let (name, what) = (&action.text, node.kind_name());
        let text = format!(
            "'{name}' has {what} for a key; write it in quotes (\"x\"), or [] for no key at all"
        );
        Diagnostic::at(node.position, text)
    };
    let key = |node: &YamlNode| node.word().ok_or_else(|| wrong(node));
    match &node.value {
        YamlValue::List(items) => items.iter().map(|item| key(item)).collect(),
        _ => key(node).map(|key| vec![key]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> (Config, Vec<String>) {
        let (config, mistakes) = Config::parse(text);
        let problem = |mistake: Diagnostic| mistake.in_file(Path::new("config.yaml")).to_string();
        (config, mistakes.into_iter().map(problem).collect())
    }

    #[test]
    fn all_settings_are_read() {
        let text = "truth: t\ncurator: ms\ntheme: paper\norder: name\neditor: vi\npolicy: keep-notes\nencoding: cp850\n\
                    glyphs: ascii\ncolours: 256\nmouse: off\nlearning: false\nkeys:\n  hard: \"H\"\n  redo: [\"<C-y>\", \"R\"]\n  note: []\n";
        let (config, problems) = told(text);
        assert_eq!(problems, [""; 0]);
        let word = |word: &Option<YamlWord>| word.as_ref().unwrap().text.clone();
        assert_eq!(config.truth, Some("t".into()));
        assert_eq!(config.curator.as_deref(), Some("ms"));
        assert_eq!(word(&config.theme), "paper");
        assert_eq!(config.order.as_deref(), Some("name"));
        assert_eq!(config.editor.as_deref(), Some("vi"));
        assert_eq!(word(&config.policy), "keep-notes");
        assert_eq!(
            config.encoding.map(|of| of.to_string()).as_deref(),
            Some("cp850")
        );
        assert_eq!(config.glyphs, MarkStyle::Ascii);
        assert_eq!(word(&config.colours), "256");
        assert_eq!(config.mouse, Some(false));
        assert_eq!(config.learning, Some(false));
        let keys: Vec<(&str, Vec<&str>)> = config
            .keys
            .iter()
            .map(|binding| {
                let keys = binding.keys.iter().map(|key| key.text.as_str());
                (binding.action.text.as_str(), keys.collect())
            })
            .collect();
        assert_eq!(
            keys,
            [
                ("hard", vec!["H"]),
                ("redo", vec!["<C-y>", "R"]),
                ("note", vec![])
            ]
        );
        for (key, ..) in SETTINGS {
            assert!(text.contains(&format!("{key}:")), "{key}");
        }
    }

    #[test]
    fn nothing_means_defaults() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Config::read(folder.path()), (Config::default(), Vec::new()));
        for text in ["", "# only a comment\n", "{}", "theme:\n", "keys:\n"] {
            assert_eq!(told(text), (Config::default(), Vec::new()), "{text:?}");
        }
    }

    #[test]
    fn mistakes_are_named_with_their_place_and_repair_and_the_rest_is_in_force() {
        let cases = [
            (
                "theem: x\norder: name\n",
                "config.yaml:1:1: unknown setting 'theem'; did you mean 'theme'?",
            ),
            (
                "order: name\nwallpaper: x\n",
                "config.yaml:2:1: unknown setting 'wallpaper'; use one of truth, curator,",
            ),
            (
                "theme: [a]\norder: name\n",
                "config.yaml:1:8: 'theme' is a list",
            ),
            (
                "order: name\norder: doubt\n",
                "config.yaml:2:1: 'order' is already set in line 1",
            ),
            (
                "order: name\nglyphs: asci\n",
                "config.yaml:2:9: unknown kind of glyphs 'asci'; did you mean 'ascii'?",
            ),
            (
                "order: name\nmouse: offf\n",
                "config.yaml:2:8: unknown state of the mouse 'offf'; did you mean 'off'?",
            ),
            (
                "order: name\nkeys:\n  hard: {a: b}\n",
                "config.yaml:3:9: 'hard' has a mapping for a key; write it in quotes",
            ),
            // The # begins a comment.
            (
                "order: name\nkeys:\n  hard: #\n",
                "'hard' has nothing for a key; write it in quotes",
            ),
            ("order: name\nkeys: j\n", "config.yaml:2:7: found a text"),
            ("order: name\ntheme: \"\n", "need quotes"),
            (
                "order: name\nkeys:\n  cut-next-block: ]\n",
                "config.yaml:3:19: ",
            ),
        ];
        for (text, expected) in cases {
            let (config, problems) = told(text);
            assert_eq!(problems.len(), 1, "{text:?}: {problems:?}");
            assert!(problems[0].contains(expected), "{text:?}: {problems:?}");
            assert_eq!(config.order.as_deref(), Some("name"), "{text:?}");
        }
        let (config, problems) = told("order: dout\n- a\n");
        assert_eq!(config, Config::default());
        assert!(!problems.is_empty());
    }

    #[test]
    fn a_misspelt_order_is_the_default_one() {
        let (config, problems) = told("order: dout\ncurator: ms\n");
        assert_eq!(
            problems,
            ["config.yaml:1:8: unknown order 'dout'; did you mean 'doubt'?"]
        );
        assert_eq!(
            (config.order, config.curator.as_deref()),
            (None, Some("ms"))
        );
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(SETTINGS_FILE)).unwrap();
        let (config, problems) = Config::read(folder.path());
        assert_eq!(config, Config::default());
        assert_eq!(problems[0].brief(), "config.yaml: is not a file");
    }

    #[test]
    fn the_former_name_of_an_order_is_read_with_a_notice() {
        let (config, notices) = Config::parse("order: hand\n");
        assert_eq!(config.order.as_deref(), Some("producer"));
        assert_eq!(notices.len(), 1, "{notices:?}");
        assert!(notices[0].message.contains("is now called 'producer'"));
    }

    #[test]
    fn the_curator_has_a_name() {
        let config = |curator: &str| Config {
            curator: Some(curator.into()),
            ..Config::default()
        };
        let user = |name: &str| (name == "USER").then(|| "anna".to_owned());
        let windows = |name: &str| (name == "USERNAME").then(|| "Bo".to_owned());
        assert_eq!(config("ms").curator_name(user), "ms");
        assert_eq!(config(" ").curator_name(user), "anna");
        assert_eq!(Config::default().curator_name(windows), "Bo");
        assert_eq!(Config::default().curator_name(|_| None), "curator");
    }
}
