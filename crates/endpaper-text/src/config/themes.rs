//! The user's theme files: `themes/NAME.yaml` next to `config.yaml`.

use std::fs;
use std::path::{Path, PathBuf};

use super::yaml_tree::read_file;
use super::{ConfigProblem, Diagnostic};

/// Name of the folder of theme files.
pub const THEMES: &str = "themes";

/// Most theme files that are read, since one key cycles through all of them; the rest is ignored.
const MAX_THEMES: usize = 100;

/// A theme file and its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThemeFile {
    /// The theme's name: the file name without its extension.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Its contents.
    pub text: String,
}

/// The theme files in the settings folder, by name, and problems with unreadable ones. A missing folder means none.
pub fn theme_files(folder: &Path) -> (Vec<ThemeFile>, Vec<ConfigProblem>) {
    let folder = folder.join(THEMES);
    let mut problems = Vec::new();
    let Ok(found) = fs::read_dir(&folder) else {
        return (Vec::new(), problems);
    };
    let ends = |path: &PathBuf| path.extension().is_some_and(|end| end == "yaml");
    let mut paths: Vec<PathBuf> = found.flatten().map(|file| file.path()).collect();
    paths.retain(ends);
    paths.sort();
    if paths.len() > MAX_THEMES {
        let text = format!("more than {MAX_THEMES} themes; the rest is ignored");
        problems.push(Diagnostic::in_whole_file(text).in_file(&folder));
        paths.truncate(MAX_THEMES);
    }
    let mut files = Vec::new();
    for path in paths {
        match read_file(&path) {
            Ok(Some(text)) => {
                let name = path.file_stem().unwrap_or_default();
                files.push(ThemeFile {
                    name: name.to_string_lossy().into_owned(),
                    path,
                    text,
                });
            }
            Ok(None) => {}
            Err(mistake) => problems.push(mistake.in_file(&path)),
        }
    }
    (files, problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn theme_files_are_found_by_their_ending_and_bad_ones_are_named() {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(theme_files(home.path()), (Vec::new(), Vec::new()));
        let folder = home.path().join(THEMES);
        fs::create_dir(&folder).unwrap();
        fs::create_dir(folder.join("a-folder.yaml")).unwrap();
        for (name, bytes) in [
            ("night.yaml", &b"inherits: dark\n"[..]),
            ("dawn.yaml", b""),
            ("notes.txt", b"x"),
            ("latin.yaml", b"\xe4"),
        ] {
            fs::write(folder.join(name), bytes).unwrap();
        }
        let (files, problems) = theme_files(home.path());
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["dawn", "night"]);
        let briefs: Vec<String> = problems.iter().map(ConfigProblem::brief).collect();
        assert_eq!(
            briefs,
            [
                "a-folder.yaml: is not a file",
                "latin.yaml: is not UTF-8; save it as UTF-8"
            ]
        );
    }
}
