//! The user's settings and the program's folders.
//!
//! [`Paths`] holds the program's folders; [`Config`] is `config.yaml` in the first of them. A mistake in it is a
//! [`ConfigProblem`] with file, line, column and the nearest valid word, and the setting keeps its default. Nothing is written
//! here, and a missing file means defaults. Action ids, keys, themes and the editor's command are checked by other crates.

mod nearest;
mod paths;
mod problem;
mod settings;
mod themes;
pub mod yaml_tree;

pub use nearest::{nearest, suggestion};
pub use paths::Paths;
pub use problem::{ConfigProblem, Diagnostic, TextPosition};
pub use settings::{Config, KeyBinding, MarkStyle, ORDERS, RENAMED_ORDER, SETTINGS, SETTINGS_FILE};
pub use themes::{THEMES, ThemeFile, theme_files};
pub use yaml_tree::YamlWord;
