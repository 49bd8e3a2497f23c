//! The files of a truth folder, and what in it cannot be listed.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use endpaper_text::files::{FolderLinks, LinkTarget};
use walkdir::WalkDir;

/// Files of records below `from`, relative to `root`, sorted. Hidden names are never records; no folder, no records.
pub(super) fn list_records(root: &Path, from: &Path) -> Result<Vec<PathBuf>> {
    let (files, unlisted) = list_readable(root, from);
    // A link that leads nowhere hides nothing; the user who lists the records names it.
    match unlisted.into_iter().find(|unlisted| !unlisted.is_link) {
        None => Ok(files),
        Some(UnlistedFiles { path, reason, .. }) => {
            bail!(
                "'{}' in the truth folder {reason}",
                root.join(path).display()
            )
        }
    }
}

/// The same, and what cannot be listed. Folders may be links: records below them are found by name too. A link to a folder
/// that holds the truth folder is not one: a stranger's link to the root would list the whole machine. Of links to one folder the
/// first is followed.
pub(super) fn list_readable(root: &Path, from: &Path) -> (Vec<PathBuf>, Vec<UnlistedFiles>) {
    let (mut files, mut unlisted) = (Vec::new(), Vec::new());
    if !from.is_dir() {
        return (files, unlisted);
    }
    let hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".");
    let shown = |entry: &walkdir::DirEntry| entry.depth() == 0 || !hidden(entry.file_name());
    let mut links = FolderLinks::new(root);
    let mut entries = WalkDir::new(from)
        .follow_links(true)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(shown);
    while let Some(entry) = entries.next() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let path = error.path().unwrap_or(root);
                // An editor's lock is a link that leads nowhere.
                if path == from || !path.file_name().is_some_and(hidden) {
                    unlisted.push(UnlistedFiles::new(root, path, &error));
                }
                continue;
            }
        };
        let is_link = entry.depth() > 0 && entry.path_is_symlink();
        if is_link && entry.file_type().is_dir() {
            let reason = match links.follow(entry.path()) {
                LinkTarget::New => None,
                LinkTarget::Ancestor => Some(LINK_LOOP),
                LinkTarget::Seen => Some(SECOND_LINK),
            };
            if let Some(reason) = reason {
                entries.skip_current_dir();
                unlisted.push(UnlistedFiles {
                    path: below(root, entry.path()),
                    reason: reason.to_owned(),
                    is_link: true,
                });
                continue;
            }
        }
        let is_yaml = entry.path().extension().is_some_and(|end| end == "yaml");
        if is_yaml
            && !entry.file_type().is_dir()
            && let Ok(relative) = entry.path().strip_prefix(root)
        {
            files.push(relative.to_owned());
        }
    }
    files.sort();
    unlisted.sort_by(|a, b| a.path.cmp(&b.path));
    (files, unlisted)
}

/// The path relative to `root`.
fn below(root: &Path, path: &Path) -> PathBuf {
    path.strip_prefix(root).unwrap_or(path).to_owned()
}

const SECOND_LINK: &str = "leads to a folder that another link leads to; remove one of them";
const LINK_LOOP: &str = "leads back to a folder that holds it; remove the link";

/// A file or folder below a truth folder that cannot be listed.
pub(super) struct UnlistedFiles {
    /// Relative to the folder.
    pub(super) path: PathBuf,
    /// Why, and what to do.
    pub(super) reason: String,
    /// Whether it is a symbolic link; such entries do not make [`list_records`] fail.
    is_link: bool,
}

impl UnlistedFiles {
    /// What could not be listed, and what to do about it.
    fn new(root: &Path, path: &Path, error: &walkdir::Error) -> UnlistedFiles {
        let is_loop = error.loop_ancestor().is_some();
        let is_link = is_loop || path.is_symlink();
        let reason = error
            .io_error()
            .map_or_else(|| error.to_string(), io::Error::to_string);
        let reason = match is_link {
            _ if is_loop => LINK_LOOP.to_owned(),
            true => format!("is a broken symbolic link ({reason}); replace or remove it"),
            false => format!("cannot be listed: {reason}"),
        };
        UnlistedFiles {
            path: below(root, path),
            reason,
            is_link,
        }
    }
}
