//! A separate home for each test; also used by the laboratory's tests.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

/// Variables that name a folder of the program, and the folder's name below the home.
const FOLDERS: &[(&str, &str)] = &[
    ("HOME", "home"),
    ("XDG_CONFIG_HOME", "home/config"),
    ("XDG_CACHE_HOME", "home/cache"),
    ("XDG_DATA_HOME", "home/data"),
    ("XDG_STATE_HOME", "home/state"),
    ("XDG_RUNTIME_DIR", "home/run"),
    ("TMPDIR", "tmp"),
    ("ENDPAPER_CONFIG_DIR", "endpaper/config"),
    ("ENDPAPER_CACHE_DIR", "endpaper/cache"),
    ("ENDPAPER_DATA_DIR", "endpaper/data"),
    ("ENDPAPER_STATE_DIR", "endpaper/state"),
];

/// Variables of the developer's environment that change a program's output.
pub const FOREIGN: &[&str] = &[
    "NO_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLORTERM",
    "COLUMNS",
    "LINES",
    "TMUX",
    "EDITOR",
    "VISUAL",
    "PAGER",
];

/// A temporary folder with all files of one test; removed at its end.
pub struct Home {
    folder: TempDir,
}

impl Home {
    pub fn new() -> Home {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (_, name) in FOLDERS {
            fs::create_dir_all(folder.path().join(name)).expect("a folder in the temporary folder");
        }
        fs::create_dir(folder.path().join("work")).expect("the working folder");
        // The tour counts as seen, except in its own test.
        fs::write(folder.path().join("endpaper/state/toured"), "").expect("a file");
        Home { folder }
    }

    /// The working folder of programs; tests create all files here.
    pub fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// Writes a settings file, creating its folders.
    pub fn configure(&self, name: &str, text: &str) {
        let path = self.folder.path().join("endpaper/config").join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the file's folder");
        fs::write(path, text).expect("a file of settings");
    }

    /// Makes the next sitting the first one.
    pub fn forget_the_tour(&self) {
        fs::remove_file(self.folder.path().join("endpaper/state/toured")).expect("the file");
    }

    /// Writes a file below the working folder, creating its folders, and returns its path.
    pub fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.work().join(name);
        let folder = path.parent().expect("a file stands in a folder");
        fs::create_dir_all(folder).expect("the file's folder");
        fs::write(&path, bytes).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        path
    }

    /// A program in the working folder, with this home and none of the developer's settings.
    pub fn program(&self, program: impl AsRef<OsStr>, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.work());
        for name in FOREIGN {
            command.env_remove(name);
        }
        for (name, value) in self.variables() {
            command.env(name, value);
        }
        command
    }

    /// Environment variables of programs started in this home.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        let place = |name: &str| self.folder.path().join(name).to_string_lossy().into_owned();
        let folders = FOLDERS
            .iter()
            .map(|(variable, name)| (*variable, place(name)));
        folders
            .chain([
                ("TERM", "xterm-256color".to_owned()),
                ("LANG", "C.UTF-8".to_owned()),
            ])
            .collect()
    }
}
