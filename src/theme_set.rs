//! All themes there are: the program's, and the user's files beside the settings.

use std::path::PathBuf;

use endpaper_command::user::UserFolders;
use endpaper_review::view::glyphs::GlyphSet;
use endpaper_review::view::theme::{BUILT_IN, NoSuchTheme, ThemeSource, full_name};
use endpaper_review::view::{ColourDepth, Theme};
use endpaper_text::config::{ConfigProblem, Diagnostic, SETTINGS_FILE, suggestion, theme_files};

/// The themes, in the order the screen shows them.
pub(super) struct ThemeSet {
    pub themes: Vec<ThemeEntry>,
    /// Index of the current one by the settings.
    pub chosen: usize,
    /// What is wrong in theme files, and an unknown theme in the settings.
    pub problems: Vec<ConfigProblem>,
}

/// A theme and where it comes from.
pub(super) struct ThemeEntry {
    source: ThemeSource,
    pub text: String,
    /// The user's file; `None`: it is inside the program.
    pub file: Option<PathBuf>,
}

impl ThemeEntry {
    pub fn name(&self) -> &str {
        self.source.name()
    }

    /// The theme as a terminal shows it.
    pub fn theme(&self, depth: ColourDepth, glyphs: &'static GlyphSet) -> Theme {
        Theme::resolve(&self.source, depth, glyphs)
    }
}

impl ThemeSet {
    /// Reads the user's theme files. One that is called like a theme of the program is in its place.
    pub fn load(user: &UserFolders) -> ThemeSet {
        let program = BUILT_IN.iter().map(|(name, text)| ThemeEntry {
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

    /// Takes the theme of the settings; one that does not exist is a problem, and the first theme is current.
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
