//! `config.yaml`: reading and checking.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::nearest;

/// The name of the file in the folder of settings.
pub const FILE: &str = "config.yaml";

/// The keys there are.
pub const KEYS: [&str; 5] = ["truth", "curator", "theme", "order", "editor"];

/// Orders of the queue.
pub const ORDERS: [&str; 5] = ["doubt", "template", "hand", "name", "random"];

/// The user's settings. Arguments of the command line win over them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The truth folder. A relative one is relative to the current folder.
    #[serde(default)]
    pub truth: Option<PathBuf>,
    /// The name that decisions carry.
    #[serde(default)]
    pub curator: Option<String>,
    /// The theme's name.
    #[serde(default)]
    pub theme: Option<String>,
    /// The order of the queue, one of [`ORDERS`].
    #[serde(default)]
    pub order: Option<String>,
    /// The editor's command, instead of `$VISUAL` and `$EDITOR`.
    #[serde(default)]
    pub editor: Option<String>,
}

impl Config {
    /// Reads the settings in a folder; a missing file means defaults.
    pub fn read(folder: &Path) -> Result<Config> {
        let path = folder.join(FILE);
        match fs::read_to_string(&path) {
            Ok(text) => Config::parse(&text, &path),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Config::default()),
            Err(error) => {
                Err(error).with_context(|| format!("'{}' cannot be read", path.display()))
            }
        }
    }

    /// Parses settings; errors name the file, the line and the column.
    pub fn parse(text: &str, path: &Path) -> Result<Config> {
        // Nothing but comments is no error.
        let parsed: Option<Config> = match serde_yaml::from_str(text) {
            Ok(parsed) => parsed,
            Err(error) => bail!("{}", explain(&error, path)),
        };
        let config = parsed.unwrap_or_default();
        config.check(path)?;
        Ok(config)
    }

    fn check(&self, path: &Path) -> Result<()> {
        if let Some(order) = self
            .order
            .as_deref()
            .filter(|order| !ORDERS.contains(order))
        {
            let meant = suggestion(order, &ORDERS);
            bail!("{}: '{order}' is no order; {meant}", path.display());
        }
        Ok(())
    }

    /// The name that decisions carry: the setting, else the user's name (`$USER`, `$USERNAME`), else `curator`.
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

fn explain(error: &serde_yaml::Error, path: &Path) -> String {
    let place = error.location().map_or_else(String::new, |place| {
        format!(":{}:{}", place.line(), place.column())
    });
    let text = error.to_string();
    let text = text.rfind(" at line ").map_or(&text[..], |at| &text[..at]);
    let what = match unknown_key(text) {
        Some(key) => format!("'{key}' is no setting; {}", suggestion(key, &KEYS)),
        None => text.to_owned(),
    };
    format!("{}{place}: {what}", path.display())
}

fn unknown_key(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("unknown field `")?;
    let (key, _) = rest.split_once("`, expected")?;
    Some(key)
}

fn suggestion(word: &str, words: &[&'static str]) -> String {
    match nearest(word, words.iter().copied()) {
        Some(meant) => format!("did you mean '{meant}'?"),
        None => format!("write one of {}", words.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config> {
        Config::parse(text, Path::new("config.yaml"))
    }

    #[test]
    fn all_keys_are_read() {
        let text = "truth: t\ncurator: ms\ntheme: paper\norder: name\neditor: vi\n";
        let expected = Config {
            truth: Some("t".into()),
            curator: Some("ms".into()),
            theme: Some("paper".into()),
            order: Some("name".into()),
            editor: Some("vi".into()),
        };
        assert_eq!(parse(text).unwrap(), expected);
        for key in KEYS {
            assert!(text.contains(&format!("{key}: ")), "{key}");
        }
    }

    #[test]
    fn nothing_means_defaults() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Config::read(folder.path()).unwrap(), Config::default());
        for text in ["", "# only a comment\n", "{}", "theme:\n"] {
            assert_eq!(parse(text).unwrap(), Config::default(), "{text:?}");
        }
    }

    #[test]
    fn mistakes_are_named_with_their_place_and_repair() {
        let cases = [
            (
                "curator: ms\ntheem: x\n",
                "config.yaml:2:1: 'theem' is no setting; did you mean 'theme'?",
            ),
            (
                "wallpaper: x\n",
                "write one of truth, curator, theme, order, editor",
            ),
            (
                "order: dout\n",
                "config.yaml: 'dout' is no order; did you mean 'doubt'?",
            ),
            ("theme: [a]\n", "config.yaml:1:8: "),
            ("theme: a\ntheme: b\n", "duplicate field `theme`"),
            ("- a\n", "config.yaml:1:1: "),
            ("theme: \"\n", "config.yaml:"),
        ];
        for (text, expected) in cases {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text:?}: {error}");
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(FILE)).unwrap();
        assert!(Config::read(folder.path()).is_err());
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
