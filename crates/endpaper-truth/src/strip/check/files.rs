//! The files of a folder of bodies, and whether they are those of its manifest.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use walkdir::WalkDir;

use super::{LintFinding, LintRule};
use crate::strip::{Manifest, ManifestEntry};
use endpaper_detect::pipeline::CorpusReport;
use endpaper_text::atomic::{self, is_temporary};
use endpaper_text::checksum::sha256;
use endpaper_text::corpus::{Book, BookId, BookLocation, EncodingChoice, FileStamp, Listing};

/// Makes a listing of the folder one of its bodies: a body is a plain text, whatever its name ends in. `whole` puts those
/// in that were left out because of how they are called.
pub fn select_bodies(folder: &Path, manifest: &Manifest, listing: &mut Listing, whole: bool) {
    let entries = manifest.by_file();
    let is_body = |file: &str| entries.get(file).is_some_and(ManifestEntry::is_inside);
    let mut listed = HashSet::new();
    for book in listing
        .books
        .iter_mut()
        .filter(|book| is_body(book.id.as_str()))
    {
        listed.insert(book.id.as_str().to_owned());
        if !matches!(book.location, BookLocation::File(_)) {
            book.location = BookLocation::File(folder.join(book.id.as_str()));
        }
    }
    listing
        .skipped
        .retain(|skipped| !is_body(skipped.id.as_str()));
    let inside = entries.values().filter(|entry| entry.is_inside());
    for file in inside
        .map(|entry| &entry.file)
        .filter(|file| whole && !listed.contains(*file))
    {
        let path = folder.join(file);
        // One that is not there is a finding of its own.
        if let Ok(stamp) = FileStamp::of(&path) {
            listing.books.push(Book {
                id: BookId::new(file),
                location: BookLocation::File(path),
                stamp,
                encoding: EncodingChoice::Guessed,
            });
        }
    }
    for book in &mut listing.books {
        let known = entries
            .get(book.id.as_str())
            .and_then(|entry| entry.encoding);
        // A body in UTF-8 or windows-1252 is read by what it holds, as its source was, whatever the user's settings say.
        if let Some(encoding) = known {
            book.encoding = match encoding.is_utf8_or_latin() {
                true => EncodingChoice::Guessed,
                false => EncodingChoice::Forced(encoding),
            };
        }
    }
    listing.books.sort_by(|a, b| a.id.cmp(&b.id));
}

/// Says whether a file is as the manifest has it; `None` where there is no manifest.
pub(super) fn compare(
    file: &str,
    bytes: &[u8],
    entries: &HashMap<String, ManifestEntry>,
) -> Option<LintFinding> {
    match entries.get(file) {
        _ if entries.is_empty() => None,
        None => Some(LintFinding::of_file(
            file,
            LintRule::Unlisted,
            "the manifest does not know it",
        )),
        Some(entry) if entry.sha256 != sha256(bytes) => Some(LintFinding::of_file(
            file,
            LintRule::Changed,
            "it was changed since it was written",
        )),
        Some(_) => None,
    }
}

/// Half-written files that killed runs left in a folder; their hidden names keep them from being listed as bodies.
pub(super) fn temporary(folder: &Path) -> Vec<LintFinding> {
    let entries = WalkDir::new(folder).into_iter().flatten();
    let left = entries.filter(|entry| {
        is_temporary(entry.file_name()) && atomic::lock_abandoned(entry.path()).is_some()
    });
    let finding = |entry: walkdir::DirEntry| {
        let file = entry.path().strip_prefix(folder).unwrap_or(entry.path());
        let message = "a killed run left it half-written; remove it";
        LintFinding::of_file(&file.to_string_lossy(), LintRule::Temporary, message)
    };
    left.map(finding).collect()
}

/// Files of the manifest that were not found.
pub(super) fn missing(
    report: &CorpusReport,
    entries: &HashMap<String, ManifestEntry>,
) -> Vec<LintFinding> {
    let found = report.books.iter().map(|body| body.book.id.as_str());
    let skipped = report.skipped.iter().map(|skipped| skipped.id.as_str());
    let there: HashSet<&str> = found.chain(skipped).collect();
    let missing = entries
        .values()
        .filter(|entry| !there.contains(entry.file.as_str()));
    let finding = |entry: &ManifestEntry| {
        let message = match entry.is_inside() {
            true => format!("the body of '{}' is not there", entry.book),
            false => {
                "the manifest names a file outside of the folder, which is not read".to_owned()
            }
        };
        LintFinding::of_file(&entry.file, LintRule::Missing, message)
    };
    missing.map(finding).collect()
}
