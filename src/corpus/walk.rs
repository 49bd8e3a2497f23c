//! Which files are books, in which order, under which ids.
//!
//! Folders are walked; books are `.txt`, `.text` and `.asc` files, files without an ending that hold text, and members
//! of `.zip` and `.gz` files by the same rule. Files named outright always count. Hidden files, any folder that holds
//! `.endpaper` and the truth folder never do.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use globset::{Glob, GlobSet, GlobSetBuilder};
use rayon::prelude::*;
use walkdir::{DirEntry, WalkDir};

use super::id::text_of;
use super::members::members;
use super::source::binary;
use super::{Book, BookId, Place, Skipped, Stamp, Unreadable, demo};

/// What to list.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Folders, files and archives named outright. Empty: the current folder.
    pub roots: Vec<PathBuf>,
    /// A list of paths, one a line (`-`: standard input).
    pub files_from: Option<PathBuf>,
    /// Only ids that match one of these globs.
    pub include: Vec<String>,
    /// No ids that match one of these globs.
    pub exclude: Vec<String>,
    /// The truth folder: never part of a corpus.
    pub truth: Option<PathBuf>,
    /// The demonstration corpus inside the program instead of any of the above.
    pub demo: bool,
}

/// The books of a corpus in id order, and what was left out.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Books in id order.
    pub books: Vec<Book>,
    /// Left out while listing (broken archives, encrypted members), in id order.
    pub skipped: Vec<Skipped>,
}

/// A file that is or may hold books.
struct Found {
    id: String,
    path: PathBuf,
    /// Named outright: counts whatever its name.
    named: bool,
}

/// Lists a corpus.
///
/// # Errors
///
/// Wrong use only: a root that does not exist, a bad glob, a list that cannot be read, no books at all.
pub fn list(request: &Request) -> Result<Listing> {
    let (include, exclude) = (globs(&request.include)?, globs(&request.exclude)?);
    let mut listing = Listing::default();
    if request.demo {
        members(
            Cursor::new(demo::ARCHIVE),
            None,
            "demo",
            false,
            &mut listing,
        );
    } else {
        let mut files = Vec::new();
        find(request, &mut files, &mut listing.skipped)?;
        let parts: Vec<Listing> = files.par_iter().map(books_of).collect();
        for part in parts {
            listing.books.extend(part.books);
            listing.skipped.extend(part.skipped);
        }
    }
    let wanted = |id: &BookId| {
        (request.include.is_empty() || include.is_match(id.as_str()))
            && !exclude.is_match(id.as_str())
    };
    listing.books.retain(|book| wanted(&book.id));
    listing.skipped.retain(|skipped| wanted(&skipped.id));
    listing.books.sort_by(|a, b| a.id.cmp(&b.id));
    listing.skipped.sort_by(|a, b| a.id.cmp(&b.id));
    make_unique(&mut listing.books);
    if listing.books.is_empty() && listing.skipped.is_empty() {
        bail!(
            "no books in {}: looked for .txt, .text, .asc, .zip and .gz files; name a file outright to take it \
             whatever its name",
            where_looked(request)
        );
    }
    Ok(listing)
}

fn where_looked(request: &Request) -> String {
    let names: Vec<String> = request
        .roots
        .iter()
        .map(|root| format!("'{}'", root.display()))
        .collect();
    match (&request.files_from, names.is_empty()) {
        (Some(list), _) => format!("the list '{}'", list.display()),
        (None, true) => "the current folder".to_owned(),
        (None, false) => names.join(", "),
    }
}

fn globs(patterns: &[String]) -> Result<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(Glob::new(pattern).with_context(|| format!("'{pattern}' is no glob"))?);
    }
    set.build().context("the globs are too many or too large")
}

/// Files below all roots and in the list.
fn find(request: &Request, files: &mut Vec<Found>, skipped: &mut Vec<Skipped>) -> Result<()> {
    let mut roots = request.roots.clone();
    if roots.is_empty() && request.files_from.is_none() {
        roots.push(PathBuf::from("."));
    }
    let truth = request
        .truth
        .as_deref()
        .and_then(|path| fs::canonicalize(path).ok());
    for (prefix, root) in prefixes(&roots).into_iter().zip(&roots) {
        let kind =
            fs::metadata(root).with_context(|| format!("'{}' cannot be read", root.display()))?;
        if kind.is_dir() {
            walk(root, &prefix, truth.as_deref(), files, skipped);
        } else {
            let name = text_of(root.file_name().unwrap_or(root.as_os_str()));
            files.push(Found {
                id: join(&prefix, &name),
                path: root.clone(),
                named: true,
            });
        }
    }
    if let Some(list) = &request.files_from {
        for path in read_list(list)? {
            files.push(Found {
                id: plain_id(&path),
                path,
                named: true,
            });
        }
    }
    Ok(())
}

/// With several roots ids begin with the root's name, made different where two roots have one name. A file alone is
/// named by its own name.
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
        let name = text_of(full.file_name().unwrap_or(OsStr::new("root")));
        let numbered = (2..).map(|n| format!("{name}~{n}"));
        let free = std::iter::once(name.clone())
            .chain(numbered)
            .find(|name| taken.insert(name.clone()));
        prefixes.push(free.unwrap_or(name));
    }
    prefixes
}

fn join(prefix: &str, rest: &str) -> String {
    if prefix.is_empty() {
        rest.to_owned()
    } else {
        format!("{prefix}/{rest}")
    }
}

/// Paths of a list, one a line, ended by LF or CRLF.
fn read_list(list: &Path) -> Result<Vec<PathBuf>> {
    let mut bytes = Vec::new();
    let read = if list == Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes)
    } else {
        File::open(list).and_then(|mut file| file.read_to_end(&mut bytes))
    };
    read.with_context(|| format!("the list '{}' cannot be read", list.display()))?;
    let lines = bytes
        .split(|&byte| byte == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    Ok(lines.filter(|line| !line.is_empty()).map(path_of).collect())
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// The id of a path that was not found below a root: its components, without `.`, `..` and what names a disk.
fn plain_id(path: &Path) -> String {
    use std::path::Component;
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(text_of(name)),
        _ => None,
    });
    parts.collect::<Vec<_>>().join("/")
}

fn walk(
    root: &Path,
    prefix: &str,
    truth: Option<&Path>,
    files: &mut Vec<Found>,
    skipped: &mut Vec<Skipped>,
) {
    let enter =
        |entry: &DirEntry| entry.depth() == 0 || (!is_hidden(entry) && !is_ours(entry, truth));
    for entry in WalkDir::new(root)
        .follow_links(true)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(enter)
    {
        match entry {
            Ok(entry) if entry.file_type().is_file() && is_wanted(entry.path()) => {
                let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
                let id = join(prefix, &plain_id(below));
                files.push(Found {
                    id,
                    path: entry.into_path(),
                    named: false,
                });
            }
            Ok(_) => {}
            Err(error) => {
                // A loop of links is no loss: what it leads to was walked already.
                let Some(path) = error.path().filter(|_| error.loop_ancestor().is_none()) else {
                    continue;
                };
                let id = join(prefix, &plain_id(path.strip_prefix(root).unwrap_or(path)));
                let why = error
                    .io_error()
                    .map_or_else(|| error.to_string(), ToString::to_string);
                skipped.push(Skipped {
                    id: BookId::new(&id),
                    reason: Unreadable::Io(why),
                });
            }
        }
    }
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}

/// A truth folder: the one in use, or any that is marked as one.
fn is_ours(entry: &DirEntry, truth: Option<&Path>) -> bool {
    if !entry.file_type().is_dir() {
        return false;
    }
    entry.path().join(".endpaper").exists()
        || truth.is_some_and(|truth| fs::canonicalize(entry.path()).is_ok_and(|path| path == truth))
}

fn is_wanted(path: &Path) -> bool {
    match extension(path).as_deref() {
        Some("txt" | "text" | "asc" | "zip" | "gz") => true,
        Some(_) => false,
        None => holds_text(path),
    }
}

fn extension(path: &Path) -> Option<String> {
    path.extension()
        .map(|extension| extension.to_string_lossy().to_lowercase())
}

/// The first 4 KiB of a file without an ending read like text.
fn holds_text(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4096).read_to_end(&mut start));
    read.is_ok() && !start.is_empty() && binary(&start).is_none()
}

/// The books of one file.
fn books_of(file: &Found) -> Listing {
    let mut listing = Listing::default();
    let stamp = match Stamp::of(&file.path) {
        Ok(stamp) => stamp,
        Err(error) => {
            let reason = Unreadable::Io(error.to_string());
            listing.skipped.push(Skipped {
                id: BookId::new(&file.id),
                reason,
            });
            return listing;
        }
    };
    match extension(&file.path).as_deref() {
        Some("zip") => match File::open(&file.path) {
            Ok(open) => {
                let place = Some((file.path.as_path(), stamp));
                members(
                    io::BufReader::new(open),
                    place,
                    &file.id,
                    file.named,
                    &mut listing,
                );
            }
            Err(error) => {
                let reason = Unreadable::Io(error.to_string());
                listing.skipped.push(Skipped {
                    id: BookId::new(&file.id),
                    reason,
                });
            }
        },
        Some("gz") => {
            let inner = file.path.file_stem().map(Path::new);
            // `books.tar.gz` is an archive of another kind, `book.html.gz` no text: they count only if named outright.
            if file.named
                || inner.is_some_and(|inner| {
                    matches!(
                        extension(inner).as_deref(),
                        None | Some("txt" | "text" | "asc")
                    )
                })
            {
                let place = Place::Gzip(file.path.clone());
                listing.books.push(Book {
                    id: BookId::new(&file.id),
                    place,
                    stamp,
                });
            }
        }
        _ => {
            let place = Place::File(file.path.clone());
            listing.books.push(Book {
                id: BookId::new(&file.id),
                place,
                stamp,
            });
        }
    }
    listing
}

/// Two members of one name, or one file named twice: the first keeps the id, a twin that is the same place goes, and
/// another one gets a number.
fn make_unique(books: &mut Vec<Book>) {
    books.dedup_by(|a, b| a.id == b.id && a.place == b.place);
    let mut taken: HashSet<BookId> = HashSet::with_capacity(books.len());
    let mut renamed = false;
    for book in books.iter_mut() {
        if taken.contains(&book.id) {
            let free = (2..)
                .map(|n| BookId::new(&format!("{}~{n}", book.id)))
                .find(|id| !taken.contains(id));
            book.id = free.unwrap_or_else(|| book.id.clone());
            renamed = true;
        }
        taken.insert(book.id.clone());
    }
    if renamed {
        books.sort_by(|a, b| a.id.cmp(&b.id));
    }
}

#[cfg(test)]
mod tests;
