//! The user of a command: folders, settings, truth folder.

use std::path::{Path, PathBuf};
use std::sync::Once;

use anyhow::Result;

use crate::output::warn;
use endpaper_detect::Policy;
use endpaper_review::keymap::Keymap;
use endpaper_review::view::ColourDepth;
use endpaper_text::config::{Config, ConfigProblem, Diagnostic, Paths, SETTINGS_FILE};
use endpaper_text::config::{YamlWord, suggestion};
use endpaper_text::files::read_input;

/// The default truth folder, in the current folder.
const TRUTH: &str = "endpaper-truth";

/// Most problems that are printed; the rest is only counted, since a file of another kind is nothing but problems.
const TOLD: usize = 20;

/// The user's folders and settings.
#[derive(Clone, Debug)]
pub struct UserFolders {
    /// The folders.
    pub paths: Paths,
    /// The settings.
    pub config: Config,
    /// Which kinds of blocks belong to the book.
    pub policy: Policy,
    /// The keys of the review screen.
    pub keymap: Keymap,
    /// Problems in the settings, already written to stderr.
    pub problems: Vec<ConfigProblem>,
}

impl UserFolders {
    /// Reads the settings. Problems are written to stderr once per process, and invalid settings keep their defaults.
    ///
    /// # Errors
    ///
    /// The system has no home folder.
    pub fn read() -> Result<UserFolders> {
        static SAID: Once = Once::new();
        let user = UserFolders::at(Paths::new()?);
        SAID.call_once(|| warn_of_problems(&user.problems));
        Ok(user)
    }

    /// Reads the settings in a user's folders.
    pub fn at(paths: Paths) -> UserFolders {
        let (config, mut problems) = Config::read(&paths.config);
        let file = paths.config.join(SETTINGS_FILE);
        let mut note = |mistake: Diagnostic| problems.push(mistake.in_file(&file));
        let policy = policy_of(&config, &paths.config).unwrap_or_else(|mistake| {
            note(mistake);
            Policy::default()
        });
        let keymap = {
            let (keymap, mistakes) = Keymap::with(&config.keys);
            mistakes.into_iter().for_each(&mut note);
            if let Some(Err(mistake)) = config.colours.as_ref().map(is_depth) {
                note(mistake);
            }
            keymap
        };
        problems.sort_by_key(|problem| problem.diagnostic.position);
        UserFolders {
            paths,
            config,
            policy,
            keymap,
            problems,
        }
    }

    /// The number of colours: from the argument, else from the settings; `None`: as the terminal reports.
    pub fn depth(&self, given: Option<ColourDepth>) -> Option<ColourDepth> {
        let setting = self.config.colours.as_ref();
        given.or_else(|| setting?.text.parse().ok())
    }

    /// The truth folder: `--truth`, else the setting, else one in the current folder (for the demonstration one in the user's data
    /// folder).
    pub fn truth(&self, given: Option<&Path>, demo: bool) -> PathBuf {
        match (given, &self.config.truth) {
            (Some(folder), _) => folder.to_owned(),
            (None, _) if demo => self.paths.data.join("demo-truth"),
            (None, Some(folder)) => expand_home(folder),
            (None, None) => PathBuf::from(TRUTH),
        }
    }
}

/// The policy of the settings. A relative path is relative to the folder of the settings.
fn policy_of(config: &Config, folder: &Path) -> Result<Policy, Diagnostic> {
    let Some(word) = &config.policy else {
        return Ok(Policy::default());
    };
    let path = expand_home(Path::new(&word.text));
    resolve_policy(folder, &path.to_string_lossy())
        .map_err(|text| Diagnostic::at(word.position, text))
}

/// Returns the policy of that name, or reads it from a file relative to `folder`.
pub fn resolve_policy(folder: &Path, text: &str) -> Result<Policy, String> {
    if let Some(policy) = Policy::named(text) {
        return Ok(policy);
    }
    let read = read_input(&folder.join(text)).map_err(|error| {
        let names = Policy::NAMED.map(|(name, _)| name);
        let meant = suggestion(text, &names);
        format!("unknown policy '{text}', nor a policy file ({error}); {meant}")
    })?;
    Policy::parse(&read).map_err(|error| format!("{text}: {error:#}"))
}

/// Parses the setting for the number of colours.
fn is_depth(word: &YamlWord) -> Result<ColourDepth, Diagnostic> {
    let parsed: Result<ColourDepth, String> = word.text.parse();
    parsed.map_err(|text| Diagnostic::at(word.position, text))
}

/// Writes the problems in the user's files to stderr.
pub fn warn_of_problems(problems: &[ConfigProblem]) {
    for problem in problems.iter().take(TOLD) {
        warn(&problem.to_string());
    }
    if problems.len() > TOLD {
        warn(&format!("and {} more", problems.len() - TOLD));
    }
}

/// Replaces a leading `~/` with the user's home folder: settings are not read by a shell.
fn expand_home(folder: &Path) -> PathBuf {
    let rest = folder.strip_prefix("~");
    match (rest, directories::BaseDirs::new()) {
        (Ok(rest), Some(dirs)) => dirs.home_dir().join(rest),
        _ => folder.to_owned(),
    }
}
