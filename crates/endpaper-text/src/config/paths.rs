//! The program's folders.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use directories::{BaseDirs, ProjectDirs};

/// The program's folders for this user. None is created here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    /// Settings and themes. `ENDPAPER_CONFIG_DIR` overrides it. On macOS, `~/.config/endpaper` is used if it is there.
    pub config: PathBuf,
    /// Data that can be computed again. `ENDPAPER_CACHE_DIR` overrides it.
    pub cache: PathBuf,
    /// Data that the user created without naming a folder, such as the truth of the demonstration.
    /// `ENDPAPER_DATA_DIR` overrides it.
    pub data: PathBuf,
    /// Where a sitting stopped, and logs. `ENDPAPER_STATE_DIR` overrides it.
    pub state: PathBuf,
}

impl Paths {
    /// The folders of this user. Fails if the system names no home folder and the environment does not set all four.
    pub fn new() -> Result<Paths> {
        Paths::from_environment(|name| std::env::var_os(name))
    }

    /// The folders, given a lookup of environment variables.
    pub fn from_environment(environment: impl Fn(&str) -> Option<OsString>) -> Result<Paths> {
        let own = ProjectDirs::from("", "", "endpaper");
        let common = BaseDirs::new().and_then(|base| common_config(base.home_dir()));
        let named = |name: &str| {
            let folder = environment(name).filter(|folder| !folder.is_empty());
            folder.map(PathBuf::from)
        };
        let folder = |name: &str, default: fn(&ProjectDirs) -> PathBuf| {
            named(name)
                .or_else(|| own.as_ref().map(default))
                .with_context(|| format!("there is no home folder; set {name}"))
        };
        Ok(Paths {
            config: match (named("ENDPAPER_CONFIG_DIR"), common) {
                (None, Some(common)) => common,
                _ => folder("ENDPAPER_CONFIG_DIR", |own| own.config_dir().into())?,
            },
            cache: folder("ENDPAPER_CACHE_DIR", |own| own.cache_dir().into())?,
            data: folder("ENDPAPER_DATA_DIR", |own| own.data_dir().into())?,
            // Only Linux has a separate folder for state.
            state: folder("ENDPAPER_STATE_DIR", |own| {
                own.state_dir()
                    .unwrap_or_else(|| own.data_local_dir())
                    .into()
            })?,
        })
    }
}

/// `~/.config/endpaper`, where many keep their settings on macOS too, if it is there. Elsewhere the system says where settings are.
fn common_config(home: &Path) -> Option<PathBuf> {
    let folder = home.join(".config/endpaper");
    (cfg!(target_os = "macos") && folder.is_dir()).then_some(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_names_each_folder() {
        let paths = Paths::from_environment(|name| Some(format!("/x/{name}").into())).unwrap();
        let expected = |name: &str| PathBuf::from(format!("/x/ENDPAPER_{name}_DIR"));
        assert_eq!(paths.config, expected("CONFIG"));
        assert_eq!(paths.cache, expected("CACHE"));
        assert_eq!(paths.data, expected("DATA"));
        assert_eq!(paths.state, expected("STATE"));
    }

    #[test]
    fn settings_below_the_common_folder_count_on_macos_only_where_they_are() {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(common_config(home.path()), None);
        let folder = home.path().join(".config/endpaper");
        std::fs::create_dir_all(&folder).unwrap();
        let expected = cfg!(target_os = "macos").then_some(folder);
        assert_eq!(common_config(home.path()), expected);
    }

    #[test]
    fn an_empty_variable_is_none() {
        assert_eq!(
            Paths::from_environment(|_| Some(OsString::new())).ok(),
            Paths::from_environment(|_| None).ok()
        );
    }
}
