//! A temporary folder in which the program is run, with words as one types them.

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

/// Files and the program among them; removed at the end of the test.
pub struct World {
    folder: TempDir,
}

impl World {
    /// A folder with these files, below folders as their names say.
    pub fn of(files: impl IntoIterator<Item = (String, String)>) -> World {
        let folder = tempfile::tempdir().unwrap();
        let world = World { folder };
        for (name, text) in files {
            let path = world.path(&name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        world
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::cargo_bin("endpaper").unwrap();
        command
            .current_dir(self.folder.path())
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("HOME", self.folder.path())
            .args(arguments.split_whitespace());
        command
    }

    /// What comes of a run that must be fine.
    pub fn run(&self, arguments: &str) -> Output {
        let output = self.command(arguments).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments}: {stderr}");
        output
    }

    pub fn stdout(&self, arguments: &str) -> String {
        String::from_utf8(self.run(arguments).stdout).unwrap()
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }
}
