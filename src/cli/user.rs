//! The user behind a command: folders, settings, truth folder.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::config::{Config, Paths};

/// Where the truth goes when nobody says, below the current folder.
const TRUTH: &str = "endpaper-truth";

/// Folders and settings in force.
#[derive(Clone, Debug)]
pub struct User {
    /// The folders.
    pub paths: Paths,
    /// The settings.
    pub config: Config,
}

impl User {
    /// Reads the settings.
    ///
    /// # Errors
    ///
    /// Settings that do not parse, with file, line and column; a system that names no home.
    pub fn read() -> Result<User> {
        let paths = Paths::new()?;
        let config = Config::read(&paths.config)?;
        Ok(User { paths, config })
    }

    /// The truth folder: `--truth`, else the setting, else one in the current folder (for the demonstration: among the
    /// user's data).
    pub fn truth(&self, given: Option<&Path>, demo: bool) -> PathBuf {
        match (given, &self.config.truth) {
            (Some(folder), _) => folder.to_owned(),
            (None, _) if demo => self.paths.data.join("demo-truth"),
            (None, Some(folder)) => at_home(folder),
            (None, None) => PathBuf::from(TRUTH),
        }
    }
}

/// A setting that begins with `~/` means the user's home: there is no shell between us and the file.
fn at_home(folder: &Path) -> PathBuf {
    let rest = folder.strip_prefix("~");
    match (rest, directories::BaseDirs::new()) {
        (Ok(rest), Some(dirs)) => dirs.home_dir().join(rest),
        _ => folder.to_owned(),
    }
}
