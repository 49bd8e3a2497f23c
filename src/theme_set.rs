//! All themes: the built-in ones, and the user's files in the settings folder.

use std::path::PathBuf;

use endpaper_command::user::UserFolders;
use endpaper_review::view::glyphs::GlyphSet;
use endpaper_review::view::theme::{NoSuchTheme, ThemeSource, full_name};
use endpaper_review::view::{ColourDepth, Theme};
use endpaper_text::config::{ConfigProblem, Diagnostic, SETTINGS_FILE, suggestion, theme_files};

/// The themes, in the order of the screen.
pub(super) struct ThemeSet {
    pub themes: Vec<ThemeEntry>,
    /// Index of the theme that the settings select.
    pub chosen: usize,
    /// Problems in theme files, and an unknown theme in the settings.
    pub problems: Vec<ConfigProblem>,
}

/// A theme and its origin.
pub(super) struct ThemeEntry {
    source: ThemeSource,
    pub text: String,
    /// The user's file; `None` for a built-in theme.
    pub file: Option<PathBuf>,
}

impl ThemeEntry {
    /// The name of the theme.
    pub fn name(&self) -> &str {
        self.source.name()
    }

    /// The theme resolved for a terminal.
    pub fn theme(&self, depth: ColourDepth, glyphs: &'static GlyphSet) -> Theme {
        Theme::resolve(&self.source, depth, glyphs)
    }
}

impl ThemeSet {
    /// Reads the user's theme files. A file with the name of a built-in theme replaces it.
    pub fn load(user: &UserFolders) -> ThemeSet {
        let program = endpaper_themes::BUILT_IN
            .iter()
            .map(|(name, text)| ThemeEntry {
                source: ThemeSource::read(name, text).0,
                text: (*text).to_owned(),
                file: None,
            });
        let mut pictures: Vec<ThemeEntry> = program.collect();
        let (files, mut problems) = theme_files(&user.paths.config);
        for file in files {
            let (source, mistakes) = ThemeSource::read(&file.name, &file.text);
            problems.extend(
                mistakes
                    .into_iter()
                    .map(|mistake| mistake.in_file(&file.path)),
            );
            let picture = ThemeEntry {
                source,
                text: file.text,
                file: Some(file.path),
            };
            match pictures.iter_mut().find(|there| there.name() == file.name) {
                Some(there) => *there = picture,
                None => pictures.push(picture),
            }
        }
        let mut theme_set = ThemeSet {
            themes: pictures,
            chosen: 0,
            problems,
        };
        theme_set.choose(user);
        theme_set
    }

    /// Selects the theme of the settings. An unknown theme is a problem, and the first one stays selected.
    fn choose(&mut self, user: &UserFolders) {
        let Some(word) = &user.config.theme else {
            return;
        };
        match self.find(&word.text) {
            Ok(at) => self.chosen = at,
            Err(error) => {
                let mistake = Diagnostic::at(word.position, error.to_string());
                self.problems
                    .insert(0, mistake.in_file(&user.paths.config.join(SETTINGS_FILE)));
            }
        }
    }

    /// The index of a theme.
    pub fn find(&self, name: &str) -> Result<usize, NoSuchTheme> {
        let full = full_name(name);
        let found = self.themes.iter().position(|there| there.name() == full);
        found.ok_or_else(|| {
            let names: Vec<&str> = self.themes.iter().map(ThemeEntry::name).collect();
            NoSuchTheme {
                name: name.to_owned(),
                suggestion: suggestion(name, &names),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_text::config::Paths;

    /// The YAML block of the manual that begins with a word.
    fn example(first: &str) -> &'static str {
        let manual = include_str!("../docs/src/settings.md");
        let mut blocks = manual.split("```yaml\n").skip(1);
        let block = blocks.find(|block| block.starts_with(first));
        let block = block.unwrap_or_else(|| panic!("no example begins with '{first}'"));
        block.split("```").next().unwrap_or_default()
    }

    #[test]
    fn the_examples_of_the_manual_have_no_mistake() {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join(SETTINGS_FILE), example("curator:")).unwrap();
        let user = UserFolders::at(Paths {
            config: home.path().to_owned(),
            cache: PathBuf::new(),
            data: PathBuf::new(),
            state: PathBuf::new(),
        });
        assert_eq!(user.problems, []);
        assert_eq!(user.config.keys.len(), 6);
        assert_eq!(ThemeSource::read("night", example("inherits:")).1, []);
    }
}
