//! Finding files that are or may hold books: below the roots, and in the list.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use walkdir::{DirEntry, WalkDir};

use super::classify::{FileClassifier, FoundFile};
use super::request::ListingRequest;
use super::wildcards;
use crate::corpus::id::file_name_to_id;
use crate::corpus::{BookId, Skipped, Unreadable};
use crate::files::{FolderLinks, LinkTarget, read_input_bytes};

/// Submits the files below all roots and in the list to the classifier.
pub(super) fn find(request: &ListingRequest, look: &mut FileClassifier<'_, '_>) -> Result<()> {
    let mut roots = request.roots.clone();
    if cfg!(windows) {
        roots = roots.into_iter().flat_map(wildcards::expand).collect();
    }
    if roots.is_empty() && request.files_from.is_none() {
        roots.push(PathBuf::from("."));
    }
    let truth = request
        .truth
        .as_deref()
        .and_then(|path| fs::canonicalize(path).ok());
    for (prefix, root) in prefixes(&roots).into_iter().zip(&roots) {
        ensure!(
            root != Path::new("-"),
            "'-' is the one text on standard input; give it alone, and a file of that name as './-'"
        );
        let kind =
            fs::metadata(root).with_context(|| format!("'{}' cannot be read", root.display()))?;
        if kind.is_dir() {
            walk(root, &prefix, truth.as_deref(), look);
        } else {
            let name = file_name_to_id(root.file_name().unwrap_or(root.as_os_str()));
            look.submit(FoundFile {
                id: join(&prefix, &name),
                path: root.clone(),
                explicit: true,
            });
        }
    }
    if let Some(list) = &request.files_from {
        for path in read_list(list)? {
            look.submit(FoundFile {
                id: plain_id(&path),
                path,
                explicit: true,
            });
        }
    }
    Ok(())
}

/// The prefix of the ids below each root. With several roots, it is the folder's name, numbered where two folders
/// have the same name. Files have no prefix.
fn prefixes(roots: &[PathBuf]) -> Vec<String> {
    if roots.len() < 2 {
        return vec![String::new(); roots.len()];
    }
    let mut taken = HashSet::new();
    let mut prefixes = Vec::new();
    for root in roots {
        if root.is_file() {
            prefixes.push(String::new());
            continue;
        }
        let full = fs::canonicalize(root).unwrap_or_else(|_| root.clone());
        let name = file_name_to_id(full.file_name().unwrap_or(OsStr::new("root")));
        let numbered = (2..).map(|n| format!("{name}~{n}"));
        let free = std::iter::once(name.clone())
            .chain(numbered)
            .find(|name| taken.insert(name.clone()));
        prefixes.push(free.unwrap_or(name));
    }
    prefixes
}

/// The id of `rest` below `prefix`.
fn join(prefix: &str, rest: &str) -> String {
    if prefix.is_empty() {
        rest.to_owned()
    } else {
        format!("{prefix}/{rest}")
    }
}

/// Longest path of a list, in bytes: no system has longer ones, and what is no list would be shown whole.
const LONGEST_PATH: usize = 32 << 10;

/// Reads a list of paths, one per line, with LF or CRLF line ends.
fn read_list(list: &Path) -> Result<Vec<PathBuf>> {
    let read = if list == Path::new("-") {
        read_input_bytes(io::stdin().lock())
    } else {
        File::open(list).and_then(read_input_bytes)
    };
    let bytes = read.with_context(|| format!("the list '{}' cannot be read", list.display()))?;
    let lines = bytes
        .split(|&byte| byte == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let mut paths = Vec::new();
    for (at, line) in lines.enumerate().filter(|(_, line)| !line.is_empty()) {
        ensure!(
            line.len() <= LONGEST_PATH,
            "line {} of the list '{}' is longer than {LONGEST_PATH} bytes; write a path on each line",
            at + 1,
            list.display()
        );
        paths.push(path_of(line));
    }
    Ok(paths)
}

/// The path that these bytes of a list name.
#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(OsStr::from_bytes(bytes))
}

/// The path that these bytes of a list name.
#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// The id of a path that was not found below a root: its components without `.`, `..` and drive prefixes.
fn plain_id(path: &Path) -> String {
    use std::path::Component;
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(file_name_to_id(name)),
        _ => None,
    });
    parts.collect::<Vec<_>>().join("/")
}

/// The id of a path below its root.
fn id_below(path: &Path) -> String {
    match path.to_str() {
        // Walked paths contain neither `.` nor `..`.
        Some(text) if cfg!(unix) => text.to_owned(),
        _ => plain_id(path),
    }
}

/// Walks the folder `root` and passes its files to `look`, without the folder `truth`. Ids begin with `prefix`.
fn walk(root: &Path, prefix: &str, truth: Option<&Path>, look: &mut FileClassifier<'_, '_>) {
    let mut links = FolderLinks::new(root);
    let mut again = Vec::new();
    let enter = |entry: &DirEntry| {
        if entry.depth() == 0 {
            return true;
        }
        if is_hidden(entry) || is_ours(entry, truth) {
            return false;
        }
        if !entry.path_is_symlink() || !entry.file_type().is_dir() {
            return true;
        }
        let lead = links.follow(entry.path());
        if lead == LinkTarget::Seen {
            again.push(entry.path().to_owned());
        }
        lead == LinkTarget::New
    };
    // Entries of one folder differ only in their names: comparing whole paths is cheaper than extracting the names,
    // about ten times per entry.
    for entry in WalkDir::new(root)
        .follow_links(true)
        .sort_by(|a, b| a.path().as_os_str().cmp(b.path().as_os_str()))
        .into_iter()
        .filter_entry(enter)
    {
        match entry {
            Ok(entry) if entry.file_type().is_file() && look.may_hold_books(entry.path()) => {
                let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
                let id = join(prefix, &id_below(below));
                look.submit(FoundFile {
                    id,
                    path: entry.into_path(),
                    explicit: false,
                });
            }
            Ok(_) => {}
            Err(error) => {
                // A loop of links loses nothing: its target was already walked.
                let Some(path) = error.path().filter(|_| error.loop_ancestor().is_none()) else {
                    continue;
                };
                let id = join(prefix, &plain_id(path.strip_prefix(root).unwrap_or(path)));
                let why = error
                    .io_error()
                    .map_or_else(|| error.to_string(), ToString::to_string);
                look.skipped.push(Skipped {
                    id: BookId::new(&id),
                    reason: Unreadable::Io(why),
                });
            }
        }
    }
    for path in again {
        let id = join(prefix, &plain_id(path.strip_prefix(root).unwrap_or(&path)));
        let why = "leads to a folder that another link leads to, whose books are listed once";
        look.skipped.push(Skipped {
            id: BookId::new(&id),
            reason: Unreadable::Io(why.to_owned()),
        });
    }
}

/// Whether a name begins with a dot.
fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}

/// Whether a folder is the truth folder in use, or is marked as one by `.endpaper`.
fn is_ours(entry: &DirEntry, truth: Option<&Path>) -> bool {
    if !entry.file_type().is_dir() {
        return false;
    }
    entry.path().join(".endpaper").exists()
        || truth.is_some_and(|truth| fs::canonicalize(entry.path()).is_ok_and(|path| path == truth))
}
