//! The user's settings and where things are kept.
//!
//! [`Paths`] says which folders are ours; [`Config`] is `config.yaml` in the first of them, checked: a misspelt key is
//! refused with file, line, column and the nearest valid word. Nothing is written here, and a missing file means
//! defaults. What a theme or an editor is, higher rooms know.

mod nearest;
mod paths;
mod settings;

pub use nearest::nearest;
pub use paths::Paths;
pub use settings::{Config, FILE, KEYS, ORDERS};
