//! A home in which the program is run with a command line given as one string.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;

use super::{Home, fine};

/// Files and the program; removed at the end of the test.
pub struct World {
    home: Home,
}

impl World {
    /// A folder with these files, in folders as their names say.
    pub fn of(files: impl IntoIterator<Item = (String, String)>) -> World {
        let world = World { home: Home::new() };
        for (name, text) in files {
            world.write(name, text);
        }
        world
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.home.work().join(name)
    }

    pub fn write(&self, name: impl AsRef<Path>, text: impl AsRef<[u8]>) {
        self.home.write(name, text);
    }

    pub fn command(&self, arguments: &str) -> Command {
        let words: Vec<&str> = arguments.split_whitespace().collect();
        self.home.endpaper(&words)
    }

    /// Returns the output of a run that must succeed.
    #[track_caller]
    pub fn run(&self, arguments: &str) -> Output {
        let output = self.command(arguments).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments}: {stderr}");
        output
    }

    #[track_caller]
    pub fn stdout(&self, arguments: &str) -> String {
        fine(&self.run(arguments))
    }

    pub fn bytes(&self, name: impl AsRef<Path>) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub fn text(&self, name: impl AsRef<Path>) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }
}
