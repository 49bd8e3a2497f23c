//! Members of archives named outright, in the form of ids: `shelf/b.zip!story.txt`.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::request::{Listing, ListingRequest};
use crate::corpus::id::file_name_to_id;
use crate::corpus::{BookId, Skipped, Unreadable};
use crate::wording::{plural, thousands};

/// The requested members. Of their archives, no other members count.
#[derive(Debug, Default)]
pub(super) struct MemberFilter {
    /// The prefix of the ids in the archive, and the id of the member.
    wanted: Vec<(String, BookId)>,
}

impl MemberFilter {
    /// The request with archives in place of members, and the filter for these. A path that exists as a file is never a member.
    pub fn of(request: &ListingRequest) -> (Cow<'_, ListingRequest>, MemberFilter) {
        let mut members = MemberFilter::default();
        let mut roots = Vec::with_capacity(request.roots.len());
        for root in &request.roots {
            match split(root) {
                Some((archive, name, member)) => {
                    let begin = format!("{name}!");
                    let id = BookId::new(&format!("{begin}{member}"));
                    members.wanted.push((begin, id));
                    roots.push(archive);
                }
                None => roots.push(root.clone()),
            }
        }
        if members.wanted.is_empty() {
            return (Cow::Borrowed(request), members);
        }
        let request = ListingRequest {
            roots,
            ..request.clone()
        };
        (Cow::Owned(request), members)
    }

    /// Drops all other members. A member that does not exist is skipped, with the names of some that do.
    pub fn retain(&self, listing: &mut Listing) {
        let ids = || {
            let books = listing.books.iter().map(|book| &book.id);
            books.chain(listing.skipped.iter().map(|skipped| &skipped.id))
        };
        let mut absent = Vec::new();
        for (begin, wanted) in &self.wanted {
            if ids().any(|id| id == wanted) {
                continue;
            }
            let archive = begin.trim_end_matches('!');
            // An archive that cannot be read is already skipped with its reason.
            if ids().any(|id| id.as_str() == archive) {
                continue;
            }
            let members: Vec<&str> = ids()
                .filter_map(|id| id.as_str().strip_prefix(begin))
                .collect();
            let some = members.iter().take(3).map(|name| format!("'{name}'"));
            let some: Vec<String> = some.collect();
            let why = format!(
                "it is not in the archive, which holds {} {}: {}{}",
                thousands(members.len()),
                plural(members.len(), "book"),
                some.join(", "),
                if members.len() > some.len() {
                    " ..."
                } else {
                    ""
                }
            );
            absent.push(Skipped {
                id: wanted.clone(),
                reason: Unreadable::Io(why),
            });
        }
        let wants = |id: &BookId| {
            let mut of_archive = self
                .wanted
                .iter()
                .filter(|(begin, _)| id.as_str().starts_with(begin))
                .peekable();
            of_archive.peek().is_none() || of_archive.any(|(_, wanted)| wanted == id)
        };
        listing.books.retain(|book| wants(&book.id));
        listing.skipped.retain(|skipped| wants(&skipped.id));
        listing.skipped.extend(absent);
    }
}

/// Splits `archive!member` into the archive's path, its name and the member's name.
fn split(root: &Path) -> Option<(PathBuf, String, String)> {
    let text = root.to_str()?;
    if !text.contains('!') || root.exists() {
        return None;
    }
    let mut marks = text.match_indices('!');
    marks.find_map(|(at, _)| {
        let archive = Path::new(&text[..at]);
        let name = file_name_to_id(archive.file_name()?);
        let member = text[at + 1..].to_owned();
        archive
            .is_file()
            .then(|| (archive.to_owned(), name, member))
    })
}
