//! What a sitting leaves for other sittings: where it ended, and, while it lasts, that it is there.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use endpaper_command::user::UserFolders;
use endpaper_text::atomic::{self, Existing};
use endpaper_text::corpus::BookId;
use endpaper_truth::{Announcement, Store};

/// What a sitting leaves for other sittings: where it is, and that it is.
pub(super) struct ResumeState {
    pub last: LastBook,
    pub store: Arc<Store>,
    /// Kept to the end: others see by it that a person reviews here.
    pub announced: Option<Announcement>,
    pub read_only: bool,
}

impl ResumeState {
    /// Follows the curator to a book. A truth folder is made with the first save: only then others can be told.
    pub fn remember_book(&mut self, id: &BookId) {
        if self.announced.is_none() && !self.read_only && self.store.folder().is_dir() {
            self.announced = Some(self.store.announce());
        }
        self.last.remember(id);
    }
}

/// Where a sitting ended, one file for each truth folder.
pub(super) struct LastBook(PathBuf);

impl LastBook {
    pub fn of(user: &UserFolders, truth: &Path) -> LastBook {
        let full = std::path::absolute(truth).unwrap_or_else(|_| truth.to_owned());
        let name = endpaper_text::line::Key::of(&full.to_string_lossy()).0;
        LastBook(user.paths.state.join("last").join(format!("{name:016x}")))
    }

    pub fn read(&self) -> Option<String> {
        std::fs::read_to_string(&self.0)
            .ok()
            .filter(|id| !id.is_empty())
    }

    /// That it cannot be remembered is not a harm: the next sitting begins with the first undecided book.
    fn remember(&self, id: &BookId) {
        if let Some(folder) = self.0.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        let _ = endpaper_text::atomic::write(
            &self.0,
            endpaper_text::atomic::Existing::Replace,
            |out| out.write_all(id.as_str().as_bytes()),
        );
    }
}

/// Whether this user has never seen the screen; from now on it is known.
pub(super) fn is_first_sitting(user: &UserFolders) -> bool {
    let file = user.paths.state.join("toured");
    if file.exists() {
        return false;
    }
    // That it cannot be remembered means that the tour is shown again.
    let _ = atomic::write_bytes(&file, Existing::Keep, b"");
    true
}
