//! Versions of a record that wait beside it because two people changed it at once, and bringing them together.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::file_name::{record_file, record_file_hashed};
use super::lock::MARK;
use super::{Record, yaml};
use endpaper_text::atomic;
use endpaper_text::files::refuse_links_below;

/// A conflict copy.
#[derive(Clone, Debug, PartialEq)]
pub struct ConflictCopy {
    /// Its file.
    pub path: PathBuf,
    /// What it says.
    pub record: Record,
}

/// The versions of a book's record that wait below a truth folder, in the order of their files. What cannot be read is
/// left out: `truth status` names it.
pub(super) fn find_conflict_copies(folder: &Path, id: &str) -> Vec<ConflictCopy> {
    let conflicts = folder.join(MARK).join("conflicts");
    if !conflicts.is_dir() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for name in [record_file(id), record_file_hashed(id)] {
        let of_book =
            |file: &PathBuf| is_conflict_copy(file, &conflicts.join(&name).with_extension(""));
        let parent = conflicts.join(&name).parent().map(fs::read_dir);
        let files = parent.into_iter().flatten().flatten().flatten();
        found.extend(files.map(|entry| entry.path()).filter(of_book));
    }
    found.sort();
    found.dedup();
    let read = |path: PathBuf| {
        let record = yaml::read_bytes(&yaml::file_bytes(&path).ok()?).ok()?;
        (record.book == id).then_some(ConflictCopy { path, record })
    };
    found.into_iter().filter_map(read).collect()
}

/// Whether a file is `STEM.NUMBER.yaml`, as [`super::save::write_conflict_copy`] names versions.
fn is_conflict_copy(file: &Path, stem: &Path) -> bool {
    let name = |path: &Path| {
        path.file_name()
            .and_then(|name| name.to_str().map(str::to_owned))
    };
    let (Some(file), Some(stem)) = (name(file), name(stem)) else {
        return false;
    };
    let number = file
        .strip_prefix(&stem)
        .and_then(|rest| rest.strip_prefix('.'))
        .and_then(|rest| rest.strip_suffix(".yaml"));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// Removes versions whose opinions are in the current record now. Nothing is removed through a link.
pub(super) fn remove_conflict_copies(folder: &Path, conflict_copies: &[PathBuf]) -> io::Result<()> {
    conflict_copies.iter().try_for_each(|path| {
        refuse_links_below(folder, path.strip_prefix(folder).unwrap_or(path))?;
        atomic::remove(path)
    })
}
