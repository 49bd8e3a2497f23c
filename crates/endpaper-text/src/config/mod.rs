//! The user's settings and where things are kept.
//!
//! [`Paths`] says which folders are ours; [`Config`] is `config.yaml` in the first of them. A mistake in it is a
//! [`ConfigProblem`] with file, line, column and the nearest valid word, and leaves the current default where it is.
//! Nothing is written here, and a missing file means defaults. What keys, themes or an editor are, higher rooms know.

mod nearest;
mod paths;
mod problem;
mod settings;
mod themes;
pub mod yaml_tree;

pub use nearest::{nearest, suggestion};
pub use paths::Paths;
pub use problem::{ConfigProblem, Diagnostic, TextPosition};
pub use settings::{Config, KEYS, KeyBinding, MarkStyle, ORDERS, RENAMED_ORDER, SETTINGS_FILE};
pub use themes::{THEMES, ThemeFile, theme_files};
pub use yaml_tree::YamlWord;
