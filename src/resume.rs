//! State that a sitting leaves for others: the last book and, while it runs, an announcement.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use endpaper_command::user::UserFolders;
use endpaper_text::atomic::{self, Existing};
use endpaper_text::corpus::BookId;
use endpaper_truth::{Announcement, Store};

/// State that a sitting leaves for others.
pub(super) struct ResumeState {
    pub last: LastBook,
    pub store: Arc<Store>,
    /// Held until the end: it tells other sittings that this one is running.
    pub announced: Option<Announcement>,
    pub read_only: bool,
}

impl ResumeState {
    /// Remembers the current book. The truth folder is created by the first save; only then can the sitting be announced.
    pub fn remember_book(&mut self, id: &BookId) {
        if self.announced.is_none() && !self.read_only && self.store.folder().is_dir() {
            self.announced = Some(self.store.announce());
        }
        self.last.remember(id);
    }
}

/// The last book of a sitting, in one file for each truth folder.
pub(super) struct LastBook(PathBuf);

impl LastBook {
    /// The file that names the last book reviewed for this truth folder.
    pub fn of(user: &UserFolders, truth: &Path) -> LastBook {
        let full = std::path::absolute(truth).unwrap_or_else(|_| truth.to_owned());
        let name = endpaper_text::line::Key::of(&full.to_string_lossy()).0;
        LastBook(user.paths.state.join("last").join(format!("{name:016x}")))
    }

    /// The id of the last book.
    pub fn read(&self) -> Option<String> {
        std::fs::read_to_string(&self.0)
            .ok()
            .filter(|id| !id.is_empty())
    }

    /// Errors are ignored: the next sitting then begins with the first undecided book.
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

/// Whether the user has never seen the screen. Records that it was shown.
pub(super) fn is_first_sitting(user: &UserFolders) -> bool {
    let file = user.paths.state.join("toured");
    if file.exists() {
        return false;
    }
    // On an error the tour is shown again.
    let _ = atomic::write_bytes(&file, Existing::Keep, b"");
    true
}
